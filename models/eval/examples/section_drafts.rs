//! Reads the bodies of synthetic sections and prints wrong page spans: `section_drafts random|other FIRST COUNT [scan]
//! [FOLDER]`. `other` are the styles of offices on which no rule was made. With `scan`, OCR reads scans of the pages. Sections
//! are asked for by code alone, as `fanlight run content-extractor --sections` does. Manuals with wrong spans are written to
//! FOLDER.

use std::error::Error;
use std::path::Path;

use content_extractor::{Parameters, Provider, Wanted};
use drafting::scan::{Scanner, scan};
use drafting::section::{Style, generate};
use eval::extract_sections;
use fanlight_contract::Orientation;
use native::prints;
use scoring::Tally;

/// The resolution of the scans, in dpi.
const SCAN_DPI: f32 = 200.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, first, count, rest @ ..] = arguments.as_slice() else {
        return Err("usage: section_drafts random|other FIRST COUNT [scan] [FOLDER]".into());
    };
    let style = if kind == "other" { Style::random_other } else { Style::random };
    let is_scanned = rest.first().is_some_and(|word| word == "scan");
    let folder = rest.get(usize::from(is_scanned));
    let (first, count): (u64, u64) = (first.parse()?, count.parse()?);
    let (mut sum, mut all) = (0.0, Tally::default());
    for seed in first..first + count {
        let drafted = generate(&style(seed), seed);
        let pdf = if is_scanned {
            let (_, scanner) = Scanner::ALL[seed as usize % Scanner::ALL.len()];
            let pages = 1..=drafted.truth.pages as u32;
            scan(&prints(drafted.pdf.clone(), pages, SCAN_DPI, Orientation::Displayed)?, &scanner, seed)
        } else {
            drafted.pdf.clone()
        };
        let sections = drafted.truth.sections.iter();
        let wanted = sections.map(|own| Wanted { section_code: own.section_code.clone(), ..Wanted::default() });
        let parameters = Parameters { source_job_id: None, sections: wanted.collect(), provider: Provider::default() };
        let found = extract_sections(pdf.clone(), &parameters)?;
        let mut tally = Tally::default();
        let mut wrong = Vec::new();
        for (truth, found) in drafted.truth.sections.iter().zip(&found.sections) {
            let span = (found.page_start.unwrap_or(0) as usize, found.page_end.unwrap_or(0) as usize);
            let is_right = span == (truth.start_page, truth.end_page) && !found.text.is_empty();
            tally.hit += usize::from(is_right);
            tally.missed += usize::from(!is_right);
            tally.wrong += usize::from(!is_right && found.found && !found.text.is_empty());
            if !is_right {
                wrong.push(format!("{} {span:?} not {:?}", truth.section_code, (truth.start_page, truth.end_page)));
            }
        }
        let f1 = 2.0 * tally.hit as f64 / (2 * tally.hit + tally.missed + tally.wrong).max(1) as f64;
        sum += f1;
        all.hit += tally.hit;
        all.missed += tally.missed;
        all.wrong += tally.wrong;
        if !wrong.is_empty() {
            let s = &drafted.truth.style;
            println!(
                "{kind} {seed}: F1 {f1:.3}; {:?}, {:?}, {:?}, {:?}, {:?}, {:?}, {:?}: {}",
                s.heading,
                s.part,
                s.head,
                s.foot,
                s.ending,
                s.section_break,
                s.carried,
                wrong.join("; ")
            );
            if let Some(folder) = folder {
                std::fs::write(Path::new(folder).join(format!("{kind}-{seed}.pdf")), &pdf)?;
            }
        }
    }
    let pooled = 2.0 * all.hit as f64 / (2 * all.hit + all.missed + all.wrong).max(1) as f64;
    println!(
        "{count} manuals, F1 {pooled:.4} pooled, {:.4} mean; {} right, {} wrong, {} missed",
        sum / count as f64,
        all.hit,
        all.wrong,
        all.missed
    );
    Ok(())
}
