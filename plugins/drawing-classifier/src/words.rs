//! Text as words for comparison: upper case without accents and punctuation, in any language.

use fanlight_text::folding;

/// Converts to upper case without accents and strokes through letters. Punctuation is kept.
pub(crate) fn fold(text: &str) -> String {
    folding::fold(text)
        .chars()
        .map(|character| match character {
            'Ø' => 'O',
            'Ł' => 'L',
            'Æ' => 'A',
            'Đ' => 'D',
            other => other,
        })
        .collect()
}

/// Returns the words of a text: runs of letters and digits of [`fold`]. An apostrophe separates
/// words.
pub(crate) fn words(text: &str) -> Vec<String> {
    folding::words(&fold(text)).map(str::to_owned).collect()
}

/// Returns only the letters and digits of [`fold`], without ordinal signs.
pub(crate) fn squeeze(text: &str) -> String {
    fold(text).chars().filter(|c| c.is_alphanumeric() && !matches!(c, 'º' | 'ª')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_any_language_become_plain_capitals() {
        assert_eq!(words("Rez-de-chaussée"), ["REZ", "DE", "CHAUSSEE"]);
        assert_eq!(words("ÇATI PLANI, zemin kat görünüşü"), ["CATI", "PLANI", "ZEMIN", "KAT", "GORUNUSU"]);
        assert_eq!(words("Maßstab"), ["MASSSTAB"]);
        assert_eq!(squeeze("N° DE PLAN:"), "NDEPLAN");
    }
}
