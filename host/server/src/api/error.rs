//! The error that clients read, and the conversions of all other errors into it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fanlight_sandbox::{AnnotateError, OpenError};
use fanlight_store::StoreError;
use poem::error::{MethodNotAllowedError, NotFoundError, ReadBodyError, ResponseError};
use poem::http::{StatusCode, header};
use poem::{Body, Response};
use poem_openapi::error::{
    AuthorizationError, ContentTypeError, ParseMultipartError, ParseParamError, ParsePathError,
    ParseRequestPayloadError,
};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, Registry};
use poem_openapi::types::ToJSON;
use poem_openapi::{ApiResponse, Object};

use crate::api::body::BodyError;
use crate::domain::batch::BatchError;
use crate::domain::idempotency::IdempotencyError;
use crate::domain::inspection::InspectionError;
use crate::domain::links::BadLink;
use crate::domain::result::PresentError;
use crate::domain::review::ReviewError;
use crate::domain::sections::SectionsError;
use crate::domain::submission::SubmissionError;
use crate::domain::upload::UploadError;
use crate::errors::error_chain;

/// Code of an error. Each has one HTTP status and one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    BadRequest,
    Unauthorized,
    SignInRequired,
    FreeTierLimitReached,
    Forbidden,
    DocumentNotFound,
    JobNotFound,
    NotFound,
    MethodNotAllowed,
    JobNotCancellable,
    FileTooLarge,
    UnsupportedMediaType,
    RangeNotSatisfiable,
    ValidationError,
    InvalidSection,
    NoSectionsResolved,
    JobNotComplete,
    NoTables,
    UnknownItem,
    UnknownKind,
    UnknownCell,
    BoxOutsidePage,
    ReviewChanged,
    PdfCorrupt,
    PdfEncrypted,
    NoWebhook,
    QuotaExceeded,
    RateLimited,
    IdempotencyKeyReused,
    IdempotencyKeyInUse,
    InternalError,
    Overloaded,
    ModelUnavailable,
}

impl Code {
    /// Every code.
    const ALL: [Self; 33] = [
        Self::BadRequest,
        Self::Unauthorized,
        Self::SignInRequired,
        Self::FreeTierLimitReached,
        Self::Forbidden,
        Self::DocumentNotFound,
        Self::JobNotFound,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::JobNotCancellable,
        Self::FileTooLarge,
        Self::UnsupportedMediaType,
        Self::RangeNotSatisfiable,
        Self::ValidationError,
        Self::InvalidSection,
        Self::NoSectionsResolved,
        Self::JobNotComplete,
        Self::NoTables,
        Self::UnknownItem,
        Self::UnknownKind,
        Self::UnknownCell,
        Self::BoxOutsidePage,
        Self::ReviewChanged,
        Self::PdfCorrupt,
        Self::PdfEncrypted,
        Self::NoWebhook,
        Self::QuotaExceeded,
        Self::RateLimited,
        Self::IdempotencyKeyReused,
        Self::IdempotencyKeyInUse,
        Self::InternalError,
        Self::Overloaded,
        Self::ModelUnavailable,
    ];

    /// Returns the HTTP status.
    pub(super) const fn status(self) -> u16 {
        self.description().status
    }

