//! What the fuzz targets share: positions to check, and lines of a session.

use tabiya::board::Position;
use tabiya::game::{lan, san};
use tabiya::types::CastlingMode;

/// Checks a position: its text and the text of its moves read back equal, and each legal move leads
/// to a position equal to the one read from its FEN.
///
/// # Panics
/// If a property does not hold.
pub fn check_position(position: &Position) {
    let reread = |position: &Position| {
        let read = Position::from_fen_repaired(&position.to_string(), None)
            .unwrap_or_else(|error| panic!("{position}: {error}"));
        read.position
    };
    assert_eq!(reread(position).to_string(), position.to_string());
    assert_eq!(reread(position).key(), position.key(), "{position}");
    for mv in position.legal_moves() {
        assert!(position.is_legal(mv));
        let text = lan::write(mv, CastlingMode::Chess960);
        assert_eq!(lan::parse(position, &text), Ok(mv), "{position} {text}");
        let text = san::write(position, mv);
        assert_eq!(san::parse(position, &text), Ok(mv), "{position} {text}");
        let next = position.play_unchecked(mv);
        assert_eq!(reread(&next).key(), next.key(), "{position} {text}");
    }
}

/// Maximum number of lines of a session.
const MAX_LINES: usize = 64;

/// The lines of a session, without those that write files or take much time or memory.
pub fn session_lines(data: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(data);
    let lines = text.split('\n').filter(|line| is_harmless(line));
    lines.take(MAX_LINES).map(str::to_owned).collect()
}

/// Whether a line neither writes a file nor asks for much time or memory.
fn is_harmless(line: &str) -> bool {
    let is_letter = |letter: &char| !matches!(letter, ' ' | '_' | '-');
    let letters: String = line
        .to_ascii_lowercase()
        .chars()
        .filter(is_letter)
        .collect();
    let has = |words: &[&str]| words.iter().any(|word| letters.contains(word));
    let digits = letters.chars().filter(char::is_ascii_digit).count();
    let writes = has(&["log"]);
    let is_long = has(&["bench"]) || has(&["perft"]) && !line.ends_with("perft 2");
    let is_large = has(&["hash", "memory", "threads", "cores", "cpus"]) && digits > 1;
    !writes && !is_long && !is_large
}
