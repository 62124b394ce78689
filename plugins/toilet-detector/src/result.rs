//! What clients read.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The toilets of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Toilets {
    /// In page order; on a page the likeliest first, none of them on a likelier one.
    pub toilets: Vec<Toilet>,
    /// How many `toilets` there are, those that may need manual review included.
    pub toilets_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
}

/// What is, or may be, a water closet, a squat pan or a urinal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Toilet {
    /// `tlt_` and 12 hex digits, the same for the same toilet of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around its outline.
    pub bbox: BoundingBox,
    /// How likely it is a toilet: above 0.5 rather one than not, from 0.12 to 0.5 it may need manual review. What is less
    /// likely is not listed.
    #[schemars(range(min = 0.12, max = 1.0))]
    pub confidence: f64,
}
