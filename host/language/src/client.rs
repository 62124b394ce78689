//! The client: from a prompt to its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use futures_util::{StreamExt, stream};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Response, StatusCode};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout, timeout_at};
use url::Url;

use crate::budget::{Bucket, Reservation};
use crate::delimiting;
use crate::error::Error;
use crate::retry;
use crate::schema::{SCHEMA_BYTES, Schema};
use crate::settings::{Settings, SettingsError};
use crate::wire::{self, Completion};

/// Maximum number of warnings in the log per job.
const MOST_WARNINGS: u32 = 20;
/// Maximum number of prompts per call.
pub const MOST_PROMPTS: usize = 256;
/// Maximum size of the instructions and of the material, in bytes each.
const PROMPT_BYTES: usize = 1024 * 1024;

/// Maximum bytes of an answer per token. English has about four, and JSON escapes take a few more.
const ANSWER_BYTES_PER_TOKEN: usize = 16;
/// Maximum bytes of a response body beside the answer.
const FRAME_BYTES: usize = 64 * 1024;
/// Maximum size of an answer in bytes, whatever its token limit.
const MOST_ANSWER_BYTES: usize = 4 * 1024 * 1024;
/// Bytes in memory per byte of a prompt: the messages (1), the messages as JSON values (1), and the body (6, since JSON
/// writes a control character with six bytes).
const PROMPT_COPIES: usize = 8;
/// Bytes in memory per byte of the longest answer: the body (1), the text (1), and the tree that is checked against the
/// schema (2: a number takes 32 bytes, and [`ANSWER_BYTES_PER_TOKEN`] are counted for its token).
const ANSWER_COPIES: usize = 4;
/// Bytes in memory per byte of the schema, for each request and once for the call. A value takes 32 bytes, and a short one
/// has 2 in the text.
const SCHEMA_COPIES: usize = 16;
/// Bytes of a prompt per token. A low number, so that enough tokens are reserved before a request.
const PROMPT_BYTES_PER_TOKEN: usize = 3;

/// A question to a language model.
#[derive(Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The task.
    pub instructions: String,
    /// The data for the task. The model is told to follow no instructions in it.
    pub material: String,
    /// Maximum number of tokens in the answer.
    pub max_tokens: u32,
}

impl std::fmt::Debug for Prompt {
    /// Omits the texts, which may be confidential.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Prompt").field("max_tokens", &self.max_tokens).finish_non_exhaustive()
    }
}

/// A process's connection to the provider.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Url,
    settings: Settings,
    /// Limits the number of parallel requests.
    permits: Semaphore,
    /// The hourly token budget.
    hour: Bucket,
}

impl Client {
    /// Creates a client of the provider in the settings; `None` if they name no provider. Sends nothing.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] if a setting is not valid or TLS cannot be set up.
    pub fn open(settings: Settings) -> Result<Option<Arc<Self>>, SettingsError> {
        let Some(endpoint) = settings.endpoint()? else {
            return Ok(None);
        };
        let mut headers = HeaderMap::new();
        if let Some(key) = &settings.api_key {
            let mut bearer =
                HeaderValue::try_from(format!("Bearer {}", key.reveal())).map_err(|_| SettingsError::Key)?;
            bearer.set_sensitive(true);
            headers.insert(AUTHORIZATION, bearer);
        }
        // Only the address that the operator set may receive text of documents.
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .redirect(Policy::none())
            .build()
            .map_err(|error| SettingsError::Connections(error.to_string()))?;
        let permits = Semaphore::new(settings.parallel);
        let hour = Bucket::hourly(settings.tokens_per_hour);
        Ok(Some(Arc::new(Self { http, endpoint, settings, permits, hour })))
    }

    /// Creates a job's session with the job's token budget. `job` is its name in the log.
    pub fn session(self: &Arc<Self>, job: &str) -> Session {
        Session {
            client: self.clone(),
            job: job.to_owned(),
            budget: Bucket::once(self.settings.tokens_per_job),
            warnings: AtomicU32::new(MOST_WARNINGS),
        }
    }

