//! Tiers: what a key of each may do. The limits are configuration; the defaults are the service's published limits.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A tier, lowest first. An account's plan is a tier, and its keys have tiers up to the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// A few credits for a lifetime, and no webhooks.
    Free,
    /// A monthly pool of credits.
    Developer,
    /// A larger monthly pool of credits.
    Pro,
    /// No credit check.
    Enterprise,
}

impl Tier {
    /// Every tier, lowest first.
    pub const ALL: [Self; 4] = [Self::Free, Self::Developer, Self::Pro, Self::Enterprise];

    /// Returns the tier's name in the API and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Developer => "developer",
            Self::Pro => "pro",
            Self::Enterprise => "enterprise",
        }
    }
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The word is not a tier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a tier: one of free, developer, pro, enterprise")]
pub struct UnknownTier(String);

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|tier| tier.as_str() == word).ok_or_else(|| UnknownTier(word.to_owned()))
    }
}

/// The period for which a tier's credits are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CreditPeriod {
    /// The account's lifetime. Without credits, submissions fail with
    /// [`StoreError::FreeTierLimit`](crate::StoreError::FreeTierLimit).
    Lifetime,
    /// The calendar month in UTC. Without credits, submissions fail with
    /// [`StoreError::QuotaExceeded`](crate::StoreError::QuotaExceeded).
    Month,
    /// Credits are not checked. Usage is still counted by month.
    Unlimited,
}

/// The limits of one tier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TierLimits {
    /// Requests per minute of one key, limited by a token bucket.
    pub requests_per_minute: u32,
    /// Credits of one `credit_period`; ignored when that is unlimited.
    pub credits: u32,
    /// The period for which `credits` are given.
    pub credit_period: CreditPeriod,
    /// Maximum size of an upload, in MB of 1,000,000 bytes.
    pub upload_megabytes: u32,
    /// Days from upload until a document expires.
    pub document_retention_days: u32,
    /// Days from submission until a job and its result expire.
    pub job_retention_days: u32,
    /// Whether finished jobs are posted to their submissions' webhooks.
    pub webhooks: bool,
}

impl TierLimits {
    /// Returns the maximum size of an upload in bytes.
    pub fn upload_bytes(&self) -> u64 {
        u64::from(self.upload_megabytes) * 1_000_000
    }
}

/// The limits of every tier. The defaults are those of the table in the REST API's description.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tiers {
    /// Limits of [`Tier::Free`].
    pub free: TierLimits,
    /// Limits of [`Tier::Developer`].
    pub developer: TierLimits,
    /// Limits of [`Tier::Pro`].
    pub pro: TierLimits,
    /// Limits of [`Tier::Enterprise`].
    pub enterprise: TierLimits,
}

impl Tiers {
    /// Returns the limits of one tier.
    pub fn limits(&self, tier: Tier) -> &TierLimits {
        match tier {
            Tier::Free => &self.free,
            Tier::Developer => &self.developer,
            Tier::Pro => &self.pro,
            Tier::Enterprise => &self.enterprise,
        }
    }
}

impl Default for Tiers {
    fn default() -> Self {
        Self {
            free: TierLimits {
                requests_per_minute: 5,
                credits: 100,
                credit_period: CreditPeriod::Lifetime,
                upload_megabytes: 50,
                document_retention_days: 30,
                job_retention_days: 30,
                webhooks: false,
            },
            developer: TierLimits {
                requests_per_minute: 60,
                credits: 2_000,
                credit_period: CreditPeriod::Month,
                upload_megabytes: 100,
                document_retention_days: 30,
                job_retention_days: 30,
                webhooks: true,
            },
            pro: TierLimits {
                requests_per_minute: 120,
                credits: 10_000,
                credit_period: CreditPeriod::Month,
                upload_megabytes: 150,
                document_retention_days: 90,
                job_retention_days: 90,
                webhooks: true,
            },
            enterprise: TierLimits {
                requests_per_minute: 300,
                credits: 0,
                credit_period: CreditPeriod::Unlimited,
                upload_megabytes: 200,
                document_retention_days: 365,
                job_retention_days: 365,
                webhooks: true,
            },
        }
    }
}
