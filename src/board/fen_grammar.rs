//! Deviations of a readable FEN from the grammar of the PGN standard (16.1).

use std::fmt;

/// A deviation from the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenDeviation {
    /// The number of fields is not six.
    Fields,
    /// Fields are not separated by exactly one blank, or blanks surround the text.
    Blanks,
    /// A rank has two digits in a row.
    Digits,
    /// The side to move is not `w` or `b`.
    Side,
    /// The castling field is not `-`, a subset of `KQkq` in this order, or files such as `HAha` for
    /// Chess960.
    Castling,
    /// The en passant field is not `-` or a lower-case square on the third or sixth rank.
    EnPassant,
    /// A counter has a leading zero, or the move number is 0.
    Counter,
}

impl fmt::Display for FenDeviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fields => "a FEN has six fields",
            Self::Blanks => "fields are separated by one blank each",
            Self::Digits => "two digits stand side by side in a rank",
            Self::Side => "the side to move is 'w' or 'b'",
            Self::Castling => "castling rights are '-', some of KQkq in this order, or files of rooks such as HAha",
            Self::EnPassant => "an en passant square is on the third or sixth rank",
            Self::Counter => "a counter has no zero in front, and the first move is number 1",
        })
    }
}

/// The deviations of a text that was read as a FEN, in the order of [`FenDeviation`].
///
/// ```
/// use tabiya::board::{FenDeviation, fen_deviations};
/// assert_eq!(fen_deviations("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), []);
/// assert_eq!(fen_deviations("4k3/8/8/8/8/8/8/13K12 w - - 0 1"), [FenDeviation::Digits]);
/// ```
pub fn fen_deviations(text: &str) -> Vec<FenDeviation> {
    let fields: Vec<_> = text.split_whitespace().collect();
    let field = |index: usize| fields.get(index).copied();
    let is_right = |index: usize, test: fn(&str) -> bool| field(index).is_none_or(test);
    let checks = [
        (FenDeviation::Fields, fields.len() == 6),
        (
            FenDeviation::Blanks,
            text.split(' ').eq(fields.iter().copied()),
        ),
        (FenDeviation::Digits, is_right(0, has_lone_digits)),
        (
            FenDeviation::Side,
            is_right(1, |side| ["w", "b"].contains(&side)),
        ),
        (FenDeviation::Castling, is_right(2, is_castling)),
        (FenDeviation::EnPassant, is_right(3, is_en_passant)),
        (
            FenDeviation::Counter,
            is_right(4, is_plain_number)
                && is_right(5, |text| is_plain_number(text) && text != "0"),
        ),
    ];
    let deviations = checks.into_iter().filter(|&(_, holds)| !holds);
    deviations.map(|(deviation, _)| deviation).collect()
}

fn has_lone_digits(board: &str) -> bool {
    let is_digit = u8::is_ascii_digit;
    let mut pairs = board.as_bytes().windows(2);
    !pairs.any(|pair| pair.iter().all(is_digit))
}

fn is_castling(text: &str) -> bool {
    let white = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let (white, black) = text.as_bytes().split_at(white);
    text == "-"
        || !text.is_empty()
            && black.iter().all(u8::is_ascii_lowercase)
            && is_side_castling(white)
            && is_side_castling(black)
}

/// X-FEN: `K` and `Q` for the outermost rooks, files for inner ones. The king side, or the file
/// farther right, comes first.
fn is_side_castling(letters: &[u8]) -> bool {
    match letters.to_ascii_lowercase()[..] {
        [] | [b'k' | b'q' | b'a'..=b'h'] | [b'k', b'q' | b'a'..=b'h'] | [b'a'..=b'h', b'q'] => true,
        [first @ b'a'..=b'h', second @ b'a'..=b'h'] => first > second,
        _ => false,
    }
}

fn is_en_passant(text: &str) -> bool {
    text == "-" || matches!(text.as_bytes(), [b'a'..=b'h', b'3' | b'6'])
}

fn is_plain_number(text: &str) -> bool {
    text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::FenDeviation::*;
    use super::*;

    #[test]
    fn every_deviation_is_reported() {
        let table: &[(&str, &[FenDeviation])] = &[
            (
                "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
                &[],
            ),
            ("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", &[]),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 12 40",
                &[],
            ),
            ("1r2kr2/8/8/8/8/8/8/RR2K1R1 w GBfq - 0 1", &[]),
            ("1r2kr2/8/8/8/8/8/8/RR2K1R1 w GQkb - 0 1", &[]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w AHha - 0 1", &[Castling]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w kqKQ - 0 1", &[Castling]),
            ("4k3/8/8/8/8/8/8/4K111 w - - 0 1", &[Digits]),
            ("4k3/8/8/8/8/8/8/4K3 w - -", &[Fields]),
            ("4k3/8/8/8/8/8/8/4K3", &[Fields]),
            (" 4k3/8/8/8/8/8/8/4K3 w - - 0  1", &[Blanks]),
            ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", &[Side]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w QKkq - 0 1", &[Castling]),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KKq - 0 1", &[Castling]),
            ("4k3/8/8/8/8/8/8/4K3 w - e5 0 1", &[EnPassant]),
            ("4k3/8/8/8/8/8/8/4K3 w - - 00 1", &[Counter]),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", &[Counter]),
        ];
        for (text, expected) in table {
            assert_eq!(fen_deviations(text), *expected, "{text}");
        }
    }
}
