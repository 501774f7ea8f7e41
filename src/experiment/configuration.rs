//! One combination of everything that can be varied.

use std::fmt;

use crate::parallel::Threading;
use crate::search::Strategy;
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

/// Which visited table is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// The best one for the space; for now always the hash table.
    Auto,
    /// A hash table of whole states.
    Hash,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 2] = [Self::Auto, Self::Hash];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Hash => "hash",
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
