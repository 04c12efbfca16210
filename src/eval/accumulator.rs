//! The accumulators along the line being searched, kept up to date only where somebody asks.
//!
//! A move changes a few inputs; it is noted, and worked in when the position, or one after it, is evaluated. When a
//! king crosses to the other half of the board its side sees everything mirrored, and the accumulator is made from
//! a [`Cache`] instead.

use super::features::View;
use super::network::Network;
use super::shape::Column;
use super::simd::Kernels;
use crate::board::{Observer, Position};
use crate::types::{Bitboard, Color, MAX_PLY, Move, Piece, Square};
use arrayvec::ArrayVec;

/// What a move puts and removes: two men each at most, with castling.
#[derive(Debug, Clone, Default)]
struct Changes {
    put: ArrayVec<(Piece, Square), 2>,
    removed: ArrayVec<(Piece, Square), 2>,
}

impl Observer for Changes {
    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.put.push((piece, square));
    }

    #[inline(always)]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.removed.push((piece, square));
    }
}

/// One position of the line.
#[derive(Debug, Clone)]
struct Frame {
    /// What White sees, and what Black sees; without meaning until it is ready.
    halves: [Column; Color::COUNT],
    is_ready: [bool; Color::COUNT],
    views: [View; Color::COUNT],
    /// From the position before.
    changes: Changes,
}

impl Frame {
    fn new(position: &Position) -> Self {
        Self {
            halves: [Column::ZERO; Color::COUNT],
            is_ready: [false; Color::COUNT],
            views: views(position),
            changes: Changes::default(),
        }
    }
}

#[inline(always)]
fn views(position: &Position) -> [View; Color::COUNT] {
    Color::ALL.map(|color| View::new(color, position.king(color)))
}

/// The accumulators of a line of positions.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// The first `length` are the line; those beyond are there to be used again.
    frames: Vec<Frame>,
    length: usize,
    cache: Cache,
}

impl Line {
    /// Begins at a position.
    pub(super) fn new(network: &Network, position: &Position) -> Self {
        let mut frames = Vec::with_capacity(MAX_PLY + 1);
        frames.push(Frame::new(position));
        Self {
            frames,
            length: 1,
            cache: Cache::new(network),
        }
    }

    /// Plays a legal move of the last position.
    #[inline(always)]
    pub(super) fn play(&mut self, position: &Position, mv: Move) -> Position {
        let frame = self.next_frame(position);
        let next = position.play_observed(mv, &mut frame.changes);
        frame.views = views(&next);
        next
    }

    /// Passes the move in the last position.
    #[inline(always)]
    pub(super) fn play_null(&mut self, position: &Position) -> Position {
        let frame = self.next_frame(position);
        frame.views = views(position);
        position.play_null()
    }

    /// Takes back the last move or pass.
    #[inline(always)]
    pub(super) fn take_back(&mut self) {
        debug_assert!(self.length > 1);
        self.length -= 1;
    }

    #[inline(always)]
    fn next_frame(&mut self, position: &Position) -> &mut Frame {
        if self.length == self.frames.len() {
            self.frames.push(Frame::new(position));
        }
        let frame = &mut self.frames[self.length];
        self.length += 1;
        frame.is_ready = [false; Color::COUNT];
        frame.changes.put.clear();
        frame.changes.removed.clear();
        frame
    }

    /// What White and Black see in the last position, which the caller holds.
    #[inline]
    pub(super) fn halves(
        &mut self,
        network: &Network,
        kernels: Kernels,
        position: &Position,
    ) -> &[Column; Color::COUNT] {
        for color in Color::ALL {
            self.make_ready(network, kernels, position, color);
        }
        &self.frames[self.length - 1].halves
    }

    #[inline]
    fn make_ready(
        &mut self,
        network: &Network,
        kernels: Kernels,
        position: &Position,
        color: Color,
    ) {
        let side = color.index();
        let last = self.length - 1;
        let view = self.frames[last].views[side];
        let mut ready = last;
        while !self.frames[ready].is_ready[side] {
            // Nothing that was seen the other way round can be built on.
            if ready == 0 || self.frames[ready - 1].views[side] != view {
                let frame = &mut self.frames[last];
                self.cache.refresh(
                    network,
                    kernels,
                    position,
                    color,
                    view,
                    &mut frame.halves[side],
                );
                frame.is_ready[side] = true;
                return;
            }
            ready -= 1;
        }
        let column = |(piece, square)| &network.feature_weights[view.feature(piece, square)];
        for index in ready + 1..=last {
            let (before, after) = self.frames.split_at_mut(index);
            let (before, frame) = (&before[index - 1], &mut after[0]);
            let (from, to) = (&before.halves[side], &mut frame.halves[side]);
            match (&*frame.changes.put, &*frame.changes.removed) {
                // A move, a capture, castling.
                (&[put], &[removed]) => {
                    kernels.update(from, to, &[column(put)], &[column(removed)]);
                }
                (&[put], &[a, b]) => {
                    kernels.update(from, to, &[column(put)], &[column(a), column(b)]);
                }
                (&[a, b], &[c, d]) => {
                    kernels.update(from, to, &[column(a), column(b)], &[column(c), column(d)])
                }
                // The move was passed.
                _ => *to = *from,
            }
            frame.is_ready[side] = true;
        }
    }
}

/// For each way of looking at the board, the accumulator of the position that was last made from here: what has changed
/// since is often little.
#[derive(Debug, Clone)]
struct Cache([[Entry; 2]; Color::COUNT]);

/// An accumulator and the men it stands for.
#[derive(Debug, Clone)]
struct Entry {
    half: Column,
    men: [Bitboard; Piece::COUNT],
}

impl Cache {
    fn new(network: &Network) -> Self {
        let empty_board = Entry {
            half: network.feature_bias,
            men: [Bitboard::EMPTY; Piece::COUNT],
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
        view: View,
        half: &mut Column,
    ) {
        let entry = &mut self.0[color.index()][usize::from(view.is_mirrored())];
        let mut put = ArrayVec::<_, { Square::COUNT }>::new();
        let mut removed = ArrayVec::<_, { Square::COUNT }>::new();
        for piece in Piece::ALL {
            let men = position.men(piece.color(), piece.kind());
            let before = std::mem::replace(&mut entry.men[piece.index()], men);
            let column = |square| &network.feature_weights[view.feature(piece, square)];
            put.extend((men - before).into_iter().map(column));
            removed.extend((before - men).into_iter().map(column));
        }
        kernels.update(&entry.half, half, &put, &removed);
        entry.half = *half;
    }
}
