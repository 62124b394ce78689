use std::collections::HashSet;
use std::time::Duration;

use fanlight_store::{
    Caller, Claim, INTERNAL_ERROR, Job, JobFilter, JobStatus, ListRequest, MAX_ATTEMPTS, OpenJobs, Outcome, StoreError,
    Submission, Tier, UNWANTED_AFTER, Warning,
};
use serde_json::json;
use uuid::Uuid;

use crate::world::{World, complete_with, on_both_databases, submission, versions};

on_both_databases!(
    open_jobs_are_counted_by_status,
    job_runs_from_submission_to_result,
    jobs_are_claimed_in_the_order_of_submission,
    jobs_ahead_of_each_agree_with_jobs_ahead,
    job_is_found_by_its_own_account_only,
    finished_job_is_read_as_it_is_now,
    webhooks_are_kept_only_for_tiers_with_webhooks,
    workers_of_two_hosts_claim_each_job_once,
    heartbeat_extends_the_lease,
    late_worker_is_refused,
    late_worker_may_finish_if_nobody_claimed_its_job,
    released_attempts_do_not_count,
    job_waits_a_day_for_a_host_with_its_model,
    unreadable_job_does_not_stop_the_queue,
    job_fails_after_three_dead_workers_and_is_refunded_once,
    only_queued_jobs_can_be_cancelled,
    job_is_either_cancelled_or_claimed,
    equal_submission_finds_the_stored_result,
    result_with_warnings_is_kept_but_not_reused,
);

const TOOK: Duration = Duration::from_millis(1_234);

impl World {
    pub(super) async fn queued(&self) -> (Caller, Job) {
        let caller = self.caller("local", Tier::Pro).await;
        let job = self.queued_by(&caller).await;
        (caller, job)
    }

    pub(super) async fn queued_by(&self, caller: &Caller) -> Job {
        let document = self.document(caller, "%PDF").await;
        self.submit(caller, &document).await.unwrap()
    }

    pub(super) async fn claim(&self) -> Option<Claim> {
        self.store.claim("worker", &versions()).await.unwrap()
    }

    pub(super) fn let_the_lease_end(&self) {
        self.clock.advance(self.store.lease());
    }
}

async fn job_runs_from_submission_to_result(world: World) {
    let caller = world.caller("local", Tier::Developer).await;
    let document = world.document(&caller, "%PDF").await;
    let submitted = Submission {
        parameters: json!({"b": {"d": 1, "c": [true, null]}, "a": "é"}),
        pages: Some(vec![3, 1, 1]),
        webhook_url: Some("https://example.com/hook".to_owned()),
        ..submission(&document)
    };
    let job = world.store.submit(&caller, &submitted).await.unwrap();
    assert_eq!(
        job,
        Job {
            id: job.id,
            account_id: caller.account_id,
            key_id: caller.key_id,
            tier: Tier::Developer,
            document_id: document.id,
            document_sha256: document.sha256.clone(),
            model: submitted.model.clone(),
            model_version: submitted.model_version.clone(),
            parameters: submitted.parameters.clone(),
            pages: submitted.pages.clone(),
            reuse: true,
            status: JobStatus::Queued,
            progress: None,
            result: None,
            warnings: Vec::new(),
            error_code: None,
            error_message: None,
            credits_charged: 2,
            cached_from: None,
            webhook_url: submitted.webhook_url.clone(),
            webhook_delivered_at: None,
            queued_at: world.clock.now(),
            processing_started_at: None,
            completed_at: None,
            processing_time_ms: None,
            expires_at: world.clock.now() + Duration::from_hours(30 * 24),
            attempt: 0,
        }
    );
    assert_eq!(world.store.job(caller.account_id, job.id).await.unwrap(), job);

    world.clock.advance(Duration::from_secs(3));
    let claim = world.claim().await.unwrap();
    let processing = Job {
        status: JobStatus::Processing,
        processing_started_at: Some(world.clock.now()),
        attempt: 1,
        ..job.clone()
    };
    assert_eq!(claim.job, processing);

    world.store.report_progress(&claim.lease, "Analyzing page 4 of 12").await.unwrap();
    let seen = world.store.job(caller.account_id, job.id).await.unwrap();
    assert_eq!(seen, Job { progress: Some("Analyzing page 4 of 12".to_owned()), ..processing.clone() });

    world.clock.advance(Duration::from_secs(2));
    let result = r#"{"divisions":[{"division_title":"Öffnungen"}]}"#;
    let finished = world.store.finish(&claim.lease, &complete_with(result), TOOK).await.unwrap();
    let expected = Job {
        status: JobStatus::Complete,
        result: Some(result.to_owned()),
        completed_at: Some(world.clock.now()),
        processing_time_ms: Some(1_234),
        ..processing
    };
    assert_eq!(finished, expected);
    assert_eq!(world.store.job(caller.account_id, job.id).await.unwrap(), expected);
    assert_eq!(world.claim().await, None);
}

