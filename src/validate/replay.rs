//! Replay of a solution on the squares of the level as it was written.
//!
//! The rules of the game are stated here a second time, on tiles, so that an error in the solver's
//! numbering of cells, in its states or in its moves cannot hide itself.

use thiserror::Error;

use crate::sokoban::{Direction, Level, Tile};

/// What stopped the player, or the box before the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Obstacle {
    /// The player walks into a wall.
    #[error("a wall is in the way")]
    Wall,
    /// The player walks off the level.
    #[error("the level ends there")]
    Edge,
    /// The player pushes a box against a wall.
    #[error("a wall is behind the box")]
    WallBehindBox,
    /// The player pushes a box against another box.
    #[error("another box is behind the box")]
    BoxBehindBox,
    /// The player pushes a box off the level.
    #[error("the level ends behind the box")]
    EdgeBehindBox,
}

/// Why steps cannot be carried out on a level.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// Not exactly one player.
    #[error("{0} players; expected exactly one '@' or '+'")]
    Players(usize),
    /// A step that the rules forbid.
    #[error(
        "step {step} ({direction:?}, from column {column}, row {row}) is not legal: {obstacle}; expected a free square"
    )]
    Blocked {
        /// Number of the step, from 1.
        step: u64,
        /// Direction of the step.
        direction: Direction,
        /// Column of the player before the step, from 1.
        column: usize,
        /// Row of the player before the step, from 1.
        row: usize,
        /// What stood in the way.
        obstacle: Obstacle,
    },
}

/// What came of carrying out all steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// Steps of the player, pushes included.
    pub moves: u64,
    /// Steps that pushed a box.
    pub pushes: u64,
    /// Whether every box stands on a goal at the end, and there is a box.
    pub solved: bool,
    /// The steps in LURD, capitals for pushes.
    pub lurd: String,
    /// The level after the last step.
    pub end: Level,
}

/// Carries out steps from the start of a level, under the classic rules.
///
/// Steps after the level is solved are carried out too: `solved` speaks of the last position. Time is
/// linear in the number of steps plus the squares of the level.
///
/// # Errors
/// [`ReplayError`] if the level has not exactly one player, or for the first step that is not legal.
pub fn replay(level: &Level, steps: &[Direction]) -> Result<Replay, ReplayError> {
    let mut stepper = Stepper::new(level)?;
    let mut lurd = String::with_capacity(steps.len());
    for &direction in steps {
        let letter = direction.letter();
        lurd.push(if stepper.step(direction)? {
            letter.to_ascii_uppercase()
        } else {
            letter
        });
    }
    Ok(Replay {
        moves: stepper.moves,
        pushes: stepper.pushes,
        solved: stepper.is_solved(),
        lurd,
        end: stepper.level,
    })
}

/// Column and row, from 0.
type Square = (usize, usize);

/// A level on which one step after another is carried out, so that each position can be shown.
#[derive(Debug, Clone)]
pub struct Stepper {
    level: Level,
    player: Square,
    moves: u64,
    pushes: u64,
}

impl Stepper {
    /// Stands at the start of a level.
    ///
    /// # Errors
    /// [`ReplayError::Players`] if the level has not exactly one player.
    pub fn new(level: &Level) -> Result<Self, ReplayError> {
        let squares = (0..level.height()).flat_map(|row| (0..level.width).map(move |c| (c, row)));
        let players: Vec<Square> = squares
            .filter(|&(column, row)| level.tile(column, row).is_player())
            .collect();
        match players[..] {
            [player] => Ok(Self {
                level: level.clone(),
                player,
                moves: 0,
                pushes: 0,
            }),
            _ => Err(ReplayError::Players(players.len())),
        }
    }

    /// Carries out one step; returns whether it pushed a box. An illegal step changes nothing.
    ///
    /// # Errors
    /// [`ReplayError::Blocked`] if the step is not legal.
    pub fn step(&mut self, direction: Direction) -> Result<bool, ReplayError> {
        let (next, behind) = self
            .way(direction)
            .map_err(|obstacle| ReplayError::Blocked {
                step: self.moves + 1,
                direction,
                column: self.player.0 + 1,
                row: self.player.1 + 1,
                obstacle,
            })?;
        if let Some(behind) = behind {
            self.put(behind, Tile::Box, Tile::BoxOnGoal);
        }
        self.put(self.player, Tile::Empty, Tile::Goal);
        self.put(next, Tile::Player, Tile::PlayerOnGoal);
        self.player = next;
        self.moves += 1;
        self.pushes += u64::from(behind.is_some());
        Ok(behind.is_some())
    }

    /// The square that a step leads to and, if a box is there, the free square behind it.
    fn way(&self, direction: Direction) -> Result<(Square, Option<Square>), Obstacle> {
        let next = self.beside(self.player, direction).ok_or(Obstacle::Edge)?;
        match self.tile(next) {
            Tile::Wall => return Err(Obstacle::Wall),
            Tile::Box | Tile::BoxOnGoal => {}
            Tile::Empty | Tile::Goal | Tile::Player | Tile::PlayerOnGoal => {
                return Ok((next, None));
            }
        }
        let behind = self
            .beside(next, direction)
            .ok_or(Obstacle::EdgeBehindBox)?;
        match self.tile(behind) {
            Tile::Wall => Err(Obstacle::WallBehindBox),
            Tile::Box | Tile::BoxOnGoal => Err(Obstacle::BoxBehindBox),
            Tile::Empty | Tile::Goal | Tile::Player | Tile::PlayerOnGoal => {
                Ok((next, Some(behind)))
            }
        }
    }

    /// The level as it stands now.
    #[must_use]
    pub const fn level(&self) -> &Level {
        &self.level
    }

