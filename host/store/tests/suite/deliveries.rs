use std::collections::HashSet;
use std::time::Duration;

use fanlight_store::{
    AttemptEnd, Caller, Claim, CreatedKey, Delivery, DeliveryClaim, DeliveryLease, DeliveryStatus, INTERNAL_ERROR, Job,
    ListRequest, NewKey, NextStep, Outcome, StoreError, Submission, Tier, WEBHOOK_RETRIES,
};
use uuid::Uuid;

use crate::world::{World, complete, on_both_databases, submission, versions};

on_both_databases!(
    finished_job_is_delivered_with_its_keys_secret,
    job_without_a_webhook_is_not_delivered,
    late_worker_creates_no_delivery,
    attempts_follow_the_schedule_and_then_end,
    receiver_can_ask_for_a_longer_wait,
    delivery_that_is_given_up_is_not_retried,
    first_delivery_is_noted_in_the_job,
    workers_of_two_hosts_claim_each_attempt_once,
    next_attempt_follows_when_a_worker_dies,
    next_attempt_follows_a_released_one_at_once,
    interrupted_last_attempt_fails_the_delivery,
    invalid_key_signs_nothing,
    replay_is_signed_by_the_requesting_key,
    replay_brings_a_pending_attempt_forward,
    refused_replay_says_why,
    busy_accounts_are_skipped,
    deliveries_are_listed_newest_first_for_their_account,
    deliveries_are_deleted_with_their_job,
);

pub(crate) const LONGEST: Duration = Duration::from_secs(30);
const TOOK: Duration = Duration::from_millis(120);

fn retry() -> AttemptEnd {
    AttemptEnd { status_code: Some(500), error: None, next: NextStep::Retry { at_least: Duration::ZERO } }
}

fn delivered() -> AttemptEnd {
    AttemptEnd { status_code: Some(204), error: None, next: NextStep::Delivered }
}

/// A key with its secrets, and the caller that it authenticates.
pub(crate) struct Key {
    pub(crate) created: CreatedKey,
    pub(crate) caller: Caller,
}

impl World {
    pub(crate) async fn key(&self, account: &str, tier: Tier) -> Key {
        let account = self.store.account_named(account, tier).await.unwrap();
        let new = NewKey { name: "test".to_owned(), tier, expires_at: None };
        let created = self.store.create_key(account.id, new).await.unwrap();
        let caller = self.store.authenticate(created.secret.reveal()).await.unwrap();
        Key { created, caller }
    }

    async fn submit_with_webhook(&self, caller: &Caller) -> Job {
        let document = self.document(caller, "%PDF").await;
        let webhook_url = Some("https://example.com/hook".to_owned());
        self.store.submit(caller, &Submission { webhook_url, ..submission(&document) }).await.unwrap()
    }

    async fn finish_next(&self, outcome: &Outcome) -> Job {
        let Claim { lease, .. } = self.store.claim("worker", &versions()).await.unwrap().unwrap();
        self.store.finish(&lease, outcome, TOOK).await.unwrap()
    }

    /// Submits and completes a job with a webhook.
    pub(crate) async fn finished(&self, caller: &Caller) -> Job {
        self.submit_with_webhook(caller).await;
        self.finish_next(&complete()).await
    }

    pub(crate) async fn due(&self) -> Option<DeliveryClaim> {
        self.store.claim_delivery(LONGEST, &[]).await.unwrap()
    }

    async fn end(&self, claim: &DeliveryClaim, end: &AttemptEnd) -> DeliveryStatus {
        self.store.end_attempt(&claim.lease, end, TOOK).await.unwrap()
    }

    async fn deliveries(&self, job: &Job) -> Vec<Delivery> {
        self.store.deliveries(job.account_id, job.id, &ListRequest::default()).await.unwrap().items
    }

    pub(crate) async fn only_delivery(&self, job: &Job) -> Delivery {
        let mut deliveries = self.deliveries(job).await;
        assert_eq!(deliveries.len(), 1);
        deliveries.remove(0)
    }

    /// Moves the clock to when the next attempt is due, and returns the wait.
    pub(crate) async fn wait_for_the_next(&self, job: &Job) -> Duration {
        let due = self.deliveries(job).await[0].next_attempt_at.unwrap();
        let wait = (due - self.clock.now()).to_std().unwrap();
        self.clock.advance(wait.saturating_sub(Duration::from_micros(1)));
        assert!(self.due().await.is_none(), "nothing is due before its time");
        self.clock.set(due);
        wait
    }
}

