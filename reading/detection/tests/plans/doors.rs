//! Swinging doors with each representation of an arc, at each angle of the wall, and arcs that are no doors.

use fanlight_detection::symbols::{Door, DoorSymbol};

use crate::pen::{Page, Place};

/// How a drawing program writes an arc.
#[derive(Clone, Copy, Debug)]
enum Form {
    Curve,
    Curves(usize),
    Polyline(usize),
    Exploded(usize),
    Dashes(usize),
}

/// A door as drawn, in the wall's coordinates: the wall is along x, the hinge at the origin.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    form: Form,
    /// Degrees that the leaf stands open.
    open: f32,
    width: f32,
    thick_leaf: bool,
    /// Of the wall against the page, in degrees.
    turned: f32,
}

const PLAIN: Drawn = Drawn { form: Form::Curve, open: 90.0, width: 54.0, thick_leaf: true, turned: 0.0 };

fn at(angle: f32, radius: f32) -> Place {
    let (sin, cos) = angle.to_radians().sin_cos();
    (radius * cos, radius * sin)
}

impl Drawn {
    /// From the wall's coordinates to the page's, to a 600th of an inch as plot drivers round.
    fn place(&self, (x, y): Place) -> Place {
        let (sin, cos) = self.turned.to_radians().sin_cos();
        let round = |value: f32| (value / 0.12).round() * 0.12;
        (round(400.0 + x * cos - y * sin), round(400.0 + x * sin + y * cos))
    }

    fn line(&self, page: &mut Page, places: &[Place]) {
        let places: Vec<Place> = places.iter().map(|place| self.place(*place)).collect();
        page.line(&places);
    }

    fn wall(&self, page: &mut Page) {
        let (width, thick) = (self.width, 9.0);
        for (near, far) in [(0.0, -150.0), (width, width + 150.0)] {
            self.line(page, &[(far, 0.0), (near, 0.0), (near, -thick), (far, -thick)]);
        }
    }

    fn leaf(&self, page: &mut Page) {
        let tip = at(self.open, self.width);
        self.line(page, &[(0.0, 0.0), tip]);
        if self.thick_leaf {
            let side = at(self.open + 90.0, 2.6);
            let other = (tip.0 + side.0, tip.1 + side.1);
            self.line(page, &[tip, other, side, (0.0, 0.0)]);
        }
    }

    fn arc(&self, page: &mut Page) {
        let point = |share: f32| at(self.open * share, self.width);
        let curve = |page: &mut Page, from: f32, to: f32| {
            let handle = 4.0 / 3.0 * ((to - from).to_radians() / 4.0).tan() * self.width;
            let (start, end) = (at(from, self.width), at(to, self.width));
            let (out, back) = (at(from + 90.0, handle), at(to - 90.0, handle));
            let places = [start, (start.0 + out.0, start.1 + out.1), (end.0 + back.0, end.1 + back.1), end];
            page.curve(places.map(|place| self.place(place)));
        };
        match self.form {
            Form::Curve => curve(page, 0.0, self.open),
            Form::Curves(count) => {
                let step = self.open / count as f32;
                (0..count).for_each(|part| curve(page, part as f32 * step, (part + 1) as f32 * step));
            }
            Form::Polyline(count) => {
                let places: Vec<Place> = (0..=count).map(|part| point(part as f32 / count as f32)).collect();
                self.line(page, &places);
            }
            Form::Exploded(count) => {
                let share = |part: usize| part as f32 / count as f32;
                (0..count).for_each(|part| self.line(page, &[point(share(part)), point(share(part + 1))]));
            }
            Form::Dashes(count) => {
                let share = |part: f32| part / (count as f32 - 0.4);
                let dash = |part: usize| [point(share(part as f32)), point(share(part as f32 + 0.6))];
                (0..count).for_each(|part| self.line(page, &dash(part)));
            }
        }
    }

    fn doors(&self) -> Vec<Door> {
        let mut page = Page::new(800.0, 800.0);
        self.wall(&mut page);
        self.leaf(&mut page);
        self.arc(&mut page);
        sure(&page)
    }

    /// The corners of the box around leaf, swing and opening.
    fn extent(&self) -> [f32; 4] {
        let swing = (0..=90).map(|part| at(self.open * part as f32 / 90.0, self.width));
        let around: Vec<Place> = swing.chain([(0.0, 0.0)]).map(|place| self.place(place)).collect();
        let least = |of: fn(&Place) -> f32| around.iter().map(of).fold(f32::MAX, f32::min);
        let most = |of: fn(&Place) -> f32| around.iter().map(of).fold(f32::MIN, f32::max);
        [least(|place| place.0), least(|place| place.1), most(|place| place.0), most(|place| place.1)]
    }
}

