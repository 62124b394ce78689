//! What every guest shares: the values of the plugin contract (`wit/types.wit`) as Rust types, the networks that the
//! host runs ([`nn`]), and the trait by which libraries read pages ([`page`]). The WIT documents shapes, units and coordinate spaces.
//!
//! A method without an example of its own is used in the example of its type or trait.

pub mod nn;
pub mod page;

mod bindings {
    wit_bindgen::generate!({ path: "wit", world: "vocabulary", generate_all, additional_derives: [PartialEq] });
}

use bindings::fanlight::plugin::types;

// The types are generated from the contract, whose comments are for every language. Their examples in Rust stand here.

/// A box on a page, in points.
///
/// ```
/// use fanlight_contract::Rect;
///
/// let door = Rect { x1: 100.0, y1: 200.0, x2: 136.0, y2: 236.0 };
/// let inches = [door.x2 - door.x1, door.y2 - door.y1].map(|points| points / 72.0);
/// assert_eq!(inches, [0.5, 0.5]);
/// ```
pub use types::Rect;

/// The size and rotation of a page.
///
/// ```
/// use fanlight_contract::{Geometry, Rect};
///
/// let sheet = Rect { x1: 0.0, y1: 0.0, x2: 2592.0, y2: 1728.0 };
/// let geometry = Geometry { media_box: sheet, crop_box: sheet, rotation: 90, user_unit: 1.0 };
/// let Rect { x1, y1, x2, y2 } = geometry.crop_box;
/// // A quarter turn exchanges width and height on the screen.
/// let shown = if geometry.rotation % 180 == 0 { (x2 - x1, y2 - y1) } else { (y2 - y1, x2 - x1) };
/// assert_eq!(shown, (1728.0, 2592.0));
/// ```
pub use types::Geometry;

/// A font of a page's text.
///
/// ```
/// use fanlight_contract::Font;
///
/// let fonts = ["Arial", "Arial-Bold"].map(|name| {
///     Font { name: name.to_owned(), bold: name.ends_with("Bold"), italic: false }
/// });
/// let bold: Vec<&str> = fonts.iter().filter(|font| font.bold).map(|font| font.name.as_str()).collect();
/// assert_eq!(bold, ["Arial-Bold"]);
/// ```
pub use types::Font;

/// Letters in a row.
///
/// ```
/// use fanlight_contract::{Rect, TextRun};
///
/// let run = TextRun {
///     text: "fin".to_owned(),
///     // One glyph for `fi`, one for `n`.
///     lengths: vec![2, 1],
///     advances: vec![5.0, 6.0],
///     codes: vec![0xfb01, 0x6e],
///     x: 100.0,
///     y: 700.0,
///     size: 12.0,
///     angle: 0.0,
///     bbox: Rect { x1: 100.0, y1: 697.0, x2: 111.0, y2: 709.0 },
///     font: 0,
///     color: 0x00_00_00,
///     visible: true,
/// };
/// // The `n` begins where the first glyph ends, since the baseline is horizontal.
/// let (first, rest) = run.text.split_at(usize::from(run.lengths[0]));
/// assert_eq!((first, rest, run.x + run.advances[0]), ("fi", "n", 105.0));
/// ```
pub use types::TextRun;

/// The text of a page.
///
/// ```
/// use fanlight_contract::PageText;
///
/// /// Returns the visible text in bold.
/// fn bold(text: &PageText) -> Vec<&str> {
///     let is_bold = |font: u32| text.fonts.get(font as usize).is_some_and(|font| font.bold);
///     let runs = text.runs.iter().filter(|run| run.visible && is_bold(run.font));
///     runs.map(|run| run.text.as_str()).collect()
/// }
///
/// assert!(bold(&PageText { fonts: vec![], runs: vec![] }).is_empty());
/// ```
pub use types::PageText;

/// How a path is painted.
///
/// ```
/// use fanlight_contract::PathStyle;
///
/// let hidden_edge = PathStyle {
///     stroke: Some(0x00_00_00),
///     fill: None,
///     opacity: 1.0,
///     width: 0.35,
///     dash: vec![3.0, 2.0],
///     layer: None,
/// };
/// assert!(hidden_edge.stroke.is_some() && !hidden_edge.dash.is_empty(), "a dashed line");
/// ```
pub use types::PathStyle;

/// The lines and areas of a page.
///
/// ```
/// use fanlight_contract::{PagePaths, PathStyle};
///
/// let black = PathStyle { stroke: Some(0), fill: None, opacity: 1.0, width: 1.0, dash: vec![], layer: None };
/// let paths = PagePaths {
///     // Move and line; then move, line, line and close.
///     ops: vec![0, 1, 0, 1, 1, 3],
///     coordinates: vec![0.0, 0.0, 72.0, 0.0, 10.0, 10.0, 20.0, 10.0, 20.0, 20.0],
///     lengths: vec![2, 4],
///     style_of: vec![0, 0],
///     styles: vec![black],
///     layers: vec![],
/// };
/// let closed: Vec<u32> = paths.each().filter(|path| path.ops.ends_with(&[3])).map(|path| path.number).collect();
/// assert_eq!(closed, [1]);
/// ```
pub use types::PagePaths;

