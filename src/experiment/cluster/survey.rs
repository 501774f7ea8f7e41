//! What there is of parts that are done apart: which are published, by whom, and who else has tried.

use std::path::Path;

use super::layout::{FINISHED_FILE, ShardFolder, shard_folders};
use super::publication::{Finished, PublicationError};
use crate::experiment::is_in_use;
use crate::experiment::shard::Shard;

/// All parts of a result directory that somebody has begun, in the order of their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    parts: Vec<Part>,
}

/// What there is of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    shard: Shard,
    published: Vec<Finished>,
    /// Attempts that are not published.
    others: Vec<Other>,
}

/// An attempt that is not published.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Other {
    path: String,
    state: State,
}

/// How far an attempt has come that is not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It is finished, and another one was first.
    Duplicate,
    /// A process is at work on it.
    AtWork,
    /// It was killed, or is at work on a machine whose locks are not seen from here.
    Unfinished,
}

/// Looks at all parts of a result directory.
///
/// # Errors
/// [`PublicationError`] if a folder or a publication cannot be read.
pub fn survey(out: &Path) -> Result<Survey, PublicationError> {
    let folders = shard_folders(out)?;
    let parts: Result<_, PublicationError> = folders.iter().map(part).collect();
    Ok(Survey { parts: parts? })
}

/// The attempts of a part whose rows count, by round.
pub(super) fn published(folder: &ShardFolder) -> Result<Vec<Finished>, PublicationError> {
    let slots = (1..=folder.rounds()).map(|round| Finished::read(&folder.slot(round)));
    // A slot that was there a moment ago and is gone was moved away by somebody.
    slots.filter_map(Result::transpose).collect()
}

fn part(folder: &ShardFolder) -> Result<Part, PublicationError> {
    let published = published(folder)?;
    let names = folder.attempt_names()?.into_iter();
    let is_other = |name: &String| !published.iter().any(|finished| finished.attempt == *name);
    let others = names.filter(is_other).map(|name| {
        let path = folder.attempt(&name);
        let state = if path.join(FINISHED_FILE).exists() {
            State::Duplicate
        } else if is_in_use(&path) {
            State::AtWork
        } else {
            State::Unfinished
        };
        let path = path.display().to_string();
        Other { path, state }
    });
    Ok(Part {
        shard: folder.shard,
        others: others.collect(),
        published,
    })
}

impl Survey {
    /// Whether nobody has begun a part.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Parts of which an attempt is published.
    #[must_use]
    pub fn published(&self) -> usize {
        let is_published = |part: &&Part| !part.published.is_empty();
        self.parts.iter().filter(is_published).count()
    }

    /// Rows of all published attempts, collected or not.
    #[must_use]
    pub fn published_rows(&self) -> usize {
        let finished = self.parts.iter().flat_map(|part| &part.published);
        finished.map(|finished| finished.rows).sum()
    }

    /// Attempts that finished after another one; they are kept and not counted.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        let others = self.parts.iter().flat_map(|part| &part.others);
        others
            .filter(|other| other.state == State::Duplicate)
            .count()
    }

    /// One sentence on each attempt that is not published.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let others = self
            .parts
            .iter()
            .flat_map(|part| part.others.iter().map(move |other| (part, other)));
        others.map(|(part, other)| remark(part, other)).collect()
    }
}

fn remark(part: &Part, other: &Other) -> String {
    let (shard, path) = (part.shard, &other.path);
    match other.state {
        State::Duplicate => format!(
            "part {shard}: {path} is a duplicate: another attempt was published first; its rows are kept there and not counted"
        ),
        State::AtWork => format!("part {shard}: {path} is at work"),
        State::Unfinished if part.published.is_empty() => format!(
            "part {shard}: {path} is not finished: it was killed, or is still at work elsewhere; none of its rows is counted"
        ),
        State::Unfinished => format!(
            "part {shard}: {path} was not finished, and another attempt is published; none of its rows is counted"
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::experiment::ROWS_FILE;
    use crate::experiment::cluster::publication::publish;

    fn attempt(folder: &ShardFolder, name: &str) {
        fs::create_dir_all(folder.attempt(name)).unwrap();
        fs::write(folder.attempt(name).join(ROWS_FILE), "").unwrap();
    }

    #[test]
    fn winners_duplicates_and_unfinished_attempts_are_told_apart() {
        let out = tempfile::tempdir().unwrap();
        assert!(survey(out.path()).unwrap().is_empty());
        let folder = ShardFolder::new(out.path(), "1/2".parse().unwrap());
        for name in ["a", "b", "c"] {
            attempt(&folder, name);
        }
        let remarks = survey(out.path()).unwrap().remarks();
        assert_eq!(remarks.len(), 3);
        assert!(
            remarks[0].contains("killed, or is still at work"),
            "{remarks:?}"
        );
        for name in ["b", "a"] {
            publish(&folder, &Finished::of(&folder, 1, name).unwrap()).unwrap();
        }
        let survey = survey(out.path()).unwrap();
        assert_eq!((survey.published(), survey.duplicates()), (1, 1));
        let remarks = survey.remarks();
        assert!(
            remarks[0].contains("attempts/a is a duplicate"),
            "{remarks:?}"
        );
        assert!(
            remarks[1].contains("attempts/c was not finished"),
            "{remarks:?}"
        );
        assert_eq!(remarks.len(), 2);
    }
}
