//! The space of moves by words: one word for each box set, one bit for each cell of the player.
//!
//! All players of a box set walk in one direction by a few shifts of their word; a push leads to the word of
//! another box set. Words are numbered by the rank of the box set (see [`ranking`](super::ranking)).

use super::encoding::{CellSet, State};
use super::moves::{MoveAction, MoveSpace};
use super::ranking::BoxSets;
use super::{Board, Cell, Direction};
use crate::puzzle::{Place, Predecessor, Steps, Words};

/// Most floor cells of a board whose players fit in a word.
pub const MAX_FLOOR: usize = 64;

/// Lowest boxes of a set that are decoded by a table; the others are decoded one by one when they change,
/// which is once in some hundred words.
const LOW: usize = 2;

/// The words of a space of moves under the classic rule.
///
/// Holds a few kilobytes of tables. Decoding a word that follows the last one closely takes one look-up;
/// another one takes a binary search for each box.
#[derive(Debug, Clone)]
pub struct MoveWords {
    sets: BoxSets,
    words: usize,
    floor: u64,
    goals: usize,
    /// The sets of the lowest boxes by rank.
    low: Box<[u64]>,
    /// How all players walk in each direction.
    walks: [Walk; 4],
    /// Neighbours by direction; [`NONE`] for a wall.
    neighbours: Box<[[u8; 4]]>,
}

/// Stands for a wall among neighbours.
const NONE: u8 = u8::MAX;

/// Players that step over the same number of cells, numbered row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shift {
    /// Cells with a neighbour at that distance.
    from: u64,
    distance: u32,
}

/// A step of all players in one direction: one shift for each distance between neighbours.
///
/// To the left and right there is one distance. Up and down there are as many as rows of different
/// length: one on a rectangle.
#[derive(Debug, Clone)]
struct Walk {
    first: Shift,
    others: Box<[Shift]>,
}

impl Walk {
    fn new(board: &Board, direction: Direction) -> Self {
        let mut shifts: Vec<Shift> = Vec::new();
        for cell in (0..).take(board.floor()) {
            let next = board.neighbour(cell, direction);
            if next == Board::WALL {
                continue;
            }
            let (from, distance) = (1 << cell, u32::from(cell.abs_diff(next)));
            match shifts.iter_mut().find(|shift| shift.distance == distance) {
                Some(shift) => shift.from |= from,
                None => shifts.push(Shift { from, distance }),
            }
        }
        let mut shifts = shifts.into_iter();
        let nobody = Shift {
            from: 0,
            distance: 0,
        };
        Self {
            first: shifts.next().unwrap_or(nobody),
            others: shifts.collect(),
        }
    }

    /// Where `players` stand after a step; those before a wall are gone.
    #[inline]
    fn step(&self, players: u64, direction: Direction) -> u64 {
        let shifted = |shift: &Shift| match direction {
            Direction::Left | Direction::Up => (players & shift.from) >> shift.distance,
            Direction::Right | Direction::Down => (players & shift.from) << shift.distance,
        };
        let mut reached = shifted(&self.first);
        for shift in &self.others {
            reached |= shifted(shift);
        }
        reached
    }
}

/// The words that share all boxes but the lowest.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cursor {
    /// First of the words.
    start: usize,
    /// The word after the last one.
    end: usize,
    /// The boxes that they share.
    high: u64,
}

impl MoveWords {
    /// The words of a board; `None` if it has more than [`MAX_FLOOR`] floor cells, or more box sets than
    /// the machine can address.
    #[must_use]
    pub fn new(board: &Board) -> Option<Self> {
        let (floor, boxes) = (board.floor(), board.initial_boxes().len());
        if floor > MAX_FLOOR {
            return None;
        }
        let sets = BoxSets::new(floor, boxes)?;
        let words = usize::try_from(sets.count()).ok()?;
        let lowest = BoxSets::new(floor, boxes.min(LOW))?;
        let low = (0..lowest.count()).map(|rank| mask_of(lowest.descending(rank)));
        let goals: CellSet<1> = board.goals().iter().copied().collect();
        let goals = usize::try_from(sets.rank(&goals)).ok()?;
        let neighbours = (0..).take(floor).map(|cell| {
            Direction::ALL.map(|side| u8::try_from(board.neighbour(cell, side)).unwrap_or(NONE))
        });
        Some(Self {
            words,
            floor: u64::MAX >> (MAX_FLOOR - floor),
            goals,
            low: low.collect(),
            walks: Direction::ALL.map(|direction| Walk::new(board, direction)),
            neighbours: neighbours.collect(),
            sets,
        })
    }

