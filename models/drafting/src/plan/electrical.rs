//! Marks of an electrical layout on a plan: outlets, switches, lights, detectors. Each is small,
//! many resemble a fixture from afar, and none is a door or a fixture.

use super::building::{Building, Room};
use super::pen::{Frame, Ink, P, Pen};
use super::style::Layer;
use crate::chance::Chance;

/// The forms of a style's marks, and their size in inches.
struct Marks {
    outlet: u32,
    light: u32,
    detector: u32,
    radius: f32,
    ink: Ink,
}

/// The least and greatest distance of marks along a wall, in inches.
const APART: (f32, f32) = (50.0, 150.0);
/// The least distance of a mark from a door's hinge, in inches.
const FROM_DOORS: f32 = 30.0;

/// Draws the marks of all rooms. `noted` is called after each, when the pen has its extent.
pub(super) fn draw(
    pen: &mut Pen<'_>,
    view: &Frame,
    building: &Building,
    chance: &mut Chance,
    mut noted: impl FnMut(&Pen<'_>),
) {
    let ink = pen.ink(if chance.percent(50) { Layer::Note } else { Layer::Fixture });
    let marks = Marks {
        outlet: chance.between(0, 3),
        light: chance.between(0, 3),
        detector: chance.between(0, 2),
        radius: chance.length(2.6, 6.5),
        ink,
    };
    for room in &building.rooms {
        for (at, inwards) in along_walls(room, building, chance) {
            pen.begin();
            let frame = view.inner(at, (inwards.1, -inwards.0), inwards);
            if chance.percent(80) {
                outlet(pen, &frame, &marks, chance);
            } else {
                switch(pen, &frame, &marks);
            }
            noted(pen);
        }
        let middle = middle(&room.polygon);
        for (shift, share) in [((0.0, 18.0), 55), ((34.0, -16.0), 45)] {
            if chance.percent(share) {
                pen.begin();
                let frame = view.moved(middle.0 + shift.0, middle.1 + shift.1);
                if chance.percent(60) {
                    light(pen, &frame, &marks);
                } else {
                    detector(pen, &frame, &marks);
                }
                noted(pen);
            }
        }
    }
}

/// Returns places on the walls of a room, each with the direction into the room.
fn along_walls(room: &Room, building: &Building, chance: &mut Chance) -> Vec<(P, P)> {
    let mut places = Vec::new();
    let centre = middle(&room.polygon);
    let next = room.polygon.iter().cycle().skip(1);
    for (from, to) in room.polygon.iter().zip(next) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = dx.hypot(dy);
        if length < 30.0 {
            continue;
        }
        let along = (dx / length, dy / length);
        let left = (-along.1, along.0);
        let is_inside = (centre.0 - from.0) * left.0 + (centre.1 - from.1) * left.1 > 0.0;
        let inwards = if is_inside { left } else { (-left.0, -left.1) };
        let mut way = chance.length(APART.0 / 3.0, APART.1 / 2.0);
        while way < length - 8.0 {
            let at = (from.0 + along.0 * way, from.1 + along.1 * way);
            let is_free = building.doors.iter().all(|door| {
                let (hinge, end) = (door.frame.origin, door.frame.at((door.width, 0.0)));
                [hinge, end].iter().all(|corner| (corner.0 - at.0).hypot(corner.1 - at.1) > FROM_DOORS)
            });
            if is_free {
                places.push((at, inwards));
            }
            way += chance.length(APART.0, APART.1);
        }
    }
    places
}

fn middle(polygon: &[P]) -> P {
    let count = polygon.len().max(1) as f32;
    let sum = polygon.iter().fold((0.0, 0.0), |sum, corner| (sum.0 + corner.0, sum.1 + corner.1));
    (sum.0 / count, sum.1 / count)
}

/// Draws an outlet on a wall with its face at y = 0.
fn outlet(pen: &mut Pen<'_>, frame: &Frame, marks: &Marks, chance: &mut Chance) {
    let (r, ink) = (marks.radius, marks.ink);
    let size = pen.style.text * 0.8;
    match marks.outlet {
        0 => {
            pen.circle(frame, (0.0, r), r, ink);
            for x in [-0.35 * r, 0.35 * r] {
                pen.line(frame, (x, 0.0), (x, 2.4 * r), ink);
            }
        }
        1 => {
            pen.circle(frame, (0.0, r), r, ink);
            for x in [-0.3 * r, 0.3 * r] {
                pen.line(frame, (x, -0.3 * r), (x, 0.15 * r), ink);
                pen.line(frame, (x, 1.85 * r), (x, 2.5 * r), ink);
            }
        }
        2 => {
            let half = pen.style.curves.arc((0.0, 0.0), r, 0.0, 180.0);
            pen.path(frame, &half, ink.solid());
            pen.line(frame, (0.0, 0.0), (0.0, 1.9 * r), ink);
        }
        _ => {
            pen.rectangle(frame, [-r, 0.2, r, 1.3 * r], ink);
            pen.line(frame, (-r, 0.2), (r, 1.3 * r), ink);
        }
    }
    if chance.percent(20) {
        let word = *chance.pick(&["GFI", "WP", "220V", "TV"]);
        pen.text(frame, (0.0, 4.0 * r), size, word);
    }
}

fn switch(pen: &mut Pen<'_>, frame: &Frame, marks: &Marks) {
    let size = (marks.radius * 2.4 * frame.scale()).max(3.0);
    pen.text(frame, (0.0, marks.radius * 1.6), size, if marks.outlet == 0 { "$" } else { "S" });
    pen.line(frame, (0.0, 0.0), (0.0, 3.0 * marks.radius), marks.ink);
}

fn light(pen: &mut Pen<'_>, frame: &Frame, marks: &Marks) {
    let (r, ink) = (marks.radius * 1.2, marks.ink);
    match marks.light {
        0 => {
            pen.circle(frame, (0.0, 0.0), r, ink);
            for (x, y) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
                pen.line(frame, (x * r, y * r), (1.7 * x * r, 1.7 * y * r), ink);
            }
        }
        1 => {
            pen.circle(frame, (0.0, 0.0), r, ink);
            pen.line(frame, (-0.7 * r, -0.7 * r), (0.7 * r, 0.7 * r), ink);
            pen.line(frame, (-0.7 * r, 0.7 * r), (0.7 * r, -0.7 * r), ink);
        }
        2 => {
            pen.circle(frame, (0.0, 0.0), r, ink);
            pen.circle(frame, (0.0, 0.0), 0.5 * r, ink);
        }
        _ => {
            pen.rectangle(frame, [-12.0, -24.0, 12.0, 24.0], ink);
            pen.line(frame, (-12.0, -24.0), (12.0, 24.0), ink);
        }
    }
}

fn detector(pen: &mut Pen<'_>, frame: &Frame, marks: &Marks) {
    let (r, ink) = (marks.radius * 1.3, marks.ink);
    let size = (r * frame.scale()).max(2.5);
    match marks.detector {
        0 => {
            pen.circle(frame, (0.0, 0.0), 0.6 * r, ink.solid());
            pen.text(frame, (2.2 * r, 0.0), size, "SD");
        }
        1 => {
            pen.circle(frame, (0.0, 0.0), r, ink);
            pen.text(frame, (0.0, 0.0), size, "SD");
        }
        _ => {
            pen.rectangle(frame, [-r, -r, r, r], ink);
            pen.text(frame, (0.0, 0.0), size, "S");
        }
    }
}