    /// Returns the code's name as clients read it.
    pub(super) const fn name(self) -> &'static str {
        self.description().name
    }

    /// Returns the message for people.
    pub(super) const fn message(self) -> &'static str {
        self.description().message
    }

    const fn description(self) -> Description {
        let (status, name, message) = match self {
            Self::BadRequest => (400, "BAD_REQUEST", "Bad request"),
            Self::Unauthorized => (401, "UNAUTHORIZED", "Missing or invalid API key"),
            Self::SignInRequired => (401, "UNAUTHORIZED", "Missing or invalid bearer token or session"),
            Self::FreeTierLimitReached => (402, "FREE_TIER_LIMIT_REACHED", "The free tier's credits are used up"),
            Self::Forbidden => (403, "FORBIDDEN", "Forbidden"),
            Self::DocumentNotFound => (404, "DOCUMENT_NOT_FOUND", "Document not found"),
            Self::JobNotFound => (404, "JOB_NOT_FOUND", "Job not found"),
            Self::NotFound => (404, "NOT_FOUND", "Not found"),
            Self::MethodNotAllowed => (405, "METHOD_NOT_ALLOWED", "Method not allowed"),
            Self::JobNotCancellable => (409, "JOB_NOT_CANCELLABLE", "Only a queued job can be cancelled"),
            Self::FileTooLarge => (413, "FILE_TOO_LARGE", "The file or body is too large"),
            Self::UnsupportedMediaType => (415, "UNSUPPORTED_MEDIA_TYPE", "Unsupported media type"),
            Self::RangeNotSatisfiable => (416, "RANGE_NOT_SATISFIABLE", "The range lies outside the file"),
            Self::ValidationError => (422, "VALIDATION_ERROR", "Invalid request"),
            Self::InvalidSection => (422, "INVALID_SECTION_CODE", "A section code is not valid"),
            Self::NoSectionsResolved => (422, "NO_SECTIONS_RESOLVED", "The codes lead to no sections"),
            Self::JobNotComplete => (422, "JOB_NOT_COMPLETE", "The job is not complete"),
            Self::NoTables => (422, "NO_TABLES", "The job's result has no schedules"),
            Self::UnknownItem => (422, "UNKNOWN_ITEM", "The result has no such item or list"),
            Self::UnknownKind => (422, "UNKNOWN_KIND", "The model knows no such kind"),
            Self::UnknownCell => (422, "UNKNOWN_CELL", "The result has no such cell"),
            Self::BoxOutsidePage => (422, "BOX_OUTSIDE_PAGE", "A box is empty or lies outside its page"),
            Self::ReviewChanged => (412, "REVIEW_CHANGED", "The review has changed since it was read"),
            Self::PdfCorrupt => (422, "PDF_CORRUPT", "The PDF can't be read"),
            Self::PdfEncrypted => (422, "PDF_ENCRYPTED", "The PDF is protected by a password"),
            Self::NoWebhook => (422, "NO_WEBHOOK", "The job has no webhook"),
            Self::QuotaExceeded => (429, "QUOTA_EXCEEDED", "The credits of this month are used up"),
            Self::RateLimited => (429, "RATE_LIMITED", "Too many requests in a minute"),
            Self::IdempotencyKeyReused => {
                (422, "IDEMPOTENCY_KEY_REUSED", "The idempotency key was used for another request")
            }
            Self::IdempotencyKeyInUse => {
                (409, "IDEMPOTENCY_KEY_IN_USE", "The request of the idempotency key is being carried out")
            }
            Self::InternalError => (500, "INTERNAL_ERROR", "Internal error"),
            Self::Overloaded => (503, "OVERLOADED", "The service is busy, try again later"),
            Self::ModelUnavailable => (503, "MODEL_UNAVAILABLE", "The model is not available"),
        };
        Description { status, name, message }
    }

    fn status_code(self) -> StatusCode {
        StatusCode::from_u16(self.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// What a response says of a [`Code`].
struct Description {
    status: u16,
    name: &'static str,
    message: &'static str,
}

/// Body of every error response.
#[derive(Debug, Object)]
#[oai(rename = "Error")]
struct Envelope {
    /// The error.
    error: ErrorBody,
    /// Seconds after which to try again; with `RATE_LIMITED`, and with `MODEL_UNAVAILABLE` if the model is set aside.
    #[oai(skip_serializing_if_is_none)]
    retry_after_seconds: Option<u64>,
}

/// Code and message of an error.
#[derive(Debug, Object)]
struct ErrorBody {
    /// Machine-readable code, from a fixed set.
    code: String,
    /// Short, generic message for people.
    message: String,
}

/// An error as clients read it. Its detail goes into the log only.
#[derive(Debug)]
pub(crate) struct ApiError {
    code: Code,
    detail: String,
    allow: Option<String>,
    retry_after_seconds: Option<u64>,
}

impl ApiError {
    /// Creates an error. Only the log shows `detail`.
    pub(crate) fn new(code: Code, detail: impl fmt::Display) -> Self {
        Self { code, detail: detail.to_string(), allow: None, retry_after_seconds: None }
    }

    /// Creates the error for a method that the path does not have. `allow` lists those that it has.
    pub(crate) fn method_not_allowed(allow: String) -> Self {
        Self { allow: Some(allow), ..Self::new(Code::MethodNotAllowed, "wrong method") }
    }

    /// Creates the error for a request beyond the rate limit.
    pub(crate) fn rate_limited(retry_after_seconds: u64) -> Self {
        let detail = format!("the token bucket is empty for {retry_after_seconds} s");
        Self { retry_after_seconds: Some(retry_after_seconds), ..Self::new(Code::RateLimited, detail) }
    }

    /// Creates the error for a submission to a model that is set aside for a while.
    fn set_aside(detail: impl fmt::Display, retry_after: Duration) -> Self {
        let seconds = retry_after.as_secs_f64().ceil().max(1.0) as u64;
        Self { retry_after_seconds: Some(seconds), ..Self::new(Code::ModelUnavailable, detail) }
    }

    /// Converts an error of the framework, or one that a handler returned through it.
    pub(crate) fn from_poem(error: &poem::Error) -> Self {
        if let Some(own) = error.downcast_ref::<Self>() {
            return Self { detail: own.detail.clone(), allow: own.allow.clone(), ..*own };
        }
        Self::new(framework_code(error), error)
    }

    /// Returns the code that clients read.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// Returns the HTTP response.
    pub(crate) fn response(&self) -> Response {
        let error = ErrorBody { code: self.code.name().to_owned(), message: self.code.message().to_owned() };
        let body = Envelope { error, retry_after_seconds: self.retry_after_seconds }.to_json_string();
        let mut response = Response::builder()
            .status(self.code.status_code())
            .content_type("application/json; charset=utf-8")
            .body(Body::from_string(body));
        let headers = response.headers_mut();
        match self.code {
            Code::Unauthorized => {
                headers.insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("ApiKey realm=\"fanlight\""));
            }
            Code::SignInRequired => {
                headers.insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer realm=\"fanlight\""));
            }
            Code::Overloaded => {
                headers.insert(header::RETRY_AFTER, header::HeaderValue::from_static("5"));
            }
            _ => {}
        }
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if let Some(allow) = self.allow.as_deref().and_then(|allow| allow.parse().ok()) {
            headers.insert(header::ALLOW, allow);
        }
        response
    }
}

