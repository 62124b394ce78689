//! Pictures of pages as networks take them.

use fanlight_contract::page::{Readable, finest_dpi};
use fanlight_contract::{Orientation, PixelFormat, Raster, Rect, RenderOptions};

/// Points per inch.
const INCH: f32 = 72.0;

/// A grey picture of a part of a page, from which the inputs of networks are cut at any scale.
///
/// A page is rendered once, and each input is resampled from the picture by area averaging.
///
/// ```
/// use fanlight_plugin::picture::Picture;
/// use fanlight_plugin::vocabulary::{PixelFormat, Raster, Rect};
///
/// // A picture of 8 x 4 pixels, black in its right half, that shows 4 x 2 points.
/// let bytes: Vec<u8> = (0..32).map(|at| if at % 8 < 4 { 255 } else { 0 }).collect();
/// let raster = Raster::from_bytes(8, 4, PixelFormat::Grey, &bytes);
/// let picture = Picture::new(&raster, Rect { x1: 0.0, y1: 0.0, x2: 4.0, y2: 2.0 });
/// // Four cells in a row over its upper half. The last one lies outside the picture by half.
/// let input = picture.input(Rect { x1: 0.5, y1: 1.0, x2: 4.5, y2: 2.0 }, 4, 1);
/// assert_eq!(input, [0.0, 0.5, 1.0, 0.5]);
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    /// The picture, then itself at a half of its scale, at a quarter, and so on.
    levels: Vec<Level>,
    region: Rect,
}

/// The pixels of a picture at one scale.
#[derive(Clone, Debug)]
struct Level {
    /// Rows from the top; 0 is white, 255 black.
    darkness: Vec<u8>,
    width: usize,
    height: usize,
    /// How many pixels of the whole picture one is wide and high.
    reduction: f32,
}

/// An input is resampled from the coarsest level whose pixels are no larger than this share of its cells.
const FINE_ENOUGH: f32 = 0.25;

impl Picture {
    /// Renders a region of a page in user space, or its whole crop box, at `dpi` pixels per inch. The resolution is
    /// reduced where the picture would have more than `max_pixels`. A pixel takes 1.4 bytes of memory, and eight
    /// more while it is rendered.
    ///
    /// Returns `None` if the region cannot be rendered.
    ///
    /// ```no_run
    /// use fanlight_plugin::{JobPage, picture::Picture, picture::tiles};
    ///
    /// fn inputs(page: &JobPage<'_>) -> Vec<Vec<f32>> {
    ///     let Some(picture) = Picture::render(&page.content, None, 150.0, 16_000_000) else { return Vec::new() };
    ///     let tiles = tiles(picture.region(), 250.0, 50.0);
    ///     tiles.into_iter().map(|tile| picture.input(tile, 512, 512)).collect()
    /// }
    /// ```
    pub fn render(page: &impl Readable, region: Option<Rect>, dpi: f32, max_pixels: u32) -> Option<Self> {
        let geometry = page.geometry();
        let region = region.unwrap_or(geometry.crop_box);
        let options = RenderOptions {
            dpi: finest_dpi(region, &geometry, max_pixels as f32, dpi),
            region: Some(region),
            format: PixelFormat::Grey,
            orientation: Orientation::UserSpace,
        };
        let raster = page.render(&options)?;
        // The engine shows whole pixels, so the last ones reach beyond the region.
        let points_per_pixel = INCH / options.dpi;
        let x2 = region.x1 + raster.width as f32 * points_per_pixel;
        let y1 = region.y2 - raster.height as f32 * points_per_pixel;
        Some(Self::new(&raster, Rect { x2, y1, ..region }))
    }

    /// Creates a picture from a raster that shows `region` of user space upright. Colors become the mean of their
    /// channels; missing pixels are white.
    pub fn new(raster: &Raster, region: Rect) -> Self {
        let (width, height) = (raster.width as usize, raster.height as usize);
        let mut darkness: Vec<u8> = match raster.format {
            PixelFormat::Grey => raster.bytes().iter().map(|grey| 255 - grey).collect(),
            PixelFormat::Rgb => raster.bytes().as_chunks().0.iter().map(|&pixel| 255 - mean(pixel)).collect(),
        };
        darkness.resize(width * height, 0);
        let mut levels = vec![Level { darkness, width, height, reduction: 1.0 }];
        while let Some(next) = levels.last().and_then(Level::halved) {
            levels.push(next);
        }
        Self { levels, region }
    }

