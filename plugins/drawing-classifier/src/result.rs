//! The result as clients read it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What each page of a set is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Classification {
    /// Pages that were looked at.
    pub page_count: u32,
    /// How many of them are of each drawing type; types that no page is of are left out.
    pub by_drawing_type: BTreeMap<DrawingType, u32>,
    /// One entry a page, in page order.
    pub pages: Vec<Page>,
}

/// What a page is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// 1-based.
    pub page_number: u32,
    /// The sheet's number as printed; null where none was found.
    pub drawing_number: Option<String>,
    /// The sheet's title as printed, its lines joined by spaces. Where the title block has none, the titles of the
    /// drawings on the sheet, joined by " / "; null where there are none either.
    pub title: Option<String>,
    /// What kind of document the page belongs to.
    pub document_type: DocumentType,
    /// What the sheet shows; `other` for pages that are no drawings.
    pub drawing_type: DrawingType,
    /// Whose work it shows.
    pub discipline: Discipline,
    /// The `MasterFormat` division that its content belongs to, where it is one.
    pub division: Option<Division>,
    /// What part of the works it is limited to, as printed: "AREA B", "PHASE 2", "OVERALL". Empty where it says nothing.
    pub scope: Vec<String>,
    /// The storey that it shows, as printed; null where it names none.
    pub floor: Option<String>,
    /// One line in English about it.
    pub description: String,
}

/// A division of `MasterFormat`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Division {
    /// Two digits: "08".
    pub code: String,
    /// The standard's title of it.
    pub name: String,
}

/// What kind of document a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    /// A drawing sheet.
    Drawing,
    /// A page of a specification or project manual.
    Specification,
    /// A letter.
    Letter,
    /// A page of running text that is neither.
    Text,
    /// Pictures without a word.
    Picture,
    /// Nothing at all.
    Blank,
}

/// What a sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own words")]
pub enum DrawingType {
    Cover,
    Index,
    GeneralNotes,
    SitePlan,
    FloorPlan,
    DemolitionPlan,
    EnlargedPlan,
    ReflectedCeilingPlan,
    RoofPlan,
    FinishPlan,
    LifeSafetyPlan,
    ExteriorElevations,
    InteriorElevations,
    BuildingSections,
    WallSections,
    Details,
    Schedules,
    Diagrams,
    StructuralPlan,
    FoundationPlan,
    FramingPlan,
    Other,
}

impl DrawingType {
    /// Whether it is seen from above.
    pub(crate) fn is_plan(self) -> bool {
        matches!(
            self,
            Self::SitePlan
                | Self::FloorPlan
                | Self::DemolitionPlan
                | Self::EnlargedPlan
                | Self::ReflectedCeilingPlan
                | Self::RoofPlan
                | Self::FinishPlan
                | Self::LifeSafetyPlan
                | Self::StructuralPlan
                | Self::FoundationPlan
                | Self::FramingPlan
        )
    }

    /// In words, as a sentence begins with them.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Cover => "Cover sheet",
            Self::Index => "Drawing index",
            Self::GeneralNotes => "General notes",
            Self::SitePlan => "Site plan",
            Self::FloorPlan => "Floor plan",
            Self::DemolitionPlan => "Demolition plan",
            Self::EnlargedPlan => "Enlarged plans",
            Self::ReflectedCeilingPlan => "Reflected ceiling plan",
            Self::RoofPlan => "Roof plan",
            Self::FinishPlan => "Finish plan",
            Self::LifeSafetyPlan => "Life safety plan",
            Self::ExteriorElevations => "Exterior elevations",
            Self::InteriorElevations => "Interior elevations",
            Self::BuildingSections => "Building sections",
            Self::WallSections => "Wall sections",
            Self::Details => "Details",
            Self::Schedules => "Schedules",
            Self::Diagrams => "Diagrams",
            Self::StructuralPlan => "Structural plan",
            Self::FoundationPlan => "Foundation plan",
            Self::FramingPlan => "Framing plan",
            Self::Other => "Drawing",
        }
    }
}

/// Whose work a sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own words")]
pub enum Discipline {
    Architectural,
    Interiors,
    Structural,
    Mechanical,
    Electrical,
    Plumbing,
    Fire,
    Civil,
    Landscape,
    Other,
}

impl Discipline {
    /// In lower case, as within a sentence.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Architectural => "architectural",
            Self::Interiors => "interiors",
            Self::Structural => "structural",
            Self::Mechanical => "mechanical",
            Self::Electrical => "electrical",
            Self::Plumbing => "plumbing",
            Self::Fire => "fire protection",
            Self::Civil => "civil",
            Self::Landscape => "landscape",
            Self::Other => "other",
        }
    }
}
