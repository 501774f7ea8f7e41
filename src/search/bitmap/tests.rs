//! The bitmap search on random directed graphs, against a plain search of the same graph.

use std::collections::VecDeque;
use std::time::Duration;

use super::WordProblem;
use super::layers::search;
use super::workers::{Alone, Workers};
use crate::puzzle::{
    NoPruning, Place, Predecessor, Pruner, Puzzle, RuleIndex, Soundness, Steps, Successor, Words,
};
use crate::search::{CancelToken, Goal, Limits, Outcome, Status, WorkerReport};

/// A directed graph. A step is named by the node it comes from; the search starts at node 0.
struct Graph {
    edges: Vec<Vec<u32>>,
    goal: u32,
}

/// Deterministic noise.
fn noise(seed: u64, a: u32, b: u32) -> u64 {
    let mut bits = seed ^ u64::from(a) << 32 ^ u64::from(b);
    for _ in 0..3 {
        bits = (bits ^ bits >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    bits >> 16
}

impl Graph {
    /// A graph of a long way forward with many edges back, so that nodes have predecessors of every depth.
    fn new(seed: u64, nodes: u32) -> Self {
        let edges = (0..nodes).map(|node| {
            let forward = 1 + noise(seed, node, 0) % 3;
            let mut targets = vec![(node + forward as u32).min(nodes - 1)];
            for edge in 1..=noise(seed, node, 1) as u32 % 4 {
                targets.push(noise(seed, node, 1 + edge) as u32 % (node + 2).min(nodes));
            }
            targets
        });
        Self {
            edges: edges.collect(),
            goal: nodes - 1,
        }
    }
}

impl Puzzle for Graph {
    type State = u32;
    type Action = u32;
    type Undo = ();

    fn initial(&self) -> u32 {
        0
    }

    fn is_goal(&self, node: &u32) -> bool {
        *node == self.goal
    }

    fn successors(&self, node: &u32, out: &mut Vec<Successor<u32, u32>>) {
        let targets = self.edges[*node as usize].iter();
        out.extend(targets.map(|&state| Successor {
            action: *node,
            state,
        }));
    }

    fn predecessor(&self, _node: &u32, action: u32) -> u32 {
        action
    }

    fn undo_of(&self, _action: u32) {}

    fn undoes(&self, _action: u32, _undo: ()) -> bool {
        false
    }
}

/// Node `n` is bit `n % 64` of word `n / 64`.
struct Sixties<'a>(&'a Graph);

impl Words<Graph> for Sixties<'_> {
    type Cursor = ();

    fn words(&self) -> usize {
        self.0.edges.len().div_ceil(64)
    }

    fn place(&self, node: &u32) -> Place {
        Place {
            word: *node as usize / 64,
            bit: node % 64,
        }
    }

    fn state(&self, place: Place) -> u32 {
        place.word as u32 * 64 + place.bit
    }

    fn goals(&self, word: usize) -> u64 {
        let place = self.place(&self.0.goal);
        u64::from(word == place.word) << place.bit
    }

    fn advance(&self, _: &mut (), word: usize, bits: u64, out: &mut impl Steps<Graph>) {
        for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
            let node = self.state(Place { word, bit });
            for &target in &self.0.edges[node as usize] {
                let place = self.place(&target);
                // Both forms are right for a step that stays in its word.
                if place.word == word && target % 3 != 0 {
                    out.within(node, 1 << place.bit);
                } else {
                    out.across(node, target);
                }
            }
        }
    }

    fn predecessors(&self, node: &u32, out: &mut Vec<Predecessor<u32, u32>>) {
        let edges = &self.0.edges;
        for (state, targets) in (0..).zip(edges) {
            for _ in targets.iter().filter(|target| *target == node) {
                let back = edges[*node as usize].contains(&state).then_some(*node);
                out.push(Predecessor {
                    action: state,
                    state,
                    back,
                });
            }
        }
    }
}

/// Rejects some steps, by two rules.
struct SomeSteps(u64);

