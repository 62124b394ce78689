//! A page that is a picture, as what a drawn one gives: straight pieces.

use fanlight_contract::{Raster, Rect};
use fanlight_geometry::{MOST_PIECES, Piece};
use fanlight_tables::Picture;

/// A page's picture, levelled, and its ink.
pub(crate) struct Scan {
    pub(crate) picture: Picture,
    pub(crate) ink: Vec<bool>,
    /// Points a pixel.
    pub(crate) scale: f32,
    /// How much its lines rose before it was levelled, in pixels a pixel.
    slope: f32,
}

/// Runs of ink this long are strokes along an axis, in points; shorter ones are bits of slanted strokes and letters.
const STROKE: f32 = 4.0;
/// Breaks in a stroke that the paper's grain or a threshold made, in points.
const BREAK: f32 = 1.0;
/// A piece of ink that fits in a square of this side is dust, in points.
const DUST: f32 = 1.3;

impl Scan {
    /// Levels a picture that has so many points a pixel.
    pub(crate) fn of(raster: &Raster, scale: f32) -> Self {
        let picture = Picture::of(raster);
        let slope = picture.slope();
        let picture = if slope == 0.0 { picture } else { picture.levelled(slope) };
        let mut ink = picture.ink();
        clear_dust(&mut ink, picture.width, (DUST / scale).ceil() as usize);
        Self { picture, ink, scale, slope }
    }

    /// Its ink as pieces in points: runs along rows and columns, and what is left bit by bit.
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let (width, height) = (self.picture.width, self.picture.height);
        let shortest = (STROKE / self.scale).ceil() as usize;
        let gap = (BREAK / self.scale).round() as usize;
        let mut pieces = Vec::new();
        let mut covered = vec![false; self.ink.len()];
        let mut take = |lanes: usize, length: usize, index: &dyn Fn(usize, usize) -> usize, level: bool| {
            for lane in 0..lanes {
                let is_ink = |along: usize| self.ink.get(index(lane, along)).copied().unwrap_or_default();
                for (from, to) in runs(length, gap, is_ink).into_iter().filter(|(from, to)| to - from >= shortest) {
                    for along in from..to {
                        if let Some(cell) = covered.get_mut(index(lane, along)) {
                            *cell = true;
                        }
                    }
                    let (at, from, to) = (lane as f32 + 0.5, from as f32, to as f32);
                    let ends = if level { ((from, at), (to, at)) } else { ((at, from), (at, to)) };
                    pieces.push(self.piece(ends.0, ends.1));
                }
            }
        };
        take(height, width, &|row, column| row * width + column, true);
        take(width, height, &|column, row| row * width + column, false);
        for row in 0..height {
            let is_left = |column: usize| {
                let index = row * width + column;
                self.ink.get(index).copied().unwrap_or_default() && !covered.get(index).copied().unwrap_or_default()
            };
            for (from, to) in runs(width, 0, is_left) {
                let at = row as f32 + 0.5;
                pieces.push(self.piece((from as f32, at), (to as f32, at)));
            }
            if pieces.len() >= MOST_PIECES {
                break;
            }
        }
        pieces
    }

    fn piece(&self, from: (f32, f32), to: (f32, f32)) -> Piece {
        let place = |(x, y): (f32, f32)| (x * self.scale, y * self.scale);
        let (from, to) = (place(from), place(to));
        Piece { from, to, width: self.scale, filled: false, dashed: false, curved: false, path: 0 }
    }

    /// A box in points as it lies on the page that was not levelled: the upright box around it.
    pub(crate) fn as_scanned(&self, bbox: Rect) -> Rect {
        let (cx, cy) = (self.picture.width as f32 * self.scale / 2.0, self.picture.height as f32 * self.scale / 2.0);
        let place = |(x, y): (f32, f32)| (x - self.slope * (y - cy), y + self.slope * (x - cx));
        // The boxes of views are of lines along the axes: each side goes where its middle goes.
        let (x, y) = (f32::midpoint(bbox.x1, bbox.x2), f32::midpoint(bbox.y1, bbox.y2));
        Rect {
            x1: place((bbox.x1, y)).0,
            y1: place((x, bbox.y1)).1,
            x2: place((bbox.x2, y)).0,
            y2: place((x, bbox.y2)).1,
        }
    }
}

