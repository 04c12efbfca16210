//! Training samples: packed positions with their targets, and the network inputs of each.

use tabiya::board::{Position, Setup};
use tabiya::eval::{Feature, Perspective, PieceStates};
use tabiya::tools::viriformat::{MAX_PIECES, PieceCodes};
use tabiya::types::{Bitboard, CastlingMode, Color, Piece, Square};

/// A position and its target, in 32 bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample {
    occupied: Bitboard,
    /// The piece on each of these squares, from a1 to h8.
    pieces: PieceCodes,
    side_to_move: Color,
    /// Expected score of the side to move.
    pub(super) target: f32,
}

const _: () = assert!(size_of::<Sample>() == 32);

/// The active inputs from one side's perspective.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inputs {
    set: [u16; MAX_INPUTS],
    len: u8,
    /// Difference to the previous sample; `None` if starting afresh is cheaper or necessary.
    change: Option<Change>,
}

/// A difference between two sets of inputs.
#[derive(Debug, Clone, Copy)]
struct Change {
    /// First the added inputs, then the removed ones.
    inputs: [u16; MAX_CHANGES],
    /// Number of added inputs.
    added: u8,
    len: u8,
}

/// Maximum number of inputs: each piece, its state, and 96 motifs. Hardly any position has more
/// motifs; then the others are left out.
const MAX_INPUTS: usize = 2 * MAX_PIECES + 96;
/// Maximum length of a difference; a longer one saves too little.
const MAX_CHANGES: usize = 48;

impl Inputs {
    pub(super) const NONE: Self = Self {
        set: [0; MAX_INPUTS],
        len: 0,
        change: None,
    };

    /// All active inputs.
    #[inline(always)]
    pub(super) fn set(&self) -> &[u16] {
        &self.set[..usize::from(self.len)]
    }

    /// The inputs added and removed since the previous sample, if that is a short list.
    #[inline(always)]
    pub(super) fn change(&self) -> Option<(&[u16], &[u16])> {
        let change = self.change.as_ref()?;
        Some(change.inputs[..usize::from(change.len)].split_at(change.added.into()))
    }
}

/// A sample unpacked into squares.
#[derive(Debug, Clone, Copy)]
pub(super) struct Board {
    /// The features of each square: of the piece, and of its state if it is attacked.
    features: [[Option<Feature>; 2]; Square::COUNT],
    states: PieceStates,
    perspectives: [Perspective; Color::COUNT],
}

impl Board {
    pub(super) fn new(sample: &Sample) -> Self {
        let mut pieces = [Bitboard::EMPTY; Piece::COUNT];
        let mut kings = [Square::A1; Color::COUNT];
        for (index, square) in sample.occupied.into_iter().enumerate().take(MAX_PIECES) {
            let piece = sample.piece(index);
            pieces[piece.index()] |= square.into();
            match piece {
                Piece::WhiteKing => kings[Color::White.index()] = square,
                Piece::BlackKing => kings[Color::Black.index()] = square,
                _ => {}
            }
        }
        let states = PieceStates::new(sample.occupied, |color, kind| {
            pieces[Piece::new(color, kind).index()]
        });
        let mut features = [[None; 2]; Square::COUNT];
        for (index, square) in sample.occupied.into_iter().enumerate().take(MAX_PIECES) {
            let piece = sample.piece(index);
            let is_attacked = states.attacked().contains(square);
            let state = is_attacked.then(|| Feature::state(piece, states.at(square), square));
            features[square.index()] = [Some(Feature::piece(piece, square)), state];
        }
        Self {
            features,
            states,
            perspectives: Color::ALL.map(|color| Perspective::new(color, kings[color.index()])),
        }
    }

    /// The inputs from White's and from Black's perspective; `before` is the previous sample.
    pub(super) fn inputs(&self, before: Option<&Self>) -> [Inputs; Color::COUNT] {
        let changed = before.map(|before| {
            let pairs = self.features.iter().zip(&before.features).enumerate();
            pairs.fold(Bitboard::EMPTY, |changed, (index, (now, then))| {
                changed | Bitboard(u64::from(now != then) << index)
            })
        });
        let motifs = motifs_beside(&self.states, &PieceStates::default());
        let changed_motifs = before.map(|before| {
            let gone = motifs_beside(&before.states, &self.states);
            [motifs_beside(&self.states, &before.states), gone]
        });
        Color::ALL.map(|color| {
            let perspective = self.perspectives[color.index()];
            let mut inputs = Inputs::NONE;
            let features = self.features.as_flattened().iter().flatten().copied();
            let features = features.chain(motifs.iter().copied());
            for (place, feature) in inputs.set.iter_mut().zip(features) {
                *place = perspective.index(feature) as u16;
                inputs.len += 1;
            }
            // After a change of mirroring or king bucket most inputs differ.
            if let (Some(before), Some(changed), Some(motifs)) = (before, changed, &changed_motifs)
                && before.perspectives[color.index()] == perspective
            {
                inputs.change = self.change(perspective, before, changed, motifs);
            }
            inputs
        })
    }

