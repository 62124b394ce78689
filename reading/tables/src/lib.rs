//! Finds the tables of a page.
//!
//! A ruled table is read from its geometry alone: text never splits a ruled grid. Each module does one step.
//!
//! - `runs`: splits text runs that continue from cell to cell;
//! - `rules`: turns strokes, thin filled strips and double lines into rules;
//! - `cells`: turns rules and their crossings into closed cells, merged ones included;
//! - `covered_area` and `heights`: select what is drawn on cells, by its height on the page;
//! - `bands`: joins blocks of rows that are one table, each below the heading of a group;
//! - `regions`: groups connected cells into tables, one for each set of columns;
//! - `completion`: rows and columns of a table that rules do not close;
//! - `grid`: the rows and columns of a table, and the text of its cells, upright and turned;
//! - `signs`: check marks and crosses drawn in cells;
//! - `headings`: words of column headers;
//! - `gaps`: the gaps between columns of text;
//! - `aligned`: grids with rules missing, or without any, by the alignment of the text;
//! - `raster`: the rules in the image of a scanned page;
//! - `structure`: turns a grid into title, headers and rows;
//! - `header_below`: tables whose header is below their rows;
//! - `header_beside`: tables whose headers are in the first column.
//!
//! A page may hold tables in several reading directions; each is read in its own. [`find`] returns all grids, including ruled
//! boxes around drawings of doors and title blocks. The caller classifies them by their words.

mod aligned;
mod bands;
mod cells;
mod completion;
mod covered_area;
mod gaps;
mod grid;
mod header_below;
mod header_beside;
mod headings;
mod heights;
mod raster;
mod regions;
mod rules;
mod runs;
mod signs;
mod structure;
mod words;

use std::cell::{LazyCell, OnceCell};
use std::mem;

use fanlight_contract::{Geometry, PagePaths, PageText, Rect, TextRun};
use fanlight_geometry::RectExt as _;
use fanlight_text::{Frame, Page};

pub use grid::{Cell, Grid, Ruling, TextFragment};
pub use headings::{corrected_header_word, folded, is_column_header, words as words_of};
pub use raster::{LOOK_DPI, find_in_image};
pub use structure::{MAX_TITLE_WORDS, RowGroup, Table, names_a_table};

use crate::covered_area::CoveredArea;
use crate::grid::CellStroke;
use crate::heights::ByHeight;
use crate::rules::{Drawn, Mark, Rules};
use crate::words::Phrase;

/// A rule that stops at most this short of another one reaches it, in points.
const MAX_RULE_GAP: f32 = 2.0;
/// Minimum number of cells of a grid. Fewer are boxes.
const MIN_CELLS: usize = 4;
/// Maximum distance of a title above or below its table, in points.
const MAX_TITLE_DISTANCE: f32 = 60.0;
/// Maximum extent of a letter over the border of its cell, in points.
const MAX_OVERLAP: f32 = 1.5;
/// Minimum number of known headers of a table that no rules show, only shades or the alignment of its text.
const MIN_KNOWN_HEADERS: usize = 2;
/// Number of strokes of a check mark or cross.
const SIGN_STROKES: usize = 2;
/// Minimum share of a group's characters in a reading direction other than the page's for which that is the group's own.
const MIN_DIRECTION_SHARE: f32 = 0.6;

/// The frames of a page's four reading directions, the page's own first, and the text in each. The text is computed when first
/// used, because most pages need only the first.
struct Views {
    frames: [Frame; 4],
    page: Page,
    dots: Vec<TextRun>,
    phrases: [OnceCell<Vec<Phrase>>; 4],
}

impl Views {
    fn new(page: Page, dots: Vec<TextRun>, geometry: &Geometry) -> Self {
        let own = (page.frame.angle / 90.0).round() * 90.0;
        let turned = |turn: f32| Frame::new(geometry.crop_box, (own + turn).rem_euclid(360.0));
        Self { frames: [0.0, 90.0, 180.0, 270.0].map(turned), page, dots, phrases: Default::default() }
    }

    /// Returns the phrases in the frame that is turned by 0 to 3 quarter turns.
    fn phrases(&self, turns: usize) -> &[Phrase] {
        self.phrases[turns].get_or_init(|| words::phrases(&self.page, &self.dots, &self.frames[turns]))
    }

    /// Returns the reading directions of the page's text as quarter turns from the page's own, which is always among them.
    fn directions(&self) -> impl Iterator<Item = usize> {
        let is_read = |turns: usize| self.phrases(0).iter().any(|phrase| usize::from(phrase.turns) == turns);
        (0..4).filter(move |&turns| turns == 0 || is_read(turns))
    }

