//! What drafted sections hold, exactly.

use serde::{Deserialize, Serialize};

use super::style::Style;

/// The truth of bound sections; pages count from 1 as in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The habits that they were drafted in.
    #[serde(rename = "habits")]
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// Pages in the file.
    pub pages: usize,
    /// In order.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Six digits; a 1995 number has a 0 behind its five.
    pub section_code: String,
    /// As a contents would list it; its heading may print it in capitals.
    pub section_title: String,
    /// First page.
    pub start_page: usize,
    /// Last page.
    pub end_page: usize,
    /// Its paragraphs in reading order, without parts, articles and tables.
    pub paragraphs: Vec<Paragraph>,
    /// What it asks for.
    pub requirements: Vec<Requirement>,
}

/// A paragraph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// Label and text, words at line ends whole.
    pub text: String,
    /// Number and title of its article.
    pub article: String,
    /// The page that it begins on.
    pub page: usize,
}

/// What a requirement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// To be submitted.
    Submittal,
    /// A standard.
    Reference,
    /// A manufacturer's name.
    Manufacturer,
    /// A warranty.
    Warranty,
    /// A test or an inspection.
    Testing,
    /// A value to be reached.
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

/// Something that a section asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// What it is.
    pub kind: Kind,
    /// In the section's words.
    pub text: String,
    /// Number and title of its article.
    pub article: String,
    /// The page that it begins on.
    pub page: usize,
}
