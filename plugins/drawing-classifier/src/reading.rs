//! OCR of pages without text: scans, and drawings with letters drawn as strokes.
//!
//! OCR is slow, so it reads only where a title block may be: the strips along the right and the
//! bottom edge. The whole page is read, at a lower resolution, only if the strips name no title. A page
//! up to the size of a letter is read whole at once. On a page with text but without a number, only the
//! bottom right corner is read: numbers are often drawn as outlines. If it has no title, the strips
//! are read.

use fanlight_contract::{Geometry, PageText, Rect, TextRun};
use fanlight_geometry::{Frame, RectExt as _};
use fanlight_plugin::page::{Layout, Readable, finest_dpi};
use fanlight_raster::{has_own_text, is_scan, needs_ocr};
use fanlight_sheet::phrases::{Phrase, Phrases};

use crate::labels::{self, Label};
use crate::result::DrawingType;
use crate::sheet::{Missing, Origin, Sheet};
use crate::{drawing_type, number};

/// The most pixels of an image that Tesseract reads in a few seconds.
const MAX_PIXELS: f32 = 5_000_000.0;
/// The highest resolution in dpi: capitals of small print, 1/16 in high, then have 18 pixels.
const MAX_DPI: f32 = 300.0;
/// Images with a lower resolution, in dpi, cannot be read.
const MIN_DPI: f32 = 60.0;
/// A whole page is not read at a lower resolution, in dpi: capitals of a title, 3/16 in high, then
/// have 20 pixels.
const MIN_PAGE_DPI: f32 = 110.0;
/// The share of the page's width and height in which a number alone is searched.
const CORNER: f32 = 0.24;
/// The least ratio of a number's size to the largest text of the corner.
const NUMBER_SIZE: f32 = 0.6;
/// The depth of the strips as a share of the page.
const STRIP: f32 = 0.24;
/// A line with more words belongs to a note.
const MAX_LINE_WORDS: usize = 7;
/// The number of additional letters that make a second OCR result better: a short line that the
/// first one missed, rather than a misread letter.
const MISSED_LETTERS: usize = 2;
/// A page without text and with fewer paths is blank: it has at most a background and a frame.
const MIN_DRAWN_PATHS: usize = 3;
/// A page up to this area in square points, that of Legal paper, is read whole.
const SMALL: f32 = 620.0 * 1020.0;

/// Reads what the classification of the set needs from a page: its text, or the text that OCR
/// finds.
pub fn sheet(number: u32, page: &impl Readable) -> Sheet {
    let mut sheet = read_sheet(number, page);
    sheet.is_drawn =
        sheet.is_empty() && sheet.origin != Origin::Picture && page.paths().lengths.len() >= MIN_DRAWN_PATHS;
    sheet
}

/// Reads the text of a page, its own or what OCR finds.
fn read_sheet(number: u32, page: &impl Readable) -> Sheet {
    let (geometry, text) = (page.geometry(), page.text());
    if needs_ocr(page, &text, &geometry)
        && let Some(read) = read(page, &geometry)
    {
        return Sheet::read(number, &read, &geometry, Origin::Read);
    }
    if is_scan(&text, || page.images(), &geometry) {
        return Sheet::read(number, &text, &geometry, Origin::Picture);
    }
    let mut sheet = Sheet::read(number, &text, &geometry, Origin::Text);
    if has_own_text(&text)
        && let Some(found) = read_missing(page, &geometry, &sheet)
    {
        sheet.add_read(Sheet::read(number, &found, &geometry, Origin::Read));
    }
    sheet
}

/// Returns the text that OCR finds where entries of a sheet may be drawn that its text lacks; `None` if it lacks none or nothing
/// can be read.
fn read_missing(page: &impl Readable, geometry: &Geometry, sheet: &Sheet) -> Option<PageText> {
    match sheet.missing() {
        Missing::Nothing => None,
        Missing::Number => read_corner(page, geometry),
        Missing::TitleBlock => read_strips(page, geometry),
    }
}

