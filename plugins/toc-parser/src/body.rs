//! Sections from the headings in a manual's body: "SECTION 08 11 13" above or beside a title, with
//! PART 1 below.

use std::collections::{HashMap, HashSet};

use fanlight_masterformat::{Number, parts};
use fanlight_text::folding::squeeze;
use fanlight_text::{Line, Page, words};

use crate::contents;
use crate::result::{Division, DivisionList};

/// A section's heading is among this many first lines of its page.
const FIRST_LINES: usize = 14;

/// What may be the section heading of each page read so far.
#[derive(Debug, Default)]
pub(crate) struct Headings {
    pages: Vec<Vec<(Number, String)>>,
}

impl Headings {
    /// Adds the lines of a page that may be its section's heading.
    pub(crate) fn add(&mut self, page: &Page) {
        let part_one = page.lines.iter().take(3 * FIRST_LINES).position(|line| parts::is_first(&text(line)));
        // Below PART 1 a section names others that it requires.
        let end = part_one.map_or(FIRST_LINES, |part_one| part_one.min(FIRST_LINES)).min(page.lines.len());
        let headings = (0..end).filter_map(|index| heading(&page.lines, index, part_one.is_some()));
        self.pages.push(headings.collect());
    }

    /// Returns the headings of all pages, grouped by division.
    pub(crate) fn finish(self) -> Vec<Division> {
        let mut pages_with: HashMap<&Number, usize> = HashMap::new();
        for (number, _) in self.pages.iter().flatten() {
            *pages_with.entry(number).or_default() += 1;
        }
        let mut divisions = DivisionList::default();
        let mut seen = HashSet::new();
        for headings in &self.pages {
            // The header of a page may begin with figures too, such as the project's number. A number that is announced by a
            // word ("SECTION") is the heading, otherwise the one that the fewest pages have.
            let worded = headings.iter().find(|(number, _)| number.worded);
            let rarest = headings.iter().min_by_key(|(number, _)| pages_with.get(number));
            let Some((number, title)) = worded.or(rarest) else { continue };
            let number = Number { worded: false, ..number.clone() };
            if seen.insert(number.clone()) {
                divisions.add_section(&number, title.clone());
            }
        }
        divisions.finish()
    }
}

/// Returns the number and title of a section if line `index` of a page can be its heading.
fn heading(lines: &[Line], index: usize, has_part_one: bool) -> Option<(Number, String)> {
    let line = lines.get(index)?;
    let line_text = text(line);
    if words::SECTION_ENDS.matches(&squeeze(&line_text)) {
        return None;
    }
    let numbered = contents::section_number(&line_text).or_else(|| contents::section_number_at_end(&line_text));
    let (number, rest) = numbered.filter(|(number, rest)| is_heading(number, rest, line, has_part_one))?;
    if !rest.is_empty() {
        return is_title(&rest).then_some((number, rest));
    }
    let above = index.checked_sub(1).and_then(|above| lines.get(above)).map(text).unwrap_or_default();
    let title = [title_below(&lines[index + 1..]), above].into_iter().find(|title| is_title(title))?;
    Some((number, title))
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