/// Returns the code for one of the framework's own errors.
fn framework_code(error: &poem::Error) -> Code {
    let invalid = error.is::<ParsePathError>()
        || error.is::<ParseParamError>()
        || error.is::<ParseRequestPayloadError>()
        || error.is::<ParseMultipartError>();
    if invalid {
        return Code::ValidationError;
    }
    if error.is::<AuthorizationError>() {
        return Code::Unauthorized;
    }
    if error.is::<ContentTypeError>() {
        return Code::UnsupportedMediaType;
    }
    if error.is::<NotFoundError>() {
        return Code::NotFound;
    }
    if error.is::<MethodNotAllowedError>() {
        return Code::MethodNotAllowed;
    }
    match error.downcast_ref::<ReadBodyError>() {
        Some(ReadBodyError::Io(io)) => return BodyError::from_io(io).map_or(Code::BadRequest, body_code),
        Some(ReadBodyError::Utf8(_)) => return Code::ValidationError,
        _ => {}
    }
    match error.status() {
        StatusCode::UNAUTHORIZED => Code::Unauthorized,
        StatusCode::FORBIDDEN => Code::Forbidden,
        StatusCode::NOT_FOUND => Code::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => Code::MethodNotAllowed,
        StatusCode::PAYLOAD_TOO_LARGE => Code::FileTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
        StatusCode::RANGE_NOT_SATISFIABLE => Code::RangeNotSatisfiable,
        StatusCode::UNPROCESSABLE_ENTITY => Code::ValidationError,
        status if status.is_client_error() => Code::BadRequest,
        _ => Code::InternalError,
    }
}

/// Returns the code for a body that exceeds a limit.
fn body_code(error: BodyError) -> Code {
    match error {
        BodyError::TooLarge => Code::FileTooLarge,
        BodyError::TooSlow => Code::BadRequest,
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code.name(), self.detail)
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status(&self) -> StatusCode {
        self.code.status_code()
    }

    fn as_response(&self) -> Response {
        self.response()
    }
}

/// Describes a response with this status.
fn error_response(status: u16) -> MetaResponse {
    MetaResponse {
        description: "The request failed; the body has the code",
        status: Some(status),
        status_range: None,
        content: vec![MetaMediaType {
            content_type: <Json<Envelope> as Payload>::CONTENT_TYPE,
            schema: <Json<Envelope> as Payload>::schema_ref(),
        }],
        headers: vec![],
    }
}

