//! The labels of articles and paragraphs.

use crate::patterns::pattern;

// ".1" is a label of the National Master Specification of Canada. Word processors print bullets from private code points.
pattern!(
    ITEM = r"^(?:[A-Z]{1,2}\.|[a-z]{1,3}\.|\.\d{1,2}|\d{1,2}[.)]|[A-Za-z]\)|\(\d{1,2}\)|\([a-z]{1,3}\)|[•▪■●○◦·–—\u{f0b7}\u{f0a7}-])(?:\s|$)"
);
// OCR may lose the space before the title: "1-01Scope".
pattern!(ARTICLE = r"^[1-9]\d?(?:[.-]\d{1,2}){1,3}\.?(?:\s|$|[A-Z])");

/// Returns the label of a paragraph with which a text begins: "A.", "1)", "(a)", ".1", a bullet.
pub(crate) fn item(text: &str) -> Option<&str> {
    ITEM.find(text).map(|label| label.as_str().trim_end())
}

/// Returns the number of an article with which a text begins: "1.01", "1-1", "1.1.1".
pub(crate) fn article(text: &str) -> Option<&str> {
    let number = ARTICLE.find(text)?.as_str();
    Some(number.trim_end_matches(|c: char| c.is_whitespace() || c.is_ascii_uppercase()))
}
