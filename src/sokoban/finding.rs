//! What is wrong with a level or a collection: a finding names the place, what is there, and what
//! was expected.

use std::fmt;

use thiserror::Error;

use super::board::MAX_FLOOR;

/// Whether a finding makes a level unusable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The level can be played, but something about it deserves a look.
    Warning,
    /// The level cannot be played or was not read as written.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A place in a text, counted in lines and characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}, column {}", self.line, self.column)
    }
}

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Number of the level, from 1; `None` for the collection as a whole.
    pub level: Option<usize>,
    /// Where in the file.
    pub place: Place,
    /// What is there and what was expected.
    pub problem: Problem,
}

impl Finding {
    /// Whether the level is unusable for it.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.problem.severity()
    }

    /// The finding as one line, `file:line:column: severity: level n: problem`.
    #[must_use]
    pub fn render(&self, file: &str) -> String {
        let Place { line, column } = self.place;
        let severity = self.severity();
        let level = self
            .level
            .map_or_else(String::new, |number| format!("level {number}: "));
        format!(
            "{file}:{line}:{column}: {severity}: {level}{}",
            self.problem
        )
    }
}

/// What can be wrong with a level or a collection.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The text holds no board at all.
    #[error(
        "no level found; expected board rows of '#', '$', '.', '@' and the like, or a SokobanLevels document"
    )]
    NoLevels,
    /// A character that means nothing in a board. It is read as floor.
    #[error(
        "illegal character {0:?} in a board row; expected one of '#', ' ', '-', '_', '.', '$', '*', '@', '+', or their letters o, b, B, p, P"
    )]
    IllegalCharacter(char),
    /// A run-length row that cannot be expanded.
    #[error("run-length row: {0}")]
    RunLength(super::run_length::Fault),
    /// More rows or columns than the reader takes in.
    #[error(
        "the board is larger than {max_side} by {max_side} or {max_squares} squares and was read only in part; expected a smaller one"
    )]
    BoardTooLarge {
        /// Most rows, and most columns.
        max_side: usize,
        /// Most squares, the outside included.
        max_squares: usize,
    },
    /// More levels than the reader takes in.
    #[error(
        "the levels have more than {max_squares} squares together, and those from here on were not read; expected a smaller collection"
    )]
    CollectionTooLarge {
        /// Most squares of all levels together.
        max_squares: usize,
    },
    /// A `Comment:` line without text whose `Comment-End:` does not follow.
    #[error("'Comment:' opens a block, but no 'Comment-End:' line ends it; expected one")]
    CommentOpen,
    /// Board rows inside of a comment block: they are not read as a level.
    #[error(
        "the comment block that starts on line {opened} holds what looks like a board, which is not read as a level; if it is one, end the comment above it with 'Comment-End:'"
    )]
    BoardInComment {
        /// Line of the `Comment:`.
        opened: usize,
    },
    /// A document that is not well-formed XML.
    #[error("malformed XML: {0}; what could be read was read")]
    Xml(String),
    /// `Width` or `Height` of a `Level` element disagree with its rows.
    #[error("the Level element says {attribute}=\"{stated}\", but its rows give {counted}")]
    StatedSize {
        /// `Width` or `Height`.
        attribute: &'static str,
        /// The value as written.
        stated: String,
        /// What the rows give.
        counted: usize,
    },
    /// No player.
    #[error("no player; expected exactly one '@' or '+'")]
    NoPlayer,
    /// One player too many.
    #[error("another player; expected exactly one, and the first stands at {first}")]
    ExtraPlayer {
        /// Where the first player stands.
        first: Place,
    },
    /// No box to push.
    #[error("no boxes; expected at least one '$'")]
    NoBoxes,
    /// Numbers of boxes and goals differ.
    #[error("boxes: {boxes}, goals: {goals}; expected as many goals as boxes")]
    BoxesAndGoals {
        /// Boxes, those on goals included.
        boxes: usize,
        /// Goals, covered ones included.
        goals: usize,
    },
    /// The player can walk off the board here.
    #[error(
        "the walls are not closed: the player, who can walk to this square, leaves the board here; expected walls all around"
    )]
    Open,
    /// A box that the player never touches.
    #[error("this box is out of the player's reach; expected it inside of the player's walls")]
    BoxOutOfReach,
    /// A goal that the player never reaches.
    #[error("this goal is out of the player's reach; expected it inside of the player's walls")]
    GoalOutOfReach,
    /// More floor than a search state holds.
    #[error("{0} floor cells; expected at most {MAX_FLOOR}")]
    TooMuchFloor(usize),
    /// Every box stands on a goal already.
    #[error("already solved: every box stands on a goal; expected a box off its goal")]
    AlreadySolved,
    /// A box that no sequence of pushes brings to a goal.
    #[error(
        "this box is dead from the start: it stands in a corner off goal; expected a square from which it can be pushed"
    )]
    BoxInCorner,
    /// A box on a dead square that is no corner.
    #[error(
        "this box is dead from the start: even alone on the board it could not be pushed to any goal; expected a square from which it could"
    )]
    BoxOnDeadSquare,
}

impl Problem {
    /// Whether a level with it is unusable.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            Self::CommentOpen
            | Self::BoardInComment { .. }
            | Self::StatedSize { .. }
            | Self::AlreadySolved
            | Self::BoxInCorner
            | Self::BoxOnDeadSquare => Severity::Warning,
            Self::NoLevels
            | Self::IllegalCharacter(_)
            | Self::RunLength(_)
            | Self::BoardTooLarge { .. }
            | Self::CollectionTooLarge { .. }
            | Self::Xml(_)
            | Self::NoPlayer
            | Self::ExtraPlayer { .. }
            | Self::NoBoxes
            | Self::BoxesAndGoals { .. }
            | Self::Open
            | Self::BoxOutOfReach
            | Self::GoalOutOfReach
            | Self::TooMuchFloor(_) => Severity::Error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_renders_as_compilers_do() {
        let finding = Finding {
            level: Some(3),
            place: Place {
                line: 12,
                column: 4,
            },
            problem: Problem::BoxesAndGoals { boxes: 2, goals: 1 },
        };
        assert_eq!(
            finding.render("a.xsb"),
            "a.xsb:12:4: error: level 3: boxes: 2, goals: 1; expected as many goals as boxes"
        );
    }

    #[test]
    fn a_finding_of_the_collection_names_no_level() {
        let finding = Finding {
            level: None,
            place: Place { line: 1, column: 1 },
            problem: Problem::NoLevels,
        };
        assert!(
            finding
                .render("a.xsb")
                .starts_with("a.xsb:1:1: error: no level found")
        );
    }
}
