//! Sheet numbers in their usual forms.
//!
//! The National CAD Standard has the letters of a discipline, a hyphen, a digit for the type of
//! sheet and two for the sequence ("A-101"). Other forms are "A2.01", "A-101.00", "ID-101", "1 OF
//! 12" and codes of several parts ("JOB/AR/DR/01"). A text that looks like a date, a scale, a
//! dimension or a reference to another sheet ("3/A-501") is no number.

use std::sync::LazyLock;

use fanlight_text::words::NOT_NUMBER_PREFIXES;
use regex::Regex;

use crate::words::fold;

/// A text that may be a sheet number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Number {
    /// As printed, without the word before it and the count of sheets after it.
    pub(crate) printed: String,
    /// How much it looks like a number, 0 to 1.
    pub(crate) likeness: f32,
    /// The letters that it begins with, usually those of the discipline.
    pub(crate) prefix: String,
    /// What it is made of.
    pub(crate) form: Form,
}

impl Number {
    fn new(printed: &str, likeness: f32, prefix: &str, form: Form) -> Self {
        Self { printed: printed.to_owned(), likeness, prefix: prefix.to_owned(), form }
    }
}

/// What a number is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Letters and digits: "A-101", "A2.01", "A1".
    Lettered,
    /// The name of a paper size is no number more often than one: "A3".
    PaperSize,
    /// Several parts: "JOB/AR/DR/01".
    Coded,
    /// Two numbers: "25-14", "3322/02", "2.04".
    Pair,
    /// Three short numbers, which may be a date: "5.1.00".
    Dotted,
    /// One number: "7".
    Counted,
    /// A number and how many there are: "3 of 12".
    OfTotal,
    /// Letters alone: "SP".
    Letters,
}

macro_rules! pattern {
    ($name:ident, $regex:literal) => {
        static $name: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new($regex).ok());
    };
}

// Letters of other alphabets count too: "АР-3" in Russian stamps. Classes such as \p{Lu} do not: plugins leave out their tables.
pattern!(LETTERED, r"^([A-ZА-ЯΑ-Ω]{1,3})([-. ]?)(\d{1,4})(\.?[.\-]\d{1,3}){0,2}[A-Z]?$");
pattern!(PAPER_SIZE, r"^A[0-4]$");
pattern!(PAIR, r"^(?:\d{2,4}[-_]\d{1,3}|\d{3,4} ?/ ?\d{1,3}|\d{3,5}-[A-Z]{1,2}\d{1,3})[A-Z]?$");
pattern!(LETTERS, r"^(?:[A-Z]{1,3}|\d{1,2}[A-Z])$");
pattern!(NAMED, r"^([A-Z]{1,3}[-. ]?\d{1,4}(?:[.\-]\d{1,3}){0,2}[A-Z]?) [-:] [A-Z]{3}");
pattern!(CODED, r"^[A-Z0-9]{1,8}((?: ?[/\-] ?|[._])[A-Z0-9]{1,8}){2,8}$");
pattern!(DECIMAL, r"^\d{1,2}\.\d{1,2}[A-Z]?$");
pattern!(REVISED, r"^(\S+) +(?:REV(?:ISION)?[.:]? ?[A-Z]?\d{0,2}|[PCT]\d{1,2}|[A-Z])$");
pattern!(ROLE, r"[-_/. ]([A-Z]{1,2})[-_/. ]?\d{3,6}$");
pattern!(MISREAD, r"^([A-Z$]{1,2}?)([- ]?)([0-9OoIl]{1,4})(\.[0-9OoIl]{1,3})?$");
pattern!(COUNTED, r"^[(\[\-–. ]*(\d{1,3})[)\]\-–. ]*$");
pattern!(OPEN, r"^(\d{1,3}) ?(?:/|OF|VON|VAN|DE|DI|SUR)$");
pattern!(OF_TOTAL, r"^(.+?) ?(?:/|OF|DE|VON|VAN|DI|SUR|DARI) ?(\d{1,3})$");
pattern!(DOTTED, r"^\d{1,2}\.\d{1,2}\.\d{1,3}$");
pattern!(SPACED, r"^[A-Z] ([A-Z][-.]?\d.*)$");
pattern!(DATE, r"^\d{1,4}[./\-]\d{1,2}[./\-]\d{1,4}$");
pattern!(MARK, r"^\d{1,2} ?/");
pattern!(
    WORD_BEFORE,
    r"^(?:SHEET|PAGE|DWG|DRAWING|SHT|PLAN|FOLHA|HOJA|FEUILLE|BLATT|PAFTA|TAVOLA|TAV[. ]?|BLAD|LAMINA|PLANCHE|PRANCHA|UNTERLAGE|ANLAGE|ЛИСТ|LEHT)(?: ?(?:NO|NR|NUMBER|N°|Nº)?[.:]? ?| ?[#:] ?)([A-Z]{0,3}[- .]?\d.*)$"
);

