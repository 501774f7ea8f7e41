//! The verdict of each pruning rule on every push of a level.

mod common;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sokolab::puzzle::{Pruner, Successor};
use sokolab::sokoban::Board;
use sokolab::sokoban::encoding::State;
use sokolab::sokoban::pruning::{Rule, RuleSet};
use sokolab::sokoban::pushes::{PushAction, PushSpace};

type Push = Successor<State<1>, PushAction>;

fn pruned(space: &PushSpace<1>, rules: &RuleSet<1>, pushes: &[Push]) -> usize {
    let is_pruned = |push: &&Push| rules.verdict(space, push.action, &push.state).is_some();
    pushes.iter().filter(is_pruned).count()
}

/// No rule may prune all or nothing: it would be timed on one branch only.
fn verdicts(criterion: &mut Criterion) {
    let board = Board::new(&common::level()).expect("the level can be played");
    let space = PushSpace::<1>::new(&board);
    let states = common::reachable(&space);
    let pushes: Vec<Push> = states
        .iter()
        .flat_map(|state| common::successors(&space, state))
        .collect();
    let mut group = criterion.benchmark_group("verdict");
    group.throughput(Throughput::Elements(pushes.len() as u64));
    for rule in Rule::ALL {
        let rules = RuleSet::only(&board, &[rule]);
        let expected = pruned(&space, &rules, &pushes);
        assert!(0 < expected && expected < pushes.len(), "{expected}");
        group.bench_function(rule.name(), |bencher| {
            bencher.iter(|| assert_eq!(pruned(&space, &rules, black_box(&pushes)), expected));
        });
    }
    group.finish();
}

criterion_group!(benches, verdicts);
criterion_main!(benches);
