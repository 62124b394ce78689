//! The kinds of rooms and what is in them.

use super::building::{PARTITION, Place, Side, ThingKind};
use super::door::DoorKind;
use super::fixture::FixtureKind;
use super::pen::{Frame, P};
use super::style::Program;
use crate::chance::Chance;

/// A kind of room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoomKind {
    Style,
    Meeting,
    Classroom,
    Toilets,
    SingleToilet,
    Janitor,
    Closet,
    Stair,
    Elevator,
    Lobby,
    Flat,
    Hall,
    Lockers,
    Kitchen,
    Plant,
    Round,
}

impl RoomKind {
    /// Returns the least and greatest width in inches.
    pub(super) fn widths(self) -> P {
        match self {
            Self::Style => (100.0, 170.0),
            Self::Meeting => (180.0, 280.0),
            Self::Classroom => (300.0, 390.0),
            Self::Toilets => (156.0, 250.0),
            Self::SingleToilet => (86.0, 104.0),
            Self::Janitor => (62.0, 86.0),
            Self::Closet => (70.0, 120.0),
            Self::Stair => (108.0, 132.0),
            Self::Elevator => (88.0, 100.0),
            Self::Lobby => (200.0, 330.0),
            Self::Flat => (340.0, 440.0),
            Self::Hall => (280.0, 430.0),
            Self::Lockers => (190.0, 280.0),
            Self::Kitchen => (210.0, 290.0),
            Self::Plant => (140.0, 240.0),
            Self::Round => (180.0, 260.0),
        }
    }
}

/// Returns the depth of a program's rooms in inches.
pub(super) fn depth(program: Program, chance: &mut Chance) -> f32 {
    let (least, most) = match program {
        Program::School | Program::Industry => (240.0, 330.0),
        Program::Offices => (150.0, 220.0),
        Program::Housing => (275.0, 330.0),
        Program::Sanitary => (160.0, 250.0),
    };
    chance.length(least, most)
}

/// Returns the next room along a corridor, of those that fit.
pub(super) fn pick(program: Program, last: Option<RoomKind>, left: f32, depth: f32, chance: &mut Chance) -> RoomKind {
    use RoomKind as K;
    let weights: &[(u32, RoomKind)] = match program {
        Program::School => &[
            (8, K::Classroom),
            (4, K::Toilets),
            (3, K::Style),
            (2, K::SingleToilet),
            (2, K::Janitor),
            (2, K::Closet),
            (2, K::Stair),
            (1, K::Elevator),
            (2, K::Lobby),
            (1, K::Kitchen),
            (1, K::Round),
        ],
        Program::Offices => &[
            (9, K::Style),
            (3, K::Meeting),
            (2, K::Toilets),
            (3, K::SingleToilet),
            (1, K::Janitor),
            (3, K::Closet),
            (2, K::Stair),
            (2, K::Elevator),
            (1, K::Lobby),
            (1, K::Round),
        ],
        Program::Housing => {
            &[(10, K::Flat), (1, K::Stair), (1, K::Elevator), (1, K::Closet), (1, K::Lobby), (2, K::SingleToilet)]
        }
        Program::Industry => &[
            (6, K::Hall),
            (4, K::Lockers),
            (2, K::Toilets),
            (3, K::Style),
            (2, K::Plant),
            (1, K::Janitor),
            (2, K::Kitchen),
            (1, K::Stair),
        ],
        Program::Sanitary => &[
            (8, K::Toilets),
            (5, K::SingleToilet),
            (3, K::Janitor),
            (2, K::Lockers),
            (2, K::Closet),
            (1, K::Kitchen),
            (1, K::Stair),
            (1, K::Style),
        ],
    };
    let fitting: Vec<(u32, RoomKind)> = weights
        .iter()
        .copied()
        .filter(|(_, kind)| kind.widths().0 <= left && (*kind != K::Flat || depth > 260.0))
        .filter(|(_, kind)| Some(*kind) != last || matches!(kind, K::Flat | K::Style | K::Classroom | K::Hall))
        .collect();
    if fitting.is_empty() { K::Closet } else { chance.weighted(&fitting) }
}

