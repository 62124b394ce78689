//! Pages that are scans of plans, and their pixels.

use crate::classifier_input::PlacedRaster;
use fanlight_contract::{Geometry, ImagePlacement, Orientation, PixelFormat, Rect, RenderOptions};
use fanlight_plugin::page::Readable;

use crate::detector::tile::whiten;

/// Least share of a scanned page that its images cover. Some scanners crop the margins, and a plan may be pasted onto a page
/// with a heading and notes.
const MIN_COVERED: f32 = 0.4;
/// An image that covers a smaller share of the page is a logo or a seal.
const MIN_IMAGE: f32 = 0.1;
/// A page with more path operators shows a drawn plan. Fewer are a frame, a stamp and some marks over a scan.
const MAX_PATH_OPERATORS: usize = 1_500;

/// Returns the part of a page that its images cover, if the page is a scan: images cover much of it, and it has too few path
/// operators for a drawn plan.
///
/// `images` is called only if the path operators leave it open.
pub fn picture_area(
    path_operators: usize,
    geometry: &Geometry,
    images: impl FnOnce() -> Vec<ImagePlacement>,
) -> Option<Rect> {
    if path_operators > MAX_PATH_OPERATORS {
        return None;
    }
    let page = geometry.crop_box;
    let images = images();
    let parts = images.iter().filter_map(|image| common(image.bbox, page));
    // A scan may consist of strips, each of them small.
    let covered: f32 = parts.clone().map(area).sum();
    if covered < MIN_COVERED * area(page) {
        return None;
    }
    let large = parts.clone().filter(|part| area(*part) >= MIN_IMAGE * area(page));
    large.reduce(bounds).or_else(|| parts.reduce(bounds))
}

/// Returns the bounding box of two.
fn bounds(a: Rect, b: Rect) -> Rect {
    Rect { x1: a.x1.min(b.x1), y1: a.y1.min(b.y1), x2: a.x2.max(b.x2), y2: a.y2.max(b.y2) }
}

/// Returns the highest resolution of a page's large images, in pixels per point, or 0 if it has none.
pub(crate) fn image_resolution(images: &[ImagePlacement], scanned: Rect) -> f32 {
    let large = images.iter().filter(|image| area(image.bbox) >= MIN_IMAGE * area(scanned));
    large.map(pixels_per_point).fold(0.0, f32::max)
}

/// Returns the resolution of an image as placed, along its finer axis.
fn pixels_per_point(image: &ImagePlacement) -> f32 {
    let (a, b, c, d, ..) = image.matrix;
    let (width, height) = (a.hypot(b), c.hypot(d));
    (image.width as f32 / width.max(0.01)).max(image.height as f32 / height.max(0.01))
}

/// Points per inch.
const INCH: f32 = 72.0;
/// Most pixels of a rendered area: the engine needs twice four bytes a pixel while it renders.
const MAX_PIXELS: f32 = 18e6;

/// A rendered part of a page, its paper made white.
pub(crate) struct RenderedArea {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    area: Rect,
    /// Pixels per point.
    pub(crate) scale: f32,
}

impl RenderedArea {
    /// Renders a part of a page at `scale` pixels per point, or fewer to stay within [`MAX_PIXELS`].
    ///
    /// Returns `None` if the page cannot be rendered.
    pub(crate) fn render(page: &impl Readable, region: Rect, scale: f32) -> Option<Self> {
        let finest = (MAX_PIXELS / area(region).max(1.0)).sqrt();
        let dpi = (scale.min(finest) * INCH).clamp(1.0, 1200.0);
        let options =
            RenderOptions { dpi, region: Some(region), format: PixelFormat::Grey, orientation: Orientation::UserSpace };
        let raster = page.render(&options)?;
        let (width, height) = (raster.width as usize, raster.height as usize);
        let mut pixels = raster.bytes().to_vec();
        whiten(&mut pixels);
        Some(Self { pixels, width, height, area: region, scale: dpi / INCH })
    }

    /// Returns the pixels with their place on the page.
    pub(crate) fn raster(&self) -> PlacedRaster<'_> {
        let Self { ref pixels, width, height, area, scale } = *self;
        PlacedRaster { pixels, width, height, left: area.x1, top: area.y2, scale }
    }

    /// Whether it contains `area`, with at least `scale` pixels per point.
    pub(crate) fn shows(&self, area: Rect, scale: f32) -> bool {
        let within =
            area.x1 >= self.area.x1 && area.y1 >= self.area.y1 && area.x2 <= self.area.x2 && area.y2 <= self.area.y2;
        within && self.scale >= scale
    }
}

