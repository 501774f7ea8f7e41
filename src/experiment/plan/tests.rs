use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Instant;

use super::*;
use crate::experiment::configuration::{Space, Table};
use crate::experiment::spec::Header;
use crate::parallel::Threading;
use crate::search::Strategy;
use crate::sokoban::Level;
use crate::sokoban::pruning::PruningLevel;

fn level(number: usize, width: usize) -> PlannedLevel {
    let (wall, floor) = ("#".repeat(width), " ".repeat(width - 5));
    let middle = format!("#@$.{floor}#");
    PlannedLevel {
        file: "a.xsb".to_owned(),
        path: PathBuf::from("a.xsb"),
        number,
        title: String::new(),
        level: Level::from_rows(&[&wall, &middle, &wall]),
    }
}

fn spec(levels: usize, threads: usize, repetitions: u64) -> Spec {
    let configurations = (1..=threads).map(|threads| Configuration {
        space: Space::Pushes,
        strategy: Strategy::Bfs,
        heuristic: None,
        pruning: PruningLevel::None,
        threading: Threading::Shared,
        threads,
        table: Table::Auto,
    });
    Spec {
        header: Header {
            name: "x".to_owned(),
            question: "?".to_owned(),
            hypothesis: None,
            repetitions,
            seed: 1,
            goal: Goal::Solve,
            limits: RunLimits {
                time: Some(Duration::from_secs(3)),
                memory_bytes: Some(1 << 30),
                states: None,
            },
            warm_ups: 0,
            pin: false,
        },
        levels: (1..=levels)
            .map(|number| level(number, 4 + number))
            .collect(),
        configurations: configurations.collect(),
        text: String::new(),
    }
}

/// Thread counts in the order of execution, for one block.
fn order(plan: &[RunSpec], level: usize, repetition: u64) -> Vec<usize> {
    let block = plan
        .iter()
        .filter(|run| run.level == level && run.repetition == repetition);
    block.map(|run| run.configuration.threads).collect()
}

fn ids(plan: &[RunSpec]) -> HashSet<&str> {
    plan.iter().map(|run| run.id.as_str()).collect()
}

#[test]
fn the_plan_holds_every_run_once_in_blocks() {
    let spec = spec(3, 8, 2);
    let plan = plan(&spec, "r");
    assert_eq!(plan.len(), 48);
    assert_eq!(ids(&plan).len(), 48);
    let sequence: Vec<u64> = plan.iter().map(|run| run.sequence).collect();
    assert_eq!(sequence, (1..=48).collect::<Vec<_>>());
    let blocks: Vec<_> = plan
        .chunks(8)
        .map(|block| (block[0].repetition, block[0].level))
        .collect();
    assert_eq!(blocks, [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]);
    for block in plan.chunks(8) {
        let (level, repetition) = (block[0].level, block[0].repetition);
        assert!(
            block
                .iter()
                .all(|run| (run.level, run.repetition) == (level, repetition))
        );
        let mut threads = order(block, level, repetition);
        threads.sort_unstable();
        assert_eq!(threads, [1, 2, 3, 4, 5, 6, 7, 8]);
    }
}

#[test]
fn the_same_experiment_gives_the_same_plan() {
    assert_eq!(plan(&spec(3, 8, 2), "r"), plan(&spec(3, 8, 2), "r"));
}

#[test]
fn blocks_are_shuffled_each_on_its_own() {
    let whole = plan(&spec(3, 8, 2), "r");
    let blocks = [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
    let orders: HashSet<_> = blocks
        .map(|(level, repetition)| order(&whole, level, repetition))
        .into();
    // Six orders out of 40,320: equal ones would mean that blocks share their random numbers.
    assert_eq!(orders.len(), 6);

    // Without the first level and the second repetition, the other blocks stay as they are.
    let mut less = spec(3, 8, 1);
    less.levels.remove(0);
    let less = plan(&less, "r");
    assert_eq!(order(&less, 0, 1), order(&whole, 1, 1));
    assert_eq!(order(&less, 1, 1), order(&whole, 2, 1));
}

#[test]
fn another_seed_gives_another_order() {
    let mut other = spec(1, 8, 1);
    other.header.seed = 2;
    assert_ne!(
        order(&plan(&other, "r"), 0, 1),
        order(&plan(&spec(1, 8, 1), "r"), 0, 1)
    );
}

#[test]
fn whatever_decides_the_answer_is_in_the_identity() {
    let id = |change: fn(&mut Spec), revision: &str| {
        let mut spec = spec(1, 1, 1);
        change(&mut spec);
        plan(&spec, revision)[0].id.clone()
    };
    let changes: [fn(&mut Spec); 8] = [
        |_| {},
        |spec| spec.header.goal = Goal::Census,
        |spec| spec.header.seed = 2,
        |spec| spec.header.limits.time = None,
        |spec| spec.header.limits.memory_bytes = None,
        |spec| spec.header.limits.states = Some(1),
        |spec| spec.levels[0] = level(1, 9),
        |spec| spec.configurations[0].threads = 2,
    ];
    let mut ids: HashSet<String> = changes.map(|change| id(change, "r")).into();
    ids.insert(id(|_| {}, "r-dirty"));
    assert_eq!(ids.len(), 9);
    assert!(
        ids.iter()
            .all(|id| id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    );
}

#[test]
fn names_and_places_are_not_in_the_identity() {
    let mut renamed = spec(2, 3, 2);
    renamed.header.name = "other".to_owned();
    renamed.levels[0].title = "Title".to_owned();
    renamed.levels[0].file = "b.xsb".to_owned();
    let (original, renamed) = (plan(&spec(2, 3, 2), "r"), plan(&renamed, "r"));
    assert_eq!(original, renamed);

    let mut fewer = spec(2, 2, 1);
    fewer.levels.remove(0);
    assert!(ids(&plan(&fewer, "r")).is_subset(&ids(&original)));
}

#[test]
fn equal_boards_have_runs_of_their_own() {
    let mut spec = spec(2, 3, 2);
    spec.levels[1].level = spec.levels[0].level.clone();
    assert_eq!(ids(&plan(&spec, "r")).len(), 12);
}

#[test]
fn the_worst_case_is_every_run_at_its_limit() {
    let mut spec = spec(3, 8, 2);
    assert_eq!(
        worst_case(&plan(&spec, "r")),
        Some(Duration::from_secs(144))
    );
    spec.header.limits.time = None;
    assert_eq!(worst_case(&plan(&spec, "r")), None);
    assert_eq!(worst_case(&[]), Some(Duration::ZERO));
}

#[test]
fn a_hundred_thousand_runs_are_planned_within_two_seconds() {
    let spec = spec(100, 100, 10);
    let start = Instant::now();
    let plan = plan(&spec, "r");
    let elapsed = start.elapsed();
    assert_eq!(ids(&plan).len(), 100_000);
    assert!(elapsed < Duration::from_secs(2), "{elapsed:?}");
    println!("{elapsed:?}");
}
