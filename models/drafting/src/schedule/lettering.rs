//! Lettering with single strokes: a CAD program's stroke font, and the same letters drawn by hand.

use crate::chance::Chance;

/// A stroke as points, in points: x to the right and y up from the left end of the baseline.
pub(super) type Stroke = Vec<(f32, f32)>;

/// Letters by their strokes. Points are two digits: x from 0 to 4, and y from 0 to 6, the height of
/// capitals.
const LETTERS: &[(char, &str)] = &[
    ('A', "00 26 40|12 32"),
    ('B', "00 06 36 45 44 33 03|33 42 41 30 00"),
    ('C', "45 36 16 05 01 10 30 41"),
    ('D', "00 06 26 44 42 20 00"),
    ('E', "46 06 00 40|03 33"),
    ('F', "46 06 00|03 33"),
    ('G', "45 36 16 05 01 10 30 41 43 23"),
    ('H', "00 06|40 46|03 43"),
    ('I', "00 06"),
    ('J', "36 31 20 10 01"),
    ('K', "00 06|46 02|13 40"),
    ('L', "06 00 40"),
    ('M', "00 06 23 46 40"),
    ('N', "00 06 40 46"),
    ('O', "10 30 41 45 36 16 05 01 10"),
    ('P', "00 06 36 45 44 33 03"),
    ('Q', "10 30 41 45 36 16 05 01 10|22 40"),
    ('R', "00 06 36 45 44 33 03|23 40"),
    ('S', "45 36 16 05 04 13 33 42 41 30 10 01"),
    ('T', "06 46|26 20"),
    ('U', "06 01 10 30 41 46"),
    ('V', "06 20 46"),
    ('W', "06 10 24 30 46"),
    ('X', "00 46|06 40"),
    ('Y', "06 23 46|23 20"),
    ('Z', "06 46 00 40"),
    ('0', "10 20 31 35 26 16 05 01 10"),
    ('1', "05 16 10"),
    ('2', "05 16 36 45 44 00 40"),
    ('3', "05 16 36 45 44 33 13|33 42 41 30 10 01"),
    ('4', "30 36 02 42"),
    ('5', "46 06 04 34 43 41 30 10 01"),
    ('6', "45 36 16 05 01 10 30 41 42 33 13 02"),
    ('7', "06 46 10"),
    ('8', "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33"),
    ('9', "01 10 30 41 45 36 16 05 04 13 33 44"),
    ('-', "03 33"),
    ('+', "03 43|21 25"),
    ('/', "00 46"),
    ('.', "00 01"),
    (',', "11 00"),
    ('\'', "06 04"),
    ('"', "06 04|26 24"),
    ('&', "40 04 05 16 25 24 02 01 10 20 42"),
    ('#', "10 16|30 36|02 42|04 44"),
    ('(', "16 04 02 10"),
    (')', "06 14 12 00"),
    (':', "01 02|04 05"),
];

/// The gap between letters, in units of the letters.
const GAP: f32 = 2.0;
/// The width of a space, in units of the letters.
const SPACE: f32 = 3.0;
/// The height of a capital in these units.
const CAPITAL: f32 = 6.0;
/// The deviation of a hand in hundredths of these units: of a letter's place, and of its points.
const OFF: (u32, u32) = (35, 22);
/// The deviation of a letter's height drawn by hand, in percent.
const TALLER: u32 = 8;
/// The slant of hand lettering.
const LEAN: f32 = 0.18;

/// Returns the strokes of a line of capitals `height` points high and `width` wide. Letters without
/// strokes are left out. With a `hand`, each letter differs a little.
pub(super) fn strokes(words: &str, height: f32, width: f32, mut hand: Option<&mut Chance>) -> Vec<Stroke> {
    let mut placed: Vec<(f32, &str)> = Vec::new();
    let mut along = 0.0;
    for letter in words.chars().flat_map(char::to_uppercase) {
        let Some((_, drawn)) = LETTERS.iter().find(|(own, _)| *own == letter) else {
            along += SPACE;
            continue;
        };
        placed.push((along, drawn));
        along += points(drawn).map(|point| point.0).fold(0.0, f32::max) + GAP;
    }
    let (wide, tall) = (width / (along - GAP).max(1.0), height / CAPITAL);
    let mut strokes = Vec::new();
    for (left, drawn) in placed {
        let mut off = |most: u32| hand.as_mut().map_or(0.0, |hand| hand.between(0, 2 * most) as f32 - most as f32);
        let (dx, dy) = (off(OFF.0) / 100.0, off(OFF.0) / 100.0);
        let taller = 1.0 + off(TALLER) / 100.0;
        for part in drawn.split('|') {
            let stroke = points(part).map(|(x, y)| {
                let (x, y) = (x + dx + off(OFF.1) / 100.0, y * taller + dy + off(OFF.1) / 100.0);
                (left + x, y)
            });
            let stroke: Vec<(f32, f32)> = stroke.collect();
            strokes.push(stroke);
        }
    }
    let lean = if hand.is_some() { LEAN } else { 0.0 };
    for point in strokes.iter_mut().flatten() {
        *point = (point.0 * wide + lean * point.1 * tall, point.1 * tall);
    }
    strokes
}

fn points(drawn: &str) -> impl Iterator<Item = (f32, f32)> {
    drawn.split([' ', '|']).filter_map(|point| {
        let mut digits = point.chars().filter_map(|digit| digit.to_digit(10)).map(|digit| digit as f32);
        digits.next().zip(digits.next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_and_high_as_it_is_asked_for() {
        let all: Vec<(f32, f32)> = strokes("DOOR & FRAME", 6.0, 80.0, None).into_iter().flatten().collect();
        let (right, top) = all.iter().fold((0.0_f32, 0.0_f32), |(x, y), point| (x.max(point.0), y.max(point.1)));
        assert!((right - 80.0).abs() < 0.01 && (top - 6.0).abs() < 0.01, "{right} {top}");
    }

    #[test]
    fn every_letter_is_drawn_of_points_on_its_grid() {
        for (letter, drawn) in LETTERS {
            for part in drawn.split('|') {
                assert_eq!(points(part).count(), part.split(' ').count(), "{letter}");
                assert!(points(part).count() > 1 && points(part).all(|(x, y)| x <= 4.0 && y <= CAPITAL), "{letter}");
            }
        }
    }
}