/// Adds doors, windows, fixtures and objects to a room.
pub(super) fn furnish(place: &mut Place<'_>, kind: RoomKind) {
    match kind {
        RoomKind::Style => style(place),
        RoomKind::Meeting => meeting(place),
        RoomKind::Classroom => classroom(place),
        RoomKind::Toilets => toilets(place),
        RoomKind::SingleToilet => single_toilet(place),
        RoomKind::Janitor => janitor(place),
        RoomKind::Closet => closet(place),
        RoomKind::Stair => stair(place),
        RoomKind::Elevator => elevator(place),
        RoomKind::Lobby => lobby(place),
        RoomKind::Flat => flat(place),
        RoomKind::Hall => hall(place),
        RoomKind::Lockers => lockers(place),
        RoomKind::Kitchen => kitchen(place),
        RoomKind::Plant => plant(place),
        RoomKind::Round => round(place),
    }
}

/// Adds an ordinary door from the corridor near one of the corners. Returns where it begins and
/// ends.
fn entrance(place: &mut Place<'_>, kind: DoorKind, width: f32) -> P {
    let width = width.min(place.width - 8.0).max(20.0);
    let near = place.chance.length(4.0, 10.0).min((place.width - width) / 2.0);
    let at = if place.chance.percent(50) { near } else { place.width - width - near };
    let inwards = place.chance.percent(75);
    if place.style.doorless > 0 && place.chance.percent(place.style.doorless) {
        let thickness = place.thickness.0;
        let frame = place.on(Side::Front, at).moved(0.0, -thickness / 2.0);
        place.passage(&frame, width, thickness);
    } else {
        place.door(Side::Front, at, width, kind, inwards);
    }
    (at, at + width)
}

fn usual_width(place: &mut Place<'_>) -> f32 {
    *place.chance.pick(&[36.0, 36.0, 34.0, 32.0, 40.0, 35.5, 31.5])
}

fn windows(place: &mut Place<'_>) {
    let width = place.chance.length(36.0, 72.0);
    let count = (place.width / (width + 30.0)).floor().max(0.0);
    let pitch = place.width / count.max(1.0);
    for step in 0..count as u32 {
        place.window(Side::Back, pitch * (step as f32 + 0.5) - width / 2.0, width);
    }
}

fn furnished(place: &Place<'_>) -> bool {
    place.style.furniture
}

fn style(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("OFFICE", [0.0, 0.0, w, d], false);
    let width = usual_width(place);
    let kind = place.chance.weighted(&[(12, DoorKind::Single), (1, DoorKind::Surface), (1, DoorKind::Sliding)]);
    entrance(place, kind, width);
    windows(place);
    if furnished(place) {
        let frame = place.frame.moved(w / 2.0, d * 0.62);
        place.thing(frame, ThingKind::Desk, (60.0, 30.0));
        place.thing(frame.moved(0.0, 26.0), ThingKind::Chair, (18.0, 18.0));
        for x in [-18.0, 18.0] {
            place.thing(frame.moved(x, -28.0), ThingKind::Chair, (18.0, 18.0));
        }
        if place.chance.percent(40) {
            place.thing(place.frame.moved(14.0, d - 14.0), ThingKind::Plant, (18.0, 18.0));
        }
    }
}

fn meeting(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("MEETING", [0.0, 0.0, w, d], false);
    let kind = place.chance.weighted(&[
        (4, DoorKind::Double),
        (3, DoorKind::Single),
        (1, DoorKind::Sliding),
        (1, DoorKind::Accordion),
        (1, DoorKind::Pocket),
    ]);
    let width = if matches!(kind, DoorKind::Single | DoorKind::Pocket) { 36.0 } else { 72.0 };
    if kind == DoorKind::Pocket {
        let frame = place.on(Side::Front, w * 0.5).moved(0.0, -place.thickness.0 / 2.0);
        place.passage(&frame, width, place.thickness.0);
        let thickness = place.thickness.0;
        place.hang(frame, width, thickness, kind);
    } else {
        entrance(place, kind, width);
    }
    windows(place);
    if furnished(place) {
        let kind = *place.chance.pick(&[ThingKind::LongTable, ThingKind::RoundTable]);
        place.thing(place.frame.moved(w / 2.0, d / 2.0), kind, (w * 0.5, 48.0));
    }
}

