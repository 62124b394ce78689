//! Which pages are contents, and what they say together.

use std::collections::{HashMap, HashSet};

use super::Sheet;
use super::headings::{self, Kind};
use super::rows::{self, Entry, Item, Standing};
use super::titles;
use crate::result::{Division, Gathering};
use fanlight_masterformat::divisions::{self as masterformat, Edition};
use fanlight_masterformat::numbers::{self, Number};
use fanlight_text::folding::{fold, has_letters, squeeze};

/// The divisions that the contents pages among `sheets` print.
///
/// `bridges` are the pages that hold next to nothing: a contents goes on over them.
pub(crate) fn divisions(sheets: Vec<Sheet>, bridges: &HashSet<u32>) -> Vec<Division> {
    let runs = runs(sheets, bridges);
    let trusts_five = five_digits_are_numbers(&runs);
    let runs: Vec<Vec<Item>> = runs.iter().map(|run| settle(run, trusts_five)).collect();
    let figures_are_pages = figures_are_pages(&runs);

    let mut assembly = Assembly { figures_are_pages, ..Assembly::default() };
    for run in runs {
        assembly.add_run(run);
    }
    assembly.gathering.finish()
}

/// Contents pages that follow each other, as their items. Later runs count only if they are headed as contents: lists
/// of sections in the body (submittals, warranties) look the same but for that.
fn runs(sheets: Vec<Sheet>, bridges: &HashSet<u32>) -> Vec<Vec<Item>> {
    let mut runs: Vec<(u32, bool, Vec<Item>)> = Vec::new();
    let mut interrupted = false;
    for sheet in sheets {
        let follows = !interrupted
            && runs.last().is_some_and(|(last, ..)| (last + 1..sheet.page).all(|page| bridges.contains(&page)));
        if !is_contents(&sheet, follows) {
            interrupted |= sheet.rows.items.iter().any(|item| matches!(item, Item::Line(Kind::Body | Kind::Part)));
            continue;
        }
        interrupted = false;
        let headed = sheet.headed || sheet.rows.items.iter().any(|item| matches!(item, Item::Line(Kind::Volume)));
        match runs.last_mut() {
            Some((last, run_headed, items)) if follows && (*run_headed || !headed) => {
                *last = sheet.page;
                *run_headed |= headed;
                items.extend(sheet.rows.items);
            }
            _ => runs.push((sheet.page, headed, sheet.rows.items)),
        }
    }
    let any_headed = runs.iter().any(|(_, headed, _)| *headed);
    let with_divisions = |items: &[Item]| items.iter().filter(|item| matches!(item, Item::Division(_))).count() >= 2;
    runs.into_iter()
        .enumerate()
        .filter(|(index, (_, headed, items))| {
            *headed || (!any_headed && *index == 0) || (!any_headed && with_divisions(items))
        })
        .map(|(_, (_, _, items))| items)
        .collect()
}

/// Whether sections, division headings and the like make up a page. Pages headed as contents, or that follow such,
/// may hold more beside them.
fn is_contents(sheet: &Sheet, follows: bool) -> bool {
    let items = &sheet.rows.items;
    let entries = items.iter().filter(|item| matches!(item, Item::Entry(entry) if !entry.title.is_empty())).count();
    let body = items.iter().filter(|item| matches!(item, Item::Line(Kind::Body))).count();
    // A contents may list the parts of each section: one after the other, with nothing between.
    let parts = items.iter().filter(|item| matches!(item, Item::Line(Kind::Part))).count();
    let with_text_below = items
        .windows(2)
        .filter(|pair| matches!(pair, [Item::Line(Kind::Part), Item::Line(Kind::Plain | Kind::Body)]))
        .count();
    if with_text_below * 3 > parts {
        return false;
    }
    let share = (sheet.rows.explained + parts + foreign_lines(items)) as f32 / sheet.rows.rows.max(1) as f32;
    let contents_like = match () {
        () if sheet.headed => entries >= 1 && share >= 0.3,
        () if follows => entries >= 1 && share >= 0.3,
        () => entries >= 4 && share >= 0.6,
    };
    // A contents that is a section of its own ends as sections do.
    let ends_as_section = usize::from(sheet.headed && entries >= 3);
    contents_like && body <= ends_as_section
}

/// Lines of lists that a contents ends with: drawings, appendices.
fn foreign_lines(items: &[Item]) -> usize {
    let mut foreign = false;
    let mut lines = 0;
    for item in items {
        match item {
            Item::Line(Kind::Foreign) => foreign = true,
            Item::Line(Kind::Plain) => lines += usize::from(foreign),
            Item::MaybeDivision(_) | Item::Tail(_) => {}
            Item::Entry(_) | Item::Division(_) | Item::Line(_) => foreign = false,
        }
    }
    lines
}

