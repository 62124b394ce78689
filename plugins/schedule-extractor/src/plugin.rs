//! The model that the host runs. It reads the document through the engine and reports progress page
//! by page.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Partial, Schedules};

/// Reads the schedules of drawing sheets.
pub struct ScheduleExtractor;

/// This model has no parameters.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {}

impl Model for ScheduleExtractor {
    type Parameters = Parameters;
    type Partial = Partial;
    type Outcome = Schedules;

    fn description() -> Description {
        Description {
            name: "schedule-extractor",
            version: fanlight_plugin::version!(),
            summary: "Reads the schedules of drawing sheets as tables.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Partial, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len();
        let mut partial = Partial::default();
        for (index, &number) in request.pages.iter().enumerate() {
            job::progress(index as u32, total as u32, &format!("Reading page {number}"));
            let found = crate::read(number, &document.page(number)?, &|read, cells| {
                job::progress(index as u32, total as u32, &format!("Reading page {number}: {read} of {cells} cells"));
            });
            partial.schedules.extend(found.schedules);
            if found.rasterized {
                partial.rasterized_pages.push(number);
            }
        }
        Ok(partial)
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Partial>) -> Result<Schedules, Failure> {
        let mut result = Schedules::default();
        for partial in partials {
            result.schedules.extend(partial.schedules);
            result.rasterized_pages.extend(partial.rasterized_pages);
        }
        result.schedules_found = result.schedules.len();
        result.ocr_fallback_used = !result.rasterized_pages.is_empty();
        result.pages_analyzed = job::asked_for().map(|pages| pages.len() as u32);
        Ok(result)
    }
}

fanlight_plugin::export_model!(ScheduleExtractor);
