//! Decides which tables are schedules, and what they list.
//!
//! The title decides; without a decisive title, the headers of the columns do. A table that says
//! that it is something else (a legend, an index of sheets, the list of revisions) is not a
//! schedule. Neither is a box of texts without headers in its first row: a title block, notes, or
//! drawings in a ruled grid. A table with a row of headers above its rows is a schedule in any
//! language, whether or not its words are known.
//!
//! The words are the files of `reading/text/words/schedules/`. Thresholds are chosen by hand;
//! `tests/drafted.rs` measures what they give.

use std::collections::HashSet;

use fanlight_tables::{MAX_TITLE_WORDS, Table, is_column_header, words_of};
use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words;

use crate::result::ScheduleType;

/// Headers that a table has at least if its title says that it is something else, or nothing.
const MIN_KNOWN_HEADERS: usize = 3;
/// Headers that a table has at least if its title names what it lists.
const MIN_KNOWN_HEADERS_WITH_TYPE: usize = 2;
/// Columns that a table has at least if its headers are in an unknown language.
const MIN_COLUMNS_WITHOUT_KNOWN_HEADERS: usize = 3;
/// Rows that a table has at least if its headers are in an unknown language, or if it has two columns.
const MIN_ROWS: usize = 2;
/// Least share of columns with a header in a row of headers. With the next one, it is chosen on the tables of 245 real pages of 97
/// sources (`models/labels`): 22 of 42 tables in labelled schedules are taken and 5 of 169 others; by words alone 15 and 4.
const MIN_FILLED_HEADERS: f32 = 0.7;
/// Least share of headers that are names, of those that are filled: figures and dashes are contents.
const MIN_NAMES: f32 = 0.8;
/// Marks that a list of marks has at least.
const MIN_MARKS: usize = 2;
/// Columns that a table has at least if its title says that it is something else.
const MIN_COLUMNS_AGAINST_TITLE: usize = 4;
/// Headers that a type has at least if no title names it.
const MIN_TYPICAL_HEADERS: usize = 2;
/// Characters of a mark at most, if it has no figure.
const MAX_MARK: usize = 5;
/// Characters of a mark with a figure at most.
const MAX_MARK_WITH_FIGURE: usize = 12;

/// Returns what a table lists; `None` if it is not a schedule.
pub(crate) fn kind(table: &Table) -> Option<ScheduleType> {
    let title = Title::read(&table.title);
    let headers = Headers::read(table);
    let by_words = says_something(table, &title, &headers) && is_schedule(table, &title, &headers);
    let is_schedule = by_words || has_header_row(table, &title, &headers);
    is_schedule.then(|| title.names.or_else(|| type_by_headers(table)).unwrap_or(ScheduleType::OtherSchedule))
}

/// What the title of a table says.
#[derive(Debug, PartialEq, Eq)]
struct Title {
    /// The type of schedule that it names.
    names: Option<ScheduleType>,
    /// Whether it has a word for a schedule.
    has_schedule_word: bool,
    /// Whether it names a list of sheets, revisions, issues or notes, and no type of schedule.
    names_sheet_list: bool,
    /// Whether it has a word of something that is not a schedule: a legend, a plan.
    names_other: bool,
}

impl Title {
    /// Reads a title. A long one is a sentence and names nothing.
    fn read(text: &str) -> Self {
        let words = words_of(text);
        let is_short = words.len() <= MAX_TITLE_WORDS;
        let names = if is_short { type_by_title(&words) } else { None };
        Self {
            names,
            has_schedule_word: is_short && words.iter().any(|word| is_schedule_word(word)),
            names_sheet_list: is_short && names.is_none() && words::SHEET_LIST_TITLES.matches_any(&words),
            names_other: is_short && words::OTHER_TITLES.matches_any(&words),
        }
    }

    /// Returns whether the table calls itself a schedule of something built.
    fn claims_schedule(&self) -> bool {
        self.has_schedule_word && !self.names_sheet_list
    }
}

/// How many headers of a table say what.
#[derive(Debug, PartialEq, Eq)]
struct Headers {
    /// Headers that are not blank.
    filled: usize,
    /// Headers of known words.
    known: usize,
    /// Headers that are names.
    names: usize,
    /// Headers with a word of lists of sheets, revisions and issues.
    of_sheet_list: usize,
}

impl Headers {
    fn read(table: &Table) -> Self {
        let filled: Vec<&String> = table.headers.iter().filter(|header| !header.is_empty()).collect();
        let of_sheet_list = filled.iter().filter(|header| words::SHEET_LIST_HEADERS.matches_any(&words_of(header)));
        Self {
            filled: filled.len(),
            known: filled.iter().filter(|header| is_column_header(header)).count(),
            names: filled.iter().filter(|header| is_name(header)).count(),
            of_sheet_list: of_sheet_list.count(),
        }
    }

    /// Returns whether a third of the headers or more are those of lists of sheets, revisions and issues.
    fn are_of_sheet_list(&self) -> bool {
        self.of_sheet_list > 0 && 3 * self.of_sheet_list >= self.filled
    }
}

