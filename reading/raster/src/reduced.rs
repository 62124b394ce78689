//! Images at a lower resolution.

use crate::GreyImage;

impl GreyImage {
    /// Returns the image at `scale` of its resolution, from 0 to 1, by averaging areas. Each side has at least one pixel.
    #[must_use]
    pub fn reduced(&self, scale: f32) -> Self {
        let side = |pixels: usize| ((pixels as f32 * scale).round() as usize).clamp(1, pixels.max(1));
        let (width, height) = (side(self.width), side(self.height));
        let columns = spans(self.width, width);
        let mut grey = Vec::with_capacity(width * height);
        for rows in spans(self.height, height) {
            let mut sums = vec![0.0_f32; width];
            for (y, share) in rows.pixels() {
                let row = self.grey.get(y * self.width..(y + 1) * self.width).unwrap_or_default();
                for (sum, span) in sums.iter_mut().zip(&columns) {
                    *sum += share * span.mean(row);
                }
            }
            let whole = rows.end - rows.start;
            grey.extend(sums.iter().map(|sum| (sum / whole).round() as u8));
        }
        Self { width, height, grey }
    }
}

/// The pixels of a row or column that one pixel of a reduced image covers, with shares of pixels at both ends.
struct Span {
    start: f32,
    end: f32,
}

impl Span {
    /// Returns the covered pixels with the share of each that is covered.
    fn pixels(&self) -> impl Iterator<Item = (usize, f32)> {
        let (start, end) = (self.start, self.end);
        (start as usize..end.ceil() as usize)
            .map(move |pixel| (pixel, end.min((pixel + 1) as f32) - start.max(pixel as f32)))
    }

    /// Returns the mean of the covered pixels of a row. Missing ones are white.
    fn mean(&self, row: &[u8]) -> f32 {
        let sum: f32 =
            self.pixels().map(|(x, share)| share * row.get(x).map_or(255.0, |pixel| f32::from(*pixel))).sum();
        sum / (self.end - self.start)
    }
}

/// Divides `pixels` into `count` equal spans.
fn spans(pixels: usize, count: usize) -> Vec<Span> {
    let step = pixels as f32 / count as f32;
    let edge = |number: usize| (number as f32 * step).min(pixels as f32);
    (0..count).map(|number| Span { start: edge(number), end: edge(number + 1) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reduced_pixel_is_the_mean_of_its_area() {
        let image = GreyImage { width: 4, height: 2, grey: vec![0, 100, 40, 40, 100, 200, 40, 40] };
        assert_eq!(image.reduced(0.5).grey, [100, 40]);
        let third = GreyImage { width: 3, height: 1, grey: vec![0, 90, 180] };
        assert_eq!(third.reduced(0.67).grey, [30, 150], "the middle pixel counts for both");
        assert_eq!(third.reduced(1.0).grey, third.grey);
        assert_eq!(third.reduced(0.0).grey, [90]);
    }
}
