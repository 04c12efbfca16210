#!/usr/bin/env python3
"""Tests the program in a terminal: greeting, Ctrl-C, colors.

    tests/terminal.py PATH/TO/tabiya
"""

import os
import pty
import re
import select
import sys
import termios
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

class Terminal:
    """The program in a pseudo-terminal."""

    def __init__(self, *words, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            # Else the kernel drops unread output at Ctrl-C.
            settings = termios.tcgetattr(0)
            settings[3] |= termios.NOFLSH
            termios.tcsetattr(0, termios.TCSANOW, settings)
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": "", **environment})
            os.execv(sys.argv[1], [sys.argv[1], *words])
        self.text = ""
        self.edits_lines = environment.get("TERM") != "dumb"
        self.read_to = 0  # what matched before this index is done with

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait(self, is_done, failure, seconds=30):
        """Reads until `is_done()`; returns whether the program still runs."""
        deadline = time.monotonic() + seconds
        while not is_done():
            left = deadline - time.monotonic()
            assert left > 0, f"{failure}:\n{self.text}"
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    output = os.read(self.terminal, 65536)
                except OSError:  # how Linux reports the end
                    output = b""
                if not output:
                    return False
                self.text += output.decode("utf-8", "replace")
        return True

    def expect(self, pattern):
        """Waits for output that matches, after the last match."""
        found = lambda: re.compile(pattern).search(self.text, self.read_to)
        assert self.wait(found, f"no output matches {pattern!r}"), (
            f"the program ended before {pattern!r}:\n{self.text}"
        )
        match = found()
        self.read_to = match.end()
        return match

    def expect_prompt(self, side="(White|Black)"):
        """Waits until the program reads keys. A Ctrl-D typed before would be lost."""
        self.expect(rf"\x1b\[\?2004h[^\n]*{side}> " if self.edits_lines else f"{side}> ")

    def expect_end(self):
        assert not self.wait(lambda: False, "the program does not end")
        os.close(self.terminal)
        assert os.waitpid(self.child, 0)[1] == 0, self.text


engine = Terminal()
engine.expect(r"^Tabiya [0-9.]+ speaks UCI and XBoard\..*tabiya play.*help")
engine.type("help\r")
engine.expect("go depth 12")
engine.type("go depth 2\r")
engine.expect("bestmove")
engine.type("quit\r")
engine.expect_end()

# Ctrl-C makes the engine move at once. The game continues.
game = Terminal("play")
game.expect_prompt("White")
game.type("level time 100\r")
game.expect("100 s per move")
game.expect_prompt("White")
game.type("e4\r")
game.expect("is thinking… depth")
game.type("\x03")
game.expect(r"Tabiya played 1\.\.\. ")
game.expect_prompt("White")
game.type("play both\r")
game.expect_prompt("White")
game.type("d4\r")
game.expect_prompt("Black")
game.type("analyse\r")
game.expect(r"depth 5\)")
game.type("\x03")
game.expect_prompt()
game.type("fen\r")
game.expect("PPP2PPP/RNBQKBNR")
game.expect_prompt()
assert "\x1b[48;5;" in game.text
# Tab completes commands; Ctrl-D asks, because the game has unsaved moves.
game.type("mov\t\r")
game.expect(r"\bmoves\b[^$]*\bNc3\b|\bmoves\b[^$]*\bNc6\b")
game.expect_prompt()
game.type("\x04")
game.expect("Ctrl-D again")
game.expect_prompt()
game.type("\x04")
game.expect_end()

# While it plays both sides, Ctrl-C twice ends that: the second one comes during its next move.
game = Terminal("play")
game.expect_prompt("White")
game.type("level time 100\r")
game.expect_prompt("White")
game.type("play none\r")
game.expect("is thinking… depth")
game.type("\x03")
game.expect(r"Tabiya played 1\. ")
game.expect("is thinking… depth")
game.type("\x03")
game.expect("Tabiya does not move: you play both sides")
game.expect_prompt("Black")
game.type("quit\r")
game.expect_end()

for environment in [{"NO_COLOR": "1"}, {"TERM": "dumb"}]:
    game = Terminal("play", **environment)
    game.expect_prompt("White")
    game.type("quit\r")
    game.expect_end()
    assert "\x1b[48;5;" not in game.text, environment
print("terminal: ok")
