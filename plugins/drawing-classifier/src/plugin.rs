//! The model that the host runs: pages from the engine, in shards; the judgement over all of them.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Classification, Sheet, reading};

/// Tells what each page of a drawing set is.
pub struct DrawingClassifier;

/// None: the document is all that it takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for DrawingClassifier {
    type Parameters = Parameters;
    type Partial = Vec<Sheet>;
    type Outcome = Classification;

    fn description() -> Description {
        Description {
            name: "drawing-classifier",
            version: "1.0.0",
            summary: "Tells the number, title, type and discipline of each sheet of a drawing set.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Vec<Sheet>, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len();
        let mut sheets = Vec::with_capacity(total);
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Reading sheet {} of {total}", index + 1));
            sheets.push(reading::sheet(number, &document.page(number)?));
        }
        Ok(sheets)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Vec<Sheet>>) -> Result<Classification, Failure> {
        let sheets: Vec<Sheet> = partials.into_iter().flatten().collect();
        Ok(crate::classify(&sheets))
    }
}

fanlight_plugin::export_model!(DrawingClassifier);
