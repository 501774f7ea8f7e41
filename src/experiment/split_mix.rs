//! A small random number generator whose numbers are the same everywhere and for ever.

/// `SplitMix64`: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// with the constants of Vigna's public-domain `splitmix64.c`.
///
/// Orders of runs must be reproducible from a seed for years, so the generator is fixed here rather
/// than taken from a library that may change its own. Not for secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// A generator; every seed is as good as any other.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `bound`, each equally likely: Lemire, "Fast random integer generation in an
    /// interval", ACM TOMACS 29(1), 2019. 0 if the bound is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 {
            return 0;
        }
        // Of 2^64 numbers, the first 2^64 mod bound are one too many for an even share.
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = self.next_u64() as u128 * bound as u128;
            if product as u64 >= surplus {
                return (product >> 64) as u64;
            }
        }
    }

    /// Brings the items into a random order, each equally likely: Durstenfeld's form of the
    /// Fisher-Yates shuffle (Communications of the ACM 7(7), 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for unsettled in (2..=items.len()).rev() {
            let chosen = self.below(unsettled as u64) as usize;
            items.swap(unsettled - 1, chosen);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The first numbers of Vigna's `splitmix64.c` for these seeds.
    #[test]
    fn the_numbers_are_those_of_the_reference() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers = [(); 5].map(|()| random.next_u64());
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
        assert_eq!(SplitMix64::new(0).next_u64(), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn every_order_is_about_equally_likely() {
        let mut random = SplitMix64::new(7);
        let mut counts = HashMap::new();
        for _ in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            random.shuffle(&mut items);
            *counts.entry(items).or_insert(0_i64) += 1;
        }
        // 24 orders, 1,000 expected of each; five standard deviations of a binomial are 155.
        assert_eq!(counts.len(), 24);
        assert!(
            counts.values().all(|count| (count - 1_000).abs() < 155),
            "{counts:?}"
        );
    }

    #[test]
    fn numbers_below_a_bound_reach_all_of_them_and_no_more() {
        let mut random = SplitMix64::new(3);
        let mut seen = [false; 5];
        for _ in 0..1_000 {
            seen[random.below(5) as usize] = true;
        }
        assert_eq!(seen, [true; 5]);
        assert_eq!(random.below(0), 0);
    }
}
