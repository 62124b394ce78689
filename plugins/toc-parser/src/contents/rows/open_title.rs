//! The title that the next row may continue.

use super::super::cells::Cell;
use super::row::Row;

/// The last line of the title that the next row may continue: its baseline, edges, size and weight.
pub(super) enum OpenTitle {
    None,
    Entry { y: f32, x2: f32, size: f32, bold: bool },
    Division { y: f32, x1: f32, x2: f32, size: f32, bold: bool },
}

impl OpenTitle {
    /// Returns the heading of a division that is on `row`, whose first cell is `first`.
    pub(super) fn division(row: &Row<'_>, first: &Cell) -> Self {
        Self::Division { y: row.y, x1: first.x1, x2: row.right(), size: first.size, bold: first.bold }
    }

    /// Returns the baseline of the title's last line.
    pub(super) fn baseline(&self) -> Option<f32> {
        match self {
            Self::Entry { y, .. } | Self::Division { y, .. } => Some(*y),
            Self::None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_baseline_of_an_open_title_is_that_of_its_last_line() {
        assert_eq!(OpenTitle::None.baseline(), None);
        assert_eq!(OpenTitle::Entry { y: 100.0, x2: 200.0, size: 10.0, bold: false }.baseline(), Some(100.0));
    }
}
