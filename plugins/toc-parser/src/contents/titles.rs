//! Separates the title of a section from the page numbers, dates and remarks beside it.

use fanlight_masterformat::numbers::{self, Number};
use fanlight_text::folding::{fold, has_letters, tidy};
use fanlight_text::words;

/// Joins the lines of a title. Lines that end with a hyphen or slash after a letter are joined
/// without a space.
pub(crate) fn join_lines(lines: &[String]) -> String {
    let mut title = String::new();
    for line in lines.iter().map(|line| tidy(line)).filter(|line| !line.is_empty()) {
        let glued =
            title.ends_with(['-', '/', '‐', '‑']) && title.chars().rev().nth(1).is_some_and(char::is_alphanumeric);
        if !title.is_empty() && !glued {
            title.push(' ');
        }
        title.push_str(&line);
    }
    title
}

/// Returns whether a title says that the section is not used. Such a section has no content: it is
/// printed only so that its number is not assigned again.
pub(crate) fn is_unused(title: &str) -> bool {
    let folded = fold(title);
    // "Windows (Not Used)", "Windows - NOT USED", "Windows: Reserved".
    let remark_at = folded.rfind(['(', '[']).or_else(|| folded.rfind(" - ")).or_else(|| folded.rfind(": "));
    says_unused(&folded)
        || words::UNUSED_ALONE.matches(bare(&folded))
        || remark_at.is_some_and(|at| says_unused(&folded[at..]))
        || [" NOT USED", " NON UTILISE", " NON UTILISEE"].iter().any(|remark| folded.ends_with(remark))
}

/// Returns whether a folded text, without brackets and signs around it, is a phrase that says "not used".
pub(crate) fn says_unused(folded: &str) -> bool {
    let text = bare(folded);
    words::UNUSED.matches(text)
        || words::UNUSED.words().iter().any(|phrase| text.strip_prefix(phrase).is_some_and(continues_unused))
}

/// Returns whether the rest of a folded text says by what or where a section is not used: " BY ADDENDUM 2".
fn continues_unused(rest: &str) -> bool {
    rest.strip_prefix(' ').is_some_and(|rest| words::UNUSED_CONTINUATIONS.matches(rest))
}

/// Returns a text without the brackets and signs around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| !c.is_alphanumeric() && !"()[]".contains(c))
        .trim_matches(|c: char| "()[]*<>{}\"'- .".contains(c))
}

/// Returns `text` without "(continued)" at either end.
pub(crate) fn without_continued(text: &str) -> &str {
    let text = text.trim();
    if let Some(close) = text.find([')', ']']).filter(|_| text.starts_with(['(', '[']))
        && says_continued(&text[..close])
    {
        return text[close + 1..].trim();
    }
    if let Some(open) = text.rfind(['(', '['])
        && says_continued(&text[open..])
    {
        return text[..open].trim_end();
    }
    if let Some((head, last)) = text.rsplit_once(' ')
        && says_continued(last)
    {
        return head.trim_end_matches([' ', '-', '–', '—', ',', ':']);
    }
    if says_continued(text) { "" } else { text }
}

/// Returns whether a text, without the brackets and signs around it, says "continued", with or
/// without the full stop of an abbreviation.
fn says_continued(text: &str) -> bool {
    let folded = fold(text);
    words::CONTINUED.matches(folded.trim_matches(|c: char| "()[]-:., ".contains(c)))
        || words::CONTINUED.matches(folded.trim_matches(|c: char| "()[]-: ".contains(c)))
}

/// Returns whether a text can be in a column beside the titles: a page, a number of pages, the heading of such a column, a date,
/// a revision or a mark. `number` is the section's own.
pub(crate) fn is_beside_title(text: &str, number: Option<&Number>) -> bool {
    let text = fold(text);
    let text = text.trim_matches(|c: char| "()[]{}*. ".contains(c));
    text.is_empty()
        || !text.chars().any(char::is_alphanumeric)
        || is_pages(text)
        || words::PAGES.matches(text)
        || is_own_page(text, number)
        || is_date(text)
        || is_revision(text)
        || text.split_once(", ").is_some_and(|(date, change)| is_date(date) && is_revision(change))
        || matches!(text, "X" | "V" | "N/A" | "TBD" | "NEW" | "BOUND SEPARATELY" | "YES" | "NO")
}

