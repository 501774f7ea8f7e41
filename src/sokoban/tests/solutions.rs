//! From actions to player steps.

use crate::puzzle::Puzzle;
use crate::sokoban::Direction;
use crate::sokoban::moves::MoveSpace;
use crate::sokoban::pushes::{PushAction, PushSpace};
use crate::sokoban::space::Space;
use crate::sokoban::testing::{Naive, Xorshift, board, position, random_rows};

fn letters(steps: &[Direction]) -> String {
    steps.iter().map(|step| step.letter()).collect()
}

#[test]
fn the_walk_to_a_push_is_a_shortest_one() {
    // Cells 0 to 4, 5 to 9, 10 to 14; box on 7.
    let board = board(&["#######", "#     #", "#.@$  #", "#     #", "#######"]);
    let space = PushSpace::<1>::new(&board);
    let pushes = [
        PushAction::new(7, Direction::Left, 1),
        PushAction::new(6, Direction::Left, 1),
    ];
    // Around the box from cell 6 to 8 takes four steps; up comes before down.
    assert_eq!(letters(&space.steps(&pushes)), "urrdll");
    assert_eq!(letters(&space.steps(&[])), "");
}

#[test]
#[should_panic(expected = "the push 7U is not possible after 1 steps")]
fn a_sequence_that_is_no_path_is_refused() {
    let board = board(&["#######", "#     #", "#.@$  #", "#     #", "#######"]);
    let _ = PushSpace::<1>::new(&board).steps(&[
        PushAction::new(7, Direction::Right, 1),
        PushAction::new(7, Direction::Up, 1),
    ]);
}

/// A random path from the initial state.
fn random_path<P: Puzzle>(
    puzzle: &P,
    random: &mut Xorshift,
    length: usize,
) -> (P::State, Vec<P::Action>) {
    let (mut state, mut actions, mut successors) = (puzzle.initial(), Vec::new(), Vec::new());
    for _ in 0..length {
        successors.clear();
        puzzle.successors(&state, &mut successors);
        if successors.is_empty() {
            break;
        }
        let chosen = successors[random.below(successors.len())];
        state = chosen.state;
        actions.push(chosen.action);
    }
    (state, actions)
}

#[test]
fn steps_of_random_paths_lead_the_naive_game_to_the_same_position() {
    let mut random = Xorshift::new(23);
    for _ in 0..100 {
        let rows = random_rows(&mut random, (8, 7), 15, 4);
        let (board, naive) = (board(&rows), Naive::new(&rows));
        let replay = |steps: Vec<Direction>| {
            let (mut here, mut pushes) = (naive.start(), 0);
            for step in steps {
                let (next, pushed) = naive.step(&here, step.index()).expect("a legal step");
                here = next;
                pushes += usize::from(pushed);
            }
            (here, pushes)
        };
        let space = PushSpace::<1>::new(&board);
        let (end, actions) = random_path(&space, &mut random, 30);
        let (here, pushes) = replay(space.steps(&actions));
        assert_eq!(naive.normalised(&here), position(&board, &end));
        assert_eq!(pushes, actions.len());
        let space = MoveSpace::<1>::new(&board);
        let (end, actions) = random_path(&space, &mut random, 60);
        assert_eq!(replay(space.steps(&actions)).0, position(&board, &end));
    }
}
