//! One axis of an experiment, each value against a baseline: how much work, time and memory it saves, on which levels it
//! costs, and whether that is more than chance.
//!
//! Pairs are the same configuration but for the axis, on the same level. A level counts once: over several
//! configurations its ratio is the geometric mean of theirs.

use thiserror::Error;

use super::data::{Axis, Configuration, Dataset, Instance};
use super::effect::{Effect, Effects, Family, MEASURES, Pair, Ratios, ratios};

/// Place of the wall time among the measures.
const TIME: usize = 1;

/// A comparison that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CompareError {
    /// The rows have one value only.
    #[error(
        "all rows have {axis} = {value:?}; expected an experiment that varies it; it varies {varies}"
    )]
    NotVaried {
        /// The axis.
        axis: &'static str,
        /// Its value.
        value: String,
        /// Names of the axes that vary.
        varies: String,
    },
    /// No configuration was run both at the baseline and at another value.
    #[error(
        "no configuration was run with {axis} = {baseline:?} and with another value; expected an experiment that varies {axis} \
         alone, or another --baseline"
    )]
    NoPairs {
        /// The axis.
        axis: &'static str,
        /// The baseline.
        baseline: String,
    },
    /// No row has the value that was to be the baseline.
    #[error("no row has {axis} = {value:?}; expected one of {}", .values.join(", "))]
    NoBaseline {
        /// The axis.
        axis: &'static str,
        /// What was asked for.
        value: String,
        /// What there is.
        values: Vec<String>,
    },
}

/// A value of the axis against the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The value.
    pub value: String,
    /// The configuration, without the axis; none for all of them together.
    pub configuration: Option<String>,
    /// Answered runs at the baseline and at the value, and all runs of both.
    pub answered: [(usize, usize); 2],
    /// In states, time and memory.
    pub effects: Effects,
}

/// A level on which a value takes longer than the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// The value.
    pub value: String,
    /// The level.
    pub instance: Instance,
    /// How many times as long.
    pub ratio: f64,
}

/// All values of an axis against a baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisComparison {
    /// Value that the others are compared with.
    pub baseline: String,
    /// For each value all configurations together, then each of them if there are several.
    pub lines: Vec<Line>,
    /// The tests over all configurations together, which answer the question, are one family.
    pub of_all: Family,
    /// Those of single configurations are another one.
    pub of_single: Family,
    /// Levels on which all configurations together take longer, the worst first.
    pub costs: Vec<Cost>,
    /// Values without a configuration that the baseline has, too.
    pub unpaired: Vec<String>,
}

/// Compares the values of an axis with one of them, by default with the first in display order, the one that does least.
///
/// # Errors
/// [`CompareError`] if there is nothing to compare, or no such baseline.
pub fn compare(
    data: &Dataset,
    axis: Axis,
    baseline: Option<&str>,
) -> Result<AxisComparison, CompareError> {
    let values = values_of(data, axis);
    let first = values.first().cloned().unwrap_or_default();
    if values.len() < 2 {
        return Err(not_varied(data, axis, first));
    }
    let baseline = baseline.map_or(first, str::to_owned);
    if !values.contains(&baseline) {
        return Err(CompareError::NoBaseline {
            axis: axis.name(),
            value: baseline,
            values,
        });
    }
    let mut comparison = AxisComparison {
        lines: Vec::new(),
        of_all: Family::default(),
        of_single: Family::default(),
        costs: Vec::new(),
        unpaired: Vec::new(),
        baseline: baseline.clone(),
    };
    for value in values.iter().filter(|value| **value != baseline) {
        let pairs = pairs(data, axis, value, &baseline);
        comparison.add(data, axis, value, &pairs);
    }
    if comparison.lines.is_empty() {
        return Err(CompareError::NoPairs {
            axis: axis.name(),
            baseline,
        });
    }
    comparison.of_all = comparison.correct(true);
    comparison.of_single = comparison.correct(false);
    comparison.costs.sort_by(|a, b| b.ratio.total_cmp(&a.ratio));
    Ok(comparison)
}

fn not_varied(data: &Dataset, axis: Axis, value: String) -> CompareError {
    let varied = varied(data).into_iter();
    let names: Vec<&str> = varied.map(|(axis, _)| axis.name()).collect();
    CompareError::NotVaried {
        axis: axis.name(),
        value,
        varies: if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        },
    }
}

/// The axes that vary, each with its values in display order.
#[must_use]
pub fn varied(data: &Dataset) -> Vec<(Axis, Vec<String>)> {
    let varied = Axis::ALL.into_iter().filter(|axis| data.varies(*axis));
    varied.map(|axis| (axis, values_of(data, axis))).collect()
}

