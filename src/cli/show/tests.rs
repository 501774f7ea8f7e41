use super::*;
use crate::sokoban::collection;

/// What `show` prints for a text with these options.
fn show(text: &str, change: impl FnOnce(&mut Args)) -> Result<String, String> {
    let collection = collection::parse(text.as_bytes(), "a.xsb");
    let numbers = (1..=collection.levels.len()).collect();
    let selected = SelectedLevels {
        collection,
        numbers,
    };
    let mut args = Args {
        levels: "a.xsb".parse().unwrap(),
        dead: false,
        replay: None,
        frames: false,
        color: Color::Never,
    };
    change(&mut args);
    shown(&args, &selected, false).map_err(|failure| failure.message)
}

fn replay(text: &str, lurd: &str) -> Result<String, String> {
    show(text, |args| args.replay = Some(lurd.to_owned()))
}

const LEVEL: &str = "#######\n#@ $ .#\n#     #\n#######\nTitle: Short\nAuthor: Me\nSolution: 3r\n";

#[test]
fn a_board_is_shown_with_its_names() {
    assert_eq!(
        show(LEVEL, |_| ()).unwrap(),
        "; 1 Short, by Me\n#######\n#@ $ .#\n#     #\n#######\n"
    );
}

#[test]
fn a_title_that_is_the_number_is_not_repeated() {
    let shown = show("; 1\n####\n#@*#\n####\n", |_| ()).unwrap();
    assert_eq!(shown, "; 1\n####\n#@*#\n####\n");
}

#[test]
fn dead_squares_are_marked() {
    assert_eq!(
        show(LEVEL, |args| args.dead = true).unwrap(),
        "; 1 Short, by Me\n; 6 of 10 floor squares are dead (x)\n#######\n#@ $ .#\n#xxxxx#\n#######\n"
    );
}

#[test]
fn a_replay_ends_where_its_steps_lead() {
    assert_eq!(
        replay(LEVEL, "rRd").unwrap(),
        "; 1 Short, by Me\n; 3 moves, 1 pushes: not solved\n\
         #######\n#   $.#\n#  @  #\n#######\nSolution: rRd\n"
    );
    let solved = replay(LEVEL, "recorded").unwrap();
    assert!(
        solved.contains("; 3 moves, 2 pushes: solved\n#######\n#   @*#\n"),
        "{solved}"
    );
    assert!(solved.ends_with("Solution: rRR\n"), "{solved}");
}

#[test]
fn frames_show_every_step() {
    let shown = show("#####\n#@$.#\n#####\n", |args| {
        args.replay = Some("R".to_owned());
        args.frames = true;
    });
    assert_eq!(
        shown.unwrap(),
        "; 1\n#####\n#@$.#\n#####\n; 1 R\n#####\n# @*#\n#####\n; 1 moves, 1 pushes: solved\nSolution: R\n"
    );
}

#[test]
fn a_blocked_step_is_named() {
    assert_eq!(
        replay(LEVEL, "ru").unwrap_err(),
        "step 2 (Up, from column 3, row 2) is not legal: a wall is in the way; expected a free square"
    );
    assert_eq!(
        replay(LEVEL, "4r").unwrap_err(),
        "step 4 (Right, from column 5, row 2) is not legal: a wall is behind the box; expected a free square"
    );
}

#[test]
fn a_replay_needs_lurd_and_one_level() {
    let error = replay(LEVEL, "no-such-file").unwrap_err();
    assert!(
        error.starts_with("--replay: LURD, line 1, column 1: 'n' is no step"),
        "{error}"
    );
    let error = replay(&format!("{LEVEL}\n{LEVEL}"), "r").unwrap_err();
    assert!(error.contains("2 are selected"), "{error}");
    let error = replay("#####\n#@$.#\n#####\n", "recorded").unwrap_err();
    assert!(error.contains("no recorded solution"), "{error}");
}

#[test]
fn a_replay_may_be_in_a_file() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "2r\nr\n").unwrap();
    let path = file.path().display().to_string();
    assert!(replay(LEVEL, &path).unwrap().contains("2 pushes: solved"));
}

#[test]
fn a_broken_level_is_shown_but_not_replayed() {
    let text = "#####\n#@x.#\n#####\n";
    assert_eq!(show(text, |_| ()).unwrap(), "; 1\n#####\n#@ .#\n#####\n");
    let error = replay(text, "r").unwrap_err();
    assert!(
        error.starts_with("a.xsb:2:3: error: level 1: illegal character 'x'"),
        "{error}"
    );
    let error = show("#####\n#@ .#\n#####\n", |args| args.dead = true).unwrap_err();
    assert!(error.contains("`sokolab check a.xsb#1`"), "{error}");
}

#[test]
fn colour_wraps_symbols_and_nothing_else() {
    let collection = collection::parse(b"####\n#@*#\n####\n", "a");
    let picture = Picture::new(&collection.levels[0], true).start();
    assert!(
        picture.contains("\x1b[1;36m@\x1b[0m\x1b[32m*\x1b[0m"),
        "{picture:?}"
    );
}
