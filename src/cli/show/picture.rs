//! A board as lines of characters, coloured or not.

use crate::sokoban::{Board, Level, Tile};

/// How a level is drawn.
#[derive(Debug)]
pub(super) struct Picture<'a> {
    level: &'a Level,
    colored: bool,
    /// Dead squares as (column, row).
    dead: Vec<(usize, usize)>,
}

impl<'a> Picture<'a> {
    /// Without marks.
    pub(super) const fn new(level: &'a Level, colored: bool) -> Self {
        Self {
            level,
            colored,
            dead: Vec::new(),
        }
    }

    /// With marks on dead squares, given by cell.
    pub(super) fn with_dead(mut self, board: &Board, dead: &[bool]) -> Self {
        let cells = (0..).zip(dead).filter(|(_, dead)| **dead);
        self.dead = cells.map(|(cell, _)| board.square(cell)).collect();
        self.dead.sort_unstable();
        self
    }

    /// The level as it is written.
    pub(super) fn start(&self) -> String {
        self.of(self.level)
    }

    /// The same level after some steps.
    pub(super) fn of(&self, level: &Level) -> String {
        let mut text = String::new();
        for row in 0..level.height() {
            let mut line = String::new();
            let tiles = (0..level.width).map(|column| (column, level.tile(column, row)));
            for (column, tile) in tiles {
                let dead = tile == Tile::Empty && self.dead.binary_search(&(column, row)).is_ok();
                let symbol = if dead { 'x' } else { tile.symbol() };
                self.paint(&mut line, symbol);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn paint(&self, line: &mut String, symbol: char) {
        match style(symbol).filter(|_| self.colored) {
            Some(style) => {
                line.push_str(style);
                line.push(symbol);
                line.push_str("\x1b[0m");
            }
            None => line.push(symbol),
        }
    }
}

/// The escape sequence that a symbol is shown in.
const fn style(symbol: char) -> Option<&'static str> {
    match symbol {
        '#' => Some("\x1b[2m"),          // dim
        '.' => Some("\x1b[35m"),         // magenta
        '$' => Some("\x1b[33m"),         // yellow
        '*' => Some("\x1b[32m"),         // green
        '@' | '+' => Some("\x1b[1;36m"), // bold cyan
        'x' => Some("\x1b[31m"),         // red
        _ => None,
    }
}
