//! Answered runs over time: the chart that carries the runs without an answer.

use crate::report::data::{Axis, Configuration, Dataset, is_baseline};
use crate::report::figure::{Figure, Horizontal, Panel, Vertical};
use crate::report::legend::Sample;
use crate::report::palette;
use crate::report::quantity::Unit;
use crate::report::scale::Scale;
use crate::report::scene::{Point, Scene};

use super::facets::{SERIES, has_baseline, keys};
use super::{Drawing, NoData};

/// One panel for each combination of these. Threading has its own charts, so that only sequential runs
/// are shown here, if there are some.
const PANELS: [Axis; 4] = [Axis::Goal, Axis::Space, Axis::Pruning, Axis::Table];

/// The panels without sequential runs: a line must not mix threading models and numbers of threads.
const PANELS_WITH_THREADING: [Axis; 6] = [
    Axis::Threading,
    Axis::Threads,
    Axis::Goal,
    Axis::Space,
    Axis::Pruning,
    Axis::Table,
];

const fn panel_axes(only_baseline: bool) -> &'static [Axis] {
    if only_baseline {
        &PANELS
    } else {
        &PANELS_WITH_THREADING
    }
}

/// The runs of one line.
#[derive(Debug, Clone, PartialEq, Default)]
struct Line {
    /// Times of the answers, ascending.
    times: Vec<f64>,
    /// All runs, answered or not.
    runs: usize,
}

pub(super) fn draw(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    let only_baseline = has_baseline(data);
    let shown = |configuration: &Configuration| !only_baseline || is_baseline(configuration);
    let axes = panel_axes(only_baseline);
    let (panels, series) = (data.labels(axes), data.labels(&SERIES));
    let lines = |panel: &String, series: &String| {
        line(data, |configuration| {
            shown(configuration)
                && data.label(configuration, axes) == *panel
                && data.label(configuration, &SERIES) == *series
        })
    };
    let times: Vec<f64> = panels
        .iter()
        .flat_map(|panel| {
            series
                .iter()
                .flat_map(move |series| lines(panel, series).times)
        })
        .collect();
    let low = times.iter().copied().fold(f64::INFINITY, f64::min);
    let high = times.iter().copied().fold(0.0, f64::max);
    let scale = Scale::decimal(low, high)
        .ok_or_else(|| NoData("No run was answered in a measured time.".to_owned()))?;
    let figure = figure(title, only_baseline, (panels.clone(), &series), scale);
    let (mut scene, places) = figure.draw();
    for (place, panel) in places.iter().zip(&panels) {
        for (index, name) in series.iter().enumerate() {
            draw_line(&mut scene, place, &lines(panel, name), (index, scale));
        }
    }
    Ok(Drawing {
        scene,
        reading: "A line shows the share of all its runs that were answered within the time beneath. Further left is faster, higher \
                  is more answers; what a line lacks to 100 % was never answered. Steps are runs."
            .to_owned(),
    })
}

fn line(data: &Dataset, belongs: impl Fn(&Configuration) -> bool) -> Line {
    let mut line = Line::default();
    for run in data.runs() {
        if belongs(&data.configurations()[run.configuration]) {
            line.runs += 1;
            let time = run.row.wall_s.filter(|time| run.answered() && *time > 0.0);
            line.times.extend(time.filter(|time| time.is_finite()));
        }
    }
    line.times.sort_by(f64::total_cmp);
    line
}

fn figure(
    title: &str,
    only_baseline: bool,
    (panels, series): (Vec<String>, &[String]),
    scale: Scale,
) -> Figure {
    let runs = if only_baseline {
        "Runs of the sequential model"
    } else {
        "All runs"
    };
    Figure {
        title: title.to_owned(),
        notes: vec![format!(
            "{runs}; each line over all its instances and repetitions"
        )],
        legend: keys(series, Sample::Line),
        panels,
        x_title: "wall time (log scale)".to_owned(),
        x: Horizontal::Numbers {
            scale,
            ticks: scale.ticks(),
            unit: Unit::Seconds,
        },
        y: Vertical {
            title: "answered runs".to_owned(),
            scale: Scale::linear(0.0, 1.0),
            unit: Unit::Share,
        },
    }
}

/// Draws a staircase from the first answer to the end of the axis, with marks at its quarters, so
/// that it can be told apart without colour.
fn draw_line(scene: &mut Scene, panel: &Panel, line: &Line, (index, scale): (usize, Scale)) {
    let style = palette::style(index);
    let share = |answered: usize| panel.y(answered as f64 / line.runs.max(1) as f64);
    let Some(first) = line.times.first() else {
        return;
    };
    let mut corners: Vec<Point> = vec![(panel.x(*first), share(0))];
    for (answered, time) in line.times.iter().enumerate() {
        corners.push((panel.x(*time), share(answered)));
        corners.push((panel.x(*time), share(answered + 1)));
    }
    corners.push((panel.x(scale.high()), share(line.times.len())));
    scene.styled_line(&corners, 2.0, style);
    let last = line.times.len() - 1;
    for quarter in 1..4 {
        let answered = last * quarter / 4;
        let at = (panel.x(line.times[answered]), share(answered + 1));
        scene.marker(at, 4.0, style);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Row;

    fn texts(threading: &[(&str, u64)]) -> Vec<String> {
        let row = |(index, (model, threads)): (usize, &(&str, u64))| Row {
            status: "solved".to_owned(),
            threading: (*model).to_owned(),
            threads: *threads,
            wall_s: Some(1.0 + index as f64),
            ..Row::default()
        };
        let data = Dataset::new(threading.iter().enumerate().map(row).collect());
        let scene = draw(&data, "t").unwrap().scene;
        scene.texts().map(|text| text.content.clone()).collect()
    }

    #[test]
    fn without_sequential_runs_each_model_and_number_of_threads_has_its_panel() {
        let parallel = [("actors", 2), ("shared", 2), ("shared", 4)];
        let shown = texts(&parallel);
        for panel in ["actors ×2", "shared ×2", "shared ×4"] {
            let count = shown.iter().filter(|text| *text == panel).count();
            assert_eq!(count, 1, "{panel} in {shown:?}");
        }
        let with_baseline = texts(&[&parallel[..], &[("sequential", 1)]].concat());
        assert!(with_baseline.iter().all(|text| !text.contains('×')));
    }

    #[test]
    fn runs_without_an_answer_count_in_the_whole_only() {
        let row = |status: &str, wall_s: f64| Row {
            status: status.to_owned(),
            wall_s: Some(wall_s),
            ..Row::default()
        };
        let data = Dataset::new(vec![
            row("solved", 2.0),
            row("time_limit", 1.0),
            row("solved", 0.5),
            row("crashed", 0.1),
        ]);
        let line = line(&data, |_| true);
        assert_eq!((line.times, line.runs), (vec![0.5, 2.0], 4));
    }
}
