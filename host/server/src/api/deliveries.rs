//! `/v1/jobs/{job_id}/deliveries`

use std::sync::Arc;

use fanlight_store::{Attempt, Delivery, ListRequest};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, RateLimited};
use crate::api::error::ApiError;
use crate::domain::service::Service;
use crate::views::values::{Nullable, Time, default_limit};

/// Operations on webhook deliveries.
pub(super) struct Deliveries;

/// Delivery of a finished job to its webhook.
#[derive(Debug, Object)]
#[oai(rename = "Delivery")]
struct DeliveryObject {
    /// Delivery ID.
    id: Uuid,
    /// `pending`, `delivered` or `failed`.
    status: String,
    /// Time of creation: when the job became final, or when a replay was requested.
    created_at: Time,
    /// Time at which the next attempt is due; null if no attempt follows.
    next_attempt_at: Nullable<Time>,
    /// Attempts, oldest first.
    attempts: Vec<AttemptObject>,
}

/// Attempt at a delivery.
#[derive(Debug, Object)]
#[oai(rename = "DeliveryAttempt")]
struct AttemptObject {
    /// Number of the attempt, from 1.
    number: u32,
    /// Time at which the attempt began.
    started_at: Time,
    /// Duration in milliseconds; null during the attempt.
    duration_ms: Nullable<u64>,
    /// HTTP status of the receiver's answer; null if there was no answer.
    status_code: Nullable<u16>,
    /// Reason why there was no answer: `address_refused`, `name_not_found`, `not_connected`, `tls`, `timed_out`,
    /// `no_answer`, `interrupted`, `key_not_valid`, `secret_unreadable`, `job_expired` or `internal`; else null.
    error: Nullable<String>,
}

/// A page of a job's deliveries.
#[derive(Debug, Object)]
struct DeliveryList {
    /// The deliveries, newest first.
    deliveries: Vec<DeliveryObject>,
    /// Value of `cursor` for the next page; null on the last page.
    next_cursor: Nullable<String>,
}

#[derive(ApiResponse)]
enum Replayed {
    /// The delivery has been queued.
    #[oai(status = 202)]
    Pending(Json<DeliveryObject>, #[oai(header = "Location")] String),
}

impl DeliveryObject {
    fn new(delivery: Delivery) -> Self {
        Self {
            id: delivery.id,
            status: delivery.status.as_str().to_owned(),
            created_at: Time(delivery.created_at),
            next_attempt_at: Nullable(delivery.next_attempt_at.map(Time)),
            attempts: delivery.attempts.into_iter().map(AttemptObject::new).collect(),
        }
    }
}

impl AttemptObject {
    fn new(attempt: Attempt) -> Self {
        Self {
            number: attempt.number,
            started_at: Time(attempt.started_at),
            duration_ms: Nullable(attempt.duration_ms),
            status_code: Nullable(attempt.status_code),
            error: Nullable(attempt.error),
        }
    }
}

#[OpenApi]
impl Deliveries {
    /// List the webhook deliveries of a job with their attempts, newest first
    #[oai(path = "/v1/jobs/:job_id/deliveries", method = "get", operation_id = "list_deliveries")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        /// Maximum number of deliveries on a page.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the previous page. It is valid for the same list only.
        cursor: Query<Option<String>>,
    ) -> Result<Json<DeliveryList>, ApiError> {
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.deliveries(caller.0.account_id, job_id.0, &request).await?.map(DeliveryObject::new);
        Ok(Json(DeliveryList { deliveries: listed.items, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Post a finished job to its webhook again
    ///
    /// Counts against the rate limit.
    #[oai(path = "/v1/jobs/:job_id/deliveries", method = "post", operation_id = "replay_delivery")]
    async fn replay(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        job_id: Path<Uuid>,
    ) -> Result<Replayed, ApiError> {
        let delivery = service.store.replay(&caller.0, job_id.0).await?;
        service.deliverable.notify_one();
        let location = format!("/v1/jobs/{}/deliveries", job_id.0);
        Ok(Replayed::Pending(Json(DeliveryObject::new(delivery)), location))
    }
}
