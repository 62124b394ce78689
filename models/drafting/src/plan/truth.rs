//! The ground truth of a plan sheet.

use serde::Serialize;

use super::door::DoorTruth;
use super::fixture::FixtureTruth;
use super::style::Style;

/// The ground truth of a sheet. All boxes and points are in PDF user space of the unrotated page,
/// in points, with the origin at the lower left corner of the `MediaBox`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truth {
    /// The style of the sheet. Called `office` in JSON, for readers of earlier files.
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
    /// The scale of the main plan as printed.
    pub scale_note: &'static str,
    /// The plans on the sheet.
    pub views: Vec<View>,
    /// The doors of all plans.
    pub doors: Vec<DoorTruth>,
    /// The fixtures of all plans.
    pub fixtures: Vec<FixtureTruth>,
    /// The rooms of all plans.
    pub rooms: Vec<RoomTruth>,
    /// Objects that may count as a door or a fixture or not.
    pub uncertain: Vec<Thing>,
    /// Objects that are neither, though some look alike.
    pub things: Vec<Thing>,
    /// Windows, and openings in walls without a door. The boxes extend through the wall.
    pub openings: Vec<Thing>,
    /// Parts of the sheet that show symbols and not the building. Nothing in them counts.
    pub ignore_regions: Vec<Thing>,
}

/// A plan on the sheet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// As printed.
    pub title: &'static str,
    /// As printed.
    pub scale: &'static str,
    /// Points of paper for each real inch.
    pub points_per_inch: f32,
    /// The box around the plan with its notes.
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
    /// The box around them.
    pub bbox: [f32; 4],
}

/// An object with its box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thing {
    /// The kind of object.
    pub kind: String,
    /// Its box.
    pub bbox: [f32; 4],
}
