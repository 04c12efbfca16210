#!/usr/bin/env python3
"""Draws the pictures of the documents. Needs only Python 3.10.

    scripts/draw.py ladder                docs/ladder.svg, from lab/ladder.csv
    scripts/draw.py learning              docs/learning.svg, from lab/learning.csv
    scripts/draw.py wdl                   docs/wdl.svg, from lab/wdl.txt, the output of
                                          `tabiya-train wdl`
    scripts/draw.py memory                docs/memory.svg, from lab/memory.csv, rows of the output of
                                          scripts/memory.py
    scripts/draw.py board PATH/TO/tabiya  docs/board.svg: a game in the terminal
    scripts/draw.py logo                  assets/logo.svg, assets/logo.bmp (Arena, WinBoard),
                                          assets/logo.png (XBoard), and the square assets/icon.svg
                                          and assets/icon.png

Pictures that the book shows too are copied to it: symbolic links would be text files on Windows.
With --check as the last word, all but `board` write nothing and fail if a picture is out of date.
"""

import csv
import math
import os
import pathlib
import pty
import re
import select
import struct
import sys
import time
import zlib

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

ROOT = pathlib.Path(__file__).resolve().parent.parent
FONT = 'font-family="sans-serif" font-size="14"'


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def both(name, folder, content):
    """A picture of the documents, and its copy in a folder of the book."""
    return {ROOT / "docs" / name: content, ROOT / "book/src" / folder / name: content}


def ladder():
    """Engines by rating. Tabiya's rows are coloured; ratings measured here have 95 % intervals."""
    with open(ROOT / "lab/ladder.csv", encoding="utf-8") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: -float(row["elo"]))
    left, width, top, step = 250, 560, 24, 30
    ratings = [float(row["elo"]) for row in rows]
    low, high = min(ratings) - 50, max(ratings) + 50
    x = lambda elo: left + width * (elo - low) / (high - low)
    height = top + step * len(rows) + 40
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 60} {height}" {FONT}>',
           f'<rect width="100%" height="{height}" fill="#ffffff"/>']
    bottom = top + step * len(rows)
    for elo in range(int(low // 100 + 1) * 100, int(high) + 1, 100):
        svg.append(f'<line x1="{x(elo):.1f}" y1="{top}" x2="{x(elo):.1f}" y2="{bottom}" stroke="#dddddd"/>')
        svg.append(f'<text x="{x(elo):.1f}" y="{bottom + 20}" text-anchor="middle" fill="#555555">{elo:+d}</text>')
    for index, row in enumerate(rows):
        y, elo = top + step * index + step / 2, float(row["elo"])
        own = row["name"].startswith("Tabiya")
        color = "#c05000" if own else "#606060"
        weight = ' font-weight="bold"' if own else ""
        svg.append(f'<text x="{left - 16}" y="{y + 5:.1f}" text-anchor="end" fill="{color}"{weight}>{escaped(row["name"])}</text>')
        if row["error"]:
            error = float(row["error"])
            svg.append(f'<line x1="{x(elo - error):.1f}" y1="{y:.1f}" x2="{x(elo + error):.1f}" y2="{y:.1f}" stroke="{color}" stroke-width="3"/>')
        svg.append(f'<circle cx="{x(elo):.1f}" cy="{y:.1f}" r="6" fill="{color}"/>')
    return both("ladder.svg", "reference", ("\n".join(svg) + "\n</svg>\n").encode())


class Plot:
    """A plot with axes, lines and points."""

    LEFT, TOP, WIDTH, HEIGHT = 70, 24, 560, 320

    def __init__(self, x, y, x_label, y_label):
        """x and y: a function from values to 0..1, and the values of the ticks."""
        (self.x_share, x_ticks), (self.y_share, y_ticks) = x, y
        right, bottom = self.LEFT + self.WIDTH, self.TOP + self.HEIGHT
        self.svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + 150} {bottom + 60}" {FONT}>',
                    f'<rect width="100%" height="{bottom + 60}" fill="#ffffff"/>']
        for value in x_ticks:
            self.line([(value, None)], "#dddddd")
            self.svg.append(f'<text x="{self.x(value):.1f}" y="{bottom + 20}" text-anchor="middle" fill="#555555">{value:g}</text>')
        for value in y_ticks:
            self.line([(None, value)], "#dddddd")
            self.svg.append(f'<text x="{self.LEFT - 10}" y="{self.y(value) + 5:.1f}" text-anchor="end" fill="#555555">{value:g}</text>')
        self.svg.append(f'<text x="{(self.LEFT + right) / 2}" y="{bottom + 46}" text-anchor="middle" fill="#555555">{escaped(x_label)}</text>')
        self.svg.append(f'<text x="{self.LEFT - 60}" y="{self.TOP - 8}" fill="#555555">{escaped(y_label)}</text>')

    def x(self, value):
        return self.LEFT + self.WIDTH * self.x_share(value)

    def y(self, value):
        return self.TOP + self.HEIGHT * (1 - self.y_share(value))

    def line(self, points, color):
        """A line through all points, or across the plot if the only point has a single value."""
        if len(points) == 1:
            ((x, y),) = points
            ends = [(self.LEFT, self.y(y)), (self.LEFT + self.WIDTH, self.y(y))] if x is None else [(self.x(x), self.TOP), (self.x(x), self.TOP + self.HEIGHT)]
        else:
            ends = [(self.x(x), self.y(y)) for x, y in points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in ends)
        self.svg.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{1 if len(points) == 1 else 2}"/>')

    def dots(self, points, color):
        self.svg += [f'<circle cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="4" fill="{color}"/>' for x, y in points]

    def text(self, x, y, text, color):
        self.svg.append(f'<text x="{self.x(x) + 10:.1f}" y="{self.y(y) + 5:.1f}" fill="{color}">{escaped(text)}</text>')

    def bytes(self):
        return ("\n".join(self.svg) + "\n</svg>\n").encode()


