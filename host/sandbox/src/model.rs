//! A loaded model: its description, and the execution of its tasks.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use fanlight_composition::{Capability, Limits, Package, Refusal};
use fanlight_language::Session;
use semver::Version;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::bindings::composed::exports::fanlight::plugin::model as contract;
use crate::bindings::composed::{Composed, ComposedPre};
use crate::document::Document;
use crate::engine::Core;
use crate::guest::{self, Deadline, Failure, Guest, Progress, Setup, ShardProgress, Usage, reason};
use crate::nn::Networks;
use crate::schemas::{Schemas, Text};
use crate::shards;
use crate::warning::{Warning, Warnings};

/// How the host may divide a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// All pages in one shard.
    Document,
    /// Runs of pages, in parallel.
    Page,
}

/// A model's description of itself, checked against its package.
#[derive(Clone, Debug)]
pub struct Description {
    /// The name of the model in the API.
    pub name: String,
    /// The semantic version.
    pub version: String,
    /// One sentence for people.
    pub summary: String,
    /// JSON Schema of the model's own part of a submission.
    pub parameters: Value,
    /// JSON Schema of what clients read.
    pub result: Value,
    /// How the host may divide a job.
    pub granularity: Granularity,
    /// Most pages of one job.
    pub max_pages: Option<u32>,
    /// Whether clients read something else than the stored result. If not, it is served without a guest.
    pub presents: bool,
}

impl Description {
    /// Returns `<name>-v<version>`, as the API shows it.
    pub fn model_version(&self) -> String {
        format!("{}-v{}", self.name, self.version)
    }

    /// Returns the pages that a task covers, ascending and each once, at most [`Self::max_pages`].
    ///
    /// These are the requested pages that exist, or all pages of a document of `page_count` pages if none are
    /// requested.
    pub fn pages(&self, page_count: u32, asked_for: Option<&[u32]>) -> Vec<u32> {
        let most = self.max_pages.unwrap_or(u32::MAX);
        let Some(asked_for) = asked_for else {
            return (1..=page_count.min(most)).collect();
        };
        let mut pages: Vec<u32> = asked_for.iter().copied().filter(|page| (1..=page_count).contains(page)).collect();
        pages.sort_unstable();
        pages.dedup();
        pages.truncate(most as usize);
        pages
    }
}

/// One run of a model over a document.
#[derive(Clone, Debug)]
pub struct Task {
    /// The task's name in the log: the job's id.
    pub id: String,
    /// The document.
    pub document: Document,
    /// The pages, as returned by [`Description::pages`].
    pub pages: Vec<u32>,
    /// The pages as the submission names them; `None` if it names none.
    pub asked_for: Option<Arc<[u32]>>,
    /// JSON object, valid against [`Description::parameters`].
    pub parameters: String,
    /// Receives every step. Only the newest value matters.
    pub progress: watch::Sender<Progress>,
    /// Ends the task with [`Failure::Cancelled`].
    pub cancelled: CancellationToken,
}

/// The result of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelResult {
    /// A JSON object, as the plugin wrote it.
    pub json: String,
    /// The plugin's requests that the host could not serve, each once: why the result may be weaker.
    pub warnings: Vec<Warning>,
    /// The calls into the plugin: of each shard in page order, then of `conclude`.
    pub calls: Vec<ModelCall>,
}

/// One call of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    /// The pages of the shard; `None` for `conclude`.
    pub shard: Option<Vec<u32>>,
    /// What the call used.
    pub usage: Usage,
}

/// The value of a call, and what the call used.
pub(crate) struct Returned<T> {
    pub(crate) value: T,
    pub(crate) usage: Usage,
}

impl Returned<contract::Description> {
    /// Returns whether another call returned the same description.
    pub(crate) fn is_same_value(&self, other: &Self) -> bool {
        format!("{:?}", self.value) == format!("{:?}", other.value)
    }
}

/// A composed and compiled model. Cheap to clone.
#[derive(Clone)]
pub struct Model {
    description: Arc<Description>,
    schemas: Arc<Schemas>,
    name: Arc<str>,
    rights: Arc<BTreeSet<Capability>>,
    networks: Arc<Networks>,
    limits: Limits,
    component: ComposedPre<Guest>,
    core: Arc<Core>,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Model").field("description", &self.description).finish_non_exhaustive()
    }
}

