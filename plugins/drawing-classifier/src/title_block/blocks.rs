//! Lines of text that are one entry: set alike, one below the other.

use crate::drawing_type;
use crate::labels::{self, Label};
use crate::number;
use crate::sheet::{Sheet, Text, middle};

/// One or several lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Its lines, joined by spaces.
    pub(super) text: String,
    /// As printed.
    pub(super) first_line: String,
    /// On the upright page.
    pub(super) bbox: [f32; 4],
    /// The beginning of its first line on the upright page.
    pub(super) start: (f32, f32),
    /// The height of the em in points.
    pub(super) size: f32,
    /// Quarter turns counterclockwise from upright.
    pub(super) turn: u8,
    /// What its label says that it is.
    pub(super) label: Option<Label>,
    /// Whether it is those lines of a block that name the content of the sheet, without the others.
    pub(super) part: bool,
    /// Whether OCR read its first line.
    pub(super) read: bool,
}

impl Block {
    /// Returns whether a box is inside it.
    pub(super) fn holds(&self, bbox: [f32; 4]) -> bool {
        let (x, y) = middle(bbox);
        (self.bbox[0]..=self.bbox[2]).contains(&x) && (self.bbox[1]..=self.bbox[3]).contains(&y)
    }
}

/// A line in its own upright frame.
struct Row<'t> {
    text: &'t Text,
    value: &'t str,
    bbox: [f32; 4],
    label: Option<Label>,
    /// Whether the line names itself by a label before a colon, which begins a block.
    opens: bool,
    /// Whether the set says it on most sheets.
    repeated: bool,
    /// Whether the line is a word that may be a label or the last line of a title: "GENERAL /
    /// NOTES".
    doubtful: bool,
}

impl Row<'_> {
    /// Returns whether it can only be a label: "SHEET NUMBER", but not "NOTES".
    fn announces(&self) -> bool {
        self.doubtful && (labels::read(self.value) != Some(Label::Other) || self.value.contains(' '))
    }
}

/// The greatest distance of an entry's baselines, in em.
const LEADING: f32 = 2.0;
/// The usual distance of a title's baselines, in em.
const TIGHT: f32 = 1.45;
/// The distance of a cell's baselines set in one style, in em.
const CLOSE: f32 = 1.35;
/// The greatest ratio of an entry's sizes.
const SIZES: f32 = 1.12;
/// The same for text from OCR, whose sizes are estimated from the height of the letters.
/// Those of the lines of one title differ by up to 1.55 (`fit-sheet-entries --ocr`).
const READ_SIZES: f32 = 1.6;
/// The least distance of an entry's baselines, in em of the larger line.
const LEAST_LEADING: f32 = 0.5;
/// The same for text from OCR, where the larger line is estimated too large.
const READ_LEAST_LEADING: f32 = 0.4;
/// The greatest indentation of the second line of a numbered entry, in em: "1. FLOOR PLAN / CEILING PLAN".
const HANGING: f32 = 2.0;
/// A short line that OCR missed leaves a gap in a title with a label on its first line, in em.
const READ_LEADING: f32 = 2.6;
/// The greatest difference of left edges, right edges or centres, in em.
const ALIGNED: f32 = 1.0;
/// The most lines of an entry.
const MAX_LINES: usize = 9;

/// Returns the blocks of a sheet. `labels` has the label of each text, `repeated` whether the set
/// repeats the text.
pub(super) fn blocks(sheet: &Sheet, labels: &[Option<Label>], repeated: &[bool]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for turn in 0..4 {
        let mut rows: Vec<Row<'_>> = sheet
            .texts
            .iter()
            .zip(labels)
            .zip(repeated)
            .filter(|((text, _), _)| text.turn == turn)
            .map(|((text, label), repeated)| {
                let value = labels::with_value(&text.text);
                Row {
                    text,
                    value: value.map_or(text.text.as_str(), |(_, value)| value),
                    bbox: text.upright(sheet.width, sheet.height),
                    label: value.map(|(label, _)| label).or(*label),
                    opens: value.is_some(),
                    repeated: *repeated,
                    doubtful: labels::read(&text.text).is_some(),
                }
            })
            .collect();
        rows.sort_by(|a, b| a.bbox[3].total_cmp(&b.bbox[3]));
        // The last line of each open block, so that a line is compared only with those just above
        // it.
        let mut open: Vec<Vec<usize>> = Vec::new();
        let mut closed: Vec<Vec<usize>> = Vec::new();
        for index in 0..rows.len() {
            let row = &rows[index];
            let (over, still): (Vec<_>, Vec<_>) = open.into_iter().partition(|block| {
                block.last().is_none_or(|&last| {
                    row.bbox[3] - rows[last].bbox[3] > READ_LEADING * rows[last].text.size.max(row.text.size)
                })
            });
            closed.extend(over);
            open = still;
            let joined = open
                .iter_mut()
                .filter(|block| block.len() < MAX_LINES && !row.opens && !row.announces())
                .find(|block| block.last().is_some_and(|&last| follows(&rows[last], row)));
            match joined {
                Some(block) => block.push(index),
                None if row.doubtful => {}
                None => open.push(vec![index]),
            }
        }
        closed.extend(open);
        absorb_spread(&mut closed, &rows);
        for block in &closed {
            let lines: Vec<&Row<'_>> = block.iter().filter_map(|&at| rows.get(at)).collect();
            blocks.extend(joined(&lines));
            blocks.extend(telling_part(&lines).and_then(joined).map(|block| Block { part: true, ..block }));
        }
    }
    blocks
}

