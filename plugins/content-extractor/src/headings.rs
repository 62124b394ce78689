//! Where sections begin and end: headings, told from sentences and lists that only mention a section.

use fanlight_masterformat::fold::{fold, has_letters, squeeze, tidy};
use fanlight_masterformat::{Number, numbers};

use crate::leaf::Line;
use crate::patterns::pattern;
use crate::running::Sheet;

/// A section's heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) number: Number,
    /// As printed, lines joined; may be empty.
    pub(crate) title: String,
    /// Its first line on the page, among the text.
    pub(crate) line: usize,
    /// Lines that it takes.
    pub(crate) lines: usize,
}

/// Sections that are known to be in the manual: codes with titles.
pub(crate) type Known<'a> = [(&'a str, &'a str)];

pattern!(PART = r"^(?:PART|PARTIE|PARTE)\s*(?:[123]|I{1,3}|ONE|TWO|THREE)\s*(?:$|[-.:)]|[A-Z(])");
pattern!(ARTICLE = r"^[1-9]\d?(?:[.-]\d{1,2}){1,3}\.?\s+[A-Z(]");
pattern!(
    END = concat!(
        r"^\W*(?:END\s+OF\s+(?:THE\s+)?(?:SECTION|DOCUMENT)|FIN\s+DE\s+(?:LA\s+)?(?:SECTION|SECCION)",
        r"|END\s+(?:SECTION\s+)?\d[\d .-]{4,}|E\s?N\s?D\s+O\s?F\s+S\s?E\s?C\s?T\s?I\s?O\s?N)"
    )
);
pattern!(
    LABEL = r"^(?:[A-Z]{1,2}\.|[a-z]{1,2}\.|\d{1,2}\.|\d{1,2}\)|[A-Za-z]\)|\(\d{1,2}\)|\([a-z]{1,2}\)|[•▪■●○◦·–])\s"
);

/// "PART 1 - GENERAL".
pub(crate) fn is_part(text: &str) -> bool {
    PART.is_match(&fold(text))
}

/// "1.01 SUMMARY", "1-1 Summary", "1.1.1 Definitions".
pub(crate) fn is_article(text: &str) -> bool {
    ARTICLE.is_match(&tidy(text)) && !tidy(text).ends_with([',', ';'])
}

/// "END OF SECTION", alone or with its number.
pub(crate) fn is_end(text: &str) -> bool {
    let folded = fold(text);
    folded.len() <= 90 && END.is_match(&folded)
}

/// "A. ", "1) ", "(a) ".
pub(crate) fn has_list_label(text: &str) -> bool {
    LABEL.is_match(text)
}

/// PART 1 follows a section's heading within so many lines.
const PART_WITHIN: usize = 16;
/// What a line must reach to be a heading.
const ENOUGH: i32 = 6;
/// A longer text is no title.
const LONGEST_TITLE: usize = 140;

/// The headings on a page.
pub(crate) fn on(sheet: &Sheet, known: &Known) -> Vec<Heading> {
    let texts: Vec<String> = sheet.lines.iter().map(|line| tidy(&line.text())).collect();
    let mut found: Vec<Heading> = Vec::new();
    let crowded = is_contents(sheet, &texts);
    let mut at = 0;
    while at < texts.len() {
        match candidate(sheet, &texts, at).filter(|heading| score(sheet, &texts, heading, known) >= ENOUGH) {
            // A contents page begins with its own heading at most.
            Some(heading) if !crowded || (at <= 3 && squeeze(&heading.title).contains("CONTENTS")) => {
                at += heading.lines.max(1);
                found.push(heading);
            }
            _ => at += 1,
        }
    }
    found
}

/// What a line reads as if it is a heading.
fn candidate(sheet: &Sheet, texts: &[String], line: usize) -> Option<Heading> {
    let text = texts.get(line)?;
    if let Some((number, rest)) = numbers::leading(text) {
        // A title doesn't follow a comma.
        let printed = text.strip_suffix(rest).unwrap_or(text);
        if printed.trim_end().ends_with([',', ';', ')', '.']) && !rest.is_empty() {
            return None;
        }
        let (title, lines) =
            if rest.is_empty() { title_below(sheet, texts, line + 1) } else { title_on(sheet, texts, line, rest) };
        return Some(Heading { number, title, line, lines: lines + 1 });
    }
    if numbers::is_announcement(text) {
        let (number, rest) = numbers::leading(texts.get(line + 1)?)?;
        let (title, lines) = if rest.is_empty() { title_below(sheet, texts, line + 2) } else { (rest.to_owned(), 0) };
        return Some(Heading { number: Number { worded: true, ..number }, title, line, lines: lines + 2 });
    }
    let (title, number) = numbers::trailing(text)?;
    (number.worded && has_letters(title, 3)).then(|| Heading { number, title: title.to_owned(), line, lines: 1 })
}

/// A title that begins beside its number, and the further lines that it takes.
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

