//! The rows of one statement, and their columns.

use std::cell::Cell;

use rusqlite::types::FromSql;
use rusqlite::{Connection, Row};

use crate::database::Columns;
use crate::error::StoreError;

/// Runs a statement with `keys` as its parameters `$1`, `$2` and so on, and converts its rows by `read`.
///
/// # Errors
///
/// The outer error is SQLite's. The inner one is the first that `read` returns.
pub(super) fn select<T>(
    connection: &Connection,
    statement: &str,
    keys: &[&str],
    read: impl Fn(DirectRow<'_>) -> Result<T, StoreError>,
) -> rusqlite::Result<Result<Vec<T>, StoreError>> {
    let mut statement = connection.prepare_cached(statement)?;
    for (number, key) in (1..).zip(keys) {
        // SQLite takes `$1` for a name, not for a position.
        let name = format!("${number}");
        let index = statement.parameter_index(&name)?.ok_or(rusqlite::Error::InvalidParameterName(name))?;
        statement.raw_bind_parameter(index, key)?;
    }
    let mut rows = statement.raw_query();
    let mut values = Vec::new();
    while let Some(row) = rows.next()? {
        match read(DirectRow::new(row)) {
            Ok(value) => values.push(value),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(values))
}

/// A row. Its columns are found fastest when they are read in their order.
pub(crate) struct DirectRow<'a> {
    row: &'a Row<'a>,
    /// The index after the column that was read last.
    next: Cell<usize>,
}

impl<'a> DirectRow<'a> {
    fn new(row: &'a Row<'a>) -> Self {
        Self { row, next: Cell::new(0) }
    }

    fn get<T: FromSql>(&self, column: &'static str) -> Result<T, StoreError> {
        let statement = self.row.as_ref();
        let next = self.next.get();
        let is_next = statement.column_name(next).is_ok_and(|name| name == column);
        let index = if is_next { Ok(next) } else { statement.column_index(column) };
        let value = index.and_then(|index| {
            self.next.set(index + 1);
            self.row.get(index)
        });
        value.map_err(|error| StoreError::Corrupt { what: column, value: error.to_string() })
    }
}

impl Columns for DirectRow<'_> {
    fn optional_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
        self.get(column)
    }

    fn optional_integer(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
        self.get(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::direct::fixture::SheetFile;

    /// Its parameters are used in another order than they are numbered.
    const BY_NUMBER: &str = "SELECT name, size FROM sheets WHERE number = $2 AND name <> $1";

    #[test]
    fn parameters_are_bound_by_their_numbers() {
        let file = SheetFile::new();
        file.write("INSERT INTO sheets VALUES ('A-101', 'Ground floor', 7), ('A-101', 'Roof', 100)");
        let names = select(&file.writer, BY_NUMBER, &["Roof", "A-101"], |row| row.text("name")).unwrap();
        assert_eq!(names.unwrap(), ["Ground floor"]);
    }

    #[test]
    fn columns_are_read_in_any_order() {
        let file = SheetFile::new();
        file.write("INSERT INTO sheets VALUES ('A-101', 'Ground floor', 7)");
        let rows = select(&file.writer, BY_NUMBER, &["Roof", "A-101"], |row| {
            assert_eq!((row.text("name")?, row.optional_integer("size")?), ("Ground floor".to_owned(), Some(7)));
            assert_eq!((row.optional_integer("size")?, row.text("name")?), (Some(7), "Ground floor".to_owned()));
            Ok(())
        });
        assert_eq!(rows.unwrap().unwrap().len(), 1);
    }

    #[test]
    fn value_of_the_wrong_type_is_corrupt() {
        let file = SheetFile::new();
        file.write("INSERT INTO sheets VALUES ('A-101', x'00', 7)");
        for column in ["name", "size"] {
            let rows = select(&file.writer, BY_NUMBER, &["Roof", "A-101"], |row| row.text(column)).unwrap();
            assert!(matches!(rows, Err(StoreError::Corrupt { what, .. }) if what == column), "{column}");
        }
    }

    #[test]
    fn unknown_parameter_is_an_error_of_the_statement() {
        let file = SheetFile::new();
        let selected = select(&file.writer, "SELECT name FROM sheets", &["Roof"], |row| row.text("name"));
        assert!(selected.is_err());
    }
}