/// Declares all statuses for every operation. The OpenAPI document later narrows them to those that apply.
impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        let mut statuses: Vec<u16> = Code::ALL.iter().map(|code| code.status()).collect();
        statuses.sort_unstable();
        statuses.dedup();
        MetaResponses { responses: statuses.into_iter().map(error_response).collect() }
    }

    fn register(registry: &mut Registry) {
        <Json<Envelope> as Payload>::register(registry);
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::InvalidKey => Code::Unauthorized,
            StoreError::InvalidSession => Code::SignInRequired,
            StoreError::InvalidSignInLink | StoreError::InvalidShare | StoreError::TooManyKeys { .. } => {
                Code::Forbidden
            }
            StoreError::AccountNotFound
            | StoreError::KeyNotFound
            | StoreError::BatchNotFound
            | StoreError::ShareNotFound => Code::NotFound,
            StoreError::DocumentNotFound => Code::DocumentNotFound,
            StoreError::JobNotFound => Code::JobNotFound,
            StoreError::TierAbovePlan { .. }
            | StoreError::InvalidListRequest(_)
            | StoreError::BatchSize
            | StoreError::InvalidKeyName
            | StoreError::ExpiryPassed => Code::ValidationError,
            StoreError::FreeTierLimit => Code::FreeTierLimitReached,
            StoreError::QuotaExceeded => Code::QuotaExceeded,
            StoreError::IdempotencyKeyReused => Code::IdempotencyKeyReused,
            StoreError::IdempotencyKeyInUse => Code::IdempotencyKeyInUse,
            StoreError::NotCancellable => Code::JobNotCancellable,
            StoreError::NotFinished | StoreError::JobNotComplete => Code::JobNotComplete,
            StoreError::ReviewChanged => Code::ReviewChanged,
            StoreError::NoWebhook => Code::NoWebhook,
            StoreError::TooLarge { .. } => Code::FileTooLarge,
            _ => Code::InternalError,
        };
        Self::new(code, error_chain(&error))
    }
}

impl From<UploadError> for ApiError {
    fn from(error: UploadError) -> Self {
        let code = match error {
            UploadError::Store(error) => return error.into(),
            UploadError::NotAPdf => Code::UnsupportedMediaType,
            UploadError::TooLarge { .. } => Code::FileTooLarge,
            UploadError::Inspection(error) => return error.into(),
            UploadError::Form(_) => Code::ValidationError,
            UploadError::Body(_) | UploadError::TooSlow => Code::BadRequest,
        };
        Self::new(code, error)
    }
}

impl From<InspectionError> for ApiError {
    fn from(error: InspectionError) -> Self {
        match error {
            InspectionError::Store(error) => error.into(),
            other => Self::new(inspection_code(&other), other),
        }
    }
}

impl From<Arc<InspectionError>> for ApiError {
    fn from(error: Arc<InspectionError>) -> Self {
        Self::new(inspection_code(&error), error)
    }
}

/// Returns the code of a call to the PDF engine that has no result.
fn inspection_code(error: &InspectionError) -> Code {
    match error {
        InspectionError::Unreadable(OpenError::Encrypted(_))
        | InspectionError::NotAnnotated(AnnotateError::Encrypted) => Code::PdfEncrypted,
        InspectionError::Unreadable(OpenError::NotAPdf | OpenError::Corrupt(_))
        | InspectionError::NotAnnotated(AnnotateError::Corrupt(_)) => Code::PdfCorrupt,
        InspectionError::NoAnnotator => Code::ModelUnavailable,
        InspectionError::NoSuchPage(_) => Code::NotFound,
        InspectionError::NoPicture(_) => Code::ValidationError,
        InspectionError::Overloaded(_) => Code::Overloaded,
        InspectionError::Unreadable(OpenError::Engine(_))
        | InspectionError::NotAnnotated(AnnotateError::Annotator(_))
        | InspectionError::Blob(_)
        | InspectionError::Store(_)
        | InspectionError::Encoding(_) => Code::InternalError,
    }
}

