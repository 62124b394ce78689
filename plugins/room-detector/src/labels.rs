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

impl Label {
    pub(crate) fn middle(&self) -> (f32, f32) {
        (f32::midpoint(self.bbox.x1, self.bbox.x2), f32::midpoint(self.bbox.y1, self.bbox.y2))
    }
}

/// A text on the sheet.
struct Text {
    words: String,
    bbox: Rect,
    size: f32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// A room's name by its words.
    Name,
    /// Words that may be a name, where a number stands with them.
    Words,
    Number,
    Else,
}

/// White space that splits a line, in ems.
const GAP: f32 = 1.6;
/// Most lines of a page in each direction.
const MOST_LINES: usize = 20_000;
/// Most rooms of a page.
const MOST: usize = 2_000;
/// Most words of a name.
const MOST_WORDS: usize = 4;

/// Returns the labels of a sheet. A name is above or below its number, or before it on the same line.
pub(crate) fn detect(page: &Page) -> Vec<Label> {
    let mut texts = Vec::new();
    take(&page.lines, |bbox| bbox, &mut texts);
    let mut labels = paired(&texts);
    for turned in &page.turned {
        let mut texts = Vec::new();
        take(&turned.lines, |bbox| bbox, &mut texts);
        labels.extend(
            paired(&texts)
                .into_iter()
                .map(|label| Label { bbox: page.frame.place_box(turned.frame.to_user_space(label.bbox)), ..label }),
        );
    }
    labels.truncate(MOST);
    labels
}

/// Returns the centres of all texts of a sheet, in its frame.
pub(crate) fn middles(page: &Page) -> Vec<(f32, f32)> {
    let mut texts = Vec::new();
    take(&page.lines, |bbox| bbox, &mut texts);
    for turned in &page.turned {
        take(&turned.lines, |bbox| page.frame.place_box(turned.frame.to_user_space(bbox)), &mut texts);
    }
    let middle = |r: Rect| (f32::midpoint(r.x1, r.x2), f32::midpoint(r.y1, r.y2));
    texts.iter().map(|text| middle(text.bbox)).collect()
}

fn take(lines: &[Line], place: impl Fn(Rect) -> Rect, texts: &mut Vec<Text>) {
    for line in lines.iter().take(MOST_LINES) {
        for phrase in line.phrases(GAP) {
            let (words, size, bbox) = (phrase.text(), phrase.size(), place(phrase.bbox));
            if [bbox.x1, bbox.y1, bbox.x2, bbox.y2, size].iter().all(|value| value.is_finite()) && size > 0.0 {
                let what = what(&words);
                texts.push(Text { words, bbox, size, what });
            }
        }
    }
}

fn what(text: &str) -> What {
    let trimmed = text.trim();
    if is_number(trimmed) {
        return What::Number;
    }
    let all = words(trimmed);
    let letters = trimmed.chars().filter(|c| c.is_alphabetic()).count();
    let plain = trimmed.chars().all(|c| c.is_alphanumeric() || " /&-.,'’+#()".contains(c));
    if letters < 2 || all.is_empty() || all.len() > MOST_WORDS || !plain || trimmed.chars().count() > 30 {
        return What::Else;
    }
    if NOT_ROOM_NAMES.matches_any(&all) {
        return What::Else;
    }
    // Names are set in capitals, or each word with one; notes are sentences.
    let capital =
        |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() < 4 || !word.starts_with(char::is_lowercase);
    if !trimmed.split_whitespace().all(capital) {
        return What::Else;
    }
    if all.iter().any(|word| is_room(word)) {
        return What::Name;
    }
    if letters >= 3 && !trimmed.chars().any(|c| c.is_ascii_digit()) { What::Words } else { What::Else }
}

/// Whether a number is a room's wherever it is beside a name; a keynote's or a grid's has one or two digits.
fn is_long(number: &str) -> bool {
    let digits = number.chars().filter(char::is_ascii_digit).count();
    digits >= 3 || (digits == 2 && (number.starts_with('0') || number.starts_with(|c: char| c.is_ascii_uppercase())))
}

/// Whether a text is a room's number: some digits, with at most two letters before and after.
fn is_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(char::is_ascii_uppercase).count();
    let known = text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase() || matches!(c, '-' | '.'));
    let edges = text.starts_with(char::is_alphanumeric) && text.ends_with(char::is_alphanumeric);
    known && edges && (1..=5).contains(&digits) && letters <= 3 && text.chars().count() <= 7
}

