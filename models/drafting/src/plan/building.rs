//! The building: walls, openings, rooms and objects, in inches, before anything is drawn.

use serde::Serialize;

use super::door::{Door, DoorKind, State};
use super::fixture::{self, Fixture, FixtureKind};
use super::pen::{Frame, P};
use super::rooms::{self, RoomKind};
use super::style::Style;
use crate::chance::Chance;

/// A room with its label.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub(super) number: String,
    pub(super) name: &'static str,
    /// The corners of its clear floor.
    pub(super) polygon: Vec<P>,
    /// The place of its label.
    pub(super) label: P,
    /// Whether its floor gets wet.
    pub(super) wet: bool,
}

/// Kinds of objects that are neither walls, doors nor fixtures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ThingKind {
    Desk,
    Chair,
    RoundTable,
    LongTable,
    Sofa,
    Bed,
    Plant,
    Tree,
    Car,
    Stair,
    WindingStair,
    CurvedWall,
    TurningCircle,
    ClearFloor,
    GrabBars,
    FloorDrain,
    Partition,
    Casework,
    CaseworkSwing,
    Counter,
    Range,
    Refrigerator,
    Washer,
    Dishwasher,
    WaterHeater,
    Shelves,
    Lockers,
    Elevator,
    Reception,
    RoundColumn,
    HandDryer,
}

/// An object at its place.
#[derive(Clone, Debug)]
pub(super) struct Thing {
    pub(super) frame: Frame,
    pub(super) kind: ThingKind,
    /// The extent along the wall and into the room, in inches.
    pub(super) size: P,
}

/// A window in a wall: its centre line and the thickness of the wall.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) frame: Frame,
    pub(super) width: f32,
    pub(super) thickness: f32,
}

/// A building, or the part of it that a plan shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Building {
    /// Solid rectangles. They may overlap.
    pub(super) walls: Vec<[f32; 4]>,
    /// Rectangles that are cut out of the walls.
    pub(super) gaps: Vec<[f32; 4]>,
    pub(super) rooms: Vec<Room>,
    pub(super) doors: Vec<Door>,
    pub(super) fixtures: Vec<Fixture>,
    pub(super) things: Vec<Thing>,
    pub(super) windows: Vec<Window>,
    /// Openings in walls without a door.
    pub(super) passages: Vec<[f32; 4]>,
    /// The positions of column lines.
    pub(super) columns: (Vec<f32>, Vec<f32>),
    pub(super) width: f32,
    pub(super) height: f32,
}

/// A side of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The side of the corridor.
    Front,
    /// The side opposite the corridor.
    Back,
    Left,
    Right,
}

/// A room while it is furnished: its clear floor from (0, 0) to (width, depth), with the corridor
/// below.
pub(super) struct Place<'a> {
    pub(super) building: &'a mut Building,
    pub(super) style: &'a Style,
    pub(super) chance: &'a mut Chance,
    pub(super) frame: Frame,
    pub(super) width: f32,
    pub(super) depth: f32,
    /// The thickness of the corridor's wall and the outer wall.
    pub(super) thickness: (f32, f32),
    /// The number of the next room.
    pub(super) number: &'a mut u32,
}

/// The thickness of walls between rooms.
pub(super) const PARTITION: f32 = 4.875;

