//! `fanlight run`: a model on a file, with no server and no database.

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
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::configuration::Configuration;
use crate::domain::catalog::{CONTENT_EXTRACTOR, TOC_PARSER};
use crate::domain::result::{Around, Stored};
use crate::domain::sections::{Asked, Contents, Section, SectionsError};
use crate::domain::upload::{Head, Verdict};
use crate::runtime::guests::Guests;
use crate::runtime::inference;
use crate::runtime::logging;
use crate::runtime::models::{self, Installed, Models};
use crate::runtime::ocr;
use crate::views::progress;

/// At most this often a line of progress is written.
const PROGRESS: Duration = Duration::from_millis(500);

/// What is to be run on what.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) model: String,
    pub(super) file: PathBuf,
    pub(super) pages: Option<String>,
    pub(super) parameters: Option<String>,
    /// The sections to read, for content-extractor: the contents are read first.
    pub(super) sections: Option<String>,
}

/// Runs the model and prints its result as the API returns it.
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
    let result =
        runtime.block_on(analyze(configuration, request, pages.as_deref(), Given { parameters, sections }, &sha256))?;
    let mut stdout = io::stdout().lock();
    serde_json::to_writer_pretty(&mut stdout, &result)?;
    writeln!(stdout).context("can't write the result")
}

/// What the model is given beside the document.
struct Given {
    parameters: Value,
    sections: Option<Choice>,
}

async fn analyze(
    configuration: &Configuration,
    request: &Request,
    pages: Option<&[RangeInclusive<u32>]>,
    given: Given,
    sha256: &[u8; 32],
) -> anyhow::Result<Value> {
    let settings = configuration.sandbox(inference::open(configuration).await?)?;
    let guests = Guests::open(settings, ocr::reader(configuration)).await?;
    let document = Document::open(&request.file, &hex::encode(sha256))?;
    let (model, inspection) =
        tokio::join!(Models::load_one(&request.model, &guests, configuration), guests.inspect(document.clone()));
    let model = model?;
    let file = request.file.display();
    let page_count = inspection.map_err(|error| open_error(&error, &request.file))?.page_count;
    let run = Run { guests: &guests, document, page_count, document_id: document_id(sha256) };
    let mut parameters = given.parameters;
    if let Some(sections) = given.sections {
        let contents = Models::load_one(TOC_PARSER, &guests, configuration).await?;
        let contents = run.result_of(&contents, None, &Value::Object(Map::new())).await;
        let contents = contents.with_context(|| format!("can't read the contents of {file}"))?;
        let chosen = sections.of(&serde_json::from_value(contents)?)?;
        if let Some(parameters) = parameters.as_object_mut() {
            parameters.insert("sections".to_owned(), serde_json::to_value(chosen)?);
        }
    }
    let asked_for = pages.map(|ranges| within(ranges, page_count));
    if model.description().pages(page_count, asked_for.as_deref()).is_empty() {
        bail!("{file} has {page_count} pages, and none of those that were asked for");
    }
    run.result_of(&model, asked_for.as_deref(), &parameters)
        .await
        .with_context(|| format!("{} gave no result for {file}", request.model))
}

/// A document to run models on.
struct Run<'a> {
    guests: &'a Guests,
    document: Document,
    page_count: u32,
    document_id: Uuid,
}

impl Run<'_> {
    /// A model's result as the API returns it.
    async fn result_of(&self, model: &Installed, pages: Option<&[u32]>, parameters: &Value) -> anyhow::Result<Value> {
        model.check_parameters(parameters).map_err(|error| anyhow::anyhow!("the parameters are not valid: {error}"))?;
        let asked_for = pages.map(Arc::from);
        let pages = model.description().pages(self.page_count, pages);
        let started = Instant::now();
        let (progress, steps) = watch::channel(Progress::default());
        let showing = tokio::spawn(show(steps, pages.len() as u64));
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
        let around = Around {
            document_id: self.document_id,
            model_version: &model.description().model_version(),
            processing_time_ms: started.elapsed().as_millis() as u64,
        };
        let own = ran?;
        warn(&own.warnings);
        let stored = Stored::of(self.guests, loaded, own.json).await?;
        Ok(serde_json::from_str(&stored.surrounded(around)?)?)
    }
}

/// Says on standard error why a result may be weaker than it could be.
fn warn(warnings: &[Warning]) {
    for warning in warnings {
        eprintln!("warning: {} ({})", warning, warning.code());
    }
}

