//! What clients read.

use fanlight_plugin::BoundingBox;
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
    pub bbox: BoundingBox,
    /// How likely it is a toilet, from 0 to 1. What is rather none isn't listed.
    pub confidence: f64,
}
