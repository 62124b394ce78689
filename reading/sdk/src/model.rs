//! The trait that a plugin implements, and its types.

use fanlight_contract::{OpenError, PageError};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How the host may divide a job.
///
/// ```
/// use fanlight_plugin::Granularity;
///
/// /// Doors are found on each page by itself. A table of contents is read as a whole.
/// fn granularity(needs_other_pages: bool) -> Granularity {
///     if needs_other_pages { Granularity::Document } else { Granularity::Page }
/// }
///
/// assert_eq!(granularity(false), Granularity::Page);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Granularity {
    /// [`Model::analyze`] is called once, with all pages of the job.
    Document,
    /// [`Model::analyze`] is called for runs of pages, in parallel, each call in an instance of its own.
    Page,
}

/// The description of a model. It has no schemas, because they follow from the types of [`Model`].
///
/// ```
/// use fanlight_plugin::{Description, Granularity};
///
/// let description = Description {
///     name: "toc-reader",
///     version: "0.1.0",
///     summary: "Reads the table of contents of a manual.",
///     granularity: Granularity::Document,
///     // A table of contents stands at the beginning.
///     max_pages: Some(50),
/// };
/// assert!(description.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-'));
/// ```
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
///
/// ```
/// use fanlight_plugin::Request;
///
/// struct Parameters {
///     skip_cover: bool,
/// }
///
/// /// Returns the pages that are read.
/// fn pages(request: &Request<Parameters>) -> Vec<u32> {
///     let first = if request.parameters.skip_cover { 2 } else { 1 };
///     request.pages.iter().copied().filter(|&page| page >= first).collect()
/// }
///
/// // A test makes a request without a host.
/// let parameters = Parameters { skip_cover: true };
/// let request = Request { parameters, pages: vec![1, 2, 5], document_sha256: "9f86d081".to_owned() };
/// assert_eq!(pages(&request), [2, 5]);
/// ```
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
///
/// ```
/// use fanlight_plugin::Failure;
/// use fanlight_plugin::vocabulary::OpenError;
///
/// // Errors of the engine become failures by `?`.
/// let failure = Failure::from(OpenError::PasswordRequired);
/// assert_eq!(failure, Failure::PdfCorrupt("a password is required".to_owned()));
///
/// /// A valid document without pages that the model works on.
/// fn only_text() -> Failure {
///     Failure::Unsupported("no page has a drawing".to_owned())
/// }
/// # assert!(matches!(only_text(), Failure::Unsupported(_)));
/// ```
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
///
/// ```
/// use fanlight_plugin::{Description, Failure, Granularity, Model, NoParameters, Request};
///
/// /// Sums page numbers. What it stores has no mean; clients read one.
/// struct Sum;
///
/// #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
/// struct Outcome {
///     sum: u32,
///     pages: u32,
///     mean: Option<f64>,
/// }
///
/// impl Model for Sum {
///     type Parameters = NoParameters;
///     type Partial = u32;
///     type Outcome = Outcome;
///
///     const PRESENTS: bool = true;
///
///     fn description() -> Description {
///         Description {
///             name: "sum",
///             version: "0.1.0",
///             summary: "Sums page numbers.",
///             granularity: Granularity::Page,
///             max_pages: None,
///         }
///     }
///
///     fn analyze(request: &Request<NoParameters>) -> Result<u32, Failure> {
///         Ok(request.pages.iter().sum())
///     }
///
///     fn conclude(request: &Request<NoParameters>, partials: Vec<u32>) -> Result<Outcome, Failure> {
///         Ok(Outcome { sum: partials.iter().sum(), pages: request.pages.len() as u32, mean: None })
///     }
///
///     fn present(stored: Outcome) -> Result<Outcome, Failure> {
///         Ok(Outcome { mean: Some(f64::from(stored.sum) / f64::from(stored.pages)), ..stored })
///     }
/// }
///
/// // As the host calls it: `analyze` for each shard, `conclude` once, `present` at every read.
/// let request = |pages| Request { parameters: NoParameters {}, pages, document_sha256: String::new() };
/// let partials = vec![Sum::analyze(&request(vec![1, 2])).unwrap(), Sum::analyze(&request(vec![3])).unwrap()];
/// let stored = Sum::conclude(&request(vec![1, 2, 3]), partials).unwrap();
/// assert_eq!(Sum::present(stored).unwrap().mean, Some(2.0));
/// ```
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
