//! The game played on characters, with positions as lists: slow, obvious, and sharing no code with the
//! packed spaces.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

/// Column and row.
pub(crate) type Square = (usize, usize);

/// The player's square and the sorted squares of the boxes.
pub(crate) type Position = (Square, Vec<Square>);

/// A level on characters.
#[derive(Debug)]
pub(crate) struct Naive {
    walls: HashSet<Square>,
    goals: Vec<Square>,
    start: Position,
}

impl Naive {
    /// Reads XSB rows.
    pub(crate) fn new<T: AsRef<str>>(rows: &[T]) -> Self {
        let squares: Vec<(Square, char)> = rows
            .iter()
            .enumerate()
            .flat_map(|(row, text)| {
                let symbols = text.as_ref().chars().enumerate();
                symbols.map(move |(column, symbol)| ((column, row), symbol))
            })
            .collect();
        let all = |wanted: &str| -> Vec<Square> {
            let matching = squares
                .iter()
                .filter(|(_, symbol)| wanted.contains(*symbol));
            let mut found: Vec<Square> = matching.map(|&(square, _)| square).collect();
            found.sort_unstable();
            found
        };
        Self {
            walls: all("#").into_iter().collect(),
            goals: all(".*+"),
            start: (all("@+")[0], all("$*")),
        }
    }

    /// The position at the start.
    pub(crate) fn start(&self) -> Position {
        self.start.clone()
    }

    /// Whether every box is on a goal.
    pub(crate) fn is_solved(&self, position: &Position) -> bool {
        position.1 == self.goals
    }

    /// The position after a step left, up, right or down (0 to 3), and whether it pushed.
    pub(crate) fn step(&self, position: &Position, direction: usize) -> Option<(Position, bool)> {
        let ahead = |(column, row): Square| match direction {
            0 => (column - 1, row),
            1 => (column, row - 1),
            2 => (column + 1, row),
            _ => (column, row + 1),
        };
        let (player, boxes) = position;
        let next = ahead(*player);
        if self.walls.contains(&next) {
            return None;
        }
        let Some(pushed) = boxes.iter().position(|&square| square == next) else {
            return Some(((next, boxes.clone()), false));
        };
        let beyond = ahead(next);
        if self.walls.contains(&beyond) || boxes.contains(&beyond) {
            return None;
        }
        let mut boxes = boxes.clone();
        boxes[pushed] = beyond;
        boxes.sort_unstable();
        Some(((next, boxes), true))
    }

    /// All legal steps, in the order left, up, right, down.
    pub(crate) fn steps(&self, position: &Position) -> Vec<(Position, bool)> {
        (0..4)
            .filter_map(|direction| self.step(position, direction))
            .collect()
    }

    /// All reachable positions.
    pub(crate) fn reachable(&self) -> HashSet<Position> {
        let mut reached = HashSet::from([self.start()]);
        let mut waiting = vec![self.start()];
        while let Some(position) = waiting.pop() {
            for (next, _) in self.steps(&position) {
                if reached.insert(next.clone()) {
                    waiting.push(next);
                }
            }
        }
        reached
    }

    /// The position with the player on the first square, by row and then column, that it can walk to.
    pub(crate) fn normalised(&self, position: &Position) -> Position {
        let mut region = BTreeSet::new();
        let mut waiting = vec![position.clone()];
        while let Some(position) = waiting.pop() {
            if region.insert((position.0.1, position.0.0)) {
                let walks = self
                    .steps(&position)
                    .into_iter()
                    .filter(|(_, pushed)| !pushed);
                waiting.extend(walks.map(|(next, _)| next));
            }
        }
        let &(row, column) = region.first().expect("the player's own square");
        ((column, row), position.1.clone())
    }

    /// For every reachable position from which the level can be solved, the least cost of doing so,
    /// where a push costs 1 and a walking step `walk`, 0 or 1. Backwards from the solved positions.
    pub(crate) fn distances(&self, walk: u32) -> HashMap<Position, u32> {
        let mut before: HashMap<Position, Vec<(Position, u32)>> = HashMap::new();
        let reachable = self.reachable();
        for position in &reachable {
            for (next, pushed) in self.steps(position) {
                let cost = if pushed { 1 } else { walk };
                before
                    .entry(next)
                    .or_default()
                    .push((position.clone(), cost));
            }
        }
        let solved = reachable
            .into_iter()
            .filter(|position| self.is_solved(position));
        let mut waiting: VecDeque<(Position, u32)> = solved.map(|position| (position, 0)).collect();
        let mut distances = HashMap::new();
        while let Some((position, distance)) = waiting.pop_front() {
            if distances.contains_key(&position) {
                continue;
            }
            for (previous, cost) in before.get(&position).into_iter().flatten() {
                match cost {
                    0 => waiting.push_front((previous.clone(), distance)),
                    _ => waiting.push_back((previous.clone(), distance + cost)),
                }
            }
            distances.insert(position, distance);
        }
        distances
    }
}