impl Pruner<Graph> for SomeSteps {
    fn verdict(&self, _: &Graph, action: u32, state: &u32) -> Option<RuleIndex> {
        match noise(self.0, action, 1000 + state) % 8 {
            0 => Some(0),
            1 => Some(1),
            _ => None,
        }
    }

    fn rules(&self) -> &[&'static str] {
        &["first", "second"]
    }

    fn soundness(&self) -> Soundness {
        Soundness::Unproved
    }
}

/// One thread that plays several, with small rounds.
struct Playing(usize);

impl Workers for Playing {
    const STEPS: usize = 3;

    fn shards(&self, _: usize) -> usize {
        self.0
    }

    fn each<T: Send>(
        &mut self,
        _: u64,
        items: &mut [T],
        work: impl Fn(usize, &mut T) -> u64 + Sync,
    ) {
        for (index, item) in items.iter_mut().enumerate().rev() {
            work(index, item);
        }
    }

    fn reports(self, _: Duration) -> Vec<WorkerReport> {
        Vec::new()
    }
}

/// What a plain search counts.
#[derive(Debug, PartialEq, Eq)]
struct Truth {
    visited: u64,
    generated: u64,
    pruned: Vec<u64>,
    /// Depth of the goal.
    goal: Option<u32>,
}

fn truth(graph: &Graph, pruner: &impl Pruner<Graph>) -> Truth {
    let mut depths = vec![None; graph.edges.len()];
    depths[0] = Some(0);
    let mut queue = VecDeque::from([0]);
    let mut generated = 0;
    let mut pruned = vec![0; pruner.rules().len()];
    while let Some(node) = queue.pop_front() {
        for &target in &graph.edges[node as usize] {
            generated += 1;
            if let Some(rule) = pruner.verdict(graph, node, &target) {
                pruned[rule] += 1;
            } else if depths[target as usize].is_none() {
                depths[target as usize] = depths[node as usize].map(|depth: u32| depth + 1);
                queue.push_back(target);
            }
        }
    }
    Truth {
        visited: depths.iter().flatten().count() as u64,
        generated,
        pruned,
        goal: depths[graph.goal as usize],
    }
}

fn run<R: Pruner<Graph>>(
    graph: &Graph,
    pruner: &R,
    goal: Goal,
    limits: &Limits,
) -> [Outcome<u32>; 3] {
    let words = Sixties(graph);
    let problem = WordProblem {
        puzzle: graph,
        pruner,
        words: &words,
        goal,
    };
    let outcomes = [
        search(&problem, limits, Alone::default()),
        search(&problem, limits, Playing(1)),
        search(&problem, limits, Playing(4)),
    ];
    for outcome in &outcomes {
        assert!(outcome.counters.is_conserved(), "{:?}", outcome.counters);
    }
    outcomes
}

fn check_census(graph: &Graph, pruner: &impl Pruner<Graph>) {
    let truth = truth(graph, pruner);
    for outcome in run(graph, pruner, Goal::Census, &Limits::default()) {
        assert_eq!(outcome.status, Status::Complete);
        let counters = &outcome.counters;
        assert_eq!(counters.states_visited, truth.visited);
        assert_eq!(counters.expanded, truth.visited);
        assert_eq!(counters.generated, truth.generated);
        assert_eq!(counters.pruned_by_rule, truth.pruned);
        assert!(outcome.frontier_peak <= truth.visited);
    }
}

fn check_solve(graph: &Graph, pruner: &impl Pruner<Graph>) {
    let truth = truth(graph, pruner);
    for outcome in run(graph, pruner, Goal::Solve, &Limits::default()) {
        assert_eq!(outcome.solution.as_ref().map(|path| path.cost), truth.goal);
        let Some(solution) = outcome.solution else {
            let proved = pruner.soundness() == Soundness::Sound;
            let expected = [Status::Exhausted, Status::Unsolvable][usize::from(proved)];
            assert_eq!(outcome.status, expected);
            continue;
        };
        assert_eq!(outcome.status, Status::Solved);
        let mut nodes = solution.actions;
        nodes.push(graph.goal);
        assert_eq!(nodes[0], 0);
        for step in nodes.windows(2) {
            assert!(graph.edges[step[0] as usize].contains(&step[1]));
            assert_eq!(pruner.verdict(graph, step[0], &step[1]), None);
        }
    }
}

