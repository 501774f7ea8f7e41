//! What one run says now, and what it said before.

use std::cmp::Ordering;

use crate::experiment::Row;
use crate::experiment::verification::is_optimal;
use crate::report::data::{Axis, Configuration, is_answer};

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
        answer if is_answer(answer) => 0,
        "exhausted" => 1,
        "time_limit" | "memory_limit" | "state_limit" => 2,
        _ => 3,
    }
}

/// All changes of a run. A changed status is told alone: everything else follows from it.
pub(super) fn changes(pair: &Pair) -> Vec<Change> {
    let told: Vec<(Kind, String)> = match status(pair) {
        Some(change) => vec![change],
        None => cost(pair).into_iter().chain(counts(pair)).collect(),
    };
    let change = |(kind, what)| Change {
        kind,
        run: name(&pair.new),
        what,
    };
    told.into_iter().map(change).collect()
}

/// Another status, if it is another one.
fn status(pair: &Pair) -> Option<(Kind, String)> {
    let (before, after) = (&pair.old.status, &pair.new.status);
    let kind = match rank(before).cmp(&rank(after)) {
        _ if before == after => return None,
        Ordering::Equal if is_answer(after) => Kind::Contradiction,
        Ordering::Equal => Kind::Change,
        Ordering::Less => Kind::Regression,
        Ordering::Greater => Kind::Improvement,
    };
    Some((kind, format!("{before} -> {after}")))
}

/// Another cost, where it must repeat or may be judged.
fn cost(pair: &Pair) -> Option<(Kind, String)> {
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
struct Count {
    column: &'static str,
    read: fn(&Row) -> Option<u64>,
    /// Whether it counts work, so that more of it is worse, or what became of the work.
    is_work: bool,
    /// Whether a census has the same in whatever order states are expanded.
    in_any_order: bool,
}

impl Count {
    const fn work(column: &'static str, read: fn(&Row) -> Option<u64>, in_any_order: bool) -> Self {
        Self {
            column,
            read,
            is_work: true,
            in_any_order,
        }
    }

    const fn fate(column: &'static str, read: fn(&Row) -> Option<u64>, in_any_order: bool) -> Self {
        Self {
            is_work: false,
            ..Self::work(column, read, in_any_order)
        }
    }

    /// What to make of another value, if it is another one.
    fn change(&self, pair: &Pair) -> Option<(Kind, String)> {
        let [before, after] = [&pair.old, &pair.new].map(|row| (self.read)(row));
        let is_whole_space = self.column == "states_visited" && visits_the_whole_space(&pair.new);
        let kind = match before.cmp(&after) {
            Ordering::Equal => return None,
            _ if is_whole_space || is_repeated_by_one_program(pair) => Kind::Contradiction,
            Ordering::Less if self.is_work => Kind::Regression,
            Ordering::Greater if self.is_work => Kind::Improvement,
            _ => Kind::Change,
        };
        let text = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |n| n.to_string());
        let what = format!("{} {} -> {}", self.column, text(before), text(after));
        Some((kind, what))
    }
}

/// The counts that may repeat.
const COUNTS: [Count; 6] = [
    Count::work("states_visited", |row| row.states_visited, true),
    Count::work("generated", |row| row.generated, true),
    Count::work("expanded", |row| row.expanded, false),
    Count::fate("pruned", |row| row.pruned, true),
    Count::fate("duplicates", |row| row.duplicates, false),
    Count::fate("reopened", |row| row.reopened, false),
];

/// Changed counts, of those that are the same whenever the run is done again: all of a sequential search that ended by itself
/// or at a number of states; of a census in other models those that do not depend on the order of expansion. Another table is told
/// instead of them.
fn counts(pair: &Pair) -> Vec<(Kind, String)> {
    let Pair { old, new } = pair;
    if !is_of_one_table(pair) {
        let what = format!("table {} -> {}, counts not compared", old.table, new.table);
        return vec![(Kind::Change, what)];
    }
    let has_ended = rank(&new.status) <= 1 || new.status == "state_limit";
    let all_repeat = new.threading == "sequential" && has_ended;
    let is_census = new.status == "complete";
    let repeating = COUNTS
        .iter()
        .filter(|count| all_repeat || (is_census && count.in_any_order));
    repeating.filter_map(|count| count.change(pair)).collect()
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
