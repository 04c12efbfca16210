//! Positions as people paste them: FEN of four to six fields, EPD, several in a file, with quotes
//! around, a blank too many or a line break inside.

use tabiya::board::{Defect, Epd, Setup, Severity, is_epd_operations};
use tabiya::game::pgn::{GameTree, Note};
use tabiya::types::CastlingMode;

/// A board with fewer slashes than this continues on the next line.
const SLASHES: usize = 7;
/// A word with this many slashes is meant as a board, complete or not.
const LEAST_SLASHES: usize = 3;

/// A position of a text.
pub(crate) struct Found {
    /// The line on which it begins, from 1.
    pub(crate) line: usize,
    /// The text, on one line.
    text: String,
    /// Number of slashes in the board, which may go on on the next line.
    slashes: usize,
}

/// The positions of a text; none if it is something else, such as PGN.
pub(crate) fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = clean(line);
        let Some(first) = line.split_ascii_whitespace().next() else {
            continue;
        };
        match found.last_mut() {
            Some(last) if last.slashes < SLASHES && first.contains('/') => {
                let ends_rank = last.text.ends_with('/') || first.starts_with('/');
                last.text.push_str(if ends_rank { "" } else { "/" });
                last.slashes += slashes(first) + usize::from(!ends_rank);
                last.text.push_str(&line);
            }
            Some(last) if !is_board(first) => {
                last.text.push(' ');
                last.text.push_str(&line);
            }
            None if !is_board(first) => return Vec::new(),
            _ => found.push(Found {
                line: index + 1,
                slashes: slashes(first),
                text: line,
            }),
        }
    }
    found
}

fn slashes(word: &str) -> usize {
    word.matches('/').count()
}

fn is_board(word: &str) -> bool {
    let is_piece = |letter: char| letter.is_ascii_alphanumeric() || letter == '/';
    slashes(word) >= LEAST_SLASHES && word.chars().all(is_piece)
}

/// Removes what surrounds a FEN in programs and on web pages. Addresses have `_` for blanks.
fn clean(line: &str) -> String {
    let line = without_quotes(line);
    let line = ["position fen", "FEN:", "FEN", "fen:", "fen"]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    let line = without_quotes(line);
    let line = if line.contains(char::is_whitespace) {
        line.to_owned()
    } else {
        line.replace('_', " ")
    };
    line.replace(['–', '—', '−'], "-")
}

fn without_quotes(line: &str) -> &str {
    let is_around = |letter: char| letter.is_whitespace() || "\"'`,“”‘’«»\u{FEFF}".contains(letter);
    let line = line.trim_start_matches(is_around);
    // The last quote may be that of an operand, such as `id "1"`.
    let is_paired = line.matches('"').count().is_multiple_of(2);
    line.trim_end_matches(|letter| is_around(letter) && !(is_paired && letter == '"'))
}

impl Found {
    /// A game that starts from the position, and what was wrong with the text.
    ///
    /// # Errors
    /// One sentence, if the position cannot be played.
    pub(crate) fn read(
        &self,
        mode: Option<CastlingMode>,
    ) -> Result<(GameTree, Vec<String>), String> {
        let epd: Epd = self.text.parse().map_err(|error| self.locate(error))?;
        let validated = epd.setup.validate(mode.unwrap_or(epd.mode));
        let validated = validated.map_err(|error| self.locate(error))?;
        let repairs = validated.repairs();
        let mut faults: Vec<_> = repairs
            .iter()
            .map(|defect| self.locate(format_args!("{defect}; this was corrected")))
            .collect();
        let mut game = GameTree::new(validated.position, validated.mode);
        if !epd.operations.is_empty() && is_epd_operations(&epd.operations) {
            let notes = vec![Note::Comment(epd.operations)];
            // The start is always there.
            let _ = game.set_notes(game.cursor(), notes);
        } else if !epd.operations.is_empty() {
            let rest = &epd.operations;
            faults.push(self.locate(format_args!("'{rest}' after the position was ignored")));
        }
        Ok((game, faults))
    }

    fn locate(&self, fault: impl std::fmt::Display) -> String {
        format!("line {}: {fault}", self.line)
    }
}

