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

/// Bytes of a huge page. A table much larger than the reach of the processor's address cache (some
/// megabytes with small pages) spends most of a look-up on finding the page.
pub(super) const HUGE_PAGE: usize = 2 * 1024 * 1024;

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

    /// Makes the region `lines` long, at least as long as it is: what it holds stays at its start, and the
    /// rest is zeros. A mapped region keeps its pages, so that old and new never exist side by side and
    /// no page is paid for twice.
    pub(super) fn grow(&mut self, lines: usize) {
        debug_assert!(lines >= self.lines);
        let (old, new) = (layout_of(self.lines), layout_of(lines));
        // A huge page takes the place of small ones only if the memory was never touched.
        let becomes_huge = old.size() < HUGE_PAGE && new.size() >= HUGE_PAGE;
        if is_mapped(old.size())
            && !becomes_huge
            && let Some(start) = remap(self.start, old.size(), new.size())
        {
            self.start = start;
            self.lines = lines;
            return;
        }
        let larger = Self::zeroed(lines);
        // SAFETY: both regions are at least as long as the old one, and are different memory.
        unsafe {
            larger
                .start
                .copy_from_nonoverlapping(self.start, old.size());
        };
        *self = larger;
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

/// Miri knows no mapped memory, and other systems than Linux keep to the heap. There growth always moves, so that Miri
/// sees whoever keeps an address beyond it.
const fn is_mapped(bytes: usize) -> bool {
    cfg!(target_os = "linux") && !cfg!(miri) && bytes >= MAPPED_FROM
}

/// Addresses that nobody else uses, as many as `bytes`, from a multiple of [`HUGE_PAGE`] on where huge
/// pages would fit. They hold no memory yet.
#[cfg(all(target_os = "linux", not(miri)))]
fn reserve(bytes: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

    // What lies behind the last whole page is cut off below, at an address that must begin a page.
    let bytes = bytes.next_multiple_of(rustix::param::page_size());
    let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a fresh private mapping, at an address the kernel chooses, aliases nothing.
    let start = unsafe {
        mmap_anonymous(
            std::ptr::null_mut(),
            bytes + slack,
            ProtFlags::empty(),
            flags,
        )
    }
    .ok()?;
    let before = if slack == 0 {
        0
    } else {
        start.cast::<u8>().align_offset(HUGE_PAGE)
    };
    let start = start.cast::<u8>();
    // SAFETY: both ends lie in the mapping made above, and nothing refers to them.
    unsafe {
        if before > 0 {
            munmap(start.cast(), before).ok()?;
        }
        if slack > before {
            munmap(start.add(before + bytes).cast(), slack - before).ok()?;
        }
        NonNull::new(start.add(before))
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn map_zeroed(bytes: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

    let place = reserve(bytes)?;
    let access = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE | MapFlags::FIXED;
    // SAFETY: the addresses were reserved above, and nothing refers to them yet.
    unsafe { mmap_anonymous(place.as_ptr().cast(), bytes, access, flags) }.ok()?;
    advise(place, bytes, 0);
    Some(place)
}

/// Moves a mapping to a longer range of addresses, without touching its pages.
#[cfg(all(target_os = "linux", not(miri)))]
fn remap(start: NonNull<u8>, old: usize, new: usize) -> Option<NonNull<u8>> {
    use rustix::mm::{MremapFlags, mremap_fixed};

    let place = reserve(new)?;
    let (from, to) = (start.as_ptr().cast(), place.as_ptr().cast());
    // SAFETY: `start` is one whole mapping of `old` bytes, which its owner gives up for the new one; the
    // new addresses were reserved above, and nothing refers to them yet.
    if unsafe { mremap_fixed(from, old, new, MremapFlags::MAYMOVE, to) }.is_err() {
        unmap(place, new);
        return None;
    }
    advise(place, new, old);
    Some(place)
}

/// Asks for huge pages, and to have what is beyond the first `used` bytes ready to be written: growing spreads
/// states over all of it at once, and reads each bucket before writing it. A page that is read first is mapped
/// twice, and mapping it anew interrupts all other threads. Advice only: without it the table is slower and just as right.
#[cfg(all(target_os = "linux", not(miri)))]
fn advise(start: NonNull<u8>, bytes: usize, used: usize) {
    use rustix::mm::{Advice, madvise};

    let advise = |from: usize, advice| {
        let start = start.as_ptr().wrapping_add(from);
        // SAFETY: the range is part of a mapping of this module, and neither advice changes its contents.
        let _ = unsafe { madvise(start.cast(), bytes - from, advice) };
    };
    if bytes >= HUGE_PAGE {
        advise(0, Advice::LinuxHugepage);
    }
    let page = rustix::param::page_size();
    advise(used / page * page, Advice::LinuxPopulateWrite);
}

#[cfg(all(target_os = "linux", not(miri)))]
fn unmap(start: NonNull<u8>, bytes: usize) {
    // SAFETY: the range is one whole mapping made by `map_zeroed`, and its owner is being dropped.
    let unmapped = unsafe { rustix::mm::munmap(start.as_ptr().cast(), bytes) };
    debug_assert!(unmapped.is_ok(), "a whole mapping can be given back");
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn map_zeroed(_bytes: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn remap(_start: NonNull<u8>, _old: usize, _new: usize) -> Option<NonNull<u8>> {
    None
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn unmap(_start: NonNull<u8>, _bytes: usize) {}

#[cfg(test)]
mod tests {
    use super::{HUGE_PAGE, LINE, MAPPED_FROM, Region};

    #[test]
    fn regions_of_every_kind_are_zeroed_aligned_and_given_back() {
        // Miri maps no memory, and takes a second for a megabyte.
        let large = if cfg!(miri) {
            640
        } else {
            5 * 1024 * 1024 / LINE
        };
        for lines in [0, 1, 63, MAPPED_FROM / LINE, large] {
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

    #[test]
    fn a_grown_region_keeps_its_bytes_and_adds_zeros() {
        let mut region = Region::empty();
        let sizes = [
            1,
            64,
            MAPPED_FROM / LINE,
            3 * MAPPED_FROM / LINE,
            40_000,
            100_000,
        ];
        // Miri maps no memory, and takes a second for a megabyte.
        let few = if cfg!(miri) { 2 } else { sizes.len() };
        for (round, lines) in sizes.into_iter().take(few).enumerate() {
            let before = region.bytes();
            region.grow(lines);
            let start = region.start().as_ptr();
            // SAFETY: the region owns this many bytes, and nothing else refers to them.
            let bytes = unsafe { std::slice::from_raw_parts_mut(start, region.bytes()) };
            let round = u8::try_from(round).unwrap();
            assert!(bytes[..before].iter().all(|byte| *byte == round));
            assert!(bytes[before..].iter().all(|byte| *byte == 0));
            bytes.fill(round + 1);
            if region.bytes() >= HUGE_PAGE {
                assert_eq!(start as usize % HUGE_PAGE, 0);
            }
        }
    }
}
