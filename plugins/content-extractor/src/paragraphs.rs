//! Joins lines to paragraphs with their label, part and article.

use std::collections::HashSet;

use fanlight_masterformat::parts;
use fanlight_normalization::Place;
use fanlight_plugin::BoundingBox;
use fanlight_plugin::vocabulary::Rect;
use fanlight_text::folding::{has_letters, tidy};
use fanlight_text::words::{ABBREVIATIONS, COMPOUND_BEGINNINGS, COUNTED_UNITS};

use crate::labels;
use crate::leaf::{Cell, Line};
use crate::patterns::pattern;

/// The kind of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The section's number and title.
    Heading,
    /// "PART 1 - GENERAL".
    Part,
    /// "1.01 SUMMARY".
    Article,
    /// A row of a table.
    Row,
    /// Anything else.
    Text,
}

/// A paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paragraph {
    pub(crate) kind: Kind,
    /// "A.", "1)"; the number of an article. Mostly empty for text without a label.
    pub(crate) label: String,
    /// Without the label.
    pub(crate) text: String,
    /// The page that it begins on.
    pub(crate) page: u32,
    /// The byte offsets in `text` at which printed lines begin, with their places. The first is 0.
    pub(crate) lines: Vec<(usize, Place)>,
    /// 1, 2 or 3; 0 outside parts.
    pub(crate) part: u8,
    /// The number and title of its article; empty outside articles.
    pub(crate) article: String,
    /// The depth of its indentation below its article: 0 for "A.".
    pub(crate) depth: usize,
}

impl Paragraph {
    /// Returns label and text.
    pub(crate) fn whole(&self) -> String {
        match (self.label.is_empty(), self.text.is_empty()) {
            (true, _) => self.text.clone(),
            (_, true) => self.label.clone(),
            _ => format!("{} {}", self.label, self.text),
        }
    }

    /// Returns the text from `offset` as a paragraph below this heading, and keeps the lines above it.
    fn split_off(&mut self, offset: usize, text: String) -> Self {
        let beginning = self.lines.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
        let below = self.lines.iter().skip(beginning).map(|(start, place)| (start.saturating_sub(offset), *place));
        let lines: Vec<(usize, Place)> = below.collect();
        let page = lines.first().map_or(self.page, |(_, place)| place.page);
        self.lines.truncate(beginning + 1);
        Self { kind: Kind::Text, label: String::new(), text, page, lines, ..self.clone() }
    }

    /// Returns the page that it ends on.
    fn last_page(&self) -> u32 {
        self.lines.last().map_or(self.page, |(_, place)| place.page)
    }
}

/// Returns where a line stands.
fn line_place(page: u32, line: &Line) -> Place {
    let [x1, y1, x2, y2] = line.bbox;
    Place { page, bbox: BoundingBox::from(Rect { x1, y1, x2, y2 }) }
}

/// Returns a section's text, one line for each paragraph.
pub(crate) fn text(paragraphs: &[Paragraph]) -> String {
    paragraphs.iter().map(Paragraph::whole).collect::<Vec<_>>().join("\n")
}

/// Returns whether a section has more than its heading.
pub(crate) fn have_content(paragraphs: &[Paragraph]) -> bool {
    paragraphs.iter().any(|paragraph| paragraph.kind != Kind::Heading)
}

/// The words of all pages, folded, which distinguish a hyphenated word from a compound.
#[derive(Debug, Default)]
pub(crate) struct Words(HashSet<String>);

impl Words {
    /// Collects all words of the lines, except the last of a line that ends with a hyphen.
    pub(crate) fn from_lines<'a>(lines: impl Iterator<Item = (u32, &'a Line)>) -> Self {
        let mut words = HashSet::new();
        for word in lines.flat_map(|(_, line)| &line.cells).flat_map(|cell| cell.text.split_whitespace()) {
            let bare = bare(word);
            if !bare.is_empty() && !bare.ends_with('-') && !words.contains(bare) {
                words.insert(bare.to_lowercase());
            }
        }
        Self(words)
    }

    fn has(&self, word: &str) -> bool {
        self.0.contains(&word.to_lowercase())
    }
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-')
}

/// The label of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label<'a> {
    None,
    Article(&'a str),
    Item(&'a str),
}

// A class of submittals in a federal guide specification (UFGS) is on a line of its own.
pattern!(SUBMITTAL_CLASS = r"^SD-(?:0\d|1[0-2])\b");

fn label(text: &str) -> Label<'_> {
    if let Some(number) = labels::article(text) {
        return Label::Article(number);
    }
    labels::item(text).or_else(|| dash(text)).map_or(Label::None, Label::Item)
}

/// Returns the dash that a line begins with.
fn dash(text: &str) -> Option<&str> {
    let label = text.split_whitespace().next()?;
    matches!(label, "-" | "–").then_some(label)
}

