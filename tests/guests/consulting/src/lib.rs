//! A plugin that sends its parameters to the language model and returns the answers.

use fanlight_plugin::language::Prompt;
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, language};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plugin.
pub struct Consulting;

/// The materials of the prompts, all sent in one call.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {
    materials: Vec<String>,
}

/// For each material the answer, or the error.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Answers {
    answers: Vec<String>,
}

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": { "doors": { "type": "array", "items": { "type": "string" } } },
    "required": ["doors"],
    "additionalProperties": false
}"#;

impl Model for Consulting {
    type Parameters = Parameters;
    type Partial = Answers;
    type Outcome = Answers;

    fn description() -> Description {
        Description {
            name: "consulting",
            version: "1.0.0",
            summary: "Asks a language model for doors.",
            granularity: Granularity::Document,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Answers, Failure> {
        let materials = request.parameters.materials.iter();
        let prompt = |material: &String| Prompt {
            instructions: "List the doors.".to_owned(),
            material: material.clone(),
            max_tokens: 100,
        };
        let prompts: Vec<Prompt> = materials.map(prompt).collect();
        job::progress(0, 1, "asking");
        let answers = language::complete(&prompts, SCHEMA);
        let told = |answer: Result<String, _>| answer.unwrap_or_else(|error| format!("{error:?}"));
        Ok(Answers { answers: answers.into_iter().map(told).collect() })
    }

    fn conclude(_: &Request<Parameters>, mut partials: Vec<Answers>) -> Result<Answers, Failure> {
        partials.pop().ok_or_else(|| Failure::Internal("no partial result".to_owned()))
    }
}

fanlight_plugin::export_model!(Consulting);
