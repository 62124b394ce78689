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
}