    /// Number of words: of box sets.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.words
    }

    /// The boxes of a word.
    #[inline]
    fn boxes(&self, cursor: &mut Cursor, word: usize) -> u64 {
        if !(cursor.start..cursor.end).contains(&word) {
            *cursor = self.cursor(word);
        }
        cursor.high | self.low[word - cursor.start]
    }

    /// Decodes all boxes but the lowest. The words that share them are as many as there are sets of low
    /// boxes below the next one.
    #[cold]
    fn cursor(&self, word: usize) -> Cursor {
        let boxes = self.sets.boxes();
        let high: Vec<(Cell, u64)> = self
            .sets
            .descending(word as u64)
            .take(boxes - boxes.min(LOW))
            .collect();
        let start = high.iter().map(|&(_, term)| term).sum::<u64>() as usize;
        let lowest = high.last().map_or(self.low.len(), |&(cell, _)| {
            let below = usize::from(cell);
            below * (below - 1) / 2
        });
        Cursor {
            start,
            end: start + lowest,
            high: mask_of(high.into_iter()),
        }
    }

    #[inline]
    fn neighbour(&self, cell: u32, direction: Direction) -> u8 {
        self.neighbours[cell as usize][direction.index()]
    }
}

fn mask_of(cells: impl Iterator<Item = (Cell, u64)>) -> u64 {
    cells.fold(0, |mask, (cell, _)| mask | 1 << cell)
}

/// A state of a board that fits in one word.
#[inline]
fn state<const W: usize>(boxes: u64, player: u32) -> State<W> {
    let mut words = [0; W];
    words[0] = boxes;
    State::new(CellSet::from_words(words), player as Cell)
}

impl<const W: usize> Words<MoveSpace<W>> for MoveWords {
    type Cursor = Cursor;

    #[inline]
    fn words(&self) -> usize {
        self.words
    }

    #[inline]
    fn place(&self, state: &State<W>) -> Place {
        Place {
            word: self.sets.rank(&state.boxes()) as usize,
            bit: u32::from(state.player()),
        }
    }

    fn state(&self, place: Place) -> State<W> {
        state(self.boxes(&mut Cursor::default(), place.word), place.bit)
    }

    #[inline]
    fn goals(&self, word: usize) -> u64 {
        if word == self.goals { u64::MAX } else { 0 }
    }

    #[inline]
    fn advance(
        &self,
        cursor: &mut Cursor,
        word: usize,
        bits: u64,
        out: &mut impl Steps<MoveSpace<W>>,
    ) {
        let boxes = self.boxes(cursor, word);
        let free = self.floor & !boxes;
        for direction in Direction::ALL {
            let stepped = self.walks[direction.index()].step(bits, direction);
            out.within(MoveAction::new(direction, 0), stepped & free);
            let back = direction.opposite();
            let movable = self.walks[back.index()].step(free, back);
            let mut pushed = stepped & boxes & movable;
            while pushed != 0 {
                let from = pushed.trailing_zeros();
                pushed &= pushed - 1;
                let to = self.neighbour(from, direction);
                let boxes = boxes ^ (1 << from | 1 << to);
                out.across(MoveAction::new(direction, 1), state(boxes, from));
            }
        }
    }

    fn predecessors(&self, later: &State<W>, out: &mut Vec<Predecessor<State<W>, MoveAction>>) {
        let (boxes, player) = (later.boxes().words()[0], u32::from(later.player()));
        let has_box = |cell: u8| cell != NONE && boxes >> cell & 1 == 1;
        for direction in Direction::ALL {
            let behind = self.neighbour(player, direction.opposite());
            if behind == NONE || has_box(behind) {
                continue;
            }
            let back = Some(MoveAction::new(direction.opposite(), 0));
            out.push(Predecessor {
                action: MoveAction::new(direction, 0),
                state: state(boxes, u32::from(behind)),
                back,
            });
            let ahead = self.neighbour(player, direction);
            if has_box(ahead) {
                out.push(Predecessor {
                    action: MoveAction::new(direction, 1),
                    state: state(boxes ^ (1 << ahead | 1 << player), u32::from(behind)),
                    back: None,
                });
            }
        }
    }
}
