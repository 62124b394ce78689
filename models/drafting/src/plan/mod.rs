//! Floor plans: whole sheets with the ground truth of doors, fixtures and rooms.
//!
//! `building` arranges rooms along corridors, in inches; `rooms` furnishes them. `door`, `fixture`,
//! `things` and `walls` draw them in a style, `electrical` adds marks. `notes` writes on the plan,
//! `border` around it. Styles vary all that a reader of plans must not depend on: scale, rotation,
//! weights and colours of lines, the encoding of curves, the form of leaves and jambs, and notes
//! over the drawing. The forms of fixtures are our own, after the kinds that makers sell. A style
//! uses two forms of each kind, from one catalogue.

mod border;
mod building;
mod door;
mod electrical;
mod fixture;
mod notes;
mod pen;
mod rooms;
mod style;
mod things;
mod truth;
mod walls;

use building::{Building, ThingKind};
pub use door::{DoorKind, DoorTruth, State};
pub use fixture::{Catalogue, FixtureKind, FixtureTruth};
use pen::{Bounds, Frame, P, Pen};
pub use style::{
    ArcManner, Glazing, Hung, Jamb, Leaf, Palette, Poche, Program, SCALES, Scale, Sliding, Style, Tag, styles,
};
pub use truth::{RoomTruth, Thing, Truth, View};

use crate::chance::Chance;
use crate::manual::{TextUnit, WritingOrder};
use crate::pdf::{Document, Page, Producer};

/// A synthetic sheet with its ground truth.
#[derive(Clone, Debug)]
pub struct SyntheticSheet {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Its ground truth.
    pub truth: Truth,
}

/// What is left out of the drawing though it is in the truth. The difference shows what is inside
/// the truth's boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// Nothing.
    Nothing,
    /// The doors.
    Doors,
    /// The fixtures.
    Fixtures,
}

/// Generates a sheet. The same style and seed give the same bytes.
pub fn generate(style: &Style, seed: u64) -> SyntheticSheet {
    generate_without(style, seed, LeftOut::Nothing)
}

/// Generates a sheet without some of its objects. Everything else and the truth are those of
/// [`generate`].
pub fn generate_without(style: &Style, seed: u64, left_out: LeftOut) -> SyntheticSheet {
    let mut chance = Chance::new(seed);
    let (width, height) = style.sheet;
    let mut page = Page { width, height, rotate: style.rotate, marks: Vec::new() };
    let truth = Sheet { style, seed, left_out }.draw(&mut page, &mut chance);
    let producer = Producer {
        unit: TextUnit::Line,
        order: WritingOrder::Reading,
        embed_standard_fonts: false,
        unicode: true,
        origin: (0.0, 0.0),
    };
    let document = Document { title: "Plan".to_owned(), pages: vec![page], outline: Vec::new() };
    SyntheticSheet { pdf: document.to_pdf(&producer), truth }
}

struct Sheet<'a> {
    style: &'a Style,
    seed: u64,
    left_out: LeftOut,
}

/// The space around a plan for dimensions, bubbles and its title, in points.
const AROUND: f32 = 96.0;

