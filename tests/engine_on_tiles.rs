//! The engine on a domain that is not Sokoban: sliding tiles keep the traits honest.
//!
//! Known truth: half of the 9! arrangements of the 8-puzzle are reachable, 181,440, and the two
//! hardest need 31 moves (A. Reinefeld, "Complete solution of the eight-puzzle and the benefit of node
//! ordering in IDA*", IJCAI 1993).

use std::time::Duration;

use sokolab::parallel::{ConfigError, SearchConfig, Threading, search};
use sokolab::puzzle::{
    Cost, Estimate, Guarantee, Hashed, Heuristic, NoPruning, Pruner, Puzzle, RuleIndex, Soundness,
    Successor, ZeroHeuristic,
};
use sokolab::search::{CancelToken, Goal, Limits, Outcome, Problem, Status, Strategy};

/// A `WIDTH` x `HEIGHT` board of sliding tiles; 0 is the gap.
#[derive(Debug)]
struct Tiles<const CELLS: usize> {
    width: usize,
    start: [u8; CELLS],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Board<const CELLS: usize>([u8; CELLS]);

/// Where the gap goes: left, up, right, down.
type Slide = u8;

impl<const CELLS: usize> Tiles<CELLS> {
    fn slide(&self, board: &Board<CELLS>, slide: Slide) -> Option<Board<CELLS>> {
        let gap = board.0.iter().position(|tile| *tile == 0)?;
        let (column, row) = (gap % self.width, gap / self.width);
        let target = match slide {
            0 if column > 0 => gap - 1,
            1 if row > 0 => gap - self.width,
            2 if column + 1 < self.width => gap + 1,
            3 if gap + self.width < CELLS => gap + self.width,
            _ => return None,
        };
        let mut next = *board;
        next.0.swap(gap, target);
        Some(next)
    }
}

impl<const CELLS: usize> Puzzle for Tiles<CELLS> {
    type State = Board<CELLS>;
    type Action = Slide;
    /// The slide back.
    type Undo = Option<Slide>;

    fn initial(&self) -> Board<CELLS> {
        Board(self.start)
    }

    fn is_goal(&self, board: &Board<CELLS>) -> bool {
        board.0.iter().zip(0..).all(|(tile, place)| *tile == place)
    }

    fn successors(&self, board: &Board<CELLS>, out: &mut Vec<Successor<Board<CELLS>, Slide>>) {
        for action in 0..4 {
            if let Some(state) = self.slide(board, action) {
                out.push(Successor { action, state });
            }
        }
    }

    fn predecessor(&self, board: &Board<CELLS>, action: Slide) -> Board<CELLS> {
        self.slide(board, (action + 2) % 4)
            .expect("a slide can be taken back")
    }

    fn undo_of(&self, slide: Slide) -> Option<Slide> {
        Some((slide + 2) % 4)
    }

