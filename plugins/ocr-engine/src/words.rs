//! Splits a line into words, and finds the box of each by the blanks around it.

use fanlight_raster::{GreyImage, OrientedBox};

use crate::ctc::ReadCharacter;

/// A word of a line.
#[derive(Clone, Debug)]
pub(crate) struct LineWord {
    /// The text, without spaces.
    pub(crate) text: String,
    /// Its box, with the direction in which it is read.
    pub(crate) area: OrientedBox,
    /// The mean likelihood of its characters, from 0 to 1.
    pub(crate) confidence: f32,
}

/// Share of the way from a line's darkest to its brightest pixel up to which a pixel is foreground.
const FOREGROUND: f32 = 0.6;

/// Returns the words of a line. `crop` is the line as it was read, and `area` its box in the picture.
pub(crate) fn split(read: &[ReadCharacter], crop: &GreyImage, area: &OrientedBox) -> Vec<LineWord> {
    let ink = Ink::of_line(crop);
    let inked = ink.columns();
    let mut words = Vec::new();
    let mut start = 0.0_f32;
    let mut characters = read.split(|read| read.character == ' ').filter(|word| !word.is_empty()).peekable();
    while let Some(word) = characters.next() {
        let next = characters.peek().map(|next| next[0].place);
        let end = next.map_or(1.0, |next| blank_between(&inked, word[word.len() - 1].place, next));
        let (left, right) = inked_within(&inked, start, end);
        let confidence = word.iter().map(|read| read.confidence).sum::<f32>() / word.len() as f32;
        words.push(LineWord {
            text: word.iter().map(|read| read.character).collect(),
            area: ink.rows_cut(area.part(left * area.length, right * area.length), left, right),
            confidence,
        });
        start = end;
    }
    words
}

/// The foreground of a line's picture.
struct Ink<'a> {
    crop: &'a GreyImage,
    /// Brightness up to which a pixel is foreground.
    threshold: f32,
}

impl<'a> Ink<'a> {
    fn of_line(crop: &'a GreyImage) -> Self {
        let (darkest, brightest) =
            crop.grey.iter().fold((255_u8, 0_u8), |(least, most), &pixel| (least.min(pixel), most.max(pixel)));
        let threshold = f32::from(darkest) + FOREGROUND * f32::from(brightest - darkest.min(brightest));
        Self { crop, threshold }
    }

    fn is_at(&self, x: usize, y: usize) -> bool {
        f32::from(self.crop.at(x, y)) <= self.threshold
    }

    /// Returns which columns hold foreground.
    fn columns(&self) -> Vec<bool> {
        (0..self.crop.width).map(|x| (0..self.crop.height).any(|y| self.is_at(x, y))).collect()
    }

    /// Returns a word's box cut to the rows that hold foreground between two places of the line.
    fn rows_cut(&self, word: OrientedBox, left: f32, right: f32) -> OrientedBox {
        let column = |place: f32| ((place * self.crop.width as f32) as usize).min(self.crop.width);
        let holds_ink = |y: &usize| (column(left)..column(right)).any(|x| self.is_at(x, *y));
        let rows = 0..self.crop.height;
        let (Some(top), Some(bottom)) = (rows.clone().find(holds_ink), rows.rev().find(holds_ink)) else {
            return word;
        };
        let scale = word.thickness / self.crop.height as f32;
        word.band(top as f32 * scale, (bottom + 1) as f32 * scale)
    }
}

/// Returns the middle of the longest run of blank columns between two places, or halfway if there is none. Places are
/// shares of the line's length.
fn blank_between(inked: &[bool], from: f32, to: f32) -> f32 {
    let (first, last) = columns(inked, from, to);
    let mut longest = 0..0;
    let mut start = first;
    let blank_ends = (first..last).filter(|&column| inked[column]).chain([last]);
    for end in blank_ends {
        if end.saturating_sub(start) > longest.len() {
            longest = start..end;
        }
        start = end + 1;
    }
    if longest.is_empty() {
        return from.midpoint(to);
    }
    (longest.start + longest.end) as f32 / 2.0 / inked.len() as f32
}

/// Returns the first and the last foreground between two places, or both places if there is none.
fn inked_within(inked: &[bool], from: f32, to: f32) -> (f32, f32) {
    let (first, last) = columns(inked, from, to);
    let within = &inked[first..last];
    let (Some(left), Some(right)) = (within.iter().position(|inked| *inked), within.iter().rposition(|inked| *inked))
    else {
        return (from, to);
    };
    let count = inked.len() as f32;
    ((first + left) as f32 / count, (first + right + 1) as f32 / count)
}

/// Returns the columns from one place to another, the last one excluded.
fn columns(inked: &[bool], from: f32, to: f32) -> (usize, usize) {
    let column = |place: f32| ((place * inked.len() as f32) as usize).min(inked.len());
    let first = column(from);
    (first, column(to).max(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::Rect;

    /// A line of 100 x 10 pixels with dark columns.
    fn line(dark: &[(usize, usize)]) -> (GreyImage, OrientedBox) {
        let is_dark = |x: usize| dark.iter().any(|&(from, to)| (from..to).contains(&x));
        let grey = (0..1000).map(|at| if is_dark(at % 100) { 20 } else { 240 }).collect();
        let area = OrientedBox::upright(Rect { x1: 300.0, y1: 50.0, x2: 500.0, y2: 70.0 });
        (GreyImage { width: 100, height: 10, grey }, area)
    }

    fn read(text: &str) -> Vec<ReadCharacter> {
        let place = |number: usize| (number as f32 + 0.5) / text.chars().count() as f32;
        let characters = text.chars().enumerate();
        characters.map(|(n, character)| ReadCharacter { character, confidence: 0.8, place: place(n) }).collect()
    }

    #[test]
    fn words_end_at_the_blank_between_them() {
        let (crop, area) = line(&[(10, 40), (55, 95)]);
        let words = split(&read("AB CD"), &crop, &area);
        let found: Vec<(&str, f32, f32)> =
            words.iter().map(|word| (word.text.as_str(), word.area.bounds().x1, word.area.bounds().x2)).collect();
        assert_eq!(found, [("AB", 320.0, 380.0), ("CD", 410.0, 490.0)]);
    }

    #[test]
    fn words_without_a_blank_meet_halfway() {
        let (crop, area) = line(&[(0, 100)]);
        let words = split(&read("A B"), &crop, &area);
        assert_eq!((words[0].area.bounds().x2, words[1].area.bounds().x1), (400.0, 400.0));
    }

    #[test]
    fn a_word_is_as_high_as_its_letters() {
        let (mut crop, area) = line(&[(10, 90)]);
        crop.grey[..200].fill(240);
        crop.grey[700..].fill(240);
        let bounds = split(&read("A"), &crop, &area)[0].area.bounds();
        assert_eq!((bounds.y1, bounds.y2), (54.0, 64.0));
    }

    #[test]
    fn spaces_alone_are_no_word() {
        let (crop, area) = line(&[]);
        assert!(split(&read("  "), &crop, &area).is_empty());
        assert!(split(&[], &crop, &area).is_empty());
    }
}
