//! One segment of a visited table: open addressing over buckets, in the order of keys.
//!
//! A state belongs to the bucket that its order names, its home; where that is full, to the next one with
//! room. Because the buckets follow the order whatever their number, a segment grows in place: it is
//! made longer, and from the last bucket to the first each state moves further back. So growth reads
//! and writes memory in order, and never holds an old table beside a new one.
//!
//! The place of a state also tells most of its order. For a coding of quotients only the last bits are kept: this is
//! J. G. Cleary's compact hashing ("Compact Hash Tables Using Bidirectional Linear Probing", IEEE Transactions on
//! Computers C-33, 1984), with buckets. His extra bits, which say from which home an entry has strayed,
//! are not needed: states stray no further than [`REACH_OF_QUOTIENTS`] buckets, and so many bits are kept that
//! two orders with a home within that distance differ in them. The buckets are exchanged for ones with
//! narrower lanes when there are so many that these suffice.

use std::marker::PhantomData;

use super::bucket::{Bucket, Layout};
use super::insert::{self, CountByte, Place};
use super::lanes::{Bits16, Bits32, Bits40, Bits64, Kept, Lane};
use super::region::{HUGE_PAGE, LINE, Region};
use super::{Entered, SEGMENT_BITS, SEGMENTS};
use crate::puzzle::{Keep, Key};
use crate::search::node::{PathCost, Record};

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
    entries: PhantomData<(T, Record<A, C>, Q)>,
}

/// How much is kept of an order, narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    Bits16,
    Bits32,
    Bits40,
    Bits64,
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

/// Buckets from which on a segment grows by its [`Policy`]; a smaller one doubles.
const GRADUAL_FROM: usize = 64;

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

/// A segment of more buckets than this with more buckets than states has orders that are not mixed.
const NEVER_SPARSE_FROM: usize = 1 << 16;

/// What a probe of a segment has to know of a key.
struct Probe<W: Kept, T> {
    home: usize,
    lane: W::Lane,
    beside: BesideLane<W, T>,
}

/// A state that several threads may enter, and a bucket in which it may be.
struct Candidate<W: Kept, T, A, C> {
    bucket: BucketOf<W, T, A, C>,
    lane: W::Lane,
    beside: BesideLane<W, T>,
    record: Record<A, C>,
}

