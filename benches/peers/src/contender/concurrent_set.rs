//! A concurrent set and data parallelism: `dashmap` and `rayon`, layer by layer.

use dashmap::DashSet;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::model::Model;

/// Counts in a pool of `threads` threads.
///
/// # Panics
/// If the threads cannot be started.
pub(super) fn layer_by_layer(threads: usize, model: &Model) -> u64 {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.expect("a few threads can be started");
    pool.install(|| {
        let seen = DashSet::with_hasher(FxBuildHasher);
        seen.insert(model.initial());
        let mut layer = vec![model.initial()];
        while !layer.is_empty() {
            let successors = layer
                .par_iter()
                .flat_map_iter(|&state| model.successors(state));
            layer = successors.filter(|&next| seen.insert(next)).collect();
        }
        seen.len() as u64
    })
}
