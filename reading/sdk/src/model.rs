//! The one trait that a plugin implements.

use fanlight_contract::{OpenError, PageError};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How the host may cut a job up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// [`Model::analyze`] is called once, with all pages of the job.
    Document,
    /// [`Model::analyze`] is called for runs of pages, in parallel, each call in an instance of its own.
    Page,
}

/// What the model is. Schemas are not told here: they follow from the types of [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// Kebab-case; the API's name of the model, such as `door-detector`.
    pub name: &'static str,
    /// Semantic version; the API shows `<name>-v<version>`.
    pub version: &'static str,
    /// One sentence for people.
    pub summary: &'static str,
    /// How the host may cut a job up.
    pub granularity: Granularity,
    /// Most pages of one job: the document's first ones, or the first of those that the submission names.
    pub max_pages: Option<u32>,
}

/// A shard of a job.
#[derive(Clone, Debug)]
pub struct Request<P> {
    /// The model's own part of the submission.
    pub parameters: P,
    /// This shard's pages: 1-based, ascending, each once, all inside the document.
    pub pages: Vec<u32>,
    /// SHA-256 of the document's bytes, lower-case hex. [`crate::identifier`] takes it.
    pub document_sha256: String,
}

/// Why there is no result. Texts are for the operator's log; clients read a generic sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The document can't be read. Clients read `PDF_CORRUPT`.
    PdfCorrupt(String),
    /// The document is sound, but nothing this model can work on. Clients read `UNSUPPORTED_DOCUMENT`.
    Unsupported(String),
    /// Anything else: a defect or a limit of the plugin. Clients read `INTERNAL_ERROR`, and are refunded.
    Internal(String),
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::NotAPdf => Self::PdfCorrupt("not a PDF".to_owned()),
            OpenError::Corrupt(detail) => Self::PdfCorrupt(detail),
            OpenError::PasswordRequired => Self::PdfCorrupt("a password is required".to_owned()),
            OpenError::UnsupportedEncryption(detail) => Self::PdfCorrupt(format!("unsupported encryption: {detail}")),
        }
    }
}

impl From<PageError> for Failure {
    fn from(error: PageError) -> Self {
        match error {
            PageError::OutOfRange => Self::Internal("asked for a page outside the document".to_owned()),
            PageError::BadRequest(detail) => Self::Internal(detail),
        }
    }
}

/// A model: JSON in, JSON out, with serde and schemars at the border.
///
/// Every call may come in a fresh instance: nothing can be kept in statics between calls.
pub trait Model {
    /// The model's own part of a submission. Its schema is published; unknown fields are the host's to refuse.
    type Parameters: DeserializeOwned + JsonSchema;
    /// What one shard yields.
    type Partial: Serialize + DeserializeOwned + JsonSchema;
    /// The result: what is stored, and after [`Model::present`] what clients read. Must serialize as an object.
    type Outcome: Serialize + DeserializeOwned + JsonSchema;

    /// Whether [`Model::present`] does anything. Set it with an own `present`.
    const PRESENTS: bool = false;

    /// What the model is; the same at every call.
    fn description() -> Description;

    /// Analyses one shard.
    fn analyze(request: &Request<Self::Parameters>) -> Result<Self::Partial, Failure>;

    /// Joins all partial results, in page order; `request.pages` are all of the job's pages.
    fn conclude(request: &Request<Self::Parameters>, partials: Vec<Self::Partial>) -> Result<Self::Outcome, Failure>;

    /// The stored result as clients read it. Runs at every read: pure, fast, without the document.
    fn present(stored: Self::Outcome) -> Result<Self::Outcome, Failure> {
        Ok(stored)
    }
}
