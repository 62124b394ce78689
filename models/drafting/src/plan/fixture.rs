//! Plumbing fixtures in plan, in the forms of makers' catalogues and symbol libraries.
//!
//! The face of the wall is y = 0, and y points into the room; x = 0 is the centre of the fixture.
//! Lengths in inches. `rarer` has the forms of the second catalogue.

mod rarer;

use serde::Serialize;

use super::door::{State, by_state};
use super::pen::{Frame, Ink, P, Pen, joined, placed};
use super::style::{Layer, Style};
use crate::chance::Chance;
use crate::pdf::Segment;

style_enum! {
    /// A kind of fixture.
    FixtureKind {
        /// A water closet.
        Wc,
        /// A squat toilet.
        SquatWc,
        /// A urinal.
        Urinal,
        /// A wash basin on a wall, a pedestal or in a counter.
        Lavatory,
        /// A kitchen, laundry or service sink.
        Sink,
        /// A mop basin on the floor.
        Mop,
        /// A bathtub.
        Bathtub,
        /// A shower tray or stall.
        Shower,
        /// A drinking fountain, a bidet or a wash fountain.
        Other,
    }
}

style_enum! {
    /// The source of a style's forms of fixtures and other objects.
    Catalogue {
        /// The most common forms.
        Common,
        /// Rarer forms: makers' own, and objects that look like fixtures.
        Rarer,
    }
}

/// A fixture in the building.
#[derive(Clone, Debug)]
pub(super) struct Fixture {
    pub(super) frame: Frame,
    pub(super) kind: FixtureKind,
    /// Selects one of the style's forms; see [`draw`].
    pub(super) form: u8,
    pub(super) state: State,
}

/// The ground truth of a fixture.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FixtureTruth {
    /// Its outline with the flush valve and without a counter, in user space of the unrotated page.
    pub bbox: [f32; 4],
    /// The kind.
    pub kind: FixtureKind,
    /// The form's name.
    pub form: &'static str,
    /// Whether it is new, existing or demolished.
    pub state: State,
    /// Always false: synthetic fixtures are certain.
    pub uncertain: bool,
}

/// Returns the names of a catalogue's forms of a kind.
fn forms(catalogue: Catalogue, kind: FixtureKind) -> &'static [&'static str] {
    match catalogue {
        Catalogue::Common => common_forms(kind),
        Catalogue::Rarer => rarer::forms(kind),
    }
}

fn common_forms(kind: FixtureKind) -> &'static [&'static str] {
    match kind {
        FixtureKind::Wc => &[
            "tank-oval",
            "tank-egg",
            "tank-one-piece",
            "tank-square",
            "tank-trapezium",
            "flush-valve-egg",
            "flush-valve-oval",
            "wall-hung",
            "wall-hung-plate",
            "high-tank",
        ],
        FixtureKind::SquatWc => &["treads", "keyhole", "oval-in-plate", "turkish"],
        FixtureKind::Urinal => &["shield", "round", "stall", "oval", "corner-lines"],
        FixtureKind::Lavatory => &[
            "counter-oval",
            "counter-round",
            "counter-rectangle",
            "counter-d",
            "wall-rectangle",
            "wall-d",
            "wall-rounded",
            "pedestal",
            "vessel",
            "corner",
            "trough",
        ],
        FixtureKind::Sink => {
            &["single", "double", "uneven", "drainboard", "round-bowls", "laundry", "service", "three"]
        }
        FixtureKind::Mop => &["square", "bevelled", "corner", "sloped"],
        FixtureKind::Bathtub => &["alcove", "rounded", "freestanding", "tapered", "corner-tub", "whirlpool"],
        FixtureKind::Shower => &["crossed", "drain", "neo-angle", "quadrant", "roll-in", "sloped"],
        FixtureKind::Other => &["fountain", "two-fountains", "bidet", "wash-fountain"],
    }
}

