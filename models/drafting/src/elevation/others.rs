//! Drawings beside interior elevations that are none.

use super::canvas::Canvas;
use super::elsewhere;
use super::style::{Other, Style, Tongue};
use crate::chance::Chance;

/// Returns width and height in inches at a scale in points per inch. Drawings that are not to scale
/// have a fixed size on paper.
pub(super) fn size(other: Other, scale: f32) -> (f32, f32) {
    match other {
        Other::EnlargedPlan => (170.0, 130.0),
        Other::Section => (240.0, 150.0),
        Other::Exterior => (420.0, 230.0),
        Other::DoorTypes => (200.0, 90.0),
        Other::Detail => (190.0 / scale, 150.0 / scale),
        Other::Notes => (300.0 / scale, 190.0 / scale),
        Other::Table => (320.0 / scale, 160.0 / scale),
    }
}

/// Draws one within its [`size`].
pub(super) fn draw(canvas: &mut Canvas<'_, '_>, other: Other, style: &Style, chance: &mut Chance) {
    let (wide, high) = size(other, canvas.scale);
    match other {
        Other::EnlargedPlan if style.furnished => elsewhere::plan(canvas, wide, high, chance),
        Other::Section if style.furnished => elsewhere::section(canvas, wide, high, chance),
        Other::Exterior if style.furnished => elsewhere::front(canvas, wide, high, chance),
        Other::DoorTypes if style.furnished => elsewhere::types(canvas, wide, chance),
        Other::Detail if style.furnished => elsewhere::detail(canvas, wide, high, chance),
        Other::EnlargedPlan => plan(canvas, wide, high),
        Other::Section => section(canvas, wide, high),
        Other::Exterior => front(canvas, wide, high),
        Other::DoorTypes => doors(canvas, wide),
        Other::Detail => detail(canvas, wide, high, chance),
        Other::Notes => notes(canvas, high, style.tongue),
        Other::Table => table(canvas, wide, high, chance),
    }
}

/// Draws walls in poché with a door, a counter, a basin and a toilet, and marks that refer to the
/// elevations.
fn plan(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    let thick = 6.0;
    for [x, y, w, h] in [
        [0.0, 0.0, wide, thick],
        [0.0, high - thick, 0.6 * wide, thick],
        [0.6 * wide + 36.0, high - thick, 0.4 * wide - 36.0, thick],
        [0.0, 0.0, thick, high],
        [wide - thick, 0.0, thick, high],
        [0.45 * wide, 0.0, thick, 0.5 * high],
    ] {
        canvas.fill(x, y, w, h, 0.55);
        canvas.rect(x, y, w, h, 1.0);
    }
    let hinge = 0.6 * wide;
    canvas.line(hinge, high - thick, hinge, high - thick - 36.0, 0.6);
    canvas.quarter(hinge, high - thick, 36.0, 3, 0.3);
    canvas.rect(thick, thick, 24.0, 0.6 * high, 0.5);
    canvas.circle(0.45 * wide + 24.0, 24.0, 8.0, 0.4);
    canvas.rect(0.45 * wide + 14.0, 6.0, 20.0, 8.0, 0.4);
    canvas.rect(wide - 30.0, 20.0, 22.0, 18.0, 0.4);
    canvas.circle(wide - 19.0, 29.0, 7.0, 0.4);
    canvas.circle(0.3 * wide, 0.6 * high, 8.0, 0.6);
    for quadrant in 0..4 {
        let (dx, dy) = [(14.0, 0.0), (0.0, 14.0), (-14.0, 0.0), (0.0, -14.0)][quadrant];
        canvas.label(0.3 * wide + dx, 0.6 * high + dy - 2.0, 6.0, &(quadrant + 1).to_string());
    }
    canvas.dimension_x(0.0, wide, high, 18.0, "14'-2\"");
    canvas.label(0.7 * wide, 0.6 * high, 8.0, "101");
}

/// Draws cut slabs and walls, a pitched roof, and the levels of storeys at the side.
fn section(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    let eaves = 0.7 * high;
    for y in [-10.0, 0.45 * eaves] {
        canvas.fill(0.0, y, wide, 8.0, 0.4);
        canvas.rect(0.0, y, wide, 8.0, 0.8);
    }
    for x in [0.0, wide - 8.0, 0.4 * wide] {
        canvas.fill(x, 0.0, 8.0, eaves, 0.4);
        canvas.rect(x, 0.0, 8.0, eaves, 0.8);
    }
    canvas.line(-14.0, eaves - 4.0, wide / 2.0, high, 1.2);
    canvas.line(wide + 14.0, eaves - 4.0, wide / 2.0, high, 1.2);
    canvas.line(-14.0, eaves - 10.0, wide / 2.0, high - 8.0, 0.6);
    canvas.line(wide + 14.0, eaves - 10.0, wide / 2.0, high - 8.0, 0.6);
    for index in 0..24 {
        let x = -20.0 + index as f32 * (wide + 40.0) / 24.0;
        canvas.line(x, -10.0, x - 6.0, -18.0, 0.3);
    }
    canvas.line(-24.0, -10.0, wide + 24.0, -10.0, 1.6);
    levels(canvas, wide, &[-2.0, 0.45 * eaves + 8.0, eaves]);
}

