//! Turns recognized words into text runs of the page.

use fanlight_contract::{Font, Geometry, PageText, Raster, ReadWord, Rect, TextRun};
use fanlight_geometry::{Frame, RectExt as _, bounding_box, median};

use crate::GreyImage;

/// Letters and punctuation that reach below the baseline.
const DESCENDING: &str = "gjpqyQ,;()[]{}|/_$@";
/// Share of the height of a word with ascenders and descenders that is below the baseline: 0.21 em of 0.91 em in all text faces.
const DESCENT: f32 = 0.23;
/// Height of capitals in ems; about the same in all text faces.
pub(crate) const CAPITAL_EMS: f32 = 0.7;
/// Minimum confidence of a word. Words below it are noise as a rule: dust, hatches, remains of leaders.
const MIN_CONFIDENCE: f32 = 0.2;
/// Minimum number of letters of a word that is believed despite its low confidence. What is read of noise has fewer as a rule.
const MIN_LETTERS: usize = 3;
/// Heights of the words of a line as shares of its median height: of small letters alone, and of words with ascenders and
/// descenders.
const WORD_HEIGHTS: std::ops::Range<f32> = 0.6..1.5;

/// How a picture shows its page.
#[derive(Clone, Copy, Debug)]
pub struct Capture {
    /// Pixels per inch.
    pub dpi: f32,
    /// How far the page lies askew, in pixels down per pixel to the right.
    pub skew: f32,
}

/// Steepest skew of a scanned page, in pixels down per pixel to the right: 5 degrees.
const MAX_PAGE_SKEW: f32 = 0.0875;
/// Steepest skew that is looked for in a part of a page. A few words and lines of a drawing can agree on a steep one by chance:
/// of 324 labelled sheets, each office left out, 0.862 of those with text are right instead of 0.861 with the pages' limit, and
/// 0.724 of those without instead of 0.720.
const MAX_PART_SKEW: f32 = 0.02;

impl Capture {
    /// Returns how a picture of `dpi` pixels per inch shows its page. The picture's lines tell the skew; those that OCR finds
    /// tell it worse, since OCR finds short lines level.
    pub fn of_page(picture: &Raster, dpi: f32) -> Self {
        Self { dpi, skew: GreyImage::from_raster(picture).skew(MAX_PAGE_SKEW) }
    }

    /// As [`Capture::of_page`], of a part of a page.
    pub fn of_part(picture: &Raster, dpi: f32) -> Self {
        Self { dpi, skew: GreyImage::from_raster(picture).skew(MAX_PART_SKEW) }
    }
}

/// Returns recognized words as the PDF engine gives the text of a page: one run for each word, on the baseline of its line,
/// in user space. `words` lie in an image of the page's crop box as a viewer shows it.
pub fn page_text(words: &[ReadWord], geometry: &Geometry, capture: Capture) -> PageText {
    text_of_runs(word_runs(words, geometry, capture).into_iter().map(|(_, run)| run).collect())
}

/// Returns runs of recognized words as the text of a page.
pub(crate) fn text_of_runs(runs: Vec<TextRun>) -> PageText {
    let font = Font { name: String::new(), bold: false, italic: false };
    PageText { fonts: vec![font], runs }
}

/// Returns the runs of [`page_text`], each with the word that it shows. Words that are not believed have none.
pub fn word_runs<'w>(words: &'w [ReadWord], geometry: &Geometry, capture: Capture) -> Vec<(&'w ReadWord, TextRun)> {
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let scale = 72.0 / capture.dpi;
    let mut runs = Vec::new();
    for line in words.chunk_by(|a, b| a.line == b.line) {
        let turn = Turn::of_line(line);
        let upright: Vec<ReadWord> = line.iter().map(|word| turn.upright(word)).collect();
        let confident = upright.iter().filter(|word| word.confidence >= MIN_CONFIDENCE);
        let usual = median(confident.map(|word| word.bbox.height()).collect());
        let (kept, kept_upright): (Vec<&ReadWord>, Vec<&ReadWord>) =
            line.iter().zip(&upright).filter(|(_, upright)| is_word(upright, usual)).unzip();
        let Some(baseline) = Baseline::fit(&kept_upright, capture.skew) else { continue };
        let place = Place { turn, frame: &frame, scale };
        let kept_runs = kept_upright.into_iter().map(|upright| run(upright, &baseline, &place));
        runs.extend(kept.into_iter().zip(kept_runs));
    }
    runs
}

/// The quarter turns, counter-clockwise as the image is seen, between reading to the right and a line's reading direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn(u8);

