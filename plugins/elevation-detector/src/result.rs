//! What the model returns.

use fanlight_vocabulary::Rect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An upright box in user space of the unrotated page: points, origin bottom-left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BoundingBox {
    /// Left.
    pub x1: f64,
    /// Bottom.
    pub y1: f64,
    /// Right.
    pub x2: f64,
    /// Top.
    pub y2: f64,
}

impl From<Rect> for BoundingBox {
    fn from(rect: Rect) -> Self {
        // A hundredth of a point is finer than any drawing.
        let hundredth = |value: f32| (f64::from(value) * 100.0).round() / 100.0;
        Self { x1: hundredth(rect.x1), y1: hundredth(rect.y1), x2: hundredth(rect.x2), y2: hundredth(rect.y2) }
    }
}

/// One interior elevation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Elevation {
    /// `ele_` and 12 hex digits, the same for the same find.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// The drawn view with its dimensions, without its title.
    pub bbox: BoundingBox,
}

/// What some pages hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Partial {
    /// In page order, on a page from the top.
    pub elevations: Vec<Elevation>,
    /// How many pages were read.
    pub pages_analyzed: u32,
}

/// The interior elevations of a document.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Elevations {
    /// In page order, on a page from the top.
    pub elevations: Vec<Elevation>,
    /// Number of `elevations`.
    pub elevations_found: usize,
    /// How many pages were read.
    pub pages_analyzed: u32,
}
