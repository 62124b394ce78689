//! Fits the coefficients that tell the headings of a manual's sections from mentions, on labelled manuals.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use content_extractor::{
    HEADING_FEATURES, HeadingCandidate, Leaf, Parameters, Provider, Wanted, extract, heading_candidates,
};
use serde::Deserialize;

use crate::choice::{Choice, fit_choices};
use crate::contents::LAST_CONTENTS_PAGE;
use crate::manual::NativeManual;
use crate::sections::read_leaves;

const FEATURES: usize = HEADING_FEATURES.len();

/// The strength of the ridge, about that of a manual with a few lines.
const RIDGE: f64 = 0.5;

/// A labelled manual.
#[derive(Clone, Debug, Deserialize)]
pub struct LabelledManual {
    /// Its name.
    pub id: String,
    /// The name of its file.
    pub pdf: String,
    /// The person or program that drew it with others; they are left out together.
    #[serde(default)]
    set: Option<String>,
    /// Whether all bodies of the file are labelled.
    #[serde(default)]
    bodies_complete: bool,
    #[serde(default)]
    divisions: Vec<LabelledDivision>,
    #[serde(default)]
    body_sections: Vec<LabelledBody>,
}

#[derive(Clone, Debug, Deserialize)]
struct LabelledDivision {
    #[serde(default)]
    sections: Vec<LabelledSection>,
}

#[derive(Clone, Debug, Deserialize)]
struct LabelledSection {
    section_code: String,
    section_title: String,
}

#[derive(Clone, Debug, Deserialize)]
struct LabelledBody {
    section_code: String,
    #[serde(default)]
    section_title: String,
    start_page: u32,
    end_page: u32,
}

/// A line that is a heading or a mention, with its manual's set.
#[derive(Clone, Debug)]
pub struct HeadingExample {
    set: String,
    /// What it says, for a list of what is wrong.
    line: String,
    choice: Choice<FEATURES>,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct HeadingFit {
    /// The coefficients fitted on all.
    pub coefficients: [f32; FEATURES],
    /// For each set, what coefficients reach that have not seen it.
    pub left_out: Vec<(String, HeadingCounts)>,
}

/// Counts of lines.
#[derive(Clone, Debug, Default)]
pub struct HeadingCounts {
    /// The headings.
    pub headings: usize,
    /// The mentions.
    pub mentions: usize,
    /// The headings that are taken for mentions.
    pub missed: Vec<String>,
    /// The mentions that are taken for headings.
    pub extra: Vec<String>,
}

impl LabelledManual {
    /// Reads the labels with bodies in a folder.
    ///
    /// # Errors
    ///
    /// If a file cannot be read. Labels of another form are left out.
    pub fn read_all(folder: &Path) -> Result<Vec<Self>> {
        let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
        paths.sort();
        let mut manuals = Vec::new();
        for path in paths {
            let labels: Result<Self, _> = serde_json::from_slice(&std::fs::read(&path)?);
            manuals.extend(labels.into_iter().filter(|manual| !manual.body_sections.is_empty()));
        }
        Ok(manuals)
    }

    /// Reads the bodies of its sections, and returns a line for each that is missing, or whose pages are wrong.
    ///
    /// # Errors
    ///
    /// If its file cannot be read.
    pub fn wrong_bodies(&self, pdfs: &Path) -> Result<Vec<String>> {
        let sections = self.wanted_bodies();
        let leaves = self.leaves(pdfs)?;
        let found = extract(&Parameters { source_job_id: None, sections, provider: Provider::Rules }, leaves).sections;
        let mut wrong = Vec::new();
        for (body, section) in self.body_sections.iter().zip(found) {
            let span = (section.page_start, section.page_end);
            if span != (Some(body.start_page), Some(body.end_page)) {
                wrong
                    .push(format!("{}: {} {}-{} {span:?}", self.id, body.section_code, body.start_page, body.end_page));
            }
        }
        Ok(wrong)
    }

    /// Reads the contents, and returns how many sections are right by their numbers, and a line for each that is missing or is
    /// none; `None` for a manual without labelled contents.
    ///
    /// # Errors
    ///
    /// If its file cannot be read.
    pub fn read_contents(&self, pdfs: &Path) -> Result<Option<(usize, Vec<String>)>> {
        if self.divisions.is_empty() {
            return Ok(None);
        }
        let path = pdfs.join(&self.pdf);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let manual = NativeManual::open(bytes).map_err(|error| anyhow!(error))?;
        let read = toc_parser::read(&manual, &manual.first_pages(LAST_CONTENTS_PAGE), |_| {})
            .map_err(|error| anyhow!(error))?;
        let mut missing: Vec<String> = self.listed().into_iter().map(|section| section.section_code).collect();
        let printed = missing.len();
        let mut wrong = Vec::new();
        for section in read.divisions.iter().flat_map(|division| &division.sections) {
            match missing.iter().position(|code| code == six(&section.section_code)) {
                Some(at) => drop(missing.swap_remove(at)),
                None => wrong.push(format!("{}: + {} {}", self.id, section.section_code, section.section_title)),
            }
        }
        let right = printed - missing.len();
        wrong.extend(missing.iter().map(|code| format!("{}: - {code}", self.id)));
        Ok(Some((right, wrong)))
    }

    /// Returns how many bodies are labelled.
    pub fn bodies(&self) -> usize {
        self.body_sections.len()
    }

    fn leaves(&self, pdfs: &Path) -> Result<Vec<Leaf>> {
        let path = pdfs.join(&self.pdf);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        read_leaves(bytes).map_err(|error| anyhow!("{error}"))
    }

