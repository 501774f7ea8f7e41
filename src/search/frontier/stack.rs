//! Last in, first out: depth-first search.

use super::{ChunkDeque, Frontier};
use crate::search::node::Priority;

/// An explicit stack. Successors of one state are expanded in the order of the puzzle: the end of an
/// expansion reverses what was pushed since the last one.
#[derive(Debug)]
pub struct Stack<N> {
    nodes: ChunkDeque<N>,
    fresh: usize,
}

impl<N> Default for Stack<N> {
    fn default() -> Self {
        Self {
            nodes: ChunkDeque::default(),
            fresh: 0,
        }
    }
}

impl<N: Copy + Send> Frontier<N> for Stack<N> {
    #[inline]
    fn push(&mut self, _priority: Priority, node: N) {
        self.nodes.push_back(node);
        self.fresh += 1;
    }

    #[inline]
    fn end_expansion(&mut self) {
        self.nodes.reverse_newest(self.fresh);
        self.fresh = 0;
    }

    #[inline]
    fn pop(&mut self, _phase: u32) -> Option<(Priority, N)> {
        let node = self.nodes.pop_back()?;
        Some((Priority::default(), node))
    }

    fn next_phase(&self) -> Option<u32> {
        (!self.nodes.is_empty()).then_some(0)
    }

    fn ready(&self, _phase: u32) -> usize {
        self.nodes.len()
    }

    /// Gives the oldest states: they lie nearest to the root and so promise the most work.
    fn give(&mut self, _phase: u32, most: usize, out: &mut Vec<(Priority, N)>) {
        for _ in 0..most {
            let Some(node) = self.nodes.pop_front() else {
                return;
            };
            out.push((Priority::default(), node));
        }
    }

    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}
