//! What the network says of a tile: a map of heat for each class, and at each cell the box of what has its middle there.

use crate::classifier_input::Class;

use crate::detector::tile::SIDE;

/// Pixels of a tile that a cell of the maps stands for.
const STRIDE: usize = 4;
/// Cells along a side of the maps.
const CELLS: usize = SIDE / STRIDE;

/// What the network finds, in the order of its maps; a sliding door's class stands for folding and other doors as well.
pub const CLASSES: [Class; 11] = [
    Class::SwingingDoor,
    Class::DoubleDoor,
    Class::SlidingDoor,
    Class::WaterCloset,
    Class::SquatPan,
    Class::Urinal,
    Class::Lavatory,
    Class::Sink,
    Class::Bathtub,
    Class::Shower,
    Class::OtherFixture,
];
/// Maps after those of the classes: the middle's place in cells from the cell's own, then the logarithms of width and
/// height in cells; the last map means nothing.
const OFFSET: usize = CLASSES.len();
const SIZE: usize = OFFSET + 2;
/// Values that the network gives: 16 maps.
const VALUES: usize = 16 * CELLS * CELLS;
/// Logarithms of sides that a box may have: from a pixel to three tiles.
const SIDES: std::ops::RangeInclusive<f32> = -1.5..=6.0;

/// Which of [`CLASSES`] stands for a class; none for what is nothing.
pub fn position(class: Class) -> Option<usize> {
    let class = if class == Class::OtherDoor { Class::SlidingDoor } else { class };
    CLASSES.iter().position(|known| *known == class)
}

/// A place where the network sees a symbol, in pixels of the tile, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    pub(crate) class: Class,
    /// From 0 to 1.
    pub(crate) confidence: f32,
    /// Middle.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) wide: f32,
    pub(crate) high: f32,
}

/// The peaks of a tile's maps that are at least so likely. None of them where the values are not the network's.
pub(crate) fn peaks(values: &[f32], least: f32) -> Vec<Peak> {
    if values.len() < VALUES {
        return Vec::new();
    }
    let maps: Vec<&[f32]> = values.chunks_exact(CELLS * CELLS).collect();
    let least = (least / (1.0 - least)).ln();
    let mut peaks = Vec::new();
    for (class, heat) in CLASSES.into_iter().zip(&maps) {
        for (at, &logit) in heat.iter().enumerate() {
            let (column, row) = (at % CELLS, at / CELLS);
            if !(logit > least && is_highest(heat, column, row)) {
                continue;
            }
            let value = |map: usize| maps.get(map).and_then(|map| map.get(at)).copied().unwrap_or_default();
            let side = |map: usize| value(map).clamp(*SIDES.start(), *SIDES.end()).exp() * STRIDE as f32;
            let place = |cell: usize, map: usize| (cell as f32 + 0.5 + value(map)) * STRIDE as f32;
            let peak = Peak {
                class,
                confidence: 1.0 / (1.0 + (-logit).exp()),
                x: place(column, OFFSET),
                y: place(row, OFFSET + 1),
                wide: side(SIZE),
                high: side(SIZE + 1),
            };
            if [peak.x, peak.y, peak.wide, peak.high].iter().all(|number| number.is_finite()) {
                peaks.push(peak);
            }
        }
    }
    peaks
}

/// Whether no neighbour of a cell is hotter; of equal ones the first is highest.
fn is_highest(heat: &[f32], column: usize, row: usize) -> bool {
    let own = heat[row * CELLS + column];
    for y in row.saturating_sub(1)..(row + 2).min(CELLS) {
        for x in column.saturating_sub(1)..(column + 2).min(CELLS) {
            let other = heat[y * CELLS + x];
            let earlier = (y, x) < (row, column);
            if other > own || (earlier && other == own) {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Maps with one peak of even odds and better.
    pub(crate) fn maps_with(class: usize, (column, row): (usize, usize), logit: f32) -> Vec<f32> {
        let mut values = vec![-9.0; VALUES];
        let mut set = |map: usize, value: f32| values[map * CELLS * CELLS + row * CELLS + column] = value;
        set(class, logit);
        set(OFFSET, 0.25);
        set(OFFSET + 1, -0.5);
        set(SIZE, 9.0_f32.ln());
        set(SIZE + 1, 2.0_f32.ln());
        values
    }

    #[test]
    fn a_peak_is_a_box_around_its_middle() {
        let found = peaks(&maps_with(2, (10, 20), 3.0), 0.3);
        assert_eq!(found.len(), 1);
        let Peak { class, confidence, x, y, wide, high } = found[0];
        assert_eq!((class, x, y), (Class::SlidingDoor, 43.0, 80.0));
        assert!((wide - 36.0).abs() < 1e-3 && (high - 8.0).abs() < 1e-3 && (confidence - 0.9526).abs() < 1e-3);
    }

    #[test]
    fn what_is_unlikely_or_beside_a_higher_cell_is_none() {
        assert_eq!(peaks(&maps_with(2, (10, 20), -1.0), 0.3), []);
        let mut two = maps_with(0, (0, 0), 2.0);
        two[1] = 1.9;
        two[CELLS] = 2.0;
        assert_eq!(peaks(&two, 0.3).len(), 1);
    }

    #[test]
    fn values_that_are_not_the_network_s_give_none() {
        assert_eq!(peaks(&[], 0.3), []);
        assert_eq!(peaks(&vec![f32::NAN; VALUES], 0.3), []);
        let mut nowhere = maps_with(0, (5, 5), 2.0);
        nowhere[OFFSET * CELLS * CELLS + 5 * CELLS + 5] = f32::INFINITY;
        assert_eq!(peaks(&nowhere, 0.3), []);
    }

    #[test]
    fn every_class_but_nothing_has_a_map() {
        for class in crate::classifier_input::CLASSES {
            assert_eq!(position(class).is_none(), class == Class::Nothing, "{class:?}");
        }
    }
}
