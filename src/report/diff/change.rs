//! What one run says now, and what it said before.

use std::cmp::Ordering;

use crate::experiment::Row;
use crate::experiment::verification::is_optimal;
use crate::report::data::{Axis, Configuration};

use super::pairing::Pair;

/// What to make of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Both cannot be right.
    Contradiction,
    /// The new results are worse.
    Regression,
    /// They are neither worse nor better, but another program or choice has left its mark.
    Change,
    /// The new results are better.
    Improvement,
}

impl Kind {
    /// Those that make the new results worse than the old ones.
    pub const BAD: [Self; 2] = [Self::Contradiction, Self::Regression];

    /// As the command names it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Regression => "regression",
            Self::Change => "change",
            Self::Improvement => "improvement",
        }
    }
}

/// A run that has changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// What to make of it.
    pub kind: Kind,
    /// Which run.
    pub run: String,
    /// What has changed, and how.
    pub what: String,
}

/// How good a status is, best first.
fn rank(status: &str) -> u8 {
    match status {
        "solved" | "unsolvable" | "complete" => 0,
        "exhausted" => 1,
        "time_limit" | "memory_limit" | "state_limit" => 2,
        _ => 3,
    }
}

/// All changes of a run. A changed status is told alone: everything else follows from it.
pub(super) fn changes(pair: &Pair) -> Vec<Change> {
    let Pair { old, new } = pair;
    let told: Vec<(Kind, String)> = if old.status != new.status {
        let what = format!("{} -> {}", old.status, new.status);
        vec![(kind_of_status(&old.status, &new.status), what)]
    } else if is_of_one_table(pair) {
        kind_of_cost(pair).into_iter().chain(counts(pair)).collect()
    } else {
        let what = format!("table {} -> {}, counts not compared", old.table, new.table);
        kind_of_cost(pair)
            .into_iter()
            .chain([(Kind::Change, what)])
            .collect()
    };
    let change = |(kind, what)| Change {
        kind,
        run: name(new),
        what,
    };
    told.into_iter().map(change).collect()
}

fn kind_of_status(old: &str, new: &str) -> Kind {
    match rank(old).cmp(&rank(new)) {
        Ordering::Equal if rank(new) == 0 => Kind::Contradiction,
        Ordering::Equal => Kind::Change,
        Ordering::Less => Kind::Regression,
        Ordering::Greater => Kind::Improvement,
    }
}

fn kind_of_cost(pair: &Pair) -> Option<(Kind, String)> {
    let (before, after) = (pair.old.cost?, pair.new.cost?);
    let what = format!("cost {before} -> {after}");
    let is_exact = pair.new.threading == "sequential";
    match before.cmp(&after) {
        Ordering::Equal => None,
        _ if is_optimal(&pair.new) => Some((Kind::Contradiction, what)),
        // Which solution several threads meet first is chance.
        _ if !is_exact => None,
        _ if is_repeated_by_one_program(pair) => Some((Kind::Contradiction, what)),
        Ordering::Less => Some((Kind::Regression, what)),
        Ordering::Greater => Some((Kind::Improvement, what)),
    }
}

/// A count of a row.
type Count = fn(&Row) -> Option<u64>;

/// Counts of work: where they repeat, more of them is worse.
const WORK: [(&str, Count); 3] = [
    ("states_visited", |row| row.states_visited),
    ("generated", |row| row.generated),
    ("expanded", |row| row.expanded),
];

/// Counts that say what became of the work.
const FATE: [(&str, Count); 3] = [
    ("pruned", |row| row.pruned),
    ("duplicates", |row| row.duplicates),
    ("reopened", |row| row.reopened),
];

/// Changed counts, of those that are the same whenever the run is done again: all of a sequential search that ended by itself
/// or at a number of states; of a census in other models those that do not depend on the order of expansion.
fn counts(pair: &Pair) -> Vec<(Kind, String)> {
    let Pair { old, new } = pair;
    let ended_by_itself = rank(&new.status) <= 1;
    let is_sequential = new.threading == "sequential";
    let kept: Vec<(&str, Count)> = match new.status.as_str() {
        _ if is_sequential && ended_by_itself => [WORK, FATE].concat(),
        "state_limit" if is_sequential => [WORK, FATE].concat(),
        "complete" => vec![WORK[0], WORK[1], FATE[0]],
        _ => Vec::new(),
    };
    let text = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |n| n.to_string());
    let changed = kept.into_iter().filter_map(|(column, count)| {
        let (before, after) = (count(old), count(new));
        let what = format!("{column} {} -> {}", text(before), text(after));
        let is_work = WORK.iter().any(|(name, _)| *name == column);
        let is_whole_space = column == "states_visited" && visits_the_whole_space(new);
        match before.cmp(&after) {
            Ordering::Equal => None,
            _ if is_whole_space || is_repeated_by_one_program(pair) => {
                Some((Kind::Contradiction, what))
            }
            Ordering::Less if is_work => Some((Kind::Regression, what)),
            Ordering::Greater if is_work => Some((Kind::Improvement, what)),
            _ => Some((Kind::Change, what)),
        }
    });
    changed.collect()
}

/// Whether the number of states visited is that of the reachable space, which no program can change: everything was visited, and
/// nothing was left out by a rule or an estimate.
fn visits_the_whole_space(row: &Row) -> bool {
    let is_whole = ["complete", "unsolvable"].contains(&row.status.as_str());
    is_whole && row.pruning == "none" && row.heuristic.is_empty()
}

/// Whether both rows are of the same committed program, which has to repeat itself.
fn is_repeated_by_one_program(pair: &Pair) -> bool {
    let revision = pair.new.revision.as_str();
    let is_known = !revision.is_empty() && revision != "unknown" && !revision.ends_with("-dirty");
    is_known && pair.old.revision == revision
}

/// Whether an automatic choice of table came to the same on both sides. Tables differ in what they enter and when, so that
/// counts of different ones do not compare.
pub(super) fn is_of_one_table(pair: &Pair) -> bool {
    pair.old.table == pair.new.table
}

/// Which run a row is of, in words.
pub(super) fn name(row: &Row) -> String {
    let configuration = Configuration::of(row);
    let axes = Axis::ALL.into_iter();
    let axes = axes.filter(|axis| ![Axis::Goal, Axis::Threads].contains(axis));
    let values = axes.map(|axis| configuration.value(axis));
    let values: Vec<&str> = values.filter(|value| !value.is_empty()).collect();
    format!(
        "{}#{} {} x{} repetition {}",
        row.level_file,
        row.level,
        values.join(" "),
        row.threads,
        row.repetition
    )
}
