//! What the model returns.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Room {
    /// `room_` and 12 hex digits, the same for the same find.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around the polygon.
    pub bbox: BoundingBox,
    /// Corners of its clear floor, `[x, y]` in user space of the unrotated page, points; the last is joined to the first.
    pub polygon: Vec<[f64; 2]>,
    /// As printed, its lines joined by spaces; null where none stands inside.
    pub name: Option<String>,
    /// As printed; null where none stands inside.
    pub number: Option<String>,
    /// The polygon's area in square points of paper.
    pub area_pt2: f64,
    /// Its area in the building in square metres; null where the sheet says no scale.
    pub area_m2: Option<f64>,
}

/// The rooms of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Rooms {
    /// In page order, on a page from the top.
    pub rooms: Vec<Room>,
    /// Number of `rooms`.
    pub rooms_found: usize,
    /// How many pages were read.
    pub pages_analyzed: u32,
}
