//! Takes leaders out of a picture: OCR reads a row of dots as letters, and runs them into the words beside it.

use crate::picture::{Picture, Speck};

/// Dots of one leader lie at most so far apart, in pixels at 300 dpi, centre to centre: printers space them by up to two
/// ems.
const WIDEST_GAP: f32 = 100.0;
/// Fewer dots than this in a row may be an ellipsis or initials.
const FEWEST: usize = 5;
/// Dots of one row stand level to within so many pixels from one to the next.
const LEVEL: f32 = 3.5;

/// Grey that blur leaves around a dot, in pixels: OCR reads rows of it as letters.
const HALO: usize = 3;

/// Paints rows of evenly spaced dots white; `dots` are all small specks.
pub(crate) fn remove(picture: &mut Picture, dots: &[Speck]) {
    for dot in rows(dots.iter().copied().filter(Speck::is_round).collect()).into_iter().flatten() {
        picture.erase(dot.grown(HALO));
    }
}

/// Dots that stand in rows, evenly spaced: each gap is within a quarter of the row's median.
fn rows(mut dots: Vec<Speck>) -> Vec<Vec<Speck>> {
    dots.sort_by_key(|dot| dot.left);
    let mut open: Vec<Vec<Speck>> = Vec::new();
    let mut done: Vec<Vec<Speck>> = Vec::new();
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

fn last(row: &[Speck]) -> (f32, f32) {
    row.last().map_or((f32::MIN, f32::MIN), Speck::middle)
}

fn evenly_spaced(row: &[Speck]) -> bool {
    let mut gaps: Vec<f32> = row.windows(2).map(|pair| pair[1].middle().0 - pair[0].middle().0).collect();
    gaps.sort_by(f32::total_cmp);
    let median = gaps[gaps.len() / 2];
    let even = gaps.iter().filter(|gap| (*gap - median).abs() <= 0.25 * median + 1.0).count();
    even * 4 >= gaps.len() * 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::{Mark, drawn, ink};

    fn left_of(marks: &[Mark]) -> usize {
        let mut picture = Picture::of(&drawn(marks)).unwrap();
        let dots = picture.specks(11);
        remove(&mut picture, &dots);
        ink(&picture.into_raster())
    }

    #[test]
    fn a_row_of_dots_goes_and_letters_stay() {
        let letter = (20, 20, 18, 30);
        let dots: Vec<_> = (0..12).map(|n| (60 + n * 20, 45 + n / 6, 5, 5)).collect();
        assert_eq!(left_of(&[dots.as_slice(), &[letter]].concat()), 18 * 30);
    }

    #[test]
    fn a_full_stop_an_ellipsis_and_strewn_dust_stay() {
        let cases: [&[Mark]; 3] = [
            &[(100, 45, 6, 6)],
            &[(100, 45, 6, 6), (112, 45, 6, 6), (124, 45, 6, 6)],
            &[(10, 5, 3, 3), (90, 40, 3, 3), (130, 12, 3, 3), (200, 50, 3, 3), (280, 30, 3, 3), (300, 7, 3, 3)],
        ];
        for marks in cases {
            assert_eq!(left_of(marks), ink(&drawn(marks)), "{marks:?}");
        }
    }
}
