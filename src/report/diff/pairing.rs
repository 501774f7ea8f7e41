//! Which rows of two sets answer the same question.
//!
//! Levels are told apart by their boards, not by the names of their files, so that an edited level is another question and a
//! moved file is not. Limits do not tell questions apart, as an answer found below both is an answer to both; rows that ended at
//! a limit that is another one now are set aside.

use std::collections::{BTreeMap, HashSet};

use thiserror::Error;

use crate::experiment::Row;
use crate::experiment::manifest::KeptLevel;
use crate::experiment::plan::numbered_boards;
use crate::experiment::spec::RunLimits;
use crate::report::data::{Configuration, Instance};

/// A board, and which occurrence of it among the levels of an experiment, from 1.
type Board = (String, u64);

/// Everything that was asked of a run: where, how, and which repetition.
type Question = (Board, Configuration, u64);

/// A set of results, and what was asked.
#[derive(Debug, Clone)]
pub struct Results {
    rows: BTreeMap<Question, Row>,
    boards: BTreeMap<Instance, Board>,
    pub(super) limits: RunLimits,
}

/// A row of a level that its experiment does not have.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "run {run_id} is of {file}#{level}, which is not among the levels of manifest.toml; expected the rows and the manifest of one \
     experiment: restore the file that was changed, or run the experiment again"
)]
pub struct UnlistedLevel {
    run_id: String,
    file: String,
    level: u64,
}

impl Results {
    /// Rows, the levels they are of, and the limits they were measured under.
    ///
    /// # Errors
    /// [`UnlistedLevel`] for the first row of another level.
    pub fn new(
        rows: Vec<Row>,
        levels: &[KeptLevel],
        limits: RunLimits,
    ) -> Result<Self, UnlistedLevel> {
        let boards = boards(levels);
        let question = |row: Row| match boards.get(&Instance::of(&row)) {
            Some(board) => {
                let configuration = Configuration::of(&row);
                Ok(((board.clone(), configuration, row.repetition), row))
            }
            None => Err(UnlistedLevel {
                run_id: row.run_id,
                file: row.level_file,
                level: row.level,
            }),
        };
        Ok(Self {
            rows: rows.into_iter().map(question).collect::<Result<_, _>>()?,
            boards,
            limits,
        })
    }
}

fn boards(levels: &[KeptLevel]) -> BTreeMap<Instance, Board> {
    let boards = numbered_boards(levels.iter().map(|level| level.board.clone()));
    let instances = levels.iter().map(|level| Instance {
        file: level.file.clone(),
        level: level.number,
    });
    instances.zip(boards).collect()
}

/// Two rows of the same question; the level has the name that the new one gives it.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub(super) old: Row,
    pub(super) new: Row,
}

/// Two sets of results, question by question.
pub(super) struct Pairing {
    pub(super) pairs: Vec<Pair>,
    pub(super) only_old: Vec<Row>,
    pub(super) only_new: Vec<Row>,
    /// Levels of the same file and number with boards that the other set does not have.
    pub(super) redrawn: Vec<String>,
}

impl Pairing {
    pub(super) fn of(old: Results, new: Results) -> Self {
        let redrawn = redrawn(&old.boards, &new.boards);
        let mut rest = new.rows;
        let mut pairs = Vec::new();
        let mut only_old = Vec::new();
        for (question, mut old) in old.rows {
            match rest.remove(&question) {
                Some(new) => {
                    old.level_file.clone_from(&new.level_file);
                    old.level = new.level;
                    pairs.push(Pair { old, new });
                }
                None => only_old.push(old),
            }
        }
        Self {
            pairs,
            only_old,
            only_new: rest.into_values().collect(),
            redrawn,
        }
    }
}

/// Levels that both sets name, with boards that only one of them has.
fn redrawn(old: &BTreeMap<Instance, Board>, new: &BTreeMap<Instance, Board>) -> Vec<String> {
    let (old_boards, new_boards): (HashSet<&Board>, HashSet<&Board>) =
        (old.values().collect(), new.values().collect());
    let is_redrawn = |instance: &Instance, before: &Board| {
        let after = new.get(instance);
        after.is_some_and(|after| !old_boards.contains(after)) && !new_boards.contains(before)
    };
    let redrawn = old.iter().filter(|(level, board)| is_redrawn(level, board));
    redrawn
        .map(|(level, _)| format!("{}#{}", level.file, level.level))
        .collect()
}

/// Statuses that say more about limits or the machine than about the programs that are compared.
pub(super) struct Uncertainty(Vec<&'static str>);

impl Uncertainty {
    /// `times` says whether the times of both sides may be compared: if not, neither may be what a limit of time cut short.
    pub(super) fn between(old: &RunLimits, new: &RunLimits, times: bool) -> Self {
        let is_uncertain = [
            ("time_limit", !times || old.time != new.time),
            ("memory_limit", old.memory_bytes != new.memory_bytes),
            ("state_limit", old.states != new.states),
        ];
        let uncertain = is_uncertain.into_iter().filter(|(_, is)| *is);
        Self(uncertain.map(|(status, _)| status).collect())
    }

    /// Whether one side of a pair ended so.
    pub(super) fn touches(&self, pair: &Pair) -> bool {
        [&pair.old, &pair.new]
            .iter()
            .any(|row| self.0.contains(&row.status.as_str()))
    }
}
