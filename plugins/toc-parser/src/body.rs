//! Sections from the headings in a manual's body: "SECTION 08 11 13" over or beside a title, with PART 1 below.

use std::collections::HashSet;

use fanlight_masterformat::Number;
use fanlight_text::{Line, Page};

use crate::contents;
use crate::result::{Division, Gathering};

/// A section's heading stands among the first lines of its first page.
const FIRST_LINES: usize = 14;

/// The headings of the pages seen so far.
#[derive(Debug, Default)]
pub(crate) struct Headings {
    found: Vec<(Number, String)>,
    seen: HashSet<Number>,
}

impl Headings {
    /// Takes up the heading of a page that a section begins on.
    pub(crate) fn add(&mut self, page: &Page) {
        let lines: Vec<String> = page.lines.iter().take(FIRST_LINES).map(text).collect();
        let part_one = page.lines.iter().take(3 * FIRST_LINES).any(|line| contents::is_part_one(&text(line)));
        // A heading without PART 1 below it (a document, a form) stands alone on its line or is bold, as no mention does.
        let heads = |number: &Number, rest: &str, line: &Line| {
            let bold = line.words.first().is_some_and(|word| word.style.bold);
            part_one || (number.worded && (bold || rest.is_empty() || number.division() == 0))
        };
        let mut headings: Vec<(Number, String)> = Vec::new();
        for (index, (line, text)) in page.lines.iter().zip(&lines).enumerate() {
            let Some((number, rest)) = contents::section_number(text) else { continue };
            if !heads(&number, &rest, line) {
                continue;
            }
            let title = if rest.is_empty() { title_below(&page.lines[index + 1..]) } else { rest };
            let is_title = !title.is_empty()
                && title.chars().count() <= 100
                && !title.ends_with('.')
                && !contents::figures_only(&title)
                && contents::section_number(&title).is_none()
                && !contents::is_beside_title(&title);
            if is_title {
                headings.push((number, title));
            }
        }
        // A page's header may begin with figures too: a heading says that it is one.
        let chosen = headings.iter().position(|(number, _)| number.worded).unwrap_or_default();
        if chosen < headings.len() {
            let (number, title) = headings.swap_remove(chosen);
            let number = Number { worded: false, ..number };
            if self.seen.insert(number.clone()) {
                self.found.push((number, title));
            }
        }
    }

    /// All headings as divisions.
    pub(crate) fn finish(self) -> Vec<Division> {
        let mut gathering = Gathering::default();
        for (number, title) in self.found {
            gathering.add_section(&number, title);
        }
        gathering.finish()
    }
}

fn text(line: &Line) -> String {
    let words: Vec<&str> = line.words.iter().filter(|word| !word.leader).map(|word| word.text.as_str()).collect();
    words.join(" ")
}

/// The title's lines under a number, at most three: set alike and close to each other, none that begins a text.
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
