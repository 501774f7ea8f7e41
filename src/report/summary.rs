//! The summary of a report: what each configuration answered, and what it needed.

use std::collections::BTreeMap;

use crate::experiment::Row;
use crate::experiment::pressure::is_under_pressure;

use super::data::{Axis, Dataset};
use super::measure::{Measure, PEAK_MEMORY, STATES_VISITED, WALL_TIME, samples, spread};
use super::quantity::Unit;
use super::score::Scoring;
use super::statistics::Quartiles;
use super::table::Table;

/// Titles of the columns.
pub const HEADINGS: [&str; 12] = [
    "configuration",
    "answered runs",
    "instances",
    "coverage",
    "over limit",
    "failed",
    "under pressure",
    "PAR2",
    "agile",
    "states visited",
    "wall time",
    "peak memory",
];

/// Places of the columns that say what was answered.
const ANSWERS: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/// Places of the columns that say what the answers needed.
const NEEDS: [usize; 5] = [0, 2, 9, 10, 11];

/// What the columns of answers mean.
const ANSWERS_NOTE: &str = "Answered: solved and replayed, proved unsolvable, or counted to the end. An instance counts as \
     answered if more than half of its repetitions were; coverage is the share of these instances. Over limit: stopped by time, \
     memory or states. Failed: crashed, invalid, unsupported, cancelled, or exhausted under pruning not proved sound. Under \
     pressure: measured while tasks waited for a processor for more than a twentieth of the time, so that times are doubtful. \
     PAR2: mean time over instances, with twice the time limit for a run without an answer. Agile: mean over instances of \
     1 - log(time)/log(limit), 1 for an answer within a second, 0 for a run without an answer. Both need one time limit for all \
     rows, and agile one above a second.";

/// What the columns of quantities mean.
const NEEDS_NOTE: &str = "Quantities: median [lower quartile, upper quartile] over the instances that the configuration answered, \
     each the median of its repetitions, of which those without an answer count as larger than any; with a single instance, over its \
     repetitions, and an upper quartile among those without an answer is a dash. Compare them only between configurations that \
     answered the same instances.";

/// What the table shows, for beneath it.
#[must_use]
pub fn legend() -> String {
    format!("{ANSWERS_NOTE} {NEEDS_NOTE}")
}

/// One configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its values on the axes that vary.
    pub label: String,
    /// Answered runs, and all runs.
    pub runs: (usize, usize),
    /// Instances of which more than half of the repetitions were answered, and all instances that it ran.
    pub instances: (usize, usize),
    /// Runs that a limit stopped.
    pub over_limit: usize,
    /// Runs with neither an answer nor a limit.
    pub failed: usize,
    /// Runs whose times are doubtful because the machine was busy.
    pub under_pressure: usize,
    /// Penalised average runtime, in seconds; see [`Scoring::par2`].
    pub par2_s: Option<f64>,
    /// Agile score; see [`Scoring::agile`].
    pub agile: Option<f64>,
    /// Distinct states.
    pub states: Option<Quartiles>,
    /// Seconds.
    pub wall_s: Option<Quartiles>,
    /// Bytes.
    pub memory: Option<Quartiles>,
}

impl Line {
    fn of(data: &Dataset, scoring: Option<Scoring>, index: usize) -> Self {
        let quartiles = |measure| spread(&samples(data, index, measure));
        let mut line = Self {
            label: data.label(&data.configurations()[index], &Axis::ALL),
            runs: (0, 0),
            instances: answered_instances(data, index),
            over_limit: 0,
            failed: 0,
            under_pressure: 0,
            par2_s: scoring.and_then(|it| it.par2(data, index)),
            agile: scoring.and_then(|it| it.agile(data, index)),
            states: quartiles(STATES_VISITED),
            wall_s: quartiles(WALL_TIME),
            memory: quartiles(PEAK_MEMORY),
        };
        for run in data.runs_of(index) {
            line.runs.1 += 1;
            match run.answered() {
                true => line.runs.0 += 1,
                false if run.row.status.ends_with("_limit") => line.over_limit += 1,
                false => line.failed += 1,
            }
            line.under_pressure += usize::from(is_under_pressure(&run.row));
        }
        line
    }

    /// Share of the instances that it ran which it answered.
    #[must_use]
    pub fn coverage(&self) -> f64 {
        self.instances.0 as f64 / self.instances.1.max(1) as f64
    }

    /// Its cells, one for each of [`HEADINGS`]. What was not measured is a dash.
    #[must_use]
    pub fn cells(&self) -> [String; HEADINGS.len()] {
        let of = |(part, whole): (usize, usize)| format!("{part}/{whole}");
        [
            name(&self.label),
            of(self.runs),
            of(self.instances),
            Unit::Share.format(self.coverage()),
            self.over_limit.to_string(),
            self.failed.to_string(),
            self.under_pressure.to_string(),
            self.par2_s.map_or_else(dash, |it| Unit::Seconds.format(it)),
            self.agile.map_or_else(dash, |it| Unit::Ratio.format(it)),
            quartile_cell(self.states, STATES_VISITED),
            quartile_cell(self.wall_s, WALL_TIME),
            quartile_cell(self.memory, PEAK_MEMORY),
        ]
    }
}

/// The label of a configuration, or what stands for it where there is one only.
#[must_use]
pub fn name(label: &str) -> String {
    match label {
        "" => "all".to_owned(),
        _ => label.to_owned(),
    }
}