#[test]
fn a_census_counts_what_a_plain_search_counts() {
    for seed in 1..40 {
        let graph = Graph::new(seed, 50 + seed as u32 * 9);
        check_census(&graph, &NoPruning);
        check_census(&graph, &SomeSteps(seed));
    }
}

#[test]
fn solutions_are_shortest_and_take_no_step_that_was_pruned() {
    let mut ends = [0, 0];
    for seed in 1..40 {
        let mut graph = Graph::new(seed, 50 + seed as u32 * 9);
        for goal in [0, 1, 40, graph.goal / 2, graph.goal] {
            graph.goal = goal;
            ends[usize::from(truth(&graph, &SomeSteps(seed)).goal.is_some())] += 1;
            check_solve(&graph, &NoPruning);
            check_solve(&graph, &SomeSteps(seed));
        }
    }
    assert!(ends[0] > 10 && ends[1] > 10, "{ends:?}: both kinds occur");
}

#[test]
fn a_limit_of_states_is_overrun_by_the_successors_of_one_word_for_each_shard() {
    let graph = Graph::new(5, 2000);
    let limits = Limits {
        states: Some(500),
        ..Limits::default()
    };
    for (outcome, shards) in run(&graph, &NoPruning, Goal::Census, &limits)
        .iter()
        .zip([1, 1, 4])
    {
        assert_eq!(outcome.status, Status::StateLimit);
        let visited = outcome.counters.states_visited;
        assert!((500..500 + shards * 64 * 4).contains(&visited), "{visited}");
    }
}

#[test]
fn time_memory_and_cancellation_stop_a_search() {
    let graph = Graph::new(5, 2000);
    let cancel = CancelToken::default();
    cancel.cancel();
    let limits = |time, memory_bytes, cancel| Limits {
        time,
        memory_bytes,
        cancel,
        ..Limits::default()
    };
    let none = CancelToken::default;
    for (limits, status) in [
        (
            limits(Some(Duration::ZERO), None, none()),
            Status::TimeLimit,
        ),
        (limits(None, Some(100), none()), Status::MemoryLimit),
        (limits(None, None, cancel), Status::Cancelled),
    ] {
        for outcome in run(&graph, &NoPruning, Goal::Solve, &limits) {
            assert_eq!(outcome.status, status);
            assert_eq!(outcome.counters.states_visited, 1);
        }
    }
}

#[test]
fn workers_of_any_number_visit_the_same_states_of_a_solved_search() {
    let graph = Graph::new(9, 3000);
    let again = || run(&graph, &SomeSteps(9), Goal::Census, &Limits::default());
    let (first, second) = (again(), again());
    for (one, other) in first.iter().zip(&second) {
        assert_eq!(one.counters, other.counters);
        assert_eq!(one.frontier_peak, other.frontier_peak);
    }
}

/// Rejects one step.
struct OneStep(u32, u32);

impl Pruner<Graph> for OneStep {
    fn verdict(&self, _: &Graph, action: u32, state: &u32) -> Option<RuleIndex> {
        ((action, *state) == (self.0, self.1)).then_some(0)
    }

    fn rules(&self) -> &[&'static str] {
        &["one step"]
    }

    fn soundness(&self) -> Soundness {
        Soundness::Unproved
    }
}

/// Node 3 has the colour of node 0 and leads to node 1. The step from 1 to 3 would make the two neighbours, but
/// it is pruned, so 3 lies two layers deeper than 1.
#[test]
fn a_step_back_that_is_pruned_says_nothing_of_the_depth() {
    let mut edges: Vec<Vec<u32>> = (1..7).map(|next| vec![next]).collect();
    edges.push(Vec::new());
    edges[1].push(3);
    edges[3].push(1);
    check_solve(&Graph { edges, goal: 6 }, &OneStep(1, 3));
}
