use std::time::Duration;

use fanlight_store::{Caller, Job, Share, StoreError, Tier};
use uuid::Uuid;

use crate::world::{World, on_both_databases};

on_both_databases!(
    share_shows_its_job_until_it_expires,
    share_ends_no_later_than_its_job,
    revoked_share_shows_nothing,
    only_complete_jobs_of_the_account_are_shared,
    share_goes_with_its_job,
);

const DAY: Duration = Duration::from_hours(24);

async fn shares(world: &World, caller: &Caller, job: &Job) -> Vec<Share> {
    world.store.shares(caller.account_id, job.id).await.unwrap()
}

async fn share_shows_its_job_until_it_expires(world: World) {
    let (caller, job) = world.complete_job("{}").await;
    let made = world.store.create_share(caller.account_id, job.id, DAY).await.unwrap();
    assert_eq!(made.share.expires_at, world.clock.now() + DAY);
    assert_eq!(shares(&world, &caller, &job).await, std::slice::from_ref(&made.share));

    let (shown, expires_at) = world.store.shared_job(made.token.reveal()).await.unwrap();
    assert_eq!((shown.id, expires_at), (job.id, made.share.expires_at));
    let unknown = world.store.shared_job("0").await;
    assert!(matches!(unknown, Err(StoreError::InvalidShare)), "{unknown:?}");

    world.clock.set(made.share.expires_at);
    let late = world.store.shared_job(made.token.reveal()).await;
    assert!(matches!(late, Err(StoreError::InvalidShare)), "{late:?}");
    assert_eq!(shares(&world, &caller, &job).await, []);
}

async fn share_ends_no_later_than_its_job(world: World) {
    let (caller, job) = world.complete_job("{}").await;
    let made = world.store.create_share(caller.account_id, job.id, 100_000 * DAY).await.unwrap();
    assert_eq!(made.share.expires_at, job.expires_at);
}

async fn revoked_share_shows_nothing(world: World) {
    let (caller, job) = world.complete_job("{}").await;
    let made = world.store.create_share(caller.account_id, job.id, DAY).await.unwrap();
    let kept = world.store.create_share(caller.account_id, job.id, DAY).await.unwrap();
    world.store.revoke_share(caller.account_id, job.id, made.share.id).await.unwrap();
    let revoked = world.store.shared_job(made.token.reveal()).await;
    assert!(matches!(revoked, Err(StoreError::InvalidShare)), "{revoked:?}");
    assert_eq!(shares(&world, &caller, &job).await, [kept.share]);
    for unknown in [made.share.id, Uuid::nil()] {
        let again = world.store.revoke_share(caller.account_id, job.id, unknown).await;
        assert!(matches!(again, Err(StoreError::ShareNotFound)), "{again:?}");
    }
}

async fn only_complete_jobs_of_the_account_are_shared(world: World) {
    let (caller, job) = world.complete_job("{}").await;
    let other = world.caller("others", Tier::Free).await;
    let document = world.document(&caller, "%PDF").await;
    let queued = world.submit(&caller, &document).await.unwrap();
    let refused = world.store.create_share(caller.account_id, queued.id, DAY).await;
    assert!(matches!(refused, Err(StoreError::JobNotComplete)), "{refused:?}");
    let refused = world.store.create_share(other.account_id, job.id, DAY).await;
    assert!(matches!(refused, Err(StoreError::JobNotFound)), "{refused:?}");
    let made = world.store.create_share(caller.account_id, job.id, DAY).await.unwrap();
    let refused = world.store.revoke_share(other.account_id, job.id, made.share.id).await;
    assert!(matches!(refused, Err(StoreError::JobNotFound)), "{refused:?}");
    let hidden = world.store.shares(other.account_id, job.id).await;
    assert!(matches!(hidden, Err(StoreError::JobNotFound)), "{hidden:?}");
}

async fn share_goes_with_its_job(world: World) {
    let (caller, job) = world.complete_job("{}").await;
    world.store.create_share(caller.account_id, job.id, DAY).await.unwrap();
    world.clock.set(job.expires_at);
    world.store.sweep(&world.blobs, "host", Duration::ZERO).await.unwrap().unwrap();
    assert_eq!(world.number("SELECT COUNT(*) FROM shares").await, 0);
}
