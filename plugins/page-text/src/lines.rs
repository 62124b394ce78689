//! From the text runs of a page to its lines.

use fanlight_contract::{Font, Geometry, PageText, Rect, TextRun};
use fanlight_geometry::RectExt as _;
use fanlight_plugin::hundredth;
use fanlight_text::{Frame, Page, Phrase};

use crate::order::{self, PHRASE_GAP, Place};
use crate::recognition::RecognizedRun;
use crate::result::{Line, Source, Word};

/// The text of a page: the file's own, and what OCR has read.
///
/// OCR knows no fonts. Each word that it has read is listed with a font of its own, by which the word is found again in a line.
pub(crate) struct TextWithOcr {
    text: PageText,
    /// The first font that stands for a word of OCR.
    first_read: u32,
    /// Confidence in each word of OCR.
    confidences: Vec<f32>,
}

impl TextWithOcr {
    pub(crate) fn new(own: PageText) -> Self {
        Self { first_read: own.fonts.len() as u32, text: own, confidences: Vec::new() }
    }

    /// Adds what OCR has read, except where the file has text of its own. Own text without characters gives way to it.
    pub(crate) fn add(&mut self, recognized: Vec<RecognizedRun>) {
        if recognized.is_empty() {
            return;
        }
        self.text.runs.retain(is_decoded);
        let own = self.text.runs.len();
        for RecognizedRun { mut run, confidence } in recognized {
            let (x, y) = run.bbox.center();
            if self.text.runs[..own].iter().any(|other| other.bbox.contains_point(x, y)) {
                continue;
            }
            run.font = self.first_read + self.confidences.len() as u32;
            self.text.fonts.push(Font { name: String::new(), bold: false, italic: false });
            self.text.runs.push(run);
            self.confidences.push(confidence);
        }
    }

    /// Returns the lines in reading order: those of the page's direction, then the turned ones.
    pub(crate) fn lines(&self, geometry: &Geometry, with_words: bool) -> Vec<Line> {
        let page = Page::read(&self.text, geometry);
        let upright = std::iter::once((&page.frame, &page.lines));
        let directions = upright.chain(page.turned.iter().map(|turned| (&turned.frame, &turned.lines)));
        directions.flat_map(|(frame, lines)| self.lines_of(frame, lines, with_words)).collect()
    }

    /// Returns the lines of one direction in reading order.
    fn lines_of(&self, frame: &Frame, lines: &[fanlight_text::Line], with_words: bool) -> Vec<Line> {
        let numbered = lines.iter().enumerate();
        let phrases: Vec<(usize, Phrase)> = numbered
            .flat_map(|(number, line)| line.phrases(PHRASE_GAP).into_iter().map(move |phrase| (number, phrase)))
            .collect();
        let places: Vec<Place> = phrases.iter().map(|(line, phrase)| Place::new(phrase, *line)).collect();
        let ordered = order::rows(&places);
        let mut found = Vec::new();
        for row in ordered {
            let words: Vec<fanlight_text::Word> =
                row.iter().flat_map(|&index| phrases[index].1.words.iter().cloned()).collect();
            // Own text and what OCR has read beside it are lines of their own.
            let of_one_source = words.chunk_by(|a, b| self.confidence(a).is_some() == self.confidence(b).is_some());
            found.extend(of_one_source.map(|words| self.line(frame, words, with_words)));
        }
        found.retain(|line| !line.text.is_empty());
        found
    }

    /// Returns the line of some words.
    fn line(&self, frame: &Frame, words: &[fanlight_text::Word], with_words: bool) -> Line {
        let boxes = words.iter().map(|word| word.bbox);
        let framed = boxes.reduce(|a, b| a.union(&b)).unwrap_or(Rect { x1: 0.0, y1: 0.0, x2: 0.0, y2: 0.0 });
        let read: Vec<f32> = words.iter().filter_map(|word| self.confidence(word)).collect();
        let mean = read.iter().sum::<f32>() / read.len().max(1) as f32;
        Line {
            text: fanlight_text::text(words),
            bbox: frame.to_user_space(framed).into(),
            source: if read.is_empty() { Source::TextLayer } else { Source::Ocr },
            confidence: (!read.is_empty()).then(|| hundredth(mean)),
            angle: hundredth(frame.angle.rem_euclid(360.0)) % 360.0,
            size: hundredth(words.iter().map(|word| word.size).fold(0.0, f32::max)),
            words: with_words.then(|| words.iter().map(|word| placed(word, frame)).collect()),
        }
    }

    /// Returns OCR's confidence in a word; `None` for a word of the file.
    fn confidence(&self, word: &fanlight_text::Word) -> Option<f32> {
        let index = word.style.font.checked_sub(self.first_read)?;
        self.confidences.get(index as usize).copied()
    }
}

/// Returns whether at least half of a run's characters are known.
fn is_decoded(run: &TextRun) -> bool {
    let unknown = run.text.chars().filter(|&c| c == char::REPLACEMENT_CHARACTER).count();
    2 * unknown <= run.text.chars().count()
}

/// Returns a word with its place in user space.
fn placed(word: &fanlight_text::Word, frame: &Frame) -> Word {
    let (x, y) = (word.bbox.x1, word.baseline);
    let start = frame.to_user_space(Rect { x1: x, y1: y, x2: x, y2: y });
    Word {
        text: word.text.clone(),
        x: hundredth(start.x1),
        y: hundredth(start.y1),
        width: hundredth(word.bbox.x2 - word.bbox.x1),
    }
}