impl Place<'_> {
    fn thickness_of(&self, side: Side) -> f32 {
        match side {
            Side::Front => self.thickness.0,
            Side::Back => self.thickness.1,
            Side::Left | Side::Right => PARTITION,
        }
    }

    /// Returns a frame on a side: x along the wall from the room's lower left or upper left corner,
    /// y into the room, with the origin on the face of the wall.
    pub(super) fn on(&self, side: Side, at: f32) -> Frame {
        match side {
            Side::Front => self.frame.inner((at, 0.0), (1.0, 0.0), (0.0, 1.0)),
            Side::Back => self.frame.inner((at, self.depth), (1.0, 0.0), (0.0, -1.0)),
            Side::Left => self.frame.inner((0.0, at), (0.0, 1.0), (1.0, 0.0)),
            Side::Right => self.frame.inner((self.width, at), (0.0, 1.0), (-1.0, 0.0)),
        }
    }

    /// Adds a wall between two points of its centre line, horizontal or vertical.
    pub(super) fn wall(&mut self, from: P, to: P) {
        let half = PARTITION / 2.0;
        let (a, b) = (self.frame.at(from), self.frame.at(to));
        let vertical = (a.0 - b.0).abs() < (a.1 - b.1).abs();
        let (dx, dy) = if vertical { (half, 0.0) } else { (0.0, half) };
        self.building.walls.push([a.0.min(b.0) - dx, a.1.min(b.1) - dy, a.0.max(b.0) + dx, a.1.max(b.1) + dy]);
    }

    /// Adds a door in the wall of a side. Its opening is from `at` to `at + width`.
    pub(super) fn door(&mut self, side: Side, at: f32, width: f32, kind: DoorKind, inwards: bool) {
        let thickness = self.thickness_of(side);
        let face = self.on(side, at);
        let opening = face.moved(0.0, -thickness / 2.0);
        self.opening(opening, width, thickness, kind, inwards);
    }

    /// Adds a door in a wall within the room. The x axis of `frame` is the wall's centre line.
    pub(super) fn opening(&mut self, frame: Frame, width: f32, thickness: f32, kind: DoorKind, inwards: bool) {
        self.cut(&frame, width, thickness);
        let (from, along) = if self.chance.percent(50) { (0.0, 1.0) } else { (width, -1.0) };
        let side = if inwards { 1.0 } else { -1.0 };
        let door = frame.inner((from, 0.0), (along, 0.0), (0.0, side));
        let kind = self.slid(kind);
        self.hang(door, width, thickness, kind);
    }

    /// Returns the kind of sliding door that replaces a door with one or two leaves, in styles with
    /// sliding doors.
    fn slid(&mut self, kind: DoorKind) -> DoorKind {
        let share = self.style.sliders;
        if share == 0 || !matches!(kind, DoorKind::Single | DoorKind::Double) || !self.chance.percent(share) {
            return kind;
        }
        let (one, two) = match kind {
            DoorKind::Single => (DoorKind::Pocket, DoorKind::Bifold),
            _ => (DoorKind::Sliding, DoorKind::BifoldPair),
        };
        self.chance.weighted(&[(4, DoorKind::Sliding), (3, DoorKind::Surface), (3, one), (1, two)])
    }

    /// Adds a door to an existing opening.
    pub(super) fn hang(&mut self, frame: Frame, width: f32, thickness: f32, kind: DoorKind) {
        let usual = f32::from(self.style.opened);
        let opened = match kind {
            DoorKind::Single if self.chance.percent(4) => 180.0,
            DoorKind::Single if self.chance.percent(6) => *self.chance.pick(&[30.0, 45.0, 60.0]),
            DoorKind::Double if self.chance.percent(5) => 180.0,
            DoorKind::Stall if self.chance.percent(85) => 90.0,
            _ => usual,
        };
        let share = self.style.swingless;
        let can_stand = matches!(kind, DoorKind::Single | DoorKind::Double | DoorKind::Uneven | DoorKind::Stall);
        let swings = share == 0 || !can_stand || !self.chance.percent(share);
        let state = self.state();
        let tag = self.building.doors.len() + 1;
        let tag = match tag % 3 {
            0 => format!("{:02}", tag % 100),
            1 => format!("{}{:02}", 1 + tag / 100, tag % 100),
            _ => format!("{}{}", 100 + tag, ["A", "B", ""][tag % 2]),
        };
        self.building.doors.push(Door { frame, kind, width, thickness, opened, swings, state, tag });
    }

    /// Cuts an opening that gets no door.
    pub(super) fn passage(&mut self, frame: &Frame, width: f32, thickness: f32) {
        self.cut(frame, width, thickness);
        self.building.passages.extend(self.building.gaps.last().copied());
    }

    /// Cuts an opening.
    pub(super) fn cut(&mut self, frame: &Frame, width: f32, thickness: f32) {
        let half = thickness / 2.0 + 0.01;
        let (a, b) = (frame.at((0.0, -half)), frame.at((width, half)));
        self.building.gaps.push([a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)]);
    }

    pub(super) fn window(&mut self, side: Side, at: f32, width: f32) {
        let thickness = self.thickness_of(side);
        let frame = self.on(side, at).moved(0.0, -thickness / 2.0);
        self.cut(&frame, width, thickness);
        self.building.windows.push(Window { frame, width, thickness });
    }

    fn state(&mut self) -> State {
        let (existing, demolished) = self.style.existing;
        if self.chance.percent(existing) {
            State::Existing
        } else if self.chance.percent(demolished) {
            State::Demolished
        } else {
            State::New
        }
    }

    /// Adds a fixture to a side's wall, centred at `at`.
    pub(super) fn fixture(&mut self, side: Side, at: f32, kind: FixtureKind) {
        let frame = self.on(side, at);
        self.fixture_in(frame, kind);
    }

    /// Adds a fixture in a frame with its origin on the face of the wall.
    pub(super) fn fixture_in(&mut self, frame: Frame, kind: FixtureKind) {
        let form = fixture::choose(self.style, kind, self.chance);
        let frame = if self.chance.percent(50) { frame.inner((0.0, 0.0), (-1.0, 0.0), (0.0, 1.0)) } else { frame };
        let state = self.state();
        self.building.fixtures.push(Fixture { frame, kind, form, state });
    }

    pub(super) fn thing(&mut self, frame: Frame, kind: ThingKind, size: P) {
        self.building.things.push(Thing { frame, kind, size });
    }

    /// Adds a room with a rectangular clear floor.
    pub(super) fn room(&mut self, name: &'static str, [x1, y1, x2, y2]: [f32; 4], wet: bool) {
        self.room_of(
            name,
            &[(x1, y1), (x2, y1), (x2, y2), (x1, y2)],
            (f32::midpoint(x1, x2), y1 + 0.58 * (y2 - y1)),
            wet,
        );
    }

    pub(super) fn room_of(&mut self, name: &'static str, corners: &[P], label: P, wet: bool) {
        *self.number += 1;
        let polygon = corners.iter().map(|&corner| self.frame.at(corner)).collect();
        let label = self.frame.at(label);
        self.building.rooms.push(Room { number: self.number.to_string(), name, polygon, label, wet });
    }
}