/// The greatest distance of a paragraph's baselines, in em of its text.
const LEADING: f32 = 1.75;
/// The greatest difference of two left edges in one indentation, in points.
const ALIGNED: f32 = 4.0;

/// Joins a section's lines to paragraphs. The first line is that of its heading, if it has one.
pub(crate) fn paragraphs<'a>(
    lines: impl Iterator<Item = (u32, &'a Line)>,
    words: &Words,
    heading_lines: usize,
) -> Vec<Paragraph> {
    let mut joiner = Joiner {
        words,
        done: Vec::new(),
        open: None,
        part: 0,
        article: String::new(),
        lefts: Vec::new(),
        last: Vec::new(),
    };
    let lines: Vec<(u32, &Line)> = lines.collect();
    for (at, (page, line)) in lines.iter().enumerate() {
        if at < heading_lines {
            joiner.heading(*page, line);
            continue;
        }
        let near = |other: Option<usize>| other.and_then(|other| lines.get(other)).map(|(_, line)| *line);
        joiner.line(*page, line, [near(at.checked_sub(1)), near(Some(at + 1))]);
    }
    joiner.close();
    joiner.done
}

struct Open {
    paragraph: Paragraph,
    /// The left edge of its label, or of its text without a label.
    label_left: f32,
    /// The left edge of its text.
    text_left: f32,
    /// The baseline of its last line.
    y: f32,
    size: f32,
    bold: bool,
}

struct Joiner<'a> {
    words: &'a Words,
    done: Vec<Paragraph>,
    open: Option<Open>,
    part: u8,
    article: String,
    /// The left edges of the article's labels at each level, from the outermost.
    lefts: Vec<f32>,
    /// The last label of each form in the article: its form and its position in its sequence.
    last: Vec<(String, u32)>,
}

