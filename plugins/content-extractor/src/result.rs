//! The result that clients read.

use fanlight_normalization::Requirements;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parameters::Wanted;

/// The contents of the requested sections.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Extraction {
    /// The job of toc-parser that the sections come from; null if the request named none.
    pub source_job_id: Option<String>,
    /// One entry for each requested section, in the order of the request.
    pub sections: Vec<Section>,
}

/// The body of a section.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// The section's code, as requested.
    pub section_code: String,
    /// The section's title, as requested.
    pub section_title: String,
    /// The division's code, as requested.
    pub division_code: String,
    /// The page of its heading, counted from 1; null if the section was not found.
    pub page_start: Option<u32>,
    /// Its last page, counted from 1; null if the section was not found.
    pub page_end: Option<u32>,
    /// The text in reading order, one line for each paragraph, without headers and footers. Tabs
    /// separate the cells of a table's row. Empty if the section was not found or its pages have no
    /// text.
    pub text: String,
    /// Whether the manual has the section's body.
    pub found: bool,
    /// What filled the arrays of requirements.
    pub normalization: Normalization,
    /// The arrays.
    #[serde(flatten)]
    pub requirements: Requirements,
}

impl Section {
    /// Returns the entry of a section without a body.
    pub(crate) fn without_body(wanted: &Wanted) -> Self {
        Self {
            section_code: wanted.section_code.clone(),
            section_title: wanted.section_title.clone(),
            division_code: wanted.division_code.clone(),
            ..Self::default()
        }
    }
}

/// What filled a section's arrays of requirements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Normalization {
    /// A large language model. Each string is checked against the section's text.
    Llm,
    /// The built-in rules.
    Rules,
    /// Nothing. The arrays are empty.
    #[default]
    None,
}
