//! What can be wrong with an experiment file.

use std::io;

use thiserror::Error;

use super::keys;
use super::quantity::QuantityError;
use crate::experiment::choices::{UnknownName, did_you_mean};
use crate::experiment::configuration::ConfigurationError;
use crate::sokoban::BoardError;
use crate::sokoban::collection::{CollectionError, LevelError};
use crate::sokoban::finding::Place;
use crate::sokoban::selection::SelectionError;

/// Why an experiment file was refused.
#[derive(Debug, Error)]
pub enum SpecError {
    /// A directory in the place of the file.
    #[error("{file} is a directory; expected an experiment file, such as {file}/NAME.toml")]
    Directory {
        /// The path as given.
        file: String,
    },
    /// A level file in the place of the experiment file.
    #[error(
        "{file} is a level file; expected an experiment file, which names level files in [[levels]]; to solve a level of it: sokolab solve {file}#1"
    )]
    Levels {
        /// The path as given.
        file: String,
    },
    /// The file cannot be read.
    #[error("{file}: cannot be read: {source}; expected an experiment file")]
    Unreadable {
        /// The path as given.
        file: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is larger than [`MAX_BYTES`](super::MAX_BYTES).
    #[error(
        "{file}: larger than {} bytes; expected an experiment file",
        super::MAX_BYTES
    )]
    TooLarge {
        /// The path as given.
        file: String,
    },
    /// Something in the file is wrong.
    #[error("{file}:{}:{}: {}{fault}", .place.line, .place.column, key_prefix(.key))]
    At {
        /// The path as given.
        file: String,
        /// Where in the file.
        place: Place,
        /// The key with its table, such as `matrix.strategy`; empty if none is concerned.
        key: String,
        /// What is there, what was expected, what to do.
        fault: Box<Fault>,
    },
}

/// What is wrong at a place of the file.
#[derive(Debug, Error)]
pub enum Fault {
    /// Bytes that are no text.
    #[error("not UTF-8 text; save the file as UTF-8")]
    NotText,
    /// No TOML document.
    #[error("not valid TOML: {0}")]
    Syntax(String),
    /// A key that the table does not know.
    #[error("unknown key in {}; expected {}{}", keys::header(.table), .allowed.join(", "), did_you_mean(.suggestion))]
    UnknownKey {
        /// The table it stands in.
        table: String,
        /// The keys of the table.
        allowed: Vec<&'static str>,
        /// The key that was perhaps meant.
        suggestion: Option<&'static str>,
    },
    /// A key that must be there.
    #[error("missing in {}; expected {expected}", keys::header(.table))]
    MissingKey {
        /// The table it belongs in.
        table: &'static str,
        /// The form of its value.
        expected: &'static str,
    },
    /// A value of another type.
    #[error("found {found}; expected {expected}")]
    WrongType {
        /// What is there.
        found: String,
        /// The form of the value.
        expected: &'static str,
    },
    /// A list without items.
    #[error("the list is empty; expected {0}")]
    EmptyList(&'static str),
    /// A value that stands in its list before.
    #[error("stands in this list already; name each value once")]
    Twice,
    /// A text without content.
    #[error("the text is empty; expected {0}")]
    EmptyText(&'static str),
    /// An `[[exclude]]` without keys.
    #[error("without a key it would exclude everything; expected at least one of {}", .0.join(", "))]
    EmptyExclude(Vec<&'static str>),
    /// A number outside of its range.
    #[error("{found} is out of range; expected {expected}")]
    OutOfRange {
        /// What is there.
        found: i64,
        /// The range.
        expected: &'static str,
    },
    /// A name that cannot name a folder on every system.
    #[error(
        "{0:?} cannot name a folder of results; expected letters, digits, '-', '_' and '.', not '.' first, at most 100 of them"
    )]
    Name(String),
    /// A name that no allowed value has.
    #[error(transparent)]
    UnknownName(#[from] UnknownName),
    /// A malformed duration or size.
    #[error(transparent)]
    Quantity(#[from] QuantityError),
    /// A level file that is in none of the places.
    #[error("no such file; looked for {}", .0.join(", "))]
    NoLevelFile(Vec<String>),
    /// A level file that cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// A malformed or impossible selection.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A selected level that was not read as written.
    #[error("{0}; leave the level out of the selection, or mend it")]
    Level(#[from] LevelError),
    /// A selected level that cannot be played.
    #[error(
        "level {number}: {source}; leave the level out of the selection, or mend it: `sokolab check {path}` lists every finding"
    )]
    Board {
        /// Number of the level.
        number: usize,
        /// The level file.
        path: String,
        /// Why it cannot be played.
        source: BoardError,
    },
    /// A level that an earlier `[[levels]]` selected.
    #[error("level {number} was selected before, on line {line}; select each level of a file once")]
    LevelTwice {
        /// Number of the level.
        number: usize,
        /// Line of the other selection.
        line: usize,
    },
    /// A strategy that orders states by a heuristic, and none is named.
    #[error("\"{0}\" orders states by a heuristic, and none is named; add heuristic = [{1}]")]
    NoHeuristic(&'static str, String),
    /// Combinations that no engine can run.
    #[error("{source}; or exclude such combinations with\n\n{exclude}")]
    Impossible {
        /// Why the first of them cannot be run.
        source: ConfigurationError,
        /// The tables that exclude all of them.
        exclude: String,
    },
    /// Every combination is excluded.
    #[error("[[exclude]] leaves no combination of any [[matrix]] to run; remove one of them")]
    NothingLeft,
    /// More runs than a plan holds.
    #[error(
        "{levels} levels, {configurations} combinations and {repetitions} repetitions are {} runs; expected at most {}; divide the experiment",
        runs(*.levels, *.configurations, *.repetitions), super::MAX_RUNS
    )]
    TooManyRuns {
        /// Levels selected.
        levels: usize,
        /// Combinations left.
        configurations: usize,
        /// Repetitions.
        repetitions: u64,
    },
}

/// Runs of an experiment; the number saturates.
pub(super) fn runs(levels: usize, configurations: usize, repetitions: u64) -> u128 {
    let once = (levels as u128).saturating_mul(configurations as u128);
    once.saturating_mul(u128::from(repetitions))
}

fn key_prefix(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!("{key}: ")
    }
}
