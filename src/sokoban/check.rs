//! Finds everything that is wrong with a level, not only the first thing.
//!
//! [`Board::new`](super::Board::new) refuses a level for the first error it meets; a person who
//! mends a level wants all of them, each with its place.

use super::board::MAX_FLOOR;
use super::collection::{Collection, Places};
use super::dead_squares::pull_reachable;
use super::finding::{Finding, Place, Problem};
use super::{Direction, Level, Tile};

/// Everything that is wrong with a collection and its levels, in file order.
///
/// Takes time linear in the squares of all levels.
#[must_use]
pub fn collection(collection: &Collection) -> Vec<Finding> {
    let mut findings = collection.problems.clone();
    for checked in &collection.levels {
        if let Some(places) = collection.places(checked.number) {
            findings.extend(level(checked, places));
        }
    }
    findings.sort_by_key(|finding| finding.place);
    findings
}

/// Everything that is wrong with a level whose squares stand at `places`, in reading order.
///
/// Errors are reported if and only if [`Board::new`](super::Board::new) refuses the level. Takes
/// time linear in its squares.
#[must_use]
pub fn level(level: &Level, places: &Places) -> Vec<Finding> {
    let players = squares_with(level, Tile::is_player);
    let walk = players.first().map(|&start| Walk::of(level, start));
    let mut check = Check {
        level,
        places,
        walk,
        findings: Vec::new(),
    };
    check.players(&players);
    check.counts();
    check.walls();
    check.reach();
    check.dead_boxes();
    check.findings.sort_by_key(|finding| finding.place);
    check.findings
}

/// A square of the level: its column and row, from 0.
type Square = (usize, usize);

struct Check<'a> {
    level: &'a Level,
    places: &'a Places,
    /// Where the first player can walk to; `None` without a player.
    walk: Option<Walk>,
    findings: Vec<Finding>,
}

impl Check<'_> {
    fn report(&mut self, place: Place, problem: Problem) {
        self.findings.push(Finding {
            level: Some(self.level.number),
            place,
            problem,
        });
    }

    fn place(&self, (column, row): Square) -> Place {
        self.places.at(column, row)
    }

    /// Findings about the whole board point at its first wall.
    fn board_place(&self) -> Place {
        let walls = squares_with(self.level, |tile| tile == Tile::Wall);
        self.place(walls.first().copied().unwrap_or((0, 0)))
    }

    fn players(&mut self, players: &[Square]) {
        let Some((&first, others)) = players.split_first() else {
            self.report(self.board_place(), Problem::NoPlayer);
            return;
        };
        let first = self.place(first);
        for &other in others {
            self.report(self.place(other), Problem::ExtraPlayer { first });
        }
    }

    /// Boxes on goals out of reach are scenery and not counted.
    fn counts(&mut self) {
        let count = |wanted: fn(Tile) -> bool| {
            let squares = squares_with(self.level, wanted).into_iter();
            squares.filter(|&square| !self.is_scenery(square)).count()
        };
        let (boxes, goals) = (count(Tile::is_box), count(Tile::is_goal));
        let loose = count(|tile| tile == Tile::Box);
        if boxes != goals {
            self.report(self.board_place(), Problem::BoxesAndGoals { boxes, goals });
        }
        match (boxes, loose) {
            (0, _) => self.report(self.board_place(), Problem::NoBoxes),
            (_, 0) if goals == boxes => self.report(self.board_place(), Problem::AlreadySolved),
            _ => {}
        }
    }

    fn is_scenery(&self, square: Square) -> bool {
        self.level.tile(square.0, square.1) == Tile::BoxOnGoal && !self.is_reached(square)
    }

    /// Without a player nothing is known to be out of reach.
    fn is_reached(&self, (column, row): Square) -> bool {
        self.walk
            .as_ref()
            .is_none_or(|walk| walk.reached[row * self.level.width + column])
    }

    fn walls(&mut self) {
        let Some(walk) = &self.walk else { return };
        let floor = walk.reached.iter().filter(|&&reached| reached).count();
        match walk.exit {
            Some(exit) => self.report(self.place(exit), Problem::Open),
            // An open board reaches into the outside, so that its floor says nothing.
            None if floor > MAX_FLOOR => {
                self.report(self.board_place(), Problem::TooMuchFloor(floor));
            }
            None => {}
        }
    }

    fn reach(&mut self) {
        let missed = |square: &Square| !self.is_reached(*square);
        let lone_boxes = squares_with(self.level, |tile| tile == Tile::Box);
        let lone_goals = squares_with(self.level, |tile| tile == Tile::Goal);
        let boxes: Vec<Square> = lone_boxes.into_iter().filter(missed).collect();
        let goals: Vec<Square> = lone_goals.into_iter().filter(missed).collect();
        for square in boxes {
            self.report(self.place(square), Problem::BoxOutOfReach);
        }
        for square in goals {
            self.report(self.place(square), Problem::GoalOutOfReach);
        }
    }

    /// Boxes within reach that can never be pushed to a goal.
    fn dead_boxes(&mut self) {
        let level = self.level;
        let index = |(column, row): Square| row * level.width + column;
        let goals = squares_with(level, Tile::is_goal);
        if goals.is_empty() {
            return; // Every box would be dead; that goals are missing has been said.
        }
        let alive = pull_reachable(
            level.width * level.height(),
            goals.into_iter().map(index),
            |square, direction| {
                let square = (square % level.width, square / level.width);
                neighbour(level, square, direction)
                    .filter(|&next| !is_wall(level, next))
                    .map(index)
            },
        );
        let boxes = squares_with(level, |tile| tile == Tile::Box).into_iter();
        let dead: Vec<Square> = boxes
            .filter(|&square| self.is_reached(square) && !alive[index(square)])
            .collect();
        for square in dead {
            let problem = if is_corner(level, square) {
                Problem::BoxInCorner
            } else {
                Problem::BoxOnDeadSquare
            };
            self.report(self.place(square), problem);
        }
    }
}

