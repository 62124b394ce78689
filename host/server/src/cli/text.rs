//! `fanlight text`: prints the lines of a file's pages.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use clap::ValueEnum;
use fanlight_sandbox::Warning;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::runtime::Builder;

use crate::cli::local_file::{LocalFile, digest, parse_pages, print_warnings};
use crate::configuration::Configuration;
use crate::domain::catalog::PAGE_TEXT;
use crate::runtime::logging;
use crate::runtime::models::{self, Installed};

/// Pages that the model reads at a time, so that lines are printed while later pages are read, and the memory for results does not
/// grow with the document.
pub(super) const PAGES_AT_A_TIME: usize = 50;

/// Which pages are read by OCR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum UseOcr {
    /// Those without a usable text layer
    #[default]
    Auto,
    /// All
    Always,
    /// None
    Never,
}

impl UseOcr {
    /// Returns its name among the model's parameters.
    fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

/// What the command line asks for.
#[derive(Debug)]
pub(super) struct Request {
    /// Path of the document.
    pub(super) file: PathBuf,
    /// Pages to read, such as `1,4-6`; none for all.
    pub(super) pages: Option<String>,
    /// Which pages are read by OCR.
    pub(super) ocr: UseOcr,
    /// Whether to print each line as a JSON object.
    pub(super) json: bool,
}

/// Prints the lines.
///
/// # Errors
///
/// One sentence that says what is wrong.
pub(super) fn run(configuration: &Configuration, request: &Request) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    models::ensure_installed(PAGE_TEXT, configuration)?;
    let pages = request.pages.as_deref().map(parse_pages).transpose()?;
    let sha256 = digest(&request.file)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(print(configuration, request, pages.as_deref(), &sha256))
}

/// Reads the pages and prints their lines.
async fn print(
    configuration: &Configuration,
    request: &Request,
    pages: Option<&[RangeInclusive<u32>]>,
    sha256: &[u8; 32],
) -> anyhow::Result<()> {
    let (file, model) = LocalFile::open(&request.file, sha256, PAGE_TEXT, configuration).await?;
    let pages = pages.map_or_else(|| Ok(file.all_pages()), |ranges| file.pages(ranges))?;
    let mut reader = Reader { file: &file, model: &model, ocr: request.ocr, words: false, warnings: BTreeSet::new() };
    let mut output = Output { json: request.json, printed: false };
    for pages in pages.chunks(PAGES_AT_A_TIME) {
        for page in reader.read::<PrintedLine>(pages).await? {
            match output.print(&page) {
                // Whoever reads the output has enough of it.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                printed => printed.context("can't write the lines")?,
            }
        }
    }
    print_warnings(&reader.warnings);
    Ok(())
}

/// Reads pages of a file by the model page-text.
pub(super) struct Reader<'f> {
    pub(super) file: &'f LocalFile,
    pub(super) model: &'f Installed,
    pub(super) ocr: UseOcr,
    /// Whether lines list their words.
    pub(super) words: bool,
    /// What was missing so far.
    pub(super) warnings: BTreeSet<Warning>,
}

impl Reader<'_> {
    /// Reads these pages.
    ///
    /// # Errors
    ///
    /// The model returned no result, or another one than it describes.
    pub(super) async fn read<L: for<'d> Deserialize<'d>>(&mut self, pages: &[u32]) -> anyhow::Result<Vec<Page<L>>> {
        let parameters = json!({ "ocr": self.ocr.name(), "words": self.words });
        let answer = self.file.run(self.model, Some(pages), &parameters).await?;
        self.warnings.extend(answer.warnings);
        let result: Pages<L> =
            serde_json::from_str(&answer.json).with_context(|| format!("{PAGE_TEXT} is outdated"))?;
        Ok(result.pages)
    }
}

/// The result of page-text, as far as it is used.
#[derive(Deserialize)]
#[serde(bound = "L: for<'d> Deserialize<'d>")]
struct Pages<L> {
    pages: Vec<Page<L>>,
}

/// The lines of a page.
#[derive(Deserialize)]
#[serde(bound = "L: for<'d> Deserialize<'d>")]
pub(super) struct Page<L> {
    /// 1-based.
    #[serde(rename = "page")]
    pub(super) number: u32,
    pub(super) lines: Vec<L>,
}

/// A line to print: its text, and the other fields of the result.
#[derive(Deserialize, Serialize)]
struct PrintedLine {
    text: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// A line of the output as JSON.
#[derive(Serialize)]
struct JsonLine<'l> {
    page: u32,
    #[serde(flatten)]
    line: &'l PrintedLine,
}

/// The form of the output.
struct Output {
    json: bool,
    /// Whether a page has been printed.
    printed: bool,
}

impl Output {
    /// Prints the lines of a page: one JSON object each, or plainly, with a form feed between pages as in the output of pdftotext.
    fn print(&mut self, page: &Page<PrintedLine>) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        if self.json {
            for line in &page.lines {
                serde_json::to_writer(&mut stdout, &JsonLine { page: page.number, line })?;
                writeln!(stdout)?;
            }
        } else {
            if self.printed {
                write!(stdout, "\u{c}")?;
            }
            for line in &page.lines {
                writeln!(stdout, "{}", line.text)?;
            }
        }
        self.printed = true;
        stdout.flush()
    }
}
