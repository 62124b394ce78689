//! The styles of floor plans.

use std::sync::LazyLock;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use super::fixture::Catalogue;
use super::pen::Ink;
use crate::chance::Chance;
use crate::manual::Family;
use crate::pdf::{Colour, Face, Stroke};
use crate::presets::Presets;

style_enum! {
    /// How walls look where the plan cuts them.
    Poche {
        /// Two lines.
        Outlined,
        /// Filled with black.
        Black,
        /// Filled with grey between two lines.
        Grey,
        /// Filled with light grey, no lines.
        Pale,
        /// Lines at 45 degrees between two lines.
        Hatched,
        /// Lines in both directions between two lines.
        Crossed,
        /// A line along the core between two lines.
        Cored,
        /// One thin line along the centre, as on sketches and small-scale plans.
        Line,
        /// One black stroke as thick as the wall.
        Stroke,
    }
}

style_enum! {
    /// How a window in a cut wall looks.
    Glazing {
        /// The wall's faces, two lines of glass, mullions.
        Mullions,
        /// One line from wall to wall.
        Line,
        /// Two lines close to each other.
        Pane,
        /// The faces of the wall with nothing between them.
        Sills,
        /// Panes in a frame in the outer half of the wall.
        Frame,
    }
}

style_enum! {
    /// How a door's leaf is drawn.
    Leaf {
        /// One line.
        Line,
        /// A heavy line.
        Heavy,
        /// A thin rectangle.
        Bar,
        /// A thin rectangle filled with black.
        Filled,
        /// None: only the swing is visible.
        Absent,
    }
}

style_enum! {
    /// How doors that slide within the wall are drawn.
    Sliding {
        /// Two panels that pass each other, as thin rectangles.
        Panels,
        /// Two lines that pass each other.
        Lines,
        /// Two lines with the panels' stiles at their ends.
        Stiles,
        /// Panels with their glass, between the lines of a sill.
        Glazed,
        /// Four panels, of which the outer ones are fixed.
        Four,
        /// Three panels on their own tracks.
        Three,
        /// A fixed panel, and one that moves in front of it, with an arrow.
        Arrow,
    }
}

style_enum! {
    /// How panels that slide along the wall or into it are drawn.
    Hung {
        /// A half-open panel with its track or pocket.
        HalfOpen,
        /// A half-open panel alone.
        Panel,
        /// A closed panel, with its open position dashed.
        Closed,
        /// An open panel, with its closed position dashed.
        Open,
        /// A line and an arrow beside it.
        Arrow,
    }
}

style_enum! {
    /// What is at the sides of an opening.
    Jamb {
        /// Nothing.
        Absent,
        /// Small rectangles in the wall's thickness.
        Boxes,
        /// Rectangles that project on both sides of the wall, as casings do.
        Casings,
        /// The profile of a hollow metal frame with its stop.
        Profiles,
    }
}

style_enum! {
    /// The frame around a door's number.
    Tag {
        /// No numbers.
        Absent,
        /// No frame.
        Bare,
        /// A circle.
        Circle,
        /// A hexagon.
        Hexagon,
        /// An oval.
        Oval,
        /// A rectangle.
        Box,
        /// A diamond.
        Diamond,
    }
}

style_enum! {
    /// The colours of layers.
    Palette {
        /// Black.
        Black,
        /// Black, with objects in rooms in grey.
        GreyContents,
        /// Black, with doors and objects in rooms in grey.
        GreyDoors,
        /// Everything in grey except notes, as a background of another discipline's work.
        Underlay,
        /// A colour for each layer, as on a screen.
        Coloured,
        /// Everything in one blue.
        Blueprint,
    }
}

style_enum! {
    /// The use of the building.
    Program {
        /// Classrooms, toilet blocks, stairs.
        School,
        /// Rooms with one or two desks, meeting rooms.
        Offices,
        /// Flats with baths and kitchens.
        Housing,
        /// Halls with overhead doors, wash and locker rooms.
        Industry,
        /// Toilets and little else, as on enlarged plans.
        Sanitary,
    }
}

/// How arcs are encoded in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArcManner {
    /// One Bézier curve for each quarter of a circle.
    OneCurve,
    /// Several Bézier curves for each quarter.
    SeveralCurves,
    /// Straight chords of this many degrees.
    Chords(u8),
    /// Short strokes with gaps between them.
    Dashes,
}

/// A scale in its printed form, and as a factor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scale {
    /// As printed.
    pub notation: &'static str,
    /// Points of paper for each real inch.
    pub points_per_inch: f32,
}