impl Joiner<'_> {
    /// Adds a line of the section's heading.
    fn heading(&mut self, page: u32, line: &Line) {
        let text = tidy(&line.text());
        match &mut self.open {
            Some(open) => {
                open.paragraph.lines.push((open.paragraph.text.len() + 1, line_place(page, line)));
                open.paragraph.text.push(' ');
                open.paragraph.text.push_str(&text);
            }
            None => self.open(Kind::Heading, page, line, String::new(), text, line.left()),
        }
    }

    fn line(&mut self, page: u32, line: &Line, neighbours: [Option<&Line>; 2]) {
        let whole = tidy(&line.text());
        if whole.is_empty() || parts::is_section_end(&whole) || parts::is_section_contents_end(&whole) {
            self.close();
            return;
        }
        if let Some(part) = parts::part(&whole) {
            self.close();
            self.part = part;
            self.article.clear();
            self.open(Kind::Part, page, line, String::new(), whole, line.left());
            return;
        }
        match self.label(&whole, line) {
            Label::Article(number) => {
                let title = whole[number.len()..].trim_start().to_owned();
                self.lefts.clear();
                self.last.clear();
                let after_number = line.left() + line.size * 0.55 * (number.len() + 1) as f32;
                let left = line.cells.get(1).map_or(after_number, |cell| cell.left);
                self.open(Kind::Article, page, line, number.to_owned(), title, left);
            }
            Label::Item(item) => {
                let rest = whole[item.len()..].trim_start().to_owned();
                if let Some((form, ordinal)) = ordinal(item) {
                    self.last.retain(|(other, _)| *other != form);
                    self.last.push((form, ordinal));
                }
                let left = line.cells.get(1).map_or(line.left(), |cell| cell.left);
                self.open(Kind::Text, page, line, item.to_owned(), rest, left);
            }
            Label::None if is_row(line, neighbours) => {
                let row = line.cells.iter().map(|cell| tidy(&cell.text)).collect::<Vec<_>>().join("\t");
                self.open(Kind::Row, page, line, String::new(), row, line.left());
                self.close();
            }
            Label::None if self.goes_on(page, line, &whole) => self.append(page, line, &whole),
            Label::None => self.open(Kind::Text, page, line, String::new(), whole, line.left()),
        }
    }

    /// Returns a line's label, unless it is a word or number of the sentence that the line
    /// continues.
    fn label<'t>(&self, whole: &'t str, line: &Line) -> Label<'t> {
        let found = label(whole);
        let (Label::Article(text) | Label::Item(text)) = found else { return Label::None };
        let alone = matches!(line.cells.as_slice(), [first, next, ..] if first.text == text && next.left - first.right > 0.75 * line.size);
        let rest = whole[text.len()..].trim_start();
        let Some(open) = self.open.as_ref() else { return plausible(found, rest) };
        let unfinished = !open.paragraph.text.ends_with(['.', ':', ';', '!', '?', '"', '”', ')']);
        // A number or an initial at the beginning of a wrapped line is where the text is.
        let hangs = open.paragraph.label.is_empty() || open.text_left - open.label_left > ALIGNED;
        let in_text = (line.left() - open.text_left).abs() < ALIGNED && hangs;
        if in_text && !alone && unfinished && open.paragraph.kind == Kind::Text && !self.is_due(text) {
            return Label::None;
        }
        if let Label::Article(number) = found {
            let heads = rest.starts_with(|c: char| c.is_uppercase() || c == '(') || rest.is_empty();
            let in_part = self.part == 0 || number.starts_with(char::from(b'0' + self.part));
            let outdented = line.left() <= open.label_left + ALIGNED || open.paragraph.kind != Kind::Text;
            if !heads || !(in_part || alone) || (!outdented && unfinished) {
                return Label::None;
            }
        }
        plausible(found, rest)
    }

    /// Returns whether a label is the first of its form or follows the last one.
    fn is_due(&self, label: &str) -> bool {
        let Some((form, ordinal)) = ordinal(label) else { return false };
        let last = self.last.iter().find(|(other, _)| *other == form).map_or(0, |(_, last)| *last);
        ordinal == 1 || ordinal == last + 1
    }

    /// Returns whether an unlabelled line belongs to the open paragraph.
    fn goes_on(&self, page: u32, line: &Line, whole: &str) -> bool {
        let Some(open) = &self.open else { return false };
        let paragraph = &open.paragraph;
        if [whole, paragraph.text.as_str()].iter().any(|text| SUBMITTAL_CLASS.is_match(text)) {
            return false;
        }
        let turned = page != paragraph.last_page() || line.y < open.y;
        let step = line.y - open.y;
        let finished = paragraph.text.ends_with(['.', '!', '?', ':']) || paragraph.text.ends_with("; G");
        let small = whole.starts_with(|c: char| c.is_lowercase());
        let aligned = (line.left() - open.text_left).abs() < ALIGNED || (line.left() - open.label_left).abs() < ALIGNED;
        match paragraph.kind {
            Kind::Article => {
                let alike = line.bold == open.bold && (line.size - open.size).abs() < 0.6;
                let capitals =
                    !whole.chars().any(char::is_lowercase) && !paragraph.text.chars().any(char::is_lowercase);
                let beneath = line.left() > open.label_left + ALIGNED;
                !turned && step <= 1.4 * open.size && alike && (capitals || (open.bold && beneath))
            }
            Kind::Text if paragraph.text.is_empty() => !turned && step <= LEADING * open.size,
            Kind::Text if turned => {
                small
                    || !finished
                    || (aligned && !paragraph.label.is_empty() && line.left() > open.label_left + ALIGNED)
            }
            Kind::Text => {
                let close = step <= LEADING * open.size.max(line.size);
                let hanging = !paragraph.label.is_empty() && (line.left() - open.text_left).abs() < ALIGNED;
                close && (hanging || small || (line.bold == open.bold && (!finished || aligned)))
            }
            Kind::Heading | Kind::Part | Kind::Row => false,
        }
    }

    fn append(&mut self, page: u32, line: &Line, whole: &str) {
        let words = self.words;
        let Some(open) = &mut self.open else { return };
        let paragraph = &mut open.paragraph;
        paragraph.lines.push((paragraph.text.len() + 1, line_place(page, line)));
        join(&mut paragraph.text, whole, words);
        if paragraph.label.is_empty() {
            open.text_left = line.left();
        }
        open.y = line.y;
    }

    /// Closes the open paragraph, and opens the one that begins with a line.
    fn open(&mut self, kind: Kind, page: u32, line: &Line, label: String, text: String, text_left: f32) {
        self.close();
        let left = line.left();
        let depth = match kind {
            // Text without a label can have labelled paragraphs below it.
            Kind::Text => self.depth(left),
            Kind::Row => self.lefts.iter().filter(|other| **other < left - ALIGNED).count(),
            _ => 0,
        };
        let lines = vec![(0, line_place(page, line))];
        let (part, article) = (self.part, self.article.clone());
        let paragraph = Paragraph { kind, label, text, page, lines, part, article, depth };
        let (y, size, bold) = (line.y, line.size, line.bold);
        self.open = Some(Open { paragraph, label_left: left, text_left, y, size, bold });
    }

    /// Returns the depth of a label at `left` among those of its article.
    fn depth(&mut self, left: f32) -> usize {
        self.lefts.retain(|other| *other <= left + ALIGNED);
        if let Some(at) = self.lefts.iter().position(|other| (other - left).abs() <= ALIGNED) {
            return at;
        }
        self.lefts.push(left);
        self.lefts.len() - 1
    }

    fn close(&mut self) {
        let Some(Open { mut paragraph, .. }) = self.open.take() else { return };
        let mut sentence = None;
        if paragraph.kind == Kind::Article {
            let whole = paragraph.text.len();
            let rest = split_article(&mut paragraph.text);
            self.article = paragraph.whole();
            paragraph.article.clone_from(&self.article);
            sentence = rest.map(|text| paragraph.split_off(whole - text.len(), text));
        }
        self.done.push(paragraph);
        self.done.extend(sentence);
    }
}

