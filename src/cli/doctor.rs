//! `sokolab doctor`: what about this machine would spoil timings or lose runs.

use super::exit::{Exit, Failure};
use super::terminal;
use super::terminal::tell;
use crate::experiment::doctor::{Finding, Verdict, diagnose};

/// Say what about this machine would spoil measured times or lose runs, why, and what to do about it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

/// Prints the findings.
///
/// # Errors
/// If standard output cannot be written.
pub(crate) fn run(_args: &Args) -> Result<Exit, Failure> {
    let findings = diagnose();
    terminal::print(&findings.iter().map(line).collect::<String>())?;
    let count = |verdict| findings.iter().filter(|it| it.verdict == verdict).count();
    let (doubtful, unknown) = (count(Verdict::Doubtful), count(Verdict::Unknown));
    tell!(
        "{} looked at, {doubtful} would spoil times or lose runs, {unknown} unknown",
        findings.len()
    );
    tell!("next: sokolab run EXPERIMENT.toml, which records pressure and switches with each run");
    Ok(Exit::Success)
}

/// A finding on one line, and its advice on a second one.
fn line(finding: &Finding) -> String {
    let word = match finding.verdict {
        Verdict::Good => "ok",
        Verdict::Doubtful => "warn",
        Verdict::Unknown => "unknown",
    };
    let mut text = format!("{word:<8}{:<18}{}\n", finding.subject, finding.found);
    if finding.verdict == Verdict::Doubtful {
        text.push_str(&format!("{:26}{}\n", "", finding.advice));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_doubt_is_explained() {
        let finding = Finding {
            subject: "load",
            verdict: Verdict::Doubtful,
            found: "1.50 tasks".to_owned(),
            advice: "wait",
        };
        let expected = "warn    load              1.50 tasks\n                          wait\n";
        assert_eq!(line(&finding), expected);
        let unknown = Finding {
            verdict: Verdict::Unknown,
            ..finding
        };
        assert_eq!(line(&unknown), "unknown load              1.50 tasks\n");
    }
}
