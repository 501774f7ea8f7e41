//! The charts of a report: one list, one file for each kind.

mod coverage;
mod effort;
mod facets;
mod pruned;
mod savings;
mod scaling;
mod survival;

use super::data::Dataset;
use super::scene::Scene;

/// A drawn chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The picture.
    pub scene: Scene,
    /// How to read it, and what it is based on.
    pub reading: String,
}

/// Why a chart cannot be drawn from these rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoData(pub String);

/// One chart of the report.
#[derive(Debug, Clone, Copy)]
pub struct Chart {
    /// Name of its files.
    pub name: &'static str,
    /// What it shows, in a word or two.
    pub subject: &'static str,
    /// The question that it answers.
    pub question: &'static str,
    /// Draws it, under the given title.
    pub draw: fn(&Dataset, &str) -> Result<Drawing, NoData>,
}

/// Every chart, in the order of the page. A new chart is one more line.
pub const CHARTS: [Chart; 11] = [
    Chart {
        name: "coverage",
        subject: "Coverage",
        question: "How many of its runs does each configuration answer within its limits?",
        draw: coverage::draw,
    },
    Chart {
        name: "survival",
        subject: "Answers over time",
        question: "How many runs are answered within a given time?",
        draw: survival::draw,
    },
    Chart {
        name: "time",
        subject: "Time",
        question: "How much time does each configuration need?",
        draw: effort::time,
    },
    Chart {
        name: "states",
        subject: "States",
        question: "How many states does each configuration visit?",
        draw: effort::states,
    },
    Chart {
        name: "memory",
        subject: "Memory",
        question: "How much memory does each configuration need?",
        draw: effort::memory,
    },
    Chart {
        name: "savings-states",
        subject: "Savings in states",
        question: "Which share of the states is left to visit at each pruning level?",
        draw: savings::states,
    },
    Chart {
        name: "savings-time",
        subject: "Savings in time",
        question: "Which share of the time is left to spend at each pruning level?",
        draw: savings::time,
    },
    Chart {
        name: "pruned",
        subject: "Pruned share",
        question: "Which share of the generated states does each rule prune?",
        draw: pruned::draw,
    },
    Chart {
        name: "speedup",
        subject: "Speedup",
        question: "How many times faster is each threading model than the sequential one?",
        draw: scaling::speedup,
    },
    Chart {
        name: "efficiency",
        subject: "Efficiency",
        question: "How much of each thread does each threading model turn into speed?",
        draw: scaling::efficiency,
    },
    Chart {
        name: "overhead",
        subject: "Search overhead",
        question: "How many more states does each threading model expand than the sequential one?",
        draw: scaling::overhead,
    },
];

#[cfg(test)]
mod tests;