    /// Returns a box of the page's own frame in the frame that is turned by 0 to 3 quarter turns.
    fn turned_box(&self, bbox: Rect, turns: usize) -> Rect {
        self.frames[turns].place_from(&self.frames[0], bbox)
    }

    /// Returns a point of the page's own frame in the frame that is turned by 0 to 3 quarter turns.
    fn turned_point(&self, (x, y): (f32, f32), turns: usize) -> (f32, f32) {
        let bbox = self.turned_box(Rect { x1: x, y1: y, x2: x, y2: y }, turns);
        (bbox.x1, bbox.y1)
    }
}

/// Finds the grids of a page. The cost is nearly linear in segments and characters.
pub fn find(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Vec<Grid> {
    let (text, dots) = runs::split(text);
    let views = Views::new(Page::read(&text, geometry), dots, geometry);
    let rules = Rules::detect(paths, &views.frames[0]);
    let groups = cells::groups(&rules, MAX_RULE_GAP).into_iter();
    let mut groups: Vec<Vec<Rect>> = groups.map(|group| group.iter().map(|face| face.bbox).collect()).collect();
    let everything_drawn = LazyCell::new(|| ByHeight::new(&rules.drawn, |drawn| drawn.middle.1));
    let drawn = drawn_on(&groups, &rules.drawn);
    groups.retain(|group| is_lettered(group, &views, &drawn));
    let tables: Vec<Vec<Rect>> = groups.iter().flat_map(|group| regions::regions(group)).collect();
    let tables = bands::joined(tables, views.phrases(0));
    let tables = completion::completed(tables, &rules, |cell| is_lettered(&[*cell], &views, &everything_drawn));
    let drawn = drawn_on(&tables, &rules.drawn);
    let mut grids: Vec<Grid> = tables.iter().filter_map(|table| ruled(table, &views, &rules, &drawn)).collect();
    let with_text = |grid: Grid| filled_in_its_direction(grid, &views, &rules);
    grids.extend(aligned::under_headers(&views, &rules, &grids).into_iter().map(with_text));
    grids.extend(aligned::under_titles(&views, &rules, &grids).into_iter().map(with_text));
    grids.extend(aligned::under_shades(&views, &rules, &grids).into_iter().map(with_text).filter(has_known_headers));
    drop_lines_of_others(&mut grids);
    grids
}

/// Drops the lines above and below each ruled grid that are in another one: the text of a table is no title of the next. One cell
/// of the other may hold the grid and its title.
fn drop_lines_of_others(grids: &mut [Grid]) {
    let covers: Vec<Vec<Option<usize>>> = grids.iter().map(Grid::cover).collect();
    for index in 0..grids.len() {
        let own = &mut grids[index];
        if own.ruling != Ruling::Ruled {
            continue;
        }
        let (frame, middle) = (own.frame, own.bbox.center());
        let (mut above, mut below) = (mem::take(&mut own.above), mem::take(&mut own.below));
        let is_free = |line: &TextFragment| {
            let mut same = grids.iter().zip(&covers).filter(|(other, _)| other.frame == frame);
            !same.any(|(other, cover)| {
                let cell = other.cell_at(line.bbox.center(), cover).and_then(|index| other.cells.get(index));
                cell.is_some_and(|cell| !is_inside(middle, &cell.bbox))
            })
        };
        above.retain(is_free);
        below.retain(is_free);
        (grids[index].above, grids[index].below) = (above, below);
    }
}

/// Returns the lines of a page's text just above a box in user space, the nearest first.
pub fn lines_above(text: &PageText, geometry: &Geometry, bbox: Rect) -> Vec<TextFragment> {
    let (text, dots) = runs::split(text);
    let views = Views::new(Page::read(&text, geometry), dots, geometry);
    let bbox = views.frames[0].place_box(bbox);
    titles(between(views.phrases(0), bbox.y1 - MAX_TITLE_DISTANCE, bbox.y1), &bbox, |line| bbox.y1 - line.y2)
}

/// Returns the drawn marks that lie on cells.
fn drawn_on(groups: &[Vec<Rect>], drawn: &[Drawn]) -> ByHeight<Drawn> {
    let covered = CoveredArea::of_cells(groups.iter().flatten());
    let near: Vec<Drawn> = drawn.iter().filter(|drawn| covered.holds(drawn.middle)).copied().collect();
    ByHeight::new(&near, |drawn| drawn.middle.1)
}

/// Returns whether cells hold text or marks the size of letters. Tiles and hatches hold neither.
fn is_lettered(faces: &[Rect], views: &Views, drawn: &ByHeight<Drawn>) -> bool {
    let Some(bbox) = regions::area_of(faces) else { return false };
    inside(views.phrases(0), &bbox).next().is_some()
        || drawn.near(bbox.y1, bbox.y2).iter().any(|drawn| is_inside(drawn.middle, &bbox))
}

/// Returns the grid of a region's cells with their text, in the reading direction of most of it.
fn ruled(faces: &[Rect], views: &Views, rules: &Rules, drawn: &ByHeight<Drawn>) -> Option<Grid> {
    if faces.len() < MIN_CELLS {
        return None;
    }
    let area = regions::area_of(faces)?;
    let turns = direction(&area, views);
    let frame = views.frames[turns];
    let faces: Vec<Rect> = faces.iter().map(|face| views.turned_box(*face, turns)).collect();
    let phrases = views.phrases(turns);
    // The alignment of the text shows the columns of a single one.
    let grid = Grid::of_faces(&faces, frame).filter(|grid| grid.width() > 1)?;
    let at = |place: (f32, f32)| views.turned_point(place, turns);
    let marks = rules.marks_between(area.y1, area.y2).iter();
    let marks: Vec<Mark> = marks.map(|mark| Mark { middle: at(mark.middle), ..*mark }).collect();
    let own_half = |half: (f32, f32)| if turns % 2 == 1 { (half.1, half.0) } else { half };
    let drawn = drawn.near(area.y1, area.y2).iter();
    let drawn: Vec<Drawn> = drawn.map(|drawn| Drawn { middle: at(drawn.middle), half: own_half(drawn.half) }).collect();
    Some(filled(grid, phrases, &marks, &drawn))
}

/// Returns whether several headers of a grid are known. Shades are also walls, and texts in a line above one are no header.
fn has_known_headers(grid: &Grid) -> bool {
    let Some(table) = grid.table() else { return false };
    table.headers.iter().filter(|header| is_column_header(header)).count() >= MIN_KNOWN_HEADERS
}

/// Returns an aligned grid with the text in its cells, and marks if it is read as the page is.
fn filled_in_its_direction(grid: Grid, views: &Views, rules: &Rules) -> Grid {
    let turns = views.frames.iter().position(|frame| *frame == grid.frame).unwrap_or(0);
    let marks = if turns == 0 { rules.marks.as_slice() } else { &[] };
    filled(grid, views.phrases(turns), marks, &[])
}

/// Returns a grid with the text and marks in its cells and the lines above and below it.
fn filled(mut grid: Grid, phrases: &[Phrase], marks: &[Mark], drawn: &[Drawn]) -> Grid {
    let bbox = grid.bbox;
    let marks: Vec<Mark> = marks.iter().filter(|mark| is_inside(mark.middle, &bbox)).copied().collect();
    let strokes = count_drawn(&mut grid, drawn);
    grid.fill(inside(phrases, &bbox), &marks);
    grid.add_signs(strokes);
    grid.above = titles(between(phrases, bbox.y1 - MAX_TITLE_DISTANCE, bbox.y1), &bbox, |line| bbox.y1 - line.y2);
    grid.below = titles(between(phrases, bbox.y2, bbox.y2 + MAX_TITLE_DISTANCE), &bbox, |line| line.y1 - bbox.y2);
    grid
}

/// Counts the segments in each cell of a grid, and returns the first ones of each, which may be strokes of a sign.
fn count_drawn(grid: &mut Grid, drawn: &[Drawn]) -> Vec<CellStroke> {
    let cover = grid.cover();
    let mut strokes = Vec::new();
    for drawn in drawn.iter().filter(|drawn| is_inside(drawn.middle, &grid.bbox)) {
        let Some(index) = grid.cell_at(drawn.middle, &cover) else { continue };
        let Some(cell) = grid.cells.get_mut(index) else { continue };
        // A segment that crosses the borders of its cell is a hatch or a leader.
        if cell.bbox.expanded(MAX_OVERLAP, MAX_OVERLAP).contains(&drawn.bbox()) {
            if cell.drawn < SIGN_STROKES {
                strokes.push(CellStroke { cell: index, drawn: *drawn });
            }
            cell.drawn += 1;
        }
    }
    strokes
}

/// Returns whether a point is inside a box, and not on its border.
fn is_inside((x, y): (f32, f32), bbox: &Rect) -> bool {
    x > bbox.x1 && x < bbox.x2 && y > bbox.y1 && y < bbox.y2
}

/// Returns the quarter turns in which most of the text in an area is read.
fn direction(area: &Rect, views: &Views) -> usize {
    let mut characters = [0_usize; 4];
    for phrase in between(views.phrases(0), area.y1, area.y2) {
        let (x, _) = phrase.bbox.center();
        if x > area.x1 && x < area.x2 {
            let own: usize = phrase.words.iter().map(|word| word.text.chars().count()).sum();
            characters[usize::from(phrase.turns)] += own;
        }
    }
    let all: usize = characters.iter().sum();
    (1..4).find(|&turns| characters[turns] as f32 > MIN_DIRECTION_SHARE * all as f32).unwrap_or(0)
}

/// Returns the phrases whose centers lie between two heights; they are sorted by center.
fn between(phrases: &[Phrase], top: f32, bottom: f32) -> &[Phrase] {
    let start = phrases.partition_point(|phrase| phrase.bbox.center().1 < top);
    let end = phrases.partition_point(|phrase| phrase.bbox.center().1 < bottom);
    phrases.get(start..end).unwrap_or_default()
}

/// Returns the phrases with their centers inside a box.
fn inside<'a>(phrases: &'a [Phrase], bbox: &Rect) -> impl Iterator<Item = &'a Phrase> {
    between(phrases, bbox.y1, bbox.y2).iter().filter(move |phrase| is_inside(phrase.bbox.center(), bbox))
}

