//! Sorts the requirements of a specification's sections into categories with a language model, and keeps of its answers only
//! what the section's text contains.
//!
//! - `prompt`: the prompt and the JSON Schema of the answer. The text is material of the prompt, never part of its
//!   instructions.
//! - `chunks`: splits a long section at the ends of its articles.
//! - `grounding`: finds the strings of an answer in the text. A requirement is quoted as the text has it, and its article and
//!   place follow from its position; the model is not asked for them. Strings that are not found are dropped and counted.
//!
//! Nothing here depends on PDF or on the host: [`normalize`] takes texts and the function that asks the model.

mod chunks;
mod grounding;
mod prompt;
mod requirements;

use std::ops::Range;

use fanlight_plugin::language::{LanguageError, Prompt};

pub use grounding::{Grounded, places_within};
pub use requirements::{Category, Place, Requirement, Requirements};

/// The text of a section and where its articles and lines begin. Positions are byte offsets into `text`, ascending. A position
/// that is not a character boundary of `text` is ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section<'a> {
    /// The text, as the result gives it.
    pub text: &'a str,
    /// Where the heading of each article begins, and the article as the result names it.
    pub articles: Vec<(usize, &'a str)>,
    /// Where each printed line begins, and its place. The first line begins at 0.
    pub lines: Vec<(usize, Place)>,
}

/// Number of prompts in one call: enough to keep a provider busy, few enough to report progress between calls.
const BATCH: usize = 16;

/// Sorts the requirements of every section. The result has one entry for each section, in their order. A section without text
/// has no requirements, and the model is not asked about it.
///
/// `ask` takes prompts and the JSON Schema of their answers, as `fanlight_plugin::language::complete` does. After an error
/// that is final, such as an exhausted budget, it is not called again.
///
/// # Errors
///
/// A section for which one answer is missing or invalid fails with the first such error.
pub fn normalize(
    sections: &[Section],
    mut ask: impl FnMut(&[Prompt], &str) -> Vec<Result<String, LanguageError>>,
) -> Vec<Result<Grounded, LanguageError>> {
    let schema = prompt::schema().to_string();
    let chunks: Vec<(usize, Range<usize>)> = sections
        .iter()
        .enumerate()
        .flat_map(|(index, section)| chunks::split(section).into_iter().map(move |chunk| (index, chunk)))
        .collect();
    let mut sorted: Vec<Result<Grounded, LanguageError>> = sections.iter().map(|_| Ok(Grounded::default())).collect();
    let mut final_error: Option<LanguageError> = None;
    for batch in chunks.chunks(BATCH) {
        let answers = if let Some(error) = &final_error {
            vec![Err(error.clone()); batch.len()]
        } else {
            let prompts: Vec<Prompt> = batch.iter().map(|(index, chunk)| prompt_for(sections, *index, chunk)).collect();
            ask(&prompts, &schema)
        };
        final_error = final_error
            .or_else(|| answers.iter().find_map(|answer| answer.as_ref().err().filter(|e| is_final(e)).cloned()));
        let missing = || Err(LanguageError::Failed("there was no answer".to_owned()));
        let answers = answers.into_iter().chain(std::iter::repeat_with(missing));
        for ((index, chunk), answer) in batch.iter().zip(answers) {
            let (Some(section), Some(so_far)) = (sections.get(*index), sorted.get_mut(*index)) else { continue };
            let grounded = answer.and_then(|answer| grounding::ground(section, chunk.clone(), &answer));
            match (so_far.as_mut(), grounded) {
                (Ok(so_far), Ok(grounded)) => so_far.append(grounded),
                (Ok(_), Err(error)) => *so_far = Err(error),
                (Err(_), _) => {}
            }
        }
    }
    sorted
}

/// Returns the prompt for a chunk of a section.
fn prompt_for(sections: &[Section], index: usize, chunk: &Range<usize>) -> Prompt {
    let text = sections.get(index).and_then(|section| section.text.get(chunk.clone())).unwrap_or_default();
    prompt::prompt(text)
}

/// Returns whether every further call would fail as well.
fn is_final(error: &LanguageError) -> bool {
    matches!(error, LanguageError::Unavailable | LanguageError::BudgetExhausted | LanguageError::BadRequest(_))
}

#[cfg(test)]
mod tests {
    use fanlight_plugin::BoundingBox;

    use super::*;

    const PLACE: Place = Place { page: 7, bbox: BoundingBox { x1: 72.0, y1: 700.0, x2: 540.0, y2: 712.0 } };
    const ANSWER: &str = r#"{"submittals": ["Product data"]}"#;

    fn section(text: &str) -> Section<'_> {
        Section { text, articles: vec![(0, "1.1")], lines: vec![(0, PLACE)] }
    }

    fn texts(sorted: &Result<Grounded, LanguageError>) -> Vec<&str> {
        let grounded = sorted.as_ref().unwrap();
        grounded.requirements.submittals.iter().map(|requirement| requirement.text.as_str()).collect()
    }

    #[test]
    fn a_missing_answer_fails_its_section_alone() {
        let sections = [section("Product data A"), section("Product data B"), section("Product data C")];
        let sorted = normalize(&sections, |prompts, _| {
            assert_eq!(prompts.len(), 3, "one call asks about all of them");
            vec![Ok(ANSWER.to_owned()), Err(LanguageError::Refused)]
        });
        assert_eq!(texts(&sorted[0]), ["Product data"]);
        assert!(matches!(sorted[1], Err(LanguageError::Refused)));
        assert!(matches!(sorted[2], Err(LanguageError::Failed(_))), "fewer answers than prompts");
    }

    #[test]
    fn a_section_without_text_is_not_asked_about() {
        let mut asked = 0;
        let sorted = normalize(&[section(""), section(" \n ")], |prompts, _| {
            asked += prompts.len();
            Vec::new()
        });
        assert_eq!(asked, 0);
        assert!(sorted.iter().all(|sorted| texts(sorted).is_empty()));
    }

    #[test]
    fn after_a_final_error_the_model_is_not_asked_again() {
        let sections = vec![section("Product data"); 3 * BATCH];
        for gone in [LanguageError::Unavailable, LanguageError::BudgetExhausted] {
            let mut calls = 0;
            let sorted = normalize(&sections, |prompts, _| {
                calls += 1;
                vec![Err(gone.clone()); prompts.len()]
            });
            assert_eq!((calls, sorted.iter().filter(|sorted| sorted.is_err()).count()), (1, 3 * BATCH));
        }
    }

    #[test]
    fn one_failed_chunk_fails_the_whole_section() {
        let text = "Product data for every door.\n".repeat(2000);
        let sorted = normalize(&[section(&text)], |prompts, _| {
            assert!(prompts.len() > 2, "the section is cut");
            let mut answers = vec![Ok(ANSWER.to_owned()); prompts.len()];
            answers[1] = Err(LanguageError::Failed("stalled".to_owned()));
            answers
        });
        assert!(matches!(&sorted[0], Err(LanguageError::Failed(why)) if why == "stalled"));
    }
}
