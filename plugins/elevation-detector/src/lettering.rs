//! Lines of letters in a picture, and what OCR reads in them.

use fanlight_contract::{Raster, Rect};
use fanlight_plugin::page::{Layout, Readable};
use fanlight_raster::{GreyImage, PixelBox, small_components};
use fanlight_sheet::parts::Phrase;
use fanlight_sheet::scale::Note;

use crate::picture::Scan;

/// Letters that stand side by side, in pixels.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    letters: Vec<PixelBox>,
    bbox: PixelBox,
}

/// Heights of letters, in points: of the smallest notes and of the largest marks.
const HEIGHTS: (f32, f32) = (2.6, 30.0);
/// Letters that ink joins are at most so many times as wide as high: what is wider is a dash.
const WIDE: usize = 5;
/// Letters of one line are at most so many times as high as each other.
const UNEQUAL: usize = 3;
/// White space between words of a line, in heights of its letters.
const GAP: f32 = 1.9;
/// Words have at least so many letters, figures and signs.
const FEWEST: usize = 3;
/// Letters of one height differ by up to this share of it.
const ALIKE: f32 = 0.3;
/// What is narrower than this share of a row's height is a stroke.
const STROKE: f32 = 0.3;
/// The languages that titles are read in; the host takes those that it has data for.
const LANGUAGES: [&str; 7] = ["en", "de", "fr", "es", "it", "tr", "pt"];
/// Letters taken of a picture at most; a dense sheet has some 20,000.
const MOST_LETTERS: usize = 80_000;
/// Capitals are about so high in ems.
const CAPITAL_EMS: f32 = 0.7;

/// Lines that are read of a picture at most, the largest first.
const MOST_READ: usize = 450;
/// Capitals are read best so high, in pixels.
const BEST_HEIGHT: f32 = 30.0;
/// How much larger a line is made at most.
const LARGEST: f32 = 3.0;
/// White space around a line in a picture for OCR, in pixels.
const MARGIN: usize = 24;
/// Height and width of a picture for OCR at most, in pixels.
const BATCH: (usize, usize) = (3200, 4000);
/// No wall is drawn at a larger scale than 1 to this.
const LEAST_RATIO: f32 = 6.0;
/// Words that OCR is less sure of than this are none.
const DOUBTFUL: f32 = 0.3;

/// The lines of letters in a picture, whatever they say.
pub(crate) fn rows(scan: &Scan) -> Vec<Row> {
    let pixels = |points: f32| (points / scan.scale).round() as usize;
    let (least, most) = (pixels(HEIGHTS.0).max(3), pixels(HEIGHTS.1));
    let mut letters: Vec<PixelBox> = small_components(&scan.foreground, scan.picture.width, most)
        .into_iter()
        .filter(|letter| letter.height() >= least && letter.width() <= WIDE * letter.height())
        .take(MOST_LETTERS)
        .collect();
    letters.sort_by_key(|letter| letter.left);
    let mut rows: Vec<Row> = Vec::new();
    // The row that was last written to in each band of the picture.
    let mut newest: Vec<Option<usize>> = vec![None; scan.picture.height / least + 1];
    for letter in letters {
        let (top, bottom, band) = (letter.top / least, letter.bottom / least, letter.middle_row() / least);
        let written = newest.get(top..=bottom).unwrap_or_default().iter().flatten();
        let nearest = written.copied().filter(|&row| rows.get(row).is_some_and(|row| row.goes_on_with(letter)));
        let index = nearest.max_by_key(|&row| rows.get(row).map_or(0, |row| row.bbox.right)).unwrap_or(rows.len());
        match rows.get_mut(index) {
            Some(row) => row.add(letter),
            None => rows.push(Row { letters: vec![letter], bbox: letter }),
        }
        if let Some(own) = newest.get_mut(band) {
            *own = Some(index);
        }
    }
    rows
}

impl Row {
    fn goes_on_with(&self, letter: PixelBox) -> bool {
        let Some(last) = self.letters.last() else { return false };
        let (a, b) = (last.height(), letter.height());
        let level = (last.top..=last.bottom).contains(&letter.middle_row())
            || (letter.top..=letter.bottom).contains(&last.middle_row());
        let near = (letter.left as f32 - self.bbox.right as f32) <= GAP * a.max(b) as f32;
        level && near && a <= UNEQUAL * b && b <= UNEQUAL * a
    }

