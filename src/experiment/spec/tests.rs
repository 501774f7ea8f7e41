//! What is accepted, and what it becomes. Refusals are in [`refusals`].

mod messages;
mod refusals;

use std::fs;

use tempfile::TempDir;

use super::*;
use crate::experiment::configuration::{Space, Table};
use crate::parallel::Threading;
use crate::search::Goal;
use crate::search::Strategy;
use crate::sokoban::heuristic::HeuristicKind;
use crate::sokoban::pruning::PruningLevel;

/// Three levels: two that can be played, and one without a player.
const LEVELS: &str =
    "; one\n#####\n#@$.#\n#####\n\n; two\n######\n#@ $.#\n######\n\n; three\n#####\n# $.#\n#####\n";

/// An experiment that has every key once, one a line.
const FULL: &str = r#"[experiment]
name = "full"
question = "Why?"
hypothesis = "Because."
repetitions = 3
seed = 7
goal = "census"
time_limit = "60s"
memory_limit = "4GiB"
state_limit = 10_000_000
warm_ups = 2
pin = true

[[levels]]
file = "levels/a.xsb"
select = "1-2"

[[matrix]]
space = ["pushes"]
strategy = ["dfs", "greedy"]
heuristic = ["manhattan"]
pruning = ["none", "corner"]
threading = ["sequential", "shared"]
threads = [1, 2]
table = ["auto"]

[[exclude]]
space = "pushes"
strategy = ["dfs", "greedy"]
heuristic = "manhattan"
pruning = "none"
threading = "shared"
threads = 1
table = ["auto", "hash"]

[[exclude]]
threading = "sequential"
threads = 2
"#;

/// A folder with `levels/a.xsb`.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("levels")).unwrap();
    fs::write(folder.path().join("levels/a.xsb"), LEVELS).unwrap();
    folder
}

fn parse(text: &str) -> Result<Spec, SpecError> {
    let folder = folder();
    Spec::parse(text, "e.toml", &[folder.path().to_owned()])
}

/// An experiment on the first level with the rest of its tables.
fn with_matrix(tables: &str) -> Result<Spec, SpecError> {
    parse(&format!(
        "[experiment]\nname = \"x\"\nquestion = \"?\"\n[[levels]]\nfile = \"levels/a.xsb\"\nselect = \"1\"\n{tables}"
    ))
}

/// A `[[matrix]]` of pushes without pruning.
fn matrix(keys: &str) -> String {
    format!("[[matrix]]\nspace = [\"pushes\"]\npruning = [\"none\"]\n{keys}\n")
}

