//! One combination of everything that can be varied.

use std::fmt;

use thiserror::Error;

use crate::parallel::bitmap::{self, BitmapError};
use crate::parallel::{ConfigError, SearchConfig, Threading};
use crate::search::{Goal, Limits, Strategy};
use crate::sokoban::heuristic::HeuristicKind;
use crate::sokoban::pruning::PruningLevel;

/// The state space of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// A step is one step of the player.
    Moves,
    /// A step is one push.
    Pushes,
}

impl Space {
    /// Every space.
    pub const ALL: [Self; 2] = [Self::Moves, Self::Pushes];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
        }
    }
}

/// How visited states are remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// A hash table of whole states.
    Hash,
    /// A hash table that keeps a part of each state; its place tells the rest.
    Compact,
    /// No table: three bits for every position there could be, whether it is reached or not.
    Bitmap,
    /// The bitmap where it can serve and fits in memory, else the hash table.
    Auto,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 4] = [Self::Hash, Self::Compact, Self::Bitmap, Self::Auto];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Compact => "compact",
            Self::Bitmap => "bitmap",
            Self::Auto => "auto",
        }
    }
}

/// One combination of everything that can be varied, on any level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// State space.
    pub space: Space,
    /// Order of expansion.
    pub strategy: Strategy,
    /// Estimate; none for strategies that use none.
    pub heuristic: Option<HeuristicKind>,
    /// Pruning level.
    pub pruning: PruningLevel,
    /// Threading model.
    pub threading: Threading,
    /// Workers.
    pub threads: usize,
    /// Visited table.
    pub table: Table,
}

/// A configuration that cannot run on any level.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigurationError {
    /// No engine for it.
    #[error(transparent)]
    Engine(#[from] ConfigError),
    /// No bitmap for the strategy or the threading model.
    #[error(transparent)]
    Bitmap(#[from] BitmapError),
    /// No bitmap for the space.
    #[error(
        "table = \"bitmap\" has a bit for each cell of the player and so takes space = \"moves\" only, not \"{0}\"; choose table = \"hash\""
    )]
    BitmapSpace(&'static str),
}

impl Configuration {
    /// What the engine needs to know of it.
    #[must_use]
    pub const fn search(&self, goal: Goal, limits: Limits) -> SearchConfig {
        SearchConfig {
            strategy: self.strategy,
            threading: self.threading,
            threads: self.threads,
            goal,
            limits,
        }
    }

    /// Checks that it can run on some level.
    ///
    /// # Errors
    /// [`ConfigurationError`] names the key, its value and what would be accepted.
    pub fn check(&self) -> Result<(), ConfigurationError> {
        let search = self.search(Goal::Solve, Limits::default());
        search.check()?;
        match self.table {
            Table::Hash | Table::Compact | Table::Auto => Ok(()),
            Table::Bitmap => self.check_bitmap(),
        }
    }

    /// Checks that a bitmap can serve it on some level, whatever table it asks for.
    ///
    /// # Errors
    /// As [`check`](Configuration::check).
    pub fn check_bitmap(&self) -> Result<(), ConfigurationError> {
        match self.space {
            Space::Moves => {}
            other @ Space::Pushes => return Err(ConfigurationError::BitmapSpace(other.name())),
        }
        let search = self.search(Goal::Solve, Limits::default());
        Ok(bitmap::check(&search)?)
    }
}

impl fmt::Display for Configuration {
    /// The canonical text: names in a fixed order, `-` for no heuristic.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heuristic = self.heuristic.map_or("-", HeuristicKind::name);
        write!(
            formatter,
            "{} {} {heuristic} {} {} {} {}",
            self.space.name(),
            self.strategy.name(),
            self.pruning.name(),
            self.threading.name(),
            self.threads,
            self.table.name()
        )
    }
}