/// Splits an area from the top down into bands of at most [`MAX_PIXELS`] each. Neighbours overlap by `overlap` points.
pub(crate) fn bands(whole: Rect, scale: f32, overlap: f32) -> Vec<Rect> {
    let width = (whole.x2 - whole.x1).max(1.0);
    let height = (MAX_PIXELS / (width * scale * scale)).max(2.0 * overlap);
    let mut bands = Vec::new();
    let mut top = whole.y2;
    while top - height > whole.y1 {
        bands.push(Rect { y1: top - height, y2: top, ..whole });
        top -= height - overlap;
    }
    bands.push(Rect { y2: top, ..whole });
    bands
}

/// Returns the intersection of two boxes, or `None` if it is empty or not finite.
pub(crate) fn common(a: Rect, b: Rect) -> Option<Rect> {
    let common = Rect { x1: a.x1.max(b.x1), y1: a.y1.max(b.y1), x2: a.x2.min(b.x2), y2: a.y2.min(b.y2) };
    (common.x2 > common.x1 && common.y2 > common.y1 && area(common).is_finite()).then_some(common)
}

pub(crate) fn area(rect: Rect) -> f32 {
    (rect.x2 - rect.x1) * (rect.y2 - rect.y1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 1000.0, y2: 800.0 };
    const GEOMETRY: Geometry = Geometry { media_box: PAGE, crop_box: PAGE, rotation: 90, user_unit: 1.0 };

    fn image(x1: f32, y1: f32, x2: f32, y2: f32) -> ImagePlacement {
        let matrix = (x2 - x1, 0.0, 0.0, y2 - y1, x1, y1);
        ImagePlacement { bbox: Rect { x1, y1, x2, y2 }, matrix, width: 2000, height: 1600, stencil: false }
    }

    fn corners(rect: Rect) -> [f32; 4] {
        [rect.x1, rect.y1, rect.x2, rect.y2]
    }

    #[test]
    fn a_scan_is_covered_by_images_and_has_few_paths() {
        let strips: Vec<ImagePlacement> =
            (0..20).map(|n| image(0.0, 40.0 * n as f32, 1000.0, 40.0 * n as f32 + 40.0)).collect();
        let pasted = Rect { x1: 100.0, y1: 50.0, x2: 800.0, y2: 700.0 };
        let cases = [
            ("a scan", vec![image(0.0, 0.0, 1000.0, 800.0)], 0, Some(PAGE)),
            ("a scan in strips", strips, 10, Some(PAGE)),
            (
                "a plan pasted beside a logo",
                vec![image(100.0, 50.0, 800.0, 700.0), image(0.0, 750.0, 90.0, 800.0)],
                40,
                Some(pasted),
            ),
            ("larger than the page", vec![image(-900.0, -900.0, 9000.0, 9000.0)], 0, Some(PAGE)),
            ("a picture behind a drawn plan", vec![image(0.0, 0.0, 1000.0, 800.0)], 90_000, None),
            ("a logo", vec![image(0.0, 700.0, 300.0, 800.0)], 0, None),
            ("off the page", vec![image(5000.0, 0.0, 9000.0, 800.0)], 0, None),
            ("nothing", vec![], 0, None),
        ];
        for (what, images, operators, expected) in cases {
            let found = picture_area(operators, &GEOMETRY, || images);
            assert_eq!(found.map(corners), expected.map(corners), "{what}");
        }
    }

    #[test]
    fn bands_cover_an_area_and_overlap() {
        for (scale, count) in [(1.0, 1), (12.0, 8)] {
            let bands = bands(PAGE, scale, 20.0);
            assert_eq!(bands.len(), count, "{scale}");
            assert!(bands.iter().all(|band| area(*band) * scale * scale <= MAX_PIXELS * 1.001));
            assert_eq!((bands[0].y2, bands[count - 1].y1), (800.0, 0.0));
            assert!(bands.windows(2).all(|two| two[0].y1 + 20.0 <= two[1].y2 + 0.01));
        }
    }

    #[test]
    fn resolution_is_that_of_the_finest_large_image() {
        assert_eq!(image_resolution(&[image(0.0, 0.0, 1000.0, 800.0), image(0.0, 0.0, 10.0, 10.0)], PAGE), 2.0);
        assert_eq!(image_resolution(&[], PAGE), 0.0);
    }
}