    fn add(&mut self, letter: PixelBox) {
        self.bbox = self.bbox.union(&letter);
        self.letters.push(letter);
    }

    /// Height of its capitals, in pixels: all but the highest quarter of its letters are no higher.
    pub(crate) fn tall(&self) -> usize {
        let mut heights: Vec<usize> = self.letters.iter().map(PixelBox::height).collect();
        heights.sort_unstable();
        heights.get(heights.len() * 3 / 4).or(heights.last()).copied().unwrap_or_default()
    }

    /// Its place in points.
    pub(crate) fn bbox(&self, scale: f32) -> Rect {
        let PixelBox { left, top, right, bottom } = self.bbox;
        let [x1, y1, x2, y2] = [left, top, right + 1, bottom + 1].map(|pixel| pixel as f32 * scale);
        Rect { x1, y1, x2, y2 }
    }

    /// Whether it looks like words: letters enough, most of them of one height, and not all of them strokes, as hatches are.
    pub(crate) fn is_text(&self) -> bool {
        let tall = self.tall() as f32;
        let alike = self.letters.iter().filter(|letter| (letter.height() as f32 - tall).abs() <= ALIKE * tall).count();
        let broad = self.letters.iter().filter(|letter| letter.width() as f32 >= STROKE * tall).count();
        let count = self.letters.len();
        count >= FEWEST && 2 * alike >= count && 2 * broad >= count
    }

    /// Its part of the picture, so large that OCR reads it well.
    fn cut(&self, picture: &GreyImage) -> GreyImage {
        let by = (BEST_HEIGHT / self.tall().max(1) as f32).clamp(1.0, LARGEST);
        let PixelBox { left, top, right, bottom } = self.bbox;
        let (width, height) = (((right - left + 1) as f32 * by) as usize, ((bottom - top + 1) as f32 * by) as usize);
        let mut grey = Vec::with_capacity(width * height);
        for y in 0..height {
            let from_y = (top as f32 + (y as f32 + 0.5) / by - 0.5).max(0.0);
            for x in 0..width {
                let from_x = (left as f32 + (x as f32 + 0.5) / by - 0.5).max(0.0);
                grey.push(between(picture, from_x, from_y));
            }
        }
        GreyImage { width, height, grey }
    }
}

/// The height of the capitals of most lines of letters, in pixels; 0 where there are none.
pub(crate) fn common_height(rows: &[Row]) -> f32 {
    let mut heights: Vec<usize> = rows.iter().map(Row::tall).collect();
    heights.sort_unstable();
    heights.get(heights.len() / 2).map_or(0.0, |height| *height as f32)
}

/// A picture's brightness between pixels.
fn between(picture: &GreyImage, x: f32, y: f32) -> u8 {
    let (left, top, right_share, low_share) = (x as usize, y as usize, x.fract(), y.fract());
    let at = |x: usize, y: usize| f32::from(picture.at(x, y));
    let upper = at(left, top) * (1.0 - right_share) + at(left + 1, top) * right_share;
    let lower = at(left, top + 1) * (1.0 - right_share) + at(left + 1, top + 1) * right_share;
    (upper * (1.0 - low_share) + lower * low_share) as u8
}

/// What OCR reads in lines of letters, in points; nothing where it is not to be had. The largest lines are read first.
pub(crate) fn read(page: &impl Readable, scan: &Scan, mut rows: Vec<&Row>) -> Vec<Phrase> {
    rows.sort_by_key(|row| std::cmp::Reverse(row.tall()));
    rows.truncate(MOST_READ);
    let mut phrases = Vec::new();
    let mut left = rows.as_slice();
    while !left.is_empty() {
        let mut batch = Batch::default();
        let count = left.iter().take_while(|row| batch.takes(row.cut(&scan.picture))).count().max(1);
        let (own, rest) = left.split_at(count.min(left.len()));
        left = rest;
        let Some(texts) = batch.read(page) else { return phrases };
        for (row, text) in own.iter().zip(texts).filter(|(_, text)| !text.is_empty()) {
            let size = row.tall() as f32 * scan.scale / CAPITAL_EMS;
            let mut note = Note::find(&text);
            // Of `1/2" = 1'-0"` often only `1/2" = 1` is read.
            if let Some(note) = note.as_mut().filter(|note| note.scale.is_some_and(|scale| scale.ratio < LEAST_RATIO)) {
                note.scale = None;
            }
            phrases.push(Phrase { text, bbox: row.bbox(scan.scale), size, upright: true, note });
        }
    }
    phrases
}

