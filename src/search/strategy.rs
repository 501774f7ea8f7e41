//! Strategies as values of a configuration.

/// In which order states are expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Depth first: newest state first, with an explicit stack.
    Dfs,
    /// Breadth first: layer by layer; fewest steps.
    Bfs,
    /// Greedy best first: smallest estimate first.
    Greedy,
    /// A*: smallest cost so far plus estimate first; shortest with an admissible estimate.
    Astar,
}

impl Strategy {
    /// Every strategy, in documentation order. Adding one starts here.
    pub const ALL: [Self; 4] = [Self::Dfs, Self::Bfs, Self::Greedy, Self::Astar];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dfs => "dfs",
            Self::Bfs => "bfs",
            Self::Greedy => "greedy",
            Self::Astar => "astar",
        }
    }

    /// Whether the strategy orders states by a heuristic.
    #[must_use]
    pub const fn uses_heuristic(self) -> bool {
        matches!(self, Self::Greedy | Self::Astar)
    }
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Find a solution, or show that there is none.
    Solve,
    /// Visit everything reachable and count it.
    Census,
}

impl Goal {
    /// Every goal.
    pub const ALL: [Self; 2] = [Self::Solve, Self::Census];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solve => "solve",
            Self::Census => "census",
        }
    }
}
