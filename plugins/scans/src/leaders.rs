//! Takes leaders out of a picture: OCR reads a row of dots as letters, and runs them into the words beside it.

use fanlight_vocabulary::{PixelFormat, Raster};

/// Darker pixels are ink.
const INK: u8 = 140;
/// Larger specks than this are letters, in pixels a side at 300 dpi; a full stop of 12 pt type has some 7.
const LARGEST_DOT: usize = 11;
/// Dots of one leader lie at most so far apart, centre to centre: printers space them by up to two ems.
const WIDEST_GAP: f32 = 100.0;
/// Fewer dots than this in a row may be an ellipsis or initials.
const FEWEST: usize = 5;
/// Dots of one row stand level to within so many pixels from one to the next.
const LEVEL: f32 = 3.5;

/// Paints rows of evenly spaced dots white. Pictures of other formats than grey are left as they are.
pub fn clean(picture: &Raster) -> Raster {
    if picture.format != PixelFormat::Grey {
        return picture.clone();
    }
    let (width, height) = (picture.width as usize, picture.height as usize);
    let mut pixels = picture.bytes().to_vec();
    pixels.resize(width * height, u8::MAX);
    let dots = dots(&pixels, width, height);
    for row in rows(dots) {
        for dot in row {
            for y in dot.top.saturating_sub(1)..(dot.bottom + 2).min(height) {
                let line = &mut pixels[y * width..(y + 1) * width];
                let right = (dot.right + 2).min(width);
                line[dot.left.saturating_sub(1)..right].fill(u8::MAX);
            }
        }
    }
    Raster::from_bytes(picture.width, picture.height, PixelFormat::Grey, &pixels)
}

/// A speck of ink, its edges included, in pixels.
#[derive(Clone, Copy, Debug)]
struct Dot {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}

impl Dot {
    fn middle(&self) -> (f32, f32) {
        ((self.left + self.right) as f32 / 2.0, (self.top + self.bottom) as f32 / 2.0)
    }
}

/// Every connected piece of ink (8 neighbours) that is no larger than a dot and about as wide as high.
fn dots(pixels: &[u8], width: usize, height: usize) -> Vec<Dot> {
    let mut seen = vec![false; pixels.len()];
    let mut found = Vec::new();
    let mut pending = Vec::new();
    for start in 0..pixels.len() {
        if seen[start] || pixels[start] > INK {
            continue;
        }
        seen[start] = true;
        pending.push(start);
        let mut dot = Dot { left: width, top: height, right: 0, bottom: 0 };
        while let Some(at) = pending.pop() {
            let (x, y) = (at % width, at / width);
            dot.left = dot.left.min(x);
            dot.right = dot.right.max(x);
            dot.top = dot.top.min(y);
            dot.bottom = dot.bottom.max(y);
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    let next = ny * width + nx;
                    if !seen[next] && pixels[next] <= INK {
                        seen[next] = true;
                        pending.push(next);
                    }
                }
            }
        }
        let (wide, high) = (dot.right - dot.left + 1, dot.bottom - dot.top + 1);
        if wide <= LARGEST_DOT && high <= LARGEST_DOT && wide <= high * 2 && high <= wide * 2 {
            found.push(dot);
        }
    }
    found
}

/// Dots that stand in rows, evenly spaced: each gap is within a quarter of the row's median.
fn rows(mut dots: Vec<Dot>) -> Vec<Vec<Dot>> {
    dots.sort_by_key(|dot| dot.left);
    let mut open: Vec<Vec<Dot>> = Vec::new();
    let mut done: Vec<Vec<Dot>> = Vec::new();
    for dot in dots {
        let (x, y) = dot.middle();
        let (ended, going): (Vec<_>, Vec<_>) = open.into_iter().partition(|row| x - last(row).0 > WIDEST_GAP);
        done.extend(ended);
        open = going;
        let nearest = open
            .iter_mut()
            .filter(|row| (last(row).1 - y).abs() <= LEVEL && x - last(row).0 > 1.0)
            .min_by(|a, b| (last(a).1 - y).abs().total_cmp(&(last(b).1 - y).abs()));
        match nearest {
            Some(row) => row.push(dot),
            None => open.push(vec![dot]),
        }
    }
    done.extend(open);
    done.into_iter().filter(|row| row.len() >= FEWEST && evenly_spaced(row)).collect()
}

fn last(row: &[Dot]) -> (f32, f32) {
    row.last().map_or((f32::MIN, f32::MIN), Dot::middle)
}

fn evenly_spaced(row: &[Dot]) -> bool {
    let mut gaps: Vec<f32> = row.windows(2).map(|pair| pair[1].middle().0 - pair[0].middle().0).collect();
    gaps.sort_by(f32::total_cmp);
    let median = gaps[gaps.len() / 2];
    let even = gaps.iter().filter(|gap| (*gap - median).abs() <= 0.25 * median + 1.0).count();
    even * 4 >= gaps.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 400;
    const HEIGHT: usize = 60;

    fn picture(marks: &[(usize, usize, usize, usize)]) -> Raster {
        let mut pixels = vec![255; WIDTH * HEIGHT];
        for &(x, y, wide, high) in marks {
            for row in y..y + high {
                pixels[row * WIDTH + x..row * WIDTH + x + wide].fill(0);
            }
        }
        Raster::from_bytes(WIDTH as u32, HEIGHT as u32, PixelFormat::Grey, &pixels)
    }

    fn ink(raster: &Raster) -> usize {
        raster.bytes().iter().filter(|&&pixel| pixel < 128).count()
    }

    #[test]
    fn a_row_of_dots_goes_and_letters_stay() {
        let letter = (20, 20, 18, 30);
        let dots: Vec<_> = (0..12).map(|n| (60 + n * 20, 45 + n / 6, 5, 5)).collect();
        let cleaned = clean(&picture(&[dots.as_slice(), &[letter]].concat()));
        assert_eq!(ink(&cleaned), 18 * 30);
    }

    #[test]
    fn a_full_stop_an_ellipsis_and_strewn_dust_stay() {
        let cases: [&[(usize, usize, usize, usize)]; 3] = [
            &[(100, 45, 6, 6)],
            &[(100, 45, 6, 6), (112, 45, 6, 6), (124, 45, 6, 6)],
            &[(10, 5, 3, 3), (90, 40, 3, 3), (130, 12, 3, 3), (200, 50, 3, 3), (280, 30, 3, 3), (300, 7, 3, 3)],
        ];
        for marks in cases {
            let before = picture(marks);
            assert_eq!(ink(&clean(&before)), ink(&before), "{marks:?}");
        }
    }
}
