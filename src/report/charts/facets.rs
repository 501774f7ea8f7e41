//! Where each configuration stands in a chart: its panel, its group on the horizontal axis, its
//! series.

use crate::report::data::{Axis, Configuration, Dataset, is_baseline};
use crate::report::figure::{Horizontal, Key, Sample};
use crate::report::palette::{self, Style};

/// Axes that distinguish series, and so colours, in every chart.
pub(super) const SERIES: [Axis; 2] = [Axis::Strategy, Axis::Heuristic];

/// The layout of a chart over pruning levels.
pub(super) struct Facets {
    panel_axes: Vec<Axis>,
    /// Titles of the panels.
    pub(super) panels: Vec<String>,
    /// Pruning levels.
    pub(super) groups: Vec<String>,
    /// Series in the order of the whole report, so that each keeps its colour.
    pub(super) series: Vec<String>,
}

/// Where a configuration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    /// Index of its panel.
    pub(super) panel: usize,
    /// Index of its group.
    pub(super) group: usize,
    /// Index of its series.
    pub(super) series: usize,
}

impl Facets {
    /// One panel for each combination of everything but strategy, heuristic and pruning.
    pub(super) fn over_pruning(data: &Dataset) -> Self {
        let panel_axes = vec![
            Axis::Goal,
            Axis::Space,
            Axis::Threading,
            Axis::Threads,
            Axis::Table,
        ];
        Self {
            panels: data.labels(&panel_axes),
            groups: pruning_levels(data),
            series: data.labels(&SERIES),
            panel_axes,
        }
    }

    /// Place of a configuration; `None` if its group was removed.
    pub(super) fn place(&self, data: &Dataset, configuration: &Configuration) -> Option<Place> {
        let index = |list: &[String], label: &str| list.iter().position(|item| item == label);
        Some(Place {
            panel: index(&self.panels, &data.label(configuration, &self.panel_axes))?,
            group: index(&self.groups, configuration.value(Axis::Pruning))?,
            series: index(&self.series, &data.label(configuration, &SERIES))?,
        })
    }

    /// The horizontal axis.
    pub(super) fn horizontal(&self) -> Horizontal {
        Horizontal::Groups {
            labels: self.groups.clone(),
            slots: self.series.len(),
        }
    }

    /// The legend.
    pub(super) fn legend(&self, sample: Sample) -> Vec<Key> {
        keys(&self.series, sample)
    }
}

/// Pruning levels in ladder order.
pub(super) fn pruning_levels(data: &Dataset) -> Vec<String> {
    if data.varies(Axis::Pruning) {
        return data.labels(&[Axis::Pruning]);
    }
    let first = data.configurations().first();
    first
        .map(|configuration| configuration.value(Axis::Pruning).to_owned())
        .into_iter()
        .collect()
}

/// A legend of series, each in its style.
pub(super) fn keys(series: &[String], sample: Sample) -> Vec<Key> {
    series
        .iter()
        .enumerate()
        .map(|(index, label)| Key {
            label: label.clone(),
            style: palette::style(index),
            sample,
        })
        .collect()
}

/// Whether any configuration runs the threading model that others are measured against.
pub(super) fn has_baseline(data: &Dataset) -> bool {
    data.configurations().iter().any(is_baseline)
}

/// Style of a series.
pub(super) const fn style(place: Place) -> Style {
    palette::style(place.series)
}
