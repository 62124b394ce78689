//! Turns images by quarter turns.

use fanlight_contract::{PixelFormat, Raster};

/// Returns a grey image turned by 90 degrees clockwise, so that text that runs upwards is upright.
pub fn clockwise(picture: &Raster) -> Raster {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let bytes = picture.bytes();
    let mut turned = vec![255_u8; width * height];
    for row in 0..height {
        for column in 0..width {
            if let (Some(to), Some(from)) =
                (turned.get_mut(column * height + (height - 1 - row)), bytes.get(row * width + column))
            {
                *to = *from;
            }
        }
    }
    Raster::from_bytes(picture.height, picture.width, PixelFormat::Grey, &turned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_runs_upwards_is_upright_when_turned_clockwise() {
        let picture = Raster::from_bytes(2, 3, PixelFormat::Grey, &[1, 2, 3, 4, 5, 6]);
        let turned = clockwise(&picture);
        assert_eq!((turned.width, turned.height), (3, 2));
        assert_eq!(turned.bytes(), [5, 3, 1, 6, 4, 2]);
    }
}
