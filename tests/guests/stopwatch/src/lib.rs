//! A plugin that times the PDF engine as every plugin uses it: inside the sandbox, through the contract.

use std::time::Instant;

use fanlight_plugin::vocabulary::{Orientation, PixelFormat, RenderOptions};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, pdf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plugin.
pub struct Stopwatch;

/// Parameters of the timing.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {
    /// Resolution of the raster, in pixels per inch.
    dpi: f32,
}

/// Milliseconds and amount of output of each operation.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    open_ms: f64,
    paths_ms: f64,
    segments: usize,
    text_ms: f64,
    glyphs: usize,
    raster_ms: f64,
    pixels: usize,
}

impl Model for Stopwatch {
    type Parameters = Parameters;
    type Partial = Timings;
    type Outcome = Timings;

    fn description() -> Description {
        Description {
            name: "stopwatch",
            version: "1.0.0",
            summary: "Times the PDF engine on the first page of the job.",
            granularity: Granularity::Document,
            max_pages: Some(1),
        }
    }

    fn analyze(request: &Request<Parameters>) -> Result<Timings, Failure> {
        let number = request.pages.first().copied().unwrap_or(1);
        let (open_ms, document) = timed(pdf::Document::open);
        let document = document?;
        // A separate page for each operation, so that none profits from another's cache.
        let (paths_ms, paths) = timed(|| document.page(number).map(|page| page.paths()));
        let (text_ms, text) = timed(|| document.page(number).map(|page| page.text()));
        let options = RenderOptions {
            dpi: request.parameters.dpi,
            region: None,
            format: PixelFormat::Rgb,
            orientation: Orientation::UserSpace,
        };
        let page = document.page(number)?;
        let (raster_ms, raster) = timed(|| page.render(options));
        Ok(Timings {
            open_ms,
            paths_ms,
            segments: paths?.ops.len(),
            text_ms,
            glyphs: text?.runs.iter().map(|run| run.codes.len()).sum(),
            raster_ms,
            pixels: raster?.bytes().len() / 3,
        })
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Timings>) -> Result<Timings, Failure> {
        partials.into_iter().next().ok_or_else(|| Failure::Internal("no partial".to_owned()))
    }
}

/// Returns the milliseconds of `work` and its value.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let started = Instant::now();
    let yielded = work();
    (started.elapsed().as_secs_f64() * 1000.0, yielded)
}

fanlight_plugin::export_model!(Stopwatch);
