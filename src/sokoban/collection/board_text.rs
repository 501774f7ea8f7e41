//! A board as it is written: from rows of characters to tiles, with the place of every square.

use super::places::{Places, RowPlace};
use crate::sokoban::finding::{Finding, Place, Problem};
use crate::sokoban::run_length::{self, Token};
use crate::sokoban::{Level, Tile};

/// Most columns, and most rows, of a board.
pub(super) const MAX_SIDE: usize = 1000;

/// Most squares of a board, outside included: enough for [`MAX_FLOOR`](crate::sokoban::board::MAX_FLOOR)
/// cells of floor many times over, and little enough that a short text cannot fill the memory.
pub(super) const MAX_SQUARES: usize = 1 << 16;

/// Tab stops of a plain row.
const TAB: usize = 8;

/// The tile a character of a board stands for; `None` if it is no character of a board.
pub(super) const fn tile(symbol: char) -> Option<Tile> {
    match symbol {
        '#' => Some(Tile::Wall),
        ' ' | '-' | '_' => Some(Tile::Empty),
        '.' | 'o' => Some(Tile::Goal),
        '$' | 'b' => Some(Tile::Box),
        '*' | 'B' => Some(Tile::BoxOnGoal),
        '@' | 'p' => Some(Tile::Player),
        '+' | 'P' => Some(Tile::PlayerOnGoal),
        _ => None,
    }
}

/// A board in the course of being read.
#[derive(Debug)]
pub(super) struct BoardText {
    /// Line of the first row, from 1.
    line: usize,
    width: usize,
    rows: Vec<Vec<Tile>>,
    places: Vec<RowPlace>,
    problems: Vec<(Place, Problem)>,
    /// Set once the board outgrew the limits; further rows are dropped then.
    full: bool,
}

impl BoardText {
    /// A board without rows, which starts on this line.
    pub(super) const fn new(line: usize) -> Self {
        Self {
            line,
            width: 0,
            rows: Vec::new(),
            places: Vec::new(),
            problems: Vec::new(),
            full: false,
        }
    }

    /// Adds a row written square by square. Tabs fill up to the next multiple of eight.
    pub(super) fn push_plain(&mut self, line: usize, text: &str) {
        let symbols = (1..).zip(text.trim_end().chars());
        let mut squares: Vec<(usize, char)> = Vec::new();
        for (column, symbol) in symbols.take(MAX_SIDE + 1) {
            if symbol == '\t' {
                let stop = (squares.len() / TAB + 1) * TAB;
                squares.resize(stop, (column, ' '));
            } else {
                squares.push((column, symbol));
            }
        }
        self.push_row(line, &squares);
    }

    /// Adds rows in run-length notation, separated by `|`. A last empty row is none.
    pub(super) fn push_run_length(&mut self, line: usize, text: &str) {
        let text = text.trim_end();
        let text = text.strip_suffix('|').unwrap_or(text);
        let mut first = 1;
        for row in text.split('|') {
            let tokens = (first..)
                .zip(row.chars())
                .map(|(column, symbol)| (column, placed_token(column, symbol)));
            match run_length::expand(tokens, MAX_SIDE + 1) {
                Ok(squares) => self.push_row(line, &squares),
                Err(error) => {
                    let column = error.position;
                    let problem = Problem::RunLength(error.fault);
                    self.problems.push((Place { line, column }, problem));
                    self.push_row(line, &[]);
                }
            }
            first += row.chars().count() + 1;
        }
    }

    /// Adds a row of characters with their columns. An unknown character is reported and read as floor.
    pub(super) fn push_row(&mut self, line: usize, squares: &[(usize, char)]) {
        if self.full || self.outgrown_by(squares.len()) {
            self.refuse_to_grow(line);
            return;
        }
        let mut tiles = Vec::with_capacity(squares.len());
        for &(column, symbol) in squares {
            tiles.push(tile(symbol).unwrap_or_else(|| {
                let problem = Problem::IllegalCharacter(symbol);
                self.problems.push((Place { line, column }, problem));
                Tile::Empty
            }));
        }
        self.width = self.width.max(tiles.len());
        self.rows.push(tiles);
        self.places.push(RowPlace {
            line,
            columns: squares.iter().map(|square| square.0).collect(),
        });
    }

    /// Whether nothing was wrong so far.
    pub(super) const fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether one more row of this length passes the limits.
    fn outgrown_by(&self, length: usize) -> bool {
        let (width, height) = (self.width.max(length), self.rows.len() + 1);
        width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_SQUARES
    }

