//! Speedup, efficiency and search overhead of the threading models over threads.

use std::collections::BTreeMap;

use crate::report::data::{Axis, BASELINE_THREADING, Configuration, Dataset, is_baseline};
use crate::report::figure::{Figure, Horizontal, Panel, Vertical};
use crate::report::legend::Sample;
use crate::report::marks::{mark, whisker};
use crate::report::measure::{EXPANDED, Measure, Samples, WALL_TIME, medians, samples};
use crate::report::palette::{self, MUTED, Style};
use crate::report::quantity::Unit;
use crate::report::scale::Scale;
use crate::report::scene::Scene;
use crate::report::statistics::Center;

use super::facets::{SERIES, keys};
use super::{Drawing, NoData};

/// One panel for each combination of these.
const PANELS: [Axis; 5] = [
    Axis::Threading,
    Axis::Goal,
    Axis::Space,
    Axis::Pruning,
    Axis::Table,
];

/// What is shown of a run against its sequential counterpart.
#[derive(Clone, Copy)]
struct Quantity {
    title: &'static str,
    measure: Measure,
    /// From the sequential value, the parallel value, and the threads.
    of: fn(f64, f64, f64) -> f64,
    /// The value without any loss, at a number of threads.
    ideal: fn(f64) -> f64,
    ideal_name: &'static str,
    /// Whether the axis is in powers of two, as that of the threads is, while the values span no more
    /// than a decade.
    binary: bool,
    reading: &'static str,
}

const SPEEDUP: Quantity = Quantity {
    title: "speedup T(1) / T(p)",
    measure: WALL_TIME,
    of: |sequential, parallel, _| sequential / parallel,
    ideal: |threads| threads,
    ideal_name: "ideal: p threads, p times as fast",
    binary: true,
    reading: "On the line, p threads are p times as fast. Below 1, the threads cost more than they bring. First solutions can come \
              sooner or later by luck of the order, so single points lie above the line; trust the spread, not one value.",
};

const EFFICIENCY: Quantity = Quantity {
    title: "efficiency T(1) / (p · T(p))",
    measure: WALL_TIME,
    of: |sequential, parallel, threads| sequential / parallel / threads,
    ideal: |_| 1.0,
    ideal_name: "ideal: 1",
    binary: false,
    reading: "At 1 each thread does the work of a whole sequential run. A fall with p is the price of sharing, of waiting, and of \
              states expanded in vain.",
};

const OVERHEAD: Quantity = Quantity {
    title: "states expanded, relative to sequential",
    measure: EXPANDED,
    of: |sequential, parallel, _| parallel / sequential,
    ideal: |_| 1.0,
    ideal_name: "sequential",
    binary: false,
    reading: "At 1 the threads expand what one would. Above 1 they expand states that the sequential order never reaches; below 1 \
              they met a solution earlier.",
};

pub(super) fn speedup(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, SPEEDUP)
}

pub(super) fn efficiency(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, EFFICIENCY)
}

pub(super) fn overhead(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, OVERHEAD)
}

/// One configuration against its sequential counterpart.
#[derive(Debug, Clone, PartialEq)]
struct PointOfRuns {
    panel: usize,
    series: usize,
    threads: f64,
    /// Over instances, of the medians over repetitions.
    center: Center,
    /// Each run against the sequential median of its instance.
    runs: Vec<f64>,
}

fn draw(data: &Dataset, title: &str, quantity: Quantity) -> Result<Drawing, NoData> {
    let panels = panel_titles(data);
    let points = points(data, &panels, quantity);
    if points.is_empty() {
        return Err(NoData(no_data(data)));
    }
    let series = data.labels(&SERIES);
    let figure = figure(title, quantity, &points, (panels, &series));
    let (mut scene, places) = figure.draw();
    for (index, panel) in places.iter().enumerate() {
        draw_ideal(&mut scene, panel, quantity, &figure.x);
        for line in 0..series.len() {
            let mut of_line: Vec<&PointOfRuns> = points
                .iter()
                .filter(|point| point.panel == index && point.series == line)
                .collect();
            of_line.sort_by(|left, right| left.threads.total_cmp(&right.threads));
            draw_line(&mut scene, panel, &of_line, (line, series.len()));
        }
    }
    Ok(Drawing {
        scene,
        reading: quantity.reading.to_owned(),
    })
}

