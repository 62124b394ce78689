//! What one page contributes to the set: texts that may belong to a title block, with their
//! positions, and the titles of its drawings. Nothing else of a page is kept until the whole set is
//! classified.

use std::collections::{BTreeMap, HashSet};

use fanlight_contract::{Geometry, PageText, Rect};
use fanlight_geometry::{EMPTY_RECT, RectExt as _, median};
use fanlight_text::{Line, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::labels::{self, Label};
use crate::result::DrawingType;
use crate::words;
use crate::{drawing_type, paper, title_block};

/// What is kept of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sheet {
    /// The page's number, counted from 1.
    pub(crate) number: u32,
    /// The width of the upright page in points.
    pub(crate) width: f32,
    /// The height of the upright page in points.
    pub(crate) height: f32,
    /// Texts that may belong to a title block.
    pub(crate) texts: Vec<Text>,
    /// Titles of the drawings on the page, from the top.
    pub(crate) views: Vec<Text>,
    /// The kind of text if the page is not a drawing.
    pub(crate) paper: Option<paper::Paper>,
    /// Headings that name the content, but have no scale: "DOOR SCHEDULE", "GENERAL NOTES".
    pub(crate) headings: Vec<Text>,
    /// The largest of the headings in reading order: the titles of drawings without a scale.
    pub(crate) captions: Vec<String>,
    /// The number of characters without white space.
    pub(crate) characters: u32,
    /// Where its text comes from.
    pub(crate) origin: Origin,
    /// The first scale of a view, as printed.
    pub(crate) scale: Option<String>,
    /// Whether a page without text shows lines: a drawing without letters, or with letters that could not be read.
    #[serde(default)]
    pub(crate) is_drawn: bool,
    /// What its drawings show, if nothing printed on the page says it.
    #[serde(default)]
    pub(crate) shown: Option<DrawingType>,
}

/// Where a page's text comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Origin {
    /// The page has text.
    #[default]
    Text,
    /// OCR read it, so that sizes and positions are approximate.
    Read,
    /// The page is an image, and nothing was read from it.
    Picture,
}

/// What the text of a sheet lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The number is there, or the page needs none.
    Nothing,
    /// There is no certain number.
    Number,
    /// There is neither a title nor a drawing's title.
    TitleBlock,
}

/// A line of text, or a part of one that is set apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "what a text says is its text")]
pub(crate) struct Text {
    /// As printed.
    #[serde(rename = "t")]
    pub(crate) text: String,
    /// In points from the top left corner of the upright page, y down: x1, y1, x2, y2.
    #[serde(rename = "b")]
    pub(crate) bbox: [f32; 4],
    /// The height of the em in points.
    #[serde(rename = "s")]
    pub(crate) size: f32,
    /// Quarter turns counterclockwise from upright.
    #[serde(rename = "d", default)]
    pub(crate) turn: u8,
    /// Whether OCR read it.
    #[serde(rename = "r", default, skip_serializing_if = "is_false")]
    pub(crate) read: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// White space of this width, in em, splits a line: cells of a title block are side by side, words
/// of a title closer.
const SPLIT_GAP: f32 = 1.0;
/// Texts on one line are split if the ratio of their sizes is greater: a label and its value.
const SPLIT_SIZE_RATIO: f32 = 1.3;
/// The share of the page's width, from the right, that is searched for a title block. A strip
/// rarely takes a fifth of it.
const RIGHT: f32 = 0.3;
/// The share of the page's height, from the bottom.
const BOTTOM: f32 = 0.3;
/// The share of the page's width, from the left, and of its height, from the top. Few title blocks are there.
const LEFT_AND_TOP: f32 = 0.12;
/// The most texts that are kept of a page, those closest to the bottom right corner. A page full of
/// text would make the classification of the set slow.
const MAX_TEXTS: usize = 400;
/// The most large texts away from the edges that are kept: a title may be above the drawing.
const MAX_LARGE: usize = 8;
/// The fewest letters of such a text.
const MIN_LARGE_LETTERS: usize = 4;
/// The most titles of drawings that are kept of a page.
const MAX_VIEWS: usize = 24;
/// A page with fewer characters has no text.
const MIN_CHARACTERS: u32 = 3;
/// The most lines that are read of a page.
const MAX_LINES: usize = 20_000;

impl Sheet {
    /// Reads what the classification of the set needs from a page.
    pub fn read(number: u32, text: &PageText, geometry: &Geometry, origin: Origin) -> Self {
        let page = fanlight_text::Page::read(text, geometry);
        let frame = page.frame;
        let mut texts = Vec::new();
        for line in page.lines.iter().take(MAX_LINES) {
            texts.extend(pieces(line).map(|words| Text::new(words, |bbox| bbox, 0)));
        }
        for turned in &page.turned {
            let turn = ((turned.frame.angle - frame.angle) / 90.0).round().rem_euclid(4.0) as u8;
            let place = |bbox: Rect| frame.place_from(&turned.frame, bbox);
            for line in turned.lines.iter().take(MAX_LINES) {
                texts.extend(pieces(line).map(|words| Text::new(words, place, turn)));
            }
        }
        texts.retain(|text| text.size >= 1.0 && text.bbox.iter().all(|value| value.is_finite()));
        for text in &mut texts {
            text.read = origin == Origin::Read;
        }
        let characters = texts.iter().map(|text| text.text.chars().filter(|c| !c.is_whitespace()).count() as u32).sum();
        let paper = paper::read(&page, frame.width, frame.height);
        let (views, scale) = views(&texts, frame.height);
        let found = headings(&texts, &views);
        let captions = captions(&found, frame.height);
        let headings = found.into_iter().cloned().collect();
        let mut sheet = Self {
            number,
            width: frame.width,
            height: frame.height,
            views,
            paper,
            headings,
            captions,
            characters,
            origin,
            scale,
            texts,
            is_drawn: false,
            shown: None,
        };
        sheet.keep_edges();
        sheet
    }

