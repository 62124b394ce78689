//! The schedules of a result as files for spreadsheet programs: CSV (RFC 4180) and XLSX (ECMA-376).
//!
//! A result holds schedules if its field `schedules` is a list of objects with `headers` and `rows`, as that of
//! `schedule-extractor` is.

use std::collections::HashSet;

use rust_xlsxwriter::{Format, Workbook, XlsxError};
use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

/// Why the schedules of a result are not written.
#[derive(Debug, Error)]
pub(crate) enum TablesError {
    /// The result has no list of schedules.
    #[error("the result has no schedules: only results of schedule-extractor do")]
    NoTables,
    /// A schedule does not fit into the file, as a text of more than 32,767 characters does not fit into a cell of XLSX.
    #[error("a schedule cannot be written to the file: {0}")]
    Unwritable(String),
}

/// A schedule as it is written.
#[derive(Debug, Deserialize)]
struct Table {
    /// The title as printed; may be empty.
    #[serde(default)]
    title: String,
    headers: Vec<String>,
    /// For each row, the text of each header.
    rows: Vec<Map<String, Value>>,
}

impl Table {
    /// Returns the texts of each row in the order of the headers.
    fn texts(&self) -> impl Iterator<Item = Vec<&str>> {
        self.rows.iter().map(|row| self.headers.iter().map(|header| text(row, header)).collect())
    }
}

/// Returns the text of a row's cell; empty if it has none.
fn text<'a>(row: &'a Map<String, Value>, header: &str) -> &'a str {
    row.get(header).and_then(Value::as_str).unwrap_or_default()
}

/// Reads the schedules of a result, the text of a JSON object.
fn tables(result: &str) -> Result<Vec<Table>, TablesError> {
    #[derive(Deserialize)]
    struct Schedules {
        schedules: Vec<Table>,
    }
    let result: Schedules = serde_json::from_str(result).map_err(|_| TablesError::NoTables)?;
    Ok(result.schedules)
}

/// Returns the schedules of a result as CSV in UTF-8, one below the other: the title, the headers, the rows, and an empty line
/// between two schedules.
///
/// A cell that a spreadsheet program would run as a formula gets an apostrophe before it, as OWASP recommends against CSV
/// injection: whoever draws a plan decides what stands in its cells.
///
/// # Errors
///
/// [`TablesError::NoTables`] if the result is of another form.
pub(crate) fn csv(result: &str) -> Result<Vec<u8>, TablesError> {
    let unwritable = |error: csv::Error| TablesError::Unwritable(error.to_string());
    let mut file = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    for (number, table) in tables(result)?.iter().enumerate() {
        if number > 0 {
            file.write_record([""]).map_err(unwritable)?;
        }
        file.write_record([harmless(&table.title)]).map_err(unwritable)?;
        file.write_record(table.headers.iter().map(|header| harmless(header))).map_err(unwritable)?;
        for row in table.texts() {
            file.write_record(row.into_iter().map(harmless)).map_err(unwritable)?;
        }
    }
    file.into_inner().map_err(|error| TablesError::Unwritable(error.to_string()))
}

/// Returns a cell that no spreadsheet program runs: one that begins as a formula does gets an apostrophe before it. Numbers
/// and dashes are no formulas.
fn harmless(cell: &str) -> String {
    let begins_as_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let is_number = cell.parse::<f64>().is_ok();
    let is_dash = cell.chars().all(|c| c == '-');
    if begins_as_formula && !is_number && !is_dash { format!("'{cell}") } else { cell.to_owned() }
}

/// Returns the schedules of a result as an XLSX workbook: a worksheet for each, named after its title, with the title in the
/// first row and the headers in the second. All cells are texts as printed, so that a mark such as "001" stays one.
///
/// # Errors
///
/// [`TablesError::NoTables`] if the result is of another form, [`TablesError::Unwritable`] if a schedule exceeds what the
/// format can hold.
pub(crate) fn xlsx(result: &str) -> Result<Vec<u8>, TablesError> {
    let tables = tables(result)?;
    let mut workbook = Workbook::new();
    let mut names = HashSet::new();
    for table in &tables {
        let name = worksheet_name(&table.title, &names);
        names.insert(name.to_lowercase());
        write_worksheet(workbook.add_worksheet(), &name, table)?;
    }
    // A workbook has at least one worksheet.
    if tables.is_empty() {
        workbook.add_worksheet().set_name("No schedules")?;
    }
    Ok(workbook.save_to_buffer()?)
}

/// Writes a schedule to its worksheet.
fn write_worksheet(sheet: &mut rust_xlsxwriter::Worksheet, name: &str, table: &Table) -> Result<(), TablesError> {
    /// Row of the title.
    const TITLE: u32 = 0;
    /// Row of the headers.
    const HEADERS: u32 = 1;

    let bold = Format::new().set_bold();
    sheet.set_name(name)?;
    sheet.write_string_with_format(TITLE, 0, &table.title, &bold)?;
    for (column, header) in (0..).zip(&table.headers) {
        sheet.write_string_with_format(HEADERS, column, header, &bold)?;
    }
    for (row, texts) in (HEADERS + 1..).zip(table.texts()) {
        for (column, text) in (0..).zip(texts).filter(|(_, text)| !text.is_empty()) {
            sheet.write_string(row, column, text)?;
        }
    }
    sheet.set_freeze_panes(HEADERS + 1, 0)?;
    sheet.autofit();
    Ok(())
}

