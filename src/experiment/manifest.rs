//! `manifest.toml`: where rows come from, so that they can be understood, checked and completed later,
//! on another machine and without the files that they were made from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::directory::MANIFEST_FILE;
use super::machine::{self, COMPILER, FLAGS, Machine, PROFILE, REVISION, lock_digest};
use super::plan::RunSpec;
use super::recorder::write_whole;
use super::schedule::Overlap;
use super::shard::Shard;
use super::spec::{Header, PlannedLevel, Spec, SpecError};
use crate::sokoban::Level;

/// What was asked, by which program, on which machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Name of the experiment.
    pub experiment: String,
    /// What it asks.
    pub question: String,
    /// Seed of the experiment.
    pub seed: u64,
    /// Which part of the runs belongs here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Revision of the program that the identities hold for.
    pub revision: String,
    /// The experiment file, as an absolute path.
    pub file: PathBuf,
    /// Directory in which the sweep was started.
    pub working_directory: PathBuf,
    /// The experiment file, word for word.
    pub text: String,
    /// Identities of all planned runs, in the order of execution.
    pub planned: Vec<String>,
    /// Each start of the sweep: the first one, and one for each time that it was resumed.
    pub sessions: Vec<Session>,
    /// The levels of the experiment.
    pub levels: Vec<KeptLevel>,
}

/// Why the times of two sets of results cannot be compared: they were measured on different machines or by different kinds
/// of builds. None if they can be.
#[must_use]
pub fn incomparable(old: &Manifest, new: &Manifest) -> Option<String> {
    let facts = |manifest: &Manifest| -> BTreeSet<String> {
        let sessions = manifest.sessions.iter();
        let text = |fact: &Option<String>| fact.clone().unwrap_or_else(|| "unknown".to_owned());
        sessions
            .map(|session| {
                let machine = &session.machine;
                format!(
                    "{} ({}, {} hardware threads, {} build)",
                    text(&machine.host),
                    text(&machine.cpu),
                    machine.hardware_threads.unwrap_or_default(),
                    session.profile
                )
            })
            .collect()
    };
    let (old, new) = (facts(old), facts(new));
    let list = |facts: BTreeSet<String>| facts.into_iter().collect::<Vec<_>>().join(" and ");
    (old != new).then(|| format!("measured on {}, then on {}", list(old), list(new)))
}

/// One start of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Start, in seconds since 1970 (UTC).
    pub started_unix_s: f64,
    /// End; missing if the sweep was killed, or still runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_unix_s: Option<f64>,
    /// Runs at the same time.
    pub jobs: usize,
    /// Whether they were allowed to crowd the cores.
    #[serde(default)]
    pub jobs_forced: bool,
    /// Version of sokolab.
    pub version: String,
    /// Compiler that built it.
    pub compiler: String,
    /// `release` or `debug`.
    pub profile: String,
    /// What the compiler was told that decides speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<String>,
    /// SHA-256 of the lock file of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock_sha256: Option<String>,
    /// Tasks that ran or waited for a processor, on average over the minute before the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// The machine.
    pub machine: Machine,
}

/// A level as it was searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeptLevel {
    /// File, as the experiment file names it.
    pub file: String,
    /// Number in the file, from 1.
    pub number: u64,
    /// Title; empty if there is none.
    pub title: String,
    /// The board in XSB.
    pub board: String,
}

impl KeptLevel {
    fn of(planned: &PlannedLevel) -> Self {
        Self {
            file: planned.file.clone(),
            number: planned.number as u64,
            title: planned.title.clone(),
            board: planned.level.to_xsb(),
        }
    }

    /// The level.
    #[must_use]
    pub fn level(&self) -> Level {
        Level::from_rows(&self.board.lines().collect::<Vec<_>>())
    }
}

/// A manifest that cannot be used.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("{file}: {source}; expected a directory that `sokolab run` wrote")]
    Read {
        /// The path.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no manifest.
    #[error("{file}: {source}; expected a manifest that `sokolab run` wrote")]
    Content {
        /// The path.
        file: String,
        /// What is wrong.
        source: toml::de::Error,
    },
    /// It cannot be put in words.
    #[error("{file}: {source}")]
    Form {
        /// The path.
        file: String,
        /// Why.
        source: toml::ser::Error,
    },
    /// It cannot be written.
    #[error("{file}: cannot be written: {source}")]
    Write {
        /// The path.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
}

impl Manifest {
    /// What is to be kept of an experiment and its plan; no session yet.
    #[must_use]
    pub fn new(spec: &Spec, file: &Path, shard: Option<Shard>, planned: &[RunSpec]) -> Self {
        Self {
            experiment: spec.header.name.clone(),
            question: spec.header.question.clone(),
            seed: spec.header.seed,
            shard,
            revision: REVISION.to_owned(),
            file: std::path::absolute(file).unwrap_or_else(|_| file.to_owned()),
            working_directory: std::env::current_dir().unwrap_or_default(),
            planned: planned.iter().map(|run| run.id.clone()).collect(),
            text: spec.text.clone(),
            sessions: Vec::new(),
            levels: spec.levels.iter().map(KeptLevel::of).collect(),
        }
    }

    /// Reads the manifest of a result directory.
    ///
    /// # Errors
    /// [`ManifestError`] if there is none, or it cannot be understood.
    pub fn read(directory: &Path) -> Result<Self, ManifestError> {
        let path = directory.join(MANIFEST_FILE);
        let file = path.display().to_string();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(ManifestError::Read { file, source }),
        };
        toml::from_str(&text).map_err(|source| ManifestError::Content { file, source })
    }

    /// Writes the manifest of a result directory, as a whole or not at all.
    ///
    /// # Errors
    /// [`ManifestError`] if the system refuses.
    pub fn write(&self, directory: &Path) -> Result<(), ManifestError> {
        let path = directory.join(MANIFEST_FILE);
        let file = path.display().to_string();
        match toml::to_string_pretty(self) {
            Ok(text) => write_whole(&path, text.as_bytes())
                .map_err(|source| ManifestError::Write { file, source }),
            Err(source) => Err(ManifestError::Form { file, source }),
        }
    }

    /// The table `[experiment]` as it was when the results were begun.
    ///
    /// # Errors
    /// [`SpecError`] if another version of the program wrote a text that this one does not understand.
    pub fn header(&self) -> Result<Header, SpecError> {
        Header::parse(&self.text, &self.file.display().to_string())
    }

    /// The experiment as it was when the results were begun. Levels are looked up where they were.
    ///
    /// # Errors
    /// [`SpecError`] if levels are gone or have become unusable.
    pub fn spec(&self) -> Result<Spec, SpecError> {
        let above = self.file.ancestors().skip(1).take(2).map(Path::to_owned);
        let folders: Vec<PathBuf> = above.chain([self.working_directory.clone()]).collect();
        Spec::parse(&self.text, &self.file.display().to_string(), &folders)
    }
}

