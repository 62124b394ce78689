//! Fully furnished walls: fittings side by side with tags, rooms cut at their ends, people for
//! scale.

use super::canvas::Canvas;
use crate::chance::Chance;

/// What is in front of a wall or in it, side by side.
#[derive(Clone, Copy, Debug)]
enum Fitting {
    Cupboards,
    Drawers,
    Tall,
    Refrigerator,
    Range,
    Sink,
    Shelves,
    Door,
    Window,
    Closet,
    Basin,
    Shower,
    Bath,
    Fireplace,
    Screen,
    Lockers,
    Panelling,
    Stairs,
    Picture,
    Curtain,
    Empty,
}

const FITTINGS: [Fitting; 21] = [
    Fitting::Cupboards,
    Fitting::Drawers,
    Fitting::Tall,
    Fitting::Refrigerator,
    Fitting::Range,
    Fitting::Sink,
    Fitting::Shelves,
    Fitting::Door,
    Fitting::Window,
    Fitting::Closet,
    Fitting::Basin,
    Fitting::Shower,
    Fitting::Bath,
    Fitting::Fireplace,
    Fitting::Screen,
    Fitting::Lockers,
    Fitting::Panelling,
    Fitting::Stairs,
    Fitting::Picture,
    Fitting::Curtain,
    Fitting::Empty,
];

impl Fitting {
    /// Returns the least and greatest width in inches.
    fn widths(self) -> (u32, u32) {
        match self {
            Self::Cupboards | Self::Shelves => (30, 90),
            Self::Drawers => (15, 30),
            Self::Tall | Self::Closet => (18, 36),
            Self::Refrigerator | Self::Range => (30, 36),
            Self::Sink | Self::Basin => (30, 60),
            Self::Door => (40, 60),
            Self::Window => (36, 90),
            Self::Shower => (34, 60),
            Self::Bath => (60, 72),
            Self::Fireplace => (50, 80),
            Self::Screen => (50, 90),
            Self::Lockers => (36, 96),
            Self::Panelling => (40, 100),
            Self::Stairs => (70, 130),
            Self::Picture => (20, 50),
            Self::Curtain => (40, 80),
            Self::Empty => (10, 60),
        }
    }
}

/// A part of a wall: its beginning, width and height in inches.
#[derive(Clone, Copy)]
struct Stretch {
    x: f32,
    wide: f32,
    high: f32,
}

/// Fills a wall of `wide` by `high` inches.
pub(super) fn draw(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let mut x = chance.between(0, 12) as f32;
    // A kitchen or a wash room has its own fittings; other rooms have any.
    let own: &[Fitting] = match chance.between(0, 3) {
        0 => &FITTINGS[0..8],
        1 => &FITTINGS[7..14],
        _ => &FITTINGS,
    };
    let mut stretches = Vec::new();
    while x < wide - 12.0 {
        let fitting = *chance.pick(own);
        let (from, to) = fitting.widths();
        let each = (chance.between(from, to) as f32).min(wide - x);
        let stretch = Stretch { x, wide: each, high };
        if each >= 0.8 * from as f32 {
            place(canvas, fitting, stretch, chance);
            stretches.push(stretch);
        }
        x += each + if chance.percent(30) { chance.between(4, 24) as f32 } else { 0.0 };
    }
    tiles(canvas, wide, high, chance);
    if chance.percent(60) {
        let base = chance.between(3, 6) as f32;
        canvas.line(0.0, base, wide, base, 0.3);
    }
    if chance.percent(25) {
        canvas.line(0.0, high - 5.0, wide, high - 5.0, 0.3);
        canvas.line(0.0, high - 7.0, wide, high - 7.0, 0.2);
    }
    if chance.percent(30) {
        soffit(canvas, wide, high, chance);
    }
    if chance.percent(35) {
        cut_ends(canvas, wide, high, chance);
    }
    if chance.percent(12) {
        person(canvas, 0.5 * wide);
    }
    for stretch in stretches {
        if chance.percent(40) {
            let y = chance.between(20, 80) as f32 / 100.0 * high;
            tag(canvas, stretch.x + stretch.wide / 2.0, y, chance);
        }
    }
}

