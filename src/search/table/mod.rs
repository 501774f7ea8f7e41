//! The visited table: which states are known, and how each was reached.

mod bucket;
mod owned;
mod region;
mod segment;

use super::node::Record;
pub use owned::OwnedTable;
pub use segment::Segment;

/// What became of a state that asked to be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entered {
    /// It was not known.
    New,
    /// It was known at no greater cost.
    Duplicate,
    /// It was known at a greater cost; its record is replaced.
    Improved,
}

/// A set of states with a record for each but the initial one. Equality of whole states decides
/// identity, never a hash. `hash` is always [`super::hash::hash_of`] the state.
pub trait Visited<S, A, C> {
    /// Asks for the memory of a state that will be entered soon.
    fn prefetch(&self, hash: u64);

    /// Enters a state unless it is known at no greater cost.
    fn enter(&mut self, hash: u64, state: &S, record: Record<A, C>) -> Entered;

    /// The record of a state; none for the initial state, which no step led to.
    fn record(&self, hash: u64, state: &S) -> Option<Record<A, C>>;
}

/// Segments of a table. A segment grows alone, so fewer states move at a time; more segments
/// would keep tables of some megabytes from using huge pages.
pub const SEGMENTS: usize = 8;

/// The segment of a state, from its hash.
#[inline]
#[must_use]
pub const fn segment_of(hash: u64) -> usize {
    (hash >> 32) as usize % SEGMENTS
}
