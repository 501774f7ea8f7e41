//! Typical mistakes, with the whole message as its reader sees it.

use super::*;

fn message(old: &str, new: &str) -> String {
    assert_eq!(FULL.matches(old).count(), 1, "{old}");
    parse(&FULL.replace(old, new)).unwrap_err().to_string()
}

#[test]
fn a_misspelt_key() {
    assert_eq!(
        message("pruning = [\"none\", \"corner\"]", "prunning = [\"none\"]"),
        "e.toml:22:1: matrix.prunning: unknown key in [[matrix]]; expected space, strategy, heuristic, \
         pruning, threading, threads, table; did you mean \"pruning\"?"
    );
}

#[test]
fn a_misspelt_value() {
    assert_eq!(
        message(
            "[\"sequential\", \"shared\"]",
            "[\"sequential\", \"sharde\"]"
        ),
        "e.toml:23:28: matrix.threading: \"sharde\" is not allowed; expected one of \"sequential\", \
         \"shared\", \"actors\", \"layered\"; did you mean \"shared\"?"
    );
}

#[test]
fn a_number_without_unit() {
    assert_eq!(
        message("\"60s\"", "60"),
        "e.toml:8:14: experiment.time_limit: found the integer 60; expected a duration such as \"500ms\", \
         \"60s\", \"2m\" or \"1h\""
    );
    assert_eq!(
        message("\"4GiB\"", "\"4GB\""),
        "e.toml:9:16: experiment.memory_limit: \"4GB\" has the unknown unit \"GB\"; expected one of B, KiB, \
         MiB, GiB, TiB; did you mean \"4GiB\"?"
    );
}

#[test]
fn an_impossible_combination() {
    assert_eq!(
        message(
            "\n[[exclude]]\nthreading = \"sequential\"\nthreads = 2\n",
            ""
        ),
        "e.toml:23:13: matrix.threading: threading = \"sequential\" runs on one thread, not 2; set threads = 1, \
         or choose shared or actors; or exclude such combinations with\n\n[[exclude]]\nthreading = \
         \"sequential\"\nthreads = 2"
    );
}

#[test]
fn a_strategy_without_its_heuristic() {
    assert_eq!(
        message("\nheuristic = [\"manhattan\"]\n", "\n"),
        "e.toml:20:20: matrix.strategy: \"greedy\" orders states by a heuristic, and none is named; add \
         heuristic = [\"manhattan\"]"
    );
}

#[test]
fn a_level_that_does_not_exist_or_cannot_be_played() {
    assert_eq!(
        message("\"1-2\"", "\"1-4\""),
        "e.toml:16:10: levels.select: there is no level 4; expected 1 to 3"
    );
    let message = message("\"1-2\"", "\"1-3\"");
    let (before, after) = message.split_once("/").unwrap();
    assert_eq!(
        before,
        "e.toml:16:10: levels.select: level 3: 0 players; expected exactly one '@' or '+'; leave the level \
         out of the selection, or mend it: `sokolab check "
    );
    assert!(after.ends_with("levels/a.xsb` lists every finding"));
}

#[test]
fn a_level_file_that_is_not_there() {
    let text = FULL.replace("levels/a.xsb", "levels/b.xsb");
    let folders = [
        PathBuf::from("/nowhere/experiments"),
        PathBuf::from("/nowhere"),
    ];
    assert_eq!(
        Spec::parse(&text, "e.toml", &folders)
            .unwrap_err()
            .to_string(),
        "e.toml:15:8: levels.file: no such file; looked for /nowhere/experiments/levels/b.xsb, \
         /nowhere/levels/b.xsb"
    );
}

#[test]
fn a_slip_in_the_syntax() {
    assert_eq!(
        message("seed = 7", "seed = "),
        "e.toml:6:8: not valid TOML: string values must be quoted, expected literal string"
    );
}

#[test]
fn a_bitmap_where_none_can_serve() {
    let bitmap = "table = [\"hash\", \"bitmap\"]";
    let told = |keys: &str| {
        let text = format!("[[matrix]]\npruning = [\"none\"]\n{keys}\n{bitmap}\n");
        with_matrix(&text).unwrap_err().to_string()
    };
    assert_eq!(
        told("space = [\"moves\", \"pushes\"]\nstrategy = [\"bfs\"]"),
        "e.toml:11:9: matrix.table: table = \"bitmap\" has a bit for each cell of the player and so takes \
         space = \"moves\" only, not \"pushes\"; choose table = \"hash\"; or exclude such combinations \
         with\n\n[[exclude]]\ntable = \"bitmap\"\nspace = \"pushes\""
    );
    assert_eq!(
        told("space = [\"moves\"]\nstrategy = [\"dfs\", \"bfs\"]"),
        "e.toml:11:9: matrix.table: table = \"bitmap\" holds whole layers and so takes strategy = \"bfs\" \
         only, not \"dfs\"; choose table = \"hash\"; or exclude such combinations with\n\n[[exclude]]\n\
         table = \"bitmap\"\nstrategy = \"dfs\""
    );
    assert_eq!(
        told(
            "space = [\"moves\"]\nstrategy = [\"bfs\"]\nthreading = [\"shared\", \"actors\", \"layered\"]"
        ),
        "e.toml:12:9: matrix.table: table = \"bitmap\" takes threading = \"sequential\" or \"layered\", not \
         \"shared\"; choose table = \"hash\"; or exclude such combinations with\n\n[[exclude]]\ntable = \
         \"bitmap\"\nthreading = [\"shared\", \"actors\"]"
    );
}
