//! The topics of an article, by the words of its title.

use std::sync::LazyLock;

use fanlight_text::folding::fold;
use fanlight_text::vocabulary::Vocabulary;
use fanlight_text::words;

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

/// The words of titles. A title may have several topics ("CLOSEOUT SUBMITTALS").
static TITLE_WORDS: [(Topic, &LazyLock<Vocabulary>); 11] = [
    (Topic::Submittals, &words::TOPIC_SUBMITTALS),
    (Topic::References, &words::TOPIC_REFERENCES),
    (Topic::QualityAssurance, &words::TOPIC_QUALITY),
    (Topic::Delivery, &words::TOPIC_DELIVERY),
    (Topic::FieldConditions, &words::TOPIC_CONDITIONS),
    (Topic::Warranty, &words::TOPIC_WARRANTIES),
    (Topic::Manufacturers, &words::TOPIC_MANUFACTURERS),
    (Topic::Performance, &words::TOPIC_PERFORMANCE),
    (Topic::Testing, &words::TOPIC_TESTING),
    (Topic::Closeout, &words::TOPIC_CLOSEOUT),
    (Topic::Related, &words::TOPIC_RELATED),
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
    TITLE_WORDS
        .iter()
        .filter(|(_, words)| words.words().iter().any(|word| begins_word(&folded, word)))
        .map(|(topic, _)| *topic)
        .collect()
}

/// Returns whether words of the text begin with `word`: "TEST" is in "TESTS", not in "LATEST".
fn begins_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric))
}