/// Returns the name of a form.
pub(super) fn form_name(style: &Style, kind: FixtureKind, form: u8) -> &'static str {
    let names = forms(style.catalogue, kind);
    names[usize::from(form) % names.len()]
}

/// Returns one of the two forms that a style uses for a kind.
pub(super) fn choose(style: &Style, kind: FixtureKind, chance: &mut Chance) -> u8 {
    let count = forms(style.catalogue, kind).len() as u32;
    let mut own = Chance::new(style.library.wrapping_mul(31).wrapping_add(kind as u64));
    let (first, second) = (own.between(0, count - 1), own.between(0, count - 1));
    (if chance.percent(70) { first } else { second }) as u8
}

/// The proportions of a form in a style.
struct Maker<'p, 'a> {
    pen: &'p mut Pen<'a>,
    frame: Frame,
    ink: Ink,
    own: Chance,
}

/// Draws a fixture.
pub(super) fn draw(pen: &mut Pen<'_>, view: &Frame, fixture: &Fixture) {
    let frame = view.holding(&fixture.frame);
    let ink = by_state(pen.ink(Layer::Fixture), fixture.state);
    let form = form_name(pen.style, fixture.kind, fixture.form);
    let seed =
        pen.style.library.wrapping_mul(1009).wrapping_add(u64::from(fixture.form)) ^ ((fixture.kind as u64) << 7);
    let catalogue = pen.style.catalogue;
    let mut maker = Maker { pen, frame, ink, own: Chance::new(seed) };
    if catalogue == Catalogue::Rarer {
        maker.rarer(fixture.kind, form);
        return;
    }
    match fixture.kind {
        FixtureKind::Wc => maker.water_closet(form),
        FixtureKind::SquatWc => maker.squat_pan(form),
        FixtureKind::Urinal => maker.urinal(form),
        FixtureKind::Lavatory => maker.lavatory(form),
        FixtureKind::Sink => maker.sink(form),
        FixtureKind::Mop => maker.mop_basin(form),
        FixtureKind::Bathtub => maker.bathtub(form),
        FixtureKind::Shower => maker.shower(form),
        FixtureKind::Other => maker.other(form),
    }
}

impl Maker<'_, '_> {
    fn rectangle(&mut self, bounds: [f32; 4]) {
        self.pen.rectangle(&self.frame, bounds, self.ink);
    }

    fn rounded(&mut self, bounds: [f32; 4], radius: f32) {
        self.pen.rounded(&self.frame, bounds, [radius; 4], self.ink);
    }

    fn ellipse(&mut self, centre: P, radii: P) {
        self.pen.ellipse(&self.frame, centre, radii, self.ink);
    }

    fn circle(&mut self, centre: P, radius: f32) {
        self.pen.circle(&self.frame, centre, radius, self.ink);
    }

    fn line(&mut self, from: P, to: P) {
        self.pen.line(&self.frame, from, to, self.ink);
    }

    /// Draws a drain in one of its usual forms.
    fn drain(&mut self, at: P) {
        match self.own.between(0, 3) {
            0 => self.circle(at, 1.0),
            1 => {
                self.circle(at, 1.5);
                self.circle(at, 0.6);
            }
            2 => {
                self.circle(at, 1.7);
                self.line((at.0 - 1.7, at.1), (at.0 + 1.7, at.1));
                self.line((at.0, at.1 - 1.7), (at.0, at.1 + 1.7));
            }
            _ => {}
        }
    }

    /// Draws a tap at the back of a basin.
    fn tap(&mut self, y: f32) {
        match self.own.between(0, 4) {
            0 => {
                self.circle((-4.0, y), 0.9);
                self.circle((4.0, y), 0.9);
                self.rectangle([-0.7, y - 0.7, 0.7, y + 4.5]);
            }
            1 => self.circle((0.0, y), 0.8),
            2 => {
                self.rounded([-0.8, y - 0.8, 0.8, y + 5.0], 0.8);
                self.line((0.0, y), (3.0, y + 0.5));
            }
            3 => {
                for x in [-4.0, 0.0, 4.0] {
                    self.circle((x, y), 0.7);
                }
            }
            _ => {}
        }
    }

