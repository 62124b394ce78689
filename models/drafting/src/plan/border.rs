//! What surrounds the plans on a sheet: title block, key plan, legend, door types, notes, north
//! arrow.

use super::building::Building;
use super::door::{self, Door, DoorKind, State};
use super::fixture::{self, Fixture, FixtureKind};
use super::pen::{Frame, P, Pen};
use super::style::{Layer, Leaf, Style};
use super::walls;
use crate::chance::Chance;

/// The areas of the sheet, in points as displayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The area for plans.
    pub(super) plans: [f32; 4],
    /// The area for key plan, legend, door types and notes; `None` on small sheets.
    pub(super) aside: Option<[f32; 4]>,
    block: [f32; 4],
}

/// A part of the sheet that shows symbols and not the building, so that nothing in it counts.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) kind: &'static str,
    pub(super) bbox: [f32; 4],
}

/// Divides the sheet into areas.
pub(super) fn layout(style: &Style) -> Layout {
    let (w, h) = style.sheet;
    let margin = (w * 0.014).max(18.0);
    let inner = [margin, margin, w - margin, h - margin];
    let (block, rest) = if style.bottom_block {
        let high = (h * 0.1).max(54.0);
        ([inner[0], inner[1], inner[2], inner[1] + high], [inner[0], inner[1] + high, inner[2], inner[3]])
    } else {
        let wide = (w * 0.08).max(70.0);
        ([inner[2] - wide, inner[1], inner[2], inner[3]], [inner[0], inner[1], inner[2] - wide, inner[3]])
    };
    let beside = w >= 1600.0;
    let wide = w * 0.17;
    let aside = beside.then_some([rest[2] - wide, rest[1], rest[2], rest[3]]);
    let plans = if beside { [rest[0], rest[1], rest[2] - wide, rest[3]] } else { rest };
    Layout { plans, aside, block }
}

/// Draws the frame and the title block.
pub(super) fn block(pen: &mut Pen<'_>, layout: &Layout, number: &str, chance: &mut Chance) {
    let ink = pen.ink(Layer::Note).heavier(2.5);
    let paper = Frame::IDENTITY;
    let (w, h) = pen.style.sheet;
    let margin = layout.block[2].min(w - 18.0) - w;
    pen.rectangle(&paper, [-margin, -margin, w + margin, h + margin], ink);
    pen.rectangle(&paper, layout.block, ink);
    let [x1, y1, x2, y2] = layout.block;
    let words = [
        *chance.pick(&["NORTHFOLD STUDIO", "HALE + OKORO", "VARGA STOLL ARCHITECTS", "ATELIER QUINTO"]),
        *chance.pick(&["TOWN HALL RENOVATION", "ELEMENTARY SCHOOL", "DEPOT AND WORKSHOPS", "RIVERSIDE HOUSING"]),
        *chance.pick(&["FIRST FLOOR PLAN", "GROUND FLOOR PLAN", "LEVEL 2 FLOOR PLAN", "ENLARGED PLANS"]),
        "DATE: 03/04/2025",
    ];
    let cells = words.len() as f32 + 2.0;
    for (index, word) in words.iter().enumerate() {
        if pen.style.bottom_block {
            let x = x1 + (x2 - x1) * (index as f32 + 1.0) / cells;
            pen.line(&paper, (x, y1), (x, y2), ink);
            pen.paper_text(x + 6.0, f32::midpoint(y1, y2), ((x2 - x1) / cells / 14.0).clamp(4.0, 11.0), word);
        } else {
            let y = y1 + (y2 - y1) * (index as f32 + 1.0) / cells;
            pen.line(&paper, (x1, y), (x2, y), ink);
            pen.paper_text(x1 + 5.0, y + 10.0, ((x2 - x1) / 16.0).clamp(4.0, 11.0), word);
        }
    }
    pen.paper_text(
        if pen.style.bottom_block { x2 - (x2 - x1) / cells + 8.0 } else { x1 + 10.0 },
        y1 + 16.0,
        22.0,
        number,
    );
}

