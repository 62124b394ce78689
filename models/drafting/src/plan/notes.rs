//! Text and marks on a plan and around it: numbers, labels, dimensions, grid lines, revision
//! clouds.

use super::building::{Building, Room};
use super::door::Door;
use super::pen::{Frame, Ink, P, Pen};
use super::style::{Layer, Style, Tag};
use crate::chance::Chance;

/// Returns a length in the style's notation.
pub(super) fn length(style: &Style, inches: f32) -> String {
    if style.metric {
        return format!("{}", (inches * 25.4).round() as i32);
    }
    let whole = inches.round() as i32;
    format!("{}'-{}\"", whole / 12, whole % 12)
}

/// Draws grid lines with their bubbles, and columns at their intersections.
pub(super) fn grid(pen: &mut Pen<'_>, view: &Frame, building: &Building, chance: &mut Chance) {
    let ink = pen.ink(Layer::Grid);
    let k = view.scale();
    let (size, beyond) = (pen.style.text * 1.2, 60.0 / k);
    let radius = size / k;
    let (w, h) = (building.width, building.height);
    for (index, &x) in building.columns.0.iter().enumerate() {
        pen.line(view, (x, -beyond * 0.3), (x, h + beyond), ink.dashed(12.0, 4.0));
        bubble(pen, view, (x, h + beyond + radius), size, &(index + 1).to_string());
    }
    for (index, &y) in building.columns.1.iter().enumerate() {
        pen.line(view, (-beyond, y), (w + beyond * 0.3, y), ink.dashed(12.0, 4.0));
        let letter = char::from(b'A' + (index % 24) as u8).to_string();
        bubble(pen, view, (-beyond - radius, y), size, &letter);
    }
    let round = chance.percent(30);
    let half = chance.length(5.0, 9.0);
    let wall = pen.ink(Layer::Wall);
    let filled = chance.percent(50);
    let ink = if filled { wall.solid() } else { wall };
    for &x in &building.columns.0 {
        for &y in &building.columns.1 {
            if round {
                pen.circle(view, (x, y), half, ink);
            } else {
                pen.rectangle(view, [x - half, y - half, x + half, y + half], ink);
            }
        }
    }
}

/// Draws the bubble of a grid line around its name. `size` is that of the text, in points of paper.
fn bubble(pen: &mut Pen<'_>, view: &Frame, at: P, size: f32, name: &str) {
    pen.circle(view, at, size / view.scale(), pen.ink(Layer::Grid));
    pen.text(view, at, size, name);
}

/// The direction of a string of dimensions.
#[derive(Clone, Copy, Debug)]
enum Direction {
    Horizontal,
    Vertical,
}

/// Draws a string of dimensions between points on a line that is `offset` from the origin.
fn dimension_string(pen: &mut Pen<'_>, view: &Frame, points: &[f32], offset: f32, direction: Direction) {
    let ink = pen.ink(Layer::Note);
    let k = view.scale();
    let at = |along: f32, across: f32| match direction {
        Direction::Horizontal => (along, across),
        Direction::Vertical => (across, along),
    };
    let tick = 3.0 / k;
    for &point in points {
        pen.line(view, at(point - tick, offset - tick), at(point + tick, offset + tick), ink.heavier(1.5));
        pen.line(view, at(point, offset - 2.0 * tick), at(point, offset + 2.0 * tick), ink);
    }
    if let (Some(&first), Some(&last)) = (points.first(), points.last()) {
        pen.line(view, at(first, offset), at(last, offset), ink);
    }
    for pair in points.windows(2) {
        let words = length(pen.style, pair[1] - pair[0]);
        let size = pen.style.text * 0.85;
        if pen.style.face().width(&words, size) < (pair[1] - pair[0]) * k {
            let above = (0.8 * size) / k;
            let across = match direction {
                Direction::Horizontal => offset + above,
                Direction::Vertical => offset - 2.0 * above,
            };
            pen.text(view, at(f32::midpoint(pair[0], pair[1]), across), size, &words);
        }
    }
}

