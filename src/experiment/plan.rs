//! The runs of an experiment, in the order in which they are executed.

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest, Sha256};

use super::configuration::Configuration;
use super::machine::hex;
use super::spec::{PlannedLevel, RunLimits, Spec};
use super::split_mix::SplitMix64;
use crate::search::Goal;

/// Hexadecimal digits of a run's identity: 128 bits of SHA-256, so that among a million runs two agree
/// with a probability below 10^-26.
const ID_DIGITS: usize = 32;

/// One run to execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSpec {
    /// Hash of everything that decides the answer, in hexadecimal.
    pub id: String,
    /// Position in the order of execution, from 1.
    pub sequence: u64,
    /// Index in [`Spec::levels`].
    pub level: usize,
    /// What is run.
    pub configuration: Configuration,
    /// Repetition, from 1.
    pub repetition: u64,
    /// What the search is for.
    pub goal: Goal,
    /// When it stops early.
    pub limits: RunLimits,
    /// Seed of the experiment.
    pub seed: u64,
}

/// The runs of an experiment for a revision of the program, in the order of execution: all levels of
/// the first repetition, then of the second, and so on.
///
/// Runs are ordered in randomised blocks (Fisher, "The Design of Experiments", 1935): within each pair
/// of level and repetition the configurations are shuffled from the seed, so that a drift of the
/// machine hits all of them alike. The order within a block depends on the seed, the level, the
/// repetition and the configurations alone, and not on the other blocks.
///
/// The same arguments always give the same plan. Takes time linear in the number of runs.
#[must_use]
pub fn plan(spec: &Spec, revision: &str) -> Vec<RunSpec> {
    let levels = level_digests(&spec.levels);
    let runs = levels.len() * spec.configurations.len() * spec.header.repetitions as usize;
    let mut plan = Vec::with_capacity(runs);
    for repetition in 1..=spec.header.repetitions {
        for (level, digest) in levels.iter().enumerate() {
            let mut configurations = spec.configurations.clone();
            SplitMix64::new(block_seed(spec.header.seed, digest, repetition))
                .shuffle(&mut configurations);
            let first = plan.len() as u64 + 1;
            plan.extend(
                (first..)
                    .zip(configurations)
                    .map(|(sequence, configuration)| {
                        let mut run = RunSpec {
                            id: String::new(),
                            sequence,
                            level,
                            configuration,
                            repetition,
                            goal: spec.header.goal,
                            limits: spec.header.limits,
                            seed: spec.header.seed,
                        };
                        run.id = identity(&run, digest, revision);
                        run
                    }),
            );
        }
    }
    plan
}

/// Time that the searches take if each runs into its limit, one after the other; `None` if a run is
/// without time limit. Saturates.
#[must_use]
pub fn worst_case(plan: &[RunSpec]) -> Option<Duration> {
    plan.iter().try_fold(Duration::ZERO, |total, run| {
        Some(total.saturating_add(run.limits.time?))
    })
}

/// Digests of the boards. File and title are left out: they decide no answer.
fn level_digests(levels: &[PlannedLevel]) -> Vec<String> {
    let boards = numbered_boards(levels.iter().map(|planned| planned.level.to_xsb()));
    let digests = boards
        .into_iter()
        .map(|(board, occurrence)| hex(&Sha256::digest(format!("{occurrence}\n{board}"))));
    digests.collect()
}

/// Boards in XSB, each with which occurrence of it among them it is, from 1, so that runs on equal boards are told apart.
pub fn numbered_boards(boards: impl IntoIterator<Item = String>) -> Vec<(String, u64)> {
    let mut occurrences: HashMap<String, u64> = HashMap::new();
    let numbered = boards.into_iter().map(|board| {
        let occurrence = occurrences.entry(board.clone()).or_default();
        *occurrence += 1;
        (board, *occurrence)
    });
    numbered.collect()
}

/// Starts the generator of a block.
fn block_seed(seed: u64, level_digest: &str, repetition: u64) -> u64 {
    let digest = Sha256::digest(format!("block {seed} {level_digest} {repetition}"));
    digest
        .iter()
        .take(8)
        .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
}

/// One line for each part, so that no two different runs give the same text: only the revision could
/// hold a line break, and it comes last.
fn identity(run: &RunSpec, level_digest: &str, revision: &str) -> String {
    let RunLimits {
        time,
        memory_bytes,
        states,
    } = run.limits;
    let text = format!(
        "level {level_digest}\nconfiguration {}\ngoal {}\nlimits {:?} {memory_bytes:?} {states:?}\nseed {}\nrepetition {}\nrevision {revision}",
        run.configuration,
        run.goal.name(),
        time.map(|time| time.as_nanos()),
        run.seed,
        run.repetition,
    );
    let mut id = hex(&Sha256::digest(text));
    id.truncate(ID_DIGITS);
    id
}

#[cfg(test)]
mod tests;