async fn finished_job_is_delivered_with_its_keys_secret(world: World) {
    let key = world.key("office", Tier::Developer).await;
    world.key("office", Tier::Developer).await;
    let failed = Outcome::Failed { code: INTERNAL_ERROR.to_owned(), message: "It failed.".to_owned() };
    for outcome in [complete(), failed] {
        world.submit_with_webhook(&key.caller).await;
        let job = world.finish_next(&outcome).await;

        let claim = world.due().await.unwrap();

        assert_eq!((claim.job_id, claim.account_id, claim.lease.attempt), (job.id, job.account_id, 1));
        assert_eq!(claim.secret.reveal(), key.created.webhook_secret.reveal());
        assert!(claim.secret.reveal().starts_with("whsec_"));
        assert!(!format!("{claim:?}").contains("whsec_"), "a secret does not print itself");
        assert!(world.due().await.is_none(), "the attempt is running");
        assert_eq!(world.end(&claim, &delivered()).await, DeliveryStatus::Delivered);
        assert!(world.due().await.is_none(), "it is delivered");
        let delivery = world.only_delivery(&job).await;
        assert_eq!((delivery.status, delivery.next_attempt_at), (DeliveryStatus::Delivered, None));
        let attempt = &delivery.attempts[0];
        assert_eq!((attempt.number, attempt.started_at), (1, world.clock.now()));
        assert_eq!((attempt.duration_ms, attempt.status_code, &attempt.error), (Some(120), Some(204), &None));
    }
}

async fn job_without_a_webhook_is_not_delivered(world: World) {
    let paying = world.key("office", Tier::Developer).await.caller;
    let document = world.document(&paying, "%PDF").await;
    world.submit(&paying, &document).await.unwrap();
    world.finish_next(&complete()).await;
    assert!(world.due().await.is_none(), "its submission named no webhook");

    let job = world.submit_with_webhook(&paying).await;
    world.store.cancel(paying.account_id, job.id).await.unwrap();
    assert!(world.due().await.is_none(), "it was cancelled");

    let free = world.key("free", Tier::Free).await.caller;
    world.finished(&free).await;
    assert!(world.due().await.is_none(), "its tier has no webhooks");
}

async fn late_worker_creates_no_delivery(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.submit_with_webhook(&caller).await;
    let late = world.store.claim("worker", &versions()).await.unwrap().unwrap();
    world.clock.advance(world.store.lease());
    world.finish_next(&complete()).await;

    let refused = world.store.finish(&late.lease, &complete(), TOOK).await;

    assert!(matches!(refused, Err(StoreError::LeaseLost)));
    world.only_delivery(&job).await;
}