impl Turn {
    /// Returns the turn of a line of words.
    fn of_line(line: &[ReadWord]) -> Self {
        let quarters = line.first().map_or(0.0, |word| (word.angle / 90.0).round());
        Self(quarters.rem_euclid(4.0) as u8)
    }

    /// Returns a place of the image in axes in which the line is read to the right, y down.
    fn into_line(self, (x, y): (f32, f32)) -> (f32, f32) {
        match self.0 {
            1 => (-y, x),
            2 => (-x, -y),
            3 => (y, -x),
            _ => (x, y),
        }
    }

    /// Returns a box of the image in the line's axes.
    fn box_into_line(self, bbox: Rect) -> Rect {
        bounding_box([(bbox.x1, bbox.y1), (bbox.x2, bbox.y2)].map(|corner| self.into_line(corner)))
    }

    /// Returns a box of the line's axes in the image.
    fn box_into_image(self, bbox: Rect) -> Rect {
        Self((4 - self.0) % 4).box_into_line(bbox)
    }

    /// Returns a word with its box in the line's axes.
    fn upright(self, word: &ReadWord) -> ReadWord {
        ReadWord { bbox: self.box_into_line(word.bbox), ..word.clone() }
    }

    /// Returns the degrees of the turn.
    fn degrees(self) -> f32 {
        f32::from(self.0) * 90.0
    }
}

/// Where a line of an image lies on its page.
struct Place<'a> {
    turn: Turn,
    /// The frame of the page as a viewer shows it.
    frame: &'a Frame,
    /// Points per pixel.
    scale: f32,
}

impl Place<'_> {
    /// Returns a box of the line's axes, in pixels, in user space.
    fn to_user_space(&self, bbox: Rect) -> Rect {
        let Rect { x1, y1, x2, y2 } = self.turn.box_into_image(bbox);
        let scale = self.scale;
        self.frame.to_user_space(Rect { x1: x1 * scale, y1: y1 * scale, x2: x2 * scale, y2: y2 * scale })
    }
}

/// Punctuation that is never printed apart from a word: a word of nothing else is dust, or the rest of a leader or a rule.
const DUST: &str = ".,:;'`\"‘’“”„´|¦_~^*°•·\\{}[]!";

/// Returns whether to believe a word. OCR sometimes has little confidence in a plain word between others, so a word of their
/// height that is long or in capitals is believed, too. `usual` is the median height of the line's confident words.
fn is_word(word: &ReadWord, usual: Option<f32>) -> bool {
    if word.text.chars().all(|c| DUST.contains(c)) {
        return false;
    }
    let of_their_height =
        usual.is_some_and(|usual| (WORD_HEIGHTS.start * usual..WORD_HEIGHTS.end * usual).contains(&word.bbox.height()));
    let long = word.text.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_LETTERS;
    let large = word.text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    word.confidence >= MIN_CONFIDENCE || ((long || large) && of_their_height)
}

/// The baseline of a line of text, in pixels.
struct Baseline {
    /// Its y at x = 0.
    at_zero: f32,
    /// Pixels down per pixel to the right.
    slope: f32,
    /// Height of the line's capitals.
    capitals: f32,
}

impl Baseline {
    /// Fits a baseline to the words of a line, those without descenders if there are any; `None` for no words. The slope is that
    /// of the page: the few words of one line say less about it.
    fn fit(words: &[&ReadWord], slope: f32) -> Option<Self> {
        let lettered: Vec<&ReadWord> = words.iter().copied().filter(|word| has_letters(word)).collect();
        let without_descenders: Vec<&ReadWord> =
            lettered.iter().copied().filter(|word| !word.text.contains(descends)).collect();
        let (feet, descent) = match (without_descenders.is_empty(), lettered.is_empty()) {
            (false, _) => (without_descenders, 0.0),
            (true, false) => (lettered, DESCENT),
            (true, true) => (words.to_vec(), 0.0),
        };
        // The box of a word that slopes reaches from the upper end of its line to the lower end.
        let rise = |word: &&ReadWord| slope.abs() * word.bbox.width();
        let letters = |word: &&ReadWord| (word.bbox.height() - rise(word)).max(0.5 * word.bbox.height());
        let capitals = (1.0 - descent) * median(feet.iter().map(letters).collect())?;
        let foot =
            |word: &&ReadWord| word.bbox.y2 - descent * letters(word) - 0.5 * rise(word) - slope * word.bbox.center().0;
        let at_zero = median(feet.iter().map(foot).collect())?;
        Some(Self { at_zero, slope, capitals })
    }

