//! The host's own questions to the PDF engine about a document: its page count and the geometry of its pages.

use std::sync::Arc;

use fanlight_composition::Limits;
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use wasmtime::Store;

use crate::bindings::engine::exports::fanlight::plugin::inspect::Guest as Inspect;
use crate::bindings::engine::fanlight::plugin::types::{self, OpenError as ContractError};
use crate::document::Document;
use crate::engine::{Core, EngineComponent};
use crate::guest::{self, Deadline, Failure, Guest, Setup, reason};
use crate::warning::Warnings;

/// The properties of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inspection {
    /// Number of pages, at least 1.
    pub page_count: u32,
    /// Whether the file is encrypted and opens with an empty user password.
    pub encrypted: bool,
}

/// An axis-aligned box in PDF user space: points, origin bottom-left, y up; `x1 < x2` and `y1 < y2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageBox {
    /// Left.
    pub x1: f32,
    /// Bottom.
    pub y1: f32,
    /// Right.
    pub x2: f32,
    /// Top.
    pub y2: f32,
}

/// A page's boxes and its rotation for display. `rotation` and `user_unit` are reported and not applied to the boxes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageGeometry {
    /// The whole page.
    pub media_box: PageBox,
    /// The part that a viewer shows.
    pub crop_box: PageBox,
    /// Degrees clockwise: 0, 90, 180 or 270.
    pub rotation: u32,
    /// The size of one point in 1/72 in; 1 for nearly every page.
    pub user_unit: f32,
}

/// Why a document cannot be opened. Messages are for the operator's log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpenError {
    /// The content is not a PDF.
    #[error("the file is not a PDF")]
    NotAPdf,
    /// The PDF's structure cannot be followed to a page, or not within the limits.
    #[error("the PDF is damaged: {0}")]
    Corrupt(String),
    /// It requires a password, or its encryption is not supported.
    #[error("the PDF is encrypted: {0}")]
    Encrypted(String),
    /// The PDF engine failed.
    #[error("the PDF engine failed: {0}")]
    Engine(String),
}

/// Most seconds of one question. Opening 200 MB takes about two.
const SECONDS: u32 = 60;

/// The purpose of a question, which decides whose permits it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// An upload is checked.
    Upload,
    /// A stored document is shown.
    Read,
}

/// Asks the PDF engine about one document.
#[derive(Clone, Copy)]
pub(crate) struct PdfInspector<'a> {
    pub(crate) core: &'a Arc<Core>,
    pub(crate) engine: &'a EngineComponent,
    pub(crate) document: &'a Document,
    /// Upper bound of the limits of every question.
    pub(crate) ceiling: Limits,
}

impl PdfInspector<'_> {
    /// Returns the properties of the document.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if it cannot be opened.
    pub(crate) async fn inspect(self) -> Result<Inspection, OpenError> {
        let answer =
            self.ask(Purpose::Upload, "upload", async |engine, store| engine.call_summarize(store).await).await??;
        Ok(Inspection { page_count: answer.page_count, encrypted: answer.encrypted })
    }

    /// Returns the geometry of the pages from `first` (1-based), `count` of them or as many as there are.
    ///
    /// # Errors
    ///
    /// [`OpenError`] if the document cannot be opened.
    pub(crate) async fn pages(self, first: u32, count: u32) -> Result<Vec<PageGeometry>, OpenError> {
        let answer = self
            .ask(Purpose::Read, "pages", async |engine, store| engine.call_pages(store, first, count).await)
            .await??;
        Ok(answer.into_iter().map(PageGeometry::from).collect())
    }

    /// Asks a new instance of the engine one question, after waiting for a permit. `task` names the question in the
    /// log.
    ///
    /// # Errors
    ///
    /// [`OpenError`]. A crash, a lack of memory or a missed deadline counts as a damaged document.
    pub(crate) async fn ask<T>(
        self,
        purpose: Purpose,
        task: &str,
        question: impl AsyncFnOnce(&Inspect, &mut Store<Guest>) -> wasmtime::Result<T>,
    ) -> Result<T, OpenError> {
        let PdfInspector { core, engine, document, ceiling } = self;
        let asked = call_with_permit(core, purpose, engine.name.clone(), task, document, ceiling, async |store| {
            let instance = engine.component.instantiate_async(&mut *store).await?;
            question(instance.fanlight_plugin_inspect(), store).await
        });
        asked.await.map_err(|failure| match failure {
            // A decompression bomb or a malformed file is the document's fault, not the server's.
            Failure::Crashed(_) | Failure::Memory(_) | Failure::Deadline(_) => OpenError::Corrupt(failure.to_string()),
            failure => OpenError::Engine(failure.to_string()),
        })
    }
}

/// Waits for a permit, then makes a call into a store of its own. `task` names the call in the log.
///
/// # Errors
///
/// The [`Failure`] that ended the call.
pub(crate) async fn call_with_permit<T>(
    core: &Core,
    purpose: Purpose,
    plugin: Arc<str>,
    task: &str,
    document: &Document,
    ceiling: Limits,
    call: impl AsyncFnOnce(&mut Store<Guest>) -> wasmtime::Result<T>,
) -> Result<T, Failure> {
    let _permit = core.question_permit(purpose).await;
    let limits = Limits { seconds: SECONDS.min(ceiling.seconds), ..ceiling };
    let deadline = Deadline::after(&limits, CancellationToken::new());
    let setup = Setup {
        plugin,
        task: task.into(),
        limits,
        deadline: deadline.clone(),
        document: Some(document.clone()),
        asked_for: None,
        progress: None,
        language: None,
        ocr: None,
        networks: Arc::default(),
        warnings: Warnings::default(),
    };
    let mut store = guest::store(core.engine(), setup);
    let outcome = guest::within(&deadline, call(&mut store)).await;
    store.data().call_result(outcome)
}

impl From<ContractError> for OpenError {
    fn from(error: ContractError) -> Self {
        match error {
            ContractError::NotAPdf => Self::NotAPdf,
            ContractError::Corrupt(detail) => Self::Corrupt(reason(&detail)),
            ContractError::PasswordRequired => Self::Encrypted("it takes a password".to_owned()),
            ContractError::UnsupportedEncryption(detail) => Self::Encrypted(reason(&detail)),
        }
    }
}

impl From<types::Geometry> for PageGeometry {
    fn from(geometry: types::Geometry) -> Self {
        let types::Geometry { media_box, crop_box, rotation, user_unit } = geometry;
        Self { media_box: media_box.into(), crop_box: crop_box.into(), rotation, user_unit }
    }
}

impl From<types::Rect> for PageBox {
    fn from(types::Rect { x1, y1, x2, y2 }: types::Rect) -> Self {
        Self { x1, y1, x2, y2 }
    }
}