    /// Adds what OCR read of the same page where the page's own text leaves room. Lines of both are not joined.
    pub(crate) fn add_read(&mut self, read: Self) {
        if (read.width, read.height) != (self.width, self.height) {
            return;
        }
        let own = self.texts.len();
        for text in read.texts {
            let (x, y) = middle(text.bbox);
            let covered = self.texts[..own].iter().any(|other| {
                (other.bbox[0]..=other.bbox[2]).contains(&x) && (other.bbox[1]..=other.bbox[3]).contains(&y)
            });
            if !covered {
                self.texts.push(text);
            }
        }
        if self.views.is_empty() {
            self.views = read.views;
            self.scale = self.scale.take().or(read.scale);
        }
        if self.captions.is_empty() {
            self.captions = read.captions;
        }
        self.headings.extend(read.headings);
    }

    /// Returns whether the page has text of its own.
    pub fn has_text(&self) -> bool {
        self.origin == Origin::Text && self.characters > 0
    }

    /// Returns whether the page has text, of its own or from OCR.
    pub fn is_legible(&self) -> bool {
        self.origin != Origin::Picture && self.characters > 0
    }

    /// Returns whether the page shows nothing that can be classified: hardly a letter, its own or from OCR, and no lines.
    pub(crate) fn is_empty(&self) -> bool {
        let read: usize = self.texts.iter().map(|text| text.text.chars().filter(|c| !c.is_whitespace()).count()).sum();
        self.characters.max(read as u32) < MIN_CHARACTERS && !self.is_drawn
    }

    /// Returns which of a sheet's entries its text lacks, so that they may be drawn as outlines.
    pub(crate) fn missing(&self) -> Missing {
        let alone = std::slice::from_ref(self);
        let entries = title_block::read(alone).into_iter().next().unwrap_or_default();
        let is_large = self.width.max(self.height) > paper::LONGEST;
        let is_numbered = entries.number.is_some() && entries.sure;
        if self.paper.is_some() {
            Missing::Nothing
        } else if entries.title.is_none() {
            Missing::TitleBlock
        } else if is_large && !is_numbered {
            Missing::Number
        } else {
            Missing::Nothing
        }
    }

    /// Returns how far a box's middle is from the right and the bottom edge, as shares of the sides.
    fn away(&self, bbox: [f32; 4]) -> (f32, f32) {
        let (x, y) = middle(bbox);
        (1.0 - x / self.width, 1.0 - y / self.height)
    }

    /// Returns whether a box is near an edge, where title blocks are.
    pub(crate) fn is_near_edge(&self, bbox: [f32; 4]) -> bool {
        let (right, bottom) = self.away(bbox);
        right <= RIGHT || bottom <= BOTTOM || right.max(bottom) >= 1.0 - LEFT_AND_TOP
    }