/// What the calls of one task share.
#[derive(Clone)]
struct Shared {
    /// The task's share of the language model.
    language: Option<Arc<Session>>,
    /// The warnings of its guests.
    warnings: Warnings,
}

/// Most seconds of `describe` and `present`, which do little work.
const PURE_CALL_SECONDS: u32 = 5;
/// Most bytes of a model's description, mainly schemas. The host holds these as trees of about twenty times their
/// size for as long as it runs.
const DESCRIPTION_BYTES: u32 = 512 * 1024;

impl Model {
    /// Loads a composed component and asks it for its description.
    ///
    /// # Errors
    ///
    /// [`Refusal::Description`] if `describe` fails or contradicts the package.
    pub(crate) async fn describe(
        core: Arc<Core>,
        component: ComposedPre<Guest>,
        package: &Package,
        mut rights: BTreeSet<Capability>,
        networks: Networks,
        ceiling: Limits,
    ) -> Result<Self, Refusal> {
        let refuse = |detail: String| Refusal::Description { plugin: package.name().to_owned(), detail };
        let mut model = Self::undescribed(core, component, package, ceiling);
        if networks.usable() {
            rights.insert(Capability::Nn);
        }
        (model.rights, model.networks) = (Arc::new(rights), Arc::new(networks));
        let said = model.said().await.map_err(|failure| refuse(failure.to_string()))?.value;
        let (description, schemas) = checked_description(said, package)
            .map_err(|problems| refuse(problems.into_iter().next().unwrap_or_default()))?;
        (model.description, model.schemas) = (Arc::new(description), Arc::new(schemas));
        Ok(model)
    }

    /// Creates a model that has not described itself, without rights and networks.
    pub(crate) fn undescribed(
        core: Arc<Core>,
        component: ComposedPre<Guest>,
        package: &Package,
        ceiling: Limits,
    ) -> Self {
        let placeholder = Description {
            name: package.name().to_owned(),
            version: package.version().to_owned(),
            summary: String::new(),
            parameters: Value::Null,
            result: Value::Null,
            granularity: Granularity::Document,
            max_pages: None,
            presents: false,
        };
        Self {
            description: Arc::new(placeholder),
            schemas: Arc::default(),
            name: package.name().into(),
            rights: Arc::default(),
            networks: Arc::default(),
            limits: package.limits().under(ceiling),
            component,
            core,
        }
    }

    /// Asks the component for its description, which is not checked.
    pub(crate) async fn said(&self) -> Result<Returned<contract::Description>, Failure> {
        self.pure_call(DESCRIPTION_BYTES, async |guest, store| guest.fanlight_plugin_model().call_describe(store).await)
            .await
    }

    /// Returns the model's description.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns whether the model has a capability: its package requests it, the operator grants it, and this host
    /// offers it.
    pub fn has(&self, capability: Capability) -> bool {
        self.rights.contains(&capability)
    }

    /// Runs a task to its result. The result matches the plugin's schema, unless the model presents its results: then
    /// [`Self::present_first`] checks what clients read.
    ///
    /// Shards run in parallel, limited over all tasks by the sandbox's settings. Waiting for a permit does not count
    /// against a shard's deadline.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the first shard that fails, or of `conclude`.
    pub async fn run(&self, task: Task) -> Result<ModelResult, Failure> {
        let shards = shards::split(&task.pages, self.description.granularity, self.core.parallel());
        let reporter = Reporter::start(&task, shards.len());
        let shared = Shared { language: self.language(&task), warnings: Warnings::default() };
        let mut running = JoinSet::new();
        for (shard, pages) in shards.into_iter().enumerate() {
            let (model, task, progress) = (self.clone(), task.clone(), reporter.shard(shard));
            let shared = shared.clone();
            running.spawn(async move { (shard, pages.clone(), model.analyze(&task, pages, progress, shared).await) });
        }
        let mut partials = Vec::new();
        let mut size = 0;
        while let Some(joined) = running.join_next().await {
            let (shard, pages, partial) = joined.map_err(|stopped| Failure::Internal(stopped.to_string()))?;
            let Returned { value, usage } = partial?;
            size += value.len();
            self.check_size(size)?;
            partials.push((shard, value, ModelCall { shard: Some(pages), usage }));
        }
        partials.sort_by_key(|(shard, ..)| *shard);
        let (partials, mut calls): (Vec<String>, Vec<ModelCall>) =
            partials.into_iter().map(|(_, partial, call)| (partial, call)).unzip();
        let Returned { value: json, usage } = self.conclude(&task, &partials, shared.clone()).await?;
        calls.push(ModelCall { shard: None, usage });
        Ok(ModelResult { json, warnings: shared.warnings.noted(), calls })
    }

