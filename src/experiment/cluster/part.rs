//! Doing one part: an attempt of one's own, from what is left of the part to its publication.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::attempt;
use super::collection::{CollectionError, uncollected_rows};
use super::layout::ShardFolder;
use super::publication::{Finished, Publication, PublicationError, link_once, publish};
use crate::experiment::directory::{DirectoryError, system};
use crate::experiment::machine::host;
use crate::experiment::manifest::{Manifest, ManifestError};
use crate::experiment::shard::Shard;
use crate::experiment::spec::Spec;
use crate::experiment::sweep::{Sweep, SweepError, SweepOptions, planned_runs, what_changed};
use crate::experiment::{MANIFEST_FILE, Opening, RowsError, peek_rows};

/// A part that cannot be done.
#[derive(Debug, Error)]
pub enum PartError {
    /// The attempt cannot begin.
    #[error(transparent)]
    Sweep(#[from] SweepError),
    /// The system refuses.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The manifest of the whole cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Rows that are there cannot be read.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// What others have published cannot be read.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The directory is that of another plan.
    #[error(
        "{directory} belongs to another plan: {reason}; choose another directory with --out, or move that one away"
    )]
    OtherPlan {
        /// The directory.
        directory: String,
        /// What is different.
        reason: String,
    },
}

/// An attempt that has begun, as it will be published.
#[derive(Debug)]
pub struct Attempt {
    folder: ShardFolder,
    round: u64,
    name: String,
}

/// Begins an attempt at a part of a plan in the result directory `options.out`, which other processes on other machines
/// write to at the same time. None if nothing of the part is left.
///
/// # Errors
/// [`PartError`] if the directory belongs to another plan, or cannot be read or written.
pub fn begin(
    spec: Spec,
    options: &SweepOptions,
    shard: Shard,
    notes: &mut Vec<String>,
) -> Result<Option<(Sweep, Attempt)>, PartError> {
    let out = &options.out;
    let variable = |key: &str| std::env::var(key).ok();
    let name = attempt::name(variable, &host(), std::process::id());
    let planned = planned_runs(&spec, None);
    let whole = Manifest::new(&spec, &options.file, None, &planned);
    settle_plan(out, &whole, &name)?;
    // The round comes first: what is published while rows are read then has a slot that is taken.
    let folder = ShardFolder::new(out, shard);
    let round = folder.rounds() + 1;
    let done = done(out)?;
    let mut runs = planned.iter().filter(|run| shard.contains(run));
    if runs.all(|run| done.contains(&run.id)) {
        return Ok(None);
    }
    let (name, path) = attempt::create(&folder.attempts(), &name)?;
    let options = SweepOptions {
        out: path,
        opening: Opening::Continue,
        shard: Some(shard),
        ..options.clone()
    };
    let mut sweep = Sweep::open(spec, &options, notes)?;
    sweep.leave_out(&done);
    let attempt = Attempt {
        folder,
        round,
        name,
    };
    Ok(Some((sweep, attempt)))
}

impl Attempt {
    /// Publishes the attempt, all of whose runs are done.
    ///
    /// # Errors
    /// [`PublicationError`]; then the rows are where they were written, and count for nothing yet.
    pub fn publish(&self) -> Result<Publication, PublicationError> {
        let finished = Finished::of(&self.folder, self.round, &self.name)?;
        publish(&self.folder, &finished)
    }

    /// Where the attempt keeps its rows.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.attempt(&self.name)
    }
}

/// Leaves the manifest of the whole plan in the result directory, unless one is there; that one must be of the same plan.
fn settle_plan(out: &Path, whole: &Manifest, name: &str) -> Result<(), PartError> {
    if !out.join(MANIFEST_FILE).exists() {
        // Several processes may be here at once. Each writes a file of its own, and the first link stays.
        let own = out.join(format!("manifest-{name}"));
        fs::create_dir_all(&own).map_err(system(&own, "made"))?;
        whole.write(&own)?;
        let (from, to) = (own.join(MANIFEST_FILE), out.join(MANIFEST_FILE));
        let linked = link_once(&from, &to);
        fs::remove_dir_all(&own).map_err(system(&own, "removed"))?;
        if !to.exists() {
            linked.map_err(system(&to, "linked"))?;
        }
    }
    let settled = Manifest::read(out)?;
    let planned: HashSet<&String> = settled.planned.iter().collect();
    if whole.planned.iter().all(|id| planned.contains(id)) {
        return Ok(());
    }
    Err(PartError::OtherPlan {
        directory: out.display().to_string(),
        reason: what_changed(whole, &settled),
    })
}

/// Identities of the runs that have a row, collected or published.
fn done(out: &Path) -> Result<HashSet<String>, PartError> {
    // Published rows come first: one that is collected in between is then seen twice rather than not at all.
    let uncollected = uncollected_rows(out)?;
    let collected = peek_rows(out, &mut Vec::new())?;
    let rows = uncollected.into_iter().chain(collected);
    Ok(rows.map(|row| row.run_id).collect())
}
