//! Soundness by brute force: on random small boards, no rule rejects a position that can be solved.

use std::collections::HashMap;

use super::super::{PruningLevel, Rule, RuleSet};
use crate::puzzle::{Pruner, Puzzle};
use crate::sokoban::Board;
use crate::sokoban::encoding::State;
use crate::sokoban::moves::MoveSpace;
use crate::sokoban::pushes::PushSpace;
use crate::sokoban::testing::{Naive, Position, Xorshift, board, explore, position, random_rows};

/// Every level of the ladder and every rule alone.
fn selections(board: &Board) -> Vec<RuleSet<1>> {
    let levels = PruningLevel::ALL.map(|level| RuleSet::ladder(board, level));
    let alone = Rule::ALL.map(|rule| RuleSet::only(board, &[rule]));
    levels.into_iter().chain(alone).collect()
}

/// Asks every selection about every legal step of the whole space. Returns how many positions each
/// selection rejected.
fn audit<P>(puzzle: &P, board: &Board, solvable: &HashMap<Position, u32>) -> Vec<usize>
where
    P: Puzzle<State = State<1>>,
    RuleSet<1>: Pruner<P>,
{
    let selections = selections(board);
    let mut rejected = vec![0; selections.len()];
    explore(puzzle, |_, successors| {
        for next in successors {
            for (rules, count) in selections.iter().zip(&mut rejected) {
                let Some(index) = rules.verdict(puzzle, next.action, &next.state) else {
                    continue;
                };
                *count += 1;
                let name = <RuleSet<1> as Pruner<P>>::rules(rules)[index];
                let here = position(board, &next.state);
                assert!(
                    !solvable.contains_key(&here),
                    "{name} rejects {here:?}, which is solvable"
                );
            }
        }
    });
    rejected
}

/// Audits `rounds` random boards of up to `size` squares within the border.
fn sweep(seed: u64, rounds: usize, size: (usize, usize), boxes: usize) {
    let mut random = Xorshift::new(seed);
    let mut total = vec![0; PruningLevel::ALL.len() + Rule::ALL.len()];
    for _ in 0..rounds {
        let size = (size.0 - random.below(2), size.1 - random.below(2));
        let walls = 5 + random.below(25);
        let rows = random_rows(&mut random, size, walls, boxes);
        let (board, naive) = (board(&rows), Naive::new(&rows));
        let solvable = naive.distances(1);
        let moves = audit(&MoveSpace::<1>::new(&board), &board, &solvable);
        let pushes = audit(&PushSpace::<1>::new(&board), &board, &solvable);
        for (sum, count) in total.iter_mut().zip(moves.iter().zip(&pushes)) {
            *sum += count.0 + count.1;
        }
    }
    let (none, others) = total.split_first().expect("the level without rules");
    assert_eq!(*none, 0);
    let by_number = if boxes == 1 { &others[..2] } else { others };
    assert!(
        by_number.iter().all(|count| *count > 0),
        "every selection was put to the test: {total:?}"
    );
    assert!(
        others[0] <= others[1] && others[1] <= others[2],
        "each level includes the one before"
    );
}

#[test]
fn no_rule_rejects_a_solvable_position_with_one_box() {
    sweep(29, 400, (6, 6), 1);
}

#[test]
fn no_rule_rejects_a_solvable_position_with_two_boxes() {
    sweep(31, 400, (5, 4), 2);
}

#[test]
fn no_rule_rejects_a_solvable_position_with_three_boxes() {
    sweep(37, 300, (4, 4), 3);
}

#[test]
fn no_rule_rejects_a_solvable_position_on_low_and_long_boards() {
    sweep(41, 300, (7, 3), 2);
}
