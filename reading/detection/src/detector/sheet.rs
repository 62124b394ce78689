//! Pages that are pictures of plans, and their pixels.

use crate::classifier_input::Picture;
use fanlight_contract::{Geometry, ImagePlacement, Orientation, PixelFormat, Rect, RenderOptions};
use fanlight_plugin::page::Readable;

use crate::detector::tile::whiten;

/// The share of a page that its pictures cover where it is one; some scanners crop the margins, and a plan may be pasted onto
/// a page with a head and notes.
const COVERED: f32 = 0.4;
/// A picture that is a smaller share of the page is a logo or a seal.
const LOGO: f32 = 0.1;
/// What is drawn over a picture with fewer strokes than this is a frame, a stamp and some marks, no plan.
const FEW_STROKES: usize = 1_500;

/// The part of a page that is a picture, where the page is one: images cover much of it, and so few operators draw paths that
/// they draw no plan. Images are asked for only where they matter.
pub fn pictured(
    path_operators: usize,
    geometry: &Geometry,
    images: impl FnOnce() -> Vec<ImagePlacement>,
) -> Option<Rect> {
    if path_operators > FEW_STROKES {
        return None;
    }
    let page = geometry.crop_box;
    let images = images();
    let parts = images.iter().filter_map(|image| common(image.bbox, page));
    // Strips of one picture are small each; what they cover together counts.
    let covered: f32 = parts.clone().map(area).sum();
    if covered < COVERED * area(page) {
        return None;
    }
    let large = parts.clone().filter(|part| area(*part) >= LOGO * area(page));
    let around =
        |a: Rect, b: Rect| Rect { x1: a.x1.min(b.x1), y1: a.y1.min(b.y1), x2: a.x2.max(b.x2), y2: a.y2.max(b.y2) };
    large.reduce(around).or_else(|| parts.reduce(around))
}

/// Pixels of a point that the finest large image of a page has.
pub(crate) fn fineness(images: &[ImagePlacement], area_pictured: Rect) -> f32 {
    let fine = |image: &ImagePlacement| {
        let (a, b, c, d, ..) = image.matrix;
        let (across, up) = (a.hypot(b), c.hypot(d));
        (image.width as f32 / across.max(0.01)).max(image.height as f32 / up.max(0.01))
    };
    let large = images.iter().filter(|image| area(image.bbox) >= LOGO * area(area_pictured));
    large.map(fine).fold(0.0, f32::max)
}

/// Points of an inch.
const INCH: f32 = 72.0;
/// Pixels of a picture at most: the engine takes four bytes for each twice while it renders.
const MOST_PIXELS: f32 = 18e6;

/// A part of a sheet in pixels, paper white.
pub(crate) struct Part {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    area: Rect,
    /// Pixels of a point.
    pub(crate) scale: f32,
}

impl Part {
    /// Renders a part of a sheet with so many pixels a point, or fewer where that were too many. None where it can't be.
    pub(crate) fn render(page: &impl Readable, area_wanted: Rect, scale: f32) -> Option<Self> {
        let finest = (MOST_PIXELS / area(area_wanted).max(1.0)).sqrt();
        let dpi = (scale.min(finest) * INCH).clamp(1.0, 1200.0);
        let options = RenderOptions {
            dpi,
            region: Some(area_wanted),
            format: PixelFormat::Grey,
            orientation: Orientation::UserSpace,
        };
        let raster = page.render(&options)?;
        let (width, height) = (raster.width as usize, raster.height as usize);
        let mut pixels = raster.bytes().to_vec();
        whiten(&mut pixels);
        Some(Self { pixels, width, height, area: area_wanted, scale: dpi / INCH })
    }

    pub(crate) fn picture(&self) -> Picture<'_> {
        let Self { ref pixels, width, height, area, scale } = *self;
        Picture { pixels, width, height, left: area.x1, top: area.y2, scale }
    }

    /// Whether it shows an area with at least so many pixels a point.
    pub(crate) fn shows(&self, area: Rect, scale: f32) -> bool {
        let within =
            area.x1 >= self.area.x1 && area.y1 >= self.area.y1 && area.x2 <= self.area.x2 && area.y2 <= self.area.y2;
        within && self.scale >= scale
    }
}

/// Bands of an area from its top down, of as many pixels each as a picture may have; each goes on `below` into the next.
pub(crate) fn bands(whole: Rect, scale: f32, below: f32) -> Vec<Rect> {
    let wide = (whole.x2 - whole.x1).max(1.0);
    let high = (MOST_PIXELS / (wide * scale * scale)).max(2.0 * below);
    let mut bands = Vec::new();
    let mut top = whole.y2;
    while top - high > whole.y1 {
        bands.push(Rect { y1: top - high, y2: top, ..whole });
        top -= high - below;
    }
    bands.push(Rect { y2: top, ..whole });
    bands
}

/// What two boxes have in common. None where that is nothing, or one is no box.
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
    fn a_page_is_a_picture_where_images_cover_it_and_no_plan_is_drawn() {
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
            let found = pictured(operators, &GEOMETRY, || images);
            assert_eq!(found.map(corners), expected.map(corners), "{what}");
        }
    }

    #[test]
    fn bands_cover_an_area_and_overlap() {
        for (scale, count) in [(1.0, 1), (12.0, 8)] {
            let bands = bands(PAGE, scale, 20.0);
            assert_eq!(bands.len(), count, "{scale}");
            assert!(bands.iter().all(|band| area(*band) * scale * scale <= MOST_PIXELS * 1.001));
            assert_eq!((bands[0].y2, bands[count - 1].y1), (800.0, 0.0));
            assert!(bands.windows(2).all(|two| two[0].y1 + 20.0 <= two[1].y2 + 0.01));
        }
    }

    #[test]
    fn an_image_is_as_fine_as_its_samples_on_paper() {
        assert_eq!(fineness(&[image(0.0, 0.0, 1000.0, 800.0), image(0.0, 0.0, 10.0, 10.0)], PAGE), 2.0);
        assert_eq!(fineness(&[], PAGE), 0.0);
    }
}
