//! Detects where sections begin and end: headings, as opposed to sentences and lists that mention a
//! section.

mod likelihood;

use fanlight_masterformat::{Number, numbers, parts};
use fanlight_text::are_apart;
use fanlight_text::folding::{self, fold, has_letters, squeeze, tidy};
use fanlight_text::words::SECTION_CONTENTS;

use crate::labels;
use crate::leaf::{Cell, Line};
use crate::parameters::Wanted;
use crate::running::{Sheet, page_mark};

pub use likelihood::HEADING_FEATURES;

/// The heading of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) number: Number,
    /// As printed, with its lines joined. May be empty.
    pub(crate) title: String,
    /// The index of its first line among the page's text.
    pub(crate) line: usize,
    /// The number of its lines.
    pub(crate) lines: usize,
}

/// The sections that are known to be in the manual.
pub(crate) struct Known<'a> {
    pub(crate) sections: &'a [Wanted],
}

impl Known<'_> {
    /// Returns whether a section with a number is known.
    pub(crate) fn has(&self, number: &Number) -> bool {
        self.sections.iter().any(|section| section.section_code == number.six)
    }

    /// Returns the titles of the sections with a number.
    fn titles(&self, number: &Number) -> impl Iterator<Item = &str> {
        let sections = self.sections.iter().filter(|section| section.section_code == number.six);
        sections.map(|section| section.section_title.as_str())
    }
}

/// Returns whether a line begins a part: "PART 1 - GENERAL", "1.0 GENERAL".
pub(crate) fn is_part(text: &str) -> bool {
    parts::part(text).is_some()
}

/// Returns whether a line begins an article: "1.01 SUMMARY", "1-1 Summary", "1.1.1 Definitions".
pub(crate) fn is_article(text: &str) -> bool {
    let line = tidy(text);
    let title = labels::article(&line).map(|number| line[number.len()..].trim_start());
    title.is_some_and(|title| title.starts_with(|c: char| c.is_uppercase() || c == '(') && !title.ends_with([',', ';']))
}

/// Returns whether a line is a paragraph with a label: "A. Doors", "1) Doors".
pub(crate) fn has_list_label(text: &str) -> bool {
    labels::item(text).is_some_and(|label| label.len() < text.len())
}

/// PART 1 follows the heading of a section within this many lines.
pub(crate) const PART_WITHIN: usize = 16;
/// A longer text, in characters, is no title.
const MAX_TITLE_LENGTH: usize = 140;

/// A line with a section's number, and what is known of it.
#[derive(Clone, Debug)]
pub struct HeadingCandidate {
    /// The page, counted from 1.
    pub page: u32,
    /// The section's six digits.
    pub code: String,
    /// The title beside or below the number.
    pub title: String,
    /// Whether only names are above it on its page.
    pub heads_page: bool,
    /// In the order of [`HEADING_FEATURES`].
    pub features: [f32; HEADING_FEATURES.len()],
    pub(crate) heading: Heading,
}

impl HeadingCandidate {
    /// Returns the logarithm of the odds that the line is a heading rather than a mention.
    pub fn log_odds(&self) -> f32 {
        likelihood::log_odds(&self.features)
    }
}

/// Returns the headings on a page. `crowded` says that the page lists sections.
pub(crate) fn on(sheet: &Sheet, known: &Known, crowded: bool) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    for candidate in candidates(sheet, known, crowded) {
        let is_below = found.last().is_none_or(|last| candidate.heading.line >= last.line + last.lines);
        if is_below && candidate.log_odds() > 0.0 {
            found.push(candidate.heading);
        }
    }
    found
}

/// Returns the lines of a page that may be headings. `crowded` says that the page lists sections.
pub(crate) fn candidates(sheet: &Sheet, known: &Known, crowded: bool) -> Vec<HeadingCandidate> {
    let texts: Vec<String> = sheet.lines.iter().map(|line| healed(tidy(&line.text()))).collect();
    let possible = (0..texts.len()).filter_map(|at| candidate(sheet, &texts, at, known));
    // Contents have at most their own heading, at their beginning. Below them, the first sections may stand.
    let is_possible = |heading: &Heading| {
        !crowded || (heading.line <= 3 && squeeze(&heading.title).contains("CONTENTS")) || is_repeated(&texts, heading)
    };
    let headings = possible.filter(is_possible);
    headings
        .map(|heading| HeadingCandidate {
            page: sheet.page,
            code: heading.number.six.clone(),
            title: heading.title.clone(),
            heads_page: is_page_top(&texts, heading.line),
            features: likelihood::features(sheet, &texts, &heading, known),
            heading,
        })
        .collect()
}

