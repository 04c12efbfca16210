#!/usr/bin/env python3
"""Positions judged by another engine, for `tabiya judge`: judge_positions.py [--engine stockfish] GAMES.pgn... > FILE.csv

Needs python-chess. Quiet positions are drawn at random from games, at most one in ten plies: nobody is in check, and the
judge's best move is no capture, no promotion and gives no check. A line is a FEN, a semicolon, and the judge's score in centipawns for
the side to move. Mates are left out. A network must never learn from games that these come from.
"""

import argparse
import random
import sys

import chess
import chess.engine
import chess.pgn


def candidates(paths, rng):
    """One position in ten plies or so, no two alike."""
    seen = set()
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            while game := chess.pgn.read_game(file):
                board = game.board()
                for move in game.mainline_moves():
                    board.push(move)
                    if rng.random() < 0.1 and not board.is_check() and not board.is_game_over() and board.epd() not in seen:
                        seen.add(board.epd())
                        yield board.copy(stack=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="stockfish", help="the judge (stockfish)")
    parser.add_argument("--depth", type=int, default=14, help="how deep it searches (14)")
    parser.add_argument("--count", type=int, default=1500, help="how many positions (1500)")
    parser.add_argument("--seed", type=int, default=1, help="which ones (1)")
    parser.add_argument("games", nargs="+", help="PGN files")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    boards = list(candidates(arguments.games, rng))
    rng.shuffle(boards)
    found = 0
    with chess.engine.SimpleEngine.popen_uci(arguments.engine) as judge:
        for board in boards:
            if found == arguments.count:
                break
            info = judge.analyse(board, chess.engine.Limit(depth=arguments.depth))
            score, best = info["score"].relative.score(), info["pv"][0]
            if score is None or board.is_capture(best) or best.promotion or board.gives_check(best):
                continue
            print(f"{board.fen()};{score}", flush=True)
            found += 1
    if found < arguments.count:
        print(f"only {found} quiet positions in these games", file=sys.stderr)


if __name__ == "__main__":
    main()
