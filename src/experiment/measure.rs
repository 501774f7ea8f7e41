//! One run, from its plan to its row: started alone, measured, and judged.
//!
//! Nothing that a run's process says is believed unseen: a solution is replayed on the level as it was
//! written, counts must obey their law, and a time beyond the limit is a limit, whatever was found.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::configuration::{Configuration, Space};
use super::law;
use super::machine::{REVISION, host};
use super::order::{Findings, Order, Report};
use super::plan::RunSpec;
use super::process::StopFlag;
use super::recorder::FinishedRun;
use super::shim::{self, Account};
use super::spec::{PlannedLevel, Spec};
use super::{Row, status, worker};
use crate::search::Status;
use crate::sokoban::pruning::RULE_NAMES;
use crate::sokoban::{Board, Level, lurd};
use crate::validate::{Replay, replay};

/// Time beyond its limit that a process has for starting, building tables, and reporting, before it is
/// ended from outside.
pub(super) const GRACE: Duration = Duration::from_secs(5);

/// The run's process has read its own peak, `VmHWM`, just before its end.
const RSS_BY_ITSELF: &str = "vmhwm";
/// The shim was told by the system, for a run that could not say it any more.
const RSS_BY_WAIT: &str = "wait4";

/// How Rust's standard library begins the last words of a process that gets no more memory.
const OUT_OF_MEMORY: &str = "memory allocation of";

/// Does one run, on these cores if any are given. None if it was ended before it was done, so that it is still to be done.
///
/// # Errors
/// If a process cannot be started or watched at all.
pub(super) fn measure(
    spec: &Spec,
    run: &RunSpec,
    cores: Option<&[usize]>,
    stop: &StopFlag,
) -> io::Result<Option<FinishedRun>> {
    let level = &spec.levels[run.level];
    let order = Order::new(&level.level, &run.configuration, run.goal, &run.limits);
    let order = toml::to_string(&order).map_err(io::Error::other)?;
    let started = SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let time = run.limits.time.map(|time| time + GRACE);
    let Some(account) = shim::run(worker::SUBCOMMAND, order.as_bytes(), time, cores, stop)? else {
        return Ok(None);
    };
    let row = Row {
        host: Some(host()),
        cores: cores.map(|cores| {
            let numbers: Vec<String> = cores.iter().map(usize::to_string).collect();
            numbers.join(" ")
        }),
        started_unix_s: started.map(|time| time.as_secs_f64()),
        ..planned_row(spec, run)
    };
    Ok(Judge { run, level, row }.judge(&account))
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
        experiment: spec.header.name.clone(),
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
        time_limit_s: run.limits.time.map(|limit| limit.as_secs_f64()),
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
    /// The verdict on a process that has ended. None if it was ended before it was done.
    fn judge(mut self, account: &Account) -> Option<FinishedRun> {
        self.charge(account);
        let report = toml::from_str::<Report>(&account.stdout).ok();
        let solution = match report {
            Some(report) if account.is_success() => self.answered(report, account)?,
            _ => {
                self.silent(account);
                None
            }
        };
        Some(FinishedRun {
            row: self.row,
            solution,
        })
    }

    /// What the run has cost, as the system counts it.
    fn charge(&mut self, account: &Account) {
        self.row.cpu_user_s = account.cpu_user_s;
        self.row.cpu_sys_s = account.cpu_sys_s;
        self.row.involuntary_switches = account.involuntary_switches;
        self.row.cpu_pressure = account.cpu_pressure;
        self.set_peak(account.peak_rss_bytes, RSS_BY_WAIT);
    }

    fn set_peak(&mut self, bytes: Option<u64>, method: &str) {
        if bytes.is_some() {
            self.row.peak_rss_bytes = bytes;
            method.clone_into(&mut self.row.rss_method);
        }
    }

    /// A process that died without a report.
    fn silent(&mut self, account: &Account) {
        let how = account.how();
        let (status, detail) = if account.over_time {
            let seconds = account.elapsed_s;
            let detail = format!("did not end by itself: {how} after {seconds:.1} s");
            (Status::TimeLimit.name(), detail)
        } else if account.stderr_tail.contains(OUT_OF_MEMORY)
            && self.run.limits.memory_bytes.is_some()
        {
            (Status::MemoryLimit.name(), account.stderr_tail.clone())
        } else if account.stderr_tail.is_empty() {
            (status::CRASHED, format!("{how}, without a word"))
        } else {
            (status::CRASHED, format!("{how}: {}", account.stderr_tail))
        };
        self.set_status(status, detail);
    }

    /// A process that has reported. None if its search was cancelled by somebody else.
    #[expect(
        clippy::option_option,
        reason = "the outer one ends the run without a row, the inner one is the solution"
    )]
    fn answered(&mut self, report: Report, account: &Account) -> Option<Option<String>> {
        self.set_peak(report.peak_rss_bytes, RSS_BY_ITSELF);
        let Some(findings) = report.findings else {
            let reason = report.unsupported.unwrap_or_default();
            self.set_status(status::UNSUPPORTED, reason);
            return Some(None);
        };
        self.count(&findings);
        if let Some(limit) = self.exceeded(&findings, account) {
            self.set_status(limit.name(), String::new());
            return Some(None);
        }
        if findings.status == Status::Cancelled.name() {
            return None;
        }
        Some(self.verify(&findings))
    }

    /// The limit that the run is beyond, whatever it has found: an engine looks at limits now and then only, and may meet a
    /// goal before it does.
    fn exceeded(&self, findings: &Findings, account: &Account) -> Option<Status> {
        let limits = &self.run.limits;
        let over_time = |limit: Duration| findings.wall_s > limit.as_secs_f64();
        let over_memory = |limit| self.row.peak_rss_bytes.is_some_and(|peak| peak > limit);
        if account.over_time || limits.time.is_some_and(over_time) {
            Some(Status::TimeLimit)
        } else if limits
            .states
            .is_some_and(|limit| findings.states_visited > limit)
        {
            Some(Status::StateLimit)
        } else if limits.memory_bytes.is_some_and(over_memory) {
            Some(Status::MemoryLimit)
        } else {
            None
        }
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