/// The text of a section begins within this many lines below its heading.
const TEXT_WITHIN: usize = 8;

/// Returns whether labelled paragraphs or sentences are right below a heading, rather than further names, and no article of a
/// section that began before it.
fn begins_text(texts: &[String], heading: &Heading) -> bool {
    let below = texts.get(heading.line + heading.lines..).unwrap_or_default();
    let is_text = below.iter().take(TEXT_WITHIN).any(|text| is_of_section(text) || is_sentence(text));
    is_text && !heading.title.ends_with('.') && first_article(below.iter()).is_none_or(|text| parts::is_first(text))
}

/// Returns whether a line above a heading has its number: a page lists the section, and then begins it.
fn is_repeated(texts: &[String], heading: &Heading) -> bool {
    let mut above = texts.iter().take(heading.line);
    above.any(|text| numbers::leading(text).is_some_and(|(number, _)| number.six == heading.number.six))
}

/// A heading has at most this many lines above it that are no text: the name of the division, of the project, of the
/// client and the date.
const MAX_LINES_ABOVE: usize = 6;
/// A line of a section's text has more words than a name above a heading.
const MAX_NAME_WORDS: usize = 9;

/// Returns whether only names are above line `at` of a page: no paragraph, part, article or end of a section.
pub(crate) fn is_page_top(texts: &[String], at: usize) -> bool {
    at <= MAX_LINES_ABOVE && texts.get(..at).unwrap_or_default().iter().all(|text| is_name(text))
}

/// Returns whether a line begins a part, an article or a labelled paragraph.
pub(crate) fn is_of_section(text: &str) -> bool {
    is_part(text) || is_article(text) || has_list_label(text)
}

/// Returns whether a line can be a name above a heading: short, and neither labelled nor the end of a sentence.
fn is_name(text: &str) -> bool {
    let is_text = is_of_section(text) || parts::is_section_end(text);
    let is_inside = text.ends_with(['.', ';', ',']) || text.starts_with(|c: char| c.is_lowercase());
    !is_text && !is_inside && text.split_whitespace().count() <= MAX_NAME_WORDS
}

/// Repairs a word or a number that the producer's spacing splits: "SECTI ON 08 11 13", "0 24119 SELECTIVE DEMOLITION".
fn healed(text: String) -> String {
    let figures = text.split(' ').take_while(|word| word.bytes().all(|byte| byte.is_ascii_digit())).count();
    if figures > 1 && numbers::leading(&text).is_none() {
        let split: Vec<&str> = text.splitn(figures + 1, ' ').collect();
        let number = split[..figures].concat();
        return if number.len() == 6 { [&[number.as_str()], &split[figures..]].concat().join(" ") } else { text };
    }
    let mut words = text.splitn(3, ' ');
    let (Some(one), Some(other), Some(rest)) = (words.next(), words.next(), words.next()) else { return text };
    let joined = format!("{one}{other}");
    let torn = ["SECTION", "DOCUMENT"].contains(&fold(&joined).as_str());
    if torn { format!("{joined} {rest}") } else { text }
}

/// Maximum distance of a centred line's middle from that of the page or of the line below, relative to the page's width.
const MAX_OFF_CENTRE: f32 = 0.03;

fn is_centred(sheet: &Sheet, line: &Line) -> bool {
    let middle = f32::midpoint(line.left(), line.right());
    (middle - sheet.width / 2.0).abs() < MAX_OFF_CENTRE * sheet.width && line.left() > 0.18 * sheet.width
}