/// Builds what fits into a width and a height: rows of rooms along corridors.
pub(super) fn build(style: &Style, width: f32, height: f32, chance: &mut Chance) -> Building {
    let mut building = Building { width, height, ..Building::default() };
    let outer = chance.length(7.0, 14.0);
    let corridor_wall = chance.length(4.875, 8.0);
    let mut bottom = 0.0;
    let mut number = 100;
    loop {
        let left = height - bottom;
        let usual = rooms::depth(style.program, chance);
        let corridor = chance.length(60.0, 100.0);
        // Rooms on both sides of the corridor if they fit, otherwise on one.
        let both = corridor + 2.0 * (usual + corridor_wall + outer);
        let one = corridor + usual + corridor_wall + 2.0 * outer;
        let (depth, sides) = if left >= both {
            (usual, 2)
        } else if left >= one {
            (usual, 1)
        } else if bottom == 0.0 {
            ((left - corridor - corridor_wall - 2.0 * outer).max(100.0), 1)
        } else {
            break;
        };
        let bar = Bar { style, bottom, width, depth, corridor, outer, corridor_wall, sides };
        bar.build(&mut building, &mut number, chance);
        bottom += bar.height() + chance.length(120.0, 260.0);
        number = (number / 100 + 1) * 100;
    }
    building.height = building.walls.iter().map(|wall| wall[3]).fold(0.0, f32::max);
    building.columns.0 = steps(width, chance.length(200.0, 340.0));
    building.columns.1 = steps(building.height, chance.length(180.0, 320.0));
    building
}

/// Returns column lines from 0 to a length.
fn steps(length: f32, each: f32) -> Vec<f32> {
    let count = (length / each).round().clamp(1.0, 60.0);
    (0..=count as u32).map(|step| length * step as f32 / count).collect()
}

struct Bar<'a> {
    style: &'a Style,
    bottom: f32,
    width: f32,
    depth: f32,
    corridor: f32,
    outer: f32,
    corridor_wall: f32,
    sides: u8,
}

