"""Plays games in the real XBoard and through python-chess's XBoard client, with the claims judged.

XBoard runs under Xvfb with its own adjudication off and `-testClaims` on: a game ends when an engine says so, and a
false claim, a false "Illegal move" or silence loses it. Programs that are not installed are passed over with a word.

Usage: xboard_games.py PATH_TO_ENGINE [--rounds N] [--only NAME]
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATH = os.environ.get("PATH", "") + os.pathsep + "/usr/games"

# Name, start, and how the game may end, as XBoard words it.
ENDS = [
    ("mate", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "mate"),
    ("threefold", "6k1/6p1/8/7Q/8/8/1qr3PP/6K1 w - - 0 1", "repetition"),
    ("fifty moves", "8/8/8/4k3/8/8/4K3/R7 w - - 97 80", "50|fifty"),
    ("insufficient", "8/8/8/3k4/4R3/8/8/K7 b - - 0 1", "insufficient"),
    ("stalemate", "8/8/8/8/8/8/p2K4/k7 w - - 0 1", "[Ss]talemate"),
    ("dead wall", "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 90 80", "50|fifty|repetition|agree"),
    ("two knights", "6n1/8/4k3/8/8/3K4/8/1N6 w - - 90 60", "50|fifty|repetition|insufficient|agree"),
    ("en passant", "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "."),
    ("Chess960", "bqnb1rkr/pppppppp/2n5/8/8/2N5/PPPPPPPP/BQNB1RKR w HFhf - 0 1", "."),
]

# Draws that the opponent's move brings about, so that Tabiya has to claim before its own: as that colour.
CLAIMS = [
    ("repetition to claim", "6k1/6p1/8/7Q/8/8/1qr3PP/6K1 w - - 0 1", "repetition", "white"),
    ("fifty to claim", "8/8/8/4k3/8/8/4K3/R7 w - - 97 80", "50|[Ff]ifty", "black"),
]

# What XBoard and the engines say when something is wrong.
WARNING = re.compile(r"[Ff]alse|[Ii]llegal|crash|exited|Unrecognized|forfeit|Error \(", re.M)
FORFEIT = re.compile(r"false|illegal|forfeit|exited|crash|died|time", re.I)


def game(xboard, white, black, fen=None, clock="0:06", increment="0.05", limit=240):
    """One game: result, reason, plies, and the lines of the debug file that speak of something wrong."""
    with tempfile.TemporaryDirectory() as folder:
        debug, pgn, start = (os.path.join(folder, name) for name in ("debug", "game.pgn", "start.fen"))
        command = ["xvfb-run", "-a", xboard, "-fcp", white, "-scp", black, "-fd", folder, "-sd", folder]
        command += ["-mg", "1", "-debug", "-nameOfDebugFile", debug, "-sgf", pgn]
        command += ["-timeControl", clock, "-timeIncrement", increment, "-mps", "0"]
        for option, on in (("testClaims", 1), ("testLegality", 1), ("checkMates", 0), ("materialDraws", 0)):
            command += [f"-{option}", "true" if on else "false"]
        if fen:
            with open(start, "w") as file:
                file.write(fen + "\n")
            command += ["-lpf", start]
            if "H" in fen.split()[2]:
                command += ["-variant", "fischerandom"]
        environment = dict(os.environ, PATH=PATH)
        silent = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process = subprocess.Popen(command, start_new_session=True, env=environment, **silent)
        deadline = time.monotonic() + limit
        text = ""
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.25)
            if os.path.exists(pgn) and os.path.getsize(pgn) > 0:
                break
        time.sleep(0.5)
        end(process)
        if os.path.exists(debug):
            with open(debug, errors="replace") as file:
                text = file.read()
        record = ""
        if os.path.exists(pgn):
            with open(pgn, errors="replace") as file:
                record = file.read().replace("\n", " ")
    result = (re.findall(r'\[Result "(.*?)"\]', record) or ["*"])[0]
    reason = (re.findall(r"\{([^}]*)\}\s*(?:1-0|0-1|1/2-1/2|\*)\s*$", record.strip()) or ["no end"])[0]
    plies = len(re.findall(r"<(?:first|second) *: move ", text))
    warnings = [line.strip() for line in text.splitlines() if "<" in line or "GameEnds" in line]
    warnings = [line for line in warnings if WARNING.search(line)]
    return result, reason, plies, warnings


def end(process):
    """Ends the process group that was started here."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(5)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            pass


