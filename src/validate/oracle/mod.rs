//! The brute-force oracle: every position of a level, by plain breadth-first search.
//!
//! It is deliberately simple, and independent of the solver: its own squares, positions and rules, the
//! standard library's tables, no pruning and no estimate. What a search engine claims (an optimum, a
//! number of states, that a level has no solution) is compared with what is counted here.
//!
//! A position takes about 60 to 100 bytes: three million fit in 300 MB.

mod field;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use thiserror::Error;

use crate::sokoban::Level;
use field::{Field, Position};

/// What a step is, and so what two positions must share to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CostSpace {
    /// A step is one step of the player; a position is the player's square and the boxes.
    Moves,
    /// A step is one push; a position is the boxes and the squares the player can walk to.
    Pushes,
}

/// Everything that can be reached from the start. Solved positions are expanded like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Census {
    /// Distinct positions, the initial one included.
    pub states: u64,
    /// Legal steps, summed over these positions.
    pub generated: u64,
    /// Whether a solved position is among them.
    pub solvable: bool,
}

/// The least cost of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimum {
    /// Steps of a cheapest solution, in the unit of the space; 0 if the level starts solved.
    Solved(u64),
    /// No position that can be reached is solved.
    Unsolvable,
    /// Neither was known when the limit was reached.
    TooLarge,
}

/// Why the oracle has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum OracleError {
    /// Not exactly one player.
    #[error("{0} players; expected exactly one '@' or '+'")]
    Players(usize),
    /// More squares than can be numbered.
    #[error("{0} squares, border included; expected at most 65535")]
    TooManySquares(usize),
    /// More positions than allowed.
    #[error("more than {limit} positions; expected a smaller level, or raise the limit")]
    TooLarge {
        /// Most positions allowed.
        limit: u64,
    },
}

/// Counts everything that can be reached from the start of a level, up to `limit` positions.
///
/// With `n` positions, `b` boxes and `f` squares, it takes O(n·b·f) time for pushes and O(n·(b + f))
/// for moves, and O(n·b) memory.
///
/// # Errors
/// [`OracleError::TooLarge`] beyond the limit; the others if the level cannot be played at all.
pub fn census(level: &Level, space: CostSpace, limit: u64) -> Result<Census, OracleError> {
    let field = Field::new(level)?;
    let mut layers = Layers::new(&field, space, limit);
    let mut solvable = false;
    while !layers.newest.is_empty() {
        solvable |= layers.newest_is_solved();
        layers.advance()?;
    }
    Ok(Census {
        states: count(layers.seen.len()),
        generated: layers.generated,
        solvable,
    })
}

/// The least number of steps that solve a level, looking at up to `limit` positions. Time and memory as
/// for [`census`], over the positions no farther away than the solution.
///
/// # Errors
/// Those of [`census`], but for the limit, which is an [`Optimum`] of its own.
pub fn optimum(level: &Level, space: CostSpace, limit: u64) -> Result<Optimum, OracleError> {
    let field = Field::new(level)?;
    let mut layers = Layers::new(&field, space, limit);
    let mut cost = 0;
    while !layers.newest.is_empty() {
        if layers.newest_is_solved() {
            return Ok(Optimum::Solved(cost));
        }
        if let Err(OracleError::TooLarge { .. }) = layers.advance() {
            return Ok(Optimum::TooLarge);
        }
        cost += 1;
    }
    Ok(Optimum::Unsolvable)
}

/// Positions by their distance from the start.
struct Layers<'a> {
    field: &'a Field,
    space: CostSpace,
    limit: u64,
    seen: HashSet<Position>,
    /// The positions farthest away so far, all at the same distance.
    newest: Vec<Position>,
    generated: u64,
}

impl<'a> Layers<'a> {
    fn new(field: &'a Field, space: CostSpace, limit: u64) -> Self {
        let initial = field.initial(space);
        Self {
            field,
            space,
            limit,
            seen: HashSet::from([initial.clone()]),
            newest: vec![initial],
            generated: 0,
        }
    }

    fn newest_is_solved(&self) -> bool {
        self.newest
            .iter()
            .any(|position| self.field.is_goal(position))
    }

    /// Replaces the newest layer by the one after it.
    fn advance(&mut self) -> Result<(), OracleError> {
        for position in std::mem::take(&mut self.newest) {
            self.field.successors(self.space, &position, &mut |next| {
                self.generated += 1;
                if !self.seen.contains(next) {
                    self.seen.insert(next.into());
                    self.newest.push(next.into());
                }
            });
            if count(self.seen.len()) > self.limit {
                return Err(OracleError::TooLarge { limit: self.limit });
            }
        }
        Ok(())
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).expect("a length fits 64 bits")
}