/// Draws dimensions around the building and in some rooms.
pub(super) fn dimensions(pen: &mut Pen<'_>, view: &Frame, building: &Building, chance: &mut Chance) {
    let k = view.scale();
    let (w, h) = (building.width, building.height);
    dimension_string(pen, view, &[0.0, w], h + 46.0 / k, Direction::Horizontal);
    dimension_string(pen, view, &building.columns.0, h + 30.0 / k, Direction::Horizontal);
    dimension_string(pen, view, &[0.0, h], -46.0 / k, Direction::Vertical);
    dimension_string(pen, view, &building.columns.1, -30.0 / k, Direction::Vertical);
    if pen.style.notes < 2 {
        return;
    }
    for room in &building.rooms {
        if !chance.percent(40) {
            continue;
        }
        let [x1, y1, x2, y2] = extent(room);
        dimension_string(pen, view, &[x1, x2], y1 + (y2 - y1) * chance.length(0.2, 0.8), Direction::Horizontal);
        if chance.percent(50) {
            dimension_string(pen, view, &[y1, y2], x1 + (x2 - x1) * chance.length(0.2, 0.8), Direction::Vertical);
        }
    }
}

/// Returns the box around a room's floor.
pub(super) fn extent(room: &Room) -> [f32; 4] {
    let xs = || room.polygon.iter().map(|point| point.0);
    let ys = || room.polygon.iter().map(|point| point.1);
    let (low, high) = (|values: f32, value: f32| values.min(value), |values: f32, value: f32| values.max(value));
    [xs().fold(f32::MAX, low), ys().fold(f32::MAX, low), xs().fold(f32::MIN, high), ys().fold(f32::MIN, high)]
}

/// Draws a room's name and number.
pub(super) fn room(pen: &mut Pen<'_>, view: &Frame, room: &Room) {
    let size = pen.style.text;
    let (x, y) = view.at(room.label);
    let face = pen.style.face();
    let centred =
        |pen: &mut Pen<'_>, y: f32, words: &str| pen.paper_text(x - face.width(words, size) / 2.0, y, size, words);
    centred(pen, y + 0.3 * size, room.name);
    centred(pen, y - 1.1 * size, &room.number);
    if pen.style.framed_rooms {
        let half = face.width(&room.number, size) / 2.0 + 0.5 * size;
        let ink = pen.ink(Layer::Note);
        pen.rectangle(&Frame::IDENTITY, [x - half, y - 1.45 * size, x + half, y - 0.05 * size], ink);
    }
}

/// Draws a door's number on the side that it does not swing to.
pub(super) fn door(pen: &mut Pen<'_>, view: &Frame, door: &Door) {
    let size = pen.style.text * 0.85;
    let ink = pen.ink(Layer::Note);
    let frame = view.holding(&door.frame);
    let k = frame.scale();
    let (x, y) = frame.at((door.width / 2.0, -door.thickness / 2.0 - 1.4 * size / k));
    let half = pen.style.face().width(&door.tag, size) / 2.0;
    let paper = Frame::IDENTITY.moved(x, y);
    let round = half.max(0.6 * size) + 0.25 * size;
    match pen.style.tag {
        Tag::Absent => return,
        Tag::Bare => {}
        Tag::Circle => pen.circle(&paper, (0.0, 0.0), round, ink),
        Tag::Oval => pen.ellipse(&paper, (0.0, 0.0), (half + 0.6 * size, 0.75 * size), ink),
        Tag::Box => pen.rectangle(&paper, [-half - 2.0, -0.7 * size, half + 2.0, 0.7 * size], ink),
        Tag::Diamond => {
            let r = round * 1.35;
            pen.polygon(&paper, &[(-r, 0.0), (0.0, -r), (r, 0.0), (0.0, r)], ink);
        }
        Tag::Hexagon => {
            let (r, s) = (round * 1.15, round);
            pen.polygon(
                &paper,
                &[(-r, 0.0), (-r / 2.0, -s), (r / 2.0, -s), (r, 0.0), (r / 2.0, s), (-r / 2.0, s)],
                ink,
            );
        }
    }
    pen.text(&paper, (0.0, 0.0), size, &door.tag);
}