/// Words of a name at most: longer texts are contents.
const MAX_NAME_WORDS: usize = 8;
/// Letters of a name at least for each figure.
const LETTERS_PER_FIGURE: usize = 3;
/// Units of areas and volumes, whose exponent makes no code of them.
const AREAS_AND_VOLUMES: [&str; 8] = ["m2", "m3", "mm2", "mm3", "cm2", "cm3", "ft2", "ft3"];

/// Returns whether a text names a column, as "LENGTH OF 1 BAR" does, rather than being one of its contents: hardly any figures, and
/// no code, as "W1" and "HC-45" are.
fn is_name(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let figures = text.chars().filter(char::is_ascii_digit).count();
    let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '(' | ')' | ',' | ';' | ':'));
    letters > 0
        && letters >= LETTERS_PER_FIGURE * figures
        && text.split_whitespace().count() <= MAX_NAME_WORDS
        && !words.any(is_code)
}

/// Returns whether a word has both letters and figures and is no unit.
fn is_code(word: &str) -> bool {
    let has_both = word.contains(char::is_alphabetic) && word.contains(|c: char| c.is_ascii_digit());
    has_both && !AREAS_AND_VOLUMES.contains(&word)
}

/// Returns whether title or headers allow a table to be a schedule.
fn says_something(table: &Table, title: &Title, headers: &Headers) -> bool {
    let is_readable = headers.known > 0 || is_schedule_in_unknown_language(table, title);
    is_readable && (title.claims_schedule() || !headers.are_of_sheet_list())
}

/// Returns whether a table of some size begins with a row of headers, whatever their words, and nothing says that it is something
/// else.
fn has_header_row(table: &Table, title: &Title, headers: &Headers) -> bool {
    let has_size = table.headers.len() >= MIN_COLUMNS_WITHOUT_KNOWN_HEADERS && table.rows.len() >= MIN_ROWS;
    let is_filled = headers.filled as f32 >= MIN_FILLED_HEADERS * table.headers.len() as f32;
    let are_names = headers.names as f32 >= MIN_NAMES * headers.filled as f32;
    let is_other =
        (title.names_other && title.names.is_none()) || title.names_sheet_list || headers.are_of_sheet_list();
    has_size && is_filled && are_names && !is_other
}

/// Returns whether the title names a schedule and its type, above a table of some size. Its headers may be in an unknown
/// language.
fn is_schedule_in_unknown_language(table: &Table, title: &Title) -> bool {
    title.claims_schedule()
        && title.names.is_some()
        && table.headers.len() >= MIN_COLUMNS_WITHOUT_KNOWN_HEADERS
        && table.rows.len() >= MIN_ROWS
}

/// Returns whether a table that may be a schedule is one. The less its title says, the more its headers must.
fn is_schedule(table: &Table, title: &Title, headers: &Headers) -> bool {
    let columns = table.headers.len();
    if title.has_schedule_word {
        return true;
    }
    if title.names_other {
        return columns >= MIN_COLUMNS_AGAINST_TITLE
            && headers.known >= MIN_KNOWN_HEADERS
            && 3 * headers.known >= 2 * columns;
    }
    if title.names.is_some() && headers.known >= MIN_KNOWN_HEADERS_WITH_TYPE {
        return 3 * headers.known >= headers.filled;
    }
    if columns == 2 {
        return headers.known == columns && table.rows.len() >= MIN_ROWS && lists_marks(table);
    }
    headers.known >= MIN_KNOWN_HEADERS && 2 * headers.known >= columns && !table.rows.is_empty()
}

/// Returns whether a word of a title is a word for a schedule, or ends with one after what is listed.
fn is_schedule_word(word: &str) -> bool {
    words::SCHEDULE_WORDS.matches(word) || words::SCHEDULE_ENDINGS.words().iter().any(|end| is_compound(word, end))
}

/// Returns whether a word has the given end, and something before it.
fn is_compound(word: &str, end: &str) -> bool {
    word.len() > end.len() && word.ends_with(end)
}