impl Session {
    /// A session that starts now, on this machine, with this program.
    #[must_use]
    pub fn start(overlap: &Overlap) -> Self {
        Self {
            started_unix_s: now_unix_s(),
            ended_unix_s: None,
            jobs: overlap.jobs,
            jobs_forced: overlap.forced,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            compiler: COMPILER.to_owned(),
            profile: PROFILE.to_owned(),
            flags: Some(FLAGS.to_owned()),
            lock_sha256: Some(lock_digest()),
            load: machine::load(),
            machine: Machine::this(),
        }
    }

    /// Ends the session now.
    pub fn end(&mut self) {
        self.ended_unix_s = Some(now_unix_s());
    }
}

fn now_unix_s() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let mut session = Session::start(&Overlap::default());
        session.end();
        Manifest {
            experiment: "first".to_owned(),
            question: "What?".to_owned(),
            seed: 3,
            shard: "2/5".parse().ok(),
            revision: "abc-dirty".to_owned(),
            file: PathBuf::from("/experiments/first.toml"),
            working_directory: PathBuf::from("/"),
            planned: vec!["a".to_owned(), "b".to_owned()],
            text: "[experiment]\nname = \"first\" # '''\n".to_owned(),
            sessions: vec![session, Session::start(&Overlap::default())],
            levels: vec![KeptLevel {
                file: "levels/a.xsb".to_owned(),
                number: 7,
                title: "Seven".to_owned(),
                board: "  ####\n###  #\n#@$. #\n######\n".to_owned(),
            }],
        }
    }

    #[test]
    fn a_manifest_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = manifest();
        manifest.write(folder.path()).unwrap();
        let read = Manifest::read(folder.path()).unwrap();
        assert_eq!(read, manifest);
        assert_eq!(read.levels[0].level().to_xsb(), manifest.levels[0].board);
    }

    /// As the program wrote it before starts told flags, lock file and load.
    const OLDER: &str = r#"
experiment = "first"
question = "What?"
seed = 3
revision = "abc"
file = "/experiments/first.toml"
working_directory = "/"
text = """
[experiment]
name = "first"
question = "What?"
hypothesis = "More."
time_limit = "3s"
"""
planned = ["a"]

[[sessions]]
started_unix_s = 1.5
jobs = 1
version = "0.1.0"
compiler = "rustc"
profile = "release"

[sessions.machine]

[[levels]]
file = "levels/a.xsb"
number = 7
title = ""
board = "@"
"#;

    #[test]
    fn a_manifest_without_the_newer_fields_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(MANIFEST_FILE), OLDER).unwrap();
        let read = Manifest::read(folder.path()).unwrap();
        let [session] = &read.sessions[..] else {
            panic!("one start: {read:?}");
        };
        assert!(!session.jobs_forced);
        assert_eq!((&session.flags, &session.lock_sha256), (&None, &None));
        assert_eq!((session.load, session.ended_unix_s), (None, None));
        let header = read.header().unwrap();
        assert_eq!(header.hypothesis.as_deref(), Some("More."));
        assert_eq!(header.limits.time, Some(std::time::Duration::from_secs(3)));
    }

    #[test]
    fn times_of_different_machines_and_builds_are_not_compared() {
        let on = |host: &str, profile: &str| {
            let mut session = Session::start(&Overlap::default());
            session.machine.host = Some(host.to_owned());
            session.profile = profile.to_owned();
            Manifest {
                sessions: vec![session],
                ..manifest()
            }
        };
        let (here, there) = (on("here", "release"), on("there", "release"));
        assert_eq!(incomparable(&here, &here), None);
        let reason = incomparable(&here, &there).unwrap();
        assert!(
            reason.starts_with("measured on here (") && reason.contains("then on there ("),
            "{reason}"
        );
        assert!(incomparable(&here, &on("here", "debug")).is_some());
    }

    #[test]
    fn what_is_no_result_directory_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let error = Manifest::read(folder.path()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("expected a directory that `sokolab run` wrote")
        );
    }
}
