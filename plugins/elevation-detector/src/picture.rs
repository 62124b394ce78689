//! The line segments of a scanned page, as a drawn page gives them.

use fanlight_contract::{Raster, Rect};
use fanlight_geometry::{MAX_SEGMENTS, Segment};
use fanlight_raster::{GreyImage, small_components};

/// The deskewed image of a page and its foreground mask.
pub(crate) struct Scan {
    pub(crate) picture: GreyImage,
    /// The foreground mask: rows of the picture's width from the top, dust left out.
    pub(crate) foreground: Vec<bool>,
    /// Points a pixel.
    pub(crate) scale: f32,
    /// Skew before deskewing, as pixels down per pixel to the right.
    skew: f32,
}

/// Minimum length of a horizontal or vertical run of foreground that is a stroke, in points; shorter ones belong to slanted
/// strokes and letters.
const STROKE: f32 = 4.0;
/// Maximum length of a break in a stroke that paper grain or binarization made, in points.
const BREAK: f32 = 1.0;
/// Maximum side of a connected component that is dust, in points.
const DUST: f32 = 1.3;

impl Scan {
    /// Deskews and binarizes an image whose pixels are `scale` points wide.
    pub(crate) fn new(raster: &Raster, scale: f32) -> Self {
        let picture = GreyImage::from_raster(raster);
        let skew = picture.skew();
        let picture = if skew == 0.0 { picture } else { picture.deskewed(skew) };
        let mut foreground = picture.binarized();
        clear_dust(&mut foreground, picture.width, (DUST / scale).ceil() as usize);
        Self { picture, foreground, scale, skew }
    }

    /// Returns its foreground as segments in points: long runs along rows and columns, then short runs of what is left.
    pub(crate) fn segments(&self) -> Vec<Segment> {
        let (width, height) = (self.picture.width, self.picture.height);
        let shortest = (STROKE / self.scale).ceil() as usize;
        let gap = (BREAK / self.scale).round() as usize;
        let mut segments = Vec::new();
        let mut covered = vec![false; self.foreground.len()];
        let mut take = |lanes: usize, length: usize, index: &dyn Fn(usize, usize) -> usize, horizontal: bool| {
            for lane in 0..lanes {
                let is_foreground = |along: usize| self.foreground.get(index(lane, along)).copied().unwrap_or_default();
                for (from, to) in
                    runs(length, gap, is_foreground).into_iter().filter(|(from, to)| to - from >= shortest)
                {
                    for along in from..to {
                        if let Some(cell) = covered.get_mut(index(lane, along)) {
                            *cell = true;
                        }
                    }
                    let (at, from, to) = (lane as f32 + 0.5, from as f32, to as f32);
                    let ends = if horizontal { ((from, at), (to, at)) } else { ((at, from), (at, to)) };
                    segments.push(self.segment(ends.0, ends.1));
                }
            }
        };
        take(height, width, &|row, column| row * width + column, true);
        take(width, height, &|column, row| row * width + column, false);
        for row in 0..height {
            let is_left = |column: usize| {
                let index = row * width + column;
                self.foreground.get(index).copied().unwrap_or_default()
                    && !covered.get(index).copied().unwrap_or_default()
            };
            for (from, to) in runs(width, 0, is_left) {
                let at = row as f32 + 0.5;
                segments.push(self.segment((from as f32, at), (to as f32, at)));
            }
            if segments.len() >= MAX_SEGMENTS {
                break;
            }
        }
        segments
    }

    fn segment(&self, from: (f32, f32), to: (f32, f32)) -> Segment {
        let place = |(x, y): (f32, f32)| (x * self.scale, y * self.scale);
        let (from, to) = (place(from), place(to));
        Segment { from, to, width: self.scale, filled: false, dashed: false, curved: false, path: 0 }
    }

    /// Returns the upright box, in points of the page before deskewing, around a box of the deskewed page.
    pub(crate) fn as_scanned(&self, bbox: Rect) -> Rect {
        let (cx, cy) = (self.picture.width as f32 * self.scale / 2.0, self.picture.height as f32 * self.scale / 2.0);
        let place = |(x, y): (f32, f32)| (x - self.skew * (y - cy), y + self.skew * (x - cx));
        // The sides of a view's box are lines along the axes, so each side moves with its midpoint.
        let (x, y) = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
        Rect {
            x1: place((bbox.x1, y)).0,
            y1: place((x, bbox.y1)).1,
            x2: place((bbox.x2, y)).0,
            y2: place((x, bbox.y2)).1,
        }
    }
}

/// Returns the runs, as start and end, of positions below `length` that satisfy `holds`; gaps of up to `gap` are bridged.
fn runs(length: usize, gap: usize, holds: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in (0..length).filter(|&at| holds(at)) {
        match runs.last_mut() {
            Some((_, to)) if at - *to <= gap => *to = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

/// Clears the connected components of at most `max_side` pixels a side.
fn clear_dust(foreground: &mut [bool], width: usize, max_side: usize) {
    for component in small_components(foreground, width, max_side) {
        for y in component.top..=component.bottom {
            if let Some(row) = foreground.get_mut(y * width + component.left..=y * width + component.right) {
                row.fill(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanlight_contract::PixelFormat;

    const WIDTH: usize = 400;
    const HEIGHT: usize = 300;

    /// Black boxes on white paper: left, top, width, height.
    fn scan(marks: &[(usize, usize, usize, usize)]) -> Scan {
        let mut pixels = vec![255; WIDTH * HEIGHT];
        for &(x, y, wide, high) in marks {
            for row in y..y + high {
                pixels[row * WIDTH + x..row * WIDTH + x + wide].fill(0);
            }
        }
        Scan::new(&Raster::from_bytes(WIDTH as u32, HEIGHT as u32, PixelFormat::Grey, &pixels), 0.5)
    }

    #[test]
    fn long_runs_become_strokes_and_dust_is_dropped() {
        let segments = scan(&[(50, 100, 200, 1), (300, 20, 1, 80), (350, 200, 5, 5), (10, 10, 2, 2)]).segments();
        let level: Vec<_> =
            segments.iter().filter(|segment| segment.is_horizontal() && segment.length() > 50.0).collect();
        let plumb: Vec<_> =
            segments.iter().filter(|segment| segment.is_vertical() && segment.length() > 30.0).collect();
        assert_eq!((level.len(), plumb.len()), (1, 1), "{segments:?}");
        assert_eq!((level[0].from, level[0].to), ((25.0, 50.25), (125.0, 50.25)));
        assert_eq!(segments.iter().filter(|segment| segment.from.0 > 170.0).count(), 5, "{segments:?}");
        assert!(segments.iter().all(|segment| segment.from.0 > 10.0));
    }

    #[test]
    fn boxes_go_back_to_where_they_were_scanned() {
        // A line that falls by 4 pixels over 300: four steps of 75.
        let askew: Vec<_> = (0..4).flat_map(|step| [40, 150, 250].map(|y| (50 + step * 75, y + step, 75, 1))).collect();
        let scan = scan(&askew);
        assert!(scan.skew > 0.008 && scan.skew < 0.015, "{}", scan.skew);
        let level = scan.as_scanned(Rect { x1: 150.0, y1: 20.0, x2: 180.0, y2: 130.0 });
        assert!((level.y1 - 20.0 - scan.skew * 65.0).abs() < 0.01, "{level:?}");
    }
}