fn classroom(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("CLASSROOM", [0.0, 0.0, w, d], false);
    let kind = place.chance.weighted(&[(4, DoorKind::Single), (1, DoorKind::Double), (1, DoorKind::Uneven)]);
    let width = match kind {
        DoorKind::Single => 36.0,
        DoorKind::Uneven => 52.0,
        _ => 72.0,
    };
    place.door(Side::Front, 8.0, width, kind, true);
    if place.chance.percent(50) {
        place.door(Side::Front, w - 46.0, 36.0, DoorKind::Single, true);
    }
    if place.chance.percent(20) {
        place.door(Side::Back, w - 48.0, 36.0, DoorKind::Single, false);
    } else {
        windows(place);
    }
    let casework = place.on(Side::Right, d * 0.55);
    let kind = *place.chance.pick(&[ThingKind::Counter, ThingKind::Casework]);
    place.thing(casework, kind, (d * 0.7, 24.0));
    if place.chance.percent(60) {
        place.fixture(Side::Right, d * 0.6, FixtureKind::Sink);
    }
    if place.chance.percent(30) {
        place.thing(place.on(Side::Right, d * 0.35), ThingKind::CaseworkSwing, (36.0, 18.0));
    }
    if furnished(place) {
        let (columns, rows) = (((w - 110.0) / 50.0) as u32, ((d - 110.0) / 48.0) as u32);
        for column in 0..columns {
            for row in 0..rows {
                let frame = place.frame.moved(50.0 + 50.0 * column as f32, 80.0 + 48.0 * row as f32);
                place.thing(frame, ThingKind::Desk, (24.0, 18.0));
                place.thing(frame.moved(0.0, -17.0), ThingKind::Chair, (15.0, 15.0));
            }
        }
    }
}

/// Returns the kind of toilet in the style's country.
fn closet_kind(place: &mut Place<'_>) -> FixtureKind {
    let squats = place.style.library % 4 == 1 && place.chance.percent(60);
    if squats { FixtureKind::SquatWc } else { FixtureKind::Wc }
}

/// Adds toilet partitions along the left wall. Returns where they end.
fn stalls(place: &mut Place<'_>, from: f32, to: f32) -> f32 {
    let deep = place.chance.length(56.0, 62.0);
    let each = place.chance.length(34.0, 39.0);
    let accessible = to - from > each + 70.0 && place.chance.percent(70);
    let wide = 60.0;
    let room = to - from - if accessible { wide } else { 0.0 };
    let count = (room / each).floor() as u32;
    let kind = closet_kind(place);
    let mut y = from;
    for stall in 0..count + u32::from(accessible) {
        let large = stall == count;
        let length = if large { wide } else { each };
        let at = |x: f32, y: f32| place.frame.inner((x, y), (0.0, 1.0), (1.0, 0.0));
        let (door, inwards) = if large { (33.0_f32, false) } else { (24.0, place.style.library % 5 != 2) };
        let start = y + if large { 4.0 } else { (length - door) / 2.0 };
        let side = if inwards { -1.0 } else { 1.0 };
        let front = at(deep, 0.0);
        let partition = place.frame.inner((0.0, y), (1.0, 0.0), (0.0, 1.0));
        place.thing(partition, ThingKind::Partition, (deep, 1.0));
        place.thing(front.moved(y, 0.0), ThingKind::Partition, (start - y, 1.0));
        place.thing(front.moved(start + door, 0.0), ThingKind::Partition, (y + length - start - door, 1.0));
        let hinged = if place.chance.percent(50) {
            front.inner((start, 0.0), (1.0, 0.0), (0.0, side))
        } else {
            front.inner((start + door, 0.0), (-1.0, 0.0), (0.0, side))
        };
        place.hang(hinged, door, 1.0, DoorKind::Stall);
        place.fixture(Side::Left, y + if large { 18.0 } else { length / 2.0 }, kind);
        if large {
            place.thing(place.on(Side::Left, y), ThingKind::GrabBars, (length, 42.0));
            if place.chance.percent(40) {
                place.thing(place.frame.moved(deep - 20.0, y + 32.0), ThingKind::TurningCircle, (60.0, 60.0));
            }
        }
        y += length;
    }
    place.thing(place.frame.inner((0.0, y), (1.0, 0.0), (0.0, 1.0)), ThingKind::Partition, (deep, 1.0));
    y
}

