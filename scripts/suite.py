#!/usr/bin/env python3
"""Runs UCI engines on test suites at fixed nodes: suite.py --engine A [--engine B] FILE.epd...

Needs python-chess. A line of a suite is an EPD with one of these operations:

bm #N   mate in N moves (negative: the side to move is mated in N). Counts announced mates, mates of
        the best length, and errors. An error is a mate for the wrong side, a mate shorter than the best one,
        or a PV that is illegal or does not end in mate after exactly the announced moves (as matetrack
        requires).
c9 c8   moves of STS and their points. Adds the points of the move played.
bm, am  moves that solve the position, and moves that do not. Counts solved positions.

Each position starts with `ucinewgame`, one thread and 16 MiB of hash, so counts can be reproduced.
Exits with 1 if an engine made an error.
"""

import argparse
import collections
import re
import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

try:
    import chess
    import chess.engine
except ImportError:
    sys.exit("suite.py needs python-chess: pip install chess")


def mate_error(board, mate, best, pv):
    """The error in an announced mate, or an empty text."""
    if (mate > 0) != (best > 0):
        return "wrong side"
    if abs(mate) < abs(best):
        return "shorter than the best"
    plies = 2 * mate - 1 if mate > 0 else -2 * mate
    if len(pv) != plies:
        return f"PV of {len(pv)} plies, not {plies}"
    end = board.copy()
    for number, move in enumerate(pv):
        if move not in end.legal_moves:
            return f"illegal move {move} in the PV"
        if end.is_repetition(3) or end.halfmove_clock > 100:
            return f"PV goes past a draw at ply {number}"
        end.push(move)
    return "" if end.is_checkmate() else "PV does not end in mate"


def judge(board, operations, played, info):
    """The counts of one position, and its error or an empty text."""
    counts = collections.Counter(positions=1)
    mate = re.fullmatch(r"#(-?\d+)", operations.get("bm", "").strip())
    if mate:
        best = int(mate[1])
        is_exact = "score" in info and not (info.get("lowerbound") or info.get("upperbound"))
        found = info["score"].relative.mate() if is_exact else None
        if found is None:
            return counts, ""
        error = mate_error(board, found, best, info.get("pv", []))
        counts.update(mates=1, best_length=int(found == best and not error), errors=int(bool(error)))
        return counts, error and f"{board.fen()}: mate {found}, best {best}: {error}"
    if "c9" in operations:
        points = dict(zip(operations["c9"].split(), map(int, operations["c8"].split())))
        counts.update(points=points.get(played.uci(), 0), of=max(points.values()))
        return counts, ""
    good = {board.parse_san(san) for san in operations.get("bm", "").split()}
    bad = {board.parse_san(san) for san in operations.get("am", "").split()}
    # Moves to avoid decide only where no move is named that solves the position.
    counts.update(solved=int(played in good if good else bool(bad) and played not in bad))
    return counts, ""


def operations_of(line):
    """Reads an EPD line: the position, and its operations as text."""
    fields = line.split(None, 4)
    texts = dict(re.findall(r'(\w+) ("[^"]*"|[^;]*);', fields[4] if len(fields) > 4 else ""))
    return chess.Board(" ".join(fields[:4]) + " 0 1"), {name: text.strip('"') for name, text in texts.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes per position (100000)")
    parser.add_argument("--limit", type=int, help="maximum number of positions per suite, evenly spread (all)")
    parser.add_argument("--engine", action="append", required=True, help="an engine; may be repeated")
    parser.add_argument("suite", nargs="+", help="files of EPD lines")
    arguments = parser.parse_args()
    failed = False
    for suite in arguments.suite:
        with open(suite, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
        if arguments.limit and arguments.limit < len(lines):
            lines = [lines[i * len(lines) // arguments.limit] for i in range(arguments.limit)]
        for command in arguments.engine:
            counts, errors = collections.Counter(), []
            with chess.engine.SimpleEngine.popen_uci(command) as engine:
                engine.configure({"Hash": 16, "Threads": 1})
                for number, line in enumerate(lines):
                    board, operations = operations_of(line)
                    limit = chess.engine.Limit(nodes=arguments.nodes)
                    result = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL)
                    added, error = judge(board, operations, result.move, result.info)
                    counts.update(added)
                    errors += [error] if error else []
            totals = ", ".join(f"{name} {count}" for name, count in counts.items())
            print(f"{suite.rsplit('/', 1)[-1]:20} {command.rsplit('/', 1)[-1]:20} {totals}", flush=True)
            for error in errors[:20]:
                print(f"    {error}")
            failed |= bool(errors)
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as problem:  # a program or a file that is not there
        sys.exit(f"suite.py: {problem}")