    /// Draws an egg: half an ellipse from `back` to the widest place, half a longer one from there
    /// to `front`.
    fn egg(&mut self, half_width: f32, back: f32, widest: f32, front: f32) {
        let mut outline: Vec<Segment> = self.half_ellipse(widest, (half_width, front - widest), 0.0).collect();
        outline.extend(self.half_ellipse(widest, (half_width, widest - back), 180.0).map(joined));
        outline.push(Segment::Close);
        self.pen.path(&self.frame, &outline, self.ink);
    }

    /// Draws a round front with straight sides to the wall.
    fn tongue(&mut self, half_width: f32, back: f32, front: f32) {
        let ry = half_width * 1.1;
        let mut outline = vec![Segment::Move(half_width, back)];
        outline.extend(self.half_ellipse(front - ry, (half_width, ry), 0.0).map(joined));
        outline.extend([Segment::Line(-half_width, back), Segment::Close]);
        self.pen.path(&self.frame, &outline, self.ink);
    }

    /// Returns half an ellipse around (0, `middle`), counterclockwise from an angle in degrees.
    fn half_ellipse(&self, middle: f32, (rx, ry): P, from: f32) -> impl Iterator<Item = Segment> {
        let frame = Frame { origin: (0.0, middle), x: (rx, 0.0), y: (0.0, ry) };
        let arc = self.pen.style.curves.arc((0.0, 0.0), 1.0, from, from + 180.0);
        arc.into_iter().map(move |segment| placed(&frame, segment))
    }

    fn water_closet(&mut self, form: &str) {
        let tank = self.own.length(17.0, 20.5) / 2.0;
        let deep = self.own.length(7.0, 9.0);
        let front = self.own.length(27.0, 30.0);
        let bowl = self.own.length(6.6, 7.6);
        let inner = self.own.percent(60);
        let gap = self.own.length(-1.0, 1.5);
        match form {
            "tank-oval" => {
                self.rounded([-tank, 0.5, tank, deep], 1.0);
                let middle = f32::midpoint(deep + gap, front);
                self.ellipse((0.0, middle), (bowl, front - middle));
                if inner {
                    self.ellipse((0.0, middle + 0.6), (bowl * 0.68, (front - middle) * 0.7));
                }
            }
            "tank-egg" => {
                self.rectangle([-tank, 0.5, tank, deep]);
                self.egg(bowl, deep + gap, front - 9.0, front);
                if inner {
                    self.egg(bowl * 0.7, deep + gap + 3.5, front - 9.5, front - 2.0);
                }
                self.line((-tank * 0.9, deep - 1.2), (tank * 0.9, deep - 1.2));
            }
            "tank-one-piece" => {
                self.tongue(bowl, 0.5, front);
                self.rounded([-tank * 0.85, 0.3, tank * 0.85, deep], 2.0);
                self.egg(bowl * 0.72, deep + 2.5, front - 9.0, front - 2.0);
            }
            "tank-square" => {
                self.rectangle([-tank, 0.2, tank, deep - 1.0]);
                self.rounded([-bowl, deep - 1.0, bowl, front - 2.0], 3.5);
                self.rounded([-bowl * 0.72, deep + 2.5, bowl * 0.72, front - 4.0], 3.0);
                self.circle((0.0, deep / 2.0), 1.1);
            }
            "tank-trapezium" => {
                let frame = self.frame;
                let outline = [(-tank, 0.5), (tank, 0.5), (tank * 0.86, deep), (-tank * 0.86, deep)];
                self.pen.polygon(&frame, &outline, self.ink);
                self.line((-3.5, deep), (-4.5, deep + 2.5));
                self.line((3.5, deep), (4.5, deep + 2.5));
                self.egg(bowl, deep + 1.5, front - 9.5, front);
                self.egg(bowl * 0.62, deep + 5.0, front - 10.0, front - 2.6);
            }
            "flush-valve-egg" | "flush-valve-oval" => {
                let front = front - 4.5;
                self.circle((0.0, 1.6), 1.3);
                self.line((-0.6, 2.9), (-0.6, 4.6));
                self.line((0.6, 2.9), (0.6, 4.6));
                if self.own.percent(50) {
                    self.line((1.3, 1.6), (4.2, 1.6));
                }
                if form == "flush-valve-egg" {
                    self.egg(bowl, 4.6, front - 9.0, front);
                    self.egg(bowl * 0.7, 8.5, front - 9.5, front - 2.0);
                } else {
                    self.tongue(bowl, 4.6, front);
                    self.ellipse((0.0, front - 8.5), (bowl * 0.72, 6.2));
                }
            }
            "wall-hung" => {
                self.tongue(bowl, 0.0, front - 6.0);
                self.egg(bowl * 0.72, 3.0, front - 14.0, front - 8.0);
            }
            "wall-hung-plate" => {
                self.rectangle([-6.0, 0.0, 6.0, 0.8]);
                self.egg(bowl, 0.8, front - 14.0, front - 6.0);
                if inner {
                    self.egg(bowl * 0.75, 3.0, front - 14.0, front - 7.5);
                }
                self.line((-bowl * 0.9, 4.0), (bowl * 0.9, 4.0));
            }
            _ => {
                self.rectangle([-8.0, 0.0, 8.0, 6.0]);
                self.line((0.0, 6.0), (0.0, 9.0));
                self.egg(bowl, 9.0, front - 9.0, front);
                self.egg(bowl * 0.75, 11.0, front - 9.0, front - 1.8);
                self.circle((0.0, front - 9.0), 1.4);
            }
        }
    }

