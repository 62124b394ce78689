//! `fanlight plugin run`: runs a package from its author's folder on a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::Context;
use chrono::Local;
use fanlight_sandbox::{Annotator, Mark, Package};
use serde_json::Value;
use tokio::runtime::Builder;

use super::notice::AUTHOR_LOG;
use super::units::seconds;
use super::work_folder::{WorkFolder, modified};
use crate::cli::local_file::{Answer, LocalFile, digest, parse_pages, print_warnings};
use crate::cli::output::{print_json, tell};
use crate::cli::run::parse_parameters;
use crate::configuration::{ANNOTATOR, Configuration};
use crate::domain::annotations;
use crate::runtime::logging;

/// How often `--watch` looks for a change.
const POLL: Duration = Duration::from_millis(200);

/// What the command line asks for.
#[derive(Debug)]
pub(super) struct Request {
    /// The package's folder.
    pub(super) folder: PathBuf,
    /// Path of the document.
    pub(super) file: PathBuf,
    /// Pages to analyze, such as `1,4-6`; none for all.
    pub(super) pages: Option<String>,
    /// Parameters, the text of a JSON object.
    pub(super) parameters: Option<String>,
    /// Whether an annotated copy is written.
    pub(super) annotate: bool,
    /// Whether to run again at each change.
    pub(super) watch: bool,
}

/// Runs the package and prints its result, once or at each change.
///
/// # Errors
///
/// One sentence that says what is wrong. While it watches, it prints the sentence and goes on.
pub(super) fn run(configuration: &Configuration, request: &Request) -> anyhow::Result<()> {
    logging::start(&configuration.log, AUTHOR_LOG)?;
    let package = WorkFolder::open(&request.folder)?;
    let sha256 = digest(&request.file)?;
    let parameters = parse_parameters(request.parameters.as_deref())?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let guests = package.sandbox(configuration).await?;
        let file = LocalFile::without_model(&request.file, &sha256, guests).await?;
        let pages = request.pages.as_deref().map(parse_pages).transpose()?;
        let pages = pages.map(|ranges| file.pages(&ranges)).transpose()?;
        let mut trial = Trial { configuration, package, file, path: &request.file, pages, parameters, annotator: None };
        if !request.watch {
            return trial.once(request.annotate).await;
        }
        loop {
            let seen = trial.state();
            if let Err(error) = trial.once(true).await {
                tell(format_args!("fanlight: {error:#}"));
            }
            tell("waiting for the next build, end with Ctrl-C");
            trial.wait_for_change(&seen).await;
        }
    })
}

/// The time at which each file of a package was written.
type State = Vec<Option<SystemTime>>;

/// A package on one file.
struct Trial<'a> {
    configuration: &'a Configuration,
    package: WorkFolder,
    file: LocalFile,
    path: &'a Path,
    pages: Option<Vec<u32>>,
    parameters: Value,
    /// Loaded when it is first needed.
    annotator: Option<Annotator>,
}

impl Trial<'_> {
    /// Runs the package as it is now.
    async fn once(&mut self, annotate: bool) -> anyhow::Result<()> {
        let started = Instant::now();
        let model = self.package.load(&self.file.guests).await?;
        let loaded = started.elapsed();
        let Answer { json, warnings, .. } = self.file.run(&model, self.pages.as_deref(), &self.parameters).await?;
        print_warnings(&warnings);
        let result: Value = serde_json::from_str(&json)?;
        print_json(&result)?;
        let ran = seconds(started.elapsed().saturating_sub(loaded));
        let mut line = format!("{} loaded in {}, ran in {ran}", model.description().model_version(), seconds(loaded));
        if annotate {
            let marks = annotations::from_result(&json)?;
            let said = boxes(marks.len());
            let copy = self.annotated_copy(marks).await?;
            line = format!("{line}, {} is written with {said}", copy.display());
        }
        tell(format_args!("{} {line}", Local::now().format("%H:%M:%S")));
        Ok(())
    }

    /// Writes a copy of the file with these boxes, and returns its path.
    async fn annotated_copy(&mut self, marks: Vec<Mark>) -> anyhow::Result<PathBuf> {
        let annotator = if let Some(annotator) = &self.annotator {
            annotator.clone()
        } else {
            let folder = self.configuration.plugins_folder()?.join(ANNOTATOR);
            let package = Package::read(&folder).context("no annotator is installed, run without --annotate")?;
            self.annotator.insert(self.file.guests.load_annotator(package).await?).clone()
        };
        let update = self.file.guests.annotate(annotator, self.file.document.clone(), marks).await;
        let update = update.with_context(|| format!("can't annotate {}", self.path.display()))?;
        let copy = self.path.with_extension("annotated.pdf");
        let mut bytes = fs::read(self.path).with_context(|| format!("can't read {}", self.path.display()))?;
        bytes.extend(update);
        fs::write(&copy, bytes).with_context(|| format!("can't write {}", copy.display()))?;
        Ok(copy)
    }

    /// Returns the state of the package's files.
    fn state(&self) -> State {
        let component = self.package.component().ok();
        vec![component.and_then(|path| modified(&path)), modified(&self.package.manifest())]
    }

    /// Waits until the package has changed and has been complete for a moment.
    async fn wait_for_change(&self, seen: &State) {
        let mut last = seen.clone();
        loop {
            tokio::time::sleep(POLL).await;
            let now = self.state();
            if now != *seen && now == last && now.iter().all(Option::is_some) {
                return;
            }
            last = now;
        }
    }
}

/// Says how many boxes are drawn.
fn boxes(count: usize) -> String {
    match count {
        0 => "no box: no list at the top of the result has items with `page` and `bbox`".to_owned(),
        1 => "1 box".to_owned(),
        count => format!("{count} boxes"),
    }
}
