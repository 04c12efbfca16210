//! The static evaluation, and what each piece is worth: `eval` of UCI, of the console and of the
//! command line.

use crate::board::Position;
use crate::engine::{Engine, normalized_score};
use crate::types::{File, Piece, PieceKind, Rank, Score, Square};
use std::io::{self, Write};

/// Prints the static evaluation, and what each piece is worth.
pub(super) fn print(
    output: &mut impl Write,
    engine: &Engine,
    position: &Position,
) -> io::Result<()> {
    let for_white =
        |position: &Position| engine.evaluate(position).for_white(position.side_to_move());
    let score = for_white(position);
    writeln!(
        output,
        "Static evaluation: {}, {} to move\n\n\
         From White's side, in pawns: +1.00 is a chance of 50 % to win. Below each\n\
         piece, what it is worth on its square: the evaluation with it minus the\n\
         evaluation without it.",
        normalized_score(score, position).in_pawns(),
        position.side_to_move()
    )?;
    let worth = |square: Square| {
        let mut setup = position.to_setup();
        let piece = setup.board.get_mut(square.index())?.take()?;
        if piece.kind() == PieceKind::King {
            return None;
        }
        // Without the piece, the side not to move may be in check.
        let without = setup.validate(engine.castling_mode()).ok()?;
        let worth = Score(score - for_white(&without.position));
        Some(normalized_score(worth, position).in_pawns())
    };
    const RULE: &str = " +-------+-------+-------+-------+-------+-------+-------+-------+";
    writeln!(output, "\n{RULE}")?;
    for rank in Rank::ALL.into_iter().rev() {
        let squares = File::ALL.map(|file| Square::new(file, rank));
        for square in squares {
            let piece = position.piece_at(square).map_or(' ', Piece::letter);
            write!(output, " |   {piece}  ")?;
        }
        writeln!(output, " | {rank}")?;
        for square in squares {
            write!(output, " |{:>6}", worth(square).unwrap_or_default())?;
        }
        writeln!(output, " |\n{RULE}")?;
    }
    writeln!(
        output,
        "     a       b       c       d       e       f       g       h"
    )
}
