//! The ladder, the names, and verdicts as a search sees them.

use super::super::{PruningLevel, RULE_NAMES, Rule, RuleSet, Target};
use crate::puzzle::{Pruner, Puzzle, Soundness};
use crate::sokoban::Direction;
use crate::sokoban::moves::MoveSpace;
use crate::sokoban::pushes::PushSpace;
use crate::sokoban::rules::Movement;
use crate::sokoban::testing::board;

#[test]
fn each_level_adds_its_namesake_to_the_one_before() {
    assert_eq!(RULE_NAMES, ["corner", "edge", "frozen"]);
    assert_eq!(PruningLevel::ALL[0].rules(), []);
    for pair in PruningLevel::ALL.windows(2) {
        let (before, level) = (pair[0].rules(), pair[1]);
        let (last, rest) = level.rules().split_last().expect("at least one rule");
        assert_eq!((rest, last.name()), (before, level.name()));
        assert!(pair[0] < level);
    }
}

#[test]
fn every_rule_is_sound_for_the_classic_game() {
    for rule in Rule::ALL {
        assert!(
            rule.scope()
                .covers(Movement::Classic, Target::EveryBoxOnGoal)
        );
    }
}

/// Names of the rules that reject the successors of the initial position, by direction.
fn verdicts<P>(
    puzzle: &P,
    rules: &RuleSet<1>,
    direction: impl Fn(P::Action) -> Direction,
) -> Vec<(Direction, Option<&'static str>)>
where
    P: Puzzle,
    RuleSet<1>: Pruner<P>,
{
    let mut successors = Vec::new();
    puzzle.successors(&puzzle.initial(), &mut successors);
    let name = |index: usize| <RuleSet<1> as Pruner<P>>::rules(rules)[index];
    successors
        .iter()
        .map(|next| {
            (
                direction(next.action),
                rules.verdict(puzzle, next.action, &next.state).map(name),
            )
        })
        .collect()
}

#[test]
fn the_first_rule_that_fires_is_named() {
    use Direction::{Left, Right, Up};
    // Pushed outwards, a box ends in a corner; the bottom row is a run without goals.
    let board = board(&["#######", "# .. ##", "# $@$ #", "#######"]);
    let (moves, pushes) = (MoveSpace::<1>::new(&board), PushSpace::<1>::new(&board));
    let ladder = |level| RuleSet::ladder(&board, level);
    let of_moves = |rules| verdicts(&moves, &rules, |action| action.direction());
    let of_pushes = |rules| verdicts(&pushes, &rules, |action| action.direction());
    let none = [(Left, None), (Up, None), (Right, None)];
    assert_eq!(of_moves(ladder(PruningLevel::None)), none);
    let corner = [(Left, Some("corner")), (Up, None), (Right, Some("corner"))];
    for level in [
        PruningLevel::Corner,
        PruningLevel::Edge,
        PruningLevel::Frozen,
    ] {
        assert_eq!(of_moves(ladder(level)), corner);
    }
    let edge = [(Left, Some("edge")), (Up, None), (Right, Some("edge"))];
    assert_eq!(of_moves(RuleSet::only(&board, &[Rule::Edge])), edge);
    assert_eq!(of_moves(RuleSet::only(&board, &[Rule::Frozen])), none);
    let pushed = [
        (Left, Some("corner")),
        (Right, Some("edge")),
        (Right, Some("corner")),
    ];
    assert_eq!(of_pushes(ladder(PruningLevel::Frozen)), pushed);
}

#[test]
fn every_selection_of_rules_is_sound_and_lists_its_names() {
    let board = board(&["#####", "#@$.#", "#####"]);
    for level in PruningLevel::ALL {
        let rules = RuleSet::<1>::ladder(&board, level);
        let pruner: &dyn Pruner<PushSpace<1>> = &rules;
        let names: Vec<&str> = level.rules().iter().map(|rule| rule.name()).collect();
        assert_eq!(pruner.rules(), names);
        assert_eq!(pruner.soundness(), Soundness::Sound);
    }
}
