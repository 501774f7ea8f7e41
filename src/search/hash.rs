//! One hash for tables, segments and owners of states.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

/// Hashes a state to 64 well-mixed bits.
///
/// Buckets are chosen by the low 32 bits, segments by bits 32 to 47, owners by bits 48 to 63, so that
/// these choices do not depend on each other. The finishing step is
/// one round of the xor-multiply mixer of `MurmurHash3`, because `FxHasher` alone leaves patterns in
/// the middle bits of dense bit sets.
#[inline]
#[must_use]
pub fn hash_of<S: Hash>(state: &S) -> u64 {
    let mut hasher = FxHasher::default();
    state.hash(&mut hasher);
    let mut bits = hasher.finish();
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits ^ (bits >> 29)
}

/// The owner of a state among `owners` workers, from its hash.
///
/// Multiplies instead of dividing: 16 bits of the hash, scaled to the number of owners.
#[inline]
#[must_use]
pub const fn owner_of(hash: u64, owners: usize) -> usize {
    let bits = (hash >> 48) as usize;
    (bits * owners) >> 16
}
