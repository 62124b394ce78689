//! Posts finished jobs to the webhooks that their submissions named.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanlight_store::failpoint::{self, Failpoint};
use fanlight_store::{AttemptEnd, DeliveryClaim, DeliveryStatus, NextStep, StoreError};
use fanlight_webhooks::{Failure, Message, Outcome, SigningSecret};
use tokio::task::{Id, JoinSet};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use url::Url;
use uuid::Uuid;

use crate::domain::job;
use crate::domain::service::Service;
use crate::errors::error_chain;

/// Time between two looks for attempts that are due and for deliveries of other processes.
const POLL: Duration = Duration::from_secs(1);
/// Pause after the database has failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// Maximum concurrent attempts. They mostly wait for receivers.
const MAX_ATTEMPTS: usize = 32;
/// Maximum concurrent attempts of one account, so that its slow receivers do not delay other accounts' deliveries.
const MAX_ATTEMPTS_OF_ACCOUNT: usize = 8;
/// Maximum time to build a message. The job's model presents the result for it.
const MESSAGE_TIME_LIMIT: Duration = Duration::from_secs(30);
/// How much longer the lease of an attempt lasts than the attempt may take.
const LEASE_MARGIN: Duration = Duration::from_secs(15);
/// Time that attempts have to finish when the process stops. After it they are released.
const STOP_TIME_LIMIT: Duration = Duration::from_secs(5);

/// The logged error of a job past its retention.
const JOB_EXPIRED: &str = "job_expired";
/// The logged error of a message that the service could not build.
const INTERNAL: &str = "internal";

/// Claims and makes attempts until the service stops.
pub(crate) async fn deliver(service: Arc<Service>) {
    let lease = MESSAGE_TIME_LIMIT + service.webhooks.time_limit() + LEASE_MARGIN;
    let release = CancellationToken::new();
    let mut attempts: JoinSet<()> = JoinSet::new();
    let mut accounts: HashMap<Id, Uuid> = HashMap::new();
    loop {
        let mut pause = POLL;
        if attempts.len() < MAX_ATTEMPTS {
            match service.store.claim_delivery(lease, &busy(&accounts)).await {
                Ok(Some(claim)) => {
                    let (account, service, release) = (claim.account_id, service.clone(), release.clone());
                    let attempt = attempts.spawn(async move { attempt(&service, &claim, &release).await });
                    accounts.insert(attempt.id(), account);
                    continue;
                }
                Ok(None) => {}
                Err(error) => {
                    tracing::error!(error = %error_chain(&error), "can't claim deliveries");
                    pause = AFTER_FAILURE;
                }
            }
        }
        tokio::select! {
            () = service.stopping.cancelled() => break,
            Some(ended) = attempts.join_next_with_id() => {
                let id = ended.map_or_else(|error| error.id(), |(id, ())| id);
                accounts.remove(&id);
            }
            () = service.deliverable.notified() => {}
            () = sleep(pause) => {}
        }
    }
    if timeout(STOP_TIME_LIMIT, join_all(&mut attempts)).await.is_err() {
        release.cancel();
        join_all(&mut attempts).await;
    }
}

/// Waits for the end of all attempts.
async fn join_all(attempts: &mut JoinSet<()>) {
    while attempts.join_next().await.is_some() {}
}

/// Returns the accounts that have reached their maximum of concurrent attempts.
fn busy(accounts: &HashMap<Id, Uuid>) -> Vec<Uuid> {
    let mut running: HashMap<Uuid, usize> = HashMap::new();
    for account in accounts.values() {
        *running.entry(*account).or_default() += 1;
    }
    running
        .into_iter()
        .filter(|(_, attempts)| *attempts >= MAX_ATTEMPTS_OF_ACCOUNT)
        .map(|(account, _)| account)
        .collect()
}

