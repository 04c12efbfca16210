//! The transposition table: results of searched positions, found again by their keys.
//!
//! All workers share it without locks. Each word is an atomic that is read and written whole, with
//! no order between words, so an entry and its key may come from two writers. Therefore the stored
//! key is mixed with its entry, and a mixed pair matches only by chance, once in 65,536 (Hyatt and
//! Mann, "A lock-less transposition table implementation for parallel search chess engines", 2002).
//! If two writers store different entries of a cluster at once, one of the entries may be lost.
//!
//! A cluster of three entries fills half a cache line. The high bits of the 64-bit key choose the
//! cluster; the low 16 bits are stored to distinguish its entries. Two positions can still collide.
//! So an entry is a hint, and its move must be checked for legality.

#![allow(unsafe_code)]

use super::memory::{Memory, has_room_for};
use super::params;
use super::report::Bound;
use crate::types::{Key, Move, Score};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{fmt, io, thread};

const ENTRIES: usize = 3;

/// Three entries of one word each, and one word with their [`signature`]s.
#[repr(C, align(32))]
struct Cluster {
    entries: [AtomicU64; ENTRIES],
    signatures: AtomicU64,
}

const _: () = assert!(size_of::<Cluster>() == 32);

/// Stack size of a thread that clears a part of the table, or returns its memory.
const CLEARING_STACK_BYTES: usize = 1 << 16;

/// Number of ages. An age is the number of searches modulo this.
const AGES: u8 = 32;

/// The stored result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtEntry {
    /// Best move, if known.
    pub mv: Option<Move>,
    /// Score and bound, if the position was searched. Distances to mate count from this node.
    pub score: Option<(Score, Bound)>,
    /// Evaluation of the network; `None` in check.
    pub static_eval: Option<Score>,
    /// Depth of the search, in plies.
    pub depth: i32,
    /// Whether the position was on a principal variation at some time.
    pub pv: bool,
}

/// Marks a missing evaluation. Every evaluation fits in 16 bits, and none has this value.
const NO_EVAL: i16 = i16::MIN;

impl TtEntry {
    // Bits 0-15 move, 16-31 score, 32-47 evaluation, 48-55 depth, 56-57 bound, 58 pv, 59-63 age.
    fn pack(&self, age: u8) -> u64 {
        let (score, bound) = match self.score {
            None => (0, 0),
            Some((score, Bound::Upper)) => (score.0, 1),
            Some((score, Bound::Lower)) => (score.0, 2),
            Some((score, Bound::Exact)) => (score.0, 3),
        };
        let eval = self.static_eval.map_or(NO_EVAL, |score| score.0 as i16);
        let depth = self.depth.clamp(0, 255) as u64;
        u64::from(self.mv.map_or(0, Move::to_bits))
            | u64::from(score as i16 as u16) << 16
            | u64::from(eval as u16) << 32
            | depth << 48
            | bound << 56
            | u64::from(self.pv) << 58
            | u64::from(age) << 59
    }

    fn unpack(word: u64) -> Self {
        let score = Score(i32::from((word >> 16) as i16));
        let eval = (word >> 32) as i16;
        Self {
            mv: Move::from_bits(word as u16),
            score: match word >> 56 & 3 {
                0 => None,
                1 => Some((score, Bound::Upper)),
                2 => Some((score, Bound::Lower)),
                _ => Some((score, Bound::Exact)),
            },
            static_eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
            depth: (word >> 48 & 0xFF) as i32,
            pv: word >> 58 & 1 != 0,
        }
    }
}

fn age_of(word: u64) -> u8 {
    (word >> 59) as u8
}

/// The transposition table.
pub struct TranspositionTable {
    memory: Memory,
    age: u8,
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TranspositionTable").finish_non_exhaustive()
    }
}

impl TranspositionTable {
    /// Minimum size, in MiB.
    pub const MIN_MIB: usize = 1;
    /// Maximum size, in MiB: 32 TiB, or 1 GiB with addresses of 32 bits.
    pub const MAX_MIB: usize = if usize::BITS == 64 { 1 << 25 } else { 1 << 10 };
    /// Maximum size, in MiB, whose pages are touched at once, which takes a fraction of a second.
    const MAX_TOUCHED_MIB: usize = 1 << 8;

