//! Images of pages: scans, and the words that OCR reads in them.
//!
//! - [`GreyImage`]: binarization, deskewing, reduction, quarter turns, crops at any angle; [`components`] and
//!   [`component_outlines`]: connected components; [`OrientedBox`]: rectangles at any angle;
//! - [`letter_height`] estimates how high an image's letters are;
//! - [`is_scan`] distinguishes scans from pages that have a text layer, [`needs_ocr`] any pages whose letters are pictures;
//! - [`can_be_rendered`] says whether the renderer can draw a page;
//! - [`render_options`] says how to render a scan for OCR;
//! - [`clean`] removes from the image what disturbs OCR: rules, leaders and dust;
//! - [`fitted`] cuts the boxes of recognized words to their letters;
//! - [`read_text`] reads a page of a manual, by OCR if its own text cannot be read: [`legibility()`]; [`read_part`] reads a part
//!   of any page by OCR;
//! - [`page_text`] turns recognized words into the text that the PDF engine gives for a page with a text layer, so that
//!   whatever reads pages reads scans as well.

mod clean;
mod components;
mod drawn;
mod fit;
mod grey_image;
mod leaders;
mod legibility;
mod letters;
mod oriented_box;
mod read;
mod reduced;
mod rules;
mod runs;
mod scan;
mod scan_image;
mod sizes;

use fanlight_contract::{Orientation, PixelFormat, RenderOptions};

pub use clean::clean;
pub use components::{PixelBox, PixelComponent, component_outlines, components, labelled_components};
pub use drawn::can_be_rendered;
pub use fanlight_contract::ReadWord;
pub use fit::fitted;
pub use grey_image::GreyImage;
pub use legibility::legibility;
pub use letters::letter_height;
pub use oriented_box::OrientedBox;
pub use read::{ReadText, TextSource, read_part, read_text};
pub use runs::{Capture, page_text, word_runs};
pub use scan::{character_count, has_own_text, has_text, image_resolution, is_scan, needs_ocr, scanned_area};

/// Resolution at which pages are rendered for OCR, in pixels per inch. Capitals of 10 pt type are then some 30 pixels high,
/// which Tesseract reads best.
pub const DPI: f32 = 300.0;

/// Returns how to render a scan for OCR: grey, and turned as a viewer shows it, since OCR reads upright text.
pub fn render_options() -> RenderOptions {
    RenderOptions { dpi: DPI, region: None, format: PixelFormat::Grey, orientation: Orientation::Displayed }
}
