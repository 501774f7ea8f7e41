//! Values of one measured quantity: per run, per instance, and on the instances that can be compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::Row;

use super::data::{Dataset, Run};
use super::quantity::Unit;
use super::statistics::Quartiles;

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

/// The repetitions of one instance under one configuration.
///
/// A run without an answer counts as larger than any value: one that a limit stopped would have needed more, and one that
/// crashed, gave an invalid answer or none at all must not make its configuration look better than one that got through.
/// An answered run whose quantity was not measured says nothing, and is in neither number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Repetitions {
    answered: Vec<f64>,
    unanswered: usize,
}

impl Repetitions {
    /// Adds the values of some runs. O(runs).
    #[must_use]
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a Run>, measure: Measure) -> Self {
        let mut repetitions = Self::default();
        for run in runs {
            repetitions.add(run, measure);
        }
        repetitions
    }

    fn add(&mut self, run: &Run, measure: Measure) {
        if !run.answered() {
            self.unanswered += 1;
        } else if let Some(value) = (measure.read)(&run.row).filter(|value| value.is_finite()) {
            self.answered.push(value);
        }
    }

    /// The values of the answered runs.
    pub fn iter(&self) -> std::slice::Iter<'_, f64> {
        self.answered.iter()
    }

    /// The median over all repetitions. `None` if it is, or lies next to, a run without an answer: it exists only if more than
    /// half of the repetitions were answered. O(n log n).
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        self.quartiles().map(|quartiles| quartiles.median)
    }

    /// Median and quartiles over all repetitions; `None` as [`Self::median`].
    #[must_use]
    pub fn quartiles(&self) -> Option<Quartiles> {
        Quartiles::censored(&self.answered, self.unanswered)
    }
}

impl<'a> IntoIterator for &'a Repetitions {
    type Item = &'a f64;
    type IntoIter = std::slice::Iter<'a, f64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The repetitions of each answered instance: an instance counts as answered if the median over its repetitions exists.
pub type Samples = BTreeMap<usize, Repetitions>;

/// The repetitions of one configuration on the instances that it answered.
#[must_use]
pub fn samples(data: &Dataset, configuration: usize, measure: Measure) -> Samples {
    samples_of(data.runs_of(configuration), measure)
}

/// The repetitions of some runs on the instances that they answered.
#[must_use]
pub fn samples_of<'a>(runs: impl Iterator<Item = &'a Run>, measure: Measure) -> Samples {
    let mut found = Samples::new();
    for run in runs {
        found.entry(run.instance).or_default().add(run, measure);
    }
    found.retain(|_, repetitions| repetitions.median().is_some());
    found
}

/// The median over repetitions, for each instance.
#[must_use]
pub fn medians(samples: &Samples) -> BTreeMap<usize, f64> {
    samples
        .iter()
        .filter_map(|(instance, repetitions)| Some((*instance, repetitions.median()?)))
        .collect()
}

/// Quartiles over instances, of the medians over repetitions; over the repetitions themselves if
/// there is one instance only.
#[must_use]
pub fn spread(samples: &Samples) -> Option<Quartiles> {
    if samples.len() == 1 {
        return samples.values().next().and_then(Repetitions::quartiles);
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

    /// Repetitions with these values, and some without an answer.
    fn repetitions(answered: &[f64], unanswered: usize) -> Repetitions {
        Repetitions {
            answered: answered.to_vec(),
            unanswered,
        }
    }

    #[test]
    fn survivors_do_not_stand_for_an_instance_that_was_mostly_not_answered() {
        let of = |statuses: &[&str]| {
            let times = (1..).map(f64::from);
            let rows = statuses.iter().zip(times);
            let rows = rows.map(|(status, time)| row("dfs", 1, status, Some(time)));
            let samples = samples(&Dataset::new(rows.collect()), 0, WALL_TIME);
            medians(&samples).get(&0).copied()
        };
        let (ok, limit) = ("solved", "time_limit");
        assert_eq!(of(&[ok, ok, limit, limit, limit]), None);
        // Ascending: 1, 2, 3, beyond, beyond.
        assert_eq!(of(&[ok, ok, ok, limit, limit]), Some(3.0));
        assert_eq!(of(&[ok, ok, ok, ok, limit]), Some(3.0));
        // The middle of an even number lies between two runs, and both must have been answered.
        assert_eq!(of(&[ok, limit]), None);
        assert_eq!(of(&[ok, ok, limit, limit]), None);
        assert_eq!(of(&[ok, ok, ok, limit]), Some(2.5));
        // No way to fail makes the rest look better.
        for failed in [
            "memory_limit",
            "state_limit",
            "crashed",
            "invalid",
            "unsupported",
            "exhausted",
        ] {
            assert_eq!(of(&[ok, failed, failed]), None, "{failed}");
            assert_eq!(of(&[failed, failed, ok, ok, ok]), Some(5.0), "{failed}");
        }
    }

    #[test]
    fn what_was_not_measured_is_no_run_without_an_answer() {
        let data = Dataset::new(vec![
            row("dfs", 1, "solved", Some(1.0)),
            row("dfs", 1, "solved", Some(3.0)),
            row("dfs", 1, "solved", None),
            row("dfs", 1, "solved", None),
            row("dfs", 2, "memory_limit", Some(9.0)),
            row("dfs", 3, "solved", Some(f64::NAN)),
        ]);
        let samples = samples(&data, 0, WALL_TIME);
        assert_eq!(samples, Samples::from([(0, repetitions(&[1.0, 3.0], 0))]));
        assert_eq!(spread(&samples).unwrap().median, 2.0);
    }

    #[test]
    fn quartiles_are_over_instances_not_over_runs() {
        // Medians over repetitions: 2, 10, 20. Over all five runs the median would be 3.
        let of = |values: &[f64]| repetitions(values, 0);
        let samples = Samples::from([
            (0, of(&[1.0, 2.0, 3.0])),
            (1, of(&[10.0])),
            (2, of(&[20.0])),
        ]);
        let quartiles = spread(&samples).unwrap();
        assert_eq!((quartiles.median, quartiles.count), (10.0, 3));
        assert_eq!((quartiles.lower, quartiles.upper), (6.0, Some(15.0)));
    }

    #[test]
    fn quartiles_over_the_repetitions_of_one_instance_say_where_answers_end() {
        let one = |unanswered| Samples::from([(0, repetitions(&[3.0, 1.0, 2.0, 4.0], unanswered))]);
        // 1, 2, 3, 4: positions 0.75, 1.5 and 2.25.
        let all = spread(&one(0)).unwrap();
        assert_eq!((all.lower, all.median, all.upper), (1.75, 2.5, Some(3.25)));
        // 1, 2, 3, 4, and two beyond: positions 1.25, 2.5 and 3.75, of which the last lies beyond 4.
        let some = spread(&one(2)).unwrap();
        assert_eq!(
            (some.lower, some.median, some.upper, some.count),
            (2.25, 3.5, None, 6)
        );
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
