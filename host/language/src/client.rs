//! Asking, from the prompt to the answer.

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

/// Warnings in the log for one job.
const MOST_WARNINGS: u32 = 20;
/// Prompts of one call.
pub const MOST_PROMPTS: usize = 256;
/// The longest instructions, and the longest text.
const PROMPT_BYTES: usize = 1024 * 1024;

/// Bytes of an answer for each of its tokens: English has some four, and JSON escapes take a few more.
const ANSWER_BYTES_A_TOKEN: usize = 16;
/// Bytes around an answer.
const FRAME_BYTES: usize = 64 * 1024;
/// Bytes of an answer at most, whatever its tokens.
const MOST_ANSWER_BYTES: usize = 4 * 1024 * 1024;
/// What a request holds for each byte of its prompt: the messages (1), these as JSON values (1), and the body, in which
/// a control character takes six bytes (6).
const PROMPT_COPIES: usize = 8;
/// What a request holds for each byte that its answer may have: the body (1), the text (1), and the tree that is held
/// against the schema (2: a number takes 32 bytes, and 16 are reckoned for its token).
const ANSWER_COPIES: usize = 4;
/// What a request holds for each byte of the schema, and a call once more: a value takes 32 bytes, a short one has 2.
const SCHEMA_COPIES: usize = 16;
/// Bytes of a prompt that make a token, rather too few than too many: what is reserved before a request.
const PROMPT_BYTES_A_TOKEN: usize = 3;

/// What a model is asked.
#[derive(Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What to do.
    pub instructions: String,
    /// What to do it to: data, which the model is told to take no instructions from.
    pub material: String,
    /// The most tokens of an answer.
    pub max_tokens: u32,
}

impl std::fmt::Debug for Prompt {
    /// Without its texts.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Prompt").field("max_tokens", &self.max_tokens).finish_non_exhaustive()
    }
}

/// A process's way to the provider.
#[derive(Debug)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Url,
    settings: Settings,
    turns: Semaphore,
    hour: Bucket,
}

impl Client {
    /// A client of the provider that the settings name; none where they name none. Nothing is sent yet.
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
        // The address that the operator set is the one that gets the documents' text, and no other.
        let http = reqwest::Client::builder()
            .default_headers(headers)
            .redirect(Policy::none())
            .build()
            .map_err(|error| SettingsError::Connections(error.to_string()))?;
        let turns = Semaphore::new(settings.parallel);
        let hour = Bucket::hourly(settings.tokens_per_hour);
        Ok(Some(Arc::new(Self { http, endpoint, settings, turns, hour })))
    }

    /// A job's share, with a job's tokens. `job` is what the log calls it.
    pub fn session(self: &Arc<Self>, job: &str) -> Session {
        Session {
            client: self.clone(),
            job: job.to_owned(),
            budget: Bucket::once(self.settings.tokens_per_job),
            warnings: AtomicU32::new(MOST_WARNINGS),
        }
    }

    /// One request to its end, whatever that is.
    async fn attempt(&self, asked: &Asked<'_>, job: &Bucket) -> Result<String, Failed> {
        let _turn = self.turns.acquire().await.map_err(|_| Error::Unreachable)?;
        let reservation = Reservation::new(job, &self.hour, asked.most_tokens(), Instant::now())?;
        let exchanged = timeout(self.settings.timeout(), self.exchange(asked)).await;
        let body = match exchanged {
            Ok(Ok(body)) => body,
            // What a provider turned away it doesn't charge for. Whatever else failed, it may have been at work on.
            Ok(Err(failed)) => {
                if matches!(
                    failed.error,
                    Error::Unreachable | Error::RateLimited | Error::AccountUsedUp | Error::Rejected(_)
                ) {
                    reservation.settle(0);
                }
                return Err(failed);
            }
            Err(_) => return Err(Error::TimedOut.into()),
        };
        let completion = Completion::read(&body)?;
        if let Some(tokens) = completion.tokens() {
            reservation.settle(tokens);
        }
        let text = completion.into_text()?;
        asked.schema.fits(&text)?;
        Ok(text)
    }

    /// Sends a request and reads the body of its answer.
    async fn exchange(&self, asked: &Asked<'_>) -> Result<Vec<u8>, Failed> {
        let messages = delimiting::messages(&asked.prompt.instructions, &asked.prompt.material);
        let body = wire::request(&self.settings, &messages, &asked.schema.value, asked.prompt.max_tokens);
        let sent = self.http.post(self.endpoint.clone()).json(&body).send().await;
        let response = sent.map_err(|error| if error.is_connect() { Error::Unreachable } else { Error::Truncated })?;
        let status = response.status();
        if status.is_success() {
            return Ok(read(response, asked.most_bytes()).await?);
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
        Err(Failed { error, retry_after })
    }
}

/// Why an attempt failed, and when the provider would like to be asked again.
struct Failed {
    error: Error,
    retry_after: Option<Duration>,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, retry_after: None }
    }
}

/// A body, as long as it may be.
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
struct Asked<'a> {
    prompt: &'a Prompt,
    schema: &'a Schema,
    schema_bytes: usize,
}

