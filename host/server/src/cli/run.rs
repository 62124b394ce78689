//! `fanlight run`: runs a model on a file, without a server or database.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use fanlight_sandbox::{Document, OpenError, Progress, Task, Warning};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::configuration::Configuration;
use crate::domain::catalog::{CONTENT_EXTRACTOR, TOC_PARSER};
use crate::domain::result::{HostFields, Stored};
use crate::domain::sections::{Contents, Section, SectionsError, Selection};
use crate::domain::upload::{Header, HeaderSearch};
use crate::runtime::guests::Guests;
use crate::runtime::inference;
use crate::runtime::logging;
use crate::runtime::models::{self, Installed, Models};
use crate::runtime::ocr;
use crate::views::progress;

/// Minimum time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// What the command line asks for.
#[derive(Debug)]
pub(super) struct Request {
    /// Name of the model.
    pub(super) model: String,
    /// Path of the document.
    pub(super) file: PathBuf,
    /// Pages to analyze, such as `1,4-6`; none for all.
    pub(super) pages: Option<String>,
    /// Parameters, the text of a JSON object.
    pub(super) parameters: Option<String>,
    /// Sections for content-extractor, which are looked up in the table of contents.
    pub(super) sections: Option<String>,
}

/// Runs the model and prints its result as the API returns it.
///
/// # Errors
///
/// One sentence that says what is wrong.
pub(super) fn run(configuration: &Configuration, request: &Request) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    models::ensure_installed(&request.model, configuration)?;
    let pages = request.pages.as_deref().map(parse_pages).transpose()?;
    let parameters = parse_parameters(request.parameters.as_deref())?;
    let sections = request.sections.as_deref().map(parse_sections).transpose()?;
    if sections.is_some() {
        ensure!(request.model == CONTENT_EXTRACTOR, "--sections is for {CONTENT_EXTRACTOR}, not for {}", request.model);
        models::ensure_installed(TOC_PARSER, configuration)?;
    }
    let sha256 = digest(&request.file)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let input = Input { pages, parameters, sections, sha256 };
    let result = runtime.block_on(analyze(configuration, request, input))?;
    let mut stdout = io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &result)?;
    writeln!(stdout).context("can't write the result")
}

/// The parsed request, and the digest of the document.
struct Input {
    pages: Option<Vec<RangeInclusive<u32>>>,
    parameters: Value,
    sections: Option<SectionChoice>,
    sha256: [u8; 32],
}

/// Runs the model, after toc-parser if sections are to be looked up.
async fn analyze(configuration: &Configuration, request: &Request, input: Input) -> anyhow::Result<Value> {
    let settings = configuration.sandbox(inference::open(configuration).await?)?;
    let guests = Guests::open(settings, ocr::reader(configuration)).await?;
    let document = Document::open(&request.file, &hex::encode(input.sha256))?;
    let (model, inspection) =
        tokio::join!(Models::load_one(&request.model, &guests, configuration), guests.inspect(document.clone()));
    let model = model?;
    let file = request.file.display();
    let page_count = inspection.map_err(|error| open_error(&error, &request.file))?.page_count;
    let run = Run { guests: &guests, document, page_count, document_id: document_id(&input.sha256) };
    let mut parameters = input.parameters;
    if let Some(sections) = input.sections {
        let contents = Models::load_one(TOC_PARSER, &guests, configuration).await?;
        let contents = run.run_model(&contents, None, &Value::Object(Map::new())).await;
        let contents = contents.with_context(|| format!("can't read the table of contents of {file}"))?;
        let chosen = sections.resolve(&serde_json::from_value(contents)?)?;
        if let Some(parameters) = parameters.as_object_mut() {
            parameters.insert("sections".to_owned(), serde_json::to_value(chosen)?);
        }
    }
    let requested = input.pages.map(|ranges| within(&ranges, page_count));
    if model.description().pages(page_count, requested.as_deref()).is_empty() {
        bail!("{file} has {page_count} pages, and none of the requested ones");
    }
    run.run_model(&model, requested.as_deref(), &parameters)
        .await
        .with_context(|| format!("{} returned no result for {file}", request.model))
}