    fn squat_pan(&mut self, form: &str) {
        let wide = self.own.length(15.5, 19.0) / 2.0;
        let long = self.own.length(21.0, 25.0);
        let from = 4.0;
        match form {
            "treads" | "turkish" => {
                self.rounded([-wide, from, wide, from + long], if form == "treads" { 3.0 } else { 0.5 });
                self.egg(3.6, from + 3.0, from + long - 8.0, from + long - 2.5);
                self.circle((0.0, from + 6.0), 1.6);
                for side in [-1.0, 1.0] {
                    let near = side * (wide - 1.2);
                    let far = side * 4.6;
                    let (x1, x2) = (near.min(far), near.max(far));
                    self.rounded([x1, from + 6.0, x2, from + long - 4.0], 1.0);
                    for step in 1..6 {
                        let y = from + 6.0 + (long - 10.0) * step as f32 / 6.0;
                        self.line((x1, y), (x2, y));
                    }
                }
            }
            "keyhole" => {
                self.tongue(wide * 0.8, from, from + long);
                self.egg(4.2, from + 4.0, from + long - 7.0, from + long - 2.5);
                self.ellipse((0.0, from + 4.5), (2.2, 2.2));
            }
            _ => {
                self.rectangle([-wide, from, wide, from + long]);
                self.ellipse((0.0, from + long / 2.0), (5.0, long * 0.42));
                self.ellipse((0.0, from + long / 2.0), (3.6, long * 0.36));
                self.circle((0.0, from + long * 0.25), 1.5);
            }
        }
        if self.own.percent(40) {
            self.rectangle([-7.0, 0.0, 7.0, 3.0]);
        }
    }

