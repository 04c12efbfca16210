#!/usr/bin/env python3
"""Plays training games until stopped: one `tabiya datagen` per core, at idle priority.

Each run takes the next free seed, plays GAMES games and leaves `SEED-0.vf.xz` and its manifest
`SEED.jsonl` in the data folder; after `-- --threads N` there are N files of games. Games there are
never lost or written again, and one instance at a time may use it. Leave the manifests there when
you move games away, because the next seed is one above the largest in the folder, and the same seed
gives the same games; give each machine its own --first-seed. After a crash or a kill, the
next start packs what was finished. `selfplay.log` gets one line an hour. On some virtual machines
idle priority has no effect: before you time anything there, stop the games with
`pkill -STOP -f datagen` (`-CONT` goes on).

    scripts/selfplay.py --engine target/release/tabiya --data ../data/selfplay
    scripts/selfplay.py --engine ./tabiya --net new.net --data out --first-seed 500000 \\
        --last-seed 599999 --cores 16 --seconds 580
    scripts/selfplay.py --engine ./tabiya --data ../data/cut -- \\
        --openings openings.epd --random-plies 3 --min-pieces 14 --endgame-percent 0

The second line is for a borrowed machine: a static binary, its own seeds and a time limit. When the
time is up, running games are dropped and finished ones are packed. What follows `--` goes to
`datagen` as it is. 2,000 games of 1,000 nodes pack to about 0.5 MiB.

If `datagen` fails three times in a row, all of it stops with the message and exit status 1. Ctrl-C
packs the finished games and ends with exit status 130.
"""

import argparse
import fcntl
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HOUR = 3600
# The mix of games, where the options after `--` do not say otherwise.
MIX = {"--chess960-percent": "5", "--endgame-percent": "7"}
# A file of games of a seed.
OF_A_SEED = re.compile(r"\d+-\d+\.vf")
# So many failures in a row are not chance: the engine, an option or the disk is at fault.
FAILURES = 3


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", type=Path, required=True, help="the tabiya binary")
    parser.add_argument("--data", type=Path, required=True, help="folder of the games")
    parser.add_argument("--net", type=Path, help="network to play with (default: the built-in one)")
    parser.add_argument("--nodes", type=int, default=1000, help="soft nodes per move")
    parser.add_argument("--games", type=int, default=2000, help="games per seed")
    parser.add_argument("--first-seed", type=int, default=1, help="first seed")
    parser.add_argument("--last-seed", type=int, default=10**9, help="last seed")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="number of games at a time")
    parser.add_argument("--seconds", type=float, help="stop after this time (default: never)")
    parser.add_argument("datagen", nargs="*", metavar="-- OPTION", help="more options for datagen")
    options = parser.parse_args()
    # Otherwise `./tabiya` would be looked for on the PATH.
    options.engine = options.engine.absolute()
    return options


def lock(folder):
    """Locks the folder and returns the descriptor, which every `datagen` inherits.

    The lock lasts until the last of these processes has ended, because a `datagen` outlives a script
    that is killed.
    """
    file = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = "another selfplay.py, or by a datagen that one left behind"
        sys.exit(f"selfplay.py: {folder} is in use by {holder}")
    except OSError as problem:  # some network file systems have no locks
        print(f"selfplay.py: {folder} cannot be locked: {problem}", file=sys.stderr)
    return file


def archive(games):
    """The packed form of a file of games."""
    return games.with_name(games.name + ".xz")


def sync_folder(folder):
    """Waits until the names of the files in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def pack(games):
    """Compresses a finished file; the plain one goes only after the packed one is on the disk."""
    packed = archive(games)
    if packed.exists():
        raise FileExistsError(f"{packed} exists")
    unfinished = games.with_name(games.name + ".xz.part")
    with games.open("rb") as source, unfinished.open("wb") as file:
        with lzma.open(file, "wb", preset=6) as target:
            shutil.copyfileobj(source, target)
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(packed)
    sync_folder(games.parent)
    games.unlink()


def yield_to_everything_else(pid):
    """Gives the session of a process the lowest weight, where Linux groups processes by session."""
    try:
        Path(f"/proc/{pid}/autogroup").write_text("19")
    except OSError:
        pass  # no such grouping


def refused(engine):
    """Why a program cannot play the games; an empty text if it can."""
    try:
        ran = subprocess.run(
            [engine, "datagen", "--help"], capture_output=True, text=True, errors="replace", timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return str(problem)
    knows = ran.returncode == 0 and "--full-percent" in ran.stdout
    return "" if knows else "it has no command datagen"


def reason(messages):
    """Why a command failed, from its messages: clap's first paragraph, or the last line."""
    if messages.startswith("error: "):
        return " ".join(messages.partition("\n\n")[0].split())
    # The last line of a panic is a note on backtraces.
    lines = [line for line in messages.splitlines() if line.strip() and not line.startswith("note: ")]
    return lines[-1] if lines else ""


