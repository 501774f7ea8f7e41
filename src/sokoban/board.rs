//! The playing field of a valid level: numbered floor cells and their neighbours.

use thiserror::Error;

use super::{Direction, Level, Tile};

/// A floor cell: its index in row-major order among the cells the player's flood fill reaches
/// (walls stop it, boxes do not).
pub type Cell = u16;

/// Most floor cells of a board: what a state of 16 words holds beside a player index.
pub const MAX_FLOOR: usize = 1014;

/// The immutable part of a level.
///
/// Neighbour look-ups are one array access; [`Board::WALL`] stands for "no cell".
#[derive(Debug, Clone)]
pub struct Board {
    width: usize,
    height: usize,
    squares: Vec<(u16, u16)>,
    cell_at: Vec<Cell>,
    neighbours: Vec<[Cell; 4]>,
    goals: Vec<Cell>,
    boxes: Vec<Cell>,
    player: Cell,
}

/// Why a level has no board. `sokoban::check` reports the same with line and column.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoardError {
    /// Not exactly one player.
    #[error("{0} players; expected exactly one '@' or '+'")]
    Players(usize),
    /// No box.
    #[error("no boxes; expected at least one '$'")]
    NoBoxes,
    /// Numbers of boxes and goals differ.
    #[error("boxes: {boxes}, goals: {goals}; expected as many goals as boxes")]
    BoxesAndGoals {
        /// Boxes in the level.
        boxes: usize,
        /// Goals in the level.
        goals: usize,
    },
    /// The player's flood fill leaves the level.
    #[error(
        "the walls are not closed: the player can leave the board at column {column}, row {row}"
    )]
    Open {
        /// Column, from 1.
        column: usize,
        /// Row, from 1.
        row: usize,
    },
    /// A box or goal that the player's flood fill does not reach.
    #[error("the box or goal at column {column}, row {row} is out of the player's reach")]
    OutOfReach {
        /// Column, from 1.
        column: usize,
        /// Row, from 1.
        row: usize,
    },
    /// More floor than a state can hold.
    #[error("{0} floor cells; at most 1014 are supported")]
    TooLarge(usize),
}

impl Board {
    /// Stands for "wall" in neighbour look-ups.
    pub const WALL: Cell = Cell::MAX;

    /// Numbers the floor of a level.
    ///
    /// A box or goal out of reach is accepted only if it is a box on its goal: it is scenery then,
    /// treated as wall and not counted.
    ///
    /// # Errors
    /// The first [`BoardError`] that makes the level unplayable.
    pub fn new(level: &Level) -> Result<Self, BoardError> {
        let start = single_player(level)?;
        let reached = flood(level, start)?;
        let squares = row_major(level, &reached);
        if squares.len() > MAX_FLOOR {
            return Err(BoardError::TooLarge(squares.len()));
        }
        reject_unreachable(level, &reached)?;
        let mut cell_at = vec![Self::WALL; level.width * level.height()];
        for (cell, &(column, row)) in (0..).zip(&squares) {
            cell_at[row as usize * level.width + column as usize] = cell;
        }
        let cells_where = |wanted: fn(Tile) -> bool| -> Vec<Cell> {
            (0..)
                .zip(&squares)
                .filter(|(_, square)| wanted(level.tile(square.0 as usize, square.1 as usize)))
                .map(|(cell, _)| cell)
                .collect()
        };
        let (boxes, goals) = (cells_where(Tile::is_box), cells_where(Tile::is_goal));
        if boxes.len() != goals.len() {
            let (boxes, goals) = (boxes.len(), goals.len());
            return Err(BoardError::BoxesAndGoals { boxes, goals });
        }
        if boxes.is_empty() {
            return Err(BoardError::NoBoxes);
        }
        let mut board = Self {
            width: level.width,
            height: level.height(),
            player: cell_at[start.1 * level.width + start.0],
            squares,
            cell_at,
            neighbours: Vec::new(),
            goals,
            boxes,
        };
        board.neighbours = (0..board.squares.len())
            .map(|cell| Direction::ALL.map(|direction| board.step_from(cell, direction)))
            .collect();
        Ok(board)
    }

