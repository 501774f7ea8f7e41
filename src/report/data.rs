//! Rows sorted into configurations and instances, and which axes the experiment varies.

use std::collections::{BTreeMap, BTreeSet};

use crate::experiment::Row;

/// Something an experiment can vary between configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Axis {
    /// `solve` or `census`.
    Goal,
    /// Search space.
    Space,
    /// Search strategy.
    Strategy,
    /// Heuristic.
    Heuristic,
    /// Pruning level.
    Pruning,
    /// Threading model.
    Threading,
    /// Worker threads.
    Threads,
    /// Visited table, where the experiment compares several.
    Table,
}

impl Axis {
    /// Every axis, in the order of labels and of sorting.
    pub const ALL: [Self; 8] = [
        Self::Goal,
        Self::Space,
        Self::Strategy,
        Self::Heuristic,
        Self::Pruning,
        Self::Threading,
        Self::Threads,
        Self::Table,
    ];

    /// As the column of the rows is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Goal => "goal",
            Self::Space => "space",
            Self::Strategy => "strategy",
            Self::Heuristic => "heuristic",
            Self::Pruning => "pruning",
            Self::Threading => "threading",
            Self::Threads => "threads",
            Self::Table => "table",
        }
    }
}

/// The threading model that others are measured against.
pub const BASELINE_THREADING: &str = "sequential";

/// What was run, whatever the level and the repetition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Configuration([String; Axis::ALL.len()]);

impl Configuration {
    /// Its value on one axis, as the rows spell it.
    #[must_use]
    pub fn value(&self, axis: Axis) -> &str {
        &self.0[axis as usize]
    }

    /// Worker threads; 0 if the rows do not say.
    #[must_use]
    pub fn threads(&self) -> u64 {
        self.value(Axis::Threads).parse().unwrap_or(0)
    }

    /// The same configuration with another value on one axis.
    #[must_use]
    pub fn with(&self, axis: Axis, value: &str) -> Self {
        let mut changed = self.clone();
        value.clone_into(&mut changed.0[axis as usize]);
        changed
    }

    /// What a row was asked to run.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        Self([
            row.goal.clone(),
            row.space.clone(),
            row.strategy.clone(),
            row.heuristic.clone(),
            row.pruning.clone(),
            row.threading.clone(),
            row.threads.to_string(),
            row.asked_table().to_owned(),
        ])
    }
}

/// One level of one file: the unit over which statistics are taken.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// Level file, as the experiment names it.
    pub file: String,
    /// Number of the level in the file.
    pub level: u64,
}

impl Instance {
    /// The level of a row.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        Self {
            file: row.level_file.clone(),
            level: row.level,
        }
    }
}

/// One run, and where it belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The measured row.
    pub row: Row,
    /// Index in [`Dataset::configurations`].
    pub configuration: usize,
    /// Index in [`Dataset::instances`].
    pub instance: usize,
}

impl Run {
    /// Whether the run [ended with an answer](is_answer).
    #[must_use]
    pub fn answered(&self) -> bool {
        is_answer(&self.row.status)
    }
}

/// Whether a status is that of a checked answer: solved, proved unsolvable, or counted to the
/// end. A run that a limit cut short has none; neither has one that exhausted a space under
/// pruning that is not proved sound, however fast it was.
#[must_use]
pub fn is_answer(status: &str) -> bool {
    matches!(status, "solved" | "unsolvable" | "complete")
}

/// All rows of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    runs: Vec<Run>,
    configurations: Vec<Configuration>,
    instances: Vec<Instance>,
    varying: BTreeSet<Axis>,
    pruning_ranks: BTreeMap<String, usize>,
}

impl Dataset {
    /// Sorts rows into configurations and instances. O(n log n).
    #[must_use]
    pub fn new(rows: Vec<Row>) -> Self {
        let tables_matter = tables_are_compared(&rows);
        let key = |row: &Row| match tables_matter {
            true => Configuration::of(row),
            false => Configuration::of(row).with(Axis::Table, ""),
        };
        let pruning_ranks = pruning_ranks(&rows);
        let distinct: BTreeSet<Configuration> = rows.iter().map(key).collect();
        let instances: BTreeSet<Instance> = rows.iter().map(Instance::of).collect();
        let mut data = Self {
            runs: Vec::with_capacity(rows.len()),
            configurations: distinct.into_iter().collect(),
            instances: instances.into_iter().collect(),
            varying: BTreeSet::new(),
            pruning_ranks,
        };
        data.varying = data.varying_axes();
        data.sort_configurations();
        let index: BTreeMap<Configuration, usize> =
            data.configurations.iter().cloned().zip(0..).collect();
        data.runs = rows
            .into_iter()
            .map(|row| Run {
                configuration: index[&key(&row)],
                // Present: the list was collected from these very rows.
                instance: data.instances.partition_point(|i| *i < Instance::of(&row)),
                row,
            })
            .collect();
        data
    }

