//! Each rule fires on its textbook example and not on near misses.

use super::super::{Rule, Tables, dead_cells};
use crate::sokoban::encoding::CellSet;
use crate::sokoban::testing::board;
use crate::sokoban::{Board, Cell};

fn boxes(board: &Board) -> CellSet<1> {
    board.initial_boxes().iter().copied().collect()
}

/// Whether the rule fires when the box at a column and row has just been pushed there.
fn fires(rule: Rule, rows: &[&str], pushed: (usize, usize)) -> bool {
    let board = board(rows);
    let cell = board.cell_at(pushed.0, pushed.1);
    assert!(boxes(&board).contains(cell), "a box stands at {pushed:?}");
    Tables::<1>::new(&board, rule).fires(&boxes(&board), cell)
}

/// Whether the rule fires for every box, or for none; mixed answers fail.
fn fires_for_all(rule: Rule, rows: &[&str]) -> bool {
    let board = board(rows);
    let verdicts: Vec<bool> = board
        .initial_boxes()
        .iter()
        .map(|&cell| fires(rule, rows, board.square(cell)))
        .collect();
    assert!(
        verdicts.iter().all(|verdict| *verdict == verdicts[0]),
        "{verdicts:?}"
    );
    verdicts[0]
}

/// The board with `x` for each dead cell.
fn dead_map(rows: &[&str]) -> Vec<String> {
    let board = board(rows);
    let dead: CellSet<1> = dead_cells(&board);
    let symbol = |column, row, symbol| match board.cell_at(column, row) {
        Board::WALL => symbol,
        cell if dead.contains(cell) => 'x',
        _ => symbol,
    };
    rows.iter()
        .enumerate()
        .map(|(row, text)| {
            text.chars()
                .enumerate()
                .map(|(column, s)| symbol(column, row, s))
                .collect()
        })
        .collect()
}

#[test]
fn corner_fires_in_all_four_corners() {
    let rows = ["######", "#$  $#", "#....#", "#@   #", "#$  $#", "######"];
    assert!(fires_for_all(Rule::Corner, &rows));
}

#[test]
fn corner_does_not_fire_on_a_goal_or_in_a_corridor_or_at_one_wall() {
    assert!(!fires(
        Rule::Corner,
        &["#####", "#* @#", "#   #", "#####"],
        (1, 1)
    ));
    assert!(!fires(
        Rule::Corner,
        &["######", "#@$ .#", "######"],
        (2, 1)
    ));
    assert!(!fires(
        Rule::Corner,
        &["#####", "# $ #", "#@. #", "#####"],
        (2, 1)
    ));
}

#[test]
fn edge_fires_on_each_side_of_a_room_without_goals_there() {
    let rows = [
        "#######", "#  $  #", "#     #", "#$...$#", "#   @ #", "#     #", "#######",
    ];
    assert!(fires(Rule::Edge, &rows, (3, 1)), "top");
    assert!(fires(Rule::Edge, &rows, (1, 3)), "left");
    assert!(fires(Rule::Edge, &rows, (5, 3)), "right");
    let rows = ["#######", "#   @ #", "#  .  #", "#  $  #", "#######"];
    assert!(fires(Rule::Edge, &rows, (3, 3)), "bottom");
}

#[test]
fn edge_does_not_fire_where_a_goal_or_a_way_out_is_on_the_run() {
    let goal = ["#######", "#  $ .#", "# @   #", "#######"];
    assert!(!fires(Rule::Edge, &goal, (3, 1)));
    let niche = ["#######", "#### ##", "# $   #", "# @ . #", "#######"];
    assert!(
        !fires(Rule::Edge, &niche, (2, 2)),
        "the player fits in the niche above"
    );
    let inner = ["#######", "#  .  #", "# @$  #", "#     #", "#######"];
    assert!(!fires(Rule::Edge, &inner, (3, 2)), "no wall along the line");
}

#[test]
fn edge_does_not_fire_where_the_wall_changes_sides() {
    let rows = [
        "########", "####   #", "# $    #", "#   ####", "#. @####", "########",
    ];
    assert!(!fires(Rule::Edge, &rows, (2, 2)));
}

#[test]
fn edge_counts_boxes_against_goals_on_the_run() {
    let crowded = ["#######", "# $*  #", "#  @. #", "#     #", "#######"];
    assert!(fires_for_all(Rule::Edge, &crowded), "two boxes, one goal");
    let just_enough = ["#######", "# $*. #", "#  @  #", "#     #", "#######"];
    assert!(
        !fires_for_all(Rule::Edge, &just_enough),
        "two boxes, two goals"
    );
    let other_run = [
        "#######", "# $*  #", "#  @. #", "#  $ .#", "#     #", "#######",
    ];
    assert!(
        !fires(Rule::Edge, &other_run, (3, 3)),
        "the pushed box is not on the crowded run"
    );
}

#[test]
fn edge_fires_on_vertical_runs_that_are_crowded() {
    let rows = ["######", "#   $#", "#.@ *#", "#    #", "######"];
    assert!(fires_for_all(Rule::Edge, &rows));
}

#[test]
fn dead_cells_are_corners_and_runs_without_goals() {
    let rows = [
        "########", "#      #", "# @$   #", "#   #  #", "#  .####", "########",
    ];
    let expected = [
        "########", "#xxxxxx#", "#x@$  x#", "#x  #xx#", "#x .####", "########",
    ];
    assert_eq!(dead_map(&rows), expected);
}

