//! Where each configuration stands in a chart: its panel, its group on the horizontal axis, its
//! series.

use crate::report::data::{Axis, Configuration, Dataset, is_baseline};
use crate::report::figure::Horizontal;
use crate::report::legend::{Key, Sample};
use crate::report::palette::{self, Style};

/// Axes that distinguish series, and so colours, in every chart.
pub(super) const SERIES: [Axis; 2] = [Axis::Strategy, Axis::Heuristic];

/// The layout of a chart of all configurations.
pub(super) struct Facets {
    panel_axes: Vec<Axis>,
    group_axes: Vec<Axis>,
    /// Titles of the panels.
    pub(super) panels: Vec<String>,
    /// Names of the groups.
    pub(super) groups: Vec<String>,
    /// What the groups are.
    pub(super) x_title: &'static str,
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
    /// Groups by pruning level if it varies, else by threading.
    pub(super) fn of(data: &Dataset) -> Self {
        let threading = data.varies(Axis::Threading) || data.varies(Axis::Threads);
        if threading && !data.varies(Axis::Pruning) {
            let groups = vec![Axis::Threading, Axis::Threads];
            let title = "threading model × threads";
            return Self::new(
                data,
                groups,
                title,
                data.labels(&[Axis::Threading, Axis::Threads]),
            );
        }
        Self::over_pruning(data)
    }

    /// Groups by pruning level, in ladder order.
    pub(super) fn over_pruning(data: &Dataset) -> Self {
        Self::new(
            data,
            vec![Axis::Pruning],
            "pruning level",
            pruning_levels(data),
        )
    }

    /// One panel for each combination of what is neither group nor series.
    fn new(
        data: &Dataset,
        group_axes: Vec<Axis>,
        x_title: &'static str,
        groups: Vec<String>,
    ) -> Self {
        let taken = |axis: &Axis| group_axes.contains(axis) || SERIES.contains(axis);
        let panel_axes: Vec<Axis> = Axis::ALL.into_iter().filter(|axis| !taken(axis)).collect();
        Self {
            panels: data.labels(&panel_axes),
            series: data.labels(&SERIES),
            panel_axes,
            group_axes,
            groups,
            x_title,
        }
    }

    /// Place of a configuration; `None` if its group was removed.
    pub(super) fn place(&self, data: &Dataset, configuration: &Configuration) -> Option<Place> {
        let index = |list: &[String], label: &str| list.iter().position(|item| item == label);
        // A lone group may be named for a value that does not vary, which no label mentions.
        let group = match self.groups.as_slice() {
            [_] if !self.group_axes.iter().any(|axis| data.varies(*axis)) => 0,
            groups => index(groups, &data.label(configuration, &self.group_axes))?,
        };
        Some(Place {
            panel: index(&self.panels, &data.label(configuration, &self.panel_axes))?,
            group,
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
