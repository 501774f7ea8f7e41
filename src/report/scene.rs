//! What a chart consists of: lines, discs, polygons and text at fixed places.
//!
//! A chart function fills a [`Scene`]; `canvas` draws the same scene as SVG and as PNG. Because a
//! scene is plain data, tests can ask whether any text is clipped or lies over another.

use super::font;
use super::palette::{Color, INK, Marker, Style};

/// A place in pixels from the upper left corner.
pub type Point = (f64, f64);

/// Font size of labels, in pixels.
pub const TEXT_SIZE: f64 = 13.0;

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub bottom: f64,
}

impl Area {
    /// Width in pixels.
    #[must_use]
    pub const fn width(&self) -> f64 {
        self.right - self.left
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> f64 {
        self.bottom - self.top
    }

    /// Whether the two share more than an edge.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether `other` lies inside.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }
}

/// Which part of a text its place names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// One line of text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The text.
    pub content: String,
    /// A point of its baseline, chosen by `anchor`.
    pub at: Point,
    /// Font size (em) in pixels.
    pub size: f64,
    /// Part of the text that stands at `at`.
    pub anchor: Anchor,
    /// Bold face.
    pub bold: bool,
    /// Turned to read from the bottom up.
    pub upward: bool,
    /// Colour.
    pub color: Color,
}

impl Text {
    /// A label: regular face, usual size, beginning at `at`.
    #[must_use]
    pub fn new(content: impl Into<String>, at: Point) -> Self {
        Self {
            content: content.into(),
            at,
            size: TEXT_SIZE,
            anchor: Anchor::Start,
            bold: false,
            upward: false,
            color: INK,
        }
    }

    /// With another anchor.
    #[must_use]
    pub fn anchor(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    /// With another size, in pixels.
    #[must_use]
    pub fn size(mut self, size: f64) -> Self {
        self.size = size;
        self
    }

    /// In bold.
    #[must_use]
    pub fn bold(mut self) -> Self {
        self.bold = true;
        self
    }

    /// Reading from the bottom up.
    #[must_use]
    pub fn upward(mut self) -> Self {
        self.upward = true;
        self
    }

    /// In another colour.
    #[must_use]
    pub fn color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// The rectangle it covers: 0.76 em above the baseline, 0.24 em below it.
    #[must_use]
    pub fn bounds(&self) -> Area {
        let length = font::width(&self.content, self.size, self.bold);
        let before = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => length / 2.0,
            Anchor::End => length,
        };
        let (ascent, descent) = (0.76 * self.size, 0.24 * self.size);
        let (x, y) = self.at;
        if self.upward {
            Area {
                left: x - ascent,
                top: y + before - length,
                right: x + descent,
                bottom: y + before,
            }
        } else {
            Area {
                left: x - before,
                top: y - ascent,
                right: x - before + length,
                bottom: y + descent,
            }
        }
    }
}

/// One thing to draw.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// An open line through points.
    Line {
        /// Corners, at least two.
        points: Vec<Point>,
        /// Thickness in pixels.
        width: f64,
        /// Colour.
        color: Color,
        /// Opacity, 0 to 1.
        alpha: f64,
    },
    /// A filled disc.
    Disc {
        /// Centre.
        center: Point,
        /// Radius in pixels.
        radius: f64,
        /// Colour.
        color: Color,
        /// Opacity, 0 to 1.
        alpha: f64,
    },
    /// A filled polygon.
    Polygon {
        /// Corners, at least three.
        points: Vec<Point>,
        /// Colour.
        color: Color,
        /// Opacity, 0 to 1.
        alpha: f64,
    },
    /// A line of text.
    Text(Text),
}

/// A whole picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// What to draw, later items over earlier ones.
    pub items: Vec<Item>,
}

