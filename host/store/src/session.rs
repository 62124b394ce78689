//! Signing in by a link that is good once, and the sessions that come of it.
//!
//! A token is 32 random bytes in hex digits. The database keeps its SHA-256 alone, so that whoever reads the database
//! can't sign in with what stands there.

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, Utc};
use subtle::ConstantTimeEq;
use uuid::Uuid;

use crate::Store;
use crate::account::{Account, account_columns, digest, read_account};
use crate::database::{Columns, Transaction};
use crate::error::StoreError;

/// Random bytes of a token, printed as twice as many hex digits.
const TOKEN_BYTES: usize = 32;

/// What keeps the digest that is a session's CSRF token apart from the one that the database keeps.
const CSRF: &str = "csrf:";

/// The token of a link or a session, which exists only here. It does not print itself in logs.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// The token itself: 64 hex digits.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn random() -> Self {
        let bytes: [u8; TOKEN_BYTES] = rand::random();
        Self(hex::encode(bytes))
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Somebody who has signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The account that they act for.
    pub account: Account,
    /// When it ends by itself.
    pub expires_at: DateTime<Utc>,
    /// What a page of ours proves by that it, and no other site's page, makes a request.
    pub csrf_token: String,
}

impl Session {
    /// Whether this is the session's CSRF token; told in constant time.
    pub fn has_csrf_token(&self, presented: &str) -> bool {
        self.csrf_token.as_bytes().ct_eq(presented.as_bytes()).into()
    }
}

/// A session just begun, with the only sight of its token.
#[derive(Debug, Clone)]
pub struct NewSession {
    /// The session.
    pub session: Session,
    /// Its token.
    pub token: Token,
}

impl Store {
    /// Makes the token of a link that signs in to the account once, within so long.
    pub async fn create_sign_in_link(&self, account_id: Uuid, good_for: Duration) -> Result<Token, StoreError> {
        let token = Token::random();
        let now = self.clock.now();
        let mut transaction = self.database.write().await?;
        forget_what_has_expired(&mut transaction, now).await?;
        sqlx::query("INSERT INTO sign_in_links (token_sha256, account_id, expires_at) VALUES ($1, $2, $3)")
            .bind(digest(token.reveal()))
            .bind(account_id.to_string())
            .bind((now + good_for).timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(token)
    }

    /// Checks that a link is good, without using it up.
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

    /// Uses a link up and begins a session of so long.
    ///
    /// # Errors
    ///
    /// [`StoreError::InvalidSignInLink`]
    pub async fn sign_in(&self, link: &str, good_for: Duration) -> Result<NewSession, StoreError> {
        let now = self.clock.now();
        // Anybody may try a link, so a bad one must not cost a place in the queue of writers.
        self.check_sign_in_link(link).await?;

        let token = Token::random();
        let mut transaction = self.database.write().await?;
        forget_what_has_expired(&mut transaction, now).await?;
        let used = sqlx::query("DELETE FROM sign_in_links WHERE token_sha256 = $1 RETURNING account_id")
            .bind(digest(link))
            .fetch_optional(&mut *transaction)
            .await?
            .ok_or(StoreError::InvalidSignInLink)?;
        sqlx::query("INSERT INTO sessions (token_sha256, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)")
            .bind(digest(token.reveal()))
            .bind(used.text("account_id")?)
            .bind(now.timestamp_micros())
            .bind((now + good_for).timestamp_micros())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(NewSession { session: self.session(token.reveal()).await?, token })
    }

    /// The session with that token.
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

    /// Ends the session with that token; one that is ended already stays so.
    pub async fn sign_out(&self, token: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM sessions WHERE token_sha256 = $1")
            .bind(digest(token))
            .execute(self.database.writer())
            .await?;
        Ok(())
    }
}

async fn forget_what_has_expired(transaction: &mut Transaction, now: DateTime<Utc>) -> Result<(), StoreError> {
    for statement in ["DELETE FROM sign_in_links WHERE expires_at <= $1", "DELETE FROM sessions WHERE expires_at <= $1"]
    {
        sqlx::query(statement).bind(now.timestamp_micros()).execute(&mut **transaction).await?;
    }
    Ok(())
}
