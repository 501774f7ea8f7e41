//! The engine on random weighted graphs: steps of different costs, an estimate that is admissible but not
//! consistent, and dead ends; against Dijkstra's algorithm.

use std::collections::BTreeSet;

use sokolab::parallel::{SearchConfig, Threading, search};
use sokolab::puzzle::{Cost, Estimate, Guarantee, Hashed, Heuristic, NoPruning, Puzzle, Successor};
use sokolab::search::{Goal, Limits, Outcome, Problem, Status, Strategy};

/// A directed graph; vertex 0 is the start, the last vertex the goal.
#[derive(Debug)]
struct Graph {
    /// Edges of each vertex: target and cost.
    edges: Vec<Vec<(u32, Cost)>>,
}

/// An edge: its source, and its place among the edges of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge(u32, u32);

impl Puzzle for Graph {
    type State = u32;
    type Action = Edge;
    type Undo = ();

    fn initial(&self) -> u32 {
        0
    }

    fn is_goal(&self, vertex: &u32) -> bool {
        *vertex as usize == self.edges.len() - 1
    }

    fn successors(&self, vertex: &u32, out: &mut Vec<Successor<u32, Edge>>) {
        for (place, &(state, _)) in (0..).zip(&self.edges[*vertex as usize]) {
            let action = Edge(*vertex, place);
            out.push(Successor { action, state });
        }
    }

    fn predecessor(&self, _vertex: &u32, edge: Edge) -> u32 {
        edge.0
    }

    fn undo_of(&self, _edge: Edge) {}

    fn undoes(&self, _edge: Edge, _undo: ()) -> bool {
        false
    }

    fn step_cost(&self, edge: Edge) -> Cost {
        self.edges[edge.0 as usize][edge.1 as usize].1
    }
}

/// Exact distances to the goal, some of them replaced by 0: admissible, and as inconsistent as can be.
struct Holes(Vec<Option<Cost>>);

impl Heuristic<Graph> for Holes {
    fn estimate(&self, _graph: &Graph, vertex: &u32) -> Estimate {
        match self.0[*vertex as usize] {
            None => Estimate::DeadEnd,
            Some(_) if vertex % 3 == 1 => Estimate::Finite(0),
            Some(distance) => Estimate::Finite(distance),
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Admissible
    }
}

struct Xorshift(u64);

impl Xorshift {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::from(bound)) as u32
    }
}

fn random_graph(random: &mut Xorshift) -> Graph {
    let vertices = 20 + random.below(200);
    // Sparse graphs often have no path to the goal, dense ones many of different costs.
    let most = 3 + random.below(5);
    let edges = (0..vertices)
        .map(|_| {
            let degree = random.below(most);
            (0..degree)
                .map(|_| (random.below(vertices), 1 + random.below(30)))
                .collect()
        })
        .collect();
    Graph { edges }
}

/// Distances to the goal by Dijkstra's algorithm over the reversed edges.
fn distances_to_goal(graph: &Graph) -> Vec<Option<Cost>> {
    let mut reversed = vec![Vec::new(); graph.edges.len()];
    for (source, edges) in graph.edges.iter().enumerate() {
        for &(target, cost) in edges {
            reversed[target as usize].push((source, cost));
        }
    }
    let mut distances = vec![None; graph.edges.len()];
    let mut open = BTreeSet::from([(0, graph.edges.len() - 1)]);
    while let Some((distance, vertex)) = open.pop_first() {
        if distances[vertex].is_none() {
            distances[vertex] = Some(distance);
            open.extend(
                reversed[vertex]
                    .iter()
                    .map(|&(v, cost)| (distance + cost, v)),
            );
        }
    }
    distances
}

fn astar(graph: &Graph, heuristic: &Holes, threading: Threading, threads: usize) -> Outcome<Edge> {
    let config = SearchConfig {
        strategy: Strategy::Astar,
        threading,
        threads,
        goal: Goal::Solve,
        limits: Limits::default(),
    };
    let problem = Problem {
        puzzle: graph,
        heuristic,
        pruner: &NoPruning,
        coding: &Hashed,
    };
    let outcome = search(&problem, &config).unwrap();
    assert!(outcome.counters.is_conserved(), "{outcome:?}");
    outcome
}

#[test]
fn astar_is_optimal_with_an_inconsistent_estimate_under_every_model() {
    let mut random = Xorshift(0x5eed);
    let (mut reopened, mut dead_ends, mut unsolvable) = (0, 0, 0);
    for _ in 0..150 {
        let graph = random_graph(&mut random);
        let heuristic = Holes(distances_to_goal(&graph));
        for (threading, threads) in [
            (Threading::Sequential, 1),
            (Threading::Shared, 1),
            (Threading::Shared, 3),
            (Threading::Actors, 1),
            (Threading::Actors, 3),
        ] {
            let outcome = astar(&graph, &heuristic, threading, threads);
            let told = format!("{threading:?} x {threads}: {graph:?}");
            match heuristic.0[0] {
                None => {
                    assert_eq!(outcome.status, Status::Unsolvable, "{told}");
                    unsolvable += 1;
                }
                Some(least) => {
                    let solution = outcome.solution.expect("solved");
                    assert_eq!(solution.cost, least, "{told}");
                    let last = solution
                        .actions
                        .last()
                        .map(|edge| (edge.0, edge.1 as usize));
                    let reached = last.map(|(v, place)| graph.edges[v as usize][place].0);
                    assert!(reached.is_none_or(|vertex| graph.is_goal(&vertex)));
                }
            }
            let counters = outcome.counters;
            reopened += counters.reopened;
            dead_ends += counters.dead_ends;
        }
    }
    // The cases that this test is for do occur.
    let occurred = [reopened, dead_ends, unsolvable];
    assert!(occurred.iter().all(|count| *count > 20), "{occurred:?}");
}

#[test]
fn a_census_visits_what_the_estimate_calls_a_dead_end() {
    let mut random = Xorshift(7);
    let graph = random_graph(&mut random);
    let heuristic = Holes(vec![None; graph.edges.len()]);
    let mut reachable = BTreeSet::from([0]);
    let mut waiting = vec![0_u32];
    while let Some(vertex) = waiting.pop() {
        for &(target, _) in &graph.edges[vertex as usize] {
            if reachable.insert(target) {
                waiting.push(target);
            }
        }
    }
    for strategy in [Strategy::Greedy, Strategy::Astar] {
        let config = SearchConfig {
            strategy,
            threading: Threading::Shared,
            threads: 2,
            goal: Goal::Census,
            limits: Limits::default(),
        };
        let problem = Problem {
            puzzle: &graph,
            heuristic: &heuristic,
            pruner: &NoPruning,
            coding: &Hashed,
        };
        let outcome = search(&problem, &config).unwrap();
        assert_eq!(outcome.status, Status::Complete);
        assert_eq!(outcome.counters.states_visited, reachable.len() as u64);
    }
}
