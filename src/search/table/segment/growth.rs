//! Growth of a segment, in place or into narrower buckets.

use super::{BucketOf, LayoutOf, Probe, Segment};
use crate::puzzle::{Keep, Key};
use crate::search::node::{PathCost, Record};
use crate::search::table::kept::{Bits16, Bits32, Bits40, Bits64, Kept, Width};
use crate::search::table::region::{HUGE_PAGE, LINE, Region};
use crate::search::table::{SEGMENT_BITS, SEGMENTS};

/// Buckets from which on a segment grows by its policy; a smaller one doubles.
const GRADUAL_FROM: usize = 64;

/// A segment of more buckets than this with no more than a state in four of them has orders that are not mixed.
const NEVER_SPARSE_FROM: usize = 1 << 16;

/// A state that is being moved.
type Moving<T, A, C> = (Key<T>, Record<A, C>);

impl<T: Copy + Eq, A: Copy, C: PathCost, Q: Keep> Segment<T, A, C, Q> {
    /// Makes the segment longer, by no more than about `allowance` bytes if that is less than usual. O(buckets).
    ///
    /// # Panics
    /// If the segment is large and almost empty, which says that the orders of the coding are not mixed.
    #[cold]
    pub fn grow(&mut self, allowance: usize) {
        self.most_bytes = self.region.bytes();
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
        self.most_bytes = self.most_bytes.max(self.region.bytes());
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
        let both = self.region.bytes() + new.region.bytes();
        let most_bytes = self.most_bytes.max(both);
        *self = Self { most_bytes, ..new };
        states
    }
}
