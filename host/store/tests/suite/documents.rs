use std::time::Duration;

use fanlight_store::{Caller, NewDocument, StoreError, Tier};
use uuid::Uuid;

use crate::world::{World, on_both_databases};

on_both_databases!(
    document_is_found_by_its_own_account_only,
    expired_document_is_not_found,
    refused_document_leaves_no_blob,
);

async fn document_is_found_by_its_own_account_only(world: World) {
    let owner = world.caller("owner", Tier::Pro).await;
    let stranger = world.caller("stranger", Tier::Enterprise).await;
    let document = world.document(&owner, "%PDF").await;

    assert_eq!(world.store.document(owner.account_id, document.id).await.unwrap(), document);
    assert_eq!((document.size_bytes, document.page_count, document.encrypted), (4, 75, false));
    for (account, id) in [(stranger.account_id, document.id), (owner.account_id, Uuid::nil())] {
        assert!(matches!(world.store.document(account, id).await, Err(StoreError::DocumentNotFound)));
    }
    assert!(matches!(world.submit(&stranger, &document).await, Err(StoreError::DocumentNotFound)));
    assert_eq!(world.store.credits_used(&stranger).await.unwrap(), 0);
}

async fn expired_document_is_not_found(world: World) {
    for (tier, days) in [(Tier::Free, 30), (Tier::Developer, 30), (Tier::Pro, 90), (Tier::Enterprise, 365)] {
        let owner = world.caller(tier.as_str(), tier).await;
        let document = world.document(&owner, "%PDF").await;
        let job = world.submit(&owner, &document).await.unwrap();
        let retention = Duration::from_hours(24 * days);
        assert_eq!(document.expires_at, document.uploaded_at + retention);

        world.clock.set(document.expires_at - Duration::from_micros(1));
        assert!(world.store.document(owner.account_id, document.id).await.is_ok(), "{tier}");
        assert!(world.store.job(owner.account_id, job.id).await.is_ok(), "{tier}");

        world.clock.set(document.expires_at);
        let gone = world.store.document(owner.account_id, document.id).await;
        assert!(matches!(gone, Err(StoreError::DocumentNotFound)), "{tier}");
        assert!(matches!(world.submit(&owner, &document).await, Err(StoreError::DocumentNotFound)), "{tier}");
        assert!(matches!(world.store.job(owner.account_id, job.id).await, Err(StoreError::JobNotFound)), "{tier}");
        assert_eq!(world.store.document_of(&job).await.unwrap(), document, "its job may still read it");
    }
}

async fn refused_document_leaves_no_blob(world: World) {
    let blob = world.blob(b"%PDF").await;
    assert_eq!(world.blob_names().len(), 1);

    let nobody = Caller { account_id: Uuid::nil(), key_id: Uuid::nil(), tier: Tier::Free };
    let new = NewDocument { filename: "a.pdf".to_owned(), page_count: 1, encrypted: false };
    let refused = world.store.add_document(&nobody, new, blob).await;

    assert!(matches!(refused, Err(StoreError::Database(_))), "{refused:?}");
    assert!(world.blob_names().is_empty());
}
