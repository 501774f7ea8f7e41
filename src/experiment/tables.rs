//! Which table a search gets: what is asked for, or the best one that fits.

use thiserror::Error;

use super::configuration::{Configuration, ConfigurationError, Table};
use super::machine;
use crate::parallel::bitmap;
use crate::sokoban::Board;
use crate::sokoban::coding::Ranks;
use crate::sokoban::encoding::capacity;
use crate::sokoban::words::{MAX_FLOOR, MoveWords};

/// Why a search cannot have the table it asks for.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TableError {
    /// The configuration takes no such table on any level.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// More floor than a word has bits.
    #[error(
        "{0} floor cells; table = \"bitmap\" takes boards of at most {MAX_FLOOR}; choose table = \"hash\""
    )]
    Floor(usize),
    /// More box sets than the machine can address.
    #[error(
        "{boxes} boxes on {floor} floor cells have too many places for table = \"bitmap\"; choose table = \"hash\""
    )]
    Unaddressable {
        /// Boxes of the level.
        boxes: usize,
        /// Floor cells of the level.
        floor: usize,
    },
    /// A bitmap beyond the memory limit.
    #[error(
        "table = \"bitmap\" takes {} KiB here, and there are {} KiB for it: the memory limit less what the process takes itself, or half of \
         the machine; raise the memory limit, or choose table = \"hash\"",
        .bytes.div_ceil(1024), .limit / 1024
    )]
    Memory {
        /// Bytes of the bitmap.
        bytes: u64,
        /// What it may take: what is left of the limit, or half of the machine's memory if there is none.
        limit: u64,
    },
    /// A board too large for ranks, or more positions than 64 bits can number.
    #[error(
        "{boxes} boxes on {floor} floor cells; table = \"compact\" takes boards of at most {MAX_RANKED_FLOOR} floor cells and \
         fewer than 2^64 positions; choose table = \"hash\""
    )]
    Unranked {
        /// Boxes of the level.
        boxes: usize,
        /// Floor cells of the level.
        floor: usize,
    },
}

/// The table of one search.
#[derive(Debug)]
pub(super) enum Choice {
    /// A hash table.
    Hash,
    /// A hash table of quotients: of the rank of each position only what its place does not tell.
    Compact(Box<Ranks>),
    /// A bitmap over the words of the board.
    Bitmap(Box<MoveWords>),
}

impl Choice {
    /// The table as a value.
    pub(super) const fn table(&self) -> Table {
        match self {
            Self::Hash => Table::Hash,
            Self::Compact(_) => Table::Compact,
            Self::Bitmap(_) => Table::Bitmap,
        }
    }
}

/// Chooses the table for a search of a board within so many bytes, and says why if the choice was free.
///
/// # Errors
/// [`TableError`] if the search cannot have the table that is asked for.
pub(super) fn choose(
    board: &Board,
    configuration: &Configuration,
    memory_limit: Option<u64>,
) -> Result<(Choice, String), TableError> {
    let asked = |choice| (choice, String::new());
    match configuration.table {
        Table::Hash => Ok(asked(Choice::Hash)),
        Table::Compact => compact_of(board).map(asked),
        Table::Bitmap => bitmap_of(board, configuration, memory_limit).map(asked),
        Table::Auto => Ok(match bitmap_of(board, configuration, memory_limit) {
            Ok(choice) => (choice, "every position has a place in memory".to_owned()),
            Err(error) => (Choice::Hash, error.to_string()),
        }),
    }
}

/// Most floor cells of a board whose positions are named by ranks: larger ones have too many positions unless they
/// hold a box or two.
const MAX_RANKED_FLOOR: usize = capacity(2);

fn compact_of(board: &Board) -> Result<Choice, TableError> {
    let (floor, boxes) = (board.floor(), board.initial_boxes().len());
    let ranks = if floor <= MAX_RANKED_FLOOR {
        Ranks::new(board)
    } else {
        None
    };
    let ranks = ranks.ok_or(TableError::Unranked { boxes, floor })?;
    Ok(Choice::Compact(Box::new(ranks)))
}

