//! Webhook secrets are sealed before they are stored. Signing needs them back, so that a hash does not do.
//!
//! The store has no key: whoever opens it brings a [`SecretSealing`]. Versions before sealing stored `whsec_…` in clear.
//! What is found so is sealed when the store is opened, and a secret that a host of an older version writes afterwards
//! is sealed when it first signs.

use std::fmt;

use sqlx::AnyConnection;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::Store;
use crate::account::{WEBHOOK_SECRET_PREFIX, WebhookSecret};
use crate::database::Columns;
use crate::error::StoreError;

/// Seals webhook secrets and opens them again. All hosts that share a database need the same key for it.
pub trait SecretSealing: fmt::Debug + Send + Sync {
    /// Seals the webhook secret of an API key. The sealed text opens with the same `key_id` only, so that rows cannot be
    /// swapped, and does not start with `whsec_`. None if it cannot be sealed.
    fn seal(&self, key_id: Uuid, secret: &str) -> Option<String>;

    /// Opens a sealed secret. None if it was altered, or sealed with another key or for another API key.
    fn open(&self, key_id: Uuid, sealed: &str) -> Option<String>;
}

/// What the column `webhook_secret` of a key holds.
pub(crate) enum Stored {
    /// A secret that is not sealed yet.
    Clear(WebhookSecret),
    /// A sealed secret, opened.
    Sealed(WebhookSecret),
    /// A sealed secret that this host cannot open.
    Unreadable,
}

/// Reads the column `webhook_secret` of a key.
pub(crate) fn read(sealing: &dyn SecretSealing, key_id: Uuid, stored: String) -> Stored {
    if stored.starts_with(WEBHOOK_SECRET_PREFIX) {
        return Stored::Clear(WebhookSecret::stored(stored));
    }
    match sealing.open(key_id, &stored) {
        Some(secret) => Stored::Sealed(WebhookSecret::stored(secret)),
        None => Stored::Unreadable,
    }
}

/// Returns what the column `webhook_secret` of a key is to hold.
pub(crate) fn seal(sealing: &dyn SecretSealing, key_id: Uuid, secret: &WebhookSecret) -> Result<String, StoreError> {
    sealing.seal(key_id, secret.reveal()).ok_or(StoreError::NotSealed)
}

/// Replaces a secret in clear by a sealed one. Another host may have done so already: the row is changed only while it
/// still holds the secret in clear.
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

/// Seals every secret that is stored in clear, and returns how many there were.
pub(crate) async fn seal_all(connection: &mut AnyConnection, sealing: &dyn SecretSealing) -> Result<u64, StoreError> {
    // PostgreSQL takes no BIGINT for the length, so it is the literal length of the prefix.
    let clear = sqlx::query("SELECT id, webhook_secret FROM api_keys WHERE substr(webhook_secret, 1, 6) = $1")
        .bind(WEBHOOK_SECRET_PREFIX)
        .fetch_all(&mut *connection)
        .await?;
    let mut sealed = 0;
    for row in clear {
        let secret = WebhookSecret::stored(row.text("webhook_secret")?);
        sealed += replace_clear(&mut *connection, sealing, row.id("id")?, &secret).await?;
    }
    Ok(sealed)
}

impl Store {
    /// Returns how many keys that are neither revoked nor expired have a webhook secret that this host cannot open.
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
