//! Values of one measured quantity: per run, per instance, and on the instances that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::Row;

use super::data::{Dataset, Run};
use super::quantity::Unit;
use super::statistics::{Quartiles, median};

/// A measured quantity of a run.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// What it is, as an axis names it.
    pub name: &'static str,
    /// How its values are written.
    pub unit: Unit,
    /// Its value in a row; `None` if it was not measured.
    pub read: fn(&Row) -> Option<f64>,
}

/// Wall time of the search.
pub const WALL_TIME: Measure = Measure {
    name: "wall time",
    unit: Unit::Seconds,
    read: |row| row.wall_s,
};

/// Distinct states in the visited table.
pub const STATES_VISITED: Measure = Measure {
    name: "states visited",
    unit: Unit::Count,
    read: |row| row.states_visited.map(|count| count as f64),
};

/// Peak resident memory of the run.
pub const PEAK_MEMORY: Measure = Measure {
    name: "peak memory",
    unit: Unit::Bytes,
    read: |row| row.peak_rss_bytes.map(|bytes| bytes as f64),
};

/// States expanded.
pub const EXPANDED: Measure = Measure {
    name: "states expanded",
    unit: Unit::Count,
    read: |row| row.expanded.map(|count| count as f64),
};

/// Values by instance, one for each answered run.
pub type Samples = BTreeMap<usize, Vec<f64>>;

/// The values of one configuration's answered runs. Runs cut short by a limit have no value: their
/// time says when they were stopped, not what they needed.
#[must_use]
pub fn samples(data: &Dataset, configuration: usize, measure: Measure) -> Samples {
    samples_of(data.runs_of(configuration), measure)
}

/// The values of those of some runs that were answered.
#[must_use]
pub fn samples_of<'a>(runs: impl Iterator<Item = &'a Run>, measure: Measure) -> Samples {
    let mut found = Samples::new();
    for run in runs.filter(|run| run.answered()) {
        if let Some(value) = (measure.read)(&run.row).filter(|value| value.is_finite()) {
            found.entry(run.instance).or_default().push(value);
        }
    }
    found
}

/// The median over repetitions, for each instance.
#[must_use]
pub fn medians(samples: &Samples) -> BTreeMap<usize, f64> {
    samples
        .iter()
        .filter_map(|(instance, values)| Some((*instance, median(values)?)))
        .collect()
}

/// Quartiles over instances, of the medians over repetitions; over the repetitions themselves if
/// there is one instance only.
#[must_use]
pub fn spread(samples: &Samples) -> Option<Quartiles> {
    if samples.len() == 1 {
        return samples.values().next().and_then(|runs| Quartiles::of(runs));
    }
    let medians: Vec<f64> = medians(samples).into_values().collect();
    Quartiles::of(&medians)
}

/// Which configurations can be compared by a measure, and on which instances.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Values of the compared configurations, on the compared instances.
    pub samples: BTreeMap<usize, Samples>,
    /// Instances that every compared configuration answered.
    pub instances: BTreeSet<usize>,
    /// Configurations that answered less than half of the instances, and how many they answered:
    /// with them there would be too little left to compare.
    pub left_out: BTreeMap<usize, usize>,
    /// Whether no instance was answered by all: then each configuration keeps its own instances, and
    /// figures are not comparable.
    pub disjoint: bool,
}

impl Comparison {
    /// Compares all configurations by `measure`.
    #[must_use]
    pub fn of(data: &Dataset, measure: Measure) -> Self {
        let all = (0..data.configurations().len()).map(|c| (c, samples(data, c, measure)));
        let half = data.instances().len().div_ceil(2).max(1);
        let (kept, dropped): (BTreeMap<usize, Samples>, BTreeMap<usize, Samples>) =
            all.partition(|(_, samples)| samples.len() >= half);
        let common = kept
            .values()
            .map(|samples| samples.keys().copied().collect::<BTreeSet<usize>>())
            .reduce(|left, right| &left & &right)
            .unwrap_or_default();
        let disjoint = common.is_empty() && !kept.is_empty();
        let mut comparison = Self {
            samples: kept,
            left_out: dropped.into_iter().map(|(c, s)| (c, s.len())).collect(),
            instances: common,
            disjoint,
        };
        if !disjoint {
            for samples in comparison.samples.values_mut() {
                samples.retain(|instance, _| comparison.instances.contains(instance));
            }
        }
        comparison
    }

