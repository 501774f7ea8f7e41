//! Reading rows, statistics, charts and pages; knows neither searching nor Sokoban.
//!
//! Rows become a [`data::Dataset`]; [`measure`] and [`statistics`] turn it into figures; each chart of
//! [`charts::CHARTS`] turns those into a [`scene::Scene`], which [`canvas`] draws as SVG and as PNG;
//! [`page`], [`markdown`] and [`latex`] put everything together.

pub mod baseline;
pub mod canvas;
pub mod charts;
pub mod compare;
pub mod data;
pub mod diff;
pub mod document;
pub mod effect;
pub mod figure;
pub mod font;
pub mod latex;
pub mod legend;
pub mod markdown;
pub mod marks;
pub mod measure;
pub mod origin;
pub mod page;
pub mod palette;
pub mod quantity;
pub mod scale;
pub mod scene;
pub mod score;
pub mod significance;
pub mod splice;
mod staging;
pub mod statistics;
pub mod summary;
#[cfg(test)]
mod synthetic;
pub mod table;

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::experiment::manifest::ManifestError;
use crate::experiment::{Row, RowsError, read_rows};

use baseline::{AgainstBaseline, UnknownBaseline};
use canvas::CanvasError;
use charts::CHARTS;
use data::Dataset;
use document::Document;
use origin::Origin;
use splice::{Splice, SpliceError};
use staging::Staging;

pub use staging::StagingError;
pub use summary::summary_table;

/// Rows of a result directory.
const ROWS_FILE: &str = "runs.csv";

/// Directory of the charts, below that of the report.
const CHART_DIRECTORY: &str = "charts";

/// What a report is to be, beyond its rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportOptions {
    /// Directory of the report.
    pub out: PathBuf,
    /// Label of the configuration that the others are compared with; the first in display order if none is named.
    pub baseline: Option<String>,
    /// A page that takes parts of the report.
    pub splice: Option<Splice>,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSummary {
    /// The page to open.
    pub page: PathBuf,
    /// Rows that the report is made from.
    pub rows: usize,
    /// Rows that were left out because an earlier one has their run id.
    pub repeated: usize,
    /// Charts that were drawn.
    pub drawn: usize,
    /// Charts that were not, by name, and why.
    pub skipped: Skipped,
}

