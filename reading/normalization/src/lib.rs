//! Has a language model sort the requirements that a specification's section states, and keeps of its answer what
//! stands in the section's text.
//!
//! - `prompt`: what the model is asked, and the schema of its answer. The text is the prompt's material, never part of
//!   its instructions.
//! - `pieces`: a long section in pieces that end where its articles do.
//! - `grounding`: an answer's strings, found in the text. What is found is given as the text has it; article and page
//!   follow from where it stands, and are never asked of the model. What isn't found is dropped and counted.
//!
//! Nothing here knows PDFs or the host: [`normalize`] takes texts and the function that asks.

mod grounding;
mod pieces;
mod prompt;
mod requirements;

use std::ops::Range;

use fanlight_plugin::language::{LanguageError, Prompt};

pub use grounding::Grounded;
pub use requirements::{Category, Requirement, Requirements};

/// A section's text, and what begins where in it. Places are byte offsets into `text`, ascending; one that is none is
/// passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section<'a> {
    /// As the result has it.
    pub text: &'a str,
    /// Where each article's heading begins, and the article as the result names it.
    pub articles: Vec<(usize, &'a str)>,
    /// Where each page begins, and its number. The first one begins at 0.
    pub pages: Vec<(usize, u32)>,
}

/// Prompts that are asked at a time: enough to keep a provider busy, few enough that progress can be told between.
const BATCH: usize = 16;

/// Sorts the requirements of every section, or tells why there are none of it: one answer that is missing fails its
/// whole section. A section without text has none, and the model isn't asked about it.
///
/// `ask` is `fanlight_plugin::language::complete`. Once the language model is gone for good, it isn't asked again.
pub fn normalize(
    sections: &[Section],
    mut ask: impl FnMut(&[Prompt], &str) -> Vec<Result<String, LanguageError>>,
) -> Vec<Result<Grounded, LanguageError>> {
    let schema = prompt::schema().to_string();
    let pieces: Vec<(usize, Range<usize>)> = sections
        .iter()
        .enumerate()
        .flat_map(|(index, section)| pieces::cut(section).into_iter().map(move |piece| (index, piece)))
        .collect();
    let mut sorted: Vec<Result<Grounded, LanguageError>> = sections.iter().map(|_| Ok(Grounded::default())).collect();
    let mut gone: Option<LanguageError> = None;
    for batch in pieces.chunks(BATCH) {
        let answers = if let Some(error) = &gone {
            vec![Err(error.clone()); batch.len()]
        } else {
            let prompts: Vec<Prompt> = batch.iter().map(|(index, piece)| asked(sections, *index, piece)).collect();
            ask(&prompts, &schema)
        };
        gone =
            gone.or_else(|| answers.iter().find_map(|answer| answer.as_ref().err().filter(|e| is_final(e)).cloned()));
        let missing = || Err(LanguageError::Failed("there was no answer".to_owned()));
        let answers = answers.into_iter().chain(std::iter::repeat_with(missing));
        for ((index, piece), answer) in batch.iter().zip(answers) {
            let (Some(section), Some(so_far)) = (sections.get(*index), sorted.get_mut(*index)) else { continue };
            let grounded = answer.and_then(|answer| grounding::ground(section, piece.clone(), &answer));
            match (so_far.as_mut(), grounded) {
                (Ok(so_far), Ok(grounded)) => so_far.append(grounded),
                (Ok(_), Err(error)) => *so_far = Err(error),
                (Err(_), _) => {}
            }
        }
    }
    sorted
}

fn asked(sections: &[Section], index: usize, piece: &Range<usize>) -> Prompt {
    let text = sections.get(index).and_then(|section| section.text.get(piece.clone())).unwrap_or_default();
    prompt::prompt(text)
}

/// Whether it would be in vain to ask again.
fn is_final(error: &LanguageError) -> bool {
    matches!(error, LanguageError::Unavailable | LanguageError::BudgetExhausted | LanguageError::BadRequest(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = r#"{"submittals": ["Product data"]}"#;

    fn section(text: &str) -> Section<'_> {
        Section { text, articles: vec![(0, "1.1")], pages: vec![(0, 7)] }
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
    fn a_model_that_is_gone_for_good_is_asked_once() {
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
    fn one_failed_piece_leaves_nothing_of_a_long_section() {
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
