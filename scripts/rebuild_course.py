#!/usr/bin/env python3
"""Rebuilds steps 1 to 6 of the course from the fragments in the book's chapters alone.

It follows the rules that book/src/course/index.md gives to a reader: copy the last step, delete what
the chapter says, and put each fragment into the file that stands above it; an item with the name of an
old one replaces it. The result must have the same items as the programs in course/src.

    rebuild_course.py            compares
    rebuild_course.py --build    also compiles it, as the package that book/src/course/rust.md describes
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book" / "src" / "course"
COURSE = ROOT / "course"
TARGET = ROOT / "target" / "rebuilt" / "course"
STEPS = 6

FILE = re.compile(r"\*\*`(src/[\w/.]+)`\*\*$")
COPY = re.compile(r"^Copy `(src/[\w/.]+)` to `(src/[\w/.]+)`\.$")
DELETE = re.compile(r"Delete ((?:`[^`]+`(?:, | and )?)+)")
INCLUDE = re.compile(r"^\{\{#include ([^:}]+):(\w+)\}\}$")
NAME = re.compile(
    r"(?:pub(?:\(\w+\))? )?(?:const )?(?:fn|struct|enum|trait|const|static|use|impl)\b.*"
)


class Fault(Exception):
    """A chapter from which a reader could not build the program."""


def included(path, anchor):
    """The lines between the marks of an anchor, without the marks of others."""
    text = path.read_text(encoding="utf-8").splitlines()
    marks = [f"// ANCHOR: {anchor}", f"// ANCHOR_END: {anchor}"]
    first, last = (next(i for i, line in enumerate(text) if line.strip() == mark) for mark in marks)
    return [line for line in text[first + 1 : last] if "// ANCHOR" not in line]


def key(lines):
    """The name of an item: `fn negamax`, `impl Engine for Searcher`."""
    for line in lines:
        line = line.strip()
        if line.startswith(("//", "#[")) or not NAME.match(line):
            continue
        line = re.sub(r"^pub(\(\w+\))? ", "", line)
        if line.startswith("use "):
            return line
        if line.startswith("impl"):
            return re.sub(r"^impl(<[^>]*>)? ", "impl ", line).rstrip(" {}")
        kind, name = re.match(r"(?:const )?(\w+) (\w+)", line).groups() if not line.startswith(
            "const "
        ) or line.startswith("const fn") else ("const", re.match(r"const (\w+)", line)[1])
        return f"{kind} {name}"
    raise Fault(f"no item in {lines}")


def items(lines, indent=""):
    """Splits code into items: each ends with a closing bracket or semicolon at its own indent."""
    result, current = [], []
    for line in lines:
        if not line.strip() and not current:
            continue
        current.append(line)
        if not line.startswith(indent) or line.startswith(indent + " ") or not line.strip():
            continue
        is_code = not line.strip().startswith(("//", "#["))
        if is_code and line.rstrip().endswith(("}", ";")):
            result.append(current)
            current = []
    if any(line.strip() for line in current):
        raise Fault(f"an item does not end: {current}")
    return result


class Program:
    """The items of a file. Those of an `impl` are split further."""

    def __init__(self, lines=()):
        self.items = {}
        self.merge(lines)

    def merge(self, lines):
        lines = [line for line in lines if not line.startswith("//!")]
        found = items(lines)
        uses = [key(item) for item in found if key(item).startswith("use ")]
        if uses:
            self.items = {k: v for k, v in self.items.items() if not k.startswith("use ")}
        for item in found:
            name = key(item)
            if name.startswith("impl ") and not item[-1].endswith("{}"):
                start = next(i for i, line in enumerate(item) if line.startswith("impl"))
                members = {key(member): member for member in items(item[start + 1 : -1], "    ")}
                self.items[name] = (item[: start + 1], members)
            else:
                self.items[name] = item

    def merge_members(self, lines):
        for member in items(lines, "    "):
            name = key(member)
            impls = [value for k, value in self.items.items() if k.startswith("impl ")]
            owners = [members for _, members in impls if name in members]
            if not owners and "impl Searcher" in self.items:
                owners = [self.items["impl Searcher"][1]]
            if len(owners) != 1:
                raise Fault(f"{name}: {len(owners)} places")
            owners[0][name] = member

    def delete(self, name):
        if self.items.pop(name, None) is None:
            owners = [v[1] for v in self.items.values() if isinstance(v, tuple) and name in v[1]]
            if len(owners) != 1:
                raise Fault(f"{name} cannot be deleted: it is not there")
            del owners[0][name]

    def text(self):
        blocks = []
        for value in self.items.values():
            if isinstance(value, tuple):
                head, members = value
                body = "\n\n".join("\n".join(member) for member in members.values())
                blocks.append("\n".join(head) + "\n" + body + "\n}")
            else:
                blocks.append("\n".join(value))
        return "\n\n".join(blocks) + "\n"

    def plain(self):
        """For comparison: without order and empty lines."""
        strip = lambda lines: [line for line in lines if line.strip()]
        return {
            k: (strip(v[0]), {n: strip(m) for n, m in v[1].items()})
            if isinstance(v, tuple)
            else strip(v)
            for k, v in self.items.items()
        }


def read_chapter(path, programs):
    """Does what a chapter says."""
    file, current, fence = None, None, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if fence is not None:
            if line == "```":
                if fence and any(text.strip() for text in fence):
                    add(programs.setdefault(file, Program()), fence)
                fence, file = None, None
            else:
                match = INCLUDE.match(line)
                fence += included(path.parent / match[1], match[2]) if match else [line]
        elif line == "```rust,ignore":
            if file is None:
                raise Fault(f"{path.name}: a fragment without a file")
            fence = []
        elif match := FILE.match(line):
            file = current = match[1]
        elif match := COPY.match(line):
            programs[match[2]] = Program(programs[match[1]].text().splitlines())
            current = match[2]
        for names in DELETE.findall(line) if fence is None else ():
            for name in re.findall(r"`([^`]+)`", names):
                programs[current].delete(name)


def add(program, lines):
    first = next(line for line in lines if line.strip())
    if first.startswith("    "):
        program.merge_members(lines)
    else:
        program.merge(lines)


def original(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return Program(line for line in lines if "// ANCHOR" not in line)


def compare(name, rebuilt, real):
    ours, theirs = rebuilt.plain(), real.plain()
    faults = [f"{name}: {item} is missing" for item in theirs if item not in ours]
    faults += [f"{name}: {item} is left over" for item in ours if item not in theirs]
    faults += [f"{name}: {k} differs" for k in ours if k in theirs and ours[k] != theirs[k]]
    return faults


def write(programs):
    for name, program in programs.items():
        path = TARGET / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(program.text(), encoding="utf-8", newline="\n")
    (TARGET / "src" / "lib.rs").write_text("pub mod rules;\npub mod uci;\n")
    (TARGET / "Cargo.toml").write_text(
        '[package]\nname = "course"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\n'
        f'tabiya = {{ path = "{ROOT}", default-features = false }}\n\n[workspace]\n'
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--build", action="store_true", help="also compile it")
    options = parser.parse_args()
    programs, faults = {}, []
    try:
        for step in range(1, STEPS + 1):
            read_chapter(BOOK / f"step{step:02}.md", programs)
            name = f"src/bin/step{step:02}.rs"
            faults += compare(name, programs[name], original(COURSE / name))
        for name in ("src/uci.rs", "src/rules.rs"):
            faults += compare(name, programs[name], original(COURSE / name))
    except Fault as fault:
        faults.append(str(fault))
    for fault in faults:
        print(f"rebuild_course: {fault}", file=sys.stderr)
    if faults:
        return 1
    write(programs)
    print(f"rebuilt {len(programs)} files from the book")
    if options.build:
        flags = ["--manifest-path", str(TARGET / "Cargo.toml"), "--target-dir", str(TARGET / "target")]
        return subprocess.run(["cargo", "build", "--quiet", *flags], check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
