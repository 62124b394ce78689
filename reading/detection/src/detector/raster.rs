//! The pixels of scanned pages.

use fanlight_contract::{Orientation, PixelFormat, Rect, RenderOptions};
use fanlight_geometry::RectExt as _;
use fanlight_plugin::page::Readable;

use crate::detector::tile::whiten;
use crate::placed_raster::{INCH, PlacedRaster};

/// Most pixels of a rendered area: the engine needs twice four bytes a pixel while it renders.
const MAX_PIXELS: f32 = 18e6;

/// A rendered part of a page, its paper made white.
pub struct RenderedArea {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    area: Rect,
    /// Pixels per point.
    pub(crate) scale: f32,
}

impl RenderedArea {
    /// Renders a part of a page at `scale` pixels per point, or fewer to stay within 18 million pixels.
    ///
    /// Returns `None` if the page cannot be rendered.
    pub fn render(page: &impl Readable, region: Rect, scale: f32) -> Option<Self> {
        let finest = (MAX_PIXELS / region.signed_area().max(1.0)).sqrt();
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
    pub fn raster(&self) -> PlacedRaster<'_> {
        let Self { ref pixels, width, height, area, scale } = *self;
        PlacedRaster { pixels, width, height, left: area.x1, top: area.y2, scale }
    }

    /// Returns whether it contains `area`, with at least `scale` pixels per point.
    pub(crate) fn shows(&self, area: Rect, scale: f32) -> bool {
        self.area.contains(&area) && self.scale >= scale
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

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 1000.0, y2: 800.0 };

    #[test]
    fn bands_cover_an_area_and_overlap() {
        for (scale, count) in [(1.0, 1), (12.0, 8)] {
            let bands = bands(PAGE, scale, 20.0);
            assert_eq!(bands.len(), count, "{scale}");
            assert!(bands.iter().all(|band| band.signed_area() * scale * scale <= MAX_PIXELS * 1.001));
            assert_eq!((bands[0].y2, bands[count - 1].y1), (800.0, 0.0));
            assert!(bands.windows(2).all(|two| two[0].y1 + 20.0 <= two[1].y2 + 0.01));
        }
    }
}
