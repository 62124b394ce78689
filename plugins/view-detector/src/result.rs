//! What clients read.

use fanlight_plugin::BoundingBox;
use fanlight_sheet::views::network_input::ViewClass;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The views of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Views {
    /// In page order; on a page the likeliest first, none of them on a likelier one.
    pub views: Vec<View>,
    /// How many `views` there are.
    pub views_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
}

/// A view of a sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// `view_` and 12 hex digits, the same for the same view of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// Around what is drawn, with dimensions that are near.
    pub bbox: BoundingBox,
    /// What the view shows.
    pub kind: ViewClass,
    /// How likely the box holds one view of this kind. Below 0.5 the box holds a view, but its kind may need manual review.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_view_is_no_kind_of_a_result() {
        let schema = schemars::schema_for!(View).to_value();
        let kinds = schema["$defs"]["ViewKind"]["oneOf"].as_array().unwrap();
        let names: Vec<&str> = kinds.iter().filter_map(|kind| kind["const"].as_str()).collect();
        assert!(names.len() == 14 && !names.contains(&"none"), "{names:?}");
        assert_eq!(schema["$defs"]["ViewKind"]["description"], "What a view shows.");
    }
}
