//! Words of a picture as text runs of the page.

use fanlight_contract::{Font, Geometry, PageText, ReadWord, Rect, TextRun};
use fanlight_geometry::Frame;

/// Height of a word's box, in pixels.
fn height(word: &ReadWord) -> f32 {
    word.bbox.y2 - word.bbox.y1
}

/// Letters that reach below the baseline, with the marks that do.
const DESCENDING: &str = "gjpqyQ,;()[]{}|/_$@";
/// Height of capitals in ems, about the same in all text faces.
const CAPITAL_EMS: f32 = 0.7;
/// Words below this are noise as a rule: dust, hatches, remains of leaders.
const LEAST_CONFIDENCE: f32 = 0.2;
/// What is read of noise has fewer letters as a rule.
const LONG: usize = 3;
/// Words of a line are between so many times as high as its usual word: small letters alone, and such as hang below.
const SMALLEST: f32 = 0.6;
const LARGEST: f32 = 1.5;
/// Lines with fewer words give no slope worth having.
const SLOPE_WORDS: usize = 3;
/// Steeper lines are no scanner's, but words put together by mistake. Degrees.
const STEEPEST: f32 = 5.0;

/// What the engine gives for a page with text: a run a word, on its line's baseline, in user space. The picture is the
/// page's crop box as a viewer shows it, at `dpi`.
pub fn page_text(words: &[ReadWord], geometry: &Geometry, dpi: f32) -> PageText {
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let scale = 72.0 / (dpi * geometry.user_unit.max(f32::MIN_POSITIVE));
    let mut runs = Vec::new();
    for line in words.chunk_by(|a, b| a.line == b.line) {
        let sure = line.iter().filter(|word| word.confidence >= LEAST_CONFIDENCE);
        let usual = median(sure.map(height).collect());
        let kept: Vec<&ReadWord> = line.iter().filter(|word| is_word(word, usual)).collect();
        let Some(baseline) = Baseline::of(&kept) else {
            continue;
        };
        runs.extend(kept.into_iter().map(|word| run(word, &baseline, &frame, scale)));
    }
    let font = Font { name: String::new(), bold: false, italic: false };
    PageText { fonts: vec![font], runs }
}

/// Marks that nobody prints apart from a word: what is read so is dust, or what is left of a leader or a rule.
const DUST: &str = ".,:;'`\"‘’“”„´|¦_~^*°•·\\{}[]!";

/// Whether to believe in a word. OCR is sometimes hardly sure of a plain word between others, so that one of some
/// length, or in capitals, and of their height is one, too. `usual` is the height of the words on the line that it is sure of.
fn is_word(word: &ReadWord, usual: Option<f32>) -> bool {
    if word.text.chars().all(|c| DUST.contains(c)) {
        return false;
    }
    let of_their_height = usual.is_some_and(|usual| (SMALLEST * usual..LARGEST * usual).contains(&height(word)));
    let long = word.text.chars().filter(|c| c.is_alphanumeric()).count() >= LONG;
    let large = word.text.chars().all(|c| c.is_uppercase() || c.is_ascii_digit());
    word.confidence >= LEAST_CONFIDENCE || ((long || large) && of_their_height)
}

/// The line that letters stand on, in pixels.
struct Baseline {
    /// Its height at x = 0.
    at_zero: f32,
    /// Rise of y, downwards, a pixel of x.
    slope: f32,
    /// Height of the line's capitals.
    capitals: f32,
}

impl Baseline {
    fn of(words: &[&ReadWord]) -> Option<Self> {
        let standing: Vec<&&ReadWord> = words.iter().filter(|word| !word.text.contains(descends)).collect();
        let feet = if standing.is_empty() { words.iter().collect() } else { standing };
        let capitals = median(feet.iter().map(|word| word.bbox.y2 - word.bbox.y1).collect())?;
        let slope = slope(&feet);
        let at_zero = median(feet.iter().map(|word| word.bbox.y2 - slope * middle(word)).collect())?;
        Some(Self { at_zero, slope, capitals })
    }

    fn at(&self, x: f32) -> f32 {
        self.at_zero + self.slope * x
    }
}

/// The median of the slopes between every two words (Theil and Sen), which a few words that stand off don't move.
fn slope(feet: &[&&ReadWord]) -> f32 {
    if feet.len() < SLOPE_WORDS {
        return 0.0;
    }
    let mut slopes = Vec::new();
    for (index, a) in feet.iter().enumerate() {
        for b in &feet[index + 1..] {
            let apart = middle(b) - middle(a);
            if apart.abs() > 1.0 {
                slopes.push((b.bbox.y2 - a.bbox.y2) / apart);
            }
        }
    }
    let slope = median(slopes).unwrap_or(0.0);
    if slope.atan().to_degrees().abs() > STEEPEST { 0.0 } else { slope }
}

