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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::puzzle::Puzzle;
    use crate::sokoban::encoding::State;
    use crate::sokoban::moves::MoveSpace;
    use crate::sokoban::pushes::PushSpace;
    use crate::sokoban::testing::{
        Naive, Position, Xorshift, board, explore, position, random_rows,
    };

    #[test]
    fn distances_add_up_over_boxes_and_ignore_walls() {
        let rows = [
            "#######", "#.    #", "### ###", "# $ $.#", "#  @  #", "#######",
        ];
        let board = board(&rows);
        let (moves, pushes) = (MoveSpace::<1>::new(&board), PushSpace::<1>::new(&board));
        let manhattan = Manhattan::new(&board);
        // The left box is 1 + 2 from the goal above, the right box 1 from the goal beside it.
        assert_eq!(
            manhattan.estimate(&moves, &moves.initial()),
            Estimate::Finite(4)
        );
        assert_eq!(
            manhattan.estimate(&pushes, &pushes.initial()),
            Estimate::Finite(4)
        );
    }

    #[test]
    fn wide_boards_reach_beyond_the_first_word() {
        let long = format!("#.@{}$#", " ".repeat(297));
        let board = board(&["#".repeat(302), long, "#".repeat(302)]);
        let space = MoveSpace::<16>::new(&board);
        let estimate = Manhattan::new(&board).estimate(&space, &space.initial());
        assert_eq!(estimate, Estimate::Finite(299));
    }

    /// Checks consistency along every step, and admissibility against exact distances where `exact`
    /// knows one.
    fn check<S>(space: &S, board: &Board, exact: &HashMap<Position, u32>)
    where
        S: Space<State = State<1>, Rule = Classic>,
    {
        let manhattan = Manhattan::new(board);
        let estimate = |state: &State<1>| match manhattan.estimate(space, state) {
            Estimate::Finite(cost) => cost,
            Estimate::DeadEnd => panic!("this heuristic knows no dead ends"),
        };
        explore(space, |state, successors| {
            let here = estimate(state);
            assert_eq!(here == 0, space.is_goal(state));
            if let Some(&distance) = exact.get(&position(board, state)) {
                assert!(here <= distance, "{here} is more than {distance}");
            }
            for next in successors {
                assert!(here <= estimate(&next.state) + space.step_cost(next.action));
            }
        });
    }

    #[test]
    fn estimates_are_admissible_and_consistent_in_both_spaces() {
        let mut random = Xorshift::new(43);
        for _ in 0..100 {
            let size = (3 + random.below(2), 3 + random.below(2));
            let rows = random_rows(&mut random, size, 10, 2);
            let (board, naive) = (board(&rows), Naive::new(&rows));
            check(&MoveSpace::<1>::new(&board), &board, &naive.distances(1));
            check(&PushSpace::<1>::new(&board), &board, &naive.distances(0));
        }
    }

    #[test]
    fn the_list_of_heuristics_has_different_names() {
        assert_eq!(HeuristicKind::ALL.map(HeuristicKind::name), ["manhattan"]);
    }
}
