use std::time::Duration;

use fanlight_store::{Caller, Job, Store, StoreError, Tier};

use crate::world::{World, on_both_databases};

on_both_databases!(
    review_is_kept_beside_the_result,
    review_is_replaced_by_its_reader_only,
    concurrent_first_reviews_keep_one,
    only_complete_jobs_of_the_account_are_reviewed,
    review_goes_with_its_job,
    reviewed_jobs_are_listed_by_their_latest_review,
);

async fn put(
    store: &Store,
    caller: &Caller,
    job: &Job,
    expected: Option<u64>,
    changes: &str,
) -> Result<u64, StoreError> {
    store.put_review(caller, job.id, expected, changes).await.map(|review| review.version)
}

async fn review_is_kept_beside_the_result(world: World) {
    let (caller, job) = world.complete_job("{\"doors\":[]}").await;
    assert_eq!(world.store.review(caller.account_id, job.id).await.unwrap(), None);

    let written = world.store.put_review(&caller, job.id, None, "{}").await.unwrap();

    assert_eq!((written.version, written.key_id, written.reviewed_at), (1, caller.key_id, world.clock.now()));
    assert!(!written.reviewer.is_empty());
    assert_eq!(world.store.review(caller.account_id, job.id).await.unwrap(), Some(written));
    let read = world.store.job(caller.account_id, job.id).await.unwrap();
    assert_eq!(read.result.as_deref(), Some("{\"doors\":[]}"));
}

async fn review_is_replaced_by_its_reader_only(world: World) {
    let (caller, job) = world.complete_job("{\"doors\":[]}").await;
    for early in [Some(0), Some(1)] {
        let refused = put(&world.store, &caller, &job, early, "{}").await;
        assert!(matches!(refused, Err(StoreError::ReviewChanged)), "{refused:?}");
    }
    assert_eq!(put(&world.store, &caller, &job, None, "{}").await.unwrap(), 1);
    assert_eq!(put(&world.store, &caller, &job, Some(1), "{\"a\":1}").await.unwrap(), 2);
    for stale in [None, Some(1), Some(3), Some(u64::MAX)] {
        let refused = put(&world.store, &caller, &job, stale, "{}").await;
        assert!(matches!(refused, Err(StoreError::ReviewChanged)), "{refused:?}");
    }
    let kept = world.store.review(caller.account_id, job.id).await.unwrap().unwrap();
    assert_eq!((kept.version, kept.changes.as_str()), (2, "{\"a\":1}"));
}

async fn concurrent_first_reviews_keep_one(world: World) {
    let (caller, job) = world.complete_job("{\"doors\":[]}").await;
    let other_host = world.another_host().await;
    let (here, there) =
        tokio::join!(put(&world.store, &caller, &job, None, "{}"), put(&other_host, &caller, &job, None, "{}"));
    assert_eq!([here.is_ok(), there.is_ok()].iter().filter(|written| **written).count(), 1);
}

async fn only_complete_jobs_of_the_account_are_reviewed(world: World) {
    let (caller, job) = world.complete_job("{\"doors\":[]}").await;
    let other = world.caller("others", Tier::Free).await;
    let document = world.document(&caller, "%PDF").await;
    let queued = world.submit(&caller, &document).await.unwrap();
    let refused = put(&world.store, &caller, &queued, None, "{}").await;
    assert!(matches!(refused, Err(StoreError::JobNotComplete)), "{refused:?}");
    let refused = put(&world.store, &other, &job, None, "{}").await;
    assert!(matches!(refused, Err(StoreError::JobNotFound)), "{refused:?}");
    put(&world.store, &caller, &job, None, "{}").await.unwrap();
    let refused = put(&world.store, &other, &job, Some(1), "{}").await;
    assert!(matches!(refused, Err(StoreError::JobNotFound)), "{refused:?}");
    let hidden = world.store.review(other.account_id, job.id).await;
    assert!(matches!(hidden, Err(StoreError::JobNotFound)), "{hidden:?}");
}

async fn review_goes_with_its_job(world: World) {
    let (caller, job) = world.complete_job("{\"doors\":[]}").await;
    put(&world.store, &caller, &job, None, "{}").await.unwrap();
    world.clock.set(job.expires_at);
    let late = put(&world.store, &caller, &job, Some(1), "{}").await;
    assert!(matches!(late, Err(StoreError::JobNotFound)), "{late:?}");
    world.store.sweep(&world.blobs, "host", Duration::ZERO).await.unwrap().unwrap();
    assert_eq!(world.number("SELECT COUNT(*) FROM reviews").await, 0);
}

async fn reviewed_jobs_are_listed_by_their_latest_review(world: World) {
    let (caller, first) = world.complete_job("{\"doors\":[]}").await;
    let (_, second) = world.complete_job("{\"doors\":[]}").await;
    assert!(world.store.reviewed_jobs(caller.account_id).await.unwrap().is_empty());
    for job in [&second, &first] {
        put(&world.store, &caller, job, None, "{}").await.unwrap();
        world.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(world.store.reviewed_jobs(caller.account_id).await.unwrap(), [second.id, first.id]);
    put(&world.store, &caller, &second, Some(1), "{}").await.unwrap();
    assert_eq!(world.store.reviewed_jobs(caller.account_id).await.unwrap(), [first.id, second.id]);
    let other = world.caller("others", Tier::Developer).await;
    assert!(world.store.reviewed_jobs(other.account_id).await.unwrap().is_empty());
}
