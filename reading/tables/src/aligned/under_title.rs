//! Tables without any rule: a header below a title that names a table.
//!
//! Only the header is found here: the lines below the title whose words are column headers. The table is then read as if there were
//! a rule below its header ([`under_header`]). Notes, legends and lists of sheets are below titles as well; the caller recognizes
//! them by their words.

use std::cell::LazyCell;

use fanlight_geometry::RectExt as _;

use super::under_header::under_header;
use crate::grid::Grid;
use crate::headings::{are_headers, is_column_header, parts};
use crate::rules::{self, Rule, Rules};
use crate::structure::is_title_word;
use crate::words::{Phrase, Word, by_line};
use crate::{MIN_KNOWN_HEADERS, Views, between};

/// Maximum number of titles of a page. Bounds the work.
const MAX_TITLES: usize = 200;
/// Maximum number of words of a title.
const MAX_TITLE_WORDS: usize = 10;
/// Minimum length of a vertical line that separates texts beside it, in points.
const MIN_SEPARATOR: f32 = 60.0;
/// Height below the title in which the header begins, in em of the title.
const MAX_TITLE_DISTANCE: f32 = 6.0;
/// Height above the title's lower edge from which a header is searched, in em of the title: boxes of lines overlap.
const TITLE_OVERLAP: f32 = 0.2;
/// Maximum gap between two headers of a table, in em: a column of remarks is wide.
const MAX_GAP: f32 = 24.0;
/// Maximum distance of the title to the left or right of its header, in em.
const MAX_TITLE_OFFSET: f32 = 6.0;
/// Maximum distance of two lines of a header, in em.
const MAX_LEADING: f32 = 2.0;
/// The same for a line of two texts. A single one is the heading of a group of rows.
const MAX_SHORT_LEADING: f32 = 1.45;
/// Titles of tables side by side are at most this far above or below each other, in em.
const MAX_TITLE_RISE: f32 = 3.0;
/// Height below titles side by side in which the white space between their tables is searched, in em.
const GUTTER_HEIGHT: f32 = 14.0;
/// Minimum number of texts that begin below a title, so that its table begins there.
const MIN_ALIGNED: usize = 2;
/// Minimum number of headers in a line of a header.
const MIN_HEADERS: usize = 3;
/// Minimum number of rows of a table: its title and the words of its header say already what it is.
const MIN_ROWS: usize = 2;
/// Distance of the place where a rule could be from the header above it, in em.
const RULE_DISTANCE: f32 = 0.05;
/// Height below the header in which the texts of its last column tell where the table ends at the right, in em.
const LAST_COLUMN_HEIGHT: f32 = 60.0;
/// Maximum distance of a text of the table to the left or right of all headers, in em.
const MAX_OVERHANG: f32 = 4.0;

/// Returns the tables of a page without rules, in all reading directions, except where `known` grids are.
pub(crate) fn under_titles(views: &Views, rules: &Rules, known: &[Grid]) -> Vec<Grid> {
    let mut grids: Vec<Grid> = Vec::new();
    for turns in views.directions() {
        let view = View::of_direction(views, rules, turns);
        for title in &view.titles {
            let Some(header) = Header::below(title, &view) else { continue };
            let is_known = known.iter().chain(&grids).any(|grid| header.is_in_cells(grid, views, turns));
            if !is_known && let Some(grid) = under_header(&header.rule(&view), &[], views, turns, MIN_ROWS) {
                grids.push(grid);
            }
        }
    }
    grids
}

/// A page in one of its reading directions.
struct View<'a> {
    /// From the top, by their middles.
    phrases: &'a [Phrase],
    titles: Vec<&'a Phrase>,
    /// Vertical lines that separate tables from texts beside them, from the left. They are known in the page's own direction only.
    separators: Vec<Rule>,
}

impl<'a> View<'a> {
    fn of_direction(views: &'a Views, rules: &Rules, turns: usize) -> Self {
        let phrases = views.phrases(turns);
        let titles = phrases.iter().filter(|phrase| phrase.turns == 0 && may_name(phrase)).take(MAX_TITLES).collect();
        let is_long = |rule: &&Rule| turns == 0 && rule.to - rule.from >= MIN_SEPARATOR;
        Self { phrases, titles, separators: rules::sorted(rules.vertical.iter().filter(is_long)) }
    }

