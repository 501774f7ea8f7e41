//! Which run is next, and which runs may be measured at the same time.
//!
//! Runs that overlap disturb each other, so as few do as possible: never more than there are cores for all of their
//! threads, and never runs with different numbers of threads, whose times are compared with each other most of
//! all. Within a block of the plan (a level, a repetition) the order is free to follow that: it is random anyhow.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::plan::RunSpec;
use super::process::StopFlag;

/// How many runs may be measured at the same time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// Runs at the same time.
    pub jobs: usize,
    /// Whether more threads than cores, and different numbers of threads, may run at the same time.
    pub forced: bool,
}

impl Default for Overlap {
    /// One run at a time.
    fn default() -> Self {
        Self {
            jobs: 1,
            forced: false,
        }
    }
}

/// A run that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) run: RunSpec,
    /// Whether it only warms the machine up, and is not recorded.
    pub(super) is_warm_up: bool,
}

/// Hands out runs to runners.
#[derive(Debug)]
pub(super) struct Schedule {
    state: Mutex<State>,
    changed: Condvar,
}

/// A run, and the cores that are its own until this is dropped.
#[derive(Debug)]
pub(super) struct Ticket<'a> {
    pub(super) due: Due,
    /// Where it is to stay; anywhere if it is not to be pinned.
    pub(super) cores: Option<Vec<usize>>,
    schedule: &'a Schedule,
}

#[derive(Debug)]
struct State {
    left: VecDeque<Due>,
    overlap: Overlap,
    pin: bool,
    /// Cores in all.
    cores: usize,
    /// Cores that no running run has, the ones to prefer first.
    free: Vec<usize>,
    /// Thread counts of the runs under way.
    running: Vec<usize>,
}

impl Schedule {
    /// A schedule of runs in this order on these cores, the ones to prefer first. The first `warm_ups` runs are done once
    /// before all others, to warm the machine up.
    pub(super) fn new(
        runs: Vec<RunSpec>,
        warm_ups: usize,
        overlap: Overlap,
        pin: bool,
        cores: Vec<usize>,
    ) -> Self {
        let due = |is_warm_up| move |run| Due { run, is_warm_up };
        let warming = runs
            .iter()
            .cycle()
            .take(if runs.is_empty() { 0 } else { warm_ups });
        let mut left: VecDeque<Due> = warming.cloned().map(due(true)).collect();
        left.extend(runs.into_iter().map(due(false)));
        Self {
            state: Mutex::new(State {
                left,
                overlap,
                pin,
                cores: cores.len(),
                free: cores,
                running: Vec::new(),
            }),
            changed: Condvar::new(),
        }
    }

    /// The next run, as soon as it may begin; none once no run is left or everything is asked to stop.
    pub(super) fn next(&self, stop: &StopFlag) -> Option<Ticket<'_>> {
        let mut state = self.lock();
        loop {
            if stop.is_stopped() || state.left.is_empty() {
                return None;
            }
            if let Some((due, cores)) = state.begin() {
                return Some(Ticket {
                    due,
                    cores,
                    schedule: self,
                });
            }
            // Some run is under way, or this one could begin; its end wakes all who wait.
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        let mut state = self.schedule.lock();
        state.end(self.due.run.configuration.threads, self.cores.take());
        drop(state);
        self.schedule.changed.notify_all();
    }
}

impl State {
    /// Takes out a run that may begin now, with its cores.
    fn begin(&mut self) -> Option<(Due, Option<Vec<usize>>)> {
        let first = self.left.front()?;
        let (level, repetition, is_warm_up) =
            (first.run.level, first.run.repetition, first.is_warm_up);
        let block = self.left.iter().take_while(|due| {
            (due.run.level, due.run.repetition, due.is_warm_up) == (level, repetition, is_warm_up)
        });
        let threads = block.map(|due| due.run.configuration.threads);
        let index = threads.clone().position(|threads| self.has_room(threads))?;
        let due = self.left.remove(index)?;
        let threads = due.run.configuration.threads;
        self.running.push(threads);
        let cores = self.pin.then(|| self.free.drain(..threads).collect());
        Some((due, cores))
    }

    /// Whether a run of so many threads may begin now.
    fn has_room(&self, threads: usize) -> bool {
        if self.pin && self.free.len() < threads {
            return false;
        }
        if self.running.is_empty() {
            return true;
        }
        if self.running.len() >= self.overlap.jobs {
            return false;
        }
        let alike = self.running.iter().all(|&other| other == threads);
        let fits = (self.running.len() + 1) * threads <= self.cores;
        self.overlap.forced || (alike && fits)
    }

