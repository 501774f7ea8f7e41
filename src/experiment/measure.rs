//! One run, from its plan to its row: started alone, measured, and judged.
//!
//! Nothing that a run's process says is believed unseen: a solution is replayed on the level as it was
//! written, counts must obey their law, and a time beyond the limit is a limit, whatever was found.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::configuration::{Configuration, Space};
use super::law;
use super::machine::REVISION;
use super::order::{Findings, Order, Report};
use super::plan::RunSpec;
use super::process::{self, Cause, Ended, StopFlag};
use super::recorder::FinishedRun;
use super::spec::{PlannedLevel, Spec};
use super::{Row, worker};
use crate::search::Status;
use crate::sokoban::pruning::RULE_NAMES;
use crate::sokoban::{Board, Level, lurd};
use crate::validate::{Replay, replay};

/// Statuses that only the sweep gives; a search never ends with them.
pub mod status {
    /// The process died.
    pub const CRASHED: &str = "crashed";
    /// The answer failed its replay, or the counts break their law.
    pub const INVALID: &str = "invalid";
    /// The configuration cannot run on the level.
    pub const UNSUPPORTED: &str = "unsupported";
}

/// Time beyond its limit that a process has for starting, building tables, and reporting, before it is
/// ended from outside.
const GRACE: Duration = Duration::from_secs(5);

/// How Rust's standard library begins the last words of a process that gets no more memory.
const OUT_OF_MEMORY: &str = "memory allocation of";

/// Does one run. None if it was ended before it was done, so that it is still to be done.
///
/// # Errors
/// If a process cannot be started or watched at all.
pub(super) fn measure(
    program: &Path,
    spec: &Spec,
    run: &RunSpec,
    stop: &StopFlag,
) -> io::Result<Option<FinishedRun>> {
    let level = &spec.levels[run.level];
    let order = Order::new(&level.level, &run.configuration, run.goal, &run.limits);
    let order = toml::to_string(&order).map_err(io::Error::other)?;
    let started = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let time = run.limits.time.map(|time| time + GRACE);
    let ended = process::run(program, worker::SUBCOMMAND, order.as_bytes(), time, stop)?;
    let row = Row {
        started_unix_s: started.map(|time| time.as_secs_f64()),
        cpu_pressure: ended.cpu_pressure,
        ..planned_row(spec, run)
    };
    Ok(Judge { run, level, row }.judge(&ended))
}

/// The row of a run that has not been done: what was asked, nothing measured.
#[must_use]
pub fn planned_row(spec: &Spec, run: &RunSpec) -> Row {
    let level = &spec.levels[run.level];
    let board = Board::new(&level.level).ok();
    let Configuration {
        space,
        strategy,
        heuristic,
        pruning,
        threading,
        threads,
        table,
    } = run.configuration;
    Row {
        run_id: run.id.clone(),
        experiment: spec.name.clone(),
        level_file: level.file.clone(),
        level: level.number as u64,
        level_title: level.title.clone(),
        boxes: board
            .as_ref()
            .map(|board| board.initial_boxes().len() as u64),
        floor: board.as_ref().map(|board| board.floor() as u64),
        space: space.name().to_owned(),
        strategy: strategy.name().to_owned(),
        heuristic: heuristic.map_or_else(String::new, |heuristic| heuristic.name().to_owned()),
        pruning: pruning.name().to_owned(),
        threading: threading.name().to_owned(),
        threads: threads as u64,
        table: table.name().to_owned(),
        goal: run.goal.name().to_owned(),
        repetition: run.repetition,
        sequence: run.sequence,
        seed: run.seed,
        revision: REVISION.to_owned(),
        ..Row::default()
    }
}

/// Fills the row of one run.
struct Judge<'a> {
    run: &'a RunSpec,
    level: &'a PlannedLevel,
    row: Row,
}