    /// Returns the upright phrases whose middles are between two heights.
    fn upright(&self, top: f32, bottom: f32) -> impl Iterator<Item = &'a Phrase> {
        between(self.phrases, top, bottom).iter().filter(|phrase| phrase.turns == 0)
    }

    /// Returns whether neither a wide gap nor a vertical line is between a phrase and the next one.
    fn are_adjacent(&self, phrase: &Phrase, next: &Phrase) -> bool {
        let (from, to, y) = (phrase.bbox.x2, next.bbox.x1, phrase.bbox.center().1);
        let mut between = rules::between(&self.separators, from, to).iter();
        to - from <= MAX_GAP * phrase.size && !between.any(|rule| (rule.from..=rule.to).contains(&y))
    }
}

/// Returns whether a phrase may be the title of a table.
fn may_name(phrase: &Phrase) -> bool {
    let names = |word: &Word| parts(&word.text).any(is_title_word);
    phrase.words.len() <= MAX_TITLE_WORDS && phrase.words.iter().any(names)
}

/// How far a table extends from left to right, in points.
#[derive(Clone, Copy)]
struct Extent {
    left: f32,
    right: f32,
}

/// The header of a table.
struct Header<'a> {
    phrases: Vec<&'a Phrase>,
    /// Texts outside these places belong to other tables.
    limits: Extent,
}

impl<'a> Header<'a> {
    /// Returns the header just below a title: the first line of headers, and the ones below that follow it.
    fn below(title: &Phrase, view: &View<'a>) -> Option<Self> {
        let limits = limits(title, view);
        let top = title.bbox.y2 - TITLE_OVERLAP * title.size;
        let near: Vec<&Phrase> = view.upright(top, title.bbox.y2 + MAX_TITLE_DISTANCE * title.size).collect();
        let mut phrases: Vec<&Phrase> = Vec::new();
        for line in by_line(&near) {
            let own = around(title, &line, limits, view);
            let texts: Vec<String> = own.iter().map(|phrase| phrase.text()).collect();
            let is_many = own.len() >= MIN_HEADERS;
            let leading = if is_many { MAX_LEADING } else { MAX_SHORT_LEADING };
            let follows = match phrases.last() {
                Some(last) => own.len() >= 2 && line[0].bbox.y1 - last.bbox.y1 <= leading * last.size,
                None => is_many,
            };
            if follows && are_headers(&texts) {
                phrases.extend(own);
            } else if !phrases.is_empty() {
                break;
            }
        }
        let known = phrases.iter().filter(|phrase| is_column_header(&phrase.text())).count();
        (known >= MIN_KNOWN_HEADERS).then_some(Self { phrases, limits })
    }

    /// Returns where a rule below the header could be. It is as long as the table may be: the texts of the last column may be longer
    /// than its header.
    fn rule(&self, view: &View<'_>) -> Rule {
        let all = || self.phrases.iter();
        let size = all().map(|phrase| phrase.size).fold(0.0, f32::max);
        let bottom = all().map(|phrase| phrase.bbox.y2).fold(f32::MIN, f32::max);
        let left = all().map(|phrase| phrase.bbox.x1).fold(f32::MAX, f32::min) - MAX_OVERHANG * size;
        let end = all().map(|phrase| phrase.bbox.x2).fold(f32::MIN, f32::max);
        let last = all().map(|phrase| phrase.bbox.x1).fold(f32::MIN, f32::max);
        let in_last = view.upright(bottom, bottom + LAST_COLUMN_HEIGHT * size);
        let in_last = in_last.filter(|phrase| (last - size..end).contains(&phrase.bbox.x1));
        let right = in_last.map(|phrase| phrase.bbox.x2).fold(end + MAX_OVERHANG * size, f32::max);
        Rule { at: bottom + RULE_DISTANCE * size, from: left.max(self.limits.left), to: right.min(self.limits.right) }
    }

    /// Returns whether it is in several cells of a grid. One cell may hold a whole table.
    fn is_in_cells(&self, grid: &Grid, views: &Views, turns: usize) -> bool {
        // Most grids of a page are elsewhere.
        let cover = LazyCell::new(|| grid.cover());
        let mut cells = self.phrases.iter().filter_map(|phrase| {
            let bbox = grid.frame.place_from(&views.frames[turns], phrase.bbox);
            let (x, y) = bbox.center();
            grid.bbox.contains_point(x, y).then(|| grid.cell_at((x, y), &cover)).flatten()
        });
        let Some(first) = cells.next() else { return false };
        cells.any(|cell| cell != first)
    }
}

