//! When a search has to stop early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Limits of one search; `None` is unlimited.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Monotonic wall time.
    pub time: Option<Duration>,
    /// Bytes the engine may allocate for its visited table and frontier.
    pub memory_bytes: Option<u64>,
    /// Distinct states in the visited table.
    pub states: Option<u64>,
    /// Raised from outside to stop the search.
    pub cancel: CancelToken,
}

/// A flag, shared by whoever may stop a search and the search itself.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the search to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the search has been asked to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler to raise.
    #[must_use]
    pub fn as_atomic(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
