use std::time::Duration;

use fanlight_store::{Account, Store, StoreError, Tier};

use crate::world::{World, on_both_databases};

on_both_databases!(
    link_signs_in_once,
    link_used_concurrently_signs_in_once,
    link_is_valid_until_it_expires,
    session_ends_by_expiry_or_sign_out,
    csrf_token_belongs_to_one_session,
    database_holds_no_token,
);

const INSTANT: Duration = Duration::from_micros(1);
const LINK: Duration = Duration::from_mins(15);
const SESSION: Duration = Duration::from_hours(12);

async fn owner(store: &Store) -> Account {
    store.account_named("owner", Tier::Enterprise).await.unwrap()
}

async fn link_signs_in_once(world: World) {
    let owner = owner(&world.store).await;
    let link = world.store.create_sign_in_link(owner.id, LINK).await.unwrap();

    let signed_in = world.store.sign_in(link.reveal(), SESSION).await.unwrap();

    assert_eq!(signed_in.session.account, owner);
    assert_eq!(signed_in.session.expires_at, world.clock.now() + SESSION);
    assert_eq!(world.store.session(signed_in.token.reveal()).await.unwrap(), signed_in.session);
    for bad in [link.reveal(), signed_in.token.reveal(), "", "' OR '1' = '1", &"0".repeat(64)] {
        let refused = world.store.sign_in(bad, SESSION).await;
        assert!(matches!(refused, Err(StoreError::InvalidSignInLink)), "{bad}: {refused:?}");
    }
    let refused = world.store.session(link.reveal()).await;
    assert!(matches!(refused, Err(StoreError::InvalidSession)), "{refused:?}");
}

async fn link_used_concurrently_signs_in_once(world: World) {
    let link = world.store.create_sign_in_link(owner(&world.store).await.id, LINK).await.unwrap();
    let other_host = world.another_host().await;
    let (here, there) =
        tokio::join!(world.store.sign_in(link.reveal(), SESSION), other_host.sign_in(link.reveal(), SESSION));
    assert_eq!([here.is_ok(), there.is_ok()].iter().filter(|signed_in| **signed_in).count(), 1);
}

async fn link_is_valid_until_it_expires(world: World) {
    let owner = owner(&world.store).await;
    let late = world.store.create_sign_in_link(owner.id, LINK).await.unwrap();
    let in_time = world.store.create_sign_in_link(owner.id, LINK).await.unwrap();

    let start = world.clock.now();
    world.clock.set(start + LINK - INSTANT);
    assert!(world.store.sign_in(in_time.reveal(), SESSION).await.is_ok());

    world.clock.advance(INSTANT);
    let refused = world.store.sign_in(late.reveal(), SESSION).await;
    assert!(matches!(refused, Err(StoreError::InvalidSignInLink)), "{refused:?}");
}

async fn session_ends_by_expiry_or_sign_out(world: World) {
    let owner = owner(&world.store).await;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let link = world.store.create_sign_in_link(owner.id, LINK).await.unwrap();
        tokens.push(world.store.sign_in(link.reveal(), SESSION).await.unwrap().token);
    }

    world.store.sign_out(tokens[0].reveal()).await.unwrap();
    assert!(matches!(world.store.session(tokens[0].reveal()).await, Err(StoreError::InvalidSession)));
    world.store.sign_out(tokens[0].reveal()).await.unwrap();

    let start = world.clock.now();
    world.clock.set(start + SESSION - INSTANT);
    assert!(world.store.session(tokens[1].reveal()).await.is_ok());
    world.clock.advance(INSTANT);
    assert!(matches!(world.store.session(tokens[1].reveal()).await, Err(StoreError::InvalidSession)));
}

async fn csrf_token_belongs_to_one_session(world: World) {
    let owner = owner(&world.store).await;
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let link = world.store.create_sign_in_link(owner.id, LINK).await.unwrap();
        sessions.push(world.store.sign_in(link.reveal(), SESSION).await.unwrap());
    }
    let [first, second] = [&sessions[0], &sessions[1]];
    let token = &first.session.csrf_token;
    assert!(first.session.has_csrf_token(token) && !second.session.has_csrf_token(token));
    for wrong in ["", first.token.reveal(), &token[1..], &token.to_uppercase()] {
        assert!(!first.session.has_csrf_token(wrong), "{wrong}");
    }
}

async fn database_holds_no_token(world: World) {
    let link = world.store.create_sign_in_link(owner(&world.store).await.id, LINK).await.unwrap();
    let refused = world.store.sign_in(&world.only_value("SELECT token_sha256 FROM sign_in_links").await, SESSION).await;
    assert!(matches!(refused, Err(StoreError::InvalidSignInLink)), "{refused:?}");

    let signed_in = world.store.sign_in(link.reveal(), SESSION).await.unwrap();
    let stored = world.only_value("SELECT token_sha256 FROM sessions").await;
    assert_ne!(stored, signed_in.session.csrf_token);
    let refused = world.store.session(&stored).await;
    assert!(matches!(refused, Err(StoreError::InvalidSession)), "{refused:?}");
    assert!(!format!("{signed_in:?}").contains(signed_in.token.reveal()), "a token does not print itself");
}
