//! Detects page headers and footers by their recurrence.

use std::collections::HashMap;

use super::cells::{Cell, lines, text_of_line};
use super::divisions;
use super::headings;
use super::titles;
use fanlight_masterformat::numbers;
use fanlight_text::folding::{fold, has_letters};

/// The share of the page's height, from the top, that headers are in.
const HEADER: f32 = 0.22;
/// The share of the page's height, from the bottom, that footers are in.
const FOOTER: f32 = 0.15;

/// The lines near the top and bottom of the pages read so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunningLines {
    /// The pages that have a line with this text at this height.
    seen: HashMap<(String, i32), Vec<u32>>,
}

impl RunningLines {
    /// Adds the lines of a page.
    pub(crate) fn add(&mut self, page: u32, cells: &[Cell], height: f32) {
        let in_margin = |line: &&[Cell]| in_header(line, height) || in_footer(line, height);
        for line in lines(cells).filter(in_margin) {
            if let Some(key) = key(line) {
                self.seen.entry((key, place(line))).or_default().push(page);
            }
        }
    }

    /// Removes the lines of a page that other pages have at about the same height. The search goes
    /// from the edge of the page to the first line of the contents, since the last word of a title
    /// recurs too. A line that looks like an entry is a running line only if an adjacent
    /// page has it: two volumes may print the same contents, but not on adjacent pages.
    pub(crate) fn remove(&self, page: u32, cells: &mut Vec<Cell>, height: f32) {
        let stays = |line: &[Cell]| is_contents_line(line) && !self.recurs(line, |other| page.abs_diff(other) == 1);
        let found: Vec<usize> = lines(cells)
            .take_while(|line| in_header(line, height) && !stays(line))
            .chain(lines(cells).rev().take_while(|line| in_footer(line, height) && !stays(line)))
            .filter(|line| self.recurs(line, |other| other != page))
            .filter_map(|line| line.first().map(|cell| cell.line))
            .collect();
        cells.retain(|cell| !found.contains(&cell.line));
    }

    /// Returns whether a line is at about the same height on a page that `counts`.
    fn recurs(&self, line: &[Cell], counts: impl Fn(u32) -> bool) -> bool {
        let Some(key) = key(line) else { return false };
        let place = place(line);
        let pages = (place - 1..=place + 1).filter_map(|place| self.seen.get(&(key.clone(), place)));
        pages.flatten().any(|page| counts(*page))
    }
}

fn in_header(line: &[Cell], height: f32) -> bool {
    line.first().is_some_and(|cell| cell.y < HEADER * height)
}

fn in_footer(line: &[Cell], height: f32) -> bool {
    line.first().is_some_and(|cell| cell.y > (1.0 - FOOTER) * height)
}

/// Returns whether a line is a section with its title, or a division's heading. Two volumes may
/// print the same line at the same place.
fn is_contents_line(line: &[Cell]) -> bool {
    let number_in = |cell: &Cell| numbers::leading(&cell.text).map(|(_, rest)| is_title(rest));
    let inline = line.iter().any(|cell| number_in(cell) == Some(true));
    let in_columns = line.windows(2).any(|pair| number_in(&pair[0]).is_some() && is_title(&pair[1].text));
    inline || in_columns || divisions::heading(&text_of_line(line)).is_some()
}

/// Returns whether a text can be the title of a section.
fn is_title(text: &str) -> bool {
    titles::can_be_title(text) && !headings::is_contents(text) && numbers::leading(text).is_none()
}

/// Returns the height of a line in steps of 5 points.
fn place(line: &[Cell]) -> i32 {
    line.first().map_or(0, |cell| (cell.y / 5.0).round() as i32)
}

/// Returns the text by which lines are compared, with all digits replaced by "#" so that page
/// numbers make no difference. Numbers of sections and divisions are kept. A number in a table's
/// row is never a running line: the result is then `None`.
fn key(line: &[Cell]) -> Option<String> {
    let text = text_of_line(line);
    let alike = |text: &str| -> String { text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect() };
    if divisions::heading(&text).is_some() {
        return Some(fold(&text));
    }
    let is_bare = |cell: &Cell| numbers::leading(&cell.text).is_some_and(|(_, rest)| rest.is_empty());
    if line.iter().any(is_bare)
        && line.iter().all(|cell| numbers::leading(&cell.text).is_some() || !has_letters(&cell.text, 4))
    {
        return None;
    }
    Some(match numbers::leading(&text) {
        Some((number, rest)) => format!("{} {}", number.six, alike(&fold(rest))),
        None => alike(&fold(&text)),
    })
}
