//! The ground truth of bound sections.

use serde::{Deserialize, Serialize};

use super::style::Style;

/// The ground truth of bound sections. Pages count from 1, as in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The style of the sections. Called `habits` in JSON, for readers of earlier files.
    #[serde(rename = "habits")]
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// The number of pages in the file.
    pub pages: usize,
    /// The sections in order.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The section's number with six digits. A number of 1995 ends with an added 0.
    pub section_code: String,
    /// The title as contents list it. The heading may print it in capitals.
    pub section_title: String,
    /// First page.
    pub start_page: usize,
    /// Last page.
    pub end_page: usize,
    /// Its paragraphs in reading order, without parts, articles and tables.
    pub paragraphs: Vec<Paragraph>,
    /// What it requires.
    pub requirements: Vec<Requirement>,
}

/// A paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// Label and text, with hyphenated words joined.
    pub text: String,
    /// The number and title of its article.
    pub article: String,
    /// The page that it begins on.
    pub page: usize,
}

/// The kind of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A document to be submitted.
    Submittal,
    /// A standard.
    Reference,
    /// A manufacturer's name.
    Manufacturer,
    /// A warranty.
    Warranty,
    /// A test or an inspection.
    Testing,
    /// A value to be met.
    Performance,
    /// A qualification.
    Quality,
    /// Delivery, storage and handling.
    Delivery,
    /// A condition of the site.
    Conditions,
    /// What is handed over at the end.
    Closeout,
    /// Another section.
    Related,
}

/// A requirement of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// What it is.
    pub kind: Kind,
    /// In the section's words.
    pub text: String,
    /// The number and title of its article.
    pub article: String,
    /// The page that it begins on.
    pub page: usize,
}