    /// An empty table of `mib` MiB, at least [`Self::MIN_MIB`] and at most [`Self::MAX_MIB`].
    ///
    /// Systems hand out memory when it is first touched. This function touches it, so that no
    /// search has to wait, except in a very large table, so that it returns quickly at any
    /// size.
    ///
    /// # Errors
    /// If the system refuses the memory.
    pub fn new(mib: usize) -> io::Result<Self> {
        let bytes = mib.clamp(Self::MIN_MIB, Self::MAX_MIB) << 20;
        let memory = Memory::zeroed(bytes)?;
        let mut table = Self { memory, age: 0 };
        if mib <= Self::MAX_TOUCHED_MIB {
            table.wipe(1);
        }
        Ok(table)
    }

    /// Size in MiB.
    pub fn mib(&self) -> usize {
        self.memory.len() >> 20
    }

    /// Clears the table. A large one gets fresh pages, or, if the system refuses them, is
    /// overwritten by up to `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        if self.mib() <= Self::MAX_TOUCHED_MIB {
            // Too little work for several threads.
            self.wipe(1);
            return;
        }
        match Self::new(self.mib()) {
            // Fresh pages are zero already, and a thread returns the old ones.
            Ok(fresh) => {
                let old = std::mem::replace(self, fresh);
                // If the system refuses the thread, they are returned here.
                if has_room_for(1, CLEARING_STACK_BYTES).is_ok() {
                    let builder = thread::Builder::new().stack_size(CLEARING_STACK_BYTES);
                    let _ = builder.spawn(move || drop(old));
                }
            }
            Err(_) => self.wipe(threads),
        }
    }

    /// Overwrites the table with zeros.
    fn wipe(&mut self, threads: usize) {
        self.age = 0;
        if threads <= 1 || has_room_for(threads, CLEARING_STACK_BYTES).is_err() {
            let (start, len) = (self.memory.start(), self.memory.len());
            // SAFETY: the memory is `len` initialised bytes, and `&mut self` is the only access.
            unsafe { std::slice::from_raw_parts_mut(start, len) }.fill(0);
            return;
        }
        let clear = |clusters: &[Cluster]| {
            for cluster in clusters {
                let words = cluster.entries.iter().chain([&cluster.signatures]);
                words.for_each(|word| word.store(0, Ordering::Relaxed));
            }
        };
        let clusters = self.clusters();
        thread::scope(|scope| {
            for part in clusters.chunks(clusters.len().div_ceil(threads)) {
                // If the system refuses a thread, this one does its work.
                let builder = thread::Builder::new().stack_size(CLEARING_STACK_BYTES);
                let spawned = builder.spawn_scoped(scope, move || clear(part));
                if spawned.is_err() {
                    clear(part);
                }
            }
        });
    }

    /// Begins a new search. When an entry has to be replaced, each counts as `tt_plies_per_age`
    /// plies less deep for every search begun since it was stored.
    pub fn age(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline(always)]
    fn clusters(&self) -> &[Cluster] {
        let count = self.memory.len() / size_of::<Cluster>();
        // SAFETY: the memory is `count` clusters long, aligned to at least 64 bytes and so to a
        // cluster, and initialised with zeros. A cluster consists of atomics, for which every bit
        // pattern is valid and which may be written through a shared reference. The pointer allows
        // writes. Nothing else refers to the memory while `self` is borrowed.
        unsafe { std::slice::from_raw_parts(self.memory.start().cast(), count) }
    }

    #[inline(always)]
    fn cluster(&self, key: Key) -> &Cluster {
        let clusters = self.clusters();
        // The high half of the product is the key scaled to the number of clusters, which need not
        // be a power of two.
        &clusters[((u128::from(key.0) * clusters.len() as u128) >> 64) as usize]
    }

    /// Prefetches the cluster that [`Self::probe`] will read.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: prefetching is a hint that may be given for any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.cluster(key)).cast()) };
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: prefetching is a hint that may be given for any address. The intrinsic is not
        // stable.
        unsafe {
            std::arch::asm!(
                "prfm pldl1keep, [{}]",
                in(reg) std::ptr::from_ref(self.cluster(key)),
                options(nostack, preserves_flags, readonly)
            );
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = key;
    }

    /// The entry with this key.
    #[inline]
    pub fn probe(&self, key: Key) -> Option<TtEntry> {
        let (words, signatures) = self.cluster(key).load();
        let index = find(words, signatures, key)?;
        Some(TtEntry::unpack(words[index]))
    }

    // ANCHOR: store
    /// Stores an entry, unless the table holds a more valuable one of the same key.
    #[inline]
    pub fn store(&self, key: Key, mut entry: TtEntry) {
        let cluster = self.cluster(key);
        let (words, signatures) = cluster.load();
        let same = find(words, signatures, key);
        if let Some(index) = same {
            let old = TtEntry::unpack(words[index]);
            let margin =
                params::tt_replace_margin() + params::tt_replace_pv_margin() * i32::from(entry.pv);
            let is_better = entry.score.is_some_and(|(_, bound)| bound == Bound::Exact)
                || entry.depth + margin > old.depth
                || age_of(words[index]) != self.age;
            if !is_better {
                return;
            }
            // An entry without a best move keeps the old one.
            entry.mv = entry.mv.or(old.mv);
        }
        let index = same.unwrap_or_else(|| self.least_valuable(words));
        let shift = 16 * index;
        let word = entry.pack(self.age);
        cluster.entries[index].store(word, Ordering::Relaxed);
        cluster.signatures.store(
            signatures & !(0xFFFF << shift) | signature(key, word) << shift,
            Ordering::Relaxed,
        );
    }
    // ANCHOR_END: store

    // ANCHOR: replace
    fn least_valuable(&self, words: [u64; ENTRIES]) -> usize {
        let value = |word: u64| {
            if word == 0 {
                return i32::MIN;
            }
            let searches_ago = i32::from((AGES + self.age - age_of(word)) % AGES);
            TtEntry::unpack(word).depth - params::tt_plies_per_age() * searches_ago
        };
        (0..ENTRIES)
            .min_by_key(|&index| value(words[index]))
            .unwrap_or(0)
    }
    // ANCHOR_END: replace

    /// Share of the table filled by the present search, in permille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.clusters()[..1000];
        let words = sample.iter().flat_map(|cluster| &cluster.entries);
        let used = words
            .map(|word| word.load(Ordering::Relaxed))
            .filter(|&word| word != 0 && age_of(word) == self.age);
        (used.count() / ENTRIES) as u32
    }
}

