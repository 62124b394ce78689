//! Finds the contents pages of a manual and reads them.

mod assembly;
mod cells;
mod codes;
mod columns;
mod divisions;
mod headings;
mod rows;
mod running;
mod titles;

use std::collections::HashSet;

use fanlight_contract::PagePaths;
use fanlight_masterformat::{Number, numbers, parts};
use fanlight_text::Page;
use fanlight_text::folding;

use crate::result::Division;
use cells::Cell;
use codes::Codes;
use columns::{Side, Sides};
use headings::LineKind;
use rows::PageRows;
use running::RunningLines;

pub(crate) use divisions::{figures_first as division_in_figures, heading as division_heading};
pub(crate) use titles::{is_beside_title, is_unused, join_lines as join_title};

/// Collects the pages that may belong to the table of contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    candidates: Vec<Candidate>,
    /// Pages with few lines, such as a volume's cover or a division's divider. A table of contents
    /// continues across them.
    bridges: HashSet<u32>,
    running: RunningLines,
    codes: Codes,
}

/// A page with section numbers or with the heading of a table of contents.
#[derive(Clone, Debug)]
struct Candidate {
    page: u32,
    cells: Vec<Cell>,
    /// Height of the page in points.
    height: f32,
    /// Whether "Table of Contents" or the like is on it.
    headed: bool,
}

/// A page after its rows are read, with what decides whether it belongs to a table of contents.
#[derive(Debug)]
pub(crate) struct ContentsPage {
    page: u32,
    rows: PageRows,
    headed: bool,
}

/// A page with at most this many lines has no text worth reading.
const BRIDGE_LINES: usize = 15;

impl Reader {
    /// Adds a page. `paths` is called only if the page could belong to a table of contents.
    pub(crate) fn add(&mut self, number: u32, page: &Page, paths: impl FnOnce() -> PagePaths) {
        let lines = self.codes.without(&page.lines);
        let plain = cells::cells(&lines, &[]);
        let texts: Vec<String> = cells::lines(&plain).map(cells::text_of_line).collect();
        if texts.iter().any(|text| parts::is_section_contents(text)) {
            return;
        }
        self.running.add(number, &plain, page.frame.height);
        let headed = texts.iter().any(|text| headings::is_contents(text));
        if texts.len() <= BRIDGE_LINES {
            self.bridges.insert(number);
        }
        let has_number =
            |cell: &Cell| numbers::leading(&cell.text).is_some() || numbers::trailing(&cell.text).is_some();
        if !plain.iter().any(has_number) {
            return;
        }
        let rules = cells::rules(&paths(), &page.frame);
        let cells = if rules.is_empty() { plain } else { cells::cells(&lines, &rules) };
        self.candidates.push(Candidate { page: number, cells, height: page.frame.height, headed });
    }

    /// Returns the divisions that the contents pages print. The list is empty if there are no
    /// contents pages.
    pub(crate) fn finish(self) -> Vec<Division> {
        let mut candidates = self.candidates;
        for candidate in &mut candidates {
            self.running.remove(candidate.page, &mut candidate.cells, candidate.height);
        }
        let sides: Vec<Sides> = candidates.iter().map(|candidate| Sides::new(&candidate.cells)).collect();
        let left: f32 = sides.iter().map(|sides| sides.scores.left).sum();
        let right: f32 = sides.iter().map(|sides| sides.scores.right).sum();
        let usual = if left >= right { Side::Left } else { Side::Right };
        let pages = candidates.into_iter().zip(sides).map(|(candidate, sides)| candidate.read(sides, usual)).collect();
        assembly::divisions(pages, &self.bridges)
    }
}

impl Candidate {
    /// Reads the rows of the page. `sides` are its numbers on either side of their titles, and `usual` is the side of the
    /// numbers on most pages of the manual.
    fn read(self, sides: Sides, usual: Side) -> ContentsPage {
        let arrangement = sides.arrange(&self.cells, usual);
        let rows = arrangement.map(|arrangement| rows::read(&self.cells, &arrangement)).unwrap_or_default();
        ContentsPage { page: self.page, rows, headed: self.headed }
    }
}

/// Returns the section number at the start of a line, and the normalized rest of the line.
pub(crate) fn section_number(line: &str) -> Option<(Number, String)> {
    let line = folding::tidy(line);
    let (number, rest) = numbers::leading(&line)?;
    Some((number, rest.to_owned()))
}

/// Returns the section number at the end of a line, and the normalized text before it.
pub(crate) fn section_number_at_end(line: &str) -> Option<(Number, String)> {
    let line = folding::tidy(line);
    let (rest, number) = numbers::trailing(&line)?;
    Some((number, rest.to_owned()))
}

/// Returns the number and title of a section if a line has both.
pub(crate) fn section_line(line: &str) -> Option<(Number, String)> {
    let (number, rest) = section_number(line)?;
    let title = titles::clean(&rest, &number);
    folding::has_letters(title, 2).then(|| (number.clone(), title.to_owned()))
}

/// Returns whether a line can only belong to a section's body.
pub(crate) fn is_body_line(line: &str) -> bool {
    matches!(headings::kind(line), LineKind::Body | LineKind::Part | LineKind::Article) || parts::is_first(line)
}

/// Returns whether a text consists of figures and signs.
pub(crate) fn figures_only(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_alphabetic)
}

/// Returns whether a text begins with the label of a paragraph: "1. Definitions", "A. Summary".
pub(crate) fn is_list_item(text: &str) -> bool {
    let label = text.split_whitespace().next().unwrap_or_default();
    let bare = label.trim_end_matches(['.', ')']);
    label.len() > bare.len()
        && !bare.is_empty()
        && bare.len() <= 3
        && bare.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}
