//! Renders pages for display.

use thiserror::Error;

use crate::bindings::engine::exports::fanlight::plugin::inspect::PictureError as ContractError;
use crate::bindings::engine::fanlight::plugin::types::{
    Geometry, Orientation, PageError, PixelFormat, Raster, Rect, RenderOptions,
};
use crate::guest::reason;
use crate::inspection::{OpenError, PageBox, PdfInspector, Purpose};

/// Most pixels of a picture, approximately. An ARCH E sheet (36 x 48 in) has 17.3 million at 100 dpi.
const MOST_PIXELS: f64 = 20_000_000.0;
/// The engine renders sides of up to 65,535 pixels; one less leaves room for rounding up.
const LONGEST_SIDE: f64 = 65_534.0;
/// The share of a host call's bytes that pixels may take.
const PIXELS_SHARE: f64 = 0.95;
/// Points per inch.
const INCH: f64 = 72.0;

/// A rendered page.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels per row.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
    /// Red, green and blue of each pixel, rows from top to bottom.
    pub pixels: Vec<u8>,
    /// Pixels per inch of 72 points: as requested, or lower on a sheet that would have too many pixels.
    pub dpi: f32,
}

impl Picture {
    /// Bytes of a pixel: red, green, blue.
    pub const PIXEL_BYTES: usize = 3;
}

/// A part of a displayed page, in pixels from its top left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelArea {
    /// Pixels to the left of it.
    pub left: u32,
    /// Pixels above it.
    pub top: u32,
    /// Its width; less is rendered at the right edge of the page.
    pub width: u32,
    /// Its height; less is rendered at the bottom edge.
    pub height: u32,
}

impl PixelArea {
    /// Returns the region of the unrotated page that the area shows, in points of user space. None beyond the page.
    fn region(self, geometry: &Geometry, dpi: f32) -> Option<Rect> {
        let points = |pixels: u32| f64::from(pixels) * INCH / f64::from(dpi);
        let Rect { x1, y1, x2, y2 } = geometry.crop_box;
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(f64::from);
        let (width, height) =
            if matches!(geometry.rotation, 90 | 270) { (y2 - y1, x2 - x1) } else { (x2 - x1, y2 - y1) };
        let (left, top) = (points(self.left), points(self.top));
        let right = points(self.left.saturating_add(self.width)).min(width);
        let bottom = points(self.top.saturating_add(self.height)).min(height);
        if left >= right || top >= bottom {
            return None;
        }
        let [x1, y1, x2, y2] = match geometry.rotation {
            90 => [x1 + top, y1 + left, x1 + bottom, y1 + right],
            180 => [x2 - right, y1 + top, x2 - left, y1 + bottom],
            270 => [x2 - bottom, y2 - right, x2 - top, y2 - left],
            _ => [x1 + left, y2 - bottom, x1 + right, y2 - top],
        };
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|number| number as f32);
        Some(Rect { x1, y1, x2, y2 })
    }
}

/// Why a page cannot be rendered. Messages are for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// The document cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The document has no page of this number.
    #[error("the document has no such page")]
    NoSuchPage,
    /// The page's size cannot be rendered.
    #[error("the page can't be drawn: {0}")]
    Unusable(String),
}

impl From<ContractError> for PictureError {
    fn from(error: ContractError) -> Self {
        match error {
            ContractError::Open(error) => Self::Open(error.into()),
            ContractError::Page(PageError::OutOfRange) => Self::NoSuchPage,
            ContractError::Page(PageError::BadRequest(detail)) => Self::Unusable(reason(&detail)),
        }
    }
}

impl PdfInspector<'_> {
    /// Renders a page (1-based) at `dpi` pixels per inch, or at fewer if the picture would be too large.
    ///
    /// # Errors
    ///
    /// [`PictureError`] if the document has no such page or the page cannot be rendered.
    pub(crate) async fn picture(self, page: u32, dpi: f32) -> Result<Picture, PictureError> {
        let most_pixels =
            MOST_PIXELS.min(f64::from(self.ceiling.host_call_bytes) * PIXELS_SHARE / Picture::PIXEL_BYTES as f64);
        let whole = |geometry: &Geometry| Some(displayed(clamp_dpi(dpi, geometry.crop_box.into(), most_pixels), None));
        self.drawn(page, whole).await?.ok_or(PictureError::NoSuchPage)
    }

    /// Renders a part of a page (1-based) at `dpi` pixels per inch. Returns none if the part lies beyond the page.
    ///
    /// # Errors
    ///
    /// [`PictureError`] if the document has no such page or the page cannot be rendered.
    pub(crate) async fn part(self, page: u32, dpi: f32, area: PixelArea) -> Result<Option<Picture>, PictureError> {
        self.drawn(page, |geometry| Some(displayed(dpi, Some(area.region(geometry, dpi)?)))).await
    }

    /// Renders a page (1-based) with options that depend on its geometry. Returns none without options.
    async fn drawn(
        self,
        page: u32,
        options: impl FnOnce(&Geometry) -> Option<RenderOptions>,
    ) -> Result<Option<Picture>, PictureError> {
        self.ask(Purpose::Read, "picture", async |engine, store| {
            let pages = match engine.call_pages(&mut *store, page, 1).await? {
                Ok(pages) => pages,
                Err(error) => return Ok(Err(PictureError::Open(error.into()))),
            };
            let Some(geometry) = pages.first() else {
                return Ok(Err(PictureError::NoSuchPage));
            };
            let Some(options) = options(geometry) else {
                return Ok(Ok(None));
            };
            let drawn = engine.call_picture(store, page, options).await?;
            Ok(drawn.map_err(PictureError::from).and_then(|raster| picture_from_raster(&raster, options.dpi)).map(Some))
        })
        .await?
    }
}

