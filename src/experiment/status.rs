//! Statuses that only the sweep gives; a search never ends with them.

/// The process died.
pub const CRASHED: &str = "crashed";
/// The answer failed its replay, or the counts break their law.
pub const INVALID: &str = "invalid";
/// The configuration cannot run on the level.
pub const UNSUPPORTED: &str = "unsupported";

/// Runs that ended in a way that says nothing of their configuration, so that they may be done again. Limits are no such
/// way: doing runs again until they keep within them would be choosing one's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// The process died.
    Crashed,
    /// The answer was wrong.
    Invalid,
}

impl Retry {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Crashed, Self::Invalid];

    /// The status of such runs.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            Self::Crashed => CRASHED,
            Self::Invalid => INVALID,
        }
    }
}
