//! First in, first out by layer: breadth-first search.

use std::collections::VecDeque;

use super::{ChunkDeque, Frontier};
use crate::search::node::Priority;

/// One queue per layer; at most two are in use at a time when layers are finished in order.
#[derive(Debug)]
pub struct LayerQueue<N> {
    layers: VecDeque<ChunkDeque<N>>,
    /// Phase of the first layer.
    first: u32,
    len: usize,
}

impl<N> Default for LayerQueue<N> {
    fn default() -> Self {
        Self {
            layers: VecDeque::new(),
            first: 0,
            len: 0,
        }
    }
}

impl<N: Copy> LayerQueue<N> {
    /// Drops finished layers, as long as a later one waits.
    fn skip_finished(&mut self) {
        while self.len > 0 && self.layers.front().is_some_and(ChunkDeque::is_empty) {
            self.layers.pop_front();
            self.first += 1;
        }
    }

    /// The states of the first layer that has any, as chunks, and the phase of that layer.
    #[must_use]
    pub fn take_layer(&mut self) -> Option<(u32, Vec<Vec<N>>)> {
        self.skip_finished();
        if self.len == 0 {
            return None;
        }
        let layer = self.layers.pop_front()?;
        self.len -= layer.len();
        let phase = self.first;
        self.first += 1;
        Some((phase, layer.into_chunks()))
    }
}

impl<N: Copy + Send> Frontier<N> for LayerQueue<N> {
    #[inline]
    fn push(&mut self, priority: Priority, node: N) {
        if self.len == 0 {
            self.layers.truncate(1);
            self.first = priority.phase;
        }
        // A batch from another worker may belong to a layer that this one has finished for itself.
        while priority.phase < self.first {
            self.layers.push_front(ChunkDeque::default());
            self.first -= 1;
        }
        let index = (priority.phase - self.first) as usize;
        while self.layers.len() <= index {
            self.layers.push_back(ChunkDeque::default());
        }
        self.layers[index].push_back(node);
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self, phase: u32) -> Option<(Priority, N)> {
        self.skip_finished();
        if self.len == 0 || self.first > phase {
            return None;
        }
        let node = self.layers.front_mut()?.pop_front()?;
        self.len -= 1;
        let phase = self.first;
        Some((Priority { phase, rank: 0 }, node))
    }

    fn next_phase(&self) -> Option<u32> {
        let offset = self.layers.iter().position(|layer| !layer.is_empty())?;
        u32::try_from(offset).ok().map(|offset| self.first + offset)
    }

    fn ready(&self, phase: u32) -> usize {
        let layers = phase.saturating_add(1).saturating_sub(self.first) as usize;
        self.layers.iter().take(layers).map(ChunkDeque::len).sum()
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

    fn bytes(&self) -> usize {
        self.layers.iter().map(ChunkDeque::bytes).sum()
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
