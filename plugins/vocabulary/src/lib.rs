//! The values of the plugin contract (`wit/types.wit`) as Rust types, the same for the PDF engine, the SDK and the
//! plain libraries that plugins share. See the WIT for shapes, units and coordinate spaces.

mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "vocabulary", generate_all });
}

pub use bindings::fanlight::plugin::types::*;

impl Raster {
    /// A raster of pixels that lie byte by byte: `width * height` of them, rows from top to bottom without padding.
    /// Missing bytes are black.
    pub fn from_bytes(width: u32, height: u32, format: PixelFormat, bytes: &[u8]) -> Self {
        let mut words = vec![0_u64; Self::byte_count(width, height, format).div_ceil(8)];
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let count = bytes.len().min(room.len());
        room[..count].copy_from_slice(&bytes[..count]);
        Self { width, height, format, words }
    }

    /// The pixels byte by byte, rows from top to bottom without padding. Fewer than the raster's size says where
    /// `words` is too short.
    pub fn bytes(&self) -> &[u8] {
        let all: &[u8] = bytemuck::cast_slice(&self.words);
        &all[..Self::byte_count(self.width, self.height, self.format).min(all.len())]
    }

    /// Bytes of `width * height` pixels of a format.
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
    fn pixels_come_out_as_they_went_in() {
        let bytes: Vec<u8> = (0..15).collect();
        let raster = Raster::from_bytes(5, 1, PixelFormat::Rgb, &bytes);
        assert_eq!(raster.words, [0x0706_0504_0302_0100, 0x000e_0d0c_0b0a_0908]);
        assert_eq!(raster.bytes(), bytes);
    }
}
