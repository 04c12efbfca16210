#!/usr/bin/env python3
"""Writes the course's results into the book, from lab/matches.csv: no result is typed twice.

    course_table.py            writes book/src/course/results/
    course_table.py --check    fails if a file there is not what it would write

A match of the course has an engine `course step N`; one that an exercise changes is called `course step
N with` or `without` something. Where it won nearly every game, the book gives the lower end of the
interval: "more than".
"""

import argparse
import csv
import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "book" / "src" / "course" / "results"
IDEAS = {
    2: "material, one ply ahead",
    3: "negamax, depth 3",
    4: "alpha-beta, depth 4",
    5: "piece-square tables, tapered",
    6: "quiescence, captures first",
    7: "iterative deepening, the clock",
    8: "transposition table, repetitions",
    9: "killers, history, null move and other pruning, reductions, principal variation search",
    10: "a network of 32 neurons",
}
# The ideas of step 9 that exercise 2 takes out, and its matches: `course step 9 without killers`.
WITHOUT = [
    "killers",
    "history",
    "null move",
    "reverse futility pruning",
    "late move reductions",
    "principal variation search",
    "delta pruning",
    "check extension",
]
UNPLAYED = "The match is not played yet."
# Answers to other exercises: the file, and the engine of the match.
ANSWERS = {
    "step07-pawn-protected.md": "course step 7 without captures that lose to a pawn",
    "step08-deeper.md": "course step 8 with deeper entries kept",
}


@functools.cache
def laboratory():
    with open(ROOT / "lab" / "matches.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def matches():
    """Matches of the course: (step, row). The last row of the same match counts."""
    found = {}
    for row in laboratory():
        if name := re.fullmatch(r"course step (\d+)", row["engine"]):
            found[int(name[1]), row["opponent"], row["condition"]] = row
    return [(key[0], row) for key, row in found.items()]


def changed(engine):
    """The last match of a step that an exercise changes, if it was played."""
    return next((row for row in reversed(laboratory()) if row["engine"] == engine), None)


def difference(row):
    elo, error = int(row["elo"]), int(row["error"])
    if int(row["won"]) + int(row["drawn"]) / 2 > 0.97 * int(row["games"]):
        return f"more than {(elo - error) // 10 * 10}"
    return f"{elo:+d} ± {error}".replace("-", "−")


def condition(row):
    """The condition of a match, with its numbers of nodes as the book writes them: 10,000."""
    return re.sub(r"\d+ nodes", lambda nodes: f"{int(nodes[0].split()[0]):,} nodes", row["condition"])


def sentence(row):
    opponent = row["opponent"].removeprefix("course ")
    return (
        f"Against {opponent}, {condition(row)}: {row['won']} games won, {row['drawn']} drawn,"
        f" {row['lost']} lost, which is **{difference(row)} Elo**."
    )


def size(step):
    text = (ROOT / "course" / "src" / "bin" / f"step{step:02}.rs").read_text(encoding="utf-8")
    return sum("// ANCHOR" not in line for line in text.splitlines())


def pages():
    found = matches()
    for step in range(2, 11):
        rows = [row for number, row in found if number == step]
        text = " ".join(sentence(row) for row in rows) or UNPLAYED
        yield f"step{step:02}.md", text + "\n"
    lines = ["| step 9 without | won | drawn | lost | Elo |", "|---|---:|---:|---:|---|"]
    for idea in WITHOUT:
        if row := changed(f"course step 9 without {idea}"):
            counts = " | ".join(row[result] for result in ("won", "drawn", "lost"))
            lines.append(f"| {idea} | {counts} | {difference(row)} |")
        else:
            lines.append(f"| {idea} | | | | not played |")
    yield "ideas.md", "\n".join(lines) + "\n"
    for name, engine in ANSWERS.items():
        row = changed(engine)
        text = sentence(row).replace("Against", "With it, against", 1) if row else UNPLAYED
        yield name, text + "\n"
    lines = ["| step | idea | lines | against | condition | Elo |", "|---:|---|---:|---|---|---|"]
    lines.append(f"| 1 | random moves | {size(1)} | | | 0 of the scale |")
    for step, row in sorted(found, key=lambda item: item[0]):
        opponent = row["opponent"].removeprefix("course ")
        lines.append(
            f"| {step} | {IDEAS[step]} | {size(step)} | {opponent} | {condition(row)}"
            f" | {difference(row)} |"
        )
    yield "table.md", "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a file differs")
    check, stale = parser.parse_args().check, []
    RESULTS.mkdir(exist_ok=True)
    for name, text in pages():
        path = RESULTS / name
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not check:
            path.write_text(text, encoding="utf-8", newline="\n")
    if stale:
        print(f"course_table: {', '.join(stale)}: run scripts/course_table.py", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
