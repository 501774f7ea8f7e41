//! Zeroed memory for the segments of a table, aligned to cache lines, on huge pages where they help.
//!
//! One of the two modules of the engine with `unsafe` code. Large regions are mapped one by one, so
//! that a region given back leaves no hole in the heap: a table that grows in small steps would
//! otherwise keep a multiple of its size.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// Bytes of a cache line, the alignment of every region.
pub(super) const LINE: usize = 64;

/// Regions from this size on are mapped; smaller ones come from the heap.
const MAPPED_FROM: usize = 256 * 1024;

/// Regions from this size on ask for huge pages: smaller ones would not fill a single one.
const HUGE_FROM: usize = 4 * 1024 * 1024;

/// Owned memory that began as zeros.
#[derive(Debug)]
pub(super) struct Region {
    start: NonNull<u8>,
    lines: usize,
}

// SAFETY: a region owns its memory like a `Box<[u8]>` and holds nothing that is bound to a thread.
unsafe impl Send for Region {}
// SAFETY: a shared region gives out nothing but its address.
unsafe impl Sync for Region {}

impl Region {
    /// No memory.
    pub(super) const fn empty() -> Self {
        Self {
            start: NonNull::dangling(),
            lines: 0,
        }
    }

    /// `lines` cache lines of zeros. Aborts like any allocation when the machine has no memory left.
    pub(super) fn zeroed(lines: usize) -> Self {
        if lines == 0 {
            return Self::empty();
        }
        let layout = layout_of(lines);
        let start = if is_mapped(layout.size()) {
            map_zeroed(layout.size())
        } else {
            // SAFETY: the layout has a size above zero.
            NonNull::new(unsafe { alloc_zeroed(layout) })
        };
        let start = start.unwrap_or_else(|| handle_alloc_error(layout));
        Self { start, lines }
    }

    /// The first byte; dangling if the region is empty.
    #[inline]
    pub(super) const fn start(&self) -> NonNull<u8> {
        self.start
    }

    /// Bytes of the region.
    pub(super) const fn bytes(&self) -> usize {
        self.lines * LINE
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        if self.lines == 0 {
            return;
        }
        let layout = layout_of(self.lines);
        if is_mapped(layout.size()) {
            unmap(self.start, layout.size());
        } else {
            // SAFETY: the memory came from the heap with this very layout.
            unsafe { dealloc(self.start.as_ptr(), layout) };
        }
    }
}

fn layout_of(lines: usize) -> Layout {
    let bytes = lines.checked_mul(LINE);
    bytes
        .and_then(|bytes| Layout::from_size_align(bytes, LINE).ok())
        .expect("a segment of a table is smaller than the address space")
}

/// Miri knows no mapped memory, and other systems than Linux keep to the heap.
const fn is_mapped(bytes: usize) -> bool {
    cfg!(target_os = "linux") && !cfg!(miri) && bytes >= MAPPED_FROM
}

#[cfg(target_os = "linux")]
fn map_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};

    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a fresh private mapping, at an address the kernel chooses, aliases nothing.
    let start =
        unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, access, MapFlags::PRIVATE) }.ok()?;
    if bytes >= HUGE_FROM {
        // Advice only: without huge pages the table is slower and just as right.
        // SAFETY: the range is the mapping made above, and the advice does not change its contents.
        let _ = unsafe { madvise(start, bytes, Advice::LinuxHugepage) };
    }
    NonNull::new(start.cast())
}

#[cfg(target_os = "linux")]
fn unmap(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the range is one whole mapping made by `map_zeroed`, and its owner is being dropped.
    let unmapped = unsafe { rustix::mm::munmap(start.as_ptr().cast(), bytes) };
    debug_assert!(unmapped.is_ok(), "a whole mapping can be given back");
}

#[cfg(not(target_os = "linux"))]
fn map_zeroed(_bytes: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(not(target_os = "linux"))]
fn unmap(_start: NonNull<u8>, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::{LINE, MAPPED_FROM, Region};

    #[test]
    fn regions_of_every_kind_are_zeroed_aligned_and_given_back() {
        for lines in [0, 1, 63, MAPPED_FROM / LINE, 5 * 1024 * 1024 / LINE] {
            let region = Region::zeroed(lines);
            assert_eq!(region.bytes(), lines * LINE);
            if lines == 0 {
                continue;
            }
            assert_eq!(region.start().as_ptr() as usize % LINE, 0);
            // SAFETY: the region owns this many zeroed bytes.
            let bytes =
                unsafe { std::slice::from_raw_parts(region.start().as_ptr(), region.bytes()) };
            let step = if cfg!(miri) { 4099 } else { 1 };
            assert!(bytes.iter().step_by(step).all(|byte| *byte == 0));
        }
    }
}
