//! Idempotency keys: a request that carries one is processed once, and its repetitions get the first answer.
//!
//! A key belongs to an account and an operation. A request reserves its key before it does anything. Its answer is kept
//! in the transaction that does the work ([`Store::submit_answered`]) or right after it ([`Store::keep_answer`]).
//!
//! A reservation is a lease, so that a host that dies blocks its keys only for a while. The reservation's attempt is the
//! fencing token against a host that was only slow.
//!
//! The store keeps an answer as a text and does not interpret it.

use std::time::Duration;

use sqlx::AnyConnection;
use uuid::Uuid;

use crate::Store;
use crate::database::Columns;
use crate::error::StoreError;

/// How long a key is kept after its reservation.
pub const KEY_LIFETIME: Duration = Duration::from_hours(24);

/// How long a reservation lasts without an answer. Every request takes less time: an upload that waits for its
/// inspection, the longest, takes 80 s.
pub const RESERVATION_LEASE: Duration = Duration::from_mins(3);

/// A request that carries an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentRequest {
    /// The account that sends the request.
    pub account_id: Uuid,
    /// The method and the path.
    pub operation: String,
    /// The key, as the client chose it.
    pub key: String,
    /// A digest of the request's content. A repetition has the same.
    pub fingerprint: String,
}

/// The right to process a request and to keep its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reservation {
    account_id: Uuid,
    operation: String,
    key: String,
    attempt: Uuid,
}

/// The result of reserving a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reserved {
    /// The key is reserved: process the request.
    New(Reservation),
    /// The request was processed before, with this answer.
    Answered(String),
}

impl Store {
    /// Reserves a request's key, or returns the answer that the request got before.
    ///
    /// # Errors
    ///
    /// [`StoreError::IdempotencyKeyReused`] when the key was used for another request;
    /// [`StoreError::IdempotencyKeyInUse`] while the same request is being processed.
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
        .bind((now + RESERVATION_LEASE).timestamp_micros())
        .bind((now + KEY_LIFETIME).timestamp_micros())
        .bind(now.timestamp_micros())
        .execute(&mut *transaction)
        .await?;
        if reserved.rows_affected() > 0 {
            // A power cut may lose the reservation: the request's own work is lost with it.
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
        // It was released after the first statement, so the client may try again.
        .ok_or(StoreError::IdempotencyKeyInUse)?;
        if row.text("fingerprint")? != request.fingerprint {
            return Err(StoreError::IdempotencyKeyReused);
        }
        row.optional_text("answer")?.map(Reserved::Answered).ok_or(StoreError::IdempotencyKeyInUse)
    }

    /// Keeps the answer of a request that was processed.
    ///
    /// # Errors
    ///
    /// [`StoreError::IdempotencyKeyInUse`] when the reservation's lease has ended and another request has the key.
    pub async fn keep_answer(&self, reservation: &Reservation, answer: &str) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        keep_answer(&mut transaction, reservation, answer).await?;
        transaction.commit().await
    }

    /// Releases a key whose request did nothing. A key that has an answer stays.
    ///
    /// # Errors
    ///
    /// [`StoreError::Database`]
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

/// Keeps an answer within the transaction that does the request's work.
///
/// # Errors
///
/// [`StoreError::IdempotencyKeyInUse`] when the reservation's lease has ended and another request has the key. The
/// transaction must not be committed then.
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
