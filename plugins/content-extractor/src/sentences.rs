//! Splits a paragraph into sentences.

use fanlight_text::words::ABBREVIATIONS;

/// Returns the sentences of a text with their byte offsets.
pub(crate) fn split(text: &str) -> Vec<(usize, &str)> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, stop) in text.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?')) {
        let end = at + stop.len_utf8() + closing(&text[at + stop.len_utf8()..]);
        let Some(rest) = text.get(end..) else { continue };
        let next = rest.trim_start();
        let begins = next
            .trim_start_matches(['"', '“', '(', '\'', '‘'])
            .starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if rest.len() == next.len() || !begins || (stop == '.' && is_abbreviated(&text[start..at])) {
            continue;
        }
        sentences.push((start, text[start..end].trim_end()));
        start = end + (rest.len() - next.len());
    }
    if start < text.len() {
        sentences.push((start, text[start..].trim_end()));
    }
    sentences
}

/// Returns the length in bytes of the quotes and brackets that close with a sentence.
fn closing(rest: &str) -> usize {
    rest.chars().take_while(|c| matches!(c, '"' | '”' | ')' | '\'' | '’')).map(char::len_utf8).sum()
}

fn is_abbreviated(before: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default().to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    initial || ABBREVIATIONS.matches(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_another_begins() {
        let cases: [(&str, &[&str]); 4] = [
            ("Submit samples. Allow two weeks.", &["Submit samples.", "Allow two weeks."]),
            (
                "Comply with ACI 346, Section 2.7. Use Acme Co. Inc. pumps.",
                &["Comply with ACI 346, Section 2.7.", "Use Acme Co. Inc. pumps."],
            ),
            ("See “Substantial Completion.” Then stop", &["See “Substantial Completion.”", "Then stop"]),
            ("One year, i.e. twelve months; no less.", &["One year, i.e. twelve months; no less."]),
        ];
        for (text, expected) in cases {
            let found: Vec<&str> = split(text).into_iter().map(|(_, sentence)| sentence).collect();
            assert_eq!(found, expected);
            for (at, sentence) in split(text) {
                assert!(text[at..].starts_with(sentence));
            }
        }
    }
}
