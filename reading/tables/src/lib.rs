//! Finds the tables of a page.
//!
//! A ruled table is read from its geometry alone: text never cuts a ruled grid up. Each file does one step.
//!
//! - `runs`: text that leaps from cell to cell is taken apart;
//! - `rules`: strokes, thin filled strips and double lines become rules;
//! - `cells`: rules and their crossings become closed cells, merged ones included;
//! - `ground` and `heights`: of what is drawn that which lies on cells, by how far down it does;
//! - `regions`: cells that hang together become tables, one for each set of columns;
//! - `grid`: a table's rows and columns, and the text of its cells, upright and turned;
//! - `signs`: check marks and crosses that are drawn in cells;
//! - `aligned`: grids where some rules are missing, from how the text stands;
//! - `unruled`: grids below a title where all are;
//! - `raster`: the rules of a picture;
//! - `structure`: a grid becomes title, heads, rows;
//! - `head_below`: tables whose head stands below their rows.
//!
//! A page may hold tables of several reading directions; each is read in its own. [`find`] gives all grids, drawings of
//! doors in ruled boxes and title blocks among them: which of them are what, the caller says by their words.

mod aligned;
mod cells;
mod grid;
mod ground;
mod head_below;
mod headings;
mod heights;
mod raster;
mod regions;
mod rules;
mod runs;
mod signs;
mod structure;
mod unruled;
mod words;

use std::cell::OnceCell;

use fanlight_contract::{Geometry, PagePaths, PageText, Rect, TextRun};
use fanlight_geometry::RectExt as _;
use fanlight_text::{Frame, Page};

pub use grid::{Cell, Grid, Piece, Ruling};
pub use headings::{folded, heads_a_column, nearly_a_head, words as words_of};
pub use raster::{LOOK_DPI, find_in_image};
pub use structure::{Table, names_a_table};

use crate::ground::Ground;
use crate::heights::ByHeight;
use crate::rules::{Drawn, Mark, Rules};
use crate::words::Phrase;

/// A rule that stops this short of another one reaches it, in points.
const REACH: f32 = 2.0;
/// Grids of fewer cells than this are boxes.
const FEWEST_CELLS: usize = 4;
/// How far above and below a table its title may stand, in points.
const TITLE_WITHIN: f32 = 60.0;
/// A letter may stand out of its cell so far, in points.
const OVER_BORDER: f32 = 1.5;
/// Strokes of a sign.
const SIGN_STROKES: usize = 2;
/// A direction is a group's own where it has this share of its characters.
const OWN_DIRECTION: f32 = 0.6;

/// The frames of a page's four reading directions, the page's own first, and the text as each of them has it: most pages
/// need no more than the first.
struct Views {
    frames: [Frame; 4],
    page: Page,
    dots: Vec<TextRun>,
    phrases: [OnceCell<Vec<Phrase>>; 4],
}

impl Views {
    fn of(page: Page, dots: Vec<TextRun>, geometry: &Geometry) -> Self {
        let own = (page.frame.angle / 90.0).round() * 90.0;
        let turned = |turn: f32| Frame::new(geometry.crop_box, (own + turn).rem_euclid(360.0));
        Self { frames: [0.0, 90.0, 180.0, 270.0].map(turned), page, dots, phrases: Default::default() }
    }

    /// The phrases as the frame of so many quarter turns has them, 0 to 3.
    fn phrases(&self, turns: usize) -> &[Phrase] {
        let turns = turns % 4;
        self.phrases[turns].get_or_init(|| words::phrases(&self.page, &self.dots, &self.frames[turns]))
    }
}

