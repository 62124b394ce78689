//! Text of pages that have none: scans, and drawings whose letters are strokes.
//!
//! OCR is slow, so only what may be a title block is read: the strips along the right and the bottom edge, the right
//! one turned as well where it says nothing upright; and the whole page, coarser, only where the strips name no title.
//! A page no larger than a letter is read whole at once. Of a page that has text, but no number in it, the bottom right
//! corner alone is read: numbers are often lettered in outlines.

use fanlight_contract::{Geometry, Orientation, PageText, PixelFormat, Raster, Rect, RenderOptions, TextRun};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Layout, Readable};
use fanlight_raster::{character_count, has_text, is_scan};

use crate::labels::{self, Label};
use crate::result::DrawingType;
use crate::sheet::{Origin, Sheet};
use crate::{drawing_type, number};

/// Pixels of one picture at most: what Tesseract reads in a few seconds.
const MOST_PIXELS: f32 = 5_000_000.0;
/// Pixels an inch at most: capitals of small print, 1/16 in high, are then 18 pixels high.
const FINEST: f32 = 300.0;
/// Coarser pictures can't be read.
const COARSEST: f32 = 60.0;
/// The whole of a larger page isn't worth reading at fewer: capitals of a title, 3/16 in high, have 20 pixels then.
const COARSE: f32 = 110.0;
/// A strip in which so many words were read upright is not lettered upwards.
const UPRIGHT_WORDS: usize = 12;
/// Share of the page's width and height in which a number is looked for by itself.
const CORNER: f32 = 0.24;
/// A number is so large at least beside the largest text of the corner.
const NUMBER_SIZE: f32 = 0.6;
/// Share of the page that the strips are deep.
const STRIP: f32 = 0.24;
/// A title's line has no more words; a note's has.
const MOST_LINE_WORDS: usize = 7;
/// Letters that a second reading must find besides: a short line that the first one lost, not a letter read otherwise.
const MISSED_LETTERS: usize = 2;
/// A page of no more square points than Legal is read whole.
const SMALL: f32 = 620.0 * 1020.0;

/// A page with fewer characters has no text of its own, whatever stamp it carries.
const FEW_CHARACTERS: usize = 25;

/// Takes from a page what the judgement of its set needs: its text, or what OCR reads of it.
pub fn sheet(number: u32, page: &impl Readable) -> Sheet {
    let (geometry, text) = (page.geometry(), page.text());
    if has_text(&text) {
        let sheet = Sheet::read(number, &text, &geometry, Origin::Text);
        if sheet.may_have_an_outlined_number()
            && let Some(completed) = complete(page, &geometry, &text)
        {
            return Sheet::read(number, &completed, &geometry, Origin::Text);
        }
        return sheet;
    }
    let pictured = is_scan(&text, || page.images(), &geometry);
    let drawn =
        pictured || (character_count(&text, FEW_CHARACTERS) < FEW_CHARACTERS && !page.paths().lengths.is_empty());
    match drawn.then(|| read(page, &geometry)).flatten() {
        Some(read) => Sheet::read(number, &read, &geometry, Origin::Read),
        None => Sheet::read(number, &text, &geometry, if pictured { Origin::Picture } else { Origin::Text }),
    }
}

/// The text of a page that has none of its own. None where nothing can be read at all.
fn read(page: &impl Readable, geometry: &Geometry) -> Option<PageText> {
    let mut gathered = Gathered::of(geometry);
    let (width, height) = (gathered.frame.width, gathered.frame.height);
    let whole = Rect { x1: 0.0, y1: 0.0, x2: width, y2: height };
    if width * height <= SMALL {
        gathered.add(page, whole, false)?;
        return Some(gathered.finish());
    }
    let right = Rect { x1: width * (1.0 - STRIP), ..whole };
    let bottom = Rect { y1: height * (1.0 - STRIP), ..whole };
    gathered.cut = right.x1;
    gathered.add(page, right, false)?;
    if !gathered.names_a_title() && gathered.words() < UPRIGHT_WORDS {
        gathered.add(page, right, true);
    }
    if !gathered.names_a_title() {
        gathered.replace(page, bottom, Layout::Sparse, 0);
        gathered.cut = 0.0;
    }
    if !gathered.names_a_title() && gathered.resolution(whole) >= COARSE {
        gathered.add(page, whole, false);
    }
    if !gathered.names_a_number() {
        gathered.add(page, corner(width, height), false);
    }
    gathered.sharpen_title(page);
    Some(gathered.finish())
}