const fn scale(notation: &'static str, points_per_inch: f32) -> Scale {
    Scale { notation, points_per_inch }
}

/// Scales of plans, the smallest first.
pub const SCALES: [Scale; 14] = [
    scale("1 : 200", 72.0 / 200.0),
    scale("1/16\" = 1'-0\"", 0.375),
    scale("1:150", 72.0 / 150.0),
    scale("3/32\" = 1'-0\"", 0.5625),
    scale("1:100", 0.72),
    scale("SCALE: 1/8\"=1'-0\"", 0.75),
    scale("1:75", 0.96),
    scale("3/16\" = 1'-0\"", 1.125),
    scale("1 : 50", 1.44),
    scale("1/4\" = 1'-0\"", 1.5),
    scale("3/8\" = 1'-0\"", 2.25),
    scale("1:25", 2.88),
    scale("1/2\" = 1'-0\"", 3.0),
    scale("1:20", 3.6),
];

/// Deserializes one of [`SCALES`] from its printed form.
fn deserialize_scale<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scale, D::Error> {
    let notation = String::deserialize(deserializer)?;
    let scale = SCALES.into_iter().find(|scale| scale.notation == notation);
    scale.ok_or_else(|| D::Error::custom(format!("no scale of plans is printed as {notation}")))
}

/// What lines belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Wall,
    Hatch,
    Window,
    Door,
    Swing,
    Fixture,
    Furniture,
    Note,
    Grid,
}

/// A style: all in which two sheets of the same seed can differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no properties of a style")]
pub struct Style {
    /// The main plan's scale.
    #[serde(deserialize_with = "deserialize_scale")]
    pub scale: Scale,
    /// Width and height of the sheet as displayed, in points.
    pub sheet: (f32, f32),
    /// `/Rotate`: 0, 90, 180 or 270.
    pub rotate: u16,
    /// The rotation of the building on the sheet, in degrees.
    pub turn: u16,
    /// Whether lengths are metric.
    pub metric: bool,
    /// The widths of lines in points: cut walls, doors, objects in rooms, all others.
    pub weights: [f32; 4],
    /// The colours.
    pub palette: Palette,
    /// The walls.
    pub poche: Poche,
    /// Their windows.
    pub glazing: Glazing,
    /// The percentage of entrances of offices and closets that are openings without a door.
    pub doorless: u8,
    /// How arcs of fixtures and marks are encoded.
    pub curves: ArcManner,
    /// How doors' swings are encoded.
    pub swing: ArcManner,
    /// Whether swings have a dash pattern.
    pub dashed_swing: bool,
    /// The leaf.
    pub leaf: Leaf,
    /// The jambs.
    pub jamb: Jamb,
    /// Whether leaves turn about the centre line of the wall instead of its face.
    pub centred_hinge: bool,
    /// Whether a line closes the opening.
    pub threshold: bool,
    /// How far single doors are usually open, in degrees.
    pub opened: u16,
    /// Whether each segment is a path of its own.
    pub exploded: bool,
    /// The frames of door numbers.
    pub tag: Tag,
    /// Whether room numbers are framed.
    pub framed_rooms: bool,
    /// The typeface.
    pub family: Family,
    /// Size of text in points.
    pub text: f32,
    /// Whether text is drawn as outlines.
    pub outlined_text: bool,
    /// The amount of notes on the plan: 0 to 3.
    pub notes: u8,
    /// Whether there are grid lines and columns.
    pub grid: bool,
    /// Whether wet rooms' floors are tiled.
    pub tiles: bool,
    /// Whether rooms are furnished.
    pub furniture: bool,
    /// The percentages of existing and of demolished doors and fixtures.
    pub existing: (u8, u8),
    /// Whether the title block is along the bottom.
    pub bottom_block: bool,
    /// Whether an enlarged plan of a toilet is beside the main plan.
    pub enlarged: bool,
    /// What is built.
    pub program: Program,
    /// Seeds the style's library of fixtures: the same number draws the same shapes.
    pub library: u64,
    /// The catalogue of the library's forms.
    pub catalogue: Catalogue,
    /// How doors that slide within the wall are drawn.
    pub sliding: Sliding,
    /// How doors that slide along the wall or into it are drawn.
    pub hung: Hung,
    /// How far folding leaves are open, in degrees, at most 60; 0 selects the usual angle.
    pub folded: u16,
    /// The percentage of doors with one or two leaves that are open without a swing.
    pub swingless: u8,
    /// The percentage of doors with one or two leaves that slide or fold instead.
    pub sliders: u8,
    /// Whether outlets, switches, lights and detectors are marked.
    pub electrical: bool,
}

