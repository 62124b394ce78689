//! Sections of synthetic manuals, compared with the exact truth.

use std::collections::BTreeMap;
use std::path::Path;

use content_extractor::{Parameters, Provider, Requirement, Section, Wanted};
use drafting::manual::{self, Manual, Style};
use drafting::section::{self, Kind, SyntheticManual};
use eval::{LabelledManual, extract_sections};
use scoring::Tally;

/// Returns the sections of a manual that may have a body, as its contents list them.
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

/// Describes the wrong page spans of a manual's sections.
fn wrong_spans(manual: Manual) -> Result<Vec<String>, String> {
    let parameters = Parameters { source_job_id: None, sections: listed(&manual), provider: Provider::default() };
    let found = extract_sections(manual.pdf, &parameters)?;
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
fn page_spans_are_right_in_each_style_of_contents() -> Result<(), String> {
    let named = manual::styles().into_iter().map(|(name, style)| (name.to_owned(), style, 1));
    let mixed = (0..60).map(|seed| (format!("random {seed}"), Style::random(seed), seed));
    let mut below = Vec::new();
    for (name, style, seed) in named.chain(mixed) {
        let wrong = wrong_spans(manual::generate(&style, seed))?;
        if !wrong.is_empty() {
            below.push(format!("{name}: {}", wrong.join(" ")));
        }
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
    Ok(())
}

/// Counts for extracted sections.
#[derive(Default)]
struct Score {
    spans: Tally,
    /// Paragraphs whose whole text is on a line of its own.
    paragraphs: Tally,
    kinds: BTreeMap<Kind, Tally>,
    /// A line for each error.
    wrong: Vec<String>,
    /// Seed of the current manual.
    at: u64,
}

impl Score {
    fn add(&mut self, bound: &SyntheticManual) -> Result<(), String> {
        let wanted = |section: &section::Section| Wanted {
            section_code: section.section_code.clone(),
            section_title: section.section_title.clone(),
            division_code: String::new(),
        };
        let sections = &bound.truth.sections;
        self.at = bound.truth.seed;
        let parameters = Parameters {
            source_job_id: None,
            provider: Provider::Rules,
            sections: sections.iter().map(wanted).collect(),
        };
        let found = extract_sections(bound.pdf.clone(), &parameters)?;
        for (truth, found) in sections.iter().zip(&found.sections) {
            self.section(truth, found);
        }
        Ok(())
    }

    fn section(&mut self, truth: &section::Section, found: &Section) {
        let code = format!("{} {}", self.at, truth.section_code);
        let span = (found.page_start.unwrap_or(0) as usize, found.page_end.unwrap_or(0) as usize);
        if span == (truth.start_page, truth.end_page) {
            self.spans.hit += 1;
        } else {
            self.spans.missed += 1;
            self.wrong.push(format!("{code}: pages {span:?}, not {:?}", (truth.start_page, truth.end_page)));
        }
        let lines: Vec<String> = found.text.lines().map(fold).collect();
        for paragraph in &truth.paragraphs {
            if lines.contains(&fold(&paragraph.text)) {
                self.paragraphs.hit += 1;
            } else {
                self.paragraphs.missed += 1;
                self.wrong.push(format!("{code}: page {} lacks {:?}", paragraph.page, paragraph.text));
            }
        }
        let mut seen: Vec<(Kind, &str)> = Vec::new();
        for requirement in &truth.requirements {
            // A standard counts once a section, where it is first named.
            if matches!(requirement.kind, Kind::Reference | Kind::Manufacturer) {
                if seen.contains(&(requirement.kind, &requirement.text)) {
                    continue;
                }
                seen.push((requirement.kind, &requirement.text));
            }
            let items = items(found, requirement.kind);
            let tally = self.kinds.entry(requirement.kind).or_default();
            if items.iter().any(|item| fits(item, requirement)) {
                tally.hit += 1;
            } else {
                tally.missed += 1;
                self.wrong.push(format!("{code}: {:?} lacks {requirement:?}", requirement.kind));
            }
        }
        for kind in [Kind::Reference, Kind::Manufacturer] {
            let known = |item: &&Requirement| {
                truth
                    .requirements
                    .iter()
                    .any(|truth| truth.kind == kind && fold(&item.text).contains(&fold(&truth.text)))
            };
            for item in items(found, kind).iter().filter(|item| !known(item)) {
                self.kinds.entry(kind).or_default().wrong += 1;
                self.wrong.push(format!("{code}: {kind:?} has {item:?}"));
            }
        }
        for item in items_of_all(found) {
            assert!(fold(&found.text).contains(&fold(&item.text)), "{code}: {item:?} is not in the text");
        }
    }
}

fn items(section: &Section, kind: Kind) -> &[Requirement] {
    let arrays = &section.requirements;
    match kind {
        Kind::Submittal => &arrays.submittals,
        Kind::Reference => &arrays.references,
        Kind::Manufacturer => &arrays.manufacturers,
        Kind::Warranty => &arrays.warranties,
        Kind::Testing => &arrays.testing,
        Kind::Performance => &arrays.performance_requirements,
        Kind::Quality => &arrays.quality_assurance,
        Kind::Delivery => &arrays.delivery_storage_handling,
        Kind::Conditions => &arrays.field_conditions,
        Kind::Closeout => &arrays.closeout,
        Kind::Related => &arrays.related_sections,
    }
}

fn items_of_all(section: &Section) -> impl Iterator<Item = &Requirement> {
    let arrays = &section.requirements;
    [&arrays.submittals, &arrays.references, &arrays.manufacturers, &arrays.products, &arrays.performance_requirements]
        .into_iter()
        .chain([&arrays.quality_assurance, &arrays.warranties, &arrays.testing, &arrays.delivery_storage_handling])
        .chain([&arrays.field_conditions, &arrays.closeout, &arrays.related_sections])
        .flatten()
}

/// Whether an extracted requirement has the words, the page and the article of the truth.
fn fits(item: &Requirement, truth: &section::Requirement) -> bool {
    let place = item.page as usize == truth.page && fold(&item.article).starts_with(&fold(&truth.article));
    place && fold(&item.text).contains(&fold(&truth.text))
}

/// Normalizes white space and dashes.
fn fold(text: &str) -> String {
    let plain = |c: char| if matches!(c, '–' | '—') { '-' } else { c };
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().map(plain).collect()
}

/// Least recall and precision of each kind.
const MIN_RATE: f64 = 0.95;

/// Describes what a score falls short of, or returns `None`.
fn shortfall(name: &str, score: &Score) -> Option<String> {
    let mut below = Vec::new();
    if score.spans.missed > 0 {
        below.push(format!("{} spans", score.spans.missed));
    }
    if score.paragraphs.recall() < MIN_RATE {
        below.push(format!("paragraphs {:.3}", score.paragraphs.recall()));
    }
    for (kind, tally) in &score.kinds {
        if tally.recall() < MIN_RATE || tally.precision() < MIN_RATE {
            below.push(format!("{kind:?} recall {:.3} precision {:.3}", tally.recall(), tally.precision()));
        }
    }
    let wrong = score.wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    (!below.is_empty()).then(|| format!("{name}: {}\n{wrong}", below.join(", ")))
}

#[test]
fn sections_of_every_style_preset_are_read() -> Result<(), String> {
    let mut below = Vec::new();
    for (name, style) in section::styles() {
        let mut score = Score::default();
        for seed in 1..=2 {
            score.add(&section::generate(&style, seed))?;
        }
        below.extend(shortfall(name, &score));
    }
    assert!(below.is_empty(), "{}", below.join("\n"));
    Ok(())
}

/// Random styles: their total must reach the bar, and nearly every span must be right.
#[test]
fn sections_of_random_styles_are_read() -> Result<(), String> {
    let mut score = Score::default();
    for seed in 0..40 {
        score
            .add(&section::generate(&section::Style::random(seed), seed))
            .map_err(|error| format!("seed {seed}: {error}"))?;
    }
    let spans = std::mem::take(&mut score.spans);
    assert!(spans.recall() >= 0.98, "spans {:.3}\n{}", spans.recall(), score.wrong.join("\n"));
    let below = shortfall("mixtures", &score);
    assert!(below.is_none(), "{}", below.unwrap_or_default());
    Ok(())
}

/// The least share of the bodies of [`models/manuals`](../../manuals/README.md) whose pages are right. Their conventions were in
/// sight, so the bar only notices what gets lost.
const LEAST_BODIES: f64 = 0.98;

#[test]
fn bodies_of_manuals_drawn_by_others_are_found() -> anyhow::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manuals");
    let (mut bodies, mut wrong) = (0, Vec::new());
    for manual in LabelledManual::read_all(&folder.join("labels"))? {
        bodies += manual.bodies();
        wrong.extend(manual.wrong_bodies(&folder.join("pdf"))?);
    }
    let right = bodies - wrong.len();
    assert!(right as f64 >= LEAST_BODIES * bodies as f64, "{right} of {bodies}\n{}", wrong.join("\n"));
    Ok(())
}
