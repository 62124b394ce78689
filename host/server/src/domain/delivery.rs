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

/// How often attempts that have become due, and deliveries of other processes, are looked for.
const POLL: Duration = Duration::from_secs(1);
/// How long it waits after the database has failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// Attempts at a time. They mostly wait.
const AT_ONCE: usize = 32;
/// Of these, attempts of one account: its slow receivers must not hold up everybody's deliveries.
const AT_ONCE_OF_AN_ACCOUNT: usize = 8;
/// How long the message may take to make: its model presents the result.
const MAKING: Duration = Duration::from_secs(30);
/// How much longer than its parts an attempt has before another worker begins the next.
const SLACK: Duration = Duration::from_secs(15);
/// How long attempts may take to end when the process stops; then they are given back.
const LAST_CHANCE: Duration = Duration::from_secs(5);

/// The job is past its retention.
const JOB_EXPIRED: &str = "job_expired";
/// The service could not make the message.
const INTERNAL: &str = "internal";

/// Delivers until the service stops.
pub(crate) async fn deliver(service: Arc<Service>) {
    let longest = MAKING + service.webhooks.time_limit() + SLACK;
    let give_back = CancellationToken::new();
    let mut attempts: JoinSet<()> = JoinSet::new();
    let mut accounts: HashMap<Id, Uuid> = HashMap::new();
    loop {
        let mut pause = POLL;
        if attempts.len() < AT_ONCE {
            match service.store.claim_delivery(longest, &busy(&accounts)).await {
                Ok(Some(claim)) => {
                    let (account, service, give_back) = (claim.account_id, service.clone(), give_back.clone());
                    let attempt = attempts.spawn(async move { attempt(&service, &claim, &give_back).await });
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
    let all_ended = async { while attempts.join_next().await.is_some() {} };
    if timeout(LAST_CHANCE, all_ended).await.is_err() {
        give_back.cancel();
        while attempts.join_next().await.is_some() {}
    }
}

/// The accounts that have as many attempts under way as they may.
fn busy(accounts: &HashMap<Id, Uuid>) -> Vec<Uuid> {
    let mut under_way: HashMap<Uuid, usize> = HashMap::new();
    for account in accounts.values() {
        *under_way.entry(*account).or_default() += 1;
    }
    under_way
        .into_iter()
        .filter(|(_, attempts)| *attempts >= AT_ONCE_OF_AN_ACCOUNT)
        .map(|(account, _)| account)
        .collect()
}

async fn attempt(service: &Service, claim: &DeliveryClaim, give_back: &CancellationToken) {
    let started = Instant::now();
    let end = tokio::select! {
        end = made(service, claim) => Some(end),
        () = give_back.cancelled() => None,
    };
    let (lease, took) = (&claim.lease, started.elapsed());
    let written = match &end {
        Some(end) => service.store.end_attempt(lease, end, took).await.map(DeliveryStatus::as_str),
        None => service.store.release_delivery(lease).await.map(|()| "given back"),
    };
    match written {
        Ok(delivery) => tracing::info!(
            job = %claim.job_id,
            attempt = lease.attempt,
            status = end.as_ref().and_then(|end| end.status_code),
            error = end.as_ref().and_then(|end| end.error.as_deref()),
            milliseconds = took.as_millis() as u64,
            delivery,
            "tried a webhook"
        ),
        // It is made again when the lease has run out: better twice than not at all.
        Err(error) => {
            tracing::error!(job = %claim.job_id, error = %error_chain(&error), "can't log an attempt at a webhook");
        }
    }
}

/// Makes the attempt, and says how it ended.
async fn made(service: &Service, claim: &DeliveryClaim) -> AttemptEnd {
    let (message, secret) = match timeout(MAKING, message(service, claim)).await {
        Ok(Ok(made)) => made,
        Ok(Err(unmade)) => {
            tracing::warn!(job = %claim.job_id, reason = format!("{:#}", unmade.reason), "can't make a webhook's message");
            return AttemptEnd { status_code: None, error: Some(unmade.error.to_owned()), next: unmade.next };
        }
        Err(_elapsed) => {
            tracing::warn!(job = %claim.job_id, "a webhook's message took too long to make");
            return AttemptEnd { status_code: None, error: Some(INTERNAL.to_owned()), next: RETRY };
        }
    };
    let outcome = service.webhooks.attempt(message, &secret).await;
    failpoint::reach(Failpoint::DeliveryAttempted);
    end_of(outcome)
}

/// Another attempt, when it is due.
const RETRY: NextStep = NextStep::Retry { at_least: Duration::ZERO };

/// Why there is no message.
struct Unmade {
    error: &'static str,
    next: NextStep,
    reason: anyhow::Error,
}

impl<E: Into<anyhow::Error>> From<E> for Unmade {
    fn from(error: E) -> Self {
        let reason = error.into();
        match reason.downcast_ref() {
            Some(StoreError::JobNotFound) => Self { error: JOB_EXPIRED, next: NextStep::GiveUp, reason },
            _ => Self { error: INTERNAL, next: RETRY, reason },
        }
    }
}

/// The message of a job's end. Its id is the same at every attempt and replay, since it is one event.
async fn message(service: &Service, claim: &DeliveryClaim) -> Result<(Message, SigningSecret), Unmade> {
    let secret = claim.secret.reveal().parse()?;
    let job = service.store.job(claim.account_id, claim.job_id).await?;
    let url = Url::parse(job.webhook_url.as_deref().unwrap_or_default())?;
    let id = format!("evt_{}", job.id.simple());
    let body = job::view(service, job).await?.text()?.into();
    Ok((Message { url, id, time: service.store.now(), body }, secret))
}

/// What follows from an outcome, for the log and the schedule.
fn end_of(outcome: Outcome) -> AttemptEnd {
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
