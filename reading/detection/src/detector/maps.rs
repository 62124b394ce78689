//! The output of the detector network for a tile, in the manner of `CenterNet`: a heat map for each class, and at each cell
//! the box of the symbol whose centre is there. Zhou, Wang and Krähenbühl, "Objects as Points", 2019.

use crate::classifier_input::Class;

use crate::detector::tile::SIDE;

/// Side of a map's cell, in pixels of the tile.
const STRIDE: usize = 4;
/// Side of a map, in cells.
const CELLS: usize = SIDE / STRIDE;

/// The classes in the order of their heat maps. Sliding doors stand for folding and other doors as well.
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
/// The first of two maps with the offset of a symbol's centre from the cell's, in cells.
const OFFSET: usize = CLASSES.len();
/// The first of two maps with the logarithms of a box's width and height in cells.
const SIZE: usize = OFFSET + 2;
/// Values in the network's output: 16 maps, of which the last is unused.
const VALUES: usize = 16 * CELLS * CELLS;
/// Logarithms that a box's sides are clamped to, in cells: from a pixel to three tiles.
const LOG_SIDES: std::ops::RangeInclusive<f32> = -1.5..=6.0;

/// Returns the index in [`CLASSES`] of the heat map for a class, or `None` for [`Class::Nothing`].
pub fn position(class: Class) -> Option<usize> {
    let class = if class == Class::OtherDoor { Class::SlidingDoor } else { class };
    CLASSES.iter().position(|known| *known == class)
}

/// A local maximum of a heat map: a detected symbol, in pixels of the tile from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peak {
    pub(crate) class: Class,
    /// From 0 to 1.
    pub(crate) confidence: f32,
    /// Centre of the box.
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// Returns the peaks whose confidence is above `threshold`. There are none if `values` is shorter than the maps.
pub(crate) fn peaks(values: &[f32], threshold: f32) -> Vec<Peak> {
    if values.len() < VALUES {
        return Vec::new();
    }
    let maps: Vec<&[f32]> = values.chunks_exact(CELLS * CELLS).collect();
    let threshold = (threshold / (1.0 - threshold)).ln();
    let mut peaks = Vec::new();
    for (class, heat) in CLASSES.into_iter().zip(&maps) {
        for (at, &logit) in heat.iter().enumerate() {
            let (column, row) = (at % CELLS, at / CELLS);
            if !(logit > threshold && is_local_maximum(heat, column, row)) {
                continue;
            }
            let value = |map: usize| maps.get(map).and_then(|map| map.get(at)).copied().unwrap_or_default();
            let side = |map: usize| value(map).clamp(*LOG_SIDES.start(), *LOG_SIDES.end()).exp() * STRIDE as f32;
            let place = |cell: usize, map: usize| (cell as f32 + 0.5 + value(map)) * STRIDE as f32;
            let peak = Peak {
                class,
                confidence: 1.0 / (1.0 + (-logit).exp()),
                x: place(column, OFFSET),
                y: place(row, OFFSET + 1),
                width: side(SIZE),
                height: side(SIZE + 1),
            };
            if [peak.x, peak.y, peak.width, peak.height].iter().all(|number| number.is_finite()) {
                peaks.push(peak);
            }
        }
    }
    peaks
}

/// Returns whether a cell is the maximum of its 3 by 3 neighbourhood. Of equal cells the first is the maximum.
fn is_local_maximum(heat: &[f32], column: usize, row: usize) -> bool {
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

    /// Returns maps with one peak.
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
    fn a_peak_is_a_box_around_its_centre() {
        let found = peaks(&maps_with(2, (10, 20), 3.0), 0.3);
        assert_eq!(found.len(), 1);
        let Peak { class, confidence, x, y, width, height } = found[0];
        assert_eq!((class, x, y), (Class::SlidingDoor, 43.0, 80.0));
        assert!((width - 36.0).abs() < 1e-3 && (height - 8.0).abs() < 1e-3 && (confidence - 0.9526).abs() < 1e-3);
    }

    #[test]
    fn unlikely_cells_and_neighbours_of_peaks_are_rejected() {
        assert_eq!(peaks(&maps_with(2, (10, 20), -1.0), 0.3), []);
        let mut two = maps_with(0, (0, 0), 2.0);
        two[1] = 1.9;
        two[CELLS] = 2.0;
        assert_eq!(peaks(&two, 0.3).len(), 1);
    }

    #[test]
    fn malformed_maps_have_no_peaks() {
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