impl Asked<'_> {
    fn check(&self) -> Result<(), Error> {
        if self.prompt.instructions.len().max(self.prompt.material.len()) > PROMPT_BYTES {
            return Err(Error::BadRequest(format!("a prompt has more than {PROMPT_BYTES} bytes")));
        }
        if self.prompt.max_tokens == 0 {
            return Err(Error::BadRequest("an answer must have at least one token".to_owned()));
        }
        Ok(())
    }

    /// Tokens that the request can take.
    fn most_tokens(&self) -> u64 {
        let bytes = self.prompt.instructions.len() + self.prompt.material.len() + self.schema_bytes;
        (bytes / PROMPT_BYTES_A_TOKEN) as u64 + u64::from(self.prompt.max_tokens)
    }

    /// Bytes that its answer can have.
    fn most_bytes(&self) -> usize {
        most_answer_bytes(self.prompt)
    }
}

/// Bytes that the answer to a prompt can have.
fn most_answer_bytes(prompt: &Prompt) -> usize {
    FRAME_BYTES.saturating_add(ANSWER_BYTES_A_TOKEN.saturating_mul(prompt.max_tokens as usize)).min(MOST_ANSWER_BYTES)
}

/// Bytes of a refusal, with its text, twice.
const REFUSAL_BYTES: usize = 256;

/// Room for the answers of one call.
struct Room {
    left: AtomicUsize,
    most: usize,
}

impl Room {
    /// An answer that there is room for.
    fn keep(&self, answer: String) -> Result<String, Error> {
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(answer.len()));
        taken.map_or(Err(Error::TooLarge(self.most)), |_| Ok(answer))
    }
}

/// One job's share of a provider.
#[derive(Debug)]
pub struct Session {
    client: Arc<Client>,
    job: String,
    budget: Bucket,
    warnings: AtomicU32,
}

impl Session {
    /// Bytes that [`Session::complete`] holds at most while it lasts, the prompts themselves aside: requests under way,
    /// and answers, of which it keeps `most_bytes` together.
    pub fn bytes(&self, prompts: &[Prompt], schema: &str, most_bytes: usize) -> usize {
        if prompts.len() > MOST_PROMPTS {
            return prompts.len().saturating_mul(REFUSAL_BYTES);
        }
        let under_way = self.client.settings.parallel.min(prompts.len());
        let request = |prompt: &Prompt| {
            // What is longer is refused, and nothing is made of it.
            let bytes = prompt.instructions.len().min(PROMPT_BYTES) + prompt.material.len().min(PROMPT_BYTES);
            let answer = most_answer_bytes(prompt).saturating_mul(ANSWER_COPIES);
            bytes.saturating_mul(PROMPT_COPIES).saturating_add(answer)
        };
        let longest = prompts.iter().map(request).max().unwrap_or(0);
        let schemas = schema.len().min(SCHEMA_BYTES) * SCHEMA_COPIES;
        let answers = prompts.iter().map(most_answer_bytes).fold(0, usize::saturating_add).min(most_bytes);
        under_way.saturating_mul(longest.saturating_add(schemas)).saturating_add(schemas).saturating_add(answers)
    }

    /// The answers to these prompts, in their order: JSON, valid against the schema. What is not answered at `until`
    /// has timed out, and an answer with which they would have more than `most_bytes` together is too large. Dropped,
    /// it asks no more.
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
        let asked = |prompt| Asked { prompt, schema: &read, schema_bytes: schema.len() };
        let room = Room { left: AtomicUsize::new(most_bytes), most: most_bytes };
        let answering: Vec<_> =
            prompts.iter().map(|prompt| async { room.keep(self.answer(asked(prompt), until).await?) }).collect();
        // No more of one call are under way than the provider is asked at a time, so that jobs take turns.
        let answers: Vec<_> = stream::iter(answering).buffered(self.client.settings.parallel).collect().await;
        self.report(&answers);
        answers
    }

    /// Tells the operator what failed, a line a call. A plugin that asks in vain without end does not fill the log.
    fn report(&self, answers: &[Result<String, Error>]) {
        let mut errors = answers.iter().filter_map(|answer| answer.as_ref().err());
        let Some(first) = errors.next() else { return };
        let failed = 1 + errors.count();
        let decremented = self.warnings.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        if decremented.is_ok() {
            let (job, prompts) = (&self.job, answers.len());
            tracing::warn!(job, prompts, failed, reason = %first, "the language model has not answered everything");
        }
    }

    async fn answer(&self, asked: Asked<'_>, until: Instant) -> Result<String, Error> {
        asked.check()?;
        let started = Instant::now();
        if started >= until {
            return Err(Error::TimedOut);
        }
        let answering = timeout_at(until.into(), self.answer_by_and_by(&asked)).await;
        let answer = answering.unwrap_or(Err(Error::TimedOut));
        let milliseconds = started.elapsed().as_millis() as u64;
        tracing::debug!(job = self.job, milliseconds, answered = answer.is_ok(), "the language model was asked");
        answer
    }

    /// Asks, and asks again where that may help.
    async fn answer_by_and_by(&self, asked: &Asked<'_>) -> Result<String, Error> {
        let settings = &self.client.settings;
        let mut attempt = 1;
        loop {
            let failed = match self.client.attempt(asked, &self.budget).await {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let wait = retry::wait(attempt, settings.backoff(), failed.retry_after, rand::random());
            let Some(wait) = wait.filter(|_| attempt <= settings.retries && retry::may_pass(&failed.error)) else {
                return Err(failed.error);
            };
            tracing::debug!(job = self.job, attempt, reason = %failed.error, "the language model is asked again");
            sleep(wait).await;
            attempt += 1;
        }
    }
}
