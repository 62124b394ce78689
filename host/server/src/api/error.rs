//! The one error that clients read, and how everything that goes wrong becomes one.

use std::fmt;

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
use crate::batch::BatchError;
use crate::idempotency::IdempotencyError;
use crate::inspection::InspectionError;
use crate::intake::IntakeError;
use crate::links::BadLink;
use crate::result::PresentError;
use crate::sections::SectionsError;
use crate::submission::SubmissionError;
use crate::worker::causes;

/// What went wrong, for programs. Each has one status and one sentence for people.
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
    const ALL: [Self; 27] = [
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

    /// Status, code and message as they are sent.
    pub(super) const fn parts(self) -> (u16, &'static str, &'static str) {
        match self {
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
            Self::ModelUnavailable => (503, "MODEL_UNAVAILABLE", "The model is not installed"),
        }
    }

    fn status(self) -> StatusCode {
        StatusCode::from_u16(self.parts().0).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// The envelope of every error.
#[derive(Debug, Object)]
#[oai(rename = "Error")]
struct Envelope {
    /// What went wrong.
    error: ErrorBody,
    /// With `RATE_LIMITED`: seconds after which there is room for a request.
    #[oai(skip_serializing_if_is_none)]
    retry_after_seconds: Option<u64>,
}

/// What went wrong, for programs and for people.
#[derive(Debug, Object)]
struct ErrorBody {
    /// One of a fixed set of words.
    code: String,
    /// A short, generic sentence.
    message: String,
}

/// An error as clients read it. What is behind it goes into the log only.
#[derive(Debug)]
pub(crate) struct ApiError {
    code: Code,
    detail: String,
    allow: Option<String>,
    retry_after_seconds: Option<u64>,
}

impl ApiError {
    /// `detail` is for the log.
    pub(crate) fn new(code: Code, detail: impl fmt::Display) -> Self {
        Self { code, detail: detail.to_string(), allow: None, retry_after_seconds: None }
    }

    /// A wrong method, with the right ones.
    pub(crate) fn method_not_allowed(allow: String) -> Self {
        Self { allow: Some(allow), ..Self::new(Code::MethodNotAllowed, "wrong method") }
    }

    /// One request too many.
    pub(crate) fn rate_limited(retry_after_seconds: u64) -> Self {
        let detail = format!("the bucket is empty for {retry_after_seconds} s");
        Self { retry_after_seconds: Some(retry_after_seconds), ..Self::new(Code::RateLimited, detail) }
    }

    /// What the framework or a handler made of a request that went wrong.
    pub(crate) fn from_poem(error: &poem::Error) -> Self {
        if let Some(own) = error.downcast_ref::<Self>() {
            return Self { detail: own.detail.clone(), allow: own.allow.clone(), ..*own };
        }
        Self::new(code_of(error), error)
    }

    /// What clients read.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// As it is sent.
    pub(crate) fn response(&self) -> Response {
        let (_, code, message) = self.code.parts();
        let error = ErrorBody { code: code.to_owned(), message: message.to_owned() };
        let body = Envelope { error, retry_after_seconds: self.retry_after_seconds }.to_json_string();
        let mut response = Response::builder()
            .status(self.code.status())
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

/// The framework's own errors.
fn code_of(error: &poem::Error) -> Code {
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
        Some(ReadBodyError::Io(io)) => return BodyError::of(io).map_or(Code::BadRequest, code_of_body),
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

fn code_of_body(error: BodyError) -> Code {
    match error {
        BodyError::TooLarge => Code::FileTooLarge,
        BodyError::TooSlow => Code::BadRequest,
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.code.parts().1, self.detail)
    }
}

impl std::error::Error for ApiError {}

impl ResponseError for ApiError {
    fn status(&self) -> StatusCode {
        self.code.status()
    }

    fn as_response(&self) -> Response {
        self.response()
    }
}

/// Every operation may answer with any of the statuses, all in one schema.
impl ApiResponse for ApiError {
    fn meta() -> MetaResponses {
        let mut statuses: Vec<u16> = Code::ALL.iter().map(|code| code.parts().0).collect();
        statuses.sort_unstable();
        statuses.dedup();
        let response = |status| MetaResponse {
            description: "Something went wrong; the body says what",
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: <Json<Envelope> as Payload>::CONTENT_TYPE,
                schema: <Json<Envelope> as Payload>::schema_ref(),
            }],
            headers: vec![],
        };
        MetaResponses { responses: statuses.into_iter().map(response).collect() }
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
            StoreError::InvalidSignInLink | StoreError::TooManyKeys { .. } => Code::Forbidden,
            StoreError::AccountNotFound | StoreError::KeyNotFound | StoreError::BatchNotFound => Code::NotFound,
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
            StoreError::NotFinished => Code::JobNotComplete,
            StoreError::NoWebhook => Code::NoWebhook,
            StoreError::TooLarge { .. } => Code::FileTooLarge,
            _ => Code::InternalError,
        };
        Self::new(code, causes(&error))
    }
}

impl From<IntakeError> for ApiError {
    fn from(error: IntakeError) -> Self {
        let code = match error {
            IntakeError::Store(error) => return error.into(),
            IntakeError::NotAPdf => Code::UnsupportedMediaType,
            IntakeError::TooLarge { .. } => Code::FileTooLarge,
            IntakeError::Inspection(error) => return error.into(),
            IntakeError::Form(_) => Code::ValidationError,
            IntakeError::Body(_) | IntakeError::TooSlow => Code::BadRequest,
        };
        Self::new(code, error)
    }
}

impl From<InspectionError> for ApiError {
    fn from(error: InspectionError) -> Self {
        let code = match error {
            InspectionError::Store(error) => return error.into(),
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
            | InspectionError::Encoding(_) => Code::InternalError,
        };
        Self::new(code, error)
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

impl From<BadLink> for ApiError {
    fn from(error: BadLink) -> Self {
        Self::new(Code::Forbidden, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_framework_has_a_code_of_ours() {
        let status = |status: u16| poem::Error::from_status(StatusCode::from_u16(status).unwrap());
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
            (status(418), Code::BadRequest),
            (status(502), Code::InternalError),
        ];
        for (error, expected) in cases {
            assert_eq!(ApiError::from_poem(&error).code(), expected, "{error}");
        }
    }

    #[tokio::test]
    async fn what_is_behind_an_error_stays_out_of_the_response() {
        let error = ApiError::from(StoreError::Corrupt { what: "UUID", value: "s3cret".to_owned() });
        assert!(error.to_string().contains("s3cret"));
        let body = error.response().into_body().into_string().await.unwrap();
        assert_eq!(body, "{\"error\":{\"code\":\"INTERNAL_ERROR\",\"message\":\"Internal error\"}}");
    }
}
