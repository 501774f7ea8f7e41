//! Steps on their way to the words that they lead to.

use crate::puzzle::Place;

/// A state of a shard: the number of its word within the shard, and its bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arrival(u64);

impl Arrival {
    const BITS: u32 = u64::BITS.ilog2();

    #[inline]
    const fn new(word: usize, bit: u32) -> Self {
        Self((word as u64) << Self::BITS | bit as u64)
    }

    #[inline]
    pub(super) const fn word(self) -> usize {
        (self.0 >> Self::BITS) as usize
    }

    #[inline]
    pub(super) const fn mask(self) -> u64 {
        1 << (self.0 % u64::BITS as u64)
    }
}

/// How words are divided among shards: each has a range of a power of two of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Division {
    shift: u32,
    shards: usize,
    words: usize,
}

impl Division {
    /// Divides `words` among at most `most` shards, both at least 1.
    pub(super) fn new(words: usize, most: usize) -> Self {
        let span = words.div_ceil(most).next_power_of_two();
        Self {
            shift: span.ilog2(),
            shards: words.div_ceil(span),
            words,
        }
    }

    /// Number of shards.
    pub(super) const fn shards(self) -> usize {
        self.shards
    }

    /// The words of a shard.
    pub(super) fn range(self, shard: usize) -> std::ops::Range<usize> {
        let start = shard << self.shift;
        start..self.words.min(start + (1 << self.shift))
    }

    /// The shard of a word.
    #[inline]
    pub(super) const fn shard(self, word: usize) -> usize {
        word >> self.shift
    }
}

/// Steps that wait to be delivered, by shard.
#[derive(Debug)]
pub(super) struct Outbox {
    division: Division,
    boxes: Vec<Vec<Arrival>>,
    len: usize,
}

impl Outbox {
    /// An empty one.
    pub(super) fn new(division: Division) -> Self {
        Self {
            division,
            boxes: (0..division.shards()).map(|_| Vec::new()).collect(),
            len: 0,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, place: Place) {
        let Division { shift, .. } = self.division;
        let arrival = Arrival::new(place.word & ((1 << shift) - 1), place.bit);
        self.boxes[place.word >> shift].push(arrival);
        self.len += 1;
    }

    /// Steps that wait.
    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// What waits for a shard.
    pub(super) fn of(&self, shard: usize) -> &[Arrival] {
        &self.boxes[shard]
    }

    /// Forgets everything. Keeps its memory for the next round, unless that has become much more than the
    /// `steps` of a round: shards take turns in being where most steps lead.
    pub(super) fn clear(&mut self, steps: usize) {
        let is_large = self.capacity() > KEPT * steps;
        for list in &mut self.boxes {
            if is_large {
                *list = Vec::new();
            }
            list.clear();
        }
        self.len = 0;
    }

    fn capacity(&self) -> usize {
        self.boxes.iter().map(Vec::capacity).sum()
    }

    /// Bytes allocated.
    pub(super) fn bytes(&self) -> usize {
        self.capacity() * size_of::<Arrival>() + self.boxes.capacity() * size_of::<Vec<Arrival>>()
    }
}

/// Steps of one word beyond what an outbox was to collect: four from each of its states.
const LAST_WORD: usize = 4 * u64::BITS as usize;

/// Steps, in multiples of what is collected, for which an outbox keeps memory between rounds.
const KEPT: usize = 4;

/// Bytes that the outboxes of so many shards take at most, if each collects `steps` steps in a round: what it
/// keeps, and twice what is new, because a list doubles when it grows.
pub(super) const fn most_bytes(shards: usize, steps: usize) -> usize {
    let arrivals = KEPT * steps + 2 * (steps + LAST_WORD);
    shards * (shards * size_of::<Vec<Arrival>>() + arrivals * size_of::<Arrival>())
}