    /// Makes one attempt at a request, from its reservation of tokens to the checked answer.
    async fn attempt(&self, request: &Request<'_>, job: &Bucket) -> Result<String, Failure> {
        let _permit = self.permits.acquire().await.map_err(|_| Error::Unreachable)?;
        let reservation = Reservation::new(job, &self.hour, request.most_tokens(), Instant::now())?;
        let response = timeout(self.settings.timeout(), self.send(request)).await;
        let body = match response {
            Ok(Ok(body)) => body,
            Ok(Err(failure)) => {
                if is_free(&failure.error) {
                    reservation.settle(0);
                }
                return Err(failure);
            }
            Err(_) => return Err(Error::TimedOut.into()),
        };
        let completion = Completion::read(&body)?;
        if let Some(tokens) = completion.tokens() {
            reservation.settle(tokens);
        }
        let text = completion.into_text()?;
        request.schema.fits(&text)?;
        Ok(text)
    }

    /// Sends a request and returns the body of a successful response.
    async fn send(&self, request: &Request<'_>) -> Result<Vec<u8>, Failure> {
        let messages = delimiting::messages(&request.prompt.instructions, &request.prompt.material);
        let body = wire::request(&self.settings, &messages, &request.schema.value, request.prompt.max_tokens);
        let sent = self.http.post(self.endpoint.clone()).json(&body).send().await;
        let response = sent.map_err(|error| if error.is_connect() { Error::Unreachable } else { Error::Truncated })?;
        let status = response.status();
        if status.is_success() {
            return Ok(read(response, most_answer_bytes(request.prompt)).await?);
        }
        let retry_after = response.headers().get(RETRY_AFTER).and_then(|header| header.to_str().ok());
        let retry_after = retry_after.and_then(|header| retry::retry_after(header, SystemTime::now()));
        let error = match status {
            StatusCode::TOO_MANY_REQUESTS => match read(response, FRAME_BYTES).await {
                Ok(body) if wire::says_account_used_up(&body) => Error::AccountUsedUp,
                _ => Error::RateLimited,
            },
            _ => Error::Rejected(status.as_u16()),
        };
        Err(Failure { error, retry_after })
    }
}

/// Returns whether a failed request cost no tokens. A provider does not charge for a refused request, but may have worked
/// on one that failed otherwise.
fn is_free(error: &Error) -> bool {
    matches!(error, Error::Unreachable | Error::RateLimited | Error::AccountUsedUp | Error::Rejected(_))
}

/// A failed attempt, with the wait that the provider requests before the next one.
struct Failure {
    error: Error,
    retry_after: Option<Duration>,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, retry_after: None }
    }
}

/// Reads a body of at most `most` bytes.
async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, Error> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| Error::Truncated)? {
        if body.len() + chunk.len() > most {
            return Err(Error::TooLarge(most));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// A prompt with the schema of its answer.
struct Request<'a> {
    prompt: &'a Prompt,
    schema: &'a Schema,
    schema_bytes: usize,
}

impl Request<'_> {
    /// Checks the limits of the prompt.
    fn check(&self) -> Result<(), Error> {
        if self.prompt.instructions.len().max(self.prompt.material.len()) > PROMPT_BYTES {
            return Err(Error::BadRequest(format!("a prompt has more than {PROMPT_BYTES} bytes")));
        }
        if self.prompt.max_tokens == 0 {
            return Err(Error::BadRequest("an answer must have at least one token".to_owned()));
        }
        Ok(())
    }

    /// Returns the maximum number of tokens that the request can use.
    fn most_tokens(&self) -> u64 {
        let bytes = self.prompt.instructions.len() + self.prompt.material.len() + self.schema_bytes;
        (bytes / PROMPT_BYTES_PER_TOKEN) as u64 + u64::from(self.prompt.max_tokens)
    }
}

/// Returns the maximum size of the response to a prompt, in bytes.
fn most_answer_bytes(prompt: &Prompt) -> usize {
    FRAME_BYTES.saturating_add(ANSWER_BYTES_PER_TOKEN.saturating_mul(prompt.max_tokens as usize)).min(MOST_ANSWER_BYTES)
}

/// Returns the maximum bytes in memory for a request and its response.
fn most_request_bytes(prompt: &Prompt) -> usize {
    // A longer text is refused before anything is made of it.
    let bytes = prompt.instructions.len().min(PROMPT_BYTES) + prompt.material.len().min(PROMPT_BYTES);
    let answer = most_answer_bytes(prompt).saturating_mul(ANSWER_COPIES);
    bytes.saturating_mul(PROMPT_COPIES).saturating_add(answer)
}

/// Bytes in memory for two copies of an error with its text.
const REFUSAL_BYTES: usize = 256;

/// The size limit of all answers of one call.
struct AnswerBudget {
    left: AtomicUsize,
    most: usize,
}

