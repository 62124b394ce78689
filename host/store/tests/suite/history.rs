use std::time::Duration;

use fanlight_store::{CompletedRun, Outcome, Submission, Tier};

use crate::world::{World, complete, on_both_databases, submission, versions};

on_both_databases!(only_completed_runs_are_returned, runs_on_deleted_documents_are_left_out);

/// Submits a job for these pages, and ends it with `outcome` after `milliseconds`.
async fn run(world: &World, pages: Option<Vec<u32>>, outcome: &Outcome, milliseconds: u64) {
    let caller = world.caller("local", Tier::Enterprise).await;
    let document = world.document(&caller, "%PDF").await;
    let wanted = Submission { pages, ..submission(&document) };
    world.store.submit(&caller, &wanted).await.unwrap();
    let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();
    world.store.finish(&claim.lease, outcome, Duration::from_millis(milliseconds)).await.unwrap();
}

async fn only_completed_runs_are_returned(world: World) {
    assert_eq!(world.store.recent_runs().await.unwrap(), []);
    run(&world, None, &complete(), 1500).await;
    run(&world, None, &Outcome::internal_error(), 60_000).await;
    run(&world, Some(vec![1, 9]), &complete(), 20).await;
    let stored = world.store.recent_runs().await.unwrap().len();
    assert_eq!(stored, 2);
    let caller = world.caller("local", Tier::Enterprise).await;
    let document = world.document(&caller, "%PDF").await;
    let job = world.submit(&caller, &document).await.unwrap();
    let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();
    let reused =
        Outcome::Complete { result: "{}".to_owned(), presented: None, warnings: Vec::new(), cached_from: Some(job.id) };
    world.store.finish(&claim.lease, &reused, Duration::from_millis(1)).await.unwrap();

    let mut runs = world.store.recent_runs().await.unwrap();
    runs.sort_by_key(|run| run.took);
    assert_eq!(runs, [completed_run(Some(vec![1, 9]), 20), completed_run(None, 1500)]);
}

fn completed_run(pages: Option<Vec<u32>>, milliseconds: u64) -> CompletedRun {
    CompletedRun { model: "toc-parser".to_owned(), pages, page_count: 75, took: Duration::from_millis(milliseconds) }
}

async fn runs_on_deleted_documents_are_left_out(world: World) {
    run(&world, None, &complete(), 1500).await;
    world.change("DELETE FROM documents").await;
    assert_eq!(world.store.recent_runs().await.unwrap(), []);
}
