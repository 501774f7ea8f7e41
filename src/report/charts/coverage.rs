//! The share of runs that each configuration answers.

use crate::report::data::{Axis, Dataset};
use crate::report::figure::{Figure, Panel, Vertical};
use crate::report::font;
use crate::report::legend::Sample;
use crate::report::marks::bar;
use crate::report::palette::Style;
use crate::report::quantity::Unit;
use crate::report::scale::Scale;
use crate::report::scene::{Anchor, Area, Scene, Text};

use super::facets::{self, Facets};
use super::{Drawing, NoData};

const COUNT_SIZE: f64 = 12.0;

/// Room for a count that stands upward on a bar.
const HEADROOM: f64 = 0.2;

pub(super) fn draw(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    if data.runs().is_empty() {
        return Err(NoData("There are no runs.".to_owned()));
    }
    let facets = Facets::of(data);
    let figure = Figure {
        title: title.to_owned(),
        notes: vec![format!(
            "{} runs on {} instances; numbers: answered runs of all runs; full bars may stand without",
            data.runs().len(),
            data.instances().len()
        )],
        legend: facets.legend(Sample::Fill),
        panels: facets.panels.clone(),
        x_title: facets.x_title.to_owned(),
        x: facets.horizontal(),
        y: Vertical {
            title: "answered runs".to_owned(),
            scale: Scale::linear(0.0, 1.0).with_headroom(HEADROOM),
            unit: Unit::Share,
        },
    };
    let (mut scene, panels) = figure.draw();
    for (index, configuration) in data.configurations().iter().enumerate() {
        let Some(place) = facets.place(data, configuration) else {
            continue;
        };
        let panel = &panels[place.panel];
        let x = panel.slot(place.group, place.series);
        draw_bar(
            &mut scene,
            panel,
            x,
            answered(data, index),
            facets::style(place),
        );
    }
    Ok(Drawing {
        scene,
        reading: reading(data),
    })
}

/// Answered runs and all runs of a configuration.
fn answered(data: &Dataset, configuration: usize) -> (usize, usize) {
    let answered = data
        .runs_of(configuration)
        .filter(|run| run.answered())
        .count();
    (answered, data.runs_of(configuration).count())
}

fn share((answered, all): (usize, usize)) -> f64 {
    answered as f64 / all.max(1) as f64
}

fn draw_bar(scene: &mut Scene, panel: &Panel, x: f64, counts: (usize, usize), style: Style) {
    let (_, slot) = panel.widths();
    let half = (slot * 0.4).min(18.0);
    let top = panel.y(share(counts));
    let area = Area {
        left: x - half,
        top,
        right: x + half,
        bottom: panel.area.bottom,
    };
    bar(scene, area, style);
    let count = format!("{}/{}", counts.0, counts.1);
    if font::width(&count, COUNT_SIZE, false) <= slot - 3.0 {
        let text = Text::new(count, (x, top - 4.0)).size(COUNT_SIZE);
        scene.text(text.anchor(Anchor::Middle));
    } else if counts.0 < counts.1 {
        // Too narrow for a line across: full bars speak for themselves, the others are numbered upward.
        let text = Text::new(count, (x + COUNT_SIZE * 0.36, top - 4.0)).size(COUNT_SIZE);
        scene.text(text.upward());
    }
}

fn reading(data: &Dataset) -> String {
    let incomplete: Vec<String> = data
        .configurations()
        .iter()
        .enumerate()
        .filter(|(index, _)| share(answered(data, *index)) < 1.0)
        .map(|(_, configuration)| data.label(configuration, &Axis::ALL))
        .collect();
    let found = match incomplete.len() {
        0 => "Every configuration answered every run.".to_owned(),
        count => format!(
            "{count} of {} configurations left runs unanswered.",
            data.configurations().len()
        ),
    };
    format!(
        "{found} An answer is a replayed solution, a proof that there is none, or a completed count. Runs cut short by a limit, \
         runs that exhausted the space under pruning that is not proved sound, and failed runs have none."
    )
}
