//! What the rows of a page say.

use super::divisions;
use super::headings::LineKind;
use super::numbers::Number;

/// A section as its line says it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) number: Number,
    /// The lines of the title, as printed, without texts in columns beside it.
    pub(crate) title: Vec<String>,
    pub(crate) status: EntryStatus,
    /// Whether a page number, a date or the like is beside the title.
    pub(crate) paged: bool,
    pub(crate) bold: bool,
    /// Whether its number is in a column of numbers.
    pub(crate) aligned: bool,
}

/// Whether the manual contains a section that its contents print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryStatus {
    Listed,
    /// Marked as not used beside its title. The title itself may say so too.
    NotUsed,
    /// Struck out.
    Struck,
}

/// What one or more rows of a page say.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Entry(Entry),
    Division(divisions::Heading),
    /// A line that starts with two figures and could be a division's heading.
    MaybeDivision(divisions::Heading),
    Line(LineKind),
}

/// The contents of a page, in reading order.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageRows {
    pub(crate) items: Vec<Item>,
    /// The number of rows.
    pub(crate) rows: usize,
    /// The number of rows that belong to sections, divisions and headings of contents.
    pub(crate) explained: usize,
    /// The number of rows without a number that are sentences.
    pub(crate) sentences: usize,
}