impl From<XlsxError> for TablesError {
    fn from(error: XlsxError) -> Self {
        Self::Unwritable(error.to_string())
    }
}

/// Most characters of a worksheet's name in Excel.
const MAX_NAME: usize = 31;

/// Returns the name of a schedule's worksheet: its title without the characters that Excel refuses, at most [`MAX_NAME`]
/// characters, with a number if `taken`, which holds names in lower case, has it.
fn worksheet_name(title: &str, taken: &HashSet<String>) -> String {
    let allowed: String = title.chars().filter(|c| !c.is_control() && !r"[]:*?/\".contains(*c)).collect();
    let allowed = allowed.trim_matches(|c: char| c == '\'' || c.is_whitespace());
    let title = if allowed.is_empty() { "Schedule" } else { allowed };
    let mut name = shortened(title, MAX_NAME);
    let mut count = 1;
    // Excel reserves "History".
    while taken.contains(&name.to_lowercase()) || name.eq_ignore_ascii_case("history") {
        count += 1;
        let number = format!(" ({count})");
        name = shortened(title, MAX_NAME - number.len()) + &number;
    }
    name
}

/// Returns the first characters of a text, at most `most` units of UTF-16, in which Excel counts.
fn shortened(text: &str, most: usize) -> String {
    let mut units = 0;
    let first = text.chars().take_while(|c| {
        units += c.len_utf16();
        units <= most
    });
    first.collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result() -> String {
        let doors = json!({
            "title": "DOOR SCHEDULE",
            "headers": ["MARK", "WIDTH, mm", "NOTE"],
            "rows": [
                {"NOTE": "=1+1", "MARK": "001", "WIDTH, mm": "900"},
                {"MARK": "002", "WIDTH, mm": "-", "NOTE": "say \"left\""},
            ],
        });
        let finishes = json!({"title": "", "headers": ["ROOM"], "rows": [{"ROOM": "Büro"}]});
        json!({"schedules_found": 2, "schedules": [doors, finishes]}).to_string()
    }

    #[test]
    fn csv_has_the_schedules_one_below_the_other() {
        let csv = String::from_utf8(csv(&result()).unwrap()).unwrap();
        let lines = [
            "DOOR SCHEDULE",
            "MARK,\"WIDTH, mm\",NOTE",
            "001,900,'=1+1",
            "002,-,\"say \"\"left\"\"\"",
            "\"\"",
            "\"\"",
            "ROOM",
            "Büro",
            "",
        ];
        assert_eq!(csv.split('\n').collect::<Vec<_>>(), lines);
    }

    #[test]
    fn formulas_get_an_apostrophe_in_csv() {
        let cases = [
            ("=A1", "'=A1"),
            ("+A1", "'+A1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("-2.5", "-2.5"),
            ("--", "--"),
            ("A-1", "A-1"),
        ];
        for (cell, written) in cases {
            assert_eq!(harmless(cell), written);
        }
    }

    #[test]
    fn worksheets_have_names_that_excel_takes() {
        let mut taken = HashSet::new();
        let long = "SCHEDULE OF INTERIOR FINISHES OF THE GROUND FLOOR";
        let cases = [
            ("DOORS", "DOORS"),
            ("Doors", "Doors (2)"),
            ("A/B: [C]?", "AB C"),
            ("''", "Schedule"),
            ("history", "history (2)"),
            (long, "SCHEDULE OF INTERIOR FINISHES O"),
            (long, "SCHEDULE OF INTERIOR FINISH (2)"),
        ];
        for (title, expected) in cases {
            let name = worksheet_name(title, &taken);
            assert_eq!(name, expected);
            taken.insert(name.to_lowercase());
        }
    }

    #[test]
    fn a_result_without_schedules_is_refused() {
        for result in ["{}", "[]", r#"{"schedules": 3}"#, r#"{"doors": []}"#] {
            assert!(matches!(csv(result), Err(TablesError::NoTables)), "{result}");
            assert!(matches!(xlsx(result), Err(TablesError::NoTables)), "{result}");
        }
    }

    #[test]
    fn no_schedules_are_an_empty_file() {
        let empty = r#"{"schedules": []}"#;
        assert!(csv(empty).unwrap().is_empty());
        assert!(xlsx(empty).unwrap().starts_with(b"PK"));
    }

    #[test]
    fn a_text_that_no_cell_can_hold_is_refused() {
        let long = json!({"schedules": [{"headers": ["NOTE"], "rows": [{"NOTE": "a".repeat(40_000)}]}]}).to_string();
        assert!(matches!(xlsx(&long), Err(TablesError::Unwritable(_))));
        assert!(csv(&long).is_ok());
    }
}
