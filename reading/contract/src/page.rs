//! A page as guests read it: its text, paths, images and rasters, and OCR of these.
//!
//! Code that reads pages is written against [`Readable`]. It then runs in the sandbox on the engine's pages, and
//! natively in tests and measurements on the same engine without a sandbox (`models/native`).

use crate::{
    Geometry, ImagePlacement, Orientation, PagePaths, PageText, PixelFormat, Raster, ReadWord, Rect, RenderOptions,
};

/// The layout of a picture's text, so that OCR does not look for columns in a table cell.
///
/// ```
/// use fanlight_contract::page::Layout;
///
/// /// Returns the layout of the text in a table cell of this height in points.
/// fn in_a_cell(height: f32) -> Layout {
///     if height < 20.0 { Layout::Line } else { Layout::Block }
/// }
///
/// assert_eq!(in_a_cell(12.0), Layout::Line);
/// ```
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
///
/// ```
/// use fanlight_contract::page::{Layout, Readable, upright};
/// # use fanlight_contract::*;
///
/// /// Returns the text of a page, by OCR if all that it holds is an image.
/// fn words(page: &impl Readable) -> Option<Vec<String>> {
///     let runs = page.text().runs;
///     let is_scan = runs.is_empty() && page.paths().ops.is_empty() && !page.images().is_empty();
///     if !is_scan {
///         return Some(runs.into_iter().map(|run| run.text).collect());
///     }
///     let picture = page.render(&upright(Some(page.geometry().crop_box), 200.0))?;
///     let words = page.recognize(&picture, Layout::Page, &["en", "es"])?;
///     Some(words.into_iter().map(|word| word.text).collect())
/// }
///
/// # struct Scan;
/// # const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 36.0, y2: 18.0 };
/// # impl Readable for Scan {
/// #     fn geometry(&self) -> Geometry {
/// #         Geometry { media_box: SHEET, crop_box: SHEET, rotation: 0, user_unit: 1.0 }
/// #     }
/// #     fn text(&self) -> PageText { PageText { fonts: vec![], runs: vec![] } }
/// #     fn paths(&self) -> PagePaths {
/// #         let (ops, coordinates, lengths, style_of) = (vec![], vec![], vec![], vec![]);
/// #         PagePaths { ops, coordinates, lengths, style_of, styles: vec![], layers: vec![] }
/// #     }
/// #     fn images(&self) -> Vec<ImagePlacement> {
/// #         let matrix = (36.0, 0.0, 0.0, 18.0, 0.0, 0.0);
/// #         vec![ImagePlacement { bbox: SHEET, matrix, width: 100, height: 50, stencil: false }]
/// #     }
/// #     fn render(&self, options: &RenderOptions) -> Option<Raster> {
/// #         Some(Raster::from_bytes(100, 50, options.format, &[255; 5000]))
/// #     }
/// #     fn recognize(&self, picture: &Raster, _: Layout, _: &[&str]) -> Option<Vec<ReadWord>> {
/// #         let bbox = Rect { x1: 0.0, y1: 0.0, x2: picture.width as f32, y2: 9.0 };
/// #         Some(vec![ReadWord { text: "EXIT".to_owned(), bbox, confidence: 1.0, angle: 0.0, line: 0 }])
/// #     }
/// # }
/// // `Scan` is a page with an image alone, on which OCR reads one word.
/// assert_eq!(words(&Scan).unwrap(), ["EXIT"]);
/// ```
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
///
/// ```
/// use fanlight_contract::{PixelFormat, page::upright};
///
/// let options = upright(None, 150.0);
/// assert_eq!((options.dpi, options.format, options.region), (150.0, PixelFormat::Grey, None));
/// ```
pub fn upright(region: Option<Rect>, dpi: f32) -> RenderOptions {
    RenderOptions { dpi, region, format: PixelFormat::Grey, orientation: Orientation::Displayed }
}

/// Points per inch, as [`RenderOptions::dpi`] counts them.
const INCH: f32 = 72.0;
/// Bounds of [`RenderOptions::dpi`].
const DPI: (f32, f32) = (1.0, 1200.0);

/// Returns the highest resolution, as [`RenderOptions::dpi`], at which a region of a page in user space has at most `max_pixels`
/// pixels, and its paper at most `max_dpi` pixels per inch. Where the page's user unit is not 1, points are not 1/72 in of paper.
///
/// ```
/// use fanlight_contract::{Geometry, Rect, page::finest_dpi};
///
/// let letter = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };
/// let geometry = Geometry { media_box: letter, crop_box: letter, rotation: 0, user_unit: 1.0 };
/// assert_eq!(finest_dpi(letter, &geometry, 1e9, 200.0), 200.0);
/// assert_eq!(finest_dpi(letter, &geometry, 8_415_000.0, 600.0).round(), 300.0);
/// ```
pub fn finest_dpi(region: Rect, geometry: &Geometry, max_pixels: f32, max_dpi: f32) -> f32 {
    let square_inches = (region.x2 - region.x1) / INCH * ((region.y2 - region.y1) / INCH);
    let finest = (max_pixels / square_inches.abs().max(f32::MIN_POSITIVE)).sqrt();
    finest.min(max_dpi * geometry.user_unit).clamp(DPI.0, DPI.1)
}