/// A picture on a page, without its pixels.
///
/// ```
/// use fanlight_contract::{ImagePlacement, Rect};
///
/// let scan = ImagePlacement {
///     bbox: Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 },
///     matrix: (612.0, 0.0, 0.0, 792.0, 0.0, 0.0),
///     width: 2550,
///     height: 3300,
///     stencil: false,
/// };
/// let dpi = scan.width as f32 * 72.0 / (scan.bbox.x2 - scan.bbox.x1);
/// assert_eq!(dpi, 300.0);
/// ```
pub use types::ImagePlacement;

/// Grey or colors.
///
/// ```
/// use fanlight_contract::{PixelFormat, Raster};
///
/// let formats = [PixelFormat::Grey, PixelFormat::Rgb];
/// assert_eq!(formats.map(|format| Raster::byte_count(10, 10, format)), [100, 300]);
/// ```
pub use types::PixelFormat;

/// Pixels of a page.
///
/// ```
/// use fanlight_contract::{PixelFormat, Raster};
///
/// let raster = Raster::from_bytes(3, 2, PixelFormat::Grey, &[0, 255, 255, 255, 0, 255]);
/// let rows: Vec<&[u8]> = raster.bytes().chunks(raster.width as usize).collect();
/// assert_eq!(rows, [[0, 255, 255], [255, 0, 255]]);
/// assert_eq!(raster.bytes().len(), Raster::byte_count(3, 2, PixelFormat::Grey));
/// ```
pub use types::Raster;

/// Which way is up in a picture of a page.
///
/// ```
/// use fanlight_contract::{Orientation, page};
///
/// // People read a page as a viewer shows it. Positions are computed in user space.
/// assert_eq!(page::upright(None, 150.0).orientation, Orientation::Displayed);
/// ```
pub use types::Orientation;

/// What to render.
///
/// ```
/// use fanlight_contract::{Orientation, PixelFormat, Rect, RenderOptions};
///
/// let title_block = Rect { x1: 2300.0, y1: 50.0, x2: 2550.0, y2: 1650.0 };
/// let options = RenderOptions {
///     dpi: 144.0,
///     region: Some(title_block),
///     format: PixelFormat::Grey,
///     orientation: Orientation::UserSpace,
/// };
/// let pixels_per_point = options.dpi / 72.0;
/// assert_eq!((title_block.x2 - title_block.x1) * pixels_per_point, 500.0);
/// ```
pub use types::RenderOptions;

/// Why there is no document.
///
/// ```
/// use fanlight_contract::OpenError;
///
/// /// Returns whether the file would open in another program.
/// fn is_locked(error: &OpenError) -> bool {
///     matches!(error, OpenError::PasswordRequired | OpenError::UnsupportedEncryption(_))
/// }
///
/// assert!(is_locked(&OpenError::PasswordRequired) && !is_locked(&OpenError::NotAPdf));
/// assert!(!is_locked(&OpenError::Corrupt("no page tree".to_owned())));
/// ```
pub use types::OpenError;

/// Why there is no page, or no picture of it.
///
/// ```
/// use fanlight_contract::PageError;
///
/// /// Returns what to do about it.
/// fn remedy(error: &PageError) -> String {
///     match error {
///         PageError::OutOfRange => "ask for the pages of the request only".to_owned(),
///         PageError::BadRequest(detail) => format!("render a smaller region: {detail}"),
///     }
/// }
///
/// let error = PageError::BadRequest("70 million pixels".to_owned());
/// assert_eq!(remedy(&error), "render a smaller region: 70 million pixels");
/// ```
pub use types::PageError;

/// A word that OCR recognized.
///
/// ```
/// use fanlight_contract::{ReadWord, Rect};
///
/// let bbox = Rect { x1: 30.0, y1: 40.0, x2: 130.0, y2: 70.0 };
/// let word = ReadWord { text: "OFFICE".to_owned(), bbox, confidence: 0.93, angle: 0.0, line: 0 };
/// // The box is in pixels with y down. At 150 dpi, one pixel is 72/150 of a point.
/// let height = (word.bbox.y2 - word.bbox.y1) * 72.0 / 150.0;
/// assert_eq!(height, 14.4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ReadWord {
    /// The recognized text.
    pub text: String,
    /// In pixels of the picture, y down; (x1, y1) is the top-left corner.
    pub bbox: Rect,
    /// From 0 to 1.
    pub confidence: f32,
    /// The reading direction in degrees, counter-clockwise as the picture is seen: 0 to the right, 90 upwards.
    pub angle: f32,
    /// The number of the line. Words of one line share it.
    pub line: u32,
}

