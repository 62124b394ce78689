//! Assigns lines to sections.
//!
//! A section begins at its heading, or, if no heading can be read, where headers or footers begin
//! to show its number. On a page where a section begins below another, headers and footers may name
//! either. It ends at END OF SECTION, at the heading of the next section, or at a page that belongs
//! to no section: contents, the cover of a division or volume, or a form. If heading and footer disagree,
//! the heading is right: footers are copied from section to section.

use std::collections::HashSet;

use fanlight_masterformat::{Number, parts};
use fanlight_text::folding::{self, fold};
use fanlight_text::words::{BLANK_PAGES, COVERS, FORMS};

use crate::headings::{self, Heading, HeadingCandidate, Known};
use crate::parameters::Wanted;
use crate::running::{Label, Manual, Sheet, has_text};

/// The lines of a section, between two positions in the manual. A position is the index of a page
/// and the index of a line on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(crate) number: Number,
    /// As its heading prints it.
    pub(crate) title: String,
    /// The position of its first line.
    pub(crate) from: (usize, usize),
    /// The position after its last line.
    pub(crate) to: (usize, usize),
    /// The number of lines that its heading takes.
    pub(crate) heading_lines: usize,
}

/// Returns the body of each wanted section.
pub(crate) fn locate(manual: &Manual, wanted: &[Wanted]) -> Vec<Option<Body>> {
    assign(&Splitter::new(manual, &Known { sections: wanted }).bodies(), wanted)
}

/// Returns the lines of a manual that may be headings.
pub(crate) fn candidates(manual: &Manual, wanted: &[Wanted]) -> Vec<HeadingCandidate> {
    let known = Known { sections: wanted };
    let mut listing = false;
    let mut found = Vec::new();
    for sheet in &manual.sheets {
        let texts: Vec<String> = sheet.lines.iter().map(crate::leaf::Line::text).collect();
        listing = headings::is_contents(sheet, &texts, listing);
        found.extend(headings::candidates(sheet, &known, listing));
    }
    found
}

/// Assigns bodies to the wanted sections. Of several bodies with a section's code, the one with its
/// title is chosen. Of several sections with one code, each gets its own.
fn assign(bodies: &[Body], wanted: &[Wanted]) -> Vec<Option<Body>> {
    let mut taken: HashSet<usize> = HashSet::new();
    let mut found: Vec<Option<usize>> = vec![None; wanted.len()];
    let passes: [fn(&str, &str) -> bool; 3] = [headings::equal, headings::similar, |_, _| true];
    for title_fits in passes {
        for (section, found) in wanted.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let candidates = bodies.iter().enumerate().filter(|(at, body)| {
                let is_free = body.number.six == section.section_code && !taken.contains(at);
                is_free && title_fits(&body.title, &section.section_title)
            });
            // A stub of a few lines is less likely the body than a longer one.
            *found = candidates.max_by_key(|(at, body)| (size(body).min(2), std::cmp::Reverse(*at))).map(|(at, _)| at);
            taken.extend(*found);
        }
    }
    found.into_iter().map(|at| at.and_then(|at| bodies.get(at)).cloned()).collect()
}

/// Returns 0 for a heading alone, 1 for some lines, 2 for more than a page.
fn size(body: &Body) -> usize {
    match (body.to.0 - body.from.0, body.to.1.saturating_sub(body.from.1)) {
        (0, lines) if lines <= body.heading_lines + 1 => 0,
        (0, _) => 1,
        _ => 2,
    }
}

/// Reads the manual from the first page to the last, and opens and closes bodies.
struct Splitter<'a> {
    manual: &'a Manual,
    known: &'a Known<'a>,
    bodies: Vec<Body>,
    open: Option<Body>,
    /// The number in the footers of the section that was closed last.
    closed: Option<Number>,
    /// The number in the footers of the open body's first page.
    alias: Option<Number>,
    /// Whether the page belongs to a table of contents.
    listing: bool,
}

impl<'a> Splitter<'a> {
    fn new(manual: &'a Manual, known: &'a Known<'a>) -> Self {
        Self { manual, known, bodies: Vec::new(), open: None, closed: None, alias: None, listing: false }
    }

    fn bodies(mut self) -> Vec<Body> {
        let sheets = &self.manual.sheets;
        for (index, sheet) in sheets.iter().enumerate() {
            self.sheet(index, sheet);
        }
        self.close((sheets.len(), 0));
        self.bodies
    }

    fn sheet(&mut self, index: usize, sheet: &Sheet) {
        let texts: Vec<String> = sheet.lines.iter().map(crate::leaf::Line::text).collect();
        self.listing = headings::is_contents(sheet, &texts, self.listing);
        let headings = headings::on(sheet, self.known, self.listing);
        let heads_page = headings.first().is_some_and(|heading| headings::is_page_top(&texts, heading.line));
        if !heads_page {
            // Word processors fill a header with the first heading on its page, and a footer with the last. Either says
            // nothing of the lines above that heading.
            let label = sheet.label.as_ref();
            let label = label.filter(|label| headings.iter().all(|heading| heading.number.six != label.number.six));
            self.begin_by_label(index, sheet, label, &texts);
        }
        let mut headings = headings.into_iter().peekable();
        for (at, text) in texts.iter().enumerate() {
            if let Some(heading) = headings.next_if(|heading| heading.line == at) {
                let heads_page = headings::is_page_top(&texts, heading.line);
                let top = if heads_page { 0 } else { headings::with_names_above(sheet, &texts, heading.line) };
                self.begin(index, sheet, heading, top);
            } else if parts::is_section_end(text) {
                self.close((index, at + 1));
            }
        }
    }