#[test]
fn frozen_fires_for_a_pair_along_a_wall_unless_both_are_on_goals() {
    let off = ["#######", "# $$ .#", "# @  .#", "#######"];
    assert!(fires_for_all(Rule::Frozen, &off));
    let one_on = ["#######", "# *$  #", "# @  .#", "#######"];
    assert!(fires_for_all(Rule::Frozen, &one_on));
    let both_on = ["#######", "# **  #", "# @   #", "#######"];
    assert!(!fires_for_all(Rule::Frozen, &both_on));
    let apart = ["#######", "# $ $ #", "# @ ..#", "#######"];
    assert!(!fires_for_all(Rule::Frozen, &apart));
}

#[test]
fn frozen_fires_for_a_vertical_pair_along_a_wall() {
    let rows = ["#####", "#  .#", "#$@.#", "#$  #", "#   #", "#####"];
    assert!(fires_for_all(Rule::Frozen, &rows));
}

#[test]
fn frozen_fires_for_a_pair_between_staggered_walls() {
    let pinned = [
        "########", "#  #   #", "#  $$  #", "#   #  #", "#.. @  #", "########",
    ];
    assert!(fires_for_all(Rule::Frozen, &pinned));
    let one_on = [
        "########", "#  #   #", "#  *$  #", "#   #  #", "#.  @  #", "########",
    ];
    assert!(fires_for_all(Rule::Frozen, &one_on));
    let both_on = [
        "########", "#  #   #", "#  **  #", "#   #  #", "#   @  #", "########",
    ];
    assert!(!fires_for_all(Rule::Frozen, &both_on));
    let half = [
        "########", "#  #   #", "#  $$  #", "#      #", "#.. @  #", "########",
    ];
    assert!(
        !fires_for_all(Rule::Frozen, &half),
        "the right box can be pushed up and down"
    );
}

#[test]
fn frozen_takes_dead_cells_on_both_sides_for_a_wall() {
    let pinned = ["#######", "#    @#", "# $$..#", "#     #", "#######"];
    assert!(fires_for_all(Rule::Frozen, &pinned));
    let open_below = ["#######", "#    @#", "# $$. #", "#    .#", "#######"];
    assert!(
        !fires_for_all(Rule::Frozen, &open_below),
        "a goal below: only one side is dead"
    );
}

#[test]
fn frozen_fires_for_squares_of_boxes_and_walls() {
    let four = [
        "########", "#      #", "# $$ @ #", "# $$   #", "#      #", "#  ....#", "########",
    ];
    assert!(fires_for_all(Rule::Frozen, &four));
    let three_and_wall = [
        "########", "#      #", "# #$ @ #", "# $$   #", "#      #", "#   ...#", "########",
    ];
    assert!(fires_for_all(Rule::Frozen, &three_and_wall));
    let three = [
        "########", "#      #", "#  $ @ #", "# $$   #", "#      #", "#   ...#", "########",
    ];
    assert!(!fires_for_all(Rule::Frozen, &three));
    let diagonal = [
        "########", "#      #", "# #$ @ #", "# $#   #", "#      #", "#   .. #", "########",
    ];
    assert!(
        !fires_for_all(Rule::Frozen, &diagonal),
        "neither box is beside the other: each stands in a corner, which is another rule"
    );
    assert!(fires_for_all(Rule::Corner, &diagonal));
}

#[test]
fn frozen_squares_on_goals_do_not_fire_and_one_box_off_goal_does() {
    let all_on = [
        "########", "#      #", "# ** @ #", "# **   #", "#      #", "########",
    ];
    assert!(!fires_for_all(Rule::Frozen, &all_on));
    let one_off = [
        "########", "#      #", "# ** @ #", "# *$ . #", "#      #", "########",
    ];
    assert!(fires_for_all(Rule::Frozen, &one_off));
}

#[test]
fn frozen_does_not_fire_for_a_box_alone() {
    let rows = ["#####", "#$ @#", "#  .#", "#####"];
    assert!(
        !fires_for_all(Rule::Frozen, &rows),
        "a corner is another rule"
    );
}

#[test]
fn wide_boards_use_the_same_definitions() {
    // 30 columns of floor: cells 0 to 29 in the first row, so the boxes lie in different words.
    let top = format!("#{}$*{}#", " ".repeat(20), " ".repeat(8));
    let middle = format!("#@{}.#", " ".repeat(28));
    let blank = format!("#{}#", " ".repeat(30));
    let border = "#".repeat(32);
    let mut rows = vec![border.as_str(), &top, &middle];
    rows.extend(std::iter::repeat_n(blank.as_str(), 10));
    rows.push(&border);
    let board = board(&rows);
    let boxes: CellSet<16> = board.initial_boxes().iter().copied().collect();
    let pushed: Cell = board.cell_at(21, 1);
    let fires = |rule| Tables::<16>::new(&board, rule).fires(&boxes, pushed);
    assert!(fires(Rule::Edge), "two boxes, one goal on the top run");
    assert!(fires(Rule::Frozen), "a pair along the top wall");
    assert!(!fires(Rule::Corner));
}
