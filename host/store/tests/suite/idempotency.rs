use std::time::Duration;

use fanlight_store::idempotency::{KEY_LIFETIME, RESERVATION_LEASE};
use fanlight_store::{Caller, Document, IdempotentRequest, Job, Reservation, Reserved, StoreError, Tier};

use crate::world::{FREE_CREDITS, World, on_both_databases, submission, versions};

on_both_databases!(
    repetition_gets_the_first_answer,
    key_can_not_be_used_for_another_request,
    key_belongs_to_one_account_and_operation,
    key_is_in_use_until_answered_or_released,
    key_of_a_dead_host_is_free_after_its_lease,
    key_is_free_again_after_a_day,
    job_charge_and_answer_are_written_together,
    one_of_many_concurrent_requests_is_processed,
);

impl World {
    async fn request(&self, account: &str) -> IdempotentRequest {
        let account = self.store.account_named(account, Tier::Pro).await.unwrap();
        IdempotentRequest {
            account_id: account.id,
            operation: "POST /v1/specs/parse/document".to_owned(),
            key: "a key".to_owned(),
            fingerprint: "same".to_owned(),
        }
    }

    /// Submits a job of two credits, and keeps its id as the answer.
    async fn submit_under(
        &self,
        reservation: &Reservation,
        caller: &Caller,
        document: &Document,
    ) -> Result<Job, StoreError> {
        let reservation = reservation.clone();
        let answer = move |job: &Job| Some((reservation, job.id.to_string()));
        self.store.submit_answered(caller, &submission(document), answer).await
    }

    async fn reserve(&self, request: &IdempotentRequest) -> Option<Reservation> {
        let reserved = self.store.reserve_key(request).await.unwrap();
        let Reserved::New(reservation) = &reserved else { return None };
        Some(reservation.clone())
    }
}

async fn repetition_gets_the_first_answer(world: World) {
    let request = world.request("office").await;
    let reservation = world.reserve(&request).await.unwrap();
    world.store.keep_answer(&reservation, "the answer").await.unwrap();
    for host in [world.store.clone(), world.another_host().await] {
        assert_eq!(host.reserve_key(&request).await.unwrap(), Reserved::Answered("the answer".to_owned()));
    }
}

async fn key_can_not_be_used_for_another_request(world: World) {
    let request = world.request("office").await;
    let another = IdempotentRequest { fingerprint: "another".to_owned(), ..request.clone() };
    let reservation = world.reserve(&request).await.unwrap();
    assert!(matches!(world.store.reserve_key(&another).await, Err(StoreError::IdempotencyKeyReused)));
    world.store.keep_answer(&reservation, "the answer").await.unwrap();
    assert!(matches!(world.store.reserve_key(&another).await, Err(StoreError::IdempotencyKeyReused)));
}

async fn key_belongs_to_one_account_and_operation(world: World) {
    let request = world.request("office").await;
    let elsewhere = IdempotentRequest { operation: "POST /v1/drawings/classify".to_owned(), ..request.clone() };
    for request in [&request, &world.request("site").await, &elsewhere] {
        world.reserve(request).await.unwrap();
    }
}

async fn key_is_in_use_until_answered_or_released(world: World) {
    let request = world.request("office").await;
    let reservation = world.reserve(&request).await.unwrap();
    assert!(matches!(world.store.reserve_key(&request).await, Err(StoreError::IdempotencyKeyInUse)));

    world.store.release_key(&reservation).await.unwrap();

    let again = world.reserve(&request).await.unwrap();
    world.store.keep_answer(&again, "the answer").await.unwrap();
    for released in [&reservation, &again] {
        world.store.release_key(released).await.unwrap();
        assert_eq!(world.store.reserve_key(&request).await.unwrap(), Reserved::Answered("the answer".to_owned()));
    }
}

async fn key_of_a_dead_host_is_free_after_its_lease(world: World) {
    let request = world.request("office").await;
    let dead = world.reserve(&request).await.unwrap();
    world.clock.set(world.clock.now() + RESERVATION_LEASE - Duration::from_micros(1));
    assert!(matches!(world.store.reserve_key(&request).await, Err(StoreError::IdempotencyKeyInUse)));
    world.clock.advance(Duration::from_micros(1));

    let another = world.reserve(&request).await.unwrap();

    // The host was not dead, but slow.
    assert!(matches!(world.store.keep_answer(&dead, "late").await, Err(StoreError::IdempotencyKeyInUse)));
    world.store.release_key(&dead).await.unwrap();
    world.store.keep_answer(&another, "the answer").await.unwrap();
    assert_eq!(world.store.reserve_key(&request).await.unwrap(), Reserved::Answered("the answer".to_owned()));
}

async fn key_is_free_again_after_a_day(world: World) {
    let request = world.request("office").await;
    let reservation = world.reserve(&request).await.unwrap();
    world.store.keep_answer(&reservation, "the answer").await.unwrap();
    world.clock.set(world.clock.now() + KEY_LIFETIME - Duration::from_micros(1));
    assert!(matches!(world.store.reserve_key(&request).await.unwrap(), Reserved::Answered(_)));
    world.clock.advance(Duration::from_micros(1));

    // The row has not been swept yet.
    let another = IdempotentRequest { fingerprint: "another".to_owned(), ..request.clone() };
    world.reserve(&another).await.unwrap();
}

async fn job_charge_and_answer_are_written_together(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let document = world.document(&caller, "%PDF").await;
    let request = IdempotentRequest { account_id: caller.account_id, ..world.request("office").await };
    let slow = world.reserve(&request).await.unwrap();
    world.clock.advance(RESERVATION_LEASE);
    let reservation = world.reserve(&request).await.unwrap();

    let late = world.submit_under(&slow, &caller, &document).await;
    assert!(matches!(late, Err(StoreError::IdempotencyKeyInUse)));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
    assert!(world.store.claim("worker", &versions()).await.unwrap().is_none());

    let job = world.submit_under(&reservation, &caller, &document).await.unwrap();
    assert_eq!(world.store.reserve_key(&request).await.unwrap(), Reserved::Answered(job.id.to_string()));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2);

    // A refused submission keeps no answer.
    let refused = IdempotentRequest { key: "refused".to_owned(), ..request };
    let reservation = world.reserve(&refused).await.unwrap();
    while world.submit(&caller, &document).await.is_ok() {}
    let submitted = world.submit_under(&reservation, &caller, &document).await;
    assert!(matches!(submitted, Err(StoreError::FreeTierLimit)));
    assert!(world.store.credits_used(&caller).await.unwrap() <= u64::from(FREE_CREDITS));
    assert!(matches!(world.store.reserve_key(&refused).await, Err(StoreError::IdempotencyKeyInUse)));
}

async fn one_of_many_concurrent_requests_is_processed(world: World) {
    let request = world.request("office").await;
    let hosts = [world.store.clone(), world.another_host().await];
    let reserving: Vec<_> = (0..20)
        .map(|index| {
            let (host, request) = (hosts[index % 2].clone(), request.clone());
            tokio::spawn(async move { host.reserve_key(&request).await })
        })
        .collect();
    let mut processed = 0;
    for reserved in reserving {
        match reserved.await.unwrap() {
            Ok(Reserved::New(_)) => processed += 1,
            other => assert!(matches!(other, Err(StoreError::IdempotencyKeyInUse)), "{other:?}"),
        }
    }
    assert_eq!(processed, 1);
}
