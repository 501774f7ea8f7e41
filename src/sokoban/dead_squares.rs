//! Simple dead squares: squares from which a box can never reach any goal, whatever else happens.

use super::{Board, Cell, Direction};

/// Marks the simple dead squares of a board, indexed by cell: `true` means that a box on the cell,
/// alone on the board, could not be pushed to any goal, wherever the player stands.
///
/// Found backwards, by pulling a box from every goal as long as there is room for the player behind
/// it (Junghanns and Schaeffer, "Sokoban: Enhancing general single-agent search methods using
/// domain knowledge", 2001). Where the player can walk is ignored, so a square marked dead is
/// dead in every position, but not every hopeless square is marked.
///
/// Takes time and memory linear in the floor. Holds for the classic rules, where a box moves one
/// square a push.
#[must_use]
pub fn simple(board: &Board) -> Vec<bool> {
    let goals = board.goals().iter().map(|&goal| goal as usize);
    let alive = pull_reachable(board.floor(), goals, |cell, direction| {
        // Cells given here are below `floor()`, which fits a `Cell`.
        let next = board.neighbour(cell as Cell, direction);
        (next != Board::WALL).then_some(next as usize)
    });
    alive.into_iter().map(|alive| !alive).collect()
}

/// Marks the squares a box can be pulled to from any goal, over any graph of `squares` squares
/// whose floor neighbours `next` tells.
pub(crate) fn pull_reachable(
    squares: usize,
    goals: impl IntoIterator<Item = usize>,
    next: impl Fn(usize, Direction) -> Option<usize>,
) -> Vec<bool> {
    let mut reached = vec![false; squares];
    let mut waiting: Vec<usize> = goals.into_iter().collect();
    for &goal in &waiting {
        reached[goal] = true;
    }
    while let Some(square) = waiting.pop() {
        for direction in Direction::ALL {
            // The player stands where the box goes, and steps back one further.
            let Some(pulled) = next(square, direction) else {
                continue;
            };
            if !reached[pulled] && next(pulled, direction).is_some() {
                reached[pulled] = true;
                waiting.push(pulled);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::Level;

    /// The board with `x` for its dead squares.
    fn marked(rows: &[&str]) -> Vec<String> {
        let level = Level::from_rows(rows);
        let board = Board::new(&level).unwrap();
        let dead = simple(&board);
        let mut lines: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
        for (cell, _) in dead.iter().enumerate().filter(|(_, dead)| **dead) {
            let (column, row) = board.square(cell as Cell);
            lines[row][column] = 'x';
        }
        lines.into_iter().map(String::from_iter).collect()
    }

    #[test]
    fn corners_and_walls_without_a_goal_are_dead() {
        let rows = [
            "#######", //
            "#     #", //
            "# $ . #", //
            "#  @  #", //
            "#######", //
        ];
        let expected = [
            "#######", //
            "#xxxxx#", //
            "#x$ .x#", //
            "#xxxxx#", //
            "#######", //
        ];
        assert_eq!(marked(&rows), expected);
    }

    #[test]
    fn a_goal_at_a_wall_keeps_the_wall_alive() {
        let rows = [
            "######", //
            "#@ $.#", //
            "#    #", //
            "######", //
        ];
        // Along the top wall a box moves freely except into the left corner's end of the run: from
        // there nobody can push it right. Below, a box in the bottom row never comes up.
        let expected = [
            "######", //
            "#x $.#", //
            "#xxxx#", //
            "######", //
        ];
        assert_eq!(marked(&rows), expected);
    }

    #[test]
    fn a_tunnel_end_without_room_behind_is_dead() {
        let rows = [
            "#######", //
            "#@ $. #", //
            "#######", //
        ];
        let expected = [
            "#######", //
            "#x $.x#", //
            "#######", //
        ];
        assert_eq!(marked(&rows), expected);
    }

    /// The definition, forwards: which squares does a box alone reach a goal from by pushes?
    fn dead_by_definition(board: &Board) -> Vec<bool> {
        (0..board.floor() as Cell)
            .map(|start| {
                let mut seen = vec![start];
                let mut next = 0;
                while let Some(&cell) = seen.get(next) {
                    next += 1;
                    for direction in Direction::ALL {
                        let to = board.neighbour(cell, direction);
                        let from = board.neighbour(cell, direction.opposite());
                        if to != Board::WALL && from != Board::WALL && !seen.contains(&to) {
                            seen.push(to);
                        }
                    }
                }
                !seen.iter().any(|cell| board.goals().contains(cell))
            })
            .collect()
    }

    #[test]
    fn pulling_backwards_agrees_with_pushing_forwards() {
        for rows in [
            &[
                "  ####",
                "###  ####",
                "#     $ #",
                "# #  #$ #",
                "# . .#@ #",
                "#########",
            ][..],
            &[
                "######", "#    #", "# #@ #", "# $* #", "# .* #", "#    #", "######",
            ],
            &[
                "#####", "#.  ##", "#@$$ #", "##   #", " ##  #", "  ##.#", "   ###",
            ],
        ] {
            let board = Board::new(&Level::from_rows(rows)).unwrap();
            assert_eq!(simple(&board), dead_by_definition(&board), "{rows:?}");
        }
    }
}