    fn urinal(&mut self, form: &str) {
        let wide = self.own.length(12.5, 18.0) / 2.0;
        let deep = self.own.length(11.5, 15.0);
        if self.own.percent(55) {
            self.circle((0.0, 1.0), 1.0);
            self.line((0.0, 2.0), (0.0, 3.0));
        }
        match form {
            "shield" => {
                self.tongue(wide, 0.0, deep);
                self.egg(wide * 0.7, 3.0, deep * 0.5, deep - 1.8);
                self.drain((0.0, deep * 0.55));
            }
            "round" => {
                self.rectangle([-wide, 0.0, wide, 3.0]);
                self.egg(wide, 3.0, 6.0, deep);
                self.circle((0.0, deep * 0.55), 1.1);
            }
            "stall" => {
                self.rectangle([-wide, 0.0, wide, deep]);
                self.tongue(wide * 0.75, 2.0, deep - 1.0);
                self.circle((0.0, deep * 0.6), 1.3);
            }
            "oval" => {
                self.egg(wide * 0.9, 0.0, deep * 0.4, deep);
                self.ellipse((0.0, deep * 0.48), (wide * 0.5, deep * 0.3));
            }
            _ => {
                let frame = self.frame;
                let half = wide * 0.55;
                let outline =
                    [(-wide, 0.0), (wide, 0.0), (wide, deep * 0.35), (half, deep), (-half, deep), (-wide, deep * 0.35)];
                self.pen.polygon(&frame, &outline, self.ink);
                self.ellipse((0.0, deep * 0.5), (wide * 0.55, deep * 0.3));
            }
        }
    }

    fn lavatory(&mut self, form: &str) {
        let wide = self.own.length(17.0, 23.0) / 2.0;
        let deep = self.own.length(15.0, 20.0);
        match form {
            "counter-oval" => {
                let middle = 3.0 + deep * 0.45;
                self.ellipse((0.0, middle), (wide * 0.92, deep * 0.42));
                if self.own.percent(60) {
                    self.ellipse((0.0, middle + 0.3), (wide * 0.78, deep * 0.33));
                }
                self.drain((0.0, middle));
                self.tap(middle - deep * 0.42);
            }
            "counter-round" => {
                let radius = wide * 0.78;
                self.circle((0.0, 3.0 + radius), radius);
                self.circle((0.0, 3.0 + radius), radius * 0.86);
                self.drain((0.0, 3.0 + radius));
                self.tap(2.0);
            }
            "counter-rectangle" => {
                self.rectangle([-wide, 3.0, wide, 3.0 + deep * 0.8]);
                self.rounded([-wide + 1.2, 4.2, wide - 1.2, 1.8 + deep * 0.8], 2.0);
                self.drain((0.0, 3.0 + deep * 0.4));
                self.tap(2.0);
            }
            "counter-d" => {
                self.tongue(wide * 0.9, 3.5, deep);
                self.drain((0.0, deep * 0.5));
                self.tap(2.2);
            }
            "wall-rectangle" => {
                self.rectangle([-wide, 0.0, wide, deep]);
                let (middle, radii) = ((0.0, deep * 0.58), (wide * 0.75, deep * 0.32));
                self.ellipse(middle, radii);
                self.drain(middle);
                self.tap(2.5);
            }
            "wall-d" => {
                self.tongue(wide, 0.0, deep);
                self.tongue(wide * 0.78, 4.5, deep - 1.8);
                self.tap(2.2);
            }
            "wall-rounded" => {
                let frame = self.frame;
                self.pen.rounded(&frame, [-wide, 0.0, wide, deep], [0.3, 0.3, 5.0, 5.0], self.ink);
                self.pen.rounded(&frame, [-wide + 2.0, 4.5, wide - 2.0, deep - 1.5], [2.0, 2.0, 4.5, 4.5], self.ink);
                self.drain((0.0, deep * 0.55));
                self.tap(2.2);
            }
            "pedestal" => {
                let frame = self.frame;
                let outline = [
                    (-wide, 0.0),
                    (wide, 0.0),
                    (wide, deep * 0.55),
                    (wide * 0.6, deep),
                    (-wide * 0.6, deep),
                    (-wide, deep * 0.55),
                ];
                self.pen.polygon(&frame, &outline, self.ink);
                self.egg(wide * 0.72, 4.0, deep * 0.5, deep - 1.5);
                self.tap(2.0);
            }
            "vessel" => {
                self.rounded([-wide * 0.8, 2.5, wide * 0.8, deep * 0.9], 3.0);
                self.rounded([-wide * 0.74, 3.2, wide * 0.74, deep * 0.9 - 0.7], 2.6);
                self.circle((0.0, deep * 0.5), 1.0);
            }
            "corner" => {
                let frame = self.frame;
                let side = wide * 1.7;
                let arc = self.pen.style.curves.arc((-side / 2.0, 0.0), side, 0.0, 90.0);
                let mut outline = vec![Segment::Move(-side / 2.0, 0.0)];
                outline.extend(arc.into_iter().map(joined));
                outline.push(Segment::Close);
                self.pen.path(&frame, &outline, self.ink);
                self.ellipse((-side / 8.0, side * 0.38), (side * 0.24, side * 0.24));
            }
            _ => {
                let wide = wide * 1.8;
                self.rectangle([-wide, 0.0, wide, deep]);
                self.rounded([-wide + 2.0, 4.0, wide - 2.0, deep - 1.5], 1.5);
                for x in [-wide * 0.5, wide * 0.5] {
                    self.circle((x, 2.0), 0.8);
                    self.circle((x, deep * 0.55), 1.1);
                }
            }
        }
    }

