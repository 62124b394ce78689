//! `/v1/usage`

use std::sync::Arc;

use fanlight_store::{ModelUsage, Usage};
use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};

use crate::api::authentication::Authenticated;
use crate::api::error::ApiError;
use crate::domain::service::Service;
use crate::views::values::{Nullable, Time};

/// Operations on the account's usage.
pub(super) struct UsageOperations;

/// Credits used in the current period.
#[derive(Debug, Object)]
#[oai(rename = "Usage")]
struct UsageObject {
    /// Tier of the key; it determines the period and the limit.
    tier: String,
    /// Period over which credits are counted.
    period: Period,
    /// Credits used: charges less refunds.
    used: u64,
    /// Credits available in the period; null if the tier has no limit.
    limit: Nullable<u32>,
    /// Credits left in the period; null if the tier has no limit.
    remaining: Nullable<u64>,
    /// Credits used by each model.
    models: Vec<ModelUsageObject>,
}

/// Period over which credits are counted: a calendar month in UTC, or the account's lifetime.
#[derive(Debug, Object)]
struct Period {
    /// Start of the period.
    start: Time,
    /// Start of the next period; null for a lifetime.
    end: Nullable<Time>,
}

/// Credits used by one model.
#[derive(Debug, Object)]
#[oai(rename = "ModelUsage")]
struct ModelUsageObject {
    /// Name of the model.
    model: String,
    /// Number of charged jobs, including those refunded later.
    jobs: u64,
    /// Credits charged.
    charged: u64,
    /// Credits refunded.
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
