//! Everyone who takes part: what it is called, on how many threads it runs, and what it counts.

mod concurrent_set;
mod hash_set;
mod java;
mod library;
mod model_checker;
mod sokolab;

use std::ffi::OsString;
use std::hash::RandomState;
use std::path::Path;

use rustc_hash::FxBuildHasher;

use crate::level::Level;
use crate::model::Model;
use crate::pushes;

/// What counts as one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// The boxes and the square of the player.
    Moves,
    /// The boxes and the region of the player.
    Pushes,
}

impl Space {
    /// The name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moves => "moves",
            Self::Pushes => "pushes",
        }
    }

    /// How many states a level has.
    pub const fn states_of(self, level: &Level) -> u64 {
        match self {
            Self::Moves => level.move_states,
            Self::Pushes => level.push_states,
        }
    }
}

/// A program that counts all states of a level.
#[derive(Debug, Clone)]
enum Program {
    /// On the model of this package: threads, model.
    Peer(fn(usize, &Model) -> u64),
    /// In a virtual machine of its own.
    Java,
    /// sokolab, on its own encoding of the level.
    Sokolab(sokolab::Choice),
}

/// One program on a number of threads.
#[derive(Debug, Clone)]
pub struct Contender {
    /// The name in tables and on the command line.
    pub name: String,
    /// What it counts.
    pub space: Space,
    /// Threads it is allowed.
    pub threads: usize,
    program: Program,
}

/// The name of the model checker, a base of ratios.
pub const STATERIGHT: &str = "stateright-bfs";
/// The name of the concurrent set.
pub const DASHSET: &str = "dashset-rayon";
/// The name of the framework in Java.
pub const JAVA: &str = "java-puzzle";
/// The name of the push-level reference, a base of ratios.
pub const PUSH_REFERENCE: &str = "push-reference";
/// How the names of the hand-written loops over a set begin.
pub const HASH_SET: &str = "hashset-";
/// How the names of sokolab's own begin.
pub const SOKOLAB: &str = "sokolab-";

/// Everyone, peers first.
pub fn all() -> Vec<Contender> {
    let own = sokolab::accepted().map(of_sokolab);
    peers().into_iter().chain(own).collect()
}

/// Everyone but sokolab.
fn peers() -> Vec<Contender> {
    let peer = |name: &str, space, threads, program| Contender {
        name: name.to_owned(),
        space,
        threads,
        program,
    };
    let moves = |name: &str, threads, run| peer(name, Space::Moves, threads, Program::Peer(run));
    let reference = Program::Peer(|_, model| pushes::census(model));
    let mut peers = vec![
        moves("pathfinding-bfs", 1, library::breadth_first),
        moves("pathfinding-dfs", 1, library::depth_first),
        moves("hashset-sip-bfs", 1, hash_set::breadth_first::<RandomState>),
        moves("hashset-sip-dfs", 1, hash_set::depth_first::<RandomState>),
        moves(
            "hashset-fx-bfs",
            1,
            hash_set::breadth_first::<FxBuildHasher>,
        ),
        moves("hashset-fx-dfs", 1, hash_set::depth_first::<FxBuildHasher>),
        peer(PUSH_REFERENCE, Space::Pushes, 1, reference),
    ];
    for threads in [1, 2] {
        peers.push(moves(STATERIGHT, threads, model_checker::breadth_first));
        peers.push(moves(DASHSET, threads, concurrent_set::layer_by_layer));
        peers.push(peer(JAVA, Space::Moves, threads, Program::Java));
    }
    peers
}

fn of_sokolab(choice: sokolab::Choice) -> Contender {
    Contender {
        name: format!("{SOKOLAB}{}", choice.name()),
        space: choice.space(),
        threads: choice.threads(),
        program: Program::Sokolab(choice),
    }
}

/// The contender with a name and a number of threads.
///
/// # Errors
/// If there is none.
pub fn find(name: &str, threads: usize) -> Result<Contender, String> {
    // Not `all`: asking sokolab what it accepts would warm up the process that is to be measured.
    let own = sokolab::combinations().into_iter().map(of_sokolab);
    let mut all = peers().into_iter().chain(own);
    let found = all.find(|contender| contender.name == name && contender.threads == threads);
    found.ok_or_else(|| format!("no contender {name:?} on {threads} threads; see `list`"))
}

impl Contender {
    /// Counts the states of a level in this process.
    ///
    /// # Errors
    /// If the contender refuses the level, or is no part of this process.
    pub fn count(&self, level: &Level) -> Result<u64, String> {
        match &self.program {
            Program::Peer(run) => Ok(run(self.threads, &Model::new(level.rows))),
            Program::Java => Err("runs in a virtual machine of its own".to_owned()),
            Program::Sokolab(choice) => choice.count(level.rows),
        }
    }

    /// The command that counts the states of a level in a process of its own, and prints a line as
    /// [`Sample::print`](crate::sample::Sample::print) does; none if what it needs is not there.
    pub fn command(&self, level: &Level, own: &Path, java: Option<&Path>) -> Option<Vec<OsString>> {
        if matches!(self.program, Program::Java) {
            return Some(java::command(java?, self.threads, level.rows));
        }
        let threads = self.threads.to_string();
        let words = ["census", &self.name, &threads, level.name];
        let mut command = vec![own.into()];
        command.extend(words.map(OsString::from));
        Some(command)
    }

    /// Whether the contender takes part on the largest level: the others would take minutes or more
    /// memory than there is, and are measured on the next smaller one.
    pub fn scales(&self) -> bool {
        match &self.program {
            Program::Peer(_) => ["hashset-fx-bfs", PUSH_REFERENCE].contains(&self.name.as_str()),
            Program::Java => false,
            Program::Sokolab(choice) => choice.is_breadth_first(),
        }
    }

    /// Whether this is sokolab itself.
    pub const fn is_sokolab(&self) -> bool {
        matches!(self.program, Program::Sokolab(_))
    }
}
