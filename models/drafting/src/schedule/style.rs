//! The styles of schedules.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::pdf::{Family, TextUnit, WritingOrder};
use crate::presets::Presets;

style_enum! {
    /// What separates rows and columns.
    Ruling {
        /// One stroke for each rule.
        Strokes,
        /// The four sides of each cell, as drawn by programs that draw cell by cell.
        Boxes,
        /// Thin filled rectangles.
        Strips,
        /// Double lines around the table and below its header, single ones inside.
        Double,
        /// Strokes that do not touch each other.
        Gaps,
        /// Lines between rows and around the table, none between columns.
        RowsOnly,
        /// Lines between columns, below the header and around the table, none between rows.
        ColumnsOnly,
        /// Horizontal lines above and below the header and between rows, no vertical lines.
        Level,
        /// One line below the header.
        HeadOnly,
        /// Every second row is shaded.
        Shaded,
        /// Nothing: only the alignment of the texts.
        Unruled,
    }
}

style_enum! {
    /// The place of the title.
    TitlePlace {
        /// In a merged cell above the header.
        Inside,
        /// Above the table.
        Above,
        /// Below the table.
        Below,
        /// There is no title.
        Nowhere,
    }
}

style_enum! {
    /// The frames of the marks of the first column, as high as their rows.
    Tags {
        /// Nothing.
        None,
        /// A circle.
        Circles,
        /// A box, narrower than the column.
        Boxes,
    }
}

style_enum! {
    /// The sign in a cell for "yes".
    Signs {
        /// A filled disc.
        Dots,
        /// A check mark.
        Checks,
        /// A cross.
        Crosses,
    }
}

style_enum! {
    /// How text is drawn.
    Lettering {
        /// Text.
        Type,
        /// As outlines of its glyphs, so that there is no text layer.
        Outlines,
        /// In a CAD program's stroke font: lines without a text layer.
        Strokes,
        /// In strokes drawn by hand, each a little off; rules waver and extend beyond their
        /// corners.
        Hand,
    }
}

/// A style: all in which two sheets of the same seed can differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent yes-or-no properties of a style")]
pub struct Style {
    /// What separates rows and columns.
    pub ruling: Ruling,
    /// The place of titles.
    pub title: TitlePlace,
    /// Whether the headers of narrow columns run upwards.
    pub turned_heads: bool,
    /// Whether adjacent columns have a common header above their own.
    pub grouped_heads: bool,
    /// Whether rows are grouped below a row across the whole width.
    pub group_rows: bool,
    /// Whether a blank row precedes each group.
    pub blank_rows: bool,
    /// Whether the first column has the floor, in a merged cell with text that runs upwards.
    pub floors: bool,
    /// Whether the table has two blocks side by side, each with the whole header.
    pub two_blocks: bool,
    /// Whether the rows continue in a second block beside the first, in its own frame and without a
    /// title.
    pub parted_blocks: bool,
    /// Whether all tables are in one frame, each as wide as the others.
    pub one_frame: bool,
    /// Whether revised rows have a cloud around them.
    pub clouds: bool,
    /// Whether notes are below a table.
    pub notes: bool,
    /// Whether the sheet has other texts in columns and rows, none with a rule: notes beside
    /// tables, lists of sheets and revisions, abbreviations, keynotes, door types with sizes, a
    /// title block.
    pub lists: bool,
    /// Whether tables are side by side instead of one below the other.
    pub beside: bool,
    /// Whether the header is below the rows.
    pub head_below: bool,
    /// The frames of the marks of the first column.
    pub tags: Tags,
    /// The sign for "yes".
    pub signs: Signs,
    /// Whether headers are aligned left with the texts of their columns.
    pub left_heads: bool,
    /// White space between two rows, in em.
    pub row_gap: f32,
    /// Whether the tables are turned by a quarter on the sheet.
    pub turned: bool,
    /// The page's `/Rotate`: 0, 90, 180 or 270.
    pub rotate: u16,
    /// How text is drawn.
    pub lettering: Lettering,
    /// The number of rows of the first table; each further table has a few more.
    pub rows: usize,
    /// The index of the first table's content.
    pub content: usize,
    /// The number of tables.
    pub tables: usize,
    /// The typeface.
    pub family: Family,
    /// The size of the text in points.
    pub size: f32,
    /// How text is split into strings.
    pub unit: TextUnit,
    /// The order in which strings are written.
    pub order: WritingOrder,
}

impl Default for Style {
    /// The preset `plain`.
    fn default() -> Self {
        PRESETS.first()
    }
}

static PRESETS: LazyLock<Presets<Style>> =
    LazyLock::new(|| Presets::embedded(include_str!("../../styles/schedule.toml")));

/// Returns the style presets, named after what is special about them.
pub fn styles() -> Vec<(&'static str, Style)> {
    PRESETS.all()
}
