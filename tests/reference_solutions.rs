//! The replay against the 1,011 solutions of the Debian package `cavepacker-data`: what its authors
//! played must be legal and must solve. Where the package is not installed, the test says SKIPPED on
//! standard error and passes.

use std::fs;
use std::path::{Path, PathBuf};

use sokolab::sokoban::collection;
use sokolab::sokoban::lurd;
use sokolab::validate::replay;

/// Where the package puts a `.sok` file for each level, with a `.sol` file beside it.
const MAPS: &str = "/usr/share/games/cavepacker/maps";

/// Solutions in the package.
const SOLUTIONS: usize = 1011;

fn solutions() -> Option<Vec<PathBuf>> {
    let Ok(entries) = fs::read_dir(MAPS) else {
        eprintln!("SKIPPED: {MAPS} does not exist; install the Debian package cavepacker-data");
        return None;
    };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sol"))
        .collect();
    files.sort();
    Some(files)
}

/// Why the solution does not solve its level, if it does not.
fn fault(solution: &Path) -> Option<String> {
    let maps = collection::read(solution.with_extension("sok")).unwrap();
    let steps = lurd::parse(&fs::read_to_string(solution).unwrap()).unwrap();
    match replay(maps.level(1).unwrap(), &steps) {
        Err(error) => Some(error.to_string()),
        Ok(replay) if !replay.solved => Some("ends unsolved".to_owned()),
        Ok(replay) => {
            assert_eq!(replay.moves, u64::try_from(steps.len()).unwrap());
            assert_eq!(lurd::parse(&replay.lurd).unwrap(), steps);
            None
        }
    }
}

#[test]
fn every_reference_solution_replays_to_solved() {
    let Some(files) = solutions() else {
        return;
    };
    assert_eq!(files.len(), SOLUTIONS);
    let faults: Vec<String> = files
        .iter()
        .filter_map(|file| Some(format!("{}: {}", file.display(), fault(file)?)))
        .collect();
    assert_eq!(faults, Vec::<String>::new());
}

/// A replay that accepts everything would pass the test above.
#[test]
fn no_reference_solution_solves_without_its_last_step() {
    for file in solutions().unwrap_or_default() {
        let maps = collection::read(file.with_extension("sok")).unwrap();
        let mut steps = lurd::parse(&fs::read_to_string(&file).unwrap()).unwrap();
        let level = maps.level(1).unwrap();
        let full = replay(level, &steps).unwrap();
        // A solution may walk on after its last push.
        let last_push = full.lurd.rfind(|letter: char| letter.is_ascii_uppercase());
        steps.truncate(last_push.unwrap());
        let cut = replay(level, &steps).unwrap();
        assert!(!cut.solved, "{}", file.display());
        assert_eq!(cut.pushes + 1, full.pushes, "{}", file.display());
    }
}