async fn jobs_are_claimed_in_the_order_of_submission(world: World) {
    let caller = world.caller("local", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    let mut jobs = Vec::new();
    for index in 0..6 {
        jobs.push(world.submit(&caller, &document).await.unwrap());
        if index % 2 == 1 {
            world.clock.advance(Duration::from_micros(1));
        }
    }

    for (ahead, job) in jobs.iter().enumerate() {
        assert_eq!(world.store.jobs_ahead(job).await.unwrap(), ahead as u64);
    }
    for job in &jobs {
        assert_eq!(world.claim().await.unwrap().job.id, job.id);
    }
    assert_eq!(world.store.jobs_ahead(&jobs[5]).await.unwrap(), 0, "jobs that run are not ahead");
}

async fn jobs_ahead_of_each_agree_with_jobs_ahead(world: World) {
    let (owner, working) = world.queued().await;
    let stranger = world.caller("stranger", Tier::Pro).await;
    world.claim().await.unwrap();
    let mut jobs = vec![working];
    for index in 0..6 {
        let caller = if index % 2 == 0 { &stranger } else { &owner };
        let job = world.queued_by(caller).await;
        if caller == &owner {
            jobs.push(job);
        }
    }
    jobs[0] = world.store.job(owner.account_id, jobs[0].id).await.unwrap();
    world.store.cancel(owner.account_id, jobs[2].id).await.unwrap();

    let places = world.store.jobs_ahead_of_each(owner.account_id, &jobs).await.unwrap();

    // The stranger was not served yet, so the accounts alternate from its first job on.
    assert_eq!([1, 3].map(|index: usize| places[&jobs[index].id]), [1, 3]);
    assert_eq!(places.len(), 2, "jobs that run, are cancelled or belong to the stranger have no place");
    for index in [1, 3] {
        assert_eq!(world.store.jobs_ahead(&jobs[index]).await.unwrap(), places[&jobs[index].id]);
    }
    assert!(world.store.jobs_ahead_of_each(owner.account_id, &jobs[..1]).await.unwrap().is_empty());
}

async fn job_is_found_by_its_own_account_only(world: World) {
    let (owner, job) = world.queued().await;
    let stranger = world.caller("stranger", Tier::Enterprise).await;

    for (account, id) in [(stranger.account_id, job.id), (owner.account_id, Uuid::nil())] {
        assert!(matches!(world.store.job(account, id).await, Err(StoreError::JobNotFound)));
        assert!(matches!(world.store.cancel(account, id).await, Err(StoreError::JobNotFound)));
    }
    assert_eq!(world.store.job(owner.account_id, job.id).await.unwrap(), job);
}

async fn finished_job_is_read_as_it_is_now(world: World) {
    let (caller, job) = world.queued().await;
    let stranger = world.caller("stranger", Tier::Pro).await;
    let claim = world.claim().await.unwrap();
    let finished = world.store.finish(&claim.lease, &complete_with("{\"pages\":2}"), TOOK).await.unwrap();
    // On SQLite the second answer comes from the cache.
    for _ in 0..2 {
        assert_eq!(world.store.job(caller.account_id, job.id).await.unwrap(), finished);
        let not_theirs = world.store.job(stranger.account_id, job.id).await;
        assert!(matches!(not_theirs, Err(StoreError::JobNotFound)));
    }

    world.change("UPDATE jobs SET result = '{\"pages\":3}'").await;
    let changed = world.store.job(caller.account_id, job.id).await.unwrap();
    assert_eq!(changed.result.as_deref(), Some("{\"pages\":3}"));

    let shortly = Duration::from_micros(1);
    let until_shortly_before = finished.expires_at - shortly - world.clock.now();
    world.clock.advance(until_shortly_before.to_std().unwrap());
    assert!(world.store.job(caller.account_id, job.id).await.is_ok());
    world.clock.advance(shortly);
    let expired = world.store.job(caller.account_id, job.id).await;
    assert!(matches!(expired, Err(StoreError::JobNotFound)));
}

async fn webhooks_are_kept_only_for_tiers_with_webhooks(world: World) {
    for (tier, kept) in [(Tier::Free, false), (Tier::Developer, true), (Tier::Pro, true), (Tier::Enterprise, true)] {
        let caller = world.caller(tier.as_str(), tier).await;
        let document = world.document(&caller, "%PDF").await;
        let webhook_url = Some("https://example.com/hook".to_owned());
        let job = world.store.submit(&caller, &Submission { webhook_url, ..submission(&document) }).await.unwrap();
        assert_eq!(job.webhook_url.is_some(), kept, "{tier}");
    }
}

async fn workers_of_two_hosts_claim_each_job_once(world: World) {
    let caller = world.caller("local", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    let mut waiting = HashSet::new();
    for _ in 0..20 {
        waiting.insert(world.submit(&caller, &document).await.unwrap().id);
    }

    let hosts = [world.store.clone(), world.another_host().await];
    let workers: Vec<_> = (0..6)
        .map(|index| {
            let host = hosts[index % 2].clone();
            tokio::spawn(async move {
                let mut taken = Vec::new();
                while let Some(claim) = host.claim(&format!("worker {index}"), &versions()).await.unwrap() {
                    taken.push(claim.job.id);
                }
                taken
            })
        })
        .collect();
    let mut taken = Vec::new();
    for worker in workers {
        taken.extend(worker.await.unwrap());
    }
    // A worker that finds the oldest jobs locked by others may stop early, so some jobs may be left.
    while let Some(claim) = world.claim().await {
        taken.push(claim.job.id);
    }

    assert_eq!(taken.len(), 20);
    assert_eq!(taken.into_iter().collect::<HashSet<_>>(), waiting);
}

async fn heartbeat_extends_the_lease(world: World) {
    world.queued().await;
    let claim = world.claim().await.unwrap();
    let beat = world.store.lease().saturating_sub(Duration::from_micros(1));
    for _ in 0..5 {
        world.clock.advance(beat);
        assert_eq!(world.claim().await, None);
        world.store.heartbeat(&claim.lease).await.unwrap();
    }

    world.let_the_lease_end();

    assert_eq!(world.claim().await.unwrap().lease.attempt, 2);
}

async fn late_worker_is_refused(world: World) {
    let (caller, job) = world.queued().await;
    let late = world.claim().await.unwrap();
    let started = late.job.processing_started_at;
    world.let_the_lease_end();
    let current = world.claim().await.unwrap();
    assert_eq!((current.job.id, current.lease.attempt), (job.id, 2));
    assert_eq!(current.job.processing_started_at, started, "the first start counts");

    let refused = [
        world.store.heartbeat(&late.lease).await,
        world.store.report_progress(&late.lease, "late").await,
        world.store.release(&late.lease).await,
        world.store.finish(&late.lease, &complete_with("late"), TOOK).await.map(|_| ()),
        world.store.finish(&late.lease, &Outcome::internal_error(), TOOK).await.map(|_| ()),
    ];
    for answer in refused {
        assert!(matches!(answer, Err(StoreError::LeaseLost)), "{answer:?}");
    }
    assert_eq!(world.store.job(caller.account_id, job.id).await.unwrap(), current.job);
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2);

    world.store.finish(&current.lease, &complete_with("{}"), TOOK).await.unwrap();
    for lease in [&current.lease, &late.lease] {
        let again = world.store.finish(lease, &complete_with("again"), TOOK).await;
        assert!(matches!(again, Err(StoreError::LeaseLost)), "{again:?}");
    }
    assert_eq!(world.store.job(caller.account_id, job.id).await.unwrap().result.as_deref(), Some("{}"));
}

async fn late_worker_may_finish_if_nobody_claimed_its_job(world: World) {
    world.queued().await;
    let claim = world.claim().await.unwrap();
    world.let_the_lease_end();

    let job = world.store.finish(&claim.lease, &complete_with("{}"), TOOK).await.unwrap();

    assert_eq!(job.status, JobStatus::Complete);
    assert_eq!(world.claim().await, None);
}

async fn released_attempts_do_not_count(world: World) {
    world.queued().await;
    for attempt in 1..=2 * MAX_ATTEMPTS {
        let claim = world.claim().await.unwrap();
        assert_eq!(claim.lease.attempt, attempt);
        world.store.release(&claim.lease).await.unwrap();
        assert!(matches!(world.store.release(&claim.lease).await, Err(StoreError::LeaseLost)), "released once");
    }
}

async fn job_waits_a_day_for_a_host_with_its_model(world: World) {
    let (caller, job) = world.queued().await;
    let newer = ["toc-parser-v2.0.0".to_owned(), "door-detector-v1.0.0".to_owned()];
    for others in [&newer[..], &[]] {
        assert_eq!(world.store.claim("upgraded", others).await.unwrap(), None);
    }
    assert_eq!(world.store.job(caller.account_id, job.id).await.unwrap(), job, "it waits as before");
    assert_eq!(world.claim().await.unwrap().job.id, job.id);

    let unwanted = world.queued_by(&caller).await;
    world.clock.advance(UNWANTED_AFTER);
    assert_eq!(world.store.claim("upgraded", &newer).await.unwrap(), None);
    for failed in [job.id, unwanted.id] {
        let failed = world.store.job(caller.account_id, failed).await.unwrap();
        assert_eq!((failed.status, failed.error_code.as_deref()), (JobStatus::Failed, Some(INTERNAL_ERROR)));
    }
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
}

async fn unreadable_job_does_not_stop_the_queue(world: World) {
    let (caller, broken) = world.queued().await;
    let sound = world.queued_by(&caller).await;
    world.change(&format!("UPDATE jobs SET pages = '1,x' WHERE id = '{}'", broken.id)).await;

    assert_eq!(world.claim().await.unwrap().job.id, sound.id);

    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2, "the broken one is refunded");
    assert_eq!(world.claim().await, None);
}

