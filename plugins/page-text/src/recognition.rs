//! OCR of a whole page.
//!
//! OCR gives words with upright boxes and no angle. Lines that run upwards, downwards or upside down are told by their words: by
//! the way from the first word to the last, or by the shape of a single word.

use fanlight_contract::{Geometry, Raster, ReadWord, Rect, TextRun};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Layout, Readable, upright};
use fanlight_raster::{DPI, clean, fitted, word_runs};

/// A word that OCR has read, as a text run of the page.
pub(crate) struct RecognizedRun {
    pub(crate) run: TextRun,
    /// From 0 to 1.
    pub(crate) confidence: f32,
}

/// The languages of OCR. The host uses those that it has data for.
const LANGUAGES: [&str; 2] = ["en", "fr"];
/// Most pixels of a page's image. A letter page has 8.4 million at [`DPI`], a sheet of 24 x 36 in has these at 152 dpi.
const MAX_PIXELS: f32 = 20_000_000.0;
/// Bounds of the contract on the resolution of a rendered page, in pixels per inch.
const RESOLUTION: (f32, f32) = (1.0, 1200.0);
/// Points per inch.
const INCH: f32 = 72.0;

/// A word of a single line is turned if its box is this many times as high as wide, and it has [`MIN_TURNED`] letters: three of the
/// narrowest letters of Helvetica, set upright, are 1.1 times as high as wide.
const TURNED_ASPECT: f32 = 1.5;
/// Least letters of a single word that is turned. Fewer may be a narrow letter, or a bar.
const MIN_TURNED: usize = 3;

/// Reads a page by OCR. Returns no runs if it cannot be rendered, or there is no OCR.
pub(crate) fn recognize(page: &impl Readable, geometry: &Geometry) -> Vec<RecognizedRun> {
    let Some(dpi) = resolution(geometry) else { return Vec::new() };
    let Some(picture) = page.render(&upright(None, dpi)) else { return Vec::new() };
    // What cleaning takes for a dot or a rule has its size in pixels at this resolution only.
    let (picture, layout) = if dpi == DPI { (clean(&picture), Layout::Block) } else { (picture, Layout::Sparse) };
    let Some(words) = page.recognize(&picture, layout, &LANGUAGES) else { return Vec::new() };
    let views = by_direction(words, &picture);
    (0..).zip(&views).flat_map(|(turns, words)| runs(words, turns, geometry, dpi)).collect()
}

/// Returns the resolution at which a page is read, in dpi; `None` if the page is too large for any.
fn resolution(geometry: &Geometry) -> Option<f32> {
    let frame = Frame::new(geometry.crop_box, 0.0);
    let inch = INCH / geometry.user_unit;
    let square_inches = frame.width / inch * (frame.height / inch);
    let dpi = (MAX_PIXELS / square_inches).sqrt().min(DPI);
    (RESOLUTION.0..=RESOLUTION.1).contains(&dpi).then_some(dpi)
}

/// Groups the words of a picture by the number of quarter turns clockwise that make their lines upright. Words lie in the pixels of
/// the picture turned so.
fn by_direction(words: Vec<ReadWord>, picture: &Raster) -> [Vec<ReadWord>; 4] {
    let mut views: [Vec<ReadWord>; 4] = Default::default();
    for line in words.chunk_by(|a, b| a.line == b.line) {
        let turns = turns(line);
        let placed = line.iter().map(|word| ReadWord { bbox: turned(word.bbox, turns, picture), ..word.clone() });
        views[turns].extend(placed);
    }
    let upright = std::mem::take(&mut views[0]);
    views[0] = fitted(upright, picture);
    views
}

/// Returns the number of quarter turns clockwise that make a line upright.
fn turns(line: &[ReadWord]) -> usize {
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return 0 };
    if line.len() == 1 {
        let (width, height) = (first.bbox.x2 - first.bbox.x1, first.bbox.y2 - first.bbox.y1);
        let is_turned = first.text.chars().count() >= MIN_TURNED && height > TURNED_ASPECT * width;
        // Drawings are read from the bottom and from the right (ISO 129-1).
        return usize::from(is_turned);
    }
    let ((x1, y1), (x2, y2)) = (first.bbox.center(), last.bbox.center());
    let (along, down) = (x2 - x1, y2 - y1);
    match (down.abs() > along.abs(), down < 0.0, along < 0.0) {
        (true, true, _) => 1,
        (true, false, _) => 3,
        (false, _, true) if !line.iter().any(|word| word.text.chars().any(runs_to_the_left)) => 2,
        _ => 0,
    }
}

/// Returns whether a character belongs to the blocks of Hebrew, Arabic and their neighbours.
fn runs_to_the_left(character: char) -> bool {
    ('\u{590}'..='\u{8ff}').contains(&character)
}

