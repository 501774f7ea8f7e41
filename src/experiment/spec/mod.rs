//! The validated form of an experiment file.
//!
//! [`Spec::read`] gives either an experiment that can be run as it stands, or an error that names file,
//! line, column and key, what is there, what is allowed, and what was perhaps meant. [`KEYS`] documents
//! every key.

mod document;
mod error;
mod exclude;
mod header;
mod keys;
mod levels;
mod lists;
mod matrix;
mod quantity;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use document::Document;
pub use error::{Fault, SpecError};
pub use header::Header;
pub use keys::{KEYS, Key};
pub use levels::PlannedLevel;
pub use quantity::{QuantityError, bytes, duration};

use super::configuration::Configuration;
use crate::search::{CancelToken, Limits};

/// Largest experiment file, in bytes.
pub const MAX_BYTES: u64 = 1 << 20;

/// Most runs of one experiment.
pub const MAX_RUNS: u128 = 1_000_000;

/// A validated experiment.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The table `[experiment]`.
    pub header: Header,
    /// The selected levels, in the order of the file; at least one, all playable.
    pub levels: Vec<PlannedLevel>,
    /// The combinations to run, in the order of the file; at least one, all different, all possible.
    pub configurations: Vec<Configuration>,
    /// The text it was read from.
    pub text: String,
}

/// Limits of one run; `None` is unlimited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RunLimits {
    /// Wall time of the search.
    pub time: Option<Duration>,
    /// Memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// Distinct states in the visited table.
    pub states: Option<u64>,
}

impl RunLimits {
    /// The same limits for a search that `cancel` stops.
    #[must_use]
    pub const fn for_search(self, cancel: CancelToken) -> Limits {
        Limits {
            time: self.time,
            memory_bytes: self.memory_bytes,
            states: self.states,
            cancel,
        }
    }
}

impl Spec {
    /// Reads and validates an experiment file and the level files that it names.
    ///
    /// Level files are looked up from the folder of the experiment file, then from the folder above, so
    /// that `experiments/x.toml` can name `levels/y.xsb` beside its folder, then from the working
    /// directory.
    ///
    /// # Errors
    /// [`SpecError`] for the first thing that is wrong.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, SpecError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let bytes = read_bytes(path, &name)?;
        let text = String::from_utf8(bytes).map_err(|error| SpecError::At {
            place: document::place(error.as_bytes(), error.utf8_error().valid_up_to()),
            file: name.clone(),
            key: String::new(),
            fault: Box::new(Fault::NotText),
        })?;
        Self::parse(&text, &name, &base_folders(path))
    }

    /// Validates the text of an experiment file; `file_name` is for messages. Level files are looked up
    /// from `base_folders`, in this order.
    ///
    /// # Errors
    /// [`SpecError`] for the first thing that is wrong.
    pub fn parse(text: &str, file_name: &str, base_folders: &[PathBuf]) -> Result<Self, SpecError> {
        let spec = Self::validated(text, file_name, base_folders);
        spec.map_err(|error| match is_level_file(text) {
            true => SpecError::Levels {
                file: file_name.to_owned(),
            },
            false => error,
        })
    }

    fn validated(text: &str, file_name: &str, base_folders: &[PathBuf]) -> Result<Self, SpecError> {
        let document = Document {
            file: file_name,
            text,
        };
        let file = document.read()?;
        let (header, span) = Header::new(&document, file.experiment)?;
        let matrix = document.tables("matrix", file.matrix)?;
        let configurations = matrix::configurations(&document, matrix, file.exclude)?;
        let tables = document.tables("levels", file.levels)?;
        let levels = levels::planned(&document, tables, base_folders)?;
        let fault = Fault::TooManyRuns {
            levels: levels.len(),
            configurations: configurations.len(),
            repetitions: header.repetitions,
        };
        if error::runs(levels.len(), configurations.len(), header.repetitions) > MAX_RUNS {
            return Err(document.error(span, "experiment", fault));
        }
        Ok(Self {
            header,
            levels,
            configurations,
            text: text.to_owned(),
        })
    }
}

/// Whether a text that is no experiment file is one of levels: it has a line of walls and what stands between them, which
/// TOML may take for a comment, and no table.
fn is_level_file(text: &str) -> bool {
    let is_wall = |line: &str| {
        let is_closed = line.len() > 2 && line.starts_with('#') && line.ends_with('#');
        is_closed && line.bytes().all(|byte| b"# $.*+@".contains(&byte))
    };
    let mut lines = text.lines().map(str::trim);
    lines.clone().any(is_wall) && !lines.any(|line| line.starts_with('['))
}

fn read_bytes(path: &Path, name: &str) -> Result<Vec<u8>, SpecError> {
    let mut bytes = Vec::new();
    let outcome =
        File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    let file = name.to_owned();
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
            Err(SpecError::Directory { file })
        }
        Err(source) => Err(SpecError::Unreadable { file, source }),
        Ok(length) if length as u64 > MAX_BYTES => Err(SpecError::TooLarge { file }),
        Ok(_) => Ok(bytes),
    }
}

/// The folders from which the level files of an experiment file are looked up.
fn base_folders(path: &Path) -> Vec<PathBuf> {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let above = absolute.ancestors().skip(1).take(2);
    let mut folders: Vec<PathBuf> = above.map(Path::to_owned).collect();
    folders.extend(std::env::current_dir());
    let mut seen = std::collections::HashSet::new();
    folders.retain(|folder| seen.insert(folder.clone()));
    folders
}

#[cfg(test)]
mod tests;
