//! Reads the bodies of a project manual's sections, and the requirements in them.
//!
//! The host may cut a manual's pages into runs, so the work has two halves:
//!
//! - `leaf` turns one page into [`Leaf`]: its lines in reading order, columns one after the other, line numbers in the
//!   margin gone. That is all that a shard does, and all that it hands on.
//! - [`extract`] has the leaves of all pages and does the rest: `running` tells headers and footers from text and reads
//!   the section number that they show, `headings` finds where sections begin, `bodies` says which lines belong to
//!   which section, `paragraphs` joins lines to labelled paragraphs within parts and articles, and `requirements`
//!   picks out what the section asks for, in its own words; or `language_model` has a language model do so, where that
//!   is the provider.
//!
//! A section that was asked for and has no body is in the result too, as not found.

mod bodies;
mod headings;
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
pub use leaf::Leaf;
pub use parameters::{Parameters, Provider, Wanted};
pub use plugin::ContentExtractor;
pub use result::{Extraction, Normalization, Section};

/// The sections that were asked for, from the leaves of all pages in order, where there is no language model to ask.
pub fn extract(parameters: &Parameters, leaves: Vec<Leaf>) -> Extraction {
    extract_asking(parameters, leaves, |prompts, _| vec![Err(LanguageError::Unavailable); prompts.len()])
}

/// As [`extract`]. `ask` is `fanlight_plugin::language::complete`, and called only where the parameters say so.
pub fn extract_asking(
    parameters: &Parameters,
    leaves: Vec<Leaf>,
    ask: impl FnMut(&[Prompt], &str) -> Vec<Result<String, LanguageError>>,
) -> Extraction {
    let codes = parameters.sections.iter().map(|section| section.section_code.as_str()).collect();
    let manual = running::Manual::of(leaves, &codes);
    let found = bodies::find(&manual, &parameters.sections);
    let words = paragraphs::Words::of(found.iter().flatten().flat_map(|body| manual.lines(body)));
    let mut sections = Vec::new();
    let mut contents = Vec::new();
    for (wanted, body) in parameters.sections.iter().zip(found) {
        let Some(body) = body else {
            sections.push(Section::missing(wanted));
            contents.push(Vec::new());
            continue;
        };
        let paragraphs = paragraphs::paragraphs(manual.lines(&body), &words, body.heading_lines);
        sections.push(section(wanted, &body, &paragraphs, parameters.provider));
        contents.push(paragraphs);
    }
    if parameters.provider == Provider::Openai {
        language_model::normalize(&mut sections, &contents, ask);
    }
    Extraction { source_job_id: parameters.source_job_id.clone(), sections }
}

fn section(wanted: &Wanted, body: &bodies::Body, paragraphs: &[paragraphs::Paragraph], provider: Provider) -> Section {
    let text = paragraphs::text(paragraphs);
    let by_rules = provider == Provider::Rules && paragraphs::have_content(paragraphs);
    Section {
        section_code: wanted.section_code.clone(),
        section_title: wanted.section_title.clone(),
        division_code: wanted.division_code.clone(),
        page_start: Some(body.first_page),
        page_end: Some(body.last_page),
        text,
        found: true,
        normalization: if by_rules { Normalization::Rules } else { Normalization::None },
        requirements: if by_rules {
            requirements::by_rules(&wanted.section_title, paragraphs)
        } else {
            Requirements::default()
        },
    }
}
