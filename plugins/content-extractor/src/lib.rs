//! Reads the bodies of a project manual's sections, and the requirements in them.
//!
//! The host may cut a manual's pages into runs, so the work has two halves:
//!
//! - `leaf` turns one page into [`Leaf`]: its lines in reading order, columns one after the other, line numbers in the
//!   margin gone. That is all that a shard does, and all that it hands on.
//! - [`extract`] has the leaves of all pages and does the rest: `running` tells headers and footers from text and reads
//!   the section number that they show, `headings` finds where sections begin, `bodies` says which lines belong to
//!   which section, `paragraphs` joins lines to labelled paragraphs within parts and articles, and `requirements`
//!   picks out what the section asks for, in its own words.
//!
//! A section that was asked for and has no body is in the result too, as not found.

mod bodies;
mod headings;
mod leaf;
mod paragraphs;
mod parameters;
mod patterns;
mod plugin;
mod requirements;
mod result;
mod running;
mod sentences;

pub use fanlight_normalization::{Requirement, Requirements};
pub use leaf::Leaf;
pub use parameters::{Parameters, Wanted};
pub use plugin::ContentExtractor;
pub use result::{Extraction, Normalization, Section};

/// The sections that were asked for, from the leaves of all pages in order.
pub fn extract(parameters: &Parameters, leaves: Vec<Leaf>) -> Extraction {
    let codes = parameters.sections.iter().map(|section| section.section_code.as_str()).collect();
    let manual = running::Manual::of(leaves, &codes);
    let found = bodies::find(&manual, &parameters.sections);
    let words = paragraphs::Words::of(found.iter().flatten().flat_map(|body| manual.lines(body)));
    let sections = parameters
        .sections
        .iter()
        .zip(found)
        .map(|(wanted, body)| match body {
            Some(body) => {
                section(wanted, &body, &paragraphs::paragraphs(manual.lines(&body), &words, body.heading_lines))
            }
            None => Section::missing(wanted),
        })
        .collect();
    Extraction { source_job_id: parameters.source_job_id.clone(), sections }
}

fn section(wanted: &Wanted, body: &bodies::Body, paragraphs: &[paragraphs::Paragraph]) -> Section {
    let text = paragraphs::text(paragraphs);
    let has_content = paragraphs.iter().any(|paragraph| paragraph.kind != paragraphs::Kind::Heading);
    Section {
        section_code: wanted.section_code.clone(),
        section_title: wanted.section_title.clone(),
        division_code: wanted.division_code.clone(),
        page_start: Some(body.first_page),
        page_end: Some(body.last_page),
        text,
        found: true,
        normalization: if has_content { Normalization::Rules } else { Normalization::None },
        requirements: if has_content {
            requirements::by_rules(&wanted.section_title, paragraphs)
        } else {
            Requirements::default()
        },
    }
}