/// A document to run models on.
struct Run<'a> {
    guests: &'a Guests,
    document: Document,
    page_count: u32,
    document_id: Uuid,
}

impl Run<'_> {
    /// Runs a model and returns its result as the API does.
    async fn run_model(&self, model: &Installed, pages: Option<&[u32]>, parameters: &Value) -> anyhow::Result<Value> {
        model.check_parameters(parameters).map_err(|error| anyhow::anyhow!("the parameters are not valid: {error}"))?;
        let asked_for = pages.map(Arc::from);
        let pages = model.description().pages(self.page_count, pages);
        let started = Instant::now();
        let (progress, steps) = watch::channel(Progress::default());
        let showing = tokio::spawn(show_progress(steps, pages.len() as u64));
        let task = Task {
            id: "run".to_owned(),
            document: self.document.clone(),
            pages,
            asked_for,
            parameters: parameters.to_string(),
            progress,
            cancelled: CancellationToken::new(),
        };
        let loaded = model.model().context("the model is not loaded")?;
        let ran = self.guests.run(loaded.clone(), task).await;
        showing.await?;
        let host_fields = HostFields {
            document_id: self.document_id,
            model_version: &model.description().model_version(),
            processing_time_ms: started.elapsed().as_millis() as u64,
        };
        let own = ran?;
        print_warnings(&own.warnings);
        let stored = Stored::from_model(self.guests, loaded, own.json).await?;
        Ok(serde_json::from_str(&stored.with_host_fields(host_fields)?)?)
    }
}

/// Prints the warnings of a result on standard error.
fn print_warnings(warnings: &[Warning]) {
    for warning in warnings {
        eprintln!("warning: {} ({})", warning, warning.code());
    }
}

/// Returns the id of a document: a UUID of version 8 (RFC 9562) from its digest, so that equal files have equal ids.
fn document_id(sha256: &[u8; 32]) -> Uuid {
    let [first @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = sha256;
    uuid::Builder::from_custom_bytes(*first).into_uuid()
}

/// Returns a sentence that says why the PDF engine cannot open a file.
fn open_error(error: &OpenError, file: &Path) -> anyhow::Error {
    let file = file.display();
    match error {
        OpenError::NotAPdf => anyhow::anyhow!("{file} is not a PDF"),
        OpenError::Corrupt(detail) => anyhow::anyhow!("{file} is damaged and can't be read: {detail}"),
        OpenError::Encrypted(detail) => anyhow::anyhow!("{file} is encrypted: {detail}"),
        OpenError::Engine(detail) => anyhow::anyhow!("the PDF engine failed on {file}: {detail}"),
    }
}

/// Returns the SHA-256 of a file. Fails if it is not a PDF.
fn digest(path: &Path) -> anyhow::Result<[u8; 32]> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("can't open {shown}"))?;
    let mut digest = Sha256::new();
    let mut header = HeaderSearch::default();
    let mut buffer = vec![0; 1024 * 1024];
    loop {
        let read = file.read(&mut buffer).with_context(|| format!("can't read {shown}"))?;
        let Some(chunk) = buffer.get(..read).filter(|chunk| !chunk.is_empty()) else {
            break;
        };
        if header.push(chunk) == Header::Missing {
            break;
        }
        digest.update(chunk);
    }
    if header.state() != Header::Found {
        bail!("{shown} is not a PDF");
    }
    Ok(digest.finalize().into())
}

/// Parses `--parameters`, which defaults to an empty object.
fn parse_parameters(text: Option<&str>) -> anyhow::Result<Value> {
    let parameters: Value = serde_json::from_str(text.unwrap_or("{}")).context("the parameters are not JSON")?;
    if !parameters.is_object() {
        bail!("the parameters are not a JSON object");
    }
    Ok(parameters)
}

