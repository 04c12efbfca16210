//! What an analysis writes next to the moves: evaluations, marks and better lines. Those of an
//! earlier analysis are recognised by the comment at the end of the line, and replaced.

use crate::game::pgn::{Note, PgnGame};
use crate::game::san;
use crate::review::{Evaluation, Mark, Summary, moves};
use crate::types::Color;

/// The tag with the name of the analyst. That of a person or another program is kept.
const ANNOTATOR: &str = "Annotator";

const NAME: &str = "Tabiya";

/// The tags with the summary of each player's moves.
pub(super) const SUMMARY_TAGS: [(Color, &str); Color::COUNT] = [
    (Color::White, "WhiteAnalysis"),
    (Color::Black, "BlackAnalysis"),
];

/// The tags that an analysis sets.
pub(super) const OWN_TAGS: [&str; 3] = [ANNOTATOR, SUMMARY_TAGS[0].1, SUMMARY_TAGS[1].1];

/// Whether an analysis sets this tag.
pub(super) fn is_own_tag(name: &str) -> bool {
    OWN_TAGS.contains(&name)
}

/// Adds the search results to the game.
pub(super) fn annotated(pgn: &PgnGame, found: &[Evaluation]) -> PgnGame {
    let mut annotated = pgn.clone();
    let is_own = |name: &str| name.starts_with(NAME);
    if annotated.tag(ANNOTATOR).is_none_or(|name| is_own(&name)) {
        // The value is a valid tag.
        let _ = annotated.set_tag(ANNOTATOR, concat!("Tabiya ", env!("CARGO_PKG_VERSION")));
    }
    for (color, tag) in SUMMARY_TAGS {
        let summary = Summary::of(color, pgn.history(), found).to_string();
        // The value is a valid tag.
        let _ = annotated.set_tag(tag, &summary);
    }
    for (plies, review) in (1..).zip(moves(pgn.history(), found)) {
        let old = without_own(annotated.notes(plies));
        annotated.retain_notes(plies, |_| false);
        let has_mark = old.iter().any(|note| matches!(note, Note::Glyph(1..=6)));
        let (glyphs, others): (Vec<_>, Vec<_>) = old
            .into_iter()
            .partition(|note| matches!(note, Note::Glyph(_)));
        let has_variation = others.iter().any(|note| matches!(note, Note::Variation(_)));
        let mark = review.mark().map(Mark::sign);
        let own_mark = mark.filter(|_| !has_mark);
        let eval = review.after.score.map(|score| {
            let shown = score.for_white(!review.mover()).in_pawns();
            Note::Comment(format!("[%eval {}]", shown.trim_start_matches('+')))
        });
        // A move that already has a mark and a variation needs no other variation.
        let better = mark.filter(|_| !(has_mark && has_variation)).map(|_| {
            own_line(
                &san::write_line(review.position, &review.before.line),
                own_mark,
            )
        });
        let new = glyphs
            .into_iter()
            .chain(own_mark.and_then(Note::mark))
            .chain(eval);
        for note in new
            .chain(others.into_iter().map(without_eval))
            .chain(better)
        {
            annotated.add_note(plies, note);
        }
    }
    annotated
}

/// A better line, with the mark that the analysis gave to the move played.
fn own_line(line: &str, mark: Option<&str>) -> Note {
    let mark = mark.map(|mark| format!(" {mark}")).unwrap_or_default();
    Note::Variation(format!("{line} {{{NAME}{mark}}}"))
}

/// The notes without those of an earlier analysis, other than evaluations.
fn without_own(notes: &[Note]) -> Vec<Note> {
    let signature = |note: &Note| match note {
        Note::Variation(text) => {
            let (_, comment) = text.strip_suffix('}')?.rsplit_once('{')?;
            // Other programs write blanks inside the braces.
            let mark = comment.trim().strip_prefix(NAME)?.trim();
            (mark.is_empty() || Note::mark(mark).is_some()).then(|| Note::mark(mark))
        }
        Note::Comment(_) | Note::Glyph(_) => None,
    };
    let mut marks: Vec<_> = notes.iter().filter_map(signature).flatten().collect();
    let mut is_kept = |note: &Note| {
        if let Some(index) = marks.iter().position(|mark| mark == note) {
            marks.remove(index);
            return false;
        }
        signature(note).is_none()
    };
    let kept = notes.iter().filter(|note| is_kept(note));
    kept.cloned().collect()
}

/// Removes older evaluations from a comment. One that is not closed is text: the next bracket is
/// that of another command.
fn without_eval(note: Note) -> Note {
    const EVAL: &str = "[%eval ";
    let Note::Comment(text) = note else {
        return note;
    };
    let mut kept = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(EVAL) {
        kept += before;
        let value = after.trim_start_matches(|letter| !['[', ']'].contains(&letter));
        (kept, rest) = match value.strip_prefix(']') {
            Some(others) => (kept + " ", others),
            None => (kept + EVAL, after),
        };
    }
    Note::Comment(kept + rest)
}
