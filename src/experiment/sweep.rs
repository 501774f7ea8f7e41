//! A sweep: the planned runs of an experiment, those that are done, and those that are left.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::cluster::{self, CollectionError};
use super::directory::{DirectoryError, Opening, ResultDirectory};
use super::machine::REVISION;
use super::manifest::{Manifest, ManifestError, Session};
use super::plan::{RunSpec, plan};
use super::recorder::{RecordError, Recorder};
use super::schedule::Overlap;
use super::shard::Shard;
use super::spec::Spec;
use super::status::Retry;
use super::{MANIFEST_FILE, Row, cores};

/// What to do with an experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SweepOptions {
    /// The experiment file.
    pub file: PathBuf,
    /// Where results go.
    pub out: PathBuf,
    /// What happens to results that are there.
    pub opening: Opening,
    /// Which runs that are done are done again.
    pub retry: Vec<Retry>,
    /// Which part of the runs to do; all if none.
    pub shard: Option<Shard>,
    /// Runs at the same time.
    pub overlap: Overlap,
}

impl SweepOptions {
    /// Completes the results in a directory, as their manifest says, one run at a time.
    #[must_use]
    pub fn resuming(manifest: &Manifest, directory: &Path) -> Self {
        Self {
            file: manifest.file.clone(),
            out: directory.to_owned(),
            opening: Opening::Resume,
            retry: Vec::new(),
            shard: manifest.shard,
            overlap: Overlap::default(),
        }
    }

    /// Whether the run of a row is to be done again.
    #[must_use]
    pub fn is_retried(&self, row: &Row) -> bool {
        self.retry.iter().any(|retry| retry.status() == row.status)
    }
}

/// A sweep that cannot begin.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The result directory cannot be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// Rows cannot be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The manifest cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// What other machines have published cannot be collected.
    #[error(transparent)]
    Collection(#[from] CollectionError),
    /// The kernel does not say which cores there are.
    #[error("the cores that this process may use cannot be found out: {0}")]
    Cores(#[source] std::io::Error),
    /// Runs cannot be kept on cores of their own.
    #[error(
        "pin = true: {threads} threads need as many cores of their own, and this process may use {cores}; lower `threads`, or set pin = false"
    )]
    Pinning {
        /// The most threads of a run.
        threads: usize,
        /// Cores that may be used.
        cores: usize,
    },
    /// Rows are there that do not belong to the plan.
    #[error(
        "{directory} holds {foreign} rows that are not of this plan: {reason}; choose another directory with --out, or begin anew with --fresh (which moves the old rows aside)"
    )]
    Foreign {
        /// The directory.
        directory: String,
        /// How many.
        foreign: usize,
        /// What has changed.
        reason: String,
    },
}

/// Refuses runs that cannot have cores of their own.
fn check_pinning(spec: &Spec, cores: usize) -> Result<(), SweepError> {
    let threads = spec.configurations.iter().map(|run| run.threads).max();
    match threads {
        Some(threads) if spec.header.pin && threads > cores => {
            Err(SweepError::Pinning { threads, cores })
        }
        _ => Ok(()),
    }
}

/// Everything that is needed to do the runs that are left. It holds the lock of its directory.
#[derive(Debug)]
pub struct Sweep {
    work: Work,
    closing: Closing,
    planned: usize,
    kept: Vec<Row>,
}

/// What runs need.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) spec: Spec,
    /// The runs to do.
    pub(super) left: Vec<RunSpec>,
    pub(super) recorder: Recorder,
    pub(super) overlap: Overlap,
    /// Cores that runs may use.
    pub(super) cores: Vec<usize>,
}

/// What the end of a sweep needs: the lock, and the manifest to complete.
#[derive(Debug)]
pub(super) struct Closing {
    directory: ResultDirectory,
    manifest: Manifest,
}

/// The runs of an experiment that belong to a part, in the order of execution.
#[must_use]
pub fn planned_runs(spec: &Spec, shard: Option<Shard>) -> Vec<RunSpec> {
    let mut runs = plan(spec, REVISION);
    runs.retain(|run| shard.is_none_or(|shard| shard.contains(run)));
    runs
}

/// A result directory that is open for writing, what is there already, and the plan.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) directory: ResultDirectory,
    pub(super) manifest: Manifest,
    pub(super) kept: Vec<Row>,
    pub(super) planned: Vec<RunSpec>,
}

impl Opened {
    /// Opens the result directory, collects what other machines have published there, and moves rows aside whose runs are
    /// to be done again.
    pub(super) fn open(
        spec: &Spec,
        options: &SweepOptions,
        notes: &mut Vec<String>,
    ) -> Result<Self, SweepError> {
        let planned = planned_runs(spec, options.shard);
        let mut manifest = Manifest::new(spec, &options.file, options.shard, &planned);
        let directory = ResultDirectory::open(&options.out, options.opening, notes)?;
        let kept = directory.rows(notes)?;
        if let Some(earlier) = earlier_manifest(directory.path(), &kept)? {
            check_rows(&kept, &manifest, &earlier, &options.out)?;
            if !kept.is_empty() && earlier.text != manifest.text {
                notes.push(format!(
                    "the experiment file has changed since; all {} rows that are there still belong to it",
                    kept.len()
                ));
            }
            manifest.sessions = earlier.sessions;
        }
        let kept = cluster::collect(&directory, &mut manifest, kept, notes)?;
        let kept = directory.retry(kept, |row| options.is_retried(row), notes)?;
        Ok(Self {
            directory,
            manifest,
            kept,
            planned,
        })
    }