fn sure(page: &Page) -> Vec<Door> {
    page.plan().doors().into_iter().filter(|door| door.confidence > 0.5).collect()
}

#[test]
fn doors_are_detected_with_any_arc_at_any_angle() {
    let forms = [
        Form::Curve,
        Form::Curves(2),
        Form::Curves(4),
        Form::Polyline(6),
        Form::Polyline(40),
        Form::Exploded(10),
        Form::Dashes(7),
        Form::Dashes(12),
    ];
    for form in forms {
        for turned in [0.0, 30.0, 90.0, 135.0, 180.0, 270.0] {
            for thick_leaf in [false, true] {
                let drawn = Drawn { form, thick_leaf, turned, ..PLAIN };
                let doors = drawn.doors();
                assert_eq!(doors.len(), 1, "{drawn:?}: {doors:?}");
                let [x1, y1, x2, y2] = drawn.extent();
                let bbox = doors[0].bbox;
                let off = [bbox.x1 - x1, bbox.y1 - y1, bbox.x2 - x2, bbox.y2 - y2].map(f32::abs);
                assert!(off.iter().all(|off| *off < 0.1 * drawn.width), "{drawn:?}: {bbox:?}");
            }
        }
    }
}

#[test]
fn leaves_of_any_size_and_usual_opening_angle_are_detected() {
    for open in [30.0, 45.0, 60.0, 90.0, 180.0] {
        for width in [16.0, 27.0, 54.0, 108.0] {
            for form in [Form::Curves(2), Form::Polyline(6)] {
                let drawn = Drawn { form, open, width, thick_leaf: width > 20.0, ..PLAIN };
                assert_eq!(drawn.doors().len(), 1, "{drawn:?}");
            }
        }
    }
}

#[test]
fn two_leaves_in_one_frame_are_one_door() {
    for (left, right) in [(54.0, 54.0), (54.0, 27.0)] {
        let mut page = Page::new(800.0, 800.0);
        let first = Drawn { width: left, ..PLAIN };
        first.leaf(&mut page);
        first.arc(&mut page);
        // The other leaf hangs on the far jamb, mirrored.
        let hinge = left + right;
        let mirrored = |(x, y): Place| first.place((hinge - x, y));
        page.line(&[mirrored((0.0, 0.0)), mirrored((0.0, right))]);
        let handle = 0.5523 * right;
        page.curve([(right, 0.0), (right, handle), (handle, right), (0.0, right)].map(mirrored));
        for (near, far) in [(0.0, -90.0), (hinge, hinge + 90.0)] {
            first.line(&mut page, &[(far, 0.0), (near, 0.0), (near, -9.0), (far, -9.0)]);
        }
        let doors = sure(&page);
        assert_eq!(doors.len(), 1, "{left} and {right}: {doors:?}");
        assert_eq!(doors[0].kind, DoorSymbol::SeveralSwings);
        assert!((doors[0].bbox.x2 - doors[0].bbox.x1 - hinge).abs() < 4.0, "{doors:?}");
    }
}

#[test]
fn arcs_without_a_leaf_and_an_opening_are_no_doors() {
    let circle = |page: &mut Page, radius: f32, degrees: std::ops::RangeInclusive<i32>| {
        let places: Vec<Place> =
            degrees.step_by(5).map(|angle| at(angle as f32, radius)).map(|(x, y)| (400.0 + x, 400.0 + y)).collect();
        page.line(&places);
    };
    let mut turning = Page::new(800.0, 800.0);
    circle(&mut turning, 45.0, 0..=360);
    let mut rounded = Page::new(800.0, 800.0);
    rounded.line(&[(200.0, 454.0), (400.0, 454.0)]);
    circle(&mut rounded, 54.0, 0..=90);
    rounded.line(&[(454.0, 400.0), (454.0, 200.0)]);
    let mut curved_wall = Page::new(800.0, 800.0);
    circle(&mut curved_wall, 150.0, 10..=80);
    circle(&mut curved_wall, 158.0, 10..=80);
    for (what, page) in [("a turning circle", turning), ("a rounded corner", rounded), ("a curved wall", curved_wall)] {
        let doors = sure(&page);
        assert!(doors.is_empty(), "{what}: {doors:?}");
    }
}
