"""Plays games in XBoard, which checks every claim.

XBoard runs on a virtual display (Xvfb) with adjudication off and `-testClaims` on. A game ends when
an engine reports or claims the result. A false claim, a false "Illegal move" or no answer loses it.
There are three kinds of games:

- against a puppet, which plays given moves and claims nothing. Each game reaches a known end, which
  Tabiya must report or claim;
- from positions near an end, and a Chess960 start: Tabiya against itself, with `--long` against the
  others too, but not in Chess960;
- from the start position: Tabiya against itself, Fairy-Max and HoiChess.

A warning is a line from Tabiya that XBoard does not expect, or an error message. A forfeit is a game
lost in another way than by mate or resignation. Both count for Tabiya only. Programs that are not
installed are skipped with a message.
"""

import argparse
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SILENCE = subprocess.DEVNULL
PATH = os.environ.get("PATH", "") + os.pathsep + "/usr/games"

# Games with the puppet: name, start position, the puppet's color, its moves, result, and XBoard's
# reason, which must come from Tabiya.
CLAIMS = [
    ("own mate", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "black", "", "1-0", "White mates"),
    ("own stalemate", "8/8/8/8/8/8/p2K4/k7 w - - 0 1", "black", "", "1/2-1/2", "Stalemate"),
    ("own capture of the last piece", "8/8/8/3k4/4R3/8/8/K7 b - - 0 1", "white", "", "1/2-1/2", "Draw by insufficient material"),
    ("own move makes it fifty", "8/8/8/4k3/8/8/4K3/R7 b - - 99 80", "white", "", "1/2-1/2", "Draw claim: 50-move rule"),
    (
        "own move repeats",
        "6k1/6p1/8/7Q/8/8/1qr3PP/6K1 w - - 0 1",
        "white",
        "h5e8 e8h5 h5e8 e8h5",
        "1/2-1/2",
        "Draw claim: 3-fold repetition",
    ),
    ("mated", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "white", "g1g7", "1-0", "White mates"),
    ("stalemated", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "white", "f1f7", "1/2-1/2", "Stalemate"),
    ("the last piece is captured", "8/8/3k4/8/8/4r3/3K4/8 w - - 0 1", "white", "d2e3", "1/2-1/2", "Draw by insufficient material"),
    ("the opponent makes it fifty", "8/8/8/4k3/8/8/4K3/R7 w - - 99 80", "white", "a1a2", "1/2-1/2", "Draw by fifty-move rule"),
    (
        "the opponent repeats",
        "4Q1k1/6p1/8/8/8/8/1qr3PP/6K1 b - - 0 1",
        "white",
        "e8h5 h5e8 e8h5 h5e8",
        "1/2-1/2",
        "Draw by repetition",
    ),
    # XBoard does not count the position after e2e4, although d4xe3 is illegal. With Kh1-g1 it has
    # occurred three times under the FIDE Laws and twice for XBoard. A claim would lose here; the
    # next position may be claimed.
    (
        "what XBoard does not count",
        "3k4/8/NPP2P2/7B/3p4/3R4/4P3/6K1 w - - 0 1",
        "white",
        "e2e4 g1h1 h1g1 g1h1 h1g1",
        "1/2-1/2",
        "Draw claim: 3-fold repetition",
    ),
    # XBoard does not recognise this dead position, so a claim would lose. The puppet resigns after
    # its last move.
    ("dead, and no claim", "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 0 1", "white", "d3e3 e3d3", "0-1", "White resigns"),
]

