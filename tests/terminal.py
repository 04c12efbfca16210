#!/usr/bin/env python3
"""Tests the program in a terminal: greeting, Ctrl-C, colors.

    tests/terminal.py PATH/TO/tabiya
"""

import os
import pty
import re
import select
import sys
import time


class Terminal:
    """The program in a pseudo-terminal."""

    def __init__(self, *words, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ.update({"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": "", **environment})
            os.execv(sys.argv[1], [sys.argv[1], *words])
        self.text = ""
        self.since = 0

    def type(self, text):
        self.since = len(self.text)
        os.write(self.terminal, text.encode())

    def expect(self, pattern, seconds=30):
        """Waits until the output since the last input matches."""
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.text[self.since:]):
            left = deadline - time.monotonic()
            assert left > 0, f"no output matches {pattern!r}:\n{self.text}"
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    self.text += os.read(self.terminal, 65536).decode("utf-8", "replace")
                except OSError:
                    raise AssertionError(f"the program ended before {pattern!r}:\n{self.text}") from None

    def expect_end(self):
        while True:
            try:
                if not os.read(self.terminal, 65536):
                    break
            except OSError:
                break
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

# Ctrl-C makes the engine move at once; Ctrl-C twice cancels its move. The game continues.
game = Terminal("play")
game.expect("White> ")
game.type("level time 100\r")
game.expect("100 s per move")
game.type("e4\r")
game.expect("is thinking… depth")
game.type("\x03")
game.expect(r"Tabiya played 1\.\.\. ")
game.expect("White> ")
game.type("d4\r")
game.expect("is thinking… depth")
game.type("\x03\x03")
game.expect("Tabiya (played 2|does not move)")
game.expect("(White|Black)> ")
game.type("analyse\r")
game.expect(r"depth 5\)")
game.type("\x03")
game.expect("(White|Black)> ")
game.type("fen\r")
game.expect("PPP2PPP/RNBQKBNR")
assert "\x1b[48;5;" in game.text
# Tab completes commands; Ctrl-D asks, because the game has unsaved moves.
game.type("mov\t\r")
game.expect(r"\bmoves\b[^$]*\bNc3\b|\bmoves\b[^$]*\bNc6\b")
game.type("\x04")
game.expect("Ctrl-D again")
game.type("\x04")
game.expect_end()

for environment in [{"NO_COLOR": "1"}, {"TERM": "dumb"}]:
    game = Terminal("play", **environment)
    game.expect("White> ")
    game.type("quit\r")
    game.expect_end()
    assert "\x1b[48;5;" not in game.text, environment
print("terminal: ok")
