//! Sign-in links, each valid once, and the sessions that they begin.
//!
//! A token is 32 random bytes in hex digits. The database keeps only its SHA-256, so that whoever reads the database
//! can't sign in.

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, Utc};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::Store;
use crate::account::{Account, account_columns, digest, read_account};
use crate::database::{Columns, Transaction};
use crate::error::StoreError;

/// Random bytes of a token, printed as two hex digits each.
const TOKEN_BYTES: usize = 32;

/// The prefix under which a session's token is hashed to its CSRF token, so that the CSRF token differs from the hash in
/// the database.
const CSRF: &str = "csrf:";

/// The token of a link or a session. The database keeps only its hash. `Debug` does not show it.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Returns the token: 64 hex digits.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub(crate) fn random() -> Self {
        let bytes: [u8; TOKEN_BYTES] = rand::random();
        Self(hex::encode(bytes))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// A session of somebody who has signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The account that the session acts for.
    pub account: Account,
    /// When the session ends by itself.
    pub expires_at: DateTime<Utc>,
    /// The token by which our own pages prove that a request is theirs, and not another site's.
    pub csrf_token: String,
}

impl Session {
    /// Returns whether `presented` is the session's CSRF token. Compares in constant time.
    pub fn has_csrf_token(&self, presented: &str) -> bool {
        self.csrf_token.as_bytes().ct_eq(presented.as_bytes()).into()
    }
}

/// A session that has just begun, with its token, which is not shown again.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The session.
    pub session: Session,
    /// The session's token.
    pub token: Token,
}

impl Store {
    /// Creates the token of a link that signs in to the account, once and within `lifetime`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn create_sign_in_link(&self, account_id: Uuid, lifetime: Duration) -> Result<Token, StoreError> {
        let token = Token::random();
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        delete_expired(&mut transaction, now).await?;
        sqlx::query("INSERT INTO sign_in_links (token_sha256, account_id, expires_at) VALUES ($1, $2, $3)")
            .bind(digest(token.reveal()))
            .bind(account_id.to_string())
            .bind((now + lifetime).timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(token)
    }

    /// Checks that a link is valid, without using it up.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidSignInLink`]
    pub async fn check_sign_in_link(&self, link: &str) -> Result<(), StoreError> {
        sqlx::query("SELECT 1 FROM sign_in_links WHERE token_sha256 = $1 AND expires_at > $2")
            .bind(digest(link))
            .bind(self.clock.now().timestamp_micros())
            .fetch_optional(&self.database.reader)
            .await?
            .ok_or(StoreError::InvalidSignInLink)?;
        Ok(())
    }

    /// Uses a link up, and begins a session that lasts `lifetime`.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidSignInLink`]
    pub async fn sign_in(&self, link: &str, lifetime: Duration) -> Result<NewSession, StoreError> {
        let now = self.clock.now();
        // Anybody can try a link, so an invalid one must not queue for a transaction that writes.
        self.check_sign_in_link(link).await?;

        let mut transaction = self.database.write().await?;
        delete_expired(&mut transaction, now).await?;
        let used = sqlx::query("DELETE FROM sign_in_links WHERE token_sha256 = $1 RETURNING account_id")
            .bind(digest(link))
            .fetch_optional(&mut *transaction)
            .await?
            .ok_or(StoreError::InvalidSignInLink)?;
        let token = insert_session(&mut transaction, used.id("account_id")?, now, lifetime).await?;
        transaction.commit().await?;
        Ok(NewSession { session: self.session(token.reveal()).await?, token })
    }

    /// Begins a session of somebody whom an identity provider vouches for. It lasts `lifetime`.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn begin_session(&self, account_id: Uuid, lifetime: Duration) -> Result<NewSession, StoreError> {
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        delete_expired(&mut transaction, now).await?;
        let token = insert_session(&mut transaction, account_id, now, lifetime).await?;
        transaction.commit().await?;
        Ok(NewSession { session: self.session(token.reveal()).await?, token })
    }

    /// Returns the session with this token.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidSession`]
    pub async fn session(&self, token: &str) -> Result<Session, StoreError> {
        let row = sqlx::query(concat!(
            "SELECT ",
            account_columns!(),
            ", session_expires_at FROM accounts JOIN (SELECT account_id, expires_at AS session_expires_at ",
            "FROM sessions WHERE token_sha256 = $1 AND expires_at > $2) AS session ON account_id = id"
        ))
        .bind(digest(token))
        .bind(self.clock.now().timestamp_micros())
        .fetch_optional(&self.database.reader)
        .await?
        .ok_or(StoreError::InvalidSession)?;
        Ok(Session {
            account: read_account(&row)?,
            expires_at: row.time("session_expires_at")?,
            csrf_token: digest(&format!("{CSRF}{token}")),
        })
    }

    /// Ends the session with this token, if there is one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
    pub async fn sign_out(&self, token: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM sessions WHERE token_sha256 = $1")
            .bind(digest(token))
            .execute(self.database.writer())
            .await?;
        Ok(())
    }
}

/// Writes a session that begins now. Returns its token.
async fn insert_session(
    transaction: &mut Transaction,
    account_id: Uuid,
    now: DateTime<Utc>,
    lifetime: Duration,
) -> Result<Token, StoreError> {
    let token = Token::random();
    sqlx::query("INSERT INTO sessions (token_sha256, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)")
        .bind(digest(token.reveal()))
        .bind(account_id.to_string())
        .bind(now.timestamp_micros())
        .bind((now + lifetime).timestamp_micros())
        .execute(&mut **transaction)
        .await?;
    Ok(token)
}

/// Deletes the links and sessions that have expired.
async fn delete_expired(transaction: &mut Transaction, now: DateTime<Utc>) -> Result<(), StoreError> {
    for statement in ["DELETE FROM sign_in_links WHERE expires_at <= $1", "DELETE FROM sessions WHERE expires_at <= $1"]
    {
        sqlx::query(statement).bind(now.timestamp_micros()).execute(&mut **transaction).await?;
    }
    Ok(())
}
