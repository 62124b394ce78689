//! A page whose tables are read, and the receiver of progress reports.

use fanlight_contract::{Raster, Rect};
use fanlight_plugin::page::{Layout, Readable, upright};
use fanlight_raster::{GreyImage, ReadWord};

/// The languages of OCR. The host uses those that it has data for.
const LANGUAGES: [&str; 1] = ["en"];

/// A page, and the receiver of progress reports.
pub(crate) struct Sheet<'a> {
    /// The page's number, counted from 1.
    pub(crate) number: u32,
    pub(crate) page: &'a dyn Readable,
    /// Called with the number of a table's cells that OCR has read, and their total.
    pub(crate) progress: &'a dyn Fn(usize, usize),
}

impl Sheet<'_> {
    /// Renders the page, or a part of it in user space, upright as displayed and dark on light paper. `None` if that fails.
    pub(crate) fn render(&self, region: Option<Rect>, dpi: f32) -> Option<GreyImage> {
        Some(GreyImage::from_raster(&self.page.render(&upright(region, dpi))?).positive())
    }

    /// Returns the words of an image with one block of lines. `None` if OCR is not available or
    /// fails.
    pub(crate) fn recognize(&self, picture: &Raster) -> Option<Vec<ReadWord>> {
        self.page.recognize(picture, Layout::Block, &LANGUAGES)
    }
}
