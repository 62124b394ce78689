//! The result as clients read it.

use fanlight_normalization::Requirements;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parameters::Wanted;

/// The sections that were asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Extraction {
    /// The job of toc-parser that the sections come from; null where there was none.
    pub source_job_id: Option<String>,
    /// One entry for each section that was asked for, in that order.
    pub sections: Vec<Section>,
}

/// A section's body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// As asked for.
    pub section_code: String,
    /// As asked for.
    pub section_title: String,
    /// As asked for.
    pub division_code: String,
    /// The page that its heading stands on, 1-based; null where it was not found.
    pub page_start: Option<u32>,
    /// Its last page.
    pub page_end: Option<u32>,
    /// In reading order, a paragraph a line, without headers and footers. Cells of a table's row are parted by tabs.
    /// Empty where the section was not found or its pages hold no text.
    pub text: String,
    /// Whether the manual has the section's body.
    pub found: bool,
    /// What filled the arrays.
    pub normalization: Normalization,
    /// The arrays.
    #[serde(flatten)]
    pub requirements: Requirements,
}

impl Section {
    /// A section that the manual doesn't hold.
    pub(crate) fn missing(wanted: &Wanted) -> Self {
        Self {
            section_code: wanted.section_code.clone(),
            section_title: wanted.section_title.clone(),
            division_code: wanted.division_code.clone(),
            ..Self::default()
        }
    }
}

/// What filled a section's arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Normalization {
    /// A large language model, every string checked against the section's text.
    Llm,
    /// The built-in rules.
    Rules,
    /// Nothing: the arrays are empty.
    #[default]
    None,
}
