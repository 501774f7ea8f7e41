//! Which text belongs to which level.
//!
//! Collections write titles before or after their boards, and no format says which. Text that
//! touches one board without a blank line between belongs to it. For the rest the collection as a
//! whole decides: text after its last board and none before its first means "after".

use crate::sokoban::Level;

/// One piece of text between boards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A `;` line or a line of text: perhaps a title.
    Note {
        /// Without the mark.
        text: String,
        /// Whether it has a `;`.
        marked: bool,
    },
    /// A line that is no title: a `//` line, or a ruler.
    Remark(String),
    /// `Key: value`.
    Pair { key: String, value: String },
    /// The lines of a comment block.
    Comment(Vec<String>),
    /// A solution as written, in one line.
    Solution(String),
}

impl Entry {
    /// A line of text without a mark of its own.
    pub(super) fn of_text(text: &str) -> Self {
        if text.starts_with("//") {
            Self::Remark(text.to_owned())
        } else {
            Self::Note {
                text: text.to_owned(),
                marked: false,
            }
        }
    }

    /// A `;` line, without its mark.
    pub(super) fn of_mark(text: &str) -> Self {
        Self::Note {
            text: text.to_owned(),
            marked: true,
        }
    }

    /// The text of a line that can be a title: rulers cannot.
    fn note(&self) -> Option<&str> {
        match self {
            Self::Note { text, .. } if text.chars().any(char::is_alphanumeric) => Some(text),
            _ => None,
        }
    }

    fn is_pair(&self) -> bool {
        !matches!(self, Self::Note { .. } | Self::Remark(_))
    }

    fn value_of(&self, wanted: &str) -> Option<&str> {
        match self {
            Self::Pair { key, value } if key.eq_ignore_ascii_case(wanted) => Some(value),
            _ => None,
        }
    }
}

/// Lines without a blank one among them.
type Paragraph = Vec<Entry>;

/// The text between two boards, before the first, or after the last.
#[derive(Debug, Default)]
pub(super) struct Gap {
    paragraphs: Vec<Paragraph>,
    /// No blank line stands between the board above and the first paragraph.
    touches_above: bool,
    /// No blank line stands between the last paragraph and the board below.
    touches_below: bool,
    /// A blank line was the last one.
    broken: bool,
}

impl Gap {
    /// Takes in the next entry.
    pub(super) fn push(&mut self, entry: Entry) {
        match self.paragraphs.last_mut() {
            Some(paragraph) if !self.broken => paragraph.push(entry),
            last => {
                self.touches_above |= last.is_none() && !self.broken;
                self.paragraphs.push(vec![entry]);
            }
        }
        self.broken = false;
    }

    /// Takes in a blank line.
    pub(super) const fn break_paragraph(&mut self) {
        self.broken = true;
    }

    /// Takes in that a board follows.
    pub(super) fn meet_board(&mut self) {
        self.touches_below = !self.broken && !self.paragraphs.is_empty();
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.paragraphs.iter().flatten()
    }
}

/// Where a collection writes what belongs to a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// Where a collection writes its titles and its `Key: value` lines.
#[derive(Debug, Clone, Copy)]
struct Style {
    notes: Side,
    pairs: Side,
}

impl Style {
    const fn both(side: Side) -> Self {
        Self {
            notes: side,
            pairs: side,
        }
    }

    fn of(gaps: &[Gap]) -> Self {
        let (Some(lead), Some(trail)) = (gaps.first(), gaps.last()) else {
            return Self::both(Side::Before);
        };
        let has_note = |gap: &Gap| gap.entries().any(|entry| entry.note().is_some());
        let side = |after: bool| if after { Side::After } else { Side::Before };
        let lead_titles = lead
            .entries()
            .any(|entry| entry.value_of("title").is_some());
        Self {
            notes: side(has_note(trail) && !has_note(lead)),
            pairs: side(trail.entries().any(Entry::is_pair) && !lead_titles),
        }
    }
}

/// Gives the text of `gaps` to the levels around it; `gaps[i]` stands before `levels[i]`, and one
/// more gap stands at the end.
pub(super) fn attach(levels: &mut [Level], gaps: Vec<Gap>) {
    let style = Style::of(&gaps);
    let common_author = common_author(&gaps, levels.len());
    let mut names: Vec<Names> = Vec::new();
    names.resize_with(levels.len(), Names::default);
    for (index, gap) in gaps.into_iter().enumerate() {
        let above = index.checked_sub(1);
        let below = (index < levels.len()).then_some(index);
        distribute(gap, style, [above, below], &mut names);
    }
    for (level, names) in levels.iter_mut().zip(names) {
        names.give(level, common_author.as_deref());
    }
}

