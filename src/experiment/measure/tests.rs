use std::path::PathBuf;

use super::*;
use crate::experiment::configuration::Table;
use crate::experiment::spec::RunLimits;
use crate::parallel::Threading;
use crate::search::{Goal, Strategy};
use crate::sokoban::pruning::PruningLevel;

/// One push to the right solves it; one step to the left is possible first.
fn level() -> PlannedLevel {
    PlannedLevel {
        file: "one.xsb".to_owned(),
        path: PathBuf::from("one.xsb"),
        number: 1,
        title: String::new(),
        level: Level::from_rows(&["######", "# @$.#", "######"]),
    }
}

fn run(space: Space) -> RunSpec {
    RunSpec {
        id: "id".to_owned(),
        sequence: 1,
        level: 0,
        configuration: Configuration {
            space,
            strategy: Strategy::Bfs,
            heuristic: None,
            pruning: PruningLevel::Corner,
            threading: Threading::Sequential,
            threads: 1,
            table: Table::Auto,
        },
        repetition: 1,
        goal: Goal::Solve,
        limits: RunLimits {
            time: Some(Duration::from_secs(2)),
            memory_bytes: Some(1 << 30),
            states: None,
        },
        seed: 1,
    }
}

fn findings(steps: &str) -> Findings {
    Findings {
        status: "solved".to_owned(),
        table: "hash".to_owned(),
        table_reason: Some("many floor cells".to_owned()),
        cost: Some(1),
        steps: Some(steps.to_owned()),
        wall_s: 0.5,
        generated: 3,
        rules: vec!["corner".to_owned()],
        pruned_by_rule: vec![1],
        duplicates: 1,
        reopened: 0,
        states_visited: 2,
        expanded: 1,
        frontier_peak: 1,
        table_bytes: 64,
        frontier_bytes: 64,
        load_balance: None,
        idle_s: None,
        states_sent: None,
        messages_sent: None,
    }
}

fn ended(report: Option<Findings>) -> Account {
    let report = report.map(|findings| Report {
        unsupported: None,
        findings: Some(findings),
        peak_rss_bytes: Some(4096),
    });
    let text = report.map(|report| toml::to_string(&report).unwrap());
    Account {
        exit_code: Some(0),
        elapsed_s: 1.0,
        cpu_user_s: Some(7.0),
        cpu_sys_s: Some(8.0),
        peak_rss_bytes: Some(8192),
        involuntary_switches: Some(3),
        cpu_pressure: Some(1.5),
        stdout: text.unwrap_or_default(),
        ..Account::default()
    }
}

/// One that a signal ended.
fn killed_by(signal: i32) -> Account {
    Account {
        exit_code: None,
        signal: Some(signal),
        ..ended(None)
    }
}

fn judge_in(space: Space, account: &Account) -> Option<FinishedRun> {
    let (run, level, row) = (run(space), level(), Row::default());
    Judge {
        run: &run,
        level: &level,
        row,
    }
    .judge(account)
}

fn judge(account: &Account) -> FinishedRun {
    judge_in(Space::Pushes, account).expect("the run is done")
}

#[test]
fn a_good_answer_is_solved_with_everything_measured() {
    let FinishedRun { row, solution } = judge(&ended(Some(findings("r"))));
    assert_eq!(solution.as_deref(), Some("R"));
    assert_eq!((row.status.as_str(), row.detail.as_str()), ("solved", ""));
    assert_eq!(
        (row.cost, row.moves, row.pushes),
        (Some(1), Some(1), Some(1))
    );
    assert_eq!((row.generated, row.pruned), (Some(3), Some(1)));
    assert_eq!(row.pruned_by_rule[0], ("corner".to_owned(), Some(1)));
    assert!(row.pruned_by_rule[1..].iter().all(|rule| rule.1.is_none()));
    assert_eq!(row.table, "hash");
    assert_eq!(row.table_reason.as_deref(), Some("many floor cells"));
    assert_eq!(row.peak_rss_bytes, Some(4096));
    assert_eq!(row.rss_method, "vmhwm");
    assert_eq!((row.cpu_user_s, row.cpu_sys_s), (Some(7.0), Some(8.0)));
    assert_eq!(row.involuntary_switches, Some(3));
    assert_eq!(row.cpu_pressure, Some(1.5));
}

#[test]
fn a_cost_is_counted_in_the_unit_of_the_space() {
    let answer = Findings {
        cost: Some(3),
        ..findings("lrr")
    };
    let moves = judge_in(Space::Moves, &ended(Some(answer.clone()))).unwrap();
    assert_eq!(moves.row.status, "solved");
    assert_eq!(moves.solution.as_deref(), Some("lrR"));
    let pushes = judge(&ended(Some(answer)));
    assert_eq!(pushes.row.status, "invalid");
    assert_eq!(
        pushes.row.detail,
        "cost Some(3), but the replay counts 1 pushes"
    );
}

