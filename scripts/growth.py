#!/usr/bin/env python3
"""Looks for readers and writers whose time grows faster than their input.

    scripts/growth.py ENGINE [WORD]

Repeats every kind of token to 100, 200, 400 and 800 KB (requests and moves in JSON, which take
longer, to a tenth and a fifth of that), gives it to the engine and prints the seconds of processor
time. PGN is read, read and written (`load` and `save` of `tabiya play`), and analysed; FEN, JSON,
UCI and XBoard are read. Doubling the input may double the time. A kind is reported if the last
doubling more than triples its time, to above 0.3 s, or if a size takes two minutes, in two runs out
of two. The exit code is then 1. With a WORD, only kinds with it in their names run.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile

SIZES = [100_000, 200_000, 400_000, 800_000]
# Seconds that count, and the growth per doubling that is too much.
BLINK, TOO_MUCH = 0.3, 3.0
LIMIT = 120

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def numbered(form):
    """Different tokens: the form with a number in place of @."""
    def build(size):
        count = size // len(form.replace("@", "00000"))
        return "".join(form.replace("@", f"{number:05}") for number in range(count))
    return build


def repeated(token, before="", after=""):
    return lambda size: before + token * (size // len(token)) + after


def games(size):
    return '[Event "x"]\n\n1. e4 e5 1-0\n\n' * (size // 28)


SHUFFLE = "Nf3 Nf6 Ng1 Ng8 "
# Kinds of movetext and tags.
PGN = {
    "comment: letters": repeated("a", "1. e4 {", "} *"),
    "comment: words": repeated("a ", "1. e4 {", "} *"),
    "comment: lines": repeated("a\n", "1. e4 {", "} *"),
    "comment: open command": repeated("a ", "1. e4 {[% ", "} *"),
    "comment: commands": repeated("[%eval 0.3] ", "1. e4 {", "} *"),
    "comment: commands without ends": repeated("[%eval ", "1. e4 {", "} *"),
    "comment: percent signs": repeated("% ", "1. e4 {", "} *"),
    "comment: brackets": repeated("[ ", "1. e4 {", "} *"),
    "comment: closing brackets": repeated("] ", "1. e4 {", "} *"),
    "comment: opening braces": repeated("{", "1. e4 ", "} *"),
    "comment: not closed": repeated("a ", "1. e4 {"),
    "comment: not closed, new games": repeated('{a\n[Event "x"]\n\n1. e4 '),
    "comment: not UTF-8": repeated("\udcff ", "1. e4 {", "} *"),
    "comments": repeated("{a} ", "1. e4 ", "*"),
    "comments before the moves": repeated("{a} ", "", "1. e4 *"),
    "comments to the end of the line": repeated("; a\n", "1. e4 ", "*"),
    "comments after the result": repeated("{a} ", "1. e4 1-0 "),
    "comments and glyphs": repeated("{a} $1 ", "1. e4 ", "*"),
    "comments, then glyphs": lambda size: "1. e4 " + "{a} " * (size // 8) + "$1 " * (size // 6) + "*",
    "glyphs": repeated("$1 ", "1. e4 ", "*"),
    "glyphs of many kinds": numbered("$@ "),
    "marks": repeated("! ? !? ", "1. e4 ", "*"),
    "tags: different": numbered('[A@ "b"]\n'),
    "tags: different, on one line": numbered('[A@ "b"] '),
    "tags: the same": repeated('[A "b"]\n'),
    "tags: the same, with blank lines": repeated('[A "b"]\n\n'),
    "tags: long value": repeated("a", '[A "', '"]\n\n1. e4 *'),
    "tags: escapes": repeated('\\"', '[A "', '"]\n\n1. e4 *'),
    "tags: quotes": repeated('" ', '[A "', '"]\n\n1. e4 *'),
    "tags: long name": repeated("a", "[", ' "b"]\n\n1. e4 *'),
    "tags: not closed": repeated("[A "),
    "tags: not closed, lines": repeated('[A "b\n'),
    "variations": repeated("(1. d4) ", "1. e4 ", "*"),
    "variations: nested": repeated("(1. d4 ", "1. e4 "),
    "variations: nested and closed": lambda size: "1. e4 " + "(a " * (size // 5) + ")" * (size // 5) + " *",
    "variations: long": repeated("d4 ", "1. e4 (1. ", ") *"),
    "variations: closed only": repeated(") ", "1. e4 ", "*"),
    "reserved": repeated("<a> ", "1. e4 ", "*"),
    "reserved: not closed": repeated("< ", "1. e4 ", "*"),
    "escaped lines": repeated("% a\n"),
    "blank lines": repeated("\n"),
    "blanks": repeated(" ", "1. e4", "*"),
    "numbers": repeated("1. ", "1. e4 ", "*"),
    "digits": repeated("1", "1. e4 ", " *"),
    "dots": repeated(".", "1. e4 ", " *"),
    "moves": repeated(SHUFFLE, "1. ", "*"),
    "moves: illegal": repeated("Ke5 ", "1. e4 ", "*"),
    "moves: one long word": repeated("a", "1. e4 ", " *"),
    "moves: figurines": repeated("♘f3 ♞f6 ♘g1 ♞g8 ", "1. ", "*"),
    "moves: long castling": repeated("O-", "1. e4 ", " *"),
    "moves: plus signs": repeated("+", "1. e4 e5", " *"),
    "moves: e.p.": repeated("e.p. ", "1. e4 ", "*"),
    "moves with comments": repeated("Nf3 {a} Nf6 {b} Ng1 {c} Ng8 {d} ", "1. ", "*"),
    "moves with glyphs": repeated("Nf3! Nf6? Ng1!! Ng8?? ", "1. ", "*"),
    "moves after an error": repeated(SHUFFLE, "1. e5 ", "*"),
    "braces: closing": repeated("} ", "1. e4 ", "*"),
    "results": repeated("* "),
    "games": games,
    "FEN": repeated("/", '[FEN "', '"]\n\n1. e4 *'),
}
FEN = {
    "lines": repeated("8/8/4k3/8/8/3K4/8/8 w - - 0 1\n"),
    "bad lines": repeated("8/8 w\n"),
    "slashes": repeated("/"),
    "digits": repeated("1"),
    "letters": repeated("k"),
    "blanks": repeated(" ", "8/8/4k3/8/8/3K4/8/8 w", "- - 0 1"),
    "counter": repeated("1", "8/8/4k3/8/8/3K4/8/8 w - - "),
    "fields": repeated("- ", "8/8/4k3/8/8/3K4/8/8 w "),
    "castling": repeated("K", "8/8/4k3/8/8/3K4/8/8 w "),
}
LAN = "g1f3 g8f6 f3g1 f6g8 "
JSON = {
    "requests": lambda size: '{"fen": "8/8/4k3/8/8/3K4/8/8 w - - 0 1"}\n' * (size // 400),
    "bad requests": repeated("x\n"),
    "nested": repeated("["),
    "string": repeated("a", '{"id": "', '"}'),
    "escapes": repeated("\\u00e4", '{"id": "', '"}'),
    "moves": lambda size: json.dumps({"moves": (LAN * (size // len(LAN) // 8)).split()}),
    "bad SAN": lambda size: json.dumps({"san": ["Ke9"] * (size // 7)}),
    "fields": numbered('"a@": 1, '),
    "FEN": lambda size: json.dumps({"fen": "8/" * (size // 2)}),
}
UCI = {
    "lines": repeated("isready\n"),
    "unknown words": repeated("a ", "", "\nisready"),
    "one long word": repeated("a", "", "\nisready"),
    "moves": repeated(LAN, "position startpos moves "),
    "bad moves": repeated("e2e5 ", "position startpos moves "),
    "positions": repeated("position startpos moves e2e4 e7e5\n"),
    "FEN": repeated("8/", "position fen "),
    "searchmoves": repeated("e2e4 ", "go depth 1 searchmoves "),
    "limits": repeated("depth 1 ", "go "),
    "option": repeated("a", "setoption name BookFile value "),
    "option name": repeated("a ", "setoption name "),
}
XBOARD = {
    "lines": repeated("ping 1\n"),
    "moves": lambda size: "force\n" + "usermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8\n" * (size // 56),
    "bad moves": repeated("usermove e2e5\n", "force\n"),
    "undo": lambda size: "force\n" + "usermove e2e4\nundo\n" * (size // 19),
    "edit": repeated("Pe4\n", "force\nedit\n", ".\n"),
    "setboard": repeated("8/", "setboard "),
    "option": repeated("a", "option BookFile="),
    "exclude": repeated("exclude e2e4\n", "force\n"),
}


class Engine:
    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def run(self, words, text):
        """Seconds of a run; None if it takes too long."""
        began = self.processor_time()
        data = text.encode("utf-8", "surrogateescape")
        try:
            ran = subprocess.run([self.path, *words], input=data, capture_output=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        if ran.returncode < 0 or ran.returncode > 2:
            sys.exit(f"the engine ended with {ran.returncode}: {ran.stderr[-500:].decode(errors='replace')}")
        return self.processor_time() - began

    @staticmethod
    def processor_time():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    def file(self, text):
        file = self.folder / "input"
        file.write_bytes(text.encode("utf-8", "surrogateescape"))
        return file

    def read_pgn(self, text):
        return self.run(["referee"], json.dumps({"pgn": text.replace("\udcff", "ÿ")}) + "\n")

    def write_pgn(self, text):
        file = self.file(text)
        return self.run(["play"], f"load {file}\nsave -f {file}.pgn\nquit\n")

    def analyse(self, text):
        return self.run(["analyse", "--hash", "1", "--nodes", "1", "-"], text)

    def read_fen(self, text):
        return self.run(["dead", "--quick", str(self.file(text))], "")

    def read_json(self, text):
        return self.run(["referee"], text + "\n")

    def read_uci(self, text):
        return self.run([], f"uci\n{text}\nquit\n")

    def read_xboard(self, text):
        return self.run([], f"xboard\nprotover 2\n{text}\nquit\n")


def seconds_of(measure, build, base):
    """The seconds of each size, up to the first that takes too long."""
    seconds = []
    for size in SIZES:
        taken = measure(build(size))
        seconds.append(LIMIT if taken is None else max(taken - base, 0.001))
        if taken is None:
            break
    return seconds


def grows(seconds):
    *_, half, whole = [0, *seconds]
    return whole == LIMIT or whole > BLINK and whole > TOO_MUCH * half


def main():
    if "--help" in sys.argv[1:] or "-h" in sys.argv[1:]:
        sys.exit(print(__doc__))
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    wanted = sys.argv[2] if len(sys.argv) == 3 else ""
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(sys.argv[1], folder)
        ways = [("read PGN", engine.read_pgn, PGN), ("write PGN", engine.write_pgn, PGN),
                ("analyse", engine.analyse, PGN), ("FEN", engine.read_fen, FEN), ("JSON", engine.read_json, JSON),
                ("UCI", engine.read_uci, UCI), ("XBoard", engine.read_xboard, XBOARD)]
        for way, measure, kinds in ways:
            base = measure("") or 0
            for kind, build in kinds.items():
                name = f"{way}, {kind}"
                if wanted not in name:
                    continue
                seconds = seconds_of(measure, build, base)
                if grows(seconds):
                    # Another program may have been in the way.
                    again = seconds_of(measure, build, base)
                    seconds = seconds if grows(again) else again
                found += grows(seconds)
                times = " ".join(f"{second:8.3f}" for second in seconds)
                print(f"{name:50} {times}{'  grows too fast' if grows(seconds) else ''}", flush=True)
    sys.exit(found > 0)


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:  # a program or a file that is not there
        sys.exit(f"growth.py: {problem}")
