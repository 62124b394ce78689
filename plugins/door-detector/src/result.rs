//! What is stored, and what clients read.

use fanlight_plugin::vocabulary::Rect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The doors of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Doors {
    /// In page order; on a page the likeliest first. Empty as stored.
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
    pub bbox: BBox,
}

/// An axis-aligned box in user space of the unrotated page: points, origin bottom-left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BBox {
    /// Left.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
    /// Right.
    pub x2: f64,
    /// Top.
    pub y2: f64,
}

impl From<Rect> for BBox {
    /// To a hundredth of a point.
    fn from(rect: Rect) -> Self {
        let hundredth = |value: f32| (f64::from(value) * 100.0).round() / 100.0;
        Self { x1: hundredth(rect.x1), y1: hundredth(rect.y1), x2: hundredth(rect.x2), y2: hundredth(rect.y2) }
    }
}

/// What may be a door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// As the door's.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// As the door's.
    pub bbox: BBox,
    /// How likely it is a door, from 0 to 1.
    pub confidence: f32,
}
