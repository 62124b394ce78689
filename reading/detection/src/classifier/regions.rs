//! Which parts of a page are rendered to cut crops from, and how finely: at one resolution, as in training, and no finer than
//! crops need. Each region is a pass over all that is drawn on the page, so there are few.

use fanlight_contract::{Geometry, Rect};

use crate::classifier_input::square;

/// Points of an inch.
const INCH: f32 = 72.0;
/// Pixels that the longer side of a page's smaller boxes is wanted to have: a crop has 38 cells there.
const WANTED: f32 = 56.0;
/// One box of so many may be smaller than those that a page's resolution is chosen for.
const SMALLER: usize = 10;
/// Training saw no box with fewer pixels than about this: what is smaller can't be shown.
const FEWEST: f32 = 12.0;
/// Resolutions that training rendered with.
const COARSEST_DPI: f32 = 60.0;
const FINEST_DPI: f32 = 220.0;
/// Pixels that a page of training had at most.
const PIXELS_OF_PAGE: f32 = 20e6;
/// Pixels of a region: a whole page's. The engine takes four bytes for each while it renders, and one to hand it over.
const PIXELS_OF_REGION: f32 = PIXELS_OF_PAGE;

/// A part of a page that is rendered once, for all crops that lie in it.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) rect: Rect,
    /// Which boxes' crops lie in it.
    pub(crate) boxes: Vec<usize>,
}

/// How finely the regions for boxes are rendered, in pixels an inch, and the regions. A box that lies off the page, is none,
/// or is too small to be shown is in none of them.
pub(crate) fn regions(geometry: &Geometry, boxes: &[Rect]) -> (f32, Vec<Region>) {
    let page = geometry.crop_box;
    let mut parts: Vec<(usize, Rect)> = Vec::new();
    for (index, bbox) in boxes.iter().enumerate() {
        let [x1, y1, x2, y2] = square([bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
        parts.extend(common(Rect { x1, y1, x2, y2 }, page).map(|part| (index, part)));
    }
    let sides: Vec<f32> = parts.iter().filter_map(|(index, _)| boxes.get(*index)).map(long_side).collect();
    let dpi = resolution(sides.clone(), page);
    let shown = parts.into_iter().zip(sides).filter(|(_, side)| side * dpi / INCH >= FEWEST);
    (dpi, bands(dpi, shown.map(|(part, _)| part).collect()))
}

fn long_side(bbox: &Rect) -> f32 {
    (bbox.x2 - bbox.x1).max(bbox.y2 - bbox.y1)
}

/// The coarsest resolution that shows all but the smallest of boxes well, or else the finest that a page is rendered with; of
/// boxes their longer sides are given.
fn resolution(mut sides: Vec<f32>, page: Rect) -> f32 {
    let square_inches = (page.x2 - page.x1) * (page.y2 - page.y1) / (INCH * INCH);
    let finest = (PIXELS_OF_PAGE / square_inches.max(0.01)).sqrt().min(FINEST_DPI);
    sides.sort_by(f32::total_cmp);
    let Some(small) = sides.get(sides.len() / SMALLER) else { return finest };
    (WANTED * INCH / small).max(COARSEST_DPI).min(finest)
}

/// Parts of a page, gathered from its top down into bands of as many pixels as a region may have.
fn bands(dpi: f32, mut parts: Vec<(usize, Rect)>) -> Vec<Region> {
    parts.sort_by(|a, b| b.1.y2.total_cmp(&a.1.y2).then(a.0.cmp(&b.0)));
    let mut bands: Vec<Region> = Vec::new();
    for (index, part) in parts {
        let grown =
            bands.last().map(|band| around(band.rect, part)).filter(|rect| pixels(*rect, dpi) <= PIXELS_OF_REGION);
        match (bands.last_mut(), grown) {
            (Some(band), Some(rect)) => {
                band.rect = rect;
                band.boxes.push(index);
            }
            _ => bands.push(Region { rect: part, boxes: vec![index] }),
        }
    }
    bands
}

fn pixels(rect: Rect, dpi: f32) -> f32 {
    (rect.x2 - rect.x1) * (rect.y2 - rect.y1) * (dpi / INCH).powi(2)
}

fn around(a: Rect, b: Rect) -> Rect {
    Rect { x1: a.x1.min(b.x1), y1: a.y1.min(b.y1), x2: a.x2.max(b.x2), y2: a.y2.max(b.y2) }
}

/// What two boxes have in common. None where that is nothing, or they aren't boxes.
fn common(a: Rect, b: Rect) -> Option<Rect> {
    let common = Rect { x1: a.x1.max(b.x1), y1: a.y1.max(b.y1), x2: a.x2.min(b.x2), y2: a.y2.min(b.y2) };
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
    fn every_box_that_can_be_shown_is_in_one_region_that_holds_its_crop() {
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
                assert!(pixels(region.rect, dpi) <= PIXELS_OF_REGION, "{width}: {region:?}");
                for &index in &region.boxes {
                    let bbox = boxes[index];
                    let [x1, y1, x2, y2] = square([bbox.x1, bbox.y1, bbox.x2, bbox.y2]);
                    let part = common(Rect { x1, y1, x2, y2 }, page(width, height).crop_box).unwrap();
                    assert!(pixels(around(region.rect, part), dpi) <= pixels(region.rect, dpi), "{index}");
                }
            }
            let all: f32 = regions.iter().map(|region| pixels(region.rect, dpi)).sum();
            assert!(all <= 2.0 * PIXELS_OF_PAGE, "{width}: {all} pixels");
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