/// A word as one glyph that stands for all of its characters, of a code that no other word of the page has, whichever
/// picture it was read from: where its letters end was not read, and widths that were made up would look like gaps.
fn run(word: &ReadWord, baseline: &Baseline, frame: &Frame, scale: f32) -> TextRun {
    let framed =
        Rect { x1: word.bbox.x1 * scale, y1: word.bbox.y1 * scale, x2: word.bbox.x2 * scale, y2: word.bbox.y2 * scale };
    let start = (framed.x1, baseline.at(word.bbox.x1) * scale);
    let origin = frame.to_user_space(Rect { x1: start.0, y1: start.1, x2: start.0, y2: start.1 });
    let text = shortened(&word.text);
    let place = origin.x1.to_bits() ^ origin.y1.to_bits();
    let code = text.bytes().fold(place, |code, byte| code.rotate_left(5) ^ u32::from(byte));
    TextRun {
        text: text.to_owned(),
        lengths: vec![text.len() as u8],
        advances: vec![framed.x2 - framed.x1],
        codes: vec![code],
        x: origin.x1,
        y: origin.y1,
        size: baseline.capitals * scale / CAPITAL_EMS,
        angle: (frame.angle - baseline.slope.atan().to_degrees()).rem_euclid(360.0),
        bbox: frame.to_user_space(framed),
        font: 0,
        color: 0,
        visible: true,
    }
}

/// What one glyph can stand for; a longer word was not read but guessed from a hatch or a border.
fn shortened(text: &str) -> &str {
    let mut end = text.len().min(usize::from(u8::MAX));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn descends(c: char) -> bool {
    DESCENDING.contains(c)
}

fn middle(word: &ReadWord) -> f32 {
    f32::midpoint(word.bbox.x1, word.bbox.x2)
}

fn median(mut values: Vec<f32>) -> Option<f32> {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, left: f32, top: f32, bottom: f32) -> ReadWord {
        let bbox = Rect { x1: left, y1: top, x2: left + 100.0, y2: bottom };
        ReadWord { text: text.to_owned(), bbox, confidence: 0.9, line: 0 }
    }

    fn geometry(rotation: u32) -> Geometry {
        let sheet = Rect { x1: 10.0, y1: 20.0, x2: 622.0, y2: 812.0 };
        Geometry { media_box: sheet, crop_box: sheet, rotation, user_unit: 1.0 }
    }

    #[test]
    fn words_stand_on_their_lines_baseline_whatever_hangs_below_it() {
        let words = [word("Doors", 300.0, 270.0, 300.0), word("glazing", 450.0, 278.0, 310.0)];
        let text = page_text(&words, &geometry(0), 300.0);
        let places: Vec<(f32, f32)> = text.runs.iter().map(|run| (run.x.round(), run.y.round())).collect();
        assert_eq!(places, [(82.0, 740.0), (118.0, 740.0)]);
        assert!(text.runs.iter().all(|run| (run.size - 10.3).abs() < 0.1 && run.angle == 0.0));
    }

    #[test]
    fn a_rotated_pages_words_lie_where_the_page_has_them() {
        // The picture's top-left corner is the page's bottom-left one where a viewer turns it by 90 degrees.
        let text = page_text(&[word("A", 0.0, 0.0, 30.0)], &geometry(90), 300.0);
        let run = &text.runs[0];
        assert_eq!(run.angle, 90.0);
        assert!((run.x - 17.2).abs() < 0.01 && (run.y - 20.0).abs() < 0.01, "{} {}", run.x, run.y);
    }

    #[test]
    fn a_line_that_was_scanned_askew_keeps_its_slope() {
        let words: Vec<ReadWord> =
            (0..5).map(|n| word("DOORS", n as f32 * 200.0, 100.0 + n as f32 * 4.0, 130.0 + n as f32 * 4.0)).collect();
        let text = page_text(&words, &geometry(0), 300.0);
        let expected = 360.0 - 0.02_f32.atan().to_degrees();
        assert!(text.runs.iter().all(|run| (run.angle - expected).abs() < 0.01));
    }

    #[test]
    fn a_word_that_ocr_is_unsure_of_is_believed_between_others_of_its_height() {
        let unsure = |text: &str, bottom| ReadWord { confidence: 0.0, ..word(text, 150.0, 270.0, bottom) };
        let cases = [("SUM", 300.0, true), ("SUM", 275.0, false), ("SUM", 360.0, false), ("ee", 300.0, false)];
        for (text, bottom, expected) in cases {
            let words = [word("STIPULATED", 0.0, 270.0, 300.0), unsure(text, bottom)];
            let runs = page_text(&words, &geometry(0), 300.0).runs;
            assert_eq!(runs.len() == 2, expected, "{text} {bottom}");
        }
    }

    #[test]
    fn a_word_stays_whole_however_narrow_its_letters_are() {
        let texts = ["Miscellaneous", "Illinois", "-", "Wm.", "-", "fill", "-", "MAMMOTH", "-"];
        let words: Vec<ReadWord> =
            texts.iter().zip(0..).map(|(text, n)| word(text, n as f32 * 120.0, 270.0, 300.0)).collect();
        let page = fanlight_text::Page::read(&page_text(&words, &geometry(0), 300.0), &geometry(0));
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
        let text = page_text(&[word(&"é".repeat(300), 0.0, 270.0, 300.0)], &geometry(0), 300.0);
        assert_eq!(text.runs[0].text, "é".repeat(127));
    }

    #[test]
    fn what_was_hardly_read_and_what_is_no_word_is_left_out() {
        let doubtful = ReadWord { confidence: 0.1, ..word("ee", 0.0, 0.0, 30.0) };
        let words = [doubtful, word("|", 0.0, 0.0, 30.0), word("..", 0.0, 0.0, 30.0), word("-", 0.0, 0.0, 30.0)];
        let read: Vec<String> = page_text(&words, &geometry(0), 300.0).runs.into_iter().map(|run| run.text).collect();
        assert_eq!(read, ["-"]);
    }
}