/// The bottom right corner of a page, where most numbers stand.
fn corner(width: f32, height: f32) -> Rect {
    Rect { x1: width * (1.0 - CORNER), y1: height * (1.0 - CORNER), x2: width, y2: height }
}

/// The text of a page with what its bottom right corner has besides; none where that is nothing.
fn complete(page: &impl Readable, geometry: &Geometry, text: &PageText) -> Option<PageText> {
    let mut gathered = Gathered::of(geometry);
    let (width, height) = (gathered.frame.width, gathered.frame.height);
    gathered.add(page, corner(width, height), false)?;
    gathered.texts.insert(0, text.clone());
    Some(gathered.finish())
}

/// What has been read of a page.
struct Gathered<'g> {
    geometry: &'g Geometry,
    frame: Frame,
    texts: Vec<PageText>,
    /// Left edge of what has been read, as displayed: what stands there may be a part of a line.
    cut: f32,
}

impl<'g> Gathered<'g> {
    fn of(geometry: &'g Geometry) -> Self {
        let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
        Self { geometry, frame, texts: Vec::new(), cut: 0.0 }
    }

    /// Pixels an inch at which a part can be read.
    fn resolution(&self, part: Rect) -> f32 {
        let unit = self.geometry.user_unit.max(f32::MIN_POSITIVE);
        let inches = ((part.x2 - part.x1) * unit / 72.0) * ((part.y2 - part.y1) * unit / 72.0);
        (MOST_PIXELS / inches.max(f32::MIN_POSITIVE)).sqrt().min(FINEST)
    }

    /// Reads a part of the page, given as it is displayed; `turned` reads what runs upwards there.
    fn add(&mut self, page: &impl Readable, part: Rect, turned: bool) -> Option<()> {
        let text = self.read_part(page, part, turned, Layout::Sparse)?;
        self.texts.push(text);
        Some(())
    }

    /// Reads what stands about the title once more, as lines that belong together: strewn text loses short lines.
    fn sharpen_title(&mut self, page: &impl Readable) {
        if let Some(part) = self.title_part() {
            self.replace(page, part, Layout::Block, MISSED_LETTERS);
        }
    }

    /// Reads a part once more, in place of what was read of it before; keeps that unless there are so many more letters.
    fn replace(&mut self, page: &impl Readable, part: Rect, layout: Layout, more: usize) {
        let Some(mut text) = self.read_part(page, part, false, layout) else { return };
        text.runs.retain(|run| run.text.chars().any(char::is_alphanumeric));
        let letters = |run: &TextRun| run.text.chars().filter(|c| c.is_alphabetic()).count();
        let region = self.frame.to_user_space(part);
        let inside = |run: &TextRun| {
            let (x, y) = (f32::midpoint(run.bbox.x1, run.bbox.x2), f32::midpoint(run.bbox.y1, run.bbox.y2));
            (region.x1..=region.x2).contains(&x) && (region.y1..=region.y2).contains(&y)
        };
        let before: usize = self.texts.iter().flat_map(|text| &text.runs).filter(|run| inside(run)).map(letters).sum();
        if text.runs.iter().map(letters).sum::<usize>() < before + more {
            return;
        }
        for read in &mut self.texts {
            read.runs.retain(|run| !inside(run));
        }
        self.texts.insert(0, text);
    }

