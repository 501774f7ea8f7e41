//! A part of a plan, so that several machines can share one experiment.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plan::RunSpec;

/// Part `index` of `count`, counted from 1; written `2/5`.
///
/// Runs are dealt out one by one in the order of execution, so parts differ in size by at most one run and
/// each part has runs of every block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    count: u64,
    index: u64,
}

/// A text that names no part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} names no part; expected I/N with 1 <= I <= N, for instance 1/4")]
pub struct ShardError(String);

impl Shard {
    /// The part of `count` that a run belongs to.
    ///
    /// # Panics
    /// If `count` is 0.
    #[must_use]
    pub const fn holding(run: &RunSpec, count: u64) -> Self {
        // Sequences begin with 1, as parts do.
        let index = run.sequence.wrapping_sub(1) % count + 1;
        Self { count, index }
    }

    /// Number of the part, from 1.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Whether a run belongs to this part.
    #[must_use]
    pub const fn contains(&self, run: &RunSpec) -> bool {
        run.sequence % self.count == self.index % self.count
    }

    /// Name of the folder that attempts at the part go to.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("{}-of-{}", self.index, self.count)
    }

    /// The part whose folder has this name; none if it is the name of something else.
    #[must_use]
    pub fn of_folder(name: &str) -> Option<Self> {
        let (index, count) = name.split_once("-of-")?;
        format!("{index}/{count}").parse().ok()
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let error = || ShardError(text.to_owned());
        let (index, count) = text.split_once('/').ok_or_else(error)?;
        let number = |part: &str| part.parse::<u64>().map_err(|_| error());
        let (index, count) = (number(index)?, number(count)?);
        if index == 0 || index > count {
            return Err(error());
        }
        Ok(Self { count, index })
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_as_they_are_written() {
        for text in ["1/1", "2/5", "5/5"] {
            let shard = text.parse::<Shard>().unwrap();
            assert_eq!(shard.to_string(), text);
            assert_eq!(Shard::of_folder(&shard.folder()), Some(shard));
        }
        for text in [
            "", "1", "0/3", "4/3", "1/0", "0/0", "-1/3", "1/3/5", "a/b", "1 / 3",
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.to_string().contains("expected I/N"), "{error}");
        }
    }

    #[test]
    fn other_folders_are_no_parts() {
        for name in ["", "slurm", "1-of-", "4-of-3", "1-of-2-of-3"] {
            assert_eq!(Shard::of_folder(name), None, "{name}");
        }
    }
}
