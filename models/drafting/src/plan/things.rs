//! Objects in rooms other than doors and fixtures, many of them round or as large as a fixture.
//! `rarer` has the forms of the second catalogue.

mod rarer;

use super::building::{Thing, ThingKind};
use super::fixture::Catalogue;
use super::pen::{Frame, Ink, Pen, on_circle};
use super::style::Layer;

/// Draws an object in the style's catalogue.
pub(super) fn draw(pen: &mut Pen<'_>, view: &Frame, thing: &Thing) {
    match pen.style.catalogue {
        Catalogue::Common => common(pen, view, thing),
        Catalogue::Rarer => rarer::draw(pen, view, thing),
    }
}

fn common(pen: &mut Pen<'_>, view: &Frame, thing: &Thing) {
    let frame = view.holding(&thing.frame);
    let (w, d) = thing.size;
    let ink = pen.ink(Layer::Furniture);
    let thin = pen.ink(Layer::Swing);
    let middle = [-w / 2.0, -d / 2.0, w / 2.0, d / 2.0];
    let on_wall = [-w / 2.0, 0.0, w / 2.0, d];
    match thing.kind {
        ThingKind::Desk | ThingKind::LongTable => pen.rectangle(&frame, middle, ink),
        ThingKind::Chair => {
            pen.rounded(&frame, middle, [3.0; 4], ink);
            pen.arc(&frame, (0.0, -d / 2.0 + 2.0), w / 2.0, 200.0, 340.0, ink);
        }
        ThingKind::RoundTable => round_table(pen, &frame, w.min(d), ink),
        ThingKind::Sofa => {
            pen.rounded(&frame, on_wall, [4.0; 4], ink);
            for x in [-w / 2.0 + 6.0, w / 2.0 - 6.0] {
                pen.line(&frame, (x, 6.0), (x, d), ink);
            }
            pen.line(&frame, (-w / 2.0 + 6.0, 7.0), (w / 2.0 - 6.0, 7.0), ink);
            pen.line(&frame, (0.0, 7.0), (0.0, d), ink);
        }
        ThingKind::Bed => {
            pen.rectangle(&frame, on_wall, ink);
            for x in [-w / 4.0, w / 4.0] {
                pen.rounded(&frame, [x - w / 5.0, 3.0, x + w / 5.0, 17.0], [3.0; 4], ink);
            }
            pen.polyline(&frame, &[(-w / 2.0, 28.0), (w / 2.0, 28.0), (w * 0.2, 46.0), (-w / 2.0, 46.0)], ink);
        }
        ThingKind::Plant | ThingKind::Tree => tree(pen, &frame, w / 2.0, ink),
        ThingKind::Car => car(pen, &frame, w, d, ink),
        ThingKind::Stair => stair(pen, &frame, w, d, ink),
        ThingKind::WindingStair => winding_stair(pen, &frame, w, d, ink),
        ThingKind::CurvedWall => {
            let radius = w.min(d);
            let wall = pen.ink(Layer::Wall);
            pen.arc(&frame, (0.0, 0.0), radius, -90.0, 0.0, wall);
            pen.arc(&frame, (0.0, 0.0), radius - 6.0, -90.0, 0.0, wall);
        }
        ThingKind::TurningCircle => pen.circle(&frame, (0.0, 0.0), w / 2.0, thin.dashed(4.0, 2.5)),
        ThingKind::ClearFloor => pen.rectangle(&frame, on_wall, thin.dashed(4.0, 2.5)),
        ThingKind::GrabBars => {
            pen.rectangle(&frame, [4.0, 1.0, 4.0 + d * 0.8, 2.5], thin);
            pen.rectangle(&frame, [w * 0.2, 1.5, w * 0.8, 3.0], thin);
        }
        ThingKind::FloorDrain => {
            pen.circle(&frame, (0.0, 0.0), w / 2.0, thin);
            pen.circle(&frame, (0.0, 0.0), w / 3.0, thin);
            let s = w / 2.0;
            if pen.style.library.is_multiple_of(2) {
                pen.rectangle(&frame, [-s, -s, s, s], thin);
            }
        }
        ThingKind::Partition => pen.rectangle(&frame, [0.0, -d / 2.0, w, d / 2.0], pen.ink(Layer::Door)),
        ThingKind::Casework | ThingKind::Counter => {
            pen.rectangle(&frame, on_wall, ink);
            if thing.kind == ThingKind::Casework {
                pen.line(&frame, (-w / 2.0, 12.0), (w / 2.0, 12.0), thin.dashed(3.0, 2.0));
            }
        }
        ThingKind::CaseworkSwing => {
            pen.rectangle(&frame, on_wall, ink);
            for (x, from, to) in [(-w / 2.0, 0.0, 90.0), (w / 2.0, 180.0, 90.0)] {
                pen.arc(&frame, (x, d), w / 2.0, from, to, thin.dashed(2.0, 1.5));
                pen.line(&frame, (x, d), (x, d + w / 2.0), thin);
            }
        }
        ThingKind::Range => {
            pen.rectangle(&frame, on_wall, ink);
            for (x, y) in [(-0.25, 0.3), (0.25, 0.3), (-0.25, 0.72), (0.25, 0.72)] {
                pen.circle(&frame, (w * x, d * y), w * 0.13, ink);
                pen.circle(&frame, (w * x, d * y), w * 0.06, ink);
            }
        }
        ThingKind::Refrigerator => {
            pen.rectangle(&frame, on_wall, ink);
            pen.line(&frame, (-w / 2.0, d * 0.9), (w / 2.0, d * 0.9), ink);
            if pen.style.library % 2 == 1 {
                pen.line(&frame, (-w / 2.0, 0.0), (w / 2.0, d), thin.dashed(4.0, 2.0));
                pen.line(&frame, (w / 2.0, 0.0), (-w / 2.0, d), thin.dashed(4.0, 2.0));
            }
        }
        ThingKind::Washer => {
            pen.rectangle(&frame, on_wall, ink);
            pen.rounded(&frame, [-w * 0.38, d * 0.25, w * 0.38, d * 0.9], [3.0; 4], ink);
            pen.line(&frame, (-w / 2.0, d * 0.15), (w / 2.0, d * 0.15), ink);
        }
        ThingKind::Dishwasher => {
            pen.rectangle(&frame, on_wall, thin.dashed(3.0, 2.0));
            pen.text(&frame, (0.0, d / 2.0), (pen.style.text * 0.7).max(3.5), "DW");
        }
        ThingKind::WaterHeater => {
            let centre = (0.0, d / 2.0);
            pen.circle(&frame, centre, w / 2.0, ink);
            pen.text(&frame, centre, (pen.style.text * 0.7).max(3.5), "WH");
        }
        ThingKind::Shelves => {
            pen.rectangle(&frame, on_wall, ink);
            pen.line(&frame, (-w / 2.0, 0.0), (w / 2.0, d), thin);
        }
        ThingKind::Lockers => {
            pen.rectangle(&frame, on_wall, ink);
            for step in 1..(w / 12.0) as u32 {
                let x = -w / 2.0 + 12.0 * step as f32;
                pen.line(&frame, (x, 0.0), (x, d), ink);
            }
        }
        ThingKind::Elevator => {
            pen.rectangle(&frame, [8.0, 6.0, w - 8.0, d - 8.0], ink);
            pen.line(&frame, (8.0, 6.0), (w - 8.0, d - 8.0), thin);
            pen.line(&frame, (w - 8.0, 6.0), (8.0, d - 8.0), thin);
        }
        ThingKind::Reception => {
            pen.arc(&frame, (0.0, 0.0), w / 2.0, 30.0, 150.0, ink);
            pen.arc(&frame, (0.0, 0.0), w / 2.0 - 18.0, 30.0, 150.0, ink);
            for degrees in [30.0_f32, 150.0] {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let at = |radius: f32| (radius * cos, radius * sin);
                pen.line(&frame, at(w / 2.0), at(w / 2.0 - 18.0), ink);
            }
        }
        ThingKind::RoundColumn => {
            pen.circle(&frame, (0.0, 0.0), w / 2.0, pen.ink(Layer::Wall));
            pen.circle(&frame, (0.0, 0.0), w / 3.0, thin);
        }
        ThingKind::HandDryer => {
            pen.rectangle(&frame, on_wall, ink);
            pen.circle(&frame, (0.0, d / 2.0), 1.5, ink);
        }
    }
}