def learning():
    """Error of the static evaluation of each generation."""
    with open(ROOT / "lab/learning.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    first, last = int(rows[0]["generation"]), int(rows[-1]["generation"])
    plot = Plot((lambda value: (value - first) / (last - first), range(first, last + 1)),
                (lambda value: (value - 0.10) / 0.09, [0.10, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19]),
                "generation", "error of the static evaluation, in expected score")
    for column, name, color in [("judged", "first set", "#c05000"), ("second", "second set", "#2060a0")]:
        points = [(int(row["generation"]), float(row[column])) for row in rows if row[column]]
        plot.line(points, color)
        plot.dots(points, color)
        plot.text(*points[-1], name, color)
    return both("learning.svg", "reference", plot.bytes())


def wdl():
    """Share of games won over the score: measured, and by the fitted model."""
    lines = (ROOT / "lab/wdl.txt").read_text(encoding="utf-8").splitlines()
    half, spread = ([float(number) for number in re.findall(r"[0-9.]+", line.split("cp")[0])] for line in lines[:2])
    cells = [re.split(r"[ .]{2,}|\s+", line.strip()) for line in lines[4:]]
    plot = Plot((lambda value: value / 800, [0, 100, 200, 300, 400, 500, 600, 700, 800]), (lambda value: value, [0, 0.25, 0.5, 0.75, 1]),
                "score of the search, in centipawns before normalisation", "share of games won: measured (dots) and model")
    colors = ["#c05000", "#2060a0", "#208040", "#a02080"]
    groups = []
    for cell in cells:
        group = (int(cell[0]), int(cell[1]))
        if group not in groups:
            groups.append(group)
        low = float(cell[2])
        high = {0: 50, 50: 100, 100: 200, 200: 300, 300: 500, 500: 800}.get(low)
        if high is not None and float(cell[3]) >= 200:
            plot.dots([((low + high) / 2, float(cell[4]))], colors[groups.index(group)])
    for index, (low, high) in enumerate(groups):
        share = (low + high) / 2 / 32
        middle, width = (empty + (full - empty) * share for empty, full in (half, spread))
        plot.line([(score, 1 / (1 + math.exp((middle - score) / width))) for score in range(0, 801, 20)], colors[index])
        plot.text(800, 0.6 - 0.08 * index, f"{low} to {high} pieces", colors[index])
    return both("wdl.svg", "reference", plot.bytes())


def memory():
    """Resident memory of one process over its processor time."""
    with open(ROOT / "lab/memory.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    points = [(60 * float(row["cpu_hours"]), float(row["resident_mib"])) for row in rows]
    end = points[-1][0]
    step = next(step for step in (1, 2, 5, 10, 20, 60) if end / step <= 12)
    plot = Plot((lambda value: value / end, range(0, int(end) + 1, step)), (lambda value: value / 100, [0, 20, 40, 60, 80, 100]),
                "processor time in minutes", "resident memory in MiB, at Hash 16 and one thread")
    plot.line(points, "#c05000")
    plot.text(*points[-1], f"{int(rows[-1]['commands']):,} commands", "#c05000")
    return both("memory.svg", "reference", plot.bytes())


# The logo: two pawns side by side on a field of 100 by 50.
GREEN, IVORY, BLACK = (47, 93, 80), (245, 238, 220), (24, 24, 24)


def pawn(x):
    """The shapes of a pawn at x: circles (x, y, radius) and a polygon."""
    body = [(x - 5, 22), (x + 5, 22), (x + 9, 38), (x + 13, 43), (x - 13, 43), (x - 9, 38)]
    return [(x, 14, 7.5)], body


def svg_of(pawns, width):
    """A picture of pawns on a field of this width and a height of 50."""
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 50">',
           '<rect width="%d" height="50" rx="4" fill="#%02x%02x%02x"/>' % (width, *GREEN)]
    for (circles, body), color in pawns:
        fill = "#%02x%02x%02x" % color
        svg += [f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>' for x, y, r in circles]
        svg.append(f'<polygon points="{" ".join(f"{x},{y}" for x, y in body)}" fill="{fill}"/>')
    return ("\n".join(svg) + "\n</svg>\n").encode()


def rows_of(pawns, width, scale=1):
    """The same picture as rows of pixels, `scale` pixels for a unit."""
    def color_at(x, y):
        for (circles, body), color in pawns:
            if any((x - cx) ** 2 + (y - cy) ** 2 <= r * r for cx, cy, r in circles):
                return color
            inside = False
            for (ax, ay), (bx, by) in zip(body, body[1:] + body[:1]):
                if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                    inside = not inside
            if inside:
                return color
        return GREEN

    def pixel(column, row):
        # Sixteen samples per pixel.
        places = [((column + (i + 0.5) / 4) / scale, (row + (j + 0.5) / 4) / scale) for i in range(4) for j in range(4)]
        return tuple(sum(parts) // 16 for parts in zip(*(color_at(x, y) for x, y in places)))

    return [[pixel(column, row) for column in range(int(width * scale))] for row in range(int(50 * scale))]


def logo():
    pawns = [(pawn(29), IVORY), (pawn(71), BLACK)]
    rows = rows_of(pawns, 100)
    icon = [(pawn(25), IVORY)]
    return {ROOT / "assets/logo.svg": svg_of(pawns, 100),
            ROOT / "assets/logo.bmp": bmp(rows),
            ROOT / "assets/logo.png": png(rows),
            ROOT / "assets/icon.svg": svg_of(icon, 50),
            ROOT / "assets/icon.png": png(rows_of(icon, 50, 128 / 50))}


def bmp(rows):
    pixels = b"".join(bytes((blue, green, red)) for row in reversed(rows) for red, green, blue in row)
    head = struct.pack("<2sIHHI", b"BM", 54 + len(pixels), 0, 0, 54)
    info = struct.pack("<IiiHHIIiiII", 40, len(rows[0]), len(rows), 1, 24, 0, len(pixels), 2835, 2835, 0, 0)
    return head + info + pixels


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = b"".join(b"\0" + bytes(part for color in row for part in color) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    # Not compressed, so that every version of zlib gives the same bytes.
    data = zlib.compress(pixels, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def session(program, lines):
    """The terminal output of the program when these lines are typed, each at a prompt."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm-256color", NO_COLOR="")
        os.execv(program, [program, "play"])
    text = b""
    for line in lines + [None]:
        deadline = time.monotonic() + 30
        quiet_since = time.monotonic()
        # Until there is a prompt and no more output for a second.
        while time.monotonic() < deadline and not (b"> " in text[-200:] and time.monotonic() - quiet_since > 1):
            if select.select([terminal], [], [], 0.2)[0]:
                text += os.read(terminal, 65536)
                quiet_since = time.monotonic()
        if line is not None:
            os.write(terminal, line.encode() + b"\r")
            time.sleep(0.2)
    os.close(terminal)
    os.waitpid(child, 0)
    return text.decode("utf-8", "replace")


COLORS = {137: "#af875f", 94: "#875f00", 67: "#5f87af", 61: "#5f5faf", 160: "#d70000", 231: "#ffffff", 16: "#000000"}


def board(program):
    text = session(program, ["play both", "level depth 10", "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "hint"])
    # The last board, and the lines around it.
    lines = [line.split("\r")[-1] if not line.endswith("\r") else line.rstrip("\r").split("\r")[-1] for line in text.split("\n")]
    lines = [re.sub(r"\x1b\[[0-9]+C|\x1b\[m", "", line) for line in lines]
    lines = [re.sub(r"\x1b\[(K|\?[0-9]+[hl]|[0-9]*[A-DJ])", "", line) for line in lines]
    end = max(i for i, line in enumerate(lines) if line.startswith("    a "))
    shown = [line for line in lines[end - 11:end + 7] if "\x1b[48" in line or line.strip() not in ("", "a6")]
    # The prompt is redrawn at each key, so the last one is put back. Long lines are cut.
    shown = ["White> hint" if line == "hint" else line for line in shown]
    shown = [line[:57] + "…" if len(line) > 58 and "\x1b" not in line else line for line in shown]
    width, step, cell = 620, 24, 10
    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {step * (len(shown) + 1)}" font-family="monospace" font-size="16">',
           f'<rect width="{width}" height="{step * (len(shown) + 1)}" rx="6" fill="#1e1e1e"/>']
    for row, line in enumerate(shown):
        x, y, back, fore = 16, step * (row + 0.5), None, "#dddddd"
        for piece in re.findall(r"\x1b\[[0-9;]*m|[^\x1b]", line):
            if piece.startswith("\x1b"):
                codes = [int(code or 0) for code in piece[2:-1].split(";")]
                if codes == [0]:
                    back, fore = None, "#dddddd"
                if 48 in codes:
                    back = COLORS[codes[codes.index(48) + 2]]
                if 38 in codes:
                    fore = COLORS[codes[codes.index(38) + 2]]
                continue
            if back:
                svg.append(f'<rect x="{x}" y="{y:.0f}" width="{cell + 0.5}" height="{step}" fill="{back}"/>')
            if piece.strip():
                svg.append(f'<text x="{x}" y="{y + 18:.0f}" fill="{fore}">{escaped(piece)}</text>')
            x += cell
    return both("board.svg", "img", ("\n".join(svg) + "\n</svg>\n").encode())


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    match words:
        case ["ladder"]:
            files = ladder()
        case ["learning"]:
            files = learning()
        case ["wdl"]:
            files = wdl()
        case ["memory"]:
            files = memory()
        case ["logo"]:
            files = logo()
        case ["board", program]:
            files = board(os.path.abspath(program))
        case _:
            sys.exit(__doc__)
    for path, content in files.items():
        if "--check" not in sys.argv:
            path.write_bytes(content)
        elif path.read_bytes() != content:
            sys.exit(f"{path} is out of date: run {sys.argv[0]} {words[0]}")


main()