    fn end(&mut self, threads: usize, cores: Option<Vec<usize>>) {
        if let Some(index) = self.running.iter().position(|&other| other == threads) {
            self.running.swap_remove(index);
        }
        // To the front, as they were preferred before.
        self.free.splice(0..0, cores.into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::experiment::configuration::{Configuration, Space, Table};
    use crate::experiment::spec::RunLimits;
    use crate::parallel::Threading;
    use crate::search::{Goal, Strategy};
    use crate::sokoban::pruning::PruningLevel;

    fn run(sequence: u64, level: usize, threads: usize) -> RunSpec {
        RunSpec {
            id: sequence.to_string(),
            sequence,
            level,
            configuration: Configuration {
                space: Space::Pushes,
                strategy: Strategy::Bfs,
                heuristic: None,
                pruning: PruningLevel::None,
                threading: Threading::Shared,
                threads,
                table: Table::Hash,
            },
            repetition: 1,
            goal: Goal::Solve,
            limits: RunLimits::default(),
            seed: 1,
        }
    }

    /// Runs of one block with these numbers of threads.
    fn schedule(threads: &[usize], overlap: Overlap, pin: bool) -> Schedule {
        let runs = (1..).zip(threads);
        let runs = runs.map(|(sequence, &threads)| run(sequence, 0, threads));
        Schedule::new(runs.collect(), 0, overlap, pin, vec![0, 1, 2, 3])
    }

    fn jobs(jobs: usize) -> Overlap {
        Overlap {
            jobs,
            forced: false,
        }
    }

    /// Begins all that may begin now.
    fn begin_all(schedule: &Schedule) -> Vec<(u64, Option<Vec<usize>>)> {
        let mut state = schedule.lock();
        std::iter::from_fn(|| state.begin())
            .map(|(due, cores)| (due.run.sequence, cores))
            .collect()
    }

    fn sequences(schedule: &Schedule) -> Vec<u64> {
        begin_all(schedule)
            .into_iter()
            .map(|(sequence, _)| sequence)
            .collect()
    }

    #[test]
    fn one_job_is_one_run_in_the_order_of_the_plan() {
        let schedule = schedule(&[2, 1, 4], jobs(1), false);
        for expected in 1..=3 {
            assert_eq!(sequences(&schedule), [expected]);
            schedule.lock().running.clear();
        }
        assert_eq!(sequences(&schedule), [0; 0]);
    }

    #[test]
    fn runs_that_overlap_have_a_core_for_each_of_their_threads() {
        assert_eq!(sequences(&schedule(&[2; 5], jobs(8), false)), [1, 2]);
        assert_eq!(sequences(&schedule(&[1; 9], jobs(8), false)), [1, 2, 3, 4]);
        assert_eq!(sequences(&schedule(&[1; 9], jobs(3), false)), [1, 2, 3]);
        assert_eq!(sequences(&schedule(&[3; 5], jobs(8), false)), [1]);
        // More threads than cores run alone.
        assert_eq!(sequences(&schedule(&[9; 5], jobs(8), false)), [1]);
    }

    #[test]
    fn runs_with_different_numbers_of_threads_do_not_overlap() {
        let schedule = schedule(&[1, 2, 1, 2, 1], jobs(4), false);
        assert_eq!(sequences(&schedule), [1, 3, 5]);
        schedule.lock().running.clear();
        assert_eq!(sequences(&schedule), [2, 4]);
    }

    #[test]
    fn the_order_of_blocks_is_kept() {
        let runs = vec![run(1, 0, 1), run(2, 0, 2), run(3, 1, 1)];
        let schedule = Schedule::new(runs, 0, jobs(4), false, vec![0, 1, 2, 3]);
        assert_eq!(sequences(&schedule), [1]);
        schedule.lock().running.clear();
        assert_eq!(sequences(&schedule), [2]);
    }

    #[test]
    fn force_overlaps_whatever_there_is() {
        let forced = Overlap {
            jobs: 3,
            forced: true,
        };
        assert_eq!(
            sequences(&schedule(&[1, 4, 2, 1], forced, false)),
            [1, 2, 3]
        );
    }

    #[test]
    fn pinned_runs_have_distinct_cores_and_give_them_back() {
        let schedule = schedule(&[2, 2, 2], jobs(4), true);
        let first = schedule.next(&StopFlag::default()).unwrap();
        let second = schedule.next(&StopFlag::default()).unwrap();
        assert_eq!(first.cores, Some(vec![0, 1]));
        assert_eq!(second.cores, Some(vec![2, 3]));
        assert_eq!(sequences(&schedule), [0; 0]);
        drop(first);
        assert_eq!(begin_all(&schedule), [(3, Some(vec![0, 1]))]);
    }

    #[test]
    fn warm_ups_come_first_and_are_marked() {
        let runs = vec![run(1, 0, 1), run(2, 0, 1)];
        let schedule = Schedule::new(runs, 3, jobs(1), false, vec![0]);
        let order: Vec<(u64, bool)> = std::iter::from_fn(|| {
            let ticket = schedule.next(&StopFlag::default())?;
            Some((ticket.due.run.sequence, ticket.due.is_warm_up))
        })
        .collect();
        let expected = [(1, true), (2, true), (1, true), (1, false), (2, false)];
        assert_eq!(order, expected);
        let nothing_left = Schedule::new(Vec::new(), 3, jobs(1), false, vec![0]);
        assert!(nothing_left.next(&StopFlag::default()).is_none());
    }

    #[test]
    fn every_run_is_handed_out_once_whatever_happens_at_the_same_time() {
        let threads: Vec<usize> = (0..200).map(|n| 1 + n % 3).collect();
        let schedule = schedule(&threads, jobs(4), true);
        let (stop, done, busy) = (
            StopFlag::default(),
            Mutex::new(Vec::new()),
            AtomicUsize::new(0),
        );
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(ticket) = schedule.next(&stop) {
                        let threads = ticket.due.run.configuration.threads;
                        let before = busy.fetch_add(threads, Ordering::SeqCst);
                        assert!(before + threads <= 4 && before % threads == 0);
                        thread::sleep(Duration::from_micros(50));
                        busy.fetch_sub(threads, Ordering::SeqCst);
                        done.lock().unwrap().push(ticket.due.run.sequence);
                    }
                });
            }
        });
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        assert_eq!(done, (1..=200).collect::<Vec<_>>());
    }

    #[test]
    fn a_stop_hands_out_nothing_more() {
        let schedule = schedule(&[1, 1], jobs(1), false);
        let stop = StopFlag::default();
        stop.stop();
        assert!(schedule.next(&stop).is_none());
    }
}