/// Returns a box of a picture in the picture turned clockwise by quarter turns.
fn turned(bbox: Rect, turns: usize, picture: &Raster) -> Rect {
    let (mut width, mut height) = (picture.width as f32, picture.height as f32);
    let mut placed = bbox;
    for _ in 0..turns {
        placed = Rect { x1: height - placed.y2, y1: placed.x1, x2: height - placed.y1, y2: placed.x2 };
        (width, height) = (height, width);
    }
    placed
}

/// Returns the runs of words that lie in the page's image turned clockwise by quarter turns.
fn runs(words: &[ReadWord], turns: u32, geometry: &Geometry, dpi: f32) -> Vec<RecognizedRun> {
    let rotated = Geometry { rotation: (geometry.rotation + 90 * turns) % 360, ..*geometry };
    let runs = word_runs(words, &rotated, dpi).into_iter();
    runs.map(|(word, run)| RecognizedRun { run, confidence: word.confidence }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of one line: each with its left, top, right and bottom edge.
    fn line(words: &[(&str, [f32; 4])]) -> Vec<ReadWord> {
        let word = |&(text, [x1, y1, x2, y2]): &(&str, [f32; 4])| ReadWord {
            text: text.to_owned(),
            bbox: Rect { x1, y1, x2, y2 },
            confidence: 0.9,
            line: 0,
        };
        words.iter().map(word).collect()
    }

    #[test]
    fn words_tell_the_direction_of_their_line() {
        let cases: [(&str, &[(&str, [f32; 4])], usize); 8] = [
            ("upright", &[("FLOOR", [10.0, 10.0, 90.0, 30.0]), ("PLAN", [100.0, 10.0, 160.0, 30.0])], 0),
            ("upwards", &[("FLOOR", [10.0, 110.0, 30.0, 190.0]), ("PLAN", [10.0, 10.0, 30.0, 100.0])], 1),
            ("upside down", &[("FLOOR", [100.0, 10.0, 190.0, 30.0]), ("PLAN", [10.0, 10.0, 90.0, 30.0])], 2),
            ("downwards", &[("FLOOR", [10.0, 10.0, 30.0, 90.0]), ("PLAN", [10.0, 100.0, 30.0, 160.0])], 3),
            ("Hebrew", &[("קומת", [100.0, 10.0, 190.0, 30.0]), ("קרקע", [10.0, 10.0, 90.0, 30.0])], 0),
            ("one word upwards", &[("FLOOR", [10.0, 10.0, 30.0, 90.0])], 1),
            ("a narrow letter", &[("I", [10.0, 10.0, 14.0, 30.0])], 0),
            ("three narrow letters", &[("ill", [10.0, 10.0, 28.0, 30.0])], 0),
        ];
        for (what, words, expected) in cases {
            assert_eq!(turns(&line(words)), expected, "{what}");
        }
    }

    #[test]
    fn a_word_returns_to_its_place_in_every_direction() {
        let picture =
            Raster { width: 300, height: 200, format: fanlight_contract::PixelFormat::Grey, words: Vec::new() };
        let sheet = Rect { x1: 10.0, y1: 20.0, x2: 310.0, y2: 220.0 };
        let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 0, user_unit: 1.0 };
        let bbox = Rect { x1: 50.0, y1: 40.0, x2: 80.0, y2: 120.0 };
        for turns in 0..4 {
            let mut word = line(&[("FLOOR", [0.0; 4])]);
            word[0].bbox = turned(bbox, turns, &picture);
            let run = &runs(&word, turns as u32, &geometry, 72.0)[0].run;
            assert_eq!(run.angle, 90.0 * turns as f32);
            let placed = [run.bbox.x1 - 60.0, run.bbox.y1 - 100.0, run.bbox.x2 - 90.0, run.bbox.y2 - 180.0];
            assert!(placed.iter().all(|off| off.abs() < 0.01), "{turns}: {:?}", run.bbox);
        }
    }

    #[test]
    fn large_pages_are_read_at_a_lower_resolution() {
        let geometry = |width, height, user_unit| {
            let sheet = Rect { x1: 0.0, y1: 0.0, x2: width, y2: height };
            Geometry { media_box: sheet, crop_box: sheet, rotation: 90, user_unit }
        };
        let rounded = |geometry: &Geometry| resolution(geometry).map(f32::round);
        assert_eq!(rounded(&geometry(612.0, 792.0, 1.0)), Some(300.0));
        assert_eq!(rounded(&geometry(2592.0, 1728.0, 1.0)), Some(152.0));
        assert_eq!(rounded(&geometry(259.2, 172.8, 10.0)), Some(15.0));
        assert_eq!(rounded(&geometry(0.0, 0.0, 1.0)), Some(300.0));
        assert_eq!(rounded(&geometry(9e9, 9e9, 1.0)), None);
        assert_eq!(rounded(&geometry(f32::NAN, 9.0, 1.0)), None);
    }
}
