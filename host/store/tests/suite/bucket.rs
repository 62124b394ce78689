use std::time::Duration;

use fanlight_store::{Allowance, Tier};

use crate::world::{World, on_both_databases};

on_both_databases!(
    bucket_empties_and_fills_again,
    full_bucket_gains_no_tokens,
    each_key_has_a_bucket_of_its_own,
    hosts_share_a_bucket,
    bucket_keeps_its_fill_when_the_tier_changes,
);

/// The remaining tokens, and the seconds until the bucket is full, after a request that was not refused.
fn left(allowance: Allowance) -> (u32, u64) {
    assert_eq!(allowance.retry_after_seconds, None, "{allowance:?}");
    (allowance.remaining, allowance.full_in_seconds)
}

fn retry_after(allowance: Allowance) -> u64 {
    assert_eq!(allowance.remaining, 0, "{allowance:?}");
    allowance.retry_after_seconds.unwrap()
}

async fn bucket_empties_and_fills_again(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    for expected in [(4, 12), (3, 24), (2, 36), (1, 48), (0, 60)] {
        assert_eq!(left(world.store.take_token(&caller).await.unwrap()), expected);
    }
    // Five per minute are one every 12 s. A refused request takes no token.
    for (pause, wait) in [(0, 12), (1, 11), (10, 1)] {
        world.clock.advance(Duration::from_secs(pause));
        assert_eq!(retry_after(world.store.take_token(&caller).await.unwrap()), wait);
    }
    world.clock.advance(Duration::from_micros(999_999));
    assert_eq!(retry_after(world.store.take_token(&caller).await.unwrap()), 1);
    world.clock.advance(Duration::from_micros(1));
    assert_eq!(left(world.store.take_token(&caller).await.unwrap()), (0, 60));
    assert_eq!(retry_after(world.store.take_token(&caller).await.unwrap()), 12);
    world.clock.advance(Duration::from_secs(30));
    assert_eq!(left(world.store.take_token(&caller).await.unwrap()), (1, 42));
}

async fn full_bucket_gains_no_tokens(world: World) {
    let caller = world.caller("free", Tier::Free).await;
    world.store.take_token(&caller).await.unwrap();
    world.clock.advance(Duration::from_hours(1));
    assert_eq!(left(world.store.take_token(&caller).await.unwrap()), (4, 12));
}

async fn each_key_has_a_bucket_of_its_own(world: World) {
    let first = world.caller("office", Tier::Free).await;
    let second = world.caller("office", Tier::Free).await;
    for _ in 0..6 {
        world.store.take_token(&first).await.unwrap();
    }
    assert_eq!(retry_after(world.store.take_token(&first).await.unwrap()), 12);
    assert_eq!(left(world.store.take_token(&second).await.unwrap()), (4, 12));
}

async fn hosts_share_a_bucket(world: World) {
    let caller = world.caller("developer", Tier::Developer).await;
    let hosts = [world.store.clone(), world.another_host().await];
    let taking: Vec<_> = (0..100)
        .map(|index| {
            let host = hosts[index % 2].clone();
            tokio::spawn(async move { host.take_token(&caller).await.unwrap() })
        })
        .collect();
    let mut taken = 0;
    for allowance in taking {
        taken += usize::from(allowance.await.unwrap().retry_after_seconds.is_none());
    }
    assert_eq!(taken, 60);
}

async fn bucket_keeps_its_fill_when_the_tier_changes(world: World) {
    let caller = world.caller("developer", Tier::Developer).await;
    for _ in 0..30 {
        world.store.take_token(&caller).await.unwrap();
    }
    let lower = fanlight_store::Caller { tier: Tier::Free, ..caller };
    assert_eq!(left(world.store.take_token(&lower).await.unwrap()), (1, 42), "half of five tokens, minus one");
}
