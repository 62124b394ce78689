//! The header of a table without rules: the lines below its title whose words are column headers.

use fanlight_geometry::RectExt as _;

use crate::MIN_KNOWN_HEADERS;
use crate::headings::is_column_header;
use crate::structure::names_a_table;
use crate::unruled::View;
use crate::unruled::body::Extent;
use crate::words::{Phrase, by_line};

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
/// The same for a line of one or two texts.
const MAX_SHORT_LEADING: f32 = 1.45;
/// Minimum distance of a line above the main line of a header, in em.
const MIN_LEADING: f32 = 0.5;
/// Maximum number of lines above the main line of a header.
const MAX_LINES_ABOVE: usize = 2;
/// Maximum size of a line above the main line, as a share of the main line's: larger text is a title.
const MAX_SIZE_ABOVE: f32 = 1.1;
/// Titles of tables side by side are at most this far above or below each other, in em.
const MAX_TITLE_RISE: f32 = 3.0;
/// Height below titles side by side in which the white space between their tables is searched, in em.
const GUTTER_HEIGHT: f32 = 14.0;
/// Minimum number of texts that begin below a title, so that its table begins there.
const MIN_ALIGNED: usize = 2;
/// Minimum number of headers in the main line of a header.
const MIN_HEADERS: usize = 3;

/// The header of a table.
pub(super) struct Header<'a> {
    /// Its lines from the top, each from the left.
    pub(super) lines: Vec<Vec<&'a Phrase>>,
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// Texts with their middle outside these places belong to other tables.
    pub(super) limits: Extent,
    /// The largest size of its texts: one em, in points.
    pub(super) size: f32,
    /// Its distance from its title, in points.
    pub(super) title_distance: f32,
    /// Its first phrase in the main line: the same for all titles above it.
    pub(super) key: *const Phrase,
}

impl<'a> Header<'a> {
    /// Returns the header just below a title.
    pub(super) fn below(title: &Phrase, view: &'a View<'_>) -> Option<Self> {
        let limits = limits(title, view);
        let top = title.bbox.y2 - TITLE_OVERLAP * title.size;
        let near: Vec<&Phrase> = view.upright(top, title.bbox.y2 + MAX_TITLE_DISTANCE * title.size).collect();
        let near = by_line(&near);
        let main = MainLine::first(title, &near, limits, view)?;
        let key = std::ptr::from_ref(*main.phrases.first()?);
        let mut lines: Vec<Vec<&Phrase>> = lines_above(&main.phrases, view);
        lines.push(main.phrases);
        for line in &near[main.index + 1..] {
            let Some(own) = lines.last().and_then(|last| continued(line, last)) else { break };
            lines.push(own);
        }
        let known = lines.iter().flatten().filter(|phrase| is_column_header(&phrase.text())).count();
        if known < MIN_KNOWN_HEADERS {
            return None;
        }
        let all = || lines.iter().flatten();
        Some(Self {
            left: all().map(|phrase| phrase.bbox.x1).fold(f32::MAX, f32::min),
            right: all().map(|phrase| phrase.bbox.x2).fold(f32::MIN, f32::max),
            top: all().map(|phrase| phrase.bbox.y1).fold(f32::MAX, f32::min),
            bottom: all().map(|phrase| phrase.bbox.y2).fold(f32::MIN, f32::max),
            size: all().map(|phrase| phrase.size).fold(f32::MIN, f32::max),
            title_distance: all().map(|phrase| phrase.bbox.y1).fold(f32::MIN, f32::max) - title.bbox.y2,
            key,
            limits,
            lines,
        })
    }
}

/// The line of a header with the most texts.
struct MainLine<'a> {
    /// Its index among the lines below the title.
    index: usize,
    phrases: Vec<&'a Phrase>,
}