fn bitmap_of(
    board: &Board,
    configuration: &Configuration,
    memory_limit: Option<u64>,
) -> Result<Choice, TableError> {
    configuration.check_bitmap()?;
    let (floor, boxes) = (board.floor(), board.initial_boxes().len());
    if floor > MAX_FLOOR {
        return Err(TableError::Floor(floor));
    }
    let words = MoveWords::new(board).ok_or(TableError::Unaddressable { boxes, floor })?;
    let bytes = bitmap::bytes(
        words.count(),
        configuration.threading,
        configuration.threads,
    );
    let half = || machine::memory_bytes().map(|bytes| bytes / 2);
    match memory_limit.or_else(half) {
        Some(limit) if bytes >= limit => Err(TableError::Memory { bytes, limit }),
        _ => Ok(Choice::Bitmap(Box::new(words))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::configuration::Space;
    use crate::parallel::Threading;
    use crate::search::Strategy;
    use crate::sokoban::Level;
    use crate::sokoban::pruning::PruningLevel;

    fn board(boxes: usize, floor: usize) -> Board {
        let row = format!(
            "#@{}{}{}#",
            "$".repeat(boxes),
            ".".repeat(boxes),
            " ".repeat(floor - 1 - 2 * boxes)
        );
        let wall = "#".repeat(row.len());
        Board::new(&Level::from_rows(&[&wall, &row, &wall])).expect("a valid board")
    }

    fn configuration(space: Space, threading: Threading, table: Table) -> Configuration {
        Configuration {
            space,
            strategy: Strategy::Bfs,
            heuristic: None,
            pruning: PruningLevel::None,
            threading,
            threads: 1,
            table,
        }
    }

    fn chosen(board: &Board, table: Table, limit: u64) -> Result<(Table, String), TableError> {
        let one = configuration(Space::Moves, Threading::Sequential, table);
        choose(board, &one, Some(limit)).map(|(choice, reason)| (choice.table(), reason))
    }

    #[test]
    fn a_bitmap_is_refused_where_it_does_not_fit_and_auto_takes_a_hash_table() {
        let fitting = (board(2, 20), 1 << 30);
        let too_large = (board(5, 40), 1 << 20);
        let too_wide = (board(2, 65), 1 << 30);
        assert_eq!(
            chosen(&fitting.0, Table::Bitmap, fitting.1),
            Ok((Table::Bitmap, String::new()))
        );
        let (table, reason) = chosen(&fitting.0, Table::Auto, fitting.1).unwrap();
        assert_eq!(table, Table::Bitmap);
        assert!(!reason.is_empty());
        for (board, limit) in [too_large, too_wide] {
            let error = chosen(&board, Table::Bitmap, limit).unwrap_err();
            assert_eq!(
                chosen(&board, Table::Auto, limit),
                Ok((Table::Hash, error.to_string()))
            );
            assert_eq!(
                chosen(&board, Table::Hash, limit),
                Ok((Table::Hash, String::new()))
            );
        }
    }

    #[test]
    fn the_message_says_how_much_memory_it_would_take() {
        // C(40, 5) = 658,008 words of 24 bytes are 15,422 KiB; sets of active words and outboxes are small beside them.
        let error = chosen(&board(5, 40), Table::Bitmap, 8 << 20).unwrap_err();
        let text = error.to_string();
        let (bytes, rest) = text
            .strip_prefix("table = \"bitmap\" takes ")
            .and_then(|text| text.split_once(" KiB here, and there are 8192 KiB for it: "))
            .expect("both sizes");
        let kibibytes: u64 = bytes.parse().expect("a number");
        assert!((15_422..16_384).contains(&kibibytes), "{kibibytes}");
        assert!(rest.contains("raise the memory limit"), "{rest}");
    }

    #[test]
    fn auto_takes_a_hash_table_where_no_bitmap_can_serve() {
        for (space, threading) in [
            (Space::Pushes, Threading::Sequential),
            (Space::Moves, Threading::Shared),
            (Space::Moves, Threading::Actors),
        ] {
            let auto = configuration(space, threading, Table::Auto);
            let (choice, reason) = choose(&board(2, 20), &auto, None).unwrap();
            assert_eq!(choice.table(), Table::Hash);
            assert!(reason.contains("choose table = \"hash\""), "{reason}");
            let bitmap = configuration(space, threading, Table::Bitmap);
            assert!(choose(&board(2, 20), &bitmap, None).is_err());
        }
    }
}
