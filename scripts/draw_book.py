#!/usr/bin/env python3
"""Draws the figures of the book into book/src/img. Needs only Python 3.

    scripts/draw_book.py            writes all figures
    scripts/draw_book.py --check    fails if one is out of date
"""

import bisect
import math
import pathlib
import random
import re
import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "book/src/img"
INK, GREY, LIGHT, ACCENT, BLUE = "#222222", "#777777", "#e8e8e8", "#c05000", "#1f5fa8"
GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))


class Svg:
    """A picture of fixed size on a white ground."""

    def __init__(self, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'font-family="sans-serif" font-size="14">',
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            f'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="{GREY}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        ]

    def text(self, x, y, text, anchor="middle", color=INK, size=14, weight="normal"):
        text = text.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}" font-size="{size}" '
            f'font-weight="{weight}">{text}</text>'
        )

    def rect(self, x, y, width, height, fill="none", stroke="none", radius=0):
        self.parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius}" '
            f'fill="{fill}" stroke="{stroke}"/>'
        )

    def circle(self, x, y, radius, fill, stroke="none"):
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{stroke}"/>'
        )

    def line(self, points, color=GREY, width=1.5, arrow=False, dash=None):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        extra = ' marker-end="url(#head)"' if arrow else ""
        extra += f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"{extra}/>'
        )

    def box(self, x, y, width, height, lines, fill=LIGHT, color=INK):
        """A rounded box with centred lines of text, the first one bold."""
        self.rect(x, y, width, height, fill, GREY, 6)
        first = y + height / 2 - 9 * (len(lines) - 1) + 5
        for index, line in enumerate(lines):
            weight = "bold" if index == 0 and len(lines) > 1 else "normal"
            self.text(x + width / 2, first + 18 * index, line, color=color, size=13, weight=weight)

    def bytes(self):
        return ("\n".join(self.parts) + "\n</svg>\n").encode()


def square(name):
    return ord(name[0]) - ord("a"), int(name[1]) - 1


