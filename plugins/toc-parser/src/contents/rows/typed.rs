//! Typed pages for tests of the modules beside this one.

use super::super::cells::{self, Cell};
use super::super::columns::{Arrangement, Side, Sides};

/// A typed page, arranged in columns.
pub(super) struct TypedPage {
    pub(super) cells: Vec<Cell>,
    pub(super) arrangement: Arrangement,
}

impl TypedPage {
    /// Arranges a page that is typed as plain text. Its numbers are on `side` where the page does not decide.
    pub(super) fn new(text: &str, side: Side) -> Self {
        let page = fanlight_text::Page::read(&text_fixture::text(text), &text_fixture::geometry());
        let cells = cells::cells(&page.lines, &[]);
        let arrangement = Sides::new(&cells).arrange(&cells, side).unwrap();
        Self { cells, arrangement }
    }
}