/// Returns whether a text can be a title: it has letters and can be in no column beside titles.
pub(crate) fn can_be_title(text: &str) -> bool {
    has_letters(text, 2) && !is_beside_title(text, None)
}

/// Returns whether a folded text is a page or a number of pages: "12", "iv", "1-12", "p. 3", "12
/// pages", "1 of 4", "3 thru 8", "A-2".
pub(crate) fn is_pages(folded: &str) -> bool {
    let mut figures = 0;
    let tokens = folded.split([' ', '-', '/', '.', ',']).filter(|t| !t.is_empty());
    for token in tokens {
        // "A" of "A-2", or "P3".
        let after_letter = token.strip_prefix(|c: char| c.is_ascii_uppercase());
        let has_figure =
            is_figure(token, 4) || is_roman(token) || after_letter.is_some_and(|digits| is_figure(digits, 3));
        let is_word = after_letter == Some("")
            || words::PAGES.matches(token)
            || matches!(token, "OF" | "TO" | "THRU" | "THROUGH" | "AND" | "DE" | "AU");
        if !has_figure && !is_word {
            return false;
        }
        figures += usize::from(has_figure);
    }
    (1..=4).contains(&figures)
}

/// Returns whether a text is a figure of at most `most` digits.
pub(crate) fn is_figure(text: &str, most: usize) -> bool {
    (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_roman(token: &str) -> bool {
    token.len() <= 6 && !token.is_empty() && token.bytes().all(|byte| b"IVXL".contains(&byte))
}

/// Returns whether a text is a section's number with pages, and no title: "081113-1 to 081113-4".
pub(crate) fn is_page_of_section(text: &str) -> bool {
    let folded = fold(text);
    numbers::leading(&folded).is_some_and(|(_, rest)| !rest.is_empty()) && is_own_page(&folded, None)
}

/// Returns whether a folded text is a section's number with its pages: "081113-1", "08 11 13 - 1
/// thru 4", "01010-1".
fn is_own_page(folded: &str, number: Option<&Number>) -> bool {
    let Some((found, rest)) = numbers::leading(folded) else { return false };
    number.is_none_or(|number| number.six == found.six)
        && (rest.is_empty()
            || is_pages(rest)
            || is_own_page(rest.trim_start_matches(|c: char| !c.is_ascii_digit()), number)
            || {
                // "081113-1 to 081113-6".
                let tail = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ' || c == '-');
                let tail = ["TO ", "THRU ", "THROUGH ", "- "].iter().find_map(|word| tail.strip_prefix(word));
                tail.is_some_and(|tail| numbers::leading(tail).is_some_and(|(_, rest)| is_pages(rest)))
            })
}

/// Returns whether a folded text is a date: "03/15/24", "2024-03-15", "24 02 12", "08/15", "April
/// 7, 2021", "15 MAR 2024", "Mar-24".
pub(crate) fn is_date(folded: &str) -> bool {
    let tokens: Vec<&str> = folded.split(|c: char| " -/.,".contains(c)).filter(|token| !token.is_empty()).collect();
    let is_month =
        |token: &str| token.len() >= 3 && (words::MONTHS.matches(token) || (token.len() <= 4 && begins_a_month(token)));
    let figures = tokens.iter().filter(|token| is_figure(token, 4)).count();
    let months = tokens.iter().filter(|token| is_month(token)).count();
    if figures + months != tokens.len() {
        return false;
    }
    let slashed = folded.contains('/') && !folded.contains(' ');
    let year = tokens.iter().any(|t| t.len() == 4 && (t.starts_with("19") || t.starts_with("20")));
    match (figures, months) {
        (1 | 2, 1) => true,
        (2, 0) => slashed || (year && tokens.len() == 2),
        (3, 0) => tokens.iter().all(|token| token.len() == 2) || year || slashed,
        _ => false,
    }
}

/// Returns whether a folded token is the beginning of a month's name.
fn begins_a_month(token: &str) -> bool {
    words::MONTHS.words().iter().any(|month| month.starts_with(token))
}

/// Returns whether a folded text names a revision, with a date or without: "Rev. 2", "Revision A",
/// "Addendum No. 2", "ADD #1", "R1", "Issue 3", "Bulletin 4".
pub(crate) fn is_revision(folded: &str) -> bool {
    let Some(word) = words::REVISIONS.iter().find(|word| folded.starts_with(**word)) else { return false };
    let rest = &folded[word.len()..];
    if rest.starts_with(char::is_alphabetic) {
        return false;
    }
    let mut tokens = rest.split(|c: char| " -/.,#:;()".contains(c)).filter(|token| !token.is_empty()).peekable();
    tokens.peek().is_some()
        && tokens.all(|token| {
            token.bytes().all(|byte| byte.is_ascii_digit())
                || words::REVISION_WORDS.matches(token)
                || token.len() == 1
                || words::REVISIONS.contains(&token)
                || (token.len() >= 3 && begins_a_month(token))
        })
}

/// Returns a title without what cannot be part of it: separators and dates before it; labelled page
/// numbers, revisions in brackets and the section's own number after it.
pub(crate) fn clean<'a>(title: &'a str, number: &Number) -> &'a str {
    let mut title = title.trim_start_matches(|c: char| c.is_whitespace() || "-‐‑–—−:.,;|=•·*_/".contains(c));
    // SpecsIntact prints a column of dates close to the titles.
    if let Some((date, rest)) = title.split_once(' ')
        && is_date_in_column(date)
        && has_letters(rest, 2)
    {
        title = rest;
    }
    loop {
        let before = title.len();
        title = title.trim_end_matches(|c: char| c.is_whitespace() || "-‐‑–—−:,;|=•·*_".contains(c));
        title = without_remark(without_leader(title), number);
        if title.len() == before {
            return title;
        }
    }
}

