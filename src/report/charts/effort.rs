//! Time, states and memory of each configuration.

use crate::report::data::{Axis, Dataset};
use crate::report::figure::{Figure, Panel, Vertical};
use crate::report::legend::Sample;
use crate::report::marks::{mark, whisker};
use crate::report::measure::{
    Comparison, Measure, PEAK_MEMORY, STATES_VISITED, Samples, WALL_TIME, spread,
};
use crate::report::palette::{MUTED, Style};
use crate::report::scale::Scale;
use crate::report::scene::{Anchor, Scene, Text};

use super::facets::{self, Facets};
use super::{Drawing, NoData};

/// Size of the count that stands in the place of a configuration that is not shown.
const COUNT_SIZE: f64 = 12.0;

pub(super) fn time(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, WALL_TIME)
}

pub(super) fn states(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, STATES_VISITED)
}

pub(super) fn memory(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, PEAK_MEMORY)
}

fn draw(data: &Dataset, title: &str, measure: Measure) -> Result<Drawing, NoData> {
    let comparison = Comparison::of(data, measure);
    let values: Vec<f64> = comparison.values().collect();
    let scale = Scale::over(&values).ok_or_else(|| {
        NoData(format!(
            "No configuration answered half of the instances in runs whose {} was measured.",
            measure.name
        ))
    })?;
    let facets = Facets::of(data);
    let mut notes = comparison.notes(data);
    notes.push(marks_note(data).to_owned());
    let figure = Figure {
        title: title.to_owned(),
        notes,
        legend: facets.legend(Sample::Mark),
        panels: facets.panels.clone(),
        x_title: facets.x_title.to_owned(),
        x: facets.horizontal(),
        y: vertical(measure, scale),
    };
    let (mut scene, panels) = figure.draw();
    draw_all(&mut scene, &panels, data, &facets, &comparison);
    Ok(Drawing {
        scene,
        reading: reading(data, measure, &comparison),
    })
}

/// Axis of a measure.
pub(super) fn vertical(measure: Measure, scale: Scale) -> Vertical {
    let kind = if scale.is_logarithmic() {
        " (log scale)"
    } else {
        ""
    };
    Vertical {
        title: format!("{}{kind}", measure.name),
        scale,
        unit: measure.unit,
    }
}

fn marks_note(data: &Dataset) -> &'static str {
    if data.instances().len() == 1 {
        "Mark: median over repetitions, those without an answer above all others; whisker: their quartiles; dots: answered runs"
    } else {
        "Mark: median over instances (each the median of its repetitions); whisker: quartiles over instances; dots: answered runs"
    }
}

fn draw_all(
    scene: &mut Scene,
    panels: &[Panel],
    data: &Dataset,
    facets: &Facets,
    comparison: &Comparison,
) {
    for (index, configuration) in data.configurations().iter().enumerate() {
        let Some(place) = facets.place(data, configuration) else {
            continue;
        };
        let panel = &panels[place.panel];
        let x = panel.slot(place.group, place.series);
        if let Some(samples) = comparison.samples.get(&index) {
            draw_samples(scene, panel, x, samples, facets::style(place));
        } else if let Some(answered) = comparison.left_out.get(&index) {
            let count = format!("{answered}/{}", data.instances().len());
            draw_count(scene, panel, x, &count);
        }
    }
}

/// Dots for the runs left of the middle of the slot, mark and whisker right of it.
fn draw_samples(scene: &mut Scene, panel: &Panel, x: f64, samples: &Samples, style: Style) {
    let (_, slot) = panel.widths();
    let aside = (slot * 0.22).min(9.0);
    for value in samples.values().flatten() {
        scene.disc((x - aside, panel.y(*value)), 2.25, style.color, 0.4);
    }
    if let Some(quartiles) = spread(samples) {
        let x = x + aside * 0.6;
        // A quartile among the runs without an answer is further up than the panel goes.
        let upper = quartiles.upper.map_or(panel.area.top, |it| panel.y(it));
        let range = (panel.y(quartiles.lower), upper);
        whisker(scene, x, range, style.color);
        mark(scene, (x, panel.y(quartiles.median)), style);
    }
}

/// Writes how many instances were answered, upward, at the top of the slot.
fn draw_count(scene: &mut Scene, panel: &Panel, x: f64, count: &str) {
    let at = (x + COUNT_SIZE * 0.36, panel.area.top + 4.0);
    let text = Text::new(count, at).size(COUNT_SIZE).color(MUTED);
    scene.text(text.anchor(Anchor::End).upward());
}

fn reading(data: &Dataset, measure: Measure, comparison: &Comparison) -> String {
    let mut medians: Vec<(f64, usize)> = comparison
        .samples
        .iter()
        .filter_map(|(index, samples)| Some((spread(samples)?.median, *index)))
        .collect();
    medians.sort_by(|left, right| left.0.total_cmp(&right.0));
    let name = |index: usize| match data.label(&data.configurations()[index], &Axis::ALL) {
        label if label.is_empty() => "the only configuration".to_owned(),
        label => label,
    };
    let extremes = match (medians.first(), medians.last()) {
        (Some(low), Some(high)) if low.1 != high.1 && !comparison.disjoint => format!(
            "Lowest median: {} ({}). Highest: {} ({}). ",
            name(low.1),
            measure.unit.format(low.0),
            name(high.1),
            measure.unit.format(high.0)
        ),
        _ => String::new(),
    };
    format!(
        "{extremes}Lower is better. Runs that a limit cut short have no {} to show; see coverage for them.",
        measure.name
    )
}
