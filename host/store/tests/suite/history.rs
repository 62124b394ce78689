use std::time::Duration;

use fanlight_store::{Outcome, Ran, Submission, Tier};

use crate::world::{World, on_both_databases, submission, versions};

on_both_databases!(only_what_ran_to_its_result_counts, a_document_that_is_gone_takes_its_jobs_along);

const COMPLETE: fn() -> Outcome =
    || Outcome::Complete { result: "{}".to_owned(), presented: None, warnings: Vec::new(), cached_from: None };

/// Submits a job over these pages and ends it so, after so many milliseconds.
async fn ran(world: &World, pages: Option<Vec<u32>>, outcome: &Outcome, milliseconds: u64) {
    let caller = world.caller("local", Tier::Enterprise).await;
    let document = world.document(&caller, "%PDF").await;
    let wanted = Submission { pages, ..submission(&document) };
    world.store.submit(&caller, &wanted).await.unwrap();
    let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();
    world.store.finish(&claim.lease, outcome, Duration::from_millis(milliseconds)).await.unwrap();
}

async fn only_what_ran_to_its_result_counts(world: World) {
    assert_eq!(world.store.ran_lately().await.unwrap(), []);
    ran(&world, None, &COMPLETE(), 1500).await;
    ran(&world, None, &Outcome::internal_error(), 60_000).await;
    ran(&world, Some(vec![1, 9]), &COMPLETE(), 20).await;
    let stored = world.store.ran_lately().await.unwrap().len();
    assert_eq!(stored, 2);
    let caller = world.caller("local", Tier::Enterprise).await;
    let document = world.document(&caller, "%PDF").await;
    let job = world.submit(&caller, &document).await.unwrap();
    let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();
    let reused =
        Outcome::Complete { result: "{}".to_owned(), presented: None, warnings: Vec::new(), cached_from: Some(job.id) };
    world.store.finish(&claim.lease, &reused, Duration::from_millis(1)).await.unwrap();

    let mut lately = world.store.ran_lately().await.unwrap();
    lately.sort_by_key(|ran| ran.took);
    let expected = |pages: Option<Vec<u32>>, milliseconds| Ran {
        model: "toc-parser".to_owned(),
        pages,
        page_count: 75,
        took: Duration::from_millis(milliseconds),
    };
    assert_eq!(lately, [expected(Some(vec![1, 9]), 20), expected(None, 1500)]);
}

async fn a_document_that_is_gone_takes_its_jobs_along(world: World) {
    ran(&world, None, &COMPLETE(), 1500).await;
    world.change("DELETE FROM documents").await;
    assert_eq!(world.store.ran_lately().await.unwrap(), []);
}