    /// Where the title stands as far as is known: under its label, else about a line that says what the sheet shows.
    fn title_part(&self) -> Option<Rect> {
        let phrases = self.phrases();
        let part = self.title_place(&phrases)?;
        let crosses = |bbox: &Rect| bbox.x1 < part.x2 && bbox.x2 > part.x1 && bbox.y1 < part.y2 && bbox.y2 > part.y1;
        // A line that the edge would cut through is read whole or it is misread.
        let cut = phrases.iter().map(|(_, bbox, _)| *bbox).filter(crosses);
        Some(cut.fold(part, |part, line| part.union(&line)))
    }

    /// Where a title's lines are looked for.
    fn title_place(&self, phrases: &[(String, Rect, f32)]) -> Option<Rect> {
        let clip = |part: Rect| {
            let inside = Rect {
                x1: part.x1.max(0.0),
                y1: part.y1.max(0.0),
                x2: part.x2.min(self.frame.width),
                y2: part.y2.min(self.frame.height),
            };
            (inside.x2 - inside.x1 > 1.0 && inside.y2 - inside.y1 > 1.0).then_some(inside)
        };
        let labelled = phrases.iter().find(|(text, ..)| labels::read(text) == Some(Label::Title));
        if let Some((_, label, em)) = labelled {
            let floor = phrases
                .iter()
                .filter(|(text, bbox, _)| {
                    labels::read(text).is_some() && bbox.y1 > label.y2 + em && bbox.x1 < label.x2 && bbox.x2 > label.x1
                })
                .map(|(_, bbox, _)| bbox.y1 - 0.4 * em)
                .fold(label.y2 + 20.0 * em, f32::min);
            return clip(Rect {
                x1: label.x1 - 0.5 * em,
                y1: label.y2 + 0.2 * em,
                x2: label.x1 + 40.0 * em,
                y2: floor,
            });
        }
        // The lowest and rightmost is the likeliest to stand in the title block.
        let telling = phrases.iter().filter(|(text, ..)| drawing_type::is_telling(text));
        let (_, line, em) = telling.max_by(|(_, a, _), (_, b, _)| (a.x2 + a.y2).total_cmp(&(b.x2 + b.y2)))?;
        clip(Rect { x1: line.x1 - 4.0 * em, y1: line.y1 - 3.0 * em, x2: line.x2 + 6.0 * em, y2: line.y2 + 4.0 * em })
    }

    fn read_part(&self, page: &impl Readable, part: Rect, turned: bool, layout: Layout) -> Option<PageText> {
        let dpi = self.resolution(part);
        if dpi < COARSEST {
            return None;
        }
        let region = self.frame.to_user_space(part);
        let options =
            RenderOptions { dpi, region: Some(region), format: PixelFormat::Grey, orientation: Orientation::Displayed };
        let picture = page.render(&options)?;
        let picture = if turned { clockwise(&picture) } else { picture };
        let words = page.recognize(&picture, layout, &[])?;
        // The part by itself is a page whose rotation says how its words run.
        let rotation = (self.geometry.rotation + if turned { 90 } else { 0 }) % 360;
        let geometry = Geometry { media_box: region, crop_box: region, rotation, user_unit: self.geometry.user_unit };
        Some(fanlight_raster::page_text(&words, &geometry, dpi))
    }

    /// Words read so far, of three letters at least.
    fn words(&self) -> usize {
        let words = self.texts.iter().flat_map(|text| &text.runs);
        words.filter(|run| run.text.chars().filter(|c| c.is_alphabetic()).count() >= 3).count()
    }

    /// Whether a label of a title and a title, or a number and a title, have been read.
    fn names_a_title(&self) -> bool {
        let whole: Vec<String> = self
            .phrases()
            .into_iter()
            .filter(|(_, bbox, em)| self.cut == 0.0 || bbox.x1 > self.cut + em)
            .map(|(text, ..)| text)
            .collect();
        // Headings of notes stand anywhere.
        let notes = |line: &str| drawing_type::of_title(line) == [DrawingType::GeneralNotes];
        let short = |line: &str| line.split_whitespace().count() <= MOST_LINE_WORDS && !line.ends_with('.');
        let titled = whole.iter().any(|line| short(line) && drawing_type::is_telling(line) && !notes(line));
        let labelled = whole.iter().any(|line| matches!(labels::read(line), Some(Label::Title | Label::Number)));
        let numbered = whole.iter().any(|line| number::read(line).is_some_and(|number| number.likeness >= 0.7));
        titled && (labelled || numbered)
    }

