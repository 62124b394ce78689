//! What a drafted manual holds, exactly.

use serde::{Deserialize, Serialize};

use super::style::Style;

/// Where the listed sections are to be read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Contents pages.
    Contents,
    /// The outline; there are no contents pages.
    Bookmarks,
    /// Section headings in the body; there is neither.
    Headings,
}

/// The truth of a manual; pages count from 1 as in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The style it was drafted in.
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// Pages in the file.
    pub pages: usize,
    /// Where `divisions` is to be read from.
    pub source: Source,
    /// The pages of the contents; empty where there are none.
    pub toc_pages: Vec<usize>,
    /// Divisions and sections as printed, in document order.
    pub divisions: Vec<Division>,
    /// The sections whose own pages are in the file.
    pub bodies: Vec<Body>,
    /// The outline from top to bottom.
    pub bookmarks: Vec<Bookmark>,
}

/// A division as the manual lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Division {
    /// Two digits.
    pub division_code: String,
    /// The title as printed, without number; empty where there is no heading or it has no title.
    pub division_title: String,
    /// The division is listed as not used and has no sections.
    #[serde(default, skip_serializing_if = "is_false")]
    pub not_used: bool,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A section as the manual lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Six digits; a 1995 number has a 0 behind its five, a level-4 number only its first six.
    pub section_code: String,
    /// The title as printed, lines joined by a space.
    pub section_title: String,
    /// The number as printed, level 4 included, without `SECTION` before it.
    pub printed_code: String,
    /// The line says that the section is not used.
    #[serde(default, skip_serializing_if = "is_false")]
    pub not_used: bool,
    /// The line is struck out; it counts neither way.
    #[serde(default, skip_serializing_if = "is_false")]
    pub struck: bool,
    /// The page of the file that lists it.
    pub page: usize,
}

/// The pages of a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Six digits.
    pub section_code: String,
    /// First page.
    pub start_page: usize,
    /// Last page.
    pub end_page: usize,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// As the viewer shows it.
    pub title: String,
    /// The page it opens.
    pub page: usize,
    /// 0 at the top.
    pub level: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}
