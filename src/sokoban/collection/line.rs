//! What one line of a text collection looks like, on its own.

use super::board_text::tile;

/// A line on its own. Whether it belongs to a board depends on its neighbours too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Nothing but blanks.
    Blank,
    /// Only board characters, a wall among them.
    Walled,
    /// Only board characters, no wall and no letter among them, and not only floor.
    Unwalled,
    /// Only walls, and perhaps blanks: a row of a board, or a ruler in the text.
    Ruler,
    /// Board characters with counts, brackets or `|`, a wall among them.
    RunLength,
    /// Mostly board characters, but others too.
    Stray(Stray),
    /// `Key: value`.
    Pair {
        /// The key as written.
        key: &'a str,
        /// The value, without blanks around it.
        value: &'a str,
    },
    /// `; text`, without the mark.
    Note(&'a str),
    /// `// text` or any other text.
    Text(&'a str),
}

/// How much a line with foreign characters looks like a board row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stray {
    /// A wall is among its characters.
    pub(super) walled: bool,
    /// It starts with a wall or is in run-length notation, and three in four of its characters are of
    /// a board: such a line may even open a board.
    pub(super) opening: bool,
    /// It has a `|` and is otherwise in run-length notation.
    pub(super) run_length: bool,
}

/// Sorts a line.
pub(super) fn classify(text: &str) -> Line<'_> {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        return Line::Blank;
    }
    if let Some(note) = trimmed.strip_prefix(';') {
        return Line::Note(note.trim_start_matches(';').trim());
    }
    if let Some((key, value)) = pair(trimmed) {
        return Line::Pair { key, value };
    }
    let census = Census::of(trimmed);
    match census {
        _ if trimmed.starts_with("//") => Line::Text(trimmed),
        Census { foreign: 0, .. } => census.plain(trimmed),
        _ if census.is_run_length() => Line::RunLength,
        _ => census
            .stray(trimmed)
            .map_or(Line::Text(trimmed), Line::Stray),
    }
}

/// `Key: value`, where the key is a few words of letters.
fn pair(trimmed: &str) -> Option<(&str, &str)> {
    let (key, value) = trimmed.split_once(':')?;
    let key = key.trim_end();
    let allowed = |symbol: char| symbol.is_ascii_alphabetic() || " -_/".contains(symbol);
    let is_key = key.starts_with(|symbol: char| symbol.is_ascii_alphabetic())
        && key.len() <= 30
        && key.chars().all(allowed);
    is_key.then_some((key, value.trim()))
}

/// Counts of the characters of a line, blanks aside.
#[derive(Default)]
struct Census {
    walls: usize,
    floor: usize,
    /// Board characters that are no letters, walls and floor aside.
    signs: usize,
    /// Letters that stand for board characters.
    letters: usize,
    /// Digits, brackets and `|`.
    counts: usize,
    bars: usize,
    /// Everything that is no board character, counts included.
    foreign: usize,
}

impl Census {
    fn of(trimmed: &str) -> Self {
        let mut census = Self::default();
        for symbol in trimmed.chars().filter(|symbol| !symbol.is_whitespace()) {
            match symbol {
                '#' => census.walls += 1,
                '-' | '_' => census.floor += 1,
                _ if tile(symbol).is_none() => census.foreign += 1,
                _ if symbol.is_ascii_alphabetic() => census.letters += 1,
                _ => census.signs += 1,
            }
            if symbol.is_ascii_digit() || "()|".contains(symbol) {
                census.counts += 1;
            }
            census.bars += usize::from(symbol == '|');
        }
        census
    }

    const fn plain<'a>(&self, trimmed: &'a str) -> Line<'a> {
        match self {
            Self {
                walls: 1..,
                floor: 0,
                signs: 0,
                letters: 0,
                ..
            } => Line::Ruler,
            Self { walls: 1.., .. } => Line::Walled,
            Self {
                signs: 1..,
                letters: 0,
                ..
            } => Line::Unwalled,
            _ => Line::Text(trimmed),
        }
    }

    const fn is_run_length(&self) -> bool {
        self.walls > 0 && self.foreign == self.counts
    }

    fn stray(&self, trimmed: &str) -> Option<Stray> {
        let run_length = self.bars > 0;
        let counted = if run_length { self.counts } else { 0 };
        let board = self.walls + self.floor + self.signs + counted;
        let total = self.walls + self.floor + self.signs + self.letters + self.foreign;
        (2 * board >= total).then(|| Stray {
            walled: self.walls > 0,
            opening: self.walls > 0
                && (run_length || trimmed.starts_with('#'))
                && 4 * board >= 3 * total,
            run_length,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_rows_are_told_from_text() {
        assert_eq!(classify("  #@ $.#"), Line::Walled);
        assert_eq!(classify("#-_opb#"), Line::Walled);
        assert_eq!(classify(" ### ##"), Line::Ruler);
        assert_eq!(classify("  $ @ "), Line::Unwalled);
        assert_eq!(classify(" \t "), Line::Blank);
        for text in ["Bob", "-----", "__", "Level 3", "// #######", "Level #3"] {
            assert_eq!(classify(text), Line::Text(text));
        }
    }

    #[test]
    fn run_length_rows_have_counts_and_walls() {
        for text in ["4#|#.$@#|4#", "4#", "#3-#", "2(#-)"] {
            assert_eq!(classify(text), Line::RunLength, "{text}");
        }
        assert_eq!(classify("12"), Line::Text("12"));
    }

    #[test]
    fn a_row_with_a_foreign_character_still_looks_like_one() {
        let stray = |walled, opening, run_length| {
            Line::Stray(Stray {
                walled,
                opening,
                run_length,
            })
        };
        assert_eq!(classify("#@x$.#"), stray(true, true, false));
        assert_eq!(classify("x@ $.#"), stray(true, false, false));
        assert_eq!(classify("  @ $x"), stray(false, false, false));
        assert_eq!(classify("|---|---|"), stray(false, false, true));
        assert_eq!(classify("4#|#.$x@#|4#"), stray(true, true, true));
    }

    #[test]
    fn pairs_and_notes_are_recognised() {
        let pair = |key, value| Line::Pair { key, value };
        assert_eq!(classify("Title: ## 3 ##"), pair("Title", "## 3 ##"));
        assert_eq!(classify("Title : F5"), pair("Title", "F5"));
        assert_eq!(classify("Comment-End:"), pair("Comment-End", ""));
        assert_eq!(classify("; 44 'Duh!'"), Line::Note("44 'Duh!'"));
        assert_eq!(classify(";screen.01"), Line::Note("screen.01"));
        assert_eq!(classify("12:30 #"), Line::Text("12:30 #"));
    }
}