    /// Whether what has been read in the corner is surely a sheet's number; tags of the drawing are set smaller.
    fn names_a_number(&self) -> bool {
        let corner = corner(self.frame.width, self.frame.height);
        let sure = |text: &str| number::read_from_pixels(text).is_some_and(|number| number.likeness >= 0.7);
        let mut there = self.phrases();
        there.retain(|(_, bbox, _)| bbox.x2 > corner.x1 && bbox.y2 > corner.y1);
        let largest = there.iter().map(|(.., em)| *em).fold(0.0, f32::max);
        there.iter().any(|(text, _, em)| *em >= NUMBER_SIZE * largest && sure(text))
    }

    /// What has been read: phrases, with their boxes as displayed and their sizes.
    fn phrases(&self) -> Vec<(String, Rect, f32)> {
        let mut all = PageText { fonts: Vec::new(), runs: Vec::new() };
        for text in &self.texts {
            all.runs.extend(text.runs.iter().cloned());
            all.fonts.clone_from(&text.fonts);
        }
        let page = fanlight_text::Page::read(&all, self.geometry);
        let upright = page.lines.iter().map(|line| (&page.frame, line));
        let turned = page.turned.iter().flat_map(|turned| turned.lines.iter().map(move |line| (&turned.frame, line)));
        let placed = |frame: &Frame, line: &fanlight_text::Line| {
            let phrases = line.phrases(1.0).into_iter();
            let shown = |bbox: Rect| self.frame.place_box(frame.to_user_space(bbox));
            phrases.map(|phrase| (phrase.text(), shown(phrase.bbox), phrase.size())).collect::<Vec<_>>()
        };
        upright.chain(turned).flat_map(|(frame, line)| placed(frame, line)).collect()
    }

    /// All that was read; what a later pass read again at the place of an earlier one's text is left out.
    fn finish(self) -> PageText {
        let mut all = PageText { fonts: Vec::new(), runs: Vec::new() };
        for text in self.texts {
            // Fonts are counted through, and what was read is of no font that the page has.
            let (before, first_font) = (all.runs.len(), all.fonts.len() as u32);
            for mut run in text.runs {
                run.font += first_font;
                let (x, y) = (f32::midpoint(run.bbox.x1, run.bbox.x2), f32::midpoint(run.bbox.y1, run.bbox.y2));
                let covered = all.runs[..before]
                    .iter()
                    .any(|other| x > other.bbox.x1 && x < other.bbox.x2 && y > other.bbox.y1 && y < other.bbox.y2);
                if !covered {
                    all.runs.push(run);
                }
            }
            all.fonts.extend(text.fonts);
        }
        all
    }
}

/// A grey picture turned by 90 degrees clockwise, so that what reads upwards is upright.
fn clockwise(picture: &Raster) -> Raster {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let bytes = picture.bytes();
    let mut turned = vec![255_u8; width * height];
    for row in 0..height {
        for column in 0..width {
            if let (Some(to), Some(from)) =
                (turned.get_mut(column * height + (height - 1 - row)), bytes.get(row * width + column))
            {
                *to = *from;
            }
        }
    }
    Raster::from_bytes(picture.height, picture.width, PixelFormat::Grey, &turned)
}

#[cfg(test)]
mod tests {
    use fanlight_contract::{ImagePlacement, PagePaths};
    use fanlight_raster::ReadWord;

    use super::*;
    use crate::classify;

