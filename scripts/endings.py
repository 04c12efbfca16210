#!/usr/bin/env python3
"""Counts the won endings that an engine wins against Stockfish.

    endings.py ENGINE [--nodes N] [--games N] [ENDING ...]

Needs python-chess. An ending (KQK, KBNK, KPK and so on, the winner's pieces first) is set up at random,
with White to move, until Stockfish finds a win for White. Then the engine plays White and Stockfish
Black, both at fixed nodes.
"""

import argparse
import random
import re
import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

try:
    import chess
    import chess.engine
except ImportError:
    sys.exit("endings.py needs python-chess: pip install chess")

ENDINGS = ["KQK", "KRK", "KPK", "KBBK", "KBNK", "KQKR", "KRPKR"]


def setup(ending, rng):
    """A random position with these pieces, White to move; None if illegal or the game is over."""
    board = chess.Board(None)
    colour = chess.BLACK
    for letter in ending:
        if letter == "K":
            colour = not colour
        square = rng.randrange(64)
        if board.piece_at(square) or letter == "P" and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, chess.Piece(chess.Piece.from_symbol(letter).piece_type, colour))
    board.turn = chess.WHITE
    return board if board.is_valid() and not board.is_game_over() else None


def is_won(judge, board, depth):
    """Whether Stockfish finds a win for White."""
    score = judge.analyse(board, chess.engine.Limit(depth=depth))["score"].white()
    return score.score(mate_score=100_000) >= 500


def play(engine, judge, board, nodes):
    """Whether the engine mates with White."""
    limit = chess.engine.Limit(nodes=nodes)
    game = object()
    while not (board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()):
        player = engine if board.turn == chess.WHITE else judge
        board.push(player.play(board, limit, game=game).move)
    return board.is_checkmate() and board.turn == chess.BLACK


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", help="the engine that plays White")
    parser.add_argument("endings", nargs="*", default=ENDINGS, metavar="ENDING", help="endings (all in the list of this script)")
    parser.add_argument("--stockfish", default="stockfish", help="the defender (stockfish)")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move, for both sides (5000)")
    parser.add_argument("--games", type=int, default=20, help="games per ending (20)")
    parser.add_argument("--depth", type=int, default=18, help="depth at which Stockfish judges the start position (18)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (1)")
    arguments = parser.parse_intermixed_args()
    open_engine = chess.engine.SimpleEngine.popen_uci
    with open_engine(arguments.engine) as engine, open_engine(arguments.stockfish) as judge:
        print("| ending | games | won |\n|---|---|---|")
        for ending in map(str.upper, arguments.endings):
            if not re.fullmatch("K[QRBNP]*K[QRBNP]*", ending):
                sys.exit(f"endings.py: {ending} is no ending, such as KRPKR")
            rng = random.Random(f"{arguments.seed} {ending}")
            games = won = not_won = 0
            while games < arguments.games:
                board = setup(ending, rng)
                if not board:
                    continue
                if is_won(judge, board, arguments.depth):
                    games += 1
                    won += play(engine, judge, board, arguments.nodes)
                elif (not_won := not_won + 1) == 1_000 and not games:
                    sys.exit(f"endings.py: White has no win in 1,000 positions of {ending}")
            print(f"| {ending} | {games} | {won} |", flush=True)


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:  # a program or a file that is not there
        sys.exit(f"endings.py: {problem}")
