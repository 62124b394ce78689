//! `/v1/usage`

use std::sync::Arc;

use fanlight_store::{ModelUsage, Usage};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::api::authentication::Authenticated;
use crate::api::error::ApiError;
use crate::api::values::{Nullable, Time};
use crate::service::Service;

/// Operations on the account's usage.
pub(super) struct UsageOperations;

/// The credits that the account has used in its current period.
#[derive(Debug, Object)]
#[oai(rename = "Usage")]
struct UsageObject {
    /// Tier of the key, which says how credits are counted.
    tier: String,
    /// The time that they are counted over.
    period: Period,
    /// Credits used: charges less refunds.
    used: u64,
    /// Credits there are in the period; null where they are not checked.
    limit: Nullable<u32>,
    /// Credits that are left; null where they are not checked.
    remaining: Nullable<u64>,
    /// What they were used for, by model.
    models: Vec<ModelUsageObject>,
}

/// A time that credits are counted over: a calendar month in UTC, or the account's lifetime.
#[derive(Debug, Object)]
struct Period {
    /// When it began.
    start: Time,
    /// When the next one begins; null for a lifetime.
    end: Nullable<Time>,
}

/// What a model was used for.
#[derive(Debug, Object)]
#[oai(rename = "ModelUsage")]
struct ModelUsageObject {
    /// The model.
    model: String,
    /// Jobs that were charged, those refunded later included.
    jobs: u64,
    /// Credits that were charged.
    charged: u64,
    /// Credits that were given back.
    refunded: u64,
}

impl From<ModelUsage> for ModelUsageObject {
    fn from(usage: ModelUsage) -> Self {
        Self { model: usage.model, jobs: usage.jobs, charged: usage.charged, refunded: usage.refunded }
    }
}

#[OpenApi]
impl UsageOperations {
    /// Get the credits used in the current period
    #[oai(path = "/v1/usage", method = "get", operation_id = "get_usage")]
    async fn get(&self, service: Data<&Arc<Service>>, caller: Authenticated) -> Result<Json<UsageObject>, ApiError> {
        let usage: Usage = service.store.usage(&caller.0).await?;
        Ok(Json(UsageObject {
            tier: caller.0.tier.to_string(),
            period: Period { start: Time(usage.starts_at), end: Nullable(usage.ends_at.map(Time)) },
            used: usage.used,
            limit: Nullable(usage.limit),
            remaining: Nullable(usage.remaining()),
            models: usage.models.into_iter().map(ModelUsageObject::from).collect(),
        }))
    }
}