/// Lines under each other in one picture: a call of OCR for each would take as long as the program needs to start.
#[derive(Default)]
struct Batch {
    lines: Vec<GreyImage>,
    height: usize,
}

impl Batch {
    /// Takes one more line, if there is room.
    fn takes(&mut self, line: GreyImage) -> bool {
        let room = self.height + line.height + MARGIN <= BATCH.0;
        if room {
            self.height += line.height + MARGIN;
            self.lines.push(line);
        }
        room
    }

    /// The text of each line.
    fn read(&self, page: &impl Readable) -> Option<Vec<String>> {
        let widest = self.lines.iter().map(|line| line.width).max().unwrap_or_default().min(BATCH.1);
        let (width, height) = (widest + 2 * MARGIN, self.height + MARGIN);
        let mut picture = GreyImage { width, height, grey: vec![255; width * height] };
        let mut tops = Vec::with_capacity(self.lines.len());
        let mut top = MARGIN;
        for line in &self.lines {
            for y in 0..line.height {
                let start = (top + y) * width + MARGIN;
                let long = line.width.min(widest);
                let from = line.grey.get(y * line.width..y * line.width + long);
                if let (Some(to), Some(from)) = (picture.grey.get_mut(start..start + long), from) {
                    to.copy_from_slice(from);
                }
            }
            tops.push(top);
            top += line.height + MARGIN;
        }
        let raster: Raster = picture.to_raster();
        let mut texts = vec![String::new(); self.lines.len()];
        for word in
            page.recognize(&raster, Layout::Block, &LANGUAGES)?.into_iter().filter(|word| word.confidence >= DOUBTFUL)
        {
            let middle = f32::midpoint(word.bbox.y1, word.bbox.y2);
            let line = tops.partition_point(|&top| top as f32 - MARGIN as f32 / 2.0 <= middle).saturating_sub(1);
            if let Some(text) = texts.get_mut(line) {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(&word.text);
            }
        }
        Some(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::PixelFormat;

    /// Black boxes on white paper, at 150 dots an inch.
    fn scan(marks: &[(usize, usize, usize, usize)]) -> Scan {
        let mut pixels = vec![255; 600 * 200];
        for &(x, y, wide, high) in marks {
            for row in y..y + high {
                pixels[row * 600 + x..row * 600 + x + wide].fill(0);
            }
        }
        Scan::new(&Raster::from_bytes(600, 200, PixelFormat::Grey, &pixels), 0.48)
    }

    #[test]
    fn letters_side_by_side_are_one_row_and_lines_are_none() {
        let word: Vec<_> = (0..6).map(|index| (50 + index * 18, 60, 10, 18)).collect();
        let below: Vec<_> = (0..4).map(|index| (50 + index * 18, 100, 10, 18)).collect();
        let far = [(400, 60, 10, 18), (418, 60, 10, 18)];
        let line = [(40, 90, 300, 2)];
        let found = rows(&scan(&[word, below, far.to_vec(), line.to_vec()].concat()));
        let mut counts: Vec<usize> = found.iter().map(|row| row.letters.len()).collect();
        counts.sort_unstable();
        assert_eq!(counts, [2, 4, 6], "{found:?}");
        let bbox = found.iter().find(|row| row.letters.len() == 6).unwrap().bbox(0.48);
        assert!((bbox.x1 - 24.0).abs() < 0.5 && (bbox.y2 - 37.5).abs() < 0.5, "{bbox:?}");
    }
}
