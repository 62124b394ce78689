//! `fanlight keys`: straight on the database, beside a running server or without one.

use anyhow::{Context, bail};
use chrono::{DateTime, SecondsFormat, Utc};
use fanlight_store::{NewKey, Store, Tier};
use tokio::runtime::Builder;
use uuid::Uuid;

use crate::configuration::Configuration;
use crate::logging;
use crate::service::open_store;

/// Makes a key and prints its secret, alone. What its webhooks are signed with goes to standard error, so that scripts
/// read the one from standard output.
pub(super) fn create(configuration: &Configuration, account: &str, tier: Tier, name: String) -> anyhow::Result<()> {
    if account.trim().is_empty() {
        bail!("an account needs a name");
    }
    with_store(configuration, async |store| {
        let account = store.account_named(account, tier).await?;
        let created = store.create_key(account.id, NewKey { name, tier, expires_at: None }).await?;
        println!("{}", created.secret.reveal());
        if store.limits(tier).webhooks {
            eprintln!("webhook secret: {}", created.webhook_secret.reveal());
        }
        Ok(())
    })
}

/// Prints every key that is not revoked, one a line, with tabs between the columns.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        println!("id\taccount\tname\tprefix\ttier\tcreated\tlast used");
        for (account, key) in store.all_keys().await? {
            let created = time(key.created_at);
            let used = key.last_used_at.map_or_else(|| "never".to_owned(), time);
            println!("{}\t{}\t{}\t{}…\t{}\t{created}\t{used}", key.id, account.name, key.name, key.prefix, key.tier);
        }
        Ok(())
    })
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Revokes a key of whichever account.
pub(super) fn revoke(configuration: &Configuration, id: Uuid) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let keys = store.all_keys().await?;
        let (account, _) =
            keys.iter().find(|(_, key)| key.id == id).with_context(|| format!("there is no key {id}"))?;
        store.revoke_key(account.id, id).await?;
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
