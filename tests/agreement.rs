//! Every strategy, pruning level, threading model and number of threads, in both spaces, on every small
//! level of the project, against the brute-force oracle: solvable or not, optimal where optimality is
//! promised, every solution replayed, the conservation law, and the census.

use std::collections::HashMap;
use std::path::Path;

use sokolab::experiment::compose::{Answer, answer};
use sokolab::experiment::configuration::{Configuration, Space, Table};
use sokolab::parallel::Threading;
use sokolab::search::{Goal, Limits, Status, Strategy};
use sokolab::sokoban::coding::Ranks;
use sokolab::sokoban::encoding::{WIDTHS, capacity, words_for};
use sokolab::sokoban::heuristic::HeuristicKind;
use sokolab::sokoban::pruning::PruningLevel;
use sokolab::sokoban::words::MoveWords;
use sokolab::sokoban::{Board, Level, collection};
use sokolab::validate::{CostSpace, Optimum, census, optimum, replay};

/// Positions in the space of moves up to which a level is small: all of its combinations together take
/// a fraction of a second.
const SMALL: u64 = 20_000;

fn small_levels() -> Vec<(String, Level)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let mut levels = Vec::new();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "xsb") {
            continue;
        }
        for level in collection::read(&path).unwrap().levels {
            let is_small = census(&level, CostSpace::Moves, SMALL).is_ok();
            if is_small && Board::new(&level).is_ok() {
                let name = format!("{}#{}", path.display(), level.number);
                levels.push((name, level));
            }
        }
    }
    assert!(levels.len() >= 12, "only {} small levels", levels.len());
    levels.extend([60, 140, 300].map(|length| (format!("corridor {length}"), corridor(length))));
    levels
}

/// A long corridor to walk, with a push or two at its end: a small level that needs a state of 2, 4 or 16
/// words, and box cells in the last of them.
fn corridor(length: usize) -> Level {
    let wall = "#".repeat(length);
    let floor = " ".repeat(length);
    Level::from_rows(&[
        &format!("#{wall}######"),
        &format!("#{floor}@$ .#"),
        &format!("#{wall}## ###"),
        &format!("#{wall}######"),
    ])
}

#[test]
fn the_levels_reach_every_width_of_a_state_and_both_answers() {
    let levels = small_levels();
    let width = |level: &Level| words_for(Board::new(level).unwrap().floor());
    for words in WIDTHS {
        assert!(
            levels.iter().any(|(_, level)| width(level) == Some(words)),
            "no level of {words} words"
        );
    }
    let unsolvable = levels
        .iter()
        .filter(|(_, level)| optimum(level, CostSpace::Pushes, SMALL) == Ok(Optimum::Unsolvable))
        .count();
    assert!((3..levels.len() - 3).contains(&unsolvable), "{unsolvable}");
}

/// Every configuration that a level can run.
fn configurations(level: &Level) -> Vec<Configuration> {
    let board = Board::new(level).unwrap();
    let has_words = MoveWords::new(&board).is_some();
    let has_ranks = board.floor() <= capacity(2) && Ranks::new(&board).is_some();
    let tables = [Table::Hash, Table::Compact, Table::Bitmap];
    let mut all = Vec::new();
    for space in Space::ALL {
        for strategy in Strategy::ALL {
            for pruning in PruningLevel::ALL {
                for threading in Threading::ALL {
                    for threads in 1..=3 {
                        let heuristic = strategy
                            .uses_heuristic()
                            .then_some(HeuristicKind::Manhattan);
                        all.extend(tables.map(|table| Configuration {
                            space,
                            strategy,
                            heuristic,
                            pruning,
                            threading,
                            threads,
                            table,
                        }));
                    }
                }
            }
        }
    }
    all.retain(|one| {
        one.check().is_ok()
            && match one.table {
                Table::Bitmap => has_words,
                Table::Compact => has_ranks,
                Table::Hash | Table::Auto => true,
            }
    });
    all
}

fn run(level: &Level, configuration: &Configuration, goal: Goal) -> Answer {
    let board = Board::new(level).unwrap();
    let answer = answer(&board, configuration, goal, &Limits::default()).unwrap();
    assert!(answer.counters.is_conserved(), "{:?}", answer.counters);
    assert_eq!(answer.table, configuration.table);
    answer
}

const fn cost_space(space: Space) -> CostSpace {
    match space {
        Space::Moves => CostSpace::Moves,
        Space::Pushes => CostSpace::Pushes,
    }
}

#[test]
fn every_configuration_agrees_with_the_oracle_on_solvability_and_optimality() {
    for (name, level) in small_levels() {
        let optima = Space::ALL.map(|space| optimum(&level, cost_space(space), SMALL).unwrap());
        for configuration in configurations(&level) {
            let told = format!("{name}: {configuration}");
            let answer = run(&level, &configuration, Goal::Solve);
            match optima[configuration.space as usize] {
                Optimum::TooLarge => panic!("{told}: the census was small"),
                Optimum::Unsolvable => assert_eq!(answer.status, Status::Unsolvable, "{told}"),
                Optimum::Solved(least) => {
                    assert_eq!(answer.status, Status::Solved, "{told}");
                    check_solution(&level, &configuration, &answer, least);
                }
            }
        }
    }
}

fn check_solution(level: &Level, configuration: &Configuration, answer: &Answer, least: u64) {
    let steps = answer.steps.as_ref().expect("a solved answer has steps");
    let replayed = replay(level, steps).unwrap();
    assert!(replayed.solved, "{configuration}");
    let cost = match configuration.space {
        Space::Moves => replayed.moves,
        Space::Pushes => replayed.pushes,
    };
    assert_eq!(answer.cost.map(u64::from), Some(cost), "{configuration}");
    match configuration.strategy {
        Strategy::Bfs | Strategy::Astar => assert_eq!(cost, least, "{configuration}"),
        Strategy::Dfs | Strategy::Greedy => assert!(cost >= least, "{configuration}"),
    }
}

#[test]
fn the_census_is_the_oracle_s_and_the_same_in_every_order() {
    for (name, level) in small_levels() {
        let mut counts = HashMap::new();
        for space in Space::ALL {
            let truth = census(&level, cost_space(space), SMALL).unwrap();
            let unpruned = (truth.states, truth.generated, 0, truth.states);
            counts.insert((space, PruningLevel::None), unpruned);
        }
        for configuration in configurations(&level) {
            let told = format!("{name}: {configuration}");
            let answer = run(&level, &configuration, Goal::Census);
            assert_eq!(answer.status, Status::Complete, "{told}");
            let counters = &answer.counters;
            let counted = (
                counters.states_visited,
                counters.generated,
                counters.pruned(),
                counters.expanded,
            );
            let key = (configuration.space, configuration.pruning);
            let expected = *counts.entry(key).or_insert(counted);
            assert_eq!(counted, expected, "{told}");
        }
        assert_pruning_shrinks(&counts);
    }
}

/// A level of the ladder includes the ones before it, so it never visits more.
fn assert_pruning_shrinks(counts: &HashMap<(Space, PruningLevel), (u64, u64, u64, u64)>) {
    for space in Space::ALL {
        let visited = PruningLevel::ALL.map(|level| counts[&(space, level)].0);
        assert!(visited.is_sorted_by(|a, b| a >= b), "{visited:?}");
    }
}
