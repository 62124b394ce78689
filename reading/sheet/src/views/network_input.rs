//! The inputs and the output of the network `view-classifier`: what a box of a sheet holds.
//!
//! Training and serving both prepare inputs here, so both see the same.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::views::image::SheetImage;

/// Side of the network's picture in pixels.
pub const SIDE: usize = 128;
/// Planes of the network's picture: the darkness of the sheet, the same inside the box only, and the box.
pub const PLANES: usize = 3;
/// Side of the square that the picture shows, as a multiple of the box's longer side.
pub const MARGIN: f32 = 1.24;
/// Side in pixels of the square around a box that training stores, to cut pictures from it.
pub const STORED: usize = 160;
/// Side of the stored square, as a multiple of the box's longer side.
pub const STORED_MARGIN: f32 = 1.5;
/// Number of values that say where the box is on the sheet.
pub const PLACE: usize = 8;

/// What a box of a sheet may hold, in the order of the network's output. Clients read it as the kind of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "ViewKind", description = "What a view shows.")]
pub enum ViewClass {
    /// A part of a view, several views, a title, or anything else that is no view. Never a result.
    #[serde(skip)]
    None,
    /// A floor plan, an enlarged one, a roof plan, a ceiling plan.
    Plan,
    /// A plan of the site.
    SitePlan,
    /// A small plan that marks a part of the building.
    KeyPlan,
    /// The wall of a room or its casework, seen from inside.
    InteriorElevation,
    /// The front of a building.
    ExteriorElevation,
    /// A section through the building or through a wall.
    Section,
    /// A detail.
    Detail,
    /// Doors or windows by type.
    OpeningTypes,
    /// A schedule.
    Schedule,
    /// Symbols beside their meaning.
    Legend,
    /// Notes.
    Notes,
    /// A title block.
    TitleBlock,
    /// A photo or a rendering.
    Rendering,
    /// A diagram.
    Diagram,
}

/// The classes in the order of the network's output.
pub const CLASSES: [ViewClass; 15] = [
    ViewClass::None,
    ViewClass::Plan,
    ViewClass::SitePlan,
    ViewClass::KeyPlan,
    ViewClass::InteriorElevation,
    ViewClass::ExteriorElevation,
    ViewClass::Section,
    ViewClass::Detail,
    ViewClass::OpeningTypes,
    ViewClass::Schedule,
    ViewClass::Legend,
    ViewClass::Notes,
    ViewClass::TitleBlock,
    ViewClass::Rendering,
    ViewClass::Diagram,
];

/// Returns the picture of a box: [`PLANES`] planes of [`SIDE`] by [`SIDE`] values from 0 (paper) to 1. The box is in pixels of
/// the image.
pub fn picture(image: &SheetImage<'_>, bbox: Rect) -> Vec<f32> {
    let square = square_around(bbox, MARGIN);
    let ink = middle(&ink(image, square_around(bbox, STORED_MARGIN), STORED));
    let scale = SIDE as f32 / (square.x2 - square.x1);
    let columns = places_within((bbox.x1 - square.x1) * scale, (bbox.x2 - square.x1) * scale);
    let rows = places_within((bbox.y1 - square.y1) * scale, (bbox.y2 - square.y1) * scale);
    let masks: Vec<f32> =
        (0..SIDE * SIDE).map(|index| if columns[index % SIDE] && rows[index / SIDE] { 1.0 } else { 0.0 }).collect();
    let inner: Vec<f32> = ink.iter().zip(&masks).map(|(ink, mask)| ink * mask).collect();
    [ink, inner, masks].concat()
}

/// Returns what the picture shows of a stored square, by bilinear interpolation: as `view_classifier.py` cuts it in training.
fn middle(stored: &[f32]) -> Vec<f32> {
    let shown = STORED as f32 * MARGIN / STORED_MARGIN;
    let begin = 0.5 * (STORED as f32 - shown);
    let place = |at: usize| begin + (at as f32 + 0.5) * shown / SIDE as f32 - 0.5;
    let places: Vec<(usize, f32)> = (0..SIDE).map(|at| (place(at) as usize, place(at).fract())).collect();
    let mut values = Vec::with_capacity(SIDE * SIDE);
    for &(row, down) in &places {
        let (upper, lower) = (&stored[row * STORED..], &stored[(row + 1) * STORED..]);
        for &(column, right) in &places {
            let [above, below] = [upper, lower].map(|row| row[column] + right * (row[column + 1] - row[column]));
            values.push(above + down * (below - above));
        }
    }
    values
}

/// Returns for each place along a side of a picture whether its middle is between two others.
fn places_within(from: f32, to: f32) -> Vec<bool> {
    (0..SIDE).map(|place| (from..=to).contains(&(place as f32 + 0.5))).collect()
}