/// Returns the upright lines above or below a table that may be its title, the nearest first.
fn titles(near: &[Phrase], bbox: &Rect, distance: impl Fn(&Rect) -> f32) -> Vec<TextFragment> {
    let mut lines: Vec<TextFragment> = near
        .iter()
        .filter(|phrase| phrase.turns == 0 && phrase.bbox.x1 < bbox.x2 && phrase.bbox.x2 > bbox.x1)
        .map(|phrase| grid::fragment(phrase, &phrase.text(), phrase.bbox))
        .collect();
    lines.sort_by(|a, b| distance(&a.bbox).total_cmp(&distance(&b.bbox)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of one cell of 20 by 10 points.
    fn one_cell() -> Grid {
        let cell = Rect { x1: 0.0, y1: 0.0, x2: 20.0, y2: 10.0 };
        Grid::of_faces(&[cell], Frame::new(cell, 0.0)).expect("a grid")
    }

    #[test]
    fn text_of_a_table_is_no_title_of_the_one_above() {
        let cell = |x: f32, y: f32| Rect { x1: x, y1: y, x2: x + 100.0, y2: y + 20.0 };
        let frame = Frame::new(Rect { x1: 0.0, y1: 0.0, x2: 600.0, y2: 400.0 }, 0.0);
        let [mut upper, lower] = [0.0, 60.0].map(|y| {
            let faces = [cell(0.0, y), cell(100.0, y), cell(0.0, y + 20.0), cell(100.0, y + 20.0)];
            Grid::of_faces(&faces, frame).expect("a grid")
        });
        let line =
            |text: &str, bbox| TextFragment { text: text.to_owned(), bbox, turns: 0, line: 0, size: 8.0, bold: false };
        upper.below = vec![line("LEGEND", cell(0.0, 42.0)), line("DOOR SCHEDULE", cell(0.0, 60.0))];
        let mut grids = [upper, lower];
        drop_lines_of_others(&mut grids);
        let left: Vec<&str> = grids[0].below.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(left, ["LEGEND"]);
    }

    #[test]
    fn segments_that_cross_a_cell_are_not_in_it() {
        let drawn = |half: (f32, f32)| Drawn { middle: (10.0, 5.0), half };
        let cases =
            [("letter", (2.0, 3.0), 1), ("over the border a little", (11.0, 5.0), 1), ("leader", (15.0, 2.0), 0)];
        for (what, half, expected) in cases {
            let mut grid = one_cell();
            count_drawn(&mut grid, &[drawn(half)]);
            assert_eq!(grid.cells[0].drawn, expected, "{what}");
        }
    }

    #[test]
    fn only_first_segments_of_a_cell_may_be_a_sign() {
        let mut grid = one_cell();
        let strokes = count_drawn(&mut grid, &[Drawn { middle: (10.0, 5.0), half: (1.0, 1.0) }; 5]);
        assert_eq!((strokes.len(), grid.cells[0].drawn), (SIGN_STROKES, 5));
    }
}