/// Returns the title in the line above a number that has none beside or below it: "Resumen del Trabajo" above "Sección 01 10 00".
/// It is one that the contents have, or stands apart from the text above it.
fn title_above<'a>(
    sheet: &Sheet,
    texts: &'a [String],
    line: usize,
    heading: &Heading,
    known: &Known,
) -> Option<&'a String> {
    let above = line.checked_sub(1)?;
    let text = texts.get(above)?;
    let is_known = known.titles(&heading.number).any(|title| equal(title, text));
    let stands_alone =
        heading.title.is_empty() && is_title(text) && is_isolated(sheet, above) && !is_isolated(sheet, line);
    (is_known || stands_alone).then_some(text)
}

/// Returns what a line says if it is a heading.
fn candidate(sheet: &Sheet, texts: &[String], line: usize, known: &Known) -> Option<Heading> {
    let text = without_chapter(texts.get(line).filter(|text| !parts::is_section_end(text))?);
    if let Some((number, rest)) = numbers::leading_after_code(text) {
        if is_clause(&number) {
            return None;
        }
        // A title does not follow a comma, nor a bracket, unless the number is in brackets: "(08 71 00) Door Hardware".
        let printed = text.strip_suffix(rest).unwrap_or(text);
        let is_bracketed = text.starts_with(['(', '[']) && printed.trim_end().ends_with([')', ']']);
        if printed.trim_end().ends_with([',', ';', ')', '.']) && !rest.is_empty() && !is_bracketed {
            return None;
        }
        // Departments of transportation number the articles of a section so: "31 23 33-1 DESCRIPTION".
        let is_article = printed.ends_with('-') && rest.starts_with(|c: char| c.is_ascii_digit());
        if is_article || page_mark(&fold(rest)).is_some() {
            return None;
        }
        if !rest.is_empty() {
            let (title, lines) = title_on(sheet, texts, line, rest);
            return Some(Heading { number, title, line, lines: lines + 1 });
        }
        let (title, lines) = title_below(sheet, texts, line + 1);
        let heading = Heading { number, title, line, lines: lines + 1 };
        return Some(match title_above(sheet, texts, line, &heading, known) {
            Some(title) => Heading { title: title.clone(), line: line - 1, lines: 2, ..heading },
            None => heading,
        });
    }
    if numbers::is_announcement(text) {
        let (number, rest) = numbers::leading(texts.get(line + 1)?)?;
        let (title, lines) = if rest.is_empty() { title_below(sheet, texts, line + 2) } else { (rest.to_owned(), 0) };
        return Some(Heading { number: Number { worded: true, ..number }, title, line, lines: lines + 2 });
    }
    let (title, number) = numbers::trailing(text)?;
    // The end of a sentence can name a section as well. The words of a title are capitalised.
    let large = |word: &str| word.len() <= 3 || !word.starts_with(|c: char| c.is_lowercase());
    let is_titled = title.split_whitespace().all(large) && title.ends_with(|c: char| c.is_alphanumeric() || c == ')');
    if !has_letters(title, 3) || !is_titled || has_list_label(title) {
        return None;
    }
    // A number without a word is in brackets or apart from the title, as in a heading with the number at the right. Otherwise the
    // contents have the title, and text is below: "Glazing | 08 80 00".
    let cells = sheet.lines.get(line).map_or(&[][..], |line| &line.cells);
    let is_apart = cells.len() > 1
        && cells.last().is_some_and(|last| numbers::leading(&last.text).is_some_and(|(_, rest)| rest.is_empty()));
    let is_set_off = number.worded || is_apart || text.ends_with([')', ']']);
    let is_known = known.titles(&number).any(|known| equal(known, title));
    let heading = Heading { number, title: title.to_owned(), line, lines: 1 };
    (is_set_off || (is_known && begins_text(texts, &heading))).then_some(heading)
}

/// Returns a line without the number of a chapter before that of a section: "2.3 03 30 00 Cast-in-Place Concrete".
fn without_chapter(text: &str) -> &str {
    let rest = labels::article(text).map(|chapter| text[chapter.len()..].trim_start());
    rest.filter(|rest| numbers::leading(rest).is_some()).unwrap_or(text)
}

/// Returns whether a number is that of a clause, which begins with its section's: "03 30 00.1 Scope". Numbers of level 4 have two
/// figures.
fn is_clause(number: &Number) -> bool {
    !number.worded && matches!(number.suffix.as_bytes(), [b'.', figure] if figure.is_ascii_digit())
}