/// An entry as it lies in the memory of the table.
#[cfg(feature = "insides")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The packed entry, from the low bit: 16 bits move, 16 score, 16 evaluation, 8 depth, 2 bound,
    /// 1 principal variation, 5 age.
    pub word: u64,
    /// What is stored to recognise the key: 16 of its bits, mixed with the entry.
    pub signature: u16,
    /// Number of the cluster.
    pub cluster: usize,
    /// Number of clusters in the table.
    pub clusters: usize,
    /// Place in the cluster.
    pub index: usize,
}

#[cfg(feature = "insides")]
impl TranspositionTable {
    /// Where the entry with this key lies.
    ///
    /// ```
    /// use tabiya::search::tt::{TranspositionTable, TtEntry};
    /// use tabiya::types::Key;
    /// let table = TranspositionTable::new(1).unwrap();
    /// let entry = TtEntry { mv: None, score: None, static_eval: None, depth: 7, pv: true };
    /// table.store(Key(1 << 63), entry);
    /// let slot = table.slot(Key(1 << 63)).unwrap();
    /// // The key is half of the largest one, so the cluster is in the middle.
    /// assert_eq!(2 * slot.cluster, slot.clusters);
    /// assert_eq!(slot.word >> 48 & 0xFF, 7);
    /// ```
    #[must_use]
    pub fn slot(&self, key: Key) -> Option<Slot> {
        let (words, signatures) = self.cluster(key).load();
        let index = find(words, signatures, key)?;
        let clusters = self.clusters();
        let offset = std::ptr::from_ref(self.cluster(key)).addr() - clusters.as_ptr().addr();
        Some(Slot {
            word: words[index],
            signature: (signatures >> (16 * index)) as u16,
            cluster: offset / size_of::<Cluster>(),
            clusters: clusters.len(),
            index,
        })
    }
}

impl Cluster {
    /// The entries and their signatures.
    #[inline(always)]
    fn load(&self) -> ([u64; ENTRIES], u64) {
        let [first, second, third] = &self.entries;
        let words = [
            first.load(Ordering::Relaxed),
            second.load(Ordering::Relaxed),
            third.load(Ordering::Relaxed),
        ];
        (words, self.signatures.load(Ordering::Relaxed))
    }
}