fn place(canvas: &mut Canvas<'_, '_>, fitting: Fitting, stretch: Stretch, chance: &mut Chance) {
    match fitting {
        Fitting::Cupboards => cupboards(canvas, stretch, chance),
        Fitting::Drawers => drawers(canvas, stretch, chance),
        Fitting::Tall => doors(canvas, [stretch.x, 4.0, stretch.wide, (stretch.high - 16.0).min(86.0)], 2, chance),
        Fitting::Refrigerator => refrigerator(canvas, stretch, chance),
        Fitting::Range => range(canvas, stretch, chance),
        Fitting::Sink => sink(canvas, stretch, chance),
        Fitting::Shelves => shelves(canvas, stretch, chance),
        Fitting::Door => door(canvas, stretch, chance),
        Fitting::Window => window(canvas, stretch, chance),
        Fitting::Closet => closet(canvas, stretch, chance),
        Fitting::Basin => basin(canvas, stretch, chance),
        Fitting::Shower => shower(canvas, stretch, chance),
        Fitting::Bath => bath(canvas, stretch),
        Fitting::Fireplace => fireplace(canvas, stretch, chance),
        Fitting::Screen => screen(canvas, stretch, chance),
        Fitting::Lockers => lockers(canvas, stretch, chance),
        Fitting::Panelling => panelling(canvas, stretch, chance),
        Fitting::Stairs => stairs(canvas, stretch, chance),
        Fitting::Picture => {
            canvas.rect(stretch.x + 3.0, 48.0, stretch.wide - 6.0, 26.0, 0.5);
            canvas.rect(stretch.x + 5.0, 50.0, stretch.wide - 10.0, 22.0, 0.25);
        }
        Fitting::Curtain => {
            let mut x = stretch.x;
            while x < stretch.x + stretch.wide {
                canvas.line(x, 2.0, x, stretch.high - 12.0, 0.3);
                x += chance.between(2, 5) as f32;
            }
            canvas.line(stretch.x - 2.0, stretch.high - 12.0, stretch.x + stretch.wide + 2.0, stretch.high - 12.0, 0.6);
        }
        Fitting::Empty => {}
    }
}

/// Draws leaves side by side, with hinges as dashed or thin lines, and handles.
fn doors(canvas: &mut Canvas<'_, '_>, [x, y, wide, high]: [f32; 4], rows: u32, chance: &mut Chance) {
    let count = (wide / chance.between(14, 22) as f32).round().max(1.0);
    let each = wide / count;
    let (hinged, dashed, framed, handles) =
        (chance.percent(70), chance.percent(70), chance.percent(35), chance.percent(50));
    for row in 0..rows {
        let tall = high / rows as f32;
        let low = y + row as f32 * tall;
        for index in 0..count as u32 {
            let left = x + index as f32 * each;
            canvas.rect(left, low, each, tall, 0.5);
            if framed {
                canvas.rect(left + 2.0, low + 2.0, each - 4.0, tall - 4.0, 0.25);
            }
            let (hinge, free) = if index % 2 == 0 { (left, left + each) } else { (left + each, left) };
            if hinged {
                for end in [low, low + tall] {
                    if dashed {
                        canvas.dashed(free, end, hinge, low + tall / 2.0);
                    } else {
                        canvas.line(free, end, hinge, low + tall / 2.0, 0.2);
                    }
                }
            }
            if handles {
                let at = free + if index % 2 == 0 { -2.5 } else { 1.5 };
                canvas.rect(at, low + 0.7 * tall, 1.0, 5.0, 0.4);
            }
        }
    }
}

fn cupboards(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let kick = chance.between(3, 5) as f32;
    doors(canvas, [s.x, kick, s.wide, 34.5 - kick], 1, chance);
    counter(canvas, s);
    if chance.percent(75) {
        let low = chance.between(50, 56) as f32;
        let high = (s.high - low - chance.between(4, 20) as f32).clamp(18.0, 48.0);
        doors(canvas, [s.x, low, s.wide, high], if high > 38.0 && chance.percent(40) { 2 } else { 1 }, chance);
        if chance.percent(40) {
            canvas.line(s.x, low + high + 2.0, s.x + s.wide, low + high + 2.0, 0.4);
        }
    }
}

fn counter(canvas: &mut Canvas<'_, '_>, s: Stretch) {
    canvas.rect(s.x - 1.0, 34.5, s.wide + 2.0, 1.5, 0.6);
    canvas.line(s.x, 40.0, s.x + s.wide, 40.0, 0.3);
}

fn drawers(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let count = chance.between(3, 5);
    for index in 0..count {
        let each = 30.0 / count as f32;
        let y = 4.0 + index as f32 * each;
        canvas.rect(s.x, y, s.wide, each, 0.5);
        canvas.line(s.x + 0.4 * s.wide, y + 0.8 * each, s.x + 0.6 * s.wide, y + 0.8 * each, 0.9);
    }
    counter(canvas, s);
}

