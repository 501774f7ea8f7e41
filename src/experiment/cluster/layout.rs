//! Where the parts of a plan keep what they find.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::experiment::directory::{DirectoryError, SHARDS, system};
use crate::experiment::shard::Shard;

/// File by which an attempt says that all of its runs are done.
pub(super) const FINISHED_FILE: &str = "finished.toml";

/// The folder of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ShardFolder {
    pub(super) shard: Shard,
    path: PathBuf,
}

impl ShardFolder {
    /// The folder of a part in a result directory; it need not be there.
    pub(super) fn new(out: &Path, shard: Shard) -> Self {
        Self {
            shard,
            path: out.join(SHARDS).join(shard.folder()),
        }
    }

    /// The folder of all attempts.
    pub(super) fn attempts(&self) -> PathBuf {
        self.path.join("attempts")
    }

    /// The folder of one attempt.
    pub(super) fn attempt(&self, name: &str) -> PathBuf {
        self.attempts().join(name)
    }

    /// The name that the first finished attempt of a round takes. There is a second round only when runs of a
    /// published part are to be done again, with `--retry`.
    pub(super) fn slot(&self, round: u64) -> PathBuf {
        self.path.join(format!("published-{round}.toml"))
    }

    /// Rounds in which an attempt was published.
    pub(super) fn rounds(&self) -> u64 {
        let mut rounds = 0;
        while self.slot(rounds + 1).exists() {
            rounds += 1;
        }
        rounds
    }

    /// Names of all attempts, in alphabetical order.
    pub(super) fn attempt_names(&self) -> Result<Vec<String>, DirectoryError> {
        entries(&self.attempts())
    }
}

/// The folders of all parts of a result directory, in the order of their numbers.
pub(super) fn shard_folders(out: &Path) -> Result<Vec<ShardFolder>, DirectoryError> {
    let names = entries(&out.join(SHARDS))?;
    let mut shards: Vec<Shard> = names
        .iter()
        .filter_map(|name| Shard::of_folder(name))
        .collect();
    shards.sort_unstable();
    let folders = shards
        .into_iter()
        .map(|shard| ShardFolder::new(out, shard))
        .collect();
    Ok(folders)
}

/// Names in a folder, in alphabetical order. A folder that is not there is empty; names that are no text are not ours.
pub(super) fn entries(folder: &Path) -> Result<Vec<String>, DirectoryError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(system(folder, "read"))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(system(folder, "read"))?;
        names.extend(entry.file_name().into_string().ok());
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_in_the_order_of_their_numbers_and_strangers_are_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(shard_folders(folder.path()).unwrap(), []);
        for name in ["10-of-12", "2-of-12", "notes", "5-of-4"] {
            fs::create_dir_all(folder.path().join(SHARDS).join(name)).unwrap();
        }
        let found = shard_folders(folder.path()).unwrap();
        let shards: Vec<String> = found.iter().map(|folder| folder.shard.into()).collect();
        assert_eq!(shards, ["2/12", "10/12"]);
    }

    #[test]
    fn rounds_are_counted_by_their_slots() {
        let out = tempfile::tempdir().unwrap();
        let folder = ShardFolder::new(out.path(), "1/2".parse().unwrap());
        assert_eq!(folder.rounds(), 0);
        fs::create_dir_all(folder.attempts()).unwrap();
        fs::write(folder.slot(1), "").unwrap();
        fs::write(folder.slot(2), "").unwrap();
        assert_eq!(folder.rounds(), 2);
    }
}