/// Runs of what holds along a line of so many pixels, breaks of up to `gap` bridged: from, to.
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

/// A connected piece of ink: the box of its pixels, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blot {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

impl Blot {
    pub(crate) fn wide(&self) -> usize {
        self.right - self.left + 1
    }

    pub(crate) fn tall(&self) -> usize {
        self.bottom - self.top + 1
    }

    /// The row of pixels half way down.
    pub(crate) fn middle(&self) -> usize {
        self.top.midpoint(self.bottom)
    }
}

/// Every connected piece of ink (8 neighbours) that is no larger than so many pixels a side.
pub(crate) fn blots(ink: &[bool], width: usize, largest: usize) -> Vec<Blot> {
    let mut left = ink.to_vec();
    let height = ink.len() / width.max(1);
    let mut found = Vec::new();
    let mut waiting = Vec::new();
    for start in 0..left.len() {
        if !std::mem::take(&mut left[start]) {
            continue;
        }
        waiting.push(start);
        let mut blot = Blot { left: width, top: height, right: 0, bottom: 0 };
        while let Some(at) = waiting.pop() {
            let (x, y) = (at % width, at / width);
            blot = Blot {
                left: blot.left.min(x),
                top: blot.top.min(y),
                right: blot.right.max(x),
                bottom: blot.bottom.max(y),
            };
            for next_y in y.saturating_sub(1)..(y + 2).min(height) {
                for next_x in x.saturating_sub(1)..(x + 2).min(width) {
                    let next = next_y * width + next_x;
                    if std::mem::take(&mut left[next]) {
                        waiting.push(next);
                    }
                }
            }
        }
        if blot.wide() <= largest && blot.tall() <= largest {
            found.push(blot);
        }
    }
    found
}

/// Takes out pieces of ink of no more than so many pixels a side.
fn clear_dust(ink: &mut [bool], width: usize, largest: usize) {
    for blot in blots(ink, width, largest) {
        for y in blot.top..=blot.bottom {
            if let Some(row) = ink.get_mut(y * width + blot.left..=y * width + blot.right) {
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
        Scan::of(&Raster::from_bytes(WIDTH as u32, HEIGHT as u32, PixelFormat::Grey, &pixels), 0.5)
    }

    #[test]
    fn lines_become_strokes_bits_stay_bits_and_dust_goes() {
        let pieces = scan(&[(50, 100, 200, 1), (300, 20, 1, 80), (350, 200, 5, 5), (10, 10, 2, 2)]).pieces();
        let level: Vec<_> = pieces.iter().filter(|piece| piece.is_level() && piece.length() > 50.0).collect();
        let plumb: Vec<_> = pieces.iter().filter(|piece| piece.is_plumb() && piece.length() > 30.0).collect();
        assert_eq!((level.len(), plumb.len()), (1, 1), "{pieces:?}");
        assert_eq!((level[0].from, level[0].to), ((25.0, 50.25), (125.0, 50.25)));
        assert_eq!(pieces.iter().filter(|piece| piece.from.0 > 170.0).count(), 5, "{pieces:?}");
        assert!(pieces.iter().all(|piece| piece.from.0 > 10.0));
    }

    #[test]
    fn boxes_go_back_to_where_they_were_scanned() {
        // A line that falls by 4 pixels over 300: four steps of 75.
        let askew: Vec<_> = (0..4).flat_map(|step| [40, 150, 250].map(|y| (50 + step * 75, y + step, 75, 1))).collect();
        let scan = scan(&askew);
        assert!(scan.slope > 0.008 && scan.slope < 0.015, "{}", scan.slope);
        let level = scan.as_scanned(Rect { x1: 150.0, y1: 20.0, x2: 180.0, y2: 130.0 });
        assert!((level.y1 - 20.0 - scan.slope * 65.0).abs() < 0.01, "{level:?}");
    }
}
