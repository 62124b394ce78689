//! Joins cells that broken rules separate: rules drawn by hand stop early, cross each other late, and are faint in places.

use fanlight_contract::Rect;
use fanlight_geometry::{RectExt as _, non_maximum_suppression};

use super::MAX_OFFSET;
use crate::regions;

/// Maximum number of cells of a table. Bounds the comparison of each with each.
const MAX_CELLS: usize = 8000;
/// Minimum share of a region's column borders that the region above or below it has, in tenths.
const MIN_SHARED_TENTHS: usize = 7;

/// Cells and their bounding box.
struct Area {
    bbox: Rect,
    faces: Vec<Rect>,
}

impl Area {
    /// Returns the area of some cells; `None` if there are none.
    fn of_faces(faces: Vec<Rect>) -> Option<Self> {
        let bbox = regions::area_of(&faces)?;
        Some(Self { bbox, faces })
    }

    fn join(&mut self, other: Self) {
        self.bbox = self.bbox.union(&other.bbox);
        self.faces.extend(other.faces);
    }
}

/// Joins groups of cells whose bounding boxes touch or overlap.
pub(super) fn adjoining(groups: Vec<Vec<Rect>>) -> Vec<Vec<Rect>> {
    let mut areas: Vec<Area> = Vec::new();
    for mut area in groups.into_iter().filter_map(Area::of_faces) {
        while let Some(index) =
            areas.iter().position(|other| other.bbox.touches(&area.bbox.expanded(MAX_OFFSET, MAX_OFFSET)))
        {
            area.join(areas.swap_remove(index));
        }
        areas.push(area);
    }
    areas.into_iter().map(|area| area.faces).collect()
}

/// Moves the borders of cells to those of their neighbors. Cells that hold others are left out (non-maximum suppression, the
/// smallest first): a rule between the others was broken.
pub(super) fn straightened(faces: &[Rect]) -> Vec<Rect> {
    let xs = regions::snapped_within(faces.iter().flat_map(|face| [face.x1, face.x2]), MAX_OFFSET);
    let ys = regions::snapped_within(faces.iter().flat_map(|face| [face.y1, face.y2]), MAX_OFFSET);
    let mut straight: Vec<Rect> = faces
        .iter()
        .map(|face| Rect {
            x1: nearest_border(&xs, face.x1),
            y1: nearest_border(&ys, face.y1),
            x2: nearest_border(&xs, face.x2),
            y2: nearest_border(&ys, face.y2),
        })
        .filter(|face| face.x2 > face.x1 && face.y2 > face.y1)
        .collect();
    straight.sort_by(|a, b| a.signed_area().total_cmp(&b.signed_area()));
    non_maximum_suppression(straight.into_iter().take(MAX_CELLS), |inner, face| face.contains(inner))
}

fn nearest_border(borders: &[f32], place: f32) -> f32 {
    borders.get(regions::nearest(borders, place)).copied().unwrap_or(place)
}

/// A region with the borders of its columns.
struct Region {
    area: Area,
    borders: Vec<f32>,
}

impl Region {
    fn of_area(area: Area) -> Self {
        let borders = regions::snapped(area.faces.iter().flat_map(|face| [face.x1, face.x2]));
        Self { area, borders }
    }

    /// Returns whether another region is inside this one, or continues it above or below with the same columns.
    fn includes(&self, other: &Self) -> bool {
        self.area.bbox.expanded(MAX_OFFSET, MAX_OFFSET).contains(&other.area.bbox)
            || (continues(&other.area.bbox, &self.area.bbox) && self.has_borders_of(other))
    }

    fn has_borders_of(&self, other: &Self) -> bool {
        let shared =
            other.borders.iter().filter(|&&border| is_same(nearest_border(&self.borders, border), border)).count();
        10 * shared >= MIN_SHARED_TENTHS * other.borders.len()
    }

    fn join(&mut self, other: Self) {
        self.borders = regions::snapped(self.borders.iter().chain(&other.borders).copied());
        self.area.join(other.area);
    }
}

fn is_same(a: f32, b: f32) -> bool {
    (a - b).abs() <= MAX_OFFSET
}

/// Returns whether a box is just above or below another one of the same width.
fn continues(bbox: &Rect, other: &Rect) -> bool {
    let has_same_edges = is_same(bbox.x1, other.x1) && is_same(bbox.x2, other.x2);
    has_same_edges && (is_same(bbox.y1, other.y2) || is_same(bbox.y2, other.y1))
}

/// Joins regions that a broken rule separated: one is inside the other, or continues it with the same columns.
pub(super) fn joined(regions: Vec<Vec<Rect>>) -> Vec<Vec<Rect>> {
    let mut areas: Vec<Area> = regions.into_iter().filter_map(Area::of_faces).collect();
    areas.sort_by(|a, b| b.bbox.signed_area().total_cmp(&a.bbox.signed_area()));
    let mut joined: Vec<Region> = Vec::new();
    for region in areas.into_iter().map(Region::of_area) {
        match joined.iter_mut().find(|other| other.includes(&region)) {
            Some(other) => other.join(region),
            None => joined.push(region),
        }
    }
    joined.into_iter().map(|region| straightened(&region.area.faces)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(x1: f32, y1: f32, x2: f32, y2: f32) -> Rect {
        Rect { x1, y1, x2, y2 }
    }

    #[test]
    fn groups_that_nearly_touch_are_one() {
        let (left, right) = (face(0.0, 0.0, 100.0, 20.0), face(103.0, 0.0, 200.0, 20.0));
        let far = face(300.0, 0.0, 400.0, 20.0);
        let sizes: Vec<usize> = adjoining(vec![vec![left], vec![far], vec![right]]).iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 2]);
    }

    #[test]
    fn borders_that_waver_are_straightened() {
        let found = straightened(&[face(0.0, 0.0, 100.0, 20.0), face(2.0, 20.0, 102.0, 40.0)]);
        assert!(found.iter().all(|face| (face.x1, face.x2) == (1.0, 101.0)), "{found:?}");
    }

    #[test]
    fn cell_that_holds_another_is_left_out() {
        let (inner, outer) = (face(0.0, 0.0, 100.0, 20.0), face(0.0, 0.0, 100.0, 80.0));
        let heights: Vec<f32> = straightened(&[outer, inner]).iter().map(|face| face.y2).collect();
        assert_eq!(heights, [20.0]);
    }

    #[test]
    fn region_that_continues_another_with_the_same_columns_is_joined() {
        let rows =
            |top: f32, border: f32| vec![face(0.0, top, border, top + 20.0), face(border, top, 100.0, top + 20.0)];
        let cases = [("same columns", rows(20.0, 50.0), 1), ("other columns", rows(20.0, 20.0), 2)];
        for (what, below, expected) in cases {
            assert_eq!(joined(vec![rows(0.0, 50.0), below]).len(), expected, "{what}");
        }
    }
}
