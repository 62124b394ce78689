//! Submissions: each is checked, charged and queued as a job.

use std::time::{Duration, Instant};

use fanlight_store::{Caller, Job, JobStatus, StoreError, Submission};
use fanlight_webhooks::Sender;
use serde_json::Value;
use thiserror::Error;
use url::Url;
use uuid::Uuid;

use crate::domain::catalog;
use crate::domain::idempotency::{Answer, Held};
use crate::domain::sections::SectionsError;
use crate::domain::service::Service;
use crate::runtime::models::NotReady;

/// Maximum length of a webhook URL in bytes.
const WEBHOOK_URL_LENGTH: usize = 2048;

/// A submission as a client makes it. [`check`] makes a [`Checked`] one of it.
#[derive(Clone, Debug)]
pub(crate) struct UncheckedSubmission {
    /// The model's name.
    pub(crate) model: String,
    /// The document.
    pub(crate) document: Uuid,
    /// Page numbers from 1, as they were given; none for all pages.
    pub(crate) pages: Option<Vec<u32>>,
    /// The model's parameters, a JSON object.
    pub(crate) parameters: Value,
    /// The URL to which the finished job is posted.
    pub(crate) webhook_url: Option<String>,
    /// Whether the stored result of an equal submission may be reused.
    pub(crate) reuse: bool,
}

