//! What one page gives the set: its texts that may stand in a title block, with their places, and the titles of its
//! drawings. This is all that is kept of a page until the whole set is judged.

use std::collections::BTreeMap;

use fanlight_contract::{Geometry, PageText, Rect};
use fanlight_geometry::{EMPTY_RECT, RectExt as _, median};
use fanlight_text::{Frame, Line, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::labels::{self, Label};
use crate::words;
use crate::{drawing_type, paper, title_block};

/// What is kept of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sheet {
    /// 1-based.
    pub(crate) number: u32,
    /// Extent of the page as it is read, in points.
    pub(crate) width: f32,
    /// Likewise.
    pub(crate) height: f32,
    /// Texts that may stand in a title block.
    pub(crate) texts: Vec<Text>,
    /// Titles of the drawings on the page, from the top.
    pub(crate) views: Vec<Text>,
    /// What its text looks like, where it is no drawing.
    pub(crate) paper: Option<paper::Paper>,
    /// Headings on it that name what it holds, but have no scale: "DOOR SCHEDULE", "GENERAL NOTES".
    pub(crate) headings: Vec<String>,
    /// Characters of its text, white space aside.
    pub(crate) characters: u32,
    /// Where its text comes from.
    pub(crate) origin: Origin,
    /// The first scale of a view, as printed.
    pub(crate) scale: Option<String>,
}

/// Where a page's text comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Origin {
    /// It is text.
    #[default]
    Text,
    /// It was read from pixels: sizes and places are rough.
    Read,
    /// The page is a picture, and nothing was read of it.
    Picture,
}

/// A line of text, or part of one that stands apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "what a text says is its text")]
pub(crate) struct Text {
    /// As printed.
    #[serde(rename = "t")]
    pub(crate) text: String,
    /// In the page as it is read: points from its top left corner, y down; x1, y1, x2, y2.
    #[serde(rename = "b")]
    pub(crate) bbox: [f32; 4],
    /// Height of the em in points.
    #[serde(rename = "s")]
    pub(crate) size: f32,
    /// Quarter turns counterclockwise from upright.
    #[serde(rename = "d", default)]
    pub(crate) turn: u8,
}

/// White space of so many ems parts a line: cells of a title block stand side by side, words of a title closer.
const PARTING_GAP: f32 = 1.0;
/// Texts on one line whose sizes differ by more are two: a label and its value.
const PARTING_SIZE: f32 = 1.3;
/// Share of the page's width, from the right, that is searched for a title block; a strip is rarely a fifth of it.
const RIGHT: f32 = 0.3;
/// Share of its height from the bottom.
const BOTTOM: f32 = 0.3;
/// Texts kept of a page at most, those nearest to the bottom right corner: a page that is nothing but text would
/// otherwise make the set's judgement slow.
const MOST_TEXTS: usize = 400;
/// Drawings' titles kept of a page at most.
const MOST_VIEWS: usize = 24;
/// Lines read of a page at most.
const MOST_LINES: usize = 20_000;

impl Sheet {
    /// Takes from a page what the set's judgement needs.
    pub fn read(number: u32, text: &PageText, geometry: &Geometry, origin: Origin) -> Self {
        let page = fanlight_text::Page::read(text, geometry);
        let frame = page.frame;
        let mut texts = Vec::new();
        for line in page.lines.iter().take(MOST_LINES) {
            texts.extend(pieces(line).map(|words| Text::of(words, |bbox| bbox, 0)));
        }
        for turned in &page.turned {
            let turn = ((turned.frame.angle - frame.angle) / 90.0).round().rem_euclid(4.0) as u8;
            let place = |bbox: Rect| back(&turned.frame, &frame, bbox);
            for line in turned.lines.iter().take(MOST_LINES) {
                texts.extend(pieces(line).map(|words| Text::of(words, place, turn)));
            }
        }
        texts.retain(|text| text.size >= 1.0 && text.bbox.iter().all(|value| value.is_finite()));
        let characters = texts.iter().map(|text| text.text.chars().filter(|c| !c.is_whitespace()).count() as u32).sum();
        let paper = paper::read(&page, frame.width, frame.height);
        let (views, scale) = views(&texts, frame.height);
        let headings = headings(&texts, &views);
        let mut sheet = Self {
            number,
            width: frame.width,
            height: frame.height,
            texts,
            views,
            paper,
            headings,
            characters,
            origin,
            scale,
        };
        sheet.keep_edges();
        sheet
    }

    /// Whether it is a sheet whose text has no number, so that the number may be lettered in outlines.
    pub(crate) fn may_have_an_outlined_number(&self) -> bool {
        let alone = std::slice::from_ref(self);
        self.paper.is_none()
            && self.width.max(self.height) > paper::LONGEST
            && title_block::read(alone).iter().all(|entries| entries.number.is_none() || !entries.sure)
    }

    /// Keeps the texts that stand where title blocks stand, and the largest of the others.
    fn keep_edges(&mut self) {
        let (width, height) = (self.width, self.height);
        let away = |text: &Text| {
            let [x1, y1, x2, y2] = text.bbox;
            let (right, bottom) = (1.0 - f32::midpoint(x1, x2) / width, 1.0 - f32::midpoint(y1, y2) / height);
            (right, bottom)
        };
        self.texts.retain(|text| {
            let (right, bottom) = away(text);
            let inside = (-0.02..=1.02).contains(&right) && (-0.02..=1.02).contains(&bottom);
            inside && (right <= RIGHT || bottom <= BOTTOM) && text.text.chars().any(char::is_alphanumeric)
        });
        if self.texts.len() > MOST_TEXTS {
            // What is near an edge, and of that near the corner: a strip's texts before the drawing's.
            let rank = |text: &Text| {
                let (right, bottom) = away(text);
                right.min(bottom) + 0.25 * right.max(bottom)
            };
            self.texts.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
            self.texts.truncate(MOST_TEXTS);
        }
    }
}