/// Adds basins side by side on the right wall, in a counter or without one.
fn basins(place: &mut Place<'_>, from: f32, to: f32) {
    let each = place.chance.length(26.0, 34.0);
    let count = ((to - from) / each).floor().clamp(0.0, 6.0);
    if count < 1.0 {
        return;
    }
    if !place.style.library.is_multiple_of(3) {
        let frame = place.on(Side::Right, from + count * each / 2.0);
        place.thing(frame, ThingKind::Counter, (count * each, 23.0));
    }
    for basin in 0..count as u32 {
        place.fixture(Side::Right, from + each * (basin as f32 + 0.5), FixtureKind::Lavatory);
    }
    if place.chance.percent(40) {
        place.thing(place.on(Side::Right, from + count * each + 8.0), ThingKind::HandDryer, (11.0, 8.0));
    }
}

fn toilets(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    let name = *place.chance.pick(&["MEN", "WOMEN", "BOYS", "GIRLS", "TOILETS", "WASHROOM"]);
    place.room(name, [0.0, 0.0, w, d], true);
    let width = *place.chance.pick(&[36.0, 36.0, 40.0]);
    let kind = place.chance.weighted(&[(8, DoorKind::Single), (1, DoorKind::DoubleActing)]);
    let inwards = place.chance.percent(70);
    if kind == DoorKind::Single {
        place.door(Side::Front, w - width - 6.0, width, kind, inwards);
    } else {
        place.door(Side::Front, w - width - 6.0, width, kind, true);
    }
    let first = place.chance.length(8.0, 38.0);
    let end = stalls(place, first, d);
    let men = matches!(name, "MEN" | "BOYS" | "TOILETS");
    let mut from = 52.0;
    if men {
        let each = place.chance.length(26.0, 34.0);
        let count = place.chance.between(1, 4).min(((d - from - 40.0) / each).max(0.0) as u32);
        for urinal in 0..count {
            let at = from + each * (urinal as f32 + 0.5);
            place.fixture(Side::Right, at, FixtureKind::Urinal);
            if place.chance.percent(70) {
                let frame = place.on(Side::Right, at + each / 2.0).inner((0.0, 0.0), (0.0, 1.0), (1.0, 0.0));
                place.thing(frame, ThingKind::Partition, (18.0, 1.0));
            }
        }
        from += each * count as f32 + 6.0;
    }
    let to = from.max((d - 8.0).min(from + 110.0));
    basins(place, from, to);
    if place.chance.percent(70) {
        place.thing(place.frame.moved(w * 0.55, d * 0.4), ThingKind::FloorDrain, (6.0, 6.0));
    }
    if d - end > 45.0 && place.chance.percent(50) {
        place.fixture(Side::Back, 24.0, FixtureKind::Shower);
    }
}

fn single_toilet(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    let split = d > 160.0;
    let from = if split { d - 100.0 } else { 0.0 };
    let name = *place.chance.pick(&["TOILET", "RESTROOM", "W.C.", "BATH"]);
    place.room(name, [0.0, from, w, d], true);
    if split {
        place.room("VESTIBULE", [0.0, 0.0, w, from - PARTITION], false);
        place.wall((-1.0, from - PARTITION / 2.0), (w + 1.0, from - PARTITION / 2.0));
        let width = usual_width(place);
        entrance(place, DoorKind::Single, width);
        let kind = place.chance.weighted(&[(6, DoorKind::Single), (1, DoorKind::Pocket), (1, DoorKind::Surface)]);
        let width = 33.0;
        if kind == DoorKind::Pocket {
            let frame = place.frame.inner((w - width - 6.0, from - PARTITION / 2.0), (1.0, 0.0), (0.0, 1.0));
            place.passage(&frame, width, PARTITION);
            place.hang(frame, width, PARTITION, kind);
        } else {
            let frame = place.frame.inner((w - width - 5.0, from - PARTITION / 2.0), (1.0, 0.0), (0.0, 1.0));
            let inwards = place.chance.percent(50);
            place.opening(frame, width, PARTITION, kind, inwards);
        }
    } else {
        let width = 34.0;
        place.door(Side::Front, w - width - 5.0, width, DoorKind::Single, true);
    }
    let kind = closet_kind(place);
    place.fixture(Side::Left, d - 22.0, kind);
    if place.chance.percent(50) {
        place.thing(place.on(Side::Left, d - 40.0), ThingKind::GrabBars, (40.0, 42.0));
    }
    if place.chance.percent(60) {
        place.fixture(Side::Left, from + 40.0, FixtureKind::Lavatory);
    } else {
        place.fixture(Side::Right, d - 20.0, FixtureKind::Lavatory);
    }
    if place.chance.percent(60) {
        place.thing(place.frame.moved(w * 0.58, from + 42.0), ThingKind::TurningCircle, (60.0, 60.0));
    } else if place.chance.percent(50) {
        place.thing(place.on(Side::Left, d - 30.0), ThingKind::ClearFloor, (60.0, 56.0));
    }
}