    /// Every value that a chart of this comparison shows.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.samples
            .values()
            .flat_map(BTreeMap::values)
            .flatten()
            .copied()
    }

    /// How many instances stand behind each figure, and which configurations are not shown.
    #[must_use]
    pub fn notes(&self, data: &Dataset) -> Vec<String> {
        let total = data.instances().len();
        let mut notes = vec![if self.disjoint {
            format!(
                "No instance (of {total}) was answered by every configuration: each mark has its own instances, do not compare them"
            )
        } else {
            format!(
                "n = {} of {total} instances: those that every configuration shown answered",
                self.instances.len()
            )
        }];
        if !self.left_out.is_empty() {
            notes.push(format!(
                "Not shown, fewer than half of the instances answered: {} of {} configurations (k/{total} above their place)",
                self.left_out.len(),
                data.configurations().len(),
            ));
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(strategy: &str, level: u64, status: &str, wall_s: Option<f64>) -> Row {
        Row {
            strategy: strategy.to_owned(),
            level,
            status: status.to_owned(),
            wall_s,
            ..Row::default()
        }
    }

    #[test]
    fn censored_and_missing_values_never_enter() {
        let data = Dataset::new(vec![
            row("dfs", 1, "solved", Some(1.0)),
            row("dfs", 1, "time_limit", Some(60.0)),
            row("dfs", 1, "solved", Some(3.0)),
            row("dfs", 1, "solved", None),
            row("dfs", 2, "memory_limit", Some(9.0)),
            row("dfs", 2, "exhausted", Some(0.1)),
            row("dfs", 3, "solved", Some(f64::NAN)),
        ]);
        let samples = samples(&data, 0, WALL_TIME);
        assert_eq!(samples, Samples::from([(0, vec![1.0, 3.0])]));
        assert_eq!(spread(&samples).unwrap().median, 2.0);
    }

    #[test]
    fn quartiles_are_over_instances_not_over_runs() {
        // Medians over repetitions: 2, 10, 20. Over all five runs the median would be 3.
        let samples = Samples::from([(0, vec![1.0, 2.0, 3.0]), (1, vec![10.0]), (2, vec![20.0])]);
        let quartiles = spread(&samples).unwrap();
        assert_eq!((quartiles.median, quartiles.count), (10.0, 3));
        assert_eq!((quartiles.lower, quartiles.upper), (6.0, 15.0));
    }

    #[test]
    fn comparison_keeps_common_instances_and_leaves_out_the_hopeless() {
        let mut rows = Vec::new();
        for level in 1..=4 {
            rows.push(row("bfs", level, "solved", Some(1.0)));
            rows.push(row(
                "dfs",
                level,
                if level < 4 { "solved" } else { "time_limit" },
                Some(2.0),
            ));
            rows.push(row(
                "slow",
                level,
                if level < 2 { "solved" } else { "time_limit" },
                Some(3.0),
            ));
        }
        let comparison = Comparison::of(&Dataset::new(rows), WALL_TIME);
        assert_eq!(comparison.instances, BTreeSet::from([0, 1, 2]));
        assert_eq!(comparison.left_out, BTreeMap::from([(2, 1)]));
        assert_eq!(comparison.samples[&0].len(), 3);
        assert!(!comparison.disjoint);
    }

    #[test]
    fn configurations_without_a_common_instance_are_marked() {
        let data = Dataset::new(vec![
            row("bfs", 1, "solved", Some(1.0)),
            row("bfs", 2, "time_limit", Some(1.0)),
            row("dfs", 1, "time_limit", Some(1.0)),
            row("dfs", 2, "solved", Some(1.0)),
        ]);
        let comparison = Comparison::of(&data, WALL_TIME);
        assert!(comparison.disjoint);
        assert_eq!(comparison.values().count(), 2);
    }
}
