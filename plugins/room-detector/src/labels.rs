//! Names and numbers of rooms, with their places.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;
use fanlight_text::room_names::{is_room, words};
use fanlight_text::words::NOT_ROOM_NAMES;
use fanlight_text::{Line, Page};

/// The text in a room.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) name: Option<String>,
    pub(crate) number: Option<String>,
    /// In the sheet's frame.
    pub(crate) bbox: Rect,
}

/// A text on the sheet.
struct Text {
    words: String,
    bbox: Rect,
    /// In points.
    size: f32,
    kind: TextKind,
}

/// What a text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextKind {
    /// A room's name by its words.
    Name,
    /// Words that may be a name, if a number is beside them.
    Words,
    /// A room's number by its form.
    Number,
    /// Neither a name nor a number.
    Other,
}

/// White space that splits a line, in ems. Set by hand: a word space is a quarter of an em.
const GAP: f32 = 1.6;
/// Most lines of a page in each direction, a bound on time.
const MAX_LINES: usize = 20_000;
/// Most rooms of a page, a bound on time.
const MAX_LABELS: usize = 2_000;
/// Most words of a name. Set by hand: longer texts are notes.
const MAX_WORDS: usize = 4;
/// Most characters of a name. Set by hand.
const MAX_CHARACTERS: usize = 30;
/// Least letters of words that may be a name, if a number is beside them. Set by hand.
const MIN_LETTERS: usize = 3;
/// Shorter words need no capital in a name, for example "of" and "und".
const MIN_CAPITALIZED: usize = 4;
/// Most characters of a number: "B12A", "1-129".
const MAX_NUMBER: usize = 7;
/// Most letters in a number.
const MAX_NUMBER_LETTERS: usize = 3;
/// Digits of a room's number.
const DIGITS: std::ops::RangeInclusive<usize> = 1..=5;
/// A name and its number differ in size by at most this factor; dimensions are set smaller. Set by hand.
const MAX_SIZE_RATIO: f32 = 1.3;
/// Most space between a name and its number, in ems. Set by hand.
const MAX_LEADING: f32 = 1.2;
/// The centres, or the left edges, of a name and its number differ by at most this, in ems. Set by hand.
const MAX_OFFSET: f32 = 0.6;
/// Names are looked for this far above and below a number, in ems: more than their leading.
const REACH: f32 = 2.6;
/// Sizes of lines of one name differ by at most this share. Set by hand: the rounding of a font's size.
const SAME_SIZE: f32 = 0.05;
/// Most space between two lines of one name, in ems. Set by hand.
const MAX_LINE_GAP: f32 = 0.5;
/// Two lines of one name overlap by less than this, in ems: boxes are higher than letters. Set by hand.
const MAX_LINE_OVERLAP: f32 = 0.6;

/// The labels of a sheet, and its texts that may be names of further rooms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    pub(crate) sure: Vec<Label>,
    /// Texts like a name, but neither known words nor beside a number. What is alone in a room names it.
    pub(crate) possible: Vec<Label>,
}

/// Returns the labels of a sheet. A name is above or below its number, or before it on the same line.
pub(crate) fn detect(page: &Page) -> Labels {
    let mut labels = Labelling::new(&texts(&page.lines)).labels();
    for turned in &page.turned {
        let place = |label: Label| Label { bbox: page.frame.place_from(&turned.frame, label.bbox), ..label };
        let own = Labelling::new(&texts(&turned.lines)).labels();
        labels.sure.extend(own.sure.into_iter().map(place));
        labels.possible.extend(own.possible.into_iter().map(place));
    }
    labels.sure.truncate(MAX_LABELS);
    labels.possible.truncate(MAX_LABELS);
    labels
}

/// Splits lines into texts.
fn texts(lines: &[Line]) -> Vec<Text> {
    let mut texts = Vec::new();
    for line in lines.iter().take(MAX_LINES) {
        for phrase in line.phrases(GAP) {
            let (words, size, bbox) = (phrase.text(), phrase.size(), phrase.bbox);
            if [bbox.x1, bbox.y1, bbox.x2, bbox.y2, size].iter().all(|value| value.is_finite()) && size > 0.0 {
                let kind = kind_of_text(&words);
                texts.push(Text { words, bbox, size, kind });
            }
        }
    }
    texts
}

/// Returns what a text may be by its form and its words.
fn kind_of_text(text: &str) -> TextKind {
    let trimmed = text.trim();
    if is_number(trimmed) {
        return TextKind::Number;
    }
    let all = words(trimmed);
    let letters = trimmed.chars().filter(|c| c.is_alphabetic()).count();
    let is_plain = trimmed.chars().all(|c| c.is_alphanumeric() || " /&-.,'’+#()".contains(c));
    let is_long = all.len() > MAX_WORDS || trimmed.chars().count() > MAX_CHARACTERS;
    if letters < 2 || all.is_empty() || is_long || !is_plain {
        return TextKind::Other;
    }
    // Names are set in capitals, or each word with one; notes are sentences.
    if NOT_ROOM_NAMES.matches_any(&all) || !trimmed.split_whitespace().all(is_capitalized) {
        return TextKind::Other;
    }
    if all.iter().any(|word| is_room(word)) {
        return TextKind::Name;
    }
    let has_digits = trimmed.chars().any(|c| c.is_ascii_digit());
    if letters >= MIN_LETTERS && !has_digits { TextKind::Words } else { TextKind::Other }
}