fn janitor(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("JANITOR", [0.0, 0.0, w, d], true);
    let width = usual_width(place);
    entrance(place, DoorKind::Single, width);
    place.fixture(Side::Back, 20.0, FixtureKind::Mop);
    place.thing(place.on(Side::Left, d * 0.45), ThingKind::Shelves, (d * 0.4, 16.0));
    if place.chance.percent(40) {
        place.thing(place.on(Side::Back, w - 13.0), ThingKind::WaterHeater, (22.0, 22.0));
    }
}

fn closet(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    let deep = place.chance.length(26.0, 40.0);
    let name = *place.chance.pick(&["ELEC.", "CLOSET", "STOR.", "DATA", "LINEN"]);
    place.room(name, [0.0, 0.0, w, deep], false);
    place.wall((-1.0, deep + PARTITION / 2.0), (w + 1.0, deep + PARTITION / 2.0));
    let kind = place.chance.weighted(&[
        (5, DoorKind::Double),
        (4, DoorKind::BifoldPair),
        (3, DoorKind::Bifold),
        (4, DoorKind::Sliding),
        (1, DoorKind::Accordion),
        (2, DoorKind::Single),
    ]);
    let width = match kind {
        DoorKind::Single | DoorKind::Bifold => 32.0,
        _ => (w - 12.0).min(72.0),
    };
    place.door(Side::Front, (w - width) / 2.0, width, kind, false);
    place.thing(place.frame.inner((w / 2.0, deep), (1.0, 0.0), (0.0, -1.0)), ThingKind::Shelves, (w - 6.0, 12.0));
    let rest = deep + PARTITION;
    if d - rest > 90.0 {
        place.room("STORAGE", [0.0, rest, w, d], false);
        let kind = place.chance.weighted(&[(3, DoorKind::Single), (2, DoorKind::Double), (1, DoorKind::Overhead)]);
        let width = if kind == DoorKind::Single { 36.0 } else { (w - 10.0).min(72.0) };
        place.door(Side::Back, (w - width) / 2.0, width, kind, false);
    }
}

fn stair(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("STAIR", [0.0, 0.0, w, d], false);
    let width = 38.0;
    place.door(Side::Front, 5.0, width, DoorKind::Single, true);
    let winding = place.chance.percent(25);
    let frame = place.frame.moved(0.0, 60.0);
    let kind = if winding { ThingKind::WindingStair } else { ThingKind::Stair };
    place.thing(frame, kind, (w, d - 60.0));
    if place.chance.percent(35) {
        place.door(Side::Back, w - 44.0, 36.0, DoorKind::Single, false);
    }
}

fn elevator(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("ELEV.", [0.0, 0.0, w, d.min(90.0)], false);
    if d > 100.0 {
        place.wall((-1.0, 90.0 + PARTITION / 2.0), (w + 1.0, 90.0 + PARTITION / 2.0));
    }
    let frame = place.on(Side::Front, (w - 42.0) / 2.0).moved(0.0, -place.thickness.0 / 2.0);
    place.cut(&frame, 42.0, place.thickness.0);
    place.thing(place.frame, ThingKind::Elevator, (w, 90.0_f32.min(d)));
}

