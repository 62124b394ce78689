//! Detects manufacturers: names in lists below such a heading, and names that a sentence gives as
//! maker.

use std::collections::HashSet;

use fanlight_normalization::Requirement;
use fanlight_text::folding::{fold, has_letters};

use crate::paragraphs::{Kind, Paragraph};
use crate::patterns::pattern;
use crate::requirements::item;
use crate::requirements::topics::{self, Topic};

pattern!(
    /// Opens a list of manufacturers.
    OPENS = concat!(
        r"(?i)^(?:(?:acceptable|approved|available|basis[\s-]+of[\s-]+design|other\s+acceptable|specified|standard|alternate)\s+)*",
        r"manufacturers?(?:\s*\([^)]*\))?\s*:|\bmanufacturers?\b[^.]*:$|",
        r"\bproducts?\s+(?:by|from|of|manufactured\s+by)\s+(?:one\s+of\s+|any\s+of\s+)?the\s+following\b[^.]*:$|",
        r"\bprovide\s+(?:products?\s+(?:by|from)\s+)?(?:one\s+of\s+)?the\s+following\b[^.]*:$"
    )
);
/// A name within a sentence.
const NAME: &str = concat!(
    r"[A-Z][\w&'’.-]*(?:\s+(?:&\s+|of\s+|and\s+(?:[A-Z][\w'’-]+\s+(?:Inc|Co|Corp|Company)))?[A-Z&][\w&'’.-]*){0,5}",
    r"(?:,?\s+(?:Inc|Corp|Co|LLC|L\.L\.C|Ltd|LP|Company|Corporation)\b\.?)?"
);
pattern!(
    /// Words that name a maker, and its name.
    MADE_BY = &format!(
        concat!(
            r"(?:\b(?:[Mm]anufactured|[Mm]ade|[Ff]abricated|[Pp]roduced)\s+by|\b[Pp]roducts?\s+(?:of|by)|\b[Ee]qual\s+to(?:\s+that\s+of)?|",
            r"\b[Bb]asis[\s-]+of[\s-]+[Dd]esign(?:\s+(?:[Pp]roduct|[Mm]anufacturer))?:(?:\s+(?:[Ss]ubject\s+to\s+compliance[^,]*,)?\s*(?:[Pp]rovide|[Bb]y|[Pp]roducts?\s+(?:of|by))?)?|",
            r"\b[Mm]anufacturer:)\s+(?P<name>{name})"
        ),
        name = NAME
    )
);
pattern!(
    /// "Fixtures are Acme products."
    PRODUCTS_OF = &format!(r"\b(?:are|is|be)\s+(?P<name>{NAME})\s+products\b")
);
pattern!(
    /// Remarks after a name in a list.
    BEHIND = concat!(
        r"(?i)[;:(\t®™*]|\s[-–—]\s|,\s*(?:model|series|type|no\.|a\s+(?:division|div|subsidiary|company|brand|unit)|division\s+of|div\.|www|",
        r"\d|[A-Z]{2}\s*\d|phone|tel)|\s+(?:model|series|no\.|www\.)\s"
    )
);
pattern!(SUFFIX = r"(?i)\b(?:inc|co|corp|ltd|bros|mfg|cos|l\.l\.c|l\.p|u\.s\.a)\.$");
pattern!(
    /// Lines of such lists that are not names.
    OTHER = concat!(
        r"(?i)^(?:or\b|and\b|no\b|none\b|approved|substitut|equal|equivalent|owner|architect|other|others|as\s|see\s|refer|not\s|submit|provide|",
        r"products?\b|manufacturers?|subject|basis|section|division|the\s|all\s|any\s|each\s|if\s|where|when|comply|obtain|furnish|",
        r"single|source|limitations?|acceptable|available|requirements?|materials?|options?|general|description|types?|colou?rs?|finish(?:es)?|size|performance|testing)"
    )
);

/// The most words of a name.
const MAX_WORDS: usize = 9;

