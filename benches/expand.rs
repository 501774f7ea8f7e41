//! Generating the successors of every state of a level, in both spaces.

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sokolab::sokoban::Board;
use sokolab::sokoban::moves::MoveSpace;
use sokolab::sokoban::pushes::PushSpace;
use sokolab::sokoban::space::Space;
use sokolab::validate::{CostSpace, census};

/// Above the positions of the level.
const LIMIT: u64 = 1_000_000;

/// The number of successors is the oracle's.
fn expand_all<S: Space>(criterion: &mut Criterion, space: &S, cost: CostSpace) {
    let truth = census(&common::level(), cost, LIMIT).expect("the level is small");
    let states = common::reachable(space);
    assert_eq!(states.len() as u64, truth.states);
    let mut group = criterion.benchmark_group("expand");
    group.throughput(Throughput::Elements(truth.states));
    group.bench_function(S::NAME, |bencher| {
        let mut successors = Vec::new();
        bencher.iter(|| {
            let mut generated = 0;
            for state in &states {
                successors.clear();
                space.successors(black_box(state), &mut successors);
                generated += black_box(&successors).len() as u64;
            }
            assert_eq!(generated, truth.generated);
        });
    });
    group.finish();
}

fn expand(criterion: &mut Criterion) {
    let board = Board::new(&common::level()).expect("the level can be played");
    expand_all(criterion, &MoveSpace::<1>::new(&board), CostSpace::Moves);
    expand_all(criterion, &PushSpace::<1>::new(&board), CostSpace::Pushes);
}

criterion_group!(benches, expand);
criterion_main!(benches);
