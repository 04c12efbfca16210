#!/usr/bin/env python3
"""Drives one engine process through UCI commands of every kind and records its memory.

    scripts/memory.py ENGINE OUT.csv [CPU_HOURS] [SEED]

The commands are searches with all kinds of limits, stop, ponderhit, MultiPV, changes of Hash and
Threads, new games, Chess960, perft, eval, tablebases and bad input. Every 200 commands the options
get their defaults, and OUT.csv gets a row: CPU hours, commands and resident memory in MiB. It is an
error if a search has no answer within a minute, or if the memory of the last quarter of the rows is
15 % above that of the second. Needs Linux.
"""

import csv
import os
import pathlib
import queue
import random
import statistics
import subprocess
import sys
import threading
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

ROOT = pathlib.Path(__file__).resolve().parent.parent
STARTS = [line.split(" ;")[0] for line in
          (ROOT / "tests/data/perft/chess960_start_d4.epd").read_text().splitlines()]
POSITIONS = [line.split(" ;")[0] for line in
             (ROOT / "tests/data/perft/own_standard.epd").read_text().splitlines()]
BAD_LINES = ["", "nonsense", "go depth x", "go nodes -5 wtime", "position fen 8/8 w", "setoption",
             "setoption name Hash value 0", "setoption name Hash value 99999999999999999999",
             "setoption name None value 1", "position startpos moves e2e5 e7e5", "go searchmoves a1a1",
             "setoption name EvalFile value /dev/null", "setoption name BookFile value /nowhere",
             "position fen " + "Q" * 5000, "\N{WHITE CHESS PAWN}" * 300, "stop", "ponderhit"]
DEFAULTS = {"Hash": 16, "Threads": 1, "MultiPV": 1, "UCI_Chess960": "false", "SyzygyPath": "<empty>",
            "UCI_LimitStrength": "false"}
# More growth than this part of the memory is a leak.
MOST_GROWTH = 0.15


class Engine:
    """An engine process whose output is read by a thread."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        encoding="utf-8", bufsize=1)
        self.lines, self.commands = queue.Queue(), 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        self.commands += 1
        self.process.stdin.write(line + "\n")

    def wait_for(self, start):
        """The next line that begins with `start`, which must come within a minute."""
        end = time.monotonic() + 60
        try:
            while (line := self.lines.get(timeout=max(end - time.monotonic(), 0))) is not None:
                if line.startswith(start):
                    return line
        except queue.Empty:
            sys.exit(f"memory.py: no line that begins with '{start}' within a minute")
        sys.exit(f"memory.py: the engine has ended with exit status {self.process.wait()}")

    def set(self, name, value):
        self.send(f"setoption name {name} value {value}")

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024


class Session:
    def __init__(self, engine, seed):
        self.engine, self.random = engine, random.Random(seed)
        self.fen, self.moves, self.chess960 = None, [], False

    def new_game(self):
        self.chess960 = self.random.random() < 0.3
        self.engine.set("UCI_Chess960", str(self.chess960).lower())
        self.engine.send("ucinewgame")
        self.fen, self.moves = self.random.choice(STARTS if self.chess960 else POSITIONS), []

    def search(self):
        """Searches, by chance with a stop or a ponderhit, and plays the move."""
        engine, choose = self.engine, self.random
        if self.fen is None or len(self.moves) > 120:
            self.new_game()
        engine.send(f"position fen {self.fen} moves {' '.join(self.moves)}")
        nodes = choose.choice([1, 100, 5000, 50000])
        limits, then = choose.choice([
            (f"nodes {nodes}", None), (f"depth {choose.randint(1, 9)}", None), ("movetime 30", None),
            ("wtime 500 btime 500 winc 10 binc 10", None), (f"mate 2 nodes {nodes}", None),
            ("infinite", "stop"), ("ponder wtime 200 btime 200", "ponderhit"),
            ("ponder wtime 200 btime 200", "stop")])
        engine.send(f"go {limits}")
        if then:
            time.sleep(choose.choice([0, 0.001, 0.02]))
            engine.send(choose.choice(["isready", "d", "eval"]))
            engine.send(then)
        best = engine.wait_for("bestmove").split()[1]
        if best == "(none)" or best == "0000":
            self.fen = None
        else:
            self.moves.append(best)

    def bad_line(self):
        line = self.random.choice(BAD_LINES)
        self.engine.send(line)
        if line.startswith("go"):
            self.engine.send("stop")
            self.engine.wait_for("bestmove")

    def perft(self):
        # After a position that was refused there is none to count from.
        self.engine.send("position startpos")
        self.engine.send("go perft 3")
        self.engine.wait_for("Nodes searched")

    def change_option(self):
        name, values = self.random.choice([
            ("Hash", [1, 7, 64]), ("Threads", [1, 2, 3, 4]), ("MultiPV", [1, 3, 10]),
            ("SyzygyPath", [ROOT / "tests/data/syzygy", "<empty>", "/nowhere"]),
            ("UCI_LimitStrength", ["true", "false"]), ("UCI_Elo", [1100, 2000])])
        self.engine.set(name, self.random.choice(values))

    def act(self):
        action, = self.random.choices(
            [self.search, self.change_option, self.new_game, self.perft, self.bad_line,
             lambda: self.engine.send(self.random.choice(["eval", "d", "uci", "help"]))],
            weights=[60, 10, 3, 2, 15, 10])
        action()

    def reset(self):
        for name, value in DEFAULTS.items():
            self.engine.set(name, value)
        self.fen = None
        self.engine.send("ucinewgame")
        self.engine.send("isready")
        self.engine.wait_for("readyok")
        while not self.engine.lines.empty():
            self.engine.lines.get()


def main():
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    path, out, hours, seed = sys.argv[1:] + ["1", "1"][len(sys.argv) - 3:]
    engine = Engine(path)
    session = Session(engine, int(seed))
    with open(out, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["cpu_hours", "commands", "resident_mib"])
        used = 0
        sizes = []
        while used < float(hours) * 3600:
            due = engine.commands + 200
            while engine.commands < due:
                session.act()
            session.reset()
            used = engine.cpu_seconds()
            sizes.append(engine.resident_mib())
            rows.writerow([f"{used / 3600:.4f}", engine.commands, f"{sizes[-1]:.2f}"])
            file.flush()
    engine.send("quit")
    if engine.process.wait():
        sys.exit(f"memory.py: the engine ended with status {engine.process.returncode}")
    # The first quarter fills tables and buffers.
    quarter = len(sizes) // 4
    before, after = (statistics.median(part) for part in (sizes[quarter : 2 * quarter + 1], sizes[-quarter - 1 :]))
    if after > before * (1 + MOST_GROWTH):
        sys.exit(f"memory.py: the memory has grown from {before:.1f} to {after:.1f} MiB")


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:  # a program or a file that is not there
        sys.exit(f"memory.py: {problem}")
