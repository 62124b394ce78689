//! The ground truth of a manual.

use serde::{Deserialize, Serialize};

use super::style::Style;

/// The source from which the listed sections can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Contents pages.
    Contents,
    /// The outline, as there are no contents pages.
    Bookmarks,
    /// The section headings in the body, as there is neither.
    Headings,
}

/// The ground truth of a manual. Pages count from 1, as in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// The style of the manual.
    pub style: Style,
    /// The seed.
    pub seed: u64,
    /// The number of pages in the file.
    pub pages: usize,
    /// The source from which `divisions` can be read.
    pub source: Source,
    /// The pages of the contents; empty if there are none.
    pub toc_pages: Vec<usize>,
    /// Divisions and sections as printed, in document order.
    pub divisions: Vec<Division>,
    /// The sections with pages of their own in the file.
    pub bodies: Vec<Body>,
    /// The outline from top to bottom.
    pub bookmarks: Vec<Bookmark>,
}

/// A division as the manual lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Division {
    /// Two digits.
    pub division_code: String,
    /// The title as printed, without the number; empty if there is no heading or no title.
    pub division_title: String,
    /// Whether the division is listed as not used and has no sections.
    #[serde(default, skip_serializing_if = "is_false")]
    pub not_used: bool,
    /// Its sections.
    pub sections: Vec<Section>,
}

/// A section as the manual lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The section's number with six digits. A number of 1995 ends with an added 0; a level-4
    /// number has only its first six digits.
    pub section_code: String,
    /// The title as printed, with its lines joined by a space.
    pub section_title: String,
    /// The number as printed with level 4, without `SECTION` before it.
    pub printed_code: String,
    /// Whether the line says that the section is not used.
    #[serde(default, skip_serializing_if = "is_false")]
    pub not_used: bool,
    /// Whether the line is struck out. Such a section counts neither as right nor as wrong.
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

/// An item of the outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bookmark {
    /// The title as a viewer shows it.
    pub title: String,
    /// The page that it opens.
    pub page: usize,
    /// The nesting level; 0 is the topmost.
    pub level: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(value: &bool) -> bool {
    !value
}
