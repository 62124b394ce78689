//! The input of the network: a candidate in two pictures.

use fanlight_plugin::picture::Picture;
use fanlight_plugin::vocabulary::Rect;

use crate::candidates::{Candidate, Direction};

/// Side of both pictures, in cells.
pub(crate) const SIDE: usize = 48;
/// Number of pictures: the candidate stretched, and its surroundings.
pub(crate) const CHANNELS: usize = 2;
/// What the stretched picture shows: lengths of the candidate along it, and thicknesses across it.
const STRETCHED: (f32, f32) = (1.5, 3.0);
/// What the picture of the surroundings shows, in lengths of the candidate along it and across it.
const SURROUNDINGS: f32 = 2.5;
/// Highest value of a cell. A cell then is one hexadecimal digit in the inputs that training reads.
pub(crate) const BLACK: u8 = 15;

/// Returns the network's input for a candidate: [`CHANNELS`] pictures of [`SIDE`] by [`SIDE`] cells in rows from the top, each
/// from 0 (white) to [`BLACK`].
///
/// The candidate is turned so that its glass is horizontal. A cell holds the square root of its darkness, so that thin and
/// grey lines show beside heavy ones.
pub(crate) fn input(picture: &Picture, candidate: &Candidate) -> Vec<u8> {
    let Rect { x1, y1, x2, y2 } = candidate.bbox;
    let (length, thickness) = match candidate.direction {
        Direction::Horizontal => (x2 - x1, y2 - y1),
        Direction::Vertical => (y2 - y1, x2 - x1),
    };
    let stretched = channel(picture, candidate, STRETCHED.0 * length, STRETCHED.1 * thickness);
    let surroundings = channel(picture, candidate, SURROUNDINGS * length, SURROUNDINGS * length);
    let cells = stretched.into_iter().chain(surroundings);
    cells.map(|darkness| (darkness.sqrt() * f32::from(BLACK)).round() as u8).collect()
}

/// Returns the darkness of what is around the middle of a candidate, this far along it and across it, in points.
fn channel(picture: &Picture, candidate: &Candidate, along: f32, across: f32) -> Vec<f32> {
    match candidate.direction {
        Direction::Horizontal => picture.input(centered(candidate.bbox, along, across), SIDE, SIDE),
        Direction::Vertical => transposed(&picture.input(centered(candidate.bbox, across, along), SIDE, SIDE)),
    }
}

/// Returns a box of this size with the same center.
fn centered(bbox: Rect, width: f32, height: f32) -> Rect {
    let (x, y) = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
    Rect { x1: x - width / 2.0, y1: y - height / 2.0, x2: x + width / 2.0, y2: y + height / 2.0 }
}

/// Returns a picture of [`SIDE`] by [`SIDE`] cells with rows for columns.
fn transposed(cells: &[f32]) -> Vec<f32> {
    (0..SIDE).flat_map(|column| cells.iter().skip(column).step_by(SIDE).copied()).collect()
}

/// Returns an input as text, a hexadecimal digit for each cell.
pub(crate) fn digits(cells: &[u8]) -> String {
    cells.iter().filter_map(|&cell| char::from_digit(u32::from(cell), 16)).collect()
}

#[cfg(test)]
mod tests {
    use fanlight_plugin::vocabulary::{PixelFormat, Raster};

    use super::*;

    /// A page of 200 by 200 points at one pixel a point, white but for a black line along the upper face of a wall.
    fn picture(is_line: impl Fn(usize, usize) -> bool) -> Picture {
        let bytes: Vec<u8> = (0..200 * 200).map(|at| if is_line(at % 200, at / 200) { 0 } else { 255 }).collect();
        let page = Rect { x1: 0.0, y1: 0.0, x2: 200.0, y2: 200.0 };
        Picture::new(&Raster::from_bytes(200, 200, PixelFormat::Grey, &bytes), page)
    }

    #[test]
    fn a_vertical_window_looks_like_a_horizontal_one() {
        let horizontal =
            Candidate { bbox: Rect { x1: 80.0, y1: 96.0, x2: 120.0, y2: 104.0 }, direction: Direction::Horizontal };
        let vertical =
            Candidate { bbox: Rect { x1: 96.0, y1: 80.0, x2: 104.0, y2: 120.0 }, direction: Direction::Vertical };
        let along_x = input(&picture(|x, y| (80..120).contains(&x) && y == 96), &horizontal);
        let along_y = input(&picture(|x, y| (80..120).contains(&y) && x == 96), &vertical);
        assert_eq!(along_x.len(), CHANNELS * SIDE * SIDE);
        assert!(along_x.contains(&BLACK));
        assert_eq!(along_x, along_y);
    }

    #[test]
    fn an_input_is_written_as_hexadecimal_digits() {
        assert_eq!(digits(&[0, 9, 10, BLACK]), "09af");
    }
}
