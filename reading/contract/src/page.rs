//! A page as guests read it: its text, paths, images and rasters, and OCR of these.
//!
//! Code that reads pages is written against [`Readable`]. It then runs in the sandbox on the engine's pages, and
//! natively in tests and measurements on the same engine without a sandbox (`models/native`).

use crate::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, ReadWord, Rect, RenderOptions,
};

/// The layout of a picture's text, so that OCR does not look for columns in a table cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A whole page, possibly with columns.
    Page,
    /// One block of lines.
    Block,
    /// One line.
    Line,
    /// One word.
    Word,
    /// Scattered text in no order.
    Sparse,
}

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
