//! `pathfinding`: graph search as a library of iterators.

use pathfinding::prelude::{bfs_reach, dfs_reach};

use crate::model::Model;

/// Counts by its breadth-first iterator.
pub(super) fn breadth_first(_threads: usize, model: &Model) -> u64 {
    let reached = bfs_reach(model.initial(), |&state| model.successors(state));
    reached.count() as u64
}

/// Counts by its depth-first iterator.
pub(super) fn depth_first(_threads: usize, model: &Model) -> u64 {
    let reached = dfs_reach(model.initial(), |&state| model.successors(state));
    reached.count() as u64
}