/// Returns whether a word begins with a capital, or is so short that it need not.
fn is_capitalized(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() < MIN_CAPITALIZED || !word.starts_with(char::is_lowercase)
}

/// Returns whether a number is a room's wherever it is beside a name. A keynote's or a grid line's has one or two digits.
fn is_long(number: &str) -> bool {
    let digits = number.chars().filter(char::is_ascii_digit).count();
    digits >= 3 || (digits == 2 && (number.starts_with('0') || number.starts_with(|c: char| c.is_ascii_uppercase())))
}

/// Returns whether a text has the form of a room's number: a few digits, with letters, dashes and points between them.
fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(char::is_ascii_uppercase).count();
    let is_known = text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase() || matches!(c, '-' | '.'));
    let has_edges = text.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric);
    let is_short = letters <= MAX_NUMBER_LETTERS && text.chars().count() <= MAX_NUMBER;
    is_known && has_edges && DIGITS.contains(&digits) && is_short
}

/// Makes labels of the texts of one direction: numbers with their names, then names by their words alone.
struct Labelling<'a> {
    texts: &'a [Text],
    /// Indices of the names and of the words that may be names, from the top.
    names: Vec<usize>,
    /// Whether each text is part of a label.
    is_taken: Vec<bool>,
}

impl<'a> Labelling<'a> {
    fn new(texts: &'a [Text]) -> Self {
        let is_name = |at: &usize| matches!(texts[*at].kind, TextKind::Name | TextKind::Words);
        let names = (0..texts.len()).filter(is_name).collect();
        Self { texts, names, is_taken: vec![false; texts.len()] }
    }

    fn labels(mut self) -> Labels {
        let mut labels = Vec::new();
        for (at, text) in self.texts.iter().enumerate() {
            if text.kind == TextKind::Number && is_long(text.words.trim()) {
                labels.extend(self.label_of_number(at));
            }
        }
        for at in self.names.clone() {
            if !self.is_taken[at] && self.texts[at].kind == TextKind::Name {
                labels.push(self.label_of_name(at));
            }
        }
        let mut possible = Vec::new();
        for at in self.names.clone() {
            if !self.is_taken[at] {
                possible.push(self.label_of_name(at));
            }
        }
        Labels { sure: labels, possible }
    }

    /// Returns the label of a number and the nearest name beside it.
    fn label_of_number(&mut self, at: usize) -> Option<Label> {
        let number = &self.texts[at];
        let name = self.nearest_name(number)?;
        self.is_taken[name] = true;
        self.is_taken[at] = true;
        Some(Label {
            name: Some(self.whole_name(name)),
            number: Some(number.words.trim().to_owned()),
            bbox: number.bbox.union(&self.texts[name].bbox),
        })
    }

