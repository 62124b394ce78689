//! Tables with rules missing: the alignment of the text shows what they would.
//!
//! - `under_header`: a rule or the edge of a shade below the header, and no other rules or only those between rows;
//! - `under_title`: a title, a header, and no rule at all;
//! - `columns`: the columns of rows of text;
//! - `occupied`: where grids were found already.

mod columns;
mod occupied;
mod under_header;
mod under_title;

pub(crate) use under_header::{under_headers, under_shades};
pub(crate) use under_title::under_titles;

/// What the tests of this module's parts start from.
#[cfg(test)]
mod fixture {
    use fanlight_contract::Rect;

    use crate::words::Phrase;

    /// Returns an upright phrase of 10 points whose letters are 5 points wide, with its upper left corner at (x, y).
    pub(super) fn phrase(text: &str, x: f32, y: f32) -> Phrase {
        let bbox = Rect { x1: x, y1: y, x2: x + 5.0 * text.len() as f32, y2: y + 10.0 };
        Phrase::of_word(text, bbox, 10.0, 0, y as u32)
    }

    /// Returns a line of phrases that begin at the given places.
    pub(super) fn line(y: f32, texts: &[(f32, &str)]) -> Vec<Phrase> {
        texts.iter().map(|&(x, text)| phrase(text, x, y)).collect()
    }
}
