//! A level as it was written: tiles, names, place in its file. Not yet checked.

/// What stands on one square of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Nothing: floor inside the walls, or the void outside of them.
    Empty,
    /// `#`
    Wall,
    /// `.`
    Goal,
    /// `$`
    Box,
    /// `*`
    BoxOnGoal,
    /// `@`
    Player,
    /// `+`
    PlayerOnGoal,
}

impl Tile {
    /// Whether a goal is here, free or covered.
    #[must_use]
    pub const fn is_goal(self) -> bool {
        matches!(self, Self::Goal | Self::BoxOnGoal | Self::PlayerOnGoal)
    }

    /// Whether a box stands here.
    #[must_use]
    pub const fn is_box(self) -> bool {
        matches!(self, Self::Box | Self::BoxOnGoal)
    }

    /// Whether the player stands here.
    #[must_use]
    pub const fn is_player(self) -> bool {
        matches!(self, Self::Player | Self::PlayerOnGoal)
    }

    /// The usual XSB character.
    #[must_use]
    pub const fn symbol(self) -> char {
        match self {
            Self::Empty => ' ',
            Self::Wall => '#',
            Self::Goal => '.',
            Self::Box => '$',
            Self::BoxOnGoal => '*',
            Self::Player => '@',
            Self::PlayerOnGoal => '+',
        }
    }
}

/// A level as it stands in its collection. Rows are padded with [`Tile::Empty`] to one width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// Its place in the collection, from 1.
    pub number: usize,
    /// Title, if the collection gives one.
    pub title: Option<String>,
    /// Author, of the level or of its collection.
    pub author: Option<String>,
    /// Comment lines, joined by line breaks.
    pub comment: Option<String>,
    /// A solution recorded with the level, as written.
    pub solution: Option<String>,
    /// Line of the file on which the first board row stands, from 1.
    pub line: usize,
    /// Columns.
    pub width: usize,
    /// Tiles, row by row; `rows.len()` is the height, each row is `width` long.
    pub rows: Vec<Vec<Tile>>,
}

impl Level {
    /// The tile at a column and row; [`Tile::Empty`] beyond the edges.
    #[must_use]
    pub fn tile(&self, column: usize, row: usize) -> Tile {
        self.rows
            .get(row)
            .and_then(|tiles| tiles.get(column))
            .copied()
            .unwrap_or(Tile::Empty)
    }

    /// Rows.
    #[must_use]
    pub const fn height(&self) -> usize {
        self.rows.len()
    }

    /// The board in XSB, one line a row, without trailing blanks; ends with a line break.
    #[must_use]
    pub fn to_xsb(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let line: String = row.iter().map(|tile| tile.symbol()).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// A level from XSB rows with the standard symbols `#`, space, `.`, `$`, `*`, `@`, `+`; anything
    /// else is read as empty. For tests, examples and generators; files go through the collection reader.
    #[must_use]
    pub fn from_rows(rows: &[&str]) -> Self {
        let width = rows
            .iter()
            .map(|row| row.chars().count())
            .max()
            .unwrap_or(0);
        let tiles = rows
            .iter()
            .map(|row| {
                let mut tiles: Vec<Tile> = row.chars().map(tile_of).collect();
                tiles.resize(width, Tile::Empty);
                tiles
            })
            .collect();
        Self {
            number: 1,
            title: None,
            author: None,
            comment: None,
            solution: None,
            line: 1,
            width,
            rows: tiles,
        }
    }
}

const fn tile_of(symbol: char) -> Tile {
    match symbol {
        '#' => Tile::Wall,
        '.' => Tile::Goal,
        '$' => Tile::Box,
        '*' => Tile::BoxOnGoal,
        '@' => Tile::Player,
        '+' => Tile::PlayerOnGoal,
        _ => Tile::Empty,
    }
}