/// A type of schedule, and words that are typical of it.
type Words = (ScheduleType, &'static Vocabulary);

/// Returns the words of titles for each type, in the order in which they decide.
fn title_words() -> [Words; 9] {
    [
        (ScheduleType::HardwareSchedule, &words::HARDWARE_TITLES),
        (ScheduleType::LightingSchedule, &words::LIGHTING_TITLES),
        (ScheduleType::PlumbingSchedule, &words::PLUMBING_TITLES),
        (ScheduleType::FinishSchedule, &words::FINISH_TITLES),
        (ScheduleType::DoorSchedule, &words::DOOR_TITLES),
        (ScheduleType::WindowSchedule, &words::WINDOW_TITLES),
        (ScheduleType::EquipmentSchedule, &words::EQUIPMENT_TITLES),
        (ScheduleType::MaterialSchedule, &words::MATERIAL_TITLES),
        (ScheduleType::RoomSchedule, &words::ROOM_TITLES),
    ]
}

/// Returns the words of headers for each type. If two types have as many, the first decides.
fn header_words() -> [Words; 9] {
    [
        (ScheduleType::DoorSchedule, &words::DOOR_HEADERS),
        (ScheduleType::WindowSchedule, &words::WINDOW_HEADERS),
        (ScheduleType::FinishSchedule, &words::FINISH_HEADERS),
        (ScheduleType::PlumbingSchedule, &words::PLUMBING_HEADERS),
        (ScheduleType::LightingSchedule, &words::LIGHTING_HEADERS),
        (ScheduleType::EquipmentSchedule, &words::EQUIPMENT_HEADERS),
        (ScheduleType::HardwareSchedule, &words::HARDWARE_HEADERS),
        (ScheduleType::MaterialSchedule, &words::MATERIAL_HEADERS),
        (ScheduleType::RoomSchedule, &words::ROOM_HEADERS),
    ]
}

fn type_by_title(title: &[String]) -> Option<ScheduleType> {
    title_words().into_iter().find(|(_, known)| known.matches_any(title)).map(|(named, _)| named)
}

fn type_by_headers(table: &Table) -> Option<ScheduleType> {
    let words: Vec<String> = table.headers.iter().flat_map(|header| words_of(header)).collect();
    let mut best: Option<(usize, ScheduleType)> = None;
    for (listed, known) in header_words() {
        let own = known.words().iter().filter(|header| words.iter().any(|word| word == *header)).count();
        if own >= MIN_TYPICAL_HEADERS && best.is_none_or(|(most, _)| own > most) {
            best = Some((own, listed));
        }
    }
    best.map(|(_, listed)| listed)
}

/// Returns whether the first column holds marks, each once: four in five of them are short.
fn lists_marks(table: &Table) -> bool {
    let marks: Vec<&String> = table.rows.iter().filter_map(|row| row.first()).filter(|mark| !mark.is_empty()).collect();
    let short = marks.iter().filter(|mark| is_mark(mark)).count();
    let distinct: HashSet<&&String> = marks.iter().collect();
    marks.len() >= MIN_MARKS && 5 * short >= 4 * marks.len() && distinct.len() == marks.len()
}

/// Returns whether a text is as short as a mark.
fn is_mark(text: &str) -> bool {
    let characters = text.chars().count();
    characters <= MAX_MARK || (characters <= MAX_MARK_WITH_FIGURE && text.chars().any(|c| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The titles of `docs/schedule-extractor.md`, and one for each word that outranks another.
    #[test]
    fn titles_name_the_type_of_a_schedule() {
        for (title, expected) in [
            ("DOOR SCHEDULE", ScheduleType::DoorSchedule),
            ("Türliste", ScheduleType::DoorSchedule),
            ("WINDOW SCHEDULE", ScheduleType::WindowSchedule),
            ("CUADRO DE VENTANAS", ScheduleType::WindowSchedule),
            ("ROOM FINISH SCHEDULE", ScheduleType::FinishSchedule),
            ("CUADRO DE ACABADOS", ScheduleType::FinishSchedule),
            ("DOOR HARDWARE SCHEDULE", ScheduleType::HardwareSchedule),
            ("Beschlagliste", ScheduleType::HardwareSchedule),
            ("PLUMBING FIXTURE SCHEDULE", ScheduleType::PlumbingSchedule),
            ("FIXTURE SCHEDULE", ScheduleType::PlumbingSchedule),
            ("LIGHT FIXTURE SCHEDULE", ScheduleType::LightingSchedule),
            ("LUMINAIRE SCHEDULE", ScheduleType::LightingSchedule),
            ("EQUIPMENT SCHEDULE", ScheduleType::EquipmentSchedule),
            ("EXHAUST FAN SCHEDULE", ScheduleType::EquipmentSchedule),
            ("MATERIAL SCHEDULE", ScheduleType::MaterialSchedule),
            ("AREA SCHEDULE", ScheduleType::RoomSchedule),
        ] {
            assert_eq!(Title::read(title).names, Some(expected), "{title}");
            assert!(Title::read(title).claims_schedule(), "{title}");
        }
        assert_eq!(Title::read("PANEL SCHEDULE").names, None);
    }

    #[test]
    fn names_have_many_letters_and_few_figures() {
        let cases = [
            ("900", false),
            ("W1", false),
            ("COLOR HC-45", false),
            ("-", false),
            ("gk= kN/m2", true),
            ("LENGTH OF 1 BAR", true),
        ];
        for (text, expected) in cases {
            assert_eq!(is_name(text), expected, "{text}");
        }
    }

    #[test]
    fn a_sentence_is_no_title() {
        let note = "NOTES: UNLESS NOTED OTHERWISE, ALL CIRCUITS OF THIS PANEL SHALL HAVE TWO WIRES OF COPPER";
        let title = Title::read(note);
        assert!(title.names.is_none() && !title.names_other && !title.names_sheet_list);
    }

    #[test]
    fn lists_of_sheets_are_no_schedules_though_they_say_so() {
        for title in ["SHEET SCHEDULE", "REVISION SCHEDULE"] {
            assert!(!Title::read(title).claims_schedule(), "{title}");
        }
        assert!(Title::read("WALL LEGEND").names_other);
    }
}
