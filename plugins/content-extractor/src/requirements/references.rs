//! Detects standards, codes and laws, each once for each section, where it is first mentioned.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use fanlight_normalization::Requirement;
use fanlight_text::words::{COUNTED_UNITS, ORGANISATIONS, STATES};

use crate::paragraphs::{Kind, Paragraph};
use crate::patterns::pattern;
use crate::requirements::item;

/// Returns a pattern for the organisations that issue standards.
fn organisations() -> String {
    format!("(?:{})", ORGANISATIONS.join("|"))
}

/// Returns a pattern for the states and provinces whose codes and laws are cited.
fn states() -> String {
    format!("(?:{})", STATES.join("|").replace(' ', r"\s+"))
}

/// The number of a standard: "A653/A653M", "D1.1", "E 119", "SP-58", "101/I.S.2/A440", "C1107-20".
const NUMBER: &str =
    r"(?:[A-Z]{1,5}[-\s.]?)?\d[A-Za-z0-9]*(?:\s?/\s?[A-Z]{1,4}[-\s]?\d[A-Za-z0-9.]*\b)*(?:[./–-][A-Za-z0-9]+)*";

/// A year that is set apart.
const YEAR: &str =
    r"(?:,?\s+(?:\d{4})\s+[Ee]dition|\s*[-–]\s*\d{4}\s+[Ee]dition|\s*\((?:R\s?)?\d{4}[a-z]?(?:[;,][^)]{0,40})?\))?";

pattern!(
    /// Organisation and number, perhaps with a word between.
    STANDARD = &format!(
        concat!(
            r"\b(?P<org>{org}(?:\s?/\s?{org})*)",
            r"(?:\s+(?:Standards?|Std\.?|Specifications?|Spec\.?|Designation|Publication|Pub\.?|Type|Class|Method|Bulletin|Guide|Manual|",
            r"Product|Rule|Form|Part|Handbook)){{0,2}}(?:\s+No\.?|\s*#|:)?[\s-]{{0,3}}(?P<number>{number}){year}"
        ),
        org = organisations(),
        number = NUMBER,
        year = YEAR
    )
);
pattern!(
    /// A number that consists of letters.
    LETTERS = r"\b(?P<org>AWS)\s+(?P<number>QC[1I])\b"
);
pattern!(
    /// A title between the organisation and its number in brackets.
    TITLED = &format!(
        "\\b(?P<org>{org})\\s+[“\"][^”\"]{{3,120}}[”\"],?\\s*\\((?P<number>[A-Z]{{1,5}}[- ]?\\d[\\w./-]*)\\)",
        org = organisations()
    )
);
pattern!(
    /// Another number of the same organisation.
    FURTHER = &format!(r"^(?:\s*,\s*(?:and\s+|or\s+|&\s+)?|\s+(?:and|or|&)\s+|\s*;\s*)(?P<number>{NUMBER})")
);

