#!/usr/bin/env python3
"""Measures Tabiya's UCI_Elo by games against Stockfish 15.1 at its own UCI_Elo.

    levels.py ENGINE OPENINGS.epd [--games N] [--concurrency N] [ELO ...]

Stockfish with UCI_Elo picks its move at a depth that depends on the rating, and searches on without
effect. So here it gets that depth, and a clock that cannot run out. Its lowest rating is 1350, the opponent of the
ratings from 1000 to 1350. Below 1000 the opponent is Tabiya itself, 100 points above. FASTCHESS is the
path of fastchess.
"""

import argparse
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

LOWEST_ANCHOR = 1350
LOWEST_AGAINST_STOCKFISH = 1000
STEP = 100
RATINGS = [400, 500, 600, 700, 800, 900, 1000, 1200, 1350, 1500, 1600, 1700, 1800, 1900, 2000, 2100, 2200, 2400, 2600]


def stockfish_depth(elo):
    """The depth at which Stockfish 15.1 picks its move (search.cpp)."""
    level = max(0.0, (elo - 1346.6) / 143.4) ** (1 / 0.806)
    return 1 + int(min(level, 20.0))


def opponent(arguments, elo):
    """The opponent of a rating: its own rating, its command, and what fastchess tells it else."""
    if elo < LOWEST_AGAINST_STOCKFISH:
        return elo + STEP, arguments.engine, []
    anchor = max(elo, LOWEST_ANCHOR)
    return anchor, arguments.stockfish, [f"depth={stockfish_depth(anchor)}"]


def program(name):
    """The path of a program, also for those who run in another folder."""
    return os.path.abspath(shutil.which(name) or name)


def play(arguments, elo, anchor, opposing, words):
    """Plays the games. Returns Tabiya's wins, losses and draws."""
    command = [
        program(os.environ.get("FASTCHESS", "fastchess")),
        "-engine", f"cmd={arguments.engine}", "name=tabiya", f"option.UCI_Elo={elo}",
        "-engine", f"cmd={opposing}", "name=opponent", f"option.UCI_Elo={anchor}", *words,
        "-each", "proto=uci", "tc=600+10", "option.UCI_LimitStrength=true",
        "-openings", f"file={arguments.openings}", "format=epd", "order=random",
        "-repeat", "-rounds", str(arguments.games // 2),
        "-concurrency", str(arguments.concurrency), "-recover", "-autosaveinterval", "0",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    reports = re.findall(r"Wins: (\d+), Losses: (\d+), Draws: (\d+)", ran.stdout)
    if ran.returncode or not reports:
        sys.exit(f"levels.py: fastchess fails at UCI_Elo {elo}:\n{(ran.stdout + ran.stderr)[-1000:]}")
    return map(int, reports[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="the tabiya binary")
    parser.add_argument("openings", help="EPD file of openings")
    parser.add_argument("elo", nargs="*", type=int, default=RATINGS, help="ratings to measure (400 to 2600)")
    parser.add_argument("--games", type=int, default=100, help="games per rating (100)")
    parser.add_argument("--concurrency", type=int, default=1, help="simultaneous games (1)")
    parser.add_argument("--stockfish", default="/usr/games/stockfish", help="the opponent (/usr/games/stockfish)")
    arguments = parser.parse_intermixed_args()
    arguments.engine = os.path.abspath(arguments.engine)
    arguments.stockfish = program(arguments.stockfish)
    arguments.openings = os.path.abspath(arguments.openings)
    print("| `UCI_Elo` | against | won | drawn | lost | suggests |\n|---|---|---|---|---|---|")
    for elo in arguments.elo:
        anchor, opposing, words = opponent(arguments, elo)
        won, lost, drawn = play(arguments, elo, anchor, opposing, words)
        games = won + lost + drawn
        # Half a point is added to each side, so that a result of 100 % gives a finite rating.
        score = (won + drawn / 2 + 0.5) / (games + 1)
        error = 1.96 * math.sqrt(score * (1 - score) / games) * 400 / math.log(10) / (score * (1 - score))
        suggests = anchor - 400 * math.log10(1 / score - 1)
        print(f"| {elo} | {anchor} | {won} | {drawn} | {lost} | {suggests:.0f} ± {error:.0f} |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:  # a program that is not there
        sys.exit(f"levels.py: {problem}")