fn captures<'t>(pattern: &LazyLock<Option<Regex>>, text: &'t str) -> Option<regex::Captures<'t>> {
    LazyLock::force(pattern).as_ref()?.captures(text)
}

/// A title follows only a number that looks like one at least this much.
const NAMED_LIKENESS: f32 = 0.7;
/// The index of a revision follows only a number that looks like one at least this much.
const REVISED_LIKENESS: f32 = 0.8;

/// The least likeness of a number with the word for a sheet before it.
const WORDED_LIKENESS: f32 = 0.6;
/// Longer texts are not numbers.
const MAX_LENGTH: usize = 34;

/// Returns the number that a text may be.
pub(crate) fn read(text: &str) -> Option<Number> {
    let printed = text.trim();
    if printed.len() > MAX_LENGTH || !printed.chars().any(|c| c.is_ascii_digit()) {
        return None;
    }
    let folded = fold(printed);
    if folded.chars().count() == printed.chars().count()
        && let Some(found) = captures(&WORD_BEFORE, &folded)
        && let Some(rest) = found.get(1)
    {
        let skipped = folded.get(..rest.start())?.chars().count();
        // A word that is joined to the figures is a part of the number: "Tav1".
        let is_joined = folded[..rest.start()].ends_with(char::is_alphabetic);
        let value: String = printed.chars().skip(skipped).collect();
        if is_joined && value.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(Number::new(printed, WORDED_LIKENESS, "", Form::OfTotal));
        }
        let number = bare(&value, &fold(&value))?;
        return Some(Number { likeness: number.likeness.max(WORDED_LIKENESS), ..number });
    }
    bare(printed, &folded)
}

