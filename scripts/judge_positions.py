#!/usr/bin/env python3
"""Makes a file of positions judged by another engine, for `tabiya-train judge`.

    judge_positions.py [--engine stockfish] GAMES.pgn... > FILE.csv

Needs python-chess. Draws quiet positions at random from games, about one in ten plies. A position is
quiet if the side to move is not in check and the judge's best move is not a capture, a promotion or a
check. A line of the output is a FEN, a semicolon, and the judge's score in centipawns for the side to
move. Positions with a forced mate are left out. No network should be trained on these games.
"""

import argparse
import random
import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

try:
    import chess
    import chess.engine
    import chess.pgn
except ImportError:
    sys.exit("judge_positions.py needs python-chess: pip install chess")


def candidates(paths, rng):
    """About one position in ten plies, without repetitions."""
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
    parser.add_argument("--depth", type=int, default=14, help="search depth of the judge (14)")
    parser.add_argument("--count", type=int, default=1500, help="number of positions (1500)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
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
    try:
        main()
    except OSError as problem:  # a program or a file that is not there
        sys.exit(f"judge_positions.py: {problem}")