def opponents(engine):
    """Who plays: names and command lines of those that are installed."""
    found = {"tabiya": engine}
    for name, command in (("fairymax", "fairymax"), ("hoichess", "hoichess --xboard")):
        if shutil.which(name, path=PATH):
            found[name] = command
        else:
            print(f"{name} is not installed: passed over")
    return found


def in_xboard(engine, rounds, only):
    """Games in XBoard; returns how many went wrong."""
    xboard = shutil.which("xboard", path=PATH)
    if not xboard or not shutil.which("xvfb-run"):
        print("xboard or xvfb-run is not installed: passed over")
        return 0
    pairs = [(name, fen, wanted, "tabiya", "tabiya") for name, fen, wanted in ENDS]
    players = opponents(engine)
    for other in players:
        for name, fen, wanted, color in CLAIMS:
            white, black = ("tabiya", other) if color == "white" else (other, "tabiya")
            pairs.append((name, fen, wanted, white, black))
    for number in range(rounds):
        for other in players:
            white, black = ("tabiya", other) if number % 2 == 0 else (other, "tabiya")
            pairs.append((f"start {number + 1}", None, ".", white, black))
    bad = 0
    for name, fen, wanted, white, black in pairs:
        if only and only not in (name, white, black):
            continue
        result, reason, plies, warnings = game(xboard, players[white], players[black], fen)
        # Other engines may err; that Tabiya does is what counts.
        loses = {"1-0": black, "0-1": white}.get(result)
        forfeit = bool(FORFEIT.search(reason)) and loses in (None, "tabiya")
        own = [line for line in warnings if says(line, white, black) == "tabiya"]
        fine = result != "*" and not forfeit and not own and re.search(wanted, reason)
        bad += not fine
        verdict = "fine" if fine else "WRONG"
        others = len(warnings) - len(own)
        print(f"{verdict}: {name}, {white}-{black}: {result} {reason!r}, {plies} plies, {len(own)} warnings ({others} about the opponent)")
        for line in own[:3]:
            print(f"    {line}")
        sys.stdout.flush()
    return bad


def says(line, white, black):
    """Whose line of the debug file it is; XBoard's own count as ours."""
    if "<first" in line:
        return white
    return black if "<second" in line else "tabiya"


def in_python_chess(path):
    """Whole games, pondering, analysis and options through an independent client."""
    try:
        import chess
        import chess.engine
    except ImportError:
        print("python-chess is not installed: passed over")
        return 0
    with chess.engine.SimpleEngine.popen_xboard(path, timeout=10) as engine:
        engine.configure({"memory": 8})
        for ponder in (False, True):
            board = chess.Board()
            while not board.is_game_over(claim_draw=True):
                limit = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
                result = engine.play(board, limit, game=ponder, ponder=ponder, info=chess.engine.INFO_ALL)
                if result.move is None:
                    print(f"WRONG: python-chess: no move in {board.fen()}")
                    return 1
                assert "depth" in result.info and result.info["pv"][0] == result.move, result
                board.push(result.move)
            outcome = board.outcome(claim_draw=True)
            print(f"fine: python-chess, ponder {ponder}: {outcome.result()} {outcome.termination.name}, {board.ply()} plies")
        board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
        info = engine.analyse(board, chess.engine.Limit(depth=4))
        assert info["score"].white() == chess.engine.Mate(1), info
        with engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 8:
                    break
        wanted = chess.Move.from_uci("a2a4")
        info = engine.analyse(chess.Board(), chess.engine.Limit(depth=4), root_moves=[wanted])
        assert info["pv"][0] == wanted, info
        print("fine: python-chess, analysis and root moves")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--rounds", type=int, default=1, help="games from the start against each opponent")
    parser.add_argument("--only", help="a game, an opponent, or python-chess")
    options = parser.parse_args()
    engine = os.path.abspath(options.engine)
    bad = 0
    if options.only in (None, "python-chess"):
        bad += in_python_chess(engine)
    if options.only != "python-chess":
        bad += in_xboard(engine, options.rounds, options.only)
    print("XBoard: all is well" if bad == 0 else f"XBoard: {bad} games went wrong")
    sys.exit(bool(bad))


main()
