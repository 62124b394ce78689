//! Submissions: what a client wants run, checked, charged and queued.

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

/// The longest webhook address.
const WEBHOOK_URL_LENGTH: usize = 2048;

/// What a client wants.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    /// The model's name.
    pub(crate) model: String,
    /// The document.
    pub(crate) document: Uuid,
    /// Pages, 1-based, as they were given; all, where absent.
    pub(crate) pages: Option<Vec<u32>>,
    /// The model's own parameters, an object.
    pub(crate) parameters: Value,
    /// Where to post the job once it is done.
    pub(crate) webhook_url: Option<String>,
    /// Whether a stored result of an equal submission will do.
    pub(crate) reuse: bool,
}

/// Why nothing is queued, and nothing charged.
#[derive(Debug, Error)]
pub(crate) enum SubmissionError {
    /// Something in it is not as it must be.
    #[error("the submission is not valid: {0}")]
    Invalid(String),
    /// Its codes lead to no sections.
    #[error(transparent)]
    Sections(#[from] SectionsError),
    /// The table of contents that sections are wanted of is not there yet, or never will be.
    #[error("the job whose sections are wanted is {0}")]
    SourceNotComplete(JobStatus),
    /// The job that sections are wanted of has a result, and no table of contents in it: another toc-parser than the
    /// service's own answers as it likes.
    #[error("the result of that job holds no table of contents")]
    NoContents,
    /// There is no such model: it is not installed, and not one of the service's own.
    #[error("there is no model `{0}`")]
    NoSuchModel(String),
    /// The model is not installed.
    #[error("the model `{0}` is not installed")]
    ModelUnavailable(String),
    /// The model is installed, and has not said in time what it takes.
    #[error("the model `{0}` is still being compiled")]
    ModelCompiling(String),
    /// No such document, no credits, or the service's own failure.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A submission that can be charged and queued.
#[derive(Debug)]
pub(crate) struct Checked {
    /// As the store takes it.
    pub(crate) submission: Submission,
    /// Pages that will be worked on.
    pages: u64,
}

impl Checked {
    /// In how many seconds its job would be done if the caller queued it now.
    pub(crate) async fn estimated_seconds(&self, service: &Service, caller: &Caller) -> Result<u64, StoreError> {
        let model = &self.submission.model;
        service.estimates.seconds(&service.store, &service.models, caller.account_id, model, self.pages).await
    }
}

/// Charges a submission and queues its job.
///
/// Where the request holds an idempotency key, the answer that `answer` makes of the job is kept with the charge and
/// the job.
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

/// Checks a submission, but for whether its credits cover it.
pub(crate) async fn check(service: &Service, caller: &Caller, wanted: Wanted) -> Result<Checked, SubmissionError> {
    if wanted.pages.as_ref().is_some_and(Vec::is_empty) {
        return Err(SubmissionError::Invalid("no page is asked for".to_owned()));
    }
    let webhooks = service.store.limits(caller.tier).webhooks;
    let webhook_url = wanted.webhook_url.filter(|_| webhooks);
    let webhook_url = webhook_url.as_deref().map(|text| webhook_address(&service.webhooks, text)).transpose();
    let webhook_url = webhook_url.map_err(SubmissionError::Invalid)?;
    let document = service.store.document(caller.account_id, wanted.document).await?;
    let model = match service.models.described(&wanted.model).await {
        Ok(model) => model,
        Err(NotReady::NotInstalled) => return Err(not_installed(wanted.model)),
        Err(NotReady::Compiling) => return Err(SubmissionError::ModelCompiling(wanted.model)),
    };
    model.check_parameters(&wanted.parameters).map_err(SubmissionError::Invalid)?;

    let pages = model.description().pages(document.page_count, wanted.pages.as_deref()).len() as u64;
    let price = service.prices.of(&wanted.model);
    let submission = Submission {
        model_version: model.description().model_version(),
        credits: price.of_job(wanted.pages.as_deref(), document.page_count),
        model: wanted.model,
        parameters: wanted.parameters,
        pages: wanted.pages,
        document_id: document.id,
        webhook_url: webhook_url.map(String::from),
        reuse: wanted.reuse,
    };
    Ok(Checked { submission, pages })
}

fn not_installed(model: String) -> SubmissionError {
    match catalog::endpoint(&model) {
        Some(_) => SubmissionError::ModelUnavailable(model),
        None => SubmissionError::NoSuchModel(model),
    }
}

/// Pages as the store keeps them, of pages as clients give them. What can be no page's number is kept as 0, which is
/// none either: it is skipped, and billed like the others.
pub(crate) fn pages(given: &[i64]) -> Vec<u32> {
    given.iter().map(|&number| u32::try_from(number).unwrap_or(0)).collect()
}

/// What is stored is the parsed address: parsing drops or encodes what can't stand in one. What a name stands for is
/// seen at each delivery.
fn webhook_address(webhooks: &Sender, text: &str) -> Result<Url, String> {
    if text.len() > WEBHOOK_URL_LENGTH {
        return Err("the webhook's address is too long".to_owned());
    }
    let url = Url::parse(text).map_err(|error| format!("the webhook's address is not a URL: {error}"))?;
    if url.scheme() != "https" || url.host().is_none() {
        return Err("the webhook's address is not an https one".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("the webhook's address holds a password".to_owned());
    }
    if webhooks.refuses(&url) {
        return Err("the webhook's address is not on the public internet".to_owned());
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use fanlight_webhooks::SenderOptions;

    use super::*;

    #[test]
    fn a_webhook_address_is_a_public_https_one_without_a_password() {
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
            assert_eq!(webhook_address(&webhooks, given).ok().as_ref().map(Url::as_str), kept, "{given:?}");
        }
    }

    #[test]
    fn what_can_be_no_page_is_kept_as_one_that_does_not_exist() {
        let given = [1, 1, 75, 0, -1, i64::MIN, i64::from(u32::MAX), i64::from(u32::MAX) + 1];
        assert_eq!(pages(&given), [1, 1, 75, 0, 0, 0, u32::MAX, 0]);
    }
}