/// Draws the title below a plan, with its number, scale and a north arrow.
pub(super) fn title(pen: &mut Pen<'_>, at: P, number: u32, title: &str, scale: &str, chance: &mut Chance) {
    let ink = pen.ink(Layer::Note);
    let paper = Frame::IDENTITY.moved(at.0, at.1);
    let size = (pen.style.text * 1.7).max(8.0);
    let radius = size * 1.2;
    pen.circle(&paper, (radius, 0.0), radius, ink.heavier(1.5));
    pen.text(&paper, (radius, 0.0), size, &number.to_string());
    let wide = pen.style.face().width(title, size) + size;
    pen.line(&paper, (2.0 * radius, 0.0), (2.0 * radius + wide, 0.0), ink.heavier(3.0));
    pen.paper_text(at.0 + 2.0 * radius + 4.0, at.1 + 3.0, size, title);
    pen.paper_text(at.0 + 2.0 * radius + 4.0, at.1 - size, size * 0.6, scale);
    let north = paper.moved(2.0 * radius + wide + 34.0, 4.0);
    let r = size * 1.3;
    pen.circle(&north, (0.0, 0.0), r, ink);
    if chance.percent(50) {
        pen.polygon(&north, &[(0.0, r * 1.4), (-r * 0.5, -r * 0.8), (0.0, -r * 0.4)], ink.solid());
        pen.polygon(&north, &[(0.0, r * 1.4), (r * 0.5, -r * 0.8), (0.0, -r * 0.4)], ink);
    } else {
        pen.line(&north, (0.0, -r), (0.0, r * 1.5), ink);
        pen.polygon(&north, &[(-r, 0.0), (0.0, r * 1.5), (0.0, 0.0)], ink.solid());
    }
    pen.text(&north, (0.0, r * 1.9), size * 0.7, "N");
}

/// Fills the strip beside the plans. Returns the parts in which nothing counts.
pub(super) fn aside(pen: &mut Pen<'_>, area: [f32; 4], building: &Building, chance: &mut Chance) -> Vec<Region> {
    let [x1, y1, x2, y2] = area;
    let (wide, mut top) = (x2 - x1 - 20.0, y2 - 20.0);
    let left = x1 + 10.0;
    let mut regions = Vec::new();
    let mut shown: Vec<u8> = vec![0, 1, 2, 3];
    let first = chance.between(0, 3) as usize;
    shown.rotate_left(first);
    shown.truncate(chance.between(2, 4) as usize);
    for what in shown {
        let high = match what {
            0 => (wide * 0.6).min(building.height / building.width * wide) + 30.0,
            1 => 250.0,
            2 => 230.0,
            _ => 200.0,
        };
        if top - high < y1 + 20.0 {
            break;
        }
        let part = [left, top - high, left + wide, top];
        let kind = match what {
            0 => {
                key_plan(pen, part, building, chance);
                "key-plan"
            }
            1 => {
                legend(pen, part);
                "legend"
            }
            2 => {
                door_types(pen, part);
                "door-types"
            }
            _ => {
                general_notes(pen, part);
                "notes"
            }
        };
        regions.push(Region { kind, bbox: part });
        top -= high + 30.0;
    }
    regions
}

fn heading(pen: &mut Pen<'_>, [x1, _, x2, y2]: [f32; 4], words: &str) {
    let size = (pen.style.text * 1.3).max(7.0);
    pen.paper_text(x1 + 4.0, y2 - size - 4.0, size, words);
    let ink = pen.ink(Layer::Note).heavier(2.0);
    pen.line(&Frame::IDENTITY, (x1, y2 - size - 8.0), (x2, y2 - size - 8.0), ink);
}

/// Draws the building again, small and partly hatched. Its doors do not count.
fn key_plan(pen: &mut Pen<'_>, part: [f32; 4], building: &Building, chance: &mut Chance) {
    heading(pen, part, "KEY PLAN");
    let [x1, y1, x2, y2] = part;
    // Leaves room for doors that swing out of the building.
    let scale = ((x2 - x1) / (building.width + 120.0)).min((y2 - y1 - 30.0) / (building.height + 120.0));
    let view = Frame { origin: (x1, y1), x: (scale, 0.0), y: (0.0, scale) }.moved(60.0, 60.0);
    let ink = pen.ink(Layer::Note);
    for [left, low, right, high] in &building.walls {
        let (from, to) = if right - left > high - low {
            let y = f32::midpoint(*low, *high);
            ((*left, y), (*right, y))
        } else {
            let x = f32::midpoint(*left, *right);
            ((x, *low), (x, *high))
        };
        pen.line(&view, from, to, ink);
    }
    if chance.percent(60) {
        for door in &building.doors {
            door::draw(pen, &view, door);
        }
    }
    let from = building.width * chance.length(0.0, 0.6);
    for (a, b) in walls::diagonals([from, 0.0, from + building.width * 0.35, building.height], 5.0 / scale, 1.0) {
        pen.line(&view, a, b, ink);
    }
}

