//! How the owner of a server without an identity provider signs in: by a link that only they are shown.

use std::time::Duration;

use fanlight_store::{Store, StoreError, Tier};

/// The owner's account.
const OWNER: &str = "owner";
/// How long a link is good for.
const LINK: Duration = Duration::from_hours(1);
/// How long a session lasts.
pub(crate) const SESSION: Duration = Duration::from_hours(12);

/// A link that signs the owner in once. `base_url` has no slash at its end.
pub(crate) async fn link(store: &Store, base_url: &str) -> Result<String, StoreError> {
    let owner = store.account_named(OWNER, Tier::Enterprise).await?;
    let token = store.create_sign_in_link(owner.id, LINK).await?;
    Ok(format!("{base_url}/v1/sign-in/{}", token.reveal()))
}
