//! The header of a table without rules: the lines below its title whose words are column headers.

use fanlight_geometry::RectExt as _;

use crate::aligned::lines;
use crate::headings::is_column_header;
use crate::structure::names_a_table;
use crate::unruled::View;
use crate::words::Phrase;

/// The head begins within so many em of the title, of the title's own size.
const WITHIN: f32 = 6.0;
/// White space between two heads of a table at most, in em: a column of remarks is wide.
const WIDEST_GAP: f32 = 24.0;
/// The title stands over its table, or begins so near to it, in em.
const BESIDE: f32 = 6.0;
/// Lines of a head follow each other within so many em.
const LEADING: f32 = 2.0;
/// Lines of one head's words do within so many.
const CLOSE: f32 = 1.45;
/// Lines of a head over the one with most heads, at most.
const MOST_ABOVE: usize = 2;
/// Titles of tables that stand side by side lie within so many em of each other's height.
const SAME_HEIGHT: f32 = 3.0;
/// How far below the head of tables side by side the white space between them is looked for, in em.
const GUTTER: f32 = 14.0;
/// Fewer heads in a line are no table's, and fewer that are known.
const FEWEST: usize = 3;
const FEWEST_KNOWN: usize = 2;

/// The head of a table.
pub(super) struct Head<'a> {
    /// Its lines from the top, each from the left.
    pub(super) lines: Vec<Vec<&'a Phrase>>,
    /// How far heads and title reach.
    pub(super) left: f32,
    pub(super) right: f32,
    /// What lies beyond belongs to something else.
    pub(super) limits: (f32, f32),
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// Height of its em.
    pub(super) size: f32,
    /// How far it lies below its title.
    pub(super) from_title: f32,
    /// Its first phrase: the same for all titles above it.
    pub(super) key: *const Phrase,
}

impl<'a> Head<'a> {
    /// The head right below a title.
    pub(super) fn below(title: &Phrase, view: &'a View<'_>) -> Option<Self> {
        let (top, bottom) = (title.bbox.y2 - 0.2 * title.size, title.bbox.y2 + WITHIN * title.size);
        let near: Vec<&Phrase> = view.upright(top, bottom).collect();
        let limits = limits(title, view);
        let near = lines(&near);
        let heads_of = |line: &Vec<&'a Phrase>| {
            let own = around(title, line, limits, view);
            (own.len() >= FEWEST && heads_columns(&own)).then_some(own)
        };
        let (mut index, mut main) = near.iter().enumerate().find_map(|(index, line)| Some((index, heads_of(line)?)))?;
        // First words of heads may stand over it.
        while let Some(next) = near.get(index + 1).and_then(heads_of)
            && next.len() > main.len()
            && height(&next) - height(&main) <= LEADING * size_of(&main)
        {
            (index, main) = (index + 1, next);
        }
        let key = std::ptr::from_ref(*main.first()?);
        let mut heads: Vec<Vec<&Phrase>> = above(&main, view);
        heads.push(main);
        for line in &near[index + 1..] {
            let Some(own) = heads.last().and_then(|last| below(line, last)) else { break };
            heads.push(own);
        }
        let known = heads.iter().flatten().filter(|phrase| is_column_header(&phrase.text())).count();
        if known < FEWEST_KNOWN {
            return None;
        }
        let all = || heads.iter().flatten();
        let low = |of: fn(&Phrase) -> f32| all().map(|phrase| of(phrase)).fold(f32::MAX, f32::min);
        let high = |of: fn(&Phrase) -> f32| all().map(|phrase| of(phrase)).fold(f32::MIN, f32::max);
        Some(Self {
            left: low(|phrase| phrase.bbox.x1),
            right: high(|phrase| phrase.bbox.x2),
            top: low(|phrase| phrase.bbox.y1),
            bottom: high(|phrase| phrase.bbox.y2),
            size: high(|phrase| phrase.size),
            from_title: high(|phrase| phrase.bbox.y1) - title.bbox.y2,
            key,
            limits,
            lines: heads,
        })
    }
}

/// Whether most phrases of a line are heads of columns, and few have figures.
fn heads_columns(line: &[&Phrase]) -> bool {
    let known = line.iter().filter(|phrase| is_column_header(&phrase.text())).count();
    let figures = line.iter().filter(|phrase| phrase.words.iter().any(|word| word.text.contains(is_digit))).count();
    2 * known >= line.len() && known > 0 && 4 * figures <= line.len()
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Height of a line's em.
fn size_of(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.size).fold(0.0, f32::max)
}

/// How far from left to right a line reaches.
fn span(line: &[&Phrase]) -> (f32, f32) {
    let left = line.iter().map(|phrase| phrase.bbox.x1).fold(f32::MAX, f32::min);
    let right = line.iter().map(|phrase| phrase.bbox.x2).fold(f32::MIN, f32::max);
    (left, right)
}