/// Returns whether a text is a date as registers print it: "08/15", "2/14/22". "5/8" and "1-1/2" are sizes.
fn is_date_in_column(text: &str) -> bool {
    let parts: Vec<&str> = text.split('/').collect();
    let has_places = parts.len() == 3 || parts.iter().all(|part| matches!(part.len(), 2 | 4));
    parts.len() > 1 && has_places && is_date(&fold(text))
}

/// Returns a title without a leader of one or two dots at its end. Longer leaders are cells of their own.
fn without_leader(title: &str) -> &str {
    title.strip_suffix("..").or_else(|| title.strip_suffix(" .")).unwrap_or(title)
}

/// Returns a title without the page, date or revision at its end.
fn without_remark<'a>(title: &'a str, number: &Number) -> &'a str {
    // "(12 pages)", "[Rev. 2]", "(Addendum No. 1)", "(by Owner)".
    let open = title.rfind(['(', '[', '{']).filter(|_| title.ends_with([')', ']', '}']));
    if let Some(at) = open.filter(|at| *at > 0) {
        let inside = fold(title[at..].trim_matches(|c: char| "()[]{} ".contains(c)));
        // "[5]" is a number of pages.
        let count = title[at..].starts_with('[') && inside.len() <= 3 && inside.bytes().all(|b| b.is_ascii_digit());
        if count
            || words::CONTENTS_REMARKS.matches(&inside)
            || is_revision(&inside)
            || is_date(&inside)
            || says_pages(&inside)
            || is_own_page(&inside, Some(number))
        {
            return &title[..at];
        }
    }
    // Tried from the left, so that the longest remark is removed.
    for (at, _) in title.char_indices().filter(|&(at, c)| at > 0 && c == ' ') {
        let tail = fold(title[at..].trim_matches(|c: char| " -–—:,".contains(c)));
        if says_pages(&tail) || (tail.len() > 5 && is_own_page(&tail, Some(number))) {
            return &title[..at];
        }
        let set_off = title[..at].ends_with(['-', '–', '—', ',', '*']);
        if set_off && (is_revision(&tail) || (is_date(&tail) && tail.len() >= 6)) {
            return &title[..at];
        }
    }
    title
}

/// Returns whether a folded text is pages with a word beside the figure: "12 pages", "p. 3", "Page
/// 4 of 6".
fn says_pages(folded: &str) -> bool {
    let named = ["PAGE", "PGS", "PG.", "PG ", "PP.", "PP ", "P. "].iter().any(|word| folded.contains(word));
    named && is_pages(folded) && folded.chars().any(|c| c.is_ascii_digit())
}