fn bare(printed: &str, folded: &str) -> Option<Number> {
    if captures(&DOTTED, folded).is_some() {
        return Some(Number::new(printed, 0.3, "", Form::Dotted));
    }
    if captures(&DATE, folded).is_some() {
        return None;
    }
    // A letter that stands apart belongs to the number: "W D-1".
    if captures(&SPACED, folded).is_some() {
        let (printed, folded) = (printed.replacen(' ', "", 1), folded.replacen(' ', "", 1));
        return bare(&printed, &folded);
    }
    if let Some(found) = captures(&LETTERED, folded) {
        let group = |at: usize| found.get(at).map_or("", |group| group.as_str());
        let (letters, digits) = (group(1), group(3));
        if NOT_NUMBER_PREFIXES.matches(letters) {
            return None;
        }
        // "A-101", "AD101" and "A2.01" are hardly ever anything else. "P1" may be a door and "B 7"
        // anything.
        let likeness = match (digits.len(), group(2), group(4)) {
            (3, ..) | (1..=2, _, ".." | ".") => 1.0,
            (1..=2, "-", _) => 0.9,
            (_, _, decimals) if !decimals.is_empty() => 1.0,
            (1..=2, "", _) => 0.7,
            (_, " ", _) => 0.4,
            _ => 0.6,
        };
        let form = if captures(&PAPER_SIZE, folded).is_some() { Form::PaperSize } else { Form::Lettered };
        return Some(Number::new(printed, likeness, letters, form));
    }
    // "2.04" is a dimension as often, so that a label, its size or the set must confirm it.
    if captures(&DECIMAL, folded).is_some() || captures(&PAIR, folded).is_some() {
        return Some(Number::new(printed, 0.4, "", Form::Pair));
    }
    // The title or the index of a revision may follow the number: "A001.01 - SITE PLAN", "A2.01 REV B".
    for (pattern, least) in [(&NAMED, NAMED_LIKENESS), (&REVISED, REVISED_LIKENESS)] {
        if let Some(first) = captures(pattern, folded).and_then(|found| found.get(1))
            && folded.chars().count() == printed.chars().count()
        {
            let taken: String = printed.chars().take(first.as_str().chars().count()).collect();
            return bare(&taken, first.as_str()).filter(|inner| inner.likeness >= least);
        }
    }
    if captures(&COUNTED, folded).is_some() {
        let digits: String = printed.chars().filter(char::is_ascii_digit).collect();
        return Some(Number::new(&digits, 0.3, "", Form::Counted));
    }
    // The count of sheets is on the next line.
    if captures(&OPEN, folded).is_some() {
        let digits: String = printed.chars().filter(char::is_ascii_digit).collect();
        return Some(Number::new(&digits, 0.5, "", Form::OfTotal));
    }
    if let Some(found) = captures(&OF_TOTAL, folded)
        && let (Some(first), Some(total)) = (found.get(1), found.get(2))
        && folded.chars().count() == printed.chars().count()
    {
        let taken: String = printed.chars().take(folded.get(..first.end())?.chars().count()).collect();
        // The last part of a code is not a count.
        let simple = [&LETTERED, &COUNTED].iter().any(|pattern| captures(pattern, first.as_str().trim()).is_some());
        let inner = if simple { bare(taken.trim(), first.as_str().trim()) } else { None };
        if let Some(inner) = inner.filter(|inner| may_be_of_total(&inner.printed, total.as_str())) {
            let form = if inner.form == Form::Counted { Form::OfTotal } else { inner.form };
            return Some(Number { likeness: inner.likeness.max(0.5), form, ..inner });
        }
    }
    let coded = captures(&CODED, folded).is_some() && captures(&MARK, folded).is_none();
    if coded && folded.chars().any(char::is_alphabetic) {
        // The last letters of a code are those of its role: "JOB-ORG-ZZ-02-DR-A-1002" by ISO 19650,
        // "01-A-201".
        let role = captures(&ROLE, folded).and_then(|found| found.get(1)).map_or("", |role| role.as_str());
        return Some(Number::new(printed, 0.8, role, Form::Coded));
    }
    None
}

/// Returns whether a printed number may be one of a total: "3 / 12". "WD-1/01" is a code.
fn may_be_of_total(printed: &str, total: &str) -> bool {
    let is_count = !total.starts_with('0') || total.len() == printed.len();
    let (at, of) = (printed.parse::<u32>(), total.parse::<u32>());
    is_count && (at.is_err() || matches!((at, of), (Ok(at), Ok(of)) if at <= of && at > 0))
}

/// Returns the number that letters alone, or a figure with a letter, are if their label says that they are one: "SP", "5b".
pub(crate) fn read_letters(text: &str) -> Option<Number> {
    let printed = text.trim();
    captures(&LETTERS, &fold(printed))?;
    Some(Number::new(printed, 0.2, &fold(printed), Form::Letters))
}

