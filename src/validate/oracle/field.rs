//! The rules of the game over the squares of a level, for the oracle.

use super::{CostSpace, OracleError};
use crate::sokoban::{Level, Tile};

/// Index of a square in a level that a border of wall was drawn around, row by row.
pub(super) type Square = u16;

/// A position: the player's square first, then those of the boxes, ascending. In the space of pushes
/// the player stands for every square it can walk to, and is written as the least of them.
pub(super) type Position = Box<[Square]>;

/// The walls and goals of a level. The border makes every neighbour of a floor square a square.
#[derive(Debug)]
pub(super) struct Field {
    walls: Vec<bool>,
    goals: Vec<bool>,
    /// Distances to the neighbours: up, left, right, down.
    offsets: [i16; 4],
    player: Square,
    boxes: Vec<Square>,
}

impl Field {
    /// Reads a level. Boxes out of reach are kept as what they are: boxes that nobody moves.
    pub(super) fn new(level: &Level) -> Result<Self, OracleError> {
        let (width, height) = (level.width + 2, level.height() + 2);
        let count = width * height;
        if count > usize::from(Square::MAX) {
            return Err(OracleError::TooManySquares(count));
        }
        let tile = |square: usize| {
            let (column, row) = (square % width, square / width);
            let border = column == 0 || row == 0 || column == width - 1 || row == height - 1;
            if border {
                Tile::Wall
            } else {
                level.tile(column - 1, row - 1)
            }
        };
        let squares_with = |wanted: fn(Tile) -> bool| -> Vec<Square> {
            (0..Square::MAX)
                .take(count)
                .filter(|&square| wanted(tile(square.into())))
                .collect()
        };
        let players = squares_with(Tile::is_player);
        let [player] = players[..] else {
            return Err(OracleError::Players(players.len()));
        };
        let stride = i16::try_from(width).expect("65535 squares in at least three rows");
        Ok(Self {
            walls: (0..count)
                .map(|square| tile(square) == Tile::Wall)
                .collect(),
            goals: (0..count).map(|square| tile(square).is_goal()).collect(),
            offsets: [-stride, -1, 1, stride],
            player,
            boxes: squares_with(Tile::is_box),
        })
    }

    /// The position the level starts from.
    pub(super) fn initial(&self, space: CostSpace) -> Position {
        let player = match space {
            CostSpace::Moves => self.player,
            CostSpace::Pushes => least(&self.region(&self.occupied(&self.boxes), self.player)),
        };
        [&[player], &self.boxes[..]].concat().into()
    }

    /// Whether every box stands on a goal, and there is a box.
    pub(super) fn is_goal(&self, position: &[Square]) -> bool {
        let boxes = &position[1..];
        !boxes.is_empty() && boxes.iter().all(|&square| self.goals[usize::from(square)])
    }

    /// Calls `visit` with the position after each legal step.
    pub(super) fn successors(
        &self,
        space: CostSpace,
        position: &[Square],
        visit: &mut dyn FnMut(&[Square]),
    ) {
        let occupied = self.occupied(&position[1..]);
        match space {
            CostSpace::Moves => self.moves(position, &occupied, visit),
            CostSpace::Pushes => self.pushes(position, &occupied, visit),
        }
    }

    fn moves(&self, position: &[Square], occupied: &[bool], visit: &mut dyn FnMut(&[Square])) {
        let mut next = position.to_vec();
        for offset in self.offsets {
            next.copy_from_slice(position);
            let ahead = beside(position[0], offset);
            if let Some(index) = position[1..].iter().position(|&square| square == ahead) {
                let behind = beside(ahead, offset);
                if occupied[usize::from(behind)] {
                    continue;
                }
                next[1 + index] = behind;
                next[1..].sort_unstable();
            } else if occupied[usize::from(ahead)] {
                continue;
            }
            next[0] = ahead;
            visit(&next);
        }
    }

    fn pushes(&self, position: &[Square], occupied: &[bool], visit: &mut dyn FnMut(&[Square])) {
        let mut reached = vec![false; self.walls.len()];
        for square in self.region(occupied, position[0]) {
            reached[usize::from(square)] = true;
        }
        let mut next = position.to_vec();
        let mut occupied_next = occupied.to_vec();
        for (index, &from) in position.iter().enumerate().skip(1) {
            for offset in self.offsets {
                let (stand, to) = (beside(from, -offset), beside(from, offset));
                if !reached[usize::from(stand)] || occupied[usize::from(to)] {
                    continue;
                }
                occupied_next.copy_from_slice(occupied);
                occupied_next[usize::from(from)] = false;
                occupied_next[usize::from(to)] = true;
                next.copy_from_slice(position);
                next[index] = to;
                next[1..].sort_unstable();
                next[0] = least(&self.region(&occupied_next, from));
                visit(&next);
            }
        }
    }

    /// Which squares hold a wall or a box.
    fn occupied(&self, boxes: &[Square]) -> Vec<bool> {
        let mut occupied = self.walls.clone();
        for &square in boxes {
            occupied[usize::from(square)] = true;
        }
        occupied
    }

    /// The squares the player can walk to, its own included.
    fn region(&self, occupied: &[bool], player: Square) -> Vec<Square> {
        let mut seen = occupied.to_vec();
        let mut region = vec![player];
        seen[usize::from(player)] = true;
        let mut done = 0;
        while let Some(&square) = region.get(done) {
            done += 1;
            for offset in self.offsets {
                let next = beside(square, offset);
                if !seen[usize::from(next)] {
                    seen[usize::from(next)] = true;
                    region.push(next);
                }
            }
        }
        region
    }
}

/// The neighbour of a square within the border; on the border itself it may be any square, which does
/// no harm: nothing stands there.
const fn beside(square: Square, offset: i16) -> Square {
    square.wrapping_add_signed(offset)
}

fn least(region: &[Square]) -> Square {
    region
        .iter()
        .copied()
        .min()
        .expect("the player's own square is in its region")
}
