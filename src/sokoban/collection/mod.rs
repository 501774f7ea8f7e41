//! Level collections: reading them from files of the formats in use.
//!
//! A collection is text with boards in XSB, plain or run-length, or an XML document (`.slc`); the
//! content decides, not the file name. A level that is broken never hides the good ones: it keeps
//! its number, and [`Collection::problems`] says what is wrong with it.

mod board_text;
mod decode;
mod line;
mod notes;
mod places;
mod slc;
mod xsb;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use thiserror::Error;

use super::Level;
use super::finding::{Finding, Place, Problem, Severity};

pub use places::Places;

/// Largest file read, in bytes; the largest public collections have a few megabytes.
pub const MAX_BYTES: u64 = 64 << 20;

/// Most squares of all levels together, so that a short run-length text cannot fill the memory. The
/// largest public collections have about a million.
pub const MAX_TOTAL_SQUARES: usize = 1 << 24;

/// Levels read from one file or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// The path, or whatever it was read from, for messages.
    pub name: String,
    /// All levels in file order; `levels[i].number` is `i + 1`. Those with an error among the
    /// problems were not read as written: take levels for use from [`Collection::level`].
    pub levels: Vec<Level>,
    /// What was wrong with the text, in file order. Whether a level is playable is not looked at here:
    /// see [`check`](super::check).
    pub problems: Vec<Finding>,
    /// Where the squares of each level stand in the text.
    places: Vec<Places>,
}

/// Why a file gave no collection.
#[derive(Debug, Error)]
pub enum CollectionError {
    /// No such file.
    #[error(
        "{path}: no such file; expected a level collection (scripts/fetch-levels brings public ones to levels/public/)"
    )]
    Missing {
        /// The path as given.
        path: String,
    },
    /// A directory in the place of the file.
    #[error("{path} is a directory; expected a level file: name one that is in it")]
    Directory {
        /// The path as given.
        path: String,
    },
    /// The file could not be read.
    #[error("{path}: cannot be read: {source}; expected a readable level file")]
    Unreadable {
        /// The path as given.
        path: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is larger than [`MAX_BYTES`].
    #[error("{path}: larger than {MAX_BYTES} bytes; expected a level collection")]
    TooLarge {
        /// The path as given.
        path: String,
    },
}

/// Why a collection has no usable level of a number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LevelError {
    /// No level has the number.
    #[error("{name}: there is no level {number}; expected 1 to {count}")]
    NoSuchLevel {
        /// Name of the collection.
        name: String,
        /// The number asked for.
        number: usize,
        /// Levels in the collection.
        count: usize,
    },
    /// The level was not read as written.
    #[error("{}; `sokolab check {name}` lists every finding", finding.render(name))]
    Broken {
        /// Name of the collection.
        name: String,
        /// The first error.
        finding: Box<Finding>,
    },
}

impl Collection {
    /// The level with a number, from 1, if it was read as written.
    ///
    /// # Errors
    /// [`LevelError`] if there is none, or if reading it met an error.
    pub fn level(&self, number: usize) -> Result<&Level, LevelError> {
        let name = || self.name.clone();
        let level = number.checked_sub(1).and_then(|i| self.levels.get(i));
        let level = level.ok_or_else(|| LevelError::NoSuchLevel {
            name: name(),
            number,
            count: self.levels.len(),
        })?;
        let error = self
            .problems
            .iter()
            .find(|problem| problem.level == Some(number) && problem.severity() == Severity::Error);
        match error {
            None => Ok(level),
            Some(finding) => Err(LevelError::Broken {
                name: name(),
                finding: Box::new(finding.clone()),
            }),
        }
    }

    /// Where the squares of the level with this number stand in the text.
    #[must_use]
    pub fn places(&self, number: usize) -> Option<&Places> {
        number.checked_sub(1).and_then(|i| self.places.get(i))
    }
}

/// Reads a collection from a file.
///
/// # Errors
/// [`CollectionError`] if the file cannot be read. Whatever is wrong with its content is among the
/// [`problems`](Collection::problems) instead.
pub fn read(path: impl AsRef<Path>) -> Result<Collection, CollectionError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    let outcome =
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(CollectionError::Missing { path: name })
        }
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
            Err(CollectionError::Directory { path: name })
        }
        Err(source) => Err(CollectionError::Unreadable { path: name, source }),
        Ok(length) if length as u64 > MAX_BYTES => Err(CollectionError::TooLarge { path: name }),
        Ok(_) => Ok(parse(&bytes, name)),
    }
}

/// Reads a collection from bytes: UTF-8, UTF-16 with a byte order mark, else Latin-1.
///
/// Never fails: what could not be read is among the [`problems`](Collection::problems). Takes time
/// and memory linear in the text and in the squares of its boards, which are limited to [`MAX_TOTAL_SQUARES`].
#[must_use]
pub fn parse(bytes: &[u8], name: impl Into<String>) -> Collection {
    let text = decode::decode(bytes);
    let mut parts = if slc::is_document(&text) {
        slc::parse(&text)
    } else {
        xsb::parse(&text)
    };
    if parts.levels.is_empty() {
        parts.problems.push(Finding {
            level: None,
            place: Place { line: 1, column: 1 },
            problem: Problem::NoLevels,
        });
    }
    parts.problems.sort_by_key(|finding| finding.place);
    Collection {
        name: name.into(),
        levels: parts.levels,
        problems: parts.problems,
        places: parts.places,
    }
}

/// What a format reader found.
#[derive(Debug, Default)]
struct Parts {
    levels: Vec<Level>,
    places: Vec<Places>,
    problems: Vec<Finding>,
    /// Squares of all levels.
    squares: usize,
    full: bool,
}

impl Parts {
    /// Adds a level and returns its number, or reports that there is no room for it.
    fn push(&mut self, board: board_text::BoardText) -> Option<usize> {
        let number = self.levels.len() + 1;
        let (level, places, problems) = board.finish(number);
        let squares = self.squares + level.width * level.height();
        // Once full it stays full: a gap would shift the numbers of later levels.
        if self.full || squares > MAX_TOTAL_SQUARES {
            self.refuse(level.line);
            return None;
        }
        self.squares = squares;
        self.levels.push(level);
        self.places.push(places);
        self.problems.extend(problems);
        Some(number)
    }

    fn refuse(&mut self, line: usize) {
        if !std::mem::replace(&mut self.full, true) {
            self.problems.push(Finding {
                level: None,
                place: Place { line, column: 1 },
                problem: Problem::CollectionTooLarge {
                    max_squares: MAX_TOTAL_SQUARES,
                },
            });
        }
    }
}

#[cfg(test)]
mod tests;
