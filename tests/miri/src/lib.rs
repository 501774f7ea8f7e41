//! The visited table, owned and shared, from the program's own files. `scripts/check-miri` interprets their unit tests.

#[path = "../../../src/puzzle/mod.rs"]
pub mod puzzle;

#[path = "../../../src/sync.rs"]
mod sync;

/// As far as the table knows it.
#[path = "../../../src/search"]
pub mod search {
    pub mod node;
    pub mod table;
}

/// The table that threads share, and the gate that it grows behind.
#[path = "../../../src/parallel"]
pub mod parallel {
    mod gate;
    mod shared_table;
}
