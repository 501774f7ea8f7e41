//! Marks, bars and whiskers of a series.

use super::palette::{Color, PAPER, Style};
use super::scene::{Area, Scene};

/// Draws a filled bar; its mark in the colour of the paper tells it apart without colour, where it
/// fits.
pub fn bar(scene: &mut Scene, area: Area, style: Style) {
    scene.rectangle(area, style.color);
    if area.height() >= 13.0 {
        let center = (f64::midpoint(area.left, area.right), area.bottom - 7.0);
        let style = Style {
            color: PAPER,
            ..style
        };
        scene.marker(center, 3.5, style);
    }
}

/// Draws the mark of a series with a rim of paper, which keeps it apart from whiskers and dots.
pub fn mark(scene: &mut Scene, at: (f64, f64), style: Style) {
    let rim = Style {
        color: PAPER,
        ..style
    };
    scene.marker(at, 6.25, rim);
    scene.marker(at, 5.0, style);
}

/// Draws a vertical range with caps: quartiles, or an interval.
pub fn whisker(scene: &mut Scene, x: f64, (from, to): (f64, f64), color: Color) {
    scene.line(&[(x, from), (x, to)], 1.75, color);
    for end in [from, to] {
        scene.line(&[(x - 4.0, end), (x + 4.0, end)], 1.75, color);
    }
}