    /// Returns the part of the page that it shows, in user space. It ends with a whole pixel, so it can reach beyond what
    /// was asked for by less than a pixel.
    ///
    /// ```
    /// use fanlight_plugin::picture::Picture;
    /// use fanlight_plugin::vocabulary::{PixelFormat, Raster, Rect};
    ///
    /// let raster = Raster::from_bytes(2, 2, PixelFormat::Grey, &[255; 4]);
    /// let region = Rect { x1: 10.0, y1: 20.0, x2: 11.0, y2: 21.0 };
    /// assert_eq!(Picture::new(&raster, region).region(), region);
    /// ```
    pub fn region(&self) -> Rect {
        self.region
    }

    /// Returns the darkness of `columns` by `rows` cells that divide `window` (user space), in rows from the top: 0 is
    /// white and 1 black. What lies outside the picture is white.
    ///
    /// The window may be stretched: its cells need not be square. The time it takes grows with the number of cells, and
    /// hardly with the size of the window.
    pub fn input(&self, window: Rect, columns: usize, rows: usize) -> Vec<f32> {
        let Some(whole) = self.levels.first() else { return vec![0.0; columns * rows] };
        let scale = whole.width as f32 / (self.region.x2 - self.region.x1);
        let cell = ((window.x2 - window.x1) / columns as f32).min((window.y2 - window.y1) / rows as f32) * scale;
        let is_fine_enough = |level: &&Level| level.reduction <= FINE_ENOUGH * cell;
        let level = self.levels.iter().rev().find(is_fine_enough).unwrap_or(whole);
        let scale = scale / level.reduction;
        let (left, top) = ((window.x1 - self.region.x1) * scale, (self.region.y2 - window.y2) * scale);
        let (right, bottom) = ((window.x2 - self.region.x1) * scale, (self.region.y2 - window.y1) * scale);
        level.input((left, right), (top, bottom), columns, rows)
    }
}

impl Level {
    /// Returns the same picture at half the scale. `None` if it has one pixel or none.
    fn halved(&self) -> Option<Self> {
        if self.darkness.len() <= 1 {
            return None;
        }
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let mut darkness = Vec::with_capacity(width * height);
        for two in self.darkness.chunks(2 * self.width) {
            let (upper, lower) = two.split_at(self.width);
            for column in 0..width {
                let pixels =
                    [(upper, 2 * column), (upper, 2 * column + 1), (lower, 2 * column), (lower, 2 * column + 1)];
                let sum: u32 = pixels.iter().map(|&(row, at)| row.get(at).map_or(0, |&dark| u32::from(dark))).sum();
                darkness.push((sum / 4) as u8);
            }
        }
        Some(Self { darkness, width, height, reduction: 2.0 * self.reduction })
    }

    /// Returns the darkness of the cells of a window from `x.0` to `x.1` and from `y.0` to `y.1`, in pixels from the upper
    /// left corner. It is white if it has no extent.
    fn input(&self, x: (f32, f32), y: (f32, f32), columns: usize, rows: usize) -> Vec<f32> {
        let mut cells = vec![0.0; columns * rows];
        let (Some(columns), Some(rows)) = (spans(x, columns, self.width), spans(y, rows, self.height)) else {
            return cells;
        };
        for (cells, down) in cells.chunks_mut(columns.len()).zip(&rows) {
            for (row, high) in down.shares() {
                let Some(line) = self.darkness.get(row * self.width..(row + 1) * self.width) else { continue };
                for (cell, across) in cells.iter_mut().zip(&columns) {
                    let dark: f32 = across
                        .shares()
                        .map(|(column, wide)| wide * line.get(column).map_or(0.0, |&dark| f32::from(dark)))
                        .sum();
                    *cell += high * dark / 255.0;
                }
            }
        }
        cells
    }
}

/// Returns the mean of a pixel's channels.
fn mean(pixel: [u8; 3]) -> u8 {
    (pixel.iter().map(|&channel| u32::from(channel)).sum::<u32>() / 3) as u8
}

/// The pixels along one axis that a cell covers.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// In pixels, within the picture.
    from: f32,
    to: f32,
    /// The length of the cell in pixels, what lies outside the picture included.
    length: f32,
}

impl Span {
    /// Returns the pixels that the cell covers, each with its share of the cell.
    fn shares(self) -> impl Iterator<Item = (usize, f32)> {
        let Self { from, to, length } = self;
        let pixels = if to > from { from as usize..to.ceil() as usize } else { 0..0 };
        pixels.map(move |pixel| (pixel, (to.min(pixel as f32 + 1.0) - from.max(pixel as f32)) / length))
    }
}

