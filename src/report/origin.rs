//! What the rows of a report were measured for, and whether they are all there.

use std::collections::HashSet;
use std::path::Path;

use crate::experiment::manifest::{Manifest, ManifestError};
use crate::experiment::{MANIFEST_FILE, Row};

/// An experiment that rows come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// What it asks.
    pub question: String,
    /// What was expected to come out.
    pub hypothesis: Option<String>,
    /// Planned runs without a row.
    pub missing: usize,
}

impl Origin {
    /// The experiment of a result directory, of which `rows` are there; `None` for a directory with rows alone.
    ///
    /// # Errors
    /// [`ManifestError`] if there is a manifest that cannot be understood.
    pub fn read(directory: &Path, rows: &[Row]) -> Result<Option<Self>, ManifestError> {
        if !directory.join(MANIFEST_FILE).exists() {
            return Ok(None);
        }
        Manifest::read(directory).map(|manifest| Some(Self::of(&manifest, rows)))
    }

    fn of(manifest: &Manifest, rows: &[Row]) -> Self {
        let done: HashSet<&str> = rows.iter().map(|row| row.run_id.as_str()).collect();
        let planned = manifest.planned.iter();
        Self {
            question: manifest.question.clone(),
            // A text of another version may have keys that this one does not know; its question is kept apart, and is there.
            hypothesis: manifest.header().ok().and_then(|it| it.hypothesis),
            missing: planned.filter(|id| !done.contains(id.as_str())).count(),
        }
    }
}
