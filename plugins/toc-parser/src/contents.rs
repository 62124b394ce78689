//! Finds the contents pages of a manual and reads them.

mod assembly;
mod cells;
mod columns;
mod divisions;
mod headings;
mod rows;
mod running;
mod titles;

use std::collections::HashSet;

use fanlight_contract::PagePaths;
use fanlight_masterformat::{Number, numbers};
use fanlight_text::Page;
use fanlight_text::folding;

use crate::result::Division;
use cells::Cell;
use columns::{Side, Sides};
use headings::Kind;
use rows::PageRows;
use running::RunningLines;

pub(crate) use divisions::{figures_first as division_in_figures, heading as division_heading};
pub(crate) use titles::{is_unused, join_lines as join_title};

/// Pages seen so far, as far as they could be contents.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    candidates: Vec<Candidate>,
    /// Pages of few lines: a volume's cover, a division's heading by itself.
    bridges: HashSet<u32>,
    running: RunningLines,
}

/// A page that holds section numbers or a contents' heading.
#[derive(Debug)]
struct Candidate {
    page: u32,
    cells: Vec<Cell>,
    /// Height of the page, in points.
    height: f32,
    /// Whether "Table of Contents" or the like stands on it.
    headed: bool,
}

/// A page read, with what tells whether it belongs to a contents.
#[derive(Debug)]
pub(crate) struct Sheet {
    page: u32,
    rows: PageRows,
    headed: bool,
}

/// A page of no more lines than this holds no text to speak of.
const BRIDGE_LINES: usize = 15;

impl Reader {
    /// Takes up a page. `paths` is asked only where the page could be contents.
    pub(crate) fn add(&mut self, number: u32, page: &Page, paths: impl FnOnce() -> PagePaths) {
        let plain = cells::cells(&page.lines, &[]);
        self.running.add(number, &plain, page.frame.height);
        let lines = lines_of(&plain);
        let headed = lines.iter().any(|(_, text)| headings::is_contents(text));
        if lines.len() <= BRIDGE_LINES {
            self.bridges.insert(number);
        }
        let has_number =
            |cell: &Cell| numbers::leading(&cell.text).is_some() || numbers::trailing(&cell.text).is_some();
        if !plain.iter().any(has_number) {
            return;
        }
        let rules = cells::rules(&paths(), &page.frame);
        let cells = if rules.is_empty() { plain } else { cells::cells(&page.lines, &rules) };
        self.candidates.push(Candidate { page: number, cells, height: page.frame.height, headed });
    }

    /// The divisions that the contents pages among the pages print; none where there are no contents pages.
    pub(crate) fn finish(self) -> Vec<Division> {
        let running = self.running;
        let pages: Vec<_> = self
            .candidates
            .into_iter()
            .map(|candidate| {
                let cells = running.without(candidate.page, candidate.cells, candidate.height);
                let sides = Sides::of(&cells);
                (candidate.page, candidate.headed, cells, sides)
            })
            .collect();
        let total = pages
            .iter()
            .fold((0.0, 0.0), |(left, right), (.., sides)| (left + sides.weights.0, right + sides.weights.1));
        let usual = if total.0 >= total.1 { Side::Left } else { Side::Right };
        let sheets = pages
            .into_iter()
            .map(|(page, headed, cells, sides)| {
                let arrangement = sides.arrange(&cells, usual);
                let rows = arrangement.map(|arrangement| rows::read(&cells, &arrangement)).unwrap_or_default();
                Sheet { page, rows, headed }
            })
            .collect();
        assembly::divisions(sheets, &self.bridges)
    }
}

/// The text of each line, by its index.
fn lines_of(cells: &[Cell]) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for cell in cells {
        match lines.last_mut() {
            Some((line, text)) if *line == cell.line => {
                text.push(' ');
                text.push_str(&cell.text);
            }
            _ => lines.push((cell.line, cell.text.clone())),
        }
    }
    lines
}

/// A section's number at the start of a line, and the rest tidied.
pub(crate) fn section_number(line: &str) -> Option<(Number, String)> {
    let line = folding::tidy(line);
    let (number, rest) = numbers::leading(&line)?;
    Some((number, rest.to_owned()))
}

/// Whether a text is a page, a date or the like.
pub(crate) fn is_beside_title(text: &str) -> bool {
    titles::is_beside_title(text, None)
}

/// A section's number and title, if a line is both.
pub(crate) fn section_line(line: &str) -> Option<(Number, String)> {
    let (number, rest) = section_number(line)?;
    let title = titles::clean(&rest, &number);
    folding::has_letters(title, 2).then(|| (number.clone(), title.to_owned()))
}

/// "PART 1" or its like in another language.
pub(crate) fn is_part_one(line: &str) -> bool {
    let folded = folding::fold(line);
    ["PART 1", "PART I ", "PART ONE", "PARTIE 1", "PARTE 1", "1.1 ", "1.01 "]
        .iter()
        .any(|mark| folded.starts_with(mark))
}

/// A line that only a section's body has.
pub(crate) fn is_body_line(line: &str) -> bool {
    matches!(headings::kind(line), Kind::Body | Kind::Part) || is_part_one(line)
}

/// Figures, and signs between them.
pub(crate) fn figures_only(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_alphabetic)
}

/// "1. Definitions", "A. Summary": what begins a paragraph.
pub(crate) fn is_list_item(text: &str) -> bool {
    let label = text.split_whitespace().next().unwrap_or_default();
    let bare = label.trim_end_matches(['.', ')']);
    label.len() > bare.len()
        && !bare.is_empty()
        && bare.len() <= 3
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}