    fn step_from(&self, cell: usize, direction: Direction) -> Cell {
        let (column, row) = self.squares[cell];
        let (dx, dy) = direction.delta();
        let column = (column as usize).wrapping_add_signed(dx);
        let row = (row as usize).wrapping_add_signed(dy);
        self.cell_at(column, row)
    }

    /// Columns of the level.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Rows of the level.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Number of floor cells.
    #[must_use]
    pub const fn floor(&self) -> usize {
        self.squares.len()
    }

    /// Column and row of a cell, from 0.
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    pub fn square(&self, cell: Cell) -> (usize, usize) {
        let (column, row) = self.squares[cell as usize];
        (column as usize, row as usize)
    }

    /// The cell at a column and row, or [`Board::WALL`].
    #[must_use]
    pub fn cell_at(&self, column: usize, row: usize) -> Cell {
        if column < self.width && row < self.height {
            self.cell_at[row * self.width + column]
        } else {
            Self::WALL
        }
    }

    /// The next cell in a direction, or [`Board::WALL`].
    ///
    /// # Panics
    /// If the cell is not on this board.
    #[must_use]
    pub fn neighbour(&self, cell: Cell, direction: Direction) -> Cell {
        self.neighbours[cell as usize][direction.index()]
    }

    /// Goal cells, ascending.
    #[must_use]
    pub fn goals(&self) -> &[Cell] {
        &self.goals
    }

    /// Cells of the boxes at the start, ascending.
    #[must_use]
    pub fn initial_boxes(&self) -> &[Cell] {
        &self.boxes
    }

    /// Cell of the player at the start.
    #[must_use]
    pub const fn initial_player(&self) -> Cell {
        self.player
    }
}

fn single_player(level: &Level) -> Result<(usize, usize), BoardError> {
    let players: Vec<(usize, usize)> = positions(level, Tile::is_player).collect();
    match players[..] {
        [player] => Ok(player),
        _ => Err(BoardError::Players(players.len())),
    }
}

fn positions(level: &Level, wanted: fn(Tile) -> bool) -> impl Iterator<Item = (usize, usize)> + '_ {
    level.rows.iter().enumerate().flat_map(move |(row, tiles)| {
        tiles
            .iter()
            .enumerate()
            .filter(move |(_, tile)| wanted(**tile))
            .map(move |(column, _)| (column, row))
    })
}

/// Squares the player could walk to if there were no boxes, indexed by `row * width + column`.
fn flood(level: &Level, start: (usize, usize)) -> Result<Vec<bool>, BoardError> {
    let (width, height) = (level.width, level.height());
    let mut reached = vec![false; width * height];
    let mut waiting = vec![start];
    reached[start.1 * width + start.0] = true;
    while let Some((column, row)) = waiting.pop() {
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            let next = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
            if next.0 >= width || next.1 >= height {
                let (column, row) = (column + 1, row + 1);
                return Err(BoardError::Open { column, row });
            }
            let index = next.1 * width + next.0;
            if !reached[index] && level.tile(next.0, next.1) != Tile::Wall {
                reached[index] = true;
                waiting.push(next);
            }
        }
    }
    Ok(reached)
}

fn row_major(level: &Level, reached: &[bool]) -> Vec<(u16, u16)> {
    (0..level.height())
        .flat_map(|row| (0..level.width).map(move |column| (column, row)))
        .filter(|&(column, row)| reached[row * level.width + column])
        .filter_map(|(column, row)| Some((column.try_into().ok()?, row.try_into().ok()?)))
        .collect()
}

fn reject_unreachable(level: &Level, reached: &[bool]) -> Result<(), BoardError> {
    let stranded = |tile: Tile| tile.is_box() != tile.is_goal();
    for (column, row) in positions(level, stranded) {
        let tile = level.tile(column, row);
        if !reached[row * level.width + column] && !tile.is_player() {
            let (column, row) = (column + 1, row + 1);
            return Err(BoardError::OutOfReach { column, row });
        }
    }
    Ok(())
}
