//! Where the squares of a level stand in its text.

use crate::sokoban::Level;
use crate::sokoban::finding::Place;

/// Line and column of every square of a level. Run-length rows and tabs make it more than an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    rows: Vec<RowPlace>,
}

/// Where one board row stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RowPlace {
    /// Line, from 1.
    pub(super) line: usize,
    /// Column of each square, from 1.
    pub(super) columns: Vec<usize>,
}

impl Places {
    pub(super) const fn new(rows: Vec<RowPlace>) -> Self {
        Self { rows }
    }

    /// The places of a level that is written square by square, from its line on.
    #[must_use]
    pub fn plain(level: &Level) -> Self {
        let row_place = |row: usize| RowPlace {
            line: level.line + row,
            columns: (1..=level.width).collect(),
        };
        Self::new((0..level.height()).map(row_place).collect())
    }

    /// The place of the first square of the first row.
    pub(super) fn first(&self) -> Option<Place> {
        let row = self.rows.first()?;
        let column = row.columns.first().copied().unwrap_or(1);
        let line = row.line;
        Some(Place { line, column })
    }

    /// The place of the square at a column and row, from 0. A square beyond the end of its row as
    /// written gets the column where it would have been written.
    #[must_use]
    pub fn at(&self, column: usize, row: usize) -> Place {
        let Some(place) = self.rows.get(row).or_else(|| self.rows.last()) else {
            return Place { line: 1, column: 1 };
        };
        let end = place.columns.len();
        let last = place.columns.last().copied().unwrap_or(0);
        Place {
            line: place.line,
            column: match place.columns.get(column) {
                Some(&column) => column,
                None => last + 1 + (column - end),
            },
        }
    }
}
