//! A job as clients read it, in answers and in messages to webhooks.

use fanlight_store::{Job, JobStatus};
use poem_openapi::{Enum, Object};
use serde::Serialize;
use serde::ser::Error;
use uuid::Uuid;

use crate::errors::{PDF_CORRUPT, UNSUPPORTED_DOCUMENT};
use crate::views::progress;
use crate::views::values::{Nullable, ResultSchema, Time, WarningCode};

/// The field of a job that holds the model's result.
const RESULT: &str = "result";
/// Approximate size of a job's other fields, in bytes.
const ROOM_FOR_SUMMARY: usize = 1024;

/// A job without its result, as in lists.
#[derive(Debug, Object, Serialize)]
#[oai(rename = "JobSummary")]
// `Object` writes it as a part of other objects; `Serialize` writes it straight to text in `JobView`, the usual case.
pub(crate) struct JobSummary {
    /// Job ID.
    id: Uuid,
    /// Status of the job.
    status: Status,
    /// Name of the model.
    model: String,
    /// Version of the model, as `<model>-v<major>.<minor>.<patch>`.
    model_version: String,
    /// Tier of the key that submitted the job.
    tier: String,
    /// Document that the job analyzes.
    document_id: Uuid,
    /// Human-readable progress.
    progress: String,
    /// Whether the result was reused from an equal submission.
    cached: bool,
    /// Resources that the model needed and did not have, which may have weakened the result. Empty until the job is
    /// complete.
    warnings: Vec<JobWarning>,
    /// Credits charged; 0 after a refund.
    credits_charged: u32,
    /// Time of submission.
    queued_at: Time,
    /// Time at which a worker claimed the job; null while it is queued.
    processing_started_at: Nullable<Time>,
    /// Time at which the job reached its final status; null until then.
    completed_at: Nullable<Time>,
    /// Processing time in milliseconds; null until the job is final.
    processing_time_ms: Nullable<u64>,
    /// Signed link to the document's file, valid for one hour. It needs no key.
    pdf_url: String,
    /// Machine-readable reason for the failure; only if the job failed.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_code: Option<ErrorCode>,
    /// Human-readable reason for the failure; only if the job failed.
    #[oai(skip_serializing_if_is_none)]
    #[serde(skip_serializing_if = "Option::is_none")]
    error_message: Option<String>,
    /// Time at which the webhook first accepted the job; null until then.
    webhook_delivered_at: Nullable<Time>,
    /// Time at which the job is deleted.
    expires_at: Time,
}

/// A resource that was missing when a result was made.
#[derive(Debug, Object, Serialize)]
struct JobWarning {
    /// Machine-readable name of the missing resource.
    code: WarningCode,
    /// Human-readable description of what was missing.
    message: String,
}

impl From<fanlight_store::Warning> for JobWarning {
    fn from(warning: fanlight_store::Warning) -> Self {
        Self { code: WarningCode(warning.code), message: warning.message }
    }
}

/// A job.
// Describes `JobView` in the OpenAPI document. Its doc comment is the description there. No answer is made of it.
#[derive(Debug, Object)]
#[oai(rename = "Job")]
pub(crate) struct JobSchema {
    #[oai(flatten)]
    summary: JobSummary,
    /// Result of the model; null until the job is complete.
    result: Nullable<ResultSchema>,
}

/// A job as answers and webhooks send it. [`JobSchema`] is its schema.
#[derive(Debug)]
pub(crate) struct JobView {
    summary: JobSummary,
    /// The result's JSON text.
    result: Option<String>,
}

impl JobView {
    /// Joins a job and its result, the text of a JSON object.
    pub(crate) fn new(summary: JobSummary, result: Option<String>) -> Self {
        Self { summary, result }
    }

    /// Returns the JSON text of the job.
    ///
    /// The result's text is copied in as it is, since a tree of it would take many times its bytes.
    pub(crate) fn text(&self) -> Result<String, serde_json::Error> {
        let result = self.result.as_deref().unwrap_or("null");
        let mut body = Vec::with_capacity(ROOM_FOR_SUMMARY + result.len());
        serde_json::to_writer(&mut body, &self.summary)?;
        let mut text = String::from_utf8(body).map_err(serde_json::Error::custom)?;
        text.pop();
        text.extend([",\"", RESULT, "\":", result, "}"]);
        Ok(text)
    }
}