impl<'a> MainLine<'a> {
    /// Returns the first line below a title that is a header, or the next one if that has more texts: the first words of some
    /// headers may be above it.
    fn first(title: &Phrase, lines: &[Vec<&'a Phrase>], limits: Extent, view: &View<'_>) -> Option<Self> {
        let (mut index, mut phrases) =
            lines.iter().enumerate().find_map(|(index, line)| Some((index, headers_of(title, line, limits, view)?)))?;
        while let Some(next) = lines.get(index + 1).and_then(|line| headers_of(title, line, limits, view))
            && next.len() > phrases.len()
            && middle(&next) - middle(&phrases) <= MAX_LEADING * size_of(&phrases)
        {
            (index, phrases) = (index + 1, next);
        }
        Some(Self { index, phrases })
    }
}

/// Returns the phrases of a line that are headers of the table below a title, or `None` if they are too few.
fn headers_of<'a>(title: &Phrase, line: &[&'a Phrase], limits: Extent, view: &View<'_>) -> Option<Vec<&'a Phrase>> {
    let own = around(title, line, limits, view);
    (own.len() >= MIN_HEADERS && are_headers(&own)).then_some(own)
}

/// Returns whether half of a line's phrases or more are column headers, and a quarter or less have figures.
fn are_headers(line: &[&Phrase]) -> bool {
    let known = line.iter().filter(|phrase| is_column_header(&phrase.text())).count();
    let with_figure = line.iter().filter(|phrase| has_figure(phrase)).count();
    2 * known >= line.len() && known > 0 && 4 * with_figure <= line.len()
}

fn has_figure(phrase: &Phrase) -> bool {
    phrase.words.iter().any(|word| word.text.contains(|c: char| c.is_ascii_digit()))
}

/// Returns the size of a line: one em, in points.
fn size_of(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.size).fold(0.0, f32::max)
}

/// Returns the mean height of a line's middles.
fn middle(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.bbox.center().1).sum::<f32>() / line.len().max(1) as f32
}

/// Returns how far a line extends from left to right.
fn extent(line: &[&Phrase]) -> Extent {
    Extent {
        left: line.iter().map(|phrase| phrase.bbox.x1).fold(f32::MAX, f32::min),
        right: line.iter().map(|phrase| phrase.bbox.x2).fold(f32::MIN, f32::max),
    }
}

/// Returns the lines just above the main line of a header: headers of groups, and first words of headers.
fn lines_above<'a>(main: &[&'a Phrase], view: &'a View<'_>) -> Vec<Vec<&'a Phrase>> {
    let Extent { left, right } = extent(main);
    let (size, mut last) = (size_of(main), middle(main));
    let near: Vec<&Phrase> = view.upright(last - 2.0 * MAX_LEADING * size, last - MIN_LEADING * size).collect();
    let mut found: Vec<Vec<&Phrase>> = Vec::new();
    for line in by_line(&near).iter().rev().take(MAX_LINES_ABOVE) {
        let is_inside = |phrase: &&Phrase| phrase.bbox.x1 >= left - size && phrase.bbox.x2 <= right + size;
        let own: Vec<&Phrase> = line.iter().copied().filter(is_inside).collect();
        let is_title = own.iter().any(|phrase| names_a_table(&phrase.text()));
        let is_far = last - middle(&own) > MAX_LEADING * size;
        if own.is_empty() || is_title || is_far || size_of(&own) > MAX_SIZE_ABOVE * size {
            break;
        }
        last = middle(&own);
        found.push(own);
    }
    found.reverse();
    found
}