/// Whether five figures are section numbers here: project numbers and postal codes are five figures too, but few.
fn five_digits_are_numbers(runs: &[Vec<Item>]) -> bool {
    let entries = || runs.iter().flatten().filter_map(entry);
    let five = entries().filter(|entry| entry.number.edition == Edition::Of1995).count();
    let six = entries().count() - five;
    five >= 3 || five >= six
}

fn entry(item: &Item) -> Option<&Entry> {
    match item {
        Item::Entry(entry) => Some(entry),
        _ => None,
    }
}

/// A run's items with the doubtful ones decided.
fn settle(run: &[Item], trusts_five: bool) -> Vec<Item> {
    let headings = run.iter().filter(|item| matches!(item, Item::Division(_))).count();
    let heads = |entry: &Entry| {
        entry.number.six.ends_with("0000")
            && masterformat::is_division_title(entry.number.division(), &titles::join_lines(&entry.title))
    };
    let heading_numbers = run.iter().filter_map(entry).filter(|entry| heads(entry)).count();
    let numbers_head = headings == 0 && heading_numbers >= 3;

    let mut settled = Vec::with_capacity(run.len());
    let mut current: Option<u8> = None;
    for (index, item) in run.iter().enumerate() {
        match item {
            Item::Entry(entry) if entry.number.edition == Edition::Of1995 && !trusts_five && !entry.number.worded => {}
            Item::Entry(entry) if numbers_head && heads(entry) => {
                current = Some(entry.number.division());
                settled.push(Item::Division(super::divisions::Heading {
                    division: entry.number.division(),
                    title: titles::clean(&titles::join_lines(&entry.title), &entry.number).to_owned(),
                }));
            }
            Item::MaybeDivision(heading) => {
                let next = run[index + 1..].iter().find_map(entry).map(|entry| entry.number.division());
                let standard = masterformat::is_division_title(heading.division, &heading.title);
                if (next == Some(heading.division) || standard) && current != Some(heading.division) {
                    current = Some(heading.division);
                    settled.push(Item::Division(heading.clone()));
                } else {
                    settled.push(Item::Line(Kind::Plain));
                }
            }
            Item::Division(heading) => {
                current = Some(heading.division);
                settled.push(item.clone());
            }
            Item::Entry(entry) => {
                current = Some(entry.number.division());
                settled.push(item.clone());
            }
            Item::Tail(text) => match settled.iter_mut().rev().find(|item| !matches!(item, Item::Line(Kind::Plain))) {
                Some(Item::Entry(entry)) if goes_on(entry, text) => entry.title.push(text.clone()),
                _ => settled.push(Item::Line(Kind::Plain)),
            },
            Item::Line(_) => settled.push(item.clone()),
        }
    }
    settled
}

/// Whether a title that a column or page broke off goes on with `text`.
fn goes_on(entry: &Entry, text: &str) -> bool {
    entry.standing == Standing::Listed && entry.title.last().is_some_and(|before| rows::is_connected(before, text))
}

/// Whether the figure at the end of titles is a page: where most titles have one and no column beside them.
fn figures_are_pages(runs: &[Vec<Item>]) -> bool {
    let (mut with, mut all) = (0, 0);
    for entry in runs.iter().flatten().filter_map(entry).filter(|entry| !entry.paged) {
        let title = titles::join_lines(&entry.title);
        all += usize::from(!titles::is_unused(&title));
        with += usize::from(titles::figure_at_end(&title).is_some());
    }
    with >= 3 && with * 10 >= all * 6
}

#[derive(Default)]
struct Assembly {
    gathering: Gathering,
    figures_are_pages: bool,
    /// Sections of all runs.
    listed: HashSet<(String, String, String)>,
    /// Titles of earlier runs by number.
    earlier: HashSet<(String, String)>,
}

