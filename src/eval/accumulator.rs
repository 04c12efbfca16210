//! The accumulator stack of an NNUE (efficiently updatable neural network): one entry for each
//! position of the line being searched, updated lazily.
//!
//! Between two positions of a line only a few features change. When a position is evaluated, the
//! inputs of each position of the line are compared with those before it, and the weights of the
//! differing ones are added and subtracted. When a king has crossed the middle of the board or
//! changed its bucket, most inputs of its side change. This side's accumulator is updated from the
//! [`RefreshTable`] instead (known as "Finny tables").

use super::features::{Changes, Feature, FeatureList, Perspective};
use super::network::Network;
use super::shape::Accumulator;
use super::simd::Kernels;
use super::states::PieceStates;
use crate::board::Position;
use crate::types::{Color, Move, Piece};

/// What the features of both sides depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inputs {
    position: Position,
    states: PieceStates,
    pub(super) perspectives: [Perspective; Color::COUNT],
}

impl Inputs {
    #[inline(always)]
    pub(super) fn new(position: &Position) -> Self {
        Self {
            position: *position,
            states: PieceStates::of(position),
            perspectives: Color::ALL.map(|color| Perspective::new(color, position.king(color))),
        }
    }

    /// Appends all features.
    pub(super) fn features(&self, list: &mut FeatureList) {
        for square in self.position.occupied() {
            if let Some(piece) = self.position.piece_at(square) {
                list.push_if(true, Feature::piece(piece, square));
                let state = Feature::state(piece, self.states.at(square), square);
                list.push_if(self.states.attacked().contains(square), state);
            }
        }
        let none = PieceStates::default();
        self.states
            .for_each_differing_motif(&none, |side, motif, square, _| {
                list.push_if(true, Feature::motif(side, motif, square));
            });
    }

    /// Sets `changes` to what changes from `before` to this.
    #[inline(always)]
    pub(super) fn changes_since(&self, before: &Self, changes: &mut Changes) {
        changes.clear();
        let pieces = before.position.differing_squares(&self.position);
        for square in pieces {
            for (inputs, list) in [(self, &mut changes.added), (before, &mut changes.removed)] {
                let piece = inputs.position.piece_at(square);
                let feature = Feature::piece(piece.unwrap_or(Piece::WhitePawn), square);
                list.push_if(piece.is_some(), feature);
            }
        }
        let states = pieces | before.states.differing_squares(&self.states);
        for square in states & (before.states.attacked() | self.states.attacked()) {
            for (inputs, list) in [(self, &mut changes.added), (before, &mut changes.removed)] {
                let piece = inputs.position.piece_at(square).unwrap_or(Piece::WhitePawn);
                let feature = Feature::state(piece, inputs.states.at(square), square);
                list.push_if(inputs.states.attacked().contains(square), feature);
            }
        }
        self.states
            .for_each_differing_motif(&before.states, |side, motif, square, is_added| {
                let feature = Feature::motif(side, motif, square);
                changes.added.push_if(is_added, feature);
                changes.removed.push_if(!is_added, feature);
            });
    }
}

/// One position of the line.
#[derive(Debug, Clone)]
struct AccumulatorState {
    /// Whether the state is computed. If not, only the position in `inputs` is valid; in the last
    /// state, nothing is.
    is_computed: bool,
    inputs: Inputs,
    /// White's and Black's.
    accumulators: [Accumulator; Color::COUNT],
}

/// The accumulators of a line of positions.
#[derive(Debug, Clone)]
pub(super) struct AccumulatorStack {
    /// The first `length` states are the line; the others are kept for reuse.
    states: Vec<AccumulatorState>,
    length: usize,
    refresh_table: RefreshTable,
    /// Kept so that it need not be filled with zeros for each state.
    changes: Changes,
}

impl AccumulatorStack {
    /// A stack with one state, not computed, and memory for `capacity` states.
    pub(super) fn new(capacity: usize) -> Self {
        let mut stack = Self {
            states: Vec::with_capacity(capacity),
            length: 0,
            refresh_table: RefreshTable::default(),
            changes: Changes::NONE,
        };
        // It gets its position when it is computed.
        stack.push(&Position::start());
        stack
    }