def board(placement, marks=(), crosses=(), arrows=(), size=40):
    """A chess board. `marks` are coloured squares, `crosses` are crossed out."""
    left, top = 26, 8
    svg = Svg(8 * size + left + 8, 8 * size + top + 26)
    x = lambda file: left + file * size
    y = lambda rank: top + (7 - rank) * size
    colors = dict(marks)
    for rank in range(8):
        for file in range(8):
            name = "abcdefgh"[file] + str(rank + 1)
            fill = colors.get(name, "#dfc9a6" if (file + rank) % 2 == 0 else "#f4e9d6")
            svg.rect(x(file), y(rank), size, size, fill)
        svg.text(left - 12, y(rank) + size / 2 + 5, str(rank + 1), color=GREY, size=12)
        svg.text(x(rank) + size / 2, top + 8 * size + 17, "abcdefgh"[rank], color=GREY, size=12)
    for rank, row in enumerate(placement.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                svg.text(x(file) + size / 2, y(7 - rank) + size * 0.8, GLYPHS[letter], size=size * 0.82)
                file += 1
    for name in crosses:
        file, rank = square(name)
        for (a, b), (c, d) in (((4, 4), (-4, -4)), ((-4, 4), (4, -4))):
            start = x(file) + (a if a > 0 else size + a), y(rank) + (b if b > 0 else size + b)
            end = x(file) + (c if c > 0 else size + c), y(rank) + (d if d > 0 else size + d)
            svg.line([start, end], ACCENT, 3)
    for start, end in arrows:
        points = []
        for name in (start, end):
            file, rank = square(name)
            points.append((x(file) + size / 2, y(rank) + size / 2))
        # The head stays at the edge of a piece on the target.
        (a, b), (c, d) = points
        short = size * 0.36 / math.hypot(c - a, d - b)
        points[1] = c + (a - c) * short, d + (b - d) * short
        svg.line(points, GREY, 2, arrow=True)
    return svg


def parameter(name):
    """The value of a parameter of the search."""
    source = (ROOT / "src/search/params.rs").read_text(encoding="utf-8")
    return int(re.search(rf"\b{name} = (-?\d+),", source).group(1))


class Plot(Svg):
    """A plot with linear axes from 0 to 1, which the caller scales."""

    LEFT, TOP, WIDTH, HEIGHT = 70, 20, 520, 300

    def __init__(self, x_label, y_label, x_ticks, y_ticks):
        """Ticks are pairs of a share from 0 to 1 and a text."""
        super().__init__(self.LEFT + self.WIDTH + 130, self.TOP + self.HEIGHT + 60)
        bottom = self.TOP + self.HEIGHT
        for share, text in x_ticks:
            self.line([self.at(share, 0), self.at(share, 1)], "#dddddd", 1)
            self.text(self.at(share, 0)[0], bottom + 20, text, color=GREY)
        for share, text in y_ticks:
            self.line([self.at(0, share), self.at(1, share)], "#dddddd", 1)
            self.text(self.LEFT - 10, self.at(0, share)[1] + 5, text, "end", GREY)
        self.text(self.LEFT + self.WIDTH / 2, bottom + 46, x_label, color=GREY)
        self.text(self.LEFT, self.TOP - 6, y_label, "start", GREY, 13)

    def at(self, x, y):
        return self.LEFT + self.WIDTH * x, self.TOP + self.HEIGHT * (1 - y)


def position():
    return board("8/8/8/K2pP2r/8/8/8/4k3", [("d6", "#bcd8f0")], ["d5", "e5"], [("e5", "d6")])


def moves():
    relevant = ["d2", "d3", "d5", "d6", "d7", "b4", "c4", "e4", "f4", "g4"]
    blockers = {"d6", "b4", "f4"}
    marks = [(name, "#f3b48c" if name in blockers else "#bcd8f0") for name in relevant]
    return board("8/8/3p4/8/1P1R1n2/8/8/8", marks)


def hashing():
    svg = Svg(700, 150)
    for index in range(9):
        x, y = 50 + 75 * index, 60
        if index:
            svg.line([(x - 53, y), (x - 24, y)], arrow=True)
        # At least four plies lie between two occurrences of a position.
        compared = index % 2 == 0 and index <= 4
        now = index == 8
        fill = ACCENT if now else "#bcd8f0" if compared else LIGHT
        svg.circle(x, y, 20, fill, GREY)
        svg.text(x, y + 5, "WB"[index % 2], color="#ffffff" if now else INK)
        label = "now" if now else f"{8 - index} ago" if compared else ""
        svg.text(x, y + 42, label, color=GREY, size=12)
    svg.text(20, 24, "after a pawn move", "start", GREY, 12)
    svg.line([(50 + 75 * 8, 36), (50 + 75 * 8, 16), (50 + 75 * 4, 16), (50 + 75 * 4, 36)], ACCENT, 1.5, True)
    svg.text(500, 12, "same key: a repetition", color=ACCENT, size=12)
    svg.text(350, 138, "Blue: compared. Grey: the other side is to move, or only two plies have passed.", color=GREY, size=12)
    return svg


def negamax():
    svg = Svg(700, 300)
    root = (350, 46)
    children = [(180, 140), (520, 140)]
    leaves = [[(70, 236), (180, 236), (290, 236)], [(410, 236), (520, 236), (630, 236)]]
    values = [["+3", "+1", "+5"], ["-2", "?", "?"]]
    for child, (node, row, numbers) in enumerate(zip(children, leaves, values)):
        svg.line([(root[0], root[1] + 20), (node[0], node[1] - 20)], BLUE if child == 0 else GREY, 2)
        for leaf, value in zip(row, numbers):
            cut = value == "?"
            svg.line([(node[0], node[1] + 20), (leaf[0], leaf[1] - 18)], GREY, 1.5, dash="4 5" if cut else None)
            svg.circle(*leaf, 18, LIGHT if cut else "#bcd8f0", GREY)
            svg.text(leaf[0], leaf[1] + 5, value, color=GREY if cut else INK)
    svg.box(root[0] - 75, root[1] - 20, 150, 40, ["score +1"], "#ffffff")
    svg.box(children[0][0] - 75, 120, 150, 40, ["score -1"], "#ffffff")
    svg.box(children[1][0] - 75, 120, 150, 40, ["score at least +2"], "#ffffff")
    svg.text(root[0], 18, "White to move: largest of -(-1) and -(+2 or more)", color=GREY, size=12)
    svg.text(20, 112, "Black to move:", "start", GREY, 12)
    svg.text(20, 128, "largest of", "start", GREY, 12)
    svg.text(20, 144, "-3, -1, -5", "start", GREY, 12)
    svg.text(680, 144, "beta -1:", "end", ACCENT, 12)
    svg.text(680, 160, "cutoff", "end", ACCENT, 12)
    svg.text(575, 276, "not searched", color=ACCENT, size=12)
    svg.text(180, 276, "White to move: evaluations", color=GREY, size=12)
    return svg


def pruning():
    base, divisor = parameter("lmr_quiet_base"), parameter("lmr_quiet_divisor")
    depths, numbers = range(1, 17), range(1, 33)
    reduction = lambda depth, number: max(0.0, (base + int(math.log(depth) * math.log(number) * 1024 * 100 / divisor)) / 1024)
    largest = math.ceil(reduction(depths[-1], numbers[-1]))
    tone = lambda plies: 255 - int(plies * 200 / largest)
    color = lambda plies: f"rgb({tone(plies)},{tone(plies)},255)"
    cell, left, top = 18, 60, 12
    svg = Svg(left + cell * len(numbers) + 110, top + cell * len(depths) + 50)
    for depth in depths:
        for number in numbers:
            svg.rect(left + cell * (number - 1), top + cell * (depth - 1), cell, cell, color(reduction(depth, number)))
        if depth % 4 == 0:
            svg.text(left - 8, top + cell * depth - 4, str(depth), "end", GREY, 12)
    bottom = top + cell * len(depths)
    for number in (1, 8, 16, 24, 32):
        svg.text(left + cell * (number - 0.5), bottom + 16, str(number), color=GREY, size=12)
    svg.text(left + cell * 16, bottom + 38, "number of the move", color=GREY)
    svg.text(left - 8, top + 13, "1", "end", GREY, 12)
    svg.text(left - 8, top + cell * 10 - 4, "plies left", "end", GREY, 12)
    for plies in range(largest + 1):
        y = top + 26 * plies
        svg.rect(left + cell * 32 + 16, y, 18, 18, color(plies), GREY)
        svg.text(left + cell * 32 + 42, y + 14, f"{plies} plies" if plies != 1 else "1 ply", "start", GREY, 12)
    return svg


def ordering():
    svg = Svg(720, 130)
    stages = [("TT move", "from the table", "nothing generated yet"), ("good captures", "victim, history", "captures generated"),
              ("quiet moves", "histories", "quiet moves generated"), ("bad captures", "lose by SEE", None)]
    for index, (name, order, note) in enumerate(stages):
        x = 10 + 180 * index
        svg.box(x, 30, 150, 56, [name, order])
        if index:
            svg.line([(x - 28, 58), (x - 2, 58)], arrow=True)
        if note:
            svg.text(x + 75, 112, note, color=GREY, size=12)
    return svg


def quiescence():
    placement = "3r1bk1/8/3p4/8/4N3/8/3R4/3Q2K1"
    arrows = [("e4", "d6"), ("f8", "d6"), ("d2", "d6"), ("d8", "d6")]
    return board(placement, [("d6", "#f3b48c")], (), arrows)


def transposition():
    """Two move orders meet in one position, and the bits of an entry."""
    svg = Svg(720, 330)
    nodes = {"start": (70, 100), "a1": (210, 45), "a2": (350, 45), "b1": (210, 155), "b2": (350, 155), "end": (490, 100)}
    for start, end, text in (("start", "a1", "1. d4"), ("a1", "a2", "1... Nf6"), ("a2", "end", "2. Nf3"),
                             ("start", "b1", "1. Nf3"), ("b1", "b2", "1... Nf6"), ("b2", "end", "2. d4")):
        (x, y), (u, v) = nodes[start], nodes[end]
        length = math.hypot(u - x, v - y)
        dx, dy = (u - x) / length * 20, (v - y) / length * 20
        svg.line([(x + dx, y + dy), (u - dx, v - dy)], BLUE if end in ("a1", "a2") or start == "a2" else ACCENT, 2, True)
        above = -8 if (y + v) < 200 else 18
        svg.text((x + u) / 2, (y + v) / 2 + above, text, size=12, color=GREY)
    for name, (x, y) in nodes.items():
        svg.circle(x, y, 18, "#bcd8f0" if name == "end" else LIGHT, GREY)
    svg.line([(510, 100), (568, 100)], arrow=True)
    svg.box(572, 70, 140, 60, ["one entry", "key, score, move"], "#bcd8f0")
    fields = [("age", 5), ("pv", 1), ("bound", 2), ("depth", 8), ("evaluation", 16), ("score", 16), ("move", 16)]
    x, top, unit = 28, 230, 10.3
    svg.text(28, 215, "The 64 bits of an entry", "start", INK, 13, "bold")
    high = 63
    for name, bits in fields:
        width = bits * unit
        svg.rect(x, top, width, 40, "#bcd8f0" if bits > 8 else LIGHT, GREY)
        narrow = bits < 6
        svg.text(x + width / 2 + (6 if bits == 2 else 0), top + {5: 58, 1: -4, 2: 58}.get(bits, 25), name, size=12)
        if not narrow:
            if bits > 8:
                svg.text(x + 4, top + 58, str(high), "start", GREY, 11)
            svg.text(x + width - 4, top + 58, str(high - bits + 1), "end", GREY, 11)
        x, high = x + width, high - bits
    svg.text(28, 318, "A cluster: three entries, and one word with a signature of 16 bits for each: 32 bytes.", "start", GREY, 12)
    return svg


def evaluation():
    """The weights of the two evaluations by the pieces left on the board."""
    plot = Plot("phase: 24 with all pieces, 0 with kings and pawns", "share",
                [(share / 24, str(24 - share)) for share in range(0, 25, 4)],
                [(value / 4, f"{25 * value} %") for value in range(5)])
    for points, color, label in (([(0, 1), (1, 0)], BLUE, "middlegame"), ([(0, 0), (1, 1)], ACCENT, "endgame")):
        plot.line([plot.at(x, y) for x, y in points], color, 3)
        x, y = plot.at(1.0, points[-1][1])
        plot.text(x + 8, y + 5, label, "start", color)
    x, top = plot.at(8 / 24, 1)
    plot.line([(x, top), (x, plot.at(0, 0)[1])], GREY, 1.5, dash="4 5")
    plot.text(x + 6, top + 26, "queens exchanged", "start", GREY, 12)
    return plot


def transcripts():
    """The states of an engine under UCI."""
    svg = Svg(720, 240)
    svg.box(20, 90, 120, 56, ["idle", "has a position"], "#ffffff")
    svg.box(300, 30, 140, 56, ["searching", "own clock"], "#bcd8f0")
    svg.box(300, 150, 140, 56, ["pondering", "opponent's clock"], "#f3d6c0")
    svg.box(580, 90, 120, 56, ["answered", "bestmove sent"], "#ffffff")
    svg.line([(140, 108), (298, 62)], arrow=True)
    svg.line([(140, 128), (298, 176)], arrow=True)
    svg.line([(440, 58), (578, 104)], arrow=True)
    svg.line([(440, 178), (578, 134)], arrow=True)
    svg.line([(370, 150), (370, 88)], arrow=True)
    svg.line([(640, 90), (640, 14), (80, 14), (80, 88)], arrow=True)
    svg.text(212, 72, "go", color=INK, size=12)
    svg.text(205, 172, "go ponder", color=INK, size=12)
    svg.text(380, 122, "ponderhit", "start", INK, 12)
    svg.text(560, 66, "time, depth, stop", color=INK, size=12)
    svg.text(512, 172, "stop", color=INK, size=12)
    svg.text(360, 10, "position", color=INK, size=12)
    return svg


def tablebases():
    """Which positions the tables decide inside the tree."""
    svg = Svg(700, 250)
    svg.line([(350, 56), (180, 106)], GREY, 2)
    svg.line([(350, 56), (520, 106)], GREY, 2)
    svg.line([(180, 134), (100, 186)], GREY, 2)
    svg.line([(180, 134), (260, 186)], GREY, 2)
    svg.line([(520, 134), (440, 186)], GREY, 2, dash="4 5")
    svg.line([(520, 134), (600, 186)], GREY, 2, dash="4 5")
    svg.box(270, 20, 160, 44, ["6 pieces", "not in the tables"], "#ffffff")
    svg.box(100, 100, 160, 44, ["6 pieces", "a quiet move"], "#ffffff")
    svg.box(440, 100, 160, 44, ["5 pieces", "probe: loss, so -"], "#bcd8f0")
    svg.box(30, 180, 140, 44, ["5 pieces", "probe: draw"], "#bcd8f0")
    svg.box(190, 180, 140, 44, ["6 pieces", "search goes on"], "#ffffff")
    svg.text(520, 212, "not searched", color=ACCENT, size=12)
    svg.text(455, 78, "capture", color=GREY, size=12)
    svg.text(245, 78, "quiet", color=GREY, size=12)
    svg.text(350, 244, "Right after a capture or pawn move the clock of the fifty-move rule is 0, and a probe is exact.", color=GREY, size=12)
    return svg


def learning():
    """The weights of later scores in the target, for three values of lambda."""
    plot = Plot("half-moves after the position", "weight of that score in the target",
                [(index / 8, str(index)) for index in range(9)],
                [(value / 4, f"{value / 4:.2f}") for value in range(5)])
    for decay, color in ((0.0, GREY), (0.5, BLUE), (0.9, ACCENT)):
        weights = [(1 - decay) * decay ** index for index in range(9)]
        plot.line([plot.at(index / 8, weight) for index, weight in enumerate(weights)], color, 2)
        for index, weight in enumerate(weights):
            plot.circle(*plot.at(index / 8, weight), 4, color)
        plot.text(*plot.at(0.02, weights[0] + (-0.02 if decay == 0 else 0.03)), f"λ = {decay:g}", "start", color)
    return plot


# White's scores in a game of self-play (4,000 nodes a move, seed 710001), from its 21st half-move on.
SCORES = [
    61, 46, 53, 18, 73, 82, 37, 78, 100, 92, 66, 23, 58, -10, 0, 0, 0, 0, 161, 277, 254, 375, 322, 368, 332, 286, 355, 325,
    327, 401, 442, 321, 330, 297, 317, 330, 319, 548, 487, 460, 452, -770, -772, -816, -881, -937, -1053, -1162,
]


def targets():
    """The targets of a game for three values of lambda."""
    expected = [1 / (1 + math.exp(-score / 180)) for score in SCORES]
    last = len(expected) - 1
    plot = Plot("half-move", "target: White's expected score",
                [(index / last, str(index + 21)) for index in range(0, last + 1, 10)],
                [(value / 4, f"{value / 4:g}") for value in range(5)])
    for row, (decay, color, width) in enumerate(((0.0, GREY, 1.5), (0.5, BLUE, 2.5), (0.9, ACCENT, 2.5))):
        points, later = [], expected[-1]
        for index in range(last, -1, -1):
            later = expected[index] + decay * (later - expected[index])
            points.append(plot.at(index / last, later))
        plot.line(points, color, width)
        plot.text(*plot.at(1.02, 0.9 - 0.08 * row), f"λ = {decay:g}", "start", color)
    return plot


def data():
    """The loop from games to a network and back."""
    svg = Svg(720, 200)
    boxes = [["datagen", "games, 4 bytes", "a position"], ["filter, target", "scores and λ"], ["train", "weights, by", "small steps"],
             ["judge", "error on", "known positions"], ["match", "Elo"]]
    for index, lines in enumerate(boxes):
        x = 10 + 142 * index
        svg.box(x, 40, 122, 70, lines, "#bcd8f0" if index == 4 else LIGHT)
        if index:
            svg.line([(x - 19, 75), (x - 2, 75)], arrow=True)
    svg.line([(639, 110), (639, 160), (71, 160), (71, 112)], ACCENT, 2, True)
    svg.text(355, 152, "the winner plays the next games", color=ACCENT, size=12)
    return svg


def features():
    """The inputs of two pieces from both perspectives."""
    svg = board("4k3/8/8/8/3n4/8/4P3/4K3", [("e2", "#bcd8f0"), ("d4", "#f3d6c0")])
    return svg


def network():
    svg = Svg(720, 300)
    svg.box(10, 40, 120, 70, ["inputs", "4 × 768 + 8960", "side to move"])
    svg.box(10, 190, 120, 70, ["inputs", "4 × 768 + 8960", "other side"])
    svg.box(180, 40, 120, 70, ["accumulator", "512", "clipped, squared"], "#bcd8f0")
    svg.box(180, 190, 120, 70, ["accumulator", "512", "clipped, squared"], "#bcd8f0")
    svg.box(380, 150, 80, 50, ["L2", "8"], "#f3d6c0")
    svg.box(500, 150, 80, 50, ["L3", "16"], "#f3d6c0")
    svg.box(620, 85, 90, 50, ["output", "centipawns"], "#ffffff")
    for y in (75, 225):
        svg.line([(130, y), (178, y)], arrow=True)
        svg.line([(300, y), (378, 170 if y == 75 else 182)], arrow=True)
    svg.line([(300, 60), (560, 60), (618, 98)], ACCENT, 2, True)
    svg.line([(300, 210), (340, 210), (340, 72), (560, 72), (618, 106)], ACCENT, 2, True)
    svg.text(450, 50, "direct path", color=ACCENT, size=12)
    svg.line([(460, 175), (498, 175)], arrow=True)
    svg.line([(580, 175), (640, 137)], arrow=True)
    svg.text(540, 250, "orange and brown: one copy for each of 8 output buckets", color=GREY, size=12)
    return svg


def time():
    base, weight = parameter("time_node_share_base") / 100, parameter("time_node_share_weight") / 100
    stable, changing = parameter("time_stability_4") / 100, parameter("time_stability_0") / 100
    top = 4.0
    plot = Plot("share of the nodes spent on the best move", "factor of the soft limit",
                [(share / 100, f"{share} %") for share in range(0, 101, 20)],
                [(value / top, f"{value:g}") for value in (0, 1, 2, 3, 4)])
    for stability, color, label in ((changing, ACCENT, "just changed"), (stable, BLUE, "stable")):
        points = [(share / 100, stability * (base - share / 100) * weight) for share in range(20, 101)]
        plot.line([plot.at(x, min(y, top) / top) for x, y in points], color, 3)
        x, y = plot.at(1.0, points[-1][1] / top)
        plot.text(x + 8, y + 5, label, "start", color)
    return plot


def protocols():
    svg = Svg(720, 220)
    svg.box(10, 80, 110, 60, ["program", "Arena, XBoard"], "#ffffff")
    svg.box(180, 20, 120, 56, ["reader", "thread"])
    svg.box(360, 80, 140, 60, ["protocol", "main thread"], "#bcd8f0")
    svg.box(570, 80, 140, 60, ["search", "search thread"], "#f3d6c0")
    svg.line([(120, 100), (178, 55)], arrow=True)
    svg.line([(300, 50), (380, 78)], arrow=True)
    svg.line([(500, 98), (568, 98)], arrow=True)
    svg.line([(570, 126), (502, 126)], arrow=True)
    svg.line([(430, 140), (430, 190), (65, 190), (65, 142)], arrow=True)
    svg.text(130, 66, "text", color=GREY, size=12, anchor="end")
    svg.text(350, 52, "lines", color=GREY, size=12)
    svg.text(535, 90, "requests", color=GREY, size=12)
    svg.text(535, 146, "results", color=GREY, size=12)
    svg.text(250, 184, "text", color=GREY, size=12)
    return svg


def accident():
    """A late answer, step by step, between three columns."""
    svg = Svg(720, 400)
    program, protocol, search = 110, 360, 610
    for x, name in ((program, "program"), (protocol, "protocol"), (search, "search")):
        svg.box(x - 60, 10, 120, 34, [name], "#bcd8f0" if x == protocol else LIGHT)
        svg.line([(x, 44), (x, 390)], "#bbbbbb", 1, dash="4 4")

    def message(y, start, end, text, color=INK):
        sign = 1 if end > start else -1
        svg.line([(start + 4 * sign, y), (end - 6 * sign, y)], arrow=True)
        svg.text((start + end) / 2, y - 6, text, color=color, size=12)

    message(76, program, protocol, "usermove e2e4")
    message(100, protocol, search, "search 7")
    svg.rect(search - 6, 100, 12, 60, "#f3d6c0", GREY)
    message(150, program, protocol, "force, undo, usermove h2h3, go")
    # The answer waits in its channel while the protocol is at work.
    svg.line([(search - 6, 160), (protocol + 6, 260)], ACCENT, 1.5, True)
    svg.text(search + 12, 150, "answer of 7:", "start", ACCENT, 12)
    svg.text(search + 12, 166, "d5e4", "start", ACCENT, 12)
    message(176, protocol, search, "stop 7")
    message(236, protocol, search, "search 8")
    svg.rect(search - 6, 236, 12, 104, "#f3d6c0", GREY)
    svg.line([(protocol - 8, 252), (protocol + 8, 268)], ACCENT, 2.5)
    svg.line([(protocol - 8, 268), (protocol + 8, 252)], ACCENT, 2.5)
    svg.text(protocol - 16, 264, "7 is not 8: dropped", "end", ACCENT, 12)
    message(340, search, protocol, "answer of 8: d5d4")
    message(366, protocol, program, "move d5d4")
    return svg


def strength():
    # The standard deviation of a game, in points, where about half of the games are drawn.
    deviation = 0.37
    elo = lambda games: 1.96 * deviation / math.sqrt(games) * 1600 / math.log(10)
    low, high = 1.5, 5.0
    x = lambda games: (math.log10(games) - low) / (high - low)
    top = 80
    plot = Plot("games", "95 % interval, ± Elo",
                [(x(games), f"{games:,}") for games in (100, 1_000, 10_000, 100_000)],
                [(value / top, str(value)) for value in (0, 20, 40, 60, 80)])
    counts = [10 ** (low + (high - low) * step / 200) for step in range(201)]
    plot.line([plot.at(x(games), elo(games) / top) for games in counts if elo(games) <= top], BLUE, 3)
    for games in (100, 1_000, 10_000):
        point = plot.at(x(games), elo(games) / top)
        plot.circle(*point, 5, ACCENT)
        plot.text(point[0] + 10, point[1] - 8, f"± {elo(games):.0f}", "start", ACCENT)
    return plot


def sprt():
    """Sequential tests of changes that gain 15 Elo, gain 2.5 and lose 10, two tests of each."""
    pairs, limit = 6_000, math.log(0.95 / 0.05)
    score = lambda elo: 1 / (1 + 10 ** (-elo / 400))
    low, high = score(0), score(5)
    y = lambda ratio: 0.5 + ratio / (2 * 3.6)
    plot = Plot("pairs of games", "logarithm of the likelihood ratio",
                [(count / pairs, f"{count:,}") for count in range(0, pairs + 1, 1_000)],
                [(y(value), f"{value:+d}" if value else "0") for value in range(-3, 4)])
    for sign, text in ((1, "it gains 5"), (-1, "it gains 0")):
        plot.line([plot.at(0, y(sign * limit)), plot.at(1, y(sign * limit))], INK, 1.5, dash="6 4")
        plot.text(*plot.at(1.02, y(sign * limit) - 0.012), text, "start", INK, 13)
    # The points of a pair, divided by two, are 0, 0.25, 0.5, 0.75 or 1. These are the cumulative
    # chances of the first four; the variance is 0.0575.
    chances = (0.06, 0.28, 0.72, 0.94)
    # A seed that leaves one test undecided. Of this module only `random` is promised to stay the same.
    generator = random.Random(2)
    for row, (elo, color) in enumerate(((15, BLUE), (2.5, GREY), (-10, ACCENT))):
        plot.text(*plot.at(1.02, 0.62 - 0.08 * row), f"truth: {elo:+g}", "start", color)
        for _ in range(2):
            total = squares = 0.0
            points = [plot.at(0, y(0))]
            for count in range(1, pairs + 1):
                # The mean moves; the little that this changes of the variance does not matter here.
                result = bisect.bisect(chances, generator.random()) / 4 + score(elo) - 0.5
                total, squares = total + result, squares + result * result
                mean = total / count
                variance = squares / count - mean * mean
                if count % 25:
                    continue
                ratio = count * (high - low) * (2 * mean - low - high) / (2 * variance)
                points.append(plot.at(count / pairs, y(max(-limit, min(limit, ratio)))))
                if abs(ratio) >= limit:
                    plot.circle(*points[-1], 5, color)
                    break
            plot.line(points, color, 1.8)
    return plot


def dead():
    return board("2k5/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/2K5")


FIGURES = [
    position, moves, hashing, negamax, transposition, pruning, ordering, quiescence, evaluation, network, features,
    learning, targets, data, time, protocols, accident, transcripts, tablebases, strength, sprt, dead,
]


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    for figure in FIGURES:
        path = FOLDER / f"{figure.__name__}.svg"
        drawn = figure().bytes()
        if not check:
            path.write_bytes(drawn)
        elif not path.is_file() or path.read_bytes() != drawn:
            sys.exit(f"{path.relative_to(ROOT)} is out of date: run scripts/draw_book.py")


if __name__ == "__main__":
    main()
