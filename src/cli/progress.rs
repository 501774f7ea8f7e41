//! How far a sweep is: a bar on a terminal, else a line now and then. Always on standard error.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::plan::duration;
use super::terminal::Color;
use super::terminal::tell;
use crate::experiment::runner::Event;
use crate::experiment::status;
use crate::search::Status;

/// Time between two lines where there is no terminal: often enough to see that it lives, rare enough for
/// the log of a night.
const LINE_INTERVAL: Duration = Duration::from_secs(20);

/// Statuses that need no word: the run did what was asked of it.
const QUIET: [Status; 3] = [Status::Solved, Status::Unsolvable, Status::Complete];

/// Shows how far a sweep is.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    last_line: Instant,
    total: u64,
    done: u64,
    /// Runs that ended otherwise, by status.
    counts: BTreeMap<String, u64>,
}

impl Progress {
    /// Nothing of `total` runs is done yet.
    pub(super) fn new(total: usize, color: Color) -> Self {
        let total = total as u64;
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            bar.set_style(style(color.applies_to_stderr()));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        let now = Instant::now();
        Self {
            bar,
            start: now,
            last_line: now,
            total,
            done: 0,
            counts: BTreeMap::new(),
        }
    }

    /// Takes note of what has happened.
    pub(super) fn observe(&mut self, event: &Event) {
        if let Event::Recorded(row) = event {
            self.done += 1;
            if !QUIET.iter().any(|status| status.name() == row.status) {
                *self.counts.entry(row.status.clone()).or_default() += 1;
            }
            if [status::CRASHED, status::INVALID].contains(&row.status.as_str()) {
                self.say(&format!(
                    "{} ({}#{}): {}",
                    row.status, row.level_file, row.level, row.detail
                ));
            }
        }
        match &self.bar {
            Some(bar) => {
                bar.set_position(self.done);
                bar.set_message(self.exceptions());
            }
            None if self.last_line.elapsed() >= LINE_INTERVAL => {
                self.last_line = Instant::now();
                tell!("{}", self.line(self.start.elapsed()));
            }
            None => {}
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }

    /// A line that stays.
    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| tell!("{line}")),
            None => tell!("{line}"),
        }
    }

    fn exceptions(&self) -> String {
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(status, count)| format!("{count} {status}"))
            .collect();
        counts.join(", ")
    }

    fn line(&self, elapsed: Duration) -> String {
        let mut line = format!("{} of {} runs", self.done, self.total);
        if !self.counts.is_empty() {
            line.push_str(&format!(" ({})", self.exceptions()));
        }
        if self.done > 0 {
            let left = elapsed.as_secs_f64() / self.done as f64 * (self.total - self.done) as f64;
            let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
            line.push_str(&format!(", about {} left", duration(left)));
        }
        line
    }
}

fn style(colored: bool) -> ProgressStyle {
    let template = if colored {
        "{bar:30.cyan/blue} {pos}/{len} runs, ETA {eta} {msg:.yellow}"
    } else {
        "{bar:30} {pos}/{len} runs, ETA {eta} {msg}"
    };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Row;

    fn recorded(status: &str) -> Event {
        Event::Recorded(Box::new(Row {
            status: status.to_owned(),
            ..Row::default()
        }))
    }

    #[test]
    fn a_line_tells_what_is_done_what_is_special_and_what_is_left() {
        let mut progress = Progress {
            bar: None,
            ..Progress::new(8, Color::Never)
        };
        assert_eq!(progress.line(Duration::ZERO), "0 of 8 runs");
        progress.observe(&recorded("solved"));
        progress.observe(&recorded("time_limit"));
        assert_eq!(
            progress.line(Duration::from_secs(20)),
            "2 of 8 runs (1 time_limit), about 1 min 0 s left"
        );
    }

    #[test]
    fn the_templates_are_understood() {
        for template in ["{bar:30.cyan/blue} {msg:.yellow}", "{bar:30} {eta}"] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }
}