/// The signature of an entry: 16 bits of the key, mixed with the whole entry.
#[inline(always)]
fn signature(key: Key, word: u64) -> u64 {
    let half = word ^ word >> 32;
    (key.0 ^ half ^ half >> 16) & 0xFFFF
}

/// Index of the entry with this key.
#[inline(always)]
fn find(words: [u64; ENTRIES], signatures: u64, key: Key) -> Option<usize> {
    (0..ENTRIES).find(|&index| {
        let word = words[index];
        word != 0 && signatures >> (16 * index) & 0xFFFF == signature(key, word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Square;

    fn entry(depth: i32) -> TtEntry {
        TtEntry {
            mv: Some(Move::normal(Square::E2, Square::E4)),
            score: Some((Score(-123), Bound::Lower)),
            static_eval: Some(Score(45)),
            depth,
            pv: true,
        }
    }

    #[test]
    fn a_stored_entry_is_found_again() {
        let table = TranspositionTable::new(1).unwrap();
        let scores = [
            None,
            Some((Score::mate_in(5), Bound::Exact)),
            Some((Score::mated_in(6), Bound::Upper)),
        ];
        for (index, score) in scores.into_iter().enumerate() {
            let stored = TtEntry {
                score,
                static_eval: None,
                ..entry(index as i32)
            };
            let key = Key(0x1234_5678_9ABC_DEF0 * (index as u64 + 1));
            assert_eq!(table.probe(key), None);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
        }
    }

    #[test]
    fn an_entry_mixed_from_two_writers_is_not_found() {
        let table = TranspositionTable::new(1).unwrap();
        let (first, second) = (Key(7), Key(8));
        table.store(first, entry(3));
        // Another writer has stored the first of its two words.
        table.cluster(first).entries[0].store(entry(5).pack(0), Ordering::Relaxed);
        assert_eq!(table.probe(first), None);
        table.store(second, entry(5));
        assert_eq!(table.probe(second), Some(entry(5)));
        assert_eq!(table.probe(first), None);
    }

    #[test]
    fn a_full_cluster_replaces_its_shallowest_entry() {
        let table = TranspositionTable::new(1).unwrap();
        for (tag, depth) in [(1, 9), (2, 3), (3, 7), (4, 5)] {
            table.store(Key(tag), entry(depth));
        }
        let result: Vec<_> = (1..=4)
            .map(|tag| table.probe(Key(tag)).map(|entry| entry.depth))
            .collect();
        assert_eq!(result, [Some(9), None, Some(7), Some(5)]);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_old_one() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(Key(7), entry(3));
        table.store(
            Key(7),
            TtEntry {
                mv: None,
                ..entry(8)
            },
        );
        assert_eq!(table.probe(Key(7)), Some(entry(8)));
    }

    #[test]
    fn threads_find_whole_entries_of_each_other() {
        let table = TranspositionTable::new(1).unwrap();
        let rounds = if cfg!(miri) { 40 } else { 20_000 };
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let mut found = 0;
                    for number in (1..=6).cycle().take(rounds) {
                        // These keys share a cluster, and no entry fits the signature of another.
                        let key = Key(0x1111 * number);
                        let own = entry(number as i32);
                        table.store(key, own);
                        if let Some(other) = table.probe(key) {
                            assert_eq!(other, own, "{key:?}");
                            found += 1;
                        }
                    }
                    assert!(found > 0);
                });
            }
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes in Miri")]
    fn clearing_and_ageing_reset_hashfull() {
        let mut table = TranspositionTable::new(1).unwrap();
        for high in 0..40_000_u64 {
            table.store(Key(high.wrapping_mul(0x9E37_79B9_7F4A_7C15)), entry(1));
        }
        assert!(table.hashfull() > 300);
        table.age();
        assert_eq!(table.hashfull(), 0);
        table.clear(2);
        assert_eq!(table.probe(Key(0)), None);
        assert_eq!(table.mib(), 1);
        for threads in [0, 1, 3] {
            table.store(Key(0), entry(1));
            table.store(Key(u64::MAX), entry(1));
            table.wipe(threads);
            assert_eq!(
                (table.probe(Key(0)), table.probe(Key(u64::MAX))),
                (None, None)
            );
        }
    }
}