/// The same file is the same document, wherever it lies (a UUID of version 8, RFC 9562).
fn document_id(sha256: &[u8; 32]) -> Uuid {
    let [first @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = sha256;
    uuid::Builder::from_custom_bytes(*first).into_uuid()
}

fn open_error(error: &OpenError, file: &Path) -> anyhow::Error {
    let file = file.display();
    match error {
        OpenError::NotAPdf => anyhow::anyhow!("{file} is not a PDF"),
        OpenError::Corrupt(detail) => anyhow::anyhow!("{file} is damaged and can't be read: {detail}"),
        OpenError::Encrypted(detail) => anyhow::anyhow!("{file} is encrypted: {detail}"),
        OpenError::Engine(detail) => anyhow::anyhow!("the PDF engine failed on {file}: {detail}"),
    }
}

/// The file's SHA-256, after a look at whether it is a PDF at all.
fn digest(path: &Path) -> anyhow::Result<[u8; 32]> {
    let shown = path.display();
    let mut file = File::open(path).with_context(|| format!("can't open {shown}"))?;
    let mut digest = Sha256::new();
    let mut head = Head::default();
    let mut buffer = vec![0; 1024 * 1024];
    loop {
        let read = file.read(&mut buffer).with_context(|| format!("can't read {shown}"))?;
        let Some(chunk) = buffer.get(..read).filter(|chunk| !chunk.is_empty()) else {
            break;
        };
        if head.look(chunk) == Verdict::NotAPdf {
            break;
        }
        digest.update(chunk);
    }
    if head.verdict() != Verdict::APdf {
        bail!("{shown} is not a PDF");
    }
    Ok(digest.finalize().into())
}

fn parse_parameters(text: Option<&str>) -> anyhow::Result<Value> {
    let parameters: Value = serde_json::from_str(text.unwrap_or("{}")).context("the parameters are not JSON")?;
    if !parameters.is_object() {
        bail!("the parameters are not a JSON object");
    }
    Ok(parameters)
}

/// What `--sections` says.
#[derive(Debug)]
enum Choice {
    /// Every section of the contents.
    All,
    /// Those with these codes, which need not stand in the contents.
    Codes(Asked),
}

impl Choice {
    fn of(&self, contents: &Contents) -> Result<Vec<Section>, SectionsError> {
        match self {
            Self::All => contents.all(),
            Self::Codes(asked) => asked.resolve(contents),
        }
    }
}

/// `all`, or `081113,09 91 00`
fn parse_sections(text: &str) -> Result<Choice, SectionsError> {
    if text.trim().eq_ignore_ascii_case("all") {
        return Ok(Choice::All);
    }
    let codes: Vec<String> = text.split(',').map(str::to_owned).collect();
    Asked::read(&codes, &[]).map(Choice::Codes)
}

/// `1,4-6`
fn parse_pages(text: &str) -> anyhow::Result<Vec<RangeInclusive<u32>>> {
    let parse = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let first: u32 = first.trim().parse().ok()?;
        let last: u32 = last.trim().parse().ok()?;
        (first <= last).then_some(first..=last)
    };
    text.split(',')
        .map(|part| parse(part).with_context(|| format!("{part:?} is neither a page nor a range of pages such as 4-6")))
        .collect()
}

/// The pages of the ranges that a document of `page_count` pages has.
fn within(ranges: &[RangeInclusive<u32>], page_count: u32) -> Vec<u32> {
    ranges.iter().flat_map(|range| *range.start().max(&1)..=*range.end().min(&page_count)).collect()
}

/// Shows progress on standard error until the task is over: a bar for people, else a line now and then.
async fn show(mut steps: watch::Receiver<Progress>, pages: u64) {
    if !io::stderr().is_terminal() {
        while steps.changed().await.is_ok() {
            let text = progress::of_running(&steps.borrow_and_update());
            eprintln!("{text}");
            sleep_unless_over(&steps).await;
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
        bar.set_message(progress::of_running(&step));
    }
    bar.finish_and_clear();
}

/// Thins the lines out without holding up the end of the task.
async fn sleep_unless_over(steps: &watch::Receiver<Progress>) {
    let mut over = steps.clone();
    let ended = async { while over.changed().await.is_ok() {} };
    tokio::select! {
        () = sleep(PROGRESS) => {}
        () = ended => {}
    }
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
    fn the_same_bytes_are_the_same_document() {
        let id = document_id(&[0xab; 32]);
        assert_eq!(id.to_string(), "abababab-abab-8bab-abab-abababababab");
        assert_eq!(id.get_version_num(), 8);
    }
}