/// Draws the doors of a lift in the opening of its shaft. Opinions differ on whether they count as
/// doors.
pub(super) fn elevator_doors(pen: &mut Pen<'_>, view: &Frame, thing: &Thing) {
    let frame = view.holding(&thing.frame);
    let left = (thing.size.0 - 42.0) / 2.0;
    let ink = pen.ink(Layer::Door);
    pen.rectangle(&frame, [left, -2.5, left + 22.0, -1.0], ink);
    pen.rectangle(&frame, [left + 20.0, -4.5, left + 42.0, -3.0], ink);
}

fn round_table(pen: &mut Pen<'_>, frame: &Frame, across: f32, ink: Ink) {
    pen.circle(frame, (0.0, 0.0), across / 2.0, ink);
    for chair in 0..4 {
        let (sin, cos) = (chair as f32 * 90.0_f32).to_radians().sin_cos();
        let at = (cos * (across / 2.0 + 8.0), sin * (across / 2.0 + 8.0));
        let turned = frame.inner(at, (-sin, cos), (cos, sin));
        pen.rounded(&turned, [-8.0, -8.0, 8.0, 7.0], [2.0, 2.0, 7.0, 7.0], ink);
    }
}

fn tree(pen: &mut Pen<'_>, frame: &Frame, radius: f32, ink: Ink) {
    match pen.style.library % 3 {
        0 => {
            pen.circle(frame, (0.0, 0.0), radius, ink);
            for step in 0..12 {
                let (sin, cos) = (step as f32 * 30.0_f32).to_radians().sin_cos();
                pen.line(frame, (cos * radius * 0.15, sin * radius * 0.15), (cos * radius, sin * radius), ink);
            }
        }
        1 => {
            // Leaves as a ring of small arcs.
            for step in 0..9 {
                let degrees = step as f32 * 40.0;
                let (sin, cos) = degrees.to_radians().sin_cos();
                let centre = (cos * radius * 0.75, sin * radius * 0.75);
                pen.arc(frame, centre, radius * 0.3, degrees - 100.0, degrees + 100.0, ink);
            }
            pen.circle(frame, (0.0, 0.0), radius * 0.06, ink);
        }
        _ => {
            for step in 0..7 {
                let (sin, cos) = (step as f32 * 51.4_f32).to_radians().sin_cos();
                let tip = (cos * radius, sin * radius);
                let side = (-sin * radius * 0.18, cos * radius * 0.18);
                let half = (tip.0 * 0.5, tip.1 * 0.5);
                pen.polygon(
                    frame,
                    &[(0.0, 0.0), (half.0 + side.0, half.1 + side.1), tip, (half.0 - side.0, half.1 - side.1)],
                    ink,
                );
            }
        }
    }
}