impl AnswerBudget {
    /// Takes the size of an answer from the budget and returns the answer.
    ///
    /// # Errors
    ///
    /// [`Error::TooLarge`] if the budget has no room for it.
    fn admit(&self, answer: String) -> Result<String, Error> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(answer.len()));
        taken.map_or(Err(Error::TooLarge(self.most)), |_| Ok(answer))
    }
}

/// One job's share of the connection to the provider.
#[derive(Debug)]
pub struct Session {
    client: Arc<Client>,
    job: String,
    budget: Bucket,
    warnings: AtomicU32,
}

impl Session {
    /// Returns the maximum bytes that [`Session::complete`] has in memory beside the prompts: parallel requests, and up to
    /// `most_bytes` of answers.
    pub fn bytes(&self, prompts: &[Prompt], schema: &str, most_bytes: usize) -> usize {
        if prompts.len() > MOST_PROMPTS {
            return prompts.len().saturating_mul(REFUSAL_BYTES);
        }
        let under_way = self.client.settings.parallel.min(prompts.len());
        let largest = prompts.iter().map(most_request_bytes).max().unwrap_or(0);
        let schemas = schema.len().min(SCHEMA_BYTES) * SCHEMA_COPIES;
        let answers = prompts.iter().map(most_answer_bytes).fold(0, usize::saturating_add).min(most_bytes);
        under_way.saturating_mul(largest.saturating_add(schemas)).saturating_add(schemas).saturating_add(answers)
    }

    /// Returns the answers to prompts, in the same order: JSON texts that are valid against the schema.
    ///
    /// A prompt without an answer at `until` has timed out. An answer that would bring all answers above `most_bytes` is
    /// too large. Dropping the future cancels the remaining requests.
    pub async fn complete(
        &self,
        prompts: &[Prompt],
        schema: &str,
        until: Instant,
        most_bytes: usize,
    ) -> Vec<Result<String, Error>> {
        let read = match Schema::read(schema) {
            _ if prompts.len() > MOST_PROMPTS => {
                Err(Error::BadRequest(format!("a call has more than {MOST_PROMPTS} prompts")))
            }
            read => read,
        };
        let read = match read {
            Ok(read) => read,
            Err(error) => return prompts.iter().map(|_| Err(error.clone())).collect(),
        };
        let budget = AnswerBudget { left: AtomicUsize::new(most_bytes), most: most_bytes };
        let requests = prompts.iter().map(|prompt| Request { prompt, schema: &read, schema_bytes: schema.len() });
        let pending: Vec<_> =
            requests.map(|request| async { budget.admit(self.answer(request, until).await?) }).collect();
        // One call queues at most as many requests as run in parallel, so that jobs take turns.
        let answers: Vec<_> = stream::iter(pending).buffered(self.client.settings.parallel).collect().await;
        self.report(&answers);
        answers
    }

    /// Logs failures, one line per call. The number of lines is limited, so that a plugin that retries without end does not
    /// fill the log.
    fn report(&self, answers: &[Result<String, Error>]) {
        let mut errors = answers.iter().filter_map(|answer| answer.as_ref().err());
        let Some(first) = errors.next() else { return };
        let failed = 1 + errors.count();
        let decremented = self.warnings.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if decremented.is_ok() {
            let (job, prompts) = (&self.job, answers.len());
            tracing::warn!(job, prompts, failed, reason = %first, "language model left prompts unanswered");
        }
    }

    /// Answers one prompt before `until`, with retries.
    async fn answer(&self, request: Request<'_>, until: Instant) -> Result<String, Error> {
        request.check()?;
        let started = Instant::now();
        if started >= until {
            return Err(Error::TimedOut);
        }
        let answer = timeout_at(until.into(), self.retry(&request)).await.unwrap_or(Err(Error::TimedOut));
        let milliseconds = started.elapsed().as_millis() as u64;
        tracing::debug!(job = self.job, milliseconds, answered = answer.is_ok(), "language model was asked");
        answer
    }

    /// Attempts a request, and again after transient failures.
    async fn retry(&self, request: &Request<'_>) -> Result<String, Error> {
        let settings = &self.client.settings;
        let mut attempt = 1;
        loop {
            let failure = match self.client.attempt(request, &self.budget).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let wait = retry::wait(attempt, settings.backoff(), failure.retry_after, rand::random());
            let Some(wait) = wait.filter(|_| attempt <= settings.retries && retry::is_transient(&failure.error)) else {
                return Err(failure.error);
            };
            tracing::debug!(job = self.job, attempt, reason = %failure.error, "language model is asked again");
            sleep(wait).await;
            attempt += 1;
        }
    }
}