/// Returns a title without the figure at its end, and the figure, which may be its page.
pub(crate) fn figure_at_end(title: &str) -> Option<(&str, &str)> {
    let (head, last) = title.trim_end().rsplit_once(' ')?;
    let parts: Vec<&str> = last.split(['-', '–']).collect();
    let is_page = parts.len() <= 2 && parts.iter().all(|part| is_figure(part, 4));
    (is_page && has_letters(head, 2)).then_some((head, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number() -> Number {
        numbers::leading("08 11 13").unwrap().0
    }

    #[test]
    fn titles_keep_their_figures_and_lose_pages_and_remarks() {
        let cases = [
            ("- HOLLOW METAL DOORS", "HOLLOW METAL DOORS"),
            ("Hollow Metal Doors (12 pages)", "Hollow Metal Doors"),
            ("Hollow Metal Doors - 12 pp.", "Hollow Metal Doors"),
            ("Hollow Metal Doors 081113-1", "Hollow Metal Doors"),
            ("Hollow Metal Doors 08 11 13 - 1 thru 4", "Hollow Metal Doors"),
            ("Hollow Metal Doors [Rev. 2]", "Hollow Metal Doors"),
            ("Hollow Metal Doors (Addendum No. 1)", "Hollow Metal Doors"),
            ("08/15 HOLLOW METAL DOORS", "HOLLOW METAL DOORS"),
            ("Hollow Metal Doors – Revised 03/15/24", "Hollow Metal Doors"),
            ("Hollow Metal Doors (REVISED PER ADDENDUM NO. 2)", "Hollow Metal Doors"),
            ("hollow metal doors [5]", "hollow metal doors"),
            ("Appliances (by Owner)", "Appliances"),
            ("Portes en acier (par le propriétaire)", "Portes en acier"),
            ("General Conditions [bound separately]", "General Conditions"),
            ("/ Hollow Metal Doors", "Hollow Metal Doors"),
            ("Hollow Metal Doors ..", "Hollow Metal Doors"),
            ("Doors - Type 2 - Exterior", "Doors - Type 2 - Exterior"),
            ("Elevators (2)", "Elevators (2)"),
            ("Addendum No. 1", "Addendum No. 1"),
            ("Feeders (0-750 V)", "Feeders (0-750 V)"),
            ("3-Hour Flue Enclosures (UL W512)", "3-Hour Flue Enclosures (UL W512)"),
            ("Sprinklers, NFPA 13", "Sprinklers, NFPA 13"),
            ("Signage - Phase 2", "Signage - Phase 2"),
        ];
        for (raw, title) in cases {
            assert_eq!(clean(raw, &number()), title, "{raw}");
        }
    }

    #[test]
    fn pages_dates_and_revisions_are_not_words() {
        for text in [
            "12",
            "iv",
            "1-12",
            "081113-1",
            "08 11 13-1 to 08 11 13-6",
            "03/15/24",
            "2024-03-15",
            "April 7, 2021",
            "15 MAR 24",
            "Rev. 2",
            "Addendum 1",
            "p. 3",
            "6 pages",
            "1 of 4",
            "—",
            "*",
        ] {
            assert!(is_beside_title(text, Some(&number())), "{text}");
        }
        for text in ["Doors", "NFPA 13 Systems", "Type B", "March Hall", "Adding Machines"] {
            assert!(!is_beside_title(text, Some(&number())), "{text}");
        }
    }

    #[test]
    fn remarks_that_a_section_is_not_used_are_known() {
        for title in [
            "NOT USED",
            "(Not Used)",
            "[RESERVED]",
            "Not in this Contract",
            "Windows (NOT USED)",
            "Windows - Not Used",
            "N/A",
            "DELETED BY ADDENDUM NO. 2",
            "SUPPRIMÉ PAR ADDENDA N° 5",
            "(Réservé)",
            "NON UTILISÉ",
            "Intentionally Omitted",
            "--- NOT USED ---",
            "N.I.C.",
            "Windows (N.I.C.)",
            "BY OWNER",
            "(SECTION OMITTED)",
            "S.O.",
            "SIN USO",
        ] {
            assert!(is_unused(title), "{title}");
        }
        for title in
            ["Appliances (by Owner)", "Reserved Parking Signage", "Used Materials", "Deleted Scenes", "Void Form"]
        {
            assert!(!is_unused(title), "{title}");
        }
    }

    #[test]
    fn lines_of_a_title_are_joined() {
        let lines = |lines: &[&str]| join_lines(&lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>());
        assert_eq!(lines(&["Common Work Results", "for Electrical"]), "Common Work Results for Electrical");
        assert_eq!(lines(&["High-", "Performance Coatings"]), "High-Performance Coatings");
        assert_eq!(lines(&["Doors -", "Exterior"]), "Doors - Exterior");
    }
}
