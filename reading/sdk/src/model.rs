//! The trait that a plugin implements, and its types.

use fanlight_contract::{OpenError, PageError};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How the host may divide a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// [`Model::analyze`] is called once, with all pages of the job.
    Document,
    /// [`Model::analyze`] is called for runs of pages, in parallel, each call in an instance of its own.
    Page,
}

/// The description of a model. It has no schemas, because they follow from the types of [`Model`].
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name of the model in the API, in kebab-case, such as `door-detector`.
    pub name: &'static str,
    /// The semantic version; the API shows `<name>-v<version>`. The host refuses another one than that of `plugin.toml`;
    /// [`version`](crate::version) reads it from there.
    pub version: &'static str,
    /// One sentence for people.
    pub summary: &'static str,
    /// How the host may divide a job.
    pub granularity: Granularity,
    /// Most pages of one job: the first ones of the document, or of those that the submission names.
    pub max_pages: Option<u32>,
}

/// A shard of a job.
#[derive(Clone, Debug)]
pub struct Request<P> {
    /// The model's own part of the submission.
    pub parameters: P,
    /// This shard's pages: 1-based, ascending, each once, all inside the document.
    pub pages: Vec<u32>,
    /// SHA-256 of the document's bytes, in lower-case hex. [`crate::identifier`] takes it.
    pub document_sha256: String,
}

/// Why there is no result. Messages are for the operator's log; clients read a generic sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The document cannot be read. Clients read `PDF_CORRUPT`.
    PdfCorrupt(String),
    /// The document is valid, but this model cannot work on it. Clients read `UNSUPPORTED_DOCUMENT`.
    Unsupported(String),
    /// Any other failure: a defect or a limit of the plugin. Clients read `INTERNAL_ERROR` and are refunded.
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

/// A model: JSON in, JSON out, converted by serde and described by schemars.
///
/// Each call may run in a new instance, so statics keep nothing between calls. A model that lists what it finds on
/// each page implements [`crate::PageModel`] instead.
pub trait Model {
    /// The model's own part of a submission. Its schema is published. The host decides about unknown fields by that
    /// schema.
    type Parameters: DeserializeOwned + JsonSchema;
    /// The result of one shard.
    type Partial: Serialize + DeserializeOwned + JsonSchema;
    /// The result: what is stored, and after [`Model::present`] what clients read. Must serialize as an object.
    type Outcome: Serialize + DeserializeOwned + JsonSchema;

    /// Whether [`Model::present`] changes the result. Set it together with an own `present`.
    const PRESENTS: bool = false;

    /// Returns the description, the same at every call.
    fn description() -> Description;

    /// Analyzes one shard.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the job.
    fn analyze(request: &Request<Self::Parameters>) -> Result<Self::Partial, Failure>;

    /// Joins all partial results, in page order. `request.pages` are all of the job's pages.
    ///
    /// # Errors
    ///
    /// The [`Failure`] of the job.
    fn conclude(request: &Request<Self::Parameters>, partials: Vec<Self::Partial>) -> Result<Self::Outcome, Failure>;

    /// Converts the stored result to what clients read. It runs at every read, so it must be pure and fast. It has no
    /// document.
    ///
    /// # Errors
    ///
    /// A [`Failure`] if the stored result cannot be shown.
    fn present(stored: Self::Outcome) -> Result<Self::Outcome, Failure> {
        Ok(stored)
    }
}
