//! The styles of schedules.

use serde::{Deserialize, Serialize};

use crate::pdf::{Family, TextUnit, WritingOrder};

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
    fn default() -> Self {
        Self {
            ruling: Ruling::Strokes,
            title: TitlePlace::Inside,
            turned_heads: false,
            grouped_heads: true,
            group_rows: false,
            blank_rows: false,
            floors: false,
            two_blocks: false,
            parted_blocks: false,
            one_frame: false,
            clouds: false,
            notes: false,
            lists: false,
            beside: false,
            head_below: false,
            tags: Tags::None,
            signs: Signs::Dots,
            left_heads: false,
            row_gap: 0.35,
            turned: false,
            rotate: 0,
            lettering: Lettering::Type,
            rows: 12,
            content: 0,
            tables: 3,
            family: Family::Helvetica,
            size: 8.0,
            unit: TextUnit::Line,
            order: WritingOrder::Reading,
        }
    }
}

/// Returns the style presets, named after what is special about them.
pub fn styles() -> Vec<(&'static str, Style)> {
    let plain = Style::default();
    let unruled =
        Style { ruling: Ruling::Unruled, title: TitlePlace::Above, grouped_heads: false, lists: true, ..plain };
    vec![
        ("plain", plain),
        (
            "cell-by-cell",
            Style { ruling: Ruling::Boxes, turned_heads: true, group_rows: true, blank_rows: true, rows: 16, ..plain },
        ),
        ("strips", Style { ruling: Ruling::Strips, title: TitlePlace::Above, content: 2, notes: true, ..plain }),
        ("double", Style { ruling: Ruling::Double, content: 4, size: 9.0, family: Family::Times, ..plain }),
        ("gaps", Style { ruling: Ruling::Gaps, content: 1, unit: TextUnit::Word, ..plain }),
        ("one-frame", Style { one_frame: true, grouped_heads: false, content: 3, ..plain }),
        ("two-blocks", Style { two_blocks: true, grouped_heads: false, content: 6, tables: 1, rows: 20, ..plain }),
        (
            "parted-blocks",
            Style { parted_blocks: true, title: TitlePlace::Above, content: 1, tables: 2, rows: 14, ..plain },
        ),
        (
            "parted-blocks-turned",
            Style { parted_blocks: true, turned: true, title: TitlePlace::Above, content: 5, tables: 1, ..plain },
        ),
        ("floors", Style { floors: true, content: 2, tables: 2, rows: 14, clouds: true, ..plain }),
        ("clouds", Style { clouds: true, notes: true, content: 0, title: TitlePlace::Above, ..plain }),
        ("turned", Style { turned: true, content: 5, tables: 2, ..plain }),
        ("rotated-90", Style { rotate: 90, turned_heads: true, ..plain }),
        ("rotated-180", Style { rotate: 180, content: 1, ..plain }),
        ("rotated-270", Style { rotate: 270, ruling: Ruling::Strips, content: 3, ..plain }),
        ("glyph-by-glyph", Style { unit: TextUnit::Glyph, order: WritingOrder::ByColumn, content: 4, ..plain }),
        (
            "typewriter",
            Style { family: Family::DejaVuMono, size: 6.0, order: WritingOrder::BottomUp, content: 2, ..plain },
        ),
        ("languages", Style { content: 7, grouped_heads: true, family: Family::Libertinus, ..plain }),
        ("rows-only", Style { ruling: Ruling::RowsOnly, grouped_heads: false, content: 1, ..plain }),
        ("columns-only", Style { ruling: Ruling::ColumnsOnly, grouped_heads: false, content: 2, ..plain }),
        (
            "level-only",
            Style { ruling: Ruling::Level, title: TitlePlace::Above, grouped_heads: false, content: 1, ..plain },
        ),
        (
            "head-below",
            Style { head_below: true, title: TitlePlace::Below, tables: 2, size: 9.0, tags: Tags::Circles, ..plain },
        ),
        ("tags", Style { tags: Tags::Boxes, content: 1, ruling: Ruling::Boxes, row_gap: 0.8, ..plain }),
        ("checks", Style { signs: Signs::Checks, turned_heads: true, tables: 1, ..plain }),
        ("crosses", Style { signs: Signs::Crosses, tables: 1, unit: TextUnit::Glyph, ..plain }),
        (
            "head-only",
            Style { ruling: Ruling::HeadOnly, title: TitlePlace::Above, grouped_heads: false, content: 3, ..plain },
        ),
        ("unruled", Style { row_gap: 0.6, ..unruled }),
        ("unruled-tight", Style { row_gap: 0.0, content: 1, left_heads: true, notes: true, ..unruled }),
        ("unruled-groups", Style { grouped_heads: true, content: 2, size: 9.0, ..unruled }),
        (
            "unruled-blocks",
            Style { group_rows: true, blank_rows: true, rows: 16, content: 3, row_gap: 0.2, notes: true, ..unruled },
        ),
        (
            "unruled-typewriter",
            Style { family: Family::DejaVuMono, size: 6.0, content: 5, unit: TextUnit::Word, ..unruled },
        ),
        ("unruled-languages", Style { content: 7, family: Family::Libertinus, left_heads: true, ..unruled }),
        ("unruled-beside", Style { beside: true, content: 1, tables: 2, unit: TextUnit::Glyph, ..unruled }),
        ("unruled-two-blocks", Style { two_blocks: true, content: 6, tables: 1, rows: 20, ..unruled }),
        ("unruled-turned", Style { turned: true, content: 4, tables: 2, ..unruled }),
        ("unruled-rotated", Style { rotate: 270, content: 9, tables: 2, left_heads: true, ..unruled }),
        ("shaded", Style { ruling: Ruling::Shaded, ..unruled }),
        (
            "shaded-tight",
            Style { ruling: Ruling::Shaded, row_gap: 0.1, content: 3, notes: true, rotate: 90, ..unruled },
        ),
    ]
}
