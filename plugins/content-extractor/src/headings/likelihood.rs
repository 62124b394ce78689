//! How likely a line is the heading of a section: a logistic regression over what is known of the line and of the lines
//! around it. Each mention of a section can have the form of a heading, so most features are about its surroundings.

use fanlight_geometry::median;
use fanlight_masterformat::numbers;

use super::{Heading, Known, begins_text, first_part_follows, is_isolated, is_page_top, similar, with_names_above};
use crate::running::Sheet;

/// What the coefficients weight.
pub const HEADING_FEATURES: [&str; 16] = [
    "bias",
    "a word announces the number",
    "in capitals",
    "several lines",
    "the next part or article is the first of a section",
    "white space above",
    "bold",
    "has the title that the contents have",
    "a number begins the line above",
    "a number begins the line below",
    "header or footer names another section",
    "logarithm of size by the median",
    "logarithm of the title's words",
    "labelled paragraphs or sentences follow",
    "only names are above it on its page",
    "the line above ends with a colon",
];

/// The size of a heading's letters by that of the page's median is counted within these bounds.
const SIZES: std::ops::RangeInclusive<f32> = 0.5..=2.0;

/// Returns the features of a possible heading, in the order of [`HEADING_FEATURES`].
pub(super) fn features(
    sheet: &Sheet,
    texts: &[String],
    heading: &Heading,
    known: &Known,
) -> [f32; HEADING_FEATURES.len()] {
    let line = sheet.lines.get(heading.line);
    let text = texts.get(heading.line).map_or("", String::as_str);
    let top = with_names_above(sheet, texts, heading.line);
    let above = top.checked_sub(1).and_then(|above| texts.get(above));
    let below = texts.get(heading.line + heading.lines);
    let median_size = median(sheet.lines.iter().map(|line| line.size).collect()).unwrap_or(1.0).max(1.0);
    let size = line.map_or(1.0, |line| (line.size / median_size).clamp(*SIZES.start(), *SIZES.end()));
    // A client can ask for a section by its number alone.
    let is_listed = known.titles(&heading.number).any(|known| known.is_empty() || similar(known, &heading.title));
    let is_other_label = sheet.label.as_ref().is_some_and(|label| label.number.six != heading.number.six);
    [
        1.0,
        fact(heading.number.worded),
        fact(!text.contains(char::is_lowercase)),
        fact(heading.lines > 1),
        fact(first_part_follows(texts, heading)),
        fact(is_isolated(sheet, top)),
        fact(line.is_some_and(|line| line.bold)),
        fact(is_listed),
        fact(begins_with_number(heading.line.checked_sub(1).and_then(|above| texts.get(above)))),
        fact(begins_with_number(below)),
        fact(is_other_label),
        size.ln(),
        (1.0 + heading.title.split_whitespace().count() as f32).ln(),
        fact(begins_text(texts, heading)),
        fact(is_page_top(texts, heading.line)),
        fact(above.is_some_and(|above| above.ends_with(':'))),
    ]
}

fn fact(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

fn begins_with_number(text: Option<&String>) -> bool {
    text.is_some_and(|text| numbers::leading_after_code(text).is_some())
}

/// Returns the logarithm of the odds that features are those of a heading rather than of a mention.
pub(super) fn log_odds(features: &[f32; HEADING_FEATURES.len()]) -> f32 {
    features.iter().zip(HEADING_COEFFICIENTS).map(|(value, weight)| value * weight).sum()
}

/// Fitted by `cargo run --release -p eval --bin fit-section-headings`, which writes this file's last lines.
const HEADING_COEFFICIENTS: [f32; HEADING_FEATURES.len()] =
    [-4.12, -0.60, 0.39, 0.57, 1.21, 2.40, 2.62, 1.43, -1.21, -1.29, -1.65, 1.26, -0.60, 2.59, 0.67, -0.39];
