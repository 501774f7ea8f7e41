//! The contents of a report, before they take the form of a page or of Markdown.

use std::iter;

use super::baseline::AgainstBaseline;
use super::canvas::{self, CanvasError};
use super::charts::{CHARTS, Chart, Drawing, NoData};
use super::data::{Axis, Dataset, Run};
use super::origin::Origin;
use super::quantity::Unit;
use super::scene::Scene;
use super::score::TimeLimits;
use super::summary::{self, Line};
use crate::experiment::pressure::{MOST_PERCENT, is_under_pressure};

/// Heading of the runs whose times are doubtful.
pub const DOUBTFUL: &str = "Runs under pressure";

/// A chart of the report.
#[derive(Debug, Clone)]
pub struct Section {
    /// The chart.
    pub chart: Chart,
    /// Its picture, or why there is none.
    pub picture: Result<Picture, NoData>,
}

/// A drawn chart.
#[derive(Debug, Clone)]
pub struct Picture {
    /// As data, for other formats.
    pub scene: Scene,
    /// As an SVG document.
    pub svg: String,
    /// The same without its title, for a page that has it as a heading.
    pub untitled_svg: String,
    /// How to read it.
    pub reading: String,
}

/// Everything that a report says.
#[derive(Debug, Clone)]
pub struct Document {
    /// Names of the experiments.
    pub title: String,
    /// What was asked, and what was expected to come out.
    pub asked: Vec<String>,
    /// What the rows are: counts, revisions.
    pub facts: Vec<String>,
    /// The summary table.
    pub lines: Vec<Line>,
    /// All configurations against one of them.
    pub against: AgainstBaseline,
    /// Runs whose times are doubtful, each with what it was and how much it was disturbed.
    pub doubtful: Vec<String>,
    /// The charts.
    pub sections: Vec<Section>,
}

impl Document {
    /// Draws all charts. `origins` are the experiments that the rows were measured for. `against` is their comparison with a
    /// baseline; `repeated` is the number of rows that were left out because their run was there already.
    ///
    /// # Errors
    /// [`CanvasError`] if the drawing library fails.
    pub fn of(
        data: &Dataset,
        against: AgainstBaseline,
        origins: &[Origin],
        repeated: usize,
    ) -> Result<Self, CanvasError> {
        let sections = CHARTS
            .into_iter()
            .map(|chart| section(chart, data))
            .collect::<Result<Vec<Section>, CanvasError>>()?;
        let doubtful = doubtful(data);
        Ok(Self {
            title: title(data),
            asked: asked(origins),
            facts: facts(data, origins, repeated, doubtful.len()),
            lines: summary::lines(data),
            against,
            doubtful,
            sections,
        })
    }

    /// Heading of the comparison with the baseline.
    #[must_use]
    pub fn comparison_question(&self) -> String {
        let baseline = &self.against.baseline;
        format!("How does each configuration compare with {baseline}?")
    }
}

fn section(chart: Chart, data: &Dataset) -> Result<Section, CanvasError> {
    let picture = match (chart.draw)(data, chart.question) {
        Ok(drawing) => Ok(picture(chart, data, drawing)?),
        Err(reason) => Err(reason),
    };
    Ok(Section { chart, picture })
}

fn picture(chart: Chart, data: &Dataset, drawing: Drawing) -> Result<Picture, CanvasError> {
    let svg = canvas::svg(&drawing.scene)?;
    let untitled_svg = match (chart.draw)(data, "") {
        Ok(untitled) => canvas::svg(&untitled.scene)?,
        // The same rows were drawn above; if a chart needs its title, the page shows it twice.
        Err(_) => svg.clone(),
    };
    Ok(Picture {
        svg,
        untitled_svg,
        scene: drawing.scene,
        reading: drawing.reading,
    })
}

fn title(data: &Dataset) -> String {
    let names = distinct(data.runs().iter().map(|run| run.row.experiment.as_str()));
    if names.is_empty() {
        return "Report".to_owned();
    }
    names.join(", ")
}

/// Questions and hypotheses, those that parts of one experiment share once.
fn asked(origins: &[Origin]) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    for origin in origins {
        let hypothesis = origin.hypothesis.as_ref();
        let hypothesis = hypothesis.map(|text| format!("Hypothesis: {text}"));
        for text in iter::once(origin.question.clone()).chain(hypothesis) {
            if !asked.contains(&text) {
                asked.push(text);
            }
        }
    }
    asked
}

/// Runs that were measured while tasks waited for a processor.
fn doubtful(data: &Dataset) -> Vec<String> {
    let doubtful = data.runs().iter().filter(|run| is_under_pressure(&run.row));
    let line = |run: &Run| {
        let row = &run.row;
        let label = data.label(&data.configurations()[run.configuration], &Axis::ALL);
        let percent = row.cpu_pressure.unwrap_or_default();
        format!(
            "{}: {}#{} {label}, repetition {}: {percent:.1} %",
            row.run_id, row.level_file, row.level, row.repetition
        )
    };
    doubtful.map(line).collect()
}

fn facts(data: &Dataset, origins: &[Origin], repeated: usize, doubtful: usize) -> Vec<String> {
    let answered = data.runs().iter().filter(|run| run.answered()).count();
    let mut facts = vec![
        format!("{} runs, {answered} of them answered", data.runs().len()),
        format!("{} configurations", data.configurations().len()),
        format!("{} instances", data.instances().len()),
    ];
    facts.push(time_limits(data));
    let missing: usize = origins.iter().map(|origin| origin.missing).sum();
    if missing > 0 {
        facts.push(format!(
            "{missing} planned runs have no row: the experiment is not finished, so that configurations may have run on different levels"
        ));
    }
    if repeated > 0 {
        facts.push(format!(
            "{repeated} rows left out: their run_id occurs in an earlier row, and each run counts once"
        ));
    }
    if doubtful > 0 {
        facts.push(format!(
            "{doubtful} runs under pressure: for more than {MOST_PERCENT} % of their time some task waited for a processor, so their times are doubtful; `sokolab doctor` says what disturbs"
        ));
    }
    let revisions = distinct(data.runs().iter().map(|run| run.row.revision.as_str()));
    match revisions.as_slice() {
        [] => {}
        [one] => facts.push(format!("sokolab {one}")),
        several => facts.push(format!(
            "rows of {} revisions of sokolab ({}): differences between them may show as differences between configurations",
            several.len(),
            several.join(", ")
        )),
    }
    facts
}

/// What the runs were limited to, which scores hang on.
fn time_limits(data: &Dataset) -> String {
    let written = |limit: &f64| Unit::Seconds.format(*limit);
    match TimeLimits::of(data) {
        TimeLimits::Common(limit) => format!("time limit {}", written(&limit)),
        TimeLimits::Missing => {
            "rows without a time limit, or that do not say it: no PAR2 and no agile score"
                .to_owned()
        }
        TimeLimits::Several(limits) => {
            let limits: Vec<String> = limits.iter().map(written).collect();
            format!(
                "rows of several time limits ({}): no PAR2 and no agile score, and coverage does not compare between them",
                limits.join(", ")
            )
        }
    }
}

fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let set: std::collections::BTreeSet<&str> = values.filter(|value| !value.is_empty()).collect();
    set.into_iter().collect()
}