    /// Memory of the states, in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<AccumulatorState>()
    }

    /// Starts again with one state, not computed. The refresh table stays.
    pub(super) fn reset(&mut self) {
        self.states[0].is_computed = false;
        self.length = 1;
    }

    /// Makes a legal move in the last position, which must be `position`.
    #[inline(always)]
    pub(super) fn make(&mut self, position: &mut Position, mv: Move) {
        self.push(position);
        position.make_unchecked(mv);
    }

    /// Makes a null move in the last position, which must be `position`.
    #[inline(always)]
    pub(super) fn make_null(&mut self, position: &mut Position) {
        self.push(position);
        position.make_null();
    }

    /// Takes back the last move or null move.
    #[inline(always)]
    pub(super) fn undo(&mut self) {
        debug_assert!(self.length > 1);
        self.length -= 1;
    }

    /// Appends a state, not computed. A new state is filled with `position`.
    #[inline(always)]
    fn push(&mut self, position: &Position) {
        // Kept for `update`, since the caller's position is about to change.
        if let Some(last) = self.states[..self.length].last_mut()
            && !last.is_computed
        {
            last.inputs.position = *position;
        }
        if self.length == self.states.len() {
            self.states.push(AccumulatorState {
                is_computed: false,
                inputs: Inputs::new(position),
                accumulators: [Accumulator::ZERO; Color::COUNT],
            });
        }
        self.states[self.length].is_computed = false;
        self.length += 1;
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
        let last = self.length - 1;
        if !self.states[last].is_computed {
            self.update(network, kernels, position);
        }
        debug_assert!(
            self.states[last].inputs.position.key() == position.key(),
            "the last position is another one: make a move or reset"
        );
        let [white, black] = &self.states[last].accumulators;
        match position.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        }
    }

    /// Computes the last state and all states before it that are not computed. Their other children
    /// will need them.
    #[inline]
    fn update(&mut self, network: &Network, kernels: Kernels, position: &Position) {
        let last = self.length - 1;
        self.states[last].inputs.position = *position;
        let computed = (0..last).rfind(|&index| self.states[index].is_computed);
        for index in computed.map_or(0, |index| index + 1)..=last {
            self.compute(network, kernels, index);
        }
    }

    /// Computes a state from the one before it, or, for the first one and for a side whose
    /// perspective has changed, from the refresh table.
    fn compute(&mut self, network: &Network, kernels: Kernels, index: usize) {
        let (before, after) = self.states.split_at_mut(index);
        let state = &mut after[0];
        state.inputs = Inputs::new(&state.inputs.position);
        let (inputs, to) = (&state.inputs, &mut state.accumulators);
        let before = before.last();
        let changes = &mut self.changes;
        if let Some(before) = before {
            inputs.changes_since(&before.inputs, changes);
        }
        for (side, perspective) in inputs.perspectives.into_iter().enumerate() {
            match before {
                Some(before) if before.inputs.perspectives[side] == perspective => {
                    let from = &before.accumulators[side];
                    kernels.update(from, &mut to[side], &network.inputs, perspective, changes);
                }
                _ => {
                    let entry =
                        self.refresh_table[side][perspective.number()].get_or_insert_with(|| {
                            RefreshEntry::new(network, kernels, perspective, *inputs)
                        });
                    entry.update(network, kernels, perspective, inputs);
                    to[side] = entry.accumulator;
                }
            }
        }
        state.is_computed = true;
    }
}

/// The accumulator last refreshed, for each colour and perspective. Often little has changed since.
type RefreshTable = [[Option<RefreshEntry>; Perspective::COUNT]; Color::COUNT];

/// An accumulator and its inputs.
#[derive(Debug, Clone)]
struct RefreshEntry {
    inputs: Inputs,
    accumulator: Accumulator,
}

impl RefreshEntry {
    fn new(network: &Network, kernels: Kernels, perspective: Perspective, inputs: Inputs) -> Self {
        let mut accumulator = Accumulator::ZERO;
        let mut changes = Changes::NONE;
        inputs.features(&mut changes.added);
        let bias = &network.input_bias;
        kernels.update(
            bias,
            &mut accumulator,
            &network.inputs,
            perspective,
            &changes,
        );
        Self {
            inputs,
            accumulator,
        }
    }

    fn update(
        &mut self,
        network: &Network,
        kernels: Kernels,
        perspective: Perspective,
        inputs: &Inputs,
    ) {
        let from = self.accumulator;
        let mut changes = Changes::NONE;
        inputs.changes_since(&self.inputs, &mut changes);
        let to = &mut self.accumulator;
        kernels.update(&from, to, &network.inputs, perspective, &changes);
        self.inputs = *inputs;
    }
}