async fn job_fails_after_three_dead_workers_and_is_refunded_once(world: World) {
    let (caller, job) = world.queued().await;
    let mut last = None;
    for attempt in 1..=MAX_ATTEMPTS {
        let claim = world.claim().await.unwrap();
        assert_eq!(claim.lease.attempt, attempt);
        last = Some(claim.lease);
        world.let_the_lease_end();
    }
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2);

    let hosts = [world.store.clone(), world.another_host().await];
    let claiming = hosts.map(|host| tokio::spawn(async move { host.claim("worker", &versions()).await.unwrap() }));
    for claimed in claiming {
        assert_eq!(claimed.await.unwrap(), None);
    }

    let failed = world.store.job(caller.account_id, job.id).await.unwrap();
    assert_eq!((failed.status, failed.error_code.as_deref()), (JobStatus::Failed, Some(INTERNAL_ERROR)));
    assert_eq!((failed.completed_at, failed.credits_charged), (Some(world.clock.now()), 0));
    assert_eq!(failed.processing_time_ms, Some(3 * world.store.lease().as_millis() as u64));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
    let late = world.store.finish(&last.unwrap(), &Outcome::internal_error(), TOOK).await;
    assert!(matches!(late, Err(StoreError::LeaseLost)));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
}

async fn only_queued_jobs_can_be_cancelled(world: World) {
    let (caller, job) = world.queued().await;
    let cancelled = world.store.cancel(caller.account_id, job.id).await.unwrap();
    let expected =
        Job { status: JobStatus::Cancelled, credits_charged: 0, completed_at: Some(world.clock.now()), ..job };
    assert_eq!(cancelled, expected);
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
    assert_eq!(world.claim().await, None, "a cancelled job does not run");
    assert!(matches!(world.store.cancel(caller.account_id, cancelled.id).await, Err(StoreError::NotCancellable)));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0, "refunded once");

    let document = world.document(&caller, "%PDF").await;
    let job = world.submit(&caller, &document).await.unwrap();
    let claim = world.claim().await.unwrap();
    assert!(matches!(world.store.cancel(caller.account_id, job.id).await, Err(StoreError::NotCancellable)));
    world.store.finish(&claim.lease, &complete_with("{}"), TOOK).await.unwrap();
    assert!(matches!(world.store.cancel(caller.account_id, job.id).await, Err(StoreError::NotCancellable)));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2);
}

