//! The program's own protocols, built of the primitives of a model checker. Each model is a function; the tests run
//! them.

/// What `src/sync.rs` is to the program.
mod sync {
    pub(crate) use loom::sync::atomic;
    pub(crate) use loom::sync::{Mutex, RwLock, RwLockReadGuard};
    // Whoever spins waits for another thread, which the checker is to run.
    pub(crate) use loom::thread::yield_now;
    pub(crate) use loom::thread::yield_now as spin_loop;
    pub(crate) use std::sync::PoisonError;
}

/// As far as the crew knows it.
mod search {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Status {
        Cancelled,
        TimeLimit,
    }
}

/// The agreement of the workers, and the gate of the shared table.
pub mod parallel {
    #[path = "../../../../src/parallel/crew.rs"]
    mod crew;
    #[path = "../../../../src/parallel/gate.rs"]
    mod gate;
    pub mod models;
    /// Sums, which take no part in the protocol.
    mod tally {
        #[derive(Debug, Default)]
        pub(super) struct Tally;
    }
}

/// Entering states in the shared table.
pub mod table {
    #[path = "../../../../src/search/table/insert.rs"]
    mod insert;
    pub mod models;

    /// As in the program.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Entered {
        /// It was not known.
        New,
        /// It was known at no greater cost.
        Duplicate,
        /// It was known at a greater cost.
        Improved,
    }
}
