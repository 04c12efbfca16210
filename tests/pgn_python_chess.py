"""Reads a file of Tabiya's games with python-chess (`pip install chess`) and says how many are right.

    TABIYA_PGN_OUT=/tmp/games.pgn cargo test pgn -- --ignored
    python3 tests/pgn_python_chess.py /tmp/games.pgn

A game is right if it is read without error and ends in the position that its tag FinalFEN names.
"""

import sys

import chess.pgn

games = plies = faults = 0
with open(sys.argv[1], encoding="utf-8") as text:
    while (game := chess.pgn.read_game(text)) is not None:
        games += 1
        node = game.end()
        plies += node.ply() - game.ply()
        final = node.board().fen(en_passant="legal")
        if game.errors or final != game.headers["FinalFEN"]:
            faults += 1
            print(f"game {games}: {game.errors} {final}", file=sys.stderr)
print(f"{games} games, {plies} half-moves, {faults} faults")
sys.exit(faults > 0 or games == 0)
