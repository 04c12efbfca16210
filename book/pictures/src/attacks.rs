//! The look-up of a piece's attacks, step by step.

use crate::position::{Board, names, read_fen, read_square};
use crate::{Refusal, answer};
use serde::Serialize;
use tabiya::board::attacks::insides::{Lookup, look_up};
use tabiya::board::{Position, attacks};
use tabiya::types::{Bitboard, Color, Piece, PieceKind, Square};
use wasm_bindgen::prelude::*;

/// A position, and squares that the reader has filled or emptied.
#[wasm_bindgen]
pub struct AttackPicture {
    position: Position,
    changed: Bitboard,
}

/// What a piece on a square attacks, and how that is found.
#[derive(Debug, Serialize)]
pub struct Attacks {
    /// The letter of the piece, a capital for White.
    pub piece: char,
    /// The attacked squares.
    pub attacks: Vec<String>,
    /// The look-ups: one for a rook or bishop, two for a queen, none for the others.
    pub lookups: Vec<LookupAnswer>,
}

/// One look-up. Words of 64 bits are hexadecimal, because JavaScript has no such numbers.
#[derive(Debug, Serialize)]
pub struct LookupAnswer {
    kind: &'static str,
    mask: Vec<String>,
    relevant: Vec<String>,
    mask_bits: String,
    relevant_bits: String,
    factor: String,
    product: String,
    shift: u32,
    /// Bits of the index.
    width: u32,
    index: usize,
    offset: usize,
    attacks_bits: String,
}

impl LookupAnswer {
    fn new(kind: PieceKind, lookup: &Lookup) -> Self {
        let word = |bits: u64| format!("{bits:016x}");
        Self {
            kind: if kind == PieceKind::Rook {
                "rook"
            } else {
                "bishop"
            },
            mask: names(lookup.mask),
            relevant: names(lookup.relevant),
            mask_bits: word(lookup.mask.0),
            relevant_bits: word(lookup.relevant.0),
            factor: word(lookup.factor),
            product: word(lookup.product),
            shift: lookup.shift,
            width: 64 - lookup.shift,
            index: lookup.index,
            offset: lookup.offset,
            attacks_bits: word(lookup.attacks.0),
        }
    }
}

impl AttackPicture {
    /// A picture of a position.
    ///
    /// # Errors
    /// If no position can be played from the FEN.
    pub fn read(fen: &str) -> Result<Self, Refusal> {
        Ok(Self {
            position: read_fen(fen)?,
            changed: Bitboard::EMPTY,
        })
    }

    /// The occupied squares, with those that the reader has changed.
    fn occupied(&self) -> Bitboard {
        self.position.occupied() ^ self.changed
    }

    /// The board. A blocker that the reader has added has the letter `x`.
    #[must_use]
    pub fn shown(&self) -> Board {
        let mut board = Board::of(&self.position);
        for square in self.changed {
            let name = square.to_string();
            if board.pieces.remove(&name).is_none() {
                board.pieces.insert(name, 'x');
            }
        }
        board
    }

    /// What a piece of a kind on a square attacks. By default it is the piece that stands there, or
    /// a rook.
    ///
    /// # Errors
    /// If the square or the letter of the kind does not exist.
    pub fn look_from(&self, square: &str, kind: &str) -> Result<Attacks, Refusal> {
        let from = read_square(square)?;
        let piece = self.piece(from, kind)?;
        let occupied = self.occupied();
        let wanted: &[PieceKind] = match piece.kind() {
            PieceKind::Rook => &[PieceKind::Rook],
            PieceKind::Bishop => &[PieceKind::Bishop],
            PieceKind::Queen => &[PieceKind::Rook, PieceKind::Bishop],
            _ => &[],
        };
        let lookups = wanted.iter().filter_map(|&kind| {
            let lookup = look_up(kind, from, occupied)?;
            Some(LookupAnswer::new(kind, &lookup))
        });
        Ok(Attacks {
            piece: piece.letter(),
            attacks: names(attacks::of(piece.color(), piece.kind(), from, occupied)),
            lookups: lookups.collect(),
        })
    }