# Name, start position, and pattern of XBoard's reason.
DRAWN = "50|[Ff]ifty|repetition|insufficient|[Ss]talemate|agree"
ENDS = [
    ("threefold", "6k1/6p1/8/7Q/8/8/1qr3PP/6K1 w - - 0 1", "repetition"),
    ("fifty moves", "8/8/8/4k3/8/8/4K3/R7 w - - 97 80", "50|[Ff]ifty|mates|checkmate"),
    ("dead wall", "8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - - 90 80", DRAWN),
    ("two knights", "6n1/8/4k3/8/8/3K4/8/1N6 w - - 90 60", DRAWN),
    ("en passant", "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "."),
]
CHESS960 = ("Chess960", "bqnb1rkr/pppppppp/2n5/8/8/2N5/PPPPPPPP/BQNB1RKR w HFhf - 0 1", ".")

# The lines that an engine may send in a game.
EXPECTED = re.compile(
    r"feature .*|move [a-hO][-O1-8a-h]+[qrbn]?|offer draw|pong -?\d+|resign|\d+ -?\d+ \d+ \d+ .*|Hint: .*|# .*"
    r"|(1-0|0-1|1/2-1/2) \{(White mates|Black mates|Stalemate|Draw by (repetition|fifty-move rule|insufficient material))\}"
)
# XBoard's reasons for a forfeit.
FORFEIT = re.compile(r"false|illegal|forfeit|exited|crash|died|time|error", re.I)


class Display:
    """A separate X server."""

    def __enter__(self):
        reader, writer = os.pipe()
        command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        self.process = subprocess.Popen(command, pass_fds=[writer], stdout=SILENCE, stderr=SILENCE)
        os.close(writer)
        with os.fdopen(reader) as file:
            return ":" + file.readline().strip()

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def play(display, white, black, fen=None, clock="0:06", increment="0.05", limit=240):
    """Plays a game. Returns result, reason, number of moves, and the lines of White and of Black."""
    # A separate home folder, because XBoard reads and writes the user's settings.
    with tempfile.TemporaryDirectory() as home:
        debug, pgn, start = (os.path.join(home, name) for name in ("debug", "game.pgn", "start.fen"))
        command = ["xboard", "-fcp", white, "-scp", black, "-fd", home, "-sd", home, "-mg", "1", "-soundProgram", ""]
        command += ["-debug", "-nameOfDebugFile", debug, "-sgf", pgn]
        command += ["-timeControl", clock, "-timeIncrement", increment, "-mps", "0"]
        for option, on in dict(testClaims=1, testLegality=1, checkMates=0, materialDraws=0, trivialDraws=0).items():
            command += ["-" + option, "true" if on else "false"]
        if fen:
            with open(start, "w") as file:
                file.write(fen + "\n")
            command += ["-lpf", start]
            if "H" in fen.split()[2]:
                command += ["-variant", "fischerandom"]
        environment = dict(os.environ, PATH=PATH, DISPLAY=display, HOME=home)
        process = subprocess.Popen(command, env=environment, stdout=SILENCE, stderr=SILENCE)
        try:
            reason = wait(process, pgn, time.monotonic() + limit)
        finally:
            end(process)
        record, text = (contents(path) for path in (pgn, debug))
    sent = {"first ": [], "second": []}
    for program, line in re.findall(r"^\d+ <(first |second): (.*)$", text, re.M):
        sent[program].append(line.strip())
    moves = sum(line.startswith("move ") for lines in sent.values() for line in lines)
    end_of_record = re.search(r"\{([^}]*)\}\s+(1-0|0-1|1/2-1/2|\*)\s*$", record)
    reason, result = end_of_record.groups() if end_of_record else (reason, "*")
    return result, reason, moves, sent["first "], sent["second"]


def wait(process, pgn, deadline):
    """Waits for the record of the game. Returns an empty text, or why the record is missing."""
    since_death = None
    while time.monotonic() < deadline:
        if contents(pgn).rstrip().endswith(("1-0", "0-1", "1/2-1/2", "*")):
            return ""
        if process.poll() is not None:
            return "XBoard ended"
        # XBoard does not always notice that an engine has ended.
        dead = [name for _, name, state in children(process.pid) if state == "Z"]
        since_death = (since_death or time.monotonic()) if dead else None
        if since_death and time.monotonic() > since_death + 2:
            return f"{dead[0]} died"
        time.sleep(0.1)
    return "no end"


def contents(path):
    """The text of a file, or an empty text if it does not exist. The process of a file in /proc may
    end between opening and reading."""
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(parent):
    """The child processes of a process: number, name, state."""
    found = []
    for number in contents(f"/proc/{parent}/task/{parent}/children").split():
        if stat := re.match(r"\d+ \((.*)\) (\S)", contents(f"/proc/{number}/stat")):
            found.append((int(number), stat[1], stat[2]))
    return found


def end(process):
    """Ends XBoard, and the engines that do not end by themselves."""
    engines = [(number, name) for number, name, _ in children(process.pid)]
    process.kill()
    process.wait()
    deadline = time.monotonic() + 2
    for number, name in engines:
        stat = f"/proc/{number}/stat"
        while f"({name})" in contents(stat) and time.monotonic() < deadline:
            time.sleep(0.05)
        if f"({name})" in contents(stat):
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                pass


def puppet(moves):
    """An engine for XBoard that plays these moves, claims nothing, then resigns."""
    plays = False
    for line in sys.stdin:
        command = line.split() or [""]
        if command[0] == "protover":
            features = "ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 debug=1"
            print_line(f"feature myname=\"puppet\" {features} done=1")
        elif command[0] == "ping":
            print_line(f"pong {command[1]}")
        elif command[0] in ("force", "new", "result"):
            plays = command[0] == "new"
        elif command[0] == "quit":
            break
        elif command[0] == "go" or (command[0] == "usermove" and plays):
            plays = True
            print_line(f"move {moves.pop(0)}" if moves else "resign")


def print_line(line):
    print(line, flush=True)


def opponents():
    """Names and command lines of the installed opponents."""
    found = {}
    # Fairy-Max 5.0b of Debian 12 crashes at half of its first moves, depending on address space
    # randomisation. Without randomisation, no crash was seen.
    fixed_addresses = "setarch -R " if shutil.which("setarch") else ""
    for name, command in (("fairymax", fixed_addresses + "fairymax"), ("hoichess", "hoichess --xboard")):
        if shutil.which(name, path=PATH):
            found[name] = command
        else:
            print_line(f"{name} is not installed: skipped")
    return found


class Tally:
    """Plays games, and counts games, warnings and forfeits for each opponent."""

    def __init__(self, display, engine, only):
        self.display, self.engine, self.only = display, engine, only
        self.counts, self.wrong = {}, 0

    def game(self, name, opponent, command, color, fen=None, expected_result=".", expected_reason=".", **clock):
        """Plays a game in which Tabiya has this color."""
        if self.only and self.only not in (name, opponent):
            return
        players = [shlex.quote(self.engine), command]
        white, black = players if color == "white" else players[::-1]
        result, reason, moves, *sent = play(self.display, white, black, fen, **clock)
        own = sent if opponent == "tabiya" else sent[color != "white" :][:1]
        warnings = [line for lines in own for line in lines if not EXPECTED.fullmatch(line)]
        # In a game against itself, any forfeit is Tabiya's.
        lost = {"1-0": "black", "0-1": "white"}.get(result)
        forfeit = bool(FORFEIT.search(reason)) and (opponent == "tabiya" or lost in (None, color))
        is_right = re.fullmatch(expected_result, result) or (expected_result == "." and result != "*")
        is_right = is_right and re.search(expected_reason, reason) and not warnings and not forfeit
        count = self.counts.setdefault(opponent, [0, 0, 0])
        for index, more in enumerate((1, len(warnings), forfeit)):
            count[index] += more
        self.wrong += not is_right
        verdict = "ok" if is_right else "WRONG"
        ending = f"{result} {{{reason}}}, {moves} moves"
        print_line(f"{verdict}: {name}, {opponent}, Tabiya is {color}: {ending}")
        for line in warnings[:5]:
            print_line(f"    {line}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", nargs="?")
    parser.add_argument("--rounds", type=int, default=1, help="number of games from the start position against each opponent")
    parser.add_argument("--long", action="store_true", help="play each position against each opponent, with both colors")
    parser.add_argument("--only", help="play only the games with this name or opponent")
    parser.add_argument("--puppet", metavar="MOVES", help="play these moves as the puppet")
    options = parser.parse_args()
    if options.puppet is not None:
        return puppet([move for move in options.puppet.split(",") if move])
    missing = [name for name in ("xboard", "Xvfb") if not shutil.which(name, path=PATH)]
    if missing:
        return print_line(f"{' and '.join(missing)} not installed: skipping the games in XBoard")
    engine = os.path.abspath(options.engine)
    others = opponents()
    with Display() as display:
        tally = Tally(display, engine, options.only)
        for name, fen, color, moves, result, reason in CLAIMS:
            command = shlex.join([sys.executable, os.path.abspath(__file__), "--puppet", ",".join(moves.split())])
            tabiya = "black" if color == "white" else "white"
            tally.game(name, "puppet", command, tabiya, fen, re.escape(result), re.escape(reason))
        everyone = {"tabiya": shlex.quote(engine), **others}
        for name, fen, reason in [*ENDS, CHESS960]:
            tally.game(name, "tabiya", everyone["tabiya"], "white", fen, expected_reason=reason)
            for other in others if options.long and name != "Chess960" else ():
                for color in ("white", "black"):
                    tally.game(name, other, others[other], color, fen)
        for number in range(options.rounds):
            for other, command in everyone.items():
                color = "white" if number % 2 == 0 else "black"
                tally.game("from the start", other, command, color, clock="0:03", increment="0.03")
    for opponent, (games, warnings, forfeits) in tally.counts.items():
        print_line(f"{opponent}: {games} games, {warnings} warnings, {forfeits} forfeits")
    print_line("XBoard: all games ok" if not tally.wrong else f"XBoard: {tally.wrong} games went wrong")
    return tally.wrong != 0


sys.exit(main())
