//! States sent from one thread to another through a channel, in batches of several sizes.

use std::hint::black_box;
use std::thread;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use crossbeam_channel::{Receiver, Sender, unbounded};

/// As large as what an actor sends for a state of one word: state, hash, how it was reached, priority.
type Item = [u64; 4];

/// Opaque, since an actor makes each item by itself. Batches of consecutive numbers of one word, which the
/// compiler fills and adds up by vectors, went through at four times the rate of these.
fn item(number: u64) -> Item {
    let number = black_box(number);
    [number, !number, 0, 0]
}

/// Items sent in one iteration: a multiple of every batch size.
const ITEMS: u64 = 1 << 16;

/// Items in one message.
const BATCHES: [u64; 4] = [1, 64, 256, 1024];

/// Adds up what it receives, and answers with the sum as soon as all items of an iteration are there.
fn add_up(batches: &Receiver<Vec<Item>>, sums: &Sender<u64>) {
    let (mut items, mut sum) = (0, 0);
    for batch in batches {
        items += batch.len() as u64;
        sum += batch.iter().map(|item| item[0]).sum::<u64>();
        if items == ITEMS {
            let listens = sums.send(sum).is_ok();
            (items, sum) = (0, 0);
            if !listens {
                return;
            }
        }
    }
}

/// Batches are made while they are sent, as an actor does; the thread is started before.
fn send(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("channel");
    group.throughput(Throughput::Elements(ITEMS));
    for batch in BATCHES {
        let (to_worker, inbox) = unbounded();
        let (answer, answers) = unbounded();
        let worker = thread::spawn(move || add_up(&inbox, &answer));
        group.bench_function(BenchmarkId::new("batch", batch), |bencher| {
            bencher.iter(|| {
                for first in (0..ITEMS).step_by(batch as usize) {
                    let items = (first..first + batch).map(item).collect();
                    to_worker.send(items).expect("the worker listens");
                }
                assert_eq!(answers.recv(), Ok(ITEMS * (ITEMS - 1) / 2));
            });
        });
        drop(to_worker);
        worker.join().expect("the worker has not failed");
    }
    group.finish();
}

criterion_group!(benches, send);
criterion_main!(benches);