    /// Returns its y at a position along x.
    fn at(&self, x: f32) -> f32 {
        self.at_zero + self.slope * x
    }
}

/// Most bytes of a text that one glyph can stand for. A longer word was not read but guessed from a hatch or a border.
const MAX_BYTES: usize = u8::MAX as usize;

/// Returns a word as a run of one glyph that stands for all of its characters, because OCR does not say where its letters end
/// and invented widths would look like gaps. The code of the glyph depends on text and position, so that no other word of the
/// page shares it.
fn run(word: &ReadWord, baseline: &Baseline, place: &Place<'_>) -> TextRun {
    let (x, y) = (word.bbox.x1, baseline.at(word.bbox.x1));
    let origin = place.to_user_space(Rect { x1: x, y1: y, x2: x, y2: y });
    let text = &word.text[..word.text.floor_char_boundary(MAX_BYTES)];
    let seed = origin.x1.to_bits() ^ origin.y1.to_bits();
    let code = text.bytes().fold(seed, |code, byte| code.rotate_left(5) ^ u32::from(byte));
    TextRun {
        text: text.to_owned(),
        lengths: vec![text.len() as u8],
        advances: vec![word.bbox.width() * place.scale],
        codes: vec![code],
        x: origin.x1,
        y: origin.y1,
        size: baseline.capitals * place.scale / CAPITAL_EMS,
        angle: (place.frame.angle + place.turn.degrees() - baseline.slope.atan().to_degrees()).rem_euclid(360.0),
        bbox: place.to_user_space(word.bbox),
        font: 0,
        color: 0,
        visible: true,
    }
}

/// Returns whether a word has a letter or a digit, which stands on the baseline; a dash does not.
fn has_letters(word: &ReadWord) -> bool {
    word.text.chars().any(char::is_alphanumeric)
}

