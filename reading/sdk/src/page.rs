//! Pages of the sandboxed PDF engine, behind the trait by which libraries read pages.

use fanlight_contract::{Geometry, ImagePlacement, PagePaths, PageText, Raster, ReadWord, RenderOptions};

use crate::{ocr, pdf};

pub use fanlight_contract::page::{Layout, Readable, finest_dpi, upright};

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
        let layout = contract_layout(layout);
        match ocr::recognize(picture, &ocr::Options { layout, languages, characters: String::new() }) {
            Ok(words) => Some(words.into_iter().map(read_word).collect()),
            Err(error) => {
                eprintln!("OCR failed on a picture: {error:?}");
                None
            }
        }
    }
}

/// Converts a layout to the contract's.
fn contract_layout(layout: Layout) -> ocr::Layout {
    match layout {
        Layout::Page => ocr::Layout::Page,
        Layout::Block => ocr::Layout::Block,
        Layout::Line => ocr::Layout::Line,
        Layout::Word => ocr::Layout::Word,
        Layout::Sparse => ocr::Layout::Sparse,
    }
}

/// Converts a word of the contract.
fn read_word(word: ocr::Word) -> ReadWord {
    ReadWord { text: word.text, bbox: word.bbox, confidence: word.confidence, angle: word.angle, line: word.line }
}