/// Finds the grids of a page. Near-linear in segments and characters.
pub fn find(paths: &PagePaths, text: &PageText, geometry: &Geometry) -> Vec<Grid> {
    let (text, dots) = runs::parted(text);
    let views = Views::of(Page::read(&text, geometry), dots, geometry);
    let rules = Rules::of(paths, &views.frames[0]);
    let groups = cells::groups(&rules, REACH).into_iter().filter(|group| group.len() >= FEWEST_CELLS);
    let groups: Vec<Vec<Rect>> = groups.map(|group| group.iter().map(|face| face.bbox).collect()).collect();
    let drawn = drawn_on(&groups, &rules.drawn);
    let mut grids = Vec::new();
    for faces in groups {
        if is_lettered(&faces, &views, &drawn) {
            for region in regions::regions(&faces) {
                grids.extend(ruled(&region, &views, &rules, &drawn));
            }
        }
    }
    for grid in aligned::under_heads(&views, &rules, &grids) {
        grids.push(filled(grid, views.phrases(0), &rules.marks, &[]));
    }
    for grid in unruled::under_titles(&views, &rules, &grids) {
        let turns = views.frames.iter().position(|frame| *frame == grid.frame).unwrap_or(0);
        let marks = if turns == 0 { rules.marks.as_slice() } else { &[] };
        grids.push(filled(grid, views.phrases(turns), marks, &[]));
    }
    grids
}

/// The lines of a page's text right above a box in user space, the nearest first.
pub fn lines_above(text: &PageText, geometry: &Geometry, bbox: Rect) -> Vec<Piece> {
    let (text, dots) = runs::parted(text);
    let views = Views::of(Page::read(&text, geometry), dots, geometry);
    let bbox = views.frames[0].place_box(bbox);
    titles(between(views.phrases(0), bbox.y1 - TITLE_WITHIN, bbox.y1), &bbox, |line| bbox.y1 - line.y2)
}

/// Of what is drawn that which lies on cells.
fn drawn_on(groups: &[Vec<Rect>], drawn: &[Drawn]) -> ByHeight<Drawn> {
    let ground = Ground::under(groups.iter().flatten());
    let near: Vec<Drawn> = drawn.iter().filter(|drawn| ground.holds(drawn.middle)).copied().collect();
    ByHeight::of(&near, |drawn| drawn.middle.1)
}

/// Whether anything is written over some cells, or drawn as letters are: tiles and hatches need no closer look.
fn is_lettered(faces: &[Rect], views: &Views, drawn: &ByHeight<Drawn>) -> bool {
    let Some(bbox) = faces.iter().copied().reduce(|a, b| a.union(&b)) else { return false };
    let inside = |(x, y): (f32, f32)| x > bbox.x1 && x < bbox.x2 && y > bbox.y1 && y < bbox.y2;
    between(views.phrases(0), bbox.y1, bbox.y2).iter().any(|phrase| inside(phrase.bbox.center()))
        || drawn.near(bbox.y1, bbox.y2).iter().any(|drawn| inside(drawn.middle))
}

/// The grid of one region's cells, with their text, in the direction that most of it is read in.
fn ruled(faces: &[Rect], views: &Views, rules: &Rules, drawn: &ByHeight<Drawn>) -> Option<Grid> {
    if faces.len() < FEWEST_CELLS {
        return None;
    }
    let turns = direction(faces, views);
    let own = views.frames[0];
    let frame = *views.frames.get(turns)?;
    let top = faces.iter().map(|face| face.y1).fold(f32::MAX, f32::min);
    let bottom = faces.iter().map(|face| face.y2).fold(f32::MIN, f32::max);
    let turned = |face: &Rect| if turns == 0 { *face } else { frame.place_box(own.to_user_space(*face)) };
    let faces: Vec<Rect> = faces.iter().map(turned).collect();
    let phrases = views.phrases(turns);
    let mut grid = Grid::of_faces(&faces, frame)?;
    if grid.width() == 1 {
        grid = aligned::with_columns(&grid, phrases)?;
    }
    let at = |place: (f32, f32)| {
        let bbox = turned(&Rect { x1: place.0, y1: place.1, x2: place.0, y2: place.1 });
        (bbox.x1, bbox.y1)
    };
    let marks = rules.marks_between(top, bottom).iter();
    let marks: Vec<Mark> = marks.map(|mark| Mark { middle: at(mark.middle), ..*mark }).collect();
    let own_half = |half: (f32, f32)| if turns % 2 == 1 { (half.1, half.0) } else { half };
    let drawn = drawn.near(top, bottom).iter();
    let drawn: Vec<Drawn> = drawn.map(|drawn| Drawn { middle: at(drawn.middle), half: own_half(drawn.half) }).collect();
    Some(filled(grid, phrases, &marks, &drawn))
}