/// Makes a claimed attempt and logs how it ended, or releases it.
async fn attempt(service: &Service, claim: &DeliveryClaim, release: &CancellationToken) {
    let started = Instant::now();
    let end = tokio::select! {
        end = send(service, claim) => Some(end),
        () = release.cancelled() => None,
    };
    let (lease, took) = (&claim.lease, started.elapsed());
    let written = match &end {
        Some(end) => service.store.end_attempt(lease, end, took).await.map(DeliveryStatus::as_str),
        None => service.store.release_delivery(lease).await.map(|()| "released"),
    };
    match written {
        Ok(delivery) => tracing::info!(
            job = %claim.job_id,
            attempt = lease.attempt,
            status = end.as_ref().and_then(|end| end.status_code),
            error = end.as_ref().and_then(|end| end.error.as_deref()),
            milliseconds = took.as_millis() as u64,
            delivery,
            "attempted a delivery"
        ),
        // The attempt is repeated once its lease has run out: a message delivered twice is better than none.
        Err(error) => {
            tracing::error!(job = %claim.job_id, error = %error_chain(&error), "can't record a delivery attempt");
        }
    }
}

/// Builds the message, posts it and returns how the attempt ended.
async fn send(service: &Service, claim: &DeliveryClaim) -> AttemptEnd {
    let (message, secret) = match timeout(MESSAGE_TIME_LIMIT, message(service, claim)).await {
        Ok(Ok(signed)) => (signed.message, signed.secret),
        Ok(Err(failure)) => {
            tracing::warn!(job = %claim.job_id, reason = format!("{:#}", failure.reason), "can't build a webhook message");
            return AttemptEnd { status_code: None, error: Some(failure.error.to_owned()), next: failure.next };
        }
        Err(_elapsed) => {
            tracing::warn!(job = %claim.job_id, "building a webhook message took too long");
            return AttemptEnd { status_code: None, error: Some(INTERNAL.to_owned()), next: RETRY };
        }
    };
    let outcome = service.webhooks.attempt(message, &secret).await;
    failpoint::reach(Failpoint::DeliveryAttempted);
    attempt_end(outcome)
}

/// Schedules another attempt at its regular time.
const RETRY: NextStep = NextStep::Retry { at_least: Duration::ZERO };

/// A message with the secret that signs it.
struct SignedMessage {
    message: Message,
    secret: SigningSecret,
}

/// Why a message could not be built.
struct MessageFailure {
    /// The error that the delivery log shows.
    error: &'static str,
    /// Whether another attempt is made.
    next: NextStep,
    /// The cause, for the server's log.
    reason: anyhow::Error,
}

impl<E: Into<anyhow::Error>> From<E> for MessageFailure {
    fn from(error: E) -> Self {
        let reason = error.into();
        match reason.downcast_ref() {
            Some(StoreError::JobNotFound) => Self { error: JOB_EXPIRED, next: NextStep::GiveUp, reason },
            _ => Self { error: INTERNAL, next: RETRY, reason },
        }
    }
}

/// Builds the message about a job's end. All attempts and replays share its id, since they report one event.
async fn message(service: &Service, claim: &DeliveryClaim) -> Result<SignedMessage, MessageFailure> {
    let secret = claim.secret.reveal().parse()?;
    let job = service.store.job(claim.account_id, claim.job_id).await?;
    let url = Url::parse(job.webhook_url.as_deref().unwrap_or_default())?;
    let id = format!("evt_{}", job.id.simple());
    let body = job::view(service, job).await?.text()?.into();
    Ok(SignedMessage { message: Message { url, id, time: service.store.now(), body }, secret })
}

/// Translates the outcome of a post into an entry of the delivery log and the next step.
fn attempt_end(outcome: Outcome) -> AttemptEnd {
    let (status_code, error, next) = match outcome {
        Outcome::Delivered { status } => (Some(status), None, NextStep::Delivered),
        Outcome::Gone => (Some(410), None, NextStep::GiveUp),
        Outcome::Answered { status, retry_after } => {
            (Some(status), None, NextStep::Retry { at_least: retry_after.unwrap_or_default() })
        }
        Outcome::Failed(failure) => (None, Some(failure), RETRY),
    };
    AttemptEnd { status_code, error: error.map(|failure: Failure| failure.as_str().to_owned()), next }
}
