//! One level as masks of a machine word, and its space of moves.
//!
//! Written for this comparison and shared by every peer, so that they differ in how they search and in
//! nothing else. It has nothing in common with sokolab's own encoding.
//!
//! Squares inside the outer wall are numbered row by row, with one unused bit at the end of each row: a step
//! is then a shift, and a shift never carries a square into the next row unnoticed.

/// Bits of a state for the player's square. They are the lowest: a product with a constant, which is all
/// that the fast hash does, carries the low bits into all others, and the high ones nowhere. With the player
/// on top, a loop over a set with this hash runs at a third to four fifths of its speed here.
const PLAYER_BITS: u32 = 6;

/// What is left for the boxes.
const BOX_BITS: u32 = u64::BITS - PLAYER_BITS;

/// A direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// One column less.
    Left,
    /// One row less.
    Up,
    /// One column more.
    Right,
    /// One row more.
    Down,
}

impl Direction {
    /// The four directions.
    pub const ALL: [Self; 4] = [Self::Left, Self::Up, Self::Right, Self::Down];
}

/// A level: its floor, and where player and boxes start.
#[derive(Debug, Clone, Copy)]
pub struct Model {
    floor: u64,
    boxes: u64,
    player: u64,
    stride: u32,
}

impl Model {
    /// Reads rows in the usual notation, all of one length, with a closed outer wall.
    ///
    /// # Panics
    /// If the squares inside the wall, one more in each row, are more than 58, or if there is no player.
    pub fn new(rows: &[&str]) -> Self {
        let stride = rows[0].len() - 1;
        let inside = &rows[1..rows.len() - 1];
        assert!(inside.len() * stride <= BOX_BITS as usize, "too large");
        let squares = |tiles: &str| -> u64 {
            let row_bits = |(y, row): (usize, &&str)| -> u64 {
                let columns = row[1..stride].chars().enumerate();
                let chosen = columns.filter(|&(_, tile)| tiles.contains(tile));
                chosen.map(|(x, _)| 1 << (y * stride + x)).sum()
            };
            inside.iter().enumerate().map(row_bits).sum()
        };
        let player = squares("@+");
        assert_eq!(player.count_ones(), 1, "one player");
        Self {
            floor: squares(" @+$*."),
            boxes: squares("$*"),
            player,
            stride: stride as u32,
        }
    }

    /// All squares of a set, one step further. Steps off the board vanish; steps into a wall do not.
    #[inline]
    pub const fn shifted(&self, squares: u64, direction: Direction) -> u64 {
        match direction {
            Direction::Left => squares >> 1,
            Direction::Up => squares >> self.stride,
            Direction::Right => squares << 1,
            Direction::Down => squares << self.stride,
        }
    }

    /// The squares that hold neither a wall nor one of `boxes`.
    #[inline]
    pub const fn free(&self, boxes: u64) -> u64 {
        self.floor & !boxes
    }

    /// Where the boxes start.
    pub const fn initial_boxes(&self) -> u64 {
        self.boxes
    }

    /// Where the player starts, as a set of one square.
    pub const fn initial_player(&self) -> u64 {
        self.player
    }

    /// The state before the first step.
    pub const fn initial(&self) -> u64 {
        pack(self.boxes, self.player)
    }

    /// The state after one step of the player; none if a wall or a stuck box is in the way.
    #[inline]
    pub const fn step(&self, state: u64, direction: Direction) -> Option<u64> {
        let boxes = boxes_of(state);
        let ahead = self.shifted(player_of(state), direction);
        if self.floor & ahead == 0 {
            return None;
        }
        if boxes & ahead == 0 {
            return Some(pack(boxes, ahead));
        }
        let beyond = self.shifted(ahead, direction);
        if self.free(boxes) & beyond == 0 {
            return None;
        }
        Some(pack(boxes ^ ahead ^ beyond, ahead))
    }

    /// The states after one step.
    #[inline]
    pub fn successors(&self, state: u64) -> impl Iterator<Item = u64> + use<> {
        let model = *self;
        let directions = Direction::ALL.into_iter();
        directions.filter_map(move |direction| model.step(state, direction))
    }
}

/// A state of boxes and the player's square, the latter as a set of one.
#[inline]
pub const fn pack(boxes: u64, player: u64) -> u64 {
    boxes << PLAYER_BITS | player.trailing_zeros() as u64
}

/// The boxes of a state.
#[inline]
pub const fn boxes_of(state: u64) -> u64 {
    state >> PLAYER_BITS
}

/// The player's square in a state, as a set of one.
#[inline]
pub const fn player_of(state: u64) -> u64 {
    1 << (state & ((1 << PLAYER_BITS) - 1))
}

#[cfg(test)]
mod tests {
    use super::{Direction, Model};

    #[test]
    fn a_box_is_pushed_and_two_in_a_row_are_not() {
        let model = Model::new(&["######", "#@$ $#", "######"]);
        let next = model.step(model.initial(), Direction::Right).unwrap();
        assert_eq!(next, 0b1100 << 6 | 1);
        assert_eq!(model.step(next, Direction::Right), None);
    }

    #[test]
    fn rows_do_not_run_into_each_other() {
        let model = Model::new(&["####", "# @#", "#  #", "####"]);
        assert_eq!(model.step(model.initial(), Direction::Right), None);
        assert_eq!(model.step(model.initial(), Direction::Up), None);
        assert_eq!(model.successors(model.initial()).count(), 2);
    }
}