    /// Reads a page that does not begin with a heading. It continues the open body, or begins one
    /// that only its header or footer names, or belongs to none.
    fn begin_by_label(&mut self, index: usize, sheet: &Sheet, label: Option<&Label>, texts: &[String]) {
        if let Some(open) = &self.open {
            let own =
                label.is_none_or(|label| label.number == open.number || Some(&label.number) == self.alias.as_ref());
            let foreign = is_cover(texts) || self.listing;
            if own && !(foreign && label.is_none()) {
                return;
            }
            // A wrong footer on a single page begins no section, and one that is kept from a section before does not begin that
            // section again. A footer that counts from page 1 does.
            let begins = label.is_some_and(|label| self.may_begin(&label.number) || label.page == Some(1));
            if !foreign && !begins {
                return;
            }
            self.close((index, 0));
        }
        let Some(label) = label.filter(|_| has_text(sheet) || sheet.lines.is_empty()) else { return };
        if self.listing && !self.known.has(&label.number) {
            return;
        }
        // Pages after END OF SECTION with the section's own footers are attached to it.
        if self.closed.as_ref() == Some(&label.number)
            && let Some(mut body) = self.bodies.pop()
        {
            body.to = (index, 0);
            self.alias = Some(label.number.clone());
            self.open = Some(body);
            return;
        }
        self.open = Some(Body {
            number: label.number.clone(),
            title: String::new(),
            from: (index, 0),
            to: (index, 0),
            heading_lines: 0,
        });
        self.alias = None;
    }

    /// Returns whether a section is known that has not begun yet.
    fn may_begin(&self, number: &Number) -> bool {
        self.known.has(number) && !self.bodies.iter().any(|body| body.number == *number)
    }

    /// Opens the section of a heading. `top` is the first line that belongs to the heading, 0 if no text is above it.
    fn begin(&mut self, index: usize, sheet: &Sheet, heading: Heading, top: usize) {
        let heads_page = top == 0;
        let number = Number { worded: false, ..heading.number };
        // A heading that is repeated on each page continues its section.
        if self.open.as_ref().is_some_and(|open| open.number == number && open.from.0 < index && heads_page) {
            return;
        }
        if self.open.is_none()
            && heads_page
            && self.bodies.last().is_some_and(|last| is_appendix(&number, &heading.title, last))
        {
            self.open = self.bodies.pop();
            return;
        }
        self.close((index, top));
        self.alias = sheet.label.as_ref().filter(|_| heads_page).map(|label| label.number.clone());
        self.open = Some(Body {
            number,
            title: heading.title,
            from: (index, heading.line),
            to: (index, heading.line),
            heading_lines: heading.lines,
        });
    }

    /// Ends the open body before `to`. Pages without text and forms at its end do not belong to it.
    fn close(&mut self, mut to: (usize, usize)) {
        let Some(mut body) = self.open.take() else { return };
        self.closed = Some(self.alias.take().unwrap_or_else(|| body.number.clone()));
        while to.1 == 0 && to.0 > body.from.0 {
            let Some(sheet) = self.manual.sheets.get(to.0 - 1) else { break };
            to = (to.0 - 1, sheet.lines.len());
            let label = sheet.label.as_ref();
            let own =
                label.is_some_and(|label| label.number == body.number || self.closed.as_ref() == Some(&label.number));
            let foreign = !has_text(sheet) || is_left_blank(sheet) || is_form(sheet);
            if !foreign || own {
                break;
            }
            to.1 = 0;
        }
        body.to = to.max(body.from);
        self.bodies.push(body);
    }
}

/// Returns whether a heading begins an appendix of a section that has just ended: it repeats the section's, and goes on.
fn is_appendix(number: &Number, title: &str, body: &Body) -> bool {
    let (title, own) = (words(title), words(&body.title));
    let has_number = *number == body.number;
    has_number && !own.is_empty() && title.len() > own.len() && title.starts_with(&own)
}

/// Returns whether a page says "This page intentionally left blank" and nothing else.
fn is_left_blank(sheet: &Sheet) -> bool {
    sheet.lines.len() <= 3 && sheet.lines.iter().any(|line| BLANK_PAGES.matches(&words(&line.text())))
}

/// Returns whether a page is a form or a data sheet of its own, as they are bound in between sections: a name in capitals for it,
/// and no paragraph of a section.
fn is_form(sheet: &Sheet) -> bool {
    let texts: Vec<String> = sheet.lines.iter().map(crate::leaf::Line::text).collect();
    let mut in_capitals = texts.iter().take(3).filter(|text| !text.contains(char::is_lowercase));
    in_capitals.any(|text| FORMS.matches(&words(text))) && !texts.iter().any(|text| headings::is_of_section(text))
}

/// Returns the folded words of a line.
fn words(line: &str) -> Vec<String> {
    folding::words(&fold(line)).map(str::to_owned).collect()
}

/// Returns whether a page has the name of a division or volume and little else.
fn is_cover(texts: &[String]) -> bool {
    let begins = texts.iter().take(3).any(|text| COVERS.begins(&words(text)));
    begins && texts.len() <= 12 && !texts.iter().any(|text| headings::is_part(text) || headings::has_list_label(text))
}