/// The author named before the first board is that of all levels, unless others are named elsewhere and
/// the name stands right at the first board.
fn common_author(gaps: &[Gap], levels: usize) -> Option<String> {
    let author = |entry: &Entry| entry.value_of("author").map(str::to_owned);
    let (lead, rest) = gaps.split_first()?;
    let named_elsewhere = rest
        .iter()
        .flat_map(Gap::entries)
        .any(|entry| author(entry).is_some());
    let header = lead.paragraphs.len().saturating_sub(1);
    let in_header = lead.paragraphs[..header].iter().flatten().find_map(author);
    match in_header {
        None if !named_elsewhere && levels > 1 => lead.entries().find_map(author),
        found => found,
    }
}

fn distribute(gap: Gap, style: Style, neighbours: [Option<usize>; 2], names: &mut [Names]) {
    let [above, below] = neighbours;
    let count = gap.paragraphs.len();
    // Before the first board, all but the last paragraph is about the collection.
    let header = match above {
        None => count.saturating_sub(1),
        Some(_) => 0,
    };
    for (index, paragraph) in gap.paragraphs.into_iter().enumerate().skip(header) {
        let touches_above = gap.touches_above && index == 0 && above.is_some();
        let touches_below = gap.touches_below && index + 1 == count;
        let style = match (touches_above, touches_below, above, below) {
            (true, false, ..) | (_, _, Some(_), None) => Style::both(Side::After),
            (false, true, ..) | (_, _, None, Some(_)) => Style::both(Side::Before),
            _ => style,
        };
        let mut titled = touches_above || touches_below || floats_as_title(&paragraph);
        for entry in paragraph {
            let side = if entry.is_pair() {
                style.pairs
            } else {
                style.notes
            };
            let target = if side == Side::After { above } else { below };
            let Some(names) = target.and_then(|target| names.get_mut(target)) else {
                continue;
            };
            let may_be_title = titled && entry.note().is_some();
            titled &= !may_be_title;
            names.absorb(entry, may_be_title.then_some(side));
        }
    }
}

/// Whether a paragraph between blank lines holds a title: a single line, or `;` lines without a
/// ruler among them. Rulers make a section heading, and several lines of text are prose.
fn floats_as_title(paragraph: &Paragraph) -> bool {
    let notes = || {
        paragraph
            .iter()
            .filter(|entry| matches!(entry, Entry::Note { .. }))
    };
    let has_ruler = notes().any(|entry| entry.note().is_none());
    let is_marked = matches!(notes().next(), Some(Entry::Note { marked: true, .. }));
    !has_ruler && (is_marked || notes().count() == 1)
}

/// What the text says about one level.
#[derive(Debug, Default)]
struct Names {
    /// From a `Title:` line: it prevails.
    stated_title: Option<String>,
    /// From a `;` line or a line of text.
    noted_title: Option<String>,
    author: Option<String>,
    comment: Vec<String>,
    solution: Option<String>,
}

impl Names {
    /// Takes in an entry; `title_side` says that it may be the title, and on which side of the board.
    fn absorb(&mut self, entry: Entry, title_side: Option<Side>) {
        match entry {
            Entry::Note { text, .. } => match title_side {
                // Before a board the line nearest to it is the title, and so the last one.
                Some(Side::Before) => self.comment.extend(self.noted_title.replace(text)),
                Some(Side::After) => self.keep_first(|names| &mut names.noted_title, text),
                None => self.remark(text),
            },
            Entry::Remark(text) => self.remark(text),
            Entry::Comment(lines) => self.comment.extend(lines),
            Entry::Solution(text) => self.keep_first(|names| &mut names.solution, text),
            Entry::Pair { key, value } if key.eq_ignore_ascii_case("title") => {
                self.keep_first(|names| &mut names.stated_title, value);
            }
            Entry::Pair { key, value } if key.eq_ignore_ascii_case("author") => {
                self.keep_first(|names| &mut names.author, value);
            }
            Entry::Pair { key, value } => self.comment.push(format!("{key}: {value}")),
        }
    }

    /// The first value stays; a later one becomes a comment.
    fn keep_first(&mut self, slot: fn(&mut Self) -> &mut Option<String>, value: String) {
        match slot(self) {
            empty @ None => *empty = Some(value),
            Some(_) => self.comment.push(value),
        }
    }

    /// Rulers say nothing.
    fn remark(&mut self, text: String) {
        if text.chars().any(char::is_alphanumeric) {
            self.comment.push(text);
        }
    }

    fn give(mut self, level: &mut Level, common_author: Option<&str>) {
        if self.stated_title.is_some() {
            self.comment.extend(self.noted_title.take());
        }
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        let comment = self.comment.join("\n").trim().to_owned();
        level.title = filled(self.stated_title.or(self.noted_title));
        level.author = filled(self.author).or_else(|| common_author.map(str::to_owned));
        level.comment = filled(Some(comment));
        level.solution = filled(self.solution);
    }
}
