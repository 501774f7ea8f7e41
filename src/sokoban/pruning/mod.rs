//! Pruning rules: positions from which the goal is out of reach.
//!
//! Each rule has a file with its definition, the argument why it is sound, and its tables. A rule looks
//! at the box that has just been pushed and at the position it led to, nothing else; so a census counts
//! the same states in every order of visiting. A step that pushes nothing is never pruned.

mod corner;
mod edge;
mod frozen;
#[cfg(test)]
mod tests;

use corner::Corner;
use edge::Edge;
use frozen::Frozen;

use super::encoding::{CellSet, State};
use super::rules::{Classic, Movement, MovementRule};
use super::space::{Pushing, Space};
use super::{Board, Cell};
use crate::puzzle::{Pruner, RuleIndex, Soundness};

/// What makes a position solved, as far as the soundness of a rule depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// Every box stands on a goal.
    EveryBoxOnGoal,
}

/// Where a rule is sound: it never removes a position from which the target can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The movement rules.
    pub movements: &'static [Movement],
    /// The targets of the search.
    pub targets: &'static [Target],
}

impl Scope {
    /// Whether a movement rule and a target are within the scope.
    #[must_use]
    pub fn covers(&self, movement: Movement, target: Target) -> bool {
        self.movements.contains(&movement) && self.targets.contains(&target)
    }
}

/// The pruning rules. This is the one list of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// A box on a non-goal cell with walls on two orthogonal sides.
    Corner,
    /// More boxes than goals on a run along a wall that no box can leave.
    Edge,
    /// The pushed box and its neighbours block each other, and one of them is off goal.
    Frozen,
}

impl Rule {
    /// Every rule, in the order in which they are asked. Adding one starts here.
    pub const ALL: [Self; 3] = [Self::Corner, Self::Edge, Self::Frozen];

    /// The name used in experiment files and in the columns of result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Corner => "corner",
            Self::Edge => "edge",
            Self::Frozen => "frozen",
        }
    }

    /// Where the rule is sound; the argument stands with the rule.
    #[must_use]
    pub const fn scope(self) -> Scope {
        match self {
            Self::Corner => corner::SCOPE,
            Self::Edge => edge::SCOPE,
            Self::Frozen => frozen::SCOPE,
        }
    }
}

/// Names of all rules, in the order of [`Rule::ALL`].
pub const RULE_NAMES: [&str; Rule::ALL.len()] = {
    let mut names = [""; Rule::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Rule::ALL[index].name();
        index += 1;
    }
    names
};

/// The ladder of pruning levels: each includes the rules of the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PruningLevel {
    /// Every legal step.
    None,
    /// Adds [`Rule::Corner`].
    Corner,
    /// Adds [`Rule::Edge`].
    Edge,
    /// Adds [`Rule::Frozen`].
    Frozen,
}

impl PruningLevel {
    /// Every level, ascending.
    pub const ALL: [Self; 4] = [Self::None, Self::Corner, Self::Edge, Self::Frozen];

    /// The name used in experiment files and result rows.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Corner => "corner",
            Self::Edge => "edge",
            Self::Frozen => "frozen",
        }
    }

    /// The rules of the level, in the order in which they are asked.
    #[must_use]
    pub const fn rules(self) -> &'static [Rule] {
        match self {
            Self::None => &[],
            Self::Corner => &[Rule::Corner],
            Self::Edge => &[Rule::Corner, Rule::Edge],
            Self::Frozen => &[Rule::Corner, Rule::Edge, Rule::Frozen],
        }
    }
}

/// Cells on which a single box is lost, whatever the other boxes do: non-goal corners, and the cells
/// of runs along a wall without a goal. The floor of the board must fit the width.
#[must_use]
pub fn dead_cells<const W: usize>(board: &Board) -> CellSet<W> {
    corner::dead_cells(board).union(&edge::dead_cells(board))
}

/// A rule with its tables for one board.
#[derive(Debug, Clone)]
enum Tables<const W: usize> {
    Corner(Corner<W>),
    Edge(Edge<W>),
    Frozen(Frozen<W>),
}

impl<const W: usize> Tables<W> {
    fn new(board: &Board, rule: Rule) -> Self {
        match rule {
            Rule::Corner => Self::Corner(Corner::new(board)),
            Rule::Edge => Self::Edge(Edge::new(board)),
            Rule::Frozen => Self::Frozen(Frozen::new(board)),
        }
    }

    #[inline]
    fn fires(&self, boxes: &CellSet<W>, pushed: Cell) -> bool {
        match self {
            Self::Corner(rule) => rule.fires(pushed),
            Self::Edge(rule) => rule.fires(boxes, pushed),
            Self::Frozen(rule) => rule.fires(boxes, pushed),
        }
    }
}

/// The active rules on one board, for either space. Without rules it prunes nothing.
///
/// A verdict costs a few look-ups for each rule, and one population count for each run that the pushed
/// box stands on; it allocates nothing.
#[derive(Debug, Clone)]
pub struct RuleSet<const W: usize> {
    tables: Vec<Tables<W>>,
    names: Vec<&'static str>,
    soundness: Soundness,
}

impl<const W: usize> RuleSet<W> {
    /// The rules of a level of the ladder.
    #[must_use]
    pub fn ladder(board: &Board, level: PruningLevel) -> Self {
        Self::only(board, level.rules())
    }

    /// Just these rules, asked in this order. Each has the tables it needs, whichever others are active.
    #[must_use]
    pub fn only(board: &Board, rules: &[Rule]) -> Self {
        let covered = |rule: &Rule| {
            rule.scope()
                .covers(Classic::MOVEMENT, Target::EveryBoxOnGoal)
        };
        Self {
            tables: rules.iter().map(|&rule| Tables::new(board, rule)).collect(),
            names: rules.iter().map(|rule| rule.name()).collect(),
            soundness: if rules.iter().all(covered) {
                Soundness::Sound
            } else {
                Soundness::Unproved
            },
        }
    }
}

/// Spaces under the classic rule only: that is the scope of every rule so far, and the compiler
/// refuses any other.
impl<const W: usize, S> Pruner<S> for RuleSet<W>
where
    S: Space<State = State<W>, Rule = Classic>,
{
    #[inline]
    fn verdict(&self, space: &S, action: S::Action, state: &State<W>) -> Option<RuleIndex> {
        if self.tables.is_empty() {
            return None;
        }
        let pushed = space.pushed_box(action, state)?;
        let boxes = state.boxes();
        self.tables
            .iter()
            .position(|rule| rule.fires(&boxes, pushed))
    }

    #[inline]
    fn concerns(&self, action: S::Action) -> bool {
        !self.tables.is_empty() && action.pushes()
    }

    fn rules(&self) -> &[&'static str] {
        &self.names
    }

    fn soundness(&self) -> Soundness {
        self.soundness
    }
}
