//! The four directions, in the order of the LURD notation.

/// One of four directions. The order left, up, right, down is the documented order of successors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// `l`
    Left = 0,
    /// `u`
    Up = 1,
    /// `r`
    Right = 2,
    /// `d`
    Down = 3,
}

impl Direction {
    /// All four, in LURD order.
    pub const ALL: [Self; 4] = [Self::Left, Self::Up, Self::Right, Self::Down];

    /// The direction with this index in [`Direction::ALL`], taken modulo 4.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        match index & 3 {
            0 => Self::Left,
            1 => Self::Up,
            2 => Self::Right,
            _ => Self::Down,
        }
    }

    /// Index in [`Direction::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The direction back.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as usize + 2)
    }

    /// Change of (column, row); rows grow downwards.
    #[must_use]
    pub const fn delta(self) -> (isize, isize) {
        match self {
            Self::Left => (-1, 0),
            Self::Up => (0, -1),
            Self::Right => (1, 0),
            Self::Down => (0, 1),
        }
    }

    /// The LURD letter of a plain move; a push is its capital.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Left => 'l',
            Self::Up => 'u',
            Self::Right => 'r',
            Self::Down => 'd',
        }
    }
}