    /// Returns the index of the nearest name beside a number.
    fn nearest_name(&self, number: &Text) -> Option<usize> {
        let reach = REACH * number.size;
        // Lines come from the top, but the upper edges of one line's texts differ.
        let from = self.names.partition_point(|at| self.texts[*at].bbox.y1 < number.bbox.y1 - 2.0 * reach);
        let near = self.names.iter().skip(from).copied();
        near.take_while(|at| self.texts[*at].bbox.y1 <= number.bbox.y2 + reach)
            .filter(|at| !self.is_taken[*at])
            .filter_map(|at| Some((at, distance_beside(number, &self.texts[at])?)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(at, _)| at)
    }

    /// Returns the label of a name by its words alone. Its number may be at its end.
    fn label_of_name(&mut self, at: usize) -> Label {
        self.is_taken[at] = true;
        let text = &self.texts[at];
        match name_and_number(&text.words) {
            Some((name, number)) => Label { name: Some(name), number: Some(number), bbox: text.bbox },
            None => Label { name: Some(self.whole_name(at)), number: None, bbox: text.bbox },
        }
    }

    /// Joins a name with its lines above and below.
    fn whole_name(&mut self, at: usize) -> String {
        let own = &self.texts[at];
        let mut lines = vec![own];
        for &other in &self.names {
            let text = &self.texts[other];
            if !self.is_taken[other] && are_lines_of_one_name(own, text) {
                self.is_taken[other] = true;
                lines.push(text);
            }
        }
        lines.sort_by(|a, b| a.bbox.y1.total_cmp(&b.bbox.y1));
        lines.iter().map(|line| line.words.trim()).collect::<Vec<_>>().join(" ")
    }
}

/// Returns the distance of a name from a number above or below it, or `None` if it is elsewhere.
fn distance_beside(number: &Text, name: &Text) -> Option<f32> {
    let size = number.size.max(name.size);
    let off_centre = (number.bbox.center().0 - name.bbox.center().0).abs();
    let off_left = (number.bbox.x1 - name.bbox.x1).abs();
    let overlap = number.bbox.x2.min(name.bbox.x2) - number.bbox.x1.max(name.bbox.x1);
    let above = number.bbox.y1 - name.bbox.y2;
    let below = name.bbox.y1 - number.bbox.y2;
    let gap = above.max(below);
    let is_alike = number.size <= MAX_SIZE_RATIO * name.size && name.size <= MAX_SIZE_RATIO * number.size;
    let is_aligned = off_centre.min(off_left) <= MAX_OFFSET * size;
    let is_near = gap <= MAX_LEADING * size && overlap > 0.0;
    // A name is more often above its number than below it.
    let below_its_number = if above >= below { 0.0 } else { size };
    (is_near && is_alike && is_aligned).then(|| gap.max(0.0) + below_its_number + off_centre.min(off_left))
}

/// Returns whether two texts are lines of one name, one above the other.
fn are_lines_of_one_name(own: &Text, other: &Text) -> bool {
    let gap = (other.bbox.y1 - own.bbox.y2).max(own.bbox.y1 - other.bbox.y2);
    let overlap = own.bbox.x2.min(other.bbox.x2) - own.bbox.x1.max(other.bbox.x1);
    let is_same_size = (other.size - own.size).abs() <= SAME_SIZE * own.size;
    is_same_size && overlap > 0.0 && gap <= MAX_LINE_GAP * own.size && -gap < MAX_LINE_OVERLAP * own.size
}

/// Splits "OFFICE 101" into name and number.
fn name_and_number(text: &str) -> Option<(String, String)> {
    let (name, last) = text.trim().rsplit_once(' ')?;
    let digits = last.chars().filter(char::is_ascii_digit).count();
    (is_number(last) && digits >= 2).then(|| (name.trim().to_owned(), last.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_differ_from_other_texts() {
        for (text, expected) in [
            ("101", TextKind::Number),
            ("B12A", TextKind::Number),
            ("2.04", TextKind::Number),
            ("OFFICE", TextKind::Name),
            ("MEN'S TOILET", TextKind::Name),
            ("LIVING/DINING", TextKind::Name),
            ("NARTHEX", TextKind::Words),
            ("FLOOR PLAN", TextKind::Other),
            ("3'-0\"", TextKind::Other),
            ("SEE STRUCTURAL DRAWINGS FOR BEAMS", TextKind::Other),
            ("A", TextKind::Other),
        ] {
            assert_eq!(kind_of_text(text), expected, "{text}");
        }
    }

    fn text(words: &str, x: f32, y: f32) -> Text {
        Text {
            words: words.to_owned(),
            bbox: Rect { x1: x, y1: y, x2: x + 6.0 * words.len() as f32, y2: y + 8.0 },
            size: 8.0,
            kind: kind_of_text(words),
        }
    }

    /// Returns the names and the numbers of texts.
    fn labels(texts: &[Text]) -> Vec<(String, Option<String>)> {
        let labels = Labelling::new(texts).labels().sure.into_iter();
        labels.map(|label| (label.name.unwrap_or_default(), label.number)).collect()
    }

    fn labelled(name: &str, number: &str) -> (String, Option<String>) {
        (name.to_owned(), Some(number.to_owned()).filter(|number| !number.is_empty()))
    }

    #[test]
    fn a_number_belongs_to_the_name_above_it() {
        let texts = [text("CLOISTER", 300.0, 100.0), text("105", 315.0, 112.0)];
        assert_eq!(labels(&texts), [labelled("CLOISTER", "105")]);
    }

    #[test]
    fn a_name_of_two_lines_is_joined() {
        let texts = [text("STAFF", 100.0, 90.0), text("LOUNGE", 97.0, 99.0), text("104", 106.0, 110.0)];
        assert_eq!(labels(&texts), [labelled("STAFF LOUNGE", "104")]);
    }

    #[test]
    fn a_number_at_the_end_of_a_name_is_split_off() {
        assert_eq!(labels(&[text("STORAGE 106", 500.0, 140.0)]), [labelled("STORAGE", "106")]);
    }

    #[test]
    fn words_without_a_number_are_no_name() {
        let texts = [text("NARTHEX", 100.0, 100.0), text("OFFICE", 300.0, 100.0)];
        assert_eq!(labels(&texts), [labelled("OFFICE", "")]);
    }

    #[test]
    fn a_number_of_another_size_belongs_to_no_name() {
        let dimension = Text { size: 5.0, ..text("105", 315.0, 112.0) };
        assert_eq!(labels(&[text("OFFICE", 300.0, 100.0), dimension]), [labelled("OFFICE", "")]);
    }
}
