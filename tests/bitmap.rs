//! The bitmap on a level large enough that its threads have work: small levels, on which everything is compared
//! with the oracle, are searched by the calling thread alone.

use sokolab::experiment::compose::{Answer, ComposeError, answer};
use sokolab::experiment::configuration::{Configuration, Space, Table};
use sokolab::experiment::tables::TableError;
use sokolab::parallel::Threading;
use sokolab::search::{Goal, Limits, Status, Strategy};
use sokolab::sokoban::pruning::PruningLevel;
use sokolab::sokoban::{Board, Level};
use sokolab::validate::replay;

/// A room of 30 cells with four boxes: some hundred thousand positions.
const ROOM: [&str; 7] = [
    "########", "#@     #", "# $  $ #", "#   $  #", "# $... #", "#   .  #", "########",
];

fn configuration(table: Table, threads: usize, pruning: PruningLevel) -> Configuration {
    Configuration {
        space: Space::Moves,
        strategy: Strategy::Bfs,
        heuristic: None,
        pruning,
        threading: match threads {
            1 => Threading::Sequential,
            _ => Threading::Layered,
        },
        threads,
        table,
    }
}

fn run(configuration: &Configuration, goal: Goal, limits: &Limits) -> Result<Answer, ComposeError> {
    let board = Board::new(&Level::from_rows(&ROOM)).expect("a valid level");
    answer(&board, configuration, goal, limits)
}

#[test]
fn threads_share_the_work_and_change_no_count() {
    for pruning in [PruningLevel::None, PruningLevel::Frozen] {
        let count = |table, threads| {
            let configuration = configuration(table, threads, pruning);
            run(&configuration, Goal::Census, &Limits::default()).expect("it can run")
        };
        let truth = count(Table::Hash, 1);
        for threads in 1..=4 {
            let answer = count(Table::Bitmap, threads);
            assert_eq!(answer.counters, truth.counters, "{threads} threads");
            let expanded = answer.workers.iter().map(|worker| worker.expanded);
            assert_eq!(expanded.sum::<u64>(), truth.counters.expanded);
            assert_eq!(answer.workers.len(), threads);
        }
        let wakes_threads = truth.frontier_peak > 4096;
        assert!(wakes_threads || pruning != PruningLevel::None);
    }
}

#[test]
fn solutions_are_as_short_as_those_of_the_hash_table() {
    for pruning in PruningLevel::ALL {
        let solve = |table, threads| {
            let configuration = configuration(table, threads, pruning);
            run(&configuration, Goal::Solve, &Limits::default()).expect("it can run")
        };
        let least = solve(Table::Hash, 1).cost;
        assert!(least.is_some());
        for threads in 1..=3 {
            let answer = solve(Table::Bitmap, threads);
            assert_eq!(answer.status, Status::Solved);
            assert_eq!(answer.cost, least);
            let steps = answer.steps.expect("a solution");
            let replayed = replay(&Level::from_rows(&ROOM), &steps).expect("legal steps");
            assert!(replayed.solved);
            assert_eq!(Some(replayed.moves), least.map(u64::from));
        }
    }
}

#[test]
fn a_state_limit_is_met_with_all_counts() {
    let limits = Limits {
        states: Some(50_000),
        ..Limits::default()
    };
    for threads in 1..=3 {
        let configuration = configuration(Table::Bitmap, threads, PruningLevel::None);
        let answer = run(&configuration, Goal::Census, &limits).expect("it can run");
        assert_eq!(answer.status, Status::StateLimit);
        assert!(answer.counters.is_conserved());
        let visited = answer.counters.states_visited;
        assert!((50_000..60_000).contains(&visited), "{visited}");
    }
}

#[test]
fn a_bitmap_beyond_the_memory_limit_is_refused_before_it_begins() {
    let limits = Limits {
        memory_bytes: Some(100_000),
        ..Limits::default()
    };
    let bitmap = configuration(Table::Bitmap, 1, PruningLevel::None);
    let refused = run(&bitmap, Goal::Census, &limits);
    assert!(matches!(
        refused,
        Err(ComposeError::Table(TableError::Memory { .. }))
    ));
    let auto = configuration(Table::Auto, 1, PruningLevel::None);
    let answer = run(&auto, Goal::Census, &limits).expect("it can run");
    assert_eq!(answer.table, Table::Hash);
    assert_eq!(answer.status, Status::MemoryLimit);
}
