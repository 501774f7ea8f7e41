//! The edge rule.
//!
//! **Definition.** A *run* is a straight line of floor cells from wall to wall that has a wall along one
//! of its two long sides, the same side from end to end. The rule fires if the pushed box stands on a
//! run that holds more boxes than goals. On a run without goals a single box suffices: this is the
//! *static* case, known before the search; the others are the *dynamic* case.
//!
//! **Why it is sound.** No box ever leaves a run. Along the run, the walls at its ends stop it. Across
//! it, one side is wall at every cell: a push towards that side is blocked, and a push away from it
//! would need the player to stand in the wall. So the number of boxes on the run never falls, and with
//! more boxes than goals on it, one of them ends off goal.

use super::super::encoding::CellSet;
use super::super::rules::Movement;
use super::super::{Board, Cell, Direction};
use super::{Scope, Target};

/// A box must reach a goal, and moves only by a push with the player behind it.
pub(super) const SCOPE: Scope = Scope {
    movements: &[Movement::Classic],
    targets: &[Target::EveryBoxOnGoal],
};

/// Stands for "no run" in the table of runs.
const NO_RUN: u16 = u16::MAX;

/// The run through a cell along an axis, if there is one. The walls at both ends make it unique.
fn run_through<const W: usize>(board: &Board, cell: Cell, axis: Direction) -> Option<CellSet<W>> {
    let cells: Vec<Cell> = wall_to_wall(board, cell, axis);
    let sides = match axis {
        Direction::Left | Direction::Right => [Direction::Up, Direction::Down],
        Direction::Up | Direction::Down => [Direction::Left, Direction::Right],
    };
    let hugs = |side| {
        cells
            .iter()
            .all(|&cell| board.neighbour(cell, side) == Board::WALL)
    };
    sides
        .into_iter()
        .any(hugs)
        .then(|| cells.iter().copied().collect())
}

/// The straight line of floor cells through a cell, as far as the walls let it go.
fn wall_to_wall(board: &Board, cell: Cell, axis: Direction) -> Vec<Cell> {
    let floor = |cell: Cell| (cell != Board::WALL).then_some(cell);
    let next = |side| move |&cell: &Cell| floor(board.neighbour(cell, side));
    let first = std::iter::successors(Some(cell), next(axis)).last();
    std::iter::successors(first, next(axis.opposite())).collect()
}

/// Cells of runs without a goal.
pub(super) fn dead_cells<const W: usize>(board: &Board) -> CellSet<W> {
    Edge::new(board).dead
}

/// A run that holds goals.
#[derive(Debug, Clone)]
struct Run<const W: usize> {
    cells: CellSet<W>,
    goals: usize,
}

/// The rule on one board.
#[derive(Debug, Clone)]
pub(super) struct Edge<const W: usize> {
    /// Cells of runs without a goal: the static case.
    dead: CellSet<W>,
    /// Runs with goals: the dynamic case.
    runs: Vec<Run<W>>,
    /// For each cell its horizontal and its vertical run in `runs`, or [`NO_RUN`].
    runs_of: Vec<[u16; 2]>,
}

impl<const W: usize> Edge<W> {
    pub(super) fn new(board: &Board) -> Self {
        let mut rule = Self {
            dead: CellSet::EMPTY,
            runs: Vec::new(),
            runs_of: vec![[NO_RUN; 2]; board.floor()],
        };
        let goals: CellSet<W> = board.goals().iter().copied().collect();
        for cell in (0..).take(board.floor()) {
            for (axis, direction) in [Direction::Left, Direction::Up].into_iter().enumerate() {
                let run = run_through(board, cell, direction);
                // A run is entered once, at its smallest cell.
                if let Some(cells) = run.filter(|cells| cells.first() == Some(cell)) {
                    rule.enter(axis, cells, &goals);
                }
            }
        }
        rule
    }

    fn enter(&mut self, axis: usize, cells: CellSet<W>, goals: &CellSet<W>) {
        let goals = cells.intersection(goals).len();
        if goals == 0 {
            self.dead = self.dead.union(&cells);
            return;
        }
        // There are fewer runs than cells and axes together, so the index is below `NO_RUN`.
        let index = u16::try_from(self.runs.len()).unwrap_or(NO_RUN);
        self.runs.push(Run { cells, goals });
        for cell in &cells {
            self.runs_of[usize::from(cell)][axis] = index;
        }
    }

    #[inline]
    pub(super) fn fires(&self, boxes: &CellSet<W>, pushed: Cell) -> bool {
        let crowded = |&run: &u16| {
            self.runs
                .get(usize::from(run))
                .is_some_and(|run| run.cells.intersection(boxes).len() > run.goals)
        };
        self.dead.contains(pushed) || self.runs_of[usize::from(pushed)].iter().any(crowded)
    }
}