/// Draws levels beside a building: a line with a mark and its height.
pub(super) fn levels(canvas: &mut Canvas<'_, '_>, wide: f32, heights: &[f32]) {
    for height in heights {
        canvas.dashed(wide + 16.0, *height, wide + 56.0, *height);
        canvas.circle(wide + 62.0, *height, 5.0, 0.5);
        canvas.label(wide + 42.0, height + 2.0, 6.0, &format!("+{}'-0\"", (height.max(0.0) / 12.0) as u32));
    }
}

/// Draws siding, windows, a gable, the ground, and the levels of storeys.
fn front(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32) {
    let eaves = 0.55 * high;
    canvas.rect(0.0, 0.0, wide, eaves, 0.6);
    canvas.line(-16.0, eaves - 4.0, 0.3 * wide, high, 1.0);
    canvas.line(0.3 * wide, high, 0.6 * wide + 16.0, eaves - 4.0, 1.0);
    canvas.line(0.6 * wide, 0.8 * high, wide + 16.0, 0.8 * high, 0.8);
    canvas.line(wide + 16.0, 0.8 * high, wide + 16.0, eaves, 0.8);
    let mut y = 6.0;
    while y < eaves {
        canvas.line(0.0, y, wide, y, 0.15);
        y += 6.0;
    }
    for index in 0..5 {
        let x = 20.0 + index as f32 * (wide - 40.0) / 5.0;
        canvas.rect(x, 34.0, 36.0, 50.0, 0.5);
        canvas.rect(x + 3.0, 37.0, 30.0, 44.0, 0.3);
        canvas.line(x, 59.0, x + 36.0, 59.0, 0.3);
    }
    canvas.line(-60.0, 0.0, wide + 30.0, 0.0, 2.4);
    levels(canvas, wide, &[0.0, eaves, 0.8 * high, high]);
}

/// Draws leaves with lites and letters, and the lines that show their hinges.
fn doors(canvas: &mut Canvas<'_, '_>, wide: f32) {
    let each = wide / 4.0;
    for index in 0..4 {
        let x = index as f32 * each + 4.0;
        canvas.rect(x, 0.0, 36.0, 84.0, 0.8);
        for (from, to) in [((x + 36.0, 0.0), (x, 42.0)), ((x, 42.0), (x + 36.0, 84.0))] {
            match index {
                0 => canvas.line(from.0, from.1, to.0, to.1, 0.3),
                2 => canvas.dashed(from.0, from.1, to.0, to.1),
                _ => {}
            }
        }
        match index {
            1 => canvas.rect(x + 8.0, 40.0, 20.0, 34.0, 0.4),
            2 => canvas.rect(x + 6.0, 10.0, 24.0, 64.0, 0.4),
            3 => canvas.rect(x + 24.0, 36.0, 5.0, 40.0, 0.4),
            _ => {}
        }
        canvas.label(x + 18.0, -8.0, 9.0, &char::from(b'A' + index as u8).to_string());
    }
}

/// Draws a part of floor and wall with hatches.
fn detail(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    canvas.rect(0.0, 0.0, 0.7 * wide, 0.25 * high, 0.8);
    canvas.rect(0.0, 0.25 * high, 0.2 * wide, 0.75 * high, 0.8);
    for index in 0..chance.between(12, 22) {
        let at = index as f32 / 22.0;
        canvas.line(at * 0.7 * wide, 0.0, at * 0.7 * wide + 0.04 * wide, 0.25 * high, 0.2);
        canvas.line(0.0, (0.25 + 0.7 * at) * high, 0.2 * wide, (0.3 + 0.7 * at) * high, 0.2);
    }
    canvas.line(0.2 * wide, 0.28 * high, 0.7 * wide, 0.28 * high, 1.2);
    for index in 0..3 {
        canvas.label(0.85 * wide, (0.3 + 0.2 * index as f32) * high, 6.0, "SEALANT");
    }
}

fn notes(canvas: &mut Canvas<'_, '_>, high: f32, tongue: Tongue) {
    let size = 8.0;
    let (face, sentences) = (canvas.pen.face, tongue.words().beside);
    let rows = (high * canvas.scale / (1.5 * size)) as usize;
    for row in 0..rows {
        let (x, y) = canvas.at(0.0, high);
        let words = format!("{}. {}", row + 1, sentences[row % sentences.len()]);
        let base = y - 1.5 * size * (row + 1) as f32;
        canvas.pen.text(x, base, face, size, &words);
        canvas.seen((x, base));
        canvas.seen((x + face.width(&words, size), base + 0.8 * size));
    }
}

fn table(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    for row in 0..=8 {
        canvas.line(0.0, row as f32 * high / 8.0, wide, row as f32 * high / 8.0, 0.5);
    }
    for column in 0..=5 {
        canvas.line(column as f32 * wide / 5.0, 0.0, column as f32 * wide / 5.0, high, 0.5);
    }
    for row in 0..8 {
        for column in 0..5 {
            let words = format!("{}{}", ["PT-", "CT-", "WD-", "RB-", "CP-"][column], chance.between(1, 9));
            canvas.label((column as f32 + 0.5) * wide / 5.0, (row as f32 + 0.3) * high / 8.0, 7.0, &words);
        }
    }
}
