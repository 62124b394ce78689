//! Text as words that can be compared: upper case, no accents, no punctuation, whatever the language.

use fanlight_text::folding;

/// Upper case without accents, Turkish and German letters included; punctuation stays.
pub(crate) fn fold(text: &str) -> String {
    folding::fold(text)
        .chars()
        .map(|character| match character {
            'İ' => 'I',
            'Ş' | 'Š' | 'Ś' => 'S',
            'Ğ' => 'G',
            'Ø' => 'O',
            'Ł' => 'L',
            'Ý' => 'Y',
            'Ž' | 'Ź' | 'Ż' => 'Z',
            'Č' | 'Ć' => 'C',
            'Æ' | 'Ą' => 'A',
            'Ę' => 'E',
            'Ń' => 'N',
            other => other,
        })
        .filter(|character| *character != '\u{307}')
        .collect()
}

/// The words of a text: runs of letters and digits of [`fold`]; an apostrophe parts them.
pub(crate) fn words(text: &str) -> Vec<String> {
    fold(text).split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Letters and digits of [`fold`] alone, ordinal signs left out.
pub(crate) fn squeeze(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric() && !matches!(c, 'º' | 'ª')).collect()
}

/// Whether a word is one that a pattern stands for: `*` at an end stands for any letters there.
pub(crate) fn fits(word: &str, pattern: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => word.contains(pattern.trim_matches('*')),
        (Some(end), None) => word.ends_with(end),
        (None, Some(start)) => word.starts_with(start),
        (None, None) => word == pattern,
    }
}

/// Whether any word fits any of the patterns.
pub(crate) fn any(words: &[String], patterns: &[&str]) -> bool {
    words.iter().any(|word| patterns.iter().any(|pattern| fits(word, pattern)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_language_are_plain_capitals() {
        assert_eq!(words("Rez-de-chaussée"), ["REZ", "DE", "CHAUSSEE"]);
        assert_eq!(words("ÇATI PLANI, zemin kat görünüşü"), ["CATI", "PLANI", "ZEMIN", "KAT", "GORUNUSU"]);
        assert_eq!(words("Maßstab"), ["MASSSTAB"]);
        assert_eq!(squeeze("N° DE PLAN:"), "NDEPLAN");
    }

    #[test]
    fn patterns_are_open_where_a_star_stands() {
        for (word, pattern, expected) in [
            ("LAGEPLAN", "*PLAN", true),
            ("PLANS", "PLAN", false),
            ("DETAILS", "DETAIL*", true),
            ("WANDABWICKLUNG", "*ABWICKLUNG*", true),
            ("FLOOR", "*PLAN", false),
        ] {
            assert_eq!(fits(word, pattern), expected, "{word} {pattern}");
        }
    }
}
