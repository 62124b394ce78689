//! The parameters, and what clients read.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Which pages are read by OCR.
    #[serde(default)]
    pub ocr: UseOcr,
    /// Whether each line lists its words with their places.
    #[serde(default)]
    pub words: bool,
}

/// Which pages are read by OCR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UseOcr {
    /// Those without a usable text layer. What such a page has of text stays.
    #[default]
    Auto,
    /// All, and text layers are not read.
    Always,
    /// None: only text layers are read.
    Never,
}

/// The text of a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Pages {
    /// The pages that were read, in page order.
    pub pages: Vec<TextPage>,
    /// How many lines all pages have.
    pub lines_found: usize,
    /// How many pages were read.
    pub pages_analyzed: usize,
}

/// The text of a page.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TextPage {
    /// 1-based.
    pub page: u32,
    /// In reading order: column by column, then text that is turned.
    pub lines: Vec<Line>,
}

/// A line of text: words on one baseline without a wide gap between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Its words, separated by one space. Rows of dots are left out.
    pub text: String,
    /// Around the line.
    pub bbox: BoundingBox,
    /// Where the text comes from.
    pub source: Source,
    /// Mean confidence of OCR in its words; missing where the text is the file's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: Option<f64>,
    /// Direction of the baseline in user space, in degrees counterclockwise from the x axis, 0 up to 360.
    pub angle: f64,
    /// Height of the em in points.
    pub size: f64,
    /// Its words, if the parameter `words` asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<Vec<Word>>,
}

/// A word of a line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Where it begins on its baseline: x in user space of the unrotated page, points.
    pub x: f64,
    /// Where it begins on its baseline: y.
    pub y: f64,
    /// Its length along the baseline in points.
    pub width: f64,
}

/// Where a line's text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The text layer of the file.
    TextLayer,
    /// OCR of the page's picture.
    Ocr,
}