    /// Returns the lines of its pages that may be headings, asked for its bodies alone and for all of its sections.
    ///
    /// # Errors
    ///
    /// If its file cannot be read.
    pub fn examples(&self, pdfs: &Path) -> Result<Vec<HeadingExample>> {
        let leaves = self.leaves(pdfs)?;
        let bodies = self.wanted_bodies();
        let mut all = self.listed();
        all.extend(bodies.iter().filter(|body| !all.contains(body)).cloned().collect::<Vec<_>>());
        let mut examples = self.examples_asked(bodies, leaves.clone());
        examples.extend(self.examples_asked(all, leaves));
        Ok(examples)
    }

    /// Returns the sections of the contents.
    fn listed(&self) -> Vec<Wanted> {
        let sections = self.divisions.iter().flat_map(|division| &division.sections);
        sections.map(|one| wanted(&one.section_code, &one.section_title)).collect()
    }

    /// Returns the sections with a body as a client asks for them: with the title of the contents, if they have it.
    fn wanted_bodies(&self) -> Vec<Wanted> {
        let listed = self.listed();
        let sections = self.body_sections.iter().map(|body| {
            let in_contents = listed.iter().find(|one| one.section_code == six(&body.section_code)).cloned();
            in_contents.unwrap_or_else(|| wanted(&body.section_code, &body.section_title))
        });
        sections.collect()
    }

    fn examples_asked(&self, sections: Vec<Wanted>, leaves: Vec<Leaf>) -> Vec<HeadingExample> {
        let parameters = Parameters { source_job_id: None, sections, provider: Provider::Rules };
        let candidates = heading_candidates(&parameters, leaves);
        let mut likeliest: BTreeMap<(&str, u32), f32> = BTreeMap::new();
        for candidate in &candidates {
            let most = likeliest.entry((&candidate.code, candidate.page)).or_insert(f32::MIN);
            *most = most.max(candidate.log_odds());
        }
        let mut examples = Vec::new();
        for candidate in &candidates {
            let is_likeliest = likeliest[&(candidate.code.as_str(), candidate.page)] <= candidate.log_odds();
            let Some(is_heading) = self.is_heading(candidate, is_likeliest) else { continue };
            examples.push(HeadingExample {
                set: self.set.clone().unwrap_or_else(|| self.id.clone()),
                line: format!("{} page {}: {} {}", self.id, candidate.page, candidate.code, candidate.title),
                choice: Choice {
                    options: vec![candidate.features.map(f64::from)],
                    right: is_heading.then_some(0),
                    weight: 1.0,
                },
            });
        }
        // A manual with many lines does not decide alone.
        let weight = (examples.len().max(1) as f64).sqrt().recip();
        for example in &mut examples {
            example.choice.weight = weight;
        }
        examples
    }

    /// Returns whether a line is the heading of its section; `None` if it says nothing: the title at the top of the section's
    /// further pages, a further mention on its first page, or a section of which is unknown whether its body is here.
    fn is_heading(&self, candidate: &HeadingCandidate, is_likeliest: bool) -> Option<bool> {
        let own = || self.body_sections.iter().filter(|body| six(&body.section_code) == candidate.code);
        if own().next().is_none() {
            return self.bodies_complete.then_some(false);
        }
        if own().any(|body| body.start_page == candidate.page) {
            return is_likeliest.then_some(true);
        }
        let is_within = own().any(|body| (body.start_page..=body.end_page).contains(&candidate.page));
        (!is_within || !candidate.heads_page).then_some(false)
    }
}

fn wanted(code: &str, title: &str) -> Wanted {
    Wanted { section_code: six(code).to_owned(), section_title: title.to_owned(), division_code: String::new() }
}

/// Returns the six digits of a label's code.
fn six(code: &str) -> &str {
    code.get(..6).unwrap_or(code)
}

/// Fits the coefficients on all lines, and measures them with each set left out.
pub fn fit_headings(examples: &[HeadingExample]) -> HeadingFit {
    let sets: BTreeSet<&str> = examples.iter().map(|example| example.set.as_str()).collect();
    let left_out = sets.into_iter().map(|set| {
        let coefficients = fit_without(examples, Some(set));
        (set.to_owned(), count(examples.iter().filter(|example| example.set == set), &coefficients))
    });
    HeadingFit { left_out: left_out.collect(), coefficients: fit_without(examples, None).map(|value| value as f32) }
}

fn fit_without(examples: &[HeadingExample], set: Option<&str>) -> [f64; FEATURES] {
    let used = examples.iter().filter(|example| Some(example.set.as_str()) != set);
    let choices: Vec<&Choice<FEATURES>> = used.map(|example| &example.choice).collect();
    fit_choices(&choices, [0.0; FEATURES], [0.0; FEATURES], RIDGE)
}

fn count<'a>(examples: impl Iterator<Item = &'a HeadingExample>, coefficients: &[f64; FEATURES]) -> HeadingCounts {
    let mut counts = HeadingCounts::default();
    for HeadingExample { line, choice, .. } in examples {
        let features = choice.options.iter().flatten();
        let is_taken = features.zip(coefficients).map(|(value, weight)| value * weight).sum::<f64>() > 0.0;
        let is_heading = choice.right.is_some();
        counts.headings += usize::from(is_heading);
        counts.mentions += usize::from(!is_heading);
        match (is_heading, is_taken) {
            (true, false) => counts.missed.push(line.clone()),
            (false, true) => counts.extra.push(line.clone()),
            _ => {}
        }
    }
    counts
}