/// The values of an axis in display order, without "does not apply".
fn values_of(data: &Dataset, axis: Axis) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for configuration in data.configurations() {
        let value = configuration.value(axis);
        if !value.is_empty() && !values.iter().any(|known| known == value) {
            values.push(value.to_owned());
        }
    }
    values.sort_by_key(|value| data.rank(axis, value));
    values
}

/// Each configuration at the value, and the same at the baseline.
fn pairs(data: &Dataset, axis: Axis, value: &str, baseline: &str) -> Vec<Pair> {
    let configurations = data.configurations().iter().enumerate();
    configurations
        .filter(|(_, configuration)| configuration.value(axis) == value)
        .flat_map(|(index, configuration)| {
            let partners = partners(data, configuration, axis, baseline);
            partners.into_iter().map(move |partner| (partner, index))
        })
        .collect()
}

/// The same configuration at the baseline. The model of one thread has no partner with several, and is what several are
/// measured against. A strategy that takes no heuristic is compared with another one under each heuristic.
fn partners(data: &Dataset, of: &Configuration, axis: Axis, baseline: &str) -> Vec<usize> {
    let same = of.with(axis, baseline);
    if let Some(partner) = data.find(&same) {
        return vec![partner];
    }
    match axis {
        Axis::Threading => {
            let of_one_thread = data.find(&same.with(Axis::Threads, "1"));
            of_one_thread.into_iter().collect()
        }
        Axis::Strategy => {
            let heuristic = of.value(Axis::Heuristic);
            let is_partner = |other: &Configuration| {
                let others = other.value(Axis::Heuristic);
                (heuristic.is_empty() || others.is_empty())
                    && other.with(Axis::Heuristic, heuristic) == same
            };
            let configurations = (0..).zip(data.configurations());
            let partners = configurations.filter(|(_, other)| is_partner(other));
            partners.map(|(index, _)| index).collect()
        }
        _ => Vec::new(),
    }
}

/// A pair by the values of all other axes. Where one side takes no heuristic, that of the other side tells pairs apart.
fn label(data: &Dataset, axis: Axis, pair: Pair) -> String {
    let [baseline, value] = [pair.0, pair.1].map(|index| &data.configurations()[index]);
    let rest: Vec<Axis> = Axis::ALL.into_iter().filter(|it| *it != axis).collect();
    if value.value(Axis::Heuristic).is_empty() {
        let heuristic = baseline.value(Axis::Heuristic);
        return data.label(&value.with(Axis::Heuristic, heuristic), &rest);
    }
    data.label(value, &rest)
}

impl AxisComparison {
    fn add(&mut self, data: &Dataset, axis: Axis, value: &str, pairs: &[Pair]) {
        if pairs.is_empty() {
            self.unpaired.push(value.to_owned());
            return;
        }
        let of_all = MEASURES.map(|measure| ratios(data, pairs, measure));
        let longer = of_all[TIME].iter().filter(|(_, ratio)| **ratio > 1.0);
        self.costs.extend(longer.map(|(level, ratio)| Cost {
            value: value.to_owned(),
            instance: data.instances()[*level].clone(),
            ratio: *ratio,
        }));
        self.lines.push(line(data, value, None, pairs, of_all));
        if pairs.len() > 1 {
            for pair in pairs {
                let label = label(data, axis, *pair);
                let ratios = MEASURES.map(|measure| ratios(data, &[*pair], measure));
                self.lines
                    .push(line(data, value, Some(label), &[*pair], ratios));
            }
        }
    }

    /// Corrects the tests over all configurations, or those of single ones.
    fn correct(&mut self, of_all: bool) -> Family {
        let lines = self.lines.iter_mut();
        let lines = lines.filter(|line| line.configuration.is_none() == of_all);
        Family::correct(lines.map(|line| &mut line.effects))
    }
}

fn line(
    data: &Dataset,
    value: &str,
    configuration: Option<String>,
    pairs: &[Pair],
    ratios: [Ratios; MEASURES.len()],
) -> Line {
    let answered = |index: fn(&Pair) -> usize| {
        let runs = pairs.iter().flat_map(|pair| data.runs_of(index(pair)));
        runs.fold((0, 0), |(answered, all), run| {
            (answered + usize::from(run.answered()), all + 1)
        })
    };
    Line {
        value: value.to_owned(),
        configuration,
        answered: [answered(|pair| pair.0), answered(|pair| pair.1)],
        effects: ratios.map(Effect::of),
    }
}

#[cfg(test)]
mod tests;
