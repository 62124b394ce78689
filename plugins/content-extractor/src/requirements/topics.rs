//! The topics of an article, by the words of its title.

use fanlight_text::folding::fold;

/// The topic of an article.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Submittals,
    References,
    QualityAssurance,
    Delivery,
    FieldConditions,
    Warranty,
    Manufacturers,
    Performance,
    Testing,
    Closeout,
    Related,
    /// An article of PART 2 about none of these.
    Product,
}

/// Words of titles, folded. A title may have several topics ("CLOSEOUT SUBMITTALS").
const WORDS: [(Topic, &[&str]); 11] = [
    (Topic::Submittals, &["SUBMITTAL", "SHOP DRAWING", "PRODUCT DATA", "DOCUMENTS A SOUMETTRE", "ENTREGAS"]),
    (Topic::References, &["REFERENCE", "STANDARDS", "CODES"]),
    (
        Topic::QualityAssurance,
        &[
            "QUALITY ASSURANCE",
            "QUALIFICATION",
            "MOCK-UP",
            "MOCKUP",
            "PREINSTALLATION",
            "PRE-INSTALLATION",
            "REGULATORY",
        ],
    ),
    (Topic::Delivery, &["DELIVERY", "STORAGE", "HANDLING"]),
    (
        Topic::FieldConditions,
        &["FIELD CONDITION", "PROJECT CONDITION", "SITE CONDITION", "JOB CONDITION", "ENVIRONMENTAL", "WEATHER"],
    ),
    (Topic::Warranty, &["WARRANT", "GUARANTEE"]),
    (Topic::Manufacturers, &["MANUFACTURER", "ACCEPTABLE PRODUCT", "BASIS OF DESIGN"]),
    (Topic::Performance, &["PERFORMANCE", "DESIGN CRITERIA", "DESIGN REQUIREMENT", "SYSTEM DESCRIPTION"]),
    (
        Topic::Testing,
        &["TEST", "INSPECTION", "INSPECTING", "FIELD QUALITY CONTROL", "SOURCE QUALITY CONTROL", "COMMISSIONING"],
    ),
    (
        Topic::Closeout,
        &[
            "CLOSEOUT",
            "CLOSE-OUT",
            "MAINTENANCE",
            "EXTRA MATERIAL",
            "EXTRA STOCK",
            "SPARE PART",
            "DEMONSTRATION",
            "TRAINING",
            "RECORD DRAWING",
            "RECORD DOCUMENT",
            "AS-BUILT",
        ],
    ),
    (Topic::Related, &["RELATED"]),
];

/// Returns the topics of an article's heading. `section` are the topics of the section, which its
/// execution inherits.
pub(crate) fn article_topics(article: &str, part: u8, section: &[Topic]) -> Vec<Topic> {
    let mut topics = named(article);
    if topics.is_empty() && part == 2 && !article.is_empty() {
        topics.push(Topic::Product);
    }
    if part == 3 {
        topics.extend(section.iter().filter(|topic| !topics.contains(topic)).copied().collect::<Vec<_>>());
    }
    topics
}

/// Returns the topics of a whole section that its execution can have.
pub(crate) fn section_topics(title: &str) -> &'static [Topic] {
    if named(title).contains(&Topic::Testing) { &[Topic::Testing] } else { &[] }
}

fn named(title: &str) -> Vec<Topic> {
    let folded = fold(title);
    WORDS
        .iter()
        .filter(|(_, words)| words.iter().any(|word| begins_word(&folded, word)))
        .map(|(topic, _)| *topic)
        .collect()
}

/// Returns whether words of the text begin with `word`: "TEST" is in "TESTS", not in "LATEST".
fn begins_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}
