//! Webhook secrets are sealed in the database, also those that an older version wrote, and still sign deliveries.

use fanlight_store::{DeliveryStatus, Store, Tier};

use crate::deliveries::{Key, LONGEST};
use crate::world::{World, on_both_databases};

on_both_databases!(
    new_webhook_secret_is_stored_sealed,
    opening_the_store_seals_secrets_in_clear,
    hosts_starting_at_once_seal_each_secret_once,
    secret_in_clear_is_sealed_when_it_signs,
    secret_of_another_key_signs_nothing,
    another_host_signs_what_this_one_can_not,
    delivery_that_no_host_can_sign_fails,
);

/// Counts the keys with a webhook secret in clear.
const IN_CLEAR: &str = "SELECT COUNT(*) FROM api_keys WHERE webhook_secret LIKE '%whsec%'";

impl World {
    /// Stores the key's webhook secret in clear, as versions before sealing did.
    async fn store_in_clear(&self, key: &Key) {
        let (id, secret) = (key.created.key.id, key.created.webhook_secret.reveal());
        self.change(&format!("UPDATE api_keys SET webhook_secret = '{secret}' WHERE id = '{id}'")).await;
    }
}

/// Claims the oldest attempt that is due, and returns its secret.
async fn signed_with(store: &Store) -> Option<String> {
    let claim = store.claim_delivery(LONGEST, &[]).await.unwrap();
    claim.map(|claim| claim.secret.reveal().to_owned())
}

async fn new_webhook_secret_is_stored_sealed(world: World) {
    world.key("office", Tier::Developer).await;
    assert_eq!(world.number(IN_CLEAR).await, 0);
}

async fn opening_the_store_seals_secrets_in_clear(world: World) {
    let key = world.key("office", Tier::Developer).await;
    world.finished(&key.caller).await;
    world.store_in_clear(&key).await;
    assert_eq!(world.number(IN_CLEAR).await, 1);
    world.store.close().await;

    let host = world.another_host().await;

    assert_eq!(world.number(IN_CLEAR).await, 0);
    let secret = key.created.webhook_secret.reveal();
    let on_disk = world.bytes_on_disk();
    assert!(!on_disk.windows(secret.len()).any(|bytes| bytes == secret.as_bytes()), "SQLite keeps nothing of it");
    assert_eq!(signed_with(&host).await.as_deref(), Some(secret));
    assert_eq!(host.unreadable_webhook_secrets().await.unwrap(), 0);
}

async fn hosts_starting_at_once_seal_each_secret_once(world: World) {
    let mut secrets = Vec::new();
    for _ in 0..3 {
        let key = world.key("office", Tier::Developer).await;
        world.finished(&key.caller).await;
        world.store_in_clear(&key).await;
        secrets.push(key.created.webhook_secret.reveal().to_owned());
    }

    let hosts = tokio::join!(world.another_host(), world.another_host(), world.another_host(), world.another_host());

    assert_eq!(world.number(IN_CLEAR).await, 0);
    for secret in secrets {
        assert_eq!(signed_with(&hosts.0).await, Some(secret));
    }
    assert_eq!(hosts.3.unreadable_webhook_secrets().await.unwrap(), 0);
}

async fn secret_in_clear_is_sealed_when_it_signs(world: World) {
    let key = world.key("office", Tier::Developer).await;
    world.finished(&key.caller).await;
    world.store_in_clear(&key).await;

    assert_eq!(signed_with(&world.store).await.as_deref(), Some(key.created.webhook_secret.reveal()));

    assert_eq!(world.number(IN_CLEAR).await, 0);
    assert_eq!(world.store.unreadable_webhook_secrets().await.unwrap(), 0);
}

async fn secret_of_another_key_signs_nothing(world: World) {
    let (key, other) = (world.key("office", Tier::Developer).await, world.key("site", Tier::Developer).await);
    let job = world.finished(&key.caller).await;
    let (id, other) = (key.caller.key_id, other.caller.key_id);
    let swap = format!(
        "UPDATE api_keys SET webhook_secret = (SELECT webhook_secret FROM api_keys WHERE id = '{other}') WHERE id = '{id}'"
    );
    world.change(&swap).await;

    assert!(world.due().await.is_none());

    let delivery = world.only_delivery(&job).await;
    assert_eq!(delivery.attempts[0].error.as_deref(), Some("secret_unreadable"));
}

async fn another_host_signs_what_this_one_can_not(world: World) {
    let key = world.key("office", Tier::Developer).await;
    let job = world.finished(&key.caller).await;
    let stranger = world.host_with_another_seal().await;
    assert_eq!(stranger.unreadable_webhook_secrets().await.unwrap(), 1);

    assert_eq!(signed_with(&stranger).await, None);

    let delivery = world.only_delivery(&job).await;
    assert_eq!(delivery.status, DeliveryStatus::Pending);
    assert_eq!(delivery.attempts[0].error.as_deref(), Some("secret_unreadable"));
    world.wait_for_the_next(&job).await;
    let claim = world.due().await.unwrap();
    assert_eq!(claim.lease.attempt, 2);
    assert_eq!(claim.secret.reveal(), key.created.webhook_secret.reveal());
}

async fn delivery_that_no_host_can_sign_fails(world: World) {
    let key = world.key("office", Tier::Developer).await;
    let job = world.finished(&key.caller).await;
    let stranger = world.host_with_another_seal().await;
    let mut attempts = 0;
    while world.only_delivery(&job).await.status == DeliveryStatus::Pending {
        world.clock.set(world.only_delivery(&job).await.next_attempt_at.unwrap());
        assert_eq!(signed_with(&stranger).await, None);
        attempts += 1;
    }
    let delivery = world.only_delivery(&job).await;
    assert_eq!((delivery.status, delivery.attempts.len()), (DeliveryStatus::Failed, attempts));
    assert!(delivery.attempts.iter().all(|attempt| attempt.error.as_deref() == Some("secret_unreadable")));
}
