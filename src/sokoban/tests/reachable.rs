//! The reachable states are exactly those of the naive game, at every width.

use std::collections::HashSet;

use crate::puzzle::Puzzle;
use crate::sokoban::Board;
use crate::sokoban::encoding::State;
use crate::sokoban::moves::MoveSpace;
use crate::sokoban::pushes::PushSpace;
use crate::sokoban::testing::{Naive, Position, Xorshift, board, explore, position, random_rows};

/// Reachable positions, and checks of the goal test on the way.
fn positions<const W: usize, P>(puzzle: &P, board: &Board, naive: &Naive) -> HashSet<Position>
where
    P: Puzzle<State = State<W>>,
{
    let states = explore(puzzle, |state, _| {
        assert_eq!(
            puzzle.is_goal(state),
            naive.is_solved(&position(board, state))
        );
    });
    let positions: HashSet<Position> = states.iter().map(|state| position(board, state)).collect();
    assert_eq!(positions.len(), states.len(), "one state for each position");
    positions
}

fn compare<const W: usize>(board: &Board, naive: &Naive, reachable: &HashSet<Position>) {
    assert_eq!(
        positions(&MoveSpace::<W>::new(board), board, naive),
        *reachable
    );
    let normalised: HashSet<Position> = reachable
        .iter()
        .map(|position| naive.normalised(position))
        .collect();
    assert_eq!(
        positions(&PushSpace::<W>::new(board), board, naive),
        normalised
    );
}

#[test]
fn whole_random_spaces_agree_with_the_naive_game() {
    let mut random = Xorshift::new(11);
    for round in 0..120 {
        let size = (2 + random.below(4), 2 + random.below(4));
        let boxes = 1 + random.below(if size.0 * size.1 > 16 { 2 } else { 3 });
        if size.0 * size.1 < 2 * boxes + 3 {
            continue;
        }
        let rows = random_rows(&mut random, size, 20, boxes);
        let (board, naive) = (board(&rows), Naive::new(&rows));
        let reachable = naive.reachable();
        match round % 4 {
            0 => compare::<16>(&board, &naive, &reachable),
            1 => compare::<4>(&board, &naive, &reachable),
            2 => compare::<2>(&board, &naive, &reachable),
            _ => compare::<1>(&board, &naive, &reachable),
        }
    }
}

#[test]
fn the_smallest_level_has_three_positions_and_two_push_states() {
    let board = board(&["#####", "#@$.#", "#####"]);
    assert_eq!(explore(&MoveSpace::<1>::new(&board), |_, _| ()).len(), 3);
    assert_eq!(explore(&PushSpace::<1>::new(&board), |_, _| ()).len(), 2);
}

#[test]
fn a_wide_board_steps_like_the_naive_game() {
    let mut random = Xorshift::new(13);
    let rows = random_rows(&mut random, (30, 30), 10, 40);
    let (board, naive) = (board(&rows), Naive::new(&rows));
    assert!(board.floor() > 700, "wide enough to need 16 words");
    let space = MoveSpace::<16>::new(&board);
    let (mut state, mut here) = (space.initial(), naive.start());
    let mut successors = Vec::new();
    for _ in 0..3000 {
        successors.clear();
        space.successors(&state, &mut successors);
        let steps = naive.steps(&here);
        assert_eq!(successors.len(), steps.len());
        for (successor, (next, pushed)) in successors.iter().zip(&steps) {
            assert_eq!(position(&board, &successor.state), *next);
            assert_eq!(successor.action.is_push(), *pushed);
        }
        let choice = random.below(steps.len());
        state = successors[choice].state;
        here = steps[choice].0.clone();
    }
}
