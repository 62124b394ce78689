//! A page whose tables are read, and who hears how far that is.

use fanlight_contract::{Raster, Rect};
use fanlight_plugin::page::{Layout, Readable, upright};
use fanlight_raster::{GreyImage, ReadWord};

/// The languages that cells are read in; the host takes those that it has data for.
const LANGUAGES: [&str; 1] = ["en"];

/// A page, and who hears how far its reading is.
pub(crate) struct Sheet<'a> {
    pub(crate) page: &'a dyn Readable,
    /// Hears how many of a table's cells OCR has read, of how many.
    pub(crate) heard: &'a dyn Fn(usize, usize),
}

impl Sheet<'_> {
    /// A grey picture of the page, or of a part of it in user space, turned as a viewer shows it. None where there is none.
    pub(crate) fn render(&self, region: Option<Rect>, dpi: f32) -> Option<GreyImage> {
        Some(GreyImage::from_raster(&self.page.render(&upright(region, dpi))?))
    }

    /// The words of a picture that holds one block of lines. None where there is no OCR, or it fails.
    pub(crate) fn recognize(&self, picture: &Raster) -> Option<Vec<ReadWord>> {
        self.page.recognize(picture, Layout::Block, &LANGUAGES)
    }
}