/// Where a player can walk to if there are no boxes.
struct Walk {
    /// By `row * width + column`.
    reached: Vec<bool>,
    /// The square nearest to the player from which a step leaves the board.
    exit: Option<Square>,
}

impl Walk {
    /// Breadth first, so that the exit found is a nearest one. A wall-follower would be led astray by
    /// inner walls; a flood is not.
    fn of(level: &Level, start: Square) -> Self {
        let index = |(column, row): Square| row * level.width + column;
        let mut reached = vec![false; level.width * level.height()];
        let mut exit = None;
        let mut squares = vec![start];
        let mut next = 0;
        reached[index(start)] = true;
        while let Some(&square) = squares.get(next) {
            next += 1;
            for direction in Direction::ALL {
                match neighbour(level, square, direction) {
                    None => exit = exit.or(Some(square)),
                    Some(to) if !is_wall(level, to) && !reached[index(to)] => {
                        reached[index(to)] = true;
                        squares.push(to);
                    }
                    Some(_) => {}
                }
            }
        }
        Self { reached, exit }
    }
}

/// Squares with a wanted tile, in reading order.
fn squares_with(level: &Level, wanted: fn(Tile) -> bool) -> Vec<Square> {
    let rows = level.rows.iter().enumerate();
    rows.flat_map(|(row, tiles)| {
        let tiles = tiles.iter().enumerate();
        tiles
            .filter(move |(_, tile)| wanted(**tile))
            .map(move |(column, _)| (column, row))
    })
    .collect()
}

/// The next square in a direction; `None` beyond the edge of the level.
fn neighbour(level: &Level, (column, row): Square, direction: Direction) -> Option<Square> {
    let (dx, dy) = direction.delta();
    let (column, row) = (column.checked_add_signed(dx)?, row.checked_add_signed(dy)?);
    (column < level.width && row < level.height()).then_some((column, row))
}

fn is_wall(level: &Level, (column, row): Square) -> bool {
    level.tile(column, row) == Tile::Wall
}

/// Whether walls stand on two sides of the square that are at right angles.
fn is_corner(level: &Level, square: Square) -> bool {
    let walled =
        |direction| neighbour(level, square, direction).is_none_or(|to| is_wall(level, to));
    let [left, up, right, down] = Direction::ALL.map(walled);
    (left || right) && (up || down)
}

#[cfg(test)]
mod tests;