    /// The planned runs without a row, in the order of execution.
    pub(super) fn left(&self) -> Vec<RunSpec> {
        let done: HashSet<&str> = self.kept.iter().map(|row| row.run_id.as_str()).collect();
        let is_left = |run: &&RunSpec| !done.contains(run.id.as_str());
        self.planned.iter().filter(is_left).cloned().collect()
    }
}

impl Sweep {
    /// Opens the result directory and finds out what is left to do. What is worth a word goes to `notes`.
    ///
    /// # Errors
    /// [`SweepError`] if the directory is in use, holds rows of another plan, or cannot be written.
    pub fn open(
        spec: Spec,
        options: &SweepOptions,
        notes: &mut Vec<String>,
    ) -> Result<Self, SweepError> {
        let cores = cores::usable().map_err(SweepError::Cores)?;
        check_pinning(&spec, cores.len())?;
        let opened = Opened::open(&spec, options, notes)?;
        let left = opened.left();
        let Opened {
            directory,
            mut manifest,
            kept,
            planned,
        } = opened;
        let recorder = Recorder::open(&directory)?;
        manifest.sessions.push(Session::start(&options.overlap));
        manifest.write(directory.path())?;
        Ok(Self {
            planned: planned.len(),
            work: Work {
                spec,
                left,
                recorder,
                overlap: options.overlap.clone(),
                cores,
            },
            closing: Closing {
                directory,
                manifest,
            },
            kept,
        })
    }

    /// Leaves runs out that are done elsewhere.
    pub(super) fn leave_out(&mut self, done: &HashSet<String>) {
        let before = self.work.left.len();
        self.work.left.retain(|run| !done.contains(&run.id));
        self.planned -= before - self.work.left.len();
    }

    /// Number of planned runs, done or not.
    #[must_use]
    pub const fn planned(&self) -> usize {
        self.planned
    }

    /// The runs to do, in the order of execution.
    #[must_use]
    pub fn left(&self) -> &[RunSpec] {
        &self.work.left
    }

    /// Rows of the runs that were done before.
    #[must_use]
    pub fn kept(&self) -> &[Row] {
        &self.kept
    }

    /// Takes the sweep apart: what runs need, and what the end needs.
    pub(super) fn into_parts(self) -> (Work, Closing) {
        (self.work, self.closing)
    }
}

impl Closing {
    /// Notes the end in the manifest and gives the directory back.
    pub(super) fn close(mut self) -> Result<(), ManifestError> {
        if let Some(session) = self.manifest.sessions.last_mut() {
            session.end();
        }
        self.manifest.write(self.directory.path())
    }
}

/// The manifest of earlier results. Rows without one cannot be told to be of this plan.
fn earlier_manifest(directory: &Path, kept: &[Row]) -> Result<Option<Manifest>, ManifestError> {
    if kept.is_empty() && !directory.join(MANIFEST_FILE).exists() {
        return Ok(None);
    }
    Manifest::read(directory).map(Some)
}

/// Refuses rows that are not of the plan, and says what has changed.
fn check_rows(
    kept: &[Row],
    now: &Manifest,
    earlier: &Manifest,
    directory: &Path,
) -> Result<(), SweepError> {
    let planned: HashSet<&str> = now.planned.iter().map(String::as_str).collect();
    let foreign = kept
        .iter()
        .filter(|row| !planned.contains(row.run_id.as_str()))
        .count();
    if foreign == 0 {
        return Ok(());
    }
    Err(SweepError::Foreign {
        directory: directory.display().to_string(),
        foreign,
        reason: what_changed(now, earlier),
    })
}

/// What is different between a plan and the plan of earlier results.
pub(super) fn what_changed(now: &Manifest, earlier: &Manifest) -> String {
    let part = |shard: Option<Shard>| {
        shard.map_or_else(|| "all runs".to_owned(), |shard| format!("part {shard}"))
    };
    let mut changes = Vec::new();
    if earlier.experiment != now.experiment {
        changes.push(format!("they are of experiment {:?}", earlier.experiment));
    } else if earlier.text != now.text {
        changes.push("the experiment file has changed since".to_owned());
    }
    if earlier.revision != now.revision {
        changes.push(format!(
            "they were measured by revision {}, and this is {}",
            earlier.revision, now.revision
        ));
    }
    if earlier.shard != now.shard {
        changes.push(format!(
            "they are of {}, and {} is asked for",
            part(earlier.shard),
            part(now.shard)
        ));
    }
    if earlier.levels != now.levels {
        changes.push("the levels have changed since".to_owned());
    }
    if changes.is_empty() {
        changes
            .push("nothing of the experiment has changed, so they were added by hand".to_owned());
    }
    changes.join("; ")
}