fn lobby(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("LOBBY", [0.0, 0.0, w, d], false);
    let frame = place.on(Side::Front, w * 0.15).moved(0.0, -place.thickness.0 / 2.0);
    place.passage(&frame, w * 0.7, place.thickness.0);
    let kind = place.chance.weighted(&[
        (4, DoorKind::Double),
        (3, DoorKind::Revolving),
        (2, DoorKind::Sliding),
        (1, DoorKind::DoubleActingPair),
    ]);
    let width = match kind {
        DoorKind::Revolving => place.chance.length(78.0, 96.0),
        _ => 72.0,
    };
    place.door(Side::Back, (w - width) / 2.0, width, kind, false);
    for x in [14.0, w - 62.0] {
        place.window(Side::Back, x, 48.0);
    }
    place.thing(place.frame.moved(w * 0.3, d * 0.55), ThingKind::Reception, (70.0, 40.0));
    place.thing(place.frame.moved(18.0, 20.0), ThingKind::Plant, (24.0, 24.0));
    place.thing(place.frame.moved(w * 0.75, d * 0.4), ThingKind::RoundTable, (40.0, 40.0));
    for x in [0.3, 0.7] {
        place.thing(place.frame.moved(w * x, d * 0.8), ThingKind::RoundColumn, (14.0, 14.0));
    }
    for x in [0.2, 0.8] {
        let frame = place.frame.moved(w * x, d + 70.0);
        place.thing(frame, ThingKind::Tree, (70.0, 70.0));
    }
    if place.chance.percent(50) {
        place.fixture(Side::Left, d * 0.3, FixtureKind::Other);
    }
}

