//! Parts of a report inside a page that somebody else writes: between two markers, and nowhere else.
//!
//! ```text
//! <!-- sokolab:begin summary -->
//! whatever stands here is replaced
//! <!-- sokolab:end summary -->
//! ```
//!
//! A marker is a line of its own. Markers inside a fenced block of code are text, so that a page can explain them.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::charts::CHARTS;
use super::document::Document;
use super::markdown;
use super::staging::{self, StagingError};

const OPENING: &str = "<!-- sokolab:";
const CLOSING: &str = "-->";
/// Prefix of the parts that are charts.
const CHART: &str = "chart:";

/// Where a report is spliced in, and how it was asked to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// The page.
    pub file: PathBuf,
    /// The command that does the same again, for its readers.
    pub command: String,
}

/// A page that a report cannot be spliced into.
#[derive(Debug, Error)]
pub enum SpliceError {
    /// The page cannot be read.
    #[error("{file}: {source}; expected a Markdown file with markers like {example}", example = example())]
    Read {
        /// The path.
        file: String,
        /// What the system says.
        source: io::Error,
    },
    /// Nothing to replace.
    #[error(
        "{file}: no markers; put {} where a part of the report goes, each on a line of its own; parts are {}",
        example(),
        parts()
    )]
    NoMarkers {
        /// The path.
        file: String,
    },
    /// A marker that cannot be followed.
    #[error("{file}, line {line}: {fault}")]
    Marker {
        /// The path.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what to do.
        fault: Fault,
    },
    /// The page cannot be written.
    #[error(transparent)]
    Write(#[from] StagingError),
}

/// What is wrong with a marker.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// Not of the form of a marker.
    #[error(
        "{0:?} is no marker; expected <!-- sokolab:begin NAME --> or <!-- sokolab:end NAME --> alone on its line"
    )]
    Malformed(String),
    /// The end is missing.
    #[error(
        "the part {name} has no end; put <!-- sokolab:end {name} --> on a line behind it, before the next part begins"
    )]
    NoEnd {
        /// Of the part.
        name: String,
    },
    /// The beginning is missing.
    #[error(
        "the part {name} ends but has not begun; put <!-- sokolab:begin {name} --> on a line before it, or remove this line"
    )]
    NoBegin {
        /// Of the part.
        name: String,
    },
    /// A part of this name does not exist.
    #[error("no part is called {name:?}; expected one of {}", parts())]
    Unknown {
        /// As it stands there.
        name: String,
    },
    /// These rows do not give that part.
    #[error("these rows give no {name}: {reason}; remove the markers, or report other rows")]
    NoContent {
        /// Of the part.
        name: String,
        /// Why.
        reason: String,
    },
}

fn example() -> String {
    "<!-- sokolab:begin summary --> and <!-- sokolab:end summary -->".to_owned()
}

fn parts() -> String {
    let charts = CHARTS.iter().map(|chart| format!("{CHART}{}", chart.name));
    let tables = ["summary", "comparison"].map(str::to_owned);
    let names: Vec<String> = tables.into_iter().chain(charts).collect();
    names.join(", ")
}

impl Splice {
    /// The page with the parts of this report in it; `report` is the directory of the report, which must be there. O(page).
    ///
    /// # Errors
    /// [`SpliceError`] if the page cannot be read, or for the first marker that cannot be followed.
    pub(super) fn render(&self, document: &Document, report: &Path) -> Result<String, SpliceError> {
        let file = self.file.display().to_string();
        let read = |source| SpliceError::Read {
            file: file.clone(),
            source,
        };
        let page = fs::read_to_string(&self.file).map_err(read)?;
        let from = self.file.canonicalize().map_err(read)?;
        let to = report.canonicalize().map_err(read)?;
        let content = Content {
            document,
            charts: relative(from.parent().unwrap_or(&from), &to),
            command: &self.command,
        };
        match replaced(&page, |name| content.of(name)) {
            Ok(Some(page)) => Ok(page),
            Ok(None) => Err(SpliceError::NoMarkers { file }),
            Err((line, fault)) => Err(SpliceError::Marker { file, line, fault }),
        }
    }

    /// Replaces the page all at once, unless it is the same already.
    ///
    /// # Errors
    /// [`SpliceError::Write`] if it cannot be written; it is as it was then.
    pub(super) fn write(&self, page: &str) -> Result<(), SpliceError> {
        let is_same = fs::read(&self.file).is_ok_and(|before| before == page.as_bytes());
        if is_same {
            return Ok(());
        }
        Ok(staging::replace(&self.file, page)?)
    }
}

/// What parts are made of.
struct Content<'a> {
    document: &'a Document,
    /// The directory of the report, seen from that of the page.
    charts: String,
    command: &'a str,
}