/// Numbers with the names that stand with them, and names by their words alone.
fn paired(texts: &[Text]) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut taken = vec![false; texts.len()];
    // Texts come line by line from the top: what is near stands near in the list, but for wide sheets.
    let order: Vec<usize> =
        (0..texts.len()).filter(|&at| texts[at].what == What::Number && is_long(texts[at].words.trim())).collect();
    let named: Vec<usize> = (0..texts.len()).filter(|&at| matches!(texts[at].what, What::Name | What::Words)).collect();
    let tops: Vec<f32> = named.iter().map(|&at| texts[at].bbox.y1).collect();
    for number in order {
        let own = &texts[number];
        let reach = 2.6 * own.size;
        let from = tops.partition_point(|top| *top < own.bbox.y1 - 2.0 * reach);
        let best = named
            .iter()
            .skip(from)
            .take_while(|&&at| texts[at].bbox.y1 <= own.bbox.y2 + reach)
            .filter(|&&at| !taken[at])
            .filter_map(|&at| Some((at, beside(own, &texts[at])?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let Some((name, _)) = best else { continue };
        taken[name] = true;
        taken[number] = true;
        labels.push(Label {
            name: Some(whole_name(name, texts, &named, &mut taken)),
            number: Some(own.words.trim().to_owned()),
            bbox: own.bbox.union(&texts[name].bbox),
        });
    }
    for &at in &named {
        if taken[at] || texts[at].what != What::Name {
            continue;
        }
        taken[at] = true;
        let (name, number) = parted(&texts[at].words);
        let name = if number.is_some() { name } else { whole_name(at, texts, &named, &mut taken) };
        labels.push(Label { name: Some(name), number, bbox: texts[at].bbox });
    }
    labels
}

/// A name and its number differ in size by no more; dimensions are set smaller.
const ALIKE: f32 = 1.3;

/// Returns the distance of a name from a number above or below it, or `None` if it is elsewhere.
fn beside(number: &Text, name: &Text) -> Option<f32> {
    let size = number.size.max(name.size);
    let middle = |r: Rect| f32::midpoint(r.x1, r.x2);
    let off = (middle(number.bbox) - middle(name.bbox)).abs();
    let overlap = number.bbox.x2.min(name.bbox.x2) - number.bbox.x1.max(name.bbox.x1);
    let above = number.bbox.y1 - name.bbox.y2;
    let below = name.bbox.y1 - number.bbox.y2;
    let gap = above.max(below);
    let alike = number.size <= ALIKE * name.size && name.size <= ALIKE * number.size;
    // A name stands over its number rather than under it, both about one middle or from one left edge.
    let left = (number.bbox.x1 - name.bbox.x1).abs();
    let aligned = off.min(left) <= 0.6 * size;
    let near = gap <= 1.2 * size && overlap > 0.0 && alike && aligned;
    near.then(|| gap.max(0.0) + if above >= below { 0.0 } else { size } + off.min(left))
}

/// Joins a name with its lines above and below.
fn whole_name(at: usize, texts: &[Text], named: &[usize], taken: &mut [bool]) -> String {
    let own = &texts[at];
    let mut lines = vec![(own.bbox.y1, own.words.trim().to_owned())];
    for &other in named {
        let text = &texts[other];
        let gap = (text.bbox.y1 - own.bbox.y2).max(own.bbox.y1 - text.bbox.y2);
        let overlap = own.bbox.x2.min(text.bbox.x2) - own.bbox.x1.max(text.bbox.x1);
        let same = (text.size - own.size).abs() <= 0.05 * own.size;
        if !taken[other] && same && overlap > 0.0 && gap <= 0.5 * own.size && gap > -0.6 * own.size {
            taken[other] = true;
            lines.push((text.bbox.y1, text.words.trim().to_owned()));
        }
    }
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let lines: Vec<String> = lines.into_iter().map(|(_, words)| words).collect();
    lines.join(" ")
}

/// Splits "OFFICE 101" into name and number.
fn parted(text: &str) -> (String, Option<String>) {
    match text.trim().rsplit_once(' ') {
        Some((name, last)) if is_number(last) && last.chars().filter(char::is_ascii_digit).count() >= 2 => {
            (name.trim().to_owned(), Some(last.to_owned()))
        }
        _ => (text.trim().to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_told_from_other_texts() {
        for (text, expected) in [
            ("101", What::Number),
            ("B12A", What::Number),
            ("2.04", What::Number),
            ("OFFICE", What::Name),
            ("MEN'S TOILET", What::Name),
            ("LIVING/DINING", What::Name),
            ("NARTHEX", What::Words),
            ("FLOOR PLAN", What::Else),
            ("3'-0\"", What::Else),
            ("SEE STRUCTURAL DRAWINGS FOR BEAMS", What::Else),
            ("A", What::Else),
        ] {
            assert_eq!(what(text), expected, "{text}");
        }
    }

    #[test]
    fn a_number_belongs_to_the_name_over_it() {
        let text = |words: &str, x: f32, y: f32| Text {
            words: words.to_owned(),
            bbox: Rect { x1: x, y1: y, x2: x + 6.0 * words.len() as f32, y2: y + 8.0 },
            size: 8.0,
            what: what(words),
        };
        let labels = paired(&[
            text("STAFF", 100.0, 90.0),
            text("CLOISTER", 300.0, 100.0),
            text("LOUNGE", 97.0, 99.0),
            text("104", 106.0, 110.0),
            text("105", 315.0, 112.0),
            text("STORAGE 106", 500.0, 140.0),
        ]);
        let told: Vec<(Option<&str>, Option<&str>)> =
            labels.iter().map(|label| (label.name.as_deref(), label.number.as_deref())).collect();
        assert_eq!(
            told,
            [(Some("STAFF LOUNGE"), Some("104")), (Some("CLOISTER"), Some("105")), (Some("STORAGE"), Some("106"))]
        );
    }
}