    fn sink(&mut self, form: &str) {
        let deep = self.own.length(19.0, 22.0);
        let radius = *self.own.pick(&[0.5, 2.0, 3.0]);
        let bowls: &[[f32; 2]] = match form {
            "single" => &[[-11.0, 11.0]],
            "double" => &[[-15.0, -0.8], [0.8, 15.0]],
            "uneven" => &[[-15.0, 3.5], [5.0, 15.0]],
            "drainboard" => &[[-20.0, -5.0]],
            "laundry" => &[[-10.0, 10.0]],
            "service" => &[[-9.5, 9.5]],
            "three" => &[[-26.0, -9.5], [-8.0, 8.0], [9.5, 26.0]],
            _ => &[],
        };
        match form {
            "round-bowls" => {
                self.rounded([-17.0, 1.0, 17.0, deep], 2.0);
                for x in [-8.2, 8.2] {
                    self.circle((x, deep / 2.0 + 1.5), 7.2);
                    self.circle((x, deep / 2.0 + 1.5), 1.4);
                }
                self.tap(2.5);
                return;
            }
            "drainboard" => {
                self.rounded([-21.5, 0.8, 21.5, deep], 1.5);
                for step in 0..6 {
                    let y = 4.5 + step as f32 * (deep - 7.0) / 6.0;
                    self.line((-2.0, y), (19.0, y));
                }
            }
            "three" => self.rectangle([-42.0, 0.0, 42.0, deep]),
            _ => {
                let low = bowls.first().map_or(-10.0, |bowl| bowl[0]) - 1.6;
                let high = bowls.last().map_or(10.0, |bowl| bowl[1]) + 1.6;
                let back = if form == "service" { 0.0 } else { 0.8 };
                self.rounded([low, back, high, deep], 1.2);
            }
        }
        for &[low, high] in bowls {
            self.rounded([low, 4.2, high, deep - 1.6], radius);
            self.drain((f32::midpoint(low, high), deep / 2.0 + 1.0));
        }
        if form == "double" && self.own.percent(50) {
            self.line((0.0, 2.4), (5.0, 9.5));
            self.circle((0.0, 2.4), 1.1);
        } else {
            self.tap(2.4);
        }
    }

