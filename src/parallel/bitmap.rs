//! The bitmap search with several threads: the `layered` model over words of states.
//!
//! The shards of a layer are expanded by a rayon pool, then the steps between them are delivered, shard by shard. A
//! shard has one owner at any time, so there are no atomics, and the end of each half of a round is the
//! only place where threads meet.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

use super::{ConfigError, SearchConfig, Threading};
use crate::puzzle::{Pruner, Puzzle, Words};
use crate::search::bitmap::workers::{Alone, Workers};
use crate::search::bitmap::{self, WordProblem, layers};
use crate::search::{Outcome, Strategy, WorkerReport};

/// A configuration that the bitmap cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BitmapError {
    /// A configuration that no engine can run.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Another order of expansion.
    #[error(
        "table = \"bitmap\" holds whole layers and so takes strategy = \"bfs\" only, not \"{0}\"; choose table = \"hash\""
    )]
    Strategy(&'static str),
    /// Another threading model.
    #[error(
        "table = \"bitmap\" takes threading = \"sequential\" or \"layered\", not \"{0}\"; choose table = \"hash\""
    )]
    Threading(&'static str),
}

/// Checks that the bitmap can serve a configuration.
///
/// # Errors
/// [`BitmapError`] names the key, its value and what would be accepted.
pub fn check(config: &SearchConfig) -> Result<(), BitmapError> {
    config.check()?;
    match (config.strategy, config.threading) {
        (Strategy::Bfs, Threading::Sequential | Threading::Layered) => Ok(()),
        (Strategy::Bfs, other) => Err(BitmapError::Threading(other.name())),
        (other, _) => Err(BitmapError::Strategy(other.name())),
    }
}

/// Searches `problem` as `config` says; its goal is that of the problem.
///
/// # Errors
/// [`BitmapError`] if the bitmap cannot serve the configuration.
///
/// # Panics
/// If the machine refuses to start the threads, or the puzzle or the pruner panics.
pub fn search<P, R, L>(
    problem: &WordProblem<'_, P, R, L>,
    config: &SearchConfig,
) -> Result<Outcome<P::Action>, BitmapError>
where
    P: Puzzle,
    R: Pruner<P>,
    L: Words<P>,
{
    check(config)?;
    Ok(match config.threading {
        Threading::Layered => layers::search(problem, &config.limits, Pool::new(config.threads)),
        _ => layers::search(problem, &config.limits, Alone::default()),
    })
}

/// Bytes that a search over so many words takes at most: its three bits for each state, and the outboxes.
#[must_use]
pub fn bytes(words: usize, threading: Threading, threads: usize) -> u64 {
    let outboxes = match threading {
        Threading::Layered => {
            let shards = Pool::new(threads).shards(words);
            bitmap::outbox_bytes(shards, Pool::STEPS)
        }
        _ => bitmap::outbox_bytes(1, Alone::STEPS),
    };
    bitmap::table_bytes(words).saturating_add(outboxes)
}

/// Shards for each thread: so many that the threads end a round at about the same time, and so few that the
/// outboxes, one for each pair of shards, do not matter.
const SHARDS_PER_THREAD: usize = 8;

/// Most shards. Their outboxes together have as many lists as its square.
const MAX_SHARDS: usize = 256;

/// Words that a shard has at least; fewer are not worth a task.
const SHARD_WORDS: usize = 4096;

/// States that must wait before other threads are woken: expanding them takes about as long as that.
const WORTH_WAKING: u64 = 4096;

/// A rayon pool that is started when there is enough to do for it.
struct Pool {
    threads: usize,
    pool: Option<ThreadPool>,
    shares: Vec<Mutex<Share>>,
}

/// What one thread has done.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    expanded: u64,
    busy: Duration,
}

impl Pool {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            pool: None,
            shares: (0..threads).map(|_| Mutex::default()).collect(),
        }
    }

    /// Does a piece of work and puts it down to a thread.
    fn record(shares: &[Mutex<Share>], thread: usize, work: impl FnOnce() -> u64) {
        let began = Instant::now();
        let expanded = work();
        let mut share = shares[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        share.expanded += expanded;
        share.busy += began.elapsed();
    }
}

impl Workers for Pool {
    /// A shard's part of a round takes some hundred microseconds, which hides the cost of meeting twice, and its
    /// outboxes stay in the second-level cache.
    const STEPS: usize = 16 * 1024;

    fn shards(&self, words: usize) -> usize {
        let most = MAX_SHARDS.min(self.threads * SHARDS_PER_THREAD);
        most.min(words.div_ceil(SHARD_WORDS))
    }

    fn each<T: Send>(
        &mut self,
        waiting: u64,
        items: &mut [T],
        work: impl Fn(usize, &mut T) -> u64 + Sync,
    ) {
        let shares = &self.shares;
        if self.threads == 1 || waiting < WORTH_WAKING {
            for (index, item) in items.iter_mut().enumerate() {
                Self::record(shares, 0, || work(index, item));
            }
            return;
        }
        let pool = self.pool.get_or_insert_with(|| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .build()
                .expect("the machine can start as many threads as the configuration asks for")
        });
        pool.install(|| {
            let items = items.par_iter_mut().enumerate().with_max_len(1);
            items.for_each(|(index, item)| {
                let thread = rayon::current_thread_index().unwrap_or(0);
                Self::record(shares, thread, || work(index, item));
            });
        });
    }

    fn reports(self, wall: Duration) -> Vec<WorkerReport> {
        let shares = self.shares.into_iter();
        shares
            .map(|share| share.into_inner().unwrap_or_else(PoisonError::into_inner))
            .map(|share| WorkerReport {
                expanded: share.expanded,
                idle: wall.saturating_sub(share.busy),
                ..WorkerReport::default()
            })
            .collect()
    }
}
