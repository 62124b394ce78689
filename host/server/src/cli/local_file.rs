//! A file on which models run without a server or database.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use fanlight_sandbox::{Document, ModelCall, OpenError, Progress, Task, Warning};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::cli::output::tell;
use crate::configuration::Configuration;
use crate::domain::result::{HostFields, Stored};
use crate::domain::upload::{Header, HeaderSearch};
use crate::runtime::guests::Guests;
use crate::runtime::models::{Installed, Models};
use crate::views::progress;

/// Minimum time between two lines of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(500);

/// A PDF that the PDF engine can open, and the sandbox in which models run on it.
pub(super) struct LocalFile {
    pub(super) guests: Arc<Guests>,
    pub(super) document: Document,
    path: PathBuf,
    page_count: u32,
    document_id: Uuid,
}

/// The result of a model.
pub(super) struct Answer {
    /// The text of a JSON object, as the API returns it.
    pub(super) json: String,
    /// What was missing when it was made.
    pub(super) warnings: Vec<Warning>,
    /// The calls into the plugin.
    pub(super) calls: Vec<ModelCall>,
}

impl LocalFile {
    /// Opens a file, and loads a model at the same time.
    ///
    /// # Errors
    ///
    /// One sentence that says what is wrong.
    pub(super) async fn open(
        path: &Path,
        sha256: &[u8; 32],
        model: &str,
        configuration: &Configuration,
    ) -> anyhow::Result<(Self, Installed)> {
        let guests = Arc::new(Guests::start(configuration).await?);
        let document = Document::open(path, &hex::encode(sha256))?;
        let (model, inspection) =
            tokio::join!(Models::load_one(model, &guests, configuration), guests.inspect(document.clone()));
        let model = model?;
        let page_count = inspection.map_err(|error| open_error(&error, path))?.page_count;
        let file = Self { guests, document, path: path.to_owned(), page_count, document_id: document_id(sha256) };
        Ok((file, model))
    }

    /// Opens a file in a sandbox.
    ///
    /// # Errors
    ///
    /// One sentence that says what is wrong.
    pub(super) async fn without_model(path: &Path, sha256: &[u8; 32], guests: Arc<Guests>) -> anyhow::Result<Self> {
        let document = Document::open(path, &hex::encode(sha256))?;
        let inspection = guests.inspect(document.clone()).await;
        let page_count = inspection.map_err(|error| open_error(&error, path))?.page_count;
        Ok(Self { guests, document, path: path.to_owned(), page_count, document_id: document_id(sha256) })
    }

    /// Returns the pages in the ranges that the document has, ascending, each once.
    ///
    /// # Errors
    ///
    /// There are none.
    pub(super) fn pages(&self, ranges: &[RangeInclusive<u32>]) -> anyhow::Result<Vec<u32>> {
        let mut pages = within(ranges, self.page_count);
        pages.sort_unstable();
        pages.dedup();
        if pages.is_empty() {
            bail!("{} has {} pages, and none of the requested ones", self.path.display(), self.page_count);
        }
        Ok(pages)
    }

    /// Returns all pages.
    pub(super) fn all_pages(&self) -> Vec<u32> {
        (1..=self.page_count).collect()
    }

    /// Runs a model on these pages, or on all.
    ///
    /// # Errors
    ///
    /// The parameters do not match the model's schema, or it returned no result.
    pub(super) async fn run(
        &self,
        model: &Installed,
        pages: Option<&[u32]>,
        parameters: &Value,
    ) -> anyhow::Result<Answer> {
        let failed = || format!("{} returned no result for {}", model.description().name, self.path.display());
        self.run_task(model, pages, parameters).await.with_context(failed)
    }

    async fn run_task(&self, model: &Installed, pages: Option<&[u32]>, parameters: &Value) -> anyhow::Result<Answer> {
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
        let stored = Stored::from_model(&self.guests, loaded, own.json).await?;
        Ok(Answer { json: stored.with_host_fields(host_fields)?, warnings: own.warnings, calls: own.calls })
    }
}

/// Prints warnings on standard error.
pub(super) fn print_warnings<'a>(warnings: impl IntoIterator<Item = &'a Warning>) {
    for warning in warnings {
        tell(format_args!("warning: {} ({})", warning, warning.code()));
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

/// Returns the SHA-256 of a file.
///
/// # Errors
///
/// It cannot be read, or is not a PDF.
pub(super) fn digest(path: &Path) -> anyhow::Result<[u8; 32]> {
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

/// Parses `--pages`, such as `1,4-6`.
pub(super) fn parse_pages(text: &str) -> anyhow::Result<Vec<RangeInclusive<u32>>> {
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
            tell(text);
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
