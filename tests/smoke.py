"""Plays and analyses with python-chess, an independent client, in UCI and in XBoard's protocol.

python-chess fails on an illegal move. This script checks the clock. Usage: smoke.py PATH_TO_ENGINE
"""

import sys
import time

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

import chess
import chess.engine
from chess.engine import Limit, Mate, Opponent, SimpleEngine

# Name, start position, Chess960 or not, seconds per game, seconds per move, pondering or not.
GAMES = [
    ("standard", chess.STARTING_FEN, False, 2.0, 0.08, False),
    ("Chess960", "bqnb1rkr/pppppppp/2n5/8/8/2N5/PPPPPPPP/BQNB1RKR w HFhf - 0 1", True, 2.0, 0.08, False),
    ("ending", "8/8/8/3Kp3/4Pk2/8/8/R7 w - - 0 1", False, 1.0, 0.05, False),
    ("pondering", chess.STARTING_FEN, False, 2.0, 0.08, True),
]
# Safety margin in seconds, because a busy machine delays a program.
MARGIN = 0.4
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
# White is worse and may repeat.
REPEATED = "6k1/5ppp/8/8/8/7P/q4PP1/6K1 w - - 0 1"

# The options that lichess-bot's `config.yml.default` of August 2026 sets for UCI, and those in its
# examples for XBoard. lichess-bot fails if an option is missing. The folder of tablebases usually
# does not exist.
LICHESS_BOT = {
    "UCI": {"Move Overhead": 100, "Threads": 4, "Hash": 512, "SyzygyPath": "./syzygy/", "UCI_ShowWDL": True},
    "XBoard": {"cores": 4, "memory": 512, "egtpath syzygy": "./syzygy/"},
}


class Failed(Exception):
    """A failed check, with details."""


def play(engine, name, fen, chess960, seconds, increment, ponder):
    """Plays a game of the engine against itself."""
    board = chess.Board(fen, chess960=chess960)
    clock = {chess.WHITE: seconds, chess.BLACK: seconds}
    # Threefold repetition and fifty moves end the game.
    while not board.is_game_over(claim_draw=True):
        limit = Limit(
            white_clock=max(clock[chess.WHITE] - MARGIN, 0.001),
            black_clock=max(clock[chess.BLACK] - MARGIN, 0.001),
            white_inc=increment,
            black_inc=increment,
        )
        start = time.monotonic()
        result = engine.play(board, limit, game=name, ponder=ponder, info=chess.engine.INFO_ALL)
        clock[board.turn] -= time.monotonic() - start
        if result.move is None or result.resigned:
            raise Failed(f"{name}: no move in {board.fen()}")
        if clock[board.turn] < 0:
            raise Failed(f"{name}: out of time in {board.fen()}")
        if result.info["pv"][0] != result.move:
            raise Failed(f"{name}: {result.move} is not the move of the PV in {board.fen()}: {result.info}")
        clock[board.turn] += increment
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    print(f"{name}: {outcome.result()} by {outcome.termination.name}, {board.ply()} plies", flush=True)


def analyse(engine, limits):
    """Tests each kind of limit, a mate, given root moves, and an analysis that is stopped."""
    board = chess.Board()
    for limit in limits:
        info = engine.analyse(board, limit)
        check(info["pv"][0] in board.legal_moves, info)
    mate = engine.analyse(chess.Board(MATE_IN_ONE), Limit(depth=4))
    check(mate["score"].white() == Mate(1), mate)
    given = chess.Move.from_uci("a2a4")
    info = engine.analyse(board, Limit(depth=4), root_moves=[given])
    check(info["pv"][0] == given, info)
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 8:
                break
        else:
            raise Failed("the analysis ended by itself")


def as_lichess_bot(engine, options):
    """Sends the commands of lichess-bot in a game.

    These are the options, the opponent, a fixed time for the first move, then the clock and
    pondering, a repeated position, the result, and a ping.
    """
    engine.configure(options)
    board = chess.Board()
    engine.send_opponent_information(opponent=Opponent("stranger", "BOT", 2000, True), engine_rating=2500)
    limits = [Limit(time=0.5, clock_id="first move")]
    limits += [Limit(white_clock=3, black_clock=3, white_inc=0, black_inc=0, clock_id="real time")] * 6
    for number, limit in enumerate(limits):
        result = engine.play(board, limit, info=chess.engine.INFO_ALL, ponder=number > 0, draw_offered=number == 3)
        check("score" in result.info, result)
        check("UCI_ShowWDL" not in options or "wdl" in result.info, result)
        board.push(result.move)
        # The opponent's first legal moves can let it be mated.
        if board.is_game_over():
            break
        # Every second reply is the expected one.
        board.push(result.ponder if result.ponder and number % 2 else next(iter(board.legal_moves)))
    engine.send_opponent_information(opponent=Opponent("stranger", "BOT", 3000, True), engine_rating=2500)
    # Lichess does not end the game at the third occurrence. The engine must move, in XBoard's
    # protocol with an offer.
    board = chess.Board(REPEATED)
    for move in "g1h2 a2b2 h2g1 b2a2 g1h2 a2b2 h2g1 b2a2".split():
        board.push_uci(move)
    limit = Limit(white_clock=3, black_clock=3, white_inc=0, black_inc=0, clock_id="real time")
    result = engine.play(board, limit, info=chess.engine.INFO_ALL, ponder=True)
    check(result.move in board.legal_moves, result)
    check(result.draw_offered == ("memory" in options), result)
    board.push(result.move)
    engine.send_game_result(board, chess.WHITE, "stranger resigned")
    engine.ping()
    engine.quit()


def check(holds, info):
    if not holds:
        raise Failed(str(info))


def main():
    path = sys.argv[1]
    opened = {"UCI": SimpleEngine.popen_uci, "XBoard": SimpleEngine.popen_xboard}
    limits = {
        "UCI": [Limit(depth=5), Limit(nodes=1000), Limit(time=0.05), Limit(mate=1, time=0.2)],
        "XBoard": [Limit(depth=5), Limit(time=0.05)],
    }
    for protocol, popen in opened.items():
        with popen(path, timeout=10) as engine:
            print(f"{engine.id.get('name')}, {protocol}", flush=True)
            engine.configure({"Hash" if protocol == "UCI" else "memory": 8})
            for game in GAMES:
                play(engine, *game)
            analyse(engine, limits[protocol])
            engine.quit()
        with popen(path, timeout=10) as engine:
            as_lichess_bot(engine, LICHESS_BOT[protocol])
            print("as lichess-bot: ok", flush=True)
        # Only UCI has MultiPV.
        if protocol == "UCI":
            with popen(path, timeout=10) as engine:
                lines = engine.analyse(chess.Board(), Limit(depth=5), multipv=3)
                check(len({line["pv"][0] for line in lines}) == 3, lines)
    print("smoke: ok")


try:
    main()
except (Failed, chess.engine.EngineError) as error:
    sys.exit(f"smoke: {error!r}")
