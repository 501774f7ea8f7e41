//! Mixing of bits, and the one hash of states.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Mixes 64 bits so that each bit of the result depends on all of them; no two numbers give the same one.
///
/// Two rounds of multiplying by an odd number and folding high bits down, each of which can be undone. The
/// constants are those of the finisher of `MurmurHash3` (A. Appleby, 2011).
#[inline]
#[must_use]
pub const fn mix(mut bits: u64) -> u64 {
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ (bits >> 33)
}

/// Mixes the leading `width` bits, so that the first of them depend on all; no two numbers give the same one. The
/// other bits must be zero, and stay so. `width` is 1 to 64.
#[inline]
#[must_use]
pub const fn mix_leading(bits: u64, width: u32) -> u64 {
    let mask = u64::MAX << (u64::BITS - width);
    // A product leaves zeros at the end as they are.
    let mut bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits ^= (bits >> 32) & mask;
    bits.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Hashes a state to 64 well-mixed bits: `FxHasher` alone leaves patterns in the middle bits of dense bit sets.
#[inline]
#[must_use]
pub fn hash_of<S: Hash>(state: &S) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    mix(hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::{mix, mix_leading};
    use std::collections::HashSet;

    #[test]
    fn mixing_permutes_the_numbers_of_each_width() {
        for width in 1..=16 {
            let unused = 64 - width;
            let count = 1_u64 << width;
            let mixed: HashSet<u64> = (0..count)
                .map(|n| mix_leading(n << unused, width))
                .collect();
            assert_eq!(mixed.len() as u64, count, "width {width}");
            assert!(
                mixed.iter().all(|n| n >> unused << unused == *n),
                "width {width}"
            );
        }
    }

    /// Undoes `bits ^ (bits >> 33)`: the upper 33 bits stand, and the lower ones follow from them.
    const fn unfold(bits: u64) -> u64 {
        bits ^ (bits >> 33)
    }

    /// The number that times `odd` is 1, by Newton's iteration.
    const fn inverse(odd: u64) -> u64 {
        let mut inverse = odd;
        let mut round = 0;
        while round < 6 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
            round += 1;
        }
        inverse
    }

    #[test]
    fn mixing_can_be_undone() {
        let undo = |bits| {
            let bits = unfold(bits).wrapping_mul(inverse(0xc4ce_b9fe_1a85_ec53));
            unfold(unfold(bits).wrapping_mul(inverse(0xff51_afd7_ed55_8ccd)))
        };
        for bits in (0..100_000).map(|n: u64| n.wrapping_mul(0x1234_5678_9abc_def1)) {
            assert_eq!(undo(mix(bits)), bits);
        }
    }

    /// Throws so many keys at as many marks; returns how many marks are hit.
    fn hits(keys: impl Iterator<Item = u64>, bits: u32) -> usize {
        let hit: HashSet<u64> = keys.map(|key| key >> (64 - bits)).collect();
        hit.len()
    }

    #[test]
    fn neighbours_part_in_their_leading_bits() {
        // Of as many throws as marks, 63 % of the marks are hit; more if the throws are more even than chance.
        for width in [24, 33, 42, 64] {
            let numbers = (0..1 << 16).map(|n| mix_leading(n << (64 - width), width));
            assert!(hits(numbers, 16) > 40_000, "numbers of {width} bits");
        }
        assert!(hits((0..1 << 16).map(mix), 16) > 40_000);
    }

    #[test]
    fn sets_of_a_few_bits_part_in_their_leading_bits() {
        // All sets of 5 of 36 bits, as the boxes of a board are, beside a player.
        let mut sets: Vec<u64> = vec![0];
        for _ in 0..5 {
            let larger = |set: &u64| {
                let first = 64 - set.leading_zeros();
                let set = *set;
                (first..36).map(move |bit| set | 1 << bit)
            };
            sets = sets.iter().flat_map(larger).collect();
        }
        assert_eq!(sets.len(), 376_992);
        for player in [0, 17, 35] {
            let keys = sets
                .iter()
                .map(|set| mix_leading((player << 36 | set) << 22, 42));
            // 376,992 throws at 2^18 marks miss a share of exp(-1.438) = 23.7 %.
            let missed = 1.0 - hits(keys, 18) as f64 / f64::from(1 << 18);
            assert!((0.20..0.26).contains(&missed), "{missed}");
        }
    }
}