/// Returns a title that begins beside its number, and the number of its further lines.
fn title_on(sheet: &Sheet, texts: &[String], line: usize, rest: &str) -> (String, usize) {
    let mut title = rest.to_owned();
    let mut taken = 0;
    for next in line + 1..=line + 2 {
        let (Some(below), Some(above), Some(text)) =
            (sheet.lines.get(next), sheet.lines.get(next - 1), texts.get(next))
        else {
            break;
        };
        let set_alike = below.bold == above.bold && (below.size - above.size).abs() < 0.6;
        let close = below.y > above.y && below.y - above.y <= 1.35 * above.size;
        let capitals = !title.chars().any(char::is_lowercase) && !text.chars().any(char::is_lowercase);
        if !(set_alike && close && (capitals || below.bold) && is_title(text)) {
            break;
        }
        title.push(' ');
        title.push_str(text);
        taken += 1;
    }
    (title, taken)
}

/// Returns the title in the lines below a number, which have one style, up to the first line of the
/// section's text.
fn title_below(sheet: &Sheet, texts: &[String], first: usize) -> (String, usize) {
    let mut title = String::new();
    let mut taken = 0;
    for at in first..first + 3 {
        let (Some(line), Some(text)) = (sheet.lines.get(at), texts.get(at)) else { break };
        if !is_title(text) {
            break;
        }
        if let Some(above) = at.checked_sub(1).filter(|_| taken > 0).and_then(|above| sheet.lines.get(above)) {
            let apart = line.y < above.y || are_apart(above.y, line.y, above.size);
            if apart || line.bold != above.bold || (line.size - above.size).abs() > 0.6 {
                break;
            }
            title.push(' ');
        }
        title.push_str(text);
        taken += 1;
    }
    (title, taken)
}

/// Returns whether a line can be a section's title or a part of it.
fn is_title(text: &str) -> bool {
    has_letters(text, 2)
        && text.chars().count() <= MAX_TITLE_LENGTH
        && !is_part(text)
        && !is_article(text)
        && !parts::is_section_end(text)
        && !has_list_label(text)
        && !text.ends_with([';', ','])
        && !is_sentence(text)
        && numbers::leading(text).is_none()
}

/// Returns whether a text has small letters, and a full stop at its end or in its middle.
fn is_sentence(text: &str) -> bool {
    let small = text.chars().filter(|c| c.is_lowercase()).count();
    let stop = text.ends_with('.') || text.contains(". ");
    small > 12 && stop && text.split_whitespace().count() > 5
}

/// Returns whether the next part or article below a heading is the first of a section. Below the name of another section, in a
/// list of related ones, it is a later one.
fn first_part_follows(texts: &[String], heading: &Heading) -> bool {
    let below = texts.iter().skip(heading.line + heading.lines).take(PART_WITHIN);
    first_article(below).is_some_and(|text| parts::is_first(text))
}

/// Returns the first of some lines that begins a part or an article.
fn first_article<'a>(mut lines: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    lines.find(|text| is_part(text) || is_article(text))
}

/// Returns the first of the lines that belong to a heading whose number is in line `at`: the names of the project and the like
/// may stand centred right above it.
pub(crate) fn with_names_above(sheet: &Sheet, texts: &[String], at: usize) -> usize {
    let above = (0..at).rev().take(MAX_LINES_ABOVE);
    at - above.take_while(|&above| is_name_above_next(sheet, texts, above)).count()
}

/// Returns whether line `at` is a name centred right above the next line.
fn is_name_above_next(sheet: &Sheet, texts: &[String], at: usize) -> bool {
    let (Some(name), Some(below), Some(text)) = (sheet.lines.get(at), sheet.lines.get(at + 1), texts.get(at)) else {
        return false;
    };
    let shift = f32::midpoint(name.left(), name.right()) - f32::midpoint(below.left(), below.right());
    let is_above_middle = is_centred(sheet, name) && shift.abs() < MAX_OFF_CENTRE * sheet.width;
    is_above_middle && !are_apart(name.y, below.y, below.size) && is_name(text) && numbers::leading(text).is_none()
}