/// Returns whether a line continues the one above.
fn follows(above: &Row<'_>, row: &Row<'_>) -> bool {
    if is_other_entry(row.value) {
        return false;
    }
    let read = above.text.read && row.text.read;
    let (sizes, least) = if read { (READ_SIZES, READ_LEAST_LEADING) } else { (SIZES, LEAST_LEADING) };
    let (a, b) = (above.bbox, row.bbox);
    let (larger, smaller) = (above.text.size.max(row.text.size), above.text.size.min(row.text.size));
    let step = b[3] - a[3];
    let near = |x: f32, y: f32| (x - y).abs() <= ALIGNED * larger;
    let hanging = is_numbered(above.value) && (0.0..HANGING * larger).contains(&(b[0] - a[0]));
    let aligned =
        hanging || near(a[0], b[0]) || near(a[2], b[2]) || near(f32::midpoint(a[0], a[2]), f32::midpoint(b[0], b[2]));
    // The values of two labels are two entries.
    let one_entry = row.label.is_none() || above.label.is_none() || row.label == above.label;
    let leading = match above.label {
        // The project's name above a title is its first line only if the distance is that of a
        // line.
        _ if above.repeated && !row.repeated => CLOSE,
        Some(Label::Title) if read => READ_LEADING,
        _ if row.doubtful => TIGHT,
        _ => LEADING,
    };
    step > least * larger && step <= leading * larger && larger <= sizes * smaller && aligned && one_entry
}

/// A line with this likeness to a sheet's number is one (`number`). A single figure has less: it may end a title, "LEVEL / 1".
const NUMBER_LIKENESS: f32 = 0.4;

/// Returns whether a line is a sheet's number or has a year, and names no content: neither continues a title.
fn is_other_entry(text: &str) -> bool {
    let is_number = || number::read(text).is_some_and(|number| number.likeness >= NUMBER_LIKENESS);
    (super::has_year(text) || is_number()) && !drawing_type::names_content(text)
}

/// Returns whether a line begins with the number of an item: "1. FLOOR PLAN".
fn is_numbered(text: &str) -> bool {
    text.split_once(['.', ')'])
        .is_some_and(|(item, _)| (1..=2).contains(&item.len()) && item.chars().all(|c| c.is_ascii_digit()))
}

/// White space within a justified line, in em.
const SPREAD: f32 = 3.5;