/// The value of `--sections`.
#[derive(Debug)]
enum SectionChoice {
    /// Every section in the table of contents.
    All,
    /// The sections with these codes, which the table of contents need not list.
    Codes(Selection),
}

impl SectionChoice {
    /// Returns the selected sections.
    fn resolve(&self, contents: &Contents) -> Result<Vec<Section>, SectionsError> {
        match self {
            Self::All => contents.all(),
            Self::Codes(selection) => selection.resolve(contents),
        }
    }
}

/// Parses `--sections`: `all`, or codes such as `081113,09 91 00`.
fn parse_sections(text: &str) -> Result<SectionChoice, SectionsError> {
    if text.trim().eq_ignore_ascii_case("all") {
        return Ok(SectionChoice::All);
    }
    let codes: Vec<String> = text.split(',').map(str::to_owned).collect();
    Selection::parse(&codes, &[]).map(SectionChoice::Codes)
}

/// Parses `--pages`, such as `1,4-6`.
fn parse_pages(text: &str) -> anyhow::Result<Vec<RangeInclusive<u32>>> {
    text.split(',')
        .map(|part| {
            parse_range(part).with_context(|| format!("{part:?} is neither a page nor a range of pages such as 4-6"))
        })
        .collect()
}

/// Parses a page, such as `4`, or a range of pages, such as `4-6`.
fn parse_range(text: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let first: u32 = first.trim().parse().ok()?;
    let last: u32 = last.trim().parse().ok()?;
    (first <= last).then_some(first..=last)
}

/// Returns the pages in the ranges that a document of `page_count` pages has.
fn within(ranges: &[RangeInclusive<u32>], page_count: u32) -> Vec<u32> {
    ranges.iter().flat_map(|range| *range.start().max(&1)..=*range.end().min(&page_count)).collect()
}

/// Shows progress on standard error until the task ends: a bar on a terminal, else lines.
async fn show_progress(mut steps: watch::Receiver<Progress>, pages: u64) {
    if !io::stderr().is_terminal() {
        while steps.changed().await.is_ok() {
            let text = progress::running(&steps.borrow_and_update());
            eprintln!("{text}");
            wait_for_next_line(&steps).await;
        }
        return;
    }
    let bar = ProgressBar::with_draw_target(Some(pages), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} pages  {msg}") {
        bar.set_style(style);
    }
    while steps.changed().await.is_ok() {
        let step = steps.borrow_and_update().clone();
        bar.set_length(u64::from(step.total).max(1));
        bar.set_position(u64::from(step.done));
        bar.set_message(progress::running(&step));
    }
    bar.finish_and_clear();
}

/// Waits for [`PROGRESS_INTERVAL`], or until the task ends.
async fn wait_for_next_line(steps: &watch::Receiver<Progress>) {
    let mut steps = steps.clone();
    // A timeout is the usual end: the task is still running.
    let _ = timeout(PROGRESS_INTERVAL, async { while steps.changed().await.is_ok() {} }).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_numbers_and_ranges() {
        let cases: [(&str, Option<&[u32]>); 8] = [
            ("1", Some(&[1])),
            ("1,4-6", Some(&[1, 4, 5, 6])),
            (" 2 , 3 - 4 ", Some(&[2, 3, 4])),
            ("0,9-4000000000", Some(&[9, 10])),
            ("11-20", Some(&[])),
            ("6-4", None),
            ("", None),
            ("one", None),
        ];
        for (text, expected) in cases {
            let pages = parse_pages(text).ok().map(|ranges| within(&ranges, 10));
            assert_eq!(pages.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn equal_files_have_equal_ids() {
        let id = document_id(&[0xab; 32]);
        assert_eq!(id.to_string(), "abababab-abab-8bab-abab-abababababab");
        assert_eq!(id.get_version_num(), 8);
    }
}