/// Draws symbols with their meanings, some of them doors and fixtures.
fn legend(pen: &mut Pen<'_>, part: [f32; 4]) {
    heading(pen, part, "LEGEND");
    let [x1, _, _, y2] = part;
    let ink = pen.ink(Layer::Note);
    let size = pen.style.text;
    let scale = 0.55;
    let words =
        ["NEW WALL", "EXISTING WALL", "NEW DOOR", "EXISTING DOOR TO REMAIN", "WATER CLOSET", "LAVATORY", "FLOOR DRAIN"];
    for (row, word) in words.iter().enumerate() {
        let y = y2 - 48.0 - 28.0 * row as f32;
        pen.paper_text(x1 + 60.0, y, size, word);
        let frame = Frame { origin: (x1 + 14.0, y), x: (scale, 0.0), y: (0.0, scale) };
        match row {
            0 | 1 => {
                pen.line(&frame, (0.0, 0.0), (50.0, 0.0), ink);
                pen.line(&frame, (0.0, 6.0), (50.0, 6.0), if row == 0 { ink } else { ink.dashed(3.0, 2.0) });
            }
            2 | 3 => {
                let state = if row == 2 { State::New } else { State::Existing };
                let door = Door {
                    frame: Frame::IDENTITY,
                    kind: DoorKind::Single,
                    width: 32.0,
                    thickness: 5.0,
                    opened: 90.0,
                    swings: true,
                    state,
                    tag: String::new(),
                };
                door::draw(pen, &frame, &door);
            }
            4 | 5 => {
                let kind = if row == 4 { FixtureKind::Wc } else { FixtureKind::Lavatory };
                let own = &mut Chance::new(pen.style.library);
                let form = fixture::choose(pen.style, kind, own);
                let at = Frame { origin: (18.0, 26.0), x: (1.0, 0.0), y: (0.0, -1.0) };
                fixture::draw(pen, &frame, &Fixture { frame: at, kind, form, state: State::New });
            }
            _ => pen.circle(&frame, (16.0, 6.0), 6.0, ink),
        }
    }
}

/// Draws elevations of door types with dashed swings, as beside a schedule.
fn door_types(pen: &mut Pen<'_>, part: [f32; 4]) {
    heading(pen, part, "DOOR TYPES");
    let [x1, y1, x2, _] = part;
    let ink = pen.ink(Layer::Door);
    let dashed = pen.ink(Layer::Swing).dashed(4.0, 2.5);
    let each = (x2 - x1) / 4.0;
    for index in 0..4 {
        let wide = if index == 3 { 72.0 } else { 36.0 };
        let scale = (each / 84.0).min(1.2);
        let at = Frame { origin: (x1 + each * index as f32 + 6.0, y1 + 60.0), x: (scale, 0.0), y: (0.0, scale) };
        pen.rectangle(&at, [0.0, 0.0, wide, 84.0], ink);
        pen.rectangle(&at, [-2.0, 0.0, wide + 2.0, 86.0], ink);
        let leaves: &[[f32; 2]] = if index == 3 { &[[0.0, 36.0], [72.0, 36.0]] } else { &[[0.0, 36.0]] };
        for &[hinge, strike] in leaves {
            pen.polyline(&at, &[(strike, 0.0), (hinge, 42.0), (strike, 84.0)], dashed);
        }
        if index == 1 {
            pen.rectangle(&at, [8.0, 36.0, 28.0, 78.0], ink);
        }
        if index == 3 {
            pen.line(&at, (36.0, 0.0), (36.0, 84.0), ink);
        }
        pen.text(&at, (wide / 2.0, -12.0), pen.style.text, ["A", "B", "C", "D"][index]);
        // The same door in plan, below.
        let door = Door {
            frame: Frame { origin: (0.0, -56.0), x: (1.0, 0.0), y: (0.0, 1.0) },
            kind: if index == 3 { DoorKind::Double } else { DoorKind::Single },
            width: wide,
            thickness: 5.0,
            opened: 90.0,
            swings: true,
            state: State::New,
            tag: String::new(),
        };
        if pen.style.leaf != Leaf::Absent && index % 2 == 1 {
            let small = at.inner((0.0, -18.0), (0.5, 0.0), (0.0, 0.5));
            door::draw(pen, &small, &door);
        }
    }
}

fn general_notes(pen: &mut Pen<'_>, part: [f32; 4]) {
    heading(pen, part, "GENERAL NOTES");
    let [x1, y1, x2, y2] = part;
    let size = pen.style.text;
    let notes = [
        "DIMENSIONS ARE TO FACE OF STUD UNLESS NOTED.",
        "VERIFY ALL DIMENSIONS ON SITE.",
        "DOORS NOT DIMENSIONED STAND 4\" FROM THE WALL.",
        "PROVIDE BLOCKING BEHIND ALL FIXTURES.",
        "SEE A601 FOR DOOR TYPES AND HARDWARE.",
        "PATCH FLOORS WHERE WALLS ARE REMOVED.",
    ];
    let mut y = y2 - 36.0;
    for (index, note) in notes.iter().enumerate() {
        for line in
            crate::pdf::wrap(&format!("{}. {note}", index + 1), pen.style.face(), size, x2 - x1 - 10.0, x2 - x1 - 10.0)
        {
            if y < y1 {
                return;
            }
            pen.paper_text(x1 + 4.0, y, size, &line);
            y -= 1.3 * size;
        }
    }
}
