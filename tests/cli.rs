//! The binary as a user runs it: help, exit codes, where output goes, and messages for the usual mistakes.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Two pushes to the right; the walk there is free in the space of pushes.
const EASY: &str = "#######\n#@$ . #\n#######\n";

/// A folder with level files, in which commands are run.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn run(&self, words: &[&str]) -> Ended {
        run_in(self.0.path(), words)
    }
}

/// What a command left behind.
struct Ended {
    code: i32,
    out: String,
    talk: String,
}

fn run_in(folder: &Path, words: &[&str]) -> Ended {
    let output = Command::cargo_bin("sokolab")
        .unwrap()
        .args(words)
        .current_dir(folder)
        .output()
        .unwrap();
    Ended {
        code: output.status.code().expect("not killed"),
        out: String::from_utf8(output.stdout).unwrap(),
        talk: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Names of all subcommands, from the help itself.
fn subcommands(folder: &Folder) -> Vec<String> {
    let help = folder.run(&["-h"]).out;
    let commands = help.split_once("Commands:\n").unwrap().1;
    let commands = commands.split_once("\n\n").unwrap().0;
    let names = commands.lines().filter_map(|line| {
        let line = line.strip_prefix("  ")?;
        (!line.starts_with(' ')).then(|| line.split(' ').next().unwrap().to_owned())
    });
    names.filter(|name| name != "help").collect()
}

#[test]
fn every_subcommand_has_help_on_standard_output() {
    let folder = Folder::new();
    let commands = subcommands(&folder);
    for needed in [
        "run", "plan", "status", "resume", "collect", "solve", "report", "verify", "check", "show",
        "compare", "diff", "doctor",
    ] {
        assert!(commands.iter().any(|name| name == needed), "{commands:?}");
    }
    for name in commands {
        let help = folder.run(&[&name, "--help"]);
        assert_eq!((help.code, help.talk.as_str()), (0, ""), "{name}");
        assert!(help.out.contains("Usage: sokolab"), "{name}: {}", help.out);
    }
}

#[test]
fn the_worker_is_not_offered() {
    let folder = Folder::new();
    assert!(!folder.run(&["--help"]).out.contains("__worker"));
}

#[test]
fn no_subcommand_and_a_misspelt_one_are_usage_errors() {
    let folder = Folder::new();
    let nothing = folder.run(&[]);
    assert_eq!((nothing.code, nothing.out.as_str()), (2, ""));
    let misspelt = folder.run(&["slove", "a.xsb"]);
    assert_eq!(misspelt.code, 2);
    assert!(misspelt.talk.contains("'solve'"), "{}", misspelt.talk);
}

#[test]
fn a_solution_goes_to_standard_output_and_figures_do_not() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    let ended = folder.run(&["solve", "a.xsb#1"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "RR\n"),
        "{}",
        ended.talk
    );
    assert!(
        ended
            .talk
            .starts_with("a.xsb#1: solved in 2 moves, 2 pushes")
    );
    let next = ended.talk.lines().last().unwrap();
    let words: Vec<&str> = next
        .strip_prefix("next: sokolab ")
        .unwrap()
        .split(' ')
        .collect();
    let shown = folder.run(&words);
    assert_eq!(shown.code, 0, "{}", shown.talk);
    assert!(
        shown.out.contains("2 moves, 2 pushes: solved"),
        "{}",
        shown.out
    );
}

#[test]
fn several_solutions_are_told_apart() {
    let folder = Folder::new();
    folder.file("a.xsb", format!("{EASY}\n{EASY}"));
    assert_eq!(folder.run(&["solve", "a.xsb"]).out, "; 1\nRR\n; 2\nRR\n");
}

#[test]
fn a_census_prints_no_solution() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    let ended = folder.run(&["solve", "a.xsb", "--goal", "census", "--pruning", "none"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, ""));
    // The box on each of four squares, the player to its left: 4 positions, the start included.
    assert!(
        ended.talk.contains("states visited               4\n"),
        "{}",
        ended.talk
    );
}

#[test]
fn a_limit_that_is_met_is_told_by_the_exit_code() {
    let folder = Folder::new();
    // Eight boxes in an open hall without walls to prune by: far more positions than a megabyte holds.
    let row = "#            #\n";
    let boxes = "#  $ $ $ $   #\n";
    let goals = "#  . . . .   #\n";
    let edge = "##############\n";
    let hall = [
        edge,
        row,
        boxes,
        row,
        boxes,
        row,
        goals,
        row,
        goals,
        "# @          #\n",
        edge,
    ];
    folder.file("hall.xsb", hall.concat());
    let words = [
        "solve",
        "hall.xsb",
        "--strategy",
        "bfs",
        "--pruning",
        "none",
    ];
    let memory = folder.run(&[&words[..], &["--memory-limit", "1MiB"]].concat());
    assert_eq!(
        (memory.code, memory.out.as_str()),
        (106, ""),
        "{}",
        memory.talk
    );
    assert!(memory.talk.contains("memory limit"), "{}", memory.talk);
    let time = folder.run(&[&words[..], &["--time-limit", "1ms"]].concat());
    assert_eq!((time.code, time.out.as_str()), (106, ""), "{}", time.talk);
    assert!(time.talk.contains("time limit"), "{}", time.talk);
}

/// An experiment without fault.
const GOOD: &str = "[experiment]\nname = \"x\"\nquestion = \"Which?\"\n\n[[levels]]\nfile = \"a.xsb\"\n\n\
[[matrix]]\nspace = [\"pushes\"]\nstrategy = [\"bfs\"]\npruning = [\"none\"]\n";

