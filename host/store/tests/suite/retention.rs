use std::time::Duration;

use fanlight_store::{Caller, Document, JobStatus, Store, StoreError, Swept, Tier};
use uuid::Uuid;

use crate::world::{World, complete, on_both_databases, versions};

on_both_databases!(
    expired_documents_are_swept_after_the_grace_period,
    document_with_an_open_job_is_not_swept,
    next_sweep_finishes_an_interrupted_one,
    undeletable_document_does_not_hold_up_others,
    shared_blob_is_deleted_with_its_last_document,
    one_host_sweeps_at_a_time,
    swept_jobs_leave_the_ledger_untouched,
    deleting_a_document_refunds_its_queued_jobs,
    running_job_keeps_its_deleted_document,
    submission_during_a_deletion_is_cancelled_or_refused,
);

const GRACE: Duration = Duration::from_mins(1);

/// Sweeps as the host of this name, while no other host sweeps.
async fn sweep(world: &World, store: &Store, host: &str) -> Swept {
    store.sweep(&world.blobs, host, GRACE).await.unwrap().expect("nobody else sweeps")
}

fn documents(documents: u64) -> Swept {
    Swept { documents, ..Swept::default() }
}

/// Moves the clock past the expiry and grace period of documents that are kept for 30 days.
fn let_documents_expire(world: &World) {
    world.clock.advance(Duration::from_hours(24 * 30) + GRACE);
}

async fn rows(world: &World, table: &str) -> i64 {
    world.number(&format!("SELECT COUNT(*) FROM {table}")).await
}

async fn expired_documents_are_swept_after_the_grace_period(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let longer = world.caller("pro", Tier::Pro).await;
    world.document(&caller, "%PDF").await;
    let kept = world.document(&longer, "%PDF").await;

    let_documents_expire(&world);
    world.clock.set(world.clock.now() - Duration::from_micros(1));
    assert_eq!(sweep(&world, &world.store, "host").await, documents(0), "within the grace");
    world.clock.advance(Duration::from_micros(1));
    assert_eq!(sweep(&world, &world.store, "host").await, documents(1));

    assert_eq!((rows(&world, "documents").await, world.blob_names().len()), (1, 1));
    assert_eq!(world.store.document(longer.account_id, kept.id).await.unwrap(), kept);
    assert_eq!(sweep(&world, &world.store, "host").await, documents(0), "there is no more to do");
}

async fn document_with_an_open_job_is_not_swept(world: World) {
    let (caller, job) = world.queued().await;
    let claim = world.claim().await.unwrap();
    world.clock.advance(Duration::from_hours(24 * 365));

    assert_eq!(sweep(&world, &world.store, "host").await, documents(0));
    let document = world.store.document_of(&job).await.unwrap();
    assert!(world.blobs.open(&document.blob, document.size_bytes).await.is_ok(), "its worker may open it again");

    world.store.finish(&claim.lease, &fanlight_store::Outcome::internal_error(), Duration::ZERO).await.unwrap();
    assert_eq!(sweep(&world, &world.store, "host").await, Swept { documents: 1, rows: 1, failed: 0 });
    assert_eq!((rows(&world, "documents").await, rows(&world, "jobs").await, world.blob_names().len()), (0, 0, 0));
    assert!(matches!(world.store.job(caller.account_id, job.id).await, Err(StoreError::JobNotFound)));
}

/// Prevents the deletion of a document's row, as a database that fails at that moment would.
async fn hold(world: &World, document: &Document) {
    world
        .change(&format!(
            "CREATE TABLE held (document_id TEXT REFERENCES documents (id)); INSERT INTO held VALUES ('{}')",
            document.id
        ))
        .await;
}

async fn next_sweep_finishes_an_interrupted_one(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let document = world.document(&caller, "%PDF").await;
    hold(&world, &document).await;
    let_documents_expire(&world);

    assert_eq!(sweep(&world, &world.store, "first").await, Swept { failed: 1, ..Swept::default() });
    assert_eq!((rows(&world, "documents").await, world.blob_names().len()), (1, 0), "the blob is gone, the row is not");
    assert!(matches!(world.store.document(caller.account_id, document.id).await, Err(StoreError::DocumentNotFound)));

    world.change("DROP TABLE held").await;
    let other_host = world.another_host().await;
    assert_eq!(sweep(&world, &other_host, "second").await, documents(1));
    assert_eq!(rows(&world, "documents").await, 0);
}

async fn undeletable_document_does_not_hold_up_others(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let first = world.document(&caller, "%PDF 1").await;
    for content in ["%PDF 2", "%PDF 3"] {
        world.document(&caller, content).await;
    }
    hold(&world, &first).await;
    let_documents_expire(&world);

    assert_eq!(sweep(&world, &world.store, "host").await, Swept { documents: 2, rows: 0, failed: 1 });
    assert_eq!(rows(&world, "documents").await, 1);
}

async fn shared_blob_is_deleted_with_its_last_document(world: World) {
    let (short, long) = (world.caller("free", Tier::Free).await, world.caller("pro", Tier::Pro).await);
    let first = world.document(&short, "%PDF").await;
    let last = world.document(&long, "%PDF").await;
    world
        .change(&format!(
            "UPDATE documents SET blob_key = (SELECT blob_key FROM documents WHERE id = '{}') WHERE id = '{}'",
            first.id, last.id
        ))
        .await;

    let_documents_expire(&world);
    assert_eq!(sweep(&world, &world.store, "host").await, documents(1));
    assert!(world.blobs.open(&first.blob, first.size_bytes).await.is_ok(), "the other document still needs it");

    world.clock.set(last.expires_at + GRACE);
    assert_eq!(sweep(&world, &world.store, "host").await, documents(1));
    let shared = world.blobs.open(&first.blob, first.size_bytes).await;
    assert!(matches!(shared, Err(StoreError::BlobNotFound)));
}