/// Returns the text that OCR finds on a page; `None` if nothing can be read.
fn read(page: &impl Readable, geometry: &Geometry) -> Option<PageText> {
    let mut gathered = Gathered::new(geometry);
    gathered.add_title_block(page)?;
    if gathered.is_small() {
        return Some(gathered.finish());
    }
    let whole = gathered.whole();
    if !gathered.names_a_title() && gathered.resolution(whole) >= MIN_PAGE_DPI {
        gathered.add(page, whole);
    }
    gathered.add_corner(page);
    gathered.sharpen_title(page);
    Some(gathered.finish())
}

/// Returns the text that OCR finds where a title block may be, or on the whole of a small page; `None` if nothing can be read.
fn read_strips(page: &impl Readable, geometry: &Geometry) -> Option<PageText> {
    let mut gathered = Gathered::new(geometry);
    gathered.add_title_block(page)?;
    if !gathered.is_small() {
        gathered.add_corner(page);
    }
    Some(gathered.finish())
}

/// Returns the text that OCR finds in the bottom right corner of a page; `None` if that is nothing.
fn read_corner(page: &impl Readable, geometry: &Geometry) -> Option<PageText> {
    let mut gathered = Gathered::new(geometry);
    let (width, height) = (gathered.frame.width, gathered.frame.height);
    gathered.add(page, corner(width, height))?;
    Some(gathered.finish())
}

/// Returns the bottom right corner of a page, where most numbers are.
fn corner(width: f32, height: f32) -> Rect {
    Rect { x1: width * (1.0 - CORNER), y1: height * (1.0 - CORNER), x2: width, y2: height }
}

/// What OCR has read of a page.
struct Gathered<'g> {
    geometry: &'g Geometry,
    frame: Frame,
    texts: Vec<PageText>,
    /// The left edge of the strip that alone has been read, as displayed. It may cut lines.
    cut: Option<f32>,
}

impl<'g> Gathered<'g> {
    fn new(geometry: &'g Geometry) -> Self {
        let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
        Self { geometry, frame, texts: Vec::new(), cut: None }
    }

    /// Returns the resolution at which a part can be read, in dpi.
    fn resolution(&self, part: Rect) -> f32 {
        finest_dpi(part, self.geometry, MAX_PIXELS, MAX_DPI)
    }

    /// Returns the whole page as displayed.
    fn whole(&self) -> Rect {
        Rect { x1: 0.0, y1: 0.0, x2: self.frame.width, y2: self.frame.height }
    }

    /// Returns whether the page is read whole at once.
    fn is_small(&self) -> bool {
        self.frame.width * self.frame.height <= SMALL
    }

    /// Reads a small page whole, and a large one along the edges where a title block may be.
    fn add_title_block(&mut self, page: &impl Readable) -> Option<()> {
        if self.is_small() { self.add(page, self.whole()) } else { self.add_strips(page) }
    }

    /// Reads a part of the displayed page.
    fn add(&mut self, page: &impl Readable, part: Rect) -> Option<()> {
        let text = self.read_part(page, part, Layout::Sparse)?;
        self.texts.push(text);
        Some(())
    }

    /// Reads the strip along the right edge and, if that has no title or cuts a line of the other, the one along the bottom edge.
    fn add_strips(&mut self, page: &impl Readable) -> Option<()> {
        let whole = self.whole();
        let right = Rect { x1: whole.x2 * (1.0 - STRIP), ..whole };
        let bottom = Rect { y1: whole.y2 * (1.0 - STRIP), ..whole };
        self.cut = Some(right.x1);
        self.add(page, right)?;
        let cuts_bottom = self.phrases().iter().any(|phrase| self.is_cut(phrase) && phrase.bbox.y2 > bottom.y1);
        if cuts_bottom || !self.names_a_title() {
            self.replace(page, bottom, Layout::Sparse, 0);
            self.cut = None;
        }
        Some(())
    }

    /// Reads the bottom right corner if no number has been read there.
    fn add_corner(&mut self, page: &impl Readable) {
        if !self.names_a_number() {
            self.add(page, corner(self.frame.width, self.frame.height));
        }
    }

