//! `predecessor` inverts every step, on whole small spaces and along random walks on wide boards.

use crate::puzzle::{Puzzle, Successor};
use crate::sokoban::Board;
use crate::sokoban::encoding::words_for;
use crate::sokoban::moves::MoveSpace;
use crate::sokoban::pushes::PushSpace;
use crate::sokoban::testing::{Xorshift, board, explore, random_rows};

fn assert_inverse<P: Puzzle>(
    puzzle: &P,
    state: &P::State,
    successors: &[Successor<P::State, P::Action>],
) {
    for successor in successors {
        let back = puzzle.predecessor(&successor.state, successor.action);
        assert_eq!(back, *state, "undoing {:?}", successor.action);
    }
}

/// Walks at random and checks all successors on the way; returns how many were checked.
fn walk<P: Puzzle>(puzzle: &P, random: &mut Xorshift, length: usize) -> usize {
    let (mut state, mut successors, mut checked) = (puzzle.initial(), Vec::new(), 0);
    for _ in 0..length {
        successors.clear();
        puzzle.successors(&state, &mut successors);
        assert_inverse(puzzle, &state, &successors);
        checked += successors.len();
        if successors.is_empty() {
            break;
        }
        state = successors[random.below(successors.len())].state;
    }
    checked
}

#[test]
fn every_step_of_small_spaces_is_inverted() {
    let mut random = Xorshift::new(17);
    for _ in 0..60 {
        let board = board(&random_rows(&mut random, (4, 4), 15, 2));
        let (moves, pushes) = (MoveSpace::<1>::new(&board), PushSpace::<1>::new(&board));
        explore(&moves, |state, next| assert_inverse(&moves, state, next));
        explore(&pushes, |state, next| assert_inverse(&pushes, state, next));
    }
}

fn walk_both<const W: usize>(board: &Board, random: &mut Xorshift) {
    assert_eq!(
        words_for(board.floor()),
        Some(W),
        "a board that needs this width"
    );
    assert!(walk(&MoveSpace::<W>::new(board), random, 2000) > 2000);
    assert!(walk(&PushSpace::<W>::new(board), random, 200) > 500);
}

#[test]
fn steps_on_wide_boards_are_inverted() {
    let mut random = Xorshift::new(19);
    walk_both::<2>(
        &board(&random_rows(&mut random, (11, 10), 10, 8)),
        &mut random,
    );
    walk_both::<4>(
        &board(&random_rows(&mut random, (16, 14), 10, 12)),
        &mut random,
    );
    walk_both::<16>(
        &board(&random_rows(&mut random, (30, 30), 10, 40)),
        &mut random,
    );
}
