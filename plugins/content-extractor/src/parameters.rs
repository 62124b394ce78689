//! The parameters of a job: the sections, as the contents list them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The job of toc-parser that the sections come from.
    #[serde(default)]
    pub source_job_id: Option<String>,
    /// The sections to read, in the order of the result.
    pub sections: Vec<Wanted>,
    /// What selects the requirements.
    #[serde(default)]
    pub provider: Provider,
}

/// What selects a section's requirements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// The built-in rules.
    #[default]
    Rules,
    /// The language model that the operator has configured.
    Openai,
}

/// A section to read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// The section's number with six digits. A number of MasterFormat 1995 ends with an added 0.
    pub section_code: String,
    /// The title as the contents print it; may be empty. It distinguishes sections that share a
    /// code.
    #[serde(default)]
    pub section_title: String,
    /// The division's number with two digits.
    #[serde(default)]
    pub division_code: String,
}