/// Returns whether a character reaches below the baseline.
fn descends(c: char) -> bool {
    DESCENDING.contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRAIGHT: Capture = Capture { dpi: 300.0, skew: 0.0 };

    fn word(text: &str, left: f32, top: f32, bottom: f32) -> ReadWord {
        let bbox = Rect { x1: left, y1: top, x2: left + 100.0, y2: bottom };
        ReadWord { text: text.to_owned(), bbox, confidence: 0.9, angle: 0.0, line: 0 }
    }

    fn geometry(rotation: u32) -> Geometry {
        let sheet = Rect { x1: 10.0, y1: 20.0, x2: 622.0, y2: 812.0 };
        Geometry { media_box: sheet, crop_box: sheet, rotation, user_unit: 1.0 }
    }

    #[test]
    fn descenders_do_not_lower_the_baseline() {
        let words = [word("Doors", 300.0, 270.0, 300.0), word("glazing", 450.0, 278.0, 310.0)];
        let text = page_text(&words, &geometry(0), STRAIGHT);
        let places: Vec<(f32, f32)> = text.runs.iter().map(|run| (run.x.round(), run.y.round())).collect();
        assert_eq!(places, [(82.0, 740.0), (118.0, 740.0)]);
        assert!(text.runs.iter().all(|run| (run.size - 10.3).abs() < 0.1 && run.angle == 0.0));
    }

    #[test]
    fn a_dash_does_not_raise_the_baseline() {
        let words = [word("gallery", 300.0, 270.0, 309.0), word("-", 450.0, 284.0, 288.0)];
        let text = page_text(&words, &geometry(0), STRAIGHT);
        assert!(text.runs.iter().all(|run| (run.y - 740.0).abs() < 0.1), "{:?}", text.runs[0].y);
    }

    #[test]
    fn words_of_a_rotated_page_return_to_user_space() {
        // The picture's top-left corner is the page's bottom-left one where a viewer turns it by 90 degrees.
        let text = page_text(&[word("A", 0.0, 0.0, 30.0)], &geometry(90), STRAIGHT);
        let run = &text.runs[0];
        assert_eq!(run.angle, 90.0);
        assert!((run.x - 17.2).abs() < 0.01 && (run.y - 20.0).abs() < 0.01, "{} {}", run.x, run.y);
    }

    #[test]
    fn a_user_unit_moves_no_word() {
        // The engine counts pixels by points, whatever size these have on paper.
        let words = [word("Doors", 300.0, 270.0, 300.0)];
        let large = Geometry { user_unit: 10.0, ..geometry(0) };
        assert_eq!(page_text(&words, &large, STRAIGHT).runs, page_text(&words, &geometry(0), STRAIGHT).runs);
    }

    #[test]
    fn an_upward_word_starts_at_its_lower_right_corner() {
        let bbox = Rect { x1: 300.0, y1: 200.0, x2: 330.0, y2: 400.0 };
        let upward = ReadWord { bbox, angle: 90.0, ..word("GRID", 0.0, 0.0, 0.0) };
        let text = page_text(&[upward], &geometry(0), STRAIGHT);
        let run = &text.runs[0];
        assert_eq!((run.angle, run.advances[0].round()), (90.0, 48.0));
        assert_eq!((run.x.round(), run.y.round()), (89.0, 716.0));
    }

    #[test]
    fn a_skewed_line_keeps_its_slope() {
        let words: Vec<ReadWord> =
            (0..5).map(|n| word("DOORS", n as f32 * 200.0, 100.0 + n as f32 * 4.0, 130.0 + n as f32 * 4.0)).collect();
        let text = page_text(&words, &geometry(0), Capture { skew: 0.02, ..STRAIGHT });
        let expected = 360.0 - 0.02_f32.atan().to_degrees();
        assert!(text.runs.iter().all(|run| (run.angle - expected).abs() < 0.01));
    }

    #[test]
    fn a_short_line_has_the_slope_of_its_page() {
        let on_line = |text: &str, left: f32, line: u32| {
            let y = 100.0 + 100.0 * line as f32 + 0.03 * (left + 50.0);
            // The box reaches from the upper end of the word's slope to its lower end.
            ReadWord { line, ..word(text, left, y - 31.5, y + 1.5) }
        };
        let long = (0..5).map(|n| on_line("DOORS", n as f32 * 200.0, 0));
        let words: Vec<ReadWord> = long.chain([on_line("SECTIONAL", 300.0, 1), on_line("DOORS", 600.0, 2)]).collect();
        let runs = page_text(&words, &geometry(0), Capture { skew: 0.03, ..STRAIGHT }).runs;
        let expected = 360.0 - 0.03_f32.atan().to_degrees();
        assert!(runs.iter().all(|run| (run.angle - expected).abs() < 0.01), "{:?}", runs[5].angle);
        // The baseline at the left end of the first short line: y = 200 + 0.03 * 300.
        assert!((runs[5].y - (812.0 - 209.0 * 0.24)).abs() < 0.05, "{}", runs[5].y);
    }

    #[test]
    fn a_doubtful_word_of_the_lines_height_is_believed() {
        let unsure = |text: &str, bottom| ReadWord { confidence: 0.0, ..word(text, 150.0, 270.0, bottom) };
        let cases = [("SUM", 300.0, true), ("SUM", 275.0, false), ("SUM", 360.0, false), ("ee", 300.0, false)];
        for (text, bottom, expected) in cases {
            let words = [word("STIPULATED", 0.0, 270.0, 300.0), unsure(text, bottom)];
            let runs = page_text(&words, &geometry(0), STRAIGHT).runs;
            assert_eq!(runs.len() == 2, expected, "{text} {bottom}");
        }
    }

    #[test]
    fn a_word_stays_whole_however_narrow_its_letters_are() {
        let texts = ["Miscellaneous", "Illinois", "-", "Wm.", "-", "fill", "-", "MAMMOTH", "-"];
        let words: Vec<ReadWord> =
            texts.iter().zip(0..).map(|(text, n)| word(text, n as f32 * 120.0, 270.0, 300.0)).collect();
        let page = fanlight_text::Page::read(&page_text(&words, &geometry(0), STRAIGHT), &geometry(0));
        let read = &page.lines[0].words;
        assert_eq!(read.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(), texts);
        // Each is 100 pixels wide, whatever dashes stand between them: 24 pt.
        assert!(
            read.iter().all(|word| word.text == "-" || (word.bbox.x2 - word.bbox.x1 - 24.0).abs() < 0.1),
            "{read:?}"
        );
    }

    #[test]
    fn a_word_of_absurd_length_is_cut() {
        let text = page_text(&[word(&"é".repeat(300), 0.0, 270.0, 300.0)], &geometry(0), STRAIGHT);
        assert_eq!(text.runs[0].text, "é".repeat(127));
    }

    #[test]
    fn doubtful_words_and_lone_punctuation_are_left_out() {
        let doubtful = ReadWord { confidence: 0.1, ..word("ee", 0.0, 0.0, 30.0) };
        let words = [doubtful, word("|", 0.0, 0.0, 30.0), word("..", 0.0, 0.0, 30.0), word("-", 0.0, 0.0, 30.0)];
        let read: Vec<String> =
            page_text(&words, &geometry(0), STRAIGHT).runs.into_iter().map(|run| run.text).collect();
        assert_eq!(read, ["-"]);
    }
}