fn flat(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    let (bath_w, bath_d) = (place.chance.length(92.0, 104.0), place.chance.length(92.0, 106.0));
    let half = PARTITION / 2.0;
    // The bath, in the corner at the corridor.
    place.room("BATH", [0.0, 0.0, bath_w, bath_d], true);
    place.wall((bath_w + half, -1.0), (bath_w + half, bath_d + PARTITION));
    place.wall((-1.0, bath_d + half), (bath_w + PARTITION, bath_d + half));
    let beside = place.frame.inner((bath_w + half, 10.0), (0.0, 1.0), (-1.0, 0.0));
    let kind = place.chance.weighted(&[(6, DoorKind::Single), (2, DoorKind::Pocket)]);
    let width = *place.chance.pick(&[28.0, 30.0, 32.0, 27.5]);
    if kind == DoorKind::Pocket {
        let pocket = place.frame.inner((bath_w + half, 10.0 + width), (0.0, -1.0), (-1.0, 0.0));
        place.passage(&beside, width, PARTITION);
        place.hang(pocket, width, PARTITION, kind);
    } else {
        let inwards = place.chance.percent(75);
        place.opening(beside, width, PARTITION, kind, inwards);
    }
    let back = place.frame.inner((bath_w / 2.0, bath_d), (1.0, 0.0), (0.0, -1.0));
    let bathing = place.chance.weighted(&[(3, FixtureKind::Bathtub), (2, FixtureKind::Shower)]);
    let along = if bathing == FixtureKind::Bathtub { 33.0 - bath_w / 2.0 } else { 22.0 - bath_w / 2.0 };
    place.fixture_in(back.moved(along, 0.0), bathing);
    let front = place.on(Side::Front, bath_w - 50.0);
    place.fixture(Side::Left, 46.0, FixtureKind::Wc);
    let basin = place.on(Side::Left, 17.0);
    if place.chance.percent(60) {
        place.thing(basin, ThingKind::Counter, (30.0, 22.0));
    }
    place.fixture_in(basin, FixtureKind::Lavatory);
    if place.chance.percent(15) {
        place.fixture_in(front.moved(0.0, 0.0), FixtureKind::Other);
    }
    // The hall with the flat's own door, the kitchen beside it.
    let hall = bath_w + PARTITION;
    place.door(Side::Front, hall + 6.0, 36.0, DoorKind::Single, true);
    let kitchen = hall + 54.0;
    let length = w - kitchen;
    place.room_of(
        "LIVING / KITCHEN",
        &[
            (hall, 0.0),
            (w, 0.0),
            (w, d),
            (w * 0.45 + half, d),
            (w * 0.45 + half, bath_d + PARTITION),
            (hall, bath_d + PARTITION),
        ],
        (w * 0.72, d * 0.55),
        false,
    );
    place.thing(place.on(Side::Front, kitchen + length / 2.0), ThingKind::Counter, (length, 25.0));
    place.fixture(Side::Front, kitchen + length * 0.35, FixtureKind::Sink);
    place.thing(place.on(Side::Front, kitchen + length * 0.35 + 34.0), ThingKind::Dishwasher, (24.0, 24.0));
    place.thing(place.on(Side::Front, w - 18.0), ThingKind::Refrigerator, (34.0, 30.0));
    place.thing(place.on(Side::Right, 60.0), ThingKind::Range, (30.0, 26.0));
    // The bedroom with its closet.
    let bed_w = w * 0.45;
    let closet_from = bath_d + PARTITION;
    let closet_to = closet_from + 25.0;
    place.wall((bed_w, closet_from), (bed_w, d + 1.0));
    place.wall((-1.0, closet_to + half), (bed_w, closet_to + half));
    if bed_w > bath_w {
        place.wall((bath_w, bath_d + half), (bed_w, bath_d + half));
    }
    let clear = bed_w - half;
    place.room("CLOSET", [0.0, closet_from, clear, closet_to], false);
    let kind = place.chance.weighted(&[
        (4, DoorKind::BifoldPair),
        (4, DoorKind::Sliding),
        (2, DoorKind::Double),
        (1, DoorKind::Bifold),
        (1, DoorKind::Accordion),
    ]);
    let width = if kind == DoorKind::Bifold { 34.0 } else { (clear - 20.0).clamp(48.0, 72.0) };
    let closet = place.frame.inner((10.0, closet_to + half), (1.0, 0.0), (0.0, 1.0));
    place.opening(closet, width, PARTITION, kind, true);
    let bedroom = closet_to + PARTITION;
    place.room("BEDROOM", [0.0, bedroom, clear, d], false);
    let beside = place.frame.inner((bed_w, bedroom + 5.0), (0.0, 1.0), (-1.0, 0.0));
    let width = *place.chance.pick(&[30.0, 32.0, 34.0]);
    place.opening(beside, width, PARTITION, DoorKind::Single, true);
    place.window(Side::Back, clear * 0.3, 48.0);
    if furnished(place) {
        let frame = place.frame.inner((clear * 0.45, d), (1.0, 0.0), (0.0, -1.0));
        place.thing(frame, ThingKind::Bed, (60.0, 80.0_f32.min(d - bedroom - 34.0)));
        let sofa = place.frame.inner((w, d * 0.7), (0.0, 1.0), (-1.0, 0.0));
        place.thing(sofa, ThingKind::Sofa, (76.0, 34.0));
        place.thing(place.frame.moved(w * 0.68, d * 0.42), ThingKind::RoundTable, (42.0, 42.0));
    }
    // Out to the balcony.
    let kind = place.chance.weighted(&[(4, DoorKind::Sliding), (2, DoorKind::Double), (1, DoorKind::Single)]);
    let width = match kind {
        DoorKind::Sliding => *place.chance.pick(&[72.0, 96.0, 84.0]),
        DoorKind::Double => 64.0,
        _ => 34.0,
    };
    place.door(Side::Back, w * 0.74 - width / 2.0, width, kind, false);
    if place.chance.percent(35) {
        // Washer and dryer behind folding doors, on the corridor's wall of the hall.
        for x in [0.0, 28.0] {
            let frame = place.frame.inner((hall + 15.0 + x, bath_d + 45.0), (1.0, 0.0), (0.0, 1.0));
            if hall + 45.0 + x < bed_w {
                continue;
            }
            place.thing(frame, ThingKind::Washer, (27.0, 28.0));
        }
    }
}

fn hall(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    let name = *place.chance.pick(&["GARAGE", "SHOP", "LOADING", "APPARATUS BAY"]);
    place.room(name, [0.0, 0.0, w, d], false);
    entrance(place, DoorKind::Single, 36.0);
    let width = place.chance.length(110.0, 190.0).min(w - 60.0);
    place.door(Side::Back, 10.0, width, DoorKind::Overhead, true);
    let rest = w - width - 20.0;
    if rest > 44.0 {
        place.door(Side::Back, w - 42.0, 36.0, DoorKind::Single, false);
    }
    if place.chance.percent(60) {
        place.thing(place.frame.moved(10.0 + width / 2.0, d * 0.5), ThingKind::Car, (72.0, 180.0_f32.min(d - 60.0)));
    }
    place.thing(place.frame.moved(w * 0.8, d * 0.35), ThingKind::FloorDrain, (12.0, 12.0));
    if place.chance.percent(50) {
        place.fixture(Side::Right, d * 0.3, FixtureKind::Sink);
    }
}

