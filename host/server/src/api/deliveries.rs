//! `/v1/jobs/{job_id}/deliveries`

use std::sync::Arc;

use fanlight_store::{Attempt, Delivery, ListRequest};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, Limited};
use crate::api::error::ApiError;
use crate::api::values::{Nullable, Time, default_limit};
use crate::service::Service;

/// Operations on what is posted to webhooks.
pub(super) struct Deliveries;

/// A finished job on its way to its webhook.
#[derive(Debug, Object)]
#[oai(rename = "Delivery")]
struct DeliveryObject {
    /// The delivery's id.
    id: Uuid,
    /// `pending`, `delivered` or `failed`.
    status: String,
    /// When it was made: when the job became final, or when a replay was asked for.
    created_at: Time,
    /// When the next attempt is due.
    next_attempt_at: Nullable<Time>,
    /// The attempts, in order.
    attempts: Vec<AttemptObject>,
}

/// An attempt at a delivery.
#[derive(Debug, Object)]
#[oai(rename = "DeliveryAttempt")]
struct AttemptObject {
    /// Which one of its delivery, from 1.
    number: u32,
    /// When it began.
    started_at: Time,
    /// How long it took; null while it is under way.
    duration_ms: Nullable<u64>,
    /// The status that the receiver answered with.
    status_code: Nullable<u16>,
    /// Why there was no answer: `address_refused`, `name_not_found`, `not_connected`, `tls`, `timed_out`, `no_answer`,
    /// `interrupted`, `key_not_valid`, `secret_unreadable`, `job_expired` or `internal`.
    error: Nullable<String>,
}

/// A page of a job's deliveries.
#[derive(Debug, Object)]
struct DeliveryList {
    /// The deliveries, newest first.
    deliveries: Vec<DeliveryObject>,
    /// To be given as `cursor` for those that follow; null at the end.
    next_cursor: Nullable<String>,
}

#[derive(ApiResponse)]
enum Replayed {
    /// It is sent again.
    #[oai(status = 202)]
    Pending(Json<DeliveryObject>, #[oai(header = "Location")] String),
}

impl DeliveryObject {
    fn of(delivery: Delivery) -> Self {
        Self {
            id: delivery.id,
            status: delivery.status.as_str().to_owned(),
            created_at: Time(delivery.created_at),
            next_attempt_at: Nullable(delivery.next_attempt_at.map(Time)),
            attempts: delivery.attempts.into_iter().map(AttemptObject::of).collect(),
        }
    }
}

impl AttemptObject {
    fn of(attempt: Attempt) -> Self {
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
    /// List what was posted to a job's webhook, newest first, with every attempt
    #[oai(path = "/v1/jobs/:job_id/deliveries", method = "get", operation_id = "list_deliveries")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        /// Most deliveries to give.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the page before, of the same list.
        cursor: Query<Option<String>>,
    ) -> Result<Json<DeliveryList>, ApiError> {
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.deliveries(caller.0.account_id, job_id.0, &request).await?.map(DeliveryObject::of);
        Ok(Json(DeliveryList { deliveries: listed.items, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Post a finished job to its webhook again
    ///
    /// It counts against the limit of requests a minute.
    #[oai(path = "/v1/jobs/:job_id/deliveries", method = "post", operation_id = "replay_delivery")]
    async fn replay(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        job_id: Path<Uuid>,
    ) -> Result<Replayed, ApiError> {
        let delivery = service.store.replay(&caller.0, job_id.0).await?;
        service.deliverable.notify_one();
        let location = format!("/v1/jobs/{}/deliveries", job_id.0);
        Ok(Replayed::Pending(Json(DeliveryObject::of(delivery)), location))
    }
}
