//! What a drafted set of sheets holds, exactly.

use serde::{Deserialize, Serialize};

use super::Style;

/// The truth of a set; pages count from 1 as in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The office that drew it.
    #[serde(rename = "office")]
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// In the order of the file.
    pub pages: Vec<PageTruth>,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageTruth {
    /// From 1.
    pub page_number: usize,
    /// What kind of document the page is.
    pub document_type: DocumentType,
    /// The sheet's number as printed; none where the page is no drawing.
    pub drawing_number: Option<String>,
    /// The sheet's title as printed, its lines joined by spaces; none where the page is no drawing.
    pub title: Option<String>,
    /// The API's drawing types that are right, the best one first.
    pub drawing_types: Vec<String>,
    /// The API's discipline.
    pub discipline: String,
    /// The storey that the title names, as printed.
    pub floor: Option<String>,
}

/// What kind of document a page is.
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
