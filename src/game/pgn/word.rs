//! A word in the place of a move: the move, and the marks and signs at its end.

use super::lexer::{is_of_sign, sign};
use super::text::is_blank;
use crate::board::Position;
use crate::game::san::{self, is_dash};
use crate::types::Move;

/// A word in the place of a move, as ChessBase and other programs write it: with figurines, `OO`,
/// `a8(Q)`, `a8/Q`, typographic signs, or a sign that judges the position at its end.
pub(super) struct Word {
    /// The move, in standard notation as far as it can be known without the position.
    pub(super) mv: String,
    /// The glyphs of the marks and signs after it.
    pub(super) glyphs: Vec<u8>,
}

impl Word {
    pub(super) fn read(text: &str) -> Self {
        let mut plain = String::new();
        for letter in text.chars().filter(|&letter| !is_blank(letter)) {
            match letter {
                '×' => plain.push('x'),
                '†' | '‡' => plain.push('+'),
                '‼' => plain.push_str("!!"),
                '⁇' => plain.push_str("??"),
                '⁉' => plain.push_str("!?"),
                '⁈' => plain.push_str("?!"),
                _ if is_dash(letter) => plain.push('-'),
                _ if letter != 'o' && letter != '0' && san::is_castling_letter(letter) => {
                    plain.push('O');
                }
                _ => plain.extend(without_figurine(letter)),
            }
        }
        let is_check = |letter| "+#!?".contains(letter);
        let bare = plain.trim_end_matches(is_check);
        let is_tail = |letter| is_of_sign(letter) || is_check(letter);
        let length = if bare.ends_with(is_of_sign) {
            bare.trim_end_matches(is_tail).len()
        } else {
            bare.len()
        };
        let (mv, tail) = plain.split_at(length);
        let (before, marks) = tail.split_at(tail.find(['!', '?']).unwrap_or(tail.len()));
        let after = marks.trim_start_matches(['!', '?']);
        let marks = marks.strip_suffix(after).unwrap_or(marks);
        // The sign of a check is not a part of the sign after it, unless it is one with it.
        let before = sign(before).or_else(|| sign(before.trim_start_matches(['+', '#'])));
        let glyphs = [before, sign(marks), sign(after)];
        let mv = match mv {
            "OO" | "00" => "O-O".to_owned(),
            "OOO" | "000" => "O-O-O".to_owned(),
            _ => mv.replace(['(', '/'], "=").replace(')', ""),
        };
        Self {
            mv,
            glyphs: glyphs.into_iter().flatten().collect(),
        }
    }
}

/// Whether the text has the form of the standard, for this move. Marks after it and superfluous
/// origins do not matter.
pub(super) fn is_standard(position: &Position, played: Move, mv: &str, text: &str) -> bool {
    let captures = mv.contains(['x', ':']) && !position.is_capture(played);
    let is_hyphenated = mv.contains('-') && !played.is_castling();
    let is_kings_move = played.is_castling() && mv.starts_with(|letter| !"O0o".contains(letter));
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let is_long = mv.contains('-') && mv.starts_with(['K', 'Q', 'R', 'B', 'N']);
    bare == mv && !captures && (!is_hyphenated || is_long) && (!is_kings_move || !mv.contains('-'))
}

fn without_figurine(letter: char) -> Option<char> {
    match letter {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' => None,
        _ => Some(letter),
    }
}