impl<W: Kept, T: Copy + Eq, A: Copy, C: PathCost> Place for Candidate<W, T, A, C> {
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

/// A state that is being moved.
type Moving<T, A, C> = (Key<T>, Record<A, C>);

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
            entries: PhantomData,
        }
    }

    /// Bytes allocated. O(1).
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.region.bytes()
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
        debug_assert!(self.shape(self.width()).bits == W::BITS);
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
            insert::enter_shared(&Candidate::<W, T, A, C> {
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

/// Growth.
impl<T: Copy + Eq, A: Copy, C: PathCost, Q: Keep> Segment<T, A, C, Q> {
    /// Makes the segment longer, by no more than about `allowance` bytes if that is less than usual. O(buckets).
    ///
    /// # Panics
    /// If the segment is large and almost empty, which says that the orders of the coding are not mixed.
    #[cold]
    pub fn grow(&mut self, allowance: usize) {
        let mut states = 0;
        let mut homeless = self.resize(self.next_size(allowance), &mut states);
        loop {
            // Those that find no room are counted when they are housed.
            self.room = self.capacity().saturating_sub(states - homeless.len());
            homeless.retain(|(key, record)| self.enter(*key, *record).is_none());
            if homeless.is_empty() {
                return;
            }
            let waiting = homeless.len();
            homeless.append(&mut self.resize(self.next_size(usize::MAX), &mut states));
            states += waiting;
        }
    }

    /// Buckets after the next growth, of which the new ones take no more than `allowance` bytes, as far as
    /// that leaves anything to grow by.
    fn next_size(&self, allowance: usize) -> usize {
        let growth = self.policy().growth_per_cent;
        let wanted = match self.buckets {
            0 => 1,
            few if few < GRADUAL_FROM / 2 => few * 2,
            // From here on the segments have different sizes, so that they do not all grow at once and
            // their average load stays even.
            few if few < GRADUAL_FROM => {
                let stagger = self.index * growth / SEGMENTS;
                GRADUAL_FROM + GRADUAL_FROM * stagger / 100
            }
            many => self.whole_pages(many + many * growth / 100),
        };
        let least = self.buckets + self.buckets.div_ceil(32).max(1);
        let most = self.buckets + allowance / (self.shape(self.width()).lines * LINE);
        wanted.min(most).max(least)
    }

    /// Rounds buckets to whole huge pages where that changes their number little: what begins as part
    /// of a page stays on small pages. Segments are rounded differently, so that they keep different sizes.
    const fn whole_pages(&self, buckets: usize) -> usize {
        let page = HUGE_PAGE / (self.shape(self.width()).lines * LINE);
        if buckets < 4 * page {
            return buckets;
        }
        (buckets + page * self.index / SEGMENTS) / page * page
    }

    /// Takes the segment to so many buckets, or as much room in narrower ones where that tells enough of
    /// an order. Returns the states that found no room within reach, and says how many states there were.
    fn resize(&mut self, buckets: usize, states: &mut usize) -> Vec<Moving<T, A, C>> {
        let width = self.width_for(buckets);
        let mut homeless = Vec::new();
        *states = if width == self.width() {
            with_width!(self, W => self.stretch::<W>(buckets, &mut homeless))
        } else {
            self.rebuild(width, buckets, &mut homeless)
        };
        assert!(
            self.buckets < NEVER_SPARSE_FROM || *states > self.buckets / 4,
            "{states} states find no room in {} buckets: their orders are not well mixed; see puzzle::Coding",
            self.buckets
        );
        homeless
    }

    /// Buckets that are homes, of so many.
    fn homes_of(buckets: usize) -> usize {
        buckets - (Self::REACH - 1).min(buckets / 8)
    }

    /// Buckets of another width that hold what so many buckets of the present one hold.
    const fn buckets_of(&self, width: Width, buckets: usize) -> usize {
        let (present, other) = (self.shape(self.width()), self.shape(width));
        (buckets * present.slots).div_ceil(other.slots)
    }

    /// The narrowest width that suffices for what so many buckets of the present one hold.
    fn width_for(&self, buckets: usize) -> Width {
        if !Q::QUOTIENT {
            return Width::Bits64;
        }
        let suffices = |width: &Width| {
            let homes = Self::homes_of(self.buckets_of(*width, buckets));
            self.tells_apart(homes, self.shape(*width).bits)
        };
        let mut narrow = [Width::Bits16, Width::Bits32, Width::Bits40]
            .into_iter()
            .filter(suffices);
        narrow.next().unwrap_or(Width::Bits64)
    }

    /// Whether orders with a home within reach of one bucket differ in so many last bits.
    fn tells_apart(&self, homes: usize, bits: u32) -> bool {
        let orders = (1_u128 << self.order_bits) >> SEGMENT_BITS;
        // The bounds of a home are rounded, and so are those of the segment.
        let within_reach = (orders * Self::REACH as u128).div_ceil(homes as u128) + 3;
        within_reach <= 1_u128 << bits
    }

    /// The least number of an order whose state may be in a bucket, where there are so many homes.
    fn least_in(&self, index: usize, homes: usize) -> u64 {
        let home = index.saturating_sub(Self::REACH - 1) as u128;
        let within = ((home << u64::BITS) / homes as u128) as u64;
        let segment = (self.index as u64) << (u64::BITS - SEGMENT_BITS);
        self.number(segment | within >> SEGMENT_BITS)
    }

    /// Hands over all states of a bucket, which were put there when there were so many homes, and empties it.
    #[inline(always)]
    fn take_all<W: Kept>(
        &self,
        index: usize,
        homes: usize,
        mut take: impl FnMut(Key<T>, Record<A, C>),
    ) -> usize {
        let bucket = self.bucket::<W>(index);
        let count = bucket.count();
        if count == 0 {
            return 0;
        }
        let is_whole = W::BITS == u64::BITS && !Q::QUOTIENT;
        let least = if is_whole {
            0
        } else {
            self.least_in(index, homes)
        };
        // What is put back into this bucket takes slots that have been read.
        bucket.clear();
        for slot in 0..count {
            let (high, rest) = bucket.rest(slot);
            let kept = W::join(bucket.lane(slot), high);
            let record = bucket.record(slot);
            let order = if is_whole {
                kept
            } else {
                let unkept = u64::BITS - W::BITS;
                let beyond = kept.wrapping_sub(least) << unkept >> unkept;
                (least + beyond) << (u64::BITS - self.order_bits)
            };
            take(Key { order, rest }, record);
        }
        count
    }

    /// Puts a state that is known to be absent into the first bucket from its home on that is not full;
    /// false if there is none.
    #[inline(always)]
    fn move_in<W: Kept>(&self, key: &Key<T>, record: Record<A, C>) -> bool {
        let Probe { home, lane, beside } = self.probe::<W>(key);
        for index in self.within_reach(home) {
            let bucket = self.bucket::<W>(index);
            let count = bucket.count();
            if count < BucketOf::<W, T, A, C>::SLOTS {
                bucket.append(count, lane, beside, record);
                return true;
            }
        }
        false
    }

    /// Grows in place; returns the number of states.
    fn stretch<W: Kept>(&mut self, buckets: usize, homeless: &mut Vec<Moving<T, A, C>>) -> usize {
        let (buckets_before, homes_before) = (self.buckets, self.homes);
        self.region.grow(buckets * LayoutOf::<W, T, A, C>::LINES);
        self.buckets = buckets;
        self.homes = Self::homes_of(buckets);
        let mut states = 0;
        let mut astray: Vec<Moving<T, A, C>> = Vec::new();
        for index in (0..buckets_before).rev() {
            states += self.take_all::<W>(index, homes_before, |key, record| {
                if self.home_of(key.order) < index {
                    astray.push((key, record));
                } else if !self.move_in::<W>(&key, record) {
                    homeless.push((key, record));
                }
            });
            // States that lay behind their new homes wait until those have been emptied.
            if !astray.is_empty() {
                astray.retain(|&(key, record)| {
                    let waits = self.home_of(key.order) < index;
                    if !waits && !self.move_in::<W>(&key, record) {
                        homeless.push((key, record));
                    }
                    waits
                });
            }
        }
        states
    }

    /// Grows into a new region, with buckets of another width; returns the number of states.
    fn rebuild(
        &mut self,
        width: Width,
        buckets: usize,
        homeless: &mut Vec<Moving<T, A, C>>,
    ) -> usize {
        let buckets = self.buckets_of(width, buckets);
        let new = Self {
            region: Region::zeroed(buckets * self.shape(width).lines),
            buckets,
            homes: Self::homes_of(buckets),
            width,
            ..*self
        };
        let mut states = 0;
        for index in 0..self.buckets {
            let take = |key: Key<T>, record| {
                let housed = with_width!(new, W => new.move_in::<W>(&key, record));
                if !housed {
                    homeless.push((key, record));
                }
            };
            states += with_width!(self, W => self.take_all::<W>(index, self.homes, take));
        }
        *self = new;
        states
    }
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

#[cfg(test)]
mod tests {
    use super::{Entered, Record, Segment};
    use crate::puzzle::hash::{mix, mix_leading};
    use crate::puzzle::{DenseQuotient, Keep, Key, Quotient, WholeOrder};
    use crate::search::node::Untracked;
    use std::collections::HashMap;

    const fn step<C>(action: u8, cost: C) -> Record<u8, C> {
        Record { action, cost }
    }

    /// Orders of the first of eight segments.
    fn first_segment(order: u64) -> u64 {
        order >> 3
    }

    /// Enters keys, the even ones as one thread does and the others as one of several, and compares with a map.
    fn agrees_with_a_map<T, Q: Keep>(
        keys: impl Iterator<Item = Key<T>>,
        order_bits: u32,
        allowance: usize,
    ) where
        T: Copy + Eq + std::hash::Hash,
    {
        let mut segment = Segment::<T, u8, u32, Q>::new(0, order_bits);
        let mut map = HashMap::new();
        for (round, key) in keys.enumerate() {
            let record = step((round % 251) as u8, (round * 7 % 31) as u32);
            let expected = match map.get(&key) {
                None => Entered::New,
                Some(known) if record.cost < *known => Entered::Improved,
                Some(_) => Entered::Duplicate,
            };
            if expected != Entered::Duplicate {
                map.insert(key, record.cost);
            }
            if map.len() > segment.capacity() {
                segment.grow(allowance);
            }
            let entered = loop {
                let entered = if round % 2 == 0 {
                    segment.enter(key, record)
                } else {
                    segment.enter_shared(&key, record)
                };
                match entered {
                    Some(entered) => break entered,
                    None => segment.grow(allowance),
                }
            };
            assert_eq!(entered, expected, "round {round}");
        }
        for (key, cost) in &map {
            assert_eq!(segment.record(key).map(|record| record.cost), Some(*cost));
        }
    }

    const COUNT: u64 = if cfg!(miri) { 600 } else { 60_000 };

    /// Numbers in no order, each twice.
    fn numbers() -> impl Iterator<Item = u64> {
        (0..COUNT).map(|n| n.wrapping_mul(0x9e37_79b9) % (COUNT / 2))
    }

    #[test]
    fn behaves_like_a_map_for_every_rest_and_step_of_growth() {
        for allowance in [usize::MAX, 4096, 0] {
            let whole = |n| Key {
                order: first_segment(mix(n)),
                rest: (),
            };
            agrees_with_a_map::<_, WholeOrder>(numbers().map(whole), 64, allowance);
        }
        // Several states for each order, told apart by the rest only.
        let with_rest = |n: u64| Key {
            order: first_segment(mix(n / 3)),
            rest: [n, n, n],
        };
        agrees_with_a_map::<_, WholeOrder>(numbers().map(with_rest), 64, usize::MAX);
    }

    #[test]
    fn quotients_of_every_width_tell_all_states_apart() {
        let spaces = [12, 16, 19, 22, 26, 31, 40, 48, 57, 64];
        for bits in spaces {
            let space = 1_u64 << (bits - 3).min(62);
            let key = |n: u64| Key {
                order: first_segment(mix_leading((n % space) << (64 - (bits - 3)), bits - 3)),
                rest: (),
            };
            agrees_with_a_map::<_, Quotient>(numbers().map(key), bits, usize::MAX);
        }
    }

    #[test]
    fn quotients_of_a_dense_space_take_two_bytes_and_a_record() {
        let bits = 20;
        let mut segment = Segment::<(), u8, Untracked, DenseQuotient>::new(0, bits);
        let mut entered = 0;
        for n in 0..1 << (bits - 3) {
            let order = first_segment(mix_leading(n << (64 - (bits - 3)), bits - 3));
            let key = Key { order, rest: () };
            if entered == segment.capacity() {
                segment.grow(usize::MAX);
            }
            while segment.enter(key, step(0, Untracked)).is_none() {
                segment.grow(usize::MAX);
            }
            entered += 1;
        }
        let bytes = segment.bytes() as f64 / entered as f64;
        assert!(bytes < 5.0, "{bytes} bytes a state");
    }

    #[test]
    fn a_state_with_no_room_within_reach_waits_for_growth() {
        // All at home in the last bucket, whatever the size.
        let key = |n: u64| Key {
            order: first_segment(u64::MAX) - n,
            rest: (),
        };
        let mut segment = Segment::<(), u8, Untracked, WholeOrder>::new(0, 64);
        assert_eq!(segment.enter(key(0), step(0, Untracked)), None);
        segment.grow(usize::MAX);
        for n in 0..7 {
            let entered = segment.enter_shared(&key(n), step(0, Untracked));
            assert_eq!(entered, Some(Entered::New));
        }
        assert_eq!(segment.enter(key(7), step(0, Untracked)), None);
        assert_eq!(segment.enter_shared(&key(7), step(0, Untracked)), None);
        let known = segment.enter_shared(&key(6), step(0, Untracked));
        assert_eq!(known, Some(Entered::Duplicate));
        for n in 7..60 {
            while segment.enter(key(n), step(0, Untracked)).is_none() {
                segment.grow(usize::MAX);
            }
        }
        assert!((0..60).all(|n| segment.record(&key(n)).is_some()));
    }

    #[test]
    #[should_panic(expected = "orders are not well mixed")]
    fn orders_that_are_all_the_same_are_refused() {
        let mut segment = Segment::<u64, u8, Untracked, WholeOrder>::new(0, 64);
        for rest in 0..1000 {
            let key = Key { order: 5, rest };
            while segment.enter(key, step(0, Untracked)).is_none() {
                segment.grow(usize::MAX);
            }
        }
    }
}
