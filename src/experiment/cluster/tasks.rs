//! How a plan is cut into tasks of a cluster, and what each of them needs.

use std::time::Duration;

use crate::experiment::configuration::Configuration;
use crate::experiment::measure::GRACE;
use crate::experiment::process::FINAL_GRACE;
use crate::experiment::spec::Spec;

/// How long a task should last if each of its runs reaches its limit: long beside the seconds that a scheduler takes to
/// start it, short beside what is lost when its machine dies.
pub const TASK_TIME: Duration = Duration::from_secs(600);

/// Time that a run may take beyond its limit, until it is killed.
const BEYOND_LIMIT: Duration = GRACE.saturating_add(FINAL_GRACE);

/// Time of a task beyond that of its runs: reading levels, making the plan.
const START: Duration = Duration::from_secs(120);

/// Memory of a task beyond its run's limit: the sweep and the shim, each of which holds the plan at most, and pages of
/// files that the kernel counts in.
const BESIDE_RUN: u64 = 256 << 20;

const MEBIBYTE: u64 = 1 << 20;

/// How many runs a task should have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bundle {
    /// This many.
    Runs(u64),
    /// As many as end within this time, whatever happens.
    Time(Duration),
}

/// A plan in tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tasks {
    /// Number of tasks.
    pub count: u64,
    /// Most runs of a task.
    pub runs: u64,
    /// Whether there would be more tasks if the scheduler allowed.
    pub is_capped: bool,
}

impl Tasks {
    /// Cuts `runs` runs, each of which takes at most `limit`, into at most `max` tasks. A run without limit may last as
    /// long as it likes, so it is a task by itself unless `bundle` is a number.
    ///
    /// # Panics
    /// If `max` is 0.
    #[must_use]
    pub fn new(runs: usize, limit: Option<Duration>, bundle: Bundle, max: u64) -> Self {
        let runs = runs as u64;
        let wanted = match (bundle, limit) {
            (Bundle::Runs(runs), _) => runs.max(1),
            (Bundle::Time(_), None) => 1,
            (Bundle::Time(time), Some(limit)) => {
                let fitting = time.as_nanos() / (limit + BEYOND_LIMIT).as_nanos();
                u64::try_from(fitting).unwrap_or(u64::MAX).max(1)
            }
        };
        let count = runs.div_ceil(wanted);
        let capped = count.min(max);
        Self {
            count: capped,
            runs: runs.div_ceil(capped.max(1)),
            is_capped: capped < count,
        }
    }
}

/// What the scheduler has to give each task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Processors.
    pub cpus: usize,
    /// Memory in MiB; none if runs have no limit.
    pub memory_mib: Option<u64>,
    /// Wall time in minutes; none if runs have no limit.
    pub minutes: Option<u64>,
}

impl Needs {
    /// What a task of `runs` runs needs. All tasks get the same, as their runs are compared with each other: as many
    /// processors as the run with the most threads.
    #[must_use]
    pub fn new(spec: &Spec, runs: u64) -> Self {
        let threads = |run: &Configuration| run.threads;
        let threads = spec.configurations.iter().map(threads).max();
        Self {
            cpus: threads.unwrap_or(1),
            memory_mib: spec.header.limits.memory_bytes.map(memory_mib),
            minutes: spec.header.limits.time.map(|limit| minutes(limit, runs)),
        }
    }
}

/// A quarter beyond the limit: the engine keeps its tables within it, allocators and stacks come on top.
fn memory_mib(limit: u64) -> u64 {
    let bytes = limit.saturating_add(limit / 4).saturating_add(BESIDE_RUN);
    bytes.div_ceil(MEBIBYTE)
}

fn minutes(limit: Duration, runs: u64) -> u64 {
    let run = limit.saturating_add(BEYOND_LIMIT);
    let runs = u32::try_from(runs).unwrap_or(u32::MAX);
    let time = run.saturating_mul(runs).saturating_add(START);
    time.as_secs().div_ceil(60)
}

/// Numbers in the short form of job arrays: `0-3,7`. They must ascend.
#[must_use]
pub fn ranges(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let texts: Vec<String> = ranges
        .into_iter()
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        })
        .collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Option<Duration> = Some(Duration::from_secs(50));

    fn tasks(runs: usize, limit: Option<Duration>, bundle: Bundle, max: u64) -> (u64, u64, bool) {
        let tasks = Tasks::new(runs, limit, bundle, max);
        (tasks.count, tasks.runs, tasks.is_capped)
    }

    #[test]
    fn a_task_has_as_many_runs_as_end_within_its_time_and_one_at_least() {
        let ten_minutes = Bundle::Time(TASK_TIME);
        assert_eq!(tasks(100, MINUTE, ten_minutes, 1000), (10, 10, false));
        assert_eq!(tasks(101, MINUTE, ten_minutes, 1000), (11, 10, false));
        let short = Bundle::Time(Duration::from_secs(1));
        assert_eq!(tasks(3, MINUTE, short, 1000), (3, 1, false));
        assert_eq!(tasks(3, None, ten_minutes, 1000), (3, 1, false));
    }

    #[test]
    fn a_number_of_runs_is_taken_as_it_is() {
        assert_eq!(tasks(7, None, Bundle::Runs(3), 1000), (3, 3, false));
        assert_eq!(tasks(7, None, Bundle::Runs(0), 1000), (7, 1, false));
        assert_eq!(tasks(7, None, Bundle::Runs(u64::MAX), 9), (1, 7, false));
    }

    #[test]
    fn where_the_scheduler_allows_fewer_tasks_they_have_more_runs() {
        assert_eq!(tasks(100, MINUTE, Bundle::Runs(1), 30), (30, 4, true));
        assert_eq!(tasks(100, MINUTE, Bundle::Runs(1), 1), (1, 100, true));
        assert_eq!(tasks(0, MINUTE, Bundle::Runs(1), 30), (0, 0, false));
    }

    #[test]
    fn needs_cover_the_limits_of_all_runs_of_a_task() {
        // 10 runs of a minute, beyond-limit time included, and two minutes to start.
        assert_eq!(minutes(Duration::from_secs(50), 10), 12);
        assert_eq!(memory_mib(1 << 30), 1024 + 256 + 256);
        assert!(memory_mib(u64::MAX) > 1 << 40);
        assert!(minutes(Duration::MAX, u64::MAX) > 1 << 40);
    }

    #[test]
    fn numbers_are_written_as_ranges() {
        assert_eq!(ranges([]), "");
        assert_eq!(ranges([4]), "4");
        assert_eq!(ranges([0, 1, 2, 5, 7, 8]), "0-2,5,7-8");
    }
}