    fn undoes(&self, slide: Slide, undo: Option<Slide>) -> bool {
        undo == Some(slide)
    }
}

/// Sum of the Manhattan distances of all tiles from their places. Consistent: a slide moves one tile
/// by one place.
struct ManhattanSum;

impl<const CELLS: usize> Heuristic<Tiles<CELLS>> for ManhattanSum {
    fn estimate(&self, puzzle: &Tiles<CELLS>, board: &Board<CELLS>) -> Estimate {
        let distance = |(place, tile): (usize, &u8)| {
            let tile = *tile as usize;
            (place % puzzle.width).abs_diff(tile % puzzle.width)
                + (place / puzzle.width).abs_diff(tile / puzzle.width)
        };
        let tiles = board.0.iter().enumerate().filter(|(_, tile)| **tile != 0);
        let sum: usize = tiles.map(distance).sum();
        Estimate::Finite(Cost::try_from(sum).unwrap())
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}

/// A 2x3 board: 360 reachable arrangements.
const SMALL: Tiles<6> = Tiles {
    width: 3,
    start: [1, 2, 5, 3, 4, 0],
};
/// One of the two hardest 8-puzzles: 31 moves.
const HARDEST: Tiles<9> = Tiles {
    width: 3,
    start: [8, 7, 6, 0, 4, 1, 2, 5, 3],
};

fn configs(goal: Goal) -> Vec<SearchConfig> {
    let mut configs = Vec::new();
    for strategy in Strategy::ALL {
        for threading in Threading::ALL {
            for threads in 1..=4 {
                let config = SearchConfig {
                    strategy,
                    threading,
                    threads,
                    goal,
                    limits: Limits::default(),
                };
                if config.check().is_ok() {
                    configs.push(config);
                }
            }
        }
    }
    configs
}

fn run<const CELLS: usize>(
    puzzle: &Tiles<CELLS>,
    pruner: &impl Pruner<Tiles<CELLS>>,
    config: &SearchConfig,
) -> Outcome<Slide> {
    let heuristic = &ManhattanSum;
    let problem = Problem {
        puzzle,
        heuristic,
        pruner,
        coding: &Hashed,
    };
    let outcome = search(&problem, config).unwrap();
    assert!(outcome.counters.is_conserved(), "{config:?}: {outcome:?}");
    let expanded: u64 = outcome.workers.iter().map(|w| w.expanded).sum();
    assert_eq!(expanded, outcome.counters.expanded, "{config:?}");
    assert_eq!(outcome.workers.len(), config.threads);
    outcome
}

/// Replays a solution with the rules alone.
fn cost_of<const CELLS: usize>(puzzle: &Tiles<CELLS>, outcome: &Outcome<Slide>) -> Cost {
    let solution = outcome.solution.as_ref().expect("solved");
    let mut board = puzzle.initial();
    for action in &solution.actions {
        board = puzzle.slide(&board, *action).expect("legal");
    }
    assert!(puzzle.is_goal(&board));
    assert_eq!(solution.actions.len(), solution.cost as usize);
    solution.cost
}

#[test]
fn the_census_is_the_same_for_every_strategy_model_and_thread_count() {
    for config in configs(Goal::Census) {
        let outcome = run(&SMALL, &NoPruning, &config);
        assert_eq!(outcome.status, Status::Complete, "{config:?}");
        let counters = &outcome.counters;
        // Half of 6! arrangements; each of the 60 places of the tiles occurs with the gap in each cell:
        // two slides from each of 4 corners, three from each of 2 middles.
        let counts = (
            counters.states_visited,
            counters.expanded,
            counters.generated,
        );
        assert_eq!(counts, (360, 360, 60 * (4 * 2 + 2 * 3)), "{config:?}");
    }
}

#[test]
fn the_whole_8_puzzle_is_visited() {
    for config in configs(Goal::Census) {
        if config.threads == 3 {
            continue;
        }
        let counters = run(&HARDEST, &NoPruning, &config).counters;
        assert_eq!(counters.states_visited, 181_440, "{config:?}");
        assert_eq!(counters.expanded, 181_440, "{config:?}");
        // Slides: 2 from each corner, 3 from each edge, 4 from the centre, over 9 places of the gap.
        assert_eq!(counters.generated, 181_440 / 9 * 24, "{config:?}");
    }
}

#[test]
fn the_layered_model_counts_a_waiting_state_once() {
    // The layers of the 8-puzzle from one of its hardest positions are known; at any moment at most two
    // neighbouring ones wait, and the widest pair has fewer than 49,000 states.
    let config = SearchConfig {
        strategy: Strategy::Bfs,
        threading: Threading::Layered,
        threads: 2,
        goal: Goal::Census,
        limits: Limits::default(),
    };
    let peak = run(&HARDEST, &NoPruning, &config).frontier_peak;
    assert!((20_000..49_000).contains(&peak), "{peak}");
}

#[test]
fn the_hardest_8_puzzle_takes_31_moves() {
    for config in configs(Goal::Solve) {
        let outcome = run(&HARDEST, &NoPruning, &config);
        assert_eq!(outcome.status, Status::Solved, "{config:?}");
        let cost = cost_of(&HARDEST, &outcome);
        match config.strategy {
            Strategy::Bfs | Strategy::Astar => assert_eq!(cost, 31, "{config:?}"),
            Strategy::Dfs | Strategy::Greedy => assert!(cost >= 31 && cost % 2 == 1),
        }
    }
}

#[test]
fn a_solved_start_is_solved_in_no_step() {
    let solved = Tiles {
        width: 3,
        start: [0, 1, 2, 3, 4, 5],
    };
    for config in configs(Goal::Solve) {
        assert_eq!(cost_of(&solved, &run(&solved, &NoPruning, &config)), 0);
    }
}

#[test]
fn no_solution_ends_too_and_is_proved() {
    // One transposition away from the goal: the other half of the arrangements.
    let odd = Tiles {
        width: 3,
        start: [0, 2, 1, 3, 4, 5],
    };
    for config in configs(Goal::Solve) {
        let outcome = run(&odd, &NoPruning, &config);
        assert_eq!(outcome.status, Status::Unsolvable, "{config:?}");
        assert_eq!(outcome.counters.expanded, 360, "{config:?}");
    }
}

/// Rejects all that has tile 5 in the first place: not sound.
struct Unsound;

impl<const CELLS: usize> Pruner<Tiles<CELLS>> for Unsound {
    fn verdict(&self, _: &Tiles<CELLS>, _: Slide, board: &Board<CELLS>) -> Option<RuleIndex> {
        (board.0[0] == 5).then_some(0)
    }

    fn rules(&self) -> &[&'static str] {
        &["five"]
    }

