//! Selects what a section asks for by rules: by the article of a paragraph, and by the words of its
//! sentences anywhere. Nothing is reworded.

mod manufacturers;
mod mentions;
mod references;
mod topics;

use std::collections::HashSet;

use fanlight_normalization::{Category, Requirement, Requirements, places_within};
use fanlight_text::folding::has_letters;
use regex::Regex;

use crate::paragraphs::{Kind, Paragraph, SUBMITTAL_CLASS};
use crate::patterns::pattern;
use crate::sentences;
use topics::Topic;

/// Returns the requirements of a section's paragraphs.
pub(crate) fn by_rules(title: &str, paragraphs: &[Paragraph]) -> Requirements {
    let mut found = Requirements::default();
    let section = topics::section_topics(title);
    let mut lists = Lists::default();
    let mut class = String::new();
    for paragraph in paragraphs {
        if matches!(paragraph.kind, Kind::Part | Kind::Article | Kind::Heading) {
            lists = Lists::default();
            class.clear();
            continue;
        }
        if SUBMITTAL_CLASS.is_match(&paragraph.text) {
            class.clone_from(&paragraph.text);
            continue;
        }
        let topics = topics::article_topics(&paragraph.article, paragraph.part, section);
        paragraph_by_topic(&mut found, paragraph, &topics, &class);
        sentences_by_words(&mut found, paragraph, &topics, &mut lists);
    }
    for category in Category::ALL {
        let mut seen: HashSet<(String, u32)> = HashSet::new();
        found.list_mut(category).retain(|item| seen.insert((item.text.clone(), item.page)));
    }
    // These have rules of their own for what is listed once.
    Requirements {
        references: references::detect(paragraphs),
        manufacturers: manufacturers::detect(paragraphs),
        related_sections: mentions::detect(paragraphs),
        ..found
    }
}

/// Returns a part of a paragraph's text that begins at `offset` as a requirement.
pub(crate) fn item(paragraph: &Paragraph, offset: usize, text: &str) -> Requirement {
    let places = places_within(&paragraph.lines, offset..offset + text.len());
    let page = places.first().map_or(paragraph.page, |place| place.page);
    Requirement { text: text.to_owned(), article: paragraph.article.clone(), page, places }
}

/// Classifies a paragraph by its article.
fn paragraph_by_topic(found: &mut Requirements, paragraph: &Paragraph, topics: &[Topic], class: &str) {
    if !has_letters(&paragraph.text, 3) {
        return;
    }
    for topic in topics {
        let items = match topic {
            Topic::Submittals => &mut found.submittals,
            Topic::QualityAssurance => &mut found.quality_assurance,
            Topic::Delivery => &mut found.delivery_storage_handling,
            Topic::FieldConditions => &mut found.field_conditions,
            Topic::Performance => &mut found.performance_requirements,
            Topic::Testing => &mut found.testing,
            Topic::Closeout => &mut found.closeout,
            Topic::Product if paragraph.depth == 0 && !paragraph.text.ends_with(':') => &mut found.products,
            // Warranties are classified by sentence, since kind, years and start are separate.
            Topic::Warranty => {
                let sentences = sentences::split(&paragraph.text).into_iter();
                found.warranties.extend(sentences.map(|(at, text)| item(paragraph, at, text)));
                continue;
            }
            Topic::Product | Topic::Manufacturers | Topic::References | Topic::Related => continue,
        };
        let mut whole = item(paragraph, 0, &paragraph.text);
        if *topic == Topic::Submittals && !class.is_empty() {
            whole.article = format!("{} / {class}", whole.article);
        }
        items.push(whole);
    }
}

const DOCUMENTS: &str = concat!(
    r"(?:certificates?|certifications?|reports?|(?:shop|record|coordination|erection|as-built)\s+drawings|product\s+data|",
    r"samples?|mix\s+designs?|photographs?|logs?|test\s+results|manuals?|calculations|affidavits?|schedules?\s+of\s+values|",
    r"data\s+sheets?|operation\s+and\s+maintenance\s+data|warrant(?:y|ies)\s+documents?)"
);

