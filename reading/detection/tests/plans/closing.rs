//! Doors that are identified by the opening they close, at several angles of the wall, and openings with other contents.

use fanlight_detection::symbols::{Door, DoorSymbol};

use crate::pen::{Page, Place};

/// Points per inch of the building, at 1:50.
const SCALE: f32 = 1.44;
/// Of the wall, in inches.
const THICK: f32 = 6.0;

/// Draws what closes an opening, or something else.
type Content = fn(&mut Wall);

/// A wall along x with an opening from 0 to `width`, in inches; the wall's middle line is y = 0.
struct Wall {
    page: Page,
    /// Against the page, in degrees.
    turned: f32,
}

impl Wall {
    /// With an opening whose first end has a slot, or is closed.
    fn new(width: f32, slotted: bool, turned: f32) -> Self {
        let mut wall = Self { page: Page::new(900.0, 900.0), turned };
        wall.page.note = "1 : 50";
        let half = THICK / 2.0;
        let beyond = width + 120.0;
        for side in [-half, half] {
            wall.line(&[(-120.0, side), (0.0, side)]);
            wall.line(&[(width, side), (beyond, side)]);
        }
        wall.line(&[(width, -half), (width, half)]);
        if slotted {
            wall.line(&[(0.0, -half), (0.0, -1.2)]);
            wall.line(&[(0.0, 1.2), (0.0, half)]);
        } else {
            wall.line(&[(0.0, -half), (0.0, half)]);
        }
        wall
    }

    fn place(&self, (x, y): Place) -> Place {
        let (sin, cos) = self.turned.to_radians().sin_cos();
        (450.0 + SCALE * (x * cos - y * sin), 450.0 + SCALE * (x * sin + y * cos))
    }

    fn line(&mut self, places: &[Place]) {
        let places: Vec<Place> = places.iter().map(|place| self.place(*place)).collect();
        self.page.line(&places);
    }

    fn rectangle(&mut self, [x1, y1, x2, y2]: [f32; 4]) {
        self.line(&[(x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1)]);
    }

    /// A line of strokes.
    fn dashes(&mut self, from: Place, to: Place) {
        let at = |share: f32| (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
        for step in 0..12 {
            let start = step as f32 / 11.6;
            self.line(&[at(start), at(start + 0.6 / 11.6)]);
        }
    }

    fn sure(&self) -> Vec<Door> {
        self.page.plan().doors().into_iter().filter(|door| door.confidence > 0.5).collect()
    }

    /// The opening's corners on the page, as the box around them.
    fn opening(&self, width: f32) -> [f32; 4] {
        let half = THICK / 2.0;
        let corners = [(0.0, -half), (width, -half), (0.0, half), (width, half)].map(|corner| self.place(corner));
        let least = |of: fn(&Place) -> f32| corners.iter().map(of).fold(f32::MAX, f32::min);
        let most = |of: fn(&Place) -> f32| corners.iter().map(of).fold(f32::MIN, f32::max);
        [least(|corner| corner.0), least(|corner| corner.1), most(|corner| corner.0), most(|corner| corner.1)]
    }
}

fn pocket(wall: &mut Wall) {
    wall.rectangle([-26.0, -0.8, 10.0, 0.8]);
}

fn fold(wall: &mut Wall) {
    wall.line(&[(0.0, 0.0), (9.0, 15.0), (18.0, 0.0)]);
}

fn fold_of_bars(wall: &mut Wall) {
    for [(x, y), (to_x, to_y)] in [[(0.5, 3.0), (9.0, 18.0)], [(9.0, 18.0), (17.5, 3.0)]] {
        wall.line(&[(x, y), (to_x, to_y), (to_x + 1.2, to_y), (x + 1.2, y), (x, y)]);
    }
}

fn two_folds(wall: &mut Wall) {
    for (jamb, inwards) in [(0.0, 1.0), (60.0, -1.0)] {
        wall.line(&[(jamb, 0.0), (jamb + 8.0 * inwards, 12.5), (jamb + 16.0 * inwards, 0.0)]);
    }
}

#[test]
fn each_kind_of_door_is_detected_in_its_opening() {
    let kinds: [(DoorSymbol, f32, bool, Content); 5] = [
        (DoorSymbol::Folding, 36.0, false, fold),
        (DoorSymbol::Folding, 36.0, false, fold_of_bars),
        (DoorSymbol::Folding, 60.0, false, two_folds),
        (DoorSymbol::Pocket, 34.0, false, pocket),
        (DoorSymbol::Pocket, 34.0, true, pocket),
    ];
    for (kind, width, slotted, draw) in kinds {
        for turned in [0.0, 30.0, 90.0, 180.0, 270.0] {
            let mut wall = Wall::new(width, slotted, turned);
            draw(&mut wall);
            let doors = wall.sure();
            assert_eq!(doors.len(), 1, "{kind:?} at {turned}: {doors:?}");
            assert_eq!(doors[0].kind, kind, "at {turned}");
            if kind == DoorSymbol::Pocket {
                let bbox = doors[0].bbox;
                let off = [bbox.x1, bbox.y1, bbox.x2, bbox.y2];
                let off = off.into_iter().zip(wall.opening(width)).map(|(found, own)| (found - own).abs());
                assert!(off.fold(0.0, f32::max) < 0.5, "{kind:?} at {turned}: {bbox:?}");
            }
        }
    }
}

fn window(wall: &mut Wall) {
    for y in [-3.0, -0.6, 0.6, 3.0] {
        wall.line(&[(0.0, y), (110.0, y)]);
    }
    for x in [36.0, 73.0] {
        wall.rectangle([x, -1.5, x + 2.0, 1.5]);
    }
}

fn counter(wall: &mut Wall) {
    wall.rectangle([0.0, -9.0, 110.0, 9.0]);
}

fn beam(wall: &mut Wall) {
    wall.dashes((0.0, 3.0), (110.0, 3.0));
    wall.dashes((0.0, -3.0), (110.0, -3.0));
}

fn insulation(wall: &mut Wall) {
    wall.rectangle([-120.0, -0.8, -40.0, 0.8]);
}

fn handrail(wall: &mut Wall) {
    wall.rectangle([-50.0, THICK / 2.0 + 1.5, -4.0, THICK / 2.0 + 3.0]);
}

#[test]
fn openings_with_other_contents_are_no_doors() {
    let others: [(&str, f32, Content); 6] = [
        ("nothing", 36.0, |_| {}),
        ("a window", 110.0, window),
        ("a counter", 110.0, counter),
        ("a beam above", 110.0, beam),
        ("a part of the wall", 34.0, insulation),
        ("a handrail beside", 36.0, handrail),
    ];
    for (what, width, draw) in others {
        let mut wall = Wall::new(width, false, 0.0);
        draw(&mut wall);
        let doors = wall.sure();
        assert!(doors.is_empty(), "{what}: {doors:?}");
    }
}

#[test]
fn openings_are_detected_on_tiled_floors() {
    let mut wall = Wall::new(34.0, false, 0.0);
    for (column, row) in (0..44).flat_map(|row| (0..179).map(move |column| (column, row))) {
        let (x, y) = (5.0 * column as f32, 5.0 * row as f32);
        wall.page.line(&[(x, y + 5.0), (x, y)]);
        wall.page.line(&[(x, y), (x + 5.0, y)]);
    }
    pocket(&mut wall);
    let doors = wall.sure();
    assert_eq!(doors.iter().map(|door| door.kind).collect::<Vec<_>>(), [DoorSymbol::Pocket]);
}
