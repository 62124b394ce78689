//! Sealing of webhook secrets before they are stored. Signing needs the secrets themselves, so a hash is not enough.
//!
//! The store has no key: whoever opens it passes a [`SecretSealing`]. Versions before sealing stored `whsec_…` in clear.
//! Such secrets are sealed when the store is opened. A secret that a host of an older version writes afterwards is sealed
//! when it is first used to sign.

use std::fmt;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::Store;
use crate::account::{WEBHOOK_SECRET_PREFIX, WebhookSecret};
use crate::database::Columns;
use crate::error::StoreError;

/// Seals webhook secrets and opens them again. All hosts that share a database must seal with the same key.
pub trait SecretSealing: fmt::Debug + Send + Sync {
    /// Seals the webhook secret of an API key. The sealed text does not begin with `whsec_`. It opens only with the same
    /// `key_id`, so that rows can't be swapped. Returns `None` if the secret can't be sealed.
    fn seal(&self, key_id: Uuid, secret: &str) -> Option<String>;

    /// Opens a sealed secret. Returns `None` if it was altered, or sealed with another key or for another API key.
    fn open(&self, key_id: Uuid, sealed: &str) -> Option<String>;
}

/// The content of a key's column `webhook_secret`.
pub(crate) enum Stored {
    /// A secret that is not sealed yet.
    Clear(WebhookSecret),
    /// A sealed secret, opened.
    Sealed(WebhookSecret),
    /// A sealed secret that this host can't open.
    Unreadable,
}

/// Reads a key's column `webhook_secret`.
pub(crate) fn read(sealing: &dyn SecretSealing, key_id: Uuid, stored: String) -> Stored {
    if stored.starts_with(WEBHOOK_SECRET_PREFIX) {
        return Stored::Clear(WebhookSecret::from_stored(stored));
    }
    match sealing.open(key_id, &stored) {
        Some(secret) => Stored::Sealed(WebhookSecret::from_stored(secret)),
        None => Stored::Unreadable,
    }
}

/// Returns the content for a key's column `webhook_secret`.
///
/// # Errors
///
/// [`StoreError::NotSealed`]
pub(crate) fn seal(sealing: &dyn SecretSealing, key_id: Uuid, secret: &WebhookSecret) -> Result<String, StoreError> {
    sealing.seal(key_id, secret.reveal()).ok_or(StoreError::NotSealed)
}

/// Replaces a secret in clear by the sealed one, and returns the number of rows changed: 0 if another host has done so
/// already.
pub(crate) async fn replace_clear(
    connection: &mut AnyConnection,
    sealing: &dyn SecretSealing,
    key_id: Uuid,
    secret: &WebhookSecret,
) -> Result<u64, StoreError> {
    let replaced = sqlx::query("UPDATE api_keys SET webhook_secret = $3 WHERE id = $1 AND webhook_secret = $2")
        .bind(key_id.to_string())
        .bind(secret.reveal())
        .bind(seal(sealing, key_id, secret)?)
        .execute(connection)
        .await?;
    Ok(replaced.rows_affected())
}

/// Seals every secret that is stored in clear, and returns how many it sealed.
pub(crate) async fn seal_all(connection: &mut AnyConnection, sealing: &dyn SecretSealing) -> Result<u64, StoreError> {
    // The length is literal, because PostgreSQL accepts no BIGINT parameter there.
    let clear = sqlx::query("SELECT id, webhook_secret FROM api_keys WHERE substr(webhook_secret, 1, 6) = $1")
        .bind(WEBHOOK_SECRET_PREFIX)
        .fetch_all(&mut *connection)
        .await?;
    let mut sealed = 0;
    for row in clear {
        let secret = WebhookSecret::from_stored(row.text("webhook_secret")?);
        sealed += replace_clear(&mut *connection, sealing, row.id("id")?, &secret).await?;
    }
    Ok(sealed)
}

impl Store {
    /// Returns how many keys that are neither revoked nor expired have a webhook secret that this host can't open.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn unreadable_webhook_secrets(&self) -> Result<usize, StoreError> {
        let rows = sqlx::query(
            "SELECT id, webhook_secret FROM api_keys WHERE webhook_secret IS NOT NULL AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > $1)",
        )
        .bind(self.clock.now().timestamp_micros())
        .fetch_all(&self.database.reader)
        .await?;
        let mut unreadable = 0;
        for row in &rows {
            unreadable += usize::from(self.is_unreadable(row)?);
        }
        Ok(unreadable)
    }

    fn is_unreadable(&self, row: &AnyRow) -> Result<bool, StoreError> {
        let stored = read(&*self.sealing, row.id("id")?, row.text("webhook_secret")?);
        Ok(matches!(stored, Stored::Unreadable))
    }
}
