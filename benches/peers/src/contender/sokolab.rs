//! sokolab itself, through its public interface, in every combination that it takes.

use ::sokolab::experiment::compose::answer;
use ::sokolab::experiment::configuration::{Configuration, Space as SokolabSpace, Table};
use ::sokolab::parallel::Threading;
use ::sokolab::search::{Goal, Limits, Status, Strategy};
use ::sokolab::sokoban::pruning::PruningLevel;
use ::sokolab::sokoban::{Board, Level};

use super::Space;
use crate::level::EMPTY;

/// One configuration of sokolab.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice(Configuration);

/// The combinations that sokolab accepts. It is asked which these are, so a table or a threading model
/// that it learns later takes part by itself.
pub(super) fn accepted() -> impl Iterator<Item = Choice> {
    let is_accepted = |choice: &Choice| choice.count(EMPTY.rows).is_ok();
    combinations().into_iter().filter(is_accepted)
}

/// Every strategy, model and table in both spaces on one and two threads, without pruning or estimate.
pub(super) fn combinations() -> Vec<Choice> {
    let mut choices = Vec::new();
    for space in SokolabSpace::ALL {
        for strategy in Strategy::ALL {
            for threading in Threading::ALL {
                for table in Table::ALL {
                    for threads in [1, 2] {
                        choices.push(Choice(Configuration {
                            space,
                            strategy,
                            heuristic: None,
                            pruning: PruningLevel::None,
                            threading,
                            threads,
                            table,
                        }));
                    }
                }
            }
        }
    }
    choices
}

impl Choice {
    /// `space-strategy-threading-table`.
    pub(super) fn name(&self) -> String {
        let Configuration {
            space,
            strategy,
            threading,
            table,
            ..
        } = self.0;
        let (space, strategy) = (space.name(), strategy.name());
        format!("{space}-{strategy}-{}-{}", threading.name(), table.name())
    }

    pub(super) const fn space(&self) -> Space {
        match self.0.space {
            SokolabSpace::Moves => Space::Moves,
            SokolabSpace::Pushes => Space::Pushes,
        }
    }

    pub(super) const fn threads(&self) -> usize {
        self.0.threads
    }

    pub(super) fn is_breadth_first(&self) -> bool {
        self.0.strategy == Strategy::Bfs
    }

    /// Counts the states of a level.
    ///
    /// # Errors
    /// What sokolab says of a combination that it does not take, or how its search ended if the census
    /// is not complete.
    pub(super) fn count(&self, rows: &[&str]) -> Result<u64, String> {
        let board = Board::new(&Level::from_rows(rows)).map_err(|error| error.to_string())?;
        let answer = answer(&board, &self.0, Goal::Census, &Limits::default());
        let answer = answer.map_err(|error| error.to_string())?;
        if answer.status != Status::Complete {
            return Err(format!("ended as {}", answer.status.name()));
        }
        Ok(answer.counters.states_visited)
    }
}
