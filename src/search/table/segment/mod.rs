//! One segment of a visited table: open addressing over buckets, in the order of keys.
//!
//! A state belongs to the bucket that its order names, its home; where that is full, to the next one with
//! room. Because the buckets follow the order whatever their number, a segment grows in place: it is
//! made longer, and from the last bucket to the first each state moves further back. So growth reads
//! and writes memory in order, and holds no old segment beside a new one.
//!
//! The place of a state also tells most of its order. For a coding of quotients only the last bits are kept: this is
//! J. G. Cleary's compact hashing ("Compact Hash Tables Using Bidirectional Linear Probing", IEEE Transactions on
//! Computers C-33, 1984), with buckets. His extra bits, which say from which home an entry has strayed,
//! are not needed: states stray no further than [`REACH_OF_QUOTIENTS`] buckets, and so many bits are kept that
//! two orders with a home within that distance differ in them. The buckets are exchanged for ones with
//! narrower lanes when there are so many that these suffice; for that moment there are both.

use std::marker::PhantomData;

use super::bucket::{Bucket, Layout};
use super::insert::{self, CountByte, Place};
use super::kept::{Bits16, Bits32, Bits40, Bits64, Kept, Width};
use super::lanes::Lane;
use super::region::{LINE, Region};
use super::{Entered, SEGMENT_BITS};
use crate::puzzle::{Keep, Key};
use crate::search::node::{PathCost, Record};

/// Calls a method that is generic over the width with that of a segment.
macro_rules! with_width {
    ($segment:expr, $width:ident => $call:expr) => {
        match $segment.width() {
            Width::Bits16 => {
                type $width = Bits16;
                $call
            }
            Width::Bits32 => {
                type $width = Bits32;
                $call
            }
            Width::Bits40 => {
                type $width = Bits40;
                $call
            }
            Width::Bits64 => {
                type $width = Bits64;
                $call
            }
        }
    };
}

mod growth;
#[cfg(test)]
mod tests;

/// Some of the states of a table, each with its record.
///
/// `T` is what orders do not say of a state, `Q` what is kept of orders.
#[derive(Debug)]
pub struct Segment<T, A, C, Q> {
    region: Region,
    buckets: usize,
    /// Buckets that are the home of some order: all but the last few, so that no state strays beyond the end.
    homes: usize,
    /// What is kept of an order; all of it unless this is a table of quotients.
    width: Width,
    /// Leading bits of orders that are used.
    order_bits: u32,
    /// Number of the segment in its table: the leading bits of its orders.
    index: usize,
    /// States that may still be entered by [`Self::enter`] before the segment must grow.
    room: usize,
    /// Most bytes that the last growth has held at once.
    most_bytes: usize,
    entries: PhantomData<(T, Record<A, C>, Q)>,
}

/// What a bucket keeps of a state, beside its lane.
type BesideLane<W, T> = (<W as Kept>::High, T);
/// The buckets of a width.
type BucketOf<W, T, A, C> = Bucket<<W as Kept>::Lane, BesideLane<W, T>, Record<A, C>>;
/// Their layout.
type LayoutOf<W, T, A, C> = Layout<<W as Kept>::Lane, BesideLane<W, T>, Record<A, C>>;

/// Shape of the buckets of a width.
#[derive(Debug, Clone, Copy)]
struct Shape {
    bits: u32,
    slots: usize,
    lines: usize,
}

/// Buckets in which a state may be, from its home on.
const REACH: usize = 128;
/// Fewer for quotients, which must tell apart all orders within reach.
const REACH_OF_QUOTIENTS: usize = 16;

/// How full a segment gets, and how much it grows by: steps are large and loads low, which saves time, as far as
/// a state takes no more than 13 bytes on average.
#[derive(Debug, Clone, Copy)]
struct Policy {
    /// Sixteenths of the slots that may be taken.
    load: usize,
    /// Growing moves every state, so larger steps cost less time, and leave more memory empty.
    growth_per_cent: usize,
}

/// What a probe of a segment has to know of a key.
struct Probe<W: Kept, T> {
    home: usize,
    lane: W::Lane,
    beside: BesideLane<W, T>,
}

/// A state that several threads may enter, and a bucket in which it may be.
struct Entrant<W: Kept, T, A, C> {
    bucket: BucketOf<W, T, A, C>,
    lane: W::Lane,
    beside: BesideLane<W, T>,
    record: Record<A, C>,
}

impl<W: Kept, T: Copy + Eq, A: Copy, C: PathCost> Place for Entrant<W, T, A, C> {
    const SLOTS: usize = LayoutOf::<W, T, A, C>::SLOTS;
    const REOPENS: bool = C::REOPENS;

