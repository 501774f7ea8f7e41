//! Levels small enough to count by hand.

use super::*;

const PLENTY: u64 = 1 << 20;

fn counted(rows: &[&str], space: CostSpace) -> (u64, u64, bool) {
    let census = census(&Level::from_rows(rows), space, PLENTY).unwrap();
    (census.states, census.generated, census.solvable)
}

fn best(rows: &[&str], space: CostSpace) -> Optimum {
    optimum(&Level::from_rows(rows), space, PLENTY).unwrap()
}

/// Squares a, b, c, d. The box is on c until it is pushed to d, where it stays.
/// Pushes: 2 positions, 1 push. Moves: the player on a or b with the box on c, on a, b or c with the
/// box on d: 5 positions. Steps: from (a, c) 1; (b, c) back and the push, 2; (c, d) 1; (b, d) 2; (a, d) 1.
#[test]
fn a_corridor() {
    let rows = ["######", "#@ $.#", "######"];
    assert_eq!(counted(&rows, CostSpace::Pushes), (2, 1, true));
    assert_eq!(counted(&rows, CostSpace::Moves), (5, 7, true));
    assert_eq!(best(&rows, CostSpace::Pushes), Optimum::Solved(1));
    assert_eq!(best(&rows, CostSpace::Moves), Optimum::Solved(2));
}

/// Squares a b c over d e f. The box can be pushed along the upper row only, and from its middle only,
/// since in the corners there is no room to stand behind it. Whatever square it takes, the other five
/// are connected. Pushes: 3 positions, 2 pushes. Moves: 3 x 5 positions; with the box on a the player's
/// graph has the edges bc, be, cf, de, ef, walked both ways: 10 steps; 10 with the box on c; with it on b the
/// edges ad, de, ef, fc give 8 and the two pushes make 10. The solved position is expanded too.
#[test]
fn a_room_of_two_rows() {
    let rows = ["#####", "#@$.#", "#   #", "#####"];
    assert_eq!(counted(&rows, CostSpace::Pushes), (3, 2, true));
    assert_eq!(counted(&rows, CostSpace::Moves), (15, 30, true));
    assert_eq!(best(&rows, CostSpace::Moves), Optimum::Solved(1));
}

/// The box on the left goal or not, the box on the right goal or not: 4 positions. One push for each box
/// that is not on its goal: 2 + 1 + 1 + 0. The player walks one step between the pushes: `LrR`.
#[test]
fn two_boxes_that_do_not_meet() {
    let rows = ["#######", "#.$@$.#", "#######"];
    assert_eq!(counted(&rows, CostSpace::Pushes), (4, 4, true));
    assert_eq!(best(&rows, CostSpace::Pushes), Optimum::Solved(2));
    assert_eq!(best(&rows, CostSpace::Moves), Optimum::Solved(3));
}

/// Squares a to e in a row, f below c and g below d. The box is on c, the player on b, and there is no room
/// above to push down, nor a way past the box until it has left c. Pushes: box on c, d, e: 3 positions, 2 pushes.
/// Moves: box on c: the player on a, b; box on d: on a, b, c, f, g; box on e: on a, b, c, d, f, g: 13 positions.
/// Steps: edge ab both ways and a push, 3; edges ab, bc, cf, fg and a push, 9; edges ab, bc, cd, cf, dg, fg, 12.
#[test]
fn a_corridor_with_a_niche() {
    let rows = ["#######", "# @$ .#", "###  ##", "#######"];
    assert_eq!(counted(&rows, CostSpace::Pushes), (3, 2, true));
    assert_eq!(counted(&rows, CostSpace::Moves), (13, 24, true));
    assert_eq!(best(&rows, CostSpace::Moves), Optimum::Solved(2));
}

/// Solved at the start: nothing is to be done, but the census still goes on. Squares a, b, c with the box
/// on b: pushed right it is in the corner. Pushes: 2 positions, 1 push.
#[test]
fn a_level_that_starts_solved() {
    let rows = ["#####", "#@* #", "#####"];
    assert_eq!(best(&rows, CostSpace::Pushes), Optimum::Solved(0));
    assert_eq!(best(&rows, CostSpace::Moves), Optimum::Solved(0));
    assert_eq!(counted(&rows, CostSpace::Pushes), (2, 1, true));
}

/// The box starts in a corner that is no goal.
#[test]
fn a_level_without_a_solution() {
    let rows = ["#####", "#$ @#", "#  .#", "#####"];
    assert_eq!(best(&rows, CostSpace::Pushes), Optimum::Unsolvable);
    assert_eq!(best(&rows, CostSpace::Moves), Optimum::Unsolvable);
    assert_eq!(counted(&rows, CostSpace::Pushes), (1, 0, false));
}

