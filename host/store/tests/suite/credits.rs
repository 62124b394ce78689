use std::time::Duration;

use fanlight_store::{CreditPeriod, ModelUsage, Outcome, StoreError, Submission, Tier, Usage};

use crate::world::{FREE_CREDITS, MONTHLY_CREDITS, World, complete, on_both_databases, submission, time, versions};

on_both_databases!(
    concurrent_submissions_never_exceed_the_credits,
    free_credits_are_for_a_lifetime,
    monthly_credits_renew_at_the_utc_month_end,
    keys_of_an_account_share_its_credits,
    enterprise_credits_are_counted_but_not_checked,
    refund_goes_to_the_month_of_its_charge,
    only_internal_errors_are_refunded,
    usage_is_counted_by_model_and_period,
    lifetime_usage_begins_with_the_account,
);

async fn concurrent_submissions_never_exceed_the_credits(world: World) {
    for (tier, credits) in [(Tier::Free, 2), (Tier::Developer, 1)] {
        let caller = world.caller(tier.as_str(), tier).await;
        let document = world.document(&caller, "%PDF").await;
        let submission = Submission { credits, ..submission(&document) };
        let spare = match tier {
            Tier::Free => FREE_CREDITS - 7 * credits,
            _ => MONTHLY_CREDITS - 7 * credits,
        };
        let first = Submission { credits: spare, ..submission.clone() };
        world.store.submit(&caller, &first).await.unwrap();

        let hosts = [world.store.clone(), world.another_host().await];
        let submitting: Vec<_> = (0..50)
            .map(|index| {
                let (host, submission) = (hosts[index % 2].clone(), submission.clone());
                tokio::spawn(async move { host.submit(&caller, &submission).await })
            })
            .collect();
        let mut jobs = Vec::new();
        for submitted in submitting {
            match submitted.await.unwrap() {
                Ok(job) => jobs.push(job.id),
                Err(StoreError::FreeTierLimit) => assert_eq!(tier, Tier::Free),
                Err(error) => assert!(matches!(error, StoreError::QuotaExceeded) && tier != Tier::Free, "{error:?}"),
            }
        }

        assert_eq!(jobs.len(), 7, "{tier}");
        assert_eq!(world.store.credits_used(&caller).await.unwrap(), u64::from(spare + 7 * credits), "{tier}");
        let mut queued = 0;
        while let Some(claim) = world.store.claim("worker", &versions()).await.unwrap() {
            queued += usize::from(jobs.contains(&claim.job.id));
        }
        assert_eq!(queued, 7, "{tier}: every acknowledged job is queued");
    }
}

async fn free_credits_are_for_a_lifetime(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    for _ in 0..7 {
        let document = world.document(&caller, "%PDF").await;
        world.submit(&caller, &document).await.unwrap();
    }

    world.clock.set(time("2036-01-01T00:00:00Z"));
    let document = world.document(&caller, "%PDF").await;
    assert!(matches!(world.submit(&caller, &document).await, Err(StoreError::FreeTierLimit)));
    let last = Submission { credits: 1, ..submission(&document) };
    assert!(world.store.submit(&caller, &last).await.is_ok(), "the fifteenth credit is left");
    assert!(matches!(world.store.submit(&caller, &last).await, Err(StoreError::FreeTierLimit)));
}

async fn monthly_credits_renew_at_the_utc_month_end(world: World) {
    let caller = world.caller("developer", Tier::Developer).await;
    let document = world.document(&caller, "%PDF").await;
    let whole_pool = Submission { credits: MONTHLY_CREDITS, ..submission(&document) };
    let more = Submission { credits: MONTHLY_CREDITS + 1, ..submission(&document) };
    assert!(matches!(world.store.submit(&caller, &more).await, Err(StoreError::QuotaExceeded)));
    world.store.submit(&caller, &whole_pool).await.unwrap();

    world.clock.set(time("2026-11-30T23:59:59.999999Z"));
    assert!(matches!(world.submit(&caller, &document).await, Err(StoreError::QuotaExceeded)));

    world.clock.set(time("2026-12-01T00:00:00Z"));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
    assert!(world.store.submit(&caller, &whole_pool).await.is_ok());
    assert!(matches!(world.submit(&caller, &document).await, Err(StoreError::QuotaExceeded)));
}

async fn keys_of_an_account_share_its_credits(world: World) {
    let first = world.caller("developer", Tier::Developer).await;
    let second = world.caller("developer", Tier::Developer).await;
    assert_eq!(first.account_id, second.account_id);
    let document = world.document(&first, "%PDF").await;
    let whole_pool = Submission { credits: MONTHLY_CREDITS, ..submission(&document) };

    world.store.submit(&first, &whole_pool).await.unwrap();

    assert!(matches!(world.submit(&second, &document).await, Err(StoreError::QuotaExceeded)));
}

