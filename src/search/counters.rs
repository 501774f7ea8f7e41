//! What a search counts, and the law that ties the counts together.

use std::ops::AddAssign;

/// Effort of one search (or of one worker of it). Definitions as in METHODOLOGY.md.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    /// Successors produced by legal steps, before anything is thrown away.
    pub generated: u64,
    /// Successors discarded by each pruning rule, each counted for the first rule that fired;
    /// indexed like [`crate::puzzle::Pruner::rules`].
    pub pruned_by_rule: Vec<u64>,
    /// Generated, not pruned, already in the visited table at no greater cost.
    pub duplicates: u64,
    /// Generated, not pruned, known at a greater cost, entered again.
    pub reopened: u64,
    /// Distinct states entered in the visited table, the initial state included.
    pub states_visited: u64,
    /// States whose successors were generated (again after re-opening).
    pub expanded: u64,
    /// States entered but not queued, because the heuristic called them dead ends.
    pub dead_ends: u64,
}

impl Counters {
    /// Zero counts for a pruner with `rules` rules.
    #[must_use]
    pub fn new(rules: usize) -> Self {
        Self {
            pruned_by_rule: vec![0; rules],
            ..Self::default()
        }
    }

    /// Successors discarded by any rule.
    #[must_use]
    pub fn pruned(&self) -> u64 {
        self.pruned_by_rule.iter().sum()
    }

    /// The conservation law: every generated successor was pruned, a duplicate, re-opened, or new.
    /// Holds after every complete or interrupted search.
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        self.generated + 1 == self.pruned() + self.duplicates + self.reopened + self.states_visited
    }
}

impl AddAssign<&Self> for Counters {
    /// Adds the counts of another worker.
    ///
    /// # Panics
    /// If the two count different lists of rules.
    fn add_assign(&mut self, other: &Self) {
        assert_eq!(
            self.pruned_by_rule.len(),
            other.pruned_by_rule.len(),
            "workers of one search share one list of rules"
        );
        self.generated += other.generated;
        for (sum, count) in self.pruned_by_rule.iter_mut().zip(&other.pruned_by_rule) {
            *sum += count;
        }
        self.duplicates += other.duplicates;
        self.reopened += other.reopened;
        self.states_visited += other.states_visited;
        self.expanded += other.expanded;
        self.dead_ends += other.dead_ends;
    }
}