/// Draws the tiles of a wet room's floor.
pub(super) fn tiles(pen: &mut Pen<'_>, view: &Frame, room: &Room, each: f32) {
    let [x1, y1, x2, y2] = extent(room);
    let ink = pen.ink(Layer::Hatch);
    let mut x = x1 + each;
    while x < x2 {
        pen.line(view, (x, y1), (x, y2), ink);
        x += each;
    }
    let mut y = y1 + each;
    while y < y2 {
        pen.line(view, (x1, y), (x2, y), ink);
        y += each;
    }
}

/// Draws section lines, elevation marks, callouts, keynotes, leaders and a revision cloud, as many
/// as the style has.
pub(super) fn marks(pen: &mut Pen<'_>, view: &Frame, building: &Building, chance: &mut Chance) {
    let notes = u32::from(pen.style.notes);
    for _ in 0..notes {
        section(pen, view, building, chance);
    }
    for room in &building.rooms {
        if chance.percent(12 * pen.style.notes) {
            elevation_mark(pen, view, room.label, chance);
        }
        if chance.percent(10 * pen.style.notes) {
            keynote(pen, view, room, chance);
        }
        if chance.percent(5 * pen.style.notes) {
            callout(pen, view, room, chance);
        }
    }
    let any = chance.between(0, building.rooms.len().saturating_sub(1) as u32) as usize;
    if let Some(room) = building.rooms.get(any).filter(|_| notes > 1) {
        cloud(pen, view, extent(room), chance);
    }
}

fn section(pen: &mut Pen<'_>, view: &Frame, building: &Building, chance: &mut Chance) {
    let k = view.scale();
    let radius = pen.style.text * 1.3 / k;
    let ink = pen.ink(Layer::Note);
    let x = building.width * chance.length(0.08, 0.92);
    let (low, high) = (-50.0 / k, building.height + 14.0 / k);
    pen.line(view, (x, low), (x, high), ink.dashed(14.0, 4.0));
    for y in [low - radius, high + radius] {
        let r = radius * 1.5;
        pen.polygon(view, &[(x - r, y), (x, y + r), (x + r, y), (x, y - r)], ink.solid());
        pen.circle(view, (x, y), radius, ink.filled([1.0; 3]));
        pen.line(view, (x - radius, y), (x + radius, y), ink);
        let number = chance.between(1, 9).to_string();
        pen.text(view, (x, y + radius * 0.45), pen.style.text * 0.8, &number);
        pen.text(view, (x, y - radius * 0.45), pen.style.text * 0.6, "A301");
    }
}

fn elevation_mark(pen: &mut Pen<'_>, view: &Frame, at: P, chance: &mut Chance) {
    let size = pen.style.text;
    let (x, y) = view.at(at);
    let paper = Frame::IDENTITY.moved(x + size * 5.0, y - size * 3.0);
    let ink = pen.ink(Layer::Note);
    let r = size * 1.1;
    for side in 0..4 {
        if !chance.percent(60) {
            continue;
        }
        let (sin, cos) = (side as f32 * 90.0_f32).to_radians().sin_cos();
        let turned = paper.inner((0.0, 0.0), (cos, sin), (-sin, cos));
        pen.polygon(&turned, &[(r * 0.7, -r * 0.7), (r * 1.45, 0.0), (r * 0.7, r * 0.7)], ink.solid());
    }
    pen.circle(&paper, (0.0, 0.0), r, ink.filled([1.0; 3]));
    pen.text(&paper, (0.0, 0.0), size * 0.7, "A401");
}

