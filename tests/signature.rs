//! A signature of all node counts, and sequential search run twice.
//!
//! The signature is one number made of the counts of every sequential configuration on a fixed set of
//! levels. It changes whenever some search takes one step more, or one less, than before: a change that was not
//! meant to alter any search must leave it as it is.
//!
//! It says nothing about being right. That is proved elsewhere: `tests/agreement.rs` holds every
//! configuration against the oracle. So a change that does mean to alter the order of a search, or what is pruned,
//! renews the number: the failing test prints the new one with all counts behind it. Compare these with those of the
//! commit before (`cargo test --test signature -- --nocapture print_the_counts --ignored`), see that they differ
//! where they should and nowhere else, and say in the commit why.

use std::fmt::Write;
use std::path::Path;

use sokolab::experiment::compose::{Answer, answer};
use sokolab::experiment::configuration::{Configuration, Space, Table};
use sokolab::parallel::Threading;
use sokolab::search::{Goal, Limits, Strategy};
use sokolab::sokoban::heuristic::HeuristicKind;
use sokolab::sokoban::pruning::PruningLevel;
use sokolab::sokoban::{Board, Level, collection};
use sokolab::validate::{CostSpace, census};

/// The counts of today, in one number. See above for when to renew it.
const SIGNATURE: u64 = 0x438a_d6fb_d33a_8d7d;

/// Small levels with one to five boxes; the second one needs a state of two words, the last two have no
/// solution.
const LEVELS: [(&str, usize); 11] = [
    ("quickstart.xsb", 1),
    ("ladder.xsb", 9),
    ("ladder.xsb", 11),
    ("ladder.xsb", 12),
    ("ladder.xsb", 14),
    ("ladder.xsb", 16),
    ("ladder.xsb", 17),
    ("deadlocks.xsb", 8),
    ("deadlocks.xsb", 4),
    ("deadlocks.xsb", 12),
    ("deadlocks.xsb", 14),
];

/// Above the positions of the largest of them.
const LIMIT: u64 = 100_000;

fn level(file: &str, number: usize) -> Level {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let levels = collection::read(folder.join(file)).unwrap();
    levels.level(number).unwrap().clone()
}

fn configurations() -> Vec<Configuration> {
    let mut all = Vec::new();
    for space in Space::ALL {
        for strategy in Strategy::ALL {
            for pruning in PruningLevel::ALL {
                let heuristic = strategy
                    .uses_heuristic()
                    .then_some(HeuristicKind::Manhattan);
                all.push(Configuration {
                    space,
                    strategy,
                    heuristic,
                    pruning,
                    threading: Threading::Sequential,
                    threads: 1,
                    table: Table::Hash,
                });
            }
        }
    }
    all
}

fn run(level: &Level, configuration: &Configuration, goal: Goal) -> Answer {
    let board = Board::new(level).unwrap();
    answer(&board, configuration, goal, &Limits::default()).unwrap()
}

/// What one search has counted.
struct Entry {
    told: String,
    counts: [u64; 3],
}

fn entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    for (file, number) in LEVELS {
        let level = level(file, number);
        for configuration in configurations() {
            for goal in Goal::ALL {
                let counters = run(&level, &configuration, goal).counters;
                let (generated, states) = (counters.generated, counters.states_visited);
                if goal == Goal::Census && configuration.pruning == PruningLevel::None {
                    let truth = oracle(&level, configuration.space);
                    assert_eq!(
                        (states, generated),
                        truth,
                        "{file}#{number} {configuration}"
                    );
                }
                entries.push(Entry {
                    told: format!("{file}#{number} {} {configuration}", goal.name()),
                    counts: [counters.expanded, generated, states],
                });
            }
        }
    }
    entries
}

/// States and generated successors as the oracle counts them.
fn oracle(level: &Level, space: Space) -> (u64, u64) {
    let cost = match space {
        Space::Moves => CostSpace::Moves,
        Space::Pushes => CostSpace::Pushes,
    };
    let census = census(level, cost, LIMIT).unwrap();
    (census.states, census.generated)
}

/// All counts in one number, by the hash of Fowler, Noll and Vo (FNV-1a, 64 bits), word by word.
fn fold(entries: &[Entry]) -> u64 {
    let words = entries.iter().flat_map(|entry| entry.counts);
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// One line for each search.
fn table(entries: &[Entry]) -> String {
    let mut table = String::from("  expanded  generated     states  search\n");
    for Entry { told, counts } in entries {
        let [expanded, generated, states] = counts;
        writeln!(table, "{expanded:>10} {generated:>10} {states:>10}  {told}").unwrap();
    }
    table
}

#[test]
fn no_search_takes_a_step_more_or_less_than_before() {
    let entries = entries();
    let signature = fold(&entries);
    assert!(
        signature == SIGNATURE,
        "the signature was {SIGNATURE:#018x} and is {signature:#018x} now, of\n{}",
        table(&entries)
    );
}

#[test]
#[ignore = "prints the counts behind the signature, to compare them with those of another commit"]
fn print_the_counts() {
    print!("{}", table(&entries()));
}

#[test]
fn sequential_search_is_deterministic_to_the_node() {
    for (file, number) in LEVELS {
        let level = level(file, number);
        for configuration in configurations() {
            let [first, second] = [(); 2].map(|()| run(&level, &configuration, Goal::Solve));
            let told = format!("{file}#{number} {configuration}");
            assert_eq!(first.counters, second.counters, "{told}");
            assert_eq!(first.steps, second.steps, "{told}");
            assert_eq!(
                (first.status, first.frontier_peak),
                (second.status, second.frontier_peak),
                "{told}"
            );
        }
    }
}

#[test]
fn the_signature_depends_on_every_count_and_on_their_order() {
    let entry = |counts| Entry {
        told: String::new(),
        counts,
    };
    let signature = fold(&[entry([1, 2, 3]), entry([4, 5, 6])]);
    assert_ne!(signature, fold(&[entry([1, 2, 3]), entry([4, 5, 7])]));
    assert_ne!(signature, fold(&[entry([4, 5, 6]), entry([1, 2, 3])]));
}
