//! Finds the windows of floor plans: proposes places by their lines, and asks a small network what each of them shows.
//!
//! - `candidates`: where a window may be;
//! - `input`: what the network sees of a candidate;
//! - `classifier`: the network;
//! - `detection`: which of the candidates are listed.

mod candidates;
mod classifier;
mod detection;
mod input;

use fanlight_plugin::picture::Picture;
use fanlight_plugin::vocabulary::Rect;
use fanlight_plugin::{BoundingBox, Failure, JobPage, PageItems, PageModel};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::candidates::candidates;
use crate::classifier::{Classifier, rounded};
use crate::input::input;

/// Resolution of the picture in pixels per inch, for A4 sheets. A0 sheets have a third of it: there a wall of 300 mm at
/// 1:100 is 12 pixels wide.
const DPI: f32 = 300.0;
/// Maximum number of the picture's pixels.
const MAX_PIXELS: u32 = 16_000_000;

/// What a client may set. Comments here are what clients read in the JSON Schema.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Windows with less confidence are not listed.
    #[serde(default = "default_min_confidence")]
    #[schemars(range(min = 0.05, max = 1.0))]
    pub min_confidence: f64,
    /// What is listed.
    #[serde(default)]
    pub list: Listing,
}

fn default_min_confidence() -> f64 {
    0.5
}

/// What is listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// The windows.
    #[default]
    Windows,
    /// All candidates, each with the network's input. The network is trained on these lists.
    Candidates,
}

/// A window, or what may be one.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Window {
    /// `window_` and 12 hex digits, the same for the same window of the same document.
    pub id: String,
    /// The page, 1-based.
    pub page: u32,
    /// Around its frame, at most through the whole wall. In points of the unrotated page, origin bottom-left.
    pub bbox: BoundingBox,
    /// How likely it is a window, from 0 to 1: above 0.5 rather one than not. Missing for a candidate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// The network's input for a candidate: two pictures of 48 by 48 cells, row by row, each cell a hexadecimal digit from 0
    /// (white) to f (black).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

/// The windows of a document.
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct Windows {
    /// In page order; on a page the likeliest first, none of them on a likelier one.
    pub windows: Vec<Window>,
    /// How many `windows` there are.
    pub windows_found: usize,
    /// How many pages were looked at.
    pub pages_analyzed: usize,
}

impl From<PageItems<Window>> for Windows {
    fn from(found: PageItems<Window>) -> Self {
        Self { windows: found.items, windows_found: found.items_found, pages_analyzed: found.pages_analyzed }
    }
}

/// The model. One value is made for each run of pages.
#[derive(Default)]
pub struct WindowDetector {
    classifier: Classifier,
}

impl PageModel for WindowDetector {
    type Parameters = Parameters;
    type Item = Window;
    type Outcome = Windows;

    const NAME: &'static str = "window-detector";
    const VERSION: &'static str = fanlight_plugin::version!();
    const SUMMARY: &'static str = "Finds the windows of floor plans that are drawn with lines.";

    fn analyze_page(&self, page: &JobPage<'_>, parameters: &Parameters) -> Result<Vec<Window>, Failure> {
        let candidates = candidates(&page.content.paths(), &page.content.geometry());
        if candidates.is_empty() {
            return Ok(Vec::new());
        }
        let Some(picture) = Picture::render(&page.content, None, DPI, MAX_PIXELS) else { return Ok(Vec::new()) };
        if parameters.list == Listing::Candidates {
            let listed = candidates.iter().map(|candidate| Window {
                input: Some(input::digits(&input(&picture, candidate))),
                ..listed(page, candidate.bbox)
            });
            return Ok(listed.collect());
        }
        let mut confidences = Vec::with_capacity(candidates.len());
        for candidate in &candidates {
            confidences.push(self.classifier.confidence(&input(&picture, candidate))?);
        }
        let detections = detection::detections(&candidates, &confidences, parameters.min_confidence as f32);
        let windows = detections.into_iter().map(|detection| Window {
            confidence: Some(rounded(detection.confidence)),
            ..listed(page, detection.bbox)
        });
        Ok(windows.collect())
    }
}

/// Returns what is listed of a box on a page, without confidence and input.
fn listed(page: &JobPage<'_>, bbox: Rect) -> Window {
    let id = page.identifier("window", bbox);
    Window { id, page: page.number, bbox: bbox.into(), confidence: None, input: None }
}

fanlight_plugin::export_model!(WindowDetector);