#[test]
fn an_answer_that_fails_examination_is_invalid_and_leaves_no_solution() {
    let wrong = [
        (findings("l"), "after all 1 moves some box is not on a goal"),
        (findings("u"), "a wall is in the way"),
        (findings("x"), "'x' is no step"),
        (
            Findings {
                steps: None,
                ..findings("")
            },
            "solved, but without a solution",
        ),
        (
            Findings {
                status: "exhausted".to_owned(),
                ..findings("r")
            },
            "exhausted, but with a solution",
        ),
        (
            Findings {
                duplicates: 2,
                ..findings("r")
            },
            "generated = 3, but",
        ),
    ];
    for (answer, fault) in wrong {
        let FinishedRun { row, solution } = judge(&ended(Some(answer)));
        assert_eq!(row.status, "invalid");
        assert!(row.detail.contains(fault), "{}", row.detail);
        assert_eq!((solution, row.cost), (None, None));
    }
}

#[test]
fn over_the_limit_is_over_the_limit_even_with_a_solution() {
    let late = Findings {
        wall_s: 2.000_001,
        ..findings("r")
    };
    let FinishedRun { row, solution } = judge(&ended(Some(late)));
    assert_eq!(row.status, "time_limit");
    assert_eq!((solution, row.cost), (None, None));
    assert_eq!(row.wall_s, Some(2.000_001));

    let judge_with = |limits: RunLimits, answer: Findings| {
        let (run, level, row) = (run(Space::Pushes), level(), Row::default());
        let run = RunSpec { limits, ..run };
        let judge = Judge {
            run: &run,
            level: &level,
            row,
        };
        judge.judge(&ended(Some(answer))).expect("done")
    };
    let states = |states| RunLimits {
        states: Some(states),
        ..RunLimits::default()
    };
    let FinishedRun { row, solution } = judge_with(states(1), findings("r"));
    assert_eq!((row.status.as_str(), solution), ("state_limit", None));
    assert_eq!(judge_with(states(2), findings("r")).row.status, "solved");
    let memory = |bytes| RunLimits {
        memory_bytes: Some(bytes),
        ..RunLimits::default()
    };
    let over = judge_with(memory(4095), findings("r")).row;
    assert_eq!(over.status, "memory_limit");
    assert_eq!(judge_with(memory(4096), findings("r")).row.status, "solved");

    let asked_to_end = Account {
        over_time: true,
        ..ended(Some(findings("r")))
    };
    assert_eq!(judge(&asked_to_end).row.status, "time_limit");
}

#[test]
fn a_process_that_had_to_be_killed_is_a_time_limit_without_counts() {
    let killed = Account {
        over_time: true,
        ..killed_by(9)
    };
    let row = judge(&killed).row;
    assert_eq!(row.status, "time_limit");
    assert_eq!(
        row.detail,
        "did not end by itself: killed by signal 9 after 1.0 s"
    );
    assert_eq!((row.generated, row.wall_s), (None, None));
    assert_eq!((row.cpu_user_s, row.cpu_sys_s), (Some(7.0), Some(8.0)));
    assert_eq!(row.peak_rss_bytes, Some(8192));
    assert_eq!(row.rss_method, "wait4");
}

#[test]
fn a_process_that_died_is_a_crash_with_its_last_words() {
    let row = judge(&killed_by(9)).row;
    assert_eq!(row.status, "crashed");
    assert_eq!(row.detail, "killed by signal 9, without a word");

    let panicked = Account {
        exit_code: Some(101),
        stderr_tail: "thread 'main' panicked".to_owned(),
        ..ended(Some(findings("r")))
    };
    let row = judge(&panicked).row;
    assert_eq!(row.status, "crashed");
    assert_eq!(row.detail, "exit code 101: thread 'main' panicked");

    let babbling = Account {
        stdout: "hello".to_owned(),
        ..ended(None)
    };
    assert_eq!(judge(&babbling).row.status, "crashed");
}

#[test]
fn a_refused_allocation_is_a_memory_limit() {
    let refused = Account {
        stderr_tail: "memory allocation of 4294967296 bytes failed".to_owned(),
        ..killed_by(6)
    };
    assert_eq!(judge(&refused).row.status, "memory_limit");
}

#[test]
fn what_was_ended_before_it_was_done_is_still_to_be_done() {
    let cancelled = Findings {
        status: "cancelled".to_owned(),
        cost: None,
        steps: None,
        ..findings("")
    };
    assert_eq!(judge_in(Space::Pushes, &ended(Some(cancelled))), None);
}

#[test]
fn a_configuration_that_cannot_run_says_why() {
    let report = Report {
        unsupported: Some("2000 floor cells".to_owned()),
        findings: None,
        peak_rss_bytes: None,
    };
    let account = Account {
        stdout: toml::to_string(&report).unwrap(),
        ..ended(None)
    };
    let row = judge(&account).row;
    assert_eq!(row.status, "unsupported");
    assert_eq!(row.detail, "2000 floor cells");
    assert_eq!(row.rss_method, "wait4");
}
