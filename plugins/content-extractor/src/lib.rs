//! Reads the bodies of a project manual's sections, and the requirements in them.
//!
//! The host may split a manual's pages into shards, so the work has two halves:
//!
//! - `leaf` converts one page to a [`Leaf`]: its lines in reading order, columns one after the
//!   other, without line numbers in the margin. A shard does and passes on nothing else.
//! - [`extract`] has the leaves of all pages and does the rest. `running` separates headers and
//!   footers from text and reads the section number in them. `headings` detects where sections
//!   begin. `bodies` assigns lines to sections. `paragraphs` joins lines to labelled paragraphs
//!   within parts and articles. `requirements` selects what the section asks for, in its own words.
//!   If the provider is a language model, `language_model` has it select them.
//!
//! A wanted section without a body is in the result too, as not found.

mod bodies;
mod headings;
mod labels;
mod language_model;
mod leaf;
mod paragraphs;
mod parameters;
mod patterns;
mod plugin;
mod requirements;
mod result;
mod running;
mod sentences;

use fanlight_plugin::language::{LanguageError, Prompt};

pub use fanlight_normalization::{Requirement, Requirements};
pub use headings::{HEADING_FEATURES, HeadingCandidate};
pub use leaf::Leaf;
pub use parameters::{Parameters, Provider, Wanted};
pub use plugin::ContentExtractor;
pub use result::{Extraction, Normalization, Section};

/// Returns the lines that may be headings of sections, for the fit of the coefficients that decide it.
pub fn heading_candidates(parameters: &Parameters, leaves: Vec<Leaf>) -> Vec<HeadingCandidate> {
    bodies::candidates(&manual(parameters, leaves), &parameters.sections)
}

/// Returns the pages without headers and footers.
fn manual(parameters: &Parameters, leaves: Vec<Leaf>) -> running::Manual {
    let codes = parameters.sections.iter().map(|section| section.section_code.as_str()).collect();
    running::Manual::new(leaves, &codes)
}

/// Extracts the wanted sections from the leaves of all pages, in order, without a language model.
pub fn extract(parameters: &Parameters, leaves: Vec<Leaf>) -> Extraction {
    extract_asking(parameters, leaves, |prompts, _| vec![Err(LanguageError::Unavailable); prompts.len()])
}

/// Like [`extract`]. `ask` is `fanlight_plugin::language::complete`, and is called only if the
/// parameters choose a language model.
pub fn extract_asking(
    parameters: &Parameters,
    leaves: Vec<Leaf>,
    ask: impl FnMut(&[Prompt], &str) -> Vec<Result<String, LanguageError>>,
) -> Extraction {
    let manual = manual(parameters, leaves);
    let found = bodies::locate(&manual, &parameters.sections);
    let words = paragraphs::Words::from_lines(found.iter().flatten().flat_map(|body| manual.lines(body)));
    let mut sections = Vec::new();
    let mut contents = Vec::new();
    for (wanted, body) in parameters.sections.iter().zip(found) {
        let mut section = Section::without_body(wanted);
        let mut paragraphs = Vec::new();
        if let Some(body) = body {
            paragraphs = paragraphs::paragraphs(manual.lines(&body), &words, body.heading_lines);
            section.found = true;
            section.page_start = manual.page(body.from.0);
            section.page_end = manual.page(body.to.0);
            section.text = paragraphs::text(&paragraphs);
        }
        if parameters.provider == Provider::Rules && paragraphs::have_content(&paragraphs) {
            section.normalization = Normalization::Rules;
            section.requirements = requirements::by_rules(&wanted.section_title, &paragraphs);
        }
        sections.push(section);
        contents.push(paragraphs);
    }
    if parameters.provider == Provider::Openai {
        language_model::normalize(&mut sections, &contents, ask);
    }
    Extraction { source_job_id: parameters.source_job_id.clone(), sections }
}