impl From<SubmissionError> for ApiError {
    fn from(error: SubmissionError) -> Self {
        match error {
            SubmissionError::Store(error) => error.into(),
            SubmissionError::Invalid(_) | SubmissionError::NoContents => Self::new(Code::ValidationError, error),
            SubmissionError::Sections(SectionsError::InvalidCode(_)) => Self::new(Code::InvalidSection, error),
            SubmissionError::Sections(SectionsError::NoneResolved) => Self::new(Code::NoSectionsResolved, error),
            SubmissionError::SourceNotComplete(_) => Self::new(Code::JobNotComplete, error),
            SubmissionError::NoSuchModel(_) => Self::new(Code::NotFound, error),
            SubmissionError::ModelUnavailable(_) => Self::new(Code::ModelUnavailable, error),
            SubmissionError::ModelCompiling(_) => Self::new(Code::Overloaded, error),
            SubmissionError::ModelSetAside { retry_after, .. } => Self::set_aside(error, retry_after),
        }
    }
}

impl From<BatchError> for ApiError {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Store(error) => error.into(),
            BatchError::Request { index, error } => {
                let Self { code, detail, .. } = error.into();
                Self::new(code, format!("request {index} of the batch: {detail}"))
            }
        }
    }
}

impl From<IdempotencyError> for ApiError {
    fn from(error: IdempotencyError) -> Self {
        match error {
            IdempotencyError::Store(error) => error.into(),
            IdempotencyError::Invalid(_) => Self::new(Code::ValidationError, error),
            IdempotencyError::Sealed => Self::new(Code::InternalError, error),
        }
    }
}

impl From<PresentError> for ApiError {
    fn from(error: PresentError) -> Self {
        match error {
            PresentError::Store(error) => error.into(),
            PresentError::NotInstalled(_) => Self::new(Code::ModelUnavailable, error),
            PresentError::Compiling(_) => Self::new(Code::Overloaded, error),
            _ => Self::new(Code::InternalError, error),
        }
    }
}

impl From<ReviewError> for ApiError {
    fn from(error: ReviewError) -> Self {
        let code = match error {
            ReviewError::Store(error) => return error.into(),
            ReviewError::Inspection(error) => return error.into(),
            ReviewError::UnknownItem(_) => Code::UnknownItem,
            ReviewError::UnknownKind { .. } => Code::UnknownKind,
            ReviewError::UnknownCell { .. } => Code::UnknownCell,
            ReviewError::BoxOutsidePage { .. } => Code::BoxOutsidePage,
            ReviewError::Repeated(_)
            | ReviewError::RejectedAndChanged(_)
            | ReviewError::InvalidOutline(_)
            | ReviewError::BoxAndOutline(_) => Code::ValidationError,
            ReviewError::Unreadable(_) => Code::InternalError,
        };
        Self::new(code, error)
    }
}

impl From<BadLink> for ApiError {
    fn from(error: BadLink) -> Self {
        Self::new(Code::Forbidden, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_framework_gets_a_code() {
        let cases = [
            (NotFoundError.into(), Code::NotFound),
            (MethodNotAllowedError.into(), Code::MethodNotAllowed),
            (AuthorizationError.into(), Code::Unauthorized),
            (ContentTypeError::ExpectContentType.into(), Code::UnsupportedMediaType),
            (ParseRequestPayloadError { reason: "not JSON".to_owned() }.into(), Code::ValidationError),
            (ParsePathError { name: "id", reason: "not a UUID".to_owned() }.into(), Code::ValidationError),
            (ReadBodyError::PayloadTooLarge.into(), Code::FileTooLarge),
            (ReadBodyError::Io(BodyError::TooLarge.into()).into(), Code::FileTooLarge),
            (ReadBodyError::Io(std::io::ErrorKind::ConnectionReset.into()).into(), Code::BadRequest),
            (poem::Error::from_status(StatusCode::IM_A_TEAPOT), Code::BadRequest),
            (poem::Error::from_status(StatusCode::BAD_GATEWAY), Code::InternalError),
        ];
        for (error, expected) in cases {
            assert_eq!(ApiError::from_poem(&error).code(), expected, "{error}");
        }
    }

    #[tokio::test]
    async fn the_detail_of_an_error_is_not_sent() {
        let error = ApiError::from(StoreError::Corrupt { what: "UUID", value: "s3cret".to_owned() });
        assert!(error.to_string().contains("s3cret"));
        let body = error.response().into_body().into_string().await.unwrap();
        assert_eq!(body, "{\"error\":{\"code\":\"INTERNAL_ERROR\",\"message\":\"Internal error\"}}");
    }
}
