//! A plugin that imports `ocr`, and so requests a capability.

use fanlight_plugin::vocabulary::{PixelFormat, Raster};
use fanlight_plugin::{Description, Failure, Granularity, Model, Request, ocr};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plugin.
pub struct Asking;

/// Takes no parameters.
#[derive(Deserialize, JsonSchema)]
pub struct Parameters {}

/// The number of words in a white picture.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Words {
    words: usize,
}

impl Model for Asking {
    type Parameters = Parameters;
    type Partial = Words;
    type Outcome = Words;

    fn description() -> Description {
        Description {
            name: "asking",
            version: "1.0.0",
            summary: "Reads a white picture.",
            granularity: Granularity::Document,
            max_pages: None,
        }
    }

    fn analyze(_: &Request<Parameters>) -> Result<Words, Failure> {
        let white = Raster::from_bytes(8, 8, PixelFormat::Grey, &[255; 64]);
        let options = ocr::Options { layout: ocr::Layout::Line, languages: Vec::new(), characters: String::new() };
        let words = ocr::recognize(&white, &options).map_err(|error| Failure::Internal(format!("{error:?}")))?;
        Ok(Words { words: words.len() })
    }

    fn conclude(_: &Request<Parameters>, partials: Vec<Words>) -> Result<Words, Failure> {
        Ok(Words { words: partials.iter().map(|partial| partial.words).sum() })
    }
}

fanlight_plugin::export_model!(Asking);
