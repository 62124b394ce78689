//! Rooms of plans without names: spaces that walls close, that are large enough and that a door leads to.

use fanlight_contract::Rect;

use crate::labels::Label;
use crate::mask::{Component, Components, Depth, Mask};
use crate::walls::MAX_THICKNESS;

/// Least width of a room without a label, in inches. Set by hand.
const MIN_WIDTH: f32 = 19.0;
/// Least floor of a room without a label, in square inches: 0.58 square metres. Set by hand.
const MIN_FLOOR: f32 = 900.0;

/// Returns an empty label in each space that is a room. `doorways` are the centres of doors and of openings.
pub(crate) fn labels(mask: &Mask, spaces: &Components, doorways: &[(f32, f32)], points_per_inch: f32) -> Vec<Label> {
    let rooms = spaces.all.iter().zip(mask.deepest(spaces));
    rooms
        .filter(|(space, depth)| is_room(mask, space, *depth, points_per_inch))
        .filter(|(space, _)| has_door(mask, space, doorways, points_per_inch))
        .map(|(_, depth)| {
            let (x, y) = mask.place(depth.cell);
            Label { name: None, number: None, bbox: Rect { x1: x, y1: y, x2: x, y2: y } }
        })
        .collect()
}

/// Whether a space is enclosed, and wide and large enough for a room.
fn is_room(mask: &Mask, space: &Component, depth: Depth, points_per_inch: f32) -> bool {
    let width = 2.0 * mask.points(depth.distance) / points_per_inch;
    let floor = space.cells as f32 * mask.cell * mask.cell / (points_per_inch * points_per_inch);
    !space.is_outside && width >= MIN_WIDTH && floor >= MIN_FLOOR
}

/// Whether a doorway is located at a space, within a wall's thickness of its box.
fn has_door(mask: &Mask, space: &Component, doorways: &[(f32, f32)], points_per_inch: f32) -> bool {
    let (room, reach) = (mask.extent(space), MAX_THICKNESS * points_per_inch);
    doorways
        .iter()
        .any(|&(x, y)| x >= room.x1 - reach && x <= room.x2 + reach && y >= room.y1 - reach && y <= room.y2 + reach)
}

#[cfg(test)]
mod tests {
    use fanlight_geometry::Frame;

    use super::*;
    use crate::walls::{Axis, Strip};

    /// A closed space of these inner sides, its upper left corner at (20, 20), on a sheet with a point per inch.
    fn closed_space(width: f32, height: f32) -> Mask {
        let mut mask = Mask::new(&Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 200.0, y2: 200.0 }, 0.0), 1.3);
        for low in [14.0, 20.0 + height] {
            mask.draw(Axis { x: 1.0, y: 0.0 }, &Strip { from: 14.0, to: 26.0 + width, low, high: low + 6.0 });
        }
        for low in [-20.0, -26.0 - width] {
            mask.draw(Axis { x: 0.0, y: 1.0 }, &Strip { from: 14.0, to: 26.0 + height, low, high: low + 6.0 });
        }
        mask
    }

    fn count(mask: &Mask, doorways: &[(f32, f32)]) -> usize {
        labels(mask, &mask.spaces(), doorways, 1.0).len()
    }

    #[test]
    fn a_closed_space_with_a_door_is_a_room() {
        assert_eq!(count(&closed_space(80.0, 60.0), &[(60.0, 17.0)]), 1);
    }

    #[test]
    fn a_closed_space_without_a_door_is_no_room() {
        assert_eq!(count(&closed_space(80.0, 60.0), &[]), 0);
        assert_eq!(count(&closed_space(80.0, 60.0), &[(160.0, 160.0)]), 0);
    }

    #[test]
    fn a_shaft_and_a_duct_are_no_rooms() {
        assert_eq!(count(&closed_space(24.0, 24.0), &[(30.0, 17.0)]), 0);
        assert_eq!(count(&closed_space(140.0, 12.0), &[(60.0, 17.0)]), 0);
    }
}
