//! A graph of the evaluation over a game.

use crate::game::pgn::{PgnGame, printable};
use crate::game::san;
use crate::review::{Evaluation, Mark, moves};
use crate::types::Color;
use std::fmt::Write as _;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 300.0;
/// Top of the graph; the title is above it.
const TOP: f64 = 40.0;
/// Margin around the graph, with the labels of the axes.
const EDGE: f64 = 60.0;

/// By this a graph is recognised when a run is resumed.
const DESCRIPTION: &str = "Evaluation by tabiya analyse";

/// An SVG with White's expected score at each ply. White's share is light, Black's is dark, and
/// marked moves are dots.
pub(super) fn draw(game: &PgnGame, found: &[Evaluation]) -> String {
    let plies = found.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| EDGE + (WIDTH - 2.0 * EDGE) * ply as f64 / plies;
    let y = |expected: f64| TOP + HEIGHT * (1.0 - expected);
    let (left, right, bottom) = (EDGE, WIDTH - EDGE, TOP + HEIGHT);
    let name = |tag| escaped(&game.tag(tag).unwrap_or_default());
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {full}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <desc>{DESCRIPTION}</desc>\n\
         <rect width=\"{WIDTH}\" height=\"{full}\" fill=\"#ffffff\"/>\n\
         <text x=\"{left}\" y=\"26\" font-size=\"16\">{white} – {black}, {result}</text>\n\
         <rect x=\"{left}\" y=\"{TOP}\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"#4a4a4a\"/>\n",
        full = bottom + EDGE,
        width = right - left,
        white = name("White"),
        black = name("Black"),
        result = game.result(),
    );
    let points: String = found
        .iter()
        .enumerate()
        .map(|(ply, found)| format!(" {:.1},{:.1}", x(ply), y(found.expected)))
        .collect();
    let _ = writeln!(
        svg,
        "<polygon points=\"{left},{bottom}{points} {:.1},{bottom}\" fill=\"#eeeeee\"/>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#c07000\" stroke-width=\"2\"/>\n\
         <line x1=\"{left}\" y1=\"{half}\" x2=\"{right}\" y2=\"{half}\" stroke=\"#888888\"/>",
        x(found.len().saturating_sub(1)),
        points.trim_start(),
        half = y(0.5),
    );
    for (share, label) in [
        (1.0, "100 %"),
        (0.75, "75 %"),
        (0.5, "50 %"),
        (0.25, "25 %"),
        (0.0, "0 %"),
    ] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444444\">{label}</text>",
            left - 6.0,
            y(share) + 5.0
        );
    }
    let (middle, center) = ((left + right) / 2.0, y(0.5));
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">Move</text>\n\
         <text x=\"14\" y=\"{center}\" text-anchor=\"middle\" fill=\"#444444\" transform=\"rotate(-90 14 {center})\">White’s expected score</text>",
        bottom + 42.0
    );
    // The number of a move stands at the position before it.
    let start = game.history().start();
    let first = start.fullmove_number() as usize;
    let plies_before = usize::from(start.side_to_move() == Color::Black);
    let numbers = (first + plies_before..).zip((plies_before..found.len()).step_by(2));
    let step = [5, 10, 20, 50]
        .into_iter()
        .find(|step| found.len() <= 32 * step)
        .unwrap_or(100);
    for (number, ply) in numbers.filter(|(number, _)| number.is_multiple_of(step)) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444444\">{number}</text>",
            x(ply),
            bottom + 20.0
        );
    }
    for (ply, review) in (1..).zip(moves(game.history(), found)) {
        let Some(mark) = review.mark() else {
            continue;
        };
        let color = match mark {
            Mark::Blunder => "#d02020",
            Mark::Mistake => "#e08020",
            Mark::Inaccuracy => "#e0c020",
        };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{color}\" stroke=\"#000000\"><title>{}</title></circle>",
            x(ply),
            y(review.after.expected),
            escaped(&format!(
                "{}{}",
                san::write_line(review.position, &[review.played]),
                mark.sign()
            )),
        );
    }
    svg + "</svg>\n"
}

/// Whether a file is such a graph.
pub(super) fn is_own(text: &str) -> bool {
    text.starts_with("<svg ") && text.contains(DESCRIPTION)
}

/// Escapes a text for XML, which has no control characters and not U+FFFE and U+FFFF either.
fn escaped(text: &str) -> String {
    printable(text)
        .replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