impl Text {
    fn of(words: &[Word], place: impl Fn(Rect) -> Rect, turn: u8) -> Self {
        let bbox = place(words.iter().fold(EMPTY_RECT, |sum, word| sum.union(&word.bbox)));
        let size = words.iter().fold(0.0_f32, |size, word| size.max(word.size));
        let tenth = |value: f32| (value * 10.0).round() / 10.0;
        Self {
            text: fanlight_text::folding::tidy(&fanlight_text::text(words)),
            bbox: [tenth(bbox.x1), tenth(bbox.y1), tenth(bbox.x2), tenth(bbox.y2)],
            size: tenth(size),
            turn,
        }
    }

    /// Its box as it is read when the page is turned so that it is upright: x along its line, y down.
    pub(crate) fn upright(&self, width: f32, height: f32) -> [f32; 4] {
        let [x1, y1, x2, y2] = self.bbox;
        match self.turn {
            1 => [height - y2, x1, height - y1, x2],
            2 => [width - x2, height - y2, width - x1, height - y1],
            3 => [y1, width - x2, y2, width - x1],
            _ => self.bbox,
        }
    }
}

/// A box of one frame in another.
fn back(from: &Frame, to: &Frame, bbox: Rect) -> Rect {
    to.place_box(from.to_user_space(bbox))
}

/// A line's words, parted where they stand apart or change their size.
fn pieces(line: &Line) -> impl Iterator<Item = &[Word]> {
    line.words
        .chunk_by(|left, right| {
            let larger = left.size.max(right.size);
            let even = larger <= PARTING_SIZE * left.size.min(right.size);
            !left.leader && !right.leader && even && right.gap < PARTING_GAP * larger
        })
        .filter(|words| words.first().is_some_and(|word| !word.leader))
}

/// Titles of drawings: what stands over a scale, set larger than it, from the top. Also the first of the scales.
fn views(texts: &[Text], height: f32) -> (Vec<Text>, Option<String>) {
    let mut found: Vec<&Text> = Vec::new();
    let mut first: Option<(f32, String)> = None;
    // By the foot of what may be a title, so that each scale looks at few.
    let mut by_foot: BTreeMap<i32, Vec<&Text>> = BTreeMap::new();
    for text in
        texts.iter().filter(|text| text.turn == 0 && text.text.chars().filter(|c| c.is_alphabetic()).count() >= 3)
    {
        by_foot.entry((text.bbox[3] / 10.0).floor() as i32).or_default().push(text);
    }
    for scale in texts.iter().filter(|text| text.turn == 0 && labels::is_scale(&text.text)) {
        let reach = 4.0 * scale.size;
        let rows =
            ((scale.bbox[1] - reach) / 10.0).floor() as i32..=((scale.bbox[1] + scale.size) / 10.0).floor() as i32;
        let over = by_foot.range(rows).flat_map(|(_, texts)| texts.iter()).filter(|text| {
            let apart = scale.bbox[1] - text.bbox[3];
            let aligned = scale.bbox[0] < text.bbox[2] && scale.bbox[2] > text.bbox[0] - 2.0 * text.size;
            apart > -0.6 * text.size
                && apart < reach
                && aligned
                && text.size >= 0.95 * scale.size
                && text.bbox[1] < scale.bbox[1]
                && labels::read(&text.text).is_none()
                && !labels::is_scale(&text.text)
                && labels::with_value(&text.text).is_none()
        });
        if let Some(title) = over.max_by(|a, b| a.bbox[3].total_cmp(&b.bbox[3])) {
            found.push(title);
            if first.as_ref().is_none_or(|(top, _)| scale.bbox[1] < *top) {
                first = Some((scale.bbox[1], scale.text.clone()));
            }
        }
    }
    let row = |top: f32| (top / (0.04 * height).max(1.0)).round() as i32;
    found.sort_by(|a, b| row(a.bbox[1]).cmp(&row(b.bbox[1])).then(a.bbox[0].total_cmp(&b.bbox[0])));
    let mut views: Vec<Text> = Vec::new();
    for title in found {
        if !views.iter().any(|view| view.text == title.text) && views.len() < MOST_VIEWS {
            views.push(title.clone());
        }
    }
    (views, first.map(|(_, scale)| scale))
}

/// Short texts that say what a part of the sheet holds, set at least as large as the median text, the largest first.
fn headings(texts: &[Text], views: &[Text]) -> Vec<String> {
    let median = median(texts.iter().map(|text| text.size).collect()).unwrap_or_default();
    let mut found: Vec<&Text> = texts
        .iter()
        .filter(|text| {
            text.size > 1.05 * median
                && (4..=60).contains(&text.text.len())
                && labels::read(&text.text) != Some(Label::Other)
                && words::words(&text.text).len() <= 7
                && !views.iter().any(|view| view.text == text.text)
                && drawing_type::is_telling(&text.text)
        })
        .collect();
    found.sort_by(|a, b| b.size.total_cmp(&a.size));
    let mut headings: Vec<String> = Vec::new();
    for text in found {
        if !headings.contains(&text.text) && headings.len() < MOST_VIEWS {
            headings.push(text.text.clone());
        }
    }
    headings
}
