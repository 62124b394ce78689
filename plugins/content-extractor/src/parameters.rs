//! What is asked of a job: the sections, as the contents list them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The model's own part of a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The job of toc-parser that the sections come from.
    #[serde(default)]
    pub source_job_id: Option<String>,
    /// The sections to read, in the order in which the result has them.
    pub sections: Vec<Wanted>,
    /// Who picks out the requirements.
    #[serde(default)]
    pub provider: Provider,
}

/// Who picks out a section's requirements.
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
    /// Six digits; a number of MasterFormat 1995 has a 0 at its end.
    pub section_code: String,
    /// As the contents print it; may be empty. Where two sections share a code it tells them apart.
    #[serde(default)]
    pub section_title: String,
    /// Two digits.
    #[serde(default)]
    pub division_code: String,
}
