//! The texts of a sheet: words that stand together, with their places in the sheet's frame.

use crate::scale::Note;
use fanlight_contract::Rect;
use fanlight_text::{Line, Page};

/// Words that stand together on one line.
#[derive(Clone, Debug)]
pub struct Phrase {
    /// As it reads.
    pub text: String,
    /// In the sheet's frame, whichever way it reads.
    pub bbox: Rect,
    /// Height of the em in points.
    pub size: f32,
    /// Whether it reads as the sheet does.
    pub upright: bool,
    /// What it says of a scale.
    pub note: Option<Note>,
}

/// All of a sheet, those that read as it does first.
#[derive(Clone, Debug, Default)]
pub struct Phrases {
    /// In reading order within each direction.
    pub all: Vec<Phrase>,
    /// Half of the sheet's characters are set no larger.
    pub common_size: f32,
}

/// White space of so many ems parts a line.
const GAP: f32 = 1.3;
/// Lines read of a page in each direction at most.
const MOST_LINES: usize = 20_000;

impl Phrases {
    /// Of a page's lines, turned ones too.
    pub fn of(page: &Page) -> Self {
        let mut all = Vec::new();
        take(&page.lines, |bbox| bbox, true, &mut all);
        for turned in &page.turned {
            let place = |bbox| page.frame.place_box(turned.frame.to_user_space(bbox));
            take(&turned.lines, place, false, &mut all);
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

fn take(lines: &[Line], place: impl Fn(Rect) -> Rect, upright: bool, all: &mut Vec<Phrase>) {
    for line in lines.iter().take(MOST_LINES) {
        for phrase in line.phrases(GAP) {
            let (text, size, bbox) = (phrase.text(), phrase.size(), place(phrase.bbox));
            let sound = [bbox.x1, bbox.y1, bbox.x2, bbox.y2, size].iter().all(|value| value.is_finite());
            if sound && size > 0.0 {
                let note = Note::find(&text);
                all.push(Phrase { text, bbox, size, upright, note });
            }
        }
    }
}

impl Phrase {
    /// Whether it is what stands on a dimension line: a length and nothing else.
    pub fn is_dimension(&self) -> bool {
        let text = self.text.trim();
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let known = text.chars().all(|c| c.is_ascii_digit() || " '\"’”″′-–/.,±+½¼¾⅛⅜⅝⅞()".contains(c));
        digits > 0 && known && text.chars().count() <= 16 && self.note.is_none()
    }

    /// Whether it is a note of some words, which may have a leader to what it is about.
    pub fn is_note(&self) -> bool {
        self.text.chars().filter(|c| c.is_alphabetic()).count() >= 6 && !self.is_dimension()
    }
}