fn refrigerator(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let high = 70.0_f32.min(s.high - 8.0);
    canvas.rect(s.x + 1.0, 0.0, s.wide - 2.0, high, 0.6);
    canvas.line(s.x + 1.0, 26.0, s.x + s.wide - 1.0, 26.0, 0.4);
    if chance.percent(50) {
        canvas.line(s.x + s.wide / 2.0, 26.0, s.x + s.wide / 2.0, high, 0.4);
    }
    canvas.rect(s.x + 0.42 * s.wide, 34.0, 1.2, 18.0, 0.4);
    if chance.percent(60) {
        canvas.label(s.x + s.wide / 2.0, 12.0, 7.0, "REF");
    }
    if high + 12.0 < s.high {
        doors(canvas, [s.x, high + 2.0, s.wide, (s.high - high - 8.0).min(18.0)], 1, chance);
    }
}

fn range(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    canvas.rect(s.x, 1.0, s.wide, 35.0, 0.6);
    canvas.rect(s.x + 3.0, 8.0, s.wide - 6.0, 18.0, 0.4);
    canvas.rect(s.x + 6.0, 11.0, s.wide - 12.0, 11.0, 0.25);
    for index in 0..5 {
        canvas.circle(s.x + (index as f32 + 0.7) * s.wide / 5.4, 31.0, 1.2, 0.3);
    }
    if chance.percent(50) {
        canvas.label(s.x + s.wide / 2.0, 14.0, 6.5, "OV");
    }
    // The hood above it.
    canvas.line(s.x, 60.0, s.x + s.wide, 60.0, 0.5);
    canvas.line(s.x, 60.0, s.x + 0.3 * s.wide, 70.0, 0.5);
    canvas.line(s.x + s.wide, 60.0, s.x + 0.7 * s.wide, 70.0, 0.5);
    canvas.rect(s.x + 0.3 * s.wide, 70.0, 0.4 * s.wide, (s.high - 72.0).max(6.0), 0.5);
}

fn sink(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    doors(canvas, [s.x, 4.0, s.wide, 30.5], 1, chance);
    counter(canvas, s);
    canvas.rect(s.x + 0.2 * s.wide, 26.0, 0.6 * s.wide, 8.5, 0.4);
    let middle = s.x + s.wide / 2.0;
    canvas.line(middle, 36.0, middle, 46.0, 0.5);
    canvas.line(middle, 46.0, middle + 5.0, 47.0, 0.5);
    canvas.line(middle + 5.0, 47.0, middle + 6.0, 43.0, 0.5);
    if chance.percent(50) {
        window(canvas, Stretch { x: s.x + 2.0, wide: s.wide - 4.0, high: s.high }, chance);
    }
}

fn shelves(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let low = if chance.percent(50) { 0.0 } else { 50.0 };
    let top = (s.high - chance.between(4, 24) as f32).max(low + 20.0);
    canvas.rect(s.x, low, s.wide, top - low, 0.6);
    let count = chance.between(3, 6);
    for index in 1..count {
        let y = low + index as f32 * (top - low) / count as f32;
        canvas.line(s.x, y, s.x + s.wide, y, 0.4);
        canvas.line(s.x, y + 1.0, s.x + s.wide, y + 1.0, 0.4);
    }
    if s.wide > 50.0 {
        for third in [1.0, 2.0] {
            canvas.line(s.x + third * s.wide / 3.0, low, s.x + third * s.wide / 3.0, top, 0.5);
        }
    }
}

fn door(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let (wide, high) = ((s.wide - 12.0).min(36.0), 84.0_f32.min(s.high - 8.0));
    let x = s.x + (s.wide - wide) / 2.0;
    canvas.rect(x - 3.0, 0.0, wide + 6.0, high + 3.0, 0.6);
    canvas.rect(x, 0.0, wide, high, 0.5);
    match chance.between(0, 4) {
        0 => canvas.rect(x + wide - 10.0, 38.0, 5.0, 36.0, 0.4),
        1 => canvas.rect(x + 5.0, 10.0, wide - 10.0, high - 16.0, 0.4),
        2 => {
            for row in 0..3 {
                let y = 6.0 + row as f32 * (high - 10.0) / 3.0;
                canvas.rect(x + 4.0, y, wide / 2.0 - 6.0, high / 3.0 - 7.0, 0.3);
                canvas.rect(x + wide / 2.0 + 2.0, y, wide / 2.0 - 6.0, high / 3.0 - 7.0, 0.3);
            }
        }
        3 => {
            canvas.dashed(x, 0.0, x + wide, high / 2.0);
            canvas.dashed(x + wide, high / 2.0, x, high);
        }
        _ => glass(canvas, [x + 4.0, 6.0, wide - 8.0, high - 12.0]),
    }
    canvas.circle(x + 3.0, 38.0, 1.2, 0.4);
}

