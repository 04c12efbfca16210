//! Memory for the transposition table: pages from the system, or the allocator's memory in
//! WebAssembly, which has no pages.

#![allow(unsafe_code)]

pub(super) use implementation::Memory;

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
            // Huge pages mean fewer misses in the page table. The hint may fail. Miri does not know
            // it.
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
