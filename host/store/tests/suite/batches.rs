use std::time::Duration;

use fanlight_store::{Batch, BatchStatus, Caller, JobStatus, Outcome, StoreError, Submission, Tier};
use uuid::Uuid;

use crate::world::{FREE_CREDITS, World, complete, on_both_databases, submission, versions};

on_both_databases!(
    batch_is_charged_and_queued_as_a_whole,
    batch_without_enough_credits_leaves_nothing,
    batch_with_one_missing_document_leaves_nothing,
    concurrent_batches_never_exceed_the_credits,
    submitting_a_batch_and_deleting_its_documents_do_not_deadlock,
    cancelling_a_batch_refunds_its_queued_jobs_once,
    batch_is_found_by_its_own_account_until_it_expires,
    batch_has_from_1_to_100_jobs,
);

impl World {
    /// Returns `count` submissions of two credits for one document.
    async fn submissions(&self, caller: &Caller, count: usize) -> Vec<Submission> {
        let document = self.document(caller, "%PDF").await;
        vec![submission(&document); count]
    }

    async fn nothing_is_queued(&self) -> bool {
        self.store.claim("worker", &versions()).await.unwrap().is_none()
    }
}

/// The number of jobs with each status, in the order of [`JobStatus::ALL`].
fn counts(batch: &Batch) -> [usize; 5] {
    JobStatus::ALL.map(|status| batch.count(status))
}

fn model_versions(batch: &Batch) -> Vec<&str> {
    batch.jobs.iter().map(|job| job.model_version.as_str()).collect()
}

async fn batch_is_charged_and_queued_as_a_whole(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let mut submissions = world.submissions(&caller, 3).await;
    submissions[1].model_version = "toc-parser-v1.0.1".to_owned();

    let batch = world.store.submit_batch(&caller, &submissions).await.unwrap();

    assert_eq!(world.store.batch(caller.account_id, batch.id).await.unwrap(), batch);
    assert_eq!((batch.status(), counts(&batch)), (BatchStatus::Queued, [3, 0, 0, 0, 0]));
    assert_eq!(model_versions(&batch), ["toc-parser-v1.0.0", "toc-parser-v1.0.1", "toc-parser-v1.0.0"]);
    assert_eq!(batch.expires_at, batch.jobs[0].expires_at);
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 6);

    for (ended, status) in [(1, BatchStatus::Processing), (2, BatchStatus::Processing), (3, BatchStatus::Complete)] {
        let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();
        assert_eq!(claim.job.id, batch.jobs[ended - 1].id, "in the order of the submissions");
        world.store.finish(&claim.lease, &complete(), Duration::ZERO).await.unwrap();
        let now = world.store.batch(caller.account_id, batch.id).await.unwrap();
        assert_eq!((now.status(), counts(&now)), (status, [3 - ended, 0, ended, 0, 0]));
        assert!(now.jobs.iter().all(|job| job.result.is_none()), "results are read one at a time");
    }
}

async fn batch_without_enough_credits_leaves_nothing(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let submissions = world.submissions(&caller, 8).await;
    assert!(8 * submissions[0].credits > FREE_CREDITS);

    let refused = world.store.submit_batch(&caller, &submissions).await;

    assert!(matches!(refused, Err(StoreError::FreeTierLimit)), "{refused:?}");
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
    assert!(world.nothing_is_queued().await);
    assert!(world.store.submit_batch(&caller, &submissions[..7]).await.is_ok());
}

async fn batch_with_one_missing_document_leaves_nothing(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let stranger = world.caller("stranger", Tier::Pro).await;
    let strangers = world.document(&stranger, "%PDF").await;
    for document_id in [Uuid::nil(), strangers.id] {
        let mut submissions = world.submissions(&caller, 3).await;
        submissions[2].document_id = document_id;

        let refused = world.store.submit_batch(&caller, &submissions).await;

        assert!(matches!(refused, Err(StoreError::DocumentNotFound)), "{refused:?}");
        assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
        assert!(world.nothing_is_queued().await);
    }
}

async fn concurrent_batches_never_exceed_the_credits(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let submissions = world.submissions(&caller, 3).await;
    let hosts = [world.store.clone(), world.another_host().await];
    let submitting: Vec<_> = (0..10)
        .map(|index| {
            let (host, submissions) = (hosts[index % 2].clone(), submissions.clone());
            tokio::spawn(async move { host.submit_batch(&caller, &submissions).await })
        })
        .collect();

    let mut passed = 0;
    for submitted in submitting {
        match submitted.await.unwrap() {
            Ok(batch) => passed += batch.jobs.len() as u64,
            Err(error) => assert!(matches!(error, StoreError::FreeTierLimit), "{error:?}"),
        }
    }

    assert_eq!(passed, 6, "two batches of six credits of fifteen");
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2 * passed);
}

