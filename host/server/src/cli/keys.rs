//! `fanlight keys`: straight on the database, beside a running server or without one.

use anyhow::bail;
use fanlight_store::{NewKey, Store, Tier};
use tokio::runtime::Builder;

use crate::configuration::Configuration;
use crate::logging;
use crate::service::open_store;

/// Makes a key and prints its secret, alone.
pub(super) fn create(configuration: &Configuration, account: &str, tier: Tier, name: String) -> anyhow::Result<()> {
    if account.trim().is_empty() {
        bail!("an account needs a name");
    }
    with_store(configuration, async |store| {
        let account = store.account_named(account, tier).await?;
        let created = store.create_key(account.id, NewKey { name, tier, expires_at: None }).await?;
        println!("{}", created.secret.reveal());
        Ok(())
    })
}

fn with_store(
    configuration: &Configuration,
    work: impl AsyncFnOnce(&Store) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    logging::start(&configuration.log, "warn")?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = open_store(configuration).await?;
        let done = work(&store).await;
        store.close().await;
        done
    })
}