/// Returns the phrases of a line that continue the headers of the line above. A line of few phrases must be close, and each of
/// them below one header.
fn continued<'a>(line: &[&'a Phrase], headers: &[&'a Phrase]) -> Option<Vec<&'a Phrase>> {
    let Extent { left, right } = extent(headers);
    let own: Vec<&Phrase> =
        line.iter().copied().filter(|phrase| phrase.bbox.x2 > left && phrase.bbox.x1 < right).collect();
    let are_many = own.len() >= MIN_HEADERS;
    let max_leading = if are_many { MAX_LEADING } else { MAX_SHORT_LEADING };
    let is_close = middle(&own) - middle(headers) <= max_leading * size_of(headers);
    (are_headers(&own) && is_close && (are_many || own.iter().all(|phrase| is_below_one(phrase, headers))))
        .then_some(own)
}

/// Returns whether a phrase is below exactly one of some headers.
fn is_below_one(phrase: &Phrase, headers: &[&Phrase]) -> bool {
    let above = headers.iter().filter(|own| own.bbox.x1 < phrase.bbox.x2 && own.bbox.x2 > phrase.bbox.x1);
    above.count() == 1
}

/// Returns the phrases of a line below or beside a title, without a wide gap or a vertical line between them.
fn around<'a>(title: &Phrase, line: &[&'a Phrase], limits: Extent, view: &View<'_>) -> Vec<&'a Phrase> {
    let is_between = |x: f32| x > limits.left && x < limits.right;
    let mut line: Vec<&Phrase> = line.iter().copied().filter(|phrase| is_between(phrase.bbox.center().0)).collect();
    line.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
    let beside = |phrase: &Phrase| (phrase.bbox.x1 - title.bbox.x2).max(title.bbox.x1 - phrase.bbox.x2).max(0.0);
    let nearest = (0..line.len()).min_by(|&a, &b| beside(line[a]).total_cmp(&beside(line[b])));
    let Some(nearest) = nearest.filter(|&index| beside(line[index]) <= MAX_TITLE_OFFSET * title.size) else {
        return Vec::new();
    };
    let (mut first, mut last) = (nearest, nearest);
    while first > 0 && are_adjacent(line[first - 1], line[first], view) {
        first -= 1;
    }
    while last + 1 < line.len() && are_adjacent(line[last], line[last + 1], view) {
        last += 1;
    }
    line[first..=last].to_vec()
}

/// Returns whether neither a wide gap nor a vertical line is between a phrase and the next one.
fn are_adjacent(phrase: &Phrase, next: &Phrase, view: &View<'_>) -> bool {
    next.bbox.x1 - phrase.bbox.x2 <= MAX_GAP * phrase.size
        && !view.is_separated(phrase.bbox.x2, next.bbox.x1, f32::midpoint(phrase.bbox.y1, phrase.bbox.y2))
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
    use fanlight_contract::Rect;

    use super::*;

    fn phrase(text: &str, x1: f32, x2: f32) -> Phrase {
        Phrase::of_word(text, Rect { x1, y1: 0.0, x2, y2: 10.0 }, 10.0, 0, 1)
    }

    /// A line of texts of 30 points, 50 points apart.
    fn line(texts: &[&str]) -> Vec<Phrase> {
        texts
            .iter()
            .enumerate()
            .map(|(index, text)| phrase(text, 50.0 * index as f32, 50.0 * index as f32 + 30.0))
            .collect()
    }

    #[test]
    fn lines_of_header_words_without_figures_are_headers() {
        let cases: [(&[&str], bool); 4] = [
            (&["NO.", "WIDTH", "HEIGHT"], true),
            (&["NO.", "WIDTH", "FOO", "BAR"], true),
            (&["FOO", "BAR", "WIDTH"], false),
            (&["NO.", "WIDTH", "900"], false),
        ];
        for (texts, expected) in cases {
            assert_eq!(are_headers(&line(texts).iter().collect::<Vec<_>>()), expected, "{texts:?}");
        }
    }

    #[test]
    fn text_below_two_headers_continues_neither() {
        let headers = line(&["NO.", "WIDTH"]);
        let headers: Vec<&Phrase> = headers.iter().collect();
        for (x1, x2, expected) in [(0.0, 30.0, true), (20.0, 60.0, false), (32.0, 48.0, false)] {
            assert_eq!(is_below_one(&phrase("SIZE", x1, x2), &headers), expected, "{x1} to {x2}");
        }
    }

    #[test]
    fn widest_space_is_between_the_titles() {
        let texts = [phrase("A", 0.0, 40.0), phrase("B", 50.0, 60.0), phrase("C", 100.0, 140.0)];
        assert_eq!(widest_space(texts.iter(), 40.0, 100.0), Some(80.0));
        assert_eq!(widest_space([phrase("A", 0.0, 200.0)].iter(), 0.0, 100.0), None);
    }
}
