//! The columns of a table without rules: the gaps that header and rows have in common.

use fanlight_contract::Rect;
use fanlight_geometry::RectExt as _;

use crate::unruled::body::{Body, TextLine};
use crate::unruled::header::Head;
use crate::unruled::rows::Rows;
use crate::words::Phrase;

/// A gap between columns is at least so wide, in em.
const GAP: f32 = 0.5;
/// Rows with text in a gap, of a hundred: a long text runs over into the column beside its own.
const CROSSING: f32 = 0.12;
/// A gap no wider than this, in em, beside texts without a head is one between words: "3'-0\"  x  7'-0\"".
const WORD_GAP: f32 = 2.0;
/// The share of columns that have a head.
const HEADED: f32 = 0.7;
/// The share of lines with a text over several columns from which they are prose.
const PROSE: f32 = 0.4;
/// How far a common head's middle may lie off that of the heads below it, in em.
const CENTRED: f32 = 1.5;
/// Columns that are equally well centred below a common head, in em.
const AS_WELL: f32 = 0.3;
/// White space around a table's texts, in em.
const MARGIN: f32 = 0.3;

/// Where columns part.
pub(super) struct Columns<'a> {
    /// White space between neighbours, from and to; one less than there are columns.
    gaps: Vec<(f32, f32)>,
    /// Heads that neighbouring columns have in common.
    groups: Vec<Group<'a>>,
}

/// A head over several columns.
struct Group<'a> {
    phrase: &'a Phrase,
    first: usize,
    last: usize,
}

impl<'a> Columns<'a> {
    /// Returns the columns of a header and the body below it. Returns none if most lines cross every
    /// gap, or if a column has no header.
    pub(super) fn detect(head: &Head<'a>, body: &Body<'_>) -> Option<Self> {
        let rows: Vec<&TextLine<'_>> = body.lines.iter().filter(|line| line.phrases.len() >= 2).collect();
        let (over, leaves) = parted(head);
        let few = (CROSSING * rows.len() as f32).floor() as i32;
        let mut edges: Vec<(f32, i32)> = Vec::new();
        for (from, to) in rows.iter().flat_map(|line| &line.phrases).flat_map(|phrase| stretches(phrase)) {
            edges.extend([(from, 1), (to, -1)]);
        }
        // A column has a head even where hardly a row has a text in it.
        for (from, to) in leaves.iter().flat_map(|phrase| stretches(phrase)) {
            edges.extend([(from, few + 1), (to, -few - 1)]);
        }
        let mut columns = Self { gaps: gaps(edges, few, GAP * head.size), groups: Vec::new() };
        columns.join_headless(&leaves, WORD_GAP * head.size);
        let headed = (0..columns.count()).filter(|&own| leaves.iter().any(|leaf| columns.has(own, leaf))).count();
        if (headed as f32) < HEADED * columns.count() as f32 {
            return None;
        }
        let alone = body.lines.iter().filter(|line| columns.is_alone(line)).count();
        if alone as f32 > PROSE * body.lines.len() as f32 {
            return None;
        }
        columns.group(&over, &leaves, head.size);
        Some(columns)
    }

    pub(super) fn count(&self) -> usize {
        self.gaps.len() + 1
    }

    /// The column that a place lies in.
    pub(super) fn at(&self, x: f32) -> usize {
        self.gaps.partition_point(|gap| f32::midpoint(gap.0, gap.1) <= x)
    }

    fn has(&self, column: usize, phrase: &Phrase) -> bool {
        self.at(phrase.bbox.center().0) == column
    }

    /// Whether a phrase fills a gap and stands out on both sides of it.
    pub(super) fn crosses(&self, phrase: &Phrase) -> bool {
        stretches(phrase).iter().any(|&(from, to)| self.gaps.iter().any(|gap| from < gap.0 && to > gap.1))
    }

    /// Whether a line is one text over several columns: a note, or the head of a group of rows.
    pub(super) fn is_alone(&self, line: &TextLine<'_>) -> bool {
        matches!(line.phrases.as_slice(), [only] if self.crosses(only))
    }

