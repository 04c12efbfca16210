#!/usr/bin/env python3
"""Nodes that steps of the course need for a depth, over the positions of course/positions.epd.

    course_nodes.py 4 step03 step04

A step is a path, or a name in Tabiya's `target/release`.

One position says little: a change that saves a third in one costs a third in another. The geometric
mean over eight is a start, and a match decides.
"""

import argparse
import math
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def nodes(step, fen, depth):
    text = f"position fen {fen}\ngo depth {depth}\n"
    program = step if "/" in step else ROOT / "target" / "release" / step
    answer = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    last = [line for line in answer.splitlines() if line.startswith("info depth")][-1].split()
    return int(last[last.index("nodes") + 1])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("depth", type=int)
    parser.add_argument("steps", nargs="+", metavar="STEP")
    options = parser.parse_args()
    depth, steps = options.depth, options.steps
    fens = (ROOT / "course" / "positions.epd").read_text().splitlines()
    for step in steps:
        counts = [nodes(step, fen, depth) for fen in fens]
        mean = math.exp(sum(map(math.log, counts)) / len(counts))
        print(f"{step} depth {depth}: {mean:.0f} nodes; {' '.join(map(str, counts))}")


if __name__ == "__main__":
    main()
