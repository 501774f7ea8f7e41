use super::*;
use crate::search::Counters;
use clap::Parser;

/// One push to the right solves it.
const ONE_PUSH: &[&str] = &["#####", "#@$.#", "#####"];
/// The box is in a corner for good.
const LOST: &[&str] = &["######", "#$ @.#", "######"];

#[derive(Debug, Parser)]
struct CommandLine {
    #[command(flatten)]
    args: Args,
}

fn args(words: &[&str]) -> Args {
    let words = ["solve", "a.xsb"].iter().chain(words);
    CommandLine::try_parse_from(words).unwrap().args
}

fn solved(rows: &[&str], words: &[&str]) -> Result<Solved, Failure> {
    Solved::new(&Level::from_rows(rows), "a.xsb#1", &args(words))
}

#[test]
fn a_solution_is_replayed_and_written_in_lurd() {
    for space in ["moves", "pushes"] {
        for strategy in STRATEGIES.names() {
            let words = ["--space", space, "--strategy", strategy];
            let solved = solved(ONE_PUSH, &words).unwrap();
            assert_eq!(solved.lurd.as_deref(), Some("R"), "{space} {strategy}");
            assert_eq!((solved.moves, solved.pushes), (1, 1));
        }
    }
}

#[test]
fn a_lost_level_is_proved_unsolvable() {
    let solved = solved(LOST, &["--pruning", "none"]).unwrap();
    assert_eq!(solved.answer.status, Status::Unsolvable);
    assert_eq!(solved.lurd, None);
    assert_eq!(next("a.xsb#1", &solved), "sokolab show a.xsb#1 --dead");
}

#[test]
fn an_unplayable_level_is_named() {
    let failure = solved(&["#####", "#@$ #", "#####"], &[]).unwrap_err();
    assert_eq!(failure.exit, Exit::Usage);
    assert!(failure.message.starts_with("a.xsb#1: boxes: 1, goals: 0"));
}

#[test]
fn an_impossible_configuration_says_what_to_do() {
    let words = ["--threads", "2", "--threading", "sequential"];
    let failure = solved(ONE_PUSH, &words).unwrap_err();
    assert_eq!(failure.exit, Exit::Usage);
    assert!(failure.message.contains("choose shared or actors"));
    let failure = solved(ONE_PUSH, &["--threads", "0"]).unwrap_err();
    assert!(failure.message.contains("expected 1 to 1024"));
}

#[test]
fn several_threads_share_unless_told_otherwise() {
    let threading = |words: &[&str]| args(words).configuration().threading;
    assert_eq!(threading(&[]), Threading::Sequential);
    assert_eq!(threading(&["--threads", "2"]), Threading::Shared);
    let actors = ["--threads", "2", "--threading", "actors"];
    assert_eq!(threading(&actors), Threading::Actors);
}

#[test]
fn a_strategy_without_estimate_records_none() {
    assert_eq!(args(&["--strategy", "bfs"]).configuration().heuristic, None);
    assert_eq!(
        args(&["--strategy", "greedy"]).configuration().heuristic,
        Some(HeuristicKind::Manhattan)
    );
}

#[test]
fn limits_reach_the_engine_in_base_units() {
    let limits = args(&["--time-limit", "500ms", "--memory-limit", "3MiB"]).limits();
    assert_eq!(limits.time, Some(Duration::from_millis(500)));
    assert_eq!(limits.memory_bytes, Some(3_145_728));
}

#[test]
fn a_misspelt_value_is_answered_with_what_was_meant() {
    let error = |words: [&str; 2]| {
        let words = ["solve", "a.xsb"].into_iter().chain(words);
        CommandLine::try_parse_from(words).unwrap_err().to_string()
    };
    for (words, meant) in [
        (["--space", "pushs"], "did you mean \"pushes\"?"),
        (["--strategy", "astr"], "did you mean \"astar\"?"),
        (["--heuristic", "manhatan"], "did you mean \"manhattan\"?"),
        (["--pruning", "forzen"], "did you mean \"frozen\"?"),
        (["--threading", "actor"], "did you mean \"actors\"?"),
        (["--goal", "sovle"], "did you mean \"solve\"?"),
        (["--memory-limit", "4GB"], "did you mean \"4GiB\"?"),
        (["--time-limit", "60sec"], "did you mean \"60s\"?"),
    ] {
        let error = error(words);
        assert!(error.contains(meant) && error.contains(words[0]), "{error}");
    }
}

/// The answer of a search that claims `steps`.
fn claim(steps: Vec<crate::sokoban::Direction>) -> Answer {
    Answer {
        status: Status::Solved,
        table: Table::Hash,
        table_reason: String::new(),
        cost: Some(1),
        steps: Some(steps),
        counters: Counters::new(0),
        rules: Vec::new(),
        frontier_peak: 0,
        table_bytes: 0,
        frontier_bytes: 0,
        wall: Duration::ZERO,
        workers: Vec::new(),
    }
}

#[test]
fn a_false_solution_is_a_wrong_answer() {
    use crate::sokoban::Direction::{Left, Right};
    let level = Level::from_rows(ONE_PUSH);
    for steps in [vec![], vec![Left], vec![Right, Right]] {
        let failure = Solved::replayed(&level, "a.xsb#1", claim(steps)).unwrap_err();
        assert_eq!(failure.exit, Exit::WrongAnswer, "{}", failure.message);
    }
    assert!(Solved::replayed(&level, "a.xsb#1", claim(vec![Right])).is_ok());
}

#[test]
fn figures_name_every_rule_with_its_count() {
    let mut answer = claim(Vec::new());
    answer.rules = vec!["corner", "edge"];
    answer.counters.pruned_by_rule = vec![12, 7];
    let (lurd, moves, pushes) = (Some("rR".to_owned()), 2, 1);
    let text = figures::text(
        "a.xsb#1",
        &Solved {
            answer,
            lurd,
            moves,
            pushes,
        },
    );
    assert!(
        text.starts_with("a.xsb#1: solved in 2 moves, 1 pushes, 0.000 s\n"),
        "{text}"
    );
    for line in [
        "  pruned by corner            12\n",
        "  pruned by edge               7\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
