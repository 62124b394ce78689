//! Plans, sections, exterior elevations and details as detailed as furnished walls, each drawn
//! differently.

use super::canvas::Canvas;
use super::furnished;
use crate::chance::Chance;

/// Draws a few rooms between walls, with doors, fixtures and furniture in plan.
pub(super) fn plan(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let thick = chance.between(4, 9) as f32;
    let poche = chance.between(0, 3);
    let grey = chance.between(20, 75) as f32 / 100.0;
    let across = chance.between(35, 65) as f32 / 100.0 * wide;
    let up = chance.between(40, 60) as f32 / 100.0 * high;
    let mut walls = vec![
        [0.0, 0.0, wide, thick],
        [0.0, high - thick, wide - 40.0, thick],
        [0.0, 0.0, thick, high],
        [wide - thick, 0.0, thick, high],
        [across, 0.0, thick, high - 42.0],
    ];
    if chance.percent(60) {
        walls.push([0.0, up, across - 38.0, thick]);
    }
    for [x, y, w, h] in walls {
        if poche == 0 {
            canvas.fill(x, y, w, h, grey);
        }
        if poche == 1 {
            hatch(canvas, [x, y, w, h], 3.0);
        }
        canvas.rect(x, y, w, h, if poche == 3 { 0.4 } else { 0.9 });
    }
    for (x, y, radius, quadrant) in
        [(wide - 40.0, high - thick, 34.0, 3), (across, high - 40.0, 34.0, 2), (across - 36.0, up, 32.0, 0)]
    {
        canvas.line(x, y, x, y + if quadrant == 0 { radius } else { -radius }, 0.6);
        canvas.quarter(x, y, radius, quadrant, 0.3);
    }
    let (left, right) = (thick + 2.0, across + thick + 2.0);
    counter_from_above(canvas, left, thick, (across - left).min(90.0), chance);
    closet_from_above(canvas, right + 14.0, thick + 2.0);
    if chance.percent(60) {
        closet_from_above(canvas, right + 48.0, thick + 2.0);
    }
    if chance.percent(50) {
        canvas.rect(right, high - 34.0, 60.0_f32.min(wide - right - 46.0), 30.0, 0.5);
        canvas.rect(right + 3.0, high - 31.0, 54.0_f32.min(wide - right - 52.0), 24.0, 0.3);
    } else {
        canvas.rect(left + 8.0, up + 14.0, 48.0, 28.0, 0.4);
        for (x, y) in [(left + 16.0, up + 4.0), (left + 40.0, up + 4.0), (left + 16.0, up + 46.0)] {
            canvas.rect(x, y, 14.0, 14.0, 0.3);
        }
    }
    if chance.percent(40) {
        let each = chance.between(8, 18) as f32;
        let mut x = right;
        while x < wide - thick {
            canvas.line(x, thick, x, high - thick, 0.15);
            x += each;
        }
        let mut y = thick;
        while y < high - thick {
            canvas.line(right, y, wide - thick, y, 0.15);
            y += each;
        }
    }
    // The mark that refers to the elevations.
    let (x, y) = (0.6 * across, 0.75 * high);
    canvas.circle(x, y, 8.0, 0.6);
    for (dx, dy) in [(13.0, 0.0), (0.0, 13.0), (-13.0, 0.0), (0.0, -13.0)] {
        if chance.percent(70) {
            canvas.label(x + dx, y + dy - 2.0, 6.0, &chance.between(1, 12).to_string());
        }
    }
    let name = *chance.pick(&["KITCHEN", "BATH", "101", "TOILET", "LOBBY"]);
    canvas.label(0.3 * wide, 0.35 * high, 8.0, name);
    canvas.dimension_x(0.0, across, high, 18.0, "8'-4\"");
    if chance.percent(60) {
        canvas.dimension_y(0.0, high, 0.0, -22.0, "10'-6\"");
    }
}

fn counter_from_above(canvas: &mut Canvas<'_, '_>, x: f32, y: f32, long: f32, chance: &mut Chance) {
    canvas.rect(x, y, long, 25.0, 0.5);
    canvas.rect(x + 6.0, y + 5.0, 24.0_f32.min(long - 10.0), 16.0, 0.4);
    canvas.circle(x + 18.0, y + 13.0, 1.5, 0.3);
    if long > 66.0 && chance.percent(70) {
        canvas.rect(x + 36.0, y + 1.0, 28.0, 24.0, 0.4);
        for (dx, dy) in [(8.0, 7.0), (20.0, 7.0), (8.0, 18.0), (20.0, 18.0)] {
            canvas.circle(x + 36.0 + dx, y + dy, 4.0, 0.3);
        }
    }
}

fn closet_from_above(canvas: &mut Canvas<'_, '_>, x: f32, y: f32) {
    canvas.rect(x - 9.0, y, 18.0, 8.0, 0.5);
    canvas.circle(x, y + 17.0, 8.0, 0.5);
    canvas.circle(x, y + 17.0, 5.5, 0.3);
}

