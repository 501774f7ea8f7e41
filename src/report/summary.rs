//! The table of a report: what each configuration answered, and what it needed.

use crate::experiment::Row;
use crate::experiment::pressure::is_under_pressure;

use super::data::{Axis, Dataset};
use super::measure::{Measure, PEAK_MEMORY, STATES_VISITED, WALL_TIME, samples, spread};
use super::statistics::Quartiles;

/// Titles of the columns.
pub const HEADINGS: [&str; 9] = [
    "configuration",
    "answered runs",
    "instances",
    "over limit",
    "failed",
    "under pressure",
    "states visited",
    "wall time",
    "peak memory",
];

/// What the table shows, for beneath it.
pub const LEGEND: &str = "Answered: solved and replayed, proved unsolvable, or counted to the end. Over limit: stopped by time, memory or states. \
     Failed: crashed, invalid, unsupported, cancelled, or exhausted under pruning not proved sound. \
     Under pressure: measured while tasks waited for a processor for more than a twentieth of the time, so that times are doubtful. \
     Quantities: median [quartiles] over the instances that the configuration answered, each the median of its answered repetitions; \
     compare them only between configurations that answered the same instances.";

/// One configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its values on the axes that vary.
    pub label: String,
    /// Answered runs, and all runs.
    pub runs: (usize, usize),
    /// Instances with an answered run, and all instances that it ran.
    pub instances: (usize, usize),
    /// Runs that a limit stopped.
    pub over_limit: usize,
    /// Runs with neither an answer nor a limit.
    pub failed: usize,
    /// Runs whose times are doubtful because the machine was busy.
    pub under_pressure: usize,
    /// Distinct states.
    pub states: Option<Quartiles>,
    /// Seconds.
    pub wall_s: Option<Quartiles>,
    /// Bytes.
    pub memory: Option<Quartiles>,
}

impl Line {
    fn of(data: &Dataset, index: usize) -> Self {
        let quartiles = |measure| spread(&samples(data, index, measure));
        let count = |wanted: fn(&str) -> bool| {
            let runs = data.runs_of(index);
            runs.filter(|run| wanted(&run.row.status)).count()
        };
        let distinct = |answered_only: bool| {
            let runs = data
                .runs_of(index)
                .filter(|run| !answered_only || run.answered());
            runs.map(|run| run.instance)
                .collect::<std::collections::BTreeSet<_>>()
                .len()
        };
        let all = data.runs_of(index).count();
        let answered = data.runs_of(index).filter(|run| run.answered()).count();
        let over_limit = count(|status| status.ends_with("_limit"));
        Self {
            label: data.label(&data.configurations()[index], &Axis::ALL),
            runs: (answered, all),
            instances: (distinct(true), distinct(false)),
            over_limit,
            failed: all - answered - over_limit,
            under_pressure: data
                .runs_of(index)
                .filter(|run| is_under_pressure(&run.row))
                .count(),
            states: quartiles(STATES_VISITED),
            wall_s: quartiles(WALL_TIME),
            memory: quartiles(PEAK_MEMORY),
        }
    }

    /// Its cells, one for each of [`HEADINGS`]. What was not measured is a dash.
    #[must_use]
    pub fn cells(&self) -> [String; HEADINGS.len()] {
        let of = |(part, whole): (usize, usize)| format!("{part}/{whole}");
        [
            if self.label.is_empty() {
                "all".to_owned()
            } else {
                self.label.clone()
            },
            of(self.runs),
            of(self.instances),
            self.over_limit.to_string(),
            self.failed.to_string(),
            self.under_pressure.to_string(),
            quartile_cell(self.states, STATES_VISITED),
            quartile_cell(self.wall_s, WALL_TIME),
            quartile_cell(self.memory, PEAK_MEMORY),
        ]
    }
}

/// One line for each configuration, in display order. O(configurations · runs).
#[must_use]
pub fn lines(data: &Dataset) -> Vec<Line> {
    (0..data.configurations().len())
        .map(|index| Line::of(data, index))
        .collect()
}

/// The table as text for a terminal, columns aligned, ending with a line break. Without rows only the
/// headings.
#[must_use]
pub fn summary_table(rows: &[Row]) -> String {
    let data = Dataset::new(rows.to_vec());
    let mut table: Vec<[String; HEADINGS.len()]> = vec![HEADINGS.map(str::to_owned)];
    table.extend(lines(&data).iter().map(Line::cells));
    let width = |column: usize| {
        let cells = table.iter().map(|cells| cells[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let mut text = String::new();
    for cells in &table {
        let mut line = format!("{:<1$}", cells[0], widths[0]);
        for (cell, width) in cells.iter().zip(&widths).skip(1) {
            line.push_str(&format!("  {cell:>width$}"));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn quartile_cell(quartiles: Option<Quartiles>, measure: Measure) -> String {
    quartiles.map_or_else(
        || "–".to_owned(),
        |q| {
            let [lower, median, upper] =
                [q.lower, q.median, q.upper].map(|v| measure.unit.format(v));
            if q.count == 1 {
                return median;
            }
            format!("{median} [{lower}, {upper}]")
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(strategy: &str, level: u64, status: &str, wall_s: f64) -> Row {
        Row {
            strategy: strategy.to_owned(),
            level,
            status: status.to_owned(),
            wall_s: Some(wall_s),
            ..Row::default()
        }
    }

    #[test]
    fn counts_and_quartiles_of_hand_made_rows() {
        let rows = [
            row("bfs", 1, "solved", 1.0),
            row("bfs", 2, "solved", 2.0),
            row("bfs", 3, "solved", 4.0),
            Row {
                cpu_pressure: Some(50.0),
                ..row("dfs", 1, "solved", 0.5)
            },
            row("dfs", 1, "crashed", 0.1),
            row("dfs", 2, "time_limit", 60.0),
            row("dfs", 3, "exhausted", 0.1),
        ];
        let lines = lines(&Dataset::new(rows.to_vec()));
        let dfs = &lines[1];
        assert_eq!((dfs.runs, dfs.instances), ((1, 4), (1, 3)));
        assert_eq!((dfs.over_limit, dfs.failed), (1, 2));
        // Quartiles of 1, 2, 4: 1.5, 2, 3.
        assert_eq!(
            summary_table(&rows),
            "configuration  answered runs  instances  over limit  failed  under pressure  states visited         wall time  peak memory\n\
             bfs                      3/3        3/3           0       0               0               –  2 s [1.5 s, 3 s]            –\n\
             dfs                      1/4        1/3           1       2               1               –            500 ms            –\n"
        );
    }

    #[test]
    fn no_rows_give_the_headings() {
        assert_eq!(summary_table(&[]).lines().count(), 1);
    }
}