/// A grid with what stands in its cells, above and below it.
fn filled(mut grid: Grid, phrases: &[Phrase], marks: &[Mark], drawn: &[Drawn]) -> Grid {
    let bbox = grid.bbox;
    let inside = |(x, y): (f32, f32)| x > bbox.x1 && x < bbox.x2 && y > bbox.y1 && y < bbox.y2;
    let marks: Vec<Mark> = marks.iter().filter(|mark| inside(mark.middle)).copied().collect();
    let cover = grid.cover();
    let mut strokes: Vec<(usize, Drawn)> = Vec::new();
    for drawn in drawn.iter().filter(|drawn| inside(drawn.middle)) {
        let ((x, y), (wide, tall)) = (drawn.middle, drawn.half);
        if let Some(index) = grid.cell_at((x, y), &cover)
            && let Some(cell) = grid.cells.get_mut(index)
        {
            // What runs over its borders is a hatch or a leader.
            let own = cell.bbox;
            let within = x - wide >= own.x1 - OVER_BORDER
                && x + wide <= own.x2 + OVER_BORDER
                && y - tall >= own.y1 - OVER_BORDER
                && y + tall <= own.y2 + OVER_BORDER;
            if within && cell.drawn < SIGN_STROKES {
                strokes.push((index, *drawn));
            }
            cell.drawn += usize::from(within);
        }
    }
    let lines = between(phrases, bbox.y1, bbox.y2);
    grid.fill(lines.iter().filter(|phrase| inside(phrase.bbox.center())), &marks);
    grid.sign(strokes);
    grid.above = titles(between(phrases, bbox.y1 - TITLE_WITHIN, bbox.y1), &bbox, |line| bbox.y1 - line.y2);
    grid.below = titles(between(phrases, bbox.y2, bbox.y2 + TITLE_WITHIN), &bbox, |line| line.y1 - bbox.y2);
    grid
}

/// In how many quarter turns most of the text over these cells is read.
fn direction(faces: &[Rect], views: &Views) -> usize {
    let Some(bbox) = faces.iter().copied().reduce(|a, b| a.union(&b)) else { return 0 };
    let mut weights = [0_usize; 4];
    for phrase in between(views.phrases(0), bbox.y1, bbox.y2) {
        let (x, _) = phrase.bbox.center();
        if x > bbox.x1 && x < bbox.x2 {
            let characters: usize = phrase.words.iter().map(|word| word.text.chars().count()).sum();
            weights[usize::from(phrase.turns % 4)] += characters;
        }
    }
    let all: usize = weights.iter().sum();
    (1..4).find(|&turns| weights[turns] as f32 > OWN_DIRECTION * all as f32).unwrap_or(0)
}

/// The phrases whose middles lie between two heights; phrases are sorted by these.
fn between(phrases: &[Phrase], top: f32, bottom: f32) -> &[Phrase] {
    let start = phrases.partition_point(|phrase| phrase.bbox.center().1 < top);
    let end = phrases.partition_point(|phrase| phrase.bbox.center().1 < bottom);
    phrases.get(start..end).unwrap_or_default()
}

/// The upright lines above or below a table that may be its title, the nearest first.
fn titles(near: &[Phrase], bbox: &Rect, distance: impl Fn(&Rect) -> f32) -> Vec<Piece> {
    let mut lines: Vec<Piece> = near
        .iter()
        .filter(|phrase| phrase.turns == 0 && phrase.bbox.x1 < bbox.x2 && phrase.bbox.x2 > bbox.x1)
        .map(|phrase| grid::piece(phrase, &phrase.text(), phrase.bbox))
        .collect();
    lines.sort_by(|a, b| distance(&a.bbox).total_cmp(&distance(&b.bbox)));
    lines
}