pattern!(
    /// A code by its name, with its edition.
    CODE = &format!(
        concat!(
            r"\b(?:International|Uniform|National|{states}(?:\s+State)?)\s+(?:Existing\s+)?",
            r"(?:Building|Residential|Mechanical|Plumbing|Fuel\s+Gas|Gas|Fire(?:\s+Alarm|\s+Prevention)?|Energy(?:\s+Conservation)?|",
            r"Electrical(?:\s+Safety)?|Electric|Elevator(?:\s+Safety)?|Life\s+Safety|Green\s+Construction|Green\s+Building\s+Standards)",
            r"\s+Code\b(?:\s*[-–,]?\s*\(?\d{{4}}\)?(?:\s+[Ee]dition)?)?"
        ),
        states = states()
    )
);
pattern!(
    /// Laws and rules by number.
    LAW = &format!(
        concat!(
            r"\b(?:Public\s+Law\s+\d+-\s?\d+|\d{{1,2}}\s+C\.?F\.?R\.?(?:,?\s+(?:Part|Parts|Section|§)?\s*\d+(?:\.\d+)?)|",
            r"{states}\s+(?:Administrative\s+Code\s+|Code\s+|Title\s+|Rules?\s+)?\d{{1,4}}-\d{{1,4}}(?:-\d{{1,4}})+|",
            r"(?:Fed(?:eral|\.)\s+Spec(?:ification|\.)?|F\.?S\.?|CID)\s+[A-Z]{{1,4}}-[A-Z]{{1,3}}-\d+[A-Z]?|TT-[A-Z]-\d+[A-Z]?|MIL-[A-Z]{{1,4}}-\d+[A-Z]?|",
            r"A-A-\d{{4,5}}[A-Z]?|SCAQMD\s+Rule\s+\d{{4}})"
        ),
        states = states()
    )
);
pattern!(
    /// The name of an organisation above a list of its standards.
    HEAD = &format!(
        r"\((?P<org>{org})\)\s*:?$|^(?P<only>{org})\s*(?:Standards?|Publications?)?\s*:$",
        org = organisations()
    )
);
pattern!(
    /// A line of such a list.
    LISTED = "^(?P<number>[A-Z]{0,4}[- ]?\\d[A-Za-z0-9./-]*)(?:\\s*[,:–-]\\s*|\\s+)[“\"]?[A-Z]"
);
pattern!(
    /// A number of ASTM without its name, as in a list or a table: "E447-97".
    BARE = r"\b[A-G]\d{2,4}(?:/[A-G]\d{2,4}M?|M)?-\d{2}[a-z]?\b"
);

/// Returns the standards that a section names.
pub(crate) fn detect(paragraphs: &[Paragraph]) -> Vec<Requirement> {
    // Each with whether it is a line of an organisation's list, without its name.
    let mut found: Vec<(Requirement, bool)> = Vec::new();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut list: Option<(usize, String)> = None;
    for paragraph in paragraphs.iter().filter(|paragraph| !matches!(paragraph.kind, Kind::Heading | Kind::Part)) {
        let text = &paragraph.text;
        if list.as_ref().is_some_and(|(depth, _)| paragraph.depth <= *depth || paragraph.kind == Kind::Article) {
            list = None;
        }
        let mut mentions = mentions(text);
        if let (Some((_, organisation)), Some(line)) = (&list, LISTED.captures(text))
            && mentions.iter().all(|mention| mention.span.start > 0)
            && let Some(number) = line.name("number")
        {
            mentions.insert(0, Mention { span: 0..text.len(), key: key(organisation, number.as_str()), bare: true });
        }
        for mention in mentions {
            let Some(words) = text.get(mention.span.clone()) else { continue };
            let own = item(paragraph, mention.span.start, words.trim_end());
            match seen.entry(mention.key) {
                Entry::Vacant(first) => {
                    first.insert(found.len());
                    found.push((own, mention.bare));
                }
                // Words that name the organisation say more than a line of its list, if they are
                // close to it.
                Entry::Occupied(first) => {
                    if let Some((before, bare)) = found.get_mut(*first.get())
                        && *bare
                        && !mention.bare
                        && before.page == own.page
                    {
                        (*before, *bare) = (own, false);
                    }
                }
            }
        }
        if let Some(head) = HEAD.captures(text)
            && let Some(organisation) = head.name("org").or_else(|| head.name("only"))
        {
            list = Some((paragraph.depth, organisation.as_str().to_owned()));
        }
    }
    found.into_iter().map(|(requirement, _)| requirement).collect()
}

struct Mention {
    span: Range<usize>,
    /// What two mentions of one standard have in common.
    key: String,
    /// Whether the words do not name the organisation.
    bare: bool,
}