fn no_data(data: &Dataset) -> String {
    let parallel = data.configurations().iter().any(|c| !is_baseline(c));
    match (parallel, data.configurations().iter().any(is_baseline)) {
        (false, _) => "The experiment runs the sequential model only.".to_owned(),
        (true, false) => format!(
            "There is no run of the {BASELINE_THREADING} model to compare with: T(1) is unknown."
        ),
        (true, true) => "No instance was answered both by the sequential model and by another with the same strategy and pruning.".to_owned(),
    }
}

/// Panels of the models other than the sequential one.
fn panel_titles(data: &Dataset) -> Vec<String> {
    let parallel: Vec<String> = data
        .configurations()
        .iter()
        .filter(|configuration| !is_baseline(configuration))
        .map(|configuration| data.label(configuration, &PANELS))
        .collect();
    let mut titles = data.labels(&PANELS);
    titles.retain(|title| parallel.contains(title));
    titles
}

fn points(data: &Dataset, panels: &[String], quantity: Quantity) -> Vec<PointOfRuns> {
    let series = data.labels(&SERIES);
    data.configurations()
        .iter()
        .enumerate()
        .filter(|(_, configuration)| !is_baseline(configuration))
        .filter_map(|(index, configuration)| {
            let partner = data.find(&sequential(configuration))?;
            let baseline = medians(&samples(data, partner, quantity.measure));
            let parallel = samples(data, index, quantity.measure);
            let threads = configuration.threads() as f64;
            let (means, runs) = against(&baseline, &parallel, threads, quantity);
            Some(PointOfRuns {
                panel: panels
                    .iter()
                    .position(|p| *p == data.label(configuration, &PANELS))?,
                series: series
                    .iter()
                    .position(|s| *s == data.label(configuration, &SERIES))?,
                threads,
                center: Center::of(&means)?,
                runs,
            })
        })
        .collect()
}

fn sequential(configuration: &Configuration) -> Configuration {
    configuration
        .with(Axis::Threading, BASELINE_THREADING)
        .with(Axis::Threads, "1")
}

/// One value for each instance, from the median over repetitions, and the values of all runs.
fn against(
    baseline: &BTreeMap<usize, f64>,
    parallel: &Samples,
    threads: f64,
    quantity: Quantity,
) -> (Vec<f64>, Vec<f64>) {
    let usable = |value: &f64| value.is_finite() && *value > 0.0;
    let of = |instance: &usize, value: f64| {
        let sequential = baseline.get(instance)?;
        Some((quantity.of)(*sequential, value, threads)).filter(usable)
    };
    let means = medians(parallel)
        .iter()
        .filter_map(|(instance, value)| of(instance, *value))
        .collect();
    let runs = parallel
        .iter()
        .flat_map(|(instance, values)| values.iter().filter_map(move |v| of(instance, *v)))
        .collect();
    (means, runs)
}

fn figure(
    title: &str,
    quantity: Quantity,
    points: &[PointOfRuns],
    (panels, series): (Vec<String>, &[String]),
) -> Figure {
    let ticks = thread_ticks(points);
    let most = ticks.last().copied().unwrap_or(1.0).max(2.0);
    let scale = vertical_scale(points, quantity, most);
    let log = if scale.is_logarithmic() {
        " (log scale)"
    } else {
        ""
    };
    Figure {
        title: title.to_owned(),
        notes: notes(quantity, points),
        legend: keys(series, Sample::Line),
        panels,
        x_title: "threads p (log scale)".to_owned(),
        x: Horizontal::Numbers {
            // Both ends are at least 1 and finite, which is all that a binary axis asks.
            scale: Scale::binary(1.0, most).unwrap_or_else(|| Scale::linear(0.0, most)),
            ticks,
            unit: Unit::Count,
        },
        y: Vertical {
            title: format!("{}{log}", quantity.title),
            scale,
            unit: Unit::Ratio,
        },
    }
}

