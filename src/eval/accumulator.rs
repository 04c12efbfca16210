//! The accumulator stack of an NNUE (efficiently updatable neural network): one entry for each
//! position of the line being searched, updated lazily.
//!
//! A move adds and removes a few features. They are recorded when the move is played, and applied
//! only when the position or a later one is evaluated. When a king crosses the middle of the board,
//! its perspective is mirrored and no earlier accumulator can be updated. That accumulator is
//! refreshed from the [`RefreshTable`] instead (known as "Finny tables").

use super::features::Perspective;
use super::network::Network;
use super::shape::Accumulator;
use super::simd::Kernels;
use crate::board::{Observer, Position};
use crate::types::{Bitboard, Color, MAX_PLY, Move, Piece, Square};
use arrayvec::ArrayVec;

/// The pieces that a move adds and removes: at most two each, by castling.
#[derive(Debug, Clone, Default)]
struct FeatureChanges {
    added: ArrayVec<(Piece, Square), 2>,
    removed: ArrayVec<(Piece, Square), 2>,
}

impl Observer for FeatureChanges {
    #[inline(always)]
    fn added(&mut self, piece: Piece, square: Square) {
        self.added.push((piece, square));
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
}

/// The accumulators of one position of the line.
#[derive(Debug, Clone)]
struct AccumulatorState {
    /// White's and Black's; undefined until computed.
    accumulators: [Accumulator; Color::COUNT],
    is_computed: [bool; Color::COUNT],
    perspectives: [Perspective; Color::COUNT],
    /// Changes from the previous position.
    changes: FeatureChanges,
}

impl AccumulatorState {
    fn new(position: &Position) -> Self {
        Self {
            accumulators: [Accumulator::ZERO; Color::COUNT],
            is_computed: [false; Color::COUNT],
            perspectives: perspectives(position),
            changes: FeatureChanges::default(),
        }
    }
}

#[inline(always)]
fn perspectives(position: &Position) -> [Perspective; Color::COUNT] {
    Color::ALL.map(|color| Perspective::new(color, position.king(color)))
}

/// The accumulators of a line of positions.
#[derive(Debug, Clone)]
pub(super) struct AccumulatorStack {
    /// The first `length` states are the line; the others are kept for reuse.
    states: Vec<AccumulatorState>,
    length: usize,
    refresh_table: RefreshTable,
}

impl AccumulatorStack {
    /// A stack with one position.
    pub(super) fn new(network: &Network, position: &Position) -> Self {
        let mut states = Vec::with_capacity(MAX_PLY + 1);
        states.push(AccumulatorState::new(position));
        Self {
            states,
            length: 1,
            refresh_table: RefreshTable::new(network),
        }
    }

    /// Starts again with one position. The refresh table stays.
    pub(super) fn reset(&mut self, position: &Position) {
        self.states[0].is_computed = [false; Color::COUNT];
        self.states[0].perspectives = perspectives(position);
        self.length = 1;
    }

    /// Makes a legal move in the last position, which must be `position`.
    #[inline(always)]
    pub(super) fn make(&mut self, position: &mut Position, mv: Move) {
        let state = self.push(position);
        position.make_unchecked(mv, &mut state.changes);
        state.perspectives = perspectives(position);
    }

    /// Makes a null move in the last position, which must be `position`.
    #[inline(always)]
    pub(super) fn make_null(&mut self, position: &mut Position) {
        let state = self.push(position);
        state.perspectives = perspectives(position);
        position.make_null();
    }

    /// Takes back the last move or null move.
    #[inline(always)]
    pub(super) fn take_back(&mut self) {
        debug_assert!(self.length > 1);
        self.length -= 1;
    }

    #[inline(always)]
    fn push(&mut self, position: &Position) -> &mut AccumulatorState {
        if self.length == self.states.len() {
            self.states.push(AccumulatorState::new(position));
        }
        let state = &mut self.states[self.length];
        self.length += 1;
        state.is_computed = [false; Color::COUNT];
        state.changes.added.clear();
        state.changes.removed.clear();
        state
    }