/// Returns the standards that a text names, in order.
fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for pattern in [&LAW, &CODE] {
        found.extend(pattern.find_iter(text).map(|hit| Mention {
            span: hit.range(),
            key: key("", hit.as_str()),
            bare: false,
        }));
    }
    for pattern in [&TITLED, &LETTERS, &STANDARD] {
        for hit in pattern.captures_iter(text) {
            let (Some(whole), Some(organisation), Some(number)) = (hit.get(0), hit.name("org"), hit.name("number"))
            else {
                continue;
            };
            let overlaps = |other: &Mention| other.span.start < whole.end() && whole.start() < other.span.end;
            if found.iter().any(overlaps) || !is_number_of(organisation.as_str(), number.as_str()) {
                continue;
            }
            let end = without_stop(text, whole.range());
            found.push(Mention {
                span: whole.start()..end,
                key: key(organisation.as_str(), number.as_str()),
                bare: false,
            });
            further(text, whole.start(), end, organisation.as_str(), number.as_str(), &mut found);
        }
    }
    for hit in BARE.find_iter(text) {
        let overlaps = |other: &Mention| other.span.start < hit.end() && hit.start() < other.span.end;
        if !found.iter().any(overlaps) {
            found.push(Mention { span: hit.range(), key: key("ASTM", hit.as_str()), bare: true });
        }
    }
    found.sort_by_key(|mention| (mention.span.start, mention.span.end));
    found
}

/// Adds the mentions from the organisation to each further number: "ACI 613 and 318".
fn further(text: &str, start: usize, mut end: usize, organisation: &str, first: &str, found: &mut Vec<Mention>) {
    while let Some(hit) = text.get(end..).and_then(|rest| FURTHER.captures(rest)) {
        let (Some(whole), Some(number)) = (hit.get(0), hit.name("number")) else { return };
        let rest = &text[end + whole.end()..];
        let next = rest.split_whitespace().next().unwrap_or_default().trim_end_matches([',', ';', ')']);
        let counts = rest.starts_with(char::is_whitespace) && COUNTED_UNITS.matches(next);
        if counts || !have_same_form(first, number.as_str()) || !is_number_of(organisation, number.as_str()) {
            return;
        }
        let stop = without_stop(text, end..end + whole.end());
        found.push(Mention { span: start..stop, key: key(organisation, number.as_str()), bare: false });
        end += whole.end();
    }
}

/// Returns whether two numbers have one organisation's form: both with letters first, or with as
/// many figures.
fn have_same_form(first: &str, other: &str) -> bool {
    // "ASTM A653, G90": a class of coating.
    if other.strip_prefix('G').is_some_and(|class| class.len() == 2 || class.len() == 3) {
        return false;
    }
    let lettered = |number: &str| number.starts_with(|c: char| c.is_ascii_uppercase());
    let figures = |number: &str| number.chars().take_while(char::is_ascii_digit).count();
    lettered(first) == lettered(other)
        && (lettered(first)
            || (figures(first) >= 2 && figures(first).abs_diff(figures(other)) <= 1 && figures(other) >= 2))
}

/// Returns whether a number can be a standard of the organisation, whose letters have other
/// meanings too.
fn is_number_of(organisation: &str, number: &str) -> bool {
    let figures: usize = number.chars().filter(char::is_ascii_digit).count();
    let lead = number.chars().take_while(char::is_ascii_digit).count();
    let lettered = number.starts_with(|c: char| c.is_ascii_uppercase());
    match organisation {
        "ASTM" => number.starts_with(|c: char| ('A'..='G').contains(&c)) || lead >= 3,
        "GA" => lead == 3 && figures <= 5,
        "HI" | "MIA" | "WI" | "ASA" | "SMA" => lettered || (2..=3).contains(&lead) && number.contains('.'),
        "EN" | "BS" | "DIN" | "ISO" | "IEC" => figures >= 3,
        "FS" | "CAN" | "MIL" => lettered,
        "PS" => lead <= 2,
        "IBC" | "IMC" | "IPC" | "IFC" | "IRC" | "IECC" | "IFGC" | "UBC" | "UPC" | "UMC" | "NEC" => {
            lead >= 3 || lettered
        }
        _ => figures <= 12,
    }
}