impl Style {
    pub(super) fn face(&self) -> Face {
        Face::new(self.family, false)
    }

    pub(super) fn ink(&self, layer: Layer) -> Ink {
        let [wall, door, contents, fine] = self.weights;
        let width = match layer {
            Layer::Wall => wall,
            Layer::Window | Layer::Door => door,
            Layer::Fixture | Layer::Furniture => contents,
            Layer::Swing | Layer::Hatch | Layer::Note | Layer::Grid => fine,
        };
        Ink { stroke: Some(Stroke { width, colour: self.colour(layer), dash: None }), fill: None }
    }

    fn colour(&self, layer: Layer) -> Colour {
        const BLACK: Colour = [0.0; 3];
        const GREY: Colour = [0.55; 3];
        match self.palette {
            Palette::Black => BLACK,
            Palette::GreyContents => match layer {
                Layer::Fixture | Layer::Furniture | Layer::Hatch => GREY,
                _ => BLACK,
            },
            Palette::GreyDoors => match layer {
                Layer::Wall | Layer::Note | Layer::Grid => BLACK,
                _ => GREY,
            },
            Palette::Underlay => match layer {
                Layer::Note => BLACK,
                _ => [0.7; 3],
            },
            Palette::Blueprint => [0.1, 0.2, 0.6],
            Palette::Coloured => match layer {
                Layer::Wall => BLACK,
                Layer::Door => [0.8, 0.1, 0.1],
                Layer::Swing => [0.9, 0.5, 0.0],
                Layer::Window => [0.0, 0.5, 0.7],
                Layer::Fixture => [0.0, 0.5, 0.2],
                Layer::Furniture => [0.5, 0.3, 0.6],
                Layer::Hatch | Layer::Grid => [0.6, 0.6, 0.6],
                Layer::Note => [0.1, 0.1, 0.5],
            },
        }
    }

    /// Returns a random style.
    pub fn random(seed: u64) -> Self {
        let mut chance = Chance::new(seed);
        let scale = *chance.pick(&SCALES);
        // A sheet on which some rooms fit at this scale.
        let sheets: Vec<(f32, f32)> =
            SHEETS.iter().copied().filter(|sheet| sheet.0 > 620.0 * scale.points_per_inch).collect();
        let sheet = if sheets.is_empty() { SHEETS[6] } else { *chance.pick(&sheets) };
        let wide = chance.length(0.4, 1.8);
        let heavy = chance.weighted(&[(3, 1.6), (3, 2.5), (1, 1.0), (1, 4.0)]);
        let fine = wide * chance.length(0.25, 0.8);
        let opened = chance.weighted(&[(8, 90), (2, 45), (1, 30), (1, 60)]);
        let curves = chance.weighted(&[
            (4, ArcManner::OneCurve),
            (2, ArcManner::SeveralCurves),
            (2, ArcManner::Chords(9)),
            (1, ArcManner::Chords(18)),
            (1, ArcManner::Chords(4)),
        ]);
        let dashes = chance.percent(12);
        Self {
            scale,
            sheet,
            rotate: *chance.pick(&[0, 0, 90, 180, 270, 270]),
            turn: chance.weighted(&[(8, 0), (2, 90), (1, 15), (1, 30), (1, 45)]),
            metric: !scale.notation.contains('='),
            weights: [wide * heavy, wide, wide * chance.length(0.4, 1.0), fine],
            palette: chance.weighted(&[
                (6, Palette::Black),
                (3, Palette::GreyContents),
                (2, Palette::GreyDoors),
                (2, Palette::Underlay),
                (2, Palette::Coloured),
                (1, Palette::Blueprint),
            ]),
            poche: *chance.pick(&[
                Poche::Outlined,
                Poche::Outlined,
                Poche::Black,
                Poche::Grey,
                Poche::Pale,
                Poche::Hatched,
                Poche::Crossed,
                Poche::Cored,
            ]),
            glazing: Glazing::Mullions,
            doorless: 0,
            curves,
            swing: if dashes { ArcManner::Dashes } else { curves },
            dashed_swing: !dashes && chance.percent(25),
            leaf: chance.weighted(&[
                (4, Leaf::Bar),
                (3, Leaf::Line),
                (2, Leaf::Heavy),
                (1, Leaf::Filled),
                (1, Leaf::Absent),
            ]),
            jamb: *chance.pick(&[Jamb::Absent, Jamb::Boxes, Jamb::Casings, Jamb::Profiles]),
            centred_hinge: chance.percent(35),
            threshold: chance.percent(25),
            opened,
            exploded: chance.percent(30),
            tag: *chance.pick(&[Tag::Absent, Tag::Bare, Tag::Circle, Tag::Hexagon, Tag::Oval, Tag::Box, Tag::Diamond]),
            framed_rooms: chance.percent(50),
            family: *chance.pick(&[Family::Helvetica, Family::Helvetica, Family::Libertinus, Family::DejaVuMono]),
            text: chance.length(4.5, 9.0),
            outlined_text: false,
            notes: chance.between(0, 3) as u8,
            grid: chance.percent(50),
            tiles: chance.percent(30),
            furniture: chance.percent(65),
            existing: *chance.pick(&[(0, 0), (0, 0), (25, 0), (30, 15), (60, 5)]),
            bottom_block: chance.percent(30),
            enlarged: chance.percent(30),
            program: *chance.pick(&[
                Program::School,
                Program::Offices,
                Program::Housing,
                Program::Industry,
                Program::Sanitary,
            ]),
            library: seed ^ 0x5eed,
            catalogue: Catalogue::Common,
            sliding: Sliding::Panels,
            hung: Hung::HalfOpen,
            folded: 0,
            swingless: 0,
            sliders: 0,
            electrical: false,
        }
    }
}

