//! Poché: dark filled areas, such as walls and columns in section.

use crate::symbols::drawing::Drawing;
use crate::symbols::plane::{Extent, Point};

/// Most areas of a page, the largest first, and most areas near one place.
const MOST_AREAS: usize = 4_000;
const MOST_OF_PLACE: usize = 64;
/// Most points of an area's outline: more are a hatch or a picture drawn in lines.
const MOST_POINTS: u32 = 5_000;
/// Areas whose longer side is shorter than this, in points, are letters and arrowheads.
const LEAST_LONG: f32 = 6.0;
/// How far an area goes on beyond a box to be more than a part of what lies in it, as a share of the box.
const BEYOND: f32 = 0.05;
/// Sample points along a side of a box.
const SAMPLES: usize = 8;

/// The dark areas of a drawing, the largest first, with the chains of their outlines.
#[derive(Debug, Default)]
pub(crate) struct Poche {
    areas: Vec<(Extent, u32)>,
}

impl Poche {
    pub(crate) fn new(drawing: &Drawing) -> Self {
        let dark = (0..).zip(&drawing.chains).filter(|(_, chain)| {
            chain.closed && chain.count <= MOST_POINTS && drawing.style(chain).is_some_and(|style| style.dark)
        });
        let mut areas: Vec<(Extent, u32)> =
            dark.map(|(index, chain)| (Extent::bounding(drawing.points(chain).iter().copied()), index)).collect();
        areas.retain(|(extent, _)| extent.long() >= LEAST_LONG);
        areas.sort_by(|a, b| b.0.area().total_cmp(&a.0.area()));
        areas.truncate(MOST_AREAS);
        Self { areas }
    }

    /// Returns the share of a box that is covered by dark areas reaching beyond it, such as walls.
    ///
    /// Programs fill a wall in pieces, some of which may lie within the box.
    pub(crate) fn share(&self, drawing: &Drawing, within: Extent) -> f32 {
        let grown = within.grown(BEYOND * within.long());
        let about = || self.areas.iter().filter(|(extent, _)| extent.touches(&within)).take(MOST_OF_PLACE);
        if about().all(|(extent, _)| grown.holds_all(extent)) {
            return 0.0;
        }
        let about: Vec<u32> = about().map(|(_, index)| *index).collect();
        let dark = samples(within).filter(|point| about.iter().any(|&index| is_inside(drawing, index, *point))).count();
        dark as f32 / (SAMPLES * SAMPLES) as f32
    }

    /// Returns the share of a box that is covered by black areas within it, such as letters.
    pub(crate) fn ink(&self, drawing: &Drawing, within: Extent) -> f32 {
        let grown = within.grown(BEYOND * within.long());
        let is_black = |index: u32| {
            let chain = drawing.chains.get(index as usize);
            chain.and_then(|chain| drawing.style(chain)).is_some_and(|style| style.black)
        };
        let letters = self.areas.iter().filter(|(extent, index)| grown.holds_all(extent) && is_black(*index));
        let letters: Vec<u32> = letters.take(MOST_OF_PLACE).map(|(_, index)| *index).collect();
        if letters.is_empty() {
            return 0.0;
        }
        let inked = samples(within).filter(|point| letters.iter().any(|&index| is_inside(drawing, index, *point)));
        inked.count() as f32 / (SAMPLES * SAMPLES) as f32
    }
}

/// Returns the sample points of a box.
fn samples(within: Extent) -> impl Iterator<Item = Point> {
    let side = |from: f32, to: f32, step: usize| from + (to - from) * (step as f32 + 0.5) / SAMPLES as f32;
    (0..SAMPLES * SAMPLES).map(move |sample| {
        let (column, row) = (sample % SAMPLES, sample / SAMPLES);
        Point::new(side(within.x1, within.x2, column), side(within.y1, within.y2, row))
    })
}

/// Whether a point lies inside a chain's outline (even-odd rule).
fn is_inside(drawing: &Drawing, index: u32, point: Point) -> bool {
    let Some(chain) = drawing.chains.get(index as usize) else { return false };
    let crossed = drawing.pieces(chain).filter(|(a, b)| {
        let passes = (a.y > point.y) != (b.y > point.y);
        passes && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use fanlight_contract::{Geometry, PagePaths, PathStyle, Rect};

    use super::*;

    const PAGE: Rect = Rect { x1: 0.0, y1: 0.0, x2: 400.0, y2: 300.0 };
    const GEOMETRY: Geometry = Geometry { media_box: PAGE, crop_box: PAGE, rotation: 0, user_unit: 1.0 };
    const BOX: Extent = Extent { x1: 100.0, y1: 100.0, x2: 140.0, y2: 140.0 };

    /// Rectangles painted in one colour.
    fn painted(colour: u32, rectangles: &[Extent]) -> Drawing {
        let count = rectangles.len();
        let corners = |r: &Extent| [r.x1, r.y1, r.x2, r.y1, r.x2, r.y2, r.x1, r.y2];
        let paths = PagePaths {
            ops: [0, 1, 1, 1, 3].repeat(count),
            coordinates: rectangles.iter().flat_map(corners).collect(),
            lengths: vec![5; count],
            style_of: vec![0; count],
            styles: vec![PathStyle {
                stroke: None,
                fill: Some(colour),
                opacity: 1.0,
                width: 0.0,
                dash: Vec::new(),
                layer: None,
            }],
            layers: Vec::new(),
        };
        Drawing::new(&paths, &GEOMETRY)
    }

    #[test]
    fn dark_areas_count_if_they_reach_beyond_the_box() {
        let wall = Extent { x1: 100.0, y1: 20.0, x2: 120.0, y2: 280.0 };
        let [below, above] = [(20.0, 120.0), (120.0, 280.0)].map(|(y1, y2)| Extent { y1, y2, ..wall });
        let within = Extent { y1: 125.0, y2: 135.0, ..wall };
        let own = Extent { x1: 100.0, y1: 100.0, x2: 120.0, y2: 140.0 };
        let cases: [(&str, u32, &[Extent], f32); 5] = [
            ("a wall", 0x95_95_95, &[wall], 0.5),
            ("a wall painted in pieces", 0x95_95_95, &[below, within, above], 0.5),
            ("what is drawn there itself", 0x95_95_95, &[own], 0.0),
            ("a floor that is shaded lightly", 0xe8_e8_e8, &[wall], 0.0),
            ("nothing", 0, &[], 0.0),
        ];
        for (what, colour, rectangles, expected) in cases {
            let drawing = painted(colour, rectangles);
            assert_eq!(Poche::new(&drawing).share(&drawing, BOX), expected, "{what}");
        }
    }
}
