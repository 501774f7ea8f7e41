//! Medians, and ratios that are taken round by round.

/// The middle value, or the mean of the two in the middle; none of nothing.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some(f64::midpoint(values[low], values[high]))
}

/// The median of `ours / theirs` over the rounds in which both were measured. What slows the machine down
/// for a while hits both sides of one round, so this is steadier than a ratio of medians.
pub fn ratio(ours: &[Option<f64>], theirs: &[Option<f64>]) -> Option<f64> {
    let rounds = ours.iter().zip(theirs);
    median(rounds.filter_map(|(ours, theirs)| Some((*ours)? / (*theirs)?)))
}

#[cfg(test)]
mod tests {
    use super::{median, ratio};

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([]), None);
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0]), Some(2.5));
    }

    #[test]
    fn ratios_are_taken_in_rounds_that_both_have() {
        let ours = [Some(2.0), None, Some(9.0), Some(8.0)];
        let theirs = [Some(1.0), Some(1.0), None, Some(2.0)];
        assert_eq!(ratio(&ours, &theirs), Some(3.0));
        assert_eq!(ratio(&ours[1..2], &theirs[1..2]), None);
    }
}