    /// What changes from `before` on the squares `changed`, and the motifs that are added and
    /// removed.
    fn change(
        &self,
        perspective: Perspective,
        before: &Self,
        changed: Bitboard,
        [added_motifs, removed_motifs]: &[Vec<Feature>; 2],
    ) -> Option<Change> {
        let mut change = Change {
            inputs: [0; MAX_CHANGES],
            added: 0,
            len: 0,
        };
        let mut push = |board: &Self, other: &Self, motifs: &[Feature]| {
            for square in changed {
                let (features, others) = (
                    board.features[square.index()],
                    other.features[square.index()],
                );
                for (feature, other) in features.into_iter().zip(others) {
                    if let Some(feature) = feature
                        && Some(feature) != other
                    {
                        *change.inputs.get_mut(usize::from(change.len))? =
                            perspective.index(feature) as u16;
                        change.len += 1;
                    }
                }
            }
            for &feature in motifs {
                *change.inputs.get_mut(usize::from(change.len))? =
                    perspective.index(feature) as u16;
                change.len += 1;
            }
            Some(change.len)
        };
        let added = push(self, before, added_motifs)?;
        push(before, self, removed_motifs)?;
        change.added = added;
        Some(change)
    }
}

impl Sample {
    /// `target` is White's expected score.
    pub(super) fn new(position: &Position, target: f32) -> Self {
        let mut pieces = PieceCodes::default();
        for (index, square) in position.occupied().into_iter().enumerate() {
            pieces.set(
                index,
                position.piece_at(square).map_or(0, Piece::index) as u8,
            );
        }
        Self {
            occupied: position.occupied(),
            pieces,
            side_to_move: position.side_to_move(),
            target: match position.side_to_move() {
                Color::White => target,
                Color::Black => 1.0 - target,
            },
        }
    }

    /// Number of pieces on the board.
    pub(super) const fn piece_count(&self) -> usize {
        self.occupied.len() as usize
    }

    /// The position without castling rights, en passant square and clocks, which are not network
    /// inputs.
    pub(super) fn position(&self) -> Option<Position> {
        let mut setup = Setup::EMPTY;
        setup.side_to_move = self.side_to_move;
        for (index, square) in self.occupied.into_iter().enumerate().take(MAX_PIECES) {
            setup.board[square.index()] = Some(self.piece(index));
        }
        setup
            .validate(CastlingMode::Standard)
            .ok()
            .map(|validated| validated.position)
    }

    /// The piece on occupied square number `index`.
    #[inline(always)]
    fn piece(&self, index: usize) -> Piece {
        Piece::ALL[usize::from(self.pieces.get(index))]
    }

    pub(super) const fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}

/// The motifs that `states` has and `others` has not.
fn motifs_beside(states: &PieceStates, others: &PieceStates) -> Vec<Feature> {
    let mut features = Vec::new();
    states.for_each_differing_motif(others, |side, motif, square, is_set| {
        if is_set {
            features.push(Feature::motif(side, motif, square));
        }
    });
    features
}

/// Positions of random games, with random targets.
#[cfg(test)]
pub(super) fn random_samples(count: usize, seed: u64) -> Vec<Sample> {
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::start();
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        samples.push(Sample::new(&position, random.random_range(0.0..1.0)));
        position = match position.legal_moves().choose(&mut random) {
            Some(&mv) if position.halfmove_clock() < 60 => position.play_unchecked(mv),
            _ => Position::start(),
        };
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_gives_its_position_back() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b - - 0 1",
            "8/8/8/8/4k3/8/r7/4K3 w - - 0 1",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).unwrap();
            let sample = Sample::new(&position, 0.7);
            assert_eq!(sample.position().unwrap().to_string(), fen);
            assert_eq!(sample.piece_count(), position.occupied().len() as usize);
        }
    }

    #[test]
    fn targets_are_for_the_side_to_move() {
        for (side, target) in [("w", 0.75), ("b", 0.25)] {
            let fen = format!("4k3/8/8/8/8/8/8/4K2R {side} - - 0 1");
            let sample = Sample::new(&Position::from_fen(&fen).unwrap(), 0.75);
            assert_eq!(sample.target, target);
        }
    }
}
