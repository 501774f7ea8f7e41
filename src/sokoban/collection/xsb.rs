//! Text collections: finds the boards, and hands the text between them to [`notes`](super::notes).

use super::Parts;
use super::board_text::BoardText;
use super::line::{Line, Stray, classify};
use super::notes::{self, Entry, Gap};
use crate::sokoban::finding::{Finding, Place, Problem};
use crate::sokoban::lurd;

/// Reads the levels of a text. Takes time linear in the text.
pub(super) fn parse(text: &str) -> Parts {
    let mut scanner = Scanner {
        lines: text
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line))
            .collect(),
        next: 0,
        parts: Parts::default(),
        gaps: vec![Gap::default()],
    };
    while let Some(&text) = scanner.lines.get(scanner.next) {
        scanner.take(text);
    }
    notes::attach(&mut scanner.parts.levels, scanner.gaps);
    scanner.parts
}

struct Scanner<'a> {
    lines: Vec<&'a str>,
    /// Index of the line to be read next.
    next: usize,
    parts: Parts,
    /// The text before the first board, between boards, and after the last one.
    gaps: Vec<Gap>,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, text: &'a str) {
        let line = classify(text);
        if self.opens_board(text, line) {
            self.take_board(text, line);
            return;
        }
        self.next += 1;
        match line {
            Line::Blank => self.gap().break_paragraph(),
            Line::Note(note) => self.gap().push(Entry::of_mark(note)),
            Line::Pair { key, value } => self.take_pair(key, value),
            _ => self.gap().push(Entry::of_text(text.trim())),
        }
    }

    fn gap(&mut self) -> &mut Gap {
        if self.gaps.is_empty() {
            self.gaps.push(Gap::default());
        }
        let last = self.gaps.len() - 1;
        &mut self.gaps[last]
    }

    /// The line so many lines ahead; blank beyond the end.
    fn ahead(&self, distance: usize) -> Line<'a> {
        self.lines
            .get(self.next + distance)
            .map_or(Line::Blank, |text| classify(text))
    }

    fn opens_board(&self, text: &str, line: Line<'_>) -> bool {
        match line {
            Line::Walled => true,
            Line::Ruler => is_walled(self.ahead(1)),
            // Text such as "# 1" looks alike, but a count is followed by what it counts.
            Line::RunLength => {
                let mut board = BoardText::new(1);
                board.push_run_length(1, text);
                text.contains('|') || (board.is_sound() && is_walled(self.ahead(1)))
            }
            Line::Stray(stray) => {
                stray.opening
                    && (stray.run_length || matches!(self.ahead(1), Line::Walled | Line::Ruler))
            }
            _ => false,
        }
    }

    fn take_board(&mut self, text: &'a str, line: Line<'_>) {
        let mut board = BoardText::new(self.next + 1);
        let run_length = match line {
            Line::RunLength => true,
            Line::Stray(stray) => stray.run_length,
            _ => false,
        };
        if run_length {
            self.take_run_length_rows(text, &mut board);
        } else {
            self.take_plain_rows(text, &mut board);
        }
        self.gap().meet_board();
        self.gaps.push(Gap::default());
        // A board without room is reported, and the text around it belongs to no level.
        let _number = self.parts.push(board);
    }

    /// The row at hand and all that follow without a gap.
    fn take_plain_rows(&mut self, first: &'a str, board: &mut BoardText) {
        let mut text = first;
        loop {
            self.next += 1;
            board.push_plain(self.next, text);
            let belongs = match self.ahead(0) {
                // Without a wall it is a row only if the board goes on after it.
                Line::Unwalled | Line::Stray(Stray { walled: false, .. }) => {
                    matches!(self.ahead(1), Line::Walled | Line::Ruler)
                }
                line => is_walled(line),
            };
            if !belongs {
                return;
            }
            text = self.lines[self.next];
        }
    }

    /// A line with `|` is a whole board unless it ends on `|`; without any, each line is a row.
    fn take_run_length_rows(&mut self, first: &'a str, board: &mut BoardText) {
        let mut text = first;
        let mut barred = false;
        loop {
            self.next += 1;
            board.push_run_length(self.next, text);
            barred |= text.contains('|');
            let continues = !barred || text.trim_end().ends_with('|');
            if !continues || !is_walled(self.ahead(0)) {
                return;
            }
            text = self.lines[self.next];
        }
    }

    fn take_pair(&mut self, key: &str, value: &str) {
        let lower = key.to_ascii_lowercase();
        if lower == "comment" {
            self.take_comment(value);
        } else if lower.starts_with("solution") {
            self.take_solution(value);
        } else {
            let (key, value) = (key.to_owned(), value.to_owned());
            self.gap().push(Entry::Pair { key, value });
        }
    }

    /// The lines up to `Comment-End:`, or this line alone if none comes before the next comment.
    fn take_comment(&mut self, value: &str) {
        let start = self.next;
        let is_comment = |key: &str| key.eq_ignore_ascii_case("comment");
        let end = (start..self.lines.len()).find_map(|index| match classify(self.lines[index]) {
            Line::Pair { key, .. } if is_comment_end(key) => Some(Some(index)),
            Line::Pair { key, .. } if is_comment(key) => Some(None),
            _ => None,
        });
        let mut comment: Vec<String> = Vec::new();
        comment.extend((!value.is_empty()).then(|| value.to_owned()));
        match end.flatten() {
            Some(end) => {
                self.warn_of_board(start, end);
                let lines = self.lines[start..end].iter();
                comment.extend(lines.map(|line| line.trim().to_owned()));
                self.next = end + 1;
            }
            None if value.is_empty() => self.report(start, Problem::CommentOpen),
            None => {}
        }
        self.gap().push(Entry::Comment(comment));
    }

    /// Two rows of a board in a row are more than a drawing needs.
    fn warn_of_board(&mut self, start: usize, end: usize) {
        let pairs = self.lines[start..end].windows(2);
        let board = pairs
            .map(|pair| (classify(pair[0]), classify(pair[1])))
            .position(|(first, second)| {
                let walled = first == Line::Walled || second == Line::Walled;
                walled && is_walled(first) && is_walled(second)
            });
        if let Some(offset) = board {
            let opened = start;
            self.report(start + offset + 1, Problem::BoardInComment { opened });
        }
    }

    /// The value, and the lines of nothing but LURD that follow.
    fn take_solution(&mut self, value: &str) {
        let mut solution = value.to_owned();
        while let Some(line) = self.lines.get(self.next).map(|line| line.trim()) {
            if line.is_empty() || !lurd::is_notation(line) {
                break;
            }
            solution.push_str(line);
            self.next += 1;
        }
        self.gap().push(Entry::Solution(solution));
    }

    fn report(&mut self, line: usize, problem: Problem) {
        self.parts.problems.push(Finding {
            level: None,
            place: Place { line, column: 1 },
            problem,
        });
    }
}

const fn is_walled(line: Line<'_>) -> bool {
    matches!(
        line,
        Line::Walled | Line::Ruler | Line::RunLength | Line::Stray(Stray { walled: true, .. })
    )
}

fn is_comment_end(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    matches!(key.as_str(), "comment-end" | "comment_end" | "comment end")
}
