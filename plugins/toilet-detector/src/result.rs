//! What clients read.

use fanlight_plugin::vocabulary::Rect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The toilets of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Toilets {
    /// In page order; on a page the likeliest first.
    pub toilets: Vec<Toilet>,
    /// How many `toilets` there are.
    pub toilets_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
}

/// A water closet, a squat pan or a urinal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Toilet {
    /// `tlt_` and 12 hex digits, the same for the same toilet of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around its outline.
    pub bbox: BBox,
    /// How likely it is a toilet, from 0 to 1. What is rather none isn't listed.
    pub confidence: f64,
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