class SelfPlay:
    """The seeds, the running processes and the totals since the start."""

    def __init__(self, options, folder_lock):
        self.options = options
        self.folder_lock = folder_lock  # a descriptor
        self.lock = threading.RLock()  # the signal handler takes it too
        self.stopping = threading.Event()
        self.interrupted = False
        self.running = set()
        self.failures = 0  # in a row
        self.positions = 0
        self.games = 0
        files = [*options.data.glob("*.jsonl"), *options.data.glob("*.vf*")]
        names = [file.name.split(".")[0].partition("-")[0] for file in files]
        seeds = [int(name) for name in names if name.isdecimal()]
        seeds = [seed for seed in seeds if options.first_seed <= seed <= options.last_seed]
        self.next_seed = max(seeds, default=options.first_seed - 1) + 1

    def log(self, text):
        line = f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}"
        try:
            with self.lock, (self.options.data / "selfplay.log").open("a") as file:
                print(line, file=file)
        except OSError:  # such as a full disk
            print(line, file=sys.stderr)

    def take_seed(self):
        with self.lock:
            seed = self.next_seed
            self.next_seed += 1
        return seed if seed <= self.options.last_seed else None

    def play(self):
        """Runs one seed after another until stopped."""
        while not self.stopping.is_set():
            seed = self.take_seed()
            if seed is None:
                return
            out = self.options.data / str(seed)
            command = [self.options.engine, "datagen", "--out", out, "--seed", str(seed)]
            command += ["--games", str(self.options.games), "--nodes", str(self.options.nodes)]
            for option, value in MIX.items():
                given = [word.partition("=")[0] for word in self.options.datagen]
                if option not in given:
                    command += [option, value]
            command += self.options.datagen
            if self.options.net:
                command += ["--net", self.options.net]
            try:
                error = self.run(command)
                # One for each of its threads.
                for games in sorted(self.options.data.glob(f"{seed}-*.vf")):
                    pack(games)
                self.count(out.with_suffix(".jsonl"))
                if not error and not any(self.options.data.glob(f"{seed}-*.vf.xz")):
                    error = "datagen left no games"
            except OSError as problem:
                error = str(problem)
            self.judge(seed, error)

    def judge(self, seed, error):
        """Logs a failure, and gives up after several in a row."""
        if self.stopping.is_set():
            return
        with self.lock:
            self.failures = self.failures + 1 if error else 0
            give_up = self.failures == FAILURES
        if error:
            self.log(f"seed {seed}: {error}")
        if give_up:
            print(f"selfplay.py: datagen failed {FAILURES} times in a row: {error}", file=sys.stderr)
            self.stop()
        elif error:
            self.stopping.wait(10)  # a command that fails at once must not spin

    def run(self, command):
        """Runs a command to its end; returns its error message, empty after a success."""
        # A session of its own: Ctrl-C reaches this script, which stops the games in order.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            pass_fds=[self.folder_lock],
        )
        yield_to_everything_else(process.pid)
        with self.lock:
            self.running.add(process)
        if self.stopping.is_set():
            process.send_signal(signal.SIGINT)
        try:
            _, messages = process.communicate()
        finally:
            with self.lock:
                self.running.discard(process)
        if process.returncode == 0:
            return ""
        return reason(messages) or f"datagen ended with status {process.returncode}"

    def count(self, manifest):
        if not manifest.exists():
            return
        for line in manifest.read_text(errors="replace").splitlines():
            try:
                totals = json.loads(line).get("totals")
                if totals:
                    with self.lock:
                        self.positions += totals["positions"]
                        self.games += totals["games"]
            except (ValueError, AttributeError, KeyError, TypeError):
                self.log(f"{manifest.name}: a line is cut off")

    def interrupt(self, *_):
        self.interrupted = True
        self.stop()

    def stop(self, *_):
        self.stopping.set()
        with self.lock:
            for process in self.running:
                process.send_signal(signal.SIGINT)

    def report(self, seconds):
        free = shutil.disk_usage(self.options.data).free >> 30
        kept = sum(file.stat().st_size for file in self.options.data.glob("*.xz")) >> 20
        self.log(
            f"{self.games} games, {self.positions} positions since the start, "
            f"{self.positions / max(seconds, 1):.0f} a second; {kept} MiB kept, {free} GiB free"
        )


def main():
    options = arguments()
    options.data.mkdir(parents=True, exist_ok=True)
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except (AttributeError, OSError):
        os.nice(19)
    if not options.engine.is_file() or not os.access(options.engine, os.X_OK):
        sys.exit(f"selfplay.py: {options.engine} is not a program")
    if error := refused(options.engine):
        sys.exit(f"selfplay.py: {options.engine} is not this engine: {error}")
    self_play = SelfPlay(options, lock(options.data))
    for left_over in options.data.glob("*.vf"):
        # Others may be writing files of other names, and somebody may have unpacked an archive.
        if OF_A_SEED.fullmatch(left_over.name) and not archive(left_over).exists():
            try:
                pack(left_over)
            except OSError as problem:
                sys.exit(f"selfplay.py: {left_over} cannot be packed: {problem}")
    signal.signal(signal.SIGINT, self_play.interrupt)
    signal.signal(signal.SIGTERM, self_play.stop)
    threads = [threading.Thread(target=self_play.play) for _ in range(options.cores)]
    started = time.monotonic()
    end = started + options.seconds if options.seconds else float("inf")
    next_report = started + HOUR
    self_play.log(f"start at seed {self_play.next_seed}, {options.cores} cores")
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(0.5)
        now = time.monotonic()
        if now >= end:
            self_play.stop()
            end = float("inf")
        if now >= next_report:
            self_play.report(now - started)
            next_report += HOUR
    self_play.report(time.monotonic() - started)
    if self_play.failures >= FAILURES:
        return 1  # the message has been printed
    if self_play.failures and not self_play.games:
        print("selfplay.py: no game was finished; selfplay.log says why", file=sys.stderr)
        return 1
    return 130 if self_play.interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
