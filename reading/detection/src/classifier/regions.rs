//! The regions of a page that are rendered for the classifier, and their resolution.
//!
//! All are rendered at one resolution, as in training, and no finer than the inputs need. Rendering a region walks
//! everything that is drawn on the page, so there are few regions.

use fanlight_contract::{Geometry, Rect};
use fanlight_geometry::RectExt;

use crate::classifier_input::input_square;
use crate::placed_raster::INCH;

/// Pixels that the longer side of a page's smaller boxes should have. The box takes 38 cells of an input.
const WANTED_PIXELS: f32 = 56.0;
/// The resolution suits all boxes but one in this many, which may be smaller.
const SMALLER_SHARE: usize = 10;
/// Boxes whose longer side has fewer pixels are not classified: training saw none smaller than about this.
const MIN_PIXELS: f32 = 12.0;
/// Lowest resolution that training rendered with, in pixels per inch.
const MIN_DPI: f32 = 60.0;
/// Highest resolution that training rendered with, in pixels per inch.
const MAX_DPI: f32 = 220.0;
/// Most pixels of a page in training.
const MAX_PAGE_PIXELS: f32 = 20e6;
/// Most pixels of a region: a whole page's. The engine needs four bytes a pixel while it renders, and one to hand it over.
const MAX_REGION_PIXELS: f32 = MAX_PAGE_PIXELS;

/// A part of a page that is rendered once for all inputs that lie in it.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) rect: Rect,
    /// Indices of the boxes whose inputs lie in it.
    pub(crate) boxes: Vec<usize>,
}

/// Returns the resolution in pixels per inch, and the regions to render for `boxes`.
///
/// Boxes that lie off the page, are not finite, or are too small are in no region.
pub(crate) fn regions(geometry: &Geometry, boxes: &[Rect]) -> (f32, Vec<Region>) {
    let page = geometry.crop_box;
    let mut parts: Vec<(usize, Rect)> = Vec::new();
    for (index, bbox) in boxes.iter().enumerate() {
        let [x1, y1, x2, y2] = input_square([bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
        parts.extend(common(Rect { x1, y1, x2, y2 }, page).map(|part| (index, part)));
    }
    let sides: Vec<f32> = parts.iter().filter_map(|(index, _)| boxes.get(*index)).map(RectExt::long_side).collect();
    let dpi = resolution(sides.clone(), page);
    let shown = parts.into_iter().zip(sides).filter(|(_, side)| side * dpi / INCH >= MIN_PIXELS);
    (dpi, bands(dpi, shown.map(|(part, _)| part).collect()))
}

/// Returns the lowest resolution at which all but the smallest boxes have [`WANTED_PIXELS`], or the highest that a page is
/// rendered with. `sides` are the longer sides of the boxes, in points.
fn resolution(mut sides: Vec<f32>, page: Rect) -> f32 {
    let square_inches = page.signed_area() / (INCH * INCH);
    let finest = (MAX_PAGE_PIXELS / square_inches.max(0.01)).sqrt().min(MAX_DPI);
    sides.sort_by(f32::total_cmp);
    let Some(small) = sides.get(sides.len() / SMALLER_SHARE) else { return finest };
    (WANTED_PIXELS * INCH / small).max(MIN_DPI).min(finest)
}

/// Merges parts of a page from the top down into regions of at most [`MAX_REGION_PIXELS`].
fn bands(dpi: f32, mut parts: Vec<(usize, Rect)>) -> Vec<Region> {
    parts.sort_by(|a, b| b.1.y2.total_cmp(&a.1.y2).then(a.0.cmp(&b.0)));
    let mut bands: Vec<Region> = Vec::new();
    for (index, part) in parts {
        match bands.last_mut() {
            Some(band) if pixels(band.rect.union(&part), dpi) <= MAX_REGION_PIXELS => {
                band.rect = band.rect.union(&part);
                band.boxes.push(index);
            }
            _ => bands.push(Region { rect: part, boxes: vec![index] }),
        }
    }
    bands
}

/// Returns how many pixels a rectangle has at a resolution.
fn pixels(rect: Rect, dpi: f32) -> f32 {
    rect.signed_area() * (dpi / INCH).powi(2)
}

/// Returns the intersection of two boxes, or `None` if it is empty or one of them is not finite.
fn common(a: Rect, b: Rect) -> Option<Rect> {
    let common = a.intersection(&b);
    let numbers = [a.x1, a.y1, a.x2, a.y2].iter().all(|value| value.is_finite());
    (numbers && common.x2 > common.x1 && common.y2 > common.y1).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(width: f32, height: f32) -> Geometry {
        let rect = Rect { x1: 0.0, y1: 0.0, x2: width, y2: height };
        Geometry { media_box: rect, crop_box: rect, rotation: 0, user_unit: 1.0 }
    }

    fn at(x: f32, y: f32, side: f32) -> Rect {
        Rect { x1: x, y1: y, x2: x + side, y2: y + side }
    }

    #[test]
    fn every_visible_box_is_in_one_region_that_holds_its_input() {
        for (width, height) in [(612.0, 792.0), (2592.0, 1728.0), (14_400.0, 14_400.0)] {
            let side = width / 40.0;
            let boxes: Vec<Rect> = (0..400)
                .map(|n| {
                    at(width * (n % 20) as f32 / 20.0, height * (n / 20) as f32 / 20.0, side * (1.0 + (n % 7) as f32))
                })
                .collect();
            let (dpi, regions) = regions(&page(width, height), &boxes);
            let mut seen: Vec<usize> = regions.iter().flat_map(|region| region.boxes.clone()).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..400).collect::<Vec<_>>(), "{width}");
            for region in &regions {
                assert!(pixels(region.rect, dpi) <= MAX_REGION_PIXELS, "{width}: {region:?}");
                for &index in &region.boxes {
                    let bbox = boxes[index];
                    let [x1, y1, x2, y2] = input_square([bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
                    let part = common(Rect { x1, y1, x2, y2 }, page(width, height).crop_box).unwrap();
                    assert!(pixels(region.rect.union(&part), dpi) <= pixels(region.rect, dpi), "{index}");
                }
            }
            let all: f32 = regions.iter().map(|region| pixels(region.rect, dpi)).sum();
            assert!(all <= 2.0 * MAX_PAGE_PIXELS, "{width}: {all} pixels");
        }
    }

    #[test]
    fn what_is_no_box_of_the_page_is_in_no_region() {
        let none = [
            at(f32::NAN, 5.0, 20.0),
            at(5000.0, 5.0, 20.0),
            at(50.0, 50.0, 0.0),
            at(50.0, 50.0, -9.0),
            at(50.0, 50.0, 1.0),
            at(0.0, 0.0, f32::INFINITY),
        ];
        assert!(regions(&page(612.0, 792.0), &none).1.is_empty());
    }

    #[test]
    fn a_page_is_rendered_no_finer_than_its_smaller_boxes_need() {
        let cases = [
            ("boxes of one size", vec![40.0; 20], 101),
            ("a speck among them", [vec![40.0; 20], vec![4.0]].concat(), 101),
            ("large ones among small ones", [vec![20.0; 20], vec![300.0; 60]].concat(), 152),
            ("large ones", vec![300.0; 20], 60),
        ];
        for (what, sides, expected) in cases {
            let boxes: Vec<Rect> = sides.into_iter().map(|side| at(100.0, 100.0, side)).collect();
            let (dpi, regions) = regions(&page(2592.0, 1728.0), &boxes);
            assert_eq!((dpi.round() as i32, regions.len()), (expected, 1), "{what}");
        }
    }
}