impl JobSummary {
    /// Describes a job. `ahead` is the number of jobs that workers claim before it, if it is queued; `pdf_url` is a
    /// link to its document's file.
    pub(crate) fn new(job: Job, ahead: u64, pdf_url: String) -> Self {
        Self {
            id: job.id,
            status: job.status.into(),
            progress: progress::job(&job, ahead),
            model: job.model,
            model_version: job.model_version,
            tier: job.tier.to_string(),
            document_id: job.document_id,
            cached: job.cached_from.is_some(),
            warnings: job.warnings.into_iter().map(JobWarning::from).collect(),
            credits_charged: job.credits_charged,
            queued_at: Time(job.queued_at),
            processing_started_at: Nullable(job.processing_started_at.map(Time)),
            completed_at: Nullable(job.completed_at.map(Time)),
            processing_time_ms: Nullable(job.processing_time_ms),
            pdf_url,
            error_code: job.error_code.as_deref().map(ErrorCode::from_name),
            error_message: job.error_message,
            webhook_delivered_at: Nullable(job.webhook_delivered_at.map(Time)),
            expires_at: Time(job.expires_at),
        }
    }
}

/// Status of a job.
#[derive(Clone, Copy, Debug, Enum, Serialize)]
#[oai(rename = "JobStatus", rename_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// The job waits for a worker.
    Queued,
    /// A worker runs the job.
    Processing,
    /// The job has a result.
    Complete,
    /// The job has an error code.
    Failed,
    /// The job was cancelled while it was queued.
    Cancelled,
}

impl From<Status> for JobStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Queued => Self::Queued,
            Status::Processing => Self::Processing,
            Status::Complete => Self::Complete,
            Status::Failed => Self::Failed,
            Status::Cancelled => Self::Cancelled,
        }
    }
}

impl From<JobStatus> for Status {
    fn from(status: JobStatus) -> Self {
        match status {
            JobStatus::Queued => Self::Queued,
            JobStatus::Processing => Self::Processing,
            JobStatus::Complete => Self::Complete,
            JobStatus::Failed => Self::Failed,
            JobStatus::Cancelled => Self::Cancelled,
        }
    }
}

/// Why a job failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum, Serialize)]
#[oai(rename = "JobErrorCode", rename_all = "SCREAMING_SNAKE_CASE")]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum ErrorCode {
    /// The document cannot be read. The job is not refunded.
    PdfCorrupt,
    /// The document is valid, but the model cannot analyze it. The job is not refunded.
    UnsupportedDocument,
    /// The service or the model failed. The job is refunded.
    InternalError,
}

impl ErrorCode {
    /// Returns the code with this name in the database; [`Self::InternalError`] for an unknown name.
    fn from_name(name: &str) -> Self {
        match name {
            PDF_CORRUPT => Self::PdfCorrupt,
            UNSUPPORTED_DOCUMENT => Self::UnsupportedDocument,
            _ => Self::InternalError,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::DateTime;
    use poem_openapi::types::ToJSON;
    use serde_json::Value;

    fn summary(error: Option<ErrorCode>) -> JobSummary {
        let time = Time(DateTime::from_timestamp_micros(1_795_264_836_123_456).unwrap());
        JobSummary {
            id: Uuid::from_u128(1),
            status: Status::Complete,
            model: "toc-parser".to_owned(),
            model_version: "toc-parser-v1.0.0".to_owned(),
            tier: "pro".to_owned(),
            document_id: Uuid::from_u128(2),
            progress: "Complete: \"all\"".to_owned(),
            cached: false,
            warnings: vec![JobWarning {
                code: WarningCode("OCR_FAILED".to_owned()),
                message: "Some pictures of text were not read: OCR failed.".to_owned(),
            }],
            credits_charged: 1,
            queued_at: time,
            processing_started_at: Nullable(Some(time)),
            completed_at: Nullable(None),
            processing_time_ms: Nullable(Some(279)),
            pdf_url: "http://127.0.0.1/v1/files/a".to_owned(),
            error_code: error,
            error_message: error.map(|_| "It failed.".to_owned()),
            webhook_delivered_at: Nullable(None),
            expires_at: time,
        }
    }

    #[test]
    fn the_text_of_a_job_equals_its_described_object() {
        for name in [None, Some("PDF_CORRUPT"), Some("UNSUPPORTED_DOCUMENT")] {
            let error = name.map(ErrorCode::from_name);
            let described = JobSchema { summary: summary(error), result: Nullable(None) }.to_json();

            let text = JobView { summary: summary(error), result: None }.text().unwrap();
            let with_result =
                JobView { summary: summary(error), result: Some("{\"pages\": 2}".to_owned()) }.text().unwrap();

            assert_eq!(Some(serde_json::from_str::<Value>(&text).unwrap()), described);
            assert!(with_result.ends_with(",\"result\":{\"pages\": 2}}"), "{with_result}");
            assert_eq!(with_result.replace("{\"pages\": 2}", "null"), text);
        }
    }
}
