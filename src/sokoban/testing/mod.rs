//! What the tests of this module share: random boards, whole-space exploration, and a second, naive
//! implementation of the game to compare with.

mod naive;

use std::collections::HashSet;

pub(crate) use naive::{Naive, Position};

use super::encoding::CellSet;
use super::encoding::State;
use super::{Board, Cell, Level};
use crate::puzzle::{Puzzle, Successor};

/// The board of XSB rows.
pub(crate) fn board<T: AsRef<str>>(rows: &[T]) -> Board {
    let rows: Vec<&str> = rows.iter().map(AsRef::as_ref).collect();
    Board::new(&Level::from_rows(&rows)).expect("a valid level")
}

/// Reproducible random numbers (xorshift64*).
#[derive(Debug)]
pub(crate) struct Xorshift(u64);

impl Xorshift {
    /// A sequence that depends on the seed only; the seed must not be 0.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`, which must not be 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(number).expect("31 bits") % limit
    }
}

/// Rows of a random level: `size` squares (columns, rows) within the border, `walls` percent of them
/// wall, `boxes` boxes and as many goals, a box on a goal now and then. Squares out of the player's
/// reach are filled with wall before boxes and goals are placed, so the level is always valid.
pub(crate) fn random_rows(
    random: &mut Xorshift,
    size: (usize, usize),
    walls: usize,
    boxes: usize,
) -> Vec<String> {
    loop {
        let mut grid = vec![vec!['#'; size.0 + 2]; size.1 + 2];
        for row in &mut grid[1..=size.1] {
            for square in &mut row[1..=size.0] {
                if random.below(100) >= walls {
                    *square = ' ';
                }
            }
        }
        let start = (1 + random.below(size.0), 1 + random.below(size.1));
        let mut floor = keep_reachable(&mut grid, start);
        if floor.len() < boxes + 1 {
            continue;
        }
        let goals: Vec<_> = (0..boxes)
            .map(|_| floor.swap_remove(random.below(floor.len())))
            .collect();
        for &(column, row) in &goals {
            grid[row][column] = '.';
        }
        floor.extend(goals);
        for symbol in std::iter::repeat_n('$', boxes).chain(['@']) {
            let (column, row) = floor.swap_remove(random.below(floor.len()));
            grid[row][column] = match (symbol, grid[row][column]) {
                ('$', '.') => '*',
                ('@', '.') => '+',
                (symbol, _) => symbol,
            };
        }
        return grid.iter().map(|row| row.iter().collect()).collect();
    }
}

/// Turns floor that cannot be reached from `start` into wall; returns what is left.
fn keep_reachable(grid: &mut [Vec<char>], start: (usize, usize)) -> Vec<(usize, usize)> {
    let mut reached = Vec::new();
    let mut waiting = vec![start];
    while let Some((column, row)) = waiting.pop() {
        if grid[row][column] == ' ' {
            grid[row][column] = '_';
            reached.push((column, row));
            waiting.extend([
                (column - 1, row),
                (column + 1, row),
                (column, row - 1),
                (column, row + 1),
            ]);
        }
    }
    for square in grid.iter_mut().flatten() {
        *square = if *square == '_' { ' ' } else { '#' };
    }
    reached
}

/// `count` different cells of a board.
pub(crate) fn random_boxes<const W: usize>(
    random: &mut Xorshift,
    board: &Board,
    count: usize,
) -> CellSet<W> {
    let mut cells: Vec<Cell> = (0..).take(board.floor()).collect();
    (0..count)
        .map(|_| cells.swap_remove(random.below(cells.len())))
        .collect()
}

/// All reachable states; `visit` sees each state once, with its successors.
pub(crate) fn explore<P: Puzzle>(
    puzzle: &P,
    mut visit: impl FnMut(&P::State, &[Successor<P::State, P::Action>]),
) -> HashSet<P::State> {
    let mut reached = HashSet::from([puzzle.initial()]);
    let mut waiting = vec![puzzle.initial()];
    let mut successors = Vec::new();
    while let Some(state) = waiting.pop() {
        successors.clear();
        puzzle.successors(&state, &mut successors);
        visit(&state, &successors);
        for successor in &successors {
            if reached.insert(successor.state) {
                waiting.push(successor.state);
            }
        }
    }
    reached
}

/// A state in the terms of the naive game.
pub(crate) fn position<const W: usize>(board: &Board, state: &State<W>) -> Position {
    let mut boxes: Vec<_> = state
        .boxes()
        .iter()
        .map(|cell| board.square(cell))
        .collect();
    boxes.sort_unstable();
    (board.square(state.player()), boxes)
}