    /// Reads the area around the title again as lines that belong together: the mode for scattered
    /// text loses short lines.
    fn sharpen_title(&mut self, page: &impl Readable) {
        if let Some(part) = self.title_part() {
            self.replace(page, part, Layout::Block, MISSED_LETTERS);
        }
    }

    /// Reads a part again, and replaces the earlier result if the new one has at least `more` more
    /// letters.
    fn replace(&mut self, page: &impl Readable, part: Rect, layout: Layout, more: usize) {
        let Some(mut text) = self.read_part(page, part, layout) else { return };
        text.runs.retain(|run| run.text.chars().any(char::is_alphanumeric));
        let letters = |run: &TextRun| run.text.chars().filter(|c| c.is_alphabetic()).count();
        let region = self.frame.to_user_space(part);
        let before: usize =
            self.texts.iter().flat_map(|text| &text.runs).filter(|run| has_middle_in(run, &region)).map(letters).sum();
        if text.runs.iter().map(letters).sum::<usize>() < before + more {
            return;
        }
        for read in &mut self.texts {
            read.runs.retain(|run| !has_middle_in(run, &region));
        }
        self.texts.insert(0, text);
    }

    /// Returns the area of the title: below its label, otherwise around a line that names the
    /// content of the sheet.
    fn title_part(&self) -> Option<Rect> {
        let phrases = self.phrases();
        let part = self.title_place(&phrases)?;
        let crosses = |bbox: &Rect| bbox.x1 < part.x2 && bbox.x2 > part.x1 && bbox.y1 < part.y2 && bbox.y2 > part.y1;
        // A line that the edge of the area would cut is included whole, since it would be misread.
        let cut = phrases.iter().map(|phrase| phrase.bbox).filter(crosses);
        Some(cut.fold(part, |part, line| part.union(&line)))
    }

    /// Returns where the lines of a title are searched.
    fn title_place(&self, phrases: &[Phrase]) -> Option<Rect> {
        if let Some(label) = phrases.iter().find(|phrase| labels::read(&phrase.text) == Some(Label::Title)) {
            return self.on_page(below_label(label, phrases));
        }
        // The lowest and rightmost is the likeliest to be in the title block.
        let telling = phrases.iter().filter(|phrase| drawing_type::names_content(&phrase.text));
        let Phrase { bbox: line, size: em, .. } =
            telling.max_by(|a, b| (a.bbox.x2 + a.bbox.y2).total_cmp(&(b.bbox.x2 + b.bbox.y2)))?;
        self.on_page(Rect {
            x1: line.x1 - 4.0 * em,
            y1: line.y1 - 3.0 * em,
            x2: line.x2 + 6.0 * em,
            y2: line.y2 + 4.0 * em,
        })
    }

    /// Returns whether the edge of what has been read may cut a phrase.
    fn is_cut(&self, phrase: &Phrase) -> bool {
        self.cut.is_some_and(|cut| phrase.bbox.x1 <= cut + phrase.size)
    }

    /// Returns what of an area is on the page; `None` if that is next to nothing.
    fn on_page(&self, part: Rect) -> Option<Rect> {
        let inside = part.intersection(&self.whole());
        (inside.x2 - inside.x1 > 1.0 && inside.y2 - inside.y1 > 1.0).then_some(inside)
    }

    fn read_part(&self, page: &impl Readable, part: Rect, layout: Layout) -> Option<PageText> {
        let dpi = self.resolution(part);
        if dpi < MIN_DPI {
            return None;
        }
        fanlight_raster::read_part(page, self.frame.to_user_space(part), dpi, layout)
    }