    /// Returns the rank of a text by its place. Texts near an edge come first, and among those, texts near the corner: those of a
    /// strip precede the drawing's.
    fn rank(&self, bbox: [f32; 4]) -> f32 {
        let (right, bottom) = self.away(bbox);
        right.min(bottom) + 0.25 * right.max(bottom)
    }

    /// Keeps the texts near the edges, where title blocks are, and the largest of the others.
    fn keep_edges(&mut self) {
        let mut texts = std::mem::take(&mut self.texts);
        texts.retain(|text| {
            let (right, bottom) = self.away(text.bbox);
            let inside = (-0.02..=1.02).contains(&right) && (-0.02..=1.02).contains(&bottom);
            inside && text.text.chars().any(char::is_alphanumeric)
        });
        let letters = |text: &Text| text.text.chars().filter(|c| c.is_alphabetic()).count();
        let (mut edges, mut others): (Vec<Text>, Vec<Text>) =
            texts.into_iter().partition(|text| self.is_near_edge(text.bbox));
        others.retain(|text| letters(text) >= MIN_LARGE_LETTERS);
        others.sort_by(|a, b| b.size.total_cmp(&a.size));
        others.truncate(MAX_LARGE);
        if edges.len() > MAX_TEXTS {
            edges.sort_by(|a, b| self.rank(a.bbox).total_cmp(&self.rank(b.bbox)));
            edges.truncate(MAX_TEXTS);
        }
        edges.extend(others);
        self.texts = edges;
    }
}

impl Text {
    fn new(words: &[Word], place: impl Fn(Rect) -> Rect, turn: u8) -> Self {
        let bbox = place(words.iter().fold(EMPTY_RECT, |sum, word| sum.union(&word.bbox)));
        let size = words.iter().fold(0.0_f32, |size, word| size.max(word.size));
        let tenth = |value: f32| (value * 10.0).round() / 10.0;
        Self {
            text: fanlight_text::folding::tidy(&spelled(words).replace(char::REPLACEMENT_CHARACTER, " ")),
            bbox: [tenth(bbox.x1), tenth(bbox.y1), tenth(bbox.x2), tenth(bbox.y2)],
            size: tenth(size),
            turn,
            read: false,
        }
    }

    /// Returns its box on the page turned so that the text is upright: x along its line, y down.
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

/// Returns the middle of a box.
pub(crate) fn middle(bbox: [f32; 4]) -> (f32, f32) {
    (f32::midpoint(bbox[0], bbox[2]), f32::midpoint(bbox[1], bbox[3]))
}

/// A gap next to a single letter belongs to its word if it is narrower than this share of the widest in the text: letters that
/// stand apart are kerned or spaced.
const KERNED: f32 = 0.65;

/// Returns the words of a text with spaces between them, where single letters that stand apart belong to the word beside them.
fn spelled(words: &[Word]) -> String {
    let widest = words.iter().skip(1).map(|word| word.gap).fold(0.0, f32::max);
    let is_letter = |word: &Word| word.text.chars().count() == 1 && word.text.chars().all(char::is_alphabetic);
    if words.len() < 3 || !words.iter().any(is_letter) {
        return fanlight_text::text(words);
    }
    let mut text = String::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let kerned = before.is_some_and(|before| (is_letter(before) || is_letter(word)) && word.gap < KERNED * widest);
        if at > 0 && !kerned {
            text.push(' ');
        }
        text.push_str(&word.text);
    }
    text
}

/// Splits the words of a line at wide gaps and where the size changes.
fn pieces(line: &Line) -> impl Iterator<Item = &[Word]> {
    line.words
        .chunk_by(|left, right| {
            let larger = left.size.max(right.size);
            let even = larger <= SPLIT_SIZE_RATIO * left.size.min(right.size);
            !left.leader && !right.leader && even && right.gap < SPLIT_GAP * larger
        })
        .filter(|words| words.first().is_some_and(|word| !word.leader))
        .flat_map(cells)
}

/// The most words of labels side by side.
const MAX_LABEL_WORDS: usize = 8;

/// Splits words that are nothing but the labels of cells side by side, which a title block's rules part: "Стадия Лист Листов" of
/// GOST R 21.101. What names content is left whole: "TITLE SHEET".
fn cells(words: &[Word]) -> Vec<&[Word]> {
    if !(2..=MAX_LABEL_WORDS).contains(&words.len()) {
        return vec![words];
    }
    let mut found = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let Some(count) = (1..=rest.len()).rev().find(|count| is_label(&rest[..*count])) else { return vec![words] };
        let (label, after) = rest.split_at(count);
        found.push(label);
        rest = after;
    }
    if drawing_type::names_content(&fanlight_text::text(words)) { vec![words] } else { found }
}

