//! The sandbox on a runtime of its own: a guest holds the thread it runs on, so none of those is one that answers
//! clients.

use std::sync::Arc;

use anyhow::Context;
use fanlight_inference::Inference;
use fanlight_ocr::Reader;
use fanlight_sandbox::{
    AnnotateError, Annotation, Annotator, Document, Failure, Grants, Inspection, Model, ModelResult, OpenError,
    Outline, Package, PageGeometry, Picture, PictureError, Refusal, Sandbox, Settings, Task,
};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinError;
use tokio_util::task::AbortOnDropHandle;

/// The sandbox and its threads.
pub(crate) struct Guests {
    sandbox: Arc<Sandbox>,
    /// None only while being dropped.
    runtime: Option<Runtime>,
    /// Closed after the threads.
    inference: Option<Arc<Inference>>,
}

impl Guests {
    /// Opens the sandbox, while an OCR engine is looked for.
    pub(crate) async fn open(
        settings: Settings,
        looking_for_ocr: impl Future<Output = Option<Arc<Reader>>>,
    ) -> anyhow::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(settings.parallel.max(1))
            .thread_name("guests")
            .enable_all()
            .build()
            .context("can't start the threads that plugins run on")?;
        let inference = settings.inference.clone();
        let opening = tokio::task::spawn_blocking(move || Sandbox::open(&settings));
        let (sandbox, ocr) = tokio::join!(opening, looking_for_ocr);
        let sandbox = sandbox?.context("can't open the sandbox")?;
        let sandbox = match ocr {
            Some(reader) => sandbox.with_ocr(reader),
            None => sandbox,
        };
        Ok(Self { sandbox: Arc::new(sandbox), runtime: Some(runtime), inference })
    }

    /// Loads a model. Compiles it for seconds if its machine code is not there.
    pub(crate) async fn load(&self, package: Arc<Package>, grants: Grants) -> Result<Model, Refusal> {
        let (sandbox, plugin) = (self.sandbox.clone(), package.clone());
        let loading = self.spawn(async move { sandbox.load(&package, &grants).await });
        loading.await.unwrap_or_else(|error| Err(broken_off(&plugin, &error)))
    }

    /// Loads a model whose machine code is there; None if it would have to be compiled.
    pub(crate) async fn load_compiled(&self, package: Arc<Package>, grants: Grants) -> Result<Option<Model>, Refusal> {
        let (sandbox, plugin) = (self.sandbox.clone(), package.clone());
        let loading = self.spawn(async move { sandbox.load_compiled(&package, &grants).await });
        loading.await.unwrap_or_else(|error| Err(broken_off(&plugin, &error)))
    }

    /// Asks a model what it is, sooner than it can be loaded.
    pub(crate) async fn describe(&self, package: Arc<Package>, grants: Grants) -> Result<Outline, Refusal> {
        let (sandbox, plugin) = (self.sandbox.clone(), package.clone());
        let asking = self.spawn(async move { sandbox.describe(&package, &grants).await });
        asking.await.unwrap_or_else(|error| Err(broken_off(&plugin, &error)))
    }

    /// Compiles the PDF engine if it is not loaded yet.
    pub(crate) async fn prepare(&self) -> anyhow::Result<()> {
        let sandbox = self.sandbox.clone();
        self.spawn(async move { sandbox.prepare().await }).await?
    }

    /// Whether documents can be opened without anything being compiled first.
    pub(crate) fn is_prepared(&self) -> bool {
        self.sandbox.is_prepared()
    }

    /// Gives back the memory that is kept for further compilations.
    pub(crate) fn all_compiled(&self) {
        self.sandbox.all_compiled();
    }

    /// Deletes machine code from the cache that nothing has been loaded from.
    pub(crate) fn delete_unused_machine_code(&self) -> anyhow::Result<()> {
        self.sandbox.delete_unused_machine_code()
    }

    /// Opens a document in the PDF engine and says what it is.
    pub(crate) async fn inspect(&self, document: Document) -> Result<Inspection, OpenError> {
        let sandbox = self.sandbox.clone();
        let inspecting = self.spawn(async move { sandbox.inspect(&document).await });
        inspecting.await.unwrap_or_else(|error| Err(OpenError::Engine(error.to_string())))
    }

    /// How pages of a document lie.
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

    /// Draws a page.
    pub(crate) async fn picture(&self, document: Document, page: u32, dpi: f32) -> Result<Picture, PictureError> {
        let sandbox = self.sandbox.clone();
        let drawing = self.spawn(async move { sandbox.picture(&document, page, dpi).await });
        drawing.await.unwrap_or_else(|error| Err(OpenError::Engine(error.to_string()).into()))
    }

    /// Loads the annotator.
    pub(crate) async fn load_annotator(&self, package: Package) -> anyhow::Result<Annotator> {
        let sandbox = self.sandbox.clone();
        tokio::task::spawn_blocking(move || Annotator::load(&sandbox, &package)).await?
    }

    /// Draws boxes into a document: the bytes that follow its own.
    pub(crate) async fn annotate(
        &self,
        annotator: Annotator,
        document: Document,
        marks: Vec<Annotation>,
    ) -> Result<Vec<u8>, AnnotateError> {
        let drawing = self.spawn(async move { annotator.annotate(&document, &marks).await });
        drawing.await.unwrap_or_else(|error| Err(AnnotateError::Annotator(error.to_string())))
    }

    /// Runs a task to its result.
    pub(crate) async fn run(&self, model: Model, task: Task) -> Result<ModelResult, Failure> {
        let running = self.spawn(async move { model.run(task).await });
        running.await.unwrap_or_else(|error| Err(Failure::Crashed(error.to_string())))
    }

    /// A stored result as a model that presents its results wants it read: the text of a JSON object.
    pub(crate) async fn present(&self, model: Model, stored: String) -> Result<String, Failure> {
        let presenting = self.spawn(async move { model.present(stored).await });
        presenting.await.unwrap_or_else(|error| Err(Failure::Crashed(error.to_string())))
    }

    /// As [`Self::present`], of a result that is about to be stored: what clients would read must fit its schema.
    pub(crate) async fn present_first(&self, model: Model, stored: String) -> Result<String, Failure> {
        let presenting = self.spawn(async move { model.present_first(stored).await });
        presenting.await.unwrap_or_else(|error| Err(Failure::Crashed(error.to_string())))
    }

    /// On the guests' threads; ended when nobody waits for it any more.
    async fn spawn<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Result<T, JoinError> {
        match &self.runtime {
            Some(runtime) => AbortOnDropHandle::new(runtime.spawn(work)).await,
            None => AbortOnDropHandle::new(tokio::spawn(work)).await,
        }
    }
}

/// The refusal of a plugin whose loading came to no end.
fn broken_off(package: &Package, error: &JoinError) -> Refusal {
    Refusal::NotAComponent { plugin: package.name().to_owned(), detail: error.to_string() }
}

impl Drop for Guests {
    /// A runtime can't wait for its threads within another one.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
        if let Some(inference) = self.inference.take() {
            inference.close();
        }
    }
}