    /// Column and row of the player, from 0.
    #[must_use]
    pub const fn player(&self) -> (usize, usize) {
        self.player
    }

    /// Steps so far, pushes included.
    #[must_use]
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Pushes so far.
    #[must_use]
    pub const fn pushes(&self) -> u64 {
        self.pushes
    }

    /// Whether every box stands on a goal, and there is a box.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        let holds = |wanted: Tile| self.level.rows.iter().flatten().any(|tile| *tile == wanted);
        holds(Tile::BoxOnGoal) && !holds(Tile::Box)
    }

    fn beside(&self, square: Square, direction: Direction) -> Option<Square> {
        let (dx, dy) = direction.delta();
        let column = square.0.checked_add_signed(dx)?;
        let row = square.1.checked_add_signed(dy)?;
        (column < self.level.width && row < self.level.height()).then_some((column, row))
    }

    fn tile(&self, square: Square) -> Tile {
        self.level.tile(square.0, square.1)
    }

    /// Places a tile, in the form for plain floor or the form for a goal.
    fn put(&mut self, square: Square, on_floor: Tile, on_goal: Tile) {
        let tile = &mut self.level.rows[square.1][square.0];
        *tile = if tile.is_goal() { on_goal } else { on_floor };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};

    fn level() -> Level {
        Level::from_rows(&["#######", "#+ $ .#", "#     #", "#######"])
    }

    fn obstacle_after(rows: &[&str], steps: &[Direction]) -> (u64, Obstacle) {
        match replay(&Level::from_rows(rows), steps) {
            Err(ReplayError::Blocked { step, obstacle, .. }) => (step, obstacle),
            other => panic!("expected a blocked step, found {other:?}"),
        }
    }

    #[test]
    fn steps_and_pushes_are_counted_and_goals_stay() {
        // One step right, two pushes right: the box stands on the right goal, the left one is free.
        let replay = replay(&level(), &[Right, Right, Right]).unwrap();
        assert_eq!((replay.moves, replay.pushes), (3, 2));
        assert_eq!(replay.lurd, "rRR");
        assert!(replay.solved);
        assert_eq!(replay.end.to_xsb(), "#######\n#.  @*#\n#     #\n#######\n");
    }

    #[test]
    fn a_box_leaves_its_goal_again() {
        let level = Level::from_rows(&["######", "#@* .#", "######"]);
        let once = replay(&level, &[Right]).unwrap();
        assert!(!once.solved);
        assert_eq!(once.end.to_xsb(), "######\n# +$.#\n######\n");
        let twice = replay(&level, &[Right, Right]).unwrap();
        assert!(twice.solved);
        assert_eq!(twice.end.to_xsb(), "######\n# .@*#\n######\n");
    }

    #[test]
    fn no_steps_leave_the_level_as_it_is() {
        let replay = replay(&level(), &[]).unwrap();
        assert_eq!((replay.moves, replay.pushes, replay.solved), (0, 0, false));
        assert_eq!(replay.end, level());
    }

    #[test]
    fn every_obstacle_is_told_apart() {
        let rows = ["#####", "#@$$.", "#$ ##", "#   #"];
        assert_eq!(obstacle_after(&rows, &[Left]), (1, Obstacle::Wall));
        assert_eq!(obstacle_after(&rows, &[Right]), (1, Obstacle::BoxBehindBox));
        let down = [Down, Down];
        assert_eq!(obstacle_after(&rows, &down), (2, Obstacle::EdgeBehindBox));
        let around = [Down, Right, Down, Down];
        assert_eq!(obstacle_after(&rows, &around), (4, Obstacle::Edge));
        let up = [Down, Right, Up];
        assert_eq!(obstacle_after(&rows, &up), (3, Obstacle::WallBehindBox));
    }

    #[test]
    fn an_error_names_the_step_the_place_and_the_obstacle() {
        let error = replay(&level(), &[Down, Right, Up, Right, Right, Right]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "step 6 (Right, from column 5, row 2) is not legal: a wall is behind the box; expected a free square"
        );
    }

    #[test]
    fn an_illegal_step_changes_nothing() {
        let mut stepper = Stepper::new(&level()).unwrap();
        assert!(stepper.step(Up).is_err());
        assert_eq!(stepper.level(), &level());
        assert_eq!((stepper.moves(), stepper.player()), (0, (1, 1)));
        assert_eq!(stepper.step(Down), Ok(false));
        assert_eq!(stepper.player(), (1, 2));
    }

    #[test]
    fn a_level_is_solved_when_no_box_is_left_and_there_was_one() {
        let solved = |rows: &[&str]| replay(&Level::from_rows(rows), &[]).unwrap().solved;
        assert!(solved(&["#####", "#@*.#", "#####"]));
        assert!(!solved(&["######", "#@*$.#", "######"]));
        assert!(!solved(&["#####", "#@ .#", "#####"]));
    }

    #[test]
    fn a_level_without_walls_ends_at_its_edges() {
        for direction in Direction::ALL {
            let alone = obstacle_after(&["@"], &[direction]);
            assert_eq!(alone, (1, Obstacle::Edge), "{direction:?}");
        }
        let behind = [Left, Up, Right, Down].map(|direction| {
            let rows = [" $ ", "$@$", " $ "];
            obstacle_after(&rows, &[direction])
        });
        assert_eq!(behind, [(1, Obstacle::EdgeBehindBox); 4]);
    }

    #[test]
    fn a_level_without_one_player_is_refused() {
        let none = Level::from_rows(&["#####", "#$ .#", "#####"]);
        assert_eq!(replay(&none, &[Left]), Err(ReplayError::Players(0)));
        let two = Level::from_rows(&["######", "#@$.@#", "######"]);
        assert_eq!(replay(&two, &[]), Err(ReplayError::Players(2)));
    }
}
