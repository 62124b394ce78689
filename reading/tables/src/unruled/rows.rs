//! The rows of a table without rules: which lines form one row.

use fanlight_geometry::median;

use crate::unruled::FEWEST_ROWS;
use crate::unruled::body::{Body, TextLine};
use crate::unruled::columns::Columns;
use crate::unruled::header::Head;

/// Lines closer than this share of the distance of two rows are one row's.
const CLOSE: f32 = 0.8;
/// Lines of one text follow each other within so many em.
pub(super) const LEADING: f32 = 1.45;
/// Rows lie as far from each other as others but for this share of the distance.
const STEADY: f32 = 0.15;
/// The share of rows that do.
const STEADILY: f32 = 0.6;
/// The share of rows that begin with a text in the first column, and of columns that a row has texts in on average.
const MARKED: f32 = 0.6;
const FILLED: f32 = 0.3;
/// A row goes on in one of so many columns at most.
const GOES_ON: usize = 3;

/// The rows below a head.
pub(super) struct Rows<'a> {
    /// Where the head ends.
    pub(super) top: f32,
    rows: Vec<Row<'a>>,
}

/// A row: some lines, between two borders.
pub(super) struct Row<'a> {
    pub(super) lines: &'a [TextLine<'a>],
    pub(super) top: f32,
    pub(super) bottom: f32,
}

impl<'a> Rows<'a> {
    /// Returns the rows from the top.
    pub(super) fn all(&self) -> &[Row<'a>] {
        &self.rows
    }

    /// Returns the rows of a table's lines. Returns none if the lines have no steady pitch, have hardly
    /// any text, or are too few.
    pub(super) fn detect(head: &Head<'_>, body: &'a Body<'a>, columns: &Columns<'_>) -> Option<Self> {
        let lines = &body.lines;
        let marked: Vec<bool> = lines.iter().map(|line| columns.at(line.phrases[0].bbox.x1) == 0).collect();
        let pitch = pitch(lines, &marked)?;
        let mut starts: Vec<usize> = Vec::new();
        let mut has_mark = false;
        for (index, line) in lines.iter().enumerate() {
            let begins = match index.checked_sub(1).map(|before| &lines[before]) {
                // Below the head, the rest of a word in it may stand.
                None => marked[0] || !continues_head(line, head, columns),
                Some(_) if starts.is_empty() => true,
                Some(before) if !body.shades.is_empty() => {
                    is_parted(&body.shades, before.y, line.y) || (marked[index] && has_mark)
                }
                Some(before) if line.y - before.y < CLOSE * pitch => marked[index] && has_mark,
                Some(before) => marked[index] || !goes_on(line, before, head.size, columns),
            };
            if begins {
                starts.push(index);
                has_mark = false;
            }
            has_mark |= marked[index];
        }
        if starts.len() < FEWEST_ROWS || !is_steady(lines, &starts, pitch) {
            return None;
        }
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let spans: Vec<&[TextLine<'_>]> = starts.iter().zip(ends).map(|(&start, end)| &lines[start..end]).collect();
        let filled = |row: &&[TextLine<'_>]| {
            let mut own: Vec<usize> =
                row.iter().flat_map(|line| &line.phrases).map(|phrase| columns.at(phrase.bbox.x1)).collect();
            own.sort_unstable();
            own.dedup();
            own
        };
        let texts: usize = spans.iter().map(|row| filled(row).len()).sum();
        let with_mark = spans.iter().filter(|row| filled(row).first() == Some(&0)).count();
        let enough = texts as f32 >= (FILLED * columns.count() as f32).max(1.5) * spans.len() as f32;
        if !enough || (with_mark as f32) < MARKED * spans.len() as f32 {
            return None;
        }
        let first = *starts.first()?;
        let head_ends = first.checked_sub(1).map_or(head.bottom, |last| lines[last].bottom);
        let top = f32::midpoint(head_ends, lines[first].top.max(head_ends));
        let mut rows: Vec<Row<'_>> = Vec::with_capacity(spans.len());
        for (index, own) in spans.iter().enumerate() {
            let below = own.last()?.bottom;
            let next = spans.get(index + 1).and_then(|next| next.first());
            let bottom = next.map_or(below + 0.2 * head.size, |next| f32::midpoint(below, next.top.max(below)));
            let top = rows.last().map_or(top, |before| before.bottom);
            rows.push(Row { lines: own, top, bottom });
        }
        Some(Self { top, rows })
    }
}

/// How far rows lie from each other: the median of those that follow each other without a line between.
fn pitch(lines: &[TextLine<'_>], marked: &[bool]) -> Option<f32> {
    let next = || lines.windows(2).zip(marked.windows(2)).filter(|(_, marks)| marks[0] && marks[1]);
    let mut gaps: Vec<f32> = next().map(|(pair, _)| pair[1].y - pair[0].y).collect();
    if gaps.is_empty() {
        let starts: Vec<f32> =
            lines.iter().zip(marked).filter(|(_, marked)| **marked).map(|(line, _)| line.y).collect();
        gaps = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    }
    median(gaps).filter(|gap| *gap > 0.0)
}

/// Whether rows of one line lie at the same distance, or a whole number of times as far, from the next.
fn is_steady(lines: &[TextLine<'_>], starts: &[usize], pitch: f32) -> bool {
    let single = starts.windows(2).filter(|pair| pair[1] == pair[0] + 1);
    let gaps: Vec<f32> = single.map(|pair| (lines[pair[1]].y - lines[pair[0]].y) / pitch).collect();
    let steady = gaps.iter().filter(|gap| gap.round() >= 1.0 && (*gap - gap.round()).abs() <= STEADY).count();
    steady as f32 >= STEADILY * gaps.len() as f32
}

/// Whether an edge lies between two heights.
fn is_parted(edges: &[f32], from: f32, to: f32) -> bool {
    let next = edges.partition_point(|&edge| edge <= from);
    edges.get(next).is_some_and(|&edge| edge < to)
}

/// Whether the first line below a head is a word of it.
fn continues_head(line: &TextLine<'_>, head: &Head<'_>, columns: &Columns<'_>) -> bool {
    let figures = line
        .phrases
        .iter()
        .flat_map(|phrase| &phrase.words)
        .any(|word| word.text.contains(|c: char| c.is_ascii_digit()));
    line.top - head.bottom < (LEADING - 1.0) * head.size && !figures && 2 * line.phrases.len() <= columns.count()
}

/// Whether a line without a text in the first column, as far below another one as rows are, goes on with it: a text or
/// two, each below another.
fn goes_on(line: &TextLine<'_>, before: &TextLine<'_>, size: f32, columns: &Columns<'_>) -> bool {
    let has = |column: usize| before.phrases.iter().any(|phrase| columns.at(phrase.bbox.x1) == column);
    line.y - before.y <= LEADING * size
        && line.phrases.len() <= (columns.count() / GOES_ON).max(1)
        && line.phrases.iter().all(|phrase| has(columns.at(phrase.bbox.x1)))
}