/// The lines right over one of heads: heads that columns have in common, and first words of heads.
fn above<'a>(main: &[&'a Phrase], view: &'a View<'_>) -> Vec<Vec<&'a Phrase>> {
    let (left, right) = span(main);
    let (size, mut last) = (size_of(main), height(main));
    let near: Vec<&Phrase> = view.upright(last - 2.0 * LEADING * size, last - 0.5 * size).collect();
    let mut found: Vec<Vec<&Phrase>> = Vec::new();
    for line in lines(&near).iter().rev().take(MOST_ABOVE) {
        let inside = |phrase: &&Phrase| phrase.bbox.x1 >= left - size && phrase.bbox.x2 <= right + size;
        let own: Vec<&Phrase> = line.iter().copied().filter(inside).collect();
        let is_title = own.iter().any(|phrase| names_a_table(&phrase.text()));
        if own.is_empty() || is_title || last - height(&own) > LEADING * size || size_of(&own) > 1.1 * size {
            break;
        }
        last = height(&own);
        found.push(own);
    }
    found.reverse();
    found
}

/// A line right below one of heads, if it is more of their words: each below one of them.
fn below<'a>(line: &[&'a Phrase], heads: &[&'a Phrase]) -> Option<Vec<&'a Phrase>> {
    let (left, right) = span(heads);
    let own: Vec<&Phrase> =
        line.iter().copied().filter(|phrase| phrase.bbox.x2 > left && phrase.bbox.x1 < right).collect();
    let leading = if own.len() < FEWEST { CLOSE } else { LEADING };
    let shared = |phrase: &Phrase| {
        heads.iter().filter(|head| head.bbox.x1 < phrase.bbox.x2 && head.bbox.x2 > phrase.bbox.x1).count()
    };
    let apart = own.len() >= FEWEST || own.iter().all(|phrase| shared(phrase) == 1);
    (heads_columns(&own) && apart && height(&own) - height(heads) <= leading * size_of(heads)).then_some(own)
}

/// Where the middle of a line lies.
fn height(line: &[&Phrase]) -> f32 {
    line.iter().map(|phrase| phrase.bbox.center().1).sum::<f32>() / line.len().max(1) as f32
}

/// The phrases of a line that hang together below or beside a title.
fn around<'a>(title: &Phrase, line: &[&'a Phrase], limits: (f32, f32), view: &View<'_>) -> Vec<&'a Phrase> {
    let mut line: Vec<&Phrase> = line
        .iter()
        .filter(|phrase| phrase.bbox.center().0 > limits.0 && phrase.bbox.center().0 < limits.1)
        .copied()
        .collect();
    line.sort_by(|a, b| a.bbox.x1.total_cmp(&b.bbox.x1));
    let beside = |phrase: &Phrase| (phrase.bbox.x1 - title.bbox.x2).max(title.bbox.x1 - phrase.bbox.x2).max(0.0);
    let nearest = (0..line.len()).min_by(|&a, &b| beside(line[a]).total_cmp(&beside(line[b])));
    let Some(nearest) = nearest.filter(|&index| beside(line[index]) <= BESIDE * title.size) else { return Vec::new() };
    let together = |a: &Phrase, b: &Phrase| {
        b.bbox.x1 - a.bbox.x2 <= WIDEST_GAP * a.size
            && !view.is_parted(a.bbox.x2, b.bbox.x1, f32::midpoint(a.bbox.y1, a.bbox.y2))
    };
    let (mut from, mut to) = (nearest, nearest);
    while from > 0 && together(line[from - 1], line[from]) {
        from -= 1;
    }
    while to + 1 < line.len() && together(line[to], line[to + 1]) {
        to += 1;
    }
    line[from..=to].to_vec()
}

/// Between what a title's table lies: where other titles stand beside it, their tables do as well.
fn limits(title: &Phrase, view: &View<'_>) -> (f32, f32) {
    let (_, own) = title.bbox.center();
    let (mut left, mut right) = (f32::MIN, f32::MAX);
    for other in &view.titles {
        if (other.bbox.center().1 - own).abs() > SAME_HEIGHT * title.size {
            continue;
        }
        if other.bbox.x1 > title.bbox.x2 {
            right = right.min(gutter(title, other, view));
        } else if other.bbox.x2 < title.bbox.x1 {
            left = left.max(gutter(other, title, view));
        }
    }
    (left, right)
}

/// Where what stands below two titles parts: before the second one's, if that begins where its title does, else in the
/// middle of the broadest white space between the titles.
fn gutter(left: &Phrase, right: &Phrase, view: &View<'_>) -> f32 {
    let top = left.bbox.y2.min(right.bbox.y2);
    let near: Vec<&Phrase> = view.upright(top, top + GUTTER * left.size).collect();
    let begins = |phrase: &&&Phrase| (phrase.bbox.x1 - right.bbox.x1).abs() <= right.size;
    if near.iter().filter(begins).count() >= 2 {
        return right.bbox.x1 - right.size;
    }
    let mut spans: Vec<(f32, f32)> = near.iter().map(|phrase| (phrase.bbox.x1, phrase.bbox.x2)).collect();
    spans.extend([left, right].map(|title| (title.bbox.x1, title.bbox.x2)));
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut end = left.bbox.x2;
    let mut widest = (0.0, f32::midpoint(left.bbox.x2, right.bbox.x1));
    for (from, to) in spans {
        let start = from.min(right.bbox.x1);
        if start - end > widest.0 {
            widest = (start - end, f32::midpoint(start, end));
        }
        end = end.max(to);
    }
    widest.1
}