    /// Returns whether a title with its label, or with a number, has been read.
    fn names_a_title(&self) -> bool {
        let phrases = self.phrases();
        let whole: Vec<&str> =
            phrases.iter().filter(|phrase| !self.is_cut(phrase)).map(|phrase| phrase.text.as_str()).collect();
        // Headings of notes may be anywhere.
        let notes = |line: &str| drawing_type::types_named(line) == [DrawingType::GeneralNotes];
        let short = |line: &str| line.split_whitespace().count() <= MAX_LINE_WORDS && !line.ends_with('.');
        // A label may name a drawing: "N° PLANO".
        let tells = |line: &str| drawing_type::names_content(line) && labels::read(line).is_none();
        let titled = whole.iter().any(|line| short(line) && tells(line) && !notes(line));
        let labelled = whole.iter().any(|line| matches!(labels::read(line), Some(Label::Title | Label::Number)));
        let numbered = whole.iter().any(|line| number::read(line).is_some_and(|number| number.likeness >= 0.7));
        titled && (labelled || numbered)
    }

    /// Returns whether the corner certainly holds a sheet's number. Tags of the drawing are
    /// smaller.
    fn names_a_number(&self) -> bool {
        let corner = corner(self.frame.width, self.frame.height);
        let sure = |text: &str| number::read_from_pixels(text).is_some_and(|number| number.likeness >= 0.7);
        let mut there = self.phrases();
        there.retain(|phrase| phrase.bbox.x2 > corner.x1 && phrase.bbox.y2 > corner.y1);
        let largest = there.iter().map(|phrase| phrase.size).fold(0.0, f32::max);
        there.iter().any(|phrase| phrase.size >= NUMBER_SIZE * largest && sure(&phrase.text))
    }

    /// Returns the phrases that have been read, with their boxes as displayed.
    fn phrases(&self) -> Vec<Phrase> {
        let mut all = PageText { fonts: Vec::new(), runs: Vec::new() };
        for text in &self.texts {
            all.runs.extend(text.runs.iter().cloned());
            all.fonts.clone_from(&text.fonts);
        }
        let page = fanlight_text::Page::read(&all, self.geometry);
        let mut phrases = Phrases::from_page(&page).all;
        for phrase in &mut phrases {
            phrase.bbox = self.frame.place_from(&page.frame, phrase.bbox);
        }
        phrases
    }

    /// Returns all text. Later results replace earlier ones at the same place.
    fn finish(self) -> PageText {
        let mut all = PageText { fonts: Vec::new(), runs: Vec::new() };
        for text in self.texts {
            // Fonts are renumbered. Text from OCR has none of the page's fonts.
            let (before, first_font) = (all.runs.len(), all.fonts.len() as u32);
            for mut run in text.runs {
                run.font += first_font;
                if !is_covered(&run, &all.runs[..before]) {
                    all.runs.push(run);
                }
            }
            all.fonts.extend(text.fonts);
        }
        all
    }
}

/// Returns the area below the label of a title, down to the next label.
fn below_label(label: &Phrase, phrases: &[Phrase]) -> Rect {
    let Phrase { bbox: own, size: em, .. } = label;
    let below = phrases.iter().filter(|phrase| {
        let Phrase { text, bbox, .. } = phrase;
        labels::read(text).is_some() && bbox.y1 > own.y2 + em && bbox.x1 < own.x2 && bbox.x2 > own.x1
    });
    let floor = below.map(|phrase| phrase.bbox.y1 - 0.4 * em).fold(own.y2 + 20.0 * em, f32::min);
    Rect { x1: own.x1 - 0.5 * em, y1: own.y2 + 0.2 * em, x2: own.x1 + 40.0 * em, y2: floor }
}

/// Returns whether a run's middle lies in a region.
fn has_middle_in(run: &TextRun, region: &Rect) -> bool {
    let (x, y) = run.bbox.center();
    region.contains_point(x, y)
}

/// Returns whether a run's middle lies in one of the others.
fn is_covered(run: &TextRun, others: &[TextRun]) -> bool {
    let (x, y) = run.bbox.center();
    others.iter().any(|other| x > other.bbox.x1 && x < other.bbox.x2 && y > other.bbox.y1 && y < other.bbox.y2)
}

#[cfg(test)]
mod tests {
    use fanlight_contract::{ImagePlacement, PagePaths, PixelFormat, Raster, RenderOptions};
    use fanlight_raster::ReadWord;

    use super::*;
    use crate::classify;