    fn piece(&self, from: Square, kind: &str) -> Result<Piece, Refusal> {
        let standing = self.position.piece_at(from);
        let standing = standing.filter(|_| !self.changed.contains(from));
        let Some(letter) = kind.chars().next() else {
            return Ok(standing.unwrap_or(Piece::WhiteRook));
        };
        let color = standing.map_or(Color::White, Piece::color);
        let kind = PieceKind::from_letter(letter);
        let kind = kind.ok_or_else(|| format!("'{letter}' is not the letter of a piece"))?;
        Ok(Piece::new(color, kind))
    }

    /// Fills an empty square or empties an occupied one, for the attacks only.
    ///
    /// # Errors
    /// If there is no such square.
    pub fn change(&mut self, square: &str) -> Result<(), Refusal> {
        self.changed ^= Bitboard::from_square(read_square(square)?);
        Ok(())
    }
}

#[wasm_bindgen]
impl AttackPicture {
    /// A picture of a position.
    ///
    /// # Errors
    /// If no position can be played from the FEN.
    #[wasm_bindgen(constructor)]
    pub fn new(fen: &str) -> Result<Self, JsError> {
        Self::read(fen).map_err(|refusal| JsError::new(&refusal))
    }

    /// The board: a [`Board`].
    ///
    /// # Errors
    /// Never: all of it can be written.
    pub fn board(&self) -> Result<String, JsError> {
        answer(Ok(self.shown()))
    }

    /// What a piece on a square attacks: [`Attacks`]. See [`look_from`](Self::look_from).
    ///
    /// # Errors
    /// If the square or the letter of the kind does not exist.
    pub fn look(&self, square: &str, kind: &str) -> Result<String, JsError> {
        answer(self.look_from(square, kind))
    }

    /// Fills or empties a square; see [`change`](Self::change).
    ///
    /// # Errors
    /// If there is no such square.
    pub fn toggle(&mut self, square: &str) -> Result<(), JsError> {
        self.change(square)
            .map_err(|refusal| JsError::new(&refusal))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn a_blocker_of_the_reader_shortens_the_line_of_a_rook() {
        let mut picture = AttackPicture::read("4k3/8/8/8/3R4/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(picture.look_from("d4", "").unwrap().attacks.len(), 14);
        picture.change("d5").unwrap();
        let attacks = picture.look_from("d4", "").unwrap();
        assert_eq!(attacks.attacks.len(), 11);
        assert_eq!(attacks.lookups[0].relevant, ["d5"]);
        assert_eq!(picture.shown().pieces["d5"], 'x');
        picture.change("d5").unwrap();
        assert_eq!(picture.look_from("d4", "").unwrap().attacks.len(), 14);
    }

    #[test]
    fn a_queen_takes_two_look_ups_and_a_knight_none() {
        let picture = AttackPicture::read(START).unwrap();
        assert_eq!(picture.look_from("d1", "").unwrap().lookups.len(), 2);
        let knight = picture.look_from("g1", "").unwrap();
        assert!(knight.lookups.is_empty());
        assert_eq!(knight.attacks, ["e2", "f3", "h3"]);
        assert_eq!(picture.look_from("e4", "n").unwrap().attacks.len(), 8);
    }

    #[test]
    fn what_cannot_be_read_is_refused_in_one_sentence() {
        let refused = AttackPicture::read("no position").err().unwrap();
        assert!(!refused.contains('\n') && refused.len() < 120, "{refused}");
        let picture = AttackPicture::read(START).unwrap();
        assert_eq!(
            picture.look_from("e9", "").unwrap_err(),
            "'e9' is not a square"
        );
        let refused = picture.look_from("e4", "y").unwrap_err();
        assert_eq!(refused, "'y' is not the letter of a piece");
    }
}