fn hatch(canvas: &mut Canvas<'_, '_>, [x, y, w, h]: [f32; 4], apart: f32) {
    let across = w.min(h);
    for index in 0..(w.max(h) / apart) as u32 {
        let at = index as f32 * apart;
        if h > w {
            canvas.line(x, y + at, x + across, y + (at + across).min(h), 0.2);
        } else {
            canvas.line(x + at, y, x + (at + across).min(w), y + across, 0.2);
        }
    }
}

/// Draws cut storeys, with objects in some rooms, and a flat or a pitched roof.
pub(super) fn section(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let storeys = chance.between(1, 3);
    let pitched = chance.percent(50);
    let eaves = if pitched { 0.7 * high } else { 0.94 * high };
    let grey = chance.between(25, 70) as f32 / 100.0;
    let grey = chance.percent(70).then_some(grey);
    let each = eaves / storeys as f32;
    let thick = chance.between(5, 10) as f32;
    for storey in 0..=storeys {
        if storey < storeys || !pitched {
            cut_bar(canvas, [0.0, storey as f32 * each - thick, wide, thick], grey);
        }
    }
    let parts = chance.between(2, 4);
    for part in 0..=parts {
        let x = part as f32 * (wide - thick) / parts as f32;
        cut_bar(canvas, [x, 0.0, thick, eaves], grey);
        // A footing under each wall.
        cut_bar(canvas, [x - 4.0, -thick - 8.0, thick + 8.0, 8.0], grey);
    }
    for storey in 0..storeys {
        for part in 0..parts {
            let (x, y) = (part as f32 * wide / parts as f32 + thick, storey as f32 * each);
            let room = wide / parts as f32 - 2.0 * thick;
            match chance.between(0, 3) {
                0 => canvas.rect(x + 0.2 * room, y, 30.0_f32.min(0.4 * room), (0.8 * each).min(80.0), 0.3),
                1 => canvas.rect(x + 0.2 * room, y + 0.35 * each, 0.5 * room, 0.4 * each, 0.3),
                2 => {
                    let steps = (each / 8.0) as u32;
                    for step in 0..steps {
                        let (sx, sy) = (x + step as f32 * room / steps as f32, y + step as f32 * 8.0);
                        canvas.line(sx, sy, sx, sy + 8.0, 0.4);
                        canvas.line(sx, sy + 8.0, sx + room / steps as f32, sy + 8.0, 0.4);
                    }
                }
                _ => {}
            }
        }
    }
    if pitched {
        for drop in [0.0, 6.0, 9.0] {
            canvas.line(-14.0, eaves - 4.0 - drop, wide / 2.0, high - drop, 0.7);
            canvas.line(wide + 14.0, eaves - 4.0 - drop, wide / 2.0, high - drop, 0.7);
        }
    }
    ground(canvas, wide, chance);
    let heights: Vec<f32> = (0..=storeys).map(|storey| storey as f32 * each).collect();
    super::others::levels(canvas, wide, &heights);
}

/// Draws a cut wall or floor, filled with a grey, or hatched if there is none.
fn cut_bar(canvas: &mut Canvas<'_, '_>, [x, y, w, h]: [f32; 4], grey: Option<f32>) {
    match grey {
        Some(grey) => canvas.fill(x, y, w, h, grey),
        None => hatch(canvas, [x, y, w, h], 4.0),
    }
    canvas.rect(x, y, w, h, 0.8);
}

/// Draws the line of the ground with strokes below it.
fn ground(canvas: &mut Canvas<'_, '_>, wide: f32, chance: &mut Chance) {
    let y = -(chance.between(0, 12) as f32);
    canvas.line(-50.0, y, wide + 20.0, y, 1.6);
    if chance.percent(50) {
        for index in 0..(wide / 12.0) as u32 {
            let x = -40.0 + index as f32 * 14.0;
            canvas.line(x, y, x - 6.0, y - 8.0, 0.3);
        }
    }
}