async fn attempts_follow_the_schedule_and_then_end(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    for (attempt, expected) in (1..).zip(WEBHOOK_RETRIES) {
        let claim = world.due().await.unwrap();
        assert_eq!(claim.lease.attempt, attempt);
        assert_eq!(world.end(&claim, &retry()).await, DeliveryStatus::Pending);
        let wait = world.wait_for_the_next(&job).await;
        assert!((expected..=expected.mul_f64(1.2)).contains(&wait), "{wait:?} after attempt {attempt}");
    }
    let last = world.due().await.unwrap();
    assert_eq!(world.end(&last, &retry()).await, DeliveryStatus::Failed);

    let delivery = world.only_delivery(&job).await;
    assert_eq!((delivery.status, delivery.next_attempt_at), (DeliveryStatus::Failed, None));
    assert_eq!(delivery.attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
    let read = world.store.job(job.account_id, job.id).await.unwrap();
    assert_eq!(read.webhook_delivered_at, None);
}

async fn receiver_can_ask_for_a_longer_wait(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let asked = Duration::from_hours(1);
    for (at_least, expected) in [(asked, asked), (Duration::from_secs(1), WEBHOOK_RETRIES[1])] {
        let claim = world.due().await.unwrap();
        world.end(&claim, &AttemptEnd { next: NextStep::Retry { at_least }, ..retry() }).await;
        let wait = world.wait_for_the_next(&job).await;
        assert!((expected..=expected.mul_f64(1.2)).contains(&wait), "{wait:?}, asked for {at_least:?}");
    }
}

async fn delivery_that_is_given_up_is_not_retried(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let claim = world.due().await.unwrap();
    let gone = AttemptEnd { status_code: Some(410), error: None, next: NextStep::GiveUp };

    assert_eq!(world.end(&claim, &gone).await, DeliveryStatus::Failed);

    world.clock.advance(Duration::from_hours(24 * 7));
    assert!(world.due().await.is_none());
    assert_eq!(world.only_delivery(&job).await.attempts[0].status_code, Some(410));
}

async fn first_delivery_is_noted_in_the_job(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let first = world.clock.now();
    for _ in 0..2 {
        let claim = world.due().await.unwrap();
        world.end(&claim, &delivered()).await;
        let read = world.store.job(job.account_id, job.id).await.unwrap();
        assert_eq!(read.webhook_delivered_at, Some(first));
        world.clock.advance(Duration::from_mins(1));
        world.store.replay(&caller, job.id).await.unwrap();
    }
    assert_eq!(world.deliveries(&job).await.len(), 3);
}

async fn workers_of_two_hosts_claim_each_attempt_once(world: World) {
    let caller = world.key("office", Tier::Pro).await.caller;
    let mut jobs = HashSet::new();
    for _ in 0..12 {
        jobs.insert(world.finished(&caller).await.id);
    }
    let hosts = [world.store.clone(), world.another_host().await];
    let workers = hosts.into_iter().flat_map(|store| [store.clone(), store]).map(|store| {
        tokio::spawn(async move {
            let mut taken = Vec::new();
            while let Some(claim) = store.claim_delivery(LONGEST, &[]).await.unwrap() {
                taken.push(claim.job_id);
            }
            taken
        })
    });
    let mut taken = Vec::new();
    for worker in workers.collect::<Vec<_>>() {
        taken.extend(worker.await.unwrap());
    }
    assert_eq!(taken.len(), 12);
    assert_eq!(taken.into_iter().collect::<HashSet<_>>(), jobs);
}

async fn next_attempt_follows_when_a_worker_dies(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let died = world.due().await.unwrap();
    world.clock.advance(LONGEST.checked_sub(Duration::from_micros(1)).unwrap());
    assert!(world.due().await.is_none(), "its worker may still be at work");
    world.clock.advance(Duration::from_micros(1));

    let next = world.due().await.unwrap();

    assert_eq!(next.lease, DeliveryLease { attempt: 2, ..died.lease.clone() });
    let late = world.store.end_attempt(&died.lease, &delivered(), TOOK).await;
    assert!(matches!(late, Err(StoreError::LeaseLost)));
    let read = world.store.job(job.account_id, job.id).await.unwrap();
    assert_eq!(read.webhook_delivered_at, None, "a late worker writes nothing");
    world.end(&next, &delivered()).await;
    let attempts = world.only_delivery(&job).await.attempts;
    assert_eq!((attempts[0].error.as_deref(), attempts[0].duration_ms), (Some("interrupted"), None));
    assert_eq!((attempts[1].error.as_deref(), attempts[1].status_code), (None, Some(204)));
}

async fn next_attempt_follows_a_released_one_at_once(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let claim = world.due().await.unwrap();

    world.store.release_delivery(&claim.lease).await.unwrap();

    assert!(matches!(world.store.release_delivery(&claim.lease).await, Err(StoreError::LeaseLost)));
    assert!(matches!(world.store.end_attempt(&claim.lease, &delivered(), TOOK).await, Err(StoreError::LeaseLost)));
    assert_eq!(world.due().await.unwrap().lease.attempt, 2);
    assert_eq!(world.only_delivery(&job).await.attempts[0].error.as_deref(), Some("interrupted"));
}

async fn interrupted_last_attempt_fails_the_delivery(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    for _ in 0..=WEBHOOK_RETRIES.len() {
        assert!(world.due().await.is_some());
        world.clock.advance(LONGEST);
    }
    assert!(world.due().await.is_none());
    let delivery = world.only_delivery(&job).await;
    assert_eq!((delivery.status, delivery.attempts.len()), (DeliveryStatus::Failed, 8));
    assert!(delivery.attempts.iter().all(|attempt| attempt.error.as_deref() == Some("interrupted")));
}

async fn invalid_key_signs_nothing(world: World) {
    let account = world.store.account_named("office", Tier::Developer).await.unwrap();
    let expires_at = Some(world.clock.now() + Duration::from_hours(1));
    let expiring = NewKey { name: "test".to_owned(), tier: Tier::Developer, expires_at };
    let expiring = world.store.create_key(account.id, expiring).await.unwrap();
    let expiring = world.store.authenticate(expiring.secret.reveal()).await.unwrap();
    let revoked = world.key("office", Tier::Developer).await.caller;
    let old = world.key("office", Tier::Developer).await.caller;
    let mut jobs = Vec::new();
    for caller in [&expiring, &revoked, &old] {
        jobs.push(world.finished(caller).await);
    }
    world.store.revoke_key(account.id, revoked.key_id).await.unwrap();
    world.change(&format!("UPDATE api_keys SET webhook_secret = NULL WHERE id = '{}'", old.key_id)).await;
    world.clock.advance(Duration::from_hours(1));

    assert!(world.due().await.is_none());

    for job in &jobs {
        let delivery = world.only_delivery(job).await;
        assert_eq!(delivery.status, DeliveryStatus::Failed);
        assert_eq!(delivery.attempts[0].error.as_deref(), Some("key_not_valid"));
    }
}

async fn replay_is_signed_by_the_requesting_key(world: World) {
    let first = world.key("office", Tier::Developer).await;
    let second = world.key("office", Tier::Developer).await;
    let job = world.finished(&first.caller).await;
    world.store.revoke_key(job.account_id, first.caller.key_id).await.unwrap();
    assert!(world.due().await.is_none());

    let delivery = world.store.replay(&second.caller, job.id).await.unwrap();

    assert_eq!((delivery.status, delivery.attempts.len()), (DeliveryStatus::Pending, 0));
    let claim = world.due().await.unwrap();
    assert_eq!((claim.lease.delivery_id, claim.lease.attempt), (delivery.id, 1));
    assert_eq!(claim.secret.reveal(), second.created.webhook_secret.reveal());
}

async fn replay_brings_a_pending_attempt_forward(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let claim = world.due().await.unwrap();
    world.store.replay(&caller, job.id).await.unwrap();
    assert!(world.due().await.is_none(), "an attempt is running");
    world.end(&claim, &retry()).await;
    assert!(world.due().await.is_none(), "the next is not due");

    let replayed = world.store.replay(&caller, job.id).await.unwrap();

    assert_eq!((replayed.id, replayed.attempts.len()), (claim.lease.delivery_id, 1));
    assert_eq!(replayed.next_attempt_at, Some(world.clock.now()));
    assert_eq!(world.due().await.unwrap().lease.attempt, 2);
    world.only_delivery(&job).await;
}

async fn refused_replay_says_why(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let document = world.document(&caller, "%PDF").await;
    let without = world.submit(&caller, &document).await.unwrap();
    world.finish_next(&complete()).await;
    assert!(matches!(world.store.replay(&caller, without.id).await, Err(StoreError::NoWebhook)));

    let job = world.submit_with_webhook(&caller).await;
    assert!(matches!(world.store.replay(&caller, job.id).await, Err(StoreError::NotFinished)), "queued");
    world.store.cancel(caller.account_id, job.id).await.unwrap();
    assert!(matches!(world.store.replay(&caller, job.id).await, Err(StoreError::NotFinished)), "cancelled");

    let job = world.finished(&caller).await;
    let stranger = world.key("another office", Tier::Developer).await.caller;
    assert!(matches!(world.store.replay(&stranger, job.id).await, Err(StoreError::JobNotFound)));
    let free = world.key("office", Tier::Free).await.caller;
    assert!(matches!(world.store.replay(&free, job.id).await, Err(StoreError::NoWebhook)));
}

async fn busy_accounts_are_skipped(world: World) {
    let first = world.key("office", Tier::Developer).await.caller;
    let second = world.key("another office", Tier::Developer).await.caller;
    for caller in [&first, &first, &second] {
        world.finished(caller).await;
    }

    let claim = world.store.claim_delivery(LONGEST, &[first.account_id]).await.unwrap().unwrap();

    assert_eq!(claim.account_id, second.account_id);
    let both = [first.account_id, second.account_id];
    assert!(world.store.claim_delivery(LONGEST, &both).await.unwrap().is_none());
    assert_eq!(world.due().await.unwrap().account_id, first.account_id);
}

async fn deliveries_are_listed_newest_first_for_their_account(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    for _ in 0..2 {
        let claim = world.due().await.unwrap();
        world.end(&claim, &delivered()).await;
        world.store.replay(&caller, job.id).await.unwrap();
    }
    let mut request = ListRequest { limit: Some(2), cursor: None };
    let first = world.store.deliveries(caller.account_id, job.id, &request).await.unwrap();
    request.cursor = first.next_cursor;
    let second = world.store.deliveries(caller.account_id, job.id, &request).await.unwrap();

    let seen: Vec<Delivery> = first.items.into_iter().chain(second.items).collect();

    assert!(seen.is_sorted_by(|newer, older| newer.id > older.id));
    assert_eq!(seen.iter().map(|delivery| delivery.attempts.len()).collect::<Vec<_>>(), [0, 1, 1]);
    assert_eq!(second.next_cursor, None);
    let stranger = world.store.deliveries(Uuid::nil(), job.id, &ListRequest::default()).await;
    assert!(matches!(stranger, Err(StoreError::JobNotFound)));
}

async fn deliveries_are_deleted_with_their_job(world: World) {
    let caller = world.key("office", Tier::Developer).await.caller;
    let job = world.finished(&caller).await;
    let claim = world.due().await.unwrap();

    world.change(&format!("DELETE FROM jobs WHERE id = '{}'", job.id)).await;

    assert!(matches!(world.store.end_attempt(&claim.lease, &delivered(), TOOK).await, Err(StoreError::LeaseLost)));
    world.clock.advance(LONGEST);
    assert!(world.due().await.is_none());
}
