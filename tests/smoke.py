"""Plays whole games of the engine against itself through python-chess, an independent UCI client.

The client ends the game on an illegal move, and the clock is watched here. Usage: smoke.py PATH_TO_ENGINE
"""

import sys
import time

import chess
import chess.engine

# Name, start, whether it is Chess960, seconds for the game and for each move.
GAMES = [
    ("standard", chess.STARTING_FEN, False, 3.0, 0.03),
    ("Chess960", "bqnb1rkr/pppppppp/2n5/8/8/2N5/PPPPPPPP/BQNB1RKR w HFhf - 0 1", True, 3.0, 0.03),
    ("ending", "8/8/8/3Kp3/4Pk2/8/8/R7 w - - 0 1", False, 1.0, 0.01),
]


def play(engine, name, fen, chess960, seconds, increment):
    board = chess.Board(fen, chess960=chess960)
    clock = {chess.WHITE: seconds, chess.BLACK: seconds}
    # python-chess draws by itself: threefold repetition and fifty moves count as the end.
    while not board.is_game_over(claim_draw=True):
        limit = chess.engine.Limit(
            white_clock=clock[chess.WHITE],
            black_clock=clock[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        start = time.monotonic()
        result = engine.play(board, limit, game=name)
        clock[board.turn] -= time.monotonic() - start
        if result.move is None or result.resigned:
            sys.exit(f"{name}: no move in {board.fen()}")
        if clock[board.turn] < 0:
            sys.exit(f"{name}: out of time in {board.fen()}")
        clock[board.turn] += increment
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    print(f"{name}: {outcome.result()} by {outcome.termination.name}, {board.ply()} plies", flush=True)


def main():
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=10) as engine:
        print(engine.id["name"])
        for game in GAMES:
            play(engine, *game)
        # A limit of each kind, and the end of input, with which `with` leaves.
        board = chess.Board()
        for limit in (
            chess.engine.Limit(depth=5),
            chess.engine.Limit(nodes=1000),
            chess.engine.Limit(time=0.05),
            chess.engine.Limit(mate=1, time=0.2),
        ):
            info = engine.analyse(board, limit)
            assert info["pv"][0] in board.legal_moves, info
        mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"), chess.engine.Limit(depth=4))
        assert mate["score"].white() == chess.engine.Mate(1), mate
    print("smoke: fine")


main()