impl Scene {
    /// An empty picture.
    #[must_use]
    pub const fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            items: Vec::new(),
        }
    }

    /// Adds text.
    pub fn text(&mut self, text: Text) {
        self.items.push(Item::Text(text));
    }

    /// Adds a solid line.
    pub fn line(&mut self, points: &[Point], width: f64, color: Color) {
        self.items.push(Item::Line {
            points: points.to_vec(),
            width,
            color,
            alpha: 1.0,
        });
    }

    /// Adds a line in the dash of `style`, cut into pieces, since neither backend knows dashes.
    pub fn styled_line(&mut self, points: &[Point], width: f64, style: Style) {
        match style.dash {
            None => self.line(points, width, style.color),
            Some(dash) => {
                for piece in dashes(points, dash) {
                    self.line(&piece, width, style.color);
                }
            }
        }
    }

    /// Adds a filled rectangle.
    pub fn rectangle(&mut self, area: Area, color: Color) {
        let points = vec![
            (area.left, area.top),
            (area.right, area.top),
            (area.right, area.bottom),
            (area.left, area.bottom),
        ];
        self.items.push(Item::Polygon {
            points,
            color,
            alpha: 1.0,
        });
    }

    /// Adds a disc.
    pub fn disc(&mut self, center: Point, radius: f64, color: Color, alpha: f64) {
        self.items.push(Item::Disc {
            center,
            radius,
            color,
            alpha,
        });
    }

    /// Adds the mark of a series.
    pub fn marker(&mut self, center: Point, radius: f64, style: Style) {
        if style.marker == Marker::Circle {
            self.disc(center, radius, style.color, 1.0);
            return;
        }
        self.items.push(Item::Polygon {
            points: marker_outline(style.marker)
                .into_iter()
                .map(|(x, y)| (center.0 + x * radius, center.1 + y * radius))
                .collect(),
            color: style.color,
            alpha: 1.0,
        });
    }

    /// All text.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.items.iter().filter_map(|item| match item {
            Item::Text(text) => Some(text),
            _ => None,
        })
    }
}

/// Outline of a marker of radius 1; areas are near that of the disc, so that no series looks heavier.
fn marker_outline(marker: Marker) -> Vec<Point> {
    const ARM: f64 = 0.38;
    let plus = [
        (-ARM, -1.15),
        (ARM, -1.15),
        (ARM, -ARM),
        (1.15, -ARM),
        (1.15, ARM),
        (ARM, ARM),
        (ARM, 1.15),
        (-ARM, 1.15),
        (-ARM, ARM),
        (-1.15, ARM),
        (-1.15, -ARM),
        (-ARM, -ARM),
    ];
    match marker {
        // A disc has no corners; its square serves where a polygon is asked for.
        Marker::Circle | Marker::Square => {
            vec![(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]
        }
        Marker::Triangle => vec![(0.0, -1.2), (1.2, 0.9), (-1.2, 0.9)],
        Marker::TriangleDown => vec![(0.0, 1.2), (1.2, -0.9), (-1.2, -0.9)],
        Marker::Diamond => vec![(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)],
        Marker::Plus => plus.to_vec(),
        Marker::Cross => {
            let turn = std::f64::consts::FRAC_1_SQRT_2;
            plus.map(|(x, y)| ((x - y) * turn, (x + y) * turn)).to_vec()
        }
    }
}

/// Cuts a line into pieces of `on` pixels with gaps of `off` pixels; the pattern runs on over corners.
fn dashes(points: &[Point], (on, off): (f64, f64)) -> Vec<[Point; 2]> {
    let mut pieces = Vec::new();
    let mut phase = 0.0;
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |distance: f64| {
            let share = distance / length;
            (
                from.0 + (to.0 - from.0) * share,
                from.1 + (to.1 - from.1) * share,
            )
        };
        let mut done = 0.0;
        while done < length {
            let inked = phase < on;
            let rest = if inked { on - phase } else { on + off - phase };
            let end = (done + rest).min(length);
            if inked {
                pieces.push([at(done), at(end)]);
            }
            phase = (phase + end - done) % (on + off);
            // Rounding can leave a rest too small to move `done`; the next piece starts afresh then.
            if end - done < 1e-9 {
                phase = if inked { on } else { 0.0 };
            }
            done = end;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_run_on_over_corners() {
        // 3 on, 2 off along 4 + 4 pixels: ink 0..3 and 5..8 of the length.
        let pieces = dashes(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], (3.0, 2.0));
        assert_eq!(pieces, [[(0.0, 0.0), (3.0, 0.0)], [(4.0, 1.0), (4.0, 4.0)]]);
    }

    #[test]
    fn bounds_follow_the_anchor_and_the_turn() {
        let width = font::width("label", 10.0, false);
        let middle = Text::new("label", (50.0, 20.0))
            .size(10.0)
            .anchor(Anchor::Middle)
            .bounds();
        assert!((middle.left - (50.0 - width / 2.0)).abs() < 1e-9);
        assert!((middle.top - 12.4).abs() < 1e-9 && (middle.bottom - 22.4).abs() < 1e-9);
        let upward = Text::new("label", (50.0, 90.0))
            .size(10.0)
            .upward()
            .bounds();
        assert!((upward.bottom - 90.0).abs() < 1e-9);
        assert!((upward.top - (90.0 - width)).abs() < 1e-9);
    }
}