    fn mop_basin(&mut self, form: &str) {
        let side = *self.own.pick(&[24.0, 24.0, 28.0, 36.0]);
        let half = side / 2.0;
        match form {
            "square" => {
                self.rectangle([-half, 0.0, half, 24.0]);
                self.rectangle([-half + 1.5, 1.5, half - 1.5, 22.5]);
                self.circle((0.0, 12.0), 2.0);
            }
            "bevelled" => {
                self.rectangle([-half, 0.0, half, 24.0]);
                self.rounded([-half + 2.0, 2.0, half - 2.0, 22.0], 2.0);
                self.circle((0.0, 12.0), 1.5);
                self.circle((0.0, 12.0), 2.5);
            }
            "corner" => {
                let frame = self.frame;
                let outline = [(-half, 0.0), (half, 0.0), (half, 16.0), (half - 8.0, 24.0), (-half, 24.0)];
                self.pen.polygon(&frame, &outline, self.ink);
                self.rectangle([-half + 2.0, 2.0, half - 9.0, 15.0]);
                self.circle((-2.0, 9.0), 1.8);
            }
            _ => {
                self.rectangle([-half, 0.0, half, 24.0]);
                self.rectangle([-2.5, 9.5, 2.5, 14.5]);
                for (from, to) in [
                    ((-half, 0.0), (-2.5, 9.5)),
                    ((half, 0.0), (2.5, 9.5)),
                    ((-half, 24.0), (-2.5, 14.5)),
                    ((half, 24.0), (2.5, 14.5)),
                ] {
                    self.line(from, to);
                }
            }
        }
    }

    fn bathtub(&mut self, form: &str) {
        let half = *self.own.pick(&[30.0, 30.0, 33.0, 27.5]);
        let deep = *self.own.pick(&[30.0, 32.0, 28.0]);
        let frame = self.frame;
        match form {
            "alcove" => {
                self.rectangle([-half, 0.0, half, deep]);
                let rounded = [3.0, 9.0, 9.0, 3.0];
                self.pen.rounded(&frame, [-half + 3.0, 2.5, half - 3.5, deep - 3.0], rounded, self.ink);
                self.drain((-half + 8.0, deep / 2.0));
            }
            "rounded" => {
                self.rectangle([-half, 0.0, half, deep]);
                let inner = [-half + 2.5, 2.5, half - 2.5, deep - 2.5];
                let radius = (deep - 5.0) / 2.0;
                self.pen.rounded(&frame, inner, [4.0, radius, radius, 4.0], self.ink);
                self.circle((-half + 7.0, deep / 2.0), 1.3);
                self.circle((-half + 1.2, deep / 2.0), 0.8);
            }
            "freestanding" => {
                self.ellipse((0.0, deep / 2.0 + 2.0), (half, deep / 2.0));
                self.ellipse((0.0, deep / 2.0 + 2.0), (half - 2.5, deep / 2.0 - 2.5));
                self.drain((0.0, deep / 2.0 + 2.0));
            }
            "tapered" => {
                self.rounded([-half, 0.0, half, deep], 2.0);
                let outline = [
                    (-half + 3.0, 5.0),
                    (half - 5.0, 2.5),
                    (half - 2.5, 5.0),
                    (half - 2.5, deep - 5.0),
                    (half - 5.0, deep - 2.5),
                    (-half + 3.0, deep - 5.0),
                ];
                self.pen.polygon(&frame, &outline, self.ink);
                self.circle((-half + 7.0, deep / 2.0), 1.2);
            }
            "corner-tub" => {
                let side = 56.0;
                let arc = self.pen.style.curves.arc((-side / 2.0, 0.0), side, 0.0, 90.0);
                let mut outline = vec![Segment::Move(-side / 2.0, 0.0)];
                outline.extend(arc.into_iter().map(joined));
                outline.push(Segment::Close);
                self.pen.path(&frame, &outline, self.ink);
                self.ellipse((-side / 8.0, side * 0.37), (side * 0.25, side * 0.25));
            }
            _ => {
                self.rectangle([-half, 0.0, half, deep + 6.0]);
                self.ellipse((0.0, deep / 2.0 + 3.0), (half - 4.0, deep / 2.0));
                for x in [-12.0, 12.0] {
                    self.circle((x, 6.0), 1.0);
                    self.circle((x, deep), 1.0);
                }
                self.drain((0.0, deep / 2.0 + 3.0));
            }
        }
    }