/// The title in the lines below a number: lines set alike, none that begins a text.
fn title_below(sheet: &Sheet, texts: &[String], first: usize) -> (String, usize) {
    let mut title = String::new();
    let mut taken = 0;
    for at in first..first + 3 {
        let (Some(line), Some(text)) = (sheet.lines.get(at), texts.get(at)) else { break };
        if !is_title(text) {
            break;
        }
        if let Some(above) = at.checked_sub(1).filter(|_| taken > 0).and_then(|above| sheet.lines.get(above)) {
            let apart = line.y < above.y || line.y - above.y > 1.6 * above.size;
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

/// Whether a line can be (part of) a section's title.
fn is_title(text: &str) -> bool {
    has_letters(text, 2)
        && text.chars().count() <= LONGEST_TITLE
        && !is_part(text)
        && !is_article(text)
        && !is_end(text)
        && !has_list_label(text)
        && !text.ends_with([';', ','])
        && !is_sentence(text)
        && numbers::leading(text).is_none()
}

/// A text of small letters with a full stop at its end or in its middle.
fn is_sentence(text: &str) -> bool {
    let small = text.chars().filter(|c| c.is_lowercase()).count();
    let stop = text.ends_with('.') || text.contains(". ");
    small > 12 && stop && text.split_whitespace().count() > 5
}

/// How much speaks for a candidate: what stands around it counts for more than its own looks, which every mention of
/// a section can have.
fn score(sheet: &Sheet, texts: &[String], heading: &Heading, known: &Known) -> i32 {
    let Some((line, text)) = sheet.lines.get(heading.line).zip(texts.get(heading.line)) else { return 0 };
    let title = &heading.title;
    if title.chars().count() > LONGEST_TITLE || is_sentence(title) || title.starts_with(|c: char| c.is_lowercase()) {
        return 0;
    }
    if is_wrapped(sheet, texts, heading.line) {
        return 0;
    }
    let mut score = 0;
    let mut add = |points: i32, fact: bool| score += if fact { points } else { 0 };
    let below = texts.get(heading.line + heading.lines..).unwrap_or_default();
    let mut near = below.iter().take(PART_WITHIN);
    let part = near.any(|text| is_part(text) || is_article(text) && text.starts_with('1'));
    let first = heading.line == 0;
    let after_end = heading.line.checked_sub(1).and_then(|above| texts.get(above)).is_some_and(|above| is_end(above));
    let capitals = !text.chars().any(char::is_lowercase);
    let middle = f32::midpoint(line.left(), line.right());
    let centred = (middle - sheet.width / 2.0).abs() < 0.03 * sheet.width && line.left() > 0.18 * sheet.width;
    let six = heading.number.six.as_str();
    let alike = known.iter().any(|(code, known)| *code == six && similar(known, title));
    add(2, heading.number.worded);
    add(1, capitals);
    add(1, title.is_empty() || heading.lines > 1);
    add(3, part);
    add(2, first);
    add(2, after_end);
    add(1, is_isolated(sheet, heading));
    add(1, line.bold || centred);
    add(2, alike);
    let lists = [heading.line.checked_sub(1), Some(heading.line + heading.lines)];
    let listed =
        lists.into_iter().flatten().filter_map(|at| texts.get(at)).any(|text| numbers::leading(text).is_some());
    add(-4, listed && !part);
    if let Some(label) = &sheet.label {
        let own = label.number.six == heading.number.six;
        add(3, own && (first || label.page.is_none_or(|page| page == 1)));
        add(-3, own && !first && label.page.is_some_and(|page| page > 1));
        // A page whose footer counts on in another section mentions this one, unless a part begins below.
        add(-3, !own && !part && !after_end && label.page.is_none_or(|page| page > 1));
    }
    add(-3, !heading.number.worded && !part && !alike);
    score
}

/// Whether a line goes on with a sentence of the line above.
fn is_wrapped(sheet: &Sheet, texts: &[String], line: usize) -> bool {
    let Some(above) = line.checked_sub(1) else { return false };
    let (Some(own), Some(other), Some(text)) = (sheet.lines.get(line), sheet.lines.get(above), texts.get(above)) else {
        return false;
    };
    let close = own.y > other.y && own.y - other.y <= 1.5 * own.size;
    let text_left = other.cells.get(1).filter(|_| has_list_label(text)).map_or(other.left(), |cell| cell.left);
    let aligned = (own.left() - text_left).abs() < 3.0 || (own.left() - other.left()).abs() < 3.0;
    let unfinished = !text.ends_with(['.', ':', ';', '!', '?']);
    // Two centred or two bold lines in capitals are a heading's.
    let long = other.right() - text_left > 0.45 * sheet.width;
    close && aligned && unfinished && long && !is_end(text)
}

/// Whether white space parts a heading from the text above it.
fn is_isolated(sheet: &Sheet, heading: &Heading) -> bool {
    let lines: [Option<&Line>; 2] =
        [heading.line.checked_sub(1).and_then(|above| sheet.lines.get(above)), sheet.lines.get(heading.line)];
    match lines {
        [Some(above), Some(line)] => line.y < above.y || line.y - above.y > 1.6 * line.size,
        _ => true,
    }
}

/// Whether two titles name the same: equal words, or nearly all.
pub(crate) fn similar(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        fold(text).split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2).map(str::to_owned).collect()
    };
    let (a, b) = (words(a), words(b));
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let common = a.iter().filter(|word| b.contains(word)).count();
    2 * common * 10 >= (a.len() + b.len()) * 7
}

/// Whether a page lists sections: a contents, an index.
pub(crate) fn is_contents(sheet: &Sheet, texts: &[String]) -> bool {
    let numbered = |text: &String| {
        let leading = numbers::leading(text).is_some_and(|(_, rest)| has_letters(rest, 3));
        leading || numbers::trailing(text).is_some_and(|(title, _)| has_letters(title, 3))
    };
    let bare = |text: &String| numbers::leading(text).is_some_and(|(_, rest)| rest.is_empty());
    let listed = texts.iter().filter(|text| numbered(text) || bare(text)).count();
    let body = texts.iter().filter(|text| is_part(text) || is_article(text)).count();
    let named = sheet
        .running
        .iter()
        .map(Line::text)
        .chain(texts.iter().take(12).cloned())
        .any(|text| matches!(squeeze(&text).as_str(), text if text.contains("TABLEOFCONTENTS") || text == "CONTENTS" || text.contains("TABLEDESMATIERES")));
    body <= 3 && ((named && listed >= 3) || (listed >= 6 && listed * 5 >= texts.len() * 2))
}
