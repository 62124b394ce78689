//! `fanlight accounts` and `fanlight sign-in`: straight on the database, beside a running server or without one.

use anyhow::{Context, bail};
use fanlight_store::{Account, Store, StoreError, Tier};
use uuid::Uuid;

use crate::cli::{shown, with_store};
use crate::configuration::Configuration;
use crate::domain::signing_in;

/// Prints every account, one a line, with tabs between the columns.
pub(super) fn list(configuration: &Configuration) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        println!("id\tname\tplan\tcreated\tissuer\tsubject");
        for account in store.accounts().await? {
            let Account { id, name, plan, created_at, identity } = account;
            let identity = identity.map_or_else(|| "-\t-".to_owned(), |who| format!("{}\t{}", who.issuer, who.subject));
            println!("{id}\t{name}\t{plan}\t{}\t{identity}", shown(created_at));
        }
        Ok(())
    })
}

/// Changes a plan.
pub(super) fn set_plan(configuration: &Configuration, account: &str, plan: Tier) -> anyhow::Result<()> {
    with_store(configuration, async |store| {
        let id = id_of(store, account).await?;
        store.set_plan(id, plan).await.with_context(|| format!("can't change the plan of {account}"))
    })
}

/// An id as it stands; else the operators' account of that name. An identity's name is no more than a label.
async fn id_of(store: &Store, account: &str) -> anyhow::Result<Uuid> {
    if let Ok(id) = account.parse() {
        return Ok(id);
    }
    match store.operators_account(account).await {
        Ok(account) => Ok(account.id),
        Err(StoreError::AccountNotFound) => {
            bail!("no operator made an account {account:?}: give the id that `fanlight accounts list` shows")
        }
        Err(error) => Err(error.into()),
    }
}

/// Prints a link that signs the owner in once.
pub(super) fn sign_in(configuration: &Configuration) -> anyhow::Result<()> {
    let base_url = match &configuration.base_url {
        Some(base_url) => base_url.trim_end_matches('/').to_owned(),
        None if configuration.listen.port() != 0 => configuration.own_address(configuration.listen),
        None => bail!("the server's address is not known: configure `base_url`, or a port in `listen`"),
    };
    with_store(configuration, async |store| {
        println!("{}", signing_in::link(store, &base_url).await?);
        Ok(())
    })
}