/// Returns the end of a span without the full stop of its sentence.
fn without_stop(text: &str, span: Range<usize>) -> usize {
    text.get(span.clone())
        .map_or(span.end, |words| span.start + words.trim_end_matches(['.', ',', '-', '–', '/']).len())
}

/// Returns organisation and number without the year.
fn key(organisation: &str, number: &str) -> String {
    let plain = number.replace('–', "-");
    let without_year = match plain.rsplit_once('-') {
        Some((number, year))
            if (2..=5).contains(&year.len()) && is_year(year) && number.chars().any(|c| c.is_ascii_digit()) =>
        {
            number.to_owned()
        }
        _ => plain,
    };
    let squeezed: String =
        without_year.chars().filter(|c| c.is_alphanumeric() || *c == '.').flat_map(char::to_uppercase).collect();
    let base = if organisation.starts_with("ASTM") { metric(&squeezed) } else { &squeezed };
    format!("{organisation} {base}")
}

/// Returns whether a text is two or four figures, perhaps with a letter, as in "-20a".
fn is_year(text: &str) -> bool {
    let figures = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    matches!(figures.len(), 2 | 4) && figures.chars().all(|c| c.is_ascii_digit())
}

/// Returns "A653A653M" as "A653": the metric edition is the same standard.
fn metric(number: &str) -> &str {
    let base = number.strip_suffix('M').unwrap_or(number);
    let halves = base.split_at_checked(base.len() / 2);
    halves.filter(|(one, other)| one == other).map_or(base, |(one, _)| one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_are_detected_in_their_usual_forms() {
        let cases: [(&str, &[&str]); 18] = [
            ("as measured by ASTM D4263.", &["ASTM D4263"]),
            ("ASTM A 653/A 653M, G90", &["ASTM A 653/A 653M"]),
            ("per ASTM E119-20a and UL 263.", &["ASTM E119-20a", "UL 263"]),
            ("ASTM F568 or F593 screws", &["ASTM F568", "ASTM F568 or F593"]),
            ("by the rules of ACI 346 and 522.", &["ACI 346", "ACI 346 and 522"]),
            ("ACI 301 and 28 days", &["ACI 301"]),
            ("ANSI/BHMA A156.2, Grade 1", &["ANSI/BHMA A156.2"]),
            ("AWS D1.1/D1.1M", &["AWS D1.1/D1.1M"]),
            ("NEMA Type 6P housings", &["NEMA Type 6P"]),
            ("NFPA 96, Chapter 7", &["NFPA 96"]),
            (
                "International Residential Code – 2009 edition, with changes",
                &["International Residential Code – 2009 edition"],
            ),
            ("Public Law 77-123, and Nevada 441-2-6", &["Public Law 77-123", "Nevada 441-2-6"]),
            ("ACI “Handbook of Thin Shells” (SP-28).", &["ACI “Handbook of Thin Shells” (SP-28)"]),
            ("ASTM A1008/A1008M\t(2021a) Standard Specification", &["ASTM A1008/A1008M\t(2021a)"]),
            ("comply with 16 CFR 1201, Category II", &["16 CFR 1201"]),
            ("AAMA/WDMA/CSA 101/I.S.2/A440", &["AAMA/WDMA/CSA 101/I.S.2/A440"]),
            ("certified by ACI, UL listed, Arden, NV 89000", &[]),
            ("NFPA 13, 2019 edition", &["NFPA 13, 2019 edition"]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = mentions(text).iter().map(|mention| &text[mention.span.clone()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn year_and_metric_edition_make_no_other_standard() {
        assert_eq!(key("ASTM", "A653/A653M-20"), key("ASTM", "A653"));
        assert_eq!(key("NFPA", "72-2019"), key("NFPA", "72"));
        assert_ne!(key("ASTM", "C31"), key("ASTM", "C39"));
    }
}