fn texts(spec: &Spec) -> Vec<String> {
    spec.configurations
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn every_key_reaches_the_spec() {
    let spec = parse(FULL).unwrap();
    assert_eq!(spec.header.name, "full");
    assert_eq!(spec.header.question, "Why?");
    assert_eq!(spec.header.hypothesis.as_deref(), Some("Because."));
    assert_eq!((spec.header.repetitions, spec.header.seed), (3, 7));
    assert_eq!(spec.header.goal, Goal::Census);
    let limits = RunLimits {
        time: Some(Duration::from_secs(60)),
        memory_bytes: Some(4 << 30),
        states: Some(10_000_000),
    };
    assert_eq!(spec.header.limits, limits);
    assert_eq!(spec.text, FULL);
    let numbers: Vec<usize> = spec.levels.iter().map(|level| level.number).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(spec.levels[0].file, "levels/a.xsb");
    assert_eq!(spec.levels[1].level.to_xsb(), "######\n#@ $.#\n######\n");
    // By hand: 2 x 2 x 2 x 2 combinations, 4 of them sequential with 2 threads, and one that the first
    // exclusion matches: greedy (dfs has no heuristic), none, shared, 1.
    assert_eq!(
        texts(&spec),
        [
            "pushes dfs - none sequential 1 auto",
            "pushes dfs - none shared 1 auto",
            "pushes dfs - none shared 2 auto",
            "pushes dfs - corner sequential 1 auto",
            "pushes dfs - corner shared 1 auto",
            "pushes dfs - corner shared 2 auto",
            "pushes greedy manhattan none sequential 1 auto",
            "pushes greedy manhattan none shared 2 auto",
            "pushes greedy manhattan corner sequential 1 auto",
            "pushes greedy manhattan corner shared 1 auto",
            "pushes greedy manhattan corner shared 2 auto",
        ]
    );
}

#[test]
fn what_is_left_out_has_its_documented_default() {
    let text =
        "[experiment]\nname = \"x\"\nquestion = \"?\"\n[[levels]]\nfile = \"levels/b.xsb\"\n";
    let folder = folder();
    fs::write(folder.path().join("levels/b.xsb"), "#####\n#@$.#\n#####\n").unwrap();
    let text = format!("{text}{}", matrix("strategy = [\"bfs\"]"));
    let spec = Spec::parse(&text, "e.toml", &[folder.path().to_owned()]).unwrap();
    assert_eq!(spec.header.hypothesis, None);
    assert_eq!((spec.header.repetitions, spec.header.seed), (1, 1));
    assert_eq!(spec.header.goal, Goal::Solve);
    assert_eq!(spec.header.limits, RunLimits::default());
    assert_eq!(spec.levels.len(), 1);
    assert_eq!(
        spec.configurations,
        [Configuration {
            space: Space::Pushes,
            strategy: Strategy::Bfs,
            heuristic: None,
            pruning: PruningLevel::None,
            threading: Threading::Sequential,
            threads: 1,
            table: Table::Hash,
        }]
    );
}

#[test]
fn a_heuristic_multiplies_only_strategies_that_use_it() {
    let keys = "strategy = [\"dfs\", \"bfs\", \"greedy\", \"astar\"]\nheuristic = [\"manhattan\"]";
    let spec = with_matrix(&matrix(keys)).unwrap();
    let heuristics: Vec<_> = spec
        .configurations
        .iter()
        .map(|one| one.heuristic)
        .collect();
    let manhattan = Some(HeuristicKind::Manhattan);
    assert_eq!(heuristics, [None, None, manhattan, manhattan]);
}

#[test]
fn combinations_that_several_blocks_name_are_run_once() {
    let tables = matrix("strategy = [\"dfs\", \"bfs\"]") + &matrix("strategy = [\"bfs\"]");
    let spec = with_matrix(&tables).unwrap();
    assert_eq!(
        texts(&spec),
        [
            "pushes dfs - none sequential 1 hash",
            "pushes bfs - none sequential 1 hash"
        ]
    );
}

#[test]
fn a_value_that_a_list_names_twice_is_refused() {
    for keys in [
        "strategy = [\"dfs\", \"bfs\", \"dfs\"]",
        "strategy = [\"bfs\"]\nthreading = [\"shared\"]\nthreads = [1, 2, 1]",
    ] {
        let message = with_matrix(&matrix(keys)).unwrap_err().to_string();
        assert!(message.ends_with("name each value once"), "{message}");
    }
}

#[test]
fn an_exclusion_of_a_heuristic_spares_strategies_without_one() {
    let keys = "strategy = [\"dfs\", \"greedy\"]\nheuristic = [\"manhattan\"]";
    let exclude = "[[exclude]]\nheuristic = \"manhattan\"\n";
    let spec = with_matrix(&(matrix(keys) + exclude)).unwrap();
    assert_eq!(texts(&spec), ["pushes dfs - none sequential 1 hash"]);
}

#[test]
fn level_files_are_looked_up_beside_the_file_then_above_it() {
    let root = folder();
    let experiments = root.path().join("experiments");
    fs::create_dir(&experiments).unwrap();
    let file = experiments.join("e.toml");
    fs::write(&file, FULL).unwrap();
    let above = Spec::read(&file).unwrap();
    assert!(above.levels[0].path.starts_with(root.path()));
    assert_eq!(above.levels[0].level.width, 5);

    fs::create_dir(experiments.join("levels")).unwrap();
    let wide = "########\n#@  $ .#\n########\n\n#####\n#@$.#\n#####\n";
    fs::write(experiments.join("levels/a.xsb"), wide).unwrap();
    let beside = Spec::read(&file).unwrap();
    assert_eq!(beside.levels[0].level.width, 8);
}

#[test]
fn the_last_folder_searched_is_the_working_directory() {
    let folders = base_folders(Path::new("/a/b/c.toml"));
    let working = std::env::current_dir().unwrap();
    assert_eq!(
        folders,
        [PathBuf::from("/a/b"), PathBuf::from("/a"), working]
    );
}

#[test]
fn limits_reach_the_search() {
    let limits = RunLimits {
        time: Some(Duration::from_secs(1)),
        memory_bytes: Some(2),
        states: Some(3),
    };
    let cancel = CancelToken::default();
    let search = limits.for_search(cancel.clone());
    assert_eq!(search.time, limits.time);
    assert_eq!((search.memory_bytes, search.states), (Some(2), Some(3)));
    cancel.cancel();
    assert!(search.cancel.is_cancelled());
}

#[test]
fn the_quickstart_runs_every_model_on_every_pruning_level() {
    let folder = folder();
    let text = include_str!("../../../experiments/quickstart.toml");
    // Whichever levels the file holds: the matrix is what is looked at here.
    let text = text
        .replace("levels/quickstart.xsb", "levels/a.xsb")
        .replace("\"all\"", "\"1\"");
    let spec = Spec::parse(&text, "quickstart.toml", &[folder.path().to_owned()]).unwrap();
    // 3 x 4 sequential, 3 x 4 x 2 x 2 shared and actors, 4 x 2 layered.
    assert_eq!(spec.configurations.len(), 12 + 48 + 8);
}
