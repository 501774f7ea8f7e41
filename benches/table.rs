//! Entering states in the visited table of one thread, from tables that fit a cache to one of 100 MB.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sokolab::search::hash::hash_of;
use sokolab::search::node::{Record, Untracked};
use sokolab::search::table::{Entered, OwnedTable, Visited};

type Table = OwnedTable<u64, u8, Untracked>;

/// Numbers of states. A state of one word takes some 12 bytes: 50 KB, 800 KB, 12 MB, 100 MB.
const SIZES: [u64; 4] = [1 << 12, 1 << 16, 1 << 20, 1 << 23];

/// States on the way between being fetched and being entered, as in the engine.
const AHEAD: usize = 32;

/// Different states in no order: an odd factor permutes the numbers of 64 bits. None is 0, the initial
/// state of the table.
fn states(count: u64) -> Vec<u64> {
    (1..=count)
        .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect()
}

/// Enters all states, each fetched some time before; counts those that were new.
fn enter_all(table: &mut Table, states: &[u64]) -> usize {
    let record = Record {
        action: 1,
        cost: Untracked,
    };
    let mut new = 0;
    for chunk in states.chunks(AHEAD) {
        for state in chunk {
            table.prefetch(hash_of(state));
        }
        for state in chunk {
            new += usize::from(table.enter(hash_of(state), state, record) == Entered::New);
        }
    }
    new
}

fn insert(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    group.sample_size(10);
    for size in SIZES {
        let states = states(size);
        group.throughput(Throughput::Elements(size));
        group.bench_function(BenchmarkId::new("new", size), |bencher| {
            let fill = |mut table| {
                assert_eq!(enter_all(&mut table, &states), states.len());
                table
            };
            bencher.iter_batched(|| Table::new(0), fill, BatchSize::PerIteration);
        });
        let mut table = Table::new(0);
        enter_all(&mut table, &states);
        group.bench_function(BenchmarkId::new("known", size), |bencher| {
            bencher.iter(|| assert_eq!(enter_all(&mut table, &states), 0));
        });
    }
    group.finish();
}

criterion_group!(benches, insert);
criterion_main!(benches);
