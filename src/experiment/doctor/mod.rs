//! What about a machine would spoil the times that are measured on it, or lose runs.
//!
//! Each check reads what the kernel tells and gives one finding. What it does not tell is unknown, never guessed.

mod checks;
mod system;
#[cfg(test)]
mod tests;

use std::path::Path;

use system::System;

/// What a check makes of what it has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing that would spoil times or lose runs.
    Good,
    /// Times measured now are worse than they could be, or runs may be lost.
    Doubtful,
    /// The machine does not tell.
    Unknown,
}

/// What one check has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at.
    pub subject: &'static str,
    /// What to make of it.
    pub verdict: Verdict,
    /// What is there.
    pub found: String,
    /// Why it matters and what to do about it; empty if it is good.
    pub advice: &'static str,
}

/// Looks at the machine that this process runs on: one finding for each check, in the order of the list.
#[must_use]
pub fn diagnose() -> Vec<Finding> {
    diagnose_at(Path::new("/"))
}

/// Looks at the `/proc` and `/sys` below a folder.
fn diagnose_at(root: &Path) -> Vec<Finding> {
    let system = System::new(root);
    checks::ALL
        .iter()
        .map(|check| match (check.look)(&system) {
            Some((found, true)) => Finding {
                subject: check.subject,
                verdict: Verdict::Good,
                found,
                advice: "",
            },
            Some((found, false)) => Finding {
                subject: check.subject,
                verdict: Verdict::Doubtful,
                found,
                advice: check.advice,
            },
            None => Finding {
                subject: check.subject,
                verdict: Verdict::Unknown,
                found: "this machine does not tell".to_owned(),
                advice: check.advice,
            },
        })
        .collect()
}
