//! The phrases of a sheet with their positions in the sheet's frame.

use crate::scale::Note;
use fanlight_contract::Rect;
use fanlight_text::{Line, Page};

/// Words of one line without wide gaps between them.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// Its text.
    pub text: String,
    /// Its box in the sheet's frame, whatever its reading direction.
    pub bbox: Rect,
    /// Height of the em in points.
    pub size: f32,
    /// The scale note that it holds.
    pub note: Option<Note>,
}

/// The phrases of a sheet, those in its own reading direction first.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    /// In reading order within each direction.
    pub all: Vec<Phrase>,
    /// Median size of the sheet's characters, in points.
    pub common_size: f32,
}

/// Minimum width of a gap that separates two phrases of a line, in ems.
const GAP: f32 = 1.3;
/// Maximum number of lines of a reading direction.
const MAX_LINES: usize = 20_000;

impl Phrases {
    /// Reads the phrases of a page in all reading directions.
    pub fn from_page(page: &Page) -> Self {
        let mut all = Vec::new();
        take(&page.lines, |bbox| bbox, &mut all);
        for turned in &page.turned {
            let place = |bbox| page.frame.place_from(&turned.frame, bbox);
            take(&turned.lines, place, &mut all);
        }
        Self::from(all)
    }
}

impl From<Vec<Phrase>> for Phrases {
    fn from(all: Vec<Phrase>) -> Self {
        let mut sizes: Vec<(f32, usize)> = all.iter().map(|phrase| (phrase.size, phrase.text.len())).collect();
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        let half = sizes.iter().map(|(_, length)| length).sum::<usize>() / 2;
        let mut passed = 0;
        let common = sizes.iter().find(|(_, length)| {
            passed += length;
            passed > half
        });
        Self { common_size: common.map_or(0.0, |(size, _)| *size), all }
    }
}

/// Adds the phrases of lines; `place` maps their boxes into the sheet's frame.
fn take(lines: &[Line], place: impl Fn(Rect) -> Rect, all: &mut Vec<Phrase>) {
    for line in lines.iter().take(MAX_LINES) {
        for phrase in line.phrases(GAP) {
            let (text, size, bbox) = (phrase.text(), phrase.size(), place(phrase.bbox));
            let sound = [bbox.x1, bbox.y1, bbox.x2, bbox.y2, size].iter().all(|value| value.is_finite());
            if sound && size > 0.0 {
                let note = Note::find(&text);
                all.push(Phrase { text, bbox, size, note });
            }
        }
    }
}

impl Phrase {
    /// Returns whether it is a dimension: a length and nothing else.
    pub fn is_dimension(&self) -> bool {
        let text = self.text.trim();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let known = text.chars().all(|c| c.is_ascii_digit() || " '\"’”″′-–/.,±+½¼¾⅛⅜⅝⅞()".contains(c));
        digits > 0 && known && text.chars().count() <= 16 && self.note.is_none()
    }
}