impl Content<'_> {
    /// A part, and how it was made.
    fn of(&self, name: &str) -> Result<String, Fault> {
        let part = match (name, name.strip_prefix(CHART)) {
            ("summary", _) => markdown::summary(self.document),
            ("comparison", _) => self.comparison()?,
            (_, Some(chart)) => self.chart(chart)?,
            _ => return Err(unknown(name)),
        };
        Ok(format!(
            "{part}\nMade by {}\n",
            markdown::code(self.command)
        ))
    }

    fn comparison(&self) -> Result<String, Fault> {
        match markdown::comparison(self.document) {
            empty if empty.is_empty() => Err(Fault::NoContent {
                name: "comparison".to_owned(),
                reason: "there is one configuration only".to_owned(),
            }),
            tables => Ok(tables),
        }
    }

    fn chart(&self, name: &str) -> Result<String, Fault> {
        let mut sections = self.document.sections.iter();
        let section = sections.find(|section| section.chart.name == name);
        let section = section.ok_or_else(|| unknown(&format!("{CHART}{name}")))?;
        match &section.picture {
            Ok(picture) => Ok(markdown::picture(&section.chart, picture, &self.charts)),
            Err(reason) => Err(Fault::NoContent {
                name: format!("{CHART}{name}"),
                reason: reason.0.clone(),
            }),
        }
    }
}

fn unknown(name: &str) -> Fault {
    Fault::Unknown {
        name: name.to_owned(),
    }
}

/// A line that is a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Marker<'a> {
    Begin(&'a str),
    End(&'a str),
}

/// What a line says, if it is meant to be a marker.
fn marker(line: &str) -> Option<Result<Marker<'_>, Fault>> {
    let line = line.trim();
    let inside = line.strip_prefix(OPENING)?.strip_suffix(CLOSING);
    let words: Vec<&str> = inside.unwrap_or_default().split_whitespace().collect();
    Some(match words[..] {
        ["begin", name] => Ok(Marker::Begin(name)),
        ["end", name] => Ok(Marker::End(name)),
        _ => Err(Fault::Malformed(line.to_owned())),
    })
}

/// The page with new contents between its markers; `None` if it has none. A fault comes with its line.
fn replaced(
    page: &str,
    content: impl Fn(&str) -> Result<String, Fault>,
) -> Result<Option<String>, (usize, Fault)> {
    let mut text = String::with_capacity(page.len());
    let mut open: Option<(usize, &str)> = None;
    let mut found = false;
    let mut fence = Fence::default();
    for (number, line) in (1..).zip(page.split_inclusive('\n')) {
        let is_code = open.is_none() && fence.covers(line);
        let marker = marker(line).filter(|_| !is_code).transpose();
        match (marker.map_err(|fault| (number, fault))?, open) {
            (None, None) => text.push_str(line),
            // What stands between the markers goes.
            (None, Some(_)) => {}
            (Some(Marker::Begin(name)), None) => {
                let part = content(name).map_err(|fault| (number, fault))?;
                text.push_str(line);
                text.push_str(&with_line_breaks_of(line, &format!("\n{part}\n")));
                open = Some((number, name));
                found = true;
            }
            (Some(Marker::End(name)), Some((_, begun))) if name == begun => {
                text.push_str(line);
                open = None;
            }
            (Some(Marker::End(name)), None) => {
                let name = name.to_owned();
                return Err((number, Fault::NoBegin { name }));
            }
            (Some(_), Some((begun, name))) => return Err((begun, no_end(name))),
        }
    }
    match open {
        Some((number, name)) => Err((number, no_end(name))),
        None => Ok(found.then_some(text)),
    }
}

fn no_end(name: &str) -> Fault {
    Fault::NoEnd {
        name: name.to_owned(),
    }
}

/// A page keeps its kind of line breaks.
fn with_line_breaks_of(line: &str, part: &str) -> String {
    match line.ends_with("\r\n") {
        true => part.replace('\n', "\r\n"),
        false => part.to_owned(),
    }
}

/// The fenced block of code that a line is in, by the signs that opened it.
#[derive(Default)]
struct Fence(Option<String>);

impl Fence {
    /// Whether a line belongs to a block; lines come one after another.
    fn covers(&mut self, line: &str) -> bool {
        let line = line.trim();
        match &self.0 {
            Some(signs) => {
                let is_end = line.starts_with(signs.as_str())
                    && line.trim_matches(|sign| signs.starts_with(sign)).is_empty();
                if is_end {
                    self.0 = None;
                }
                true
            }
            None => {
                let run = |sign: char| line.chars().take_while(|it| *it == sign).collect();
                let signs: [String; 2] = ['`', '~'].map(run);
                // More backticks on the line make it code within text.
                let is_fence = |signs: &String| {
                    signs.len() >= 3 && !line.trim_start_matches('`').contains('`')
                };
                self.0 = signs.into_iter().find(is_fence);
                self.0.is_some()
            }
        }
    }
}

/// The way from one directory to another, with slashes. Both are absolute and free of links.
fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[common..].iter().map(|_| "..".to_owned());
    let down = to[common..].iter();
    let down = down.map(|part| part.as_os_str().to_string_lossy().into_owned());
    match up.chain(down).collect::<Vec<_>>() {
        parts if parts.is_empty() => ".".to_owned(),
        parts => parts.join("/"),
    }
}

#[cfg(test)]
mod tests;