/// Divides an interval, in pixels from the edge of a picture that has `pixels`, into `count` cells.
///
/// Returns `None` if the interval has no extent.
fn spans((start, end): (f32, f32), count: usize, pixels: usize) -> Option<Vec<Span>> {
    let length = (end - start) / count as f32;
    if !(length > 0.0 && length.is_finite() && start.is_finite()) {
        return None;
    }
    let starts = (0..count).map(|cell| start + cell as f32 * length);
    Some(starts.map(|from| Span { from: from.max(0.0), to: (from + length).min(pixels as f32), length }).collect())
}

/// Returns squares of `side` points that cover `region`, row by row from the top left. Neighbors overlap by `overlap`
/// points: give at least the size of what a network is to detect, so that each lies in one tile as a whole.
///
/// There are none if `region` has no extent, or if `overlap` is not less than `side`.
///
/// ```
/// use fanlight_plugin::picture::tiles;
/// use fanlight_plugin::vocabulary::Rect;
///
/// let page = Rect { x1: 0.0, y1: 0.0, x2: 612.0, y2: 792.0 };
/// let tiles = tiles(page, 400.0, 100.0);
/// assert_eq!(tiles.len(), 6);
/// assert_eq!((tiles[0].x1, tiles[0].y1, tiles[0].x2, tiles[0].y2), (0.0, 392.0, 400.0, 792.0));
/// assert_eq!((tiles[1].x1, tiles[2].y2), (300.0, 492.0));
/// ```
pub fn tiles(region: Rect, side: f32, overlap: f32) -> Vec<Rect> {
    let step = side - overlap;
    let (width, height) = (region.x2 - region.x1, region.y2 - region.y1);
    if !(step > 0.0 && width > 0.0 && height > 0.0) {
        return Vec::new();
    }
    let [columns, rows] = [width, height].map(|extent| ((extent - overlap) / step).ceil().max(1.0) as u32);
    let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (column as f32 * step, row as f32 * step)));
    places
        .map(|(right, down)| {
            let (x1, y2) = (region.x1 + right, region.y2 - down);
            Rect { x1, y1: y2 - side, x2: x1 + side, y2 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: Rect = Rect { x1: 100.0, y1: 30.0, x2: 120.0, y2: 50.0 };

    /// A picture of 40 x 40 pixels at 2 pixels per point, with a black square of 5 points at its upper left corner.
    fn picture() -> Picture {
        let bytes: Vec<u8> = (0..1600).map(|at| if at % 40 < 10 && at / 40 < 10 { 0 } else { 255 }).collect();
        Picture::new(&Raster::from_bytes(40, 40, PixelFormat::Grey, &bytes), REGION)
    }

    #[test]
    fn the_same_ink_is_seen_at_every_scale() {
        let window = Rect { x1: 95.0, y1: 25.0, x2: 125.0, y2: 55.0 };
        for cells in [7, 30, 60, 200] {
            let input = picture().input(window, cells, cells);
            let ink = input.iter().sum::<f32>() * 900.0 / (cells * cells) as f32;
            assert!((ink - 25.0).abs() < 0.1, "{cells}: {ink}");
        }
        let input = picture().input(window, 30, 30);
        let cell = |x: usize, y: usize| input[y * 30 + x];
        assert_eq!((cell(4, 4), cell(5, 5), cell(9, 9), cell(10, 9)), (0.0, 1.0, 1.0, 0.0));
    }

    #[test]
    fn a_window_without_extent_or_outside_the_picture_is_white() {
        let windows = [
            Rect { x1: 105.0, y1: 40.0, x2: 105.0, y2: 45.0 },
            Rect { x1: f32::NAN, y1: 40.0, x2: 105.0, y2: 45.0 },
            Rect { x1: 500.0, y1: 500.0, x2: 505.0, y2: 505.0 },
        ];
        for window in windows {
            assert_eq!(picture().input(window, 2, 2), [0.0; 4], "{window:?}");
        }
    }

    #[test]
    fn missing_pixels_are_white_and_colors_their_mean() {
        let raster = Raster::from_bytes(2, 1, PixelFormat::Rgb, &[0, 0, 0, 30, 60, 165]);
        let picture = Picture::new(&raster, REGION);
        assert_eq!(picture.levels[0].darkness, [255, 170]);
        let short = Raster { words: Vec::new(), ..raster };
        assert_eq!(Picture::new(&short, REGION).levels[0].darkness, [0, 0]);
    }

    #[test]
    fn tiles_cover_a_region_and_overlap() {
        assert_eq!(tiles(REGION, 50.0, 10.0).len(), 1);
        let nine = tiles(REGION, 8.0, 2.0);
        assert_eq!(nine.len(), 9);
        assert!(nine[8].x2 >= REGION.x2 && nine[8].y1 <= REGION.y1);
        assert!(tiles(REGION, 8.0, 8.0).is_empty());
        assert!(tiles(REGION, f32::NAN, 2.0).is_empty());
    }
}
