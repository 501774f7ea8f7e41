//! Pushes found for a whole position at once, against the same rule asked box by box, and against the naive
//! game.

use std::collections::BTreeSet;

use crate::puzzle::{Puzzle, Successor};
use crate::sokoban::encoding::{State, words_for};
use crate::sokoban::pushes::PushSpace;
use crate::sokoban::rules::{Classic, Layout, Movement, MovementRule, Push};
use crate::sokoban::space::Space;
use crate::sokoban::testing::{Naive, Position, Xorshift, board, position, random_rows};
use crate::sokoban::{Cell, Direction};

/// The classic rule without the promise that lets a space find its pushes without asking.
#[derive(Debug, Clone, Copy)]
struct BoxByBox;

impl MovementRule for BoxByBox {
    const MOVEMENT: Movement = Movement::Classic;

    fn push<const W: usize>(
        &self,
        layout: Layout<'_, W>,
        from: Cell,
        direction: Direction,
    ) -> Option<Push> {
        Classic.push(layout, from, direction)
    }

    fn undo<const W: usize>(
        &self,
        after: Layout<'_, W>,
        from: Cell,
        direction: Direction,
        boxes: u8,
    ) -> Push {
        Classic.undo(after, from, direction, boxes)
    }
}

/// Walks at random through the space of `rows` and gives `check` every state with its successors; returns
/// how many successors there were.
fn walk<const W: usize>(
    space: &PushSpace<W>,
    random: &mut Xorshift,
    length: usize,
    mut check: impl FnMut(&State<W>, &[Successor<State<W>, <PushSpace<W> as Puzzle>::Action>]),
) -> usize {
    let (mut state, mut successors, mut checked) = (space.initial(), Vec::new(), 0);
    for _ in 0..length {
        successors.clear();
        space.successors(&state, &mut successors);
        check(&state, &successors);
        checked += successors.len();
        if successors.is_empty() {
            break;
        }
        state = successors[random.below(successors.len())].state;
    }
    checked
}

/// Compares along a random walk; returns how many successors were compared.
fn compare<const W: usize>(rows: &[String], random: &mut Xorshift) -> usize {
    let board = board(rows);
    let asked = PushSpace::<W, BoxByBox>::with_rule(&board, BoxByBox);
    let mut expected = Vec::new();
    walk(
        &PushSpace::<W>::new(&board),
        random,
        40,
        |state, successors| {
            expected.clear();
            asked.successors(state, &mut expected);
            assert_eq!(successors, expected, "after {state:?} in {rows:#?}");
        },
    )
}

#[test]
fn pushes_found_at_once_are_those_found_box_by_box_in_the_same_order() {
    let mut random = Xorshift::new(29);
    let (mut one_word, mut two_words) = (0, 0);
    for round in 0..600 {
        // From open rooms to mazes: the fewer walls, the fewer distances between neighbours.
        let size = (2 + random.below(7), 2 + random.below(7));
        let boxes = 1 + random.below(size.0 * size.1 / 4);
        let rows = random_rows(&mut random, size, [0, 3, 10, 30][round % 4], boxes);
        if words_for(board(&rows).floor()) == Some(1) {
            one_word += compare::<1>(&rows, &mut random);
        }
        two_words += compare::<2>(&rows, &mut random);
    }
    assert!(
        one_word > 20_000 && two_words > 20_000,
        "{one_word}, {two_words}"
    );
}

/// Normalised positions after each push that is possible after a walk.
fn naive_pushes(naive: &Naive, start: &Position) -> BTreeSet<Position> {
    let (mut walked, mut pushed) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting = vec![start.clone()];
    while let Some(here) = waiting.pop() {
        if !walked.insert(here.clone()) {
            continue;
        }
        for (next, by_push) in naive.steps(&here) {
            if by_push {
                pushed.insert(naive.normalised(&next));
            } else {
                waiting.push(next);
            }
        }
    }
    pushed
}

#[test]
fn pushes_on_larger_boards_lead_where_the_naive_game_leads() {
    let mut random = Xorshift::new(31);
    for round in 0..24 {
        let rows = random_rows(&mut random, (8, 8), [0, 10, 25][round % 3], 9);
        let (board, naive) = (board(&rows), Naive::new(&rows));
        let space = PushSpace::<2>::new(&board);
        walk(&space, &mut random, 12, |state, successors| {
            let reached: BTreeSet<Position> = successors
                .iter()
                .map(|successor| position(&board, &successor.state))
                .collect();
            assert_eq!(reached, naive_pushes(&naive, &position(&board, state)));
        });
    }
}

#[test]
fn successors_are_appended_to_what_the_buffer_holds() {
    let board = board(&["#####", "#@$.#", "#   #", "#####"]);
    let space = PushSpace::<1>::new(&board);
    let (mut alone, mut twice) = (Vec::new(), Vec::new());
    space.successors(&space.initial(), &mut alone);
    for _ in 0..2 {
        space.successors(&space.initial(), &mut twice);
    }
    assert_eq!(alone.len(), 2, "to the right and to the left");
    assert_eq!(twice, [alone.clone(), alone].concat());
}