/// Returns whether white space separates line `at` from the text above it.
fn is_isolated(sheet: &Sheet, at: usize) -> bool {
    let Some(above) = at.checked_sub(1).and_then(|above| sheet.lines.get(above)) else { return true };
    sheet.lines.get(at).is_none_or(|line| line.y < above.y || are_apart(above.y, line.y, line.size))
}

/// Returns the words of a title, without the short ones.
fn words(title: &str) -> Vec<String> {
    folding::words(&fold(title)).filter(|word| word.len() > 2).map(str::to_owned).collect()
}

/// Returns whether two titles are equal apart from their typography.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    !a.is_empty() && a == b
}

/// Returns whether all or nearly all words of two titles are equal, or all letters: OCR may lose the spaces between words.
pub(crate) fn similar(a: &str, b: &str) -> bool {
    let letters = squeeze(a);
    if letters == squeeze(b) {
        return !letters.is_empty();
    }
    let (a, b) = (words(a), words(b));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let common = a.iter().filter(|word| b.contains(word)).count();
    2 * common * 10 >= (a.len() + b.len()) * 7
}

/// Returns whether a page lists sections, as contents or an index. `after` says that the page
/// before it does.
pub(crate) fn is_contents(sheet: &Sheet, texts: &[String], after: bool) -> bool {
    if is_own_contents(sheet, texts) {
        return false;
    }
    let listed = sheet.lines.iter().zip(texts).filter(|(line, text)| lists_section(line, text)).count();
    let lines = sheet.lines.iter().zip(texts);
    // Generated contents list parts and articles too, most with their pages.
    let (paged, body): (Vec<_>, Vec<_>) =
        lines.filter(|(_, text)| is_part(text) || is_article(text)).partition(|(line, _)| ends_with_page(line));
    let body = body.len();
    let prose = texts.iter().filter(|text| has_list_label(text) || is_sentence(text)).count();
    let outline = paged.len() + if prose == 0 { body } else { 0 };
    let mut header_cells = sheet.running.iter().flat_map(|line| &line.cells);
    let header = header_cells.any(|cell| names_contents(&cell.text) || is_short_name(&cell.text));
    if header || (after && (body == 0 || prose == 0)) {
        return listed >= 1 && prose <= listed && (header || (listed + outline) * 3 >= texts.len());
    }
    let is_named = texts.iter().take(12).any(|text| names_contents(text));
    let needed = if outline > 0 { 1 } else { 3 };
    (is_named && listed >= needed) || (body <= 3 && listed >= 6 && listed * 5 >= texts.len() * 2)
}

/// Returns whether a page has the contents of one section, with which that section begins.
fn is_own_contents(sheet: &Sheet, texts: &[String]) -> bool {
    let running = sheet.running.iter().flat_map(|line| &line.cells).map(|cell| &cell.text);
    running.chain(texts).any(|text| parts::is_section_contents(text))
}

/// Returns whether a line is a section's number with its title, or its number alone. The number may be in any of the line's cells.
fn lists_section(line: &Line, text: &str) -> bool {
    let leading = numbers::leading_after_code(text).is_some_and(|(_, rest)| rest.is_empty() || has_letters(rest, 3));
    let is_number = |cell: &Cell| numbers::leading(&cell.text).is_some_and(|(_, rest)| rest.is_empty());
    let beside = line.cells.iter().any(is_number) && has_letters(text, 3);
    leading || beside || numbers::trailing(text).is_some_and(|(title, _)| has_letters(title, 3))
}

/// Returns whether the last of a line's cells is a page number.
fn ends_with_page(line: &Line) -> bool {
    let last = line.cells.last().filter(|_| line.cells.len() > 1);
    last.is_some_and(|cell| cell.text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns whether a text is the name of contents: "Table of Contents".
fn names_contents(text: &str) -> bool {
    SECTION_CONTENTS.matches(&squeeze(text))
}

/// Returns whether a text is a short name of contents with a page: "TOC - 3".
fn is_short_name(text: &str) -> bool {
    folding::words(&fold(text)).any(|word| word == "TOC")
}