/// Boxes on goals that nobody reaches are no obstacle to the solution and add no positions.
#[test]
fn scenery_is_left_alone() {
    let rows = ["######", "#@ $.#", "######", "#*   #", "######"];
    assert_eq!(counted(&rows, CostSpace::Pushes), (2, 1, true));
    assert_eq!(counted(&rows, CostSpace::Moves), (5, 7, true));
}

/// A level without walls ends at the edge of its rows, as if a wall stood there.
#[test]
fn the_edge_of_the_level_is_a_wall() {
    assert_eq!(counted(&["@ $."], CostSpace::Moves), (5, 7, true));
    assert_eq!(counted(&[".$ @"], CostSpace::Moves), (5, 7, true));
}

#[test]
fn the_limit_counts_positions() {
    let level = Level::from_rows(&["#####", "#@$ #", "#  .#", "#####"]);
    let census_within = |limit| census(&level, CostSpace::Moves, limit);
    assert_eq!(census_within(15).unwrap().states, 15);
    assert_eq!(census_within(14), Err(OracleError::TooLarge { limit: 14 }));
    let optimum_within = |limit| optimum(&level, CostSpace::Moves, limit);
    assert_eq!(optimum_within(15), Ok(Optimum::Unsolvable));
    assert_eq!(optimum_within(14), Ok(Optimum::TooLarge));
}

#[test]
fn a_level_that_cannot_be_played_is_an_error() {
    let level = Level::from_rows(&["#####", "# $.#", "#####"]);
    assert_eq!(
        census(&level, CostSpace::Moves, 1),
        Err(OracleError::Players(0))
    );
    assert_eq!(
        optimum(&level, CostSpace::Pushes, 1),
        Err(OracleError::Players(0))
    );
}

/// One box in a room of 3 by 4 squares, the player anywhere: the other 11 squares hang together wherever
/// the box is, so each of the 12 squares of the box is one position. Pushes: 4 from each of the two
/// squares in the middle; 2, along the wall, from each of the six squares at a wall; none from a corner:
/// 8 + 12 = 20. Moves: 12 x 11 positions. The room has 3 x 3 + 2 x 4 = 17 pairs of neighbours, and the box
/// takes as many of them away as its square has neighbours, 34 over all squares: 2 x (12 x 17 - 34) steps
/// without a push, and 20 with. The player does not start on the least square of its region, and pushes
/// lead back to the start.
#[test]
fn a_room_of_three_rows() {
    let rows = ["######", "#    #", "# $@ #", "#   .#", "######"];
    assert_eq!(counted(&rows, CostSpace::Pushes), (12, 20, true));
    assert_eq!(counted(&rows, CostSpace::Moves), (132, 360, true));
    assert_eq!(best(&rows, CostSpace::Pushes), Optimum::Solved(3));
}

/// The lower box is pushed past the upper one in the order of squares: the boxes have no names, so their
/// squares are in ascending order again.
#[test]
fn boxes_are_not_told_apart() {
    let level = Level::from_rows(&["# $#", "#$ #", "#@ #"]);
    let field = Field::new(&level).unwrap();
    for space in [CostSpace::Moves, CostSpace::Pushes] {
        let mut first_boxes = Vec::new();
        field.successors(space, &field.initial(space), &mut |next| {
            assert!(next[1..].is_sorted(), "{space:?}: {next:?}");
            first_boxes.push(next[1]);
        });
        // With its border the level is six squares wide: row 1, column 2 is square 8.
        assert!(first_boxes.contains(&8), "{space:?}: {first_boxes:?}");
    }
}

#[test]
fn a_level_without_boxes_is_not_solved() {
    let rows = ["####", "#@.#", "####"];
    assert_eq!(counted(&rows, CostSpace::Moves), (2, 2, false));
    assert_eq!(best(&rows, CostSpace::Pushes), Optimum::Unsolvable);
}

/// 255 by 255 squares, with the border 257 by 257, which is 66,049.
#[test]
fn a_level_with_more_squares_than_numbers_is_an_error() {
    let mut rows = vec![" ".repeat(255); 255];
    rows[0].replace_range(0..1, "@");
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    assert_eq!(
        census(&Level::from_rows(&rows), CostSpace::Moves, 1),
        Err(OracleError::TooManySquares(66_049))
    );
}
