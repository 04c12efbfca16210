#!/usr/bin/env python3
"""Checks what OpenBench asks of the engine, on an archive of the last commit.

OpenBench's workers get the source without its history, call `make EXE=name`, and read the output of
`bench`, `genfens` and `uci`. This script does the same, with and without CARGO_TARGET_DIR, EVALFILE
and the feature `tune`. It needs git, make and Rust, and says so if there is no git history.
Usage: openbench.py FOLDER, the folder of the program tabiya-train.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The client gives up a bench after 60 seconds; a busy machine must leave it time.
MAX_BENCH_SECONDS = 30
# Parameters that a maintainer might tune together.
TUNED = ["razor_margin", "lmr_"]


class Failed(Exception):
    """A failed check."""


def check(holds, message):
    if not holds:
        raise Failed(message)


def run(*command, cwd=ROOT, text="", **environment):
    """The output of a command that must succeed."""
    ran = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environment},
        input=text.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if ran.returncode:
        raise Failed(f"{command} exits with {ran.returncode}:\n{ran.stderr.decode()[-2000:]}")
    return ran.stdout.decode()


def build(source, name, *words, **environment):
    """Builds the engine as the client does and returns its path."""
    started = time.time()
    # The build directory shares compiled dependencies between builds.
    environment.setdefault("CARGO_BUILD_BUILD_DIR", str(ROOT / "target"))
    run("make", "-j", f"EXE={name}", *words, cwd=source, **environment)
    binary = source / name
    check(binary.is_file(), f"make EXE={name} leaves no file {name}")
    print(f"  built {name} in {time.time() - started:.0f} s")
    return binary


def bench(engine):
    """Nodes of the bench line, read as the client does: the number before `nodes`."""
    started = time.time()
    output = run("./" + engine.name, "bench", cwd=engine.parent)
    seconds = time.time() - started
    line = re.sub(r"[^a-zA-Z0-9 ]+", " ", output.strip().splitlines()[-1])
    nodes, nps = re.search(r"(\d+)\s+nodes", line), re.search(r"(\d+)\s+nps", line)
    check(nodes and nps, f"no bench line: {output}")
    check(seconds < MAX_BENCH_SECONDS, f"the bench takes {seconds:.0f} s")
    print(f"  bench {nodes[1]}, {nps[1]} nps, {seconds:.1f} s")
    return int(nodes[1])


def uci_options(engine):
    """Names of the UCI options, with their ranges if they are numbers."""
    options = {}
    for line in run(engine, "uci", text="uci\nquit\n").splitlines():
        if found := re.match(r"option name (.+) type (\w+)(?: default (\S+) min (\S+) max (\S+))?", line):
            options[found[1]] = found.groups()[2:]
    return options


def check_genfens(engine):
    """Calls genfens as the client does: one argument and `quit`, paths relative to its folder."""
    books = engine.parent / "Books"
    books.mkdir()
    book = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\r\n"
    (books / "book.epd").write_bytes(book.encode())
    for request in ["genfens 5 seed 7 book None ", "genfens 5 seed 7 book Books/book.epd plies=4"]:
        output = run("./" + engine.name, request, "quit", cwd=engine.parent)
        lines = output.splitlines()
        check(len(lines) == 5, f"{request}: {output}")
        for line in lines:
            check(line.startswith("info string genfens "), f"{request}: {line}")
            fields = line.split("genfens ")[1].split()
            check(len(fields) == 6, f"{request}: {len(fields)} fields in {line}")
            # The client turns the last two fields into numbers.
            check(fields[4].isdigit() and fields[5].isdigit(), f"{request}: {line}")


def workload_options():
    """The options that the workloads of docs/openbench.json set, as pairs of name and value."""
    with open(ROOT / "docs/openbench.json", encoding="utf-8") as file:
        entry = json.load(file)
    pairs = set()
    for presets in ("test_presets", "tune_presets", "datagen_presets"):
        for preset in entry[presets].values():
            for field in ("both_options", "dev_options", "base_options"):
                pairs.update(tuple(word.split("=")) for word in preset.get(field, "").split())
    check(len(pairs) > 5, "docs/openbench.json sets options")
    return pairs


def check_options(engine):
    """fastchess sends an option only if its name is in the engine's list, letter by letter."""
    options = uci_options(engine)
    lines = ["uci"]
    for name, value in sorted(workload_options() | {("SyzygyProbeLimit", "6"), ("SyzygyPath", "")}):
        check(name in options, f"the engine has no option {name}")
        lines.append(f"setoption name {name} value {value}")
    output = run(engine, "uci", text="\n".join([*lines, "isready", "quit", ""]))
    refused = [line for line in output.splitlines() if line.startswith("info string")]
    check(not refused, f"an option is refused: {refused}")