/// Joins the pieces of justified lines: texts between a block's own edges on one of its lines.
fn absorb_spread(blocks: &mut Vec<Vec<usize>>, rows: &[Row<'_>]) {
    for at in 0..blocks.len() {
        // A joined piece may bring the next one within reach.
        while blocks[at].len() >= 2 {
            let Some(piece) =
                (0..blocks.len()).find(|&other| other != at && is_piece(&blocks[other], &blocks[at], rows))
            else {
                break;
            };
            let mut piece = std::mem::take(&mut blocks[piece]);
            blocks[at].append(&mut piece);
            let size = blocks[at].first().map_or(1.0, |&row| rows[row].text.size);
            let line = |row: usize| (rows[row].bbox[3] / (0.5 * size).max(0.1)).round() as i32;
            blocks[at].sort_by(|&a, &b| line(a).cmp(&line(b)).then(rows[a].bbox[0].total_cmp(&rows[b].bbox[0])));
        }
    }
    blocks.retain(|block| !block.is_empty());
}

/// Returns whether a block of one row is a piece of a line of another.
fn is_piece(block: &[usize], of: &[usize], rows: &[Row<'_>]) -> bool {
    let &[piece] = block else { return false };
    let own = || of.iter().map(|&row| &rows[row]);
    let size = own().map(|row| row.text.size).fold(0.0, f32::max);
    let left = own().map(|row| row.bbox[0]).fold(f32::MAX, f32::min);
    let right = own().map(|row| row.bbox[2]).fold(f32::MIN, f32::max);
    let [x1, _, x2, foot] = rows[piece].bbox;
    let beside = own().any(|row| {
        let gap = (x1 - row.bbox[2]).max(row.bbox[0] - x2);
        (row.bbox[3] - foot).abs() < 0.2 * size && gap > 0.0 && gap < SPREAD * size
    });
    beside && x1 > left - 0.5 * size && x2 < right + 0.5 * size && (rows[piece].text.size - size).abs() < 0.05 * size
}

/// Returns the lines of a block without a label from the first to the last that names the content of the sheet, if they are not
/// all: a title may be set like the project's name above it and the author's below.
fn telling_part<'r, 't>(lines: &'r [&'r Row<'t>]) -> Option<&'r [&'r Row<'t>]> {
    if lines.iter().any(|line| line.label == Some(Label::Title)) {
        return None;
    }
    let tells = |line: &&Row<'_>| drawing_type::names_content(line.value);
    let (first, last) = (lines.iter().position(tells)?, lines.iter().rposition(tells)?);
    let part = lines.get(first..=last)?;
    (part.len() < lines.len()).then_some(part)
}

fn joined(rows: &[&Row<'_>]) -> Option<Block> {
    // A scale below a title is no part of it.
    let is_titled = rows.iter().any(|row| !labels::is_scale(row.value));
    let rows: Vec<_> = rows.iter().filter(|row| !is_titled || !labels::is_scale(row.value)).collect();
    let first = rows.first()?;
    let mut bbox = first.text.bbox;
    let mut text = String::new();
    for row in &rows {
        bbox = super::union(bbox, row.text.bbox);
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(row.value.trim());
    }
    let start = match first.text.turn {
        1 => (first.text.bbox[0], first.text.bbox[3]),
        2 => (first.text.bbox[2], first.text.bbox[3]),
        3 => (first.text.bbox[2], first.text.bbox[1]),
        _ => (first.text.bbox[0], first.text.bbox[1]),
    };
    Some(Block {
        text: labels::without_scale(&text).to_owned(),
        first_line: first.value.to_owned(),
        bbox,
        start,
        size: first.text.size,
        turn: first.text.turn,
        label: rows.iter().find_map(|row| row.label),
        part: false,
        read: first.text.read,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the texts of the blocks of lines: text, left edge, baseline and size.
    fn blocks_of(lines: &[(&str, f32, f32, f32)], read: bool) -> Vec<String> {
        let line = |&(text, x, foot, size): &(&str, f32, f32, f32)| {
            let bbox = [x, foot - size, x + 5.0 * text.len() as f32, foot];
            Text { text: text.to_owned(), bbox, size, turn: 0, read }
        };
        let texts: Vec<Text> = lines.iter().map(line).collect();
        let (labels, repeated) = (vec![None; texts.len()], vec![false; texts.len()]);
        let sheet = Sheet { texts, width: 800.0, height: 600.0, ..Sheet::default() };
        blocks(&sheet, &labels, &repeated).into_iter().filter(|block| !block.part).map(|block| block.text).collect()
    }

    #[test]
    fn dates_and_numbers_continue_no_title() {
        let printed = blocks_of(&[("GROUND FLOOR", 600.0, 500.0, 10.0), ("25 OCT 2022", 600.0, 512.0, 10.0)], false);
        assert_eq!(printed, ["GROUND FLOOR", "25 OCT 2022"]);
        let printed = blocks_of(&[("GROUND FLOOR", 600.0, 500.0, 10.0), ("PLAN 2", 600.0, 512.0, 10.0)], false);
        assert_eq!(printed, ["GROUND FLOOR PLAN 2"]);
    }

    #[test]
    fn a_single_figure_may_end_a_title() {
        let lines = [("LIFE SAFETY PLAN - LEVEL", 600.0, 500.0, 10.0), ("1", 600.0, 512.0, 10.0)];
        assert_eq!(blocks_of(&lines, false), ["LIFE SAFETY PLAN - LEVEL 1"]);
    }

    #[test]
    fn a_numbered_entry_may_hang_and_its_sizes_from_ocr_may_differ() {
        let lines = [("1. FLOOR PLAN / CEILING", 600.0, 500.0, 8.0), ("PLAN", 612.0, 512.0, 8.0)];
        assert_eq!(blocks_of(&lines, false), ["1. FLOOR PLAN / CEILING PLAN"]);
        let lines = [("FRONT ELEVATION", 600.0, 500.0, 7.4), ("REAR ELEVATION", 600.0, 505.4, 11.5)];
        assert_eq!(blocks_of(&lines, true), ["FRONT ELEVATION REAR ELEVATION"]);
        assert_eq!(blocks_of(&lines, false).len(), 2);
    }
}
