//! The second catalogue's forms of objects in rooms. Many resemble fixtures, as in makers'
//! libraries.

use super::super::building::{Thing, ThingKind};
use super::super::pen::{Frame, Ink, P, Pen, on_circle};
use super::super::style::Layer;
use super::common;

/// Draws an object in the second catalogue's form, or in the common one if the catalogue has none.
pub(super) fn draw(pen: &mut Pen<'_>, view: &Frame, thing: &Thing) {
    let frame = view.holding(&thing.frame);
    let (w, d) = thing.size;
    let mut own = Drawn { ink: pen.ink(Layer::Furniture), thin: pen.ink(Layer::Swing), pen, frame };
    match thing.kind {
        ThingKind::Chair => own.armchair((0.0, 0.0), w),
        ThingKind::RoundTable => own.laid_table(w.min(d)),
        ThingKind::LongTable => own.long_table(w, d),
        ThingKind::Desk => own.desk(w, d),
        ThingKind::Sofa => own.sofa(w, d),
        ThingKind::Bed => own.bed(w, d),
        ThingKind::Plant | ThingKind::Tree => own.tree(w / 2.0),
        ThingKind::Car => own.car(w, d),
        ThingKind::Range => own.range(w, d),
        ThingKind::Refrigerator => own.refrigerator(w, d),
        ThingKind::Washer => own.washer(w, d),
        ThingKind::WaterHeater => own.heater(w),
        ThingKind::Shelves => own.overhead(w, d),
        ThingKind::Lockers => own.lockers(w, d),
        ThingKind::RoundColumn => own.column(w),
        ThingKind::HandDryer => own.dryer(w, d),
        _ => common(own.pen, view, thing),
    }
}

/// An object's frame and inks.
struct Drawn<'p, 'a> {
    pen: &'p mut Pen<'a>,
    frame: Frame,
    ink: Ink,
    thin: Ink,
}

impl Drawn<'_, '_> {
    /// Selects one of `ways` forms, always the same in a style.
    fn way(&self, ways: u64) -> u64 {
        (self.pen.style.library / 7) % ways
    }

    fn rectangle(&mut self, bounds: [f32; 4]) {
        self.pen.rectangle(&self.frame, bounds, self.ink);
    }

    fn rounded(&mut self, bounds: [f32; 4], radii: [f32; 4]) {
        self.pen.rounded(&self.frame, bounds, radii, self.ink);
    }

    fn circle(&mut self, centre: P, radius: f32) {
        self.pen.circle(&self.frame, centre, radius, self.ink);
    }

    fn line(&mut self, from: P, to: P) {
        self.pen.line(&self.frame, from, to, self.ink);
    }

    /// Draws a seat with a round back, as wide as deep.
    fn armchair(&mut self, (x, y): P, wide: f32) {
        let half = wide / 2.0;
        let seat = half * 0.8;
        match self.way(3) {
            0 => {
                self.rounded([x - half, y - half, x + half, y + half], [half * 0.9, half * 0.9, 0.1, 0.1]);
                self.rounded([x - seat, y - seat, x + seat, y + half], [seat * 0.9, seat * 0.9, 0.1, 0.1]);
            }
            1 => {
                self.rounded([x - half, y - half, x + half, y + half], [half * 0.4; 4]);
                self.rounded([x - seat, y - seat, x + seat, y + half * 0.9], [seat * 0.5; 4]);
            }
            _ => {
                self.circle((x, y), half);
                self.pen.arc(&self.frame, (x, y), seat, 180.0, 360.0, self.ink);
                for step in 0..5 {
                    let (sin, cos) = (72.0 * step as f32).to_radians().sin_cos();
                    self.line((x, y), (x + cos * half, y + sin * half));
                }
            }
        }
    }

    /// Draws a round table with armchairs around it.
    fn laid_table(&mut self, across: f32) {
        self.circle((0.0, 0.0), across / 2.0);
        if self.way(2) == 0 {
            self.circle((0.0, 0.0), across / 2.0 - 1.0);
        }
        let room = self.frame;
        let chairs = if across > 44.0 { 6 } else { 4 };
        for chair in 0..chairs {
            let (sin, cos) = (chair as f32 * 360.0 / chairs as f32 + 27.0).to_radians().sin_cos();
            let at = (cos * (across / 2.0 + 8.0), sin * (across / 2.0 + 8.0));
            self.frame = room.inner(at, (sin, -cos), (-cos, -sin));
            self.armchair((0.0, 0.0), 18.0);
        }
        self.frame = room;
    }