/// Returns the manufacturers that a section names.
pub(crate) fn detect(paragraphs: &[Paragraph]) -> Vec<Requirement> {
    let mut found = Found::default();
    // The depth of the paragraph that opened a list, and whether its items may be at the same
    // depth.
    let mut list: Option<usize> = None;
    for paragraph in paragraphs {
        let text = paragraph.text.as_str();
        if matches!(paragraph.kind, Kind::Heading | Kind::Part | Kind::Article) {
            list = None;
            continue;
        }
        let named = topics::article_topics(&paragraph.article, paragraph.part, &[]).contains(&Topic::Manufacturers);
        list =
            list.filter(|depth| paragraph.depth > *depth || (paragraph.label.is_empty() && paragraph.depth == *depth));
        // In an article of manufacturers a paragraph may consist of a name.
        let is_short = !text.ends_with(':') && text.split_whitespace().count() <= MAX_WORDS;
        if list.is_some() || (named && is_short) {
            found.listed(paragraph, 0, text);
        }
        if let Some(opening) = OPENS.find(text) {
            let behind = text.get(opening.end()..).unwrap_or_default();
            if text.trim_end().ends_with(':') {
                list = Some(paragraph.depth);
            } else if text[opening.range()].ends_with(':') {
                found.inline(paragraph, opening.end(), behind);
            }
        }
        for pattern in [&MADE_BY, &PRODUCTS_OF] {
            for name in pattern.captures_iter(text).filter_map(|hit| hit.name("name")) {
                found.listed(paragraph, name.start(), name.as_str());
            }
        }
    }
    found.items
}

#[derive(Default)]
struct Found {
    items: Vec<Requirement>,
    seen: HashSet<String>,
}

impl Found {
    /// Adds a name that remarks may follow.
    fn listed(&mut self, paragraph: &Paragraph, offset: usize, text: &str) {
        let lead = text.len() - text.trim_start().len();
        let Some(name) = name(text.trim_start()) else { return };
        if self.seen.insert(fold(name)) {
            self.items.push(item(paragraph, offset + lead, name));
        }
    }

    /// Adds the names of an enumeration: "Acme, Inc.; Delta Corp.; or Zenith."
    fn inline(&mut self, paragraph: &Paragraph, offset: usize, text: &str) {
        let first = crate::sentences::split(text).first().map_or("", |(_, sentence)| *sentence);
        let separator = if first.contains(';') { ";" } else { "," };
        let mut start = 0;
        let mut pieces: Vec<(usize, &str)> = Vec::new();
        for (at, _) in first.match_indices(separator) {
            let rest = first[at + separator.len()..].trim_start();
            let suffix =
                ["Inc", "LLC", "Ltd", "Corp", "Co.", "L.L.C", "LP"].iter().any(|suffix| rest.starts_with(suffix));
            if !suffix {
                pieces.push((start, &first[start..at]));
                start = at + separator.len();
            }
        }
        pieces.push((start, &first[start..]));
        for (at, piece) in pieces {
            let bare = piece.trim_start();
            let bare = ["or ", "and "].iter().find_map(|word| bare.strip_prefix(word)).unwrap_or(bare);
            let lead = piece.len() - bare.len();
            for (within, part) in halves(bare) {
                self.listed(paragraph, offset + at + lead + within, part);
            }
        }
    }
}

/// Splits "Delta or Zenith" into two names.
fn halves(text: &str) -> Vec<(usize, &str)> {
    match text.split_once(" or ") {
        Some((one, other)) => vec![(0, one), (one.len() + 4, other)],
        None => vec![(0, text)],
    }
}

/// Returns the name at the beginning of a text.
fn name(text: &str) -> Option<&str> {
    let first = crate::sentences::split(text).first().map_or(text, |(_, sentence)| *sentence);
    let mut name = BEHIND.find(first).map_or(first, |behind| &first[..behind.start()]).trim();
    while name.ends_with([',', ';', '.']) && !SUFFIX.is_match(name) {
        name = name[..name.len() - 1].trim_end();
    }
    let words = name.split_whitespace().count();
    let begins = name.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    // The words of a name are capitalised, except small ones between them.
    let small = name
        .split_whitespace()
        .filter(|word| {
            word.starts_with(|c: char| c.is_lowercase()) && !matches!(*word, "of" | "and" | "the" | "de" | "for" | "by")
        })
        .count();
    let fits = begins && has_letters(name, 2) && words <= MAX_WORDS && small * 4 <= words && !OTHER.is_match(name);
    fits.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_before_its_remarks() {
        let cases = [
            ("Elkay.", Some("Elkay")),
            ("Norton Drains Inc.; a div. of Norton Industries, Inc.", Some("Norton Drains Inc.")),
            ("Dell & Sons Mfg. Co.", Some("Dell & Sons Mfg. Co.")),
            ("Ventura Metals, Series 400", Some("Ventura Metals")),
            ("3M Company (www.example.com)", Some("3M Company")),
            ("Or approved equal.", None),
            ("Submit requests before bidding.", None),
            ("products of one maker", None),
        ];
        for (text, expected) in cases {
            assert_eq!(name(text), expected, "{text}");
        }
    }
}