fn lockers(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("LOCKERS", [0.0, 0.0, w, d], true);
    entrance(place, DoorKind::Single, 36.0);
    let each = place.chance.length(36.0, 42.0);
    let count = ((d - 60.0) / each) as u32;
    for stall in 0..count.min(4) {
        let at = d - each * (stall as f32 + 0.5) - 1.0;
        place.fixture(Side::Left, at, FixtureKind::Shower);
    }
    place.thing(place.on(Side::Right, d * 0.6), ThingKind::Lockers, (d * 0.6, 18.0));
    place.thing(place.frame.moved(w * 0.55, d * 0.6), ThingKind::LongTable, (14.0, d * 0.4));
    if place.chance.percent(60) {
        place.fixture(Side::Back, w * 0.5, FixtureKind::Lavatory);
        place.fixture(Side::Back, w * 0.5 + 32.0, FixtureKind::Lavatory);
    }
    place.thing(place.frame.moved(60.0, d * 0.5), ThingKind::FloorDrain, (6.0, 6.0));
}

fn kitchen(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("KITCHEN", [0.0, 0.0, w, d], true);
    let kind =
        place.chance.weighted(&[(3, DoorKind::DoubleActing), (2, DoorKind::DoubleActingPair), (2, DoorKind::Single)]);
    let width = if kind == DoorKind::DoubleActingPair { 66.0 } else { 38.0 };
    entrance(place, kind, width);
    place.fixture(Side::Left, d * 0.6, FixtureKind::Sink);
    place.fixture(Side::Back, w * 0.35, FixtureKind::Lavatory);
    for x in [0.6, 0.75] {
        place.thing(place.on(Side::Back, w * x), ThingKind::Range, (34.0, 30.0));
    }
    place.thing(place.on(Side::Right, d * 0.55), ThingKind::Refrigerator, (52.0, 32.0));
    place.thing(place.frame.moved(w / 2.0, d / 2.0), ThingKind::LongTable, (w * 0.4, 30.0));
    if place.chance.percent(50) {
        place.fixture(Side::Right, d * 0.85, FixtureKind::Mop);
    }
    place.thing(place.frame.moved(w * 0.5, d * 0.75), ThingKind::FloorDrain, (12.0, 12.0));
}

fn plant(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    place.room("MECHANICAL", [0.0, 0.0, w, d], false);
    let kind = place.chance.weighted(&[(3, DoorKind::Uneven), (3, DoorKind::Double), (1, DoorKind::Single)]);
    let width = match kind {
        DoorKind::Uneven => 54.0,
        DoorKind::Single => 36.0,
        _ => 72.0,
    };
    entrance(place, kind, width);
    if place.chance.percent(50) {
        place.door(Side::Back, w / 2.0 - 36.0, 72.0, DoorKind::Double, false);
    }
    for x in [0.3, 0.5] {
        place.thing(place.frame.moved(w * x, d * 0.6), ThingKind::WaterHeater, (30.0, 30.0));
    }
    place.thing(place.frame.moved(w * 0.75, d * 0.6), ThingKind::LongTable, (40.0, 70.0));
    place.thing(place.frame.moved(w * 0.4, d * 0.4), ThingKind::FloorDrain, (8.0, 8.0));
}

/// A room with a round wall across one of its corners: arcs of large radius that are not doors.
fn round(place: &mut Place<'_>) {
    let (w, d) = (place.width, place.depth);
    let wall: P = (w * 0.8, d * 0.55);
    let radius = wall.0.min(wall.1);
    let mut floor = vec![(0.0, 0.0), (w, 0.0), (w, d), (radius, d)];
    floor.extend((1..=12_u8).map(|step| {
        let (sin, cos) = (f32::from(step) * 7.5).to_radians().sin_cos();
        (radius * cos, d - radius * sin)
    }));
    place.room_of("GALLERY", &floor, (w / 2.0, 0.58 * d), false);
    entrance(place, DoorKind::Double, 72.0);
    place.thing(place.frame.moved(0.0, d), ThingKind::CurvedWall, wall);
    place.thing(place.frame.moved(w * 0.3, d * 0.4), ThingKind::Plant, (24.0, 24.0));
    let bench: Frame = place.frame.moved(w * 0.65, d * 0.3);
    place.thing(bench, ThingKind::LongTable, (60.0, 18.0));
}