async fn submitting_a_batch_and_deleting_its_documents_do_not_deadlock(world: World) {
    let caller = world.caller("office", Tier::Enterprise).await;
    let hosts = [world.store.clone(), world.another_host().await];
    for _ in 0..10 {
        let documents = [world.document(&caller, "%PDF").await, world.document(&caller, "%PDF").await];
        for document in &documents {
            world.submit(&caller, document).await.unwrap();
        }
        let submissions: Vec<Submission> = documents.iter().cycle().take(10).map(submission).collect();
        let submitting = (0..4).map(|index| {
            let (host, submissions) = (hosts[index % 2].clone(), submissions.clone());
            tokio::spawn(async move { host.submit_batch(&caller, &submissions).await.map(|_| ()) })
        });
        let deleting = documents.clone().into_iter().enumerate().map(|(index, document)| {
            let host = hosts[index].clone();
            tokio::spawn(async move { host.delete_document(caller.account_id, document.id).await })
        });

        for done in submitting.chain(deleting).collect::<Vec<_>>() {
            let done = done.await.unwrap();
            assert!(matches!(done, Ok(()) | Err(StoreError::DocumentNotFound)), "{done:?}");
        }
    }
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0, "all jobs were cancelled with their documents");
}

async fn cancelling_a_batch_refunds_its_queued_jobs_once(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let submissions = world.submissions(&caller, 3).await;
    let batch = world.store.submit_batch(&caller, &submissions).await.unwrap();
    let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();

    let hosts = [world.store.clone(), world.another_host().await];
    let cancelling: Vec<_> = (0..6)
        .map(|index| {
            let host = hosts[index % 2].clone();
            tokio::spawn(async move { host.cancel_batch(caller.account_id, batch.id).await })
        })
        .collect();
    for cancelled in cancelling {
        let cancelled = cancelled.await.unwrap().unwrap();
        assert_eq!((cancelled.status(), counts(&cancelled)), (BatchStatus::Processing, [0, 1, 0, 0, 2]));
    }

    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2, "the job that runs is still charged");
    world.store.finish(&claim.lease, &Outcome::internal_error(), Duration::ZERO).await.unwrap();
    let ended = world.store.batch(caller.account_id, batch.id).await.unwrap();
    assert_eq!((ended.status(), counts(&ended)), (BatchStatus::Complete, [0, 0, 0, 1, 2]));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);

    let whole = world.store.submit_batch(&caller, &submissions).await.unwrap();
    assert_eq!(world.store.cancel_batch(caller.account_id, whole.id).await.unwrap().status(), BatchStatus::Cancelled);
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
}

async fn batch_is_found_by_its_own_account_until_it_expires(world: World) {
    let owner = world.caller("owner", Tier::Pro).await;
    let stranger = world.caller("stranger", Tier::Pro).await;
    let submissions = world.submissions(&owner, 1).await;
    let batch = world.store.submit_batch(&owner, &submissions).await.unwrap();

    for (account, id) in [(stranger.account_id, batch.id), (owner.account_id, Uuid::nil())] {
        assert!(matches!(world.store.batch(account, id).await, Err(StoreError::BatchNotFound)));
        assert!(matches!(world.store.cancel_batch(account, id).await, Err(StoreError::BatchNotFound)));
    }
    assert_eq!(world.store.batch(owner.account_id, batch.id).await.unwrap().status(), BatchStatus::Queued);
    world.clock.set(batch.expires_at);
    assert!(matches!(world.store.batch(owner.account_id, batch.id).await, Err(StoreError::BatchNotFound)));
    assert!(matches!(world.store.cancel_batch(owner.account_id, batch.id).await, Err(StoreError::BatchNotFound)));
}

async fn batch_has_from_1_to_100_jobs(world: World) {
    let caller = world.caller("office", Tier::Enterprise).await;
    let submissions = world.submissions(&caller, Batch::MAX_JOBS + 1).await;
    for count in [0, Batch::MAX_JOBS + 1] {
        let refused = world.store.submit_batch(&caller, &submissions[..count]).await;
        assert!(matches!(refused, Err(StoreError::BatchSize)), "{count}: {refused:?}");
    }
    let batch = world.store.submit_batch(&caller, &submissions[..Batch::MAX_JOBS]).await.unwrap();
    assert_eq!(counts(&batch), [Batch::MAX_JOBS, 0, 0, 0, 0]);
}
