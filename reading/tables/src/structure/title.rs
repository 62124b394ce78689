//! The title of a table: which texts name one, and which of the texts around a table is its title.

use fanlight_text::words::{TABLE_TITLE_ENDINGS, TABLE_TITLES};

use crate::grid::{Grid, TextFragment};
use crate::headings::{is_in, letters, parts};

/// Maximum number of words of a title that names a table; longer texts are sentences.
pub const MAX_TITLE_WORDS: usize = 12;
/// Maximum number of words of a title that names no table: longer ones are remarks and keys.
const MAX_UNNAMED_WORDS: usize = 6;

/// The title of a table.
pub(crate) struct Title<'a> {
    pub(crate) text: String,
    /// The line of text that it is, if that is above the grid.
    pub(crate) line: Option<&'a TextFragment>,
}

/// Returns the title of a grid. `rows` are the texts of its title rows. In this order: the last row that names a table, the
/// nearest such line above the grid, the last short row, the nearest such line below the grid, the nearest line above it.
pub(crate) fn title<'a>(grid: &'a Grid, rows: &[String]) -> Title<'a> {
    let from_row = |text: &String| Title { text: text.clone(), line: None };
    let from_line = |line: &'a TextFragment| Title { text: line.text.clone(), line: Some(line) };
    let named_line = |lines: &'a [TextFragment]| lines.iter().find(|line| names_a_table(&line.text));
    let named_row = rows.iter().rev().find(|text| names_a_table(text)).map(from_row);
    named_row
        .or_else(|| named_line(&grid.above).map(from_line))
        .or_else(|| rows.iter().rev().find(|text| is_short(text)).map(from_row))
        .or_else(|| named_line(&grid.below).map(|line| from_row(&line.text)))
        .or_else(|| grid.above.first().map(from_line))
        .unwrap_or(Title { text: String::new(), line: None })
}

fn is_short(text: &str) -> bool {
    text.split_whitespace().count() <= MAX_UNNAMED_WORDS
}

/// Returns whether a line is the title of a table.
pub fn names_a_table(title: &str) -> bool {
    parts(title).count() <= MAX_TITLE_WORDS && parts(title).any(is_title_word)
}

/// Returns whether a word belongs to the titles of tables.
pub(crate) fn is_title_word(word: &str) -> bool {
    let has_known_ending = || TABLE_TITLE_ENDINGS.words().iter().any(|ending| has_ending(word, ending));
    is_in(word, &TABLE_TITLES) || (word.ends_with(char::is_alphabetic) && has_known_ending())
}

/// Returns whether a word ends with `ending`, which is folded. Compares letter by letter, without a copy.
fn has_ending(word: &str, ending: &str) -> bool {
    let mut own = letters(word).rev();
    ending.chars().rev().all(|letter| own.next() == Some(letter))
}

#[cfg(test)]
mod tests {
    use fanlight_contract::Rect;
    use fanlight_geometry::Frame;

    use super::*;

    const SHEET: Rect = Rect { x1: 0.0, y1: 0.0, x2: 100.0, y2: 100.0 };

    /// A grid with lines of text above and below it, the nearest first.
    fn grid(above: &[&str], below: &[&str]) -> Grid {
        let lines = |texts: &[&str]| texts.iter().map(|text| line(text)).collect();
        let grid = Grid::of_faces(&[SHEET], Frame::new(SHEET, 0.0)).expect("a grid");
        Grid { above: lines(above), below: lines(below), ..grid }
    }

    fn line(text: &str) -> TextFragment {
        TextFragment { text: text.to_owned(), bbox: SHEET, turns: 0, line: 0, size: 8.0, bold: false }
    }

    #[test]
    fn text_that_names_a_table_precedes_nearer_texts() {
        struct Case {
            rows: &'static [&'static str],
            above: &'static [&'static str],
            below: &'static [&'static str],
            title: &'static str,
        }
        let cases = [
            (
                "row",
                Case {
                    rows: &["DOOR SCHEDULE", "NORTH WING"],
                    above: &["WINDOW SCHEDULE"],
                    below: &[],
                    title: "DOOR SCHEDULE",
                },
            ),
            (
                "line above",
                Case { rows: &["NORTH WING"], above: &["SCALE", "DOOR SCHEDULE"], below: &[], title: "DOOR SCHEDULE" },
            ),
            (
                "short row",
                Case { rows: &["NORTH WING"], above: &["SCALE"], below: &["DOOR SCHEDULE"], title: "NORTH WING" },
            ),
            ("line below", Case { rows: &[], above: &["SCALE"], below: &["DOOR SCHEDULE"], title: "DOOR SCHEDULE" }),
            ("nearest line", Case { rows: &[], above: &["SCALE", "NORTH"], below: &[], title: "SCALE" }),
            ("nothing", Case { rows: &[], above: &[], below: &[], title: "" }),
        ];
        for (what, case) in cases {
            let rows: Vec<String> = case.rows.iter().map(|row| (*row).to_owned()).collect();
            assert_eq!(title(&grid(case.above, case.below), &rows).text, case.title, "{what}");
        }
    }

    #[test]
    fn only_a_title_above_the_grid_has_a_line() {
        assert!(title(&grid(&["DOOR SCHEDULE"], &[]), &[]).line.is_some());
        assert!(title(&grid(&[], &["DOOR SCHEDULE"]), &[]).line.is_none());
    }

    #[test]
    fn sentences_name_no_table() {
        assert!(names_a_table("DOOR SCHEDULE"));
        assert!(!names_a_table(
            "SEE THE DOOR SCHEDULE ON SHEET A-601 FOR TYPES, SIZES, RATINGS AND HARDWARE SETS OF ALL"
        ));
    }
}