    /// Creates an instance and drops it, so that the first task finds the machine code in memory.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the instance.
    pub async fn warm_up(&self) -> Result<(), Failure> {
        self.pure_call(DESCRIPTION_BYTES, async |_, _| Ok(())).await.map(|_| ())
    }

    /// Converts a stored result to what clients read, the text of a JSON object. Most models present nothing; for
    /// them this returns `stored` without a guest.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the call, or of a text that is not a JSON object.
    pub async fn present(&self, stored: String) -> Result<String, Failure> {
        if !self.description.presents {
            return Ok(stored);
        }
        let _permit = self.core.presentation_permit().await;
        let presented = self
            .pure_call(u32::MAX, async |guest, store| guest.fanlight_plugin_model().call_present(store, &stored).await)
            .await?
            .value;
        self.checked_text(Text::Object, self.bounded(presented)?).await
    }

    /// As [`Self::present`], for a result that is about to be stored: what clients read must match the schema.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the call, or of a text that violates the schema.
    pub async fn present_first(&self, stored: String) -> Result<String, Failure> {
        let presented = self.present(stored).await?;
        self.checked_text(Text::Result, presented).await
    }

    /// Returns the task's share of the language model, one budget for all its shards.
    fn language(&self, task: &Task) -> Option<Arc<Session>> {
        let client = self.core.language().filter(|_| self.has(Capability::Language))?;
        Some(Arc::new(client.session(&task.id)))
    }

    /// Analyzes one shard and returns its partial result, checked.
    async fn analyze(
        &self,
        task: &Task,
        pages: Vec<u32>,
        progress: ShardProgress,
        shared: Shared,
    ) -> Result<Returned<String>, Failure> {
        let _permit = self.permit(task).await?;
        let request = request(task, pages);
        let Returned { value: answer, usage } = self
            .call(self.setup(task, Some(progress), shared), async |guest, store| {
                guest.fanlight_plugin_model().call_analyze(store, &request).await
            })
            .await?;
        Ok(Returned { value: self.checked_text(Text::Partial, self.bounded(answer)?).await?, usage })
    }

    /// Joins the partial results and returns the result, checked.
    async fn conclude(&self, task: &Task, partials: &[String], shared: Shared) -> Result<Returned<String>, Failure> {
        let _permit = self.permit(task).await?;
        let request = request(task, task.pages.clone());
        let held = partials.iter().map(String::len).sum();
        let Returned { value: answer, usage } = self
            .call(self.setup(task, None, shared), async |guest, store| {
                store.data_mut().charge(held)?;
                guest.fanlight_plugin_model().call_conclude(store, &request, partials).await
            })
            .await?;
        let text = if self.description.presents { Text::Object } else { Text::Result };
        Ok(Returned { value: self.checked_text(text, self.bounded(answer)?).await?, usage })
    }

    /// Returns a text of the plugin if it matches its schema. Runs on a blocking thread, because a long text takes a
    /// while.
    async fn checked_text(&self, what: Text, text: String) -> Result<String, Failure> {
        let schemas = self.schemas.clone();
        let checking = tokio::task::spawn_blocking(move || schemas.check(what, &text).map(|()| text));
        checking.await.unwrap_or_else(|stopped| Err(Failure::Internal(stopped.to_string())))
    }

