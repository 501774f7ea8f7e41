//! Colours, marker shapes and dashes. Colour is never the only difference between two series.

/// A colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

impl Color {
    /// Hexadecimal form, as SVG and CSS write it.
    #[must_use]
    pub fn hex(self) -> String {
        format!("#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Background of every chart.
pub const PAPER: Color = Color(0xFF, 0xFF, 0xFF);
/// Text, axes.
pub const INK: Color = Color(0x1F, 0x23, 0x28);
/// Secondary text, reference lines.
pub const MUTED: Color = Color(0x57, 0x60, 0x6A);
/// Grid lines.
pub const GRID: Color = Color(0xE1, 0xE4, 0xE8);

/// Shape of the mark of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// Disc.
    Circle,
    /// Square.
    Square,
    /// Triangle, tip up.
    Triangle,
    /// Square on its tip.
    Diamond,
    /// Triangle, tip down.
    TriangleDown,
    /// Upright cross.
    Plus,
    /// Diagonal cross.
    Cross,
}

/// How one series looks, in every chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Colour.
    pub color: Color,
    /// Shape of its marks.
    pub marker: Marker,
    /// Lengths of ink and gap of its lines, in pixels; `None` is a solid line.
    pub dash: Option<(f64, f64)>,
}

/// Okabe and Ito, "Color Universal Design" (2008), ordered so that neighbours differ most, without
/// black, which is text, and without yellow, which vanishes on white.
const COLORS: [Color; 6] = [
    Color(0x00, 0x72, 0xB2),
    Color(0xD5, 0x5E, 0x00),
    Color(0x00, 0x9E, 0x73),
    Color(0xCC, 0x79, 0xA7),
    Color(0xE6, 0x9F, 0x00),
    Color(0x56, 0xB4, 0xE9),
];

const MARKERS: [Marker; 7] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::TriangleDown,
    Marker::Plus,
    Marker::Cross,
];

const DASHES: [Option<(f64, f64)>; 5] = [
    None,
    Some((8.0, 4.0)),
    Some((2.5, 3.0)),
    Some((14.0, 4.0)),
    Some((5.0, 7.0)),
];

/// Style of the series with this index. 6, 7 and 5 have no common factor, so that the first 210
/// styles all differ.
#[must_use]
pub const fn style(index: usize) -> Style {
    Style {
        color: COLORS[index % COLORS.len()],
        marker: MARKERS[index % MARKERS.len()],
        dash: DASHES[index % DASHES.len()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_210_styles_differ_in_more_than_colour() {
        for left in 0..210 {
            for right in 0..left {
                assert_ne!(style(left), style(right), "{left} and {right}");
            }
        }
        for index in 1..6 {
            assert_ne!(style(index).marker, style(index - 1).marker);
            assert_ne!(style(index).dash, style(index - 1).dash);
        }
    }

    #[test]
    fn hex_has_six_digits() {
        assert_eq!(Color(0, 0x72, 0xB2).hex(), "#0072B2");
    }
}
