//! Numbers of 16, 32 or 64 bits side by side in words, compared with one number all at a time.
//!
//! Comparing them one by one until one is equal ends at a place that no processor predicts; comparing all takes
//! fewer cycles, and far fewer with vectors.

use std::sync::atomic::{AtomicU64, Ordering};

use super::kept::Part;

/// A number that is stored beside others of its kind.
pub(super) trait Lane: Part {
    /// Most lanes that are compared at a time.
    const MOST: usize;

    /// One bit for each lane that equals this one, the first lane lowest.
    fn matches(self, words: &[AtomicU64]) -> u32;
}

/// Lanes in a word.
const fn per_word<L: Lane>() -> usize {
    size_of::<u64>() / L::BYTES
}

/// Words that hold so many lanes.
pub(super) const fn words_for<L: Lane>(lanes: usize) -> usize {
    lanes.div_ceil(per_word::<L>())
}

#[inline(always)]
fn load(word: &AtomicU64) -> u64 {
    word.load(Ordering::Relaxed)
}

const fn mask<L: Lane>() -> u64 {
    u64::MAX >> (u64::BITS as usize - 8 * L::BYTES)
}

/// The lane at an index.
#[inline(always)]
pub(super) fn get<L: Lane>(words: &[AtomicU64], index: usize) -> L {
    let shift = 8 * L::BYTES * (index % per_word::<L>());
    L::of(load(&words[index / per_word::<L>()]) >> shift)
}

/// Replaces the lane at an index. Nobody else writes to its word meanwhile.
#[inline(always)]
pub(super) fn set<L: Lane>(words: &[AtomicU64], index: usize, lane: L) {
    let word = &words[index / per_word::<L>()];
    let shift = 8 * L::BYTES * (index % per_word::<L>());
    let others = if L::BYTES == size_of::<u64>() {
        0
    } else {
        load(word) & !(mask::<L>() << shift)
    };
    word.store(others | lane.number() << shift, Ordering::Relaxed);
}

impl Lane for u64 {
    const MOST: usize = 16;

    #[inline(always)]
    fn matches(self, words: &[AtomicU64]) -> u32 {
        one_by_one(self, words)
    }
}

impl Lane for u32 {
    const MOST: usize = 16;

    #[inline(always)]
    fn matches(self, words: &[AtomicU64]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return vectors::matches_of_32_bits(self, words);
        #[cfg(not(target_arch = "x86_64"))]
        one_by_one(self, words)
    }
}

impl Lane for u16 {
    const MOST: usize = 32;

    #[inline(always)]
    fn matches(self, words: &[AtomicU64]) -> u32 {
        #[cfg(target_arch = "x86_64")]
        return vectors::matches_of_16_bits(self, words);
        #[cfg(not(target_arch = "x86_64"))]
        one_by_one(self, words)
    }
}

/// Compares without vectors, and without a branch for each lane.
#[inline(always)]
fn one_by_one<L: Lane>(lane: L, words: &[AtomicU64]) -> u32 {
    let mut matches = 0;
    for (index, word) in words.iter().enumerate() {
        let word = load(word);
        for place in 0..per_word::<L>() {
            let equal = L::of(word >> (8 * L::BYTES * place)) == lane;
            matches |= u32::from(equal) << (index * per_word::<L>() + place);
        }
    }
    matches
}

