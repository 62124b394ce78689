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
use crate::unruled::header::Head;
use crate::unruled::rows::Rows;
use crate::words::{Phrase, Word};
use crate::{Views, between};

/// Titles that are looked below on a page at most.
const MOST_TITLES: usize = 200;
/// A vertical line parts what stands beside it if it is at least so long, in points.
const PARTING: f32 = 60.0;
/// Fewer columns are no table.
const FEWEST_COLUMNS: usize = 3;
/// Fewer rows are no table.
const FEWEST_ROWS: usize = 3;

/// A page in one of its reading directions.
struct View<'a> {
    frame: &'a Frame,
    /// By their middles, from the top.
    phrases: &'a [Phrase],
    titles: Vec<&'a Phrase>,
    /// Vertical lines that part tables from what stands beside them, from the left.
    partings: Vec<Rule>,
    /// Shaded bands, from the top.
    bands: &'a [Rect],
}

/// The tables of a page that no rules part, in all reading directions, less those in which a grid was found already.
pub(crate) fn under_titles(views: &Views, rules: &Rules, taken: &[Grid]) -> Vec<Grid> {
    let mut turned: Vec<usize> = titles(views.phrases(0), None).map(|title| usize::from(title.turns % 4)).collect();
    turned.sort_unstable();
    turned.dedup();
    let mut grids = Vec::new();
    for turns in turned {
        let Some(frame) = views.frames.get(turns) else { continue };
        let phrases = views.phrases(turns);
        let mut view = View {
            frame,
            phrases,
            titles: titles(phrases, Some(0)).take(MOST_TITLES).collect(),
            partings: Vec::new(),
            bands: &[],
        };
        // Lines and shades are taken out of the page in its own direction alone.
        if turns == 0 {
            view.partings = rules.vertical.iter().filter(|rule| rule.to - rule.from >= PARTING).copied().collect();
            view.partings.sort_by(|a, b| a.at.total_cmp(&b.at));
            view.bands = &rules.bands;
        }
        grids.extend(view.tables(taken));
    }
    grids
}

/// What may be titles of tables, in all directions or one.
fn titles(phrases: &[Phrase], turns: Option<u8>) -> impl Iterator<Item = &Phrase> {
    phrases.iter().filter(move |phrase| turns.is_none_or(|own| phrase.turns == own)).filter(|phrase| may_name(phrase))
}

/// Whether a phrase names a table.
fn may_name(phrase: &Phrase) -> bool {
    let names = |word: &Word| parts(&word.text).any(is_title_word);
    phrase.words.len() <= MOST_TITLE_WORDS && phrase.words.iter().any(names)
}

/// A title has no more words.
const MOST_TITLE_WORDS: usize = 10;

impl View<'_> {
    fn tables(&self, taken: &[Grid]) -> Vec<Grid> {
        let mut grids: Vec<Grid> = Vec::new();
        let mut heads: Vec<Head<'_>> = self.titles.iter().filter_map(|title| Head::below(title, self)).collect();
        // A note above a table may name one as well: the nearest title is the table's.
        heads.sort_by(|a, b| a.from_title.total_cmp(&b.from_title));
        let mut seen = Vec::new();
        heads.retain(|head| {
            !seen.contains(&head.key) && {
                seen.push(head.key);
                true
            }
        });
        heads.sort_by(|a, b| a.top.total_cmp(&b.top).then(a.left.total_cmp(&b.left)));
        for head in heads {
            let known = taken.iter().chain(&grids).any(|grid| holds(grid, &head, self.frame));
            if !known && let Some(grid) = self.table(&head) {
                grids.push(grid);
            }
        }
        grids
    }

    fn table(&self, head: &Head) -> Option<Grid> {
        let mut body = Body::below(head, self)?;
        let columns = Columns::detect(head, &body)?;
        body.end(&columns, head.size);
        if columns.count() < FEWEST_COLUMNS {
            return None;
        }
        let rows = Rows::detect(head, &body, &columns)?;
        let mut grid = Grid::of_faces(&columns.faces(head, &body, &rows), *self.frame)?;
        grid.ruling = Ruling::Aligned;
        Some(grid)
    }

    /// Whether a vertical line stands between two places of a height.
    fn is_parted(&self, from: f32, to: f32, at: f32) -> bool {
        let first = self.partings.partition_point(|rule| rule.at < from);
        let between = self.partings[first..].iter().take_while(|rule| rule.at <= to);
        between.into_iter().any(|rule| rule.from <= at && rule.to >= at)
    }

    /// The upright phrases whose middles lie between two heights.
    fn upright(&self, top: f32, bottom: f32) -> impl Iterator<Item = &Phrase> {
        between(self.phrases, top, bottom).iter().filter(|phrase| phrase.turns == 0)
    }
}

/// Whether a head stands in several cells of a grid: one cell may well hold a table.
fn holds(grid: &Grid, head: &Head, frame: &Frame) -> bool {
    let mut first: Option<usize> = None;
    for phrase in head.lines.iter().flatten() {
        let bbox =
            if grid.frame == *frame { phrase.bbox } else { grid.frame.place_box(frame.to_user_space(phrase.bbox)) };
        let (x, y) = bbox.center();
        if !grid.bbox.contains_point(x, y) {
            continue;
        }
        let Some(cell) = grid.cells.iter().position(|cell| cell.bbox.contains_point(x, y)) else { continue };
        if first.is_some_and(|first| first != cell) {
            return true;
        }
        first = Some(cell);
    }
    false
}
