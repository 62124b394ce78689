use std::time::Duration;

use fanlight_store::{ApiKey, Identity, ListRequest, NewKey, StoreError, Tier};
use uuid::Uuid;

use crate::world::{KEYS_PER_ACCOUNT, World, on_both_databases};

on_both_databases!(
    secret_authenticates_its_own_key,
    malformed_or_unknown_secret_is_refused,
    revoked_key_is_refused,
    key_changes_of_another_host_count_at_once,
    key_is_refused_from_its_expiry_on,
    key_acts_with_at_most_its_accounts_plan,
    last_use_is_kept_to_the_minute,
    operator_sees_the_keys_of_all_accounts,
    identity_has_exactly_one_account,
    identity_never_gets_an_operators_account,
    list_has_no_revoked_keys_and_no_other_accounts,
    concurrently_created_keys_never_exceed_the_limit,
    name_is_short_printable_text,
    expiry_in_the_past_is_refused,
);

fn key(tier: Tier) -> NewKey {
    NewKey { name: "site office".to_owned(), tier, expires_at: None }
}

async fn secret_authenticates_its_own_key(world: World) {
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

async fn malformed_or_unknown_secret_is_refused(world: World) {
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

async fn revoked_key_is_refused(world: World) {
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

async fn key_changes_of_another_host_count_at_once(world: World) {
    let other = world.another_host().await;
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let created = world.store.create_key(account.id, key(Tier::Pro)).await.unwrap();
    let secret = created.secret.reveal();
    for plan in [Tier::Pro, Tier::Free, Tier::Developer] {
        other.set_plan(account.id, plan).await.unwrap();
        // On SQLite the second answer comes from the cache.
        for _ in 0..2 {
            assert_eq!(world.store.authenticate(secret).await.unwrap().tier, plan);
        }
    }
    other.revoke_key(account.id, created.key.id).await.unwrap();
    assert!(matches!(world.store.authenticate(secret).await, Err(StoreError::InvalidKey)));
}

async fn key_is_refused_from_its_expiry_on(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let expires_at = Some(world.clock.now() + Duration::from_hours(1));
    let created = world.store.create_key(account.id, NewKey { expires_at, ..key(Tier::Pro) }).await.unwrap();

    world.clock.advance(Duration::from_hours(1) - Duration::from_micros(1));
    assert!(world.store.authenticate(created.secret.reveal()).await.is_ok());

    world.clock.advance(Duration::from_micros(1));
    assert!(matches!(world.store.authenticate(created.secret.reveal()).await, Err(StoreError::InvalidKey)));
}

async fn key_acts_with_at_most_its_accounts_plan(world: World) {
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

async fn last_use_is_kept_to_the_minute(world: World) {
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

async fn operator_sees_the_keys_of_all_accounts(world: World) {
    let mut made = Vec::new();
    for name in ["first", "second", "first"] {
        let account = world.store.account_named(name, Tier::Pro).await.unwrap();
        made.push((account.clone(), world.store.create_key(account.id, key(Tier::Free)).await.unwrap().key));
    }
    let (account, revoked) = made.remove(1);
    world.store.revoke_key(account.id, revoked.id).await.unwrap();

    assert_eq!(world.store.all_keys().await.unwrap(), made);
}

fn identity(issuer: &str, subject: &str) -> Identity {
    Identity { issuer: issuer.to_owned(), subject: subject.to_owned() }
}

async fn identity_has_exactly_one_account(world: World) {
    let ada = identity("https://one.example", "ada");
    let other_host = world.another_host().await;
    let (here, there) =
        tokio::join!(world.store.account_of(&ada, "ada@example.com"), other_host.account_of(&ada, "Ada"));
    let account = here.unwrap();
    assert_eq!(there.unwrap(), account, "two hosts that see them first agree");
    assert_eq!((account.plan, account.identity.as_ref()), (Tier::Free, Some(&ada)));

    world.store.set_plan(account.id, Tier::Pro).await.unwrap();
    let again = world.store.account_of(&ada, "renamed").await.unwrap();
    assert_eq!((again.id, again.plan, &again.name), (account.id, Tier::Pro, &account.name));

    for other in [identity("https://one.example", "bob"), identity("https://two.example", "ada")] {
        assert_ne!(world.store.account_of(&other, "ada@example.com").await.unwrap().id, account.id, "{other:?}");
    }
}

async fn identity_never_gets_an_operators_account(world: World) {
    let theirs = world.store.account_of(&identity("https://one.example", "ada"), "office").await.unwrap();
    let nobodys = world.store.operators_account("office").await;
    assert!(matches!(nobodys, Err(StoreError::AccountNotFound)), "{nobodys:?}");

    let operators = world.store.account_named("office", Tier::Pro).await.unwrap();

    assert_ne!(operators.id, theirs.id);
    assert_eq!(world.store.operators_account("office").await.unwrap(), operators);
    assert_eq!(world.store.accounts().await.unwrap(), [theirs, operators]);
}

async fn list_has_no_revoked_keys_and_no_other_accounts(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let stranger = world.store.account_named("stranger", Tier::Pro).await.unwrap();
    let mut made = Vec::new();
    for _ in 0..4 {
        made.push(world.store.create_key(account.id, key(Tier::Free)).await.unwrap().key);
    }
    let theirs = world.store.create_key(stranger.id, key(Tier::Free)).await.unwrap().key;
    let revoked = made.remove(2);
    world.store.revoke_key(account.id, revoked.id).await.unwrap();

    let request = ListRequest { limit: Some(2), cursor: None };
    let first = world.store.list_keys(account.id, &request).await.unwrap();
    let request = ListRequest { limit: Some(2), cursor: first.next_cursor };
    let second = world.store.list_keys(account.id, &request).await.unwrap();

    assert_eq!([first.items, second.items].concat(), made.iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(second.next_cursor, None);
    assert_eq!(world.store.key(account.id, made[0].id).await.unwrap(), made[0]);
    for not_there in [revoked.id, theirs.id, Uuid::nil()] {
        let found = world.store.key(account.id, not_there).await;
        assert!(matches!(found, Err(StoreError::KeyNotFound)), "{found:?}");
    }
}

async fn concurrently_created_keys_never_exceed_the_limit(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let expires_at = Some(world.clock.now() + Duration::from_hours(1));
    world.store.create_key(account.id, NewKey { expires_at, ..key(Tier::Free) }).await.unwrap();
    let hosts = [world.store.clone(), world.another_host().await];
    let making: Vec<_> = (0..2 * KEYS_PER_ACCOUNT as usize)
        .map(|number| {
            let store = hosts[number % 2].clone();
            tokio::spawn(async move { store.create_key(account.id, key(Tier::Free)).await })
        })
        .collect();

    let mut made = Vec::new();
    for making in making {
        match making.await.unwrap() {
            Ok(created) => made.push(created.key.id),
            Err(error) => assert!(matches!(error, StoreError::TooManyKeys { limit: KEYS_PER_ACCOUNT }), "{error:?}"),
        }
    }

    assert_eq!(made.len(), KEYS_PER_ACCOUNT as usize - 1, "one was there before");
    world.store.revoke_key(account.id, made[0]).await.unwrap();
    world.store.create_key(account.id, key(Tier::Free)).await.expect("a revoked key makes room");
    world.clock.advance(Duration::from_hours(1));
    world.store.create_key(account.id, key(Tier::Free)).await.expect("an expired key makes room");
}

async fn name_is_short_printable_text(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    for name in ["a".to_owned(), "Büro 2 ✓".to_owned(), "é".repeat(100)] {
        let new = NewKey { name: name.clone(), ..key(Tier::Free) };
        assert_eq!(world.store.create_key(account.id, new).await.unwrap().key.name, name);
    }
    for name in [String::new(), " \u{2003}".to_owned(), "a\0b".to_owned(), "a\nb".to_owned(), "é".repeat(101)] {
        let new = NewKey { name: name.clone(), ..key(Tier::Free) };
        let refused = world.store.create_key(account.id, new).await;
        assert!(matches!(refused, Err(StoreError::InvalidKeyName)), "{name:?}: {refused:?}");
    }
}

async fn expiry_in_the_past_is_refused(world: World) {
    let account = world.store.account_named("local", Tier::Pro).await.unwrap();
    let expires_at = Some(world.clock.now());
    let refused = world.store.create_key(account.id, NewKey { expires_at, ..key(Tier::Free) }).await;
    assert!(matches!(refused, Err(StoreError::ExpiryPassed)), "{refused:?}");
}
