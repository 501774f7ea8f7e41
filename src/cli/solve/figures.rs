//! What a search has found and what it cost, for people.

use std::fmt::Write;

use super::Solved;
use crate::experiment::compose::Answer;
use crate::search::Status;

/// A paragraph for standard error.
pub(super) fn text(place: &str, solved: &Solved) -> String {
    let Solved {
        answer,
        lurd,
        moves,
        pushes,
    } = solved;
    let mut text = format!("{place}: {}", verdict(answer.status));
    if lurd.as_ref().is_some_and(String::is_empty) {
        text.push_str(" from the start, so that the solution is empty");
    } else if lurd.is_some() {
        let _infallible = write!(text, " in {moves} moves, {pushes} pushes");
    }
    let _infallible = writeln!(text, ", {:.3} s", answer.wall.as_secs_f64());
    let counters = &answer.counters;
    for (name, count) in [
        ("states visited", counters.states_visited),
        ("expanded", counters.expanded),
        ("generated", counters.generated),
        ("duplicates", counters.duplicates),
        ("re-opened", counters.reopened),
    ] {
        line(&mut text, name, count);
    }
    for (rule, &count) in answer.rules.iter().zip(&counters.pruned_by_rule) {
        line(&mut text, &format!("pruned by {rule}"), count);
    }
    line(&mut text, "frontier peak", answer.frontier_peak);
    let _infallible = writeln!(text, "  {:<18}{:>12.1} MiB", "memory", memory_mib(answer));
    let _infallible = writeln!(text, "  {:<18}{:>12}", "table", answer.table.name());
    text
}

/// A status in words.
const fn verdict(status: Status) -> &'static str {
    match status {
        Status::Solved => "solved",
        Status::Unsolvable => "proved unsolvable",
        Status::Exhausted => {
            "no solution found, and nothing left to search; pruning is not proved sound here"
        }
        Status::Complete => "everything reachable visited",
        Status::TimeLimit => "not solved: the time limit was met",
        Status::MemoryLimit => "not solved: the memory limit was met",
        Status::StateLimit => "not solved: the limit of states was met",
        Status::Cancelled => "not solved: interrupted",
    }
}

fn line(text: &mut String, name: &str, count: u64) {
    let _infallible = writeln!(text, "  {name:<18}{count:>12}");
}

/// Visited table and frontier, at their peaks.
fn memory_mib(answer: &Answer) -> f64 {
    (answer.table_bytes + answer.frontier_bytes) as f64 / (1024.0 * 1024.0)
}
