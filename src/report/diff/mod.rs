//! What has changed between two sets of results of the same questions.
//!
//! Rows are paired by what was asked: board, configuration, goal, repetition; `pairing` says how. Answers and counts that
//! must repeat are compared one by one, in `change`; times and memory by the geometric mean over instances, for each
//! configuration.

mod change;
mod pairing;
#[cfg(test)]
mod tests;

use crate::experiment::Row;
use crate::experiment::pressure::is_under_pressure;

use super::data::{Axis, Dataset, Run};
use super::measure::{Measure, PEAK_MEMORY, STATES_VISITED, WALL_TIME, medians, samples_of};
use super::statistics::{Center, paired_ratios};

pub use change::{Change, Kind};
pub use pairing::{Results, UnlistedLevel};

use change::{changes, is_of_one_table, name};
use pairing::{Pair, Pairing, Uncertainty};

/// Ratios of one configuration: the new results divided by the old ones, on instances that both sides answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its values on the axes that vary.
    pub label: String,
    /// States visited, where both sides used the same table.
    pub states: Option<Center>,
    /// Wall time; none unless times may be compared.
    pub wall: Option<Center>,
    /// Peak memory.
    pub memory: Option<Center>,
}

/// What has changed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    /// Runs in both sets that were compared.
    pub paired: usize,
    /// Runs in both sets that were not: one side ended at a limit that is another one now, or at a limit of time where
    /// times cannot be compared.
    pub limited: usize,
    /// Compared runs of which one side was measured while tasks waited for a processor.
    pub under_pressure: usize,
    /// Names of runs in the old set only.
    pub only_old: Vec<String>,
    /// Names of runs in the new set only.
    pub only_new: Vec<String>,
    /// Levels (`file#number`) that have another board in the new set.
    pub redrawn: Vec<String>,
    /// Runs that have changed, the worst first.
    pub changes: Vec<Change>,
    /// Ratios for each configuration that is in both sets.
    pub lines: Vec<Line>,
}

/// Compares two sets of results. `times` says whether the times of both may be compared. O(n log n).
#[must_use]
pub fn difference(old: Results, new: Results, times: bool) -> Difference {
    let uncertainty = Uncertainty::between(&old.limits, &new.limits, times);
    let Pairing {
        pairs,
        only_old,
        only_new,
        redrawn,
    } = Pairing::of(old, new);
    let (limited, pairs): (Vec<Pair>, Vec<Pair>) = pairs
        .into_iter()
        .partition(|pair| uncertainty.touches(pair));
    let mut changes: Vec<Change> = pairs.iter().flat_map(changes).collect();
    changes.sort();
    let busy = |pair: &&Pair| is_under_pressure(&pair.old) || is_under_pressure(&pair.new);
    Difference {
        paired: pairs.len(),
        limited: limited.len(),
        under_pressure: pairs.iter().filter(busy).count(),
        only_old: only_old.iter().map(name).collect(),
        only_new: only_new.iter().map(name).collect(),
        redrawn,
        changes,
        lines: lines(pairs, times),
    }
}

/// Ratios of all configurations, over the instances that both sides answered. Only pairs enter, so that a repetition that one
/// side has not done shifts no median.
fn lines(pairs: Vec<Pair>, times: bool) -> Vec<Line> {
    let one_table: Vec<bool> = pairs.iter().map(is_of_one_table).collect();
    let (old, new): (Vec<Row>, Vec<Row>) =
        pairs.into_iter().map(|pair| (pair.old, pair.new)).unzip();
    // One set of both, so that configurations and instances have the same numbers.
    let data = Dataset::new([old, new].concat());
    let (old, new) = data.runs().split_at(one_table.len());
    let ratio = |index: usize, measure: Measure, use_pair: &dyn Fn(usize) -> bool| {
        let medians_of = |runs: &[Run]| {
            let runs = runs.iter().enumerate();
            let runs = runs.filter(|(pair, run)| run.configuration == index && use_pair(*pair));
            medians(&samples_of(runs.map(|(_, run)| run), measure))
        };
        let ratios = paired_ratios(&medians_of(new), &medians_of(old));
        Center::of(&ratios.into_values().collect::<Vec<_>>())
    };
    let every_pair = |_: usize| true;
    let of_one_table = |pair: usize| one_table[pair];
    let configurations = data.configurations().iter().enumerate();
    configurations
        .map(|(index, configuration)| Line {
            label: data.label(configuration, &Axis::ALL),
            states: ratio(index, STATES_VISITED, &of_one_table),
            wall: times
                .then(|| ratio(index, WALL_TIME, &every_pair))
                .flatten(),
            memory: ratio(index, PEAK_MEMORY, &every_pair),
        })
        .filter(|line| line.states.is_some() || line.memory.is_some())
        .collect()
}
