//! Separates headers and footers from the text by what recurs at the same place on nearby pages,
//! and reads the section number and page in them.

use std::collections::{HashMap, HashSet};

use fanlight_masterformat::{Number, numbers, parts};
use fanlight_text::folding::{fold, has_letters};

use crate::bodies::Body;
use crate::headings;
use crate::leaf::{Cell, Leaf, Line};

/// All pages, with headers and footers separated.
#[derive(Debug)]
pub(crate) struct Manual {
    pub(crate) sheets: Vec<Sheet>,
}

/// A page.
#[derive(Debug)]
pub(crate) struct Sheet {
    /// The page's number, counted from 1.
    pub(crate) page: u32,
    /// The width in points.
    pub(crate) width: f32,
    /// Its text in reading order.
    pub(crate) lines: Vec<Line>,
    /// Its header and footer, from the top.
    pub(crate) running: Vec<Line>,
    /// The section that header or footer name.
    pub(crate) label: Option<Label>,
}

/// What a header or footer says about its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Label {
    pub(crate) number: Number,
    /// The page within the section, if it is printed.
    pub(crate) page: Option<u32>,
}

/// Headers and footers are within this share of the page's height from its ends.
const ZONE: f32 = 0.2;
/// Headers and footers have at most this many lines.
const MAX_LINES: usize = 9;
/// Running lines recur within this many pages. Odd and even pages may differ.
const NEARBY: usize = 8;
/// Lines this close, in points, are at the same height.
const SAME_HEIGHT: f32 = 2.5;
/// A line recurs where a nearby page has its text within so many points: a letter page that lies turned by a degree on the
/// scanner has its outermost texts 5 points higher or lower.
const RECURS_WITHIN: f32 = 10.0;
/// An unlabelled number in a header is a section's only if it changes. One on more than this share
/// of the pages is the project's.
const CONSTANT: f32 = 0.6;

impl Manual {
    /// Separates headers and footers from the text of the pages. `wanted` are the codes of the
    /// wanted sections.
    pub(crate) fn new(leaves: Vec<Leaf>, wanted: &HashSet<&str>) -> Self {
        let zones: Vec<[Vec<usize>; 2]> = leaves.iter().map(zones).collect();
        let mut seen: HashMap<String, Vec<(usize, f32)>> = HashMap::new();
        for (index, (leaf, zones)) in leaves.iter().zip(&zones).enumerate() {
            for line in zones.iter().flatten().filter_map(|at| leaf.lines.get(*at)) {
                if let Some(key) = key(line) {
                    seen.entry(key).or_default().push((index, line.y));
                }
            }
        }
        let begins: Vec<bool> = leaves.iter().map(begins_section).collect();
        let mut running: Vec<[usize; 2]> = Vec::new();
        for (index, (leaf, zones)) in leaves.iter().zip(&zones).enumerate() {
            running.push(zones.each_ref().map(|zone| {
                let lines = zone.iter().filter_map(|at| leaf.lines.get(*at)).take_while(|line| !is_body(line));
                count_running(lines.map(|line| (recurrence(index, line, &seen, &begins), names_section(&line.text()))))
            }));
        }
        extend_by_height(&leaves, &zones, &mut running);
        let pages = leaves.into_iter().zip(zones).zip(running);
        let mut sheets: Vec<Sheet> = pages.map(|((leaf, zones), running)| part(leaf, &zones, running)).collect();
        label(&mut sheets, wanted);
        Self { sheets }
    }

    /// Returns the number of the page at an index, counted from 1.
    pub(crate) fn page(&self, index: usize) -> Option<u32> {
        self.sheets.get(index).map(|sheet| sheet.page)
    }

    /// Returns a body's lines with their pages, in reading order.
    pub(crate) fn lines(&self, body: &Body) -> impl Iterator<Item = (u32, &Line)> {
        let (from, to) = (body.from, body.to);
        self.sheets.iter().enumerate().take(to.0 + 1).skip(from.0).flat_map(move |(index, sheet)| {
            let start = if index == from.0 { from.1 } else { 0 };
            let end = if index == to.0 { to.1 } else { sheet.lines.len() };
            sheet.lines.get(start..end).unwrap_or_default().iter().map(|line| (sheet.page, line))
        })
    }
}

