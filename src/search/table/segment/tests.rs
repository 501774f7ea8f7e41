use super::{Entered, Record, Segment};
use crate::puzzle::hash::{mix, mix_leading};
use crate::puzzle::{DenseQuotient, Keep, Key, Quotient, WholeOrder};
use crate::search::node::Untracked;
use std::collections::HashMap;

const fn step<C>(action: u8, cost: C) -> Record<u8, C> {
    Record { action, cost }
}

/// Orders of the first of eight segments.
fn first_segment(order: u64) -> u64 {
    order >> 3
}

/// Enters keys, the even ones as one thread does and the others as one of several, and compares with a map.
fn agrees_with_a_map<T, Q: Keep>(
    keys: impl Iterator<Item = Key<T>>,
    order_bits: u32,
    allowance: usize,
) where
    T: Copy + Eq + std::hash::Hash,
{
    let mut segment = Segment::<T, u8, u32, Q>::new(0, order_bits);
    let mut map = HashMap::new();
    for (round, key) in keys.enumerate() {
        let record = step((round % 251) as u8, (round * 7 % 31) as u32);
        let expected = match map.get(&key) {
            None => Entered::New,
            Some(known) if record.cost < *known => Entered::Improved,
            Some(_) => Entered::Duplicate,
        };
        if expected != Entered::Duplicate {
            map.insert(key, record.cost);
        }
        if map.len() > segment.capacity() {
            segment.grow(allowance);
        }
        let entered = loop {
            let entered = if round % 2 == 0 {
                segment.enter(key, record)
            } else {
                segment.enter_shared(&key, record)
            };
            match entered {
                Some(entered) => break entered,
                None => segment.grow(allowance),
            }
        };
        assert_eq!(entered, expected, "round {round}");
    }
    for (key, cost) in &map {
        assert_eq!(segment.record(key).map(|record| record.cost), Some(*cost));
    }
}

const COUNT: u64 = if cfg!(miri) { 200 } else { 60_000 };

/// Numbers in no order, each twice.
fn numbers() -> impl Iterator<Item = u64> {
    (0..COUNT).map(|n| n.wrapping_mul(0x9e37_79b9) % (COUNT / 2))
}

#[test]
fn behaves_like_a_map_for_every_rest_and_step_of_growth() {
    for allowance in [usize::MAX, 4096, 0] {
        let whole = |n| Key {
            order: first_segment(mix(n)),
            rest: (),
        };
        agrees_with_a_map::<_, WholeOrder>(numbers().map(whole), 64, allowance);
    }
    // Several states for each order, told apart by the rest only.
    let with_rest = |n: u64| Key {
        order: first_segment(mix(n / 3)),
        rest: [n, n, n],
    };
    agrees_with_a_map::<_, WholeOrder>(numbers().map(with_rest), 64, usize::MAX);
    // Three rests of a byte leave the records behind them unaligned.
    let with_byte = |n: u64| Key {
        order: first_segment(mix(n / 3)),
        rest: (n % 3) as u8,
    };
    agrees_with_a_map::<_, WholeOrder>(numbers().map(with_byte), 64, usize::MAX);
}

#[test]
fn quotients_of_every_width_tell_all_states_apart() {
    let spaces = [12, 16, 19, 22, 26, 31, 40, 48, 57, 64];
    for bits in spaces {
        let space = 1_u64 << (bits - 3).min(62);
        let key = |n: u64| Key {
            order: first_segment(mix_leading((n % space) << (64 - (bits - 3)), bits - 3)),
            rest: (),
        };
        agrees_with_a_map::<_, Quotient>(numbers().map(key), bits, usize::MAX);
    }
}

#[test]
fn quotients_of_a_dense_space_take_two_bytes_and_a_record() {
    let bits = if cfg!(miri) { 12 } else { 20 };
    let mut segment = Segment::<(), u8, Untracked, DenseQuotient>::new(0, bits);
    let mut entered = 0;
    for n in 0..1 << (bits - 3) {
        let order = first_segment(mix_leading(n << (64 - (bits - 3)), bits - 3));
        let key = Key { order, rest: () };
        if entered == segment.capacity() {
            segment.grow(usize::MAX);
        }
        while segment.enter(key, step(0, Untracked)).is_none() {
            segment.grow(usize::MAX);
        }
        entered += 1;
    }
    let bytes = segment.bytes() as f64 / entered as f64;
    assert!(cfg!(miri) || bytes < 5.0, "{bytes} bytes a state");
}

/// Enters the same states from several threads, each at costs of its own: the least cost stays.
fn the_least_cost_stays<Q: Keep>(bits: u32) {
    const STATES: u64 = 60;
    let key = |n: u64| Key {
        order: first_segment(mix_leading(n << (64 - (bits - 3)), bits - 3)),
        rest: (),
    };
    let mut segment = Segment::<(), u8, u32, Q>::new(0, bits);
    while segment.capacity() < 2 * STATES as usize {
        segment.grow(usize::MAX);
    }
    let enter_all = |thread: u8| {
        let enter = |n: u64| {
            let cost = (n as u32 * 7 + u32::from(thread) * 5) % 13;
            segment.enter_shared(&key(n), step(thread, cost)) == Some(Entered::New)
        };
        (0..STATES).filter(|n| enter(*n)).count()
    };
    let new: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|thread| {
                scope.spawn({
                    let enter_all = &enter_all;
                    move || enter_all(thread)
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    assert_eq!(new as u64, STATES);
    for n in 0..STATES {
        let record = segment.record(&key(n)).unwrap();
        let costs = (0..3).map(|thread| (n as u32 * 7 + thread * 5) % 13);
        assert_eq!(Some(record.cost), costs.min());
    }
}

#[test]
fn the_least_cost_stays_whichever_thread_brings_it() {
    the_least_cost_stays::<WholeOrder>(64);
    for bits in [19, 26, 40] {
        the_least_cost_stays::<Quotient>(bits);
    }
}

#[test]
fn a_state_with_no_room_within_reach_waits_for_growth() {
    // All at home in the last bucket, whatever the size.
    let key = |n: u64| Key {
        order: first_segment(u64::MAX) - n,
        rest: (),
    };
    let mut segment = Segment::<(), u8, Untracked, WholeOrder>::new(0, 64);
    assert_eq!(segment.enter(key(0), step(0, Untracked)), None);
    segment.grow(usize::MAX);
    for n in 0..7 {
        let entered = segment.enter_shared(&key(n), step(0, Untracked));
        assert_eq!(entered, Some(Entered::New));
    }
    assert_eq!(segment.enter(key(7), step(0, Untracked)), None);
    assert_eq!(segment.enter_shared(&key(7), step(0, Untracked)), None);
    let known = segment.enter_shared(&key(6), step(0, Untracked));
    assert_eq!(known, Some(Entered::Duplicate));
    for n in 7..60 {
        while segment.enter(key(n), step(0, Untracked)).is_none() {
            segment.grow(usize::MAX);
        }
    }
    assert!((0..60).all(|n| segment.record(&key(n)).is_some()));
}

#[test]
#[cfg_attr(miri, ignore = "grows to 65536 buckets, which takes minutes")]
#[should_panic(expected = "orders are not well mixed")]
fn orders_that_are_all_the_same_are_refused() {
    let mut segment = Segment::<u64, u8, Untracked, WholeOrder>::new(0, 64);
    for rest in 0..1000 {
        let key = Key { order: 5, rest };
        while segment.enter(key, step(0, Untracked)).is_none() {
            segment.grow(usize::MAX);
        }
    }
}
