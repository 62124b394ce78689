//! Sections from the headings in a manual's body: "SECTION 08 11 13" above or beside a title, with
//! PART 1 below.

use std::collections::HashSet;

use fanlight_masterformat::{Number, parts};
use fanlight_text::{Line, Page};

use crate::contents;
use crate::result::{Division, DivisionList};

/// A section's heading is among this many first lines of its page.
const FIRST_LINES: usize = 14;

/// The section headings of the pages read so far.
#[derive(Debug, Default)]
pub(crate) struct Headings {
    found: Vec<(Number, String)>,
    seen: HashSet<Number>,
}

impl Headings {
    /// Adds the section heading of a page, if the page has one.
    pub(crate) fn add(&mut self, page: &Page) {
        let lines: Vec<String> = page.lines.iter().take(FIRST_LINES).map(text).collect();
        let has_part_one = page.lines.iter().take(3 * FIRST_LINES).any(|line| parts::is_first(&text(line)));
        let mut headings: Vec<(Number, String)> = Vec::new();
        for (index, (line, text)) in page.lines.iter().zip(&lines).enumerate() {
            let Some((number, rest)) = contents::section_number(text) else { continue };
            if !is_heading(&number, &rest, line, has_part_one) {
                continue;
            }
            let title = if rest.is_empty() { title_below(&page.lines[index + 1..]) } else { rest };
            if is_title(&title) {
                headings.push((number, title));
            }
        }
        // A page's header may begin with figures too. A number that is announced by a word
        // ("SECTION") is the heading.
        let chosen = headings.iter().position(|(number, _)| number.worded).unwrap_or_default();
        if chosen < headings.len() {
            let (number, title) = headings.swap_remove(chosen);
            let number = Number { worded: false, ..number };
            if self.seen.insert(number.clone()) {
                self.found.push((number, title));
            }
        }
    }

    /// Returns all headings, grouped by division.
    pub(crate) fn finish(self) -> Vec<Division> {
        let mut divisions = DivisionList::default();
        for (number, title) in self.found {
            divisions.add_section(&number, title);
        }
        divisions.finish()
    }
}

/// Returns whether a numbered line is a section's heading. A heading without PART 1 below it (a document, a form) is
/// alone on its line or bold, which no mention of a section is.
fn is_heading(number: &Number, rest: &str, line: &Line, has_part_one: bool) -> bool {
    let is_bold = line.words.first().is_some_and(|word| word.style.bold);
    has_part_one || (number.worded && (is_bold || rest.is_empty() || number.division() == 0))
}

/// Returns whether a text can be a section's title: at most 100 characters, no sentence, and neither a number nor a
/// page.
fn is_title(text: &str) -> bool {
    !text.is_empty()
        && text.chars().count() <= 100
        && !text.ends_with('.')
        && !contents::figures_only(text)
        && contents::section_number(text).is_none()
        && !contents::is_beside_title(text)
}

/// Returns the words of a line without leaders.
fn text(line: &Line) -> String {
    let words: Vec<&str> = line.words.iter().filter(|word| !word.leader).map(|word| word.text.as_str()).collect();
    words.join(" ")
}

/// Returns the title below a number: at most three lines of the same style, close to each other, up
/// to the first line of the section's text.
fn title_below(lines: &[Line]) -> String {
    let Some(first) = lines.first() else { return String::new() };
    let looks = |line: &Line| line.words.first().map(|word| (word.style.bold, word.size.round() as i32));
    let mut title: Vec<String> = Vec::new();
    let mut baseline = first.baseline;
    for line in lines.iter().take(3) {
        let size = line.words.first().map_or(0.0, |word| word.size);
        let text = text(line);
        let apart = !title.is_empty() && (line.baseline - baseline > 1.5 * size || looks(line) != looks(first));
        if apart || contents::is_body_line(&text) || contents::is_list_item(&text) {
            break;
        }
        baseline = line.baseline;
        title.push(text);
    }
    contents::join_title(&title)
}
