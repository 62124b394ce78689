//! A plugin that stands in for any model: it returns its request, and the result that its parameters give. A test
//! overwrites `NAME` in the built component with the model's name, padded with blanks.

use std::hint::black_box;

use fanlight_plugin::{Description, Failure, Granularity, Model, Request};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Has the greatest length of a model's name.
const NAME: &str = "stand-in-for-any-model-under-the-name-that-a-test-writes-here--";

/// The plugin.
pub struct StandIn;

/// Any parameters.
#[derive(Clone, Deserialize, Serialize, JsonSchema)]
pub struct Parameters {
    #[serde(flatten)]
    all: Map<String, Value>,
}

/// The request.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Asked {
    pages: Vec<u32>,
    parameters: Parameters,
    /// The members of the parameter `answer`.
    #[serde(flatten)]
    answer: Map<String, Value>,
}

impl Model for StandIn {
    type Parameters = Parameters;
    type Partial = Asked;
    type Outcome = Asked;

    fn description() -> Description {
        Description {
            // Prevents the compiler from computing the name at compile time.
            name: black_box(NAME).trim_end(),
            version: "1.0.0",
            summary: "Tells what it was asked for.",
            granularity: Granularity::Document,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Asked, Failure> {
        let parameters = request.parameters.clone();
        let answer = parameters.all.get("answer").and_then(Value::as_object).cloned().unwrap_or_default();
        Ok(Asked { pages: request.pages.clone(), parameters, answer })
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Asked>) -> Result<Asked, Failure> {
        partials.into_iter().next().ok_or_else(|| Failure::Internal("there was no shard".to_owned()))
    }
}

fanlight_plugin::export_model!(StandIn);
