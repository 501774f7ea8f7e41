//! Every configuration of a report against one of them.

use thiserror::Error;

use super::data::{Axis, Dataset};
use super::effect::{self, Effect, Effects, Family, MEASURES, ratios};
use super::summary::name;
use super::table::Table;

/// No configuration is called so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("--baseline {asked:?}: no configuration is called so; expected one of: {}", .labels.join("; "))]
pub struct UnknownBaseline {
    asked: String,
    labels: Vec<String>,
}

/// A configuration against the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The configuration.
    pub label: String,
    /// In states, time and memory.
    pub effects: Effects,
}

/// All configurations but one, each against that one.
#[derive(Debug, Clone, PartialEq)]
pub struct AgainstBaseline {
    /// The one.
    pub baseline: String,
    /// The others, in display order.
    pub lines: Vec<Line>,
    /// All tests of these lines.
    pub family: Family,
}

impl AgainstBaseline {
    /// Compares all configurations with the one that has this label, by default the first in display order, which does least.
    ///
    /// # Errors
    /// [`UnknownBaseline`] if no configuration has this label.
    pub fn of(data: &Dataset, baseline: Option<&str>) -> Result<Self, UnknownBaseline> {
        let labels: Vec<String> = data
            .configurations()
            .iter()
            .map(|configuration| name(&data.label(configuration, &Axis::ALL)))
            .collect();
        let chosen = match baseline {
            None => 0,
            Some(asked) => place_of(asked, &labels)?,
        };
        let others = (0..labels.len()).filter(|index| *index != chosen);
        let mut lines: Vec<Line> = others
            .map(|index| Line {
                label: labels[index].clone(),
                effects: MEASURES
                    .map(|measure| Effect::of(ratios(data, &[(chosen, index)], measure))),
            })
            .collect();
        let family = Family::correct(lines.iter_mut().map(|line| &mut line.effects));
        Ok(Self {
            baseline: labels.get(chosen).cloned().unwrap_or_default(),
            lines,
            family,
        })
    }

    /// One table for each measure; none without another configuration. What they have in common is said beneath the last.
    #[must_use]
    pub fn tables(&self) -> Vec<Table> {
        if self.lines.is_empty() {
            return Vec::new();
        }
        let mut tables: Vec<Table> = (0..MEASURES.len()).map(|place| self.table(place)).collect();
        if let Some(last) = tables.last_mut() {
            last.notes = vec![
                format!("{} Baseline: {}.", effect::NOTE, self.baseline),
                self.family.note("of these tables"),
            ];
        }
        tables
    }

    fn table(&self, place: usize) -> Table {
        let row = |line: &Line| {
            let mut cells = vec![line.label.clone()];
            cells.extend(effect::cells(line.effects[place]));
            cells
        };
        let mut headings = vec!["configuration".to_owned()];
        headings.extend(effect::HEADINGS.map(str::to_owned));
        let measure = MEASURES[place].name;
        Table {
            title: format!("{measure}, against {}", self.baseline),
            headings,
            rows: self.lines.iter().map(row).collect(),
            notes: Vec::new(),
        }
    }
}

fn place_of(asked: &str, labels: &[String]) -> Result<usize, UnknownBaseline> {
    let found = labels.iter().position(|label| plain(label) == plain(asked));
    found.ok_or_else(|| UnknownBaseline {
        asked: asked.to_owned(),
        labels: labels.to_vec(),
    })
}

/// A label as it is typed without looking for signs: `dfs corner shared x2` for `dfs · corner · shared ×2`.
fn plain(label: &str) -> String {
    let typed = label.replace('·', " ").replace('×', "x");
    typed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Row;

    /// Three strategies of which `dfs` needs twice and `greedy` half the time of `bfs`, on six levels.
    fn data() -> Dataset {
        let factors = [("bfs", 1.0), ("dfs", 2.0), ("greedy", 0.5)];
        let rows = (1..=6).flat_map(|level| {
            factors.map(|(strategy, factor)| Row {
                level,
                strategy: strategy.to_owned(),
                status: "solved".to_owned(),
                wall_s: Some(level as f64 * factor),
                ..Row::default()
            })
        });
        Dataset::new(rows.collect())
    }

    #[test]
    fn the_first_configuration_is_the_baseline_unless_another_is_named() {
        let found = AgainstBaseline::of(&data(), None).unwrap();
        assert_eq!(found.baseline, "bfs");
        // Two tests of six levels on one side: 2/2^6 each, times 2. The ratios are equal, and so are the resamples.
        assert_eq!(found.family.tests, 2);
        let times = &found.tables()[1];
        assert_eq!(times.title, "wall time, against bfs");
        assert_eq!(
            times.rows,
            [
                ["dfs", "6", "2", "2 to 2", "0/0/6", "0.0625"],
                ["greedy", "6", "0.5", "0.5 to 0.5", "6/0/0", "0.0625"],
            ]
        );
        let states = &found.tables()[0];
        assert_eq!(states.rows[0], ["dfs", "0", "–", "–", "–", "–"]);
        let named = AgainstBaseline::of(&data(), Some("greedy")).unwrap();
        assert_eq!(named.lines[0].label, "bfs");
        let ratio = named.lines[0].effects[1].unwrap().ratio.mean;
        assert!((ratio - 2.0).abs() < 1e-12, "{ratio}");
    }

    #[test]
    fn labels_are_found_without_their_signs_and_others_are_refused() {
        let labels = ["dfs · corner · shared ×2".to_owned(), "bfs".to_owned()];
        assert_eq!(place_of("dfs corner shared x2", &labels), Ok(0));
        assert_eq!(place_of("dfs · corner · shared ×2", &labels), Ok(0));
        let error = place_of("dfs", &labels).unwrap_err().to_string();
        assert!(error.contains("dfs · corner · shared ×2; bfs"), "{error}");
    }

    #[test]
    fn one_configuration_has_nothing_to_be_compared_with() {
        let row = Row {
            status: "solved".to_owned(),
            ..Row::default()
        };
        let found = AgainstBaseline::of(&Dataset::new(vec![row]), Some("all")).unwrap();
        assert_eq!(found.tables(), []);
    }
}