impl Style {
    /// Returns a random style for training. Of each eight seeds, the first four have common
    /// properties, the others any, and two of them electrical marks.
    pub fn mixed(seed: u64) -> Self {
        match seed % 8 {
            0..4 => Self::random(seed),
            4 | 6 => Self::random_doors(seed),
            _ => Self::random_marks(seed),
        }
    }

    /// Returns a random style that varies walls, windows and openings as well.
    pub fn random_walls(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ 0x3a11);
        let mut style = Self::random(seed);
        style.poche = *chance.pick(&[style.poche, style.poche, style.poche, Poche::Line, Poche::Stroke]);
        style.glazing =
            *chance.pick(&[Glazing::Mullions, Glazing::Line, Glazing::Pane, Glazing::Sills, Glazing::Frame]);
        style.doorless = *chance.pick(&[0, 0, 20, 60]);
        style.outlined_text = chance.percent(10);
        style
    }

    /// Returns a random style that varies walls, windows and openings, and doors that slide, fold
    /// or have no swing as well.
    pub fn random_doors(seed: u64) -> Self {
        let mut chance = Chance::new(seed ^ 0xd00f);
        let mut style = Self::random_walls(seed);
        style.sliding = *chance.pick(&[
            Sliding::Panels,
            Sliding::Lines,
            Sliding::Stiles,
            Sliding::Glazed,
            Sliding::Four,
            Sliding::Three,
            Sliding::Arrow,
        ]);
        style.hung = *chance.pick(&[Hung::HalfOpen, Hung::Panel, Hung::Closed, Hung::Open, Hung::Arrow]);
        style.folded = *chance.pick(&[0, 0, 12, 25, 45, 70, 84]);
        style.swingless = chance.weighted(&[(6, 0), (2, 12), (1, 50), (1, 100)]);
        style.sliders = chance.weighted(&[(6, 0), (2, 15), (2, 60)]);
        style
    }

    /// Returns a random style that varies everything, with an electrical layout over the plan.
    pub fn random_marks(seed: u64) -> Self {
        Self { electrical: true, ..Self::random_doors(seed) }
    }
}

const MM: f32 = 72.0 / 25.4;

/// Sheet sizes of ANSI/ASME Y14.1 and ISO 216: ARCH D, ANSI D, tabloid, A1, A2, A3, ARCH E1.
const SHEETS: [(f32, f32); 7] = [
    (2592.0, 1728.0),
    (2448.0, 1584.0),
    (1224.0, 792.0),
    (841.0 * MM, 594.0 * MM),
    (594.0 * MM, 420.0 * MM),
    (420.0 * MM, 297.0 * MM),
    (3024.0, 2160.0),
];

static PRESETS: LazyLock<Presets<Style>> = LazyLock::new(|| Presets::embedded(include_str!("../../styles/plan.toml")));

/// Returns the style presets, named after what is special about them.
pub fn styles() -> Vec<(&'static str, Style)> {
    PRESETS.all()
}