    fn soundness(&self) -> Soundness {
        Soundness::Unproved
    }
}

#[test]
fn an_unproved_rule_proves_nothing_and_prunes_the_same_in_any_order() {
    let odd = Tiles {
        width: 3,
        start: [0, 2, 1, 3, 4, 5],
    };
    let mut counts = Vec::new();
    for config in configs(Goal::Solve) {
        let outcome = run(&odd, &Unsound, &config);
        assert_eq!(outcome.status, Status::Exhausted, "{config:?}");
        let counters = outcome.counters;
        assert!(counters.pruned() > 0);
        counts.push((
            counters.states_visited,
            counters.generated,
            counters.pruned(),
        ));
    }
    counts.dedup();
    assert_eq!(counts.len(), 1, "{counts:?}");
}

#[test]
fn limits_stop_every_model_with_its_counts_whole() {
    let limits: [(Limits, Status); 4] = [
        (limit(|l| l.states = Some(5_000)), Status::StateLimit),
        (
            limit(|l| l.memory_bytes = Some(400_000)),
            Status::MemoryLimit,
        ),
        (limit(|l| l.time = Some(Duration::ZERO)), Status::TimeLimit),
        (limit(|l| l.cancel.cancel()), Status::Cancelled),
    ];
    for mut config in configs(Goal::Census) {
        for (limits, status) in &limits {
            config.limits = limits.clone();
            let outcome = run(&HARDEST, &NoPruning, &config);
            assert_eq!(outcome.status, *status, "{config:?}");
            assert!(outcome.counters.states_visited < 60_000, "{config:?}");
        }
    }
}

fn limit(set: impl FnOnce(&mut Limits)) -> Limits {
    let mut limits = Limits {
        cancel: CancelToken::default(),
        ..Limits::default()
    };
    set(&mut limits);
    limits
}

#[test]
fn a_sequential_search_repeats_to_the_node() {
    for strategy in Strategy::ALL {
        let config = SearchConfig {
            strategy,
            threading: Threading::Sequential,
            threads: 1,
            goal: Goal::Solve,
            limits: Limits::default(),
        };
        let (first, second) = (
            run(&HARDEST, &NoPruning, &config),
            run(&HARDEST, &NoPruning, &config),
        );
        assert_eq!(first.counters, second.counters);
        assert_eq!(first.solution, second.solution);
    }
}

#[test]
fn astar_expands_fewer_states_than_bfs() {
    let expanded = |strategy| {
        let config = SearchConfig {
            strategy,
            threading: Threading::Sequential,
            threads: 1,
            goal: Goal::Solve,
            limits: Limits::default(),
        };
        run(&HARDEST, &NoPruning, &config).counters.expanded
    };
    assert!(expanded(Strategy::Astar) * 2 < expanded(Strategy::Bfs));
}

#[test]
fn impossible_configurations_are_refused() {
    let config = |strategy, threading, threads| SearchConfig {
        strategy,
        threading,
        threads,
        goal: Goal::Solve,
        limits: Limits::default(),
    };
    let check = |config: SearchConfig| {
        let problem = Problem {
            puzzle: &SMALL,
            heuristic: &ZeroHeuristic,
            pruner: &NoPruning,
            coding: &Hashed,
        };
        search(&problem, &config).map(|_| ()).unwrap_err()
    };
    let sequential = config(Strategy::Dfs, Threading::Sequential, 2);
    assert_eq!(check(sequential), ConfigError::SequentialThreads(2));
    let layered = config(Strategy::Dfs, Threading::Layered, 1);
    assert_eq!(check(layered), ConfigError::LayeredStrategy("dfs"));
    let none = config(Strategy::Dfs, Threading::Shared, 0);
    assert_eq!(check(none), ConfigError::Threads(0));
}

#[test]
fn a_verdict_that_comes_while_an_actor_runs_dry_is_not_slept_through() {
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for round in 0..1_500 {
            let config = SearchConfig {
                strategy: Strategy::ALL[round % 4],
                threading: Threading::Actors,
                threads: 2 + round % 3,
                goal: Goal::Solve,
                limits: Limits::default(),
            };
            run(&SMALL, &NoPruning, &config);
        }
        done.send(()).expect("the test waits");
    });
    let limit = Duration::from_secs(120);
    assert_eq!(
        ended.recv_timeout(limit),
        Ok(()),
        "an actor sleeps for ever"
    );
}

/// Panics somewhere inside the space.
struct Faulty;

impl<const CELLS: usize> Pruner<Tiles<CELLS>> for Faulty {
    fn verdict(&self, _: &Tiles<CELLS>, _: Slide, board: &Board<CELLS>) -> Option<RuleIndex> {
        assert!(board.0[4] != 0 || board.0[0] != 8, "planted fault");
        None
    }

    fn rules(&self) -> &[&'static str] {
        &["faulty"]
    }

    fn soundness(&self) -> Soundness {
        Soundness::Sound
    }
}

#[test]
fn a_panic_in_one_worker_ends_the_search_instead_of_hanging_it() {
    for config in configs(Goal::Census) {
        let problem = Problem {
            puzzle: &HARDEST,
            heuristic: &ManhattanSum,
            pruner: &Faulty,
            coding: &Hashed,
        };
        let result = std::panic::catch_unwind(|| search(&problem, &config).map(|_| ()));
        assert!(result.is_err(), "{config:?}");
    }
}
