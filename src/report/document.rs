//! The contents of a report, before they take the form of a page or of Markdown.

use super::canvas::{self, CanvasError};
use super::charts::{CHARTS, Chart, Drawing, NoData};
use super::data::Dataset;
use super::scene::Scene;
use super::summary::{self, Line};
use crate::experiment::pressure::{MOST_PERCENT, is_under_pressure};

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
    /// What the rows are: counts, revisions.
    pub facts: Vec<String>,
    /// The summary table.
    pub lines: Vec<Line>,
    /// The charts.
    pub sections: Vec<Section>,
}

impl Document {
    /// Draws all charts. `repeated` is the number of rows that were left out because their run was
    /// there already.
    ///
    /// # Errors
    /// [`CanvasError`] if the drawing library fails.
    pub fn of(data: &Dataset, repeated: usize) -> Result<Self, CanvasError> {
        let sections = CHARTS
            .into_iter()
            .map(|chart| section(chart, data))
            .collect::<Result<Vec<Section>, CanvasError>>()?;
        Ok(Self {
            title: title(data),
            facts: facts(data, repeated),
            lines: summary::lines(data),
            sections,
        })
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

fn facts(data: &Dataset, repeated: usize) -> Vec<String> {
    let answered = data.runs().iter().filter(|run| run.answered()).count();
    let mut facts = vec![
        format!("{} runs, {answered} of them answered", data.runs().len()),
        format!("{} configurations", data.configurations().len()),
        format!("{} instances", data.instances().len()),
    ];
    if repeated > 0 {
        facts.push(format!(
            "{repeated} rows left out: their run_id occurs in an earlier row, and each run counts once"
        ));
    }
    let doubtful = data.runs().iter().filter(|run| is_under_pressure(&run.row));
    let doubtful = doubtful.count();
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

fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let set: std::collections::BTreeSet<&str> = values.filter(|value| !value.is_empty()).collect();
    set.into_iter().collect()
}
