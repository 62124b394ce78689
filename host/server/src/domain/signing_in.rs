//! Sign-in links for the owner of a server without an identity provider.

use std::time::Duration;

use fanlight_store::{Store, StoreError, Tier};

/// Name of the owner's account.
const OWNER: &str = "owner";
/// Lifetime of a sign-in link.
const LINK_LIFETIME: Duration = Duration::from_hours(1);
/// Lifetime of a session.
pub(crate) const SESSION: Duration = Duration::from_hours(12);

/// Creates a link that signs the owner in once. `base_url` has no slash at its end.
pub(crate) async fn link(store: &Store, base_url: &str) -> Result<String, StoreError> {
    let owner = store.account_named(OWNER, Tier::Enterprise).await?;
    let token = store.create_sign_in_link(owner.id, LINK_LIFETIME).await?;
    Ok(format!("{base_url}/v1/sign-in/{}", token.reveal()))
}