    const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 2592.0, y2: 1728.0 };

    /// A sheet lettered in outlines, and an OCR that reads what stands in the part it is given.
    struct Outlined {
        /// What is lettered, with its left and top edge as displayed and its height, in points.
        lettered: Vec<(&'static str, f32, f32, f32)>,
        part: std::cell::Cell<(Rect, f32)>,
        pictures: std::cell::Cell<usize>,
    }

    impl Outlined {
        fn new(lettered: &[(&'static str, f32, f32, f32)]) -> Self {
            let part = std::cell::Cell::new((SHEET, 1.0));
            Self { lettered: lettered.to_vec(), part, pictures: std::cell::Cell::new(0) }
        }
    }

    impl Readable for Outlined {
        fn geometry(&self) -> Geometry {
            geometry()
        }

        fn text(&self) -> PageText {
            PageText { fonts: Vec::new(), runs: Vec::new() }
        }

        fn images(&self) -> Vec<ImagePlacement> {
            Vec::new()
        }

        fn paths(&self) -> PagePaths {
            let (ops, coordinates, lengths) = (vec![0, 1], vec![0.0; 4], vec![2]);
            PagePaths { ops, coordinates, lengths, style_of: vec![0], styles: Vec::new(), layers: Vec::new() }
        }

        fn render(&self, options: &RenderOptions) -> Option<Raster> {
            let region = options.region?;
            self.part.set((region, options.dpi / 72.0));
            self.pictures.set(self.pictures.get() + 1);
            Some(Raster::from_bytes(2, 2, PixelFormat::Grey, &[255; 4]))
        }

        fn recognize(&self, _: &Raster, _: Layout, _: &[&str]) -> Option<Vec<ReadWord>> {
            let (region, scale) = self.part.get();
            let (left, top) = (region.x1, SHEET.y2 - region.y2);
            let mut words = Vec::new();
            for (line, (text, x, y, high)) in self.lettered.iter().enumerate() {
                let mut at = *x;
                for word in text.split(' ') {
                    let wide = 0.6 * high * word.len() as f32;
                    let inside = at >= left && at + wide <= region.x2 && *y >= top && y + high <= SHEET.y2 - region.y1;
                    if inside {
                        let bbox = Rect {
                            x1: (at - left) * scale,
                            y1: (y - top) * scale,
                            x2: (at - left + wide) * scale,
                            y2: (y - top + high) * scale,
                        };
                        words.push(ReadWord { text: word.to_owned(), bbox, confidence: 0.9, line: line as u32 });
                    }
                    at += wide + 0.5 * high;
                }
            }
            Some(words)
        }
    }

    fn geometry() -> Geometry {
        Geometry { media_box: SHEET, crop_box: SHEET, rotation: 0, user_unit: 1.0 }
    }

    #[test]
    fn a_title_block_in_outlines_is_read_from_its_strip_and_no_more_of_the_sheet_is() {
        let page = Outlined::new(&[
            ("SHEET TITLE", 2300.0, 1400.0, 6.0),
            ("DECK FRAMING", 2300.0, 1420.0, 12.0),
            ("PLANS", 2300.0, 1440.0, 12.0),
            ("SHEET NO.", 2300.0, 1580.0, 6.0),
            ("A4", 2300.0, 1600.0, 30.0),
        ]);
        let found = &classify(&[sheet(1, &page)]).pages[0];
        assert_eq!(found.drawing_number.as_deref(), Some("A4"));
        assert_eq!(found.title.as_deref(), Some("DECK FRAMING PLANS"));
        assert_eq!(found.drawing_type, DrawingType::FramingPlan);
        assert_eq!(page.pictures.get(), 2, "the strip, and the title once more");
    }

    #[test]
    fn a_sheet_that_says_nothing_takes_few_pictures() {
        let page = Outlined::new(&[]);
        assert_eq!(classify(&[sheet(1, &page)]).pages[0].drawing_number, None);
        assert!(page.pictures.get() <= 4);
    }

    #[test]
    fn what_reads_upwards_is_upright_when_turned_clockwise() {
        let picture = Raster::from_bytes(2, 3, PixelFormat::Grey, &[1, 2, 3, 4, 5, 6]);
        let turned = clockwise(&picture);
        assert_eq!((turned.width, turned.height), (3, 2));
        assert_eq!(turned.bytes(), [5, 3, 1, 6, 4, 2]);
    }
}
