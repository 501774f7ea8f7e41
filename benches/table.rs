//! Entering states in the visited table of one thread, from tables that fit a cache to one of 100 MB.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sokolab::puzzle::hash::mix_leading;
use sokolab::puzzle::{Key, Quotient};
use sokolab::search::node::{Record, Untracked};
use sokolab::search::table::{Entered, Lookup, OwnedTable, Visited};

type Table = OwnedTable<(), u8, Untracked, Quotient>;

/// Numbers of states. They take some 9 bytes each: 40 KB, 600 KB, 9 MB, 75 MB.
const SIZES: [u64; 4] = [1 << 12, 1 << 16, 1 << 20, 1 << 23];

/// States on the way between being fetched and being entered, as in the engine.
const AHEAD: usize = 32;

/// Bits of a state: a board of 36 cells.
const BITS: u32 = 42;

const fn key(state: u64) -> Key<()> {
    Key {
        order: mix_leading(state << (u64::BITS - BITS), BITS),
        rest: (),
    }
}

/// Keys of different states, none of them 0, the initial state of the table.
fn keys(count: u64) -> Vec<Key<()>> {
    (1..=count).map(key).collect()
}

fn empty() -> Table {
    Table::new(key(0), BITS)
}

/// Enters all states, each fetched some time before; counts those that were new.
fn enter_all(table: &mut Table, keys: &[Key<()>]) -> usize {
    let record = Record {
        action: 1,
        cost: Untracked,
    };
    let mut new = 0;
    for chunk in keys.chunks(AHEAD) {
        for key in chunk {
            table.prefetch(*key);
        }
        for key in chunk {
            new += usize::from(table.enter(*key, record) == Entered::New);
        }
    }
    new
}

fn insert(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    group.sample_size(10);
    for size in SIZES {
        let keys = keys(size);
        group.throughput(Throughput::Elements(size));
        group.bench_function(BenchmarkId::new("new", size), |bencher| {
            let fill = |mut table| {
                assert_eq!(enter_all(&mut table, &keys), keys.len());
                table
            };
            bencher.iter_batched(empty, fill, BatchSize::PerIteration);
        });
        let mut table = empty();
        enter_all(&mut table, &keys);
        group.bench_function(BenchmarkId::new("known", size), |bencher| {
            bencher.iter(|| assert_eq!(enter_all(&mut table, &keys), 0));
        });
    }
    group.finish();
}

criterion_group!(benches, insert);
criterion_main!(benches);
