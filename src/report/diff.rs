//! What has changed between two sets of results of the same questions.
//!
//! Rows are paired by what was asked: level, configuration, goal, repetition. Answers and counts that must repeat are
//! compared one by one; times and memory by the geometric mean over instances, for each configuration.

use std::collections::BTreeMap;

use crate::experiment::Row;

use super::data::{Axis, Configuration, Dataset, Instance, Run};
use super::measure::{Measure, PEAK_MEMORY, STATES_VISITED, WALL_TIME, medians, samples_of};
use super::statistics::{Center, paired_ratios};

/// Strategies whose solutions are shortest.
const OPTIMAL: [&str; 2] = ["bfs", "astar"];

/// What to make of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Both cannot be right.
    Contradiction,
    /// The new results are worse.
    Regression,
    /// They are neither worse nor better, but must repeat and do not.
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

/// Ratios of one configuration: the new results divided by the old ones, on instances that both sides answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its values on the axes that vary.
    pub label: String,
    /// States visited.
    pub states: Option<Center>,
    /// Wall time; none unless times may be compared.
    pub wall: Option<Center>,
    /// Peak memory.
    pub memory: Option<Center>,
}

/// What has changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    /// Runs in both sets.
    pub paired: usize,
    /// Runs in the old set only.
    pub only_old: usize,
    /// Runs in the new set only.
    pub only_new: usize,
    /// Runs that have changed, the worst first.
    pub changes: Vec<Change>,
    /// Ratios for each configuration that is in both sets.
    pub lines: Vec<Line>,
}

/// Everything that was asked of a run: where, how, and which repetition.
type Question = (Instance, Configuration, u64);

/// Compares two sets of rows. `times` says whether the times of both may be compared. O(n log n).
#[must_use]
pub fn difference(old: &[Row], new: &[Row], times: bool) -> Difference {
    let by_question = |rows: &[Row]| -> BTreeMap<Question, Row> {
        rows.iter()
            .map(|row| (question(row), row.clone()))
            .collect()
    };
    let (old, new) = (by_question(old), by_question(new));
    let paired = old
        .iter()
        .filter_map(|(key, row)| Some((row, new.get(key)?)));
    let mut changes: Vec<Change> = paired
        .clone()
        .flat_map(|(old, new)| changes(old, new))
        .collect();
    changes.sort();
    let paired = paired.count();
    Difference {
        paired,
        only_old: old.len() - paired,
        only_new: new.len() - paired,
        changes,
        lines: lines(
            old.into_values().collect(),
            new.into_values().collect(),
            times,
        ),
    }
}

fn question(row: &Row) -> Question {
    (Instance::of(row), Configuration::of(row), row.repetition)
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

fn changes(old: &Row, new: &Row) -> Vec<Change> {
    let mut found = Vec::new();
    let mut tell = |kind, what| {
        found.push(Change {
            kind,
            run: name(new),
            what,
        });
    };
    let (before, after) = (rank(&old.status), rank(&new.status));
    if old.status != new.status {
        let kind = match before.cmp(&after) {
            std::cmp::Ordering::Equal if after == 0 => Kind::Contradiction,
            std::cmp::Ordering::Equal => Kind::Change,
            std::cmp::Ordering::Less => Kind::Regression,
            std::cmp::Ordering::Greater => Kind::Improvement,
        };
        tell(kind, format!("{} -> {}", old.status, new.status));
        return found;
    }
    if let (Some(before), Some(after)) = (old.cost, new.cost)
        && before != after
    {
        let is_optimal = OPTIMAL.contains(&new.strategy.as_str());
        let is_exact = new.threading == "sequential";
        let what = format!("cost {before} -> {after}");
        match (is_optimal, is_exact) {
            (true, _) => tell(Kind::Contradiction, what),
            (false, true) if after > before => tell(Kind::Regression, what),
            (false, true) => tell(Kind::Improvement, what),
            // Which solution several threads meet first is chance.
            (false, false) => {}
        }
    }
    for (column, count) in repeating(new) {
        let (before, after) = (count(old), count(new));
        if before != after {
            let text = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |n| n.to_string());
            let kind = match column {
                "states_visited" if after > before => Kind::Regression,
                "states_visited" => Kind::Improvement,
                _ => Kind::Change,
            };
            tell(
                kind,
                format!("{column} {} -> {}", text(before), text(after)),
            );
        }
    }
    found
}