/// Returns where a box is: its sides and its center as shares of the sheet's, its area, its proportions and the sheet's.
pub fn place(image: &SheetImage<'_>, bbox: Rect) -> [f32; PLACE] {
    let (width, height) = (image.width() as f32, image.height() as f32);
    let (wide, high) = ((bbox.x2 - bbox.x1).max(1.0), (bbox.y2 - bbox.y1).max(1.0));
    let (x, y) = bbox.center();
    let (wide_share, high_share) = (wide / width, high / height);
    [
        wide_share,
        high_share,
        x / width,
        y / height,
        (wide_share * high_share).sqrt(),
        (wide / high).ln().clamp(-3.0, 3.0),
        (width / height).ln(),
        wide.max(high) / width.max(height),
    ]
}

/// Returns the square around the center of a box whose side is `margin` times the box's longer side.
pub fn square_around(bbox: Rect, margin: f32) -> Rect {
    let (x, y) = bbox.center();
    let half = 0.5 * margin * (bbox.x2 - bbox.x1).max(bbox.y2 - bbox.y1).max(1.0);
    Rect { x1: x - half, y1: y - half, x2: x + half, y2: y + half }
}

/// Returns `side` by `side` values of a square of the image, from 0 (paper) to 1: the square root of the mean darkness, so that
/// thin lines show beside heavy ones. Outside the image is paper.
pub fn ink(image: &SheetImage<'_>, square: Rect, side: usize) -> Vec<f32> {
    let step = (square.x2 - square.x1) / side as f32;
    let columns: Vec<(usize, usize)> = (0..side).map(|at| covered(square.x1, step, at, image.width())).collect();
    let mut values = vec![0.0; side * side];
    for row in 0..side {
        let (top, bottom) = covered(square.y1, step, row, image.height());
        for (column, &(left, right)) in columns.iter().enumerate() {
            let sum: f32 = (top..bottom).flat_map(|y| image.darkness(y, left, right)).sum();
            let count = (right - left) * (bottom - top);
            values[row * side + column] = if count == 0 { 0.0 } else { (sum / count as f32).sqrt() };
        }
    }
    values
}

/// Returns the range, as start and end, of the image's pixels that place `at` shows; it is empty outside the image.
fn covered(origin: f32, step: f32, at: usize, count: usize) -> (usize, usize) {
    let from = (origin + at as f32 * step).floor();
    // Each pixel of an image that is magnified shows several times.
    let to = (origin + (at + 1) as f32 * step).floor().max(from + 1.0);
    let inside = |value: f32| (value.max(0.0) as usize).min(count);
    (inside(from), inside(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_shows_the_box_amid_what_is_around_it() {
        let (width, height) = (400, 300);
        let mut pixels = vec![250; width * height];
        for y in 100..200 {
            pixels[y * width + 100..y * width + 250].fill(0);
        }
        let image = SheetImage::new(&pixels, width, height).unwrap();
        let bbox = Rect { x1: 100.0, y1: 100.0, x2: 200.0, y2: 200.0 };
        let picture = picture(&image, bbox);
        let at = |plane: usize, x: usize, y: usize| picture[plane * SIDE * SIDE + y * SIDE + x];
        let right_of_the_box = (SIDE - 2, SIDE / 2);
        assert_eq!(at(0, SIDE / 2, SIDE / 2), 1.0);
        assert_eq!(at(0, right_of_the_box.0, right_of_the_box.1), 1.0, "the sheet goes on there");
        assert_eq!(at(1, right_of_the_box.0, right_of_the_box.1), 0.0, "but not the box");
        assert_eq!((at(2, SIDE / 2, SIDE / 2), at(2, 1, 1)), (1.0, 0.0));
        assert_eq!(place(&image, bbox)[..4], [0.25, 1.0 / 3.0, 0.375, 0.5]);
    }

    #[test]
    fn a_picture_is_the_middle_of_the_stored_square() {
        let slope: Vec<f32> = (0..STORED * STORED).map(|at| (at % STORED) as f32).collect();
        let values = middle(&slope);
        let shown = STORED as f32 * MARGIN / STORED_MARGIN;
        assert!((values[SIDE - 1] - values[0] - shown * (SIDE - 1) as f32 / SIDE as f32).abs() < 1e-3);
        let middle_of_stored = (STORED - 1) as f32 / 2.0;
        assert!((f32::midpoint(values[0], values[SIDE - 1]) - middle_of_stored).abs() < 1e-3);
    }

    #[test]
    fn outside_the_image_is_paper() {
        let image = SheetImage::new(&[0; 100], 10, 10).unwrap();
        let square = Rect { x1: -10.0, y1: -10.0, x2: 10.0, y2: 10.0 };
        let values = ink(&image, square, 4);
        assert_eq!(values[0], 0.0);
        assert_eq!(values.len(), 16);
    }
}
