//! The inputs of a position, and what a move changes in them, for people who want to see them.

use super::accumulator::Inputs;
pub use super::features::InputKind;

use super::features::{Changes, Feature, FeatureList, Perspective};
use crate::board::Position;
use crate::types::{Color, Square};

/// An input that is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// Its number in the accumulator of one side, below [`FEATURES`](super::FEATURES).
    pub index: usize,
    /// What it says about the square.
    pub kind: InputKind,
    /// The square.
    pub square: Square,
}

/// What is added to an accumulator, and what is subtracted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputChanges {
    /// Inputs that become 1.
    pub added: Vec<Input>,
    /// Inputs that become 0.
    pub removed: Vec<Input>,
    /// Whether the king of this side has chosen another perspective, so that all inputs have other
    /// numbers. The engine then updates the accumulator that it last had for that perspective;
    /// `added` and `removed` have the numbers of the new one.
    pub is_refreshed: bool,
}

/// The inputs of a position that are 1 in the accumulator of a side.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::eval::insides;
/// use tabiya::types::Color;
/// // Nothing is attacked, so each of the 32 pieces has one input.
/// assert_eq!(insides::inputs(&Position::start(), Color::White).len(), 32);
/// ```
#[must_use]
pub fn inputs(position: &Position, side: Color) -> Vec<Input> {
    let inputs = Inputs::new(position);
    let mut list = FeatureList::EMPTY;
    inputs.features(&mut list);
    described(&list, inputs.perspectives[side.index()])
}

/// What changes between two positions in the accumulator of a side.
///
/// ```
/// use tabiya::board::Position;
/// use tabiya::eval::insides;
/// use tabiya::types::{Color, Square};
/// let before = Position::start();
/// let after = Position::from_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// let changes = insides::input_changes(&before, &after.unwrap(), Color::White);
/// assert_eq!(changes.added[0].square, Square::E4);
/// assert_eq!(changes.removed[0].square, Square::E2);
/// ```
#[must_use]
pub fn input_changes(before: &Position, after: &Position, side: Color) -> InputChanges {
    let (before, after) = (Inputs::new(before), Inputs::new(after));
    let mut changes = Changes::NONE;
    after.changes_since(&before, &mut changes);
    let perspective = after.perspectives[side.index()];
    InputChanges {
        added: described(&changes.added, perspective),
        removed: described(&changes.removed, perspective),
        is_refreshed: before.perspectives[side.index()] != perspective,
    }
}

fn described(features: &[Feature], perspective: Perspective) -> Vec<Input> {
    let inputs = features.iter().map(|&feature| {
        let (kind, square) = feature.parts();
        Input {
            index: perspective.index(feature),
            kind,
            square,
        }
    });
    inputs.collect()
}
