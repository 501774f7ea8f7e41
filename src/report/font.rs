//! The embedded font: charts carry text on a machine without fonts.

use std::sync::OnceLock;

use plotters::prelude::FontStyle;
use plotters::style::{FontDesc, FontFamily, register_font};
use thiserror::Error;

/// Family of all text. PNG images are drawn with the embedded DejaVu Sans; a viewer of an SVG that has
/// no such font takes Verdana, which has nearly the same widths.
pub const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// Height of the font (ascent plus descent) over its em: plotters scales embedded fonts by height,
/// charts are laid out by em, as CSS does. From the `hhea` table of DejaVu Sans: (1901 + 483) / 2048.
pub const HEIGHT_PER_EM: f64 = 2384.0 / 2048.0;

/// Em at which widths are measured; large, because plotters measures in whole pixels.
const MEASURING_EM: f64 = 2048.0;

/// The embedded font cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the embedded font DejaVu Sans ({0}) cannot be read; this is a fault of this build: build again from clean sources"
)]
pub struct FontError(&'static str);

/// Registers the embedded font with plotters, once for the process.
///
/// # Errors
/// [`FontError`] if plotters refuses the embedded file.
pub fn register() -> Result<(), FontError> {
    static REGISTERED: OnceLock<Result<(), FontError>> = OnceLock::new();
    REGISTERED
        .get_or_init(|| {
            register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular())
                .map_err(|_| FontError("regular"))?;
            register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold())
                .map_err(|_| FontError("bold"))
        })
        .clone()
}

/// Width of `text` in pixels at a font size of `em` pixels.
#[must_use]
pub fn width(text: &str, em: f64, bold: bool) -> f64 {
    let style = if bold {
        FontStyle::Bold
    } else {
        FontStyle::Normal
    };
    let size = MEASURING_EM * HEIGHT_PER_EM;
    let font = FontDesc::new(FontFamily::Name(FAMILY), size, style);
    let measured = register().ok().and_then(|()| font.box_size(text).ok());
    // Without the font nothing can be drawn, and `register` tells the caller so; the layout still
    // gets a width: the mean advance of a sans-serif font is near half an em.
    measured.map_or_else(
        || text.chars().count() as f64 * em / 2.0,
        |(pixels, _)| f64::from(pixels) * em / MEASURING_EM,
    )
}

/// Breaks `text` at spaces into lines no wider than `limit` pixels. A word that is wider stands alone
/// on its line.
#[must_use]
pub fn wrap(text: &str, em: f64, bold: bool, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), em, bold) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Advance widths from the `hmtx` table of DejaVu Sans, in units of 1/2048 em:
    /// zero 1303, period 651 (`ttx -t hmtx DejaVuSans.ttf`).
    #[test]
    fn widths_are_those_of_the_font_file() {
        assert!((width("0", 2048.0, false) - 1303.0).abs() <= 1.0);
        assert!((width("00.0", 2048.0, false) - 4560.0).abs() <= 2.0);
        assert!(width("legend", 12.0, true) > width("legend", 12.0, false));
    }

    #[test]
    fn wrapping_keeps_every_word_and_the_limit() {
        let text = "How much time does each pruning level save?";
        let lines = wrap(text, 14.0, false, 120.0);
        assert!(lines.len() > 1);
        assert_eq!(lines.join(" "), text);
        assert!(lines.iter().all(|line| width(line, 14.0, false) <= 120.0));
    }

    #[test]
    fn registering_twice_is_fine() {
        assert_eq!(register(), Ok(()));
        assert_eq!(register(), Ok(()));
    }
}
