//! Watching the limits of one search from inside of it.

use std::time::Instant;

use super::{Limits, Status};

/// A reading of the clock costs as much as some expansions of a small state, so it is taken once in
/// this many checks.
const CLOCK_INTERVAL: u32 = 64;

/// Compares usage with the limits.
#[derive(Debug)]
pub struct Gauge<'a> {
    limits: &'a Limits,
    start: Instant,
    until_clock: u32,
}

/// What a search uses at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Distinct states in the visited table.
    pub states: u64,
    /// Bytes of table and frontier.
    pub bytes: u64,
}

impl<'a> Gauge<'a> {
    /// A gauge for a search that began at `start`.
    #[must_use]
    pub const fn new(limits: &'a Limits, start: Instant) -> Self {
        Self {
            limits,
            start,
            until_clock: 0,
        }
    }

    /// The first limit that is reached, if any. The clock is read now and then only, beginning with
    /// the first check.
    #[inline]
    pub fn check(&mut self, usage: Usage) -> Option<Status> {
        if let Some(status) = self.check_usage(usage) {
            return Some(status);
        }
        if self.until_clock > 0 {
            self.until_clock -= 1;
            return None;
        }
        self.until_clock = CLOCK_INTERVAL - 1;
        self.check_clock()
    }

    /// Bytes that may still be allocated.
    #[inline]
    #[must_use]
    pub fn bytes_left(&self, usage: Usage) -> usize {
        let most = self.limits.memory_bytes.unwrap_or(u64::MAX);
        usize::try_from(most.saturating_sub(usage.bytes)).unwrap_or(usize::MAX)
    }

    /// The first limit that is reached, if any, clock included.
    #[must_use]
    pub fn check_all(&self, usage: Usage) -> Option<Status> {
        self.check_usage(usage).or_else(|| self.check_clock())
    }

    #[inline]
    fn check_usage(&self, usage: Usage) -> Option<Status> {
        let reached = |used: u64, limit: Option<u64>| limit.is_some_and(|most| used >= most);
        if reached(usage.states, self.limits.states) {
            return Some(Status::StateLimit);
        }
        reached(usage.bytes, self.limits.memory_bytes).then_some(Status::MemoryLimit)
    }

    fn check_clock(&self) -> Option<Status> {
        if self.limits.cancel.is_cancelled() {
            return Some(Status::Cancelled);
        }
        let time = self.limits.time?;
        (self.start.elapsed() >= time).then_some(Status::TimeLimit)
    }
}
