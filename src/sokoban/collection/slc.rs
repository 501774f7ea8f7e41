//! The XML format of level collections (`.slc`, root element `SokobanLevels`).

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::Parts;
use super::board_text::BoardText;
use crate::sokoban::finding::{Finding, Place, Problem};

/// Whether the text is an XML document rather than a text collection.
pub(super) fn is_document(text: &str) -> bool {
    let start = text.trim_start();
    ["<?xml", "<SokobanLevels", "<!DOCTYPE SokobanLevels", "<!--"]
        .iter()
        .any(|opening| start.starts_with(opening))
}

/// Reads the levels of a document as far as it is XML. Takes time linear in the text.
pub(super) fn parse(text: &str) -> Parts {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    // A wrong or missing end tag does not hide the levels after it.
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    config.expand_empty_elements = true;
    let mut document = Document::new(text);
    loop {
        let start = reader.buffer_position();
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => document.take(event, start),
            Err(error) => {
                document.report(reader.error_position(), Problem::Xml(error.to_string()));
                // An error that consumes nothing would come back for ever.
                if reader.buffer_position() == start {
                    break;
                }
            }
        }
    }
    document.close_level();
    document.parts
}

/// A `Level` element being read.
struct OpenLevel {
    board: BoardText,
    title: Option<String>,
    /// `Width` and `Height` as written.
    stated: [Option<String>; 2],
    at: Place,
}

/// An `L` element being read: its characters and the column of each.
struct Row {
    line: usize,
    squares: Vec<(usize, char)>,
}

struct Document<'a> {
    parts: Parts,
    level: Option<OpenLevel>,
    row: Option<Row>,
    author: Option<String>,
    places: PlaceFinder<'a>,
}

impl<'a> Document<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            parts: Parts::default(),
            level: None,
            row: None,
            author: None,
            places: PlaceFinder::new(text),
        }
    }

    fn take(&mut self, event: Event<'_>, start: u64) {
        match event {
            Event::Start(element) => self.open(&element, start),
            Event::End(element) => match element.local_name().into_inner() {
                "L" => self.close_row(),
                "Level" => self.close_level(),
                _ => {}
            },
            Event::Text(text) => self.take_text(&text, start),
            Event::CData(text) => self.take_text(&text, start + "<![CDATA[".len() as u64),
            Event::GeneralRef(reference) => self.take_reference(&reference, start),
            _ => {}
        }
    }

    fn open(&mut self, element: &BytesStart<'_>, start: u64) {
        match element.local_name().into_inner() {
            "LevelCollection" => self.author = attribute(element, "Copyright"),
            "Level" => {
                self.close_level();
                let at = self.places.place(start);
                self.level = Some(OpenLevel {
                    board: BoardText::new(at.line),
                    title: attribute(element, "Id"),
                    stated: ["Width", "Height"].map(|name| attribute(element, name)),
                    at,
                });
            }
            "L" => {
                self.close_row();
                let line = self.places.place(start).line;
                let squares = Vec::new();
                self.row = self.level.is_some().then_some(Row { line, squares });
            }
            _ => {}
        }
    }

    fn take_text(&mut self, text: &str, start: u64) {
        let Some(row) = &mut self.row else { return };
        let place = self.places.place(start);
        // A row broken over lines keeps the line of its element; its breaks are no squares.
        let symbols = text.chars().filter(|symbol| !matches!(symbol, '\n' | '\r'));
        row.squares.extend((place.column..).zip(symbols));
    }

    fn take_reference(&mut self, reference: &BytesRef<'_>, start: u64) {
        let Some(row) = &mut self.row else { return };
        let column = self.places.place(start).column;
        let named = resolve_predefined_entity(reference).and_then(|text| text.chars().next());
        let symbol = match reference.resolve_char_ref() {
            Ok(Some(symbol)) => symbol,
            // An unknown reference is no square: its mark is reported as illegal.
            _ => named.unwrap_or('&'),
        };
        row.squares.push((column, symbol));
    }

    fn close_row(&mut self) {
        if let (Some(mut row), Some(level)) = (self.row.take(), &mut self.level) {
            while row
                .squares
                .last()
                .is_some_and(|square| square.1.is_whitespace())
            {
                row.squares.pop();
            }
            level.board.push_row(row.line, &row.squares);
        }
    }

    fn close_level(&mut self) {
        self.close_row();
        let Some(open) = self.level.take() else {
            return;
        };
        let Some(number) = self.parts.push(open.board) else {
            return;
        };
        let level = &mut self.parts.levels[number - 1];
        level.title = open.title;
        level.author.clone_from(&self.author);
        if let Some(place) = self.parts.places[number - 1].first() {
            level.line = place.line;
        }
        let counted = [level.width, level.height()];
        let names = ["Width", "Height"];
        for ((attribute, stated), counted) in names.into_iter().zip(open.stated).zip(counted) {
            let Some(stated) = stated.filter(|text| text.trim().parse() != Ok(counted)) else {
                continue;
            };
            self.parts.problems.push(Finding {
                level: Some(number),
                place: open.at,
                problem: Problem::StatedSize {
                    attribute,
                    stated,
                    counted,
                },
            });
        }
    }

    fn report(&mut self, position: u64, problem: Problem) {
        let place = self.places.place(position);
        self.parts.problems.push(Finding {
            level: None,
            place,
            problem,
        });
    }
}

/// The value of an attribute; `None` if it is absent, empty or malformed.
fn attribute(element: &BytesStart<'_>, name: &str) -> Option<String> {
    let attribute = element.try_get_attribute(name).ok().flatten()?;
    let value = attribute.normalized_value(XmlVersion::default()).ok()?;
    (!value.trim().is_empty()).then(|| value.trim().to_owned())
}

/// Finds the line and column of byte positions. Positions mostly grow, so that the whole document
/// takes linear time.
struct PlaceFinder<'a> {
    text: &'a str,
    /// Byte position at which each line starts.
    line_starts: Vec<usize>,
    /// A position asked for before, and its column.
    known: (usize, usize),
}

impl<'a> PlaceFinder<'a> {
    fn new(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(position, _)| position + 1);
        Self {
            text,
            line_starts: std::iter::once(0).chain(breaks).collect(),
            known: (0, 1),
        }
    }

    fn place(&mut self, position: u64) -> Place {
        let position =
            usize::try_from(position).map_or(self.text.len(), |at| at.min(self.text.len()));
        let line = self.line_starts.partition_point(|&start| start <= position);
        let line_start = self.line_starts[line - 1];
        let (from, column) = match self.known {
            (known, column) if (line_start..=position).contains(&known) => (known, column),
            _ => (line_start, 1),
        };
        let passed = self.text.as_bytes()[from..position].iter();
        // Continuation bytes of UTF-8 start no character.
        let column = column + passed.filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.known = (position, column);
        Place { line, column }
    }
}
