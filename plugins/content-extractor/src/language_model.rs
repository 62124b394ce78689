//! Requirements that a language model selects: what it is given of each section, and what its
//! answers become.

use fanlight_normalization::{Grounded, Section as Content};
use fanlight_plugin::language::{LanguageError, Prompt};

use crate::paragraphs::{self, Paragraph};
use crate::result::{Normalization, Section};

/// Fills the arrays of all sections with content. They stay empty without an answer. `contents` are
/// the paragraphs of each section's text.
pub(crate) fn normalize(
    sections: &mut [Section],
    contents: &[Vec<Paragraph>],
    ask: impl FnMut(&[Prompt], &str) -> Vec<Result<String, LanguageError>>,
) {
    let asked: Vec<Content> =
        sections.iter().zip(contents).map(|(section, paragraphs)| content(section, paragraphs)).collect();
    let normalized = fanlight_normalization::normalize(&asked, ask);
    report(&normalized);
    for ((section, paragraphs), normalized) in sections.iter_mut().zip(contents).zip(normalized) {
        if let (true, Ok(grounded)) = (paragraphs::have_content(paragraphs), normalized) {
            section.normalization = Normalization::Llm;
            section.requirements = grounded.requirements;
        }
    }
}

/// Returns a section's text, and the positions of its articles and lines. No question is asked
/// about a section without content.
fn content<'a>(section: &'a Section, paragraphs: &'a [Paragraph]) -> Content<'a> {
    if !paragraphs::have_content(paragraphs) {
        return Content::default();
    }
    let mut content = Content { text: &section.text, ..Content::default() };
    let mut at = 0;
    for paragraph in paragraphs {
        if content.articles.last().is_none_or(|(_, article)| *article != paragraph.article) {
            content.articles.push((at, paragraph.article.as_str()));
        }
        let whole = paragraph.whole().len();
        let text = at + whole.saturating_sub(paragraph.text.len());
        // The first line has the label too.
        content.lines.extend(paragraph.lines.iter().map(|(offset, place)| {
            let start = if *offset == 0 { at } else { text + offset };
            (start, *place)
        }));
        at += whole + 1;
    }
    content
}

/// Reports the result to the operator in one line, without any of the text.
fn report(normalized: &[Result<Grounded, LanguageError>]) {
    let dropped: usize = normalized.iter().flatten().map(|grounded| grounded.dropped).sum();
    let errors: Vec<&LanguageError> = normalized.iter().filter_map(|normalized| normalized.as_ref().err()).collect();
    if let Some(first) = errors.first() {
        println!(
            "strings of the language model that do not stand in the text: {dropped} dropped; sections without its \
             answer: {} of {}, the first for {first:?}",
            errors.len(),
            normalized.len()
        );
    } else if dropped > 0 {
        println!("strings of the language model that do not stand in the text: {dropped} dropped");
    }
}

#[cfg(test)]
mod tests {
    use fanlight_normalization::Place;
    use fanlight_plugin::BoundingBox;

    use super::*;
    use crate::paragraphs::Kind;

    fn paragraph(kind: Kind, label: &str, text: &str, article: &str, page: u32, turns: &[(usize, u32)]) -> Paragraph {
        let place = |page| Place { page, bbox: BoundingBox { x1: 72.0, y1: 400.0, x2: 540.0, y2: 412.0 } };
        Paragraph {
            kind,
            label: label.to_owned(),
            text: text.to_owned(),
            page,
            lines: [(0, page)].iter().chain(turns).map(|(at, page)| (*at, place(*page))).collect(),
            part: 1,
            article: article.to_owned(),
            depth: 0,
        }
    }

    fn manual() -> (Vec<Section>, Vec<Vec<Paragraph>>) {
        let contents = vec![
            vec![
                paragraph(Kind::Heading, "", "SECTION 08 11 13 - DOORS", "", 7, &[]),
                paragraph(Kind::Article, "1.2", "WARRANTY", "1.2 WARRANTY", 7, &[]),
                paragraph(Kind::Text, "A.", "Five years on doors, two on frames.", "1.2 WARRANTY", 7, &[(20, 8)]),
                paragraph(Kind::Article, "1.3", "SUBMITTALS", "1.3 SUBMITTALS", 8, &[]),
                paragraph(Kind::Text, "A.", "Product data.", "1.3 SUBMITTALS", 8, &[]),
            ],
            vec![paragraph(Kind::Heading, "", "SECTION 08 14 16 - WOOD DOORS", "", 9, &[])],
        ];
        let section =
            |paragraphs: &Vec<Paragraph>| Section { text: paragraphs::text(paragraphs), ..Section::default() };
        (contents.iter().map(section).collect(), contents)
    }

    #[test]
    fn a_string_gets_the_article_and_page_of_its_paragraph() {
        let (mut sections, contents) = manual();
        let answer =
            r#"{"warranties": ["Five years on doors", "two on frames."], "submittals": ["Product data.", "Gold."]}"#;
        normalize(&mut sections, &contents, |prompts, _| {
            assert_eq!(prompts.len(), 1, "a bare heading is not asked about");
            vec![Ok(answer.to_owned())]
        });

        let found = &sections[0].requirements;
        let places: Vec<(&str, &str, u32)> = found
            .warranties
            .iter()
            .chain(&found.submittals)
            .map(|found| (found.text.as_str(), found.article.as_str(), found.page))
            .collect();
        let expected = [
            ("Five years on doors", "1.2 WARRANTY", 7),
            ("two on frames.", "1.2 WARRANTY", 8),
            ("Product data.", "1.3 SUBMITTALS", 8),
        ];
        assert_eq!(places, expected);
        assert_eq!([sections[0].normalization, sections[1].normalization], [Normalization::Llm, Normalization::None]);
    }

    #[test]
    fn without_an_answer_the_arrays_stay_empty() {
        let (mut sections, contents) = manual();
        let untouched = sections.clone();
        normalize(&mut sections, &contents, |prompts, _| vec![Err(LanguageError::Refused); prompts.len()]);
        assert_eq!(sections, untouched);
    }
}