impl Sheet<'_> {
    fn draw(&self, page: &mut Page, chance: &mut Chance) -> Truth {
        let style = self.style;
        let layout = border::layout(style);
        let media = if style.rotate % 180 == 90 { (style.sheet.1, style.sheet.0) } else { style.sheet };
        let mut truth = Truth {
            style: style.clone(),
            seed: self.seed,
            page: 1,
            media_box: [0.0, 0.0, media.0, media.1],
            rotation: style.rotate,
            scale_note: style.scale.notation,
            views: Vec::new(),
            doors: Vec::new(),
            fixtures: Vec::new(),
            rooms: Vec::new(),
            uncertain: Vec::new(),
            things: Vec::new(),
            openings: Vec::new(),
            ignore_regions: Vec::new(),
        };
        let [x1, y1, x2, y2] = layout.plans;
        let enlarged = style.enlarged && x2 - x1 > 1500.0;
        let main = [x1, y1, if enlarged { x1 + (x2 - x1) * 0.68 } else { x2 }, y2];
        let building = self.view(&mut Pen::new(page, style), main, style.scale, 1, chance, &mut truth);
        if enlarged {
            let larger = SCALES.iter().find(|scale| scale.points_per_inch >= style.scale.points_per_inch * 1.9);
            let scale = *larger.unwrap_or(&style.scale);
            let toilets = Style { program: Program::Sanitary, turn: 0, grid: false, ..style.clone() };
            self.view(&mut Pen::new(page, &toilets), [main[2], y1, x2, y2], scale, 2, chance, &mut truth);
        }
        let mut pen = Pen::new(page, style);
        if let Some(area) = layout.aside {
            for region in border::aside(&mut pen, area, &building, chance) {
                truth
                    .ignore_regions
                    .push(Thing { kind: region.kind.to_owned(), bbox: self.in_user_space(region.bbox) });
            }
        }
        border::block(&mut pen, &layout, "A-101", chance);
        truth
    }

    /// Draws a plan in an area of the sheet.
    fn view(
        &self,
        pen: &mut Pen<'_>,
        area: [f32; 4],
        scale: Scale,
        number: u32,
        chance: &mut Chance,
        truth: &mut Truth,
    ) -> Building {
        let style = pen.style;
        let [x1, y1, x2, y2] = area;
        let around = AROUND.min((x2 - x1) * 0.13);
        let k = scale.points_per_inch;
        let (wide, high) = ((x2 - x1 - 2.0 * around) / k, (y2 - y1 - 2.0 * around) / k);
        let (sin, cos) = f32::from(style.turn).to_radians().sin_cos();
        let (wide, high) = match style.turn {
            0 => (wide, high),
            90 => (high, wide),
            _ => {
                let least = wide.min(high) / (sin + cos);
                (least.max(wide * 0.7), least * 0.75)
            }
        };
        let building = building::build(style, wide.clamp(200.0, 4200.0), high.clamp(200.0, 2000.0), chance);
        let middle = (f32::midpoint(x1, x2), f32::midpoint(y1, y2) + 6.0);
        let axes = Frame { origin: middle, x: (k * cos, k * sin), y: (-k * sin, k * cos) };
        let view = axes.moved(-building.width / 2.0, -building.height / 2.0);

        pen.begin();
        self.contents(pen, &view, &building, chance, truth);
        if style.grid {
            notes::grid(pen, &view, &building, chance);
        }
        if style.notes > 0 {
            notes::dimensions(pen, &view, &building, chance);
            notes::marks(pen, &view, &building, chance);
        }
        let corners = [(0.0, 0.0), (building.width, 0.0), (building.width, building.height), (0.0, building.height)];
        let mut bounds = Bounds::default();
        for corner in corners {
            bounds.add(view.at(corner));
        }
        let title = if number == 1 { "FLOOR PLAN" } else { "ENLARGED TOILET PLAN" };
        border::title(pen, (x1 + 40.0, y1 + 30.0), number, title, scale.notation, chance);
        if let Some([left, low, right, top]) = bounds.get() {
            let bbox = self.in_user_space([left - around, low - around, right + around, top + around]);
            truth.views.push(View { title, scale: scale.notation, points_per_inch: k, bbox });
        }
        building
    }

    /// Draws everything in the building.
    fn contents(&self, pen: &mut Pen<'_>, view: &Frame, building: &Building, chance: &mut Chance, truth: &mut Truth) {
        let style = pen.style;
        let tile = chance.length(8.0, 14.0).max(3.0 / view.scale());
        for room in building.rooms.iter().filter(|room| room.wet && style.tiles) {
            notes::tiles(pen, view, room, tile);
        }
        for thing in &building.things {
            pen.begin();
            things::draw(pen, view, thing);
            let bbox = pen.covered();
            self.note_thing(thing.kind, bbox, truth);
            if thing.kind == ThingKind::Elevator {
                pen.begin();
                things::elevator_doors(pen, view, thing);
                self.push(&mut truth.uncertain, "elevator-doors", pen.covered());
            }
        }
        walls::draw(pen, view, building);
        self.note_openings(view, building, truth);
        for fixture in &building.fixtures {
            pen.muted = self.left_out == LeftOut::Fixtures;
            pen.begin();
            fixture::draw(pen, view, fixture);
            pen.muted = false;
            if let Some(bbox) = pen.covered().get() {
                truth.fixtures.push(FixtureTruth {
                    bbox: self.in_user_space(bbox),
                    kind: fixture.kind,
                    form: fixture::form_name(style, fixture.kind, fixture.form),
                    state: fixture.state,
                    uncertain: false,
                });
            }
        }
        for door in &building.doors {
            pen.muted = self.left_out == LeftOut::Doors;
            pen.begin();
            door::draw(pen, view, door);
            pen.muted = false;
            let Some(bbox) = pen.covered().get() else { continue };
            truth.doors.push(DoorTruth {
                bbox: self.in_user_space(bbox),
                kind: door.kind,
                leaves: door.kind.leaves(),
                state: door.state,
                width: door.width,
                tag: if style.tag == Tag::Absent { String::new() } else { door.tag.clone() },
                opened: door.opened,
                uncertain: false,
            });
            if door.kind == DoorKind::Overhead {
                door::overhead_track(pen, view, door);
            }
            notes::door(pen, view, door);
        }
        if style.electrical {
            // Seeded by the style and not by the sheet, so that everything else is drawn as without
            // marks.
            let own = &mut Chance::new(style.library ^ 0xe1ec);
            let mut covered = Vec::new();
            electrical::draw(pen, view, building, own, |pen| covered.push(pen.covered()));
            for bounds in covered {
                self.push(&mut truth.things, "electrical", bounds);
            }
        }
        for room in &building.rooms {
            notes::room(pen, view, room);
            let polygon: Vec<P> = room.polygon.iter().map(|&corner| self.point(view.at(corner))).collect();
            let mut bounds = Bounds::default();
            for &corner in &polygon {
                bounds.add(corner);
            }
            if let Some(bbox) = bounds.get() {
                truth.rooms.push(RoomTruth { number: room.number.clone(), name: room.name, polygon, bbox });
            }
        }
    }

    fn note_openings(&self, view: &Frame, building: &Building, truth: &mut Truth) {
        for window in &building.windows {
            let (frame, half) = (view.holding(&window.frame), window.thickness / 2.0);
            let mut bounds = Bounds::default();
            bounds.add(frame.at((0.0, -half)));
            bounds.add(frame.at((window.width, half)));
            self.push(&mut truth.openings, "window", bounds);
        }
        for &[x1, y1, x2, y2] in &building.passages {
            let mut bounds = Bounds::default();
            for corner in [(x1, y1), (x2, y1), (x2, y2), (x1, y2)] {
                bounds.add(view.at(corner));
            }
            self.push(&mut truth.openings, "passage", bounds);
        }
    }

    fn note_thing(&self, kind: ThingKind, bounds: Bounds, truth: &mut Truth) {
        let name = serde_json::to_value(kind).ok();
        let name = name.as_ref().and_then(|name| name.as_str()).unwrap_or_default();
        let appliance = matches!(
            kind,
            ThingKind::Washer
                | ThingKind::Dishwasher
                | ThingKind::WaterHeater
                | ThingKind::Range
                | ThingKind::Refrigerator
        );
        let list = if appliance { &mut truth.uncertain } else { &mut truth.things };
        self.push(list, name, bounds);
    }

    fn push(&self, list: &mut Vec<Thing>, kind: &str, bounds: Bounds) {
        if let Some(bbox) = bounds.get() {
            list.push(Thing { kind: kind.to_owned(), bbox: self.in_user_space(bbox) });
        }
    }

    /// Converts a point of the displayed sheet to user space of the unrotated page.
    fn point(&self, (x, y): P) -> P {
        let (w, h) = self.style.sheet;
        match self.style.rotate {
            90 => (h - y, x),
            180 => (w - x, h - y),
            270 => (y, w - x),
            _ => (x, y),
        }
    }

    /// Converts a box of the displayed sheet to user space of the unrotated page.
    fn in_user_space(&self, [x1, y1, x2, y2]: [f32; 4]) -> [f32; 4] {
        let (a, b) = (self.point((x1, y1)), self.point((x2, y2)));
        [a.0.min(b.0), a.1.min(b.1), a.0.max(b.0), a.1.max(b.1)]
    }
}
