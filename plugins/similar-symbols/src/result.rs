//! The parameters, and what clients read.

use fanlight_plugin::BoundingBox;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of the model: where the symbol is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The page of the symbol, 1-based. It need not be one of the pages that are searched.
    #[schemars(range(min = 1))]
    pub page: u32,
    /// Around the symbol, in user space of the unrotated page, in points. Lines that run on beyond it are not compared.
    pub bbox: BoundingBox,
}

/// The places of a document that are drawn like the symbol.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Symbols {
    /// In page order; on a page the most alike first. The symbol itself is among them if its page is searched.
    pub symbols: Vec<SimilarSymbol>,
    /// How many `symbols` there are.
    pub symbols_found: usize,
    /// How many there are on each page that has one, in page order.
    pub sheets: Vec<Sheet>,
    /// How many pages were searched.
    pub pages_analyzed: usize,
    /// Why nothing could be searched for; missing if the box holds a symbol.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

/// A place that is drawn like the symbol.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SimilarSymbol {
    /// `sym_` and 12 hex digits, the same for the same place of the same document.
    pub id: String,
    /// 1-based.
    pub page: u32,
    /// The given box, moved there.
    pub bbox: BoundingBox,
    /// By how many degrees it is turned counterclockwise in user space, 0 up to 360, after it is mirrored.
    pub turn: f64,
    /// Whether it is mirrored left to right, before it is turned.
    pub mirrored: bool,
    /// The share of the lines' length that agrees: of the symbol's lines or of those of the place, whichever is less.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub score: f64,
}

/// A page that has such places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sheet {
    /// 1-based.
    pub page: u32,
    /// How many `symbols` are on it.
    pub count: usize,
}

/// Why nothing could be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Problem {
    /// The document has no such page.
    PageMissing,
    /// No part of the box lies on the page, or the box has no area.
    BoxOutsidePage,
    /// Fewer than five whole lines lie in the box. A page that is a picture has no lines.
    NoDrawing,
    /// More than 3000 lines lie in the box: a part of a drawing and not a symbol.
    TooMuchDrawing,
}