impl Assembly {
    fn add_run(&mut self, run: Vec<Item>) {
        let headed = run.iter().filter(|item| matches!(item, Item::Division(_))).count() >= 2;
        let entries = run.iter().filter(|item| matches!(item, Item::Entry(_))).count();
        let mut current: Option<u8> = None;
        let mut last: Option<Number> = None;
        let mut foreign = false;
        let mut taken = 0;
        let mut here: Vec<(String, String)> = Vec::new();
        let lower_case = sets_titles_in_lower_case(&run);
        let end = other_list_from(&run).unwrap_or(run.len());
        for item in run.into_iter().take(end) {
            match item {
                Item::Division(heading) => {
                    current = Some(heading.division);
                    foreign = false;
                    self.gathering.add_division(heading.division, &printed_title(&heading.title));
                }
                Item::Line(Kind::Foreign) => foreign = true,
                Item::Line(Kind::Contents | Kind::Volume) => {
                    foreign = false;
                    last = None;
                }
                Item::Line(_) | Item::MaybeDivision(_) | Item::Tail(_) => {}
                Item::Entry(entry) => {
                    let goes_on = last.as_ref().is_none_or(|last| entry.number.rank() > last.rank());
                    let at_home = current == Some(entry.number.division());
                    if foreign && !(if headed { at_home && goes_on } else { goes_on && entry.aligned }) {
                        continue;
                    }
                    if !entry.aligned && entries >= 6 && !at_home && !goes_on {
                        continue;
                    }
                    let title = self.title(&entry);
                    if entries >= 3
                        && (is_sentence(&title) && !lower_case || !entry.aligned && is_beside_the_point(&title))
                    {
                        continue;
                    }
                    let heads_page = headings::is_contents(&title) && (!entry.aligned || taken == 0) && !entry.paged;
                    let is_footer = is_footer(&title) && !at_home && !goes_on;
                    if is_footer && entries > 1 || heads_page && entries > 1 && !at_home {
                        continue;
                    }
                    taken += 1;
                    if !headed {
                        current = Some(entry.number.division());
                    }
                    last = Some(entry.number.clone());
                    if entry.standing != Standing::Listed || titles::is_unused(&title) || !has_letters(&title, 2) {
                        continue;
                    }
                    let number = (entry.number.six.clone(), entry.number.suffix.clone());
                    let fresh = self.listed.insert((number.0.clone(), number.1.clone(), squeeze(&title)));
                    if fresh && !self.earlier.contains(&number) {
                        here.push(number);
                        self.gathering.add_section(&entry.number, title);
                    }
                }
            }
        }
        self.earlier.extend(here);
    }

    fn title(&self, entry: &Entry) -> String {
        let joined = titles::join_lines(&entry.title);
        let title = titles::clean(&joined, &entry.number);
        let title = match titles::figure_at_end(title) {
            Some((head, _)) if self.figures_are_pages && !entry.paged => titles::clean(head, &entry.number),
            _ => title,
        };
        title.to_owned()
    }
}

/// Whether most titles begin with a small letter.
fn sets_titles_in_lower_case(run: &[Item]) -> bool {
    let titles = || run.iter().filter_map(entry).filter_map(|entry| entry.title.first());
    let lower = titles().filter(|title| title.starts_with(char::is_lowercase)).count();
    lower * 2 > titles().count()
}

/// So many sections before another list of them, and in it, tell the two apart.
const LIST: usize = 6;

/// Where another list of the same sections begins, of submittals, warranties or inspections: it starts over at a low
/// number, and most of its rows have numbers that are listed already, with other words beside them.
fn other_list_from(run: &[Item]) -> Option<usize> {
    let entries: Vec<(usize, &Entry)> =
        run.iter().enumerate().filter_map(|(index, item)| Some((index, entry(item)?))).collect();
    let title = |entry: &Entry| squeeze(&titles::join_lines(&entry.title));
    let mut listed: HashMap<(&str, &str), HashSet<String>> = HashMap::new();
    for (at, (index, first)) in entries.iter().enumerate() {
        let starts_over = at >= LIST && entries.len() - at >= LIST && {
            let lower = entries[..at].iter().filter(|(_, before)| before.number.rank() < first.number.rank()).count();
            lower * 4 <= at && entries[at - 1].1.number.rank() > first.number.rank()
        };
        if starts_over {
            let rest = &entries[at..];
            let repeated = |(_, entry): &&(usize, &Entry)| {
                listed.get(&entry.number.rank()).is_some_and(|titles| !titles.contains(&title(entry)))
            };
            if rest.iter().filter(repeated).count() * 10 >= rest.len() * 7 {
                return Some(*index);
            }
        }
        listed.entry(first.number.rank()).or_default().insert(title(first));
    }
    None
}

/// What stands beside a date in a footer: "TOC-3", "Issue".
fn is_footer(title: &str) -> bool {
    let folded = fold(title);
    headings::is_contents(title) && title.ends_with(|c: char| c.is_ascii_digit())
        || matches!(folded.as_str(), "ISSUE" | "ISSUED" | "REVISION" | "REVISED" | "REV" | "DATE" | "DRAFT")
}

/// Whether what follows a number goes on with a sentence that the number stands in.
fn is_sentence(title: &str) -> bool {
    title.starts_with(char::is_lowercase) && title.split(' ').nth(3).is_some()
}

/// Whether what follows a number that stands in no column is no title: a page header's words, or a sentence.
fn is_beside_the_point(title: &str) -> bool {
    headings::is_contents(title)
        || titles::is_beside_title(title, None)
        || title.ends_with('.')
        || numbers::trailing(title).is_some_and(|(_, number)| number.worded)
}

/// A division's title without the remark that it isn't used.
fn printed_title(title: &str) -> String {
    if titles::is_unused(title) {
        let at = title.rfind(['(', '[']).or_else(|| title.rfind(" - ")).or_else(|| title.rfind(" – "));
        return at.map_or("", |at| &title[..at]).trim_end_matches([' ', '-', '–', '—', ':', ',']).to_owned();
    }
    title.to_owned()
}
