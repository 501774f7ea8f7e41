//! How a search ended and what it cost.

use std::time::Duration;

use super::Counters;
use crate::puzzle::Cost;

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// A solution was found.
    Solved,
    /// Proved: the space is exhausted and every active rule is sound.
    Unsolvable,
    /// Nothing is left, but a rule or estimate in use is not proved sound.
    Exhausted,
    /// A census has visited everything reachable.
    Complete,
    /// The wall time ran out.
    TimeLimit,
    /// Table and frontier reached their memory limit.
    MemoryLimit,
    /// The visited table reached its limit of states.
    StateLimit,
    /// Asked to stop from outside.
    Cancelled,
}

impl Status {
    /// Every status a search can end with.
    pub const ALL: [Self; 8] = [
        Self::Solved,
        Self::Unsolvable,
        Self::Exhausted,
        Self::Complete,
        Self::TimeLimit,
        Self::MemoryLimit,
        Self::StateLimit,
        Self::Cancelled,
    ];

    /// The name used in result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Unsolvable => "unsolvable",
            Self::Exhausted => "exhausted",
            Self::Complete => "complete",
            Self::TimeLimit => "time_limit",
            Self::MemoryLimit => "memory_limit",
            Self::StateLimit => "state_limit",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A path from the initial state to a goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution<A> {
    /// Steps in order.
    pub actions: Vec<A>,
    /// Sum of their costs.
    pub cost: Cost,
}

/// One worker's share of a parallel search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkerReport {
    /// States this worker expanded.
    pub expanded: u64,
    /// Time it waited without work.
    pub idle: Duration,
    /// States it sent to other workers (actors only).
    pub states_sent: u64,
    /// Messages it sent (actors only).
    pub messages_sent: u64,
}

/// Result of one search.
#[derive(Debug, Clone)]
pub struct Outcome<A> {
    /// How it ended.
    pub status: Status,
    /// The path found, if `status` is [`Status::Solved`].
    pub solution: Option<Solution<A>>,
    /// Effort, summed over workers.
    pub counters: Counters,
    /// Most states waiting at once, over all workers.
    pub frontier_peak: u64,
    /// Bytes allocated for the visited table, at its peak.
    pub table_bytes: u64,
    /// Bytes allocated for the frontier, at its peak.
    pub frontier_bytes: u64,
    /// Monotonic wall time of the search itself.
    pub wall: Duration,
    /// One report per worker.
    pub workers: Vec<WorkerReport>,
}
