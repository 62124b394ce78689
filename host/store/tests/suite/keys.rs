use std::time::Duration;

use fanlight_store::{ApiKey, NewKey, StoreError, Tier};
use uuid::Uuid;

use crate::world::{World, on_both_databases};

on_both_databases!(
    a_secret_is_its_keys_alone,
    what_is_no_secret_is_refused,
    a_revoked_key_is_refused,
    a_key_is_refused_from_its_expiry_on,
    a_key_is_at_most_its_accounts_plan,
    the_last_use_is_kept_to_the_minute,
    an_operator_sees_the_keys_of_all_accounts,
);

fn key(tier: Tier) -> NewKey {
    NewKey { name: "site office".to_owned(), tier, expires_at: None }
}

async fn a_secret_is_its_keys_alone(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let first = world.store.create_key(account.id, key(Tier::Pro)).await.unwrap();
    let second = world.store.create_key(account.id, key(Tier::Free)).await.unwrap();

    for (created, tier) in [(&first, Tier::Pro), (&second, Tier::Free)] {
        let caller = world.store.authenticate(created.secret.reveal()).await.unwrap();
        assert_eq!((caller.account_id, caller.key_id, caller.tier), (account.id, created.key.id, tier));
    }

    let secret = first.secret.reveal();
    assert_eq!(secret.len(), 3 + 64);
    assert_eq!(first.key.prefix, secret[..11]);
    assert!(!format!("{first:?}").contains(&secret[11..]), "a secret does not print itself");
    assert_eq!(
        world.store.keys(account.id).await.unwrap().iter().map(|key| key.id).collect::<Vec<_>>(),
        [first.key.id, second.key.id]
    );
}

async fn what_is_no_secret_is_refused(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let created = world.store.create_key(account.id, key(Tier::Pro)).await.unwrap();
    let secret = created.secret.reveal();
    let last = if secret.ends_with('0') { "1" } else { "0" };

    let cases = [
        String::new(),
        "fl_".to_owned(),
        created.key.prefix.clone(),
        secret[..66].to_owned(),
        format!("{}{last}", &secret[..66]),
        format!("{secret}0"),
        secret.to_uppercase(),
        secret[3..].to_owned(),
        format!("fl_{}", "é".repeat(32)),
        format!("fl_{}", "0".repeat(64)),
        "' OR '1' = '1".to_owned(),
    ];
    for case in cases {
        let refused = world.store.authenticate(&case).await;
        assert!(matches!(refused, Err(StoreError::InvalidKey)), "{case:?}: {refused:?}");
    }
}

async fn a_revoked_key_is_refused(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let stranger = world.store.account_named("stranger", Tier::Pro).await.unwrap();
    let created = world.store.create_key(account.id, key(Tier::Pro)).await.unwrap();

    let not_theirs = world.store.revoke_key(stranger.id, created.key.id).await;
    assert!(matches!(not_theirs, Err(StoreError::KeyNotFound)));
    assert!(world.store.authenticate(created.secret.reveal()).await.is_ok());

    world.store.revoke_key(account.id, created.key.id).await.unwrap();
    assert!(matches!(world.store.authenticate(created.secret.reveal()).await, Err(StoreError::InvalidKey)));
    assert_eq!(world.store.keys(account.id).await.unwrap(), Vec::<ApiKey>::new());
    assert!(matches!(world.store.revoke_key(account.id, created.key.id).await, Err(StoreError::KeyNotFound)));
}

async fn a_key_is_refused_from_its_expiry_on(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let expires_at = Some(world.clock.now() + Duration::from_hours(1));
    let created = world.store.create_key(account.id, NewKey { expires_at, ..key(Tier::Pro) }).await.unwrap();

    world.clock.advance(Duration::from_hours(1) - Duration::from_micros(1));
    assert!(world.store.authenticate(created.secret.reveal()).await.is_ok());

    world.clock.advance(Duration::from_micros(1));
    assert!(matches!(world.store.authenticate(created.secret.reveal()).await, Err(StoreError::InvalidKey)));
}

async fn a_key_is_at_most_its_accounts_plan(world: World) {
    let account = world.store.account_named("local", Tier::Developer).await.unwrap();
    let above = world.store.create_key(account.id, key(Tier::Pro)).await;
    assert!(matches!(above, Err(StoreError::TierAbovePlan { tier: Tier::Pro, plan: Tier::Developer })));

    let created = world.store.create_key(account.id, key(Tier::Developer)).await.unwrap();
    world.store.set_plan(account.id, Tier::Free).await.unwrap();
    let caller = world.store.authenticate(created.secret.reveal()).await.unwrap();
    assert_eq!(caller.tier, Tier::Free, "a key above its account's new plan acts with the plan");

    let nobody = world.store.create_key(Uuid::nil(), key(Tier::Free)).await;
    assert!(matches!(nobody, Err(StoreError::AccountNotFound)));
}

async fn the_last_use_is_kept_to_the_minute(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let created = world.store.create_key(account.id, key(Tier::Pro)).await.unwrap();
    assert_eq!(created.key.last_used_at, None);
    let start = world.clock.now();

    let cases = [(0, 0), (59, 0), (60, 60), (90, 60), (120, 120)];
    for (seconds, kept) in cases {
        world.clock.set(start + Duration::from_secs(seconds));
        world.store.authenticate(created.secret.reveal()).await.unwrap();
        let keys = world.store.keys(account.id).await.unwrap();
        assert_eq!(keys[0].last_used_at, Some(start + Duration::from_secs(kept)), "used after {seconds} s");
    }
}

async fn an_operator_sees_the_keys_of_all_accounts(world: World) {
    let mut made = Vec::new();
    for name in ["first", "second", "first"] {
        let account = world.store.account_named(name, Tier::Pro).await.unwrap();
        made.push((account.clone(), world.store.create_key(account.id, key(Tier::Free)).await.unwrap().key));
    }
    let (account, revoked) = made.remove(1);
    world.store.revoke_key(account.id, revoked.id).await.unwrap();

    assert_eq!(world.store.all_keys().await.unwrap(), made);
}
