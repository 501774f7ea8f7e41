//! sokolab: a laboratory for state-space search on Sokoban.
//!
//! Data flows one way, and each module may import only what stands below it
//! (`tests/architecture.rs` checks this):
//!
//! | floor | module | owns |
//! |---|---|---|
//! | 7 | [`cli`] | arguments, terminal, exit codes |
//! | 6 | [`report`] | reading rows, statistics, charts |
//! | 5 | [`experiment`] | spec, plan, isolation, measuring, recording |
//! | 4 | [`parallel`] | threading models over the search engine |
//! | 4 | [`validate`] | replay of solutions and the brute-force oracle |
//! | 3 | [`search`] | strategies, frontiers, visited tables, limits, counters |
//! | 3 | [`sokoban`] | levels, rules, state encoding, spaces, pruning, heuristics |
//! | 2 | [`puzzle`] | the traits a puzzle, a heuristic and a pruner implement |
//! | 1 | [`actor`] | typed mailboxes and supervised threads |

pub mod actor;
pub mod cli;
pub mod experiment;
pub mod parallel;
pub mod puzzle;
pub mod report;
pub mod search;
pub mod sokoban;
mod sync;
pub mod validate;
