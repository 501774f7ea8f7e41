//! One row of `runs.csv`: everything known of one run.
//!
//! Base units, full precision; an empty field is "not measured", never 0.

use super::configuration::Table;

/// One run: what was asked, how it ended, what it cost. Field order is column order; the columns
/// `pruned_<rule>` follow `pruned`, one for each rule that any pruning level knows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Hash of everything that decides the answer, in hexadecimal.
    pub run_id: String,
    /// Name of the experiment.
    pub experiment: String,
    /// Level file, as the experiment file names it.
    pub level_file: String,
    /// Number of the level in its file, from 1.
    pub level: u64,
    /// Title of the level.
    pub level_title: String,
    /// Boxes of the level.
    pub boxes: Option<u64>,
    /// Floor cells of the level.
    pub floor: Option<u64>,
    /// `moves` or `pushes`.
    pub space: String,
    /// Strategy.
    pub strategy: String,
    /// Heuristic; empty for strategies that use none.
    pub heuristic: String,
    /// Pruning level.
    pub pruning: String,
    /// Threading model.
    pub threading: String,
    /// Worker threads.
    pub threads: u64,
    /// Table that was used: `hash`, `compact` or `bitmap`; `auto` if the run ended before it chose.
    pub table: String,
    /// Why that table, if the choice was free.
    pub table_reason: Option<String>,
    /// `solve` or `census`.
    pub goal: String,
    /// Repetition, from 1.
    pub repetition: u64,
    /// Position in the shuffled order of execution, from 1.
    pub sequence: u64,
    /// Seed of the experiment.
    pub seed: u64,
    /// Limit of the wall time of the search, in seconds; none if there was no limit, or an older version did not write it.
    pub time_limit_s: Option<f64>,
    /// `solved`, `unsolvable`, `exhausted`, `complete`, `time_limit`, `memory_limit`, `state_limit`,
    /// `crashed`, `invalid` or `unsupported`.
    pub status: String,
    /// What went wrong, for `crashed`, `invalid` and `unsupported`, and for a limit that was enforced from outside.
    pub detail: String,
    /// Cost of the solution in the unit of the space.
    pub cost: Option<u64>,
    /// Moves of the replayed solution, pushes included.
    pub moves: Option<u64>,
    /// Pushes of the replayed solution.
    pub pushes: Option<u64>,
    /// Successors generated.
    pub generated: Option<u64>,
    /// Successors pruned.
    pub pruned: Option<u64>,
    /// Successors pruned by each rule, in the order of the pruning ladder. `None`: rule not active.
    pub pruned_by_rule: Vec<(String, Option<u64>)>,
    /// Duplicates.
    pub duplicates: Option<u64>,
    /// Re-opened states.
    pub reopened: Option<u64>,
    /// Distinct states entered in the visited table.
    pub states_visited: Option<u64>,
    /// States expanded.
    pub expanded: Option<u64>,
    /// Most states waiting at once.
    pub frontier_peak: Option<u64>,
    /// Monotonic wall time of the search, level loading excluded, in seconds.
    pub wall_s: Option<f64>,
    /// User CPU time of the run's process tree, in seconds.
    pub cpu_user_s: Option<f64>,
    /// System CPU time of the run's process tree, in seconds.
    pub cpu_sys_s: Option<f64>,
    /// Peak resident memory of the run alone.
    pub peak_rss_bytes: Option<u64>,
    /// How `peak_rss_bytes` was measured: `vmhwm`, or `wait4` for a run that died.
    pub rss_method: String,
    /// Bytes of the visited table at its peak.
    pub table_bytes: Option<u64>,
    /// Bytes of the frontier at its peak.
    pub frontier_bytes: Option<u64>,
    /// Most expansions of one worker, divided by the mean over workers.
    pub load_balance: Option<f64>,
    /// Worker time without work, summed over workers, in seconds.
    pub idle_s: Option<f64>,
    /// States sent between actors.
    pub states_sent: Option<u64>,
    /// Messages sent between actors.
    pub messages_sent: Option<u64>,
    /// Share of the run's time during which some task of the machine waited for a CPU, in percent.
    pub cpu_pressure: Option<f64>,
    /// Involuntary context switches of the run.
    pub involuntary_switches: Option<u64>,
    /// Cores that the run was kept on, as in `0 1`; none if it was free to use any.
    pub cores: Option<String>,
    /// Name of the machine.
    pub host: Option<String>,
    /// Start of the run, seconds since 1970 (UTC).
    pub started_unix_s: Option<f64>,
    /// Revision of the program, `-dirty` if it was built from uncommitted changes.
    pub revision: String,
}

impl Row {
    /// The table that was asked for: a reason is given where the choice was free.
    #[must_use]
    pub fn asked_table(&self) -> &str {
        if self.table_reason.is_some() {
            Table::Auto.name()
        } else {
            &self.table
        }
    }
}