fn is_label(words: &[Word]) -> bool {
    labels::read(&fanlight_text::text(words)).is_some()
}

/// A scale beside the title of its drawing is at most this far from it, in em: the line below both is as long as the drawing.
const BESIDE: f32 = 20.0;

/// Returns the titles of drawings, from the top: texts above a scale and as large as it, and texts that name content on the left
/// of one. Also returns the first scale.
fn views(texts: &[Text], height: f32) -> (Vec<Text>, Option<String>) {
    let mut found: Vec<&Text> = Vec::new();
    let mut first: Option<(f32, String)> = None;
    // Sorted by the bottom of possible titles, so that each scale is compared with few.
    let mut by_foot: BTreeMap<i32, Vec<&Text>> = BTreeMap::new();
    for text in
        texts.iter().filter(|text| text.turn == 0 && text.text.chars().filter(|c| c.is_alphabetic()).count() >= 3)
    {
        by_foot.entry((text.bbox[3] / 10.0).floor() as i32).or_default().push(text);
    }
    for scale in texts.iter().filter(|text| text.turn == 0 && labels::is_scale(&text.text)) {
        let reach = 4.0 * scale.size;
        let rows =
            ((scale.bbox[1] - reach) / 10.0).floor() as i32..=((scale.bbox[3] + scale.size) / 10.0).floor() as i32;
        let near: Vec<&Text> = by_foot.range(rows).flat_map(|(_, texts)| texts).copied().collect();
        let over = near.iter().filter(|text| is_above(text, scale) && may_be_title(text, scale));
        let beside = near.iter().filter(|text| is_beside(text, scale) && may_be_title(text, scale));
        let title = over
            .max_by(|a, b| a.bbox[3].total_cmp(&b.bbox[3]))
            .or_else(|| beside.max_by(|a, b| a.bbox[2].total_cmp(&b.bbox[2])));
        if let Some(title) = title {
            found.push(title);
            if first.as_ref().is_none_or(|(top, _)| scale.bbox[1] < *top) {
                first = Some((scale.bbox[1], scale.text.clone()));
            }
        }
    }
    in_reading_order(&mut found, height);
    keep_first_of_equal(&mut found);
    (found.into_iter().cloned().collect(), first.map(|(_, scale)| scale))
}

/// Keeps the first of texts that say the same, and of those at most [`MAX_VIEWS`].
fn keep_first_of_equal(texts: &mut Vec<&Text>) {
    let mut known = HashSet::new();
    texts.retain(|text| known.insert(text.text.as_str()));
    texts.truncate(MAX_VIEWS);
}

/// Returns whether a text is as large as a scale, and neither a label nor a scale itself.
fn may_be_title(text: &Text, scale: &Text) -> bool {
    text.size >= 0.95 * scale.size
        && labels::read(&text.text).is_none()
        && !labels::is_scale(&text.text)
        && labels::with_value(&text.text).is_none()
}

/// Returns whether a text is close above a scale.
fn is_above(text: &Text, scale: &Text) -> bool {
    let apart = scale.bbox[1] - text.bbox[3];
    let aligned = scale.bbox[0] < text.bbox[2] && scale.bbox[2] > text.bbox[0] - 2.0 * text.size;
    aligned && apart > -0.6 * text.size && apart < 4.0 * scale.size && text.bbox[1] < scale.bbox[1]
}

/// Returns whether a text names content on the left of a scale, on its line.
fn is_beside(text: &Text, scale: &Text) -> bool {
    let gap = scale.bbox[0] - text.bbox[2];
    let on_line = (scale.bbox[3] - text.bbox[3]).abs() < 0.4 * text.size;
    on_line && (0.0..BESIDE * text.size).contains(&gap) && drawing_type::names_content(&text.text)
}

/// The height of a row of drawings' titles as a share of the sheet's.
const ROW: f32 = 0.04;