/// Returns how often a line of page `index` recurs at its height on nearby pages. `seen` are the
/// pages and heights of each key, and `begins` says which pages begin a section.
fn recurrence(index: usize, line: &Line, seen: &HashMap<String, Vec<(usize, f32)>>, begins: &[bool]) -> usize {
    let Some(places) = key(line).and_then(|key| seen.get(&key)) else { return 0 };
    // Sections with one number have one heading. A header is also on pages that begin no section.
    let heads = begins[index] && names_section(&line.text());
    let from = places.partition_point(|(page, _)| page + NEARBY < index);
    let near = places[from..].iter().take_while(|(page, _)| *page <= index + NEARBY);
    near.filter(|(page, y)| *page != index && (y - line.y).abs() <= RECURS_WITHIN)
        .filter(|(page, _)| !(heads && begins[*page]))
        .count()
}

/// A header may hold this many lines that do not recur, such as a section's title.
const MAX_UNIQUE_LINES: usize = 2;

/// After such a line, a line that recurs on fewer pages than this is text that recurs by chance.
const MIN_RECURRENCE: usize = 3;

/// Returns how many lines from the page's edge are header or footer, up to the last that recurs.
/// `lines` says how often each recurs and whether it names a section.
fn count_running(lines: impl Iterator<Item = (usize, bool)>) -> usize {
    let mut count = 0;
    for (at, (recurs, names_section)) in lines.enumerate() {
        let needed = if at == count { 1 } else { MIN_RECURRENCE };
        if recurs >= needed {
            count = at + 1;
        } else if names_section || at >= count + MAX_UNIQUE_LINES {
            break;
        }
    }
    count
}

/// Returns whether a page's first lines lead to a section's first part.
fn begins_section(leaf: &Leaf) -> bool {
    leaf.lines.iter().take(headings::PART_WITHIN).any(|line| parts::is_first(&line.text()))
}

/// Returns whether a line begins with "SECTION 08 11 13" or the like.
fn names_section(text: &str) -> bool {
    numbers::leading(text).is_some_and(|(number, _)| number.worded)
}

/// Returns the lines that may be header and footer, from the page's edge inwards.
fn zones(leaf: &Leaf) -> [Vec<usize>; 2] {
    let mut order: Vec<usize> = (0..leaf.lines.len()).collect();
    order.sort_by(|a, b| leaf.lines[*a].y.total_cmp(&leaf.lines[*b].y));
    let top = order.iter().copied().take_while(|at| leaf.lines[*at].y < ZONE * leaf.height).take(MAX_LINES);
    let low = (1.0 - ZONE) * leaf.height;
    let bottom = order.iter().rev().copied().take_while(|at| leaf.lines[*at].y > low).take(MAX_LINES);
    [top.collect(), bottom.collect()]
}

/// Returns whether a line is text at any place.
fn is_body(line: &Line) -> bool {
    let text = line.text();
    headings::is_part(&text) || parts::is_section_end(&text) || headings::is_article(&text)
}

/// Returns the text by which a line is compared with other pages, with all figures alike so that
/// page numbers make no difference. The number of a section is kept. A paragraph with a label is never a
/// running line: the result is then `None`.
fn key(line: &Line) -> Option<String> {
    let text = line.text();
    if headings::has_list_label(&text) {
        return None;
    }
    let section = numbers::leading(&text).filter(|(number, _)| number.worded);
    let (number, rest) =
        section.map_or((String::new(), text.as_str()), |(number, rest)| (number.six + &number.suffix, rest));
    Some(number + &fold(rest).replace(|c: char| c.is_ascii_digit(), "#"))
}

/// Adds the lines at a height at which nearby pages have running lines, beyond all text: the title
/// of a section with one page.
fn extend_by_height(leaves: &[Leaf], zones: &[[Vec<usize>; 2]], running: &mut [[usize; 2]]) {
    let heights: Vec<[Vec<f32>; 2]> =
        (0..leaves.len()).map(|index| heights(&leaves[index], &zones[index], running[index])).collect();
    for index in 0..leaves.len() {
        let leaf = &leaves[index];
        let near = index.saturating_sub(2 * NEARBY)..(index + 2 * NEARBY + 1).min(leaves.len());
        for side in 0..2 {
            for at in &zones[index][side][running[index][side]..] {
                let line = &leaf.lines[*at];
                let alike = || near.clone().filter(|other| *other != index && leaves[*other].height == leaf.height);
                let is_here = |y: &f32| (y - line.y).abs() <= SAME_HEIGHT;
                let same = alike().filter(|other| heights[*other][side].iter().any(is_here)).count();
                let usual = same >= 3 && same * 2 >= alike().count();
                let text = line.text();
                let outermost = running[index][side] == 0 && side == 1;
                let shows_page = outermost && shown(line).any(|shown| shown.certain && shown.page.is_some());
                let begins_section = names_section(&text) && !shows_page;
                let own = headings::has_list_label(&text) || is_body(line) || begins_section;
                if own || !(usual || shows_page) {
                    break;
                }
                running[index][side] += 1;
            }
        }
    }
}

