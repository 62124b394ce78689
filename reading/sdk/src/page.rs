//! A page as plugins read it: its text, paths and images, a picture of it, and what OCR reads in that.
//!
//! What reads pages is written against [`Readable`], so that it runs in the sandbox on the engine's pages and natively, in
//! tests and measurements, on the same engine without a sandbox (`models/native`).

use crate::{ocr, pdf};
use fanlight_contract::ReadWord;
use fanlight_contract::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, Rect, RenderOptions,
};

pub use crate::ocr::Layout;

/// A page that can be read.
pub trait Readable {
    /// Its boxes and rotation.
    fn geometry(&self) -> Geometry;
    /// Its text.
    fn text(&self) -> PageText;
    /// Its paths.
    fn paths(&self) -> PagePaths;
    /// Where its images lie.
    fn images(&self) -> Vec<ImagePlacement>;
    /// A picture of the page or of a part of it. None where there is none.
    fn render(&self, options: &RenderOptions) -> Option<Raster>;
    /// The words of a picture, boxes in its pixels. `languages` are BCP 47 tags, the likeliest first; none is English.
    /// None where there is no OCR, or it fails.
    fn recognize(&self, picture: &Raster, layout: Layout, languages: &[&str]) -> Option<Vec<ReadWord>>;
}

/// How to render a page, or a part of it in user space, in grey as a viewer shows it: what OCR and eyes read.
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
                eprintln!("a picture is not read: {error:?}");
                None
            }
        }
    }
}

fn read_word(word: ocr::Word) -> ReadWord {
    ReadWord { text: word.text, bbox: word.bbox, confidence: word.confidence, line: word.line }
}
