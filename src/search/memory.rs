//! Memory for the transposition table: pages mapped by the system, or in WebAssembly, which cannot
//! map any, memory of the allocator. A check that the system has memory for threads.

#![allow(unsafe_code)]

use std::collections::TryReserveError;
use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::{iter, thread};

pub(super) use implementation::Memory;

/// What a thread needs besides its stack and its own data, such as its signal stack, in bytes;
/// generous.
const THREAD_BYTES: usize = 1 << 20;

/// Size in bytes of an arena of the GNU C library (glibc), the address space for the allocations of
/// a thread, and the number of threads for each processor that get their own.
const ARENA: Option<(usize, usize)> = if cfg!(target_env = "gnu") && usize::BITS == 64 {
    Some((64 << 20, 8))
} else {
    None
};

/// Number of processors. The system is asked once, because asking takes nearly as long as a short
/// search.
static PROCESSORS: LazyLock<usize> =
    LazyLock::new(|| thread::available_parallelism().map_or(1, NonZeroUsize::get));

/// Checks that the system has memory for this number of threads, with `bytes` for each. If the
/// standard library gets none, even for the signal stack of a thread that has begun, it ends the
/// program. So the memory is reserved and given back first.
pub(super) fn has_room_for(threads: usize, bytes: usize) -> Result<(), TryReserveError> {
    // One block for all would be refused where many of this size are not.
    let blocks = iter::repeat_n(bytes + THREAD_BYTES, threads);
    let arenas = ARENA.into_iter().flat_map(|(bytes, per_processor)| {
        iter::repeat_n(bytes, threads.min(per_processor * *PROCESSORS))
    });
    let mut reserved = Vec::new();
    for bytes in blocks.chain(arenas) {
        let mut block = Vec::<u8>::new();
        block.try_reserve_exact(bytes)?;
        reserved.push(block);
    }
    Ok(())
}

#[cfg(not(target_family = "wasm"))]
mod implementation {
    use memmap2::{MmapMut, MmapRaw};
    use std::io;

    /// Zeroed bytes, aligned to at least 64, that may be written through shared references.
    pub(in crate::search) struct Memory(MmapRaw);

    impl Memory {
        /// Returns zeroed memory of this size in bytes.
        ///
        /// # Errors
        /// If the system refuses it.
        pub(in crate::search) fn zeroed(bytes: usize) -> io::Result<Self> {
            let pages = MmapRaw::from(MmapMut::map_anon(bytes)?);
            // Huge pages mean fewer TLB misses. The hint may fail. Miri does not know it.
            #[cfg(all(target_os = "linux", not(miri)))]
            let _ = pages.advise(memmap2::Advice::HugePage);
            Ok(Self(pages))
        }

        /// The first byte. The pointer allows writes.
        #[inline(always)]
        pub(in crate::search) fn start(&self) -> *mut u8 {
            self.0.as_mut_ptr()
        }

        /// Size in bytes.
        #[inline(always)]
        pub(in crate::search) fn len(&self) -> usize {
            self.0.len()
        }
    }
}

#[cfg(target_family = "wasm")]
mod implementation {
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::io;
    use std::ptr::NonNull;

    /// Zeroed bytes, aligned to at least 64, that may be written through shared references.
    pub(in crate::search) struct Memory {
        start: NonNull<u8>,
        layout: Layout,
    }

    impl Memory {
        /// Returns zeroed memory of this size in bytes.
        ///
        /// # Errors
        /// If the browser refuses it.
        pub(in crate::search) fn zeroed(bytes: usize) -> io::Result<Self> {
            let refused = || io::Error::from(io::ErrorKind::OutOfMemory);
            let layout = Layout::from_size_align(bytes.max(1), 64).map_err(|_| refused())?;
            // SAFETY: the layout is not empty.
            let start = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(refused)?;
            Ok(Self { start, layout })
        }

        /// The first byte. The pointer allows writes.
        #[inline(always)]
        pub(in crate::search) fn start(&self) -> *mut u8 {
            self.start.as_ptr()
        }

        /// Size in bytes.
        #[inline(always)]
        pub(in crate::search) fn len(&self) -> usize {
            self.layout.size()
        }
    }

    impl Drop for Memory {
        fn drop(&mut self) {
            // SAFETY: `zeroed` has allocated the memory with this layout.
            unsafe { dealloc(self.start.as_ptr(), self.layout) }
        }
    }

    // SAFETY: the memory belongs to this value alone.
    unsafe impl Send for Memory {}
    // SAFETY: the table writes through shared references by atomics only.
    unsafe impl Sync for Memory {}
}
