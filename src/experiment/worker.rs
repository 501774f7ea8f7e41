//! The process of one run: reads its order from standard input, searches, prints its report.
//!
//! It is the binary itself, started by a shim with a hidden subcommand, so that each run has memory, caches and
//! threads of its own, and a crash hurts nobody else.

use std::fs;
use std::io::{self, Read, Write};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use signal_hook::consts::SIGTERM;
use thiserror::Error;

use super::choices::UnknownName;
use super::compose::{self, Answer, ComposeError};
use super::configuration::Configuration;
use super::order::{Findings, Order, Report};
use super::process::{self, Orphan};
use super::usage;
use crate::parallel::Threading;
use crate::search::{CancelToken, Limits, WorkerReport};
use crate::sokoban::{Board, BoardError};

/// Name of the hidden subcommand.
pub const SUBCOMMAND: &str = "__worker";

/// Address space of a process beyond its memory limit: program, libraries, page tables.
const ADDRESS_SPACE_BASE: u64 = 1 << 30;
/// Address space that a thread reserves: its stack and an arena of the allocator, mostly untouched.
const ADDRESS_SPACE_PER_THREAD: u64 = 192 << 20;

/// A worker that cannot do its work at all. Whatever concerns the level or the configuration is part of
/// the report instead.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The order cannot be read.
    #[error(
        "standard input: {0}; expected the order of a run; `sokolab run` starts this by itself"
    )]
    Input(#[source] io::Error),
    /// The order is no order.
    #[error("the order cannot be understood: {0}; `sokolab run` starts this by itself")]
    Order(#[from] toml::de::Error),
    /// The order names a value that does not exist.
    #[error("the order: {0}")]
    Value(#[from] UnknownName),
    /// A limit cannot be set.
    #[error("{what} cannot be set: {source}")]
    System {
        /// What.
        what: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// Who gave the order is gone.
    #[error(transparent)]
    Orphan(#[from] Orphan),
    /// The report cannot be written.
    #[error("standard output: {0}")]
    Output(#[source] io::Error),
    /// The report cannot be put in words.
    #[error("the report cannot be written as TOML: {0}")]
    Report(#[from] toml::ser::Error),
}

/// A configuration that cannot run on a level.
#[derive(Debug, Error)]
enum Unsupported {
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Compose(#[from] ComposeError),
}

/// Does the work of one run's process.
///
/// SIGTERM ends the search early and the report still comes; the process dies with its parent.
///
/// # Errors
/// [`WorkerError`] if there is no order, or no way to report.
pub fn main() -> Result<(), WorkerError> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(WorkerError::Input)?;
    let order: Order = toml::from_str(&text)?;
    process::end_with_parent(Signal::KILL)?;
    let configuration = order.configuration()?;
    be_first_to_go();
    limit_address_space(&order, configuration.threads)?;
    let cancel = CancelToken::default();
    signal_hook::flag::register(SIGTERM, cancel.as_atomic()).map_err(|source| {
        WorkerError::System {
            what: "the handling of SIGTERM",
            source,
        }
    })?;
    let mut report = report_of(&order, &configuration, cancel)?;
    report.peak_rss_bytes = usage::own_memory("VmHWM");
    let text = toml::to_string(&report)?;
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(WorkerError::Output)
}

fn report_of(
    order: &Order,
    configuration: &Configuration,
    cancel: CancelToken,
) -> Result<Report, WorkerError> {
    let goal = order.goal()?;
    let answer = Board::new(&order.level())
        .map_err(Unsupported::from)
        .and_then(|board| {
            let limits = engine_limits(order, cancel);
            Ok(compose::answer(&board, configuration, goal, &limits)?)
        });
    let (findings, unsupported) = match answer {
        Ok(answer) => (Some(findings_of(answer, configuration.threading)), None),
        Err(error) => (None, Some(error.to_string())),
    };
    Ok(Report {
        unsupported,
        findings,
        peak_rss_bytes: None,
    })
}

/// Has the kernel take this process first if the machine runs out of memory: the sweep and everything else go on, and the
/// run is a crash. A kernel that does not offer that decides by itself.
fn be_first_to_go() {
    let _not_offered = fs::write("/proc/self/oom_score_adj", "1000");
}

/// A safety net under the engine's own limit: an allocation far beyond it fails instead of taking the
/// machine down. Twice the limit, because address space is reserved in advance.
fn limit_address_space(order: &Order, threads: usize) -> Result<(), WorkerError> {
    let Some(limit) = order.memory_limit_bytes else {
        return Ok(());
    };
    let for_threads = ADDRESS_SPACE_PER_THREAD.saturating_mul(threads as u64);
    let bytes = limit
        .saturating_mul(2)
        .saturating_add(ADDRESS_SPACE_BASE)
        .saturating_add(for_threads);
    let allowed = rustix::process::getrlimit(Resource::As).maximum;
    let bytes = allowed.map_or(bytes, |maximum| maximum.min(bytes));
    let limit = Rlimit {
        current: Some(bytes),
        maximum: Some(bytes),
    };
    setrlimit(Resource::As, limit).map_err(|error| WorkerError::System {
        what: "the limit of address space",
        source: error.into(),
    })
}

/// What is left for the engine of the limits of the run: of the memory, what the process does not
/// use already.
fn engine_limits(order: &Order, cancel: CancelToken) -> Limits {
    let baseline = usage::own_memory("VmHWM").unwrap_or(0);
    Limits {
        time: order
            .time_limit_s
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        memory_bytes: order
            .memory_limit_bytes
            .map(|bytes| bytes.saturating_sub(baseline)),
        states: order.state_limit,
        cancel,
    }
}

fn findings_of(answer: Answer, threading: Threading) -> Findings {
    let parallel = threading != Threading::Sequential;
    let actors = threading == Threading::Actors;
    let sum = |count: fn(&WorkerReport) -> u64| answer.workers.iter().map(count).sum();
    let idle: Duration = answer.workers.iter().map(|worker| worker.idle).sum();
    Findings {
        status: answer.status.name().to_owned(),
        table: answer.table.name().to_owned(),
        table_reason: Some(answer.table_reason).filter(|reason| !reason.is_empty()),
        cost: answer.cost.map(u64::from),
        steps: answer
            .steps
            .map(|steps| steps.iter().map(|step| step.letter()).collect()),
        wall_s: answer.wall.as_secs_f64(),
        generated: answer.counters.generated,
        rules: answer.rules.iter().map(|&rule| rule.to_owned()).collect(),
        duplicates: answer.counters.duplicates,
        reopened: answer.counters.reopened,
        states_visited: answer.counters.states_visited,
        expanded: answer.counters.expanded,
        pruned_by_rule: answer.counters.pruned_by_rule,
        frontier_peak: answer.frontier_peak,
        table_bytes: answer.table_bytes,
        frontier_bytes: answer.frontier_bytes,
        load_balance: load_balance(&answer.workers).filter(|_| parallel),
        idle_s: parallel.then_some(idle.as_secs_f64()),
        states_sent: actors.then(|| sum(|worker| worker.states_sent)),
        messages_sent: actors.then(|| sum(|worker| worker.messages_sent)),
    }
}

/// Most expansions of one worker, divided by the mean; none if nothing was expanded.
fn load_balance(workers: &[WorkerReport]) -> Option<f64> {
    let most = workers.iter().map(|worker| worker.expanded).max()?;
    let sum: u64 = workers.iter().map(|worker| worker.expanded).sum();
    (sum > 0).then(|| most as f64 * workers.len() as f64 / sum as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workers(expanded: &[u64]) -> Vec<WorkerReport> {
        let worker = |&expanded: &u64| WorkerReport {
            expanded,
            ..WorkerReport::default()
        };
        expanded.iter().map(worker).collect()
    }

    #[test]
    fn load_balance_is_the_most_over_the_mean() {
        assert_eq!(load_balance(&workers(&[30, 10, 20, 20])), Some(1.5));
        assert_eq!(load_balance(&workers(&[7])), Some(1.0));
        assert_eq!(load_balance(&workers(&[0, 0])), None);
        assert_eq!(load_balance(&[]), None);
    }
}