    fn refuse_to_grow(&mut self, line: usize) {
        if !self.full {
            self.full = true;
            let problem = Problem::BoardTooLarge {
                max_side: MAX_SIDE,
                max_squares: MAX_SQUARES,
            };
            self.problems.push((Place { line, column: 1 }, problem));
        }
    }

    /// The level with this number, where its squares stand, and what was wrong with its rows.
    pub(super) fn finish(mut self, number: usize) -> (Level, Places, Vec<Finding>) {
        for row in &mut self.rows {
            row.resize(self.width, Tile::Empty);
        }
        let level = Level {
            number,
            title: None,
            author: None,
            comment: None,
            solution: None,
            line: self.line,
            width: self.width,
            rows: self.rows,
        };
        let finding = |(place, problem)| Finding {
            level: Some(number),
            place,
            problem,
        };
        let problems = self.problems.into_iter().map(finding).collect();
        (level, Places::new(self.places), problems)
    }
}

fn placed_token(column: usize, symbol: char) -> Token<(usize, char)> {
    match Token::of(symbol) {
        Token::Symbol(symbol) => Token::Symbol((column, symbol)),
        Token::Digit(digit) => Token::Digit(digit),
        Token::Open => Token::Open,
        Token::Close => Token::Close,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::run_length::Fault;

    fn finished(fill: impl Fn(&mut BoardText)) -> (Level, Places, Vec<Finding>) {
        let mut board = BoardText::new(5);
        fill(&mut board);
        board.finish(1)
    }

    #[test]
    fn every_common_symbol_is_known() {
        let (level, _, problems) = finished(|board| {
            board.push_plain(5, "# -_.o$b*B@p+P");
        });
        let symbols: String = level.rows[0].iter().map(|tile| tile.symbol()).collect();
        assert_eq!(symbols, "#   ..$$**@@++");
        assert_eq!(problems, []);
    }

    #[test]
    fn ragged_rows_are_padded() {
        let (level, places, _) = finished(|board| {
            board.push_plain(5, "##");
            board.push_plain(6, "####   ");
        });
        assert_eq!((level.width, level.to_xsb()), (4, "##\n####\n".into()));
        assert_eq!(places.at(3, 0), Place { line: 5, column: 4 });
    }

    #[test]
    fn a_tab_fills_up_to_a_multiple_of_eight() {
        let (level, places, _) = finished(|board| board.push_plain(5, "##\t#"));
        assert_eq!(level.to_xsb(), "##      #\n");
        assert_eq!(places.at(5, 0), Place { line: 5, column: 3 });
        assert_eq!(places.at(8, 0), Place { line: 5, column: 4 });
    }

    #[test]
    fn run_length_rows_expand_and_keep_their_places() {
        let (level, places, problems) = finished(|board| {
            board.push_run_length(5, "4#|#.$@#|2(#-)|");
        });
        assert_eq!(level.to_xsb(), "####\n#.$@#\n# #\n");
        assert_eq!(problems, []);
        assert_eq!(places.at(3, 0), Place { line: 5, column: 2 });
        assert_eq!(places.at(4, 1), Place { line: 5, column: 8 });
        assert_eq!(
            places.at(2, 2),
            Place {
                line: 5,
                column: 12
            }
        );
    }

    #[test]
    fn a_broken_run_length_row_is_reported_where_it_breaks() {
        let (level, _, problems) = finished(|board| board.push_run_length(5, "4#|#.$@4|4#"));
        assert_eq!(level.height(), 3);
        assert_eq!(problems[0].place, Place { line: 5, column: 8 });
        assert_eq!(
            problems[0].problem,
            Problem::RunLength(Fault::DanglingCount)
        );
    }

    #[test]
    fn a_stray_character_is_reported_and_read_as_floor() {
        let (level, _, problems) = finished(|board| board.push_plain(5, "#@x$.#"));
        assert_eq!(level.to_xsb(), "#@ $.#\n");
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].place, Place { line: 5, column: 3 });
        assert_eq!(problems[0].problem, Problem::IllegalCharacter('x'));
    }

    #[test]
    fn a_board_over_the_limits_is_cut_and_reported_once() {
        let (level, _, problems) = finished(|board| {
            for line in 0..MAX_SQUARES / MAX_SIDE + 2 {
                board.push_run_length(5 + line, "1000#");
            }
            board.push_run_length(99, "1001#");
        });
        assert_eq!(level.height(), MAX_SQUARES / MAX_SIDE);
        assert_eq!(problems.len(), 1);
        assert!(matches!(problems[0].problem, Problem::BoardTooLarge { .. }));
    }
}