/// Comparison with the vectors that every `x86_64` processor has.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::{AtomicU64, load};
    #[cfg(not(miri))]
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi16, _mm_cmpeq_epi32, _mm_cvtsi64_si128, _mm_movemask_epi8,
        _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi16, _mm_set1_epi32, _mm_setzero_si128,
    };

    /// Two words from an even index on, zero where there is none. Each of them is read as one, like by a relaxed load.
    #[inline(always)]
    fn pair(words: &[AtomicU64], index: usize) -> __m128i {
        if 2 * index + 1 == words.len() {
            // SAFETY: an operation of SSE2 on values, see below.
            return unsafe { _mm_cvtsi64_si128(load(&words[2 * index]).cast_signed()) };
        }
        load_pair(&words[2 * index..2 * index + 2])
    }

    /// Reads two words by one instruction.
    #[cfg(not(miri))]
    #[inline(always)]
    fn load_pair(words: &[AtomicU64]) -> __m128i {
        let pair: __m128i;
        let start = &raw const *words;
        // SAFETY: the two words are readable. The instruction reads memory that others may write, as a relaxed load does: a
        // processor reads an aligned word whole. Unaligned pairs are allowed.
        unsafe {
            asm!("movdqu {pair}, [{start}]", start = in(reg) start.cast::<u64>(), pair = out(xmm_reg) pair,
                options(readonly, nostack, preserves_flags));
        }
        pair
    }

    /// The same for Miri, which interprets no assembly, but knows the operations on vectors.
    #[cfg(miri)]
    fn load_pair(words: &[AtomicU64]) -> __m128i {
        let (low, high) = (load(&words[0]), load(&words[1]));
        // SAFETY: an operation of SSE2 on values, see below.
        unsafe { std::arch::x86_64::_mm_set_epi64x(high.cast_signed(), low.cast_signed()) }
    }

    /// Compares the pair of words at an index; where there is none, no lane is equal.
    #[inline(always)]
    fn compare(words: &[AtomicU64], index: usize, equal: impl Fn(__m128i) -> __m128i) -> __m128i {
        if 2 * index < words.len() {
            equal(pair(words, index))
        } else {
            // SAFETY: an operation of SSE2 on values, see below.
            unsafe { _mm_setzero_si128() }
        }
    }

    /// One bit for each lane of 16 bits in two vectors of lanes that are all ones or all zeros.
    #[inline(always)]
    fn bits(low: __m128i, high: __m128i) -> u32 {
        // SAFETY: operations of SSE2 on values, see below.
        unsafe { _mm_movemask_epi8(_mm_packs_epi16(low, high)).cast_unsigned() }
    }

    #[inline(always)]
    pub(super) fn matches_of_32_bits(lane: u32, words: &[AtomicU64]) -> u32 {
        // SAFETY: the operations work on values only, and belong to SSE2, which every x86_64 processor has.
        unsafe {
            let lane = _mm_set1_epi32(lane.cast_signed());
            let compare = |index| compare(words, index, |pair| _mm_cmpeq_epi32(pair, lane));
            let halved = |first| _mm_packs_epi32(compare(first), compare(first + 1));
            bits(halved(0), halved(2))
        }
    }

    #[inline(always)]
    pub(super) fn matches_of_16_bits(lane: u16, words: &[AtomicU64]) -> u32 {
        // SAFETY: as above.
        unsafe {
            let lane = _mm_set1_epi16(lane.cast_signed());
            let compare = |index| compare(words, index, |pair| _mm_cmpeq_epi16(pair, lane));
            let beyond = if words.len() > 4 {
                bits(compare(2), compare(3)) << 16
            } else {
                0
            };
            bits(compare(0), compare(1)) | beyond
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds_what_is_there<L: Lane>(lanes: usize) {
        let words: Vec<AtomicU64> = (0..words_for::<L>(lanes))
            .map(|_| AtomicU64::new(0))
            .collect();
        for round in 0..if cfg!(miri) { 3 } else { 2000_u64 } {
            for index in 0..lanes {
                let number = (round * 31 + index as u64 * 7) % 11 * 0x0101_8001_0100_8001;
                set(&words, index, L::of(number));
                assert_eq!(get::<L>(&words, index), L::of(number));
            }
            let sought = L::of(round % 11 * 0x0101_8001_0100_8001);
            let in_use = ((1_u64 << lanes) - 1) as u32;
            let expected: u32 = (0..lanes)
                .filter(|&index| get::<L>(&words, index) == sought)
                .map(|index| 1 << index)
                .sum();
            assert_eq!(sought.matches(&words) & in_use, expected);
            assert_eq!(one_by_one(sought, &words) & in_use, expected);
        }
    }

    #[test]
    fn lanes_are_found_wherever_they_are() {
        for lanes in 1..=16 {
            finds_what_is_there::<u64>(lanes);
            finds_what_is_there::<u32>(lanes);
            finds_what_is_there::<u16>(lanes);
            finds_what_is_there::<u16>(2 * lanes);
        }
    }
}