    /// Waits for the permit to run one more guest.
    async fn permit(&self, task: &Task) -> Result<Option<OwnedSemaphorePermit>, Failure> {
        tokio::select! {
            () = task.cancelled.cancelled() => Err(Failure::Cancelled),
            permit = self.core.permit() => Ok(permit),
        }
    }

    /// Makes a call without a document. Each host call copies at most `most_bytes` out of the guest.
    async fn pure_call<T>(
        &self,
        most_bytes: u32,
        call: impl AsyncFnOnce(&Composed, &mut wasmtime::Store<Guest>) -> wasmtime::Result<T>,
    ) -> Result<Returned<T>, Failure> {
        let host_call_bytes = self.limits.host_call_bytes.min(most_bytes);
        let limits = Limits { seconds: PURE_CALL_SECONDS, host_call_bytes, ..self.limits };
        let setup = Setup {
            plugin: self.name.clone(),
            task: "".into(),
            limits,
            deadline: Deadline::after(&limits, CancellationToken::new()),
            document: None,
            asked_for: None,
            progress: None,
            language: None,
            ocr: None,
            networks: Arc::default(),
            warnings: Warnings::default(),
        };
        self.call(setup, call).await
    }

    /// Makes a call in a store of its own, which is dropped afterwards.
    async fn call<T>(
        &self,
        setup: Setup,
        call: impl AsyncFnOnce(&Composed, &mut wasmtime::Store<Guest>) -> wasmtime::Result<T>,
    ) -> Result<Returned<T>, Failure> {
        let (deadline, started) = (setup.deadline.clone(), Instant::now());
        let mut store = guest::store(self.core.engine(), setup);
        let outcome = guest::within(&deadline, async {
            let instance = self.component.instantiate_async(&mut store).await?;
            call(&instance, &mut store).await
        })
        .await;
        tracing::debug!(plugin = &*self.name, memory_bytes = store.data().memory_used(), "a guest has ended");
        let usage = store.data().usage(started);
        Ok(Returned { value: store.data().call_result(outcome)?, usage })
    }

    /// Returns the parameters of a store for this task.
    fn setup(&self, task: &Task, progress: Option<ShardProgress>, shared: Shared) -> Setup {
        Setup {
            plugin: self.name.clone(),
            task: task.id.as_str().into(),
            limits: self.limits,
            deadline: Deadline::after(&self.limits, task.cancelled.clone()),
            document: Some(task.document.clone()),
            asked_for: task.asked_for.clone(),
            progress,
            language: shared.language,
            ocr: self.core.ocr().filter(|_| self.has(Capability::Ocr)).cloned(),
            networks: self.networks.clone(),
            warnings: shared.warnings,
        }
    }

    /// Returns the plugin's text if its size is within the limit.
    fn bounded(&self, answer: Result<String, contract::Failure>) -> Result<String, Failure> {
        let text = answer?;
        self.check_size(text.len())?;
        Ok(text)
    }

    /// Checks the bytes of a result, or of all partial results together.
    fn check_size(&self, size: usize) -> Result<(), Failure> {
        let limit = self.limits.result_bytes;
        if size > limit as usize { Err(Failure::ResultTooLarge { size, limit }) } else { Ok(()) }
    }
}

impl From<contract::Failure> for Failure {
    fn from(failure: contract::Failure) -> Self {
        match failure {
            contract::Failure::PdfCorrupt(detail) => Self::PdfCorrupt(reason(&detail)),
            contract::Failure::Unsupported(detail) => Self::Unsupported(reason(&detail)),
            contract::Failure::Internal(detail) => Self::Internal(reason(&detail)),
        }
    }
}

/// Creates the contract's request for these pages.
fn request(task: &Task, pages: Vec<u32>) -> contract::Request {
    contract::Request { parameters: task.parameters.clone(), pages, document_sha256: task.document.sha256().to_owned() }
}

