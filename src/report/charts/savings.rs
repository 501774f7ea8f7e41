//! What each pruning level leaves to do, relative to the weakest level, per instance.

use crate::report::data::{Axis, Dataset};
use crate::report::figure::{Figure, Panel, Vertical};
use crate::report::legend::Sample;
use crate::report::marks::{mark, whisker};
use crate::report::measure::{Measure, STATES_VISITED, WALL_TIME, medians, samples};
use crate::report::palette::MUTED;
use crate::report::quantity::Unit;
use crate::report::scale::Scale;
use crate::report::scene::{Anchor, Scene, Text};
use crate::report::statistics::{Center, paired_ratios};

use super::facets::{self, Facets, Place};
use super::{Drawing, NoData};

const COUNT_SIZE: f64 = 12.0;

pub(super) fn states(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, STATES_VISITED)
}

pub(super) fn time(data: &Dataset, title: &str) -> Result<Drawing, NoData> {
    draw(data, title, WALL_TIME)
}

/// Ratio of one configuration to the same one at the weakest pruning level.
struct Saving {
    place: Place,
    ratio: Center,
}

fn draw(data: &Dataset, title: &str, measure: Measure) -> Result<Drawing, NoData> {
    let mut facets = Facets::over_pruning(data);
    if facets.groups.len() < 2 {
        return Err(NoData(
            "The experiment has one pruning level only.".to_owned(),
        ));
    }
    let baseline = facets.groups.remove(0);
    let savings = savings(data, &facets, &baseline, measure);
    let ends: Vec<f64> = savings.iter().flat_map(Saving::ends).chain([1.0]).collect();
    let scale = Scale::over(&ends).filter(|_| !savings.is_empty()).ok_or_else(|| {
        NoData(format!(
            "No instance was answered, with its {} measured, both at \"{baseline}\" and at another level.",
            measure.name
        ))
    })?;
    let figure = Figure {
        title: title.to_owned(),
        notes: vec![
            format!(
                "Baseline: the same configuration at \"{baseline}\". Ratio per instance that both answered; number: those instances"
            ),
            "Mark: geometric mean over instances; whisker: 95 % bootstrap interval over instances"
                .to_owned(),
        ],
        legend: facets.legend(Sample::Mark),
        panels: facets.panels.clone(),
        x_title: facets.x_title.to_owned(),
        x: facets.horizontal(),
        y: Vertical {
            title: format!(
                "{}, relative to baseline{}",
                measure.name,
                if scale.is_logarithmic() {
                    " (log scale)"
                } else {
                    ""
                }
            ),
            scale,
            unit: Unit::Ratio,
        },
    };
    let (mut scene, panels) = figure.draw();
    for panel in &panels {
        let y = panel.y(1.0);
        scene.line(&[(panel.area.left, y), (panel.area.right, y)], 1.5, MUTED);
    }
    for saving in &savings {
        saving.draw(&mut scene, &panels[saving.place.panel]);
    }
    Ok(Drawing {
        scene,
        reading: reading(&facets, &savings, &baseline, measure),
    })
}

fn savings(data: &Dataset, facets: &Facets, baseline: &str, measure: Measure) -> Vec<Saving> {
    let per_instance = |index: usize| medians(&samples(data, index, measure));
    data.configurations()
        .iter()
        .enumerate()
        .filter_map(|(index, configuration)| {
            let place = facets.place(data, configuration)?;
            let partner = data.find(&configuration.with(Axis::Pruning, baseline))?;
            let ratios = paired_ratios(&per_instance(index), &per_instance(partner));
            let ratios: Vec<f64> = ratios.into_values().collect();
            Some(Saving {
                place,
                ratio: Center::of(&ratios)?,
            })
        })
        .collect()
}

impl Saving {
    fn ends(&self) -> [f64; 3] {
        let (low, high) = self.range();
        [low, self.ratio.mean, high]
    }

    fn range(&self) -> (f64, f64) {
        let Center { mean, interval, .. } = self.ratio;
        interval.map_or((mean, mean), |interval| (interval.low, interval.high))
    }

    fn draw(&self, scene: &mut Scene, panel: &Panel) {
        let style = facets::style(self.place);
        let x = panel.slot(self.place.group, self.place.series);
        let (low, high) = self.range();
        if self.ratio.interval.is_some() {
            whisker(scene, x, (panel.y(low), panel.y(high)), style.color);
        }
        mark(scene, (x, panel.y(self.ratio.mean)), style);
        // Above the whisker; beneath it where there is no room above.
        let mut y = panel.y(high) - 8.0;
        if y < panel.area.top + COUNT_SIZE {
            y = panel.y(low) + 8.0 + COUNT_SIZE;
        }
        let text = Text::new(self.ratio.instances.to_string(), (x, y)).size(COUNT_SIZE);
        scene.text(text.anchor(Anchor::Middle).color(MUTED));
    }
}

fn reading(facets: &Facets, savings: &[Saving], baseline: &str, measure: Measure) -> String {
    let best = savings
        .iter()
        .min_by(|left, right| left.ratio.mean.total_cmp(&right.ratio.mean));
    let found = best.map_or_else(String::new, |best| {
        let series = &facets.series[best.place.series];
        let separator = if series.is_empty() { "" } else { " · " };
        format!(
            "The smallest rest, {} of \"{baseline}\", is left by {series}{separator}{} (n = {}). ",
            Unit::Share.format(best.ratio.mean),
            facets.groups[best.place.group],
            best.ratio.instances
        )
    });
    format!(
        "{found}Below 1 the level saves {}, above 1 its checks cost more than they save. Instances that only one side answered \
         have no ratio: where the baseline fails on the hard ones, the saving shown is too small rather than too large.",
        measure.name
    )
}