/// Instances of which a configuration answered more than half of the repetitions, and all instances that it ran.
fn answered_instances(data: &Dataset, index: usize) -> (usize, usize) {
    let mut runs: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for run in data.runs_of(index) {
        let (answered, all) = runs.entry(run.instance).or_default();
        *answered += usize::from(run.answered());
        *all += 1;
    }
    let answered = runs.values().filter(|(answered, all)| 2 * answered > *all);
    (answered.count(), runs.len())
}

/// One line for each configuration, in display order. O(n log n).
#[must_use]
pub fn lines(data: &Dataset) -> Vec<Line> {
    let scoring = Scoring::of(data);
    (0..data.configurations().len())
        .map(|index| Line::of(data, scoring, index))
        .collect()
}

/// The summary in two tables, each narrow enough for a terminal and for a page of a paper.
#[must_use]
pub fn tables(lines: &[Line]) -> [Table; 2] {
    let table = |title: &str, columns: &[usize], note: &str| {
        let pick = |cells: [String; HEADINGS.len()]| -> Vec<String> {
            columns.iter().map(|place| cells[*place].clone()).collect()
        };
        Table {
            title: title.to_owned(),
            headings: pick(HEADINGS.map(str::to_owned)),
            rows: lines.iter().map(|line| pick(line.cells())).collect(),
            notes: vec![note.to_owned()],
        }
    };
    [
        table("What was answered", &ANSWERS, ANSWERS_NOTE),
        table("What the answers needed", &NEEDS, NEEDS_NOTE),
    ]
}

/// The summary as text for a terminal, ending with a line break.
#[must_use]
pub fn summary_table(rows: &[Row]) -> String {
    let [answers, needs] = tables(&lines(&Dataset::new(rows.to_vec())));
    format!("{}\n{}{TERMINAL_NOTE}", answers.to_text(), needs.to_text())
}

/// What the terminal needs to read the figures; the report says the rest.
const TERMINAL_NOTE: &str = "\
median [lower quartile, upper quartile] over the answered instances; PAR2: mean time, twice the limit for runs without answer;
agile: 1 within a second, falling with the logarithm of time to 0 at the limit
";

fn dash() -> String {
    "–".to_owned()
}

fn quartile_cell(quartiles: Option<Quartiles>, measure: Measure) -> String {
    quartiles.map_or_else(dash, |it| {
        let written = |value| measure.unit.format(value);
        let median = written(it.median);
        if it.count == 1 {
            return median;
        }
        let upper = it.upper.map_or_else(dash, written);
        format!("{median} [{}, {upper}]", written(it.lower))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::synthetic;

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
        let limited = |row: Row| Row {
            time_limit_s: Some(100.0),
            ..row
        };
        let rows = [
            row("bfs", 1, "solved", 1.0),
            row("bfs", 2, "solved", 2.0),
            row("bfs", 3, "solved", 4.0),
            Row {
                cpu_pressure: Some(50.0),
                ..row("dfs", 1, "solved", 0.5)
            },
            row("dfs", 1, "solved", 1.5),
            row("dfs", 1, "crashed", 0.1),
            row("dfs", 2, "time_limit", 100.0),
            row("dfs", 3, "exhausted", 0.1),
        ]
        .map(limited);
        let lines = lines(&Dataset::new(rows.to_vec()));
        let dfs = &lines[1];
        assert_eq!((dfs.runs, dfs.instances), ((2, 5), (1, 3)));
        assert_eq!((dfs.over_limit, dfs.failed), (1, 2));
        // PAR2 of bfs: 7/3 s; of dfs: (202/3 + 200 + 200) / 3 s. Agile of bfs: 1, 1 - lg 2 / 2, 1 - lg 4 / 2; of dfs:
        // (1 + 1 - lg 1.5 / 2) / 3, 0, 0. Quartiles of 1, 2, 4: 1.5, 2, 3; of 0.5, 1.5 and one beyond: 1, 1.5, beyond.
        assert_eq!(
            summary_table(&rows),
            format!(
                "configuration  answered runs  instances  coverage  over limit  failed  under pressure    PAR2  agile\n\
                 bfs                      3/3        3/3     100 %           0       0               0  2.33 s  0.849\n\
                 dfs                      2/5        1/3    33.3 %           1       2               1   156 s  0.212\n\
                 \n\
                 configuration  instances  states visited         wall time  peak memory\n\
                 bfs                  3/3               –  2 s [1.5 s, 3 s]            –\n\
                 dfs                  1/3               –    1.5 s [1 s, –]            –\n\
                 {TERMINAL_NOTE}"
            )
        );
    }

    #[test]
    fn a_level_that_most_repetitions_did_not_answer_is_not_covered() {
        let statuses = ["solved", "solved", "time_limit", "time_limit", "time_limit"];
        let rows = statuses.map(|status| row("dfs", 1, status, 1.0));
        let lines = lines(&Dataset::new(rows.to_vec()));
        assert_eq!((lines[0].runs, lines[0].instances), ((2, 5), (0, 1)));
        assert_eq!((lines[0].coverage(), lines[0].wall_s), (0.0, None));
    }

    #[test]
    fn what_a_usual_experiment_prints_fits_a_terminal() {
        let text = summary_table(&synthetic::rows(&synthetic::USUAL));
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(130), "{text}");
    }

    #[test]
    fn no_rows_give_the_headings() {
        let [answers, needs] = tables(&lines(&Dataset::new(Vec::new())));
        assert_eq!((answers.rows.len(), needs.rows.len()), (0, 0));
        assert_eq!(summary_table(&[]).lines().count(), 5);
    }
}
