//! Proves the figures of `levels/optima.csv` with the brute-force oracle, and writes the file anew:
//!
//!     cargo run --release --example prove_optima
//!
//! The solver has no part in it. A figure whose proof would need more positions than the limits below
//! stays empty. It takes a few minutes and less than 400 MB of memory.

use std::error::Error;
use std::path::Path;

use sokolab::sokoban::{Board, Level, collection};
use sokolab::validate::{Census, CostSpace, Optimum, OracleError, census, optimum};

/// The project's level files, in the order of the table.
const FILES: [&str; 3] = ["quickstart.xsb", "ladder.xsb", "deadlocks.xsb"];

/// Columns of the table.
const COLUMNS: [&str; 10] = [
    "file",
    "number",
    "title",
    "boxes",
    "floor",
    "push_states",
    "move_states",
    "push_optimal",
    "move_optimal",
    "solvable",
];

/// Most positions looked at in the space of pushes: enough for every level of the project.
const PUSH_LIMIT: u64 = 4_000_000;

/// Most positions looked at in the space of moves.
const MOVE_LIMIT: u64 = 3_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("levels");
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    for file in FILES {
        let collection = collection::read(directory.join(file))?;
        for number in 1..=collection.levels.len() {
            let row = row(file, collection.level(number)?)?;
            eprintln!("{}", row.join(","));
            rows.push(row);
        }
    }
    let mut table = csv::Writer::from_path(directory.join("optima.csv"))?;
    for row in rows {
        table.write_record(row)?;
    }
    table.flush()?;
    Ok(())
}

/// One line of the table, in the order of [`COLUMNS`].
fn row(file: &str, level: &Level) -> Result<[String; 10], Box<dyn Error>> {
    let board = Board::new(level)?;
    let push_optimum = optimum(level, CostSpace::Pushes, PUSH_LIMIT)?;
    let move_optimum = optimum(level, CostSpace::Moves, MOVE_LIMIT)?;
    Ok([
        file.to_owned(),
        level.number.to_string(),
        level.title.clone().unwrap_or_default(),
        board.initial_boxes().len().to_string(),
        board.floor().to_string(),
        states(census(level, CostSpace::Pushes, PUSH_LIMIT))?,
        states(census(level, CostSpace::Moves, MOVE_LIMIT))?,
        cost(push_optimum),
        cost(move_optimum),
        solvable([push_optimum, move_optimum]).to_owned(),
    ])
}

/// The number of positions, or nothing if they are too many.
fn states(census: Result<Census, OracleError>) -> Result<String, OracleError> {
    match census {
        Ok(census) => Ok(census.states.to_string()),
        Err(OracleError::TooLarge { .. }) => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// The cost of a solution, or nothing if there is none or none is known.
fn cost(optimum: Optimum) -> String {
    match optimum {
        Optimum::Solved(cost) => cost.to_string(),
        Optimum::Unsolvable | Optimum::TooLarge => String::new(),
    }
}

/// What is proved: one space suffices, since a level has a solution in both or in neither.
fn solvable(optima: [Optimum; 2]) -> &'static str {
    let found = |wanted: fn(&Optimum) -> bool| optima.iter().any(wanted);
    if found(|optimum| matches!(optimum, Optimum::Solved(_))) {
        "true"
    } else if found(|optimum| matches!(optimum, Optimum::Unsolvable)) {
        "false"
    } else {
        ""
    }
}
