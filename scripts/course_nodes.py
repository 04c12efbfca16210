#!/usr/bin/env python3
"""Nodes that steps of the course need for a depth, over the positions of course/positions.epd.

    course_nodes.py 4 step03 step04
    course_nodes.py 3 step03 --positions course/tests/mates.epd

A step is a path, or a name in Tabiya's `target/release`. The second line of each step has its scores
in the same order: steps that must agree can be compared.

One position says little: a change that saves a third in one costs a third in another. The geometric
mean over eight is a start, and a match decides.
"""

import argparse
import math
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def search(step, fen, depth):
    """The nodes and the score of a search."""
    text = f"position fen {fen}\ngo depth {depth}\n"
    program = step if "/" in step else ROOT / "target" / "release" / step
    answer = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    last = [line for line in answer.splitlines() if line.startswith("info depth")][-1].split()
    at = last.index("nodes")
    return int(last[at + 1]), " ".join(last[last.index("score") + 1 : at])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("depth", type=int)
    parser.add_argument("steps", nargs="+", metavar="STEP")
    parser.add_argument(
        "--positions",
        type=Path,
        metavar="FILE",
        default=ROOT / "course" / "positions.epd",
        help="a FEN a line",
    )
    options = parser.parse_args()
    depth, steps = options.depth, options.steps
    fens = options.positions.read_text(encoding="utf-8").splitlines()
    for step in steps:
        counts, scores = zip(*(search(step, fen, depth) for fen in fens))
        mean = math.exp(sum(map(math.log, counts)) / len(counts))
        print(f"{step} depth {depth}: {mean:.0f} nodes; {' '.join(map(str, counts))}")
        print(f"    scores: {', '.join(scores)}")


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:  # a program or a file that is not there
        raise SystemExit(f"course_nodes.py: {problem}") from None
