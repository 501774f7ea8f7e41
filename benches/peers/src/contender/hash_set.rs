//! The loop that anybody writes first: the standard library's set and a list of what waits.

use std::collections::HashSet;
use std::hash::BuildHasher;

use crate::model::Model;

/// Counts layer by layer.
pub(super) fn breadth_first<H: BuildHasher + Default>(_threads: usize, model: &Model) -> u64 {
    let mut seen = HashSet::<u64, H>::from_iter([model.initial()]);
    let mut layer = vec![model.initial()];
    while !layer.is_empty() {
        let mut next_layer = Vec::new();
        for &state in &layer {
            next_layer.extend(model.successors(state).filter(|&next| seen.insert(next)));
        }
        layer = next_layer;
    }
    seen.len() as u64
}

/// Counts with a stack.
pub(super) fn depth_first<H: BuildHasher + Default>(_threads: usize, model: &Model) -> u64 {
    let mut seen = HashSet::<u64, H>::from_iter([model.initial()]);
    let mut stack = vec![model.initial()];
    while let Some(state) = stack.pop() {
        stack.extend(model.successors(state).filter(|&next| seen.insert(next)));
    }
    seen.len() as u64
}