/// Returns the number that a text from OCR may be. After the discipline's letters, letters that
/// look like digits are digits.
pub(crate) fn read_from_pixels(text: &str) -> Option<Number> {
    let text = text.trim();
    let misread = captures(&MISREAD, text).filter(|_| text.chars().any(|c| c.is_ascii_digit()));
    let Some(found) = misread else { return read(text) };
    let group = |at: usize| found.get(at).map_or("", |group| group.as_str());
    let digits = |at: usize| group(at).replace(['O', 'o'], "0").replace(['I', 'l'], "1");
    read(&format!("{}{}{}{}", group(1).replace('$', "S"), group(2), digits(3), digits(4)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheet_numbers_differ_from_similar_texts() {
        for (text, printed, least) in [
            ("A-101", "A-101", 0.9),
            ("AD101", "AD101", 0.9),
            ("A2.01", "A2.01", 0.9),
            ("A-101.00", "A-101.00", 0.9),
            ("A3", "A3", 0.5),
            ("ID-101", "ID-101", 0.9),
            ("QW / AR / DR / 02 / 01", "QW / AR / DR / 02 / 01", 0.7),
            ("QW/AR/03/07", "QW/AR/03/07", 0.7),
            ("QW/AR/D2/B1/7", "QW/AR/D2/B1/7", 0.7),
            ("3", "3", 0.2),
            ("-3-", "3", 0.2),
            ("3 / 12", "3", 0.4),
            ("3 /", "3", 0.4),
            ("Sheet 5 of 9", "5", 0.5),
            ("A1.1 OF 12", "A1.1", 0.9),
            ("SHEET NO. A-101", "A-101", 0.9),
            ("2.04", "2.04", 0.3),
            ("3.1", "3.1", 0.3),
            ("25-14", "25-14", 0.3),
            ("214_202", "214_202", 0.3),
            ("01.02.003", "01.02.003", 0.2),
            ("АР-3", "АР-3", 0.7),
            ("3322/02", "3322/02", 0.3),
            ("217 / 02", "217 / 02", 0.3),
            ("2214-E01", "2214-E01", 0.3),
            ("A.03", "A.03", 0.6),
            ("K4.3.6", "K4.3.6", 0.7),
            ("Tav1", "Tav1", 0.5),
            ("Tav. 1", "1", 0.5),
            ("AR-6.-01", "AR-6.-01", 0.9),
            ("A001.01 – SITE PLAN", "A001.01", 0.9),
            ("A2.01 REV B", "A2.01", 0.9),
            ("5.1.00", "5.1.00", 0.2),
            ("WD-1/01", "WD-1/01", 0.7),
            ("W D-1/01", "WD-1/01", 0.7),
            ("QWE-RTY-ZZ-02-DR-A-1002 P03", "QWE-RTY-ZZ-02-DR-A-1002", 0.7),
        ] {
            let number = read(text);
            assert_eq!(number.as_ref().map(|number| number.printed.as_str()), Some(printed), "{text}");
            assert!(number.as_ref().is_some_and(|number| number.likeness >= least), "{text}: {number:?}");
        }
        for text in [
            "03/14/2025",
            "2025-03-14",
            "3/A-501",
            "1/8\" = 1'-0\"",
            "1:100",
            "T 555 0142",
            "12 / 3",
            "ROOM 101 TOILET",
            "TYPE B",
            "A.A. 2018/2019 - Sez. I2",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn the_letters_of_a_code_are_those_of_its_role() {
        for (text, role) in
            [("QWE-RTY-ZZ-02-DR-M-5702", "M"), ("01-A-201", "A"), ("PRO-03", "PRO"), ("AR/DR/02/01", "")]
        {
            assert_eq!(read(text).map(|number| number.prefix).as_deref(), Some(role), "{text}");
        }
    }

    #[test]
    fn digits_that_were_read_as_letters_are_digits() {
        for (text, printed) in [
            ("FPO.01", "FP0.01"),
            ("A-1O1", "A-101"),
            ("$2.0", "S2.0"),
            ("ID-101", "ID-101"),
            ("AI-102", "AI-102"),
            ("EL1.01", "EL1.01"),
            ("3", "3"),
        ] {
            assert_eq!(read_from_pixels(text).map(|number| number.printed).as_deref(), Some(printed), "{text}");
        }
        assert_eq!(read_from_pixels("OIL"), None);
    }
}
