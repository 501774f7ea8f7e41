use super::*;
use crate::sokoban::collection::parse;
use crate::sokoban::finding::Severity;
use crate::sokoban::{Board, Level};
use proptest::prelude::*;

/// All findings of a text, as (line, column, problem).
fn findings(text: &str) -> Vec<(usize, usize, Problem)> {
    collection(&parse(text.as_bytes(), "test"))
        .into_iter()
        .map(|finding| (finding.place.line, finding.place.column, finding.problem))
        .collect()
}

#[test]
fn a_good_level_has_no_findings() {
    assert_eq!(findings("#####\n#@$.#\n#####\n"), []);
}

#[test]
fn a_missing_player_is_reported_at_the_board() {
    assert_eq!(
        findings("\n  #####\n  # $.#\n  #####\n"),
        [(2, 3, Problem::NoPlayer)]
    );
}

#[test]
fn each_player_too_many_is_reported() {
    let first = Place { line: 2, column: 2 };
    assert_eq!(
        findings("#######\n#@@$.@#\n#     #\n#######\n"),
        [
            (2, 3, Problem::ExtraPlayer { first }),
            (2, 6, Problem::ExtraPlayer { first })
        ]
    );
}

#[test]
fn differing_boxes_and_goals_are_counted() {
    assert_eq!(
        findings("#######\n#@$. .#\n#######\n"),
        [(1, 1, Problem::BoxesAndGoals { boxes: 1, goals: 2 })]
    );
}

#[test]
fn a_level_without_boxes_and_goals_is_reported() {
    assert_eq!(findings("####\n#@ #\n####\n"), [(1, 1, Problem::NoBoxes)]);
}

#[test]
fn a_hole_in_the_wall_is_reported_where_the_player_leaves() {
    assert_eq!(
        findings("######\n#@ $. \n######\n"),
        [(2, 6, Problem::Open)]
    );
}

#[test]
fn a_hole_behind_inner_walls_is_found() {
    // The outer wall has its hole behind a wall that a wall-follower would keep to.
    let text = "#######\n#@$.  #\n# ### #\n# #   #\n# ## ##\n#######\n";
    assert_eq!(findings(text), []);
    let open = "#######\n#@$.  #\n# ### #\n# #   #\n# ## ##\n#### ##\n";
    assert_eq!(findings(open), [(6, 5, Problem::Open)]);
}

#[test]
fn boxes_and_goals_behind_walls_are_out_of_reach() {
    assert_eq!(
        findings("#########\n#@$.#$#.#\n#########\n"),
        [
            (2, 6, Problem::BoxOutOfReach),
            (2, 8, Problem::GoalOutOfReach)
        ]
    );
}

#[test]
fn a_solved_box_behind_walls_is_scenery() {
    assert_eq!(findings("#######\n#@$.#*#\n#######\n"), []);
    assert_eq!(
        findings("#######\n#@  #*#\n#######\n"),
        [(1, 1, Problem::NoBoxes)]
    );
}

#[test]
fn an_already_solved_level_is_a_warning() {
    let all = collection(&parse(b"#####\n#@* #\n#####\n", "test"));
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].problem, Problem::AlreadySolved);
    assert_eq!(all[0].severity(), Severity::Warning);
}

#[test]
fn dead_boxes_are_told_from_one_another() {
    let text = "########\n#$     #\n#   @ .#\n#  $  .#\n########\n";
    assert_eq!(
        findings(text),
        [(2, 2, Problem::BoxInCorner)],
        "the bottom wall ends in a goal on the right"
    );
    let text = "########\n#@ .   #\n#      #\n#  $   #\n########\n";
    assert_eq!(findings(text), [(4, 4, Problem::BoxOnDeadSquare)]);
}

#[test]
fn floor_beyond_the_limit_is_reported() {
    let inner = |floor: usize| {
        let rest = " ".repeat(floor - 3);
        let wall = "#".repeat(floor + 2);
        format!("{wall}\n#@$.{rest}#\n{wall}\n")
    };
    assert_eq!(findings(&inner(900)), []);
    let wide = format!(
        "32#\n#@$.27-#\n{}32#\n",
        "#30-#\n".repeat(33) // 30 + 33 * 30 floor cells
    );
    assert_eq!(findings(&wide), [(1, 3, Problem::TooMuchFloor(1020))]);
}

#[test]
fn all_findings_of_a_level_are_reported_together() {
    let first = Place { line: 2, column: 2 };
    assert_eq!(
        findings("########\n#@x$.@  \n########\n"),
        [
            (2, 3, Problem::IllegalCharacter('x')),
            (2, 6, Problem::ExtraPlayer { first }),
            (2, 8, Problem::Open)
        ]
    );
}

#[test]
fn places_in_run_length_rows_are_those_of_the_text() {
    // The second goal is the 'o' at column 16 of the line.
    assert_eq!(
        findings("7#|#@b.#2-#|4#-o#|7#\n"),
        [
            (1, 2, Problem::BoxesAndGoals { boxes: 1, goals: 2 }),
            (1, 16, Problem::GoalOutOfReach)
        ]
    );
}

proptest! {
    /// The two judge independently: a level has an error if and only if it has no board.
    #[test]
    fn errors_are_reported_exactly_when_there_is_no_board(
        rows in prop::collection::vec("[# .$*@+]{1,6}", 1..6)
    ) {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let walled: Vec<String> = std::iter::once("#".repeat(8))
            .chain(rows.iter().map(|row| format!("#{row:#<6}#")))
            .chain([("#").repeat(8)])
            .collect();
        let walled: Vec<&str> = walled.iter().map(String::as_str).collect();
        for rows in [&rows, &walled] {
            let level = Level::from_rows(rows);
            let found = super::level(&level, &Places::plain(&level));
            let errors: Vec<&Finding> =
                found.iter().filter(|finding| finding.severity() == Severity::Error).collect();
            prop_assert_eq!(errors.is_empty(), Board::new(&level).is_ok(), "{:?}", errors);
        }
    }
}
