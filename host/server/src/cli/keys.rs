//! `fanlight keys`: straight on the database, beside a running server or without one.

use anyhow::{Context, bail};
use fanlight_store::{NewKey, Tier};
use uuid::Uuid;

use crate::cli::{shown, with_store};
use crate::configuration::Configuration;

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
            let created = shown(key.created_at);
            let used = key.last_used_at.map_or_else(|| "never".to_owned(), shown);
            println!("{}\t{}\t{}\t{}…\t{}\t{created}\t{used}", key.id, account.name, key.name, key.prefix, key.tier);
        }
        Ok(())
    })
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
