//! Decides which pages are contents, and combines what they say.

use std::collections::HashSet;

use super::ContentsPage;
use super::headings::{self, LineKind};
use super::rows::{Entry, EntryStatus, Item, PageRows};
use super::titles;
use crate::result::{Division, DivisionList};
use fanlight_masterformat::divisions as masterformat;
use fanlight_masterformat::numbers::Number;
use fanlight_text::folding::{has_letters, squeeze};

/// Returns the divisions that the contents pages among `pages` print.
///
/// `bridges` are the pages with few lines, which contents continue across.
pub(crate) fn divisions(pages: Vec<ContentsPage>, bridges: &HashSet<u32>) -> Vec<Division> {
    let runs = runs(pages, bridges);
    let runs: Vec<Vec<Item>> = runs.iter().map(|run| settle(run)).collect();
    let figures_are_pages = figures_are_pages(&runs);

    let mut assembly = Assembly { figures_are_pages, ..Assembly::default() };
    for run in runs {
        assembly.add_run(run);
    }
    assembly.divisions.finish()
}

/// Returns the items of each run of successive contents pages. If a run has a heading of contents,
/// runs without one are dropped: lists of sections in the body (submittals, warranties) look the
/// same otherwise.
fn runs(pages: Vec<ContentsPage>, bridges: &HashSet<u32>) -> Vec<Vec<Item>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut interrupted = false;
    for page in pages {
        let follows = !interrupted
            && runs.last().is_some_and(|run| (run.last_page + 1..page.page).all(|between| bridges.contains(&between)));
        let is_whole = is_contents(&page, follows);
        let listed = runs.last().filter(|_| follows).map_or(&[][..], |run| &run.items);
        let above_body = if is_whole || !(follows || page.headed) { None } else { above_body(&page, listed) };
        let above_body = above_body.filter(|above| is_contents(above, follows));
        if !is_whole && above_body.is_none() {
            interrupted |= page.rows.items.iter().any(begins_body);
            continue;
        }
        // What comes after the contents, such as a list of submittals, may look like more of them.
        interrupted = !is_whole || page.rows.items.iter().any(|item| matches!(item, Item::Line(LineKind::ContentsEnd)));
        let page = above_body.unwrap_or(page);
        let headed = page.headed || page.rows.items.iter().any(|item| matches!(item, Item::Line(LineKind::Volume)));
        match runs.last_mut() {
            Some(run) if follows && (run.headed || !headed) => {
                run.last_page = page.page;
                run.items.extend(page.rows.items);
            }
            _ => runs.push(Run { last_page: page.page, headed, items: page.rows.items }),
        }
    }
    if runs.iter().any(|run| run.headed) {
        return runs.into_iter().filter(|run| run.headed).map(|run| run.items).collect();
    }
    let mut kept: Vec<Vec<Item>> = Vec::new();
    for run in runs {
        let goes_on = kept.last().is_none_or(|last| goes_on_from(last, &run.items));
        if goes_on || division_headings(&run.items) >= 2 {
            kept.push(run.items);
        }
    }
    kept
}

/// Returns the part of a page above the heading of the first section, if contents end half way down the page. `listed` are the
/// items of the pages before it.
fn above_body(page: &ContentsPage, listed: &[Item]) -> Option<ContentsPage> {
    let items = &page.rows.items;
    let mut above = without_text_at_end(&items[..items.iter().position(begins_body)?]);
    // The heading of the section has a number that the contents list.
    if let Some((last, before)) = above.split_last()
        && let Some(heading) = entry(last)
        && before.iter().chain(listed).filter_map(entry).any(|entry| entry.number == heading.number)
    {
        above = without_text_at_end(before);
    }
    let explained = above.iter().filter(|item| !matches!(item, Item::Line(LineKind::Plain))).count();
    let is_list = above.iter().filter_map(entry).count() >= 3 && explained as f32 >= MOST_ROWS * above.len() as f32;
    let rows = PageRows { items: above.to_vec(), rows: above.len(), explained, sentences: 0 };
    (is_list && goes_on_from(listed, above)).then_some(ContentsPage { page: page.page, rows, headed: page.headed })
}

/// Returns whether an item is a line of a section's body. Contents may list parts and articles, too.
fn begins_body(item: &Item) -> bool {
    matches!(item, Item::Line(LineKind::Part | LineKind::Article | LineKind::Body))
}

/// Returns items without the lines at their end of which nothing is known.
fn without_text_at_end(mut items: &[Item]) -> &[Item] {
    while let Some((Item::Line(LineKind::Plain), before)) = items.split_last() {
        items = before;
    }
    items
}

/// Returns whether the sections of `next` follow those of `before` in order, as the contents of a further volume do.
fn goes_on_from(before: &[Item], next: &[Item]) -> bool {
    let last = before.iter().filter_map(entry).map(|entry| entry.number.rank()).max();
    let first = next.iter().filter_map(entry).map(|entry| entry.number.rank()).min();
    first.is_some() && last < first
}

