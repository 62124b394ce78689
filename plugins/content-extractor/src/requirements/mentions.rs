//! Detects references to other sections.

use std::collections::HashSet;
use std::ops::Range;

use fanlight_masterformat::numbers;
use fanlight_normalization::Requirement;

use crate::paragraphs::{Kind, Paragraph};
use crate::patterns::pattern;
use crate::requirements::item;
use crate::requirements::topics::{self, Topic};

pattern!(WORD = r"(?i)\b(?:specification\s+)?(?:sections?|documents?)\s+(?:no\.?\s*)?\d");
pattern!(DIVISION = r"(?i)\bdivisions?\s+(?:\d{1,2}\b|one\b|two\b)");
pattern!(
    /// A title after a number: quoted, or capitalised words.
    TITLE = "^(?:\\s*[-–—:,]\\s*|\\s+)(?:[“\"][^”\"]{2,90}[”\"]|[A-Z][\\w/'’-]*(?:[\\s,]+(?:(?:and|of|for|the|in|to|or|with|&)\\s+)*[A-Z(][\\w/'’()-]*)*)"
);

/// Returns the references of a section. In an article of related sections, these are its paragraphs
/// that name one. Elsewhere, each other section is listed once with its title.
pub(crate) fn detect(paragraphs: &[Paragraph]) -> Vec<Requirement> {
    let mut found = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    for paragraph in paragraphs.iter().filter(|paragraph| matches!(paragraph.kind, Kind::Text | Kind::Row)) {
        let text = paragraph.text.as_str();
        let related = topics::article_topics(&paragraph.article, paragraph.part, &[]).contains(&Topic::Related);
        let mentions = mentions(text);
        if related && (!mentions.is_empty() || DIVISION.is_match(text) || numbers::leading(text).is_some()) {
            seen.extend(mentions.into_iter().map(|mention| mention.six));
            found.push(item(paragraph, 0, text));
            continue;
        }
        for SectionMention { span, six } in mentions {
            if seen.insert(six)
                && let Some(words) = text.get(span.clone())
            {
                found.push(item(paragraph, span.start, words.trim_end()));
            }
        }
    }
    found
}

/// A mention of another section.
struct SectionMention {
    /// Where its number and its title stand in the text, in bytes.
    span: Range<usize>,
    /// The section's six digits.
    six: String,
}

/// Returns the mentions of other sections in a text.
fn mentions(text: &str) -> Vec<SectionMention> {
    WORD.find_iter(text)
        .filter_map(|hit| {
            let (number, rest) = numbers::leading(&text[hit.start()..])?;
            // Back over the separators that were skipped.
            let end = text.len() - rest.len();
            let number_end = text[..end].trim_end_matches(|c: char| numbers::is_separator(c) || c == ',').len();
            let title = TITLE.find(&text[number_end..]).map_or(0, |title| title.end());
            Some(SectionMention { span: hit.start()..number_end + title, six: number.six })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_is_the_number_with_its_title() {
        let cases = [
            (
                "described in Section 01 5800, Project Identification, for signs",
                "Section 01 5800, Project Identification",
            ),
            ("See Section 079200 \"Joint Sealants\" for sealants.", "Section 079200 \"Joint Sealants\""),
            ("accordance with Section 013300 and", "Section 013300"),
        ];
        for (text, expected) in cases {
            let found = mentions(text);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(&text[found[0].span.clone()], expected);
        }
    }
}