/// Words of a command, its exit code, and what its message has to say.
const MISTAKES: [(&str, i32, &str); 36] = [
    ("solve b.xsb", 2, "b.xsb: no such file"),
    (
        "solve a.xsb#2",
        2,
        "a.xsb#2: there is no level 2; expected 1 to 1",
    ),
    ("solve a.xsb#x", 2, "neither a number nor a range"),
    ("solve empty.xsb", 4, "sokolab check empty.xsb"),
    ("solve binary.xsb", 4, "sokolab check binary.xsb"),
    ("solve unfair.xsb", 2, "boxes: 1, goals: 0"),
    ("solve a.xsb --strategy bsf", 2, "did you mean \"bfs\"?"),
    ("solve a.xsb --threads 0", 2, "expected 1 to 1024"),
    ("solve a.xsb --threads -1", 2, "invalid value '-1'"),
    (
        "solve a.xsb --threads 2 --threading sequential",
        2,
        "choose shared or actors",
    ),
    (
        "solve a.xsb --strategy dfs --threading layered",
        2,
        "takes strategy = \"bfs\" only",
    ),
    ("solve a.xsb --time-limit 60", 2, "\"60s\""),
    ("check unfair.xsb", 2, "sokolab check unfair.xsb"),
    (
        "show a.xsb --replay RRRR",
        2,
        "step 4 (Right, from column 5, row 2) is not legal",
    ),
    ("report nowhere", 2, "nowhere"),
    ("run no.toml", 2, "no.toml"),
    ("plan wrong.toml", 2, "did you mean \"experiment\"?"),
    ("run wrong.toml", 2, "wrong.toml:1:"),
    ("status nowhere", 2, "nowhere"),
    ("resume nowhere", 2, "nowhere"),
    ("collect nowhere", 2, "nowhere"),
    ("compare nowhere --vary pruning", 2, "nowhere"),
    ("compare nowhere --vary prunin", 2, "'pruning'"),
    ("diff nowhere nowhere", 2, "nowhere"),
    ("doctor --fast", 2, "Usage: sokolab doctor"),
    ("verify nowhere", 2, "nowhere"),
    ("verify a.xsb", 2, "sokolab verify a.xsb --solution FILE"),
    ("check folder", 2, "folder is a directory"),
    ("solve folder", 2, "folder is a directory"),
    ("run folder", 2, "folder is a directory"),
    ("run a.xsb", 2, "a.xsb is a level file"),
    ("plan one.toml", 2, "[[levels]] with two brackets"),
    ("plan twice.toml", 2, "name each value once"),
    ("run good.toml --out a.xsb", 2, "a.xsb is a file"),
    (
        "run good.toml --out folder",
        2,
        "holds no results of sokolab (there is \"notes.txt\")",
    ),
    ("verify a.xsb --solution no.lurd", 2, "no.lurd"),
];

#[test]
fn usual_mistakes_are_answered_with_what_to_do() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    folder.file("unfair.xsb", "#####\n#@$ #\n#####\n");
    folder.file("binary.xsb", [0, 255, 1, 2, 254]);
    folder.file("empty.xsb", "");
    fs::create_dir(folder.0.path().join("folder")).unwrap();
    folder.file("folder/notes.txt", "mine");
    folder.file("good.toml", GOOD);
    let [one, twice] = [("[[levels]]", "[levels]"), ("\"bfs\"", "\"bfs\", \"bfs\"")];
    folder.file("one.toml", GOOD.replace(one.0, one.1));
    folder.file("twice.toml", GOOD.replace(twice.0, twice.1));
    folder.file("wrong.toml", "[experimnt]\nname = \"x\"\n");
    for (words, code, message) in MISTAKES {
        let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(ended.code, code, "{words:?}: {}", ended.talk);
        assert!(ended.talk.contains(message), "{words:?}: {}", ended.talk);
        assert!(
            !ended.talk.contains("panicked"),
            "{words:?}: {}",
            ended.talk
        );
    }
}

#[test]
fn a_solution_is_verified_and_a_false_one_is_a_wrong_answer() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    for (lurd, code) in [("RR\n", 0), ("R\n", 101), ("RRRR\n", 101), ("uu\n", 101)] {
        folder.file("a.lurd", lurd);
        let ended = folder.run(&["verify", "a.xsb#1", "--solution", "a.lurd"]);
        assert_eq!(ended.code, code, "{lurd}: {} {}", ended.out, ended.talk);
    }
}

#[test]
fn every_command_that_ends_well_names_the_next() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    for words in [
        &["solve", "a.xsb"][..],
        &["check", "a.xsb"],
        &["show", "a.xsb"],
    ] {
        let ended = folder.run(words);
        assert_eq!(ended.code, 0, "{words:?}: {}", ended.talk);
        let next = ended.talk.lines().last().unwrap_or_default();
        assert!(
            next.starts_with("next: sokolab "),
            "{words:?}: {}",
            ended.talk
        );
    }
}

#[test]
fn colour_only_on_a_terminal_or_on_demand() {
    let folder = Folder::new();
    folder.file("a.xsb", EASY);
    assert!(!folder.run(&["show", "a.xsb"]).out.contains('\x1b'));
    assert!(
        folder
            .run(&["show", "a.xsb", "--color", "always"])
            .out
            .contains('\x1b')
    );
}