/// Checks a description against its package and compiles its schemas.
///
/// # Errors
///
/// One sentence for each contradiction.
pub(crate) fn checked_description(
    said: contract::Description,
    package: &Package,
) -> Result<(Description, Schemas), Vec<String>> {
    let mut problems = Vec::new();
    if said.name != package.name() || said.version != package.version() {
        let (name, version) = (package.name(), package.version());
        problems.push(format!("plugin.toml says {name} {version}, the component says {} {}", said.name, said.version));
    }
    if !is_kebab_case(&said.name) {
        problems.push("its name is not kebab-case of at most 64 letters".to_owned());
    }
    if let Err(error) = Version::parse(&said.version) {
        problems.push(format!("its version is not semantic: {error}"));
    }
    let mut schema = |what, text| schema_object(what, text).map_err(|problem| problems.push(problem)).ok();
    let partial = schema("partial results", &said.partial);
    let result = schema("the result", &said.result);
    let parameters = schema("parameters", &said.parameters);
    let (Some(partial), Some(result), Some(parameters)) = (partial, result, parameters) else {
        return Err(problems);
    };
    let schemas = match Schemas::compile(&partial, &result) {
        Ok(schemas) if problems.is_empty() => schemas,
        Ok(_) => return Err(problems),
        Err(problem) => {
            problems.push(problem);
            return Err(problems);
        }
    };
    let description = Description {
        parameters,
        result,
        name: said.name,
        version: said.version,
        summary: said.summary,
        granularity: match said.granularity {
            contract::Granularity::Document => Granularity::Document,
            contract::Granularity::Page => Granularity::Page,
        },
        max_pages: said.max_pages,
        presents: said.presents,
    };
    Ok((description, schemas))
}

/// Returns whether a name is 1 to 64 lower-case letters, digits and hyphens.
fn is_kebab_case(name: &str) -> bool {
    let is_kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    (1..=64).contains(&name.len()) && name.chars().all(is_kebab)
}

/// Parses a schema that must be a JSON object. `what` names it in the error.
fn schema_object(what: &str, text: &str) -> Result<Value, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(Value::Object(object)),
        _ => Err(format!("its schema of {what} is not a JSON object")),
    }
}

/// Sums the progress of all shards while it lives.
struct Reporter {
    board: watch::Sender<Vec<Progress>>,
    progress: watch::Sender<Progress>,
    pages: u32,
    adding: tokio::task::JoinHandle<()>,
}

impl Reporter {
    /// Starts summing the progress of this many shards.
    fn start(task: &Task, shards: usize) -> Self {
        let (board, mut steps) = watch::channel(vec![Progress::default(); shards]);
        let progress = task.progress.clone();
        let pages = task.pages.len() as u32;
        let adding = tokio::spawn({
            let progress = progress.clone();
            async move {
                while steps.changed().await.is_ok() {
                    let sum = shards::add_up(&steps.borrow_and_update(), pages);
                    progress.send_replace(sum);
                }
            }
        });
        Self { board, progress, pages, adding }
    }

    /// Returns the receiver of one shard's progress.
    fn shard(&self, shard: usize) -> ShardProgress {
        ShardProgress { board: self.board.clone(), shard }
    }
}

impl Drop for Reporter {
    /// Reports the last step, even if there was no time to sum it before.
    fn drop(&mut self) {
        self.adding.abort();
        self.progress.send_replace(shards::add_up(&self.board.borrow(), self.pages));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most pages that a model reads, the requested pages, and the expected pages.
    type Case<'a> = (Option<u32>, Option<&'a [u32]>, &'a [u32]);

    #[test]
    fn a_job_covers_at_most_max_pages() {
        let description = |max_pages| Description {
            name: String::new(),
            version: String::new(),
            summary: String::new(),
            parameters: Value::Null,
            result: Value::Null,
            granularity: Granularity::Document,
            max_pages,
            presents: false,
        };
        let cases: [Case; 6] = [
            (None, None, &[1, 2, 3, 4, 5]),
            (Some(2), None, &[1, 2]),
            (Some(9), None, &[1, 2, 3, 4, 5]),
            (None, Some(&[5, 5, 0, 9, 1]), &[1, 5]),
            (Some(2), Some(&[5, 4, 3, 3]), &[3, 4]),
            (Some(2), Some(&[9]), &[]),
        ];
        for (max_pages, asked_for, expected) in cases {
            assert_eq!(description(max_pages).pages(5, asked_for), expected, "{max_pages:?} {asked_for:?}");
        }
    }
}
