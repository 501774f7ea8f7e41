//! When a time was measured while the machine was busy with something else.

use super::Row;

/// CPU pressure up to which times are trusted, in percent of the time of a run. A run that has the machine to itself shows
/// none; where a twentieth of its time some task had to wait, a difference of some percent may come from that.
pub const MOST_PERCENT: f64 = 5.0;

/// Whether the time of a run is doubtful because tasks waited for a processor meanwhile. Threads of the run itself count,
/// too: a run with more threads than cores is under pressure by itself.
#[must_use]
pub fn is_under_pressure(row: &Row) -> bool {
    row.cpu_pressure
        .is_some_and(|percent| percent > MOST_PERCENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_not_accused() {
        let row = |cpu_pressure| Row {
            cpu_pressure,
            ..Row::default()
        };
        assert!(!is_under_pressure(&row(None)));
        assert!(!is_under_pressure(&row(Some(5.0))));
        assert!(is_under_pressure(&row(Some(5.1))));
    }
}
