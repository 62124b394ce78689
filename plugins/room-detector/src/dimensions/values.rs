//! What a printed dimension may mean.

/// Inches in a metre.
const METRE: f32 = 39.370_08;
/// Lengths of a building that dimensions state, in inches: 10 cm to 150 m.
const LENGTHS: std::ops::RangeInclusive<f32> = 3.9..=5_900.0;
/// Most characters of a dimension: `123'-11 15/16"`.
const MAX_CHARACTERS: usize = 15;

/// Returns the lengths in inches that a text may state as a dimension: one, or several if its unit is open.
///
/// A whole number without a unit is in millimetres or centimetres, a number with decimals in metres.
pub(super) fn inches(text: &str) -> Vec<f32> {
    let text: String = text.trim().chars().filter(|c| !c.is_whitespace()).map(plain).collect();
    if text.is_empty() || text.chars().count() > MAX_CHARACTERS || !text.starts_with(|c: char| c.is_ascii_digit()) {
        return Vec::new();
    }
    let mut all = if text.contains(['\'', '"']) { imperial(&text).into_iter().collect() } else { metric(&text) };
    all.retain(|inches| LENGTHS.contains(inches));
    all
}

/// Returns a plain quote for a typographic one.
fn plain(character: char) -> char {
    match character {
        '“' | '”' | '″' => '"',
        '‘' | '’' | '′' | '`' | '´' => '\'',
        '–' | '—' | '−' => '-',
        other => other,
    }
}

/// Reads feet and inches: `12'-6"`, `8'`, `9 1/2"`. A fraction of an inch after whole inches is left out.
fn imperial(text: &str) -> Option<f32> {
    let text = text.replace("''", "\"");
    match text.split_once('\'') {
        Some((feet, rest)) => {
            let feet: f32 = feet.parse().ok()?;
            let digits: String = rest.chars().skip_while(|c| *c == '-').take_while(char::is_ascii_digit).collect();
            let is_fraction =
                rest.trim_start_matches('-').get(digits.len()..).is_some_and(|next| next.starts_with('/'));
            let inches = if is_fraction { 0.0 } else { digits.parse().unwrap_or(0.0) };
            (inches < 12.0).then_some(12.0 * feet + inches)
        }
        None => text.split_once('"').and_then(|(inches, _)| inches.parse().ok()),
    }
}

/// Reads a metric length with or without a unit: `3.60m`, `3,300`, `2450`.
fn metric(text: &str) -> Vec<f32> {
    let lower = text.to_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_alphabetic());
    let unit = match &lower[number.len()..] {
        "" => None,
        "mm" => Some(METRE / 1000.0),
        "cm" => Some(METRE / 100.0),
        "m" => Some(METRE),
        _ => return Vec::new(),
    };
    let has_decimals = number.contains([',', '.']);
    let Ok(value) = number.replace(',', ".").parse::<f32>() else { return Vec::new() };
    match unit {
        Some(unit) => vec![value * unit],
        None if has_decimals => vec![value * METRE],
        None => vec![value * METRE / 1000.0, value * METRE / 100.0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metres(text: &str) -> Vec<f32> {
        inches(text).into_iter().map(|inches| (inches / METRE * 1000.0).round() / 1000.0).collect()
    }

    #[test]
    fn feet_and_inches_are_read() {
        let cases = [
            ("12'-6\"", 150.0),
            ("8'", 96.0),
            ("14’ – 0”", 168.0),
            ("9'-1\"", 109.0),
            ("36\"", 36.0),
            ("5'-1/2\"", 60.0),
        ];
        for (text, expected) in cases {
            assert_eq!(inches(text), [expected], "{text}");
        }
    }

    #[test]
    fn metric_lengths_are_read_with_and_without_unit() {
        assert_eq!(metres("3.60m"), [3.6]);
        assert_eq!(metres("3,300"), [3.3]);
        assert_eq!(metres("17,38"), [17.38]);
        assert_eq!(metres("2450"), [2.45, 24.5]);
        assert_eq!(metres("900 mm"), [0.9]);
    }

    #[test]
    fn other_texts_are_no_dimensions() {
        for text in ["A101", "1:50", "12 RISERS", "", "KITCHEN", "0", "1.2.3"] {
            assert!(inches(text).is_empty(), "{text}");
        }
    }
}