async fn job_is_either_cancelled_or_claimed(world: World) {
    let caller = world.caller("local", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    let other = world.another_host().await;
    let mut claimed = 0;
    for _ in 0..10 {
        let job = world.submit(&caller, &document).await.unwrap();
        let (store, other) = (world.store.clone(), other.clone());
        let cancelling = tokio::spawn(async move { store.cancel(caller.account_id, job.id).await });
        let claiming = tokio::spawn(async move { other.claim("worker", &versions()).await.unwrap() });
        let (cancelled, claim) = (cancelling.await.unwrap(), claiming.await.unwrap());
        match cancelled {
            Ok(_) => assert_eq!(claim, None),
            Err(error) => {
                assert!(matches!(error, StoreError::NotCancellable), "{error:?}");
                assert_eq!(claim.unwrap().job.id, job.id);
                claimed += 1;
            }
        }
    }
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2 * claimed);
}

async fn equal_submission_finds_the_stored_result(world: World) {
    let caller = world.caller("local", Tier::Pro).await;
    let stranger = world.caller("stranger", Tier::Pro).await;
    let document = world.document(&caller, "one").await;
    let same_bytes = world.document(&caller, "one").await;
    let other_bytes = world.document(&caller, "two").await;
    let strangers = world.document(&stranger, "one").await;

    let first = Submission { parameters: json!({"a": 1, "b": 2}), pages: Some(vec![1, 2]), ..submission(&document) };
    world.store.submit(&caller, &first).await.unwrap();
    let claim = world.claim().await.unwrap();
    assert_eq!(world.store.stored_result(&claim.job).await.unwrap(), None, "nothing is stored yet");
    let stored = world.store.finish(&claim.lease, &complete_with("{}"), TOOK).await.unwrap();

    let equal = [
        first.clone(),
        Submission { parameters: json!({"b": 2, "a": 1}), ..first.clone() },
        Submission { document_id: same_bytes.id, ..first.clone() },
    ];
    for submission in &equal {
        let reused = run_or_reuse(&world, &caller, submission).await;
        assert_eq!(reused, Some(stored.id), "{submission:?}");
    }
    let different = [
        Submission { document_id: other_bytes.id, ..first.clone() },
        Submission { parameters: json!({"a": 1}), ..first.clone() },
        Submission { pages: Some(vec![1]), ..first.clone() },
        Submission { pages: None, ..first.clone() },
        Submission { model_version: "toc-parser-v1.0.1".to_owned(), ..first.clone() },
        Submission { reuse: false, ..first.clone() },
    ];
    for submission in &different {
        assert_eq!(run_or_reuse(&world, &caller, submission).await, None, "{submission:?}");
    }
    let of_another_account = Submission { document_id: strangers.id, ..first };
    assert_eq!(run_or_reuse(&world, &stranger, &of_another_account).await, None);
}

