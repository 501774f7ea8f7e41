//! The words of the space of moves against the space itself.

use std::collections::HashMap;

use crate::puzzle::{Place, Predecessor, Puzzle, Steps, Words};
use crate::sokoban::Board;
use crate::sokoban::encoding::State;
use crate::sokoban::moves::{MoveAction, MoveSpace};
use crate::sokoban::testing::{Xorshift, board, explore, random_rows};
use crate::sokoban::words::MoveWords;

/// Steps as actions and places.
type Listed = Vec<(u8, usize, u32)>;

/// Writes down the steps of a word.
struct Collector<'a> {
    words: &'a MoveWords,
    word: usize,
    steps: Listed,
}

fn number(action: MoveAction) -> u8 {
    action.boxes() * 4 + action.direction() as u8
}

impl<const W: usize> Steps<MoveSpace<W>> for Collector<'_> {
    fn within(&mut self, action: MoveAction, bits: u64) {
        for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
            self.steps.push((number(action), self.word, bit));
        }
    }

    fn across(&mut self, action: MoveAction, state: State<W>) {
        let place = self.words.place(&state);
        self.steps.push((number(action), place.word, place.bit));
    }
}

/// Checks every guarantee of [`Words`] on the whole space of a board; returns the number of its states.
fn check<const W: usize>(board: &Board) -> usize {
    let space = MoveSpace::<W>::new(board);
    let words = MoveWords::new(board).expect("a board of at most 64 cells");
    let count = Words::<MoveSpace<W>>::words(&words);
    let mut by_word: HashMap<usize, (u64, Listed)> = HashMap::new();
    let mut before: HashMap<State<W>, Vec<(State<W>, MoveAction)>> = HashMap::new();
    let reached = explore(&space, |state, successors| {
        let place = words.place(state);
        assert!(place.word < count && place.bit < 64);
        assert_eq!(Words::<MoveSpace<W>>::state(&words, place), *state);
        let is_goal = Words::<MoveSpace<W>>::goals(&words, place.word) >> place.bit & 1 == 1;
        assert_eq!(is_goal, space.is_goal(state));
        let entry = by_word.entry(place.word).or_default();
        assert_eq!(entry.0 >> place.bit & 1, 0, "two states at {place:?}");
        entry.0 |= 1 << place.bit;
        for step in successors {
            let Place { word, bit } = words.place(&step.state);
            entry.1.push((number(step.action), word, bit));
            before
                .entry(step.state)
                .or_default()
                .push((*state, step.action));
        }
    });
    check_steps::<W>(&words, by_word);
    for state in &reached {
        check_predecessors(&space, &words, state, before.remove(state));
    }
    reached.len()
}

/// All states of a word at once take the steps of each of them. Words come in no order, so the cursor jumps.
fn check_steps<const W: usize>(words: &MoveWords, by_word: HashMap<usize, (u64, Listed)>) {
    let mut cursor = crate::sokoban::words::Cursor::default();
    for (word, (bits, mut expected)) in by_word {
        let steps = Vec::new();
        let mut out = Collector { words, word, steps };
        Words::<MoveSpace<W>>::advance(words, &mut cursor, word, bits, &mut out);
        out.steps.sort_unstable();
        expected.sort_unstable();
        assert_eq!(out.steps, expected);
    }
}

/// Predecessors that can be reached are those known; each of the others leads here all the same.
fn check_predecessors<const W: usize>(
    space: &MoveSpace<W>,
    words: &MoveWords,
    state: &State<W>,
    known: Option<Vec<(State<W>, MoveAction)>>,
) {
    let mut found: Vec<Predecessor<State<W>, MoveAction>> = Vec::new();
    words.predecessors(state, &mut found);
    for (earlier, action) in known.unwrap_or_default() {
        let is_known = |one: &&Predecessor<_, _>| (one.state, one.action) == (earlier, action);
        assert_eq!(found.iter().filter(is_known).count(), 1);
    }
    let leads = |from: &State<W>, action, to: &State<W>| {
        let mut steps = Vec::new();
        space.successors(from, &mut steps);
        steps
            .iter()
            .any(|step| (step.action, step.state) == (action, *to))
    };
    for one in &found {
        assert!(leads(&one.state, one.action, state));
        assert!(one.back.is_none_or(|back| leads(state, back, &one.state)));
        assert_eq!(one.back.is_none(), one.action.is_push());
    }
}

#[test]
fn words_keep_their_contract_on_random_boards() {
    let mut random = Xorshift::new(29);
    let mut states = 0;
    for boxes in [1, 2, 3] {
        for walls in [0, 15, 30] {
            for _ in 0..6 {
                let board = board(&random_rows(&mut random, (4, 4), walls, boxes));
                states += check::<1>(&board);
            }
        }
    }
    assert!(states > 10_000, "{states}");
}

#[test]
fn a_board_of_64_cells_fills_its_words() {
    let mut rows = vec!["##########".to_owned()];
    rows.extend((0..8).map(|_| "#        #".to_owned()));
    rows.push("##########".to_owned());
    rows[3].replace_range(3..5, "$.");
    rows[8].replace_range(8..9, "@");
    assert_eq!(check::<2>(&board(&rows)), 64 * 63);
}

#[test]
fn a_board_of_65_cells_has_no_words() {
    let corridor = format!("#{}@$.#", " ".repeat(62));
    let wall = "#".repeat(67);
    assert!(MoveWords::new(&board(&[&wall, &corridor, &wall])).is_none());
}
