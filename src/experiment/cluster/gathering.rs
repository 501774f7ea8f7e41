//! What is there of a plan at this moment, with all that others have published.

use std::path::PathBuf;

use crate::experiment::Row;
use crate::experiment::plan::RunSpec;
use crate::experiment::spec::Spec;
use crate::experiment::sweep::{Opened, SweepError, SweepOptions};

/// A result directory that is set up and complete as far as others have published; nobody holds its lock any more.
#[derive(Debug)]
pub struct Gathered {
    /// The directory.
    pub out: PathBuf,
    /// Number of planned runs, done or not.
    pub planned: usize,
    /// Planned runs without a row, in the order of execution.
    pub left: Vec<RunSpec>,
    /// Rows of the others.
    pub rows: Vec<Row>,
}

/// Opens a result directory, makes it if need be, collects what is published there, and closes it.
///
/// # Errors
/// [`SweepError`] if the directory is in use, holds rows of another plan, or cannot be written.
pub fn gather(
    spec: &Spec,
    options: &SweepOptions,
    notes: &mut Vec<String>,
) -> Result<Gathered, SweepError> {
    let opened = Opened::open(spec, options, notes)?;
    opened.manifest.write(opened.directory.path())?;
    Ok(Gathered {
        out: options.out.clone(),
        left: opened.left(),
        planned: opened.planned.len(),
        rows: opened.kept,
    })
}