    /// Takes narrow gaps away beside columns without a head.
    fn join_headless(&mut self, leaves: &[&Phrase], narrow: f32) {
        let mut index = 0;
        while let Some(&(from, to)) = self.gaps.get(index) {
            let is_headless = |column: usize| !leaves.iter().any(|leaf| self.has(column, leaf));
            if to - from < narrow && (is_headless(index) || is_headless(index + 1)) {
                self.gaps.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Finds the columns that each common head is centred over.
    fn group(&mut self, over: &[&'a Phrase], leaves: &[&Phrase], size: f32) {
        let heads: Vec<Option<f32>> = (0..self.count())
            .map(|column| {
                let own = leaves.iter().filter(|leaf| self.has(column, leaf));
                let span = own.map(|leaf| (leaf.bbox.x1, leaf.bbox.x2)).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
                span.map(|(from, to)| f32::midpoint(from, to))
            })
            .collect();
        for phrase in over {
            let (centre, y) = phrase.bbox.center();
            let nearest = |side: fn(&Phrase) -> f32, stop: f32, pick: fn(f32, f32) -> f32| {
                let beside = over.iter().filter(|other| (other.bbox.center().1 - y).abs() < size);
                beside
                    .map(|other| side(other))
                    .filter(|&x| pick(x, centre) == x && x != centre)
                    .fold(stop, |a, b| if (a - centre).abs() < (b - centre).abs() { a } else { b })
            };
            let left = nearest(|other| other.bbox.x2, f32::MIN, f32::min);
            let right = nearest(|other| other.bbox.x1, f32::MAX, f32::max);
            let mut best: Option<(f32, usize, usize)> = None;
            for first in 0..self.count() {
                for last in first + 1..self.count() {
                    let (Some(Some(from)), Some(Some(to))) = (heads.get(first), heads.get(last)) else { continue };
                    let off = (f32::midpoint(*from, *to) - centre).abs();
                    let free = *from > left && *to < right && *from < centre && *to > centre;
                    let whole = heads[first..=last].iter().all(Option::is_some);
                    let better = best.is_none_or(|(least, own_first, own_last)| {
                        off < least - AS_WELL * size
                            || (off < least + AS_WELL * size && last - first > own_last - own_first)
                    });
                    if free && whole && off <= CENTRED * size && better {
                        best = Some((off, first, last));
                    }
                }
            }
            let taken =
                |first: usize, last: usize| self.groups.iter().any(|own| own.first <= last && own.last >= first);
            if let Some((_, first, last)) = best.filter(|&(_, first, last)| !taken(first, last)) {
                self.groups.push(Group { phrase, first, last });
            }
        }
    }

    /// The cells of a table.
    pub(super) fn faces(&self, head: &Head<'_>, body: &Body<'_>, rows: &Rows<'_>) -> Vec<Rect> {
        let all = || head.lines.iter().chain(body.lines.iter().map(|line| &line.phrases)).flatten();
        let left = all().map(|phrase| phrase.bbox.x1).fold(f32::MAX, f32::min) - MARGIN * head.size;
        let right = all().map(|phrase| phrase.bbox.x2).fold(f32::MIN, f32::max) + MARGIN * head.size;
        let inner = self.gaps.iter().map(|gap| f32::midpoint(gap.0, gap.1));
        let borders: Vec<f32> = std::iter::once(left).chain(inner).chain([right]).collect();
        let cells = |y1: f32, y2: f32| {
            borders.windows(2).map(move |x| Rect { x1: x[0], y1, x2: x[1], y2 }).collect::<Vec<Rect>>()
        };
        let mut faces = Vec::new();
        let (top, bottom) = (head.top - MARGIN * head.size, rows.top);
        let lowest = self.groups.iter().map(|group| group.phrase.bbox.y2).fold(top, f32::max);
        let below = head.lines.iter().flatten().map(|phrase| phrase.bbox.y1).filter(|y| *y > lowest - 0.5 * head.size);
        let split = f32::midpoint(lowest, below.fold(bottom, f32::min).max(lowest));
        for (column, face) in cells(top, bottom).into_iter().enumerate() {
            match self.groups.iter().find(|group| group.first <= column && column <= group.last) {
                Some(group) => {
                    if group.first == column {
                        let (x1, x2) = (face.x1, borders.get(group.last + 1).copied().unwrap_or(right));
                        faces.push(Rect { x1, y1: top, x2, y2: split });
                    }
                    faces.push(Rect { y1: split, ..face });
                }
                None => faces.push(face),
            }
        }
        for row in rows.all() {
            // What heads a group of rows stands in a cell of its own.
            match row.lines {
                [only] if self.is_alone(only) => faces.push(Rect { x1: left, y1: row.top, x2: right, y2: row.bottom }),
                _ => faces.extend(cells(row.top, row.bottom)),
            }
        }
        faces
    }
}

/// A head's phrases: those that may be common to several columns, and those that head one.
fn parted<'a>(head: &Head<'a>) -> (Vec<&'a Phrase>, Vec<&'a Phrase>) {
    let (mut over, mut leaves) = (Vec::new(), Vec::new());
    for (number, line) in head.lines.iter().enumerate() {
        for &phrase in line {
            let below = || head.lines.iter().skip(number + 1).flatten();
            let (x, _) = phrase.bbox.center();
            let is_above = below().any(|other| x >= other.bbox.x1 && x <= other.bbox.x2);
            let beside = |side: f32| below().any(|other| (other.bbox.center().0 - x) * side > 0.0);
            let covers = below().filter(|other| other.bbox.x1 < phrase.bbox.x2 && other.bbox.x2 > phrase.bbox.x1);
            let common = covers.count() >= 2 || (!is_above && beside(-1.0) && beside(1.0));
            if common { over.push(phrase) } else { leaves.push(phrase) }
        }
    }
    (over, leaves)
}

/// The parts of a phrase between gaps that may be columns'.
fn stretches(phrase: &Phrase) -> Vec<(f32, f32)> {
    let mut stretches: Vec<(f32, f32)> = Vec::new();
    for word in &phrase.words {
        match stretches.last_mut() {
            Some((_, end)) if word.bbox.x1 - *end < GAP * phrase.size => *end = word.bbox.x2,
            _ => stretches.push((word.bbox.x1, word.bbox.x2)),
        }
    }
    stretches
}

/// Where no more than a few of some stretches overlap, between the first and the last.
fn gaps(mut edges: Vec<(f32, i32)>, few: i32, narrowest: f32) -> Vec<(f32, f32)> {
    edges.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut gaps = Vec::new();
    let (mut open, mut from) = (0, None);
    for (x, step) in edges {
        let before = open;
        open += step;
        if before > few && open <= few {
            from = Some(x);
        } else if before <= few && open > few {
            gaps.extend(from.take().filter(|from| x - from >= narrowest).map(|from| (from, x)));
        }
    }
    gaps
}
