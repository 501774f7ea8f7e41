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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u64,
    count: u64,
}

/// A text that names no part.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} names no part; expected I/N with 1 <= I <= N, for instance 1/4")]
pub struct ShardError(String);

impl Shard {
    /// Whether a run belongs to this part.
    #[must_use]
    pub const fn contains(&self, run: &RunSpec) -> bool {
        run.sequence % self.count == self.index % self.count
    }

    /// Name of the folder that the part's results go to: parts are written by different processes.
    #[must_use]
    pub fn folder(&self) -> String {
        format!("shard-{}-of-{}", self.index, self.count)
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
        Ok(Self { index, count })
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
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in [
            "", "1", "0/3", "4/3", "1/0", "0/0", "-1/3", "1/3/5", "a/b", "1 / 3",
        ] {
            let error = text.parse::<Shard>().unwrap_err();
            assert!(error.to_string().contains("expected I/N"), "{error}");
        }
    }
}