/// Draws a building from outside: courses or boards, rows of windows, roofs, trees.
pub(super) fn front(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let pitched = chance.percent(60);
    let eaves = if pitched { chance.between(50, 65) as f32 / 100.0 * high } else { 0.92 * high };
    canvas.rect(0.0, 0.0, wide, eaves, 0.6);
    if pitched {
        let peak = chance.between(20, 80) as f32 / 100.0 * wide;
        canvas.line(-16.0, eaves - 4.0, peak, high, 1.0);
        canvas.line(peak, high, wide + 16.0, eaves - 4.0, 1.0);
        canvas.line(-16.0, eaves - 9.0, peak, high - 5.0, 0.4);
        canvas.line(peak, high - 5.0, wide + 16.0, eaves - 9.0, 0.4);
    } else {
        canvas.rect(-4.0, eaves, wide + 8.0, 0.06 * high, 0.6);
    }
    let (apart, upright) = (chance.between(4, 12) as f32, chance.percent(30));
    let mut at = apart;
    while at < if upright { wide } else { eaves } {
        if upright {
            canvas.line(at, 0.0, at, eaves, 0.15);
        } else {
            canvas.line(0.0, at, wide, at, 0.15);
        }
        at += apart;
    }
    let (columns, rows) = (chance.between(3, 8), chance.between(1, 3));
    let (each, tall) = (wide / columns as f32, eaves / rows as f32);
    for column in 0..columns {
        for row in 0..rows {
            let (x, y) = (column as f32 * each + 0.25 * each, row as f32 * tall + 0.3 * tall);
            if row == 0 && column == columns / 2 {
                canvas.rect(x, 0.0, 0.4 * each, 0.75 * tall, 0.7);
                continue;
            }
            canvas.rect(x, y, 0.5 * each, 0.5 * tall, 0.5);
            canvas.rect(x + 2.0, y + 2.0, 0.5 * each - 4.0, 0.5 * tall - 4.0, 0.3);
            canvas.line(x + 0.25 * each, y, x + 0.25 * each, y + 0.5 * tall, 0.3);
        }
    }
    if chance.percent(40) {
        let x = -40.0;
        canvas.line(x, 0.0, x, 60.0, 0.5);
        for (dx, dy) in [(0.0, 80.0), (-12.0, 70.0), (12.0, 72.0), (-6.0, 92.0)] {
            canvas.circle(x + dx, dy, 14.0, 0.25);
        }
    }
    ground(canvas, wide, chance);
    super::others::levels(canvas, wide, &[0.0, eaves, high]);
}

/// Draws cut materials at a large scale, hatched, with a column of notes.
pub(super) fn detail(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let mut x = 0.0;
    while x < 0.5 * wide {
        let layer = chance.between(3, 14) as f32 / 100.0 * wide;
        canvas.rect(x, 0.0, layer, high, 0.7);
        match chance.between(0, 3) {
            0 => hatch(canvas, [x, 0.0, layer, high], chance.between(4, 9) as f32),
            1 => canvas.fill(x, 0.0, layer, high, 0.7),
            2 => {
                for index in 0..(high / layer.max(4.0)) as u32 {
                    canvas.circle(x + layer / 2.0, (index as f32 + 0.5) * layer.max(4.0), 0.5 * layer, 0.2);
                }
            }
            _ => {}
        }
        x += layer;
    }
    for _ in 0..chance.between(1, 3) {
        let y = chance.between(5, 85) as f32 / 100.0 * high;
        canvas.rect(0.0, y, 0.65 * wide, 0.1 * high, 0.8);
        hatch(canvas, [0.0, y, 0.65 * wide, 0.1 * high], 5.0);
    }
    let rows = chance.between(3, 6);
    for row in 0..rows {
        let y = (row as f32 + 0.5) * high / rows as f32;
        let words = chance.pick(&["SEALANT", "GYP. BD.", "BLOCKING", "5/8\" PLYWOOD", "INSULATION", "MTL. STUD"]);
        canvas.line(0.4 * wide, y - 4.0, 0.72 * wide, y, 0.3);
        canvas.label(0.86 * wide, y, 6.0, words);
    }
}

/// Draws doors, windows or frames in a row, each with dimensions and a letter.
pub(super) fn types(canvas: &mut Canvas<'_, '_>, wide: f32, chance: &mut Chance) {
    let count = chance.between(3, 6);
    let each = wide / count as f32;
    let windows = chance.percent(40);
    for index in 0..count {
        let x = index as f32 * each + 4.0;
        let w = (each - 16.0).min(36.0);
        let (low, h) = if windows { (0.0, chance.between(36, 60) as f32) } else { (0.0, 84.0) };
        canvas.rect(x, low, w, h, 0.8);
        match chance.between(0, 4) {
            0 => canvas.rect(x + 0.2 * w, 0.45 * h, 0.6 * w, 0.4 * h, 0.4),
            1 => canvas.rect(x + 0.15 * w, 0.1 * h, 0.7 * w, 0.8 * h, 0.4),
            2 => {
                canvas.line(x + 0.5 * w, low, x + 0.5 * w, h, 0.4);
                canvas.line(x, 0.5 * h, x + w, 0.5 * h, 0.4);
            }
            3 => {
                canvas.dashed(x, low, x + w, 0.5 * h);
                canvas.dashed(x + w, 0.5 * h, x, h);
            }
            _ => {}
        }
        if chance.percent(60) {
            canvas.dimension_x(x, x + w, low, -12.0, "3'-0\"");
        }
        let letter = char::from(b'A' + index as u8).to_string();
        if chance.percent(50) {
            canvas.circle(x + w / 2.0, h + 14.0 / canvas.scale, 7.0 / canvas.scale, 0.5);
            canvas.label(x + w / 2.0, h + 11.0 / canvas.scale, 7.0, &letter);
        } else {
            furnished::tag(canvas, x + w / 2.0, h + 12.0 / canvas.scale, chance);
        }
    }
}
