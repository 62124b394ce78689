//! Sections from the headings in a manual's body: "SECTION 08 11 13" above or beside a title, with
//! PART 1 below.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use fanlight_masterformat::{Number, parts};
use fanlight_text::{Line, Page, are_apart};

use crate::contents;
use crate::result::{Division, DivisionList};

/// A section's heading is among this many lines above its PART 1, or the first of its page.
const FIRST_LINES: usize = 14;

/// Numbers and titles, one of which may be a section's heading.
type Candidates = Vec<(Number, String)>;

/// What may be the section headings of the pages read so far, for each place where one stands.
#[derive(Debug, Default)]
pub(crate) struct Headings {
    places: Vec<Candidates>,
}

impl Headings {
    /// Adds the lines of a page that may be headings of its sections.
    pub(crate) fn add(&mut self, page: &Page) {
        let lines = &page.lines;
        let firsts: Vec<usize> = (0..lines.len()).filter(|index| parts::is_first(&text(&lines[*index]))).collect();
        // Below PART 1 a section names others that it requires.
        let begins = std::iter::once(0).chain(firsts.iter().map(|first| first + 1));
        let above = firsts.iter().zip(begins).map(|(first, begin)| lines_above(lines, begin, *first));
        let found = above.map(|lines_above| candidates(lines, lines_above, true)).filter(|found| !found.is_empty());
        let places = self.places.len();
        self.places.extend(found);
        if firsts.is_empty() {
            self.places
                .extend((0..lines.len()).filter_map(|index| outline_heading(lines, index)).map(|found| vec![found]));
        }
        if self.places.len() == places {
            let end = firsts.first().map_or(FIRST_LINES, |first| FIRST_LINES.min(*first)).min(lines.len());
            self.places.push(candidates(lines, 0..end, !firsts.is_empty()));
        }
    }

    /// Returns the headings of all pages, grouped by division.
    pub(crate) fn finish(self) -> Vec<Division> {
        let mut places_with: HashMap<&Number, usize> = HashMap::new();
        for (number, _) in self.places.iter().flatten() {
            *places_with.entry(number).or_default() += 1;
        }
        let mut divisions = DivisionList::default();
        let mut seen = HashSet::new();
        for headings in &self.places {
            // The header of a page may begin with figures too, such as the project's number. A number that is announced by a
            // word ("SECTION") is the heading, otherwise the one that the fewest places have.
            let worded = headings.iter().find(|(number, _)| number.worded);
            let rarest = headings.iter().min_by_key(|(number, _)| places_with.get(number));
            let Some((number, title)) = worded.or(rarest) else { continue };
            let number = Number { worded: false, ..number.clone() };
            if seen.insert(number.clone()) {
                divisions.add_section(&number, title.clone());
            }
        }
        divisions.finish()
    }
}

/// Returns the lines from `begin` to a section's PART 1 among which its heading is: the last ones, below the end of the section
/// before it.
fn lines_above(lines: &[Line], begin: usize, part_one: usize) -> Range<usize> {
    let begin = begin.max(part_one.saturating_sub(FIRST_LINES));
    let end = (begin..part_one).rev().find(|index| parts::is_section_end(&text(&lines[*index])));
    end.map_or(begin, |end| end + 1)..part_one
}

/// Returns the lines of a range that may be a section's heading.
fn candidates(lines: &[Line], range: Range<usize>, has_part_one: bool) -> Candidates {
    range.filter_map(|index| heading(lines, index, has_part_one)).collect()
}

/// Returns the number and title of a section of outline specifications, which have no parts: a line in capitals that stands alone
/// ("SECTION 02200  EARTHWORK").
fn outline_heading(lines: &[Line], index: usize) -> Option<(Number, String)> {
    let line = lines.get(index)?;
    let (number, title) = contents::section_number(&text(line)).filter(|(number, _)| number.worded)?;
    let is_in_capitals = !text(line).chars().any(char::is_lowercase);
    let above = index.checked_sub(1).is_none_or(|above| is_apart(&lines[above], line));
    let below = lines.get(index + 1).is_some_and(|below| is_apart(line, below));
    (is_in_capitals && above && below && is_title(&title)).then_some((number, title))
}

/// Returns whether white space separates a line from the one below it.
fn is_apart(line: &Line, below: &Line) -> bool {
    let size = line.words.first().map_or(0.0, |word| word.size);
    are_apart(line.baseline, below.baseline, size)
}

/// Returns the number and title of a section if line `index` of a page can be its heading.
fn heading(lines: &[Line], index: usize, has_part_one: bool) -> Option<(Number, String)> {
    let line = lines.get(index)?;
    let line_text = text(line);
    if parts::is_section_end(&line_text) {
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
        && !contents::is_beside_title(text, None)
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