/// Returns the phrases of a line below or beside a title, without a wide gap or a vertical line between them.
fn around<'a>(title: &Phrase, line: &[&'a Phrase], limits: Extent, view: &View<'_>) -> Vec<&'a Phrase> {
    let is_between = |x: f32| x > limits.left && x < limits.right;
    let mut line: Vec<&Phrase> = line.iter().copied().filter(|phrase| is_between(phrase.bbox.center().0)).collect();
    line.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
    let offset = |phrase: &Phrase| (phrase.bbox.x1 - title.bbox.x2).max(title.bbox.x1 - phrase.bbox.x2);
    let parts = line.chunk_by(|a, b| view.are_adjacent(a, b));
    let near = parts.filter(|part| part.iter().any(|phrase| offset(phrase) <= MAX_TITLE_OFFSET * title.size));
    near.max_by_key(|part| part.len()).unwrap_or_default().to_vec()
}

/// Returns the places between which the table of a title is. Where other titles are beside it, so are their tables.
fn limits(title: &Phrase, view: &View<'_>) -> Extent {
    let (_, own) = title.bbox.center();
    let mut limits = Extent { left: f32::MIN, right: f32::MAX };
    for other in &view.titles {
        if (other.bbox.center().1 - own).abs() > MAX_TITLE_RISE * title.size {
            continue;
        }
        if other.bbox.x1 > title.bbox.x2 {
            limits.right = limits.right.min(gutter(title, other, view));
        } else if other.bbox.x2 < title.bbox.x1 {
            limits.left = limits.left.max(gutter(other, title, view));
        }
    }
    limits
}

/// Returns the place that separates the tables below two titles: before the right title if texts begin where it does, and
/// otherwise the middle of the widest white space between the titles.
fn gutter(left: &Phrase, right: &Phrase, view: &View<'_>) -> f32 {
    let top = left.bbox.y2.min(right.bbox.y2);
    let near: Vec<&Phrase> = view.upright(top, top + GUTTER_HEIGHT * left.size).collect();
    let aligned = near.iter().filter(|phrase| (phrase.bbox.x1 - right.bbox.x1).abs() <= right.size).count();
    if aligned >= MIN_ALIGNED {
        return right.bbox.x1 - right.size;
    }
    let texts = near.iter().copied().chain([left, right]);
    widest_space(texts, left.bbox.x2, right.bbox.x1).unwrap_or(f32::midpoint(left.bbox.x2, right.bbox.x1))
}

/// Returns the middle of the widest space between two places that no text covers, or `None` if texts cover all of it.
fn widest_space<'a>(texts: impl Iterator<Item = &'a Phrase>, from: f32, to: f32) -> Option<f32> {
    let mut texts: Vec<&Phrase> = texts.collect();
    texts.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
    let mut covered_to = from;
    let (mut widest, mut middle) = (0.0, None);
    for text in texts {
        let start = text.bbox.x1.min(to);
        if start - covered_to > widest {
            widest = start - covered_to;
            middle = Some(f32::midpoint(covered_to, start));
        }
        covered_to = covered_to.max(text.bbox.x2);
    }
    middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aligned::fixture::{line, phrase};

    /// The header below a title, on a page with some lines and vertical rules.
    fn header(lines: &[Vec<Phrase>], separators: &[Rule]) -> Option<Vec<String>> {
        let title = phrase("DOOR SCHEDULE", 0.0, 0.0);
        let phrases: Vec<Phrase> = lines.iter().flatten().cloned().collect();
        let view = View { phrases: &phrases, titles: vec![&title], separators: separators.to_vec() };
        Header::below(&title, &view).map(|header| header.phrases.iter().map(|phrase| phrase.text()).collect())
    }

    #[test]
    fn header_is_the_line_of_header_words_below_its_title() {
        let words = line(30.0, &[(0.0, "NO."), (100.0, "WIDTH"), (200.0, "HEIGHT")]);
        let entries = line(45.0, &[(0.0, "101"), (100.0, "900"), (200.0, "2100")]);
        let expected = Some(["NO.", "WIDTH", "HEIGHT"].map(str::to_owned).to_vec());
        assert_eq!(header(&[line(15.0, &[(0.0, "SEE SHEET 4")]), words.clone(), entries.clone()], &[]), expected);
        assert_eq!(header(std::slice::from_ref(&entries), &[]), None, "no header words");
        let wall = Rule { at: 60.0, from: 0.0, to: 90.0 };
        assert_eq!(header(&[words, entries], &[wall]), None, "a line parts the words");
    }

    #[test]
    fn widest_space_is_between_the_titles() {
        let texts = line(0.0, &[(0.0, "RIGHT TO"), (50.0, "60"), (100.0, "AND ON")]);
        assert_eq!(widest_space(texts.iter(), 40.0, 100.0), Some(80.0));
        assert_eq!(widest_space(line(0.0, &[(0.0, &"A".repeat(40))]).iter(), 0.0, 100.0), None);
    }
}
