//! Compares what was read with what a drafted manual prints: sections by code and title, like the corpus's own scoring
//! but with titles equal, not alike.

use std::fmt::{self, Display, Formatter};

use drafting::manual::Truth;
use toc_parser::Contents;

/// The service reads no further.
pub(crate) const LAST_PAGE: u32 = 40;

/// How a reading compares with the truth.
pub(crate) struct Score {
    right: usize,
    /// Read, and not printed.
    extra: Vec<(String, String)>,
    /// Printed, and not read.
    missing: Vec<(String, String)>,
}

impl Score {
    /// Sections that are not used don't count where they are missing; struck ones count neither way.
    pub(crate) fn of(contents: &Contents, truth: &Truth) -> Self {
        let printed = |wanted: bool| {
            let sections = truth.divisions.iter().flat_map(|division| &division.sections);
            let chosen = sections.filter(move |section| (!section.not_used && !section.struck) == wanted);
            let kept = chosen.filter(move |section| wanted || section.struck);
            let kept = kept.filter(|section| section.page <= LAST_PAGE as usize);
            kept.map(|section| (section.section_code.clone(), fold(&section.section_title))).collect::<Vec<_>>()
        };
        let (mut missing, struck) = (printed(true), printed(false));
        let mut score = Self { right: 0, extra: Vec::new(), missing: Vec::new() };
        let sections = contents.divisions.iter().flat_map(|division| &division.sections);
        for found in sections.map(|section| (section.section_code.clone(), fold(&section.section_title))) {
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

    /// Harmonic mean of precision and recall; 1 where there is nothing to read and nothing was read.
    pub(crate) fn f1(&self) -> f64 {
        let all = 2 * self.right + self.extra.len() + self.missing.len();
        if all == 0 { 1.0 } else { 2.0 * self.right as f64 / all as f64 }
    }
}

impl Display for Score {
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

/// Case, white space, quotes and dashes alike.
fn fold(text: &str) -> String {
    let plain = |c: char| match c {
        '“' | '”' | '″' => '"',
        '‘' | '’' | '′' => '\'',
        '–' | '—' | '−' | '‐' => '-',
        _ => c,
    };
    text.to_uppercase().split_whitespace().collect::<Vec<_>>().join(" ").chars().map(plain).collect()
}
