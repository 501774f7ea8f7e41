//! Frontiers: the states that wait to be expanded, and the order in which they leave.

mod buckets;
mod chunks;
mod layers;
mod stack;

pub use buckets::BucketQueue;
pub use chunks::ChunkDeque;
pub use layers::LayerQueue;
pub use stack::Stack;

use super::node::Priority;

/// States that wait. `N` is a [`super::node::Node`].
///
/// Memory grows in chunks, so growing never holds an old and a new copy at once.
pub trait Frontier<N>: Default + Send {
    /// Adds a state. O(1), or O(log b) with b buckets in use.
    fn push(&mut self, priority: Priority, node: N);

    /// Marks the end of the successors of one state, in the order of the puzzle.
    fn end_expansion(&mut self) {}

    /// Takes the state to expand next, if its phase is at most `phase`.
    fn pop(&mut self, phase: u32) -> Option<(Priority, N)>;

    /// The smallest phase that waits.
    fn next_phase(&self) -> Option<u32>;

    /// Number of states that wait in phases up to `phase`.
    fn ready(&self, phase: u32) -> usize;

    /// Moves up to `most` states, of phase at most `phase`, to `out`, for another worker.
    fn give(&mut self, phase: u32, most: usize, out: &mut Vec<(Priority, N)>);

    /// Number of states that wait.
    fn len(&self) -> usize;

    /// Whether none waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes allocated. O(1).
    fn bytes(&self) -> usize;
}