pattern!(
    SUBMIT = &format!(
        concat!(
            r"(?i)\b(?:re)?submit\b|\b(?:shall|must|will|to)\s+be\s+(?:re)?submitted\b|\bsubmission\s+of\b|",
            r"\bshall\s+be\s+(?:delivered|furnished|forwarded|transmitted)\s+to\s+the\s+(?:Owner|Architect|Engineer|Contracting\s+Officer)\b|",
            r"\b(?:furnish|provide|deliver)\b(?:\s+[\w/()-]+){{0,4}}?\s+{}\b"
        ),
        DOCUMENTS
    )
);
pattern!(WARRANTY = r"(?i)\b(?:warrant(?:y|ies|ed|s)?|guarant(?:ee|ees|eed|y|ies))\b");
pattern!(
    TEST = concat!(
        r"(?i)^(?:\W*(?:field|shop|factory|laboratory)?\s*)(?:test|tests|testing|inspect|sample)\b|",
        r"\b(?:perform|conduct|make|provide|furnish|engage|employ|repeat|witness)\b.{0,60}\b(?:tests?|testing|inspections?)\b|",
        r"\b(?:shall|must|will)\s+be\s+(?:tested|inspected|sampled)\b|\b(?:ultrasonic|visual|hydrostatic|air|water|load|pressure|leakage|slump|strength|adhesion)\s+(?:tests?|testing|inspections?|examination)\b"
    )
);
pattern!(
    QUALIFICATION = concat!(
        r"(?i)\bqualifications?:|\b(?:minimum|at\s+least|not\s+less\s+than|no\s+fewer\s+than|have)\b.{0,40}\byears?\b.{0,30}\bexperience\b|",
        r"\bmock-?ups?\b|\bpre-?installation\s+(?:conference|meeting)|\b(?:shall|must)\s+be\s+(?:currently\s+)?certified\b"
    )
);
pattern!(
    DELIVERY = r"(?i)^(?:deliver|store|handle)\b.{0,200}\b(?:site|dry|cover|manufacturer|container|packag|ground|label|protect|material|product)"
);
pattern!(
    CONDITIONS = concat!(
        r"(?i)\bdo\s+not\s+(?:install|apply|place|begin|proceed)\b.{0,120}\b(?:temperature|humidity|degrees|wet|rain|frozen|frost|enclosed|dry)\b|",
        r"\bmaintain\b.{0,80}\b(?:temperature|humidity|ventilation)\b|\bambient\s+(?:temperature|conditions)\b"
    )
);
pattern!(
    CLOSEOUT = concat!(
        r"(?i)\b(?:operation|operating)\s+and\s+maintenance\s+(?:data|manual|instruction)|\bO\s?&\s?M\s+(?:manual|data)|",
        r"\b(?:extra|attic)\s+(?:stock|material)|\bspare\s+parts?\b|\brecord\s+(?:drawings|documents)\b|\bas-?built\s+drawings\b|",
        r"\b(?:train|instruct|demonstrate\s+to)\b.{0,30}\bowner"
    )
);
pattern!(
    PRODUCT = concat!(
        r"(?i)\bbasis[\s-]+of[\s-]+design\b.{0,20}:|^(?:acceptable\s+)?products?:|\bmodel\s+(?:no\.?\s*)?[A-Z0-9][\w-]*\d|",
        r"\bsubject\s+to\s+compliance\b.{0,60}\bprovide\b|\bseries\s+\d|\bcatalog\s+n(?:o|umber)"
    )
);
pattern!(
    VALUE = concat!(
        r"(?i)\b\d[\d,./-]*\s*(?:psi|psf|pcf|ksi|kips?|lbf?|plf|mpa|kpa|pa|n/mm|cfm|gpm|percent|%|degrees?|deg\.?|°|db|dba|mils?|microns?|",
        r"amps?|volts?|watts?|kva|kw|mph|hours?|hr|minutes?|btu|lumens?|foot-?candles?|ppm|g/l|perms?)(?:\b|\s|$)|",
        r"\b(?:STC|NRC|CAC|IIC|SHGC|U-?factor|R-?value|SRI|HIC)\b.{0,25}\d"
    )
);
pattern!(
    LIMIT = r"(?i)\b(?:minimum|maximum|min\.|max\.|not\s+less\s+than|no\s+less\s+than|not\s+more\s+than|no\s+more\s+than|not\s+(?:to\s+)?exceed(?:ing)?|at\s+least|up\s+to|greater\s+than|less\s+than|within|rated|rating)\b"
);
pattern!(
    METHOD = r"(?i)\b(?:when\s+tested|tested\s+(?:in\s+accordance|according|per|to)|as\s+determined|in\s+accordance\s+with\s+(?:ASTM|ANSI|NFPA|UL|AAMA)|(?:per|to)\s+(?:ASTM|AAMA|ANSI|NFPA|UL)\b)"
);

