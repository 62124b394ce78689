//! The result that clients read.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The classification of each page of a drawing set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Classification {
    /// The number of pages that were classified.
    pub page_count: u32,
    /// The number of pages of each drawing type. Types without pages are left out.
    pub by_drawing_type: BTreeMap<DrawingType, u32>,
    /// One entry for each page, in page order.
    pub pages: Vec<Page>,
}

/// The classification of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Page {
    /// The page's number in the document, counted from 1.
    pub page_number: u32,
    /// The sheet number as printed; null if none was found.
    pub drawing_number: Option<String>,
    /// The sheet title as printed, with its lines joined by spaces. If the title block has no
    /// title, the titles of the drawings on the sheet, joined by " / "; null if there are none
    /// either.
    pub title: Option<String>,
    /// The kind of document that the page belongs to.
    pub document_type: DocumentType,
    /// What the sheet shows; `other` for pages that are not drawings.
    pub drawing_type: DrawingType,
    /// The discipline whose work the sheet shows.
    pub discipline: Discipline,
    /// The MasterFormat division that the sheet's content belongs to; null if it belongs to none or
    /// several.
    pub division: Option<Division>,
    /// The parts of the works that the sheet is limited to, as printed: "AREA B", "PHASE 2",
    /// "OVERALL". Empty if the title names none.
    pub scope: Vec<String>,
    /// The storey that the sheet shows, as printed; null if it names none.
    pub floor: Option<String>,
    /// A one-line summary in English.
    pub description: String,
}

/// A division of MasterFormat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Division {
    /// The division's number with two digits: "08".
    pub code: String,
    /// The division's title in the standard.
    pub name: String,
}

/// The kind of document that a page belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    /// A drawing sheet.
    Drawing,
    /// A page of a specification or project manual.
    Specification,
    /// A letter.
    Letter,
    /// A page of running text of another kind.
    Text,
    /// An image without text.
    Picture,
    /// An empty page.
    Blank,
}

/// What a sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are terms of the field")]
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
    /// Returns whether the type is a view from above.
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

    /// Returns the type's name as it begins a sentence.
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

/// The discipline whose work a sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are terms of the field")]
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
    /// Returns the discipline's name in lower case, as within a sentence.
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