/// What is wrong with a position, the worst first: severity and sentence. The text need not be
/// playable, or a FEN.
pub(crate) fn examine(fen: &str, mode: Option<CastlingMode>) -> Vec<(&'static str, String)> {
    let epd: Epd = match fen.parse() {
        Ok(epd) => epd,
        Err(error) => return vec![("fatal", format!("{error}"))],
    };
    let setup: Setup = epd.setup;
    let defects = match setup.validate(mode.unwrap_or(epd.mode)) {
        Ok(validated) => validated.defects,
        Err(error) => error.0,
    };
    let severity = |defect: Defect| match defect.severity() {
        Severity::Fatal => "fatal",
        Severity::Repairable => "repair",
        Severity::Suspicious => "warn",
    };
    defects
        .iter()
        .map(|defect| (severity(defect), defect.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

    fn fens(text: &str) -> Vec<String> {
        let read = |found: &Found| match found.read(None) {
            Ok((game, _)) => game.position().to_fen(game.mode()),
            Err(error) => error,
        };
        find(text).iter().map(read).collect()
    }

    #[test]
    fn a_fen_is_read_as_people_paste_it() {
        let four = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -";
        let forms = [
            FEN.to_owned(),
            format!("  \"{FEN}\",\r\n"),
            format!("“{FEN}”"),
            format!("FEN: {FEN}"),
            format!("position fen {FEN}"),
            FEN.replace(' ', "  "),
            FEN.replace(' ', "_"),
            FEN.replace(' ', "\n"),
            FEN.replace("4p3/", "4p3/\n"),
            FEN.replace("4p3/", "4p3\n/"),
            FEN.replace("4p3/", "4p3\n"),
            FEN.replace(" - ", " – "),
        ];
        for form in forms {
            assert_eq!(fens(&form), [FEN], "{form:?}");
        }
        assert_eq!(fens(four), [format!("{four} 0 1")]);
    }

    #[test]
    fn a_pgn_is_not_a_position() {
        for text in [
            "",
            "1. e4 e5 1/2-1/2",
            "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n\n*",
            "hello",
        ] {
            assert!(find(text).is_empty(), "{text:?}");
        }
    }

    #[test]
    fn an_epd_file_has_several_positions_with_their_operations() {
        let text = format!("{FEN}\n8/8/8/8/8/k7/p7/K7 w - - bm a1b1; id \"a/b/c/d\";\n");
        let found = find(&text);
        assert_eq!([found[0].line, found[1].line, found.len()], [1, 2, 2]);
        let (game, faults) = found[1].read(None).unwrap();
        let operations = "bm a1b1; id \"a/b/c/d\";".to_owned();
        assert_eq!(game.notes(game.cursor()), [Note::Comment(operations)]);
        assert!(faults.is_empty());
        // As suites write them.
        for operations in ["bm a1b1", ";D1 1 ;D2 3", "id \"x\""] {
            let line = format!("8/8/8/8/8/k7/p7/K7 w - - {operations}");
            let (game, faults) = find(&line)[0].read(None).unwrap();
            let note = Note::Comment(operations.to_owned());
            assert_eq!((game.notes(game.cursor()), faults.len()), (&[note][..], 0));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let faults = |text: &str| find(text)[0].read(None).map(|(_, faults)| faults);
        let repaired = "line 2: a castling right lacks its king or rook; this was corrected";
        assert_eq!(
            faults("\n4k3/8/8/8/8/8/8/4K3 w K - 0 1").unwrap(),
            [repaired]
        );
        assert_eq!(
            faults("4k3/8/8/8/8/8/8/4K3 w - - 0 1 and more").unwrap(),
            ["line 1: 'and more' after the position was ignored"]
        );
        let error = faults("4k3/8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
        assert_eq!(error, "line 1: illegal position: White has no king");
        let error = faults("4k3/8/8/8 w").unwrap_err();
        assert_eq!(error, "line 1: bad FEN: the board needs 8 ranks, not 4");
    }

    #[test]
    fn defects_are_named_with_their_severity() {
        let found = examine("ppppppppp/8/8/8/8/8/8/8 w - - 0 1", None);
        assert_eq!(found[0].0, "fatal");
        let found = examine("4k3/ppppppp1/ppp5/8/8/8/8/4K3 w K - 0 1", None);
        let expected = [
            ("repair", "a castling right lacks its king or rook"),
            ("warn", "Black has more than 8 pawns"),
        ];
        let expected = expected.map(|(severity, text)| (severity, text.to_owned()));
        assert_eq!(found[..2], expected);
        assert!(examine(FEN, None).is_empty());
    }
}