/// Returns a label's form, without its letter or number, and its position in its sequence: "b)" is
/// the second of "a)".
fn ordinal(label: &str) -> Option<(String, u32)> {
    let core = label.trim_matches(|c: char| !c.is_alphanumeric());
    let first = core.chars().next()?;
    let (sample, place) = match first {
        '0'..='9' => ("1", core.parse().ok()?),
        'a'..='z' if core.len() == 1 => ("a", first as u32 - 'a' as u32 + 1),
        'A'..='Z' if core.len() == 1 => ("A", first as u32 - 'A' as u32 + 1),
        _ => return None,
    };
    Some((label.replacen(core, sample, 1), place))
}

/// Rejects labels that begin a sentence or a measure: "U.S.", "in.", "3. 1/2".
fn plausible<'a>(found: Label<'a>, rest: &str) -> Label<'a> {
    let Label::Item(text) = found else { return found };
    let word = text.trim_end_matches('.');
    let abbreviation = COUNTED_UNITS.matches(word) || ABBREVIATIONS.matches(word);
    let dash = matches!(text, "-" | "–") && rest.starts_with(|c: char| c.is_ascii_digit());
    if abbreviation || dash { Label::None } else { found }
}

/// Returns whether a line is a row of a table: its cells are below those of an adjacent line. The
/// words of a justified line are far apart as well, but not below each other.
fn is_row(line: &Line, neighbours: [Option<&Line>; 2]) -> bool {
    line.cells.len() >= 2 && neighbours.into_iter().flatten().any(|other| share_columns(line, other))
}

/// Returns whether half of a line's cells after the first are aligned with those of a line without a
/// label.
fn share_columns(line: &Line, other: &Line) -> bool {
    let cells = line.cells.iter().skip(1);
    let shared = cells.filter(|cell| other.cells.iter().skip(1).any(|beside| are_aligned(cell, beside))).count();
    shared * 2 >= line.cells.len() - 1 && matches!(label(&other.text()), Label::None)
}

/// Returns whether two cells have the same left edge; figures may have the same right edge.
fn are_aligned(cell: &Cell, other: &Cell) -> bool {
    let figures = [cell, other].iter().all(|cell| cell.text.starts_with(|c: char| c.is_ascii_digit()));
    (cell.left - other.left).abs() < ALIGNED || (figures && (cell.right - other.right).abs() < ALIGNED)
}

/// Splits an article whose text begins on the line of its title: "SUMMARY: This section includes
/// …".
fn split_article(text: &mut String) -> Option<String> {
    let (title, sentence) = text.split_once([':', '.'])?;
    let capitals = has_letters(title, 3) && !title.contains(char::is_lowercase);
    let sentence = sentence.trim_start().to_owned();
    if !capitals || sentence.chars().filter(|c| c.is_lowercase()).count() < 3 {
        return None;
    }
    let end = title.len() + 1;
    text.truncate(end);
    Some(sentence)
}

/// Appends a line to a text, and joins a word that is hyphenated at the line's end.
fn join(text: &mut String, line: &str, words: &Words) {
    if text.ends_with('\u{AD}') {
        text.pop();
    } else if text.ends_with(['-', '\u{2010}']) {
        let last = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        let head = bare(last).trim_end_matches(['-', '\u{2010}']);
        let tail = bare(line.split_whitespace().next().unwrap_or_default());
        if is_hyphenated(head, tail, words) {
            text.pop();
        }
    } else if !text.ends_with('/') || text.ends_with(" /") {
        text.push(' ');
    }
    text.push_str(line);
}

/// Returns whether "head-" and "tail" are one word: by the words of all pages, otherwise by the
/// usual spelling.
fn is_hyphenated(head: &str, tail: &str, words: &Words) -> bool {
    let letters = |text: &str| !text.is_empty() && text.chars().all(char::is_alphabetic);
    if !letters(head) || !tail.starts_with(|c: char| c.is_lowercase()) {
        return false;
    }
    if words.has(&format!("{head}{tail}")) {
        return true;
    }
    if words.has(&format!("{head}-{tail}")) {
        return false;
    }
    let compound = COMPOUND_BEGINNINGS.matches(&head.to_lowercase());
    let both_words = words.has(head) && words.has(tail) && head.len() > 2;
    !compound && !both_words
}