/// Returns the heights of a page's header and of its footer.
fn heights(leaf: &Leaf, zones: &[Vec<usize>; 2], running: [usize; 2]) -> [Vec<f32>; 2] {
    [0, 1].map(|side| {
        let lines = zones[side].iter().take(running[side]).filter_map(|at| leaf.lines.get(*at));
        lines.map(|line| line.y).collect()
    })
}

fn part(leaf: Leaf, zones: &[Vec<usize>; 2], running: [usize; 2]) -> Sheet {
    let is_running: HashSet<usize> =
        zones.iter().zip(running).flat_map(|(zone, count)| zone.iter().take(count)).copied().collect();
    let mut sheet = Sheet { page: leaf.page, width: leaf.width, lines: Vec::new(), running: Vec::new(), label: None };
    for (at, line) in leaf.lines.into_iter().enumerate() {
        if is_running.contains(&at) { sheet.running.push(line) } else { sheet.lines.push(line) }
    }
    sheet
}

/// A section number in a header or footer.
struct Shown {
    number: Number,
    page: Option<u32>,
    /// Whether a word announces it.
    worded: bool,
    /// Whether a word or a page number beside it confirms it.
    certain: bool,
}

/// Returns the section numbers in a line of a header or footer.
fn shown(line: &Line) -> impl Iterator<Item = Shown> {
    // An unlabelled number beside a section's number may be a page column of contents.
    let says_page = |cell: &&Cell| cell.text.chars().any(char::is_alphabetic);
    let page_beside = line.cells.iter().filter(says_page).find_map(|cell| page_mark(&fold(&cell.text)));
    line.cells.iter().filter_map(move |cell| {
        let text = fold(&cell.text);
        let starts = text.char_indices().filter(|&(at, _)| at == 0 || text[..at].ends_with([' ', '(']));
        for (at, _) in starts {
            let Some((number, rest)) = numbers::leading(&text[at..]) else { continue };
            let page = page_mark(rest);
            let alone = rest.is_empty() && at == 0;
            let certain = number.worded || page.is_some() || (rest.is_empty() && page_beside.is_some());
            if certain || alone || rest.is_empty() {
                let (page, worded) = (page.or(page_beside), number.worded);
                return Some(Shown { number: Number { worded: false, ..number }, page, worded, certain });
            }
        }
        None
    })
}

/// Returns the page of a folded text: "3", "PAGE 3", "3 OF 12", "PAGE 3/12", "- 3 -".
pub(crate) fn page_mark(folded: &str) -> Option<u32> {
    let text = folded.trim_matches(|c: char| c.is_whitespace() || "-.,:|()".contains(c));
    let text = ["PAGE", "PG.", "PG", "P.", "SHEET"]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text)
        .trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text[digits..].trim();
    let of = ["OF", "/", "DE"].iter().find_map(|word| rest.strip_prefix(word)).map(str::trim);
    let ends =
        rest.is_empty() || of.is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()));
    if (1..=3).contains(&digits) && ends { text[..digits].parse().ok() } else { None }
}

/// Gives each page the section number in its header or footer.
fn label(sheets: &mut [Sheet], wanted: &HashSet<&str>) {
    let mut pages: HashMap<Number, usize> = HashMap::new();
    let all: Vec<Vec<Shown>> = sheets.iter().map(|sheet| sheet.running.iter().flat_map(shown).collect()).collect();
    for shown in &all {
        let distinct: HashSet<&Number> = shown.iter().map(|shown| &shown.number).collect();
        for number in distinct {
            *pages.entry(number.clone()).or_default() += 1;
        }
    }
    let most = (CONSTANT * sheets.len() as f32).max(3.0);
    for (sheet, shown) in sheets.iter_mut().zip(all) {
        let believed = shown.iter().filter(|shown| {
            let changes = pages.get(&shown.number).is_some_and(|count| *count as f32 <= most);
            let is_wanted = wanted.contains(shown.number.six.as_str());
            // A page number beside it confirms a section's number, but it may stand beside the project's number as well. Any two
            // of these facts suffice.
            shown.worded || [shown.certain, changes, is_wanted].into_iter().filter(|fact| *fact).count() >= 2
        });
        let best = believed.max_by_key(|shown| (shown.worded, shown.certain, shown.page.is_some()));
        sheet.label = best.map(|shown| Label { number: shown.number.clone(), page: shown.page });
    }
}

/// Returns whether a page has text besides header and footer.
pub(crate) fn has_text(sheet: &Sheet) -> bool {
    sheet.lines.iter().any(|line| has_letters(&line.text(), 1))
}
