//! What has changed between two sets of results of the same questions.
//!
//! Rows are paired by what was asked: board, configuration, goal, repetition; `pairing` says how. Answers and counts that
//! must repeat are compared one by one, in `change`; times and memory by the geometric mean over instances, for each
//! configuration and for all of them together; `judgement` says from where on that is worse.

mod change;
mod judgement;
mod pairing;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::experiment::Row;
use crate::experiment::pressure::is_under_pressure;

use super::data::{Axis, Dataset, Run};
use super::effect::Ratios;
use super::measure::{Measure, PEAK_MEMORY, STATES_VISITED, WALL_TIME, medians, samples_of};
use super::statistics::{Center, geometric_mean, paired_ratios};

pub use change::{Change, Kind};
pub use judgement::{Judged, least_instances};
pub use pairing::{Results, UnlistedLevel};

use change::{changes, is_of_one_table, name};
use judgement::correct;
use pairing::{Pair, Pairing, Uncertainty};

/// Ratios of one configuration: the new results divided by the old ones, on instances that both sides answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its values on the axes that vary.
    pub label: String,
    /// States visited, where both sides used the same table.
    pub states: Option<Center>,
    /// Wall time; none unless times may be compared.
    pub wall: Option<Judged>,
    /// Peak memory.
    pub memory: Option<Judged>,
}

/// Ratios by instance, of the three measures of a [`Line`].
type OfMeasures = [Ratios; 3];

impl Line {
    /// `None` without an instance.
    fn of(label: String, [states, wall, memory]: &OfMeasures) -> Option<Self> {
        let states: Vec<f64> = states.values().copied().collect();
        let line = Self {
            label,
            states: Center::of(&states),
            wall: Judged::of(wall),
            memory: Judged::of(memory),
        };
        let is_empty = line.states.is_none() && line.wall.is_none() && line.memory.is_none();
        (!is_empty).then_some(line)
    }
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
    /// Ratios over all configurations together, one for each instance; none for a single configuration. The tests of this
    /// line are a family.
    pub overall: Option<Line>,
    /// Ratios for each configuration that is in both sets. The tests of all these lines are a family.
    pub lines: Vec<Line>,
    /// Number of tests of the lines.
    pub tests: usize,
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
    let under_pressure = pairs.iter().filter(busy).count();
    let paired = pairs.len();
    let of_configurations = ratios_of_configurations(pairs, times);
    let lines = of_configurations.iter();
    let lines = lines.filter_map(|(label, ratios)| Line::of(label.clone(), ratios));
    let mut lines: Vec<Line> = lines.collect();
    let tests = correct(&mut lines);
    Difference {
        paired,
        limited: limited.len(),
        under_pressure,
        only_old: only_old.iter().map(name).collect(),
        only_new: only_new.iter().map(name).collect(),
        redrawn,
        changes,
        overall: overall(&of_configurations).filter(|_| lines.len() > 1),
        lines,
        tests,
    }
}

/// All configurations together: for each instance the geometric mean of their ratios, so that it counts once.
fn overall(of_configurations: &[(String, OfMeasures)]) -> Option<Line> {
    let together = |measure: usize| -> Ratios {
        let mut of_instance: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for (instance, ratio) in of_configurations.iter().flat_map(|(_, it)| &it[measure]) {
            of_instance.entry(*instance).or_default().push(*ratio);
        }
        let means = of_instance.into_iter();
        means
            .filter_map(|(instance, ratios)| Some((instance, geometric_mean(&ratios)?)))
            .collect()
    };
    let mut line = [Line::of(
        "all together".to_owned(),
        &[0, 1, 2].map(together),
    )?];
    correct(&mut line);
    let [line] = line;
    Some(line)
}

/// Ratios of each configuration, over the instances that both sides answered. Only pairs enter, so that a repetition that one
/// side has not done shifts no median.
fn ratios_of_configurations(pairs: Vec<Pair>, times: bool) -> Vec<(String, OfMeasures)> {
    let one_table: Vec<bool> = pairs.iter().map(is_of_one_table).collect();
    let (old, new): (Vec<Row>, Vec<Row>) =
        pairs.into_iter().map(|pair| (pair.old, pair.new)).unzip();
    // One set of both, so that configurations and instances have the same numbers.
    let data = Dataset::new([old, new].concat());
    let (old, new) = data.runs().split_at(one_table.len());
    let ratios = |index: usize, measure: Measure, use_pair: &dyn Fn(usize) -> bool| {
        let medians_of = |runs: &[Run]| {
            let runs = runs.iter().enumerate();
            let runs = runs.filter(|(pair, run)| run.configuration == index && use_pair(*pair));
            medians(&samples_of(runs.map(|(_, run)| run), measure))
        };
        paired_ratios(&medians_of(new), &medians_of(old))
    };
    let of_configuration = |index: usize| {
        [
            ratios(index, STATES_VISITED, &|pair| one_table[pair]),
            ratios(index, WALL_TIME, &|_| times),
            ratios(index, PEAK_MEMORY, &|_| true),
        ]
    };
    let configurations = data.configurations().iter().enumerate();
    configurations
        .map(|(index, one)| (data.label(one, &Axis::ALL), of_configuration(index)))
        .collect()
}
