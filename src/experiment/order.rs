//! What goes between the sweep and the process of one run: an order in, a report out, both TOML.

use serde::{Deserialize, Serialize};

use super::choices::{
    GOALS, HEURISTICS, PRUNINGS, SPACES, STRATEGIES, TABLES, THREADINGS, UnknownName,
};
use super::configuration::Configuration;
use super::spec::RunLimits;
use crate::search::Goal;
use crate::sokoban::Level;

/// What a run's process is to do. Limits are those of the whole run; the worker takes its own needs
/// off before it hands them to the engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    /// The level, one text a row.
    pub(super) board: Vec<String>,
    space: String,
    strategy: String,
    heuristic: Option<String>,
    pruning: String,
    threading: String,
    threads: usize,
    table: String,
    goal: String,
    /// Seconds of search.
    pub(super) time_limit_s: Option<f64>,
    /// Bytes of the whole process.
    pub(super) memory_limit_bytes: Option<u64>,
    /// States in the visited table.
    pub(super) state_limit: Option<u64>,
}

impl Order {
    /// The order for one run.
    pub(super) fn new(
        level: &Level,
        configuration: &Configuration,
        goal: Goal,
        limits: &RunLimits,
    ) -> Self {
        Self {
            board: level.to_xsb().lines().map(str::to_owned).collect(),
            space: configuration.space.name().to_owned(),
            strategy: configuration.strategy.name().to_owned(),
            heuristic: configuration
                .heuristic
                .map(|heuristic| heuristic.name().to_owned()),
            pruning: configuration.pruning.name().to_owned(),
            threading: configuration.threading.name().to_owned(),
            threads: configuration.threads,
            table: configuration.table.name().to_owned(),
            goal: goal.name().to_owned(),
            time_limit_s: limits.time.map(|time| time.as_secs_f64()),
            // TOML numbers end at i64::MAX; no machine has that much.
            memory_limit_bytes: limits.memory_bytes.map(|bytes| bytes.min(i64::MAX as u64)),
            state_limit: limits.states.map(|states| states.min(i64::MAX as u64)),
        }
    }

    /// The level.
    pub(super) fn level(&self) -> Level {
        let rows: Vec<&str> = self.board.iter().map(String::as_str).collect();
        Level::from_rows(&rows)
    }

    /// How to search.
    ///
    /// # Errors
    /// [`UnknownName`] for the first value that does not exist.
    pub(super) fn configuration(&self) -> Result<Configuration, UnknownName> {
        let heuristic = self.heuristic.as_deref();
        Ok(Configuration {
            space: SPACES.by_name(&self.space)?,
            strategy: STRATEGIES.by_name(&self.strategy)?,
            heuristic: heuristic.map(|name| HEURISTICS.by_name(name)).transpose()?,
            pruning: PRUNINGS.by_name(&self.pruning)?,
            threading: THREADINGS.by_name(&self.threading)?,
            threads: self.threads,
            table: TABLES.by_name(&self.table)?,
        })
    }

    /// What the search is for.
    ///
    /// # Errors
    /// [`UnknownName`] if there is no such goal.
    pub(super) fn goal(&self) -> Result<Goal, UnknownName> {
        GOALS.by_name(&self.goal)
    }
}

/// What a run's process says at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Report {
    /// Why the configuration cannot run on this level; then there are no findings.
    pub(super) unsupported: Option<String>,
    /// What the search has found.
    pub(super) findings: Option<Findings>,
    /// Peak memory of the process, `VmHWM`; none where the kernel does not tell.
    pub(super) peak_rss_bytes: Option<u64>,
}

/// What a search has found, and its effort. Definitions as in METHODOLOGY.md.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Findings {
    pub(super) status: String,
    /// The table that was used.
    pub(super) table: String,
    /// Why, if the choice was free.
    pub(super) table_reason: Option<String>,
    pub(super) cost: Option<u64>,
    /// The steps of the solution in LURD letters; which of them push is for the replay to find.
    pub(super) steps: Option<String>,
    pub(super) wall_s: f64,
    pub(super) generated: u64,
    /// Names of the active rules.
    pub(super) rules: Vec<String>,
    /// Successors that each of them pruned.
    pub(super) pruned_by_rule: Vec<u64>,
    pub(super) duplicates: u64,
    pub(super) reopened: u64,
    pub(super) states_visited: u64,
    pub(super) expanded: u64,
    pub(super) frontier_peak: u64,
    pub(super) table_bytes: u64,
    pub(super) frontier_bytes: u64,
    pub(super) load_balance: Option<f64>,
    pub(super) idle_s: Option<f64>,
    pub(super) states_sent: Option<u64>,
    pub(super) messages_sent: Option<u64>,
}

impl Findings {
    /// Successors that a rule pruned; none if it was not active.
    pub(super) fn pruned_by(&self, rule: &str) -> Option<u64> {
        let index = self.rules.iter().position(|active| active == rule)?;
        self.pruned_by_rule.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::experiment::configuration::{Space, Table};
    use crate::parallel::Threading;
    use crate::search::Strategy;
    use crate::sokoban::heuristic::HeuristicKind;
    use crate::sokoban::pruning::PruningLevel;

    #[test]
    fn an_order_survives_its_journey() {
        let level = Level::from_rows(&["  #####", "###   #", "#.$@  #", "#######"]);
        let configuration = Configuration {
            space: Space::Moves,
            strategy: Strategy::Astar,
            heuristic: Some(HeuristicKind::Manhattan),
            pruning: PruningLevel::Edge,
            threading: Threading::Actors,
            threads: 3,
            table: Table::Hash,
        };
        let limits = RunLimits {
            time: Some(Duration::from_millis(1_500)),
            memory_bytes: Some(u64::MAX),
            states: None,
        };
        let order = Order::new(&level, &configuration, Goal::Census, &limits);
        let text = toml::to_string(&order).unwrap();
        let read: Order = toml::from_str(&text).unwrap();
        assert_eq!(read, order);
        assert_eq!(read.configuration(), Ok(configuration));
        assert_eq!(read.goal(), Ok(Goal::Census));
        assert_eq!(read.level().rows, level.rows);
        assert_eq!(read.time_limit_s, Some(1.5));
        assert_eq!(read.state_limit, None);
    }

    #[test]
    fn a_misspelt_key_of_a_report_is_an_error() {
        let text = "peak_rss = 3\n";
        let error = toml::from_str::<Report>(text).unwrap_err();
        assert!(
            error.to_string().contains("unknown field `peak_rss`"),
            "{error}"
        );
    }
}