/// A count of a row.
type Count = fn(&Row) -> Option<u64>;

/// Counts that are the same whenever the run is done again: those of a sequential search that ended by itself or at
/// a number of states, and of a census some in every model.
fn repeating(row: &Row) -> Vec<(&'static str, Count)> {
    let counts: [(&'static str, Count); 6] = [
        ("states_visited", |row| row.states_visited),
        ("generated", |row| row.generated),
        ("pruned", |row| row.pruned),
        ("duplicates", |row| row.duplicates),
        ("reopened", |row| row.reopened),
        ("expanded", |row| row.expanded),
    ];
    let ended_by_itself = rank(&row.status) <= 1;
    let kept = match row.threading.as_str() {
        "sequential" if ended_by_itself || row.status == "state_limit" => counts.len(),
        _ if row.status == "complete" => 3,
        _ => 0,
    };
    counts[..kept].to_vec()
}

fn name(row: &Row) -> String {
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

/// Ratios of all configurations that are in both sets, over the instances that both answered.
fn lines(old: Vec<Row>, new: Vec<Row>, times: bool) -> Vec<Line> {
    let count = old.len();
    // One set of both, so that configurations and instances have the same numbers.
    let data = Dataset::new([old, new].concat());
    let (old, new) = data.runs().split_at(count);
    let ratio = |index: usize, measure: Measure| {
        let medians_of = |runs: &[Run]| {
            let runs = runs.iter().filter(|run| run.configuration == index);
            medians(&samples_of(runs, measure))
        };
        let ratios = paired_ratios(&medians_of(new), &medians_of(old));
        Center::of(&ratios.into_values().collect::<Vec<_>>())
    };
    let configurations = data.configurations().iter().enumerate();
    configurations
        .map(|(index, configuration)| Line {
            label: data.label(configuration, &Axis::ALL),
            states: ratio(index, STATES_VISITED),
            wall: times.then(|| ratio(index, WALL_TIME)).flatten(),
            memory: ratio(index, PEAK_MEMORY),
        })
        .filter(|line| line.states.is_some() || line.memory.is_some())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(strategy: &str, level: u64, status: &str, wall_s: f64) -> Row {
        Row {
            level_file: "a.xsb".to_owned(),
            level,
            space: "pushes".to_owned(),
            strategy: strategy.to_owned(),
            threading: "sequential".to_owned(),
            threads: 1,
            repetition: 1,
            status: status.to_owned(),
            cost: Some(9),
            states_visited: Some(100),
            wall_s: Some(wall_s),
            ..Row::default()
        }
    }

    fn kinds(old: &Row, new: &Row) -> Vec<(Kind, String)> {
        let difference = difference(std::slice::from_ref(old), std::slice::from_ref(new), true);
        assert_eq!(difference.paired, 1);
        let changes = difference.changes.into_iter();
        changes.map(|change| (change.kind, change.what)).collect()
    }

    #[test]
    fn the_same_rows_have_not_changed_whatever_the_time_and_the_revision() {
        let old = row("dfs", 1, "solved", 1.0);
        let new = Row {
            wall_s: Some(2.0),
            run_id: "other".to_owned(),
            revision: "other".to_owned(),
            ..old.clone()
        };
        assert_eq!(kinds(&old, &new), []);
    }

    #[test]
    fn a_status_can_be_worse_better_other_or_impossible() {
        let of = |status| row("dfs", 1, status, 1.0);
        for (old, new, kind) in [
            ("solved", "time_limit", Kind::Regression),
            ("solved", "crashed", Kind::Regression),
            ("time_limit", "crashed", Kind::Regression),
            ("exhausted", "memory_limit", Kind::Regression),
            ("time_limit", "solved", Kind::Improvement),
            ("time_limit", "memory_limit", Kind::Change),
            ("solved", "unsolvable", Kind::Contradiction),
        ] {
            let expected = vec![(kind, format!("{old} -> {new}"))];
            assert_eq!(kinds(&of(old), &of(new)), expected);
        }
    }

    #[test]
    fn a_shortest_solution_has_one_length() {
        let with = |strategy, threading: &str, cost| Row {
            cost: Some(cost),
            threading: threading.to_owned(),
            ..row(strategy, 1, "solved", 1.0)
        };
        let kind = |strategy, threading, old, new| {
            let (old, new) = (
                with(strategy, threading, old),
                with(strategy, threading, new),
            );
            kinds(&old, &new).first().map(|change| change.0)
        };
        assert_eq!(kind("bfs", "actors", 9, 8), Some(Kind::Contradiction));
        assert_eq!(kind("dfs", "sequential", 9, 12), Some(Kind::Regression));
        assert_eq!(kind("dfs", "sequential", 9, 7), Some(Kind::Improvement));
        assert_eq!(kind("dfs", "shared", 9, 12), None);
    }

    #[test]
    fn only_counts_that_repeat_are_compared() {
        let with = |threading: &str, status, states| Row {
            threading: threading.to_owned(),
            states_visited: Some(states),
            ..row("dfs", 1, status, 1.0)
        };
        let kind = |threading, status, old, new| {
            let (old, new) = (with(threading, status, old), with(threading, status, new));
            kinds(&old, &new).first().map(|change| change.0)
        };
        assert_eq!(
            kind("sequential", "solved", 100, 101),
            Some(Kind::Regression)
        );
        assert_eq!(
            kind("sequential", "solved", 100, 99),
            Some(Kind::Improvement)
        );
        assert_eq!(
            kind("sequential", "state_limit", 100, 99),
            Some(Kind::Improvement)
        );
        assert_eq!(kind("sequential", "time_limit", 100, 99), None);
        assert_eq!(kind("shared", "solved", 100, 99), None);
        assert_eq!(kind("shared", "complete", 100, 101), Some(Kind::Regression));
    }

    #[test]
    fn a_free_choice_of_table_is_not_the_table_that_it_came_to() {
        let asked = |reason: Option<&str>, status| Row {
            table: "hash".to_owned(),
            table_reason: reason.map(str::to_owned),
            ..row("bfs", 1, status, 1.0)
        };
        let old = [
            asked(Some("too large"), "complete"),
            asked(None, "complete"),
        ];
        for (first, second) in [("complete", "time_limit"), ("time_limit", "complete")] {
            let new = [asked(Some("too large"), first), asked(None, second)];
            let difference = difference(&old, &new, true);
            assert_eq!(difference.paired, 2);
            assert_eq!(difference.changes.len(), 1, "{difference:?}");
        }
    }

    #[test]
    fn rows_of_one_side_are_counted_and_ratios_are_of_instances_of_both() {
        let old = [
            row("bfs", 1, "solved", 1.0),
            row("bfs", 2, "solved", 1.0),
            row("bfs", 3, "solved", 1.0),
            row("dfs", 1, "solved", 1.0),
        ];
        let new = [
            row("bfs", 1, "solved", 2.0),
            row("bfs", 2, "solved", 8.0),
            row("bfs", 3, "time_limit", 60.0),
            row("greedy", 1, "solved", 1.0),
        ];
        let difference = difference(&old, &new, true);
        assert_eq!(
            (difference.paired, difference.only_old, difference.only_new),
            (3, 1, 1)
        );
        let [line] = &difference.lines[..] else {
            panic!("only bfs is in both: {:?}", difference.lines);
        };
        let wall = line.wall.expect("measured");
        assert!((wall.mean - 4.0).abs() < 1e-12, "{wall:?}");
        assert_eq!(wall.instances, 2);
        assert!(wall.is_beyond(1.1));
        assert!(!wall.is_beyond(5.0));
        let not_asked = super::difference(&old, &new, false);
        assert_eq!(not_asked.lines[0].wall, None);
    }
}
