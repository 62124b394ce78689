//! Drafted manuals, read back and compared with their exact truth.

mod native;

use content_extractor::{Parameters, Provider, Wanted};
use drafting::manual::{self, Manual, Style};

/// All sections of a manual that have or could have a body, as its contents list them.
fn listed(manual: &Manual) -> Vec<Wanted> {
    let divisions = manual.truth.divisions.iter();
    divisions
        .flat_map(|division| division.sections.iter().map(move |section| (division, section)))
        .filter(|(_, section)| !section.not_used && !section.struck)
        .map(|(division, section)| Wanted {
            section_code: section.section_code.clone(),
            section_title: section.section_title.clone(),
            division_code: division.division_code.clone(),
        })
        .collect()
}

/// What is wrong with the page spans that were read; empty where all are right.
fn wrong_spans(manual: Manual) -> Result<Vec<String>, String> {
    let parameters = Parameters { source_job_id: None, sections: listed(&manual), provider: Provider::default() };
    let found = native::extract(manual.pdf, &parameters)?;
    let mut wanted: Vec<(String, u32, u32)> = manual
        .truth
        .bodies
        .iter()
        .map(|body| (body.section_code.clone(), body.start_page as u32, body.end_page as u32))
        .collect();
    let mut wrong = Vec::new();
    for section in found.sections.iter().filter(|section| section.found) {
        let span = (section.section_code.clone(), section.page_start.unwrap_or(0), section.page_end.unwrap_or(0));
        match wanted.iter().position(|other| *other == span) {
            Some(at) => drop(wanted.remove(at)),
            None => wrong.push(format!("+ {span:?}")),
        }
    }
    wrong.extend(wanted.iter().map(|span| format!("- {span:?}")));
    Ok(wrong)
}

#[test]
fn the_pages_of_every_section_are_found_in_every_style_of_contents() -> Result<(), String> {
    let named = manual::styles().into_iter().map(|(name, style)| (name.to_owned(), style, 1));
    let mixed = (0..60).map(|seed| (format!("random {seed}"), Style::random(seed), seed));
    let mut below = Vec::new();
    for (name, style, seed) in named.chain(mixed) {
        let wrong = wrong_spans(manual::draft(&style, seed))?;
        if !wrong.is_empty() {
            below.push(format!("{name}: {}", wrong.join(" ")));
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
    Ok(())
}