    fn shower(&mut self, form: &str) {
        let half = *self.own.pick(&[18.0, 16.0, 21.0]);
        let deep = *self.own.pick(&[36.0, 34.0, 42.0]);
        let frame = self.frame;
        let middle = (0.0, deep / 2.0);
        match form {
            "crossed" => {
                self.rectangle([-half, 0.0, half, deep]);
                self.line((-half, 0.0), (half, deep));
                self.line((half, 0.0), (-half, deep));
                if self.own.percent(50) {
                    self.circle(middle, 2.0);
                }
            }
            "drain" => {
                self.rectangle([-half, 0.0, half, deep]);
                self.rounded([-half + 2.0, 2.0, half - 2.0, deep - 2.5], 2.0);
                self.circle(middle, 2.0);
                self.circle(middle, 1.2);
            }
            "neo-angle" => {
                let outline = [(-18.0, 0.0), (18.0, 0.0), (18.0, 17.0), (-1.0, 36.0), (-18.0, 36.0)];
                self.pen.polygon(&frame, &outline, self.ink);
                let inner = [(-16.5, 1.5), (16.5, 1.5), (16.5, 16.2), (-1.7, 34.5), (-16.5, 34.5)];
                self.pen.polygon(&frame, &inner, self.ink);
                self.circle((-3.0, 15.0), 1.8);
            }
            "quadrant" => {
                let arc = self.pen.style.curves.arc((2.0, 20.0), 16.0, 0.0, 90.0);
                let mut outline = vec![Segment::Move(-18.0, 0.0), Segment::Line(18.0, 0.0)];
                outline.extend(arc.into_iter().map(joined));
                outline.extend([Segment::Line(-18.0, 36.0), Segment::Close]);
                self.pen.path(&frame, &outline, self.ink);
                self.circle((-3.0, 14.0), 1.8);
            }
            "roll-in" => {
                self.rectangle([-30.0, 0.0, 30.0, 31.0]);
                self.rectangle([-29.0, 1.0, -9.0, 16.0]);
                self.circle((0.0, 15.0), 2.0);
                self.line((-30.0, 29.5), (30.0, 29.5));
            }
            _ => {
                self.rectangle([-half, 0.0, half, deep]);
                self.rectangle([-2.0, deep / 2.0 - 2.0, 2.0, deep / 2.0 + 2.0]);
                for (x, y) in [(-half, 0.0), (half, 0.0), (-half, deep), (half, deep)] {
                    let inner = (x.signum() * 2.0, deep / 2.0 + if y == 0.0 { -2.0 } else { 2.0 });
                    self.line((x, y), inner);
                }
            }
        }
    }

    fn other(&mut self, form: &str) {
        let frame = self.frame;
        match form {
            "fountain" | "two-fountains" => {
                let places: &[f32] = if form == "fountain" { &[0.0] } else { &[-9.5, 9.5] };
                for &x in places {
                    self.pen.rounded(&frame, [x - 9.0, 0.0, x + 9.0, 18.0], [0.2, 0.2, 4.0, 4.0], self.ink);
                    self.ellipse((x, 10.0), (6.0, 4.5));
                    self.circle((x, 10.0), 0.8);
                }
            }
            "bidet" => {
                self.egg(7.0, 0.5, 14.0, 23.0);
                self.ellipse((0.0, 13.5), (4.8, 7.0));
                self.circle((0.0, 4.0), 0.9);
            }
            _ => {
                let arc = self.pen.style.curves.arc((0.0, 0.0), 27.0, 0.0, 180.0);
                let mut outline = arc;
                outline.push(Segment::Close);
                self.pen.path(&frame, &outline, self.ink);
                let inner = self.pen.style.curves.arc((0.0, 0.0), 22.0, 0.0, 180.0);
                self.pen.path(&frame, &inner, self.ink);
                self.pen.arc(&frame, (0.0, 0.0), 6.0, 0.0, 180.0, self.ink);
            }
        }
    }
}
