//! Measures `toc-parser` and `content-extractor` as users run them: on manuals of up to thousands of pages, and beside
//! other programs that read the text of the same pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use drafting::manual::{Style, generate};
use test_programs::Python;

use crate::report::{Report, median};
use crate::runs::{Run, timed, typical};

/// Pages of the manuals, from a small project to a hospital in several volumes.
const PAGES: [u16; 3] = [100, 1000, 5000];
/// Pages of the manual that the limits in seconds hold for.
const PROMISED_PAGES: u16 = 1000;
/// Maximum seconds of toc-parser on it.
const CONTENTS_SECONDS: f64 = 0.5;
/// Sections that are extracted from it.
const SECTIONS: usize = 100;
/// Maximum seconds of content-extractor on them, reading the contents included.
const EXTRACTION_SECONDS: f64 = 4.0;
/// Maximum megabytes of memory.
const EXTRACTION_MB: f64 = 400.0;
/// Maximum ratio of the cost of a page in the longest manual to one in the manual before it.
const GROWTH: f64 = 1.25;

/// A synthetic manual.
struct Manual {
    pages: u16,
    path: PathBuf,
    /// The codes of the sections that have a body.
    codes: Vec<String>,
}

/// Measures both models on all manuals, and the other programs on the shortest.
pub(crate) fn measure(release: &Path, folder: &Path, rounds: usize, report: &mut Report) -> Result<()> {
    let fanlight = release.join(format!("fanlight{}", std::env::consts::EXE_SUFFIX));
    let mut a_page = Vec::new();
    for pages in PAGES {
        let manual = write(folder, pages)?;
        let Run { seconds, .. } = typical(rounds, || run(&fanlight, "toc-parser", &manual, &[]))?;
        let what = format!("fanlight run toc-parser, {pages} pages");
        if pages == PROMISED_PAGES {
            report.below(what, seconds, CONTENTS_SECONDS, "s");
        } else {
            report.note(what, format!("{seconds:.2} s"));
        }

        let count = manual.codes.len().min(SECTIONS);
        let codes = manual.codes[..count].join(",");
        let Run { seconds, megabytes } =
            typical(rounds, || run(&fanlight, "content-extractor", &manual, &["--sections", &codes]))?;
        let what = format!("fanlight run content-extractor, {count} sections of {pages} pages");
        if pages == PROMISED_PAGES {
            report.below(what, seconds, EXTRACTION_SECONDS, "s");
        } else {
            report.note(what, format!("{seconds:.2} s"));
        }
        report.below(format!("its memory on {pages} pages"), megabytes, EXTRACTION_MB, "MB");
        a_page.push(seconds / f64::from(pages));
        if pages == PAGES[0] {
            measure_readers(&fanlight, &manual, rounds, report)?;
        }
    }
    if let [.., before, longest] = a_page.as_slice() {
        report.below("a page of the longest manual / one of the manual before", longest / before, GROWTH, "x");
    }
    Ok(())
}

/// Compares extracting all sections of a manual with other programs that read its text.
fn measure_readers(fanlight: &Path, manual: &Manual, rounds: usize, report: &mut Report) -> Result<()> {
    let readers = Path::new(env!("CARGO_MANIFEST_DIR")).join("readers");
    let python = Python::with(&readers.join("requirements.txt"));
    let mut ratios = [("PyMuPDF", "pymupdf", Vec::new()), ("pdfplumber", "pdfplumber", Vec::new())];
    for _ in 0..rounds {
        let ours = run(fanlight, "content-extractor", manual, &["--sections", "all"])?.seconds;
        for (_, reader, ratios) in &mut ratios {
            let mut command = python.python();
            let theirs = timed(command.arg(readers.join("read.py")).arg(*reader).arg(&manual.path))?.seconds;
            ratios.push(ours / theirs);
        }
    }
    for (name, _, ratios) in ratios {
        let what = format!("all sections of {} pages / {name} reading their text", manual.pages);
        report.note(what, format!("{:.2} x", median(ratios)));
    }
    Ok(())
}

fn write(folder: &Path, pages: u16) -> Result<Manual> {
    let path = folder.join(format!("manual-{pages}.pdf"));
    let style = Style { pages, body_pages: 20, ..Style::default() };
    let manual = generate(&style, 1);
    fs::write(&path, manual.pdf).with_context(|| format!("can't write {}", path.display()))?;
    Ok(Manual { pages, path, codes: manual.truth.bodies.into_iter().map(|body| body.section_code).collect() })
}

fn run(fanlight: &Path, model: &str, manual: &Manual, more: &[&str]) -> Result<Run> {
    timed(Command::new(fanlight).args(["run", model]).arg(&manual.path).args(more))
}
