//! Publication: of all attempts at a part that are finished, one is first, and its rows count.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::layout::{FINISHED_FILE, ShardFolder};
use crate::experiment::directory::{DirectoryError, system};
use crate::experiment::machine::hex;
use crate::experiment::recorder::write_whole;
use crate::experiment::shard::Shard;
use crate::experiment::{ROWS_FILE, Row, RowsError, SOLUTIONS, parse_rows};

/// What an attempt says when all of its runs are done; the content of `finished.toml`, and of the name that it is
/// published under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Finished {
    /// Name of the attempt.
    pub(super) attempt: String,
    /// The part.
    pub(super) shard: Shard,
    /// The round of the part, from 1.
    pub(super) round: u64,
    /// Number of rows.
    pub(super) rows: usize,
    /// SHA-256 of the file of the rows, in hexadecimal.
    pub(super) rows_sha256: String,
}

/// What came of an attempt to publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Publication {
    /// This attempt is the one whose rows count.
    Won,
    /// Another one was first.
    Lost {
        /// Its name.
        winner: String,
    },
}

/// An attempt that cannot be published, or a publication that cannot be read.
#[derive(Debug, Error)]
pub enum PublicationError {
    /// The system refuses.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// No hard link can be made.
    #[error(
        "{to}: no hard link can be made from {from}: {source}; publishing needs a file system with hard links: choose another directory with --out"
    )]
    Link {
        /// The file to publish.
        from: String,
        /// The name to publish it under.
        to: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no publication.
    #[error(
        "{file}: {message}; expected what an attempt writes at its end: move the file away, and the part is done again"
    )]
    Content {
        /// The file.
        file: String,
        /// What is wrong.
        message: String,
    },
    /// Rows that are not those that were published.
    #[error(
        "{file} has changed since it was published as {slot}; move that file away, and the part is done again"
    )]
    Changed {
        /// The file of the rows.
        file: String,
        /// The publication.
        slot: String,
    },
    /// The rows cannot be read.
    #[error(transparent)]
    Rows(#[from] RowsError),
}

impl Finished {
    /// What there is to say of an attempt whose rows are all on disk.
    pub(super) fn of(
        folder: &ShardFolder,
        round: u64,
        attempt: &str,
    ) -> Result<Self, PublicationError> {
        let path = folder.attempt(attempt).join(ROWS_FILE);
        let bytes = fs::read(&path).map_err(system(&path, "read"))?;
        Ok(Self {
            attempt: attempt.to_owned(),
            shard: folder.shard,
            round,
            rows: parse_rows(&bytes, &path.display().to_string())?.len(),
            rows_sha256: hex(&Sha256::digest(&bytes)),
        })
    }

    /// Reads a publication; none if there is none.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, PublicationError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(system(path, "read"))?,
        };
        let content = |error: toml::de::Error| PublicationError::Content {
            file: path.display().to_string(),
            message: error.to_string().trim_end().to_owned(),
        };
        toml::from_str(&text).map(Some).map_err(content)
    }

    /// The rows, as they were when they were published.
    pub(super) fn rows(&self, folder: &ShardFolder) -> Result<Vec<Row>, PublicationError> {
        let path = folder.attempt(&self.attempt).join(ROWS_FILE);
        let bytes = fs::read(&path).map_err(system(&path, "read"))?;
        let file = path.display().to_string();
        if hex(&Sha256::digest(&bytes)) != self.rows_sha256 {
            let slot = folder.slot(self.round).display().to_string();
            return Err(PublicationError::Changed { file, slot });
        }
        Ok(parse_rows(&bytes, &file)?)
    }
}

/// Publishes a finished attempt, unless another one was first.
pub(super) fn publish(
    folder: &ShardFolder,
    finished: &Finished,
) -> Result<Publication, PublicationError> {
    let from = folder.attempt(&finished.attempt).join(FINISHED_FILE);
    let to = folder.slot(finished.round);
    let content = |error: toml::ser::Error| PublicationError::Content {
        file: from.display().to_string(),
        message: error.to_string(),
    };
    let text = toml::to_string(finished).map_err(content)?;
    write_whole(&from, text.as_bytes()).map_err(system(&from, "written"))?;
    let attempt = folder.attempt(&finished.attempt);
    sync_names(&attempt).map_err(system(&attempt, "synced"))?;
    let linked = link_once(&from, &to);
    // The content decides and not the answer: a network file system may have made the link and lost the answer, and a
    // repeated request then finds the name taken.
    match (Finished::read(&to)?, linked) {
        (Some(winner), _) if winner == *finished => Ok(Publication::Won),
        (Some(winner), _) => Ok(Publication::Lost {
            winner: winner.attempt,
        }),
        (None, Err(source)) => Err(PublicationError::Link {
            from: from.display().to_string(),
            to: to.display().to_string(),
            source,
        }),
        (None, Ok(())) => Err(system(&to, "read")(io::ErrorKind::NotFound.into()).into()),
    }
}

