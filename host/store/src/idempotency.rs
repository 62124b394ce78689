//! Requests that carry an idempotency key: each is carried out once, and a repetition gets the first answer.
//!
//! A key belongs to an account and an operation. A request reserves it before it does anything, and what it did is
//! kept together with its answer: in the one transaction that did it ([`Store::submit_answered`]), or right after
//! ([`Store::keep_answer`]). A reservation has a lease, so that a host that died blocks its keys for a while only; the
//! reservation's attempt is the fence against one that was merely slow.
//!
//! The store keeps an answer as a text that it doesn't look into.

use std::time::Duration;

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::Store;
use crate::database::Columns;
use crate::error::StoreError;

/// How long a key is remembered, from its reservation on.
pub const REMEMBERED: Duration = Duration::from_hours(24);

/// How long a request may hold a key without an answer. Longer than any works on it: the longest, an upload that waits
/// for its inspection, takes 80 s.
pub const RESERVED: Duration = Duration::from_mins(3);

/// A request that carries a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// Whose request it is.
    pub account_id: Uuid,
    /// What it asks for: the method and the path.
    pub operation: String,
    /// The key, as the client chose it.
    pub key: String,
    /// A digest of everything that makes another request of it: a repetition has the same.
    pub fingerprint: String,
}

/// The right to carry out a request, and to keep its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    account_id: Uuid,
    operation: String,
    key: String,
    attempt: Uuid,
}

/// What has become of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reserved {
    /// It is this request's: to be carried out.
    New(Reservation),
    /// The request was carried out before, with this answer.
    Answered(String),
}

impl Store {
    /// Reserves a request's key, or finds the answer that it got before.
    ///
    /// # Errors
    ///
    /// [`StoreError::IdempotencyKeyReused`] when the key stands for another request, [`StoreError::IdempotencyKeyInUse`]
    /// while the same one is being carried out.
    pub async fn reserve_key(&self, request: &IdempotentRequest) -> Result<Reserved, StoreError> {
        let now = self.clock.now();
        let reservation = Reservation {
            account_id: request.account_id,
            operation: request.operation.clone(),
            key: request.key.clone(),
            attempt: self.new_id(now),
        };
        let mut transaction = self.database.write().await?;
        let reserved = sqlx::query(
            "INSERT INTO idempotent_requests
                 (account_id, operation, idempotency_key, fingerprint, attempt, lease_until, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (account_id, operation, idempotency_key) DO UPDATE SET fingerprint = excluded.fingerprint,
                 attempt = excluded.attempt, lease_until = excluded.lease_until, expires_at = excluded.expires_at,
                 answer = NULL
             WHERE idempotent_requests.expires_at <= $8
                 OR (idempotent_requests.answer IS NULL AND idempotent_requests.lease_until <= $8)",
        )
        .bind(request.account_id.to_string())
        .bind(&*request.operation)
        .bind(&*request.key)
        .bind(&*request.fingerprint)
        .bind(reservation.attempt.to_string())
        .bind((now + RESERVED).timestamp_micros())
        .bind((now + REMEMBERED).timestamp_micros())
        .bind(now.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
        if reserved.rows_affected() > 0 {
            // Lost with the machine, a reservation would have nothing to protect.
            transaction.commit_later().await?;
            return Ok(Reserved::New(reservation));
        }
        let row = sqlx::query(
            "SELECT fingerprint, answer FROM idempotent_requests
             WHERE account_id = $1 AND operation = $2 AND idempotency_key = $3",
        )
        .bind(request.account_id.to_string())
        .bind(&*request.operation)
        .bind(&*request.key)
        .fetch_optional(&mut *transaction)
        .await?
        // Released since the first statement: to be asked for again.
        .ok_or(StoreError::IdempotencyKeyInUse)?;
        if row.text("fingerprint")? != request.fingerprint {
            return Err(StoreError::IdempotencyKeyReused);
        }
        row.optional_text("answer")?.map(Reserved::Answered).ok_or(StoreError::IdempotencyKeyInUse)
    }

    /// Keeps the answer of a request that has been carried out.
    ///
    /// # Errors
    ///
    /// [`StoreError::IdempotencyKeyInUse`] when the reservation's lease ended and another request has the key.
    pub async fn keep_answer(&self, reservation: &Reservation, answer: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        keep_answer(&mut transaction, reservation, answer).await?;
        transaction.commit().await
    }

    /// Gives a key back whose request did nothing. One that has its answer keeps it.
    pub async fn release_key(&self, reservation: &Reservation) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        sqlx::query(
            "DELETE FROM idempotent_requests WHERE account_id = $1 AND operation = $2 AND idempotency_key = $3
             AND attempt = $4 AND answer IS NULL",
        )
        .bind(reservation.account_id.to_string())
        .bind(&*reservation.operation)
        .bind(&*reservation.key)
        .bind(reservation.attempt.to_string())
        .execute(&mut *transaction)
        .await?;
        transaction.commit_later().await
    }
}

/// Keeps an answer in the transaction that does what was asked for: both or neither.
///
/// # Errors
///
/// [`StoreError::IdempotencyKeyInUse`] when the reservation's lease ended and another request has the key: the
/// transaction must not be committed.
pub(crate) async fn keep_answer(
    transaction: &mut AnyConnection,
    reservation: &Reservation,
    answer: &str,
) -> Result<(), StoreError> {
    let kept = sqlx::query(
        "UPDATE idempotent_requests SET answer = $5
         WHERE account_id = $1 AND operation = $2 AND idempotency_key = $3 AND attempt = $4",
    )
    .bind(reservation.account_id.to_string())
    .bind(&*reservation.operation)
    .bind(&*reservation.key)
    .bind(reservation.attempt.to_string())
    .bind(answer)
    .execute(&mut *transaction)
    .await?;
    if kept.rows_affected() == 0 {
        return Err(StoreError::IdempotencyKeyInUse);
    }
    Ok(())
}
