"""Reads a file of Tabiya's games with python-chess (`pip install chess`) and counts the wrong ones.

    TABIYA_PGN_OUT=/tmp/games.pgn cargo test written_games
    python3 tests/pgn_python_chess.py /tmp/games.pgn

A game is right if python-chess reads it without error and it ends in the position of its tag
FinalFEN.
"""

import sys

if {"-h", "--help"} & set(sys.argv[1:]):
    print(__doc__.strip())
    sys.exit()

import chess.pgn

games = plies = wrong = 0
with open(sys.argv[1], encoding="utf-8") as text:
    while (game := chess.pgn.read_game(text)) is not None:
        games += 1
        node = game.end()
        plies += node.ply() - game.ply()
        final = node.board().fen(en_passant="legal")
        if game.errors or final != game.headers["FinalFEN"]:
            wrong += 1
            print(f"game {games}: {game.errors} {final}", file=sys.stderr)
print(f"{games} games, {plies} half-moves, {wrong} wrong")
sys.exit(wrong > 0 or games == 0)
