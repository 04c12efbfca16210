#!/usr/bin/env python3
"""Plays a match between two UCI engines, and checks every move and the clock with python-chess.

    course_match.py step04 step03 --games 200 --limit "depth 4" --limit2 "depth 3"
    course_match.py step10 stockfish --limit "nodes 20000" --elo2 2000

An engine is a path, or a name in Tabiya's `target/release`, or a program on the PATH. Openings are random moves, each played twice with
the colours reversed. A game ends by the rules, by the third occurrence of a position, by the
fifty-move rule, or as a draw after 400 plies. An illegal move or a loss on time ends the match with
an error, because the steps of the course have neither. With `--random SHARE` the first engine plays
this share of its moves at random.

The last line has the score of the first engine, its Elo difference, and the error of that (95 %),
which is computed from pairs of games.
"""

import argparse
import math
import random
import subprocess
import sys
import time
from pathlib import Path

try:
    import chess
except ImportError:
    if not {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit("course_match.py needs python-chess: pip install chess")

ROOT = Path(__file__).resolve().parent.parent
MAX_PLIES = 400


class Fault(Exception):
    """An engine broke the rules of chess, of UCI or of the clock."""


class Engine:
    """A UCI engine in a process of its own."""

    def __init__(self, program, limit, elo=None):
        built = ROOT / "target" / "release" / program
        if "/" not in program and built.exists():
            self.command = str(built)
        else:
            self.command = program
        self.limit = limit
        self.process = subprocess.Popen(
            [self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.name = program
        self.send("uci")
        for line in self.until("uciok"):
            if line.startswith("id name "):
                self.name = line[len("id name ") :]
        if elo:
            self.name += f" (UCI_Elo {elo})"
            self.send("setoption name UCI_LimitStrength value true")
            self.send(f"setoption name UCI_Elo value {elo}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, word):
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Fault(f"{self.name} ended")
            if line.startswith(word):
                return [*lines, line.strip()]
            lines.append(line.strip())

    def new_game(self):
        self.send("ucinewgame")
        self.send("isready")
        self.until("readyok")

    def move(self, board, clock):
        """The engine's move, and the seconds that it took."""
        moves = " ".join(move.uci() for move in board.move_stack)
        self.send("position startpos" + (f" moves {moves}" if moves else ""))
        limit = self.limit
        if clock:
            white, black, increment = (round(1000 * value) for value in clock)
            limit = f"wtime {white} btime {black} winc {increment} binc {increment}"
        started = time.monotonic()
        self.send("go " + limit)
        answer = self.until("bestmove")[-1].split()[1]
        return answer, time.monotonic() - started

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)


def opening(chance, plies):
    """A position after random moves, in which the game goes on."""
    while True:
        board = chess.Board()
        for _ in range(plies):
            if board.is_game_over():
                break
            board.push(chance.choice(list(board.legal_moves)))
        if not board.is_game_over():
            return board


def play(white, black, board, chance, settings, shares):
    """Plays a game to its end: the result for White."""
    left = [settings.time, settings.time]
    for engine in (white, black):
        engine.new_game()
    while True:
        outcome = board.outcome()
        if outcome:
            return {True: 1.0, False: 0.0, None: 0.5}[outcome.winner]
        if board.is_repetition(3) or board.is_fifty_moves() or len(board.move_stack) >= MAX_PLIES:
            return 0.5
        engine = white if board.turn else black
        side = 0 if board.turn else 1
        if chance.random() < shares[side]:
            board.push(chance.choice(list(board.legal_moves)))
            continue
        clock = (left[0], left[1], settings.increment) if settings.time else None
        text, seconds = engine.move(board, clock)
        try:
            move = chess.Move.from_uci(text)
        except ValueError:
            move = None
        if move not in board.legal_moves:
            raise Fault(f"{engine.name} played {text}, which is illegal in {board.fen()}")
        if settings.time:
            left[side] -= seconds
            if left[side] < -settings.margin:
                raise Fault(f"{engine.name} lost on time in {board.fen()}")
            left[side] = max(left[side], 0) + settings.increment
        board.push(move)


def elo(score):
    """The Elo difference for a score between 0 and 1."""
    return 400 * math.log10(score / (1 - score))


def summary(pairs):
    """Score, Elo and error from the scores of pairs of games, each 0 to 2."""
    scores = [pair / 2 for pair in pairs]
    mean = sum(scores) / len(scores)
    if mean in (0, 1):
        # If one side wins all n games, it wins with 95 % confidence at least 1 - 3 / n of them (the
        # rule of three); n + 3 instead of n keeps this positive for a few games.
        bound = elo(1 - 3 / (2 * len(scores) + 3))
        return mean, f"{'more than ' if mean else 'less than -'}{bound:.0f}"
    if len(set(pairs)) == 1:
        return mean, f"{elo(mean):+.0f}, no interval yet"
    variance = sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)
    error = 1.96 * math.sqrt(variance / len(scores))
    low, high = max(mean - error, 0.001), min(mean + error, 0.999)
    return mean, f"{elo(mean):+.0f} ± {(elo(high) - elo(low)) / 2:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--limit", default="depth 3", help="what `go` says to the first engine")
    parser.add_argument("--limit2", help="what it says to the second one (default: the same)")
    parser.add_argument("--elo", type=int, help="UCI_Elo of the first engine")
    parser.add_argument("--elo2", type=int, help="UCI_Elo of the second engine")
    parser.add_argument("--time", type=float, default=0, help="seconds a game, instead of limits")
    parser.add_argument("--increment", type=float, default=0, help="seconds a move")
    parser.add_argument("--margin", type=float, default=0, help="seconds a flag may be late")
    parser.add_argument("--random", type=float, default=0, help="share of random moves, first engine")
    parser.add_argument("--opening", type=int, default=8, help="random plies before a game")
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    chance = random.Random(settings.seed)
    first = Engine(settings.first, settings.limit, settings.elo)
    second = Engine(settings.second, settings.limit2 or settings.limit, settings.elo2)
    stopped, pairs, counts = False, [], {1.0: 0, 0.5: 0, 0.0: 0}
    try:
        for _ in range(max(1, settings.games // 2)):
            start = opening(chance, settings.opening)
            as_white = play(first, second, start.copy(), chance, settings, (settings.random, 0))
            as_black = 1 - play(second, first, start.copy(), chance, settings, (0, settings.random))
            for score in (as_white, as_black):
                counts[score] += 1
            pairs.append(as_white + as_black)
    except Fault as fault:
        print(f"course_match: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        # What has been played counts.
        stopped = True
    first.quit()
    second.quit()
    if not pairs:
        return 130
    mean, difference = summary(pairs)
    print(
        f"{first.name} - {second.name}: {counts[1.0]} won, {counts[0.5]} drawn, {counts[0.0]} lost,"
        f" {100 * mean:.1f} %, Elo {difference}"
    )
    return 130 if stopped else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as problem:  # a program that is not there
        sys.exit(f"course_match.py: {problem}")
