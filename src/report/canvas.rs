//! Draws one scene as SVG and as PNG.

use std::path::Path;

use plotters::backend::{BitMapBackend, DrawingBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color as _, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, TextStyle,
};
use thiserror::Error;

use super::font::{self, FontError};
use super::palette::{Color, PAPER};
use super::scene::{Anchor, Item, Point, Scene, Text};

/// Backends take whole pixels; scenes are drawn enlarged, so that a quarter of a pixel counts.
const ENLARGEMENT: u32 = 4;

/// A PNG has this many pixels for one of the scene, so that it is sharp in print and on dense screens.
pub const PNG_SCALE: u32 = 2;

/// Drawn pixels for one pixel of a PNG, in each direction; averaging them smooths every edge.
const SMOOTHING: u32 = ENLARGEMENT / PNG_SCALE;

/// Size of a font in plotters for an em of 1 in an SVG: its SVG backend divides by this.
const SVG_SIZE_PER_EM: f64 = 1.24;

/// A chart that cannot be drawn.
#[derive(Debug, Error)]
pub enum CanvasError {
    /// No font.
    #[error(transparent)]
    Font(#[from] FontError),
    /// The drawing library or the disk failed.
    #[error("cannot draw the {format} of a chart: {reason}")]
    Backend {
        /// `SVG` or `PNG`.
        format: &'static str,
        /// What the library says.
        reason: String,
    },
}

/// The scene as a stand-alone SVG document.
///
/// # Errors
/// [`CanvasError`] if the font or the drawing library fails.
pub fn svg(scene: &Scene) -> Result<String, CanvasError> {
    font::register()?;
    let (width, height) = enlarged_size(scene);
    let mut document = String::new();
    let root = SVGBackend::with_string(&mut document, (width, height)).into_drawing_area();
    draw(&root, scene, TextFit::SVG).map_err(|error| failure("SVG", &error))?;
    drop(root);
    // The view box keeps the enlarged coordinates; the outer size is that of the scene.
    Ok(document.replacen(
        &format!("width=\"{width}\" height=\"{height}\""),
        &format!(
            "width=\"{}\" height=\"{}\"",
            width / ENLARGEMENT,
            height / ENLARGEMENT
        ),
        1,
    ))
}

/// Writes the scene as a PNG, [`PNG_SCALE`] pixels for one of the scene, to `path`, which must end in
/// `.png`.
///
/// # Errors
/// [`CanvasError`] if the font or the drawing library fails, or the file cannot be written.
pub fn write_png(scene: &Scene, path: &Path) -> Result<(), CanvasError> {
    font::register()?;
    let (width, height) = enlarged_size(scene);
    let mut pixels = vec![0; width as usize * height as usize * 3];
    let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
    draw(&root, scene, TextFit::PNG).map_err(|error| failure("PNG", &error))?;
    drop(root);
    let size = (width / SMOOTHING, height / SMOOTHING);
    let smooth = average(&pixels, width as usize);
    let mut file = BitMapBackend::new(path, size);
    file.blit_bitmap((0, 0), size, &smooth)
        .and_then(|()| file.present())
        .map_err(|error| failure("PNG", &error))
}

fn failure(format: &'static str, error: &dyn std::error::Error) -> CanvasError {
    CanvasError::Backend {
        format,
        reason: error.to_string(),
    }
}

fn enlarged_size(scene: &Scene) -> (u32, u32) {
    let enlarged = |length: f64| length.ceil() as u32 * ENLARGEMENT;
    (enlarged(scene.width), enlarged(scene.height))
}

/// Mean of each square of [`SMOOTHING`] by [`SMOOTHING`] pixels (three bytes each).
fn average(pixels: &[u8], width: usize) -> Vec<u8> {
    let side = SMOOTHING as usize;
    let height = pixels.len() / 3 / width;
    let mut smooth = Vec::with_capacity(pixels.len() / (side * side));
    for top in (0..height).step_by(side) {
        for left in (0..width).step_by(side) {
            for channel in 0..3 {
                let sum: usize = (0..side * side)
                    .map(|cell| (top + cell / side) * width + left + cell % side)
                    .map(|pixel| usize::from(pixels[pixel * 3 + channel]))
                    .sum();
                smooth.push((sum / (side * side)) as u8);
            }
        }
    }
    smooth
}

/// How a backend turns a font size and a place into glyphs.
#[derive(Clone, Copy)]
struct TextFit {
    /// Plotters' font size for an em of 1.
    size_per_em: f64,
    /// Distance of the baseline below the place of a text anchored at its top, in em.
    baseline: f64,
}

impl TextFit {
    /// The SVG backend writes `dy="0.76em"`.
    const SVG: Self = Self {
        size_per_em: SVG_SIZE_PER_EM,
        baseline: 0.76,
    };
    /// The rasteriser puts the baseline half a font size down.
    const PNG: Self = Self {
        size_per_em: font::HEIGHT_PER_EM,
        baseline: font::HEIGHT_PER_EM / 2.0,
    };
}

type Drawn<B> = Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

fn draw<B: DrawingBackend>(root: &DrawingArea<B, Shift>, scene: &Scene, fit: TextFit) -> Drawn<B> {
    root.fill(&rgb(PAPER))?;
    for item in &scene.items {
        match item {
            Item::Line {
                points,
                width,
                color,
                alpha,
            } => root.draw(&PathElement::new(
                all(points),
                stroke(*color, *alpha, *width),
            ))?,
            Item::Disc {
                center,
                radius,
                color,
                alpha,
            } => root.draw(&Circle::new(
                place(*center),
                pixels(*radius),
                rgb(*color).mix(*alpha).filled(),
            ))?,
            Item::Polygon {
                points,
                color,
                alpha,
            } => root.draw(&Polygon::new(all(points), rgb(*color).mix(*alpha)))?,
            Item::Text(text) => draw_text(root, text, fit)?,
        }
    }
    root.present()
}

fn draw_text<B: DrawingBackend>(
    root: &DrawingArea<B, Shift>,
    text: &Text,
    fit: TextFit,
) -> Drawn<B> {
    let style = if text.bold {
        FontStyle::Bold
    } else {
        FontStyle::Normal
    };
    let size = text.size * f64::from(ENLARGEMENT) * fit.size_per_em;
    let turn = if text.upward {
        FontTransform::Rotate270
    } else {
        FontTransform::None
    };
    let font = FontDesc::new(FontFamily::Name(font::FAMILY), size, style).transform(turn);
    let horizontal = match text.anchor {
        Anchor::Start => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::End => HPos::Right,
    };
    let color = rgb(text.color);
    let style = TextStyle::from(font)
        .color(&color)
        .pos(Pos::new(horizontal, VPos::Top));
    let rise = fit.baseline * text.size;
    let (x, y) = text.at;
    let top = if text.upward {
        (x - rise, y)
    } else {
        (x, y - rise)
    };
    root.draw_text(&text.content, &style, place(top))
}

fn rgb(color: Color) -> RGBColor {
    RGBColor(color.0, color.1, color.2)
}

fn stroke(color: Color, alpha: f64, width: f64) -> ShapeStyle {
    rgb(color).mix(alpha).stroke_width(pixels(width))
}

fn pixels(length: f64) -> u32 {
    (length * f64::from(ENLARGEMENT)).round().max(1.0) as u32
}

fn place((x, y): Point) -> (i32, i32) {
    let enlarged = |at: f64| (at * f64::from(ENLARGEMENT)).round() as i32;
    (enlarged(x), enlarged(y))
}

fn all(points: &[Point]) -> Vec<(i32, i32)> {
    points.iter().copied().map(place).collect()
}