/// The numbers of threads that occur, and 1, ascending.
fn thread_ticks(points: &[PointOfRuns]) -> Vec<f64> {
    let threads = points.iter().map(|point| point.threads);
    let mut ticks: Vec<f64> = threads.chain([1.0]).collect();
    ticks.sort_by(f64::total_cmp);
    ticks.dedup();
    ticks
}

/// What stands behind the marks.
fn notes(quantity: Quantity, points: &[PointOfRuns]) -> Vec<String> {
    let counts = points.iter().map(|point| point.center.instances);
    let (least, greatest) = (counts.clone().min().unwrap_or(0), counts.max().unwrap_or(0));
    let n = if least == greatest {
        least.to_string()
    } else {
        format!("{least} to {greatest}")
    };
    vec![
        format!(
            "n = {n} instances that both sides answered; grey dashes: {}",
            quantity.ideal_name
        ),
        "Baseline: median of the sequential runs of the same instance, strategy and pruning"
            .to_owned(),
        "Mark: geometric mean over instances; whisker: its 95 % bootstrap interval over instances"
            .to_owned(),
        "Dots: single runs, the spread over instances and repetitions".to_owned(),
    ]
}

/// An axis for all that is drawn at up to `most` threads. Powers of two far below 1 do not read well
/// (0.00391), so that they serve a short range only.
fn vertical_scale(points: &[PointOfRuns], quantity: Quantity, most: f64) -> Scale {
    // Means and their intervals lie between the runs.
    let values: Vec<f64> = points
        .iter()
        .flat_map(|point| point.runs.iter().copied())
        .chain([(quantity.ideal)(1.0), (quantity.ideal)(most)])
        .collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Beyond a decade, `Scale::over` gives 1, 2 and 5 times powers of ten.
    let scale = if quantity.binary && high / low <= 10.0 {
        Scale::binary(low, high)
    } else {
        Scale::over(&values)
    };
    scale.unwrap_or_else(|| Scale::linear(0.0, high))
}

/// Distance between the series that stand side by side at each number of threads, so that whiskers do
/// not hide each other.
fn step(panel: &Panel, series: usize) -> f64 {
    let room = (panel.tick_distance() * 0.6).min(54.0);
    (room / series.max(1) as f64).min(18.0)
}

fn draw_ideal(scene: &mut Scene, panel: &Panel, quantity: Quantity, x: &Horizontal) {
    let Horizontal::Numbers { scale, .. } = x else {
        return;
    };
    let at = |threads: f64| (panel.x(threads), panel.y((quantity.ideal)(threads)));
    let style = Style {
        color: MUTED,
        dash: Some((6.0, 4.0)),
        ..palette::style(0)
    };
    scene.styled_line(&[at(scale.low()), at(scale.high())], 1.5, style);
}

/// Draws the line with this index, of as many as there are.
fn draw_line(
    scene: &mut Scene,
    panel: &Panel,
    points: &[&PointOfRuns],
    (line, lines): (usize, usize),
) {
    let style = palette::style(line);
    let step = step(panel, lines);
    let offset = (line as f64 - (lines as f64 - 1.0) / 2.0) * step;
    let at = |point: &PointOfRuns| (panel.x(point.threads) + offset, panel.y(point.center.mean));
    let corners: Vec<(f64, f64)> = points.iter().map(|point| at(point)).collect();
    if corners.len() > 1 {
        scene.styled_line(&corners, 2.0, style);
    }
    // Dots stand aside of the whisker where there is room.
    let aside = if step >= 12.0 { step * 0.45 } else { 0.0 };
    for point in points {
        let (x, y) = at(point);
        for run in &point.runs {
            scene.disc((x - aside, panel.y(*run)), 2.0, style.color, 0.35);
        }
        if let Some(interval) = point.center.interval {
            let range = (panel.y(interval.low), panel.y(interval.high));
            whisker(scene, x, range, style.color);
        }
        mark(scene, (x, y), style);
    }
}

#[cfg(test)]
mod tests;
