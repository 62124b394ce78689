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
    pub kind: ViewKind,
    /// How likely the box holds one view of this kind. Below 0.5 the box holds a view, but its kind may need manual review.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
}

/// What a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ViewKind {
    /// A floor plan, an enlarged one, a roof plan, a ceiling plan.
    Plan,
    /// A plan of the site.
    SitePlan,
    /// A small plan that marks a part of the building.
    KeyPlan,
    /// The wall of a room or its casework, seen from inside.
    InteriorElevation,
    /// The front of a building.
    ExteriorElevation,
    /// A section through the building or through a wall.
    Section,
    /// A detail.
    Detail,
    /// Doors or windows by type.
    OpeningTypes,
    /// A schedule.
    Schedule,
    /// Symbols beside their meaning.
    Legend,
    /// Notes.
    Notes,
    /// A title block.
    TitleBlock,
    /// A photo or a rendering.
    Rendering,
    /// A diagram.
    Diagram,
}

impl ViewKind {
    /// Returns the kind of a class; `None` for what is no view.
    pub fn from_class(class: ViewClass) -> Option<Self> {
        Some(match class {
            ViewClass::None => return None,
            ViewClass::Plan => Self::Plan,
            ViewClass::SitePlan => Self::SitePlan,
            ViewClass::KeyPlan => Self::KeyPlan,
            ViewClass::InteriorElevation => Self::InteriorElevation,
            ViewClass::ExteriorElevation => Self::ExteriorElevation,
            ViewClass::Section => Self::Section,
            ViewClass::Detail => Self::Detail,
            ViewClass::OpeningTypes => Self::OpeningTypes,
            ViewClass::Schedule => Self::Schedule,
            ViewClass::Legend => Self::Legend,
            ViewClass::Notes => Self::Notes,
            ViewClass::TitleBlock => Self::TitleBlock,
            ViewClass::Rendering => Self::Rendering,
            ViewClass::Diagram => Self::Diagram,
        })
    }
}
