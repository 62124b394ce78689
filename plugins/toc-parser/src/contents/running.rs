//! Page headers and footers, known by their recurrence.

use std::collections::HashMap;

use super::cells::Cell;
use super::divisions;
use super::fold::{fold, has_letters};
use super::headings;
use super::numbers;
use super::titles;

/// Parts of the page's height in which headers and footers stand.
const HEADER: f32 = 0.22;
const FOOTER: f32 = 0.15;

/// Lines near the top and bottom of the pages seen so far.
#[derive(Debug, Default)]
pub(crate) struct RunningLines {
    /// How many pages have a line of this text at this height.
    seen: HashMap<(String, i32), u32>,
}

impl RunningLines {
    /// Counts a page's lines.
    pub(crate) fn add(&mut self, cells: &[Cell], height: f32) {
        let mut keys: Vec<(String, i32)> = lines(cells)
            .filter(|line| in_header(line, height) || in_footer(line, height))
            .filter_map(|line| key(line).map(|key| (key, place(line))))
            .collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            *self.seen.entry(key).or_default() += 1;
        }
    }

    /// A page's cells without the lines that other pages have at about the same height: from the edge as far as the
    /// contents' own lines, since a title's last word recurs too.
    pub(crate) fn without(&self, cells: Vec<Cell>, height: f32) -> Vec<Cell> {
        let running = |line: &[Cell]| key(line).is_some_and(|key| self.recurs(&key, place(line)));
        let found: Vec<usize> = lines(&cells)
            .take_while(|line| in_header(line, height) && !is_contents_line(line))
            .chain(lines(&cells).rev().take_while(|line| in_footer(line, height) && !is_contents_line(line)))
            .filter(|line| running(line))
            .filter_map(|line| line.first().map(|cell| cell.line))
            .collect();
        cells.into_iter().filter(|cell| !found.contains(&cell.line)).collect()
    }

    fn recurs(&self, key: &str, place: i32) -> bool {
        let count = |place| self.seen.get(&(key.to_owned(), place)).copied().unwrap_or_default();
        count(place - 1) + count(place) + count(place + 1) > 1
    }
}

fn lines(cells: &[Cell]) -> impl DoubleEndedIterator<Item = &[Cell]> {
    cells.chunk_by(|a, b| a.line == b.line)
}

fn in_header(line: &[Cell], height: f32) -> bool {
    line.first().is_some_and(|cell| cell.y < HEADER * height)
}

fn in_footer(line: &[Cell], height: f32) -> bool {
    line.first().is_some_and(|cell| cell.y > (1.0 - FOOTER) * height)
}

/// A section with its title, or a division's heading: two volumes may print the same at the same place.
fn is_contents_line(line: &[Cell]) -> bool {
    let is_title = |text: &str| {
        has_letters(text, 2)
            && !headings::is_contents(text)
            && !titles::is_beside_title(text, None)
            && numbers::leading(text).is_none()
    };
    let number_in = |cell: &Cell| numbers::leading(&cell.text).map(|(_, rest)| is_title(rest));
    let inline = line.iter().any(|cell| number_in(cell) == Some(true));
    let in_columns = line.windows(2).any(|pair| number_in(&pair[0]).is_some() && is_title(&pair[1].text));
    inline || in_columns || divisions::heading(&text_of(line)).is_some()
}

fn text_of(line: &[Cell]) -> String {
    line.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Height in steps of 5 points.
fn place(line: &[Cell]) -> i32 {
    line.first().map_or(0, |cell| (cell.y / 5.0).round() as i32)
}

/// What a line is compared by: its text, figures alike so that page numbers don't tell pages apart. Where figures are
/// the point (a section, a division), they stay; a number that stands for itself is never a running line.
fn key(line: &[Cell]) -> Option<String> {
    let text = text_of(line);
    let folded = fold(&text);
    let named = line.iter().any(|cell| numbers::leading(&cell.text).is_some_and(|(_, rest)| has_letters(rest, 2)));
    let followed =
        line.windows(2).any(|pair| numbers::leading(&pair[0].text).is_some() && has_letters(&pair[1].text, 2));
    if named || followed || divisions::heading(&text).is_some() {
        return Some(folded);
    }
    // A number in a table's row whose title stands on the lines above and below.
    let bare = line.iter().any(|cell| numbers::leading(&cell.text).is_some_and(|(_, rest)| rest.is_empty()));
    if bare && line.iter().all(|cell| numbers::leading(&cell.text).is_some() || !has_letters(&cell.text, 4)) {
        return None;
    }
    Some(folded.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect())
}
