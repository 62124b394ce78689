//! Scores the classification of labelled real sheets: `labelled_sheets [--ocr] [--wrong] [--cache FOLDER] LABELS PDFS…`, folders
//! of labels each with the folder of its PDFs. Prints the shares of right numbers, titles, types, disciplines and storeys, and of
//! the first three together: pooled and as mean over offices, for pages with text, without, and all.
//!
//! `--ocr` reads pages without text, `--wrong` lists what is wrong, `--cache` keeps what was read of each page for the next run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use drawing_classifier::{Sheet, classify, sheet};
use eval::{FieldCounts, LabelledDocument, OfficeCounts};
use native::NativePage;

/// What the arguments ask for.
#[derive(Default)]
struct Request {
    ocr: bool,
    wrong: bool,
    cache: Option<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Request {
    fn parse() -> Result<Self> {
        let mut request = Self::default();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--ocr" => request.ocr = true,
                "--wrong" => request.wrong = true,
                "--cache" => request.cache = Some(arguments.next().context("--cache needs a folder")?.into()),
                _ => request.folders.push(argument.into()),
            }
        }
        Ok(request)
    }

    /// Reads the pages of a document, or what an earlier run kept of them.
    fn sheets(&self, document: &LabelledDocument, pdf: &Path) -> Result<Vec<Sheet>> {
        let kept = self.cache.as_ref().map(|folder| folder.join(format!("{}.json", document.id)));
        if let Some(kept) = kept.as_ref().filter(|kept| kept.exists()) {
            return Ok(serde_json::from_slice(&std::fs::read(kept)?)?);
        }
        let bytes = std::fs::read(pdf).with_context(|| format!("cannot read {}", pdf.display()))?;
        let opened = pdf_engine::Document::open(bytes.clone()).map_err(|error| anyhow!("{error:?}"))?;
        let mut sheets = Vec::new();
        for number in 1..=opened.page_count() {
            let page = NativePage::open(bytes.clone(), number)?;
            let page = if self.ocr { page.with_ocr() } else { page };
            sheets.push(sheet(number, &page));
        }
        if let Some(kept) = kept {
            std::fs::create_dir_all(kept.parent().context("the folder has no parent")?)?;
            std::fs::write(kept, serde_json::to_vec(&sheets)?)?;
        }
        Ok(sheets)
    }
}

fn main() -> Result<()> {
    let request = Request::parse()?;
    let groups = ["pages with text", "pages without", "all pages"];
    let mut counts: [OfficeCounts; 3] = Default::default();
    for pair in request.folders.chunks(2) {
        let [labels, pdfs] = pair else { return Err(anyhow!("each folder of labels needs one of PDFs")) };
        for document in LabelledDocument::read_all(labels)? {
            let sheets = request.sheets(&document, &pdfs.join(document.file_name()))?;
            let pages = classify(&sheets).pages;
            for label in &document.sheets {
                let at = label.page as usize - 1;
                let page = pages.get(at).context("a label is of a page that the document lacks")?;
                let one = FieldCounts::compare(page, label);
                let group = usize::from(!sheets[at].has_text());
                counts[group].add(document.office(), &one);
                counts[2].add(document.office(), &one);
                for line in one.wrong_fields(&document, label, page).iter().filter(|_| request.wrong) {
                    println!("{} | {line}", groups[group]);
                }
            }
        }
    }
    println!(
        "{:18}{:>7}{:>9} {:>8}{:>8}{:>8}{:>8}{:>8}{:>8}",
        "", "sheets", "offices", "number", "title", "type", "discip.", "floor", "3"
    );
    for (name, offices) in groups.iter().zip(&counts) {
        let pooled = offices.pooled();
        print_shares(name, pooled.sheets, offices.0.len(), pooled.shares());
        print_shares("  mean of offices", pooled.sheets, offices.0.len(), offices.mean());
    }
    Ok(())
}

fn print_shares(name: &str, sheets: usize, offices: usize, shares: [f64; 6]) {
    print!("{name:18}{sheets:>7}{offices:>9} ");
    for share in shares {
        print!("{share:>8.3}");
    }
    println!();
}
