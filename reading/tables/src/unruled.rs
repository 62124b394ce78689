//! Tables without any rule: columns of texts in rows with a constant pitch, below a title that names a table.
//!
//! - `header`: which lines below a title are column headers, and how far the table extends to the left and right;
//! - `body`: the lines below the header, as long as they follow each other;
//! - `columns`: the gaps that all of these lines have in common;
//! - `rows`: which lines form one row.
//!
//! If every other row is shaded, the edges of the shades separate rows. Notes, legends and lists of sheets are below titles as well.
//! What is not a table fails at one of the steps; the caller recognizes lists of something else by their words.

mod body;
mod columns;
mod header;
mod rows;

use fanlight_contract::Rect;
use fanlight_geometry::{Frame, RectExt as _};

use crate::grid::{Grid, Ruling};
use crate::headings::parts;
use crate::rules::{Rule, Rules};
use crate::structure::is_title_word;
use crate::unruled::body::Body;
use crate::unruled::columns::Columns;
use crate::unruled::header::Header;
use crate::unruled::rows::Rows;
use crate::words::{Phrase, Word};
use crate::{Views, between};

/// Maximum number of titles of a page. Bounds the work.
const MAX_TITLES: usize = 200;
/// Maximum number of words of a title.
const MAX_TITLE_WORDS: usize = 10;
/// Minimum length of a vertical line that separates texts beside it, in points.
const MIN_SEPARATOR: f32 = 60.0;
/// Minimum number of columns of a table.
const MIN_COLUMNS: usize = 3;
/// Minimum number of rows of a table.
const MIN_ROWS: usize = 3;

/// A page in one of its reading directions.
struct View<'a> {
    frame: &'a Frame,
    /// From the top, by their middles.
    phrases: &'a [Phrase],
    titles: Vec<&'a Phrase>,
    /// Vertical lines that separate tables from texts beside them, from the left.
    separators: Vec<Rule>,
    /// Shaded bands, from the top.
    bands: &'a [Rect],
}

/// Returns the tables of a page without rules, in all reading directions, except where `known` grids are.
pub(crate) fn under_titles(views: &Views, rules: &Rules, known: &[Grid]) -> Vec<Grid> {
    let mut grids = Vec::new();
    for turns in views.directions() {
        let Some(frame) = views.frames.get(turns) else { continue };
        let phrases = views.phrases(turns);
        let mut view = View {
            frame,
            phrases,
            titles: phrases.iter().filter(|phrase| phrase.turns == 0 && may_name(phrase)).take(MAX_TITLES).collect(),
            separators: Vec::new(),
            bands: &[],
        };
        // Lines and bands are known in the page's own direction only.
        if turns == 0 {
            view.separators =
                rules.vertical.iter().filter(|rule| rule.to - rule.from >= MIN_SEPARATOR).copied().collect();
            view.separators.sort_by(|a, b| a.at.total_cmp(&b.at));
            view.bands = &rules.bands;
        }
        grids.extend(view.tables(known));
    }
    grids
}

/// Returns whether a phrase may be the title of a table.
fn may_name(phrase: &Phrase) -> bool {
    let names = |word: &Word| parts(&word.text).any(is_title_word);
    phrase.words.len() <= MAX_TITLE_WORDS && phrase.words.iter().any(names)
}

impl View<'_> {
    fn tables(&self, known: &[Grid]) -> Vec<Grid> {
        let mut grids: Vec<Grid> = Vec::new();
        for header in self.headers() {
            let is_known = known.iter().chain(&grids).any(|grid| holds(grid, &header, self.frame));
            if !is_known && let Some(grid) = self.table(&header) {
                grids.push(grid);
            }
        }
        grids
    }

    /// Returns the headers below titles from the top, each once: a note above a table may name a table as well, and the nearest
    /// title is the table's.
    fn headers(&self) -> Vec<Header<'_>> {
        let mut headers: Vec<Header<'_>> = self.titles.iter().filter_map(|title| Header::below(title, self)).collect();
        headers.sort_by(|a, b| a.title_distance.total_cmp(&b.title_distance));
        let mut seen: Vec<*const Phrase> = Vec::new();
        headers.retain(|header| {
            let is_new = !seen.contains(&header.key);
            seen.push(header.key);
            is_new
        });
        headers.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
        headers
    }

    /// Returns the table below a header.
    fn table(&self, header: &Header) -> Option<Grid> {
        let mut body = Body::below(header, self)?;
        let columns = Columns::detect(header, &body)?;
        body.drop_notes(&columns, header.size);
        if columns.count() < MIN_COLUMNS {
            return None;
        }
        let rows = Rows::detect(header, &body, &columns)?;
        let mut grid = Grid::of_faces(&columns.faces(header, &body, &rows), *self.frame)?;
        grid.ruling = Ruling::Aligned;
        Some(grid)
    }

    /// Returns whether a vertical line is between two places at the height `y`.
    fn is_separated(&self, from: f32, to: f32, y: f32) -> bool {
        let first = self.separators.partition_point(|rule| rule.at < from);
        let between = self.separators[first..].iter().take_while(|rule| rule.at <= to);
        between.into_iter().any(|rule| rule.from <= y && rule.to >= y)
    }

    /// Returns the upright phrases whose middles are between two heights.
    fn upright(&self, top: f32, bottom: f32) -> impl Iterator<Item = &Phrase> {
        between(self.phrases, top, bottom).iter().filter(|phrase| phrase.turns == 0)
    }
}

/// Returns whether a header is in several cells of a grid. One cell may hold a whole table.
fn holds(grid: &Grid, header: &Header, frame: &Frame) -> bool {
    let mut cells = header.lines.iter().flatten().filter_map(|phrase| {
        let bbox = grid.frame.place_from(frame, phrase.bbox);
        let (x, y) = bbox.center();
        let is_in_grid = grid.bbox.contains_point(x, y);
        is_in_grid.then(|| grid.cells.iter().position(|cell| cell.bbox.contains_point(x, y))).flatten()
    });
    let Some(first) = cells.next() else { return false };
    cells.any(|cell| cell != first)
}
