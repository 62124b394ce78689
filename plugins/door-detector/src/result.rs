//! What is stored, and what clients read.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The doors of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Doors {
    /// In page order; on a page the likeliest first.
    // Empty in the stored result: `present` makes it of `candidates`.
    pub doors: Vec<Door>,
    /// How many `doors` there are.
    pub doors_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
    /// All that may be doors: stored, and never read by clients.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub candidates: Vec<Candidate>,
}

/// A door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Door {
    /// `door_` and 12 hex digits, the same for the same door of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around leaf, swing and opening; two leaves in one frame have one box.
    pub bbox: BoundingBox,
}

/// What may be a door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// As the door's.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// As the door's.
    pub bbox: BoundingBox,
    /// How likely it is a door, from 0 to 1.
    pub confidence: f32,
}
