//! First in, first out by layer: breadth-first search.

use std::collections::VecDeque;

use super::{ChunkDeque, Frontier};
use crate::search::node::Priority;

/// One queue per layer; at most two are in use at a time when layers are finished in order.
#[derive(Debug)]
pub struct LayerQueue<N> {
    /// The layer being taken from.
    current: ChunkDeque<N>,
    /// Its phase.
    first: u32,
    /// The layer after it.
    next: ChunkDeque<N>,
    /// The layers after that, in order; those that were added last may be empty.
    later: VecDeque<ChunkDeque<N>>,
    len: usize,
}

impl<N> Default for LayerQueue<N> {
    fn default() -> Self {
        Self {
            current: ChunkDeque::default(),
            first: 0,
            next: ChunkDeque::default(),
            later: VecDeque::new(),
            len: 0,
        }
    }
}

impl<N: Copy> LayerQueue<N> {
    /// Goes on to the next layer that has states, if its phase is at most `phase`. The current one is empty.
    #[cold]
    fn advance(&mut self, phase: u32) -> bool {
        if self.len == 0 {
            return false;
        }
        while self.current.is_empty() {
            if self.first >= phase {
                return false;
            }
            let after_next = self.later.pop_front().unwrap_or_default();
            self.current = std::mem::replace(&mut self.next, after_next);
            self.first += 1;
        }
        true
    }

    /// The queue of a layer that is not the next one.
    #[cold]
    fn layer(&mut self, phase: u32) -> &mut ChunkDeque<N> {
        if self.len == 0 {
            self.later.clear();
            self.first = phase;
        }
        // A batch from another worker may belong to a layer that this one has finished for itself.
        while phase < self.first {
            let current = std::mem::take(&mut self.current);
            self.later
                .push_front(std::mem::replace(&mut self.next, current));
            self.first -= 1;
        }
        let index = match phase - self.first {
            0 => return &mut self.current,
            1 => return &mut self.next,
            ahead => ahead as usize - 2,
        };
        if self.later.len() <= index {
            self.later.resize_with(index + 1, ChunkDeque::default);
        }
        &mut self.later[index]
    }

    fn layers(&self) -> impl Iterator<Item = &ChunkDeque<N>> {
        [&self.current, &self.next].into_iter().chain(&self.later)
    }

    /// The states of the first layer that has any, as chunks, and the phase of that layer.
    #[must_use]
    pub fn take_layer(&mut self) -> Option<(u32, Vec<Vec<N>>)> {
        if self.current.is_empty() && !self.advance(u32::MAX) {
            return None;
        }
        let layer = std::mem::take(&mut self.current);
        self.len -= layer.len();
        Some((self.first, layer.into_chunks()))
    }
}

impl<N: Copy + Send> Frontier<N> for LayerQueue<N> {
    #[inline]
    fn push(&mut self, priority: Priority, node: N) {
        if priority.phase == self.first.wrapping_add(1) {
            self.next.push_back(node);
        } else {
            self.layer(priority.phase).push_back(node);
        }
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self, phase: u32) -> Option<(Priority, N)> {
        if self.first > phase || (self.current.is_empty() && !self.advance(phase)) {
            return None;
        }
        let node = self.current.pop_front()?;
        self.len -= 1;
        let phase = self.first;
        Some((Priority { phase, rank: 0 }, node))
    }

    fn next_phase(&self) -> Option<u32> {
        let waits = |(phase, layer): (u32, &ChunkDeque<N>)| (!layer.is_empty()).then_some(phase);
        (self.first..).zip(self.layers()).find_map(waits)
    }

    fn ready(&self, phase: u32) -> usize {
        let layers = phase.saturating_add(1).saturating_sub(self.first) as usize;
        self.layers().take(layers).map(ChunkDeque::len).sum()
    }

    fn give(&mut self, phase: u32, most: usize, out: &mut Vec<(Priority, N)>) {
        for _ in 0..most {
            let Some(entry) = self.pop(phase) else { return };
            out.push(entry);
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn bytes(&self) -> usize {
        let bytes = self.current.bytes() + self.next.bytes();
        if self.later.is_empty() {
            return bytes;
        }
        bytes + self.later.iter().map(ChunkDeque::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Frontier, LayerQueue, Priority};

    fn layer(phase: u32) -> Priority {
        Priority { phase, rank: 0 }
    }

    #[test]
    fn leaves_in_order_of_layers_and_of_arrival() {
        let mut queue = LayerQueue::default();
        for (phase, node) in [(0, 'a'), (1, 'b'), (0, 'c'), (1, 'd')] {
            queue.push(layer(phase), node);
        }
        let order: Vec<char> = std::iter::from_fn(|| queue.pop(9))
            .map(|(_, n)| n)
            .collect();
        assert_eq!(order, ['a', 'c', 'b', 'd']);
    }

    #[test]
    fn a_later_phase_waits() {
        let mut queue = LayerQueue::default();
        queue.push(layer(3), 'x');
        assert_eq!(queue.pop(2), None);
        assert_eq!(queue.next_phase(), Some(3));
        assert_eq!((queue.ready(2), queue.ready(3)), (0, 1));
        assert_eq!(queue.pop(3), Some((layer(3), 'x')));
        assert_eq!(queue.next_phase(), None);
    }

    #[test]
    fn an_earlier_layer_may_come_back() {
        let mut queue = LayerQueue::default();
        queue.push(layer(5), 'x');
        queue.push(layer(3), 'y');
        assert_eq!(queue.next_phase(), Some(3));
        assert_eq!(queue.pop(4), Some((layer(3), 'y')));
        assert_eq!(queue.pop(4), None);
        assert_eq!(queue.pop(5), Some((layer(5), 'x')));
    }

    #[test]
    fn an_empty_queue_starts_anew_at_any_phase() {
        let mut queue = LayerQueue::default();
        queue.push(layer(5), 'x');
        assert!(queue.pop(5).is_some());
        queue.push(layer(5), 'y');
        queue.push(layer(9), 'z');
        assert_eq!(queue.pop(5), Some((layer(5), 'y')));
        assert_eq!(queue.pop(8), None);
        assert_eq!(queue.pop(9), Some((layer(9), 'z')));
    }
}
