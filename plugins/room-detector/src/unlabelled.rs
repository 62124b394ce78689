//! Rooms without a known name: spaces that walls close, that are large enough, and that hold a text like a name or that the
//! network takes for a floor.

use fanlight_contract::Rect;

use crate::labels::Label;
use crate::mask::{Component, Components, Depth, Mask};

/// Least width of a space that may be a room, in inches. Set by hand, low: the likelihood of its region decides. The cavities
/// of walls are narrower.
const MIN_WIDTH: f32 = 20.0;
/// Least floor of a space that may be a room, in square inches: 0.58 square metres. Set by hand.
const MIN_FLOOR: f32 = 900.0;
/// Least mean probability that a space without any text is a floor. Set by hand, low, likewise.
const MIN_UNNAMED_FLOOR: f32 = 0.5;
/// Least mean probability that a space with a text that may be a name is a floor: an elevation has its notes in boxes, too. Set
/// by hand, low, likewise.
const MIN_NAMED_FLOOR: f32 = 0.3;

/// What decides whether a space without a known name is a room.
pub(crate) struct Evidence<'a> {
    /// Whether each space has a known name.
    pub(crate) is_named: &'a [bool],
    /// The space of each text that may be a name, if any.
    pub(crate) spaces_of_texts: &'a [Option<usize>],
    /// The texts that may be names.
    pub(crate) texts: &'a [Label],
    /// The mean probability of each space that it is a floor, if the network has looked.
    pub(crate) floors: Option<&'a [f32]>,
}

/// Returns a label in each space without a known name that is a room: with the first text in it that may be its name, or an
/// empty one.
pub(crate) fn labels(mask: &Mask, spaces: &Components, evidence: &Evidence<'_>, points_per_inch: f32) -> Vec<Label> {
    let rooms = spaces.all.iter().zip(mask.deepest(spaces)).enumerate();
    rooms
        .filter(|(at, _)| !evidence.is_named.get(*at).copied().unwrap_or_default())
        .filter(|(_, (space, depth))| is_room(mask, space, *depth, points_per_inch))
        .filter_map(|(at, (_, depth))| {
            let floor = evidence.floors.and_then(|floors| floors.get(at)).copied();
            let text = evidence.spaces_of_texts.iter().position(|space| *space == Some(at));
            if let Some(text) = text.and_then(|text| evidence.texts.get(text)) {
                return floor.is_none_or(|probability| probability >= MIN_NAMED_FLOOR).then(|| text.clone());
            }
            let (x, y) = mask.place(depth.cell);
            let is_room = floor.is_some_and(|probability| probability >= MIN_UNNAMED_FLOOR);
            is_room.then_some(Label { name: None, number: None, bbox: Rect { x1: x, y1: y, x2: x, y2: y } })
        })
        .collect()
}

/// Returns whether a space is enclosed, and wide and large enough for a room.
fn is_room(mask: &Mask, space: &Component, depth: Depth, points_per_inch: f32) -> bool {
    let width = 2.0 * mask.points(depth.distance) / points_per_inch;
    let floor = space.cells as f32 * mask.cell * mask.cell / (points_per_inch * points_per_inch);
    !space.is_outside && width >= MIN_WIDTH && floor >= MIN_FLOOR
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
            mask.draw(Axis::Horizontal, &Strip { from: 14.0, to: 26.0 + width, low, high: low + 6.0 });
        }
        for low in [14.0, 20.0 + width] {
            mask.draw(Axis::Vertical, &Strip { from: 14.0, to: 26.0 + height, low, high: low + 6.0 });
        }
        mask
    }

    /// Returns the labels of the rooms in a mask whose spaces are floors with a probability, with a text in the middle.
    fn found(mask: &Mask, is_named: &[bool], text: Option<&Label>, floor: f32) -> Vec<Label> {
        let spaces = mask.spaces();
        let inside = mask.at((60.0, 44.0)).and_then(|cell| spaces.index_of_cell(cell));
        let floors = vec![floor; spaces.all.len()];
        let evidence = Evidence {
            is_named,
            spaces_of_texts: if text.is_some() { &[inside] } else { &[] },
            texts: text.map_or(&[], std::slice::from_ref),
            floors: Some(&floors),
        };
        labels(mask, &spaces, &evidence, 1.0)
    }

    #[test]
    fn a_space_that_the_network_takes_for_a_floor_is_a_room() {
        let mask = closed_space(80.0, 60.0);
        assert_eq!(found(&mask, &[], None, 0.9).len(), 1);
        assert!(found(&mask, &[], None, 0.4).is_empty());
    }

    #[test]
    fn a_text_names_a_space_that_is_rather_a_floor_than_not_unless_a_known_name_is_there() {
        let mask = closed_space(80.0, 60.0);
        let bbox = Rect { x1: 50.0, y1: 40.0, x2: 70.0, y2: 48.0 };
        let text = Label { name: Some("NARTHEX".to_owned()), number: None, bbox };
        let names = found(&mask, &[], Some(&text), 0.6).into_iter().filter_map(|label| label.name);
        assert_eq!(names.collect::<Vec<_>>(), ["NARTHEX"]);
        assert!(found(&mask, &[], Some(&text), 0.2).is_empty());
        assert!(found(&mask, &[true; 2], Some(&text), 0.6).is_empty());
    }

    #[test]
    fn a_shaft_and_a_duct_are_no_rooms() {
        assert!(found(&closed_space(24.0, 24.0), &[], None, 0.9).is_empty());
        assert!(found(&closed_space(140.0, 12.0), &[], None, 0.9).is_empty());
    }
}
