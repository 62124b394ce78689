//! What every guest shares: the values of the plugin contract (`wit/types.wit`) as Rust types, the networks that the
//! host runs ([`nn`]), and the trait by which libraries read pages ([`page`]). The WIT documents shapes, units and coordinate spaces.

pub mod nn;
pub mod page;

mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "vocabulary", generate_all, additional_derives: [PartialEq] });
}

pub use bindings::fanlight::plugin::types::*;

/// A word that OCR recognized.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadWord {
    /// The recognized text.
    pub text: String,
    /// In pixels of the picture, y down; (x1, y1) is the top-left corner.
    pub bbox: Rect,
    /// From 0 to 1.
    pub confidence: f32,
    /// The reading direction in degrees, counter-clockwise as the picture is seen: 0 to the right, 90 upwards.
    pub angle: f32,
    /// The number of the line. Words of one line share it.
    pub line: u32,
}

/// One painted path of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnPath<'a> {
    /// The position in drawing order, from 0.
    pub number: u32,
    /// The path's operations, encoded as in [`PagePaths`].
    pub ops: &'a [u8],
    /// x and y of the operations' points, alternating, in points of user space of the unrotated page.
    pub coordinates: &'a [f32],
    /// The paint of the path.
    pub style: &'a PathStyle,
}

impl PagePaths {
    /// Returns the paths in drawing order. Stops where the lists are shorter than they claim, and skips a path whose
    /// style is missing.
    pub fn each(&self) -> impl Iterator<Item = DrawnPath<'_>> {
        let (mut ops_left, mut coordinates_left) = (self.ops.as_slice(), self.coordinates.as_slice());
        let taken = self.lengths.iter().map_while(move |&count| {
            let (ops, ops_after) = ops_left.split_at_checked(count as usize)?;
            let coordinate_count: usize = ops.iter().map(|&op| coordinates_of(op)).sum();
            let (coordinates, coordinates_after) = coordinates_left.split_at_checked(coordinate_count)?;
            (ops_left, coordinates_left) = (ops_after, coordinates_after);
            Some((ops, coordinates))
        });
        (0..).zip(taken).zip(&self.style_of).filter_map(|((number, (ops, coordinates)), &style)| {
            let style = self.styles.get(style as usize)?;
            Some(DrawnPath { number, ops, coordinates, style })
        })
    }
}

/// Returns the number of coordinates of an operation: one point's for a move or a line, three points' for a curve,
/// none for a close.
const fn coordinates_of(op: u8) -> usize {
    match op {
        0 | 1 => 2,
        2 => 6,
        _ => 0,
    }
}

impl Raster {
    /// Creates a raster from `width * height` pixels in bytes, rows from top to bottom without padding. Missing bytes
    /// are zero, which is black.
    pub fn from_bytes(width: u32, height: u32, format: PixelFormat, bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; Self::byte_count(width, height, format).div_ceil(8)];
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let count = bytes.len().min(room.len());
        room[..count].copy_from_slice(&bytes[..count]);
        Self { width, height, format, words }
    }

    /// Returns the pixels in bytes, rows from top to bottom without padding. There are fewer than the size requires
    /// if `words` is too short.
    pub fn bytes(&self) -> &[u8] {
        let all: &[u8] = bytemuck::cast_slice(&self.words);
        &all[..Self::byte_count(self.width, self.height, self.format).min(all.len())]
    }

    /// Returns the bytes of `width * height` pixels of a format.
    pub fn byte_count(width: u32, height: u32, format: PixelFormat) -> usize {
        let bytes_a_pixel = match format {
            PixelFormat::Grey => 1,
            PixelFormat::Rgb => 3,
        };
        width as usize * height as usize * bytes_a_pixel
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_survive_the_packing_into_words() {
        let bytes: Vec<u8> = (0..15).collect();
        let raster = Raster::from_bytes(5, 1, PixelFormat::Rgb, &bytes);
        assert_eq!(raster.words, [0x0706_0504_0302_0100, 0x000e_0d0c_0b0a_0908]);
        assert_eq!(raster.bytes(), bytes);
    }

    #[test]
    fn paths_end_where_the_lists_end() {
        let style = |width| PathStyle { stroke: None, fill: None, opacity: 1.0, width, dash: vec![], layer: None };
        let paths = PagePaths {
            ops: vec![0, 1, 0, 2, 3, 0, 1],
            coordinates: (0..14).map(|n: u8| f32::from(n)).collect(),
            lengths: vec![2, 3, 2],
            style_of: vec![1, 0, 0],
            styles: vec![style(0.5), style(2.0)],
            layers: vec![],
        };
        let each: Vec<(u32, usize, &[f32], f32)> =
            paths.each().map(|path| (path.number, path.ops.len(), path.coordinates, path.style.width)).collect();
        let coordinates = paths.coordinates.as_slice();
        assert_eq!(each, [(0, 2, &coordinates[..4], 2.0), (1, 3, &coordinates[4..12], 0.5)]);
    }

    #[test]
    fn a_path_without_a_style_is_skipped() {
        let style = PathStyle { stroke: None, fill: None, opacity: 1.0, width: 0.5, dash: vec![], layer: None };
        let paths = PagePaths {
            ops: vec![3, 3],
            coordinates: vec![],
            lengths: vec![1, 1],
            style_of: vec![7, 0],
            styles: vec![style],
            layers: vec![],
        };
        assert_eq!(paths.each().map(|path| path.number).collect::<Vec<_>>(), [1]);
    }
}
