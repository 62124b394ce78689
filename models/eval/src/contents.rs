//! Scores the contents of synthetic manuals: sections by code and title. Unlike in the corpus's own scoring, titles must be
//! equal after normalization.

use std::fmt::{self, Display, Formatter};

use drafting::manual::{Section, Truth};
use toc_parser::Contents;

use crate::labelled_sheets::normalized;

/// The last page that the service reads.
pub const LAST_CONTENTS_PAGE: u32 = 40;

/// The sections that are right, extra and missing.
pub struct ContentsScore {
    right: usize,
    /// Read, and not printed.
    extra: Vec<(String, String)>,
    /// Printed, and not read.
    missing: Vec<(String, String)>,
}

impl ContentsScore {
    /// Compares contents with the truth. Unused sections may be missing; struck ones count neither way.
    pub fn new(contents: &Contents, truth: &Truth) -> Self {
        let mut missing = printed(truth, |section| !section.not_used && !section.struck);
        let struck = printed(truth, |section| section.struck);
        let mut score = Self { right: 0, extra: Vec::new(), missing: Vec::new() };
        let sections = contents.divisions.iter().flat_map(|division| &division.sections);
        for found in sections.map(|section| (section.section_code.clone(), normalized(&section.section_title))) {
            if let Some(at) = missing.iter().position(|wanted| *wanted == found) {
                missing.remove(at);
                score.right += 1;
            } else if !struck.contains(&found) {
                score.extra.push(found);
            }
        }
        score.missing = missing;
        score
    }

    /// Returns the harmonic mean of precision and recall; 1 if there is nothing to read and nothing was read.
    pub fn f1(&self) -> f64 {
        let all = 2 * self.right + self.extra.len() + self.missing.len();
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }
}

impl Display for ContentsScore {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "F1 {:.4}: {} right, {} extra, {} missing",
            self.f1(),
            self.right,
            self.extra.len(),
            self.missing.len()
        )?;
        for (sign, sections) in [('+', &self.extra), ('-', &self.missing)] {
            for (code, title) in sections.iter().take(8) {
                write!(f, "\n    {sign} {code} {title}")?;
            }
        }
        Ok(())
    }
}

/// Returns the code and the normalized title of the chosen sections, as far as the service reads.
fn printed(truth: &Truth, is_chosen: impl Fn(&Section) -> bool) -> Vec<(String, String)> {
    let sections = truth.divisions.iter().flat_map(|division| &division.sections);
    let chosen = sections.filter(|own| is_chosen(own) && own.page <= LAST_CONTENTS_PAGE as usize);
    chosen.map(|own| (own.section_code.clone(), normalized(&own.section_title))).collect()
}
