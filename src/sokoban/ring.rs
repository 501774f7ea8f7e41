//! The eight squares around a cell.

use super::{Board, Cell, Direction};

/// The eight squares around a cell, clockwise from the left: left, up left, up, up right, right, down right,
/// down, down left. Even places are the directions in LURD order; an odd place lies between its two neighbours.
/// [`Board::WALL`] where there is no floor.
pub(super) type Ring = [Cell; 8];

/// The ring of each cell of a board.
pub(super) fn rings(board: &Board) -> Vec<Ring> {
    (0..)
        .take(board.floor())
        .map(|cell| ring(board, cell))
        .collect()
}

fn ring(board: &Board, cell: Cell) -> Ring {
    let (column, row) = board.square(cell);
    std::array::from_fn(|place| {
        let (dx, dy) = Direction::from_index(place / 2).delta();
        let (ex, ey) = match place % 2 {
            0 => (0, 0),
            _ => Direction::from_index(place / 2 + 1).delta(),
        };
        board.cell_at(
            column.wrapping_add_signed(dx + ex),
            row.wrapping_add_signed(dy + ey),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::testing::board;

    #[test]
    fn rings_go_clockwise_from_the_left() {
        // Cells 0 to 2, 3 to 5, 6 and 7 in three rows; the last square of the last row is wall.
        let rings = rings(&board(&["#####", "#@$.#", "#   #", "#  ##", "#####"]));
        assert_eq!(rings[4], [3, 0, 1, 2, 5, Board::WALL, 7, 6]);
        let wall = Board::WALL;
        assert_eq!(rings[0], [wall, wall, wall, wall, 1, 4, 3, wall]);
    }
}
