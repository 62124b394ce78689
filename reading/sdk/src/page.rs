//! A page as plugins read it: its text, paths, images and rasters, and OCR of these.
//!
//! Code that reads pages is written against [`Readable`]. It then runs in the sandbox on the engine's pages, and
//! natively in tests and measurements on the same engine without a sandbox (`models/native`).

use crate::{ocr, pdf};
use fanlight_contract::ReadWord;
use fanlight_contract::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, Rect, RenderOptions,
};

pub use crate::ocr::Layout;

/// A page that can be read.
pub trait Readable {
    /// Returns its boxes and rotation.
    fn geometry(&self) -> Geometry;
    /// Returns its text.
    fn text(&self) -> PageText;
    /// Returns its paths.
    fn paths(&self) -> PagePaths;
    /// Returns the positions of its images.
    fn images(&self) -> Vec<ImagePlacement>;
    /// Renders the page or a part of it. Returns `None` if it cannot be rendered so.
    fn render(&self, options: &RenderOptions) -> Option<Raster>;
    /// Returns the words of a picture, with boxes in its pixels. `languages` are BCP 47 tags, the likeliest first;
    /// empty means English. Returns `None` if there is no OCR or it fails.
    fn recognize(&self, picture: &Raster, layout: Layout, languages: &[&str]) -> Option<Vec<ReadWord>>;
}

/// Returns options that render a page, or a region of it in user space, in grey and as a viewer shows it: the form
/// that OCR and people read.
pub fn upright(region: Option<Rect>, dpi: f32) -> RenderOptions {
    RenderOptions { dpi, region, format: PixelFormat::Grey, orientation: Orientation::Displayed }
}

impl Readable for pdf::Page {
    fn geometry(&self) -> Geometry {
        Self::geometry(self)
    }

    fn text(&self) -> PageText {
        Self::text(self)
    }

    fn paths(&self) -> PagePaths {
        Self::paths(self)
    }

    fn images(&self) -> Vec<ImagePlacement> {
        Self::images(self)
    }

    fn render(&self, options: &RenderOptions) -> Option<Raster> {
        Self::render(self, *options).ok()
    }

    fn recognize(&self, picture: &Raster, layout: Layout, languages: &[&str]) -> Option<Vec<ReadWord>> {
        let languages = languages.iter().map(|&language| language.to_owned()).collect();
        match ocr::recognize(picture, &ocr::Options { layout, languages, characters: String::new() }) {
            Ok(words) => Some(words.into_iter().map(read_word).collect()),
            Err(error) => {
                eprintln!("OCR failed on a picture: {error:?}");
                None
            }
        }
    }
}

/// Converts a word of the contract.
fn read_word(word: ocr::Word) -> ReadWord {
    ReadWord { text: word.text, bbox: word.bbox, confidence: word.confidence, angle: word.angle, line: word.line }
}
