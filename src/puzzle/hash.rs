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

/// Mixes the lowest `width` bits, and no two numbers of that width give the same one. The others must be zero;
/// `width` is 1 to 64.
#[inline]
#[must_use]
pub const fn mix_narrow(bits: u64, width: u32) -> u64 {
    let mask = u64::MAX >> (u64::BITS - width);
    let fold = width.div_ceil(2);
    let mut bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd) & mask;
    bits ^= bits >> fold;
    bits = bits.wrapping_mul(0xc4ce_b9fe_1a85_ec53) & mask;
    bits ^= bits >> fold;
    bits = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
    bits ^ (bits >> fold)
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
    use super::{mix, mix_narrow};
    use std::collections::HashSet;

    #[test]
    fn narrow_mixing_permutes_the_numbers_of_each_width() {
        for width in 1..=16 {
            let count = 1_u64 << width;
            let mixed: HashSet<u64> = (0..count).map(|n| mix_narrow(n, width)).collect();
            assert_eq!(mixed.len() as u64, count, "width {width}");
            assert!(mixed.iter().all(|&n| n < count), "width {width}");
        }
        // All 64 bits are used.
        assert!(mix_narrow(u64::MAX, 64).leading_zeros() < 8);
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

    #[test]
    fn neighbours_part_in_their_leading_and_in_their_last_bits() {
        for width in [20, 33, 64] {
            let leading: HashSet<u64> = (0..4096)
                .map(|n| mix_narrow(n, width) >> (width - 12))
                .collect();
            let last: HashSet<u64> = (0..4096).map(|n| mix_narrow(n, width) & 0xfff).collect();
            // Of 4096 throws at 4096 marks, 63 % of the marks are hit.
            assert!(
                leading.len() > 2300 && last.len() > 2300,
                "width {width}: {} {}",
                leading.len(),
                last.len()
            );
        }
    }
}
