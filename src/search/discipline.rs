//! What tells one strategy from another: the frontier, the priority of a state, and when a goal counts.

use super::Strategy;
use super::frontier::{BucketQueue, Frontier, LayerQueue, Stack};
use super::node::{Node, PathCost, Priority, Untracked};
use crate::puzzle::{Cost, Estimate};

/// When a state is tested for being a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalTest {
    /// As soon as it is entered in the visited table.
    OnEntry,
    /// When it leaves the frontier: needed where a cheaper path may still be found.
    OnExpansion,
}

/// A strategy as a type: the engine is generic over it, and [`super::Strategy`] chooses once.
pub trait Discipline: Send + Sync + 'static {
    /// The strategy as a value.
    const STRATEGY: Strategy;
    /// Cost of paths, if the strategy needs it.
    type Cost: PathCost;
    /// States that wait.
    type Frontier<S: Copy + Send, U: Copy + Send>: Frontier<Node<S, U, Self::Cost>>;
    /// When a goal counts.
    const GOAL_TEST: GoalTest;
    /// Whether parallel workers must finish one phase before the next one starts.
    const PHASED: bool;
    /// Expansions under way at a time, a power of two: successors are entered so many expansions after they were generated.
    /// Above 1 only where the order of expansion is the same all the same.
    const PIPELINE: usize;

    /// Priority of a state reached from one of priority `parent` at path cost `cost`; `None` if the
    /// estimate, which is only computed when asked for, says that the goal cannot be reached.
    fn priority(
        parent: Priority,
        cost: Self::Cost,
        estimate: impl FnOnce() -> Estimate,
    ) -> Option<Priority>;
}

/// Depth first: the newest state first.
#[derive(Debug)]
pub struct DepthFirst;

impl Discipline for DepthFirst {
    const STRATEGY: Strategy = Strategy::Dfs;
    type Cost = Untracked;
    type Frontier<S: Copy + Send, U: Copy + Send> = Stack<Node<S, U, Untracked>>;
    const GOAL_TEST: GoalTest = GoalTest::OnEntry;
    const PHASED: bool = false;
    const PIPELINE: usize = 1;

    #[inline]
    fn priority(
        _parent: Priority,
        _cost: Untracked,
        _estimate: impl FnOnce() -> Estimate,
    ) -> Option<Priority> {
        Some(Priority::default())
    }
}

/// Breadth first. A goal entered while layer d is expanded lies in layer d + 1, and none lies before
/// it, so testing on entry is optimal where every step costs the same.
#[derive(Debug)]
pub struct BreadthFirst;

impl Discipline for BreadthFirst {
    const STRATEGY: Strategy = Strategy::Bfs;
    type Cost = Untracked;
    type Frontier<S: Copy + Send, U: Copy + Send> = LayerQueue<Node<S, U, Untracked>>;
    const GOAL_TEST: GoalTest = GoalTest::OnEntry;
    const PHASED: bool = true;
    /// First in, first out: what the first of them adds comes after the last of them anyway.
    const PIPELINE: usize = 16;

    #[inline]
    fn priority(
        parent: Priority,
        _cost: Untracked,
        _estimate: impl FnOnce() -> Estimate,
    ) -> Option<Priority> {
        Some(Priority {
            phase: parent.phase + 1,
            rank: 0,
        })
    }
}

/// Greedy best first: the smallest estimate first.
#[derive(Debug)]
pub struct GreedyBestFirst;

impl Discipline for GreedyBestFirst {
    const STRATEGY: Strategy = Strategy::Greedy;
    type Cost = Untracked;
    type Frontier<S: Copy + Send, U: Copy + Send> = BucketQueue<Node<S, U, Untracked>>;
    const GOAL_TEST: GoalTest = GoalTest::OnEntry;
    const PHASED: bool = false;
    const PIPELINE: usize = 1;

    #[inline]
    fn priority(
        _parent: Priority,
        _cost: Untracked,
        estimate: impl FnOnce() -> Estimate,
    ) -> Option<Priority> {
        match estimate() {
            Estimate::Finite(rank) => Some(Priority { phase: 0, rank }),
            Estimate::DeadEnd => None,
        }
    }
}

/// A*: the smallest sum of cost and estimate first; of equal sums the smallest estimate.
///
/// Phases by the sum keep the parallel models optimal: when the phases below f are exhausted
/// everywhere and the estimate is admissible, no solution cheaper than f exists. If the estimate is
/// consistent, a state is expanded at its least cost only, hence once.
#[derive(Debug)]
pub struct AStar;

impl Discipline for AStar {
    const STRATEGY: Strategy = Strategy::Astar;
    type Cost = Cost;
    type Frontier<S: Copy + Send, U: Copy + Send> = BucketQueue<Node<S, U, Cost>>;
    const GOAL_TEST: GoalTest = GoalTest::OnExpansion;
    const PHASED: bool = true;
    const PIPELINE: usize = 1;

    #[inline]
    fn priority(
        _parent: Priority,
        cost: Cost,
        estimate: impl FnOnce() -> Estimate,
    ) -> Option<Priority> {
        match estimate() {
            Estimate::Finite(rank) => Some(Priority {
                phase: cost.saturating_add(rank),
                rank,
            }),
            Estimate::DeadEnd => None,
        }
    }
}
