//! What the model returns.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