async fn enterprise_credits_are_counted_but_not_checked(world: World) {
    let caller = world.caller("enterprise", Tier::Enterprise).await;
    assert_eq!(world.store.limits(Tier::Enterprise).credit_period, CreditPeriod::Unlimited);
    let document = world.document(&caller, "%PDF").await;
    let dear = Submission { credits: 1_000_000, ..submission(&document) };

    world.store.submit(&caller, &dear).await.unwrap();
    world.store.submit(&caller, &dear).await.unwrap();

    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 2_000_000);
}

async fn refund_goes_to_the_month_of_its_charge(world: World) {
    let caller = world.caller("developer", Tier::Developer).await;
    let document = world.document(&caller, "%PDF").await;
    let whole_pool = Submission { credits: MONTHLY_CREDITS, ..submission(&document) };
    let november = world.store.submit(&caller, &whole_pool).await.unwrap();
    world.clock.set(time("2026-12-01T00:00:00Z"));
    world.store.submit(&caller, &whole_pool).await.unwrap();

    world.store.cancel(caller.account_id, november.id).await.unwrap();

    assert!(matches!(world.submit(&caller, &document).await, Err(StoreError::QuotaExceeded)));
    world.clock.set(time("2026-11-30T00:00:00Z"));
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), 0);
}

fn failed(code: &str) -> Outcome {
    Outcome::Failed { code: code.to_owned(), message: "No.".to_owned() }
}

async fn only_internal_errors_are_refunded(world: World) {
    let caller = world.caller("pro", Tier::Pro).await;
    let cases = [(complete(), 2), (failed("PDF_CORRUPT"), 2), (failed("TIMEOUT"), 2), (Outcome::internal_error(), 0)];

    let mut used = 0;
    for (outcome, kept) in cases {
        let document = world.document(&caller, "%PDF").await;
        world.submit(&caller, &document).await.unwrap();
        let claim = world.store.claim("worker", &versions()).await.unwrap().unwrap();
        let job = world.store.finish(&claim.lease, &outcome, Duration::from_millis(5)).await.unwrap();
        used += kept;
        assert_eq!(u64::from(job.credits_charged), kept, "{outcome:?}");
        assert_eq!(world.store.credits_used(&caller).await.unwrap(), used, "{outcome:?}");
    }
}

async fn usage_is_counted_by_model_and_period(world: World) {
    let caller = world.caller("developer", Tier::Developer).await;
    let document = world.document(&caller, "%PDF").await;
    let doors = Submission { model: "door-detector".to_owned(), credits: 3, ..submission(&document) };
    world.submit(&caller, &document).await.unwrap();
    let cancelled = world.submit(&caller, &document).await.unwrap();
    world.store.submit(&caller, &doors).await.unwrap();
    world.store.cancel(caller.account_id, cancelled.id).await.unwrap();

    let doors = ModelUsage { model: "door-detector".to_owned(), jobs: 1, charged: 3, refunded: 0 };
    let contents = ModelUsage { model: "toc-parser".to_owned(), jobs: 2, charged: 4, refunded: 2 };
    let november = Usage {
        starts_at: time("2026-11-01T00:00:00Z"),
        ends_at: Some(time("2026-12-01T00:00:00Z")),
        used: 5,
        limit: Some(MONTHLY_CREDITS),
        models: vec![doors, contents],
    };
    assert_eq!(november.remaining(), Some(u64::from(MONTHLY_CREDITS) - 5));
    assert_eq!(world.store.usage(&caller).await.unwrap(), november);
    assert_eq!(world.store.credits_used(&caller).await.unwrap(), november.used);

    world.clock.set(time("2026-12-31T23:59:59.999999Z"));
    let december = Usage {
        starts_at: time("2026-12-01T00:00:00Z"),
        ends_at: Some(time("2027-01-01T00:00:00Z")),
        used: 0,
        models: vec![],
        ..november.clone()
    };
    assert_eq!(world.store.usage(&caller).await.unwrap(), december);

    world.clock.set(time("2026-11-30T00:00:00Z"));
    let unchecked = fanlight_store::Caller { tier: Tier::Enterprise, ..caller };
    assert_eq!(world.store.usage(&unchecked).await.unwrap(), Usage { limit: None, ..november });
}

async fn lifetime_usage_begins_with_the_account(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    let document = world.document(&caller, "%PDF").await;
    world.submit(&caller, &document).await.unwrap();
    let made = world.clock.now();
    world.clock.set(time("2036-01-01T00:00:00Z"));
    let usage = world.store.usage(&caller).await.unwrap();
    assert_eq!((usage.starts_at, usage.ends_at, usage.used), (made, None, 2));
    assert_eq!((usage.limit, usage.remaining()), (Some(FREE_CREDITS), Some(u64::from(FREE_CREDITS) - 2)));
}