fn keynote(pen: &mut Pen<'_>, view: &Frame, room: &Room, chance: &mut Chance) {
    let size = pen.style.text * 0.85;
    let [x1, y1, x2, y2] = extent(room);
    let to = view.at((chance.length(x1, x2), chance.length(y1, y2)));
    let from = (to.0 + chance.length(14.0, 40.0), to.1 + chance.length(-30.0, 30.0));
    let ink = pen.ink(Layer::Note);
    let paper = Frame::IDENTITY;
    if chance.percent(50) {
        pen.line(&paper, to, from, ink);
    } else {
        // A curved leader: an arc that is no door.
        let radius = (from.0 - to.0).hypot(from.1 - to.1);
        pen.arc(&paper, (to.0, to.1 - radius), radius, 90.0, 30.0, ink);
    }
    pen.circle(&paper, to, 1.0, ink.solid());
    let words = chance.between(1, 24).to_string();
    let end = paper.moved(from.0 + size, from.1);
    match chance.between(0, 2) {
        0 => pen.circle(&end, (0.0, 0.0), size, ink.filled([1.0; 3])),
        1 => {
            let r = size * 1.1;
            let hexagon = [(-r, 0.0), (-r / 2.0, -size), (r / 2.0, -size), (r, 0.0), (r / 2.0, size), (-r / 2.0, size)];
            pen.polygon(&end, &hexagon, ink.filled([1.0; 3]));
        }
        _ => pen.paper_text(from.0 + 2.0 * size, from.1 - 0.3 * size, size, "PROVIDE BLOCKING, TYP."),
    }
    pen.text(&end, (0.0, 0.0), size, &words);
}

fn callout(pen: &mut Pen<'_>, view: &Frame, room: &Room, chance: &mut Chance) {
    let [x1, y1, x2, y2] = extent(room);
    let k = view.scale();
    let ink = pen.ink(Layer::Note).dashed(8.0, 4.0).heavier(2.0);
    let (w, h) = ((x2 - x1) * 0.8, (y2 - y1) * 0.7);
    pen.rounded(view, [x1 - 5.0, y1 - 5.0, x1 + w, y1 + h], [10.0 / k; 4], ink);
    let radius = pen.style.text * 1.3 / k;
    let plain = pen.ink(Layer::Note);
    let at = (x1 + w + radius * 2.5, y1 + h + radius * 2.5);
    pen.line(view, (x1 + w, y1 + h), (at.0 - radius * 0.7, at.1 - radius * 0.7), plain);
    pen.circle(view, at, radius, plain);
    pen.line(view, (at.0 - radius, at.1), (at.0 + radius, at.1), plain);
    pen.text(view, (at.0, at.1 + radius * 0.45), pen.style.text * 0.8, &chance.between(1, 9).to_string());
}

/// Draws a revision cloud, a row of arcs around an area, with the triangle of the revision.
fn cloud(pen: &mut Pen<'_>, view: &Frame, [x1, y1, x2, y2]: [f32; 4], chance: &mut Chance) {
    let (a, b) = (view.at((x1, y1)), view.at((x2, y2)));
    let [x1, y1, x2, y2] = [a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)].map(f32::round);
    let ink: Ink = pen.ink(Layer::Note).heavier(2.0);
    let paper = Frame::IDENTITY;
    let each = chance.length(9.0, 18.0);
    for (from, to, facing) in [
        ((x1, y1), (x2, y1), -90.0_f32),
        ((x2, y1), (x2, y2), 0.0),
        ((x2, y2), (x1, y2), 90.0),
        ((x1, y2), (x1, y1), 180.0),
    ] {
        let count = (((to.0 - from.0).hypot(to.1 - from.1)) / each).floor().clamp(1.0, 60.0);
        for step in 0..count as u32 {
            let share = (step as f32 + 0.5) / count;
            let centre = (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share);
            let radius = (to.0 - from.0).hypot(to.1 - from.1) / count / 2.0;
            pen.arc(&paper, centre, radius, facing - 90.0, facing + 90.0, ink);
        }
    }
    let size = pen.style.text;
    let at = paper.moved(x2 + 2.5 * size, y2 + size);
    pen.polygon(&at, &[(-1.3 * size, -0.8 * size), (1.3 * size, -0.8 * size), (0.0, 1.4 * size)], ink);
    pen.text(&at, (0.0, -0.1 * size), size * 0.8, "1");
}