impl Bar<'_> {
    fn height(&self) -> f32 {
        let side = self.depth + self.corridor_wall + self.outer;
        self.corridor + if self.sides == 2 { 2.0 * side } else { side + self.outer }
    }

    fn build(&self, building: &mut Building, number: &mut u32, chance: &mut Chance) {
        let (top, t) = (self.bottom + self.height(), self.outer);
        building.walls.extend([
            [0.0, self.bottom, self.width, self.bottom + t],
            [0.0, top - t, self.width, top],
            [0.0, self.bottom, t, top],
            [self.width - t, self.bottom, self.width, top],
        ]);
        let low = if self.sides == 2 { self.bottom + t + self.depth + self.corridor_wall } else { self.bottom + t };
        let high = low + self.corridor;
        building.walls.push([0.0, high, self.width, high + self.corridor_wall]);
        if self.sides == 2 {
            building.walls.push([0.0, low - self.corridor_wall, self.width, low]);
        }
        let upper = Frame { origin: (t, high + self.corridor_wall), x: (1.0, 0.0), y: (0.0, 1.0) };
        self.rooms(building, &upper, number, chance);
        if self.sides == 2 {
            let lower = Frame { origin: (t, low - self.corridor_wall), x: (1.0, 0.0), y: (0.0, -1.0) };
            self.rooms(building, &lower, number, chance);
        }
        let ends = Frame { origin: (t, low), x: (1.0, 0.0), y: (0.0, 1.0) };
        let mut place = Place {
            building,
            style: self.style,
            chance,
            frame: ends,
            width: self.width - 2.0 * t,
            depth: self.corridor,
            thickness: (t, self.corridor_wall),
            number,
        };
        self.corridor(&mut place);
    }

    /// Adds entrances at the ends of the corridor, and doors across it.
    fn corridor(&self, place: &mut Place<'_>) {
        let (w, h) = (place.width, self.corridor);
        place.room("CORRIDOR", [0.0, 0.0, w, h], false);
        if let Some(room) = place.building.rooms.last_mut() {
            room.label.0 = place.chance.length(0.1, 0.9) * w;
        }
        for side in [Side::Left, Side::Right] {
            let kind = place.chance.weighted(&[
                (4, DoorKind::Double),
                (3, DoorKind::Single),
                (1, DoorKind::Uneven),
                (1, DoorKind::DoubleActingPair),
            ]);
            let width = match kind {
                DoorKind::Single => 38.0,
                DoorKind::Uneven => 54.0,
                _ => 70.0_f32.min(h - 8.0),
            };
            let frame = place.on(side, (h - width) / 2.0).moved(0.0, -self.outer / 2.0);
            let inwards = place.chance.percent(20);
            place.opening(frame, width, self.outer, kind, inwards);
        }
        if w > 700.0 && place.chance.percent(60) {
            let at = w * place.chance.length(0.3, 0.7);
            place.wall((at, 0.0), (at, h));
            let width = 70.0_f32.min(h - 8.0);
            let kind = *place.chance.pick(&[DoorKind::Double, DoorKind::DoubleEgress, DoorKind::DoubleActingPair]);
            let frame = place.frame.inner((at, (h - width) / 2.0), (0.0, 1.0), (1.0, 0.0));
            let inwards = place.chance.percent(50);
            place.opening(frame, width, PARTITION, kind, inwards);
        }
    }

    fn rooms(&self, building: &mut Building, frame: &Frame, number: &mut u32, chance: &mut Chance) {
        let clear = self.width - 2.0 * self.outer;
        let mut at = 0.0;
        let mut last: Option<RoomKind> = None;
        while at < clear {
            let left = clear - at;
            let kind = rooms::pick(self.style.program, last, left, self.depth, chance);
            let (least, most) = kind.widths();
            let mut width = chance.length(least, most).min(left);
            if left - width < 90.0 {
                width = left;
            }
            last = Some(kind);
            let mut place = Place {
                building: &mut *building,
                style: self.style,
                chance: &mut *chance,
                frame: frame.moved(at, 0.0),
                width,
                depth: self.depth,
                thickness: (self.corridor_wall, self.outer),
                number: &mut *number,
            };
            rooms::furnish(&mut place, kind);
            at += width;
            if at < clear {
                let mut place = Place {
                    building: &mut *building,
                    style: self.style,
                    chance: &mut *chance,
                    frame: frame.moved(at, 0.0),
                    width: 0.0,
                    depth: self.depth,
                    thickness: (self.corridor_wall, self.outer),
                    number: &mut *number,
                };
                place.wall((PARTITION / 2.0, -1.0), (PARTITION / 2.0, self.depth + 1.0));
                at += PARTITION;
            }
        }
    }
}
