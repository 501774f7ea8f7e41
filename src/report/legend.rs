//! The legend: the name of each series beside its look.

use super::font;
use super::marks::bar;
use super::palette::Style;
use super::scene::{Area, Scene, TEXT_SIZE, Text};

/// Height of a line.
const LINE: f64 = 18.0;

/// How a legend shows a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// Its mark.
    Mark,
    /// Its line and mark.
    Line,
    /// A filled square.
    Fill,
}

/// One entry of the legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Name of the series.
    pub label: String,
    /// Its look.
    pub style: Style,
    /// How it is shown.
    pub sample: Sample,
}

/// Draws the legend from `top` on, in as many lines as it needs; returns its lower edge. Its
/// lines fill the space from `left` to `right`.
pub(super) fn draw(scene: &mut Scene, keys: &[Key], top: f64, (left, right): (f64, f64)) -> f64 {
    let mut x = left;
    let mut y = top + LINE / 2.0;
    for key in keys {
        let sample = if key.sample == Sample::Line {
            34.0
        } else {
            14.0
        };
        let width = sample + 6.0 + font::width(&key.label, TEXT_SIZE, false);
        if x + width > right && x > left {
            x = left;
            y += LINE + 2.0;
        }
        draw_sample(scene, key, (x, y));
        let at = (x + sample + 6.0, y + TEXT_SIZE * 0.36);
        scene.text(Text::new(&key.label, at));
        x += width + 22.0;
    }
    y + LINE / 2.0
}

fn draw_sample(scene: &mut Scene, key: &Key, (x, y): (f64, f64)) {
    match key.sample {
        Sample::Mark => scene.marker((x + 7.0, y), 5.0, key.style),
        Sample::Line => {
            scene.styled_line(&[(x, y), (x + 34.0, y)], 2.0, key.style);
            scene.marker((x + 17.0, y), 4.5, key.style);
        }
        Sample::Fill => {
            let square = Area {
                left: x,
                top: y - 7.0,
                right: x + 14.0,
                bottom: y + 7.0,
            };
            bar(scene, square, key.style);
        }
    }
}
