//! A plugin that works page by page and presents less than it stores. It shows how the host divides a job, joins the
//! parts and presents the result.

use fanlight_plugin::{Description, Failure, Granularity, Model, Request, job, pdf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// With this number of pages, the presented result violates the schema, which a test expects the host to notice.
const BADLY_PRESENTED: usize = 7;

/// The plugin.
pub struct Tally;

/// Takes no parameters.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {}

/// The pages of one shard, and their heights in points.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    pages: Vec<u32>,
    heights: Vec<f32>,
}

/// The result of all shards.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Tallied {
    shards: Vec<Vec<u32>>,
    heights: Vec<f32>,
    /// Not for clients: `present` removes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl Model for Tally {
    type Parameters = Parameters;
    type Partial = Shard;
    type Outcome = Tallied;

    const PRESENTS: bool = true;

    fn description() -> Description {
        Description {
            name: "tally",
            version: "1.0.0",
            summary: "Tells which pages were looked at together.",
            granularity: Granularity::Page,
            max_pages: None,
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Shard, Failure> {
        let document = pdf::Document::open()?;
        let total = request.pages.len() as u32;
        let mut heights = Vec::new();
        for (done, &number) in (1..).zip(&request.pages) {
            let media_box = document.page(number)?.geometry().media_box;
            heights.push(media_box.y2 - media_box.y1);
            job::progress(done, total, "Measuring");
        }
        Ok(Shard { pages: request.pages.clone(), heights })
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Shard>) -> Result<Tallied, Failure> {
        let heights = partials.iter().flat_map(|shard| shard.heights.iter().copied()).collect();
        let shards = partials.into_iter().map(|shard| shard.pages).collect();
        Ok(Tallied { shards, heights, secret: Some("unfiltered".to_owned()) })
    }

    fn present(mut stored: Tallied) -> Result<Tallied, Failure> {
        if stored.heights.len() == BADLY_PRESENTED {
            // NaN becomes null in JSON.
            stored.heights.fill(f32::NAN);
        }
        Ok(Tallied { secret: None, ..stored })
    }
}

fanlight_plugin::export_model!(Tally);