/// One painted path of a page, from [`PagePaths::each`].
///
/// ```
/// use fanlight_contract::{DrawnPath, PathStyle};
///
/// /// Returns whether a path is one straight line.
/// fn is_line(path: &DrawnPath<'_>) -> bool {
///     path.ops == [0, 1]
/// }
///
/// let style = PathStyle { stroke: Some(0), fill: None, opacity: 1.0, width: 1.0, dash: vec![], layer: None };
/// let path = DrawnPath { number: 0, ops: &[0, 1], coordinates: &[0.0, 0.0, 72.0, 0.0], style: &style };
/// assert!(is_line(&path));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnPath<'a> {
    /// The position in drawing order, from 0.
    pub number: u32,
    /// The path's operations, encoded as in [`PagePaths`].
    pub ops: &'a [u8],
    /// x and y of the operations' points, alternating, in points of user space of the unrotated page.
    pub coordinates: &'a [f32],
    /// The paint of the path.
    pub style: &'a PathStyle,
}

impl PagePaths {
    /// Returns the paths in drawing order. Stops where the lists are shorter than they claim, and skips a path whose
    /// style is missing.
    pub fn each(&self) -> impl Iterator<Item = DrawnPath<'_>> {
        let (mut ops_left, mut coordinates_left) = (self.ops.as_slice(), self.coordinates.as_slice());
        let taken = self.lengths.iter().map_while(move |&count| {
            let (ops, ops_after) = ops_left.split_at_checked(count as usize)?;
            let coordinate_count: usize = ops.iter().map(|&op| coordinates_of(op)).sum();
            let (coordinates, coordinates_after) = coordinates_left.split_at_checked(coordinate_count)?;
            (ops_left, coordinates_left) = (ops_after, coordinates_after);
            Some((ops, coordinates))
        });
        (0..).zip(taken).zip(&self.style_of).filter_map(|((number, (ops, coordinates)), &style)| {
            let style = self.styles.get(style as usize)?;
            Some(DrawnPath { number, ops, coordinates, style })
        })
    }
}

/// Returns the number of coordinates of an operation: one point's for a move or a line, three points' for a curve,
/// none for a close.
const fn coordinates_of(op: u8) -> usize {
    match op {
        0 | 1 => 2,
        2 => 6,
        _ => 0,
    }
}

impl Raster {
    /// Creates a raster from `width * height` pixels in bytes, rows from top to bottom without padding. Missing bytes
    /// are zero, which is black.
    pub fn from_bytes(width: u32, height: u32, format: PixelFormat, bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; Self::byte_count(width, height, format).div_ceil(8)];
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let count = bytes.len().min(room.len());
        room[..count].copy_from_slice(&bytes[..count]);
        Self { width, height, format, words }
    }

    /// Returns the pixels in bytes, rows from top to bottom without padding. There are fewer than the size requires
    /// if `words` is too short.
    pub fn bytes(&self) -> &[u8] {
        let all: &[u8] = bytemuck::cast_slice(&self.words);
        &all[..Self::byte_count(self.width, self.height, self.format).min(all.len())]
    }

    /// Returns the bytes of `width * height` pixels of a format.
    pub fn byte_count(width: u32, height: u32, format: PixelFormat) -> usize {
        let bytes_a_pixel = match format {
            PixelFormat::Grey => 1,
            PixelFormat::Rgb => 3,
        };
        width as usize * height as usize * bytes_a_pixel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_survive_the_packing_into_words() {
        let bytes: Vec<u8> = (0..15).collect();
        let raster = Raster::from_bytes(5, 1, PixelFormat::Rgb, &bytes);
        assert_eq!(raster.words, [0x0706_0504_0302_0100, 0x000e_0d0c_0b0a_0908]);
        assert_eq!(raster.bytes(), bytes);
    }

    #[test]
    fn paths_end_where_the_lists_end() {
        let style = |width| PathStyle { stroke: None, fill: None, opacity: 1.0, width, dash: vec![], layer: None };
        let paths = PagePaths {
            ops: vec![0, 1, 0, 2, 3, 0, 1],
            coordinates: (0..14).map(|n: u8| f32::from(n)).collect(),
            lengths: vec![2, 3, 2],
            style_of: vec![1, 0, 0],
            styles: vec![style(0.5), style(2.0)],
            layers: vec![],
        };
        let each: Vec<(u32, usize, &[f32], f32)> =
            paths.each().map(|path| (path.number, path.ops.len(), path.coordinates, path.style.width)).collect();
        let coordinates = paths.coordinates.as_slice();
        assert_eq!(each, [(0, 2, &coordinates[..4], 2.0), (1, 3, &coordinates[4..12], 0.5)]);
    }

    #[test]
    fn a_path_without_a_style_is_skipped() {
        let style = PathStyle { stroke: None, fill: None, opacity: 1.0, width: 0.5, dash: vec![], layer: None };
        let paths = PagePaths {
            ops: vec![3, 3],
            coordinates: vec![],
            lengths: vec![1, 1],
            style_of: vec![7, 0],
            styles: vec![style],
            layers: vec![],
        };
        assert_eq!(paths.each().map(|path| path.number).collect::<Vec<_>>(), [1]);
    }
}
