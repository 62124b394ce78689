//! `fanlight keys`. It works on the database, whether a server is running or not.

use std::fmt::Write;

use anyhow::{Context, bail};
use fanlight_store::{NewKey, Tier};
use uuid::Uuid;

use crate::cli::output::{print, tell};
use crate::cli::{format_time, with_store};
use crate::configuration::Configuration;

/// Creates a key and prints only its secret on standard output, for scripts. The secret that signs its webhooks goes to
/// standard error.
pub(super) fn create(configuration: &Configuration, account: &str, tier: Tier, name: String) -> anyhow::Result<()> {
    if account.trim().is_empty() {
        bail!("the name of the account is empty");
    }
    with_store(configuration, async |store| {
        let account = store.account_named(account, tier).await?;
        let created = store.create_key(account.id, NewKey { name, tier, expires_at: None }).await?;
        print(&format!("{}\n", created.secret.reveal()))?;
        if store.limits(tier).webhooks {
            tell(format_args!("webhook secret: {}", created.webhook_secret.reveal()));
        }
        Ok(())
    })
}

/// Prints the keys that are not revoked, one per line, with tabs between the columns.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let mut text = "id\taccount\tname\tprefix\ttier\tcreated\tlast used\n".to_owned();
        for (account, key) in store.all_keys().await? {
            let created = format_time(key.created_at);
            let used = key.last_used_at.map_or_else(|| "never".to_owned(), format_time);
            let (id, name, prefix, tier) = (key.id, key.name, key.prefix, key.tier);
            let _ = writeln!(text, "{id}\t{}\t{name}\t{prefix}…\t{tier}\t{created}\t{used}", account.name);
        }
        print(&text)
    })
}

/// Revokes a key of any account.
pub(super) fn revoke(configuration: &Configuration, id: Uuid) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let keys = store.all_keys().await?;
        let (account, _) =
            keys.iter().find(|(_, key)| key.id == id).with_context(|| format!("there is no key {id}"))?;
        store.revoke_key(account.id, id).await?;
        Ok(())
    })
}