/// A report that cannot be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// There is nothing to report.
    #[error(
        "no rows in {0}: expected runs.csv with at least one finished run; run the experiment first"
    )]
    NoRows(String),
    /// A file of rows cannot be read.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A manifest cannot be understood.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A chart cannot be drawn.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] StagingError),
    /// No configuration is the baseline.
    #[error(transparent)]
    Baseline(#[from] UnknownBaseline),
    /// A page cannot take the report.
    #[error(transparent)]
    Splice(#[from] SpliceError),
}

/// Makes a report from the `runs.csv` of result directories. A directory named
/// twice counts once, and so does a run that several directories hold: see [`write()`].
///
/// # Errors
/// [`ReportError`] if rows cannot be read, there are none, or a chart or file cannot be made; an
/// earlier report is then left as it was.
pub fn generate(
    directories: &[PathBuf],
    options: &ReportOptions,
) -> Result<ReportSummary, ReportError> {
    let mut rows = Vec::new();
    let mut origins = Vec::new();
    for (directory, of_one) in read_each(directories)? {
        origins.extend(Origin::read(directory, &of_one)?);
        rows.extend(of_one);
    }
    let sources: Vec<String> = directories
        .iter()
        .map(|d| d.display().to_string())
        .collect();
    write(rows, &origins, &sources.join(", "), options)
}

/// The rows of result directories, each run once: see [`write()`].
///
/// # Errors
/// [`ReportError`] if rows cannot be read, or there are none.
pub fn read(directories: &[PathBuf]) -> Result<Vec<Row>, ReportError> {
    let rows = read_each(directories)?.into_iter();
    let (rows, _) = unique(rows.flat_map(|(_, rows)| rows).collect());
    match (rows.is_empty(), directories) {
        (true, [first, ..]) => Err(ReportError::NoRows(first.display().to_string())),
        _ => Ok(rows),
    }
}

/// Result directories with their rows, one that is named twice once.
fn read_each(directories: &[PathBuf]) -> Result<Vec<(&Path, Vec<Row>)>, ReportError> {
    let mut seen = BTreeSet::new();
    let mut read = Vec::new();
    for directory in directories {
        let file = directory.join(ROWS_FILE);
        // A path that does not resolve fails below, with the path as the user wrote it.
        let identity = file.canonicalize().unwrap_or_else(|_| file.clone());
        if seen.insert(identity) {
            read.push((directory.as_path(), read_rows(&file)?));
        }
    }
    Ok(read)
}

/// Makes a report from rows: `index.html`, `report.md`, `summary.tex`, `comparison.tex` and `charts/*.svg`,
/// `charts/*.png` in the directory for it, and what a page takes of it. Files of an earlier report are replaced once everything is drawn.
/// `source` names where the rows come from, for messages; `origins` are the experiments they were measured for.
///
/// Of rows with the same run id, as a directory and its copy or overlapping shards have them, the first
/// is kept: counted twice, a run would pass for a repetition. The page says how many were left out.
///
/// # Errors
/// [`ReportError`] if there are no rows, or a chart or file cannot be made; an earlier report is then
/// left as it was.
pub fn write(
    rows: Vec<Row>,
    origins: &[Origin],
    source: &str,
    options: &ReportOptions,
) -> Result<ReportSummary, ReportError> {
    let out = options.out.as_path();
    if rows.is_empty() {
        return Err(ReportError::NoRows(source.to_owned()));
    }
    let (rows, repeated) = unique(rows);
    let data = Dataset::new(rows);
    let against = AgainstBaseline::of(&data, options.baseline.as_deref())?;
    let document = Document::of(&data, against, origins, repeated)?;
    let mut staging = Staging::new(out)?;
    let splice = options.splice.as_ref();
    // Before anything is replaced, as markers may be wrong.
    let page = splice.map(|it| it.render(&document, out)).transpose()?;
    let skipped = stage(&document, &mut staging)?;
    staging.publish()?;
    remove_stale_charts(out, &skipped)?;
    if let (Some(splice), Some(page)) = (splice, page) {
        splice.write(&page)?;
    }
    Ok(ReportSummary {
        page: out.join("index.html"),
        rows: data.runs().len(),
        repeated,
        drawn: CHARTS.len() - skipped.len(),
        skipped,
    })
}

/// Charts that were not drawn, by name, and why.
type Skipped = Vec<(&'static str, String)>;

/// Stages every file of a report.
fn stage(document: &Document, staging: &mut Staging) -> Result<Skipped, ReportError> {
    let mut skipped = Vec::new();
    for section in &document.sections {
        let name = section.chart.name;
        match &section.picture {
            Ok(picture) => {
                staging.write(chart_file(name, "svg"), &picture.svg)?;
                let png = staging.reserve(chart_file(name, "png"))?;
                canvas::write_png(&picture.scene, &png)?;
            }
            Err(reason) => skipped.push((name, reason.0.clone())),
        }
    }
    let summary = latex::render(&summary::tables(&document.lines));
    staging.write("summary.tex", &summary)?;
    staging.write("comparison.tex", &latex::render(&document.against.tables()))?;
    staging.write("report.md", &markdown::render(document))?;
    staging.write("index.html", &page::render(document))?;
    Ok(skipped)
}

/// The first row of each run id, and how many others there were.
fn unique(mut rows: Vec<Row>) -> (Vec<Row>, usize) {
    let all = rows.len();
    let mut seen = HashSet::new();
    rows.retain(|row| seen.insert(row.run_id.clone()));
    let repeated = all - rows.len();
    (rows, repeated)
}

fn chart_file(name: &str, extension: &str) -> PathBuf {
    Path::new(CHART_DIRECTORY).join(format!("{name}.{extension}"))
}

/// Removes what an earlier report drew and this one could not: it would show other rows.
fn remove_stale_charts(out: &Path, skipped: &[(&'static str, String)]) -> Result<(), StagingError> {
    for (name, _) in skipped {
        for extension in ["svg", "png"] {
            let path = out.join(chart_file(name, extension));
            if path.exists() {
                fs::remove_file(&path).map_err(|source| StagingError { path, source })?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