/// Draws slanted strokes that represent glass and mirrors.
fn glass(canvas: &mut Canvas<'_, '_>, [x, y, wide, high]: [f32; 4]) {
    canvas.rect(x, y, wide, high, 0.4);
    for share in [0.3, 0.4, 0.5] {
        let (cx, cy) = (x + share * wide, y + share * high);
        canvas.line(cx - 0.1 * wide, cy - 0.12 * high, cx + 0.1 * wide, cy + 0.12 * high, 0.2);
    }
}

fn window(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let sill = chance.between(24, 44) as f32;
    let high = (s.high - sill - chance.between(8, 20) as f32).clamp(14.0, 60.0);
    canvas.rect(s.x + 2.0, sill, s.wide - 4.0, high, 0.6);
    let panes = chance.between(1, 4);
    let each = (s.wide - 8.0) / panes as f32;
    for index in 0..panes {
        glass(canvas, [s.x + 4.0 + index as f32 * each, sill + 2.0, each, high - 4.0]);
    }
    if chance.percent(40) {
        canvas.line(s.x + 4.0, sill + 0.6 * high, s.x + s.wide - 4.0, sill + 0.6 * high, 0.4);
    }
    canvas.rect(s.x - 1.0, sill - 2.0, s.wide + 2.0, 2.0, 0.4);
}

/// Draws a toilet from the front or from the side.
fn closet(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let x = s.x + s.wide / 2.0;
    if chance.percent(50) {
        canvas.rect(x - 9.0, 16.0, 18.0, 13.0, 0.5);
        canvas.quarter(x, 15.0, 7.0, 2, 0.5);
        canvas.quarter(x, 15.0, 7.0, 3, 0.5);
        canvas.line(x - 4.0, 0.0, x - 4.0, 9.0, 0.4);
        canvas.line(x + 4.0, 0.0, x + 4.0, 9.0, 0.4);
    } else {
        canvas.rect(x - 12.0, 14.0, 7.0, 15.0, 0.5);
        canvas.line(x - 5.0, 15.0, x + 14.0, 15.0, 0.6);
        canvas.quarter(x + 2.0, 15.0, 11.0, 3, 0.5);
        canvas.line(x - 6.0, 0.0, x - 4.0, 14.0, 0.4);
        canvas.line(x + 4.0, 0.0, x + 4.0, 4.0, 0.4);
    }
    let bar = chance.between(24, 42) as f32;
    canvas.rect(x - bar / 2.0, 33.0, bar, 1.5, 0.5);
    if chance.percent(50) {
        canvas.rect(x + 14.0, 19.0, 5.0, 5.0, 0.4);
    }
}

fn basin(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let count = (s.wide / 30.0).floor().max(1.0);
    for index in 0..count as u32 {
        let x = s.x + (index as f32 + 0.5) * s.wide / count;
        canvas.rect(x - 10.0, 28.0, 20.0, 6.0, 0.5);
        canvas.line(x, 34.0, x, 39.0, 0.5);
        canvas.line(x - 2.0, 28.0, x - 1.0, 20.0, 0.3);
        canvas.line(x + 2.0, 28.0, x + 1.0, 20.0, 0.3);
        if chance.percent(60) {
            glass(canvas, [x - 12.0, 42.0, 24.0, 34.0]);
        }
        if chance.percent(40) {
            canvas.rect(x + 13.0, 40.0, 4.0, 8.0, 0.4);
        }
    }
    if chance.percent(50) {
        canvas.rect(s.x, 33.0, s.wide, 1.5, 0.6);
        doors(canvas, [s.x, 5.0, s.wide, 28.0], 1, chance);
    }
}

fn shower(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    canvas.rect(s.x, 2.0, s.wide, 78.0, 0.6);
    glass(canvas, [s.x + 2.0, 4.0, s.wide - 4.0, 74.0]);
    canvas.line(s.x + 0.5 * s.wide, 2.0, s.x + 0.5 * s.wide, 80.0, 0.4);
    if chance.percent(60) {
        canvas.line(s.x + 0.2 * s.wide, 40.0, s.x + 0.2 * s.wide, 74.0, 0.7);
        canvas.circle(s.x + 0.2 * s.wide, 75.0, 3.0, 0.4);
        canvas.dashed(s.x + 0.6 * s.wide, 18.0, s.x + 0.9 * s.wide, 18.0);
    }
}