/// Lists that a sentence with a colon opens. The paragraphs below it have its kind.
#[derive(Debug, Default)]
struct Lists {
    /// The depth of the paragraph that opened a list of submittals.
    submittals: Option<usize>,
    /// The depth of the paragraph that opened a list of tests.
    testing: Option<usize>,
}

impl Lists {
    /// Ends the lists that the paragraph is not below.
    fn end_at(&mut self, paragraph: &Paragraph) {
        for list in [&mut self.submittals, &mut self.testing] {
            list.take_if(|depth| paragraph.depth <= *depth);
        }
    }
}

/// Classifies a paragraph's sentences by their words, unless its article decides already.
fn sentences_by_words(found: &mut Requirements, paragraph: &Paragraph, topics: &[Topic], lists: &mut Lists) {
    let is = |topic: Topic| topics.contains(&topic);
    let text = &paragraph.text;
    lists.end_at(paragraph);
    if lists.submittals.is_some() && !is(Topic::Submittals) {
        found.submittals.push(item(paragraph, 0, text));
    }
    if lists.testing.is_some() && !is(Topic::Testing) {
        found.testing.push(item(paragraph, 0, text));
    }
    for (at, sentence) in sentences::split(text) {
        let own = || item(paragraph, at, sentence);
        let says = |topic: Topic, words: &Regex| !is(topic) && words.is_match(sentence);
        let opens = sentence.ends_with(':');
        let submits = says(Topic::Submittals, &SUBMIT);
        if submits && opens {
            lists.submittals = Some(paragraph.depth);
        }
        let tests = says(Topic::Testing, &TEST);
        if tests && opens {
            lists.testing = Some(paragraph.depth);
        }
        found.submittals.extend(submits.then(own));
        found.warranties.extend(says(Topic::Warranty, &WARRANTY).then(own));
        found.testing.extend(tests.then(own));
        found.quality_assurance.extend(says(Topic::QualityAssurance, &QUALIFICATION).then(own));
        found.delivery_storage_handling.extend(says(Topic::Delivery, &DELIVERY).then(own));
        found.field_conditions.extend(says(Topic::FieldConditions, &CONDITIONS).then(own));
        found.closeout.extend(says(Topic::Closeout, &CLOSEOUT).then(own));
        found.products.extend(PRODUCT.is_match(sentence).then(own));
        let measured = VALUE.is_match(sentence) && (LIMIT.is_match(sentence) || METHOD.is_match(sentence));
        let elsewhere = [Topic::Warranty, Topic::Submittals, Topic::Related, Topic::Performance].into_iter().any(is);
        found.performance_requirements.extend((!elsewhere && measured).then(own));
    }
}
