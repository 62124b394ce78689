use fanlight_store::{Caller, JobFilter, JobStatus, ListRequest, StoreError, Submission, Tier};
use uuid::Uuid;

use crate::world::{World, on_both_databases, submission, versions};

on_both_databases!(
    growing_list_is_read_without_gaps_or_repeats,
    list_holds_the_jobs_that_match_its_filter,
    list_holds_jobs_of_its_own_account_only,
    expired_jobs_are_not_listed,
);

impl World {
    /// Jobs over one document, one for each model, oldest first.
    async fn jobs(&self, caller: &Caller, models: &[&str]) -> Vec<Uuid> {
        let document = self.document(caller, "%PDF").await;
        let mut ids = Vec::new();
        for model in models {
            let submission = Submission {
                model: (*model).to_owned(),
                model_version: format!("{model}-v1.0.0"),
                ..submission(&document)
            };
            ids.push(self.store.submit(caller, &submission).await.unwrap().id);
        }
        ids
    }

    async fn listed(&self, caller: &Caller, filter: JobFilter) -> Vec<Uuid> {
        let listed = self.store.jobs(caller.account_id, &filter, &ListRequest::default()).await.unwrap();
        listed.items.into_iter().map(|job| job.id).collect()
    }
}

async fn growing_list_is_read_without_gaps_or_repeats(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let there_before = world.jobs(&caller, &["toc-parser"; 11]).await;

    let (mut seen, mut cursor) = (Vec::new(), None);
    for expected in [3, 3, 3, 2] {
        let request = ListRequest { limit: Some(3), cursor };
        let listed = world.store.jobs(caller.account_id, &JobFilter::default(), &request).await.unwrap();
        assert_eq!(listed.items.len(), expected);
        seen.extend(listed.items.iter().map(|job| job.id));
        cursor = listed.next_cursor;
        world.jobs(&caller, &["toc-parser"; 2]).await;
    }

    assert_eq!(cursor, None);
    assert_eq!(seen, there_before.into_iter().rev().collect::<Vec<_>>());
}

async fn list_holds_the_jobs_that_match_its_filter(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    let first = world.jobs(&caller, &["toc-parser", "door-detector"]).await;
    let second = world.jobs(&caller, &["toc-parser"]).await;
    let document_id = Some(world.store.job(caller.account_id, second[0]).await.unwrap().document_id);
    world.store.claim("worker", &versions()).await.unwrap().unwrap();
    let model = Some("toc-parser".to_owned());
    let all = JobFilter::default;

    let cases = [
        (all(), vec![second[0], first[1], first[0]]),
        (JobFilter { status: Some(JobStatus::Queued), ..all() }, vec![second[0], first[1]]),
        (JobFilter { status: Some(JobStatus::Processing), ..all() }, vec![first[0]]),
        (JobFilter { status: Some(JobStatus::Complete), ..all() }, vec![]),
        (JobFilter { model: model.clone(), ..all() }, vec![second[0], first[0]]),
        (JobFilter { model: Some("nobodys".to_owned()), ..all() }, vec![]),
        (JobFilter { document_id, ..all() }, vec![second[0]]),
        (JobFilter { document_id: Some(Uuid::nil()), ..all() }, vec![]),
        (JobFilter { status: Some(JobStatus::Queued), model, document_id }, vec![second[0]]),
    ];
    for (filter, expected) in cases {
        assert_eq!(world.listed(&caller, filter.clone()).await, expected, "{filter:?}");
    }
}

async fn list_holds_jobs_of_its_own_account_only(world: World) {
    let owner = world.caller("owner", Tier::Pro).await;
    let stranger = world.caller("stranger", Tier::Pro).await;
    world.jobs(&owner, &["toc-parser"; 2]).await;
    let own = world.jobs(&stranger, &["toc-parser"]).await;

    assert_eq!(world.listed(&stranger, JobFilter::default()).await, own);
    let request = ListRequest { limit: Some(1), cursor: None };
    let owners = world.store.jobs(owner.account_id, &JobFilter::default(), &request).await.unwrap();
    let request = ListRequest { limit: Some(1), cursor: owners.next_cursor };
    assert!(request.cursor.is_some());
    let refused = world.store.jobs(stranger.account_id, &JobFilter::default(), &request).await;
    assert!(matches!(refused, Err(StoreError::InvalidListRequest(_))), "{refused:?}");
}

async fn expired_jobs_are_not_listed(world: World) {
    let caller = world.caller("office", Tier::Pro).await;
    world.jobs(&caller, &["toc-parser"; 2]).await;
    let listed = world.store.jobs(caller.account_id, &JobFilter::default(), &ListRequest::default()).await.unwrap();
    world.clock.set(listed.items[0].expires_at);
    assert!(world.listed(&caller, JobFilter::default()).await.is_empty());
}