fn bath(canvas: &mut Canvas<'_, '_>, s: Stretch) {
    canvas.rect(s.x, 0.0, s.wide, 20.0, 0.6);
    canvas.line(s.x, 17.0, s.x + s.wide, 17.0, 0.4);
    canvas.line(s.x + 6.0, 24.0, s.x + 6.0, 30.0, 0.6);
    canvas.rect(s.x + 0.3 * s.wide, 34.0, 0.5 * s.wide, 1.5, 0.5);
}

fn fireplace(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    canvas.rect(s.x, 0.0, s.wide, 50.0, 0.6);
    canvas.rect(s.x + 0.25 * s.wide, 4.0, 0.5 * s.wide, 30.0, 0.7);
    canvas.rect(s.x - 3.0, 50.0, s.wide + 6.0, 4.0, 0.6);
    let mut y = 3.0;
    while y < 50.0 {
        canvas.line(s.x, y, s.x + 0.25 * s.wide, y, 0.2);
        canvas.line(s.x + 0.75 * s.wide, y, s.x + s.wide, y, 0.2);
        y += 3.0;
    }
    if chance.percent(50) {
        canvas.rect(s.x + 0.2 * s.wide, 54.0, 0.6 * s.wide, s.high - 56.0, 0.4);
    }
}

fn screen(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    canvas.rect(s.x + 2.0, 32.0, s.wide - 4.0, 46.0, 0.6);
    canvas.rect(s.x + 4.0, 34.0, s.wide - 8.0, 42.0, 0.25);
    if chance.percent(60) {
        let tag = *chance.pick(&["WB-1", "MB", "TV", "TB-2"]);
        canvas.label(s.x + s.wide / 2.0, 54.0, 7.0, tag);
    }
}

fn lockers(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let count = (s.wide / 12.0).max(2.0) as u32;
    let (each, rows) = (s.wide / count as f32, chance.between(1, 3));
    for index in 0..count {
        for row in 0..rows {
            let tall = 68.0 / rows as f32;
            let (x, y) = (s.x + index as f32 * each, 4.0 + row as f32 * tall);
            canvas.rect(x, y, each, tall, 0.4);
            for slot in 0..3 {
                canvas.line(
                    x + 2.0,
                    y + tall - 4.0 - 1.5 * slot as f32,
                    x + each - 2.0,
                    y + tall - 4.0 - 1.5 * slot as f32,
                    0.3,
                );
            }
        }
    }
}

fn panelling(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let top = if chance.percent(50) { 40.0 } else { s.high - 8.0 };
    let each = chance.between(8, 28) as f32;
    let mut x = s.x;
    let framed = chance.percent(50);
    while x + each <= s.x + s.wide {
        if framed {
            canvas.rect(x + 2.0, 6.0, each - 4.0, top - 10.0, 0.35);
        } else {
            canvas.line(x, 0.0, x, top, 0.3);
        }
        x += each;
    }
    canvas.line(s.x, top, s.x + s.wide, top, 0.5);
    canvas.line(s.x, top - 2.0, s.x + s.wide, top - 2.0, 0.3);
}

/// Draws a flight of stairs that rises to either side, with its rail.
fn stairs(canvas: &mut Canvas<'_, '_>, s: Stretch, chance: &mut Chance) {
    let left = chance.percent(50);
    let along = |x: f32| if left { s.x + x } else { s.x + s.wide - x };
    let steps = (s.wide / 10.0).min((s.high - 10.0) / 7.0) as u32;
    for step in 0..steps {
        let (x, y) = (step as f32 * 10.0, step as f32 * 7.0);
        canvas.line(along(x), y, along(x), y + 7.0, 0.5);
        canvas.line(along(x), y + 7.0, along(x + 10.0), y + 7.0, 0.5);
        for rod in [3.0, 7.0] {
            canvas.line(along(x + rod), y + 7.0, along(x + rod), (y + 38.0 + rod * 0.7).min(s.high), 0.3);
        }
    }
    let (end, top) = (steps as f32 * 10.0, steps as f32 * 7.0);
    for rail in [36.0, 38.5] {
        canvas.line(along(0.0), rail, along(end), (top + rail).min(s.high), 0.5);
    }
    canvas.line(along(6.0), 0.0, along(end), top - 6.0, 0.5);
}