fn car(pen: &mut Pen<'_>, frame: &Frame, w: f32, d: f32, ink: Ink) {
    pen.rounded(frame, [-w / 2.0, -d / 2.0, w / 2.0, d / 2.0], [12.0, 12.0, 18.0, 18.0], ink);
    let glass = |y1: f32, y2: f32, narrow: f32| [(-w * 0.42, y1), (w * 0.42, y1), (w * narrow, y2), (-w * narrow, y2)];
    pen.polygon(frame, &glass(d * 0.22, d * 0.1, 0.36), ink);
    pen.polygon(frame, &glass(-d * 0.33, -d * 0.24, 0.36), ink);
    for (x, from, to) in [(-w / 2.0, 180.0, 240.0), (w / 2.0, 0.0, -60.0)] {
        pen.arc(frame, (x, d * 0.15), w * 0.4, from, to, ink.dashed(2.0, 1.5));
    }
}

fn stair(pen: &mut Pen<'_>, frame: &Frame, w: f32, d: f32, ink: Ink) {
    let landing = (d * 0.25).min(48.0);
    let flight = d - landing;
    let treads = (flight / 11.0).floor().max(2.0);
    pen.rectangle(frame, [w / 2.0 - 2.0, 0.0, w / 2.0 + 2.0, flight], ink);
    for step in 0..=treads as u32 {
        let y = flight * step as f32 / treads;
        pen.line(frame, (0.0, y), (w / 2.0 - 2.0, y), ink);
        pen.line(frame, (w / 2.0 + 2.0, y), (w, y), ink);
    }
    let x = w * 0.25;
    pen.line(frame, (x, 4.0), (x, flight * 0.8), ink);
    pen.polyline(frame, &[(x - 3.0, flight * 0.8 - 6.0), (x, flight * 0.8), (x + 3.0, flight * 0.8 - 6.0)], ink);
    let y = flight * 0.55;
    pen.polyline(
        frame,
        &[
            (0.0, y),
            (w * 0.2, y + 8.0),
            (w * 0.22, y + 2.0),
            (w * 0.27, y + 14.0),
            (w * 0.29, y + 9.0),
            (w / 2.0, y + 18.0),
        ],
        ink,
    );
    pen.text(frame, (x, 10.0), (pen.style.text * 0.8).max(3.5), "UP");
}

fn winding_stair(pen: &mut Pen<'_>, frame: &Frame, w: f32, d: f32, ink: Ink) {
    let radius = (w.min(d) / 2.0 - 4.0).max(20.0);
    let centre = (w / 2.0, d / 2.0);
    pen.arc(frame, centre, radius, -90.0, 180.0, ink);
    pen.circle(frame, centre, radius * 0.18, ink);
    for step in 0..=12 {
        let degrees = -90.0 + 22.5 * step as f32;
        pen.line(frame, on_circle(centre, radius * 0.18, degrees), on_circle(centre, radius, degrees), ink);
    }
    pen.arc(frame, centre, radius * 0.6, -80.0, 150.0, ink);
}