    /// Draws a table with armchairs along it. A narrow one is a bar with stools.
    fn long_table(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, -d / 2.0, w / 2.0, d / 2.0], [2.0; 4]);
        let seats = ((w / 26.0) as u32).min(8);
        for seat in 0..seats {
            let x = (seat as f32 + 0.5) / seats as f32 * w - w / 2.0;
            if d < 34.0 {
                for radius in [7.0, 5.5] {
                    self.circle((x, -d / 2.0 - 10.0), radius);
                }
            } else {
                self.armchair((x, -d / 2.0 - 8.0), 18.0);
            }
        }
    }

    /// Draws a desk with a screen, a keyboard and drawers.
    fn desk(&mut self, w: f32, d: f32) {
        self.rectangle([-w / 2.0, -d / 2.0, w / 2.0, d / 2.0]);
        self.rectangle([-w * 0.18, d * 0.1, w * 0.18, d * 0.2]);
        self.rounded([-w * 0.15, -d * 0.3, w * 0.15, -d * 0.1], [1.0; 4]);
        if w > 40.0 {
            self.rectangle([w * 0.26, -d / 2.0, w / 2.0, d / 2.0]);
            self.circle((w * 0.38, d * 0.2), 3.0);
        }
    }

    /// Draws cushions with round corners between arms.
    fn sofa(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, 0.0, w / 2.0, d], [5.0; 4]);
        let each = (w - 16.0) / 2.0;
        for x in [8.0 - w / 2.0, 0.0] {
            self.rounded([x, 9.0, x + each, d + 1.0], [3.0; 4]);
            self.rounded([x + 2.0, 3.0, x + each - 2.0, 10.0], [3.0; 4]);
        }
    }

    /// Draws a bed between night tables with lamps.
    fn bed(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, 0.0, w / 2.0, d], [1.0, 1.0, 4.0, 4.0]);
        self.rounded([-w / 2.0 + 2.0, 22.0, w / 2.0 - 2.0, d - 2.0], [3.0; 4]);
        for x in [-w / 4.0, w / 4.0] {
            self.rounded([x - w / 5.0, 3.0, x + w / 5.0, 18.0], [5.0; 4]);
        }
        for x in [-w / 2.0 - 11.0, w / 2.0 + 11.0] {
            self.rectangle([x - 9.0, 0.5, x + 9.0, 17.0]);
            self.circle((x, 8.5), 5.0);
            if self.way(2) == 0 {
                self.circle((x, 8.5), 1.5);
            } else {
                self.line((x - 6.5, 8.5), (x + 6.5, 8.5));
                self.line((x, 2.0), (x, 15.0));
            }
        }
    }

    /// Draws the crown of a tree around its stem, or a plant in its pot.
    fn tree(&mut self, radius: f32) {
        let at = |degrees: f32, share: f32| on_circle((0.0, 0.0), radius * share, degrees);
        match self.way(4) {
            0 => {
                let points: Vec<P> =
                    (0..48_u8).map(|step| at(7.5 * f32::from(step), if step % 2 == 0 { 1.0 } else { 0.86 })).collect();
                self.pen.polygon(&self.frame, &points, self.ink);
                self.circle((0.0, 0.0), radius * 0.12);
            }
            1 => {
                for share in [1.0, 0.72, 0.4] {
                    self.circle((0.0, 0.0), radius * share);
                }
            }
            2 => {
                for step in 0..6_u8 {
                    let degrees = 60.0 * f32::from(step);
                    let leaf = [at(degrees, 0.15), at(degrees - 16.0, 0.6), at(degrees, 1.0), at(degrees + 16.0, 0.6)];
                    self.pen.polygon(&self.frame, &leaf, self.ink);
                    self.line(at(degrees, 0.15), at(degrees, 1.0));
                }
                self.circle((0.0, 0.0), radius * 0.15);
            }
            _ => {
                self.rectangle([-radius * 0.8, -radius * 0.8, radius * 0.8, radius * 0.8]);
                self.circle((0.0, 0.0), radius * 0.6);
                for step in 0..8_u8 {
                    let degrees = 45.0 * f32::from(step);
                    self.line(at(degrees, 0.1), at(degrees, 0.75));
                }
            }
        }
    }

    /// Draws a car with its roof, lights and mirrors.
    fn car(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, -d / 2.0, w / 2.0, d / 2.0], [10.0, 10.0, 24.0, 24.0]);
        self.rounded([-w * 0.4, -d * 0.34, w * 0.4, d * 0.2], [10.0; 4]);
        self.rounded([-w * 0.34, -d * 0.24, w * 0.34, d * 0.08], [8.0; 4]);
        for x in [-w * 0.4, w * 0.28] {
            self.rounded([x, d * 0.43, x + w * 0.12, d * 0.48], [2.0; 4]);
        }
    }

    /// Draws burners: rings of two sizes in a glass plate, or below grates beside a griddle.
    fn range(&mut self, w: f32, d: f32) {
        self.rectangle([-w / 2.0, 0.0, w / 2.0, d]);
        if self.way(2) == 0 {
            self.rounded([-w * 0.45, d * 0.08, w * 0.45, d * 0.82], [1.0; 4]);
            for (x, y, radius) in [(-0.22, 0.28, 0.14), (0.22, 0.28, 0.1), (-0.22, 0.62, 0.1), (0.22, 0.62, 0.14)] {
                for ring in [1.0, 0.8, 0.35] {
                    self.circle((w * x, d * y), w * radius * ring);
                }
            }
            for knob in 0..5_u8 {
                self.circle((w * (f32::from(knob) - 2.0) * 0.17, d * 0.92), 1.1);
            }
            return;
        }
        self.line((-w / 2.0, d * 0.1), (w / 2.0, d * 0.1));
        for x in [-0.3, 0.3] {
            self.rounded([w * (x - 0.18), d * 0.14, w * (x + 0.18), d * 0.88], [0.5; 4]);
            for y in [0.33, 0.69] {
                let centre = (w * x, d * y);
                self.circle(centre, 1.6);
                self.circle(centre, 2.6);
                for step in 0..8_u8 {
                    let (sin, cos) = (45.0 * f32::from(step)).to_radians().sin_cos();
                    let reach = |share: f32| (centre.0 + w * 0.16 * share * cos, centre.1 + d * 0.16 * share * sin);
                    self.line(reach(0.3), reach(1.0));
                }
            }
        }
        self.rectangle([-w * 0.08, d * 0.16, w * 0.08, d * 0.86]);
    }

    /// Draws two doors with handles, and the directions in which they open.
    fn refrigerator(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, 0.0, w / 2.0, d * 0.86], [0.5; 4]);
        for x in [-w / 2.0, 0.0] {
            self.rounded([x, d * 0.87, x + w / 2.0, d], [0.1, 0.1, 1.5, 1.5]);
        }
        for x in [-1.5, 0.7] {
            self.rectangle([x, d, x + 0.8, d + 1.6]);
        }
        let size = (self.pen.style.text * 0.7).max(3.5);
        self.pen.text(&self.frame, (0.0, d * 0.45), size, "REF");
    }

    /// Draws a drum in its case with knobs behind it.
    fn washer(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, 0.0, w / 2.0, d], [1.5; 4]);
        self.line((-w / 2.0, d * 0.16), (w / 2.0, d * 0.16));
        for x in [-0.3, 0.0, 0.3] {
            self.circle((w * x, d * 0.08), 1.0);
        }
        if self.way(2) == 0 {
            self.circle((0.0, d * 0.58), w * 0.36);
            self.circle((0.0, d * 0.58), w * 0.08);
        } else {
            self.rounded([-w * 0.4, d * 0.24, w * 0.4, d * 0.92], [4.0; 4]);
            self.circle((0.0, d * 0.58), w * 0.3);
        }
    }

    /// Draws a boiler on its pad, or a pump on its frame.
    fn heater(&mut self, w: f32) {
        let middle = (0.0, w / 2.0);
        self.rectangle([-w / 2.0 - 3.0, -3.0, w / 2.0 + 3.0, w + 3.0]);
        self.circle(middle, w / 2.0);
        if self.way(2) == 0 {
            self.circle(middle, w * 0.42);
            self.circle((0.0, w * 0.3), 1.5);
        } else {
            self.line((0.0, 0.0), (0.0, w));
            self.line((-w / 2.0, w / 2.0), (w / 2.0, w / 2.0));
        }
    }

    /// Draws dashed shelves above, with their diagonals.
    fn overhead(&mut self, w: f32, d: f32) {
        let dashed = self.thin.dashed(3.0, 2.0);
        self.pen.rectangle(&self.frame, [-w / 2.0, 0.0, w / 2.0, d], dashed);
        let count = ((w / 30.0) as u32).clamp(1, 12);
        for part in 0..count {
            let from = -w / 2.0 + w * part as f32 / count as f32;
            let to = from + w / count as f32;
            self.pen.line(&self.frame, (from, 0.0), (to, d), dashed);
            self.pen.line(&self.frame, (to, 0.0), (from, d), dashed);
        }
    }

    /// Draws lockers with the diagonals of tall units.
    fn lockers(&mut self, w: f32, d: f32) {
        let count = ((w / 15.0) as u32).max(1);
        for part in 0..count {
            let from = -w / 2.0 + w * part as f32 / count as f32;
            let to = from + w / count as f32;
            self.rectangle([from, 0.0, to, d]);
            self.line((from, 0.0), (to, d));
        }
    }

    /// Draws a column in its casing, with its steel inside.
    fn column(&mut self, w: f32) {
        let wall = self.pen.ink(Layer::Wall);
        if self.way(2) == 0 {
            self.pen.rectangle(&self.frame, [-w / 2.0, -w / 2.0, w / 2.0, w / 2.0], wall);
            self.circle((0.0, 0.0), w * 0.3);
        } else {
            self.pen.circle(&self.frame, (0.0, 0.0), w / 2.0, wall);
            let half = w * 0.3;
            for y in [-half, half] {
                self.line((-half, y), (half, y));
            }
            self.line((0.0, -half), (0.0, half));
        }
    }

    /// Draws a bin or a dispenser recessed in the wall.
    fn dryer(&mut self, w: f32, d: f32) {
        self.rounded([-w / 2.0, -3.0, w / 2.0, d - 3.0], [0.5, 0.5, 3.0, 3.0]);
        self.rectangle([-w * 0.3, d * 0.1, w * 0.3, d * 0.4]);
    }
}