async fn one_host_sweeps_at_a_time(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    world.document(&caller, "%PDF").await;
    let_documents_expire(&world);
    // A sweeper that died still holds the lease until it ends.
    let until = world.clock.now() + Duration::from_mins(5);
    world.change(&format!("INSERT INTO watches VALUES ('sweep', 'dead', {})", until.timestamp_micros())).await;

    let other = world.another_host().await;
    assert_eq!(other.sweep(&world.blobs, "alive", GRACE).await.unwrap(), None);
    world.clock.set(until - Duration::from_micros(1));
    assert_eq!(other.sweep(&world.blobs, "alive", GRACE).await.unwrap(), None);
    world.clock.set(until);
    assert_eq!(sweep(&world, &other, "alive").await, documents(1));
    assert_eq!(sweep(&world, &world.store, "dead").await, documents(0), "a finished sweep releases the lease");
}

async fn swept_jobs_leave_the_ledger_untouched(world: World) {
    let caller = world.caller("pro", Tier::Pro).await;
    let document = world.document(&caller, "%PDF").await;
    for _ in 0..101 {
        let job = world.submit(&caller, &document).await.unwrap();
        world.store.cancel(caller.account_id, job.id).await.unwrap();
    }
    let (ledger, open) = (rows(&world, "credit_ledger").await, world.submit(&caller, &document).await.unwrap());
    world.clock.set(open.expires_at + GRACE);

    assert_eq!(sweep(&world, &world.store, "host").await, Swept { rows: 101, ..Swept::default() });
    assert_eq!(rows(&world, "jobs").await, 1, "an open job stays");
    assert_eq!(rows(&world, "credit_ledger").await, ledger + 1);
}

async fn deleting_a_document_refunds_its_queued_jobs(world: World) {
    let (caller, queued) = world.queued().await;
    let other = world.queued_by(&caller).await;
    let done = {
        let claim = world.claim().await.unwrap();
        assert_eq!(claim.job.id, queued.id);
        world.store.finish(&claim.lease, &complete(), Duration::ZERO).await.unwrap()
    };
    let document = world.store.document_of(&done).await.unwrap();
    let waiting = world.submit(&caller, &document).await.unwrap();
    let stranger = world.caller("stranger", Tier::Enterprise).await;
    for (account, id) in [(stranger.account_id, document.id), (caller.account_id, Uuid::nil())] {
        assert!(matches!(world.store.delete_document(account, id).await, Err(StoreError::DocumentNotFound)));
    }
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 6);

    world.store.delete_document(caller.account_id, document.id).await.unwrap();

    let again = world.store.delete_document(caller.account_id, document.id).await;
    assert!(matches!(again, Err(StoreError::DocumentNotFound)));
    assert!(matches!(world.submit(&caller, &document).await, Err(StoreError::DocumentNotFound)));
    let waiting = world.store.job(caller.account_id, waiting.id).await.unwrap();
    assert_eq!(waiting.status, JobStatus::Cancelled);
    let other = world.store.job(caller.account_id, other.id).await.unwrap();
    assert_eq!(other.status, JobStatus::Queued, "its document is another one");
    assert_eq!(world.store.job(caller.account_id, done.id).await.unwrap(), done, "a result has its own expiry");
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 4);

    world.clock.advance(GRACE);
    assert_eq!(sweep(&world, &world.store, "host").await, documents(1));
    assert_eq!(world.blob_names().len(), 1);
}

async fn running_job_keeps_its_deleted_document(world: World) {
    let (caller, job) = world.queued().await;
    let claim = world.claim().await.unwrap();

    world.store.delete_document(caller.account_id, job.document_id).await.unwrap();
    world.clock.advance(GRACE);
    assert_eq!(sweep(&world, &world.store, "host").await, documents(0));

    world.let_the_lease_end();
    let again = world.claim().await.unwrap();
    assert_eq!((again.job.id, again.lease.attempt), (claim.job.id, 2));
    assert!(world.store.document_of(&again.job).await.is_ok());
}

async fn submission_during_a_deletion_is_cancelled_or_refused(world: World) {
    let caller = world.caller("pro", Tier::Pro).await;
    let other = world.another_host().await;
    for _ in 0..10 {
        let document = world.document(&caller, "%PDF").await;
        let submission = crate::world::submission(&document);
        let submitting = (0..4).map(|_| {
            let (store, submission) = (world.store.clone(), submission.clone());
            tokio::spawn(async move { store.submit(&caller, &submission).await })
        });
        let submitting: Vec<_> = submitting.collect();
        delete(&other, caller, &document).await;
        for submitted in submitting {
            match submitted.await.unwrap() {
                Ok(job) => {
                    let job = world.store.job(caller.account_id, job.id).await.unwrap();
                    assert_eq!(job.status, JobStatus::Cancelled);
                }
                Err(error) => assert!(matches!(error, StoreError::DocumentNotFound), "{error:?}"),
            }
        }
    }
    assert_eq!(world.store.claim("worker", &versions()).await.unwrap(), None);
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
}

async fn delete(store: &Store, caller: Caller, document: &Document) {
    store.delete_document(caller.account_id, document.id).await.unwrap();
}