    #[inline(always)]
    fn count_byte(&self) -> CountByte<'_> {
        self.bucket.count_byte()
    }

    #[inline(always)]
    fn find(&self, count: usize) -> Option<usize> {
        self.bucket.find(self.lane, &self.beside, count)
    }

    #[inline(always)]
    fn write(&self, slot: usize) {
        self.bucket.write(slot, self.lane, self.beside, self.record);
    }

    #[inline(always)]
    fn improve(&self, slot: usize) -> Entered {
        improve(&self.bucket, slot, self.record)
    }
}

impl<T: Copy + Eq, A: Copy, C: PathCost, Q: Keep> Segment<T, A, C, Q> {
    const REACH: usize = if Q::QUOTIENT {
        REACH_OF_QUOTIENTS
    } else {
        REACH
    };

    /// The empty segment of this number in a table, which takes no memory yet, for orders of so many leading bits.
    #[must_use]
    pub const fn new(index: usize, order_bits: u32) -> Self {
        Self {
            region: Region::empty(),
            buckets: 0,
            homes: 0,
            width: Width::Bits64,
            order_bits,
            index,
            room: 0,
            most_bytes: 0,
            entries: PhantomData,
        }
    }

    /// Bytes allocated. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.region.bytes()
    }

    /// Most bytes that were allocated at once since before the last growth. O(1).
    #[must_use]
    pub const fn most_bytes(&self) -> usize {
        self.most_bytes
    }

    #[inline(always)]
    const fn width(&self) -> Width {
        if Q::QUOTIENT {
            self.width
        } else {
            Width::Bits64
        }
    }

    const fn shape_of<W: Kept>() -> Shape {
        Shape {
            bits: W::BITS,
            slots: LayoutOf::<W, T, A, C>::SLOTS,
            lines: LayoutOf::<W, T, A, C>::LINES,
        }
    }

    #[inline(always)]
    const fn shape(&self, width: Width) -> Shape {
        match width {
            Width::Bits16 => const { Self::shape_of::<Bits16>() },
            Width::Bits32 => const { Self::shape_of::<Bits32>() },
            Width::Bits40 => const { Self::shape_of::<Bits40>() },
            Width::Bits64 => const { Self::shape_of::<Bits64>() },
        }
    }

    /// Where there is no room, runs of full buckets grow long, and each but the first two is waited for. Buckets with
    /// more slots bear more load, and leave more memory to waste.
    #[inline(always)]
    const fn policy(&self) -> Policy {
        let (load, growth_per_cent) = match self.shape(self.width()).slots {
            _ if Q::DENSE => (14, 25),
            ..8 => (13, 25),
            8..12 => (12, 50),
            12.. => (12, 100),
        };
        Policy {
            load,
            growth_per_cent,
        }
    }

    /// States at which the segment must grow.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        let slots = self.buckets * self.shape(self.width()).slots;
        slots * self.policy().load / 16
    }

    /// The first bucket in which the state of an order may be.
    #[inline(always)]
    const fn home_of(&self, order: u64) -> usize {
        // The leading bits of all orders of a segment are the same.
        let within = order << SEGMENT_BITS;
        // Scaling keeps the sequence of orders, and needs no power of two and no division.
        ((within as u128 * self.homes as u128) >> u64::BITS) as usize
    }

    /// An order without the bits that are not used. What is kept are the last bits of this.
    #[inline(always)]
    const fn number(&self, order: u64) -> u64 {
        if Q::QUOTIENT {
            order >> (u64::BITS - self.order_bits)
        } else {
            order
        }
    }

    #[inline(always)]
    fn probe<W: Kept>(&self, key: &Key<T>) -> Probe<W, T> {
        let (lane, high) = W::divide(self.number(key.order));
        Probe {
            home: self.home_of(key.order),
            lane,
            beside: (high, key.rest),
        }
    }

    #[inline(always)]
    const fn address(&self, index: usize, bytes: usize) -> *mut u8 {
        let start = self.region.start().as_ptr();
        start.wrapping_add(index * bytes)
    }

    /// # Panics
    /// In debug builds, if the index is out of range or the lanes are of another width.
    #[inline(always)]
    fn bucket<W: Kept>(&self, index: usize) -> BucketOf<W, T, A, C> {
        debug_assert!(index < self.buckets);
        debug_assert!(self.width() == W::WIDTH);
        // SAFETY: the region holds `buckets` buckets of the width of the segment, and `index` is below that: a home is
        // below `homes`, which is at most `buckets`, and walks end before `buckets`. Regions begin as zeros,
        // aligned to lines; growing leaves the new buckets zero. Callers take the lane of `width`.
        unsafe { Bucket::at(self.address(index, LayoutOf::<W, T, A, C>::BYTES)) }
    }

    /// The buckets in which a state with this home may be, in order.
    #[inline(always)]
    fn within_reach(&self, home: usize) -> std::ops::Range<usize> {
        home..(home + Self::REACH).min(self.buckets)
    }

    /// Asks the processor to fetch the first lines of a state that will be entered soon. Where segments are rather full,
    /// that includes the next bucket, which is needed about once in five times: waiting for it costs more than
    /// fetching it in vain.
    #[inline(always)]
    pub fn prefetch(&self, order: u64) {
        let lines = self.shape(self.width()).lines;
        let start = self.address(self.home_of(order), lines * LINE);
        fetch(start);
        if self.policy().load > 12 || lines > 1 {
            fetch(start.wrapping_add(LINE));
        }
        if lines > 2 {
            fetch(start.wrapping_add(lines * LINE - LINE));
        }
    }

    /// Enters a state unless it is known at no greater cost. `None` if the segment is as full as it may be or there is
    /// no room within reach, so that it must grow first. Expected O(1).
    #[inline(always)]
    pub fn enter(&mut self, key: Key<T>, record: Record<A, C>) -> Option<Entered> {
        with_width!(self, W => self.enter_in::<W>(key, record))
    }

    #[inline]
    fn enter_in<W: Kept>(&mut self, key: Key<T>, record: Record<A, C>) -> Option<Entered> {
        let Probe { home, lane, beside } = self.probe::<W>(&key);
        for index in self.within_reach(home) {
            let bucket = self.bucket::<W>(index);
            let count = bucket.count();
            if let Some(slot) = bucket.find(lane, &beside, count) {
                return Some(improve(&bucket, slot, record));
            }
            if count < BucketOf::<W, T, A, C>::SLOTS {
                self.room = self.room.checked_sub(1)?;
                bucket.append(count, lane, beside, record);
                return Some(Entered::New);
            }
        }
        None
    }

    /// Like [`Self::enter`], for several threads at a time. Whichever thread finds the state absent while it holds the
    /// first bucket from its home on that is not full enters it: nobody can enter it elsewhere.
    #[inline(always)]
    pub fn enter_shared(&self, key: &Key<T>, record: Record<A, C>) -> Option<Entered> {
        with_width!(self, W => self.enter_shared_in::<W>(key, record))
    }

    #[inline(always)]
    fn enter_shared_in<W: Kept>(&self, key: &Key<T>, record: Record<A, C>) -> Option<Entered> {
        let Probe { home, lane, beside } = self.probe::<W>(key);
        self.within_reach(home).find_map(|index| {
            insert::enter_shared(&Entrant::<W, T, A, C> {
                bucket: self.bucket::<W>(index),
                lane,
                beside,
                record,
            })
        })
    }

    /// The record of a state. Expected O(1). Other threads may enter states meanwhile.
    #[inline]
    #[must_use]
    pub fn record(&self, key: &Key<T>) -> Option<Record<A, C>> {
        with_width!(self, W => self.record_in::<W>(key))
    }

    fn record_in<W: Kept>(&self, key: &Key<T>) -> Option<Record<A, C>> {
        let Probe { home, lane, beside } = self.probe::<W>(key);
        for index in self.within_reach(home) {
            let bucket = self.bucket::<W>(index);
            let count = bucket.count();
            if let Some(slot) = bucket.find(lane, &beside, count) {
                if !C::REOPENS {
                    return Some(bucket.record(slot));
                }
                let count = bucket.count_byte().acquire();
                let record = bucket.record(slot);
                bucket.count_byte().release(count);
                return Some(record);
            }
            if count < BucketOf::<W, T, A, C>::SLOTS {
                return None;
            }
        }
        None
    }
}

/// Replaces the record in a slot if the new one is cheaper.
#[inline(always)]
fn improve<L, T, A, C>(
    bucket: &Bucket<L, T, Record<A, C>>,
    slot: usize,
    record: Record<A, C>,
) -> Entered
where
    L: Lane,
    T: Copy + Eq,
    A: Copy,
    C: PathCost,
{
    if !C::REOPENS || !record.cost.improves_on(bucket.record(slot).cost) {
        return Entered::Duplicate;
    }
    bucket.replace(slot, record);
    Entered::Improved
}

/// Asks the processor to fetch the line at an address, which may be any.
#[inline]
fn fetch(address: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: prefetching is a hint; it reads nothing and faults on no address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}
