#!/usr/bin/env python3
"""What a person at a terminal sees, which no pipe shows: the greeting, Ctrl-C, colours.

    tests/terminal.py PATH/TO/tabiya
"""

import os
import pty
import re
import select
import sys
import time


class Terminal:
    """The program in a terminal of its own."""

    def __init__(self, *words, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.environ.update({"TERM": "xterm-256color", "NO_COLOR": "", **environment})
            os.execv(sys.argv[1], [sys.argv[1], *words])
        self.text = ""
        self.since = 0

    def type(self, text):
        self.since = len(self.text)
        os.write(self.terminal, text.encode())

    def sees(self, pattern, seconds=30):
        """Waits for what matches, after what was typed last."""
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.text[self.since:]):
            left = deadline - time.monotonic()
            assert left > 0, f"{pattern!r} is not shown:\n{self.text}"
            if select.select([self.terminal], [], [], left)[0]:
                try:
                    self.text += os.read(self.terminal, 65536).decode("utf-8", "replace")
                except OSError:
                    raise AssertionError(f"it ended before {pattern!r}:\n{self.text}") from None

    def ends(self):
        while True:
            try:
                if not os.read(self.terminal, 65536):
                    break
            except OSError:
                break
        os.close(self.terminal)
        assert os.waitpid(self.child, 0)[1] == 0, self.text


engine = Terminal()
engine.sees(r"^Tabiya [0-9.]+ speaks UCI and XBoard\..*tabiya play.*help")
engine.type("help\r")
engine.sees("go depth 12")
engine.type("go depth 2\r")
engine.sees("bestmove")
engine.type("quit\r")
engine.ends()

# Ctrl-C while it thinks is "move now", and twice "stop"; the game is still there.
game = Terminal("play")
game.sees("White> ")
game.type("level time 100\r")
game.sees("100 s a move")
game.type("e4\r")
game.sees("is thinking… depth")
game.type("\x03")
game.sees(r"Tabiya played 1\.\.\. ")
game.sees("White> ")
game.type("d4\r")
game.sees("is thinking… depth")
game.type("\x03\x03")
game.sees("Tabiya (played 2|does not move)")
game.sees("(White|Black)> ")
game.type("analyse\r")
game.sees(r"depth 5\)")
game.type("\x03")
game.sees("(White|Black)> ")
game.type("fen\r")
game.sees("PPP2PPP/RNBQKBNR")
assert "\x1b[48;5;" in game.text
game.type("quit\r")
game.ends()

for environment in [{"NO_COLOR": "1"}, {"TERM": "dumb"}]:
    game = Terminal("play", **environment)
    game.sees("White> ")
    game.type("quit\r")
    game.ends()
    assert "\x1b[48;5;" not in game.text, environment
print("the terminal shows what it should")
