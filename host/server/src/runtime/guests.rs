//! The sandbox, on a tokio runtime of its own. A guest blocks its thread, so guests do not share threads with requests.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use fanlight_inference::Inference;
use fanlight_ocr::Reader;
use fanlight_sandbox::{
    AnnotateError, Annotator, Checked, Document, Failure, Grants, Inspection, Mark, Model, ModelResult, OpenError,
    Outline, Package, PageGeometry, Picture, PictureError, PixelArea, Refusal, Sandbox, Settings, Task, TextLine,
};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;

use crate::configuration::Configuration;
use crate::runtime::{inference, ocr};

/// The sandbox and the threads that guests run on.
pub(crate) struct Guests {
    sandbox: Arc<Sandbox>,
    runtime: GuestThreads,
    /// Closed after the threads have ended.
    inference: Option<Arc<Inference>>,
}

/// The runtime of the guests' threads. It shuts down in the background, since a runtime cannot wait for its threads inside
/// another one.
struct GuestThreads(Option<Runtime>);

impl GuestThreads {
    fn end(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for GuestThreads {
    fn drop(&mut self) {
        self.end();
    }
}

impl Guests {
    /// Opens the sandbox, and waits at the same time for the search for an OCR engine.
    pub(crate) async fn open(
        settings: Settings,
        ocr_search: impl Future<Output = Option<Arc<Reader>>>,
    ) -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(settings.parallel.max(1))
            .thread_name("guests")
            .enable_all()
            .build()
            .context("can't start the threads that plugins run on")?;
        // From here on it is dropped well, also if something else fails while this waits.
        let runtime = GuestThreads(Some(runtime));
        let inference = settings.inference.clone();
        let opening = tokio::task::spawn_blocking(move || Sandbox::open(&settings));
        let (sandbox, ocr) = tokio::join!(opening, ocr_search);
        let sandbox = sandbox?.context("can't open the sandbox")?;
        let sandbox = match ocr {
            Some(reader) => sandbox.with_ocr(reader),
            None => sandbox,
        };
        Ok(Self { sandbox: Arc::new(sandbox), runtime, inference })
    }

    /// Opens the sandbox that the configuration describes.
    pub(crate) async fn start(configuration: &Configuration) -> anyhow::Result<Self> {
        let settings = configuration.sandbox(inference::open(configuration).await?)?;
        Self::open(settings, ocr::reader(configuration)).await
    }

    /// As [`Self::start`], with the networks that a package carries, `NAME.onnx` each in the folder `carried`.
    pub(crate) async fn start_with_carried(configuration: &Configuration, carried: PathBuf) -> anyhow::Result<Self> {
        let settings = configuration.sandbox(inference::open_with_carried(configuration, carried).await?)?;
        Self::open(settings, ocr::reader(configuration)).await
    }

    /// Checks a package from the text of its `plugin.toml` and its component, as far as it has them.
    pub(crate) async fn check(&self, manifest: Option<String>, wasm: Option<Vec<u8>>) -> anyhow::Result<Checked> {
        let sandbox = self.sandbox.clone();
        Ok(self.spawn(async move { sandbox.check(manifest.as_deref(), wasm).await }).await?)
    }

    /// Loads a model. Compiles it if it has no machine code, which takes seconds.
    pub(crate) async fn load(&self, package: Arc<Package>, grants: Grants) -> Result<Model, Refusal> {
        let (sandbox, plugin) = (self.sandbox.clone(), package.clone());
        let loading = self.spawn(async move { sandbox.load(&package, &grants).await });
        loading.await.unwrap_or_else(|error| Err(aborted(&plugin, &error)))
    }

    /// Loads a model that has machine code. Returns `None` if it would have to be compiled.
    pub(crate) async fn load_compiled(&self, package: Arc<Package>, grants: Grants) -> Result<Option<Model>, Refusal> {
        let (sandbox, plugin) = (self.sandbox.clone(), package.clone());
        let loading = self.spawn(async move { sandbox.load_compiled(&package, &grants).await });
        loading.await.unwrap_or_else(|error| Err(aborted(&plugin, &error)))
    }

    /// Reads the description of a model, which takes less time than loading it.
    pub(crate) async fn describe(&self, package: Arc<Package>, grants: Grants) -> Result<Outline, Refusal> {
        let (sandbox, plugin) = (self.sandbox.clone(), package.clone());
        let asking = self.spawn(async move { sandbox.describe(&package, &grants).await });
        asking.await.unwrap_or_else(|error| Err(aborted(&plugin, &error)))
    }

    /// Compiles the PDF engine if it is not loaded yet.
    pub(crate) async fn prepare(&self) -> anyhow::Result<()> {
        let sandbox = self.sandbox.clone();
        self.spawn(async move { sandbox.prepare().await }).await?
    }

    /// Returns whether the PDF engine is loaded.
    pub(crate) fn is_prepared(&self) -> bool {
        self.sandbox.is_prepared()
    }

    /// Releases the memory that is kept for further compilations.
    pub(crate) fn all_compiled(&self) {
        self.sandbox.all_compiled();
    }

    /// Deletes machine code from the cache that has not been used since the sandbox was opened.
    pub(crate) fn delete_unused_machine_code(&self) -> anyhow::Result<()> {
        self.sandbox.delete_unused_machine_code()
    }

    /// Opens a document in the PDF engine and returns its page count and encryption.
    pub(crate) async fn inspect(&self, document: Document) -> Result<Inspection, OpenError> {
        let sandbox = self.sandbox.clone();
        let inspecting = self.spawn(async move { sandbox.inspect(&document).await });
        inspecting.await.unwrap_or_else(|error| Err(OpenError::Engine(error.to_string())))
    }

    /// Returns the geometry of up to `count` pages from page `first`, which counts from 1.
    pub(crate) async fn pages(
        &self,
        document: Document,
        first: u32,
        count: u32,
    ) -> Result<Vec<PageGeometry>, OpenError> {
        let sandbox = self.sandbox.clone();
        let asking = self.spawn(async move { sandbox.pages(&document, first, count).await });
        asking.await.unwrap_or_else(|error| Err(OpenError::Engine(error.to_string())))
    }

    /// Renders a page, counted from 1, at `dpi` or a lower resolution.
    pub(crate) async fn picture(&self, document: Document, page: u32, dpi: f32) -> Result<Picture, PictureError> {
        let sandbox = self.sandbox.clone();
        let drawing = self.spawn(async move { sandbox.picture(&document, page, dpi).await });
        drawing.await.unwrap_or_else(|error| Err(OpenError::Engine(error.to_string()).into()))
    }

    /// Renders a part of a page, counted from 1, at `dpi`. Returns none if the part lies beyond the page.
    pub(crate) async fn part(
        &self,
        document: Document,
        page: u32,
        dpi: f32,
        area: PixelArea,
    ) -> Result<Option<Picture>, PictureError> {
        let sandbox = self.sandbox.clone();
        let drawing = self.spawn(async move { sandbox.part(&document, page, dpi, area).await });
        drawing.await.unwrap_or_else(|error| Err(OpenError::Engine(error.to_string()).into()))
    }

    /// Loads the annotator.
    pub(crate) async fn load_annotator(&self, package: Package) -> anyhow::Result<Annotator> {
        let sandbox = self.sandbox.clone();
        tokio::task::spawn_blocking(move || Annotator::load(&sandbox, &package)).await?
    }

    /// Returns the bytes that annotate a document when they are appended to it.
    pub(crate) async fn annotate(
        &self,
        annotator: Annotator,
        document: Document,
        marks: Vec<Mark>,
    ) -> Result<Vec<u8>, AnnotateError> {
        let drawing = self.spawn(async move { annotator.annotate(&document, &marks).await });
        drawing.await.unwrap_or_else(|error| Err(AnnotateError::Annotator(error.to_string())))
    }

    /// Returns the bytes that place lines of text on a document's pages, without painting them, when they are appended
    /// to it.
    pub(crate) async fn add_text(
        &self,
        annotator: Annotator,
        document: Document,
        lines: Vec<TextLine>,
    ) -> Result<Vec<u8>, AnnotateError> {
        let placing = self.spawn(async move { annotator.add_text(&document, &lines).await });
        placing.await.unwrap_or_else(|error| Err(AnnotateError::Annotator(error.to_string())))
    }

    /// Runs a task and returns its result.
    pub(crate) async fn run(&self, model: Model, task: Task) -> Result<ModelResult, Failure> {
        let running = self.spawn(async move { model.run(task).await });
        running.await.unwrap_or_else(|error| Err(Failure::Crashed(error.to_string())))
    }

    /// Has a model present a stored result. Returns the text of a JSON object.
    pub(crate) async fn present(&self, model: Model, stored: String) -> Result<String, Failure> {
        let presenting = self.spawn(async move { model.present(stored).await });
        presenting.await.unwrap_or_else(|error| Err(Failure::Crashed(error.to_string())))
    }

    /// As [`Self::present`], for a result that is about to be stored: the presented result must match its schema.
    pub(crate) async fn present_first(&self, model: Model, stored: String) -> Result<String, Failure> {
        let presenting = self.spawn(async move { model.present_first(stored).await });
        presenting.await.unwrap_or_else(|error| Err(Failure::Crashed(error.to_string())))
    }

    /// Runs work on the guests' threads. It is aborted when the returned future is dropped.
    async fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Result<T, JoinError> {
        match &self.runtime.0 {
            Some(runtime) => AbortOnDropHandle::new(runtime.spawn(work)).await,
            None => AbortOnDropHandle::new(tokio::spawn(work)).await,
        }
    }
}

/// Returns the refusal of a plugin whose loading panicked or was aborted.
fn aborted(package: &Package, error: &JoinError) -> Refusal {
    Refusal::NotAComponent { plugin: package.name().to_owned(), detail: error.to_string() }
}

impl Drop for Guests {
    /// Closes the inference engine once no guest uses it any more.
    fn drop(&mut self) {
        self.runtime.end();
        if let Some(inference) = self.inference.take() {
            inference.close();
        }
    }
}
