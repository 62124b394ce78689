//! The ground truth of a set of sheets.

use serde::{Deserialize, Serialize};

use super::Style;

/// The ground truth of a set. Pages count from 1, as in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The style of the set. Called `office` in JSON, for readers of earlier files.
    #[serde(rename = "office")]
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// The pages in the order of the file.
    pub pages: Vec<PageTruth>,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageTruth {
    /// The page's number, from 1.
    pub page_number: usize,
    /// The kind of document of the page.
    pub document_type: DocumentType,
    /// The sheet's number as printed; `None` if the page is not a drawing.
    pub drawing_number: Option<String>,
    /// The sheet's title as printed, with its lines joined by spaces; `None` if the page is not a
    /// drawing.
    pub title: Option<String>,
    /// The right drawing types, in the API's terms, the best one first.
    pub drawing_types: Vec<String>,
    /// The discipline, in the API's terms.
    pub discipline: String,
    /// The storey in the title, as printed.
    pub floor: Option<String>,
}

/// The kind of document of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentType {
    /// A drawing sheet.
    Drawing,
    /// A page of a specification.
    Specification,
    /// A letter.
    Letter,
}