/// Draws tiles on a part of the wall, in rows or in squares.
fn tiles(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    if !chance.percent(30) {
        return;
    }
    let each = chance.between(4, 18) as f32;
    let (low, top) = if chance.percent(50) { (0.0, 0.5 * high) } else { (36.0, 54.0_f32.min(high)) };
    let mut y = low;
    while y < top {
        canvas.line(0.0, y, wide, y, 0.15);
        y += each;
    }
    let mut x = each;
    while x < wide && chance.percent(98) {
        canvas.line(x, low, x, top, 0.15);
        x += each;
    }
}

/// Draws a lowered or a sloped ceiling on a part of the wall.
fn soffit(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let (from, drop) = (chance.between(20, 80) as f32 / 100.0 * wide, chance.between(8, 24) as f32);
    if chance.percent(70) {
        canvas.line(from, high - drop, wide, high - drop, 0.5);
        canvas.line(from, high - drop, from, high, 0.5);
    } else {
        canvas.line(0.0, high, wide, high - drop, 0.7);
    }
}

/// Draws the cut walls, floor and ceiling around the room.
fn cut_ends(canvas: &mut Canvas<'_, '_>, wide: f32, high: f32, chance: &mut Chance) {
    let (thick, grey) = (chance.between(4, 8) as f32, chance.between(30, 75) as f32 / 100.0);
    let mut sides = vec![[-thick, 0.0, thick, high], [wide, 0.0, thick, high]];
    if chance.percent(60) {
        sides.push([-thick, -thick, wide + 2.0 * thick, thick]);
        sides.push([-thick, high, wide + 2.0 * thick, thick]);
    }
    let (filled, hatched) = (chance.percent(50), chance.percent(50));
    for [x, y, w, h] in sides {
        if filled {
            canvas.fill(x, y, w, h, grey);
        } else if hatched {
            let (across, count) = (w.min(h), (w.max(h) / 4.0) as u32);
            for index in 0..count {
                let at = index as f32 * 4.0;
                if h > w {
                    canvas.line(x, y + at, x + across, y + (at + across).min(h), 0.2);
                } else {
                    canvas.line(x + at, y, x + (at + across).min(w), y + across, 0.2);
                }
            }
        }
        canvas.rect(x, y, w, h, 0.7);
    }
}

/// Draws a person for scale.
fn person(canvas: &mut Canvas<'_, '_>, x: f32) {
    canvas.circle(x, 62.0, 4.0, 0.3);
    for (from, to) in [
        ((0.0, 58.0), (-8.0, 52.0)),
        ((0.0, 58.0), (8.0, 52.0)),
        ((-8.0, 52.0), (-7.0, 30.0)),
        ((8.0, 52.0), (7.0, 30.0)),
    ] {
        canvas.line(x + from.0, from.1, x + to.0, to.1, 0.3);
    }
    for (from, to) in [((-5.0, 52.0), (-5.0, 0.0)), ((5.0, 52.0), (5.0, 0.0)), ((0.0, 28.0), (0.0, 0.0))] {
        canvas.line(x + from.0, from.1, x + to.0, to.1, 0.3);
    }
}

/// Draws the tag of a finish: letters in a box, a circle or an oval.
pub(super) fn tag(canvas: &mut Canvas<'_, '_>, x: f32, y: f32, chance: &mut Chance) {
    let words = format!("{}-{}", *chance.pick(&["PT", "WD", "CT", "PL", "ST", "B"]), chance.between(1, 9));
    let size = 5.5;
    let half = (8.5 / canvas.scale, 4.5 / canvas.scale);
    match chance.between(0, 3) {
        0 => canvas.rect(x - half.0, y - half.1, 2.0 * half.0, 2.0 * half.1, 0.4),
        1 => canvas.circle(x, y, half.0, 0.4),
        2 => {
            for (from, to) in [((-1.0, 0.0), (-0.7, 1.0)), ((-0.7, 1.0), (0.7, 1.0)), ((0.7, 1.0), (1.0, 0.0))] {
                for up in [1.0, -1.0] {
                    canvas.line(
                        x + from.0 * half.0,
                        y + up * from.1 * half.1,
                        x + to.0 * half.0,
                        y + up * to.1 * half.1,
                        0.4,
                    );
                }
            }
        }
        _ => {}
    }
    canvas.label(x, y - 2.0 / canvas.scale, size, &words);
}