    /// The accumulators of the last position, which must be `position`: first the side to move's,
    /// then the other side's.
    #[inline]
    pub(super) fn accumulators(
        &mut self,
        network: &Network,
        kernels: Kernels,
        position: &Position,
    ) -> [&Accumulator; Color::COUNT] {
        for color in Color::ALL {
            self.update(network, kernels, position, color);
        }
        let [white, black] = &self.states[self.length - 1].accumulators;
        match position.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        }
    }

    #[inline]
    fn update(&mut self, network: &Network, kernels: Kernels, position: &Position, color: Color) {
        let side = color.index();
        let last = self.length - 1;
        let perspective = self.states[last].perspectives[side];
        let mut ready = last;
        while !self.states[ready].is_computed[side] {
            // An accumulator of the mirrored perspective cannot be updated.
            if ready == 0 || self.states[ready - 1].perspectives[side] != perspective {
                let state = &mut self.states[last];
                self.refresh_table.refresh(
                    network,
                    kernels,
                    position,
                    color,
                    perspective,
                    &mut state.accumulators[side],
                );
                state.is_computed[side] = true;
                return;
            }
            ready -= 1;
        }
        let weights =
            |(piece, square)| &network.feature_weights[perspective.feature(piece, square)];
        for index in ready + 1..=last {
            let (before, after) = self.states.split_at_mut(index);
            let (before, state) = (&before[index - 1], &mut after[0]);
            let (from, to) = (&before.accumulators[side], &mut state.accumulators[side]);
            match (&*state.changes.added, &*state.changes.removed) {
                // A move, a capture, castling.
                (&[added], &[removed]) => {
                    kernels.update(from, to, &[weights(added)], &[weights(removed)]);
                }
                (&[added], &[a, b]) => {
                    kernels.update(from, to, &[weights(added)], &[weights(a), weights(b)]);
                }
                (&[a, b], &[c, d]) => kernels.update(
                    from,
                    to,
                    &[weights(a), weights(b)],
                    &[weights(c), weights(d)],
                ),
                // A null move.
                _ => *to = *from,
            }
            state.is_computed[side] = true;
        }
    }
}

/// The accumulator last refreshed, for each colour, mirrored and not. Often little has changed
/// since.
#[derive(Debug, Clone)]
struct RefreshTable([[RefreshEntry; 2]; Color::COUNT]);

/// An accumulator and the pieces that it contains.
#[derive(Debug, Clone)]
struct RefreshEntry {
    accumulator: Accumulator,
    pieces: [Bitboard; Piece::COUNT],
}

impl RefreshTable {
    fn new(network: &Network) -> Self {
        let empty_board = RefreshEntry {
            accumulator: network.feature_bias,
            pieces: [Bitboard::EMPTY; Piece::COUNT],
        };
        Self([
            [empty_board.clone(), empty_board.clone()],
            [empty_board.clone(), empty_board],
        ])
    }

    fn refresh(
        &mut self,
        network: &Network,
        kernels: Kernels,
        position: &Position,
        color: Color,
        perspective: Perspective,
        accumulator: &mut Accumulator,
    ) {
        let entry = &mut self.0[color.index()][usize::from(perspective.is_mirrored())];
        let mut added = ArrayVec::<_, { Square::COUNT }>::new();
        let mut removed = ArrayVec::<_, { Square::COUNT }>::new();
        for piece in Piece::ALL {
            let pieces = position.pieces(piece.color(), piece.kind());
            let before = std::mem::replace(&mut entry.pieces[piece.index()], pieces);
            let weights = |square| &network.feature_weights[perspective.feature(piece, square)];
            added.extend((pieces - before).into_iter().map(weights));
            removed.extend((before - pieces).into_iter().map(weights));
        }
        kernels.update(&entry.accumulator, accumulator, &added, &removed);
        entry.accumulator = *accumulator;
    }
}
