//! What a drafted plan sheet holds, exactly.

use serde::Serialize;

use super::door::DoorTruth;
use super::fixture::FixtureTruth;
use super::style::Style;

/// The truth of a sheet. All boxes and points are PDF user space of the unrotated page, in points, origin at the lower
/// left corner of the `MediaBox`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truth {
    /// The office that drew it.
    #[serde(rename = "office")]
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// Always 1: a file has one sheet.
    pub page: u32,
    /// The sheet's `MediaBox`.
    pub media_box: [f32; 4],
    /// `/Rotate`.
    pub rotation: u16,
    /// The main plan's scale as printed.
    pub scale_note: &'static str,
    /// The plans on the sheet.
    pub views: Vec<View>,
    /// The doors of all plans.
    pub doors: Vec<DoorTruth>,
    /// The fixtures of all plans.
    pub fixtures: Vec<FixtureTruth>,
    /// The rooms of all plans.
    pub rooms: Vec<RoomTruth>,
    /// What may be taken for a door or a fixture, or not: neither is wrong.
    pub uncertain: Vec<Thing>,
    /// What is neither, though some of it looks like one.
    pub things: Vec<Thing>,
    /// Windows, and openings in walls without a door: their boxes through the wall's thickness.
    pub openings: Vec<Thing>,
    /// Parts of the sheet that show symbols and not the building: nothing in them counts.
    pub ignore_regions: Vec<Thing>,
}

/// A plan on the sheet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// As printed.
    pub title: &'static str,
    /// As printed.
    pub scale: &'static str,
    /// Points of paper for a real inch.
    pub points_per_inch: f32,
    /// Around the plan with what is written about it.
    pub bbox: [f32; 4],
}

/// A room.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoomTruth {
    /// As printed.
    pub number: String,
    /// As printed.
    pub name: &'static str,
    /// The corners of its clear floor.
    pub polygon: Vec<(f32, f32)>,
    /// Around them.
    pub bbox: [f32; 4],
}

/// Something with its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thing {
    /// What it is.
    pub kind: String,
    /// Where.
    pub bbox: [f32; 4],
}
