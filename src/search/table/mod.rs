//! The visited table: which states are known, and how each was reached.

mod bucket;
mod insert;
mod kept;
mod lanes;
mod owned;
mod region;
mod segment;

use super::node::Record;
use crate::puzzle::Key;
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

/// What is read of a set of states with a record for each but the initial one. Equality of keys decides identity, and
/// keys stand for whole states, so it is exact.
pub trait Lookup<T, A, C> {
    /// Asks for the memory of a state that will be entered soon.
    fn prefetch(&self, key: Key<T>);

    /// The record of a state; none for the initial state, which no step led to.
    fn record(&self, key: Key<T>) -> Option<Record<A, C>>;
}

/// A set of states that grows.
pub trait Visited<T, A, C>: Lookup<T, A, C> {
    /// Enters a state unless it is known at no greater cost.
    fn enter(&mut self, key: Key<T>, record: Record<A, C>) -> Entered;
}

/// Leading bits of an order that name its segment.
pub const SEGMENT_BITS: u32 = 3;

/// Segments of a table. A segment grows alone, so fewer states move at a time; more segments
/// would keep tables of some megabytes from using huge pages.
pub const SEGMENTS: usize = 1 << SEGMENT_BITS;

/// The segment of a state, from its order.
#[inline]
#[must_use]
pub const fn segment_of(order: u64) -> usize {
    (order >> (u64::BITS - SEGMENT_BITS)) as usize
}