def check_tuning(source, folder, signature):
    """Builds as a branch for SPSA does, with one line of the Makefile changed; and with a network
    file that has another header, into another target directory."""
    makefile = source / "Makefile"
    text, count = re.subn(r"^FEATURES \?=$", "FEATURES ?= tune", makefile.read_text(), flags=re.M)
    check(count == 1, "the Makefile has one line 'FEATURES ?='")
    makefile.write_text(text)
    given = ROOT / "assets/tabiya.net"
    network = folder / "other.net"
    network.write_bytes(given.read_bytes().replace(b'"provenance":{', b'"provenance":{"test":1,', 1))
    target = folder / "target"
    engine = build(source, "Tabiya-tune", f"EVALFILE={network}", CARGO_TARGET_DIR=str(target))
    check(bench(engine) == signature, "the build with tune has another signature")

    fingerprint = lambda *words: re.search(r"^fingerprint +(\S+)", run(*words), re.M)[1]
    built = fingerprint(engine, "net")
    check(built == fingerprint(engine, "net", network), "the built-in network is not EVALFILE")
    check(built != fingerprint(engine, "net", given), "EVALFILE changed nothing")

    options = uci_options(engine)
    # The page refuses an empty line, also at the end.
    every, chosen = run(engine, "params").split("\n"), run(engine, "params", *TUNED).split("\n")
    check(len(every) > 100 and 1 < len(chosen) < 40, f"{len(every)} and {len(chosen)} parameters")
    for line in every:
        name, kind, value, least, most, step, rate = (word.strip() for word in line.split(","))
        check(kind == "int" and float(step) >= 0.5 and float(rate) > 0, line)
        check(float(least) <= float(value) <= float(most), line)
        same = options.get(name) == tuple(str(int(float(x))) for x in (value, least, most))
        check(same, f"{line}: the option is {options.get(name)}")


def check_archive(engine, folder, trainer):
    """An archive of OpenBench goes through convert into train."""
    games = folder / "games.vf"
    converted = run(engine, "convert", "--out", games, ROOT / "tests/data/openbench.pgn")
    check(converted.startswith("3 games, ") and "left out" not in converted, converted)
    run(trainer, "train", "--out", folder / "toy", "--epochs", "1", "--batch", "16", games)
    header = (folder / "toy.net").read_bytes().split(b"\n")[0]
    check(b'"totals"' in header, "the network does not name the manifest of its games")


def main():
    for name in ("CARGO_TARGET_DIR", "EVALFILE", "FEATURES"):
        os.environ.pop(name, None)
    trainer = pathlib.Path(sys.argv[1]).resolve() / "tabiya-train"
    try:
        message = run("git", "log", "-1", "--format=%B")
        archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    except (Failed, OSError, subprocess.CalledProcessError):
        print("skipped: no git history")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "source"
        source.mkdir()
        subprocess.run(["tar", "x", "-C", source], input=archive.stdout, check=True)
        engine = build(source, "Tabiya-1234ABCD")
        signature = bench(engine)
        # The server reads the last such number of the message.
        numbers = re.findall(r"(?:BENCH|NODES)[ :=]+([0-9,]+)", message, re.IGNORECASE)
        if numbers:
            said = int(numbers[-1].replace(",", ""))
            check(said == signature, f"the commit message gives {said} for the bench")
        else:
            print("  the commit message has no bench")
        check_genfens(engine)
        check_options(engine)
        check_archive(engine, folder, trainer)
        check_tuning(source, folder, signature)
    print("OpenBench: all checks passed")


try:
    main()
except Failed as error:
    sys.exit(f"OpenBench: {error}")
