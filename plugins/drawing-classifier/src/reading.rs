//! Text of pages that have none: scans, and drawings whose letters are strokes.
//!
//! OCR is slow, so only what may be a title block is read: the strips along the right and the bottom edge, the right
//! one turned as well where it says nothing upright; and the whole page, coarser, only where the strips name no title.
//! A page no larger than a letter is read whole at once.

use fanlight_layout::Frame;
use fanlight_scans::ReadWord;
use fanlight_vocabulary::{Geometry, Orientation, PageText, PixelFormat, Raster, Rect, RenderOptions};

use crate::labels::{self, Label};
use crate::{drawing_type, number};

/// Pixels of one picture at most: what Tesseract reads in a few seconds.
const MOST_PIXELS: f32 = 5_000_000.0;
/// Pixels an inch at most: capitals of small print, 1/16 in high, are then 18 pixels high.
const FINEST: f32 = 300.0;
/// Coarser pictures can't be read.
const COARSEST: f32 = 60.0;
/// Share of the page that the strips are deep.
const STRIP: f32 = 0.24;
/// A page of no more square points than Legal is read whole.
const SMALL: f32 = 620.0 * 1020.0;

/// A page that can be rendered and read.
pub(crate) trait Readable {
    /// A picture of a part of the page (user space), or none.
    fn render(&self, options: &RenderOptions) -> Option<Raster>;
    /// The words of a picture, boxes in its pixels; none where there is no OCR.
    fn recognize(&self, picture: &Raster, sparse: bool) -> Option<Vec<ReadWord>>;
}

/// The text of a page that has none of its own. None where nothing can be read at all.
pub(crate) fn read(page: &impl Readable, geometry: &Geometry) -> Option<PageText> {
    let frame = Frame::new(geometry.crop_box, geometry.rotation as f32);
    let (width, height) = (frame.width, frame.height);
    let whole = Rect { x1: 0.0, y1: 0.0, x2: width, y2: height };
    let mut gathered = Gathered { geometry, frame, texts: Vec::new() };
    if width * height <= SMALL {
        gathered.add(page, whole, true, false)?;
        return Some(gathered.finish());
    }
    let right = Rect { x1: width * (1.0 - STRIP), ..whole };
    let bottom = Rect { y1: height * (1.0 - STRIP), x2: width * (1.0 - STRIP), ..whole };
    gathered.add(page, right, true, false)?;
    if !gathered.names_a_title() {
        gathered.add(page, right, true, true);
    }
    if !gathered.names_a_title() {
        gathered.add(page, bottom, true, false);
    }
    if !gathered.names_a_title() {
        gathered.add(page, whole, true, false);
    }
    Some(gathered.finish())
}

/// What has been read of a page.
struct Gathered<'g> {
    geometry: &'g Geometry,
    frame: Frame,
    texts: Vec<PageText>,
}

impl Gathered<'_> {
    /// Reads a part of the page, given as it is displayed; `turned` reads what runs upwards there.
    fn add(&mut self, page: &impl Readable, part: Rect, sparse: bool, turned: bool) -> Option<()> {
        let (wide, high) = (part.x2 - part.x1, part.y2 - part.y1);
        let unit = self.geometry.user_unit.max(f32::MIN_POSITIVE);
        let inches = (wide * unit / 72.0) * (high * unit / 72.0);
        let dpi = (MOST_PIXELS / inches.max(f32::MIN_POSITIVE)).sqrt().min(FINEST);
        if dpi < COARSEST {
            return None;
        }
        let region = self.frame.to_user_space(part);
        let options =
            RenderOptions { dpi, region: Some(region), format: PixelFormat::Grey, orientation: Orientation::Displayed };
        let picture = page.render(&options)?;
        let picture = if turned { clockwise(&picture) } else { picture };
        let words = page.recognize(&picture, sparse)?;
        // The part by itself is a page whose rotation says how its words run.
        let rotation = (self.geometry.rotation + if turned { 90 } else { 0 }) % 360;
        let geometry = Geometry { media_box: region, crop_box: region, rotation, user_unit: self.geometry.user_unit };
        self.texts.push(fanlight_scans::page_text(&words, &geometry, dpi));
        Some(())
    }

    /// Whether a label of a title and a title, or a number and a title, have been read.
    fn names_a_title(&self) -> bool {
        let lines: Vec<String> = self.texts.iter().flat_map(|text| self.lines(text)).collect();
        let titled = lines.iter().any(|line| drawing_type::is_telling(line));
        let labelled = lines.iter().any(|line| matches!(labels::read(line), Some(Label::Title | Label::Number)));
        let numbered = lines.iter().any(|line| number::read(line).is_some_and(|number| number.likeness >= 0.7));
        titled && (labelled || numbered)
    }

    fn lines(&self, text: &PageText) -> Vec<String> {
        let page = fanlight_layout::Page::read(text, self.geometry);
        let lines = page.lines.iter().chain(page.turned.iter().flat_map(|turned| &turned.lines));
        lines.flat_map(|line| line.phrases(1.0)).map(|phrase| phrase.text()).collect()
    }

    /// All that was read; what a later pass read again at the place of an earlier one's text is left out.
    fn finish(self) -> PageText {
        let mut all = PageText { fonts: Vec::new(), runs: Vec::new() };
        for text in self.texts {
            let before = all.runs.len();
            for run in text.runs {
                let (x, y) = (f32::midpoint(run.bbox.x1, run.bbox.x2), f32::midpoint(run.bbox.y1, run.bbox.y2));
                let covered = all.runs[..before]
                    .iter()
                    .any(|other| x > other.bbox.x1 && x < other.bbox.x2 && y > other.bbox.y1 && y < other.bbox.y2);
                if !covered {
                    all.runs.push(run);
                }
            }
            all.fonts = text.fonts;
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