    const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 2592.0, y2: 1728.0 };

    /// A sheet with text drawn as outlines, and an OCR that reads the text in the part that it is
    /// given.
    struct Outlined {
        /// The page's own text.
        own: PageText,
        /// The texts, with their left and top edge as displayed and their height, in points.
        lettered: Vec<(&'static str, f32, f32, f32)>,
        part: std::cell::Cell<(Rect, f32)>,
        pictures: std::cell::Cell<usize>,
    }

    impl Outlined {
        fn new(lettered: &[(&'static str, f32, f32, f32)]) -> Self {
            let part = std::cell::Cell::new((SHEET, 1.0));
            let own = PageText { fonts: Vec::new(), runs: Vec::new() };
            Self { own, lettered: lettered.to_vec(), part, pictures: std::cell::Cell::new(0) }
        }
    }

    impl Readable for Outlined {
        fn geometry(&self) -> Geometry {
            geometry()
        }

        fn text(&self) -> PageText {
            self.own.clone()
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
                        words.push(ReadWord {
                            text: word.to_owned(),
                            bbox,
                            confidence: 0.9,
                            angle: 0.0,
                            line: line as u32,
                        });
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
    fn a_title_block_in_outlines_is_read_from_its_strip_alone() {
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
    fn a_title_that_the_strip_cuts_is_read_from_the_bottom_edge() {
        let page = Outlined::new(&[
            ("WALL SECTION", 2300.0, 200.0, 12.0),
            // "FLOOR" begins at the strip's edge.
            ("GROUND FLOOR PLAN", 1930.0, 1500.0, 12.0),
            ("SHEET NO.", 2300.0, 1580.0, 6.0),
            ("A4", 2300.0, 1600.0, 30.0),
        ]);
        let found = &classify(&[sheet(1, &page)]).pages[0];
        assert_eq!(found.title.as_deref(), Some("GROUND FLOOR PLAN"));
    }

    #[test]
    fn a_label_that_names_a_drawing_is_no_title() {
        let page = Outlined::new(&[
            ("PLANTA BAJA", 1500.0, 1600.0, 14.0),
            ("N° PLANO", 2300.0, 1580.0, 6.0),
            ("A.03", 2300.0, 1600.0, 30.0),
        ]);
        let found = &classify(&[sheet(1, &page)]).pages[0];
        assert_eq!(found.drawing_number.as_deref(), Some("A.03"));
        assert_eq!(found.title.as_deref(), Some("PLANTA BAJA"));
    }

    #[test]
    fn a_title_block_in_outlines_is_read_on_a_sheet_with_text() {
        let lettered = [
            ("SHEET TITLE", 2300.0, 1400.0, 6.0),
            ("ROOF PLAN", 2300.0, 1420.0, 12.0),
            ("SHEET NO.", 2300.0, 1580.0, 6.0),
            ("A4", 2300.0, 1600.0, 30.0),
        ];
        let word = |line: u32| {
            let top = 100.0 + 40.0 * line as f32;
            let bbox = Rect { x1: 100.0, y1: top, x2: 160.0, y2: top + 12.0 };
            ReadWord { text: "Kitchen".to_owned(), bbox, confidence: 1.0, angle: 0.0, line }
        };
        let capture = fanlight_raster::Capture { dpi: 72.0, skew: 0.0 };
        let own = fanlight_raster::page_text(&(0..12).map(word).collect::<Vec<_>>(), &geometry(), capture);
        let page = Outlined { own, ..Outlined::new(&lettered) };
        let read = sheet(1, &page);
        assert!(read.has_text());
        let found = &classify(&[read]).pages[0];
        assert_eq!(found.drawing_number.as_deref(), Some("A4"));
        assert_eq!(found.title.as_deref(), Some("ROOF PLAN"));
    }

    #[test]
    fn a_sheet_without_text_is_rendered_few_times() {
        let page = Outlined::new(&[]);
        assert_eq!(classify(&[sheet(1, &page)]).pages[0].drawing_number, None);
        assert!(page.pictures.get() <= 4);
    }
}