/// Submits a job and finishes it, with the stored result if there is one. Returns the job whose result it reused.
async fn run_or_reuse(world: &World, caller: &Caller, submission: &Submission) -> Option<Uuid> {
    world.store.submit(caller, submission).await.unwrap();
    let claim = world.claim().await.unwrap();
    let outcome = match world.store.stored_result(&claim.job).await.unwrap() {
        Some(stored) => Outcome::Complete {
            result: stored.result,
            presented: stored.presented,
            warnings: Vec::new(),
            cached_from: Some(stored.job_id),
        },
        None => Outcome::internal_error(),
    };
    world.store.finish(&claim.lease, &outcome, TOOK).await.unwrap().cached_from
}

async fn result_with_warnings_is_kept_but_not_reused(world: World) {
    let caller = world.caller("local", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    let job = world.submit(&caller, &document).await.unwrap();
    assert_eq!(job.warnings, []);
    let claim = world.claim().await.unwrap();
    let warning = Warning { code: "OCR_FAILED".to_owned(), message: "OCR failed.".to_owned() };
    let warnings = vec![warning.clone()];
    let outcome = Outcome::Complete { result: "{}".to_owned(), presented: None, warnings, cached_from: None };

    let finished = world.store.finish(&claim.lease, &outcome, TOOK).await.unwrap();

    let warnings = [warning];
    assert_eq!(finished.warnings, warnings);
    assert_eq!(world.another_host().await.job(caller.account_id, job.id).await.unwrap().warnings, warnings);
    let listed = world.store.jobs(caller.account_id, &JobFilter::default(), &ListRequest::default()).await.unwrap();
    assert_eq!(listed.items[0].warnings, warnings);
    world.submit(&caller, &document).await.unwrap();
    let claim = world.claim().await.unwrap();
    assert_eq!(world.store.stored_result(&claim.job).await.unwrap(), None);
}

async fn open_jobs_are_counted_by_status(world: World) {
    assert_eq!(world.store.open_jobs().await.unwrap(), OpenJobs::default());
    let caller = world.caller("office", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    for _ in 0..3 {
        world.submit(&caller, &document).await.unwrap();
    }
    world.store.claim("worker", &versions()).await.unwrap().unwrap();
    assert_eq!(world.store.open_jobs().await.unwrap(), OpenJobs { queued: 2, processing: 1 });
}