/// Returns the options that render a region of a page, or all of it, in color as a viewer shows it.
fn displayed(dpi: f32, region: Option<Rect>) -> RenderOptions {
    RenderOptions { dpi, region, format: PixelFormat::Rgb, orientation: Orientation::Displayed }
}

/// Returns `dpi`, or the highest resolution at which a page of this size has at most `most_pixels`.
fn clamp_dpi(dpi: f32, shown: PageBox, most_pixels: f64) -> f32 {
    let inches = |from: f32, to: f32| (f64::from(to) - f64::from(from)) / INCH;
    let (width, height) = (inches(shown.x1, shown.x2), inches(shown.y1, shown.y2));
    let by_area = (most_pixels / (width * height)).sqrt();
    let by_side = LONGEST_SIDE / width.max(height);
    f64::from(dpi).min(by_area).min(by_side) as f32
}

/// Converts the engine's raster. The engine is a guest, so the number of pixels is checked.
///
/// # Errors
///
/// [`PictureError::Unusable`] if the raster holds another number of pixels than it claims.
fn picture_from_raster(raster: &Raster, dpi: f32) -> Result<Picture, PictureError> {
    let bytes = raster.width as usize * raster.height as usize * Picture::PIXEL_BYTES;
    if raster.words.len() != bytes.div_ceil(size_of::<u64>()) {
        return Err(PictureError::Unusable("the engine's raster is not as large as it says".to_owned()));
    }
    let mut pixels: Vec<u8> = raster.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    pixels.truncate(bytes);
    Ok(Picture { width: raster.width, height: raster.height, pixels, dpi })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_is_a_region_of_the_page_as_it_is_turned() {
        let crop_box = Rect { x1: 100.0, y1: 200.0, x2: 400.0, y2: 300.0 };
        let area = PixelArea { left: 10, top: 20, width: 30, height: 1000 };
        let cases = [
            (0, [110.0, 200.0, 140.0, 280.0]),
            (90, [120.0, 210.0, 400.0, 240.0]),
            (180, [360.0, 220.0, 390.0, 300.0]),
            (270, [100.0, 260.0, 380.0, 290.0]),
        ];
        for (rotation, expected) in cases {
            let geometry = Geometry { media_box: crop_box, crop_box, rotation, user_unit: 1.0 };
            let Rect { x1, y1, x2, y2 } = area.region(&geometry, 72.0).unwrap();
            assert_eq!([x1, y1, x2, y2], expected, "{rotation}");
            let beyond = PixelArea { left: 300, ..area };
            assert!(beyond.region(&geometry, 72.0).is_none(), "{rotation}");
        }
    }

    #[test]
    fn a_large_sheet_is_rendered_at_a_lower_resolution() {
        let sheet = |width: f32, height: f32| PageBox { x1: 10.0, y1: 10.0, x2: 10.0 + width, y2: 10.0 + height };
        let letter = sheet(612.0, 792.0);
        assert_eq!(clamp_dpi(200.0, letter, MOST_PIXELS), 200.0);
        let arch_e = sheet(48.0 * 72.0, 36.0 * 72.0);
        assert_eq!(clamp_dpi(100.0, arch_e, MOST_PIXELS), 100.0);
        for (page, asked) in [(arch_e, 200.0), (sheet(14_400.0, 14_400.0), 72.0), (sheet(1e7, 2.0), 72.0)] {
            let dpi = clamp_dpi(asked, page, MOST_PIXELS);
            let (width, height) = ((page.x2 - page.x1) * dpi / 72.0, (page.y2 - page.y1) * dpi / 72.0);
            assert!(dpi < asked && width * height <= 20_000_100.0 && width.max(height) < 65_535.0, "{width}x{height}");
        }
    }
}
