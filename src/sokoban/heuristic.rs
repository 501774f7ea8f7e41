//! Estimates of the distance to the goal.

use super::Board;
use super::rules::Classic;
use super::space::Space;
use crate::puzzle::{Cost, Estimate, Guarantee, Heuristic};

/// Heuristics as values of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeuristicKind {
    /// Sum over boxes of the Manhattan distance to the nearest goal.
    Manhattan,
}

impl HeuristicKind {
    /// Every heuristic. Adding one starts here.
    pub const ALL: [Self; 1] = [Self::Manhattan];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Manhattan => "manhattan",
        }
    }
}

/// The sum over boxes of the Manhattan distance to the nearest goal. Costs one look-up for each box.
///
/// # Why it is consistent, in both spaces
/// Under the classic rule a step moves at most one box, by one cell. This changes the box's Manhattan
/// distance to any goal by exactly 1, so its distance to the nearest goal by at most 1, and leaves the
/// other terms of the sum as they are. A step costs 1 in either space, so along it the estimate falls
/// by at most the cost; a walking step does not change it at all. In a solved position each box stands
/// on a goal, so the estimate is 0. Consistent and 0 at the goal, it is admissible.
///
/// A rule under which one step moves several boxes, or one box several cells, breaks this argument;
/// the estimate is therefore given for the classic rule only.
#[derive(Debug, Clone)]
pub struct Manhattan {
    /// For each cell, the distance to its nearest goal.
    nearest: Vec<u16>,
}

impl Manhattan {
    /// Tabulates the distances of a board. Cells times goals operations.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let nearest = |cell| {
            let (column, row) = board.square(cell);
            let to_goal = |&goal: &u16| {
                let (goal_column, goal_row) = board.square(goal);
                column.abs_diff(goal_column) + row.abs_diff(goal_row)
            };
            let distance = board.goals().iter().map(to_goal).min();
            distance
                .and_then(|distance| u16::try_from(distance).ok())
                .unwrap_or(u16::MAX)
        };
        Self {
            nearest: (0..).take(board.floor()).map(nearest).collect(),
        }
    }
}

impl<S: Space<Rule = Classic>> Heuristic<S> for Manhattan {
    #[inline]
    fn estimate(&self, space: &S, state: &S::State) -> Estimate {
        let distance = |cell| Cost::from(self.nearest[usize::from(cell)]);
        Estimate::Finite(space.boxes(state).map(distance).sum())
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Consistent
    }
}