    /// All runs, in the order of the rows.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// All configurations, in display order: the baselines (`sequential`, few threads, weak pruning)
    /// come first on each axis.
    #[must_use]
    pub fn configurations(&self) -> &[Configuration] {
        &self.configurations
    }

    /// All instances, by file and number.
    #[must_use]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// Whether configurations differ on this axis.
    #[must_use]
    pub fn varies(&self, axis: Axis) -> bool {
        self.varying.contains(&axis)
    }

    /// Runs of one configuration.
    pub fn runs_of(&self, configuration: usize) -> impl Iterator<Item = &Run> {
        self.runs
            .iter()
            .filter(move |run| run.configuration == configuration)
    }

    /// Index of a configuration that occurs in the rows.
    #[must_use]
    pub fn find(&self, configuration: &Configuration) -> Option<usize> {
        self.configurations.iter().position(|c| c == configuration)
    }

    /// The values on those of `axes` that vary, as one label: `dfs · corner · shared ×2`. Empty if
    /// none varies.
    #[must_use]
    pub fn label(&self, configuration: &Configuration, axes: &[Axis]) -> String {
        let mut parts: Vec<String> = Vec::new();
        for axis in axes.iter().copied().filter(|axis| self.varies(*axis)) {
            let value = configuration.value(axis);
            match (axis, parts.last_mut()) {
                (_, _) if value.is_empty() => {}
                (Axis::Threads, _) if is_baseline(configuration) => {}
                (Axis::Threads, Some(model))
                    if axes.contains(&Axis::Threading) && self.varies(Axis::Threading) =>
                {
                    model.push_str(&format!(" ×{value}"));
                }
                (Axis::Threads, _) if value == "1" => parts.push("1 thread".to_owned()),
                (Axis::Threads, _) => parts.push(format!("{value} threads")),
                _ => parts.push(value.to_owned()),
            }
        }
        parts.join(" · ")
    }

    /// The distinct labels over `axes`, in display order.
    #[must_use]
    pub fn labels(&self, axes: &[Axis]) -> Vec<String> {
        let mut ordered: Vec<&Configuration> = self.configurations.iter().collect();
        ordered.sort_by_key(|configuration| self.sort_key(configuration, axes));
        let mut labels: Vec<String> = Vec::new();
        for configuration in ordered {
            let label = self.label(configuration, axes);
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        labels
    }

    fn varying_axes(&self) -> BTreeSet<Axis> {
        let values = |axis: Axis| -> BTreeSet<&str> {
            let values = self.configurations.iter().map(|c| c.value(axis));
            // An empty value is "does not apply" (a strategy without heuristic), no alternative.
            values.filter(|value| !value.is_empty()).collect()
        };
        Axis::ALL
            .into_iter()
            .filter(|axis| values(*axis).len() > 1)
            .collect()
    }

    fn sort_configurations(&mut self) {
        let mut sorted = std::mem::take(&mut self.configurations);
        sorted.sort_by_cached_key(|configuration| self.sort_key(configuration, &Axis::ALL));
        self.configurations = sorted;
    }

    fn sort_key(&self, configuration: &Configuration, axes: &[Axis]) -> Vec<(usize, String)> {
        let of_axis = |axis: &Axis| self.rank(*axis, configuration.value(*axis));
        axes.iter().map(of_axis).collect()
    }

    /// Where a value of an axis stands in display order.
    #[must_use]
    pub fn rank(&self, axis: Axis, value: &str) -> (usize, String) {
        let rank = match axis {
            Axis::Pruning => self.pruning_ranks.get(value).copied().unwrap_or(0),
            Axis::Threading => usize::from(value != BASELINE_THREADING),
            Axis::Threads => value.parse().unwrap_or(0),
            _ => 0,
        };
        (rank, value.to_owned())
    }
}

/// Whether the configuration runs the threading model that others are measured against.
#[must_use]
pub fn is_baseline(configuration: &Configuration) -> bool {
    configuration.value(Axis::Threading) == BASELINE_THREADING
}

/// The table is a part of the configuration only where the same level was run with several; an automatic choice is one of its
/// own then.
fn tables_are_compared(rows: &[Row]) -> bool {
    let mut tables: BTreeMap<(Configuration, Instance), &str> = BTreeMap::new();
    rows.iter().filter(|row| !row.table.is_empty()).any(|row| {
        let key = (
            Configuration::of(row).with(Axis::Table, ""),
            Instance::of(row),
        );
        *tables.entry(key).or_insert(row.asked_table()) != row.asked_table()
    })
}

/// Place of each pruning level on the ladder: each level includes the ones before it, so a level's
/// place is the number of its rules. Read from the rows, so that new levels need no change here.
fn pruning_ranks(rows: &[Row]) -> BTreeMap<String, usize> {
    let mut ranks = BTreeMap::new();
    for row in rows {
        let active = row
            .pruned_by_rule
            .iter()
            .filter(|(_, count)| count.is_some());
        let rank: &mut usize = ranks.entry(row.pruning.clone()).or_default();
        *rank = (*rank).max(active.count());
    }
    ranks
}

#[cfg(test)]
mod tests;