/// Why a submission is refused. Nothing is queued and nothing is charged.
#[derive(Debug, Error)]
pub(crate) enum SubmissionError {
    /// A part of the submission is not valid.
    #[error("the submission is not valid: {0}")]
    Invalid(String),
    /// Its codes select no sections.
    #[error(transparent)]
    Sections(#[from] SectionsError),
    /// The job of the table of contents is not complete.
    #[error("the job of the table of contents is {0}")]
    SourceNotComplete(JobStatus),
    /// The result of that job holds no table of contents: it was made by a toc-parser that is not the service's own.
    #[error("the result of that job holds no table of contents")]
    NoContents,
    /// The model is neither installed nor one of the service's own.
    #[error("there is no model `{0}`")]
    NoSuchModel(String),
    /// The model is one of the service's own, but is not installed.
    #[error("the model `{0}` is not installed")]
    ModelUnavailable(String),
    /// The model is installed, but is not compiled far enough to describe its parameters in time.
    #[error("the model `{0}` is still being compiled")]
    ModelCompiling(String),
    /// The model is installed, but is set aside since it keeps failing.
    #[error("the model `{model}` is set aside, since it keeps failing")]
    ModelSetAside { model: String, retry_after: Duration },
    /// The document does not exist, the credits do not cover the job, or the database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A valid submission, ready to be charged and queued.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The submission as the store expects it.
    pub(crate) submission: Submission,
    /// Number of pages to analyze.
    pages: u64,
}

impl Checked {
    /// Returns the estimated seconds until its job would be done if the caller queued it now.
    pub(crate) async fn estimated_seconds(&self, service: &Service, caller: &Caller) -> Result<u64, StoreError> {
        let model = &self.submission.model;
        service.estimates.seconds(&service.store, &service.models, caller.account_id, model, self.pages).await
    }
}

/// Charges a submission and queues its job in one transaction.
///
/// If the request holds an idempotency key, `answer` makes the answer that is stored in the same transaction.
///
/// # Errors
///
/// [`SubmissionError::Store`] if the credits do not cover the job, or the database fails.
pub(crate) async fn submit(
    service: &Service,
    caller: &Caller,
    checked: &Checked,
    held: Option<&Held>,
    answer: impl FnOnce(&Job) -> Answer + Send,
) -> Result<Job, SubmissionError> {
    let sealed = |job: &Job| held?.with_answer(&answer(job));
    let job = service.store.submit_answered(caller, &checked.submission, sealed).await?;
    if let Some(held) = held {
        held.settle();
    }
    service.queued.notify_one();
    Ok(job)
}

/// Checks a submission. Whether the credits cover it is checked when it is charged.
///
/// # Errors
///
/// [`SubmissionError`] with the first thing that is wrong.
pub(crate) async fn check(
    service: &Service,
    caller: &Caller,
    unchecked: UncheckedSubmission,
) -> Result<Checked, SubmissionError> {
    if unchecked.pages.as_ref().is_some_and(Vec::is_empty) {
        return Err(SubmissionError::Invalid("the list of pages is empty".to_owned()));
    }
    let webhooks = service.store.limits(caller.tier).webhooks;
    let webhook_url = unchecked.webhook_url.filter(|_| webhooks);
    let webhook_url = webhook_url.as_deref().map(|text| parse_webhook_url(&service.webhooks, text)).transpose();
    let webhook_url = webhook_url.map_err(SubmissionError::Invalid)?;
    let document = service.store.document(caller.account_id, unchecked.document).await?;
    let model = match service.models.described(&unchecked.model).await {
        Ok(model) => model,
        Err(NotReady::NotInstalled) => return Err(not_installed(unchecked.model)),
        Err(NotReady::Compiling) => return Err(SubmissionError::ModelCompiling(unchecked.model)),
    };
    if let Some(retry_after) = service.breakers.pause_left(&model.description().model_version(), Instant::now()) {
        return Err(SubmissionError::ModelSetAside { model: unchecked.model, retry_after });
    }
    model.check_parameters(&unchecked.parameters).map_err(SubmissionError::Invalid)?;

    let pages = model.description().pages(document.page_count, unchecked.pages.as_deref()).len() as u64;
    let price = service.prices.price(&model.description().name);
    let submission = Submission {
        model_version: model.description().model_version(),
        credits: price.credits(unchecked.pages.as_deref(), document.page_count),
        model: model.description().name.clone(),
        parameters: unchecked.parameters,
        pages: unchecked.pages,
        document_id: document.id,
        webhook_url: webhook_url.map(String::from),
        reuse: unchecked.reuse,
    };
    Ok(Checked { submission, pages })
}

/// Returns the error for a model that is not installed.
fn not_installed(model: String) -> SubmissionError {
    match catalog::endpoint(&model) {
        Some(_) => SubmissionError::ModelUnavailable(model),
        None => SubmissionError::NoSuchModel(model),
    }
}

/// Converts page numbers of clients to those of the store. A number that no page can have becomes 0, which no page has
/// either: it is skipped, and billed like the others.
pub(crate) fn pages(given: &[i64]) -> Vec<u32> {
    given.iter().map(|&number| u32::try_from(number).unwrap_or(0)).collect()
}

/// Parses a webhook URL and refuses addresses that are not on the public internet.
///
/// The parsed URL is stored, since parsing drops or encodes invalid characters. Host names are resolved and checked at
/// each delivery.
fn parse_webhook_url(webhooks: &Sender, text: &str) -> Result<Url, String> {
    if text.len() > WEBHOOK_URL_LENGTH {
        return Err("the webhook URL is too long".to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("the webhook URL is not valid: {error}"))?;
    if url.scheme() != "https" || url.host().is_none() {
        return Err("the webhook URL is not an https URL".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the webhook URL holds a user name or password".to_owned());
    }
    if webhooks.refuses(&url) {
        return Err("the webhook URL is not on the public internet".to_owned());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use fanlight_webhooks::SenderOptions;

    use super::*;

    #[test]
    fn a_webhook_url_is_public_https_without_credentials() {
        let options = SenderOptions {
            allowed_hosts: vec!["10.0.0.5:8443".parse().unwrap()],
            authorities: None,
            time_limit: Duration::from_secs(1),
        };
        let webhooks = Sender::new(options).unwrap();
        let long = format!("https://example.com/{}", "a".repeat(2048));
        let cases = [
            ("https://example.com/hook", Some("https://example.com/hook")),
            ("https://example.com:8443/hook?job=1", Some("https://example.com:8443/hook?job=1")),
            (" https://example.com/\u{1}x", Some("https://example.com/%01x")),
            ("https://example.com/a\u{0}b", Some("https://example.com/a%00b")),
            ("https://example.com/ho\tok", Some("https://example.com/hook")),
            ("https://10.0.0.5:8443/hook", Some("https://10.0.0.5:8443/hook")),
            ("https://10.0.0.5/hook", None),
            ("https://127.0.0.1/hook", None),
            ("https://2130706433/hook", None),
            ("https://0177.0.0.1/hook", None),
            ("https://[::ffff:127.0.0.1]/hook", None),
            ("http://example.com/hook", None),
            ("https://user:secret@example.com/", None),
            ("file:///etc/passwd", None),
            ("example.com", None),
            ("", None),
            (&long, None),
        ];
        for (given, kept) in cases {
            assert_eq!(parse_webhook_url(&webhooks, given).ok().as_ref().map(Url::as_str), kept, "{given:?}");
        }
    }

    #[test]
    fn an_impossible_page_number_becomes_zero() {
        let given = [1, 1, 75, 0, -1, i64::MIN, i64::from(u32::MAX), i64::from(u32::MAX) + 1];
        assert_eq!(pages(&given), [1, 1, 75, 0, 0, 0, u32::MAX, 0]);
    }
}
