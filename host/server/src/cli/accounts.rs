//! `fanlight accounts` and `fanlight sign-in`. They work on the database, whether a server is running or not.

use std::fmt::Write;

use anyhow::{Context, bail};
use fanlight_store::{Account, Store, StoreError, Tier};
use uuid::Uuid;

use crate::cli::output::print;
use crate::cli::{format_time, with_store};
use crate::configuration::Configuration;
use crate::domain::signing_in;

/// Prints the accounts, one per line, with tabs between the columns.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let mut text = "id\tname\tplan\tcreated\tissuer\tsubject\n".to_owned();
        for account in store.accounts().await? {
            let Account { id, name, plan, created_at, identity } = account;
            let identity = identity.map_or_else(|| "-\t-".to_owned(), |who| format!("{}\t{}", who.issuer, who.subject));
            let _ = writeln!(text, "{id}\t{name}\t{plan}\t{}\t{identity}", format_time(created_at));
        }
        print(&text)
    })
}

/// Changes the plan of an account, given by its id or its name.
pub(super) fn set_plan(configuration: &Configuration, account: &str, plan: Tier) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let id = account_id(store, account).await?;
        store.set_plan(id, plan).await.with_context(|| format!("can't change the plan of {account}"))
    })
}

/// Returns the id that `account` is, or the id of the account that an operator has created with this name. Names of
/// accounts that sign in with a provider are only labels.
pub(super) async fn account_id(store: &Store, account: &str) -> anyhow::Result<Uuid> {
    if let Ok(id) = account.parse() {
        return Ok(id);
    }
    match store.operators_account(account).await {
        Ok(account) => Ok(account.id),
        Err(StoreError::AccountNotFound) => {
            bail!("no operator has created an account {account:?}: give the id that `fanlight accounts list` shows")
        }
        Err(error) => Err(error.into()),
    }
}

/// Prints a link that signs the owner in once.
///
/// # Errors
///
/// Fails if the configuration does not determine the server's address.
pub(super) fn sign_in(configuration: &Configuration) -> anyhow::Result<()> {
    let base_url = match &configuration.base_url {
        Some(base_url) => base_url.trim_end_matches('/').to_owned(),
        None if configuration.listen.port() != 0 => configuration.own_address(configuration.listen),
        None => bail!("the server's address is unknown: configure `base_url`, or a port in `listen`"),
    };
    with_store(configuration, async |store| print(&format!("{}\n", signing_in::link(store, &base_url).await?)))
}