impl Judge<'_> {
    /// The verdict on a process that has ended.
    fn judge(mut self, ended: &Ended) -> Option<FinishedRun> {
        if ended.cause == Some(Cause::Stopped) {
            return None;
        }
        let report = std::str::from_utf8(&ended.stdout).ok();
        let report = report.and_then(|text| toml::from_str::<Report>(text).ok());
        let solution = match report {
            Some(report) if ended.exit.success() => self.answered(report, ended)?,
            _ => {
                self.silent(ended);
                None
            }
        };
        Some(FinishedRun {
            row: self.row,
            solution,
        })
    }

    /// A process that died without a report.
    fn silent(&mut self, ended: &Ended) {
        self.row.cpu_user_s = ended.cpu.map(|cpu| cpu.user_s);
        self.row.cpu_sys_s = ended.cpu.map(|cpu| cpu.sys_s);
        let how = ended.how();
        let (status, detail) = if ended.cause == Some(Cause::OverTime) {
            let seconds = ended.elapsed.as_secs_f64();
            let detail = format!("did not end by itself: {how} after {seconds:.1} s");
            (Status::TimeLimit.name(), detail)
        } else if ended.stderr_tail.contains(OUT_OF_MEMORY)
            && self.run.limits.memory_bytes.is_some()
        {
            (Status::MemoryLimit.name(), ended.stderr_tail.clone())
        } else if ended.stderr_tail.is_empty() {
            (status::CRASHED, format!("{how}, without a word"))
        } else {
            (status::CRASHED, format!("{how}: {}", ended.stderr_tail))
        };
        self.set_status(status, detail);
    }

    /// A process that has reported. None if its search was cancelled by somebody else.
    #[expect(
        clippy::option_option,
        reason = "the outer one ends the run without a row, the inner one is the solution"
    )]
    fn answered(&mut self, report: Report, ended: &Ended) -> Option<Option<String>> {
        self.row.peak_rss_bytes = report.usage.peak_rss_bytes;
        if report.usage.peak_rss_bytes.is_some() {
            self.row.rss_method = "vmhwm".to_owned();
        }
        self.row.cpu_user_s = report.usage.cpu_user_s;
        self.row.cpu_sys_s = report.usage.cpu_sys_s;
        self.row.involuntary_switches = report.usage.involuntary_switches;
        let Some(findings) = report.findings else {
            let reason = report.unsupported.unwrap_or_default();
            self.set_status(status::UNSUPPORTED, reason);
            return Some(None);
        };
        self.count(&findings);
        let limit = self.run.limits.time;
        let over_time = limit.is_some_and(|limit| findings.wall_s > limit.as_secs_f64());
        if over_time || ended.cause == Some(Cause::OverTime) {
            self.set_status(Status::TimeLimit.name(), String::new());
            return Some(None);
        }
        if findings.status == Status::Cancelled.name() {
            return None;
        }
        Some(self.verify(&findings))
    }

    /// Gives the status of the answer if it stands examination; returns the replayed solution.
    fn verify(&mut self, findings: &Findings) -> Option<String> {
        let solved = findings.status == Status::Solved.name();
        let verdict = law::conservation(&self.row).and_then(|()| match (solved, &findings.steps) {
            (true, Some(steps)) => self.replayed(steps, findings.cost).map(Some),
            (true, None) => Err("solved, but without a solution".to_owned()),
            (false, None) => Ok(None),
            (false, Some(_)) => Err(format!("{}, but with a solution", findings.status)),
        });
        match verdict {
            Ok(solution) => {
                self.row.cost = findings.cost;
                self.set_status(&findings.status, String::new());
                solution
            }
            Err(fault) => {
                self.set_status(status::INVALID, fault);
                None
            }
        }
    }

    fn replayed(&mut self, steps: &str, cost: Option<u64>) -> Result<String, String> {
        let space = self.run.configuration.space;
        let solution = check_solution(&self.level.level, steps)?;
        self.row.moves = Some(solution.moves);
        self.row.pushes = Some(solution.pushes);
        let replayed = match space {
            Space::Moves => solution.moves,
            Space::Pushes => solution.pushes,
        };
        match cost {
            Some(cost) if cost == replayed => Ok(solution.lurd),
            _ => Err(format!(
                "cost {cost:?}, but the replay counts {replayed} {}",
                space.name()
            )),
        }
    }

    fn count(&mut self, findings: &Findings) {
        let row = &mut self.row;
        row.table.clone_from(&findings.table);
        row.table_reason.clone_from(&findings.table_reason);
        row.generated = Some(findings.generated);
        row.pruned = Some(findings.pruned_by_rule.iter().sum());
        row.pruned_by_rule = RULE_NAMES
            .iter()
            .map(|&name| (name.to_owned(), findings.pruned_by(name)))
            .collect();
        row.duplicates = Some(findings.duplicates);
        row.reopened = Some(findings.reopened);
        row.states_visited = Some(findings.states_visited);
        row.expanded = Some(findings.expanded);
        row.frontier_peak = Some(findings.frontier_peak);
        row.wall_s = Some(findings.wall_s);
        row.table_bytes = Some(findings.table_bytes);
        row.frontier_bytes = Some(findings.frontier_bytes);
        row.load_balance = findings.load_balance;
        row.idle_s = findings.idle_s;
        row.states_sent = findings.states_sent;
        row.messages_sent = findings.messages_sent;
    }

    fn set_status(&mut self, status: &str, detail: String) {
        status.clone_into(&mut self.row.status);
        self.row.detail = detail;
    }
}

/// Replays a solution in LURD on the level as it was written.
///
/// # Errors
/// What is wrong with it, if it does not lead to a solved position by legal steps.
pub fn check_solution(level: &Level, steps: &str) -> Result<Replay, String> {
    let steps = lurd::parse(steps).map_err(|error| error.to_string())?;
    let replay = replay(level, &steps).map_err(|error| error.to_string())?;
    if replay.solved {
        Ok(replay)
    } else {
        Err(format!(
            "after all {} moves some box is not on a goal",
            replay.moves
        ))
    }
}

#[cfg(test)]
mod tests;
