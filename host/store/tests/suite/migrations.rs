use fanlight_store::{Store, Tier};

use crate::world::{World, on_both_databases};

on_both_databases!(hosts_starting_at_once_share_one_schema, data_survives_a_restart);

async fn hosts_starting_at_once_share_one_schema(world: World) {
    let options = world.empty_database();
    let starting: Vec<_> = (0..4).map(|_| tokio::spawn(Store::open(options.clone()))).collect();

    let mut ids = Vec::new();
    for host in starting {
        let store = host.await.unwrap().unwrap();
        ids.push(store.account_named("local", Tier::Pro).await.unwrap().id);
    }
    ids.dedup();
    assert_eq!(ids.len(), 1, "every host sees the one account");
}

async fn data_survives_a_restart(world: World) {
    let made = world.store.account_named("local", Tier::Pro).await.unwrap();
    world.store.close().await;

    let found = world.another_host().await.account_named("local", Tier::Free).await.unwrap();

    assert_eq!(found, made);
}
