#!/usr/bin/env python3
"""Test suites at fixed nodes, for any UCI engines side by side: suite.py --engine A [--engine B] FILE.epd...

Needs python-chess. A line of a suite is an EPD with one of these operations:

bm #N   a mate in N moves (negative: the side to move is mated in N). Counted are mates that the engine announces, of these
        those of the best length, and faults: the wrong side, a mate shorter than the best one, or a PV that is too long,
        illegal or does not end in mate after exactly the moves announced (the last is what matetrack asks too).
c9 c8   the moves of STS with their points: the points of the move played.
bm, am  moves that solve the position, or do not.

Every engine gets `ucinewgame` before each position, one thread and 16 MiB of hash, so that counts can be repeated.
"""

import argparse
import collections
import re
import sys

import chess
import chess.engine


def mate_fault(board, mate, best, pv):
    """What is wrong with an announced mate, or nothing."""
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
    """Adds one position to the counts: a counter, and a fault to be shown."""
    counts = collections.Counter(positions=1)
    mate = re.fullmatch(r"#(-?\d+)", operations.get("bm", "").strip())
    if mate:
        best = int(mate[1])
        is_exact = "score" in info and not (info.get("lowerbound") or info.get("upperbound"))
        found = info["score"].relative.mate() if is_exact else None
        if found is None:
            return counts, ""
        fault = mate_fault(board, found, best, info.get("pv", []))
        counts.update(mates=1, best_length=int(found == best and not fault), faults=int(bool(fault)))
        return counts, fault and f"{board.fen()}: mate {found}, best {best}: {fault}"
    if "c9" in operations:
        points = dict(zip(operations["c9"].split(), map(int, operations["c8"].split())))
        counts.update(points=points.get(played.uci(), 0), of=max(points.values()))
        return counts, ""
    good = {board.parse_san(san) for san in operations.get("bm", "").split()}
    bad = {board.parse_san(san) for san in operations.get("am", "").split()}
    counts.update(solved=int(played in good or (bool(bad) and played not in bad)))
    return counts, ""


def operations_of(line):
    """The position of an EPD line, and its operations as text."""
    fields = line.split(None, 4)
    texts = dict(re.findall(r'(\w+) ("[^"]*"|[^;]*);', fields[4] if len(fields) > 4 else ""))
    return chess.Board(" ".join(fields[:4]) + " 0 1"), {name: text.strip('"') for name, text in texts.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=100_000, help="nodes a position (100000)")
    parser.add_argument("--limit", type=int, help="so many positions of each suite, evenly spread (all)")
    parser.add_argument("--engine", action="append", required=True, help="an engine; may be given several times")
    parser.add_argument("suite", nargs="+", help="files of EPD lines")
    arguments = parser.parse_args()
    failed = False
    for suite in arguments.suite:
        with open(suite, encoding="utf-8") as file:
            lines = [line for line in file if line.strip()]
        if arguments.limit and arguments.limit < len(lines):
            lines = [lines[i * len(lines) // arguments.limit] for i in range(arguments.limit)]
        for command in arguments.engine:
            counts, faults = collections.Counter(), []
            with chess.engine.SimpleEngine.popen_uci(command) as engine:
                engine.configure({"Hash": 16, "Threads": 1})
                for number, line in enumerate(lines):
                    board, operations = operations_of(line)
                    limit = chess.engine.Limit(nodes=arguments.nodes)
                    result = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL)
                    added, fault = judge(board, operations, result.move, result.info)
                    counts.update(added)
                    faults += [fault] if fault else []
            told = ", ".join(f"{name} {count}" for name, count in counts.items())
            print(f"{suite.rsplit('/', 1)[-1]:20} {command.rsplit('/', 1)[-1]:20} {told}", flush=True)
            for fault in faults[:20]:
                print(f"    {fault}")
            failed |= bool(faults)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