/// Sorts texts by rows and from left to right.
pub(crate) fn in_reading_order(texts: &mut [&Text], height: f32) {
    let row = |top: f32| (top / (ROW * height).max(1.0)).round() as i32;
    texts.sort_by(|a, b| row(a.bbox[1]).cmp(&row(b.bbox[1])).then(a.bbox[0].total_cmp(&b.bbox[0])));
}

/// The least size of a heading by the median text: on many sheets all texts are of one size.
const MIN_HEADING_SIZE: f32 = 0.95;

/// Returns short texts that name the content of a part of the sheet, at least as large as the
/// median text, the largest first.
fn headings<'t>(texts: &'t [Text], views: &[Text]) -> Vec<&'t Text> {
    let median = median(texts.iter().map(|text| text.size).collect()).unwrap_or_default();
    let mut found: Vec<&Text> = texts
        .iter()
        .filter(|text| {
            text.size >= MIN_HEADING_SIZE * median
                && (4..=60).contains(&text.text.len())
                && labels::read(&text.text) != Some(Label::Other)
                && words::words(&text.text).len() <= 7
                && !views.iter().any(|view| view.text == text.text)
                && !is_level_mark(&text.text)
                && drawing_type::names_content(&text.text)
        })
        .collect();
    found.sort_by(|a, b| b.size.total_cmp(&a.size));
    keep_first_of_equal(&mut found);
    found
}

/// Returns whether a text begins with a height above a datum: "+3.50 CEILING LEVEL".
fn is_level_mark(text: &str) -> bool {
    let height = text.trim_start().trim_start_matches(['+', '±', '-', '−', '–', '▼', '▽']);
    height.len() < text.trim_start().len() && height.trim_start().starts_with(|c: char| c.is_ascii_digit())
}

/// The least size of a drawing's title by that of the largest.
const CAPTION_SIZE: f32 = 0.8;
/// The most titles of drawings without a scale. More are headings of notes.
const MAX_CAPTIONS: usize = 8;

/// Returns the largest headings in reading order; none if there are many.
fn captions(headings: &[&Text], height: f32) -> Vec<String> {
    let largest = headings.iter().map(|text| text.size).fold(0.0, f32::max);
    let mut captions: Vec<&Text> =
        headings.iter().copied().filter(|text| text.size >= CAPTION_SIZE * largest).collect();
    in_reading_order(&mut captions, height);
    if captions.len() > MAX_CAPTIONS {
        return Vec::new();
    }
    captions.into_iter().map(|text| text.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_may_be_beside_its_scale() {
        let text = |text: &str, x: f32| {
            let bbox = [x, 500.0, x + 60.0, 510.0];
            Text { text: text.to_owned(), bbox, size: 10.0, turn: 0, read: false }
        };
        let titles = |texts: &[Text]| views(texts, 800.0).0.into_iter().map(|view| view.text).collect::<Vec<_>>();
        assert_eq!(titles(&[text("FLOOR PLAN", 100.0), text("1:80", 300.0)]), ["FLOOR PLAN"]);
        assert!(titles(&[text("VARGA STOLL", 100.0), text("1:80", 300.0)]).is_empty());
        assert!(titles(&[text("FLOOR PLAN", 100.0), text("1:80", 600.0)]).is_empty());
    }

    #[test]
    fn labels_of_cells_side_by_side_are_texts_of_their_own() {
        let word = |text: &str| Word {
            text: text.to_owned(),
            bbox: EMPTY_RECT,
            baseline: 0.0,
            size: 8.0,
            style: fanlight_text::Style { font: 0, bold: false, italic: false, color: 0, visible: true },
            gap: 3.0,
            leader: false,
        };
        for (text, expected) in [
            ("Стадия Лист Листов", vec!["Стадия", "Лист", "Листов"]),
            ("SCALE DATE", vec!["SCALE", "DATE"]),
            ("PROJECT NO.", vec!["PROJECT NO."]),
            ("TITLE SHEET", vec!["TITLE SHEET"]),
            ("DATE 2020", vec!["DATE 2020"]),
        ] {
            let words: Vec<Word> = text.split(' ').map(word).collect();
            let found: Vec<String> = cells(&words).into_iter().map(fanlight_text::text).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn heights_above_a_datum_begin_with_a_sign_and_a_figure() {
        for (text, expected) in
            [("+3.50 CEILING LEVEL", true), ("±0,00", true), ("- SECTION", false), ("2ND FLOOR", false)]
        {
            assert_eq!(is_level_mark(text), expected, "{text}");
        }
    }
}
