//! More than one machine: parts of a plan are done apart, published once, and collected.
//!
//! ```text
//! DIR/manifest.toml                           the whole plan
//! DIR/shards/2-of-4/attempts/NAME/            an attempt at a part: a result directory of its own
//! DIR/shards/2-of-4/attempts/NAME/finished.toml   written when all of its runs are done
//! DIR/shards/2-of-4/published-1.toml          a link to the finished.toml of the attempt that was first
//! DIR/slurm/                                  scripts that Slurm was given, and what its tasks said
//! DIR/runs.csv                                the rows of published attempts
//! ```
//!
//! Any number of attempts at a part may run at the same time and not know of each other: a scheduler that takes a
//! node for dead starts its work again elsewhere, while the node perhaps lives. None of them writes where another
//! one does. When an attempt is finished it is published by link(2), which fails if the name is taken, so one of
//! them wins, without a lock and on a network file system, too. Rows are collected from winners alone. What is
//! still to be done follows from rows and plan, never from what a scheduler says.

mod attempt;
mod collection;
mod gathering;
mod layout;
mod part;
mod publication;
pub mod slurm;
mod survey;
pub mod tasks;

pub(super) use collection::collect;
pub use collection::{CollectionError, uncollected_rows};
pub use gathering::{Gathered, gather};
pub use part::{Attempt, PartError, begin};
pub use publication::{Publication, PublicationError};
pub use survey::{Survey, survey};