/// Contents pages that follow each other.
struct Run {
    last_page: u32,
    /// Whether the heading of a table of contents or a volume is on one of the pages.
    headed: bool,
    items: Vec<Item>,
}

/// Counts the division headings among `items`.
fn division_headings(items: &[Item]) -> usize {
    items.iter().filter(|item| matches!(item, Item::Division(_))).count()
}

/// At least so many texts with a number are the clauses of a body, if they are most of what has a number.
const MIN_TEXTS: usize = 3;

/// Least share of a page's rows that are contents where no heading says so, set by hand.
const MOST_ROWS: f32 = 0.6;

/// Returns whether a page consists mainly of sections, division headings and the like. Pages with a
/// heading of contents, or that follow such a page, may hold more besides.
fn is_contents(page: &ContentsPage, follows: bool) -> bool {
    let items = &page.rows.items;
    let titles = || items.iter().filter_map(entry).filter(|entry| !entry.title.is_empty());
    let entries = titles().count();
    // The clauses of a section may have its number: "03 30 00.1 Scope".
    let texts = titles().filter(|entry| is_text(&titles::join_lines(&entry.title))).count();
    if (texts >= MIN_TEXTS && texts * 2 > entries) || page.rows.sentences > entries {
        return false;
    }
    let body = items.iter().filter(|item| matches!(item, Item::Line(LineKind::Body))).count();
    // Contents may list the parts and articles of each section, one after the other, with nothing between.
    let is_outline = |item: &Item| matches!(item, Item::Line(LineKind::Part | LineKind::Article));
    let is_text = |item: &Item| matches!(item, Item::Line(LineKind::Plain | LineKind::Body));
    let outline = items.iter().filter(|item| is_outline(item)).count();
    let with_text_below = items.windows(2).filter(|pair| is_outline(&pair[0]) && is_text(&pair[1])).count();
    // So may the parts of a whole manual, with sections below them.
    if with_text_below * 3 > outline && with_text_below * 5 > entries {
        return false;
    }
    // In a body, text or a list of sections is between two articles.
    let is_article = |item: &Item| matches!(item, Item::Line(LineKind::Article));
    let articles = items.iter().filter(|item| is_article(item)).count();
    let in_a_row = items.windows(2).filter(|pair| is_article(&pair[0]) && is_outline(&pair[1])).count();
    if in_a_row * 2 < articles {
        return false;
    }
    let rows = page.rows.rows.max(1);
    let share = (page.rows.explained + outline) as f32 / rows as f32;
    let contents_like = match () {
        () if page.headed => entries >= 1 && share >= 0.3,
        // The outline of one section may fill a page.
        () if follows => (entries >= 1 && share >= 0.3) || outline * 2 > rows,
        () => entries >= 4 && share >= MOST_ROWS,
    };
    // Contents that are a section of their own end as sections do.
    let is_of_contents = page.headed || (follows && share >= MOST_ROWS);
    let ends_as_section = usize::from(is_of_contents && entries >= 3);
    contents_like && body <= ends_as_section
}

fn entry(item: &Item) -> Option<&Entry> {
    match item {
        Item::Entry(entry) => Some(entry),
        _ => None,
    }
}

/// Decides the doubtful items of a run.
fn settle(run: &[Item]) -> Vec<Item> {
    let numbers_head = numbers_head_divisions(run);
    let mut settled = Vec::with_capacity(run.len());
    let mut current: Option<u8> = None;
    for (index, item) in run.iter().enumerate() {
        let item = match item {
            Item::Entry(entry) if numbers_head && heads_division(entry) => Item::Division(super::divisions::Heading {
                division: entry.number.division(),
                title: titles::clean(&titles::join_lines(&entry.title), &entry.number).to_owned(),
            }),
            Item::MaybeDivision(heading) => {
                let next = run[index + 1..].iter().find_map(entry).map(|entry| entry.number.division());
                let standard = masterformat::is_division_title(heading.division, &heading.title);
                let is_heading = (next == Some(heading.division) || standard) && current != Some(heading.division);
                if is_heading { Item::Division(heading.clone()) } else { Item::Line(LineKind::Plain) }
            }
            Item::Division(_) | Item::Entry(_) | Item::Line(_) => item.clone(),
        };
        match &item {
            Item::Division(heading) => current = Some(heading.division),
            Item::Entry(entry) => current = Some(entry.number.division()),
            Item::MaybeDivision(_) | Item::Line(_) => {}
        }
        settled.push(item);
    }
    settled
}

