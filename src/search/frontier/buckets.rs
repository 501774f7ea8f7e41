//! Buckets by priority: best-first search.

use std::collections::BTreeMap;

use super::{ChunkDeque, Frontier};
use crate::search::node::Priority;

/// A bucket per priority. Of equal priorities the newest leaves first, which drives best-first
/// search forward instead of sideways.
#[derive(Debug)]
pub struct BucketQueue<N> {
    buckets: BTreeMap<Priority, ChunkDeque<N>>,
    /// Emptied buckets, kept so that a bucket that empties and fills again costs no allocation.
    spare: Vec<ChunkDeque<N>>,
    len: usize,
    bytes: usize,
}

impl<N> Default for BucketQueue<N> {
    fn default() -> Self {
        Self {
            buckets: BTreeMap::new(),
            spare: Vec::new(),
            len: 0,
            bytes: 0,
        }
    }
}

/// Emptied buckets kept at most: the working set of a search whose priorities hover.
const SPARE_BUCKETS: usize = 16;

impl<N: Copy> BucketQueue<N> {
    fn take_best(&mut self, phase: u32) -> Option<(Priority, N)> {
        let mut best = self.buckets.first_entry()?;
        let priority = *best.key();
        if priority.phase > phase {
            return None;
        }
        let before = best.get().bytes();
        let node = best.get_mut().pop_back()?;
        self.bytes -= before - best.get().bytes();
        self.len -= 1;
        if best.get().is_empty() {
            let bucket = best.remove();
            if self.spare.len() < SPARE_BUCKETS {
                self.spare.push(bucket);
            } else {
                self.bytes -= bucket.bytes();
            }
        }
        Some((priority, node))
    }
}

impl<N: Copy + Send> Frontier<N> for BucketQueue<N> {
    #[inline]
    fn push(&mut self, priority: Priority, node: N) {
        let spare = &mut self.spare;
        let bucket = self.buckets.entry(priority).or_insert_with(|| {
            // The bytes of a spare bucket are counted already.
            spare.pop().unwrap_or_default()
        });
        let before = bucket.bytes();
        bucket.push_back(node);
        self.bytes += bucket.bytes() - before;
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self, phase: u32) -> Option<(Priority, N)> {
        self.take_best(phase)
    }

    fn next_phase(&self) -> Option<u32> {
        self.buckets.keys().next().map(|priority| priority.phase)
    }

    fn ready(&self, phase: u32) -> usize {
        let last = Priority {
            phase,
            rank: u32::MAX,
        };
        let ready = self.buckets.range(..=last);
        ready.map(|(_, bucket)| bucket.len()).sum()
    }

    /// Gives from the best bucket on, so that the receiver works on promising states too.
    fn give(&mut self, phase: u32, most: usize, out: &mut Vec<(Priority, N)>) {
        for _ in 0..most {
            let Some(entry) = self.take_best(phase) else {
                return;
            };
            out.push(entry);
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::{BucketQueue, Frontier, Priority};

    fn at(phase: u32, rank: u32) -> Priority {
        Priority { phase, rank }
    }

    #[test]
    fn smallest_phase_then_rank_then_newest() {
        let mut queue = BucketQueue::default();
        for (priority, node) in [
            (at(2, 0), 'a'),
            (at(1, 5), 'b'),
            (at(1, 3), 'c'),
            (at(1, 3), 'd'),
        ] {
            queue.push(priority, node);
        }
        let order: Vec<char> = std::iter::from_fn(|| queue.pop(9))
            .map(|(_, n)| n)
            .collect();
        assert_eq!(order, ['d', 'c', 'b', 'a']);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn bytes_account_for_every_bucket() {
        let mut queue = BucketQueue::default();
        for round in 0..3 {
            for rank in 0..100 {
                for node in 0..50_u64 {
                    queue.push(at(0, rank), node + round);
                }
            }
            assert!(queue.bytes() >= 100 * 50 * size_of::<u64>());
            while queue.pop(0).is_some() {}
            let kept: usize = queue.spare.iter().map(super::ChunkDeque::bytes).sum();
            assert_eq!(queue.bytes(), kept);
        }
    }

    #[test]
    fn a_later_phase_waits() {
        let mut queue = BucketQueue::default();
        queue.push(at(4, 1), 'x');
        assert_eq!(queue.pop(3), None);
        assert_eq!(queue.next_phase(), Some(4));
        assert_eq!((queue.ready(3), queue.ready(4)), (0, 1));
        assert_eq!(queue.pop(4), Some((at(4, 1), 'x')));
    }
}
