//! The text of a page, whatever it is printed as: its text layer, or what OCR reads in its picture.

use fanlight_contract::page::{Layout, Readable, upright};
use fanlight_contract::{Geometry, PageText, Rect};
use fanlight_text::Page;

use crate::{Capture, clean, fitted, is_scan, legibility, page_text, render_options, scan, sizes, word_runs};

/// The least share of legible words in text that is printed. Chosen by hand and not fitted: where two
/// fifths of the words have no vowel or signs inside them, they are no language's.
const MIN_LEGIBLE: f32 = 0.6;
/// The least share of legible words in text beneath a picture, which OCR can read as well. Chosen by hand and
/// not fitted; stricter than [`MIN_LEGIBLE`], because OCR costs only time.
const MIN_LEGIBLE_LAYER: f32 = 0.8;

/// The languages of OCR as BCP 47 tags. The host uses those that it has data for.
const LANGUAGES: [&str; 2] = ["en", "fr"];

/// The text of a page, and where it comes from.
#[derive(Clone, Debug)]
pub struct ReadText {
    /// The text of the page.
    pub text: PageText,
    /// Where it comes from.
    pub source: TextSource,
}

/// Where the text of a page comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSource {
    /// The page prints it.
    Printed,
    /// A program has laid it beneath the picture of the page. It may differ from the picture.
    Layer,
    /// OCR read it in the picture of the page.
    Recognized,
}

impl ReadText {
    /// Returns whether OCR has read the text.
    pub fn is_recognized(&self) -> bool {
        self.source == TextSource::Recognized
    }

    /// Returns the text that OCR reads in the picture of a page whose text lies beneath it. `None` if the text is printed or
    /// already OCR's, or if there is no OCR.
    pub fn in_picture(&self, page: &impl Readable) -> Option<PageText> {
        if self.source == TextSource::Layer { recognize(page, &page.geometry()) } else { None }
    }
}

/// Returns the text of a page. A scan, and a page whose own text cannot be read, is rendered and read by OCR. Without OCR, the text is the page's own.
pub fn read_text(page: &impl Readable) -> ReadText {
    let geometry = page.geometry();
    let text = page.text();
    let images = page.images();
    let is_picture = scan::is_picture(&images, &geometry);
    let is_scan = is_scan(&text, || images, &geometry) || (is_picture && scan::is_stamped(&text));
    let least = if is_picture { MIN_LEGIBLE_LAYER } else { MIN_LEGIBLE };
    if (is_scan || !is_legible(&text, &geometry, least))
        && let Some(read) = recognize(page, &geometry)
        && (is_scan || is_legible(&read, &geometry, MIN_LEGIBLE))
    {
        return ReadText { text: read, source: TextSource::Recognized };
    }
    ReadText { text, source: if is_picture { TextSource::Layer } else { TextSource::Printed } }
}

/// Returns the text that OCR reads in a part of a page, given in user space and rendered at `dpi` pixels per inch; `None` if the
/// host has no OCR or OCR fails.
pub fn read_part(page: &impl Readable, part: Rect, dpi: f32, layout: Layout) -> Option<PageText> {
    let picture = page.render(&upright(Some(part), dpi))?;
    let words = page.recognize(&picture, layout, &[])?;
    // Words are located within the part, as if it were a page.
    let geometry = Geometry { media_box: part, crop_box: part, ..page.geometry() };
    Some(page_text(&words, &geometry, Capture::of_part(&picture, dpi)))
}

/// Returns whether at least this share of a text's words can be words of a language.
fn is_legible(text: &PageText, geometry: &Geometry, least: f32) -> bool {
    legibility(&Page::read(text, geometry)).is_none_or(|share| share >= least)
}

/// Returns the text that OCR reads in the picture of a page; `None` if the host has no OCR or OCR fails.
fn recognize(page: &impl Readable, geometry: &Geometry) -> Option<PageText> {
    let picture = clean(&page.render(&render_options())?);
    let words = page.recognize(&picture, Layout::Block, &LANGUAGES)?;
    let words = fitted(words, &picture);
    let capture = Capture::of_page(&picture, crate::DPI);
    Some(sizes::evened(word_runs(&words, geometry, capture)))
}