/// Returns whether numbers of whole divisions are their headings ("08 00 00 OPENINGS"): there are no others, and most of them
/// have sections below. In a plain list they are sections themselves ("26 00 00 Electrical").
fn numbers_head_divisions(run: &[Item]) -> bool {
    let entries: Vec<&Entry> = run.iter().filter_map(entry).collect();
    let heads: Vec<usize> = (0..entries.len()).filter(|at| heads_division(entries[*at])).collect();
    let division = |at: usize| entries.get(at).map(|entry| entry.number.division());
    let with_sections = heads.iter().filter(|at| division(**at) == division(**at + 1)).count();
    let has_heading = run.iter().any(|item| matches!(item, Item::Division(_)));
    !has_heading && heads.len() >= 3 && 2 * with_sections >= heads.len()
}

/// Returns whether an entry has the number and the title of a whole division.
fn heads_division(entry: &Entry) -> bool {
    entry.number.six.ends_with("0000")
        && masterformat::is_division_title(entry.number.division(), &titles::join_lines(&entry.title))
}

/// Returns whether the figure at the end of titles is a page: most titles have one, with no column
/// beside them.
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
    divisions: DivisionList,
    figures_are_pages: bool,
    /// The number, level-4 number and title of the sections of all runs.
    listed: HashSet<(String, String, String)>,
}

impl Assembly {
    fn add_run(&mut self, run: Vec<Item>) {
        let headed = division_headings(&run) >= 2;
        let entries = run.iter().filter_map(entry).count();
        let mut current: Option<u8> = None;
        let mut last: Option<Number> = None;
        let mut foreign = false;
        let mut taken = 0;
        let has_small_titles = begin_small(&run);
        for item in run {
            match item {
                Item::Division(heading) => {
                    current = Some(heading.division);
                    foreign = false;
                    self.divisions.add_division(heading.division, &printed_title(&heading.title));
                }
                Item::Line(LineKind::Foreign | LineKind::ContentsEnd) => foreign = true,
                Item::Line(LineKind::Contents | LineKind::Volume) => {
                    foreign = false;
                    last = None;
                }
                Item::Line(_) | Item::MaybeDivision(_) => {}
                Item::Entry(entry) => {
                    let goes_on = last.as_ref().is_none_or(|last| entry.number.rank() > last.rank());
                    let at_home = current == Some(entry.number.division());
                    let is_placed = if headed { at_home } else { entry.aligned };
                    let is_stray = !entry.aligned && entries >= 6 && !at_home && !goes_on;
                    if (foreign && !(goes_on && is_placed)) || is_stray {
                        continue;
                    }
                    let title = self.title(&entry);
                    if entries >= 3 && ((is_sentence(&title) && !has_small_titles) || is_text(&title)) {
                        continue;
                    }
                    let is_continued = titles::without_continued(&title).len() < title.len();
                    let is_first = !entry.aligned || taken == 0 || is_continued;
                    let heads_page = headings::is_contents(&title) && is_first && !entry.paged;
                    if heads_page && entries > 1 && !at_home {
                        continue;
                    }
                    taken += 1;
                    if !headed {
                        current = Some(entry.number.division());
                    }
                    last = Some(entry.number.clone());
                    if entry.status != EntryStatus::Listed || titles::is_unused(&title) || !has_letters(&title, 2) {
                        continue;
                    }
                    let Number { six, suffix, .. } = entry.number.clone();
                    if self.listed.insert((six, suffix, squeeze(&title))) {
                        self.divisions.add_section(&entry.number, title);
                    }
                }
            }
        }
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

/// A text that ends with a full stop is no title if it has so many words, set by hand.
const TEXT_WORDS: usize = 8;

/// Returns whether what follows a number is a text about the section, such as a change in an addendum ("Tiling: DELETE
/// Paragraph 1.4.C.") or a clause: it ends with a full stop, and it is long or says something of a title.
fn is_text(title: &str) -> bool {
    let title = title.trim_end_matches(['"', '”', '’', '\'', ')']);
    title.ends_with('.') && (title.split(' ').count() >= TEXT_WORDS || title.contains(": "))
}

/// Returns whether most titles of contents begin with a small letter.
fn begin_small(run: &[Item]) -> bool {
    let titles = || run.iter().filter_map(entry).filter_map(|entry| entry.title.first());
    2 * titles().filter(|title| title.starts_with(char::is_lowercase)).count() > titles().count()
}

/// Returns whether the text after a number continues a sentence that mentions the number.
fn is_sentence(title: &str) -> bool {
    title.starts_with(char::is_lowercase) && title.split(' ').nth(3).is_some()
}

/// Returns a division's title without the remark that it is not used.
fn printed_title(title: &str) -> String {
    if titles::is_unused(title) {
        let at = title.rfind(['(', '[']).or_else(|| title.rfind(" - ")).or_else(|| title.rfind(" – "));
        return at.map_or("", |at| &title[..at]).trim_end_matches([' ', '-', '–', '—', ':', ',']).to_owned();
    }
    title.to_owned()
}