/// Gives a file a second name, which must be free, and waits until that is on disk.
pub(super) fn link_once(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)?;
    let folder = to.parent().map_or_else(PathBuf::new, Path::to_owned);
    File::open(folder)?.sync_all()
}

/// Waits until the names of an attempt's files are on disk; their contents are. A machine that dies now leaves no publication
/// of rows that are lost.
fn sync_names(attempt: &Path) -> io::Result<()> {
    let solutions = attempt.join(SOLUTIONS);
    if solutions.exists() {
        File::open(&solutions)?.sync_all()?;
    }
    // Each folder is a name in the one above it, up to the result directory.
    let folders = attempt.ancestors().take(5);
    folders
        .map(File::open)
        .try_for_each(|folder| folder?.sync_all())
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;
    use crate::sokoban::pruning::RULE_NAMES;

    /// An attempt with no rows; its file differs from that of others by an empty line at the end.
    fn attempt(folder: &ShardFolder, number: usize) -> Finished {
        let name = format!("host-{number}");
        let path = folder.attempt(&name);
        fs::create_dir_all(&path).unwrap();
        let header = Row::header(&RULE_NAMES).join(",");
        let lines = format!("{header}{}", "\n".repeat(number + 1));
        fs::write(path.join(ROWS_FILE), lines).unwrap();
        Finished::of(folder, 1, &name).unwrap()
    }

    #[test]
    fn of_many_attempts_at_once_exactly_one_is_published() {
        for _ in 0..50 {
            let out = tempfile::tempdir().unwrap();
            let folder = ShardFolder::new(out.path(), "1/2".parse().unwrap());
            let attempts: Vec<Finished> = (0..8).map(|number| attempt(&folder, number)).collect();
            let barrier = Barrier::new(attempts.len());
            let results: Vec<Publication> = thread::scope(|scope| {
                let publish = |finished| {
                    barrier.wait();
                    publish(&folder, finished).unwrap()
                };
                let threads: Vec<_> = attempts
                    .iter()
                    .map(|finished| scope.spawn(move || publish(finished)))
                    .collect();
                let joined = threads.into_iter().map(|thread| thread.join().unwrap());
                joined.collect()
            });
            let winner = Finished::read(&folder.slot(1)).unwrap().unwrap();
            for (finished, result) in attempts.iter().zip(results) {
                let expected = if *finished == winner {
                    Publication::Won
                } else {
                    let winner = winner.attempt.clone();
                    Publication::Lost { winner }
                };
                assert_eq!(result, expected);
            }
        }
    }

    #[test]
    fn a_publication_whose_answer_was_lost_is_still_won() {
        let out = tempfile::tempdir().unwrap();
        let folder = ShardFolder::new(out.path(), "1/2".parse().unwrap());
        let finished = attempt(&folder, 0);
        assert_eq!(publish(&folder, &finished).unwrap(), Publication::Won);
        assert_eq!(publish(&folder, &finished).unwrap(), Publication::Won);
    }

    #[test]
    fn rows_that_have_changed_since_are_refused() {
        let out = tempfile::tempdir().unwrap();
        let folder = ShardFolder::new(out.path(), "1/2".parse().unwrap());
        let finished = attempt(&folder, 0);
        assert_eq!(finished.rows(&folder).unwrap(), []);
        let rows = folder.attempt(&finished.attempt).join(ROWS_FILE);
        fs::write(&rows, "").unwrap();
        let error = finished.rows(&folder).unwrap_err().to_string();
        assert!(
            error.contains("has changed since it was published"),
            "{error}"
        );
        assert!(error.contains("published-1.toml"), "{error}");
    }

    #[test]
    fn what_is_no_publication_is_told_and_what_is_not_there_is_none() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join("published-1.toml");
        assert_eq!(Finished::read(&path).unwrap(), None);
        fs::write(&path, "attempt = \"a\"\n").unwrap();
        let error = Finished::read(&path).unwrap_err().to_string();
        assert!(error.contains("move the file away"), "{error}");
    }
}
