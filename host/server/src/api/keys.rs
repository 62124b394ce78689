//! `/v1/keys`

use std::sync::Arc;

use fanlight_store::{ApiKey, CreatedKey, ListRequest, NewKey, Tier};
use poem::web::Data;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Enum, Object, OpenApi};
use uuid::Uuid;

use crate::api::error::ApiError;
use crate::api::json::JsonBody;
use crate::api::signed_in::SignedIn;
use crate::domain::service::Service;
use crate::views::values::{Nullable, Text, Time, default_limit};

/// Operations on API keys.
pub(super) struct Keys;

/// Tier of a key.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "Tier", rename_all = "lowercase")]
enum TierName {
    Free,
    Developer,
    Pro,
    Enterprise,
}

impl From<TierName> for Tier {
    fn from(name: TierName) -> Self {
        match name {
            TierName::Free => Self::Free,
            TierName::Developer => Self::Developer,
            TierName::Pro => Self::Pro,
            TierName::Enterprise => Self::Enterprise,
        }
    }
}

/// Properties of a new API key.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct CreateKeyRequest {
    /// Name of the key, of printable characters and not only spaces.
    #[oai(validator(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    ))]
    name: Text,
    /// Tier of the key, at most the account's plan; the plan if absent.
    #[oai(nullable)]
    tier: Option<TierName>,
    /// Time from which the key is refused; it never expires if absent.
    #[oai(nullable)]
    expires_at: Option<Time>,
}

/// An API key without its secrets.
#[derive(Debug, Object)]
#[oai(rename = "Key")]
struct KeyObject {
    /// Key ID.
    id: Uuid,
    /// Name that its owner gave it.
    name: String,
    /// First characters of the secret: `fl_` and 8 hex digits.
    prefix: String,
    /// Tier of the key. The account's plan applies instead if it is lower.
    tier: String,
    /// Time of creation.
    created_at: Time,
    /// Time of the last use, to the minute; null if it was never used.
    last_used_at: Nullable<Time>,
    /// Time from which the key is refused; null if it never expires.
    expires_at: Nullable<Time>,
}

impl KeyObject {
    fn new(key: ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            prefix: format!("{}…", key.prefix),
            tier: key.tier.to_string(),
            created_at: Time(key.created_at),
            last_used_at: Nullable(key.last_used_at.map(Time)),
            expires_at: Nullable(key.expires_at.map(Time)),
        }
    }
}

/// A new API key with its secrets, which are never shown again.
#[derive(Debug, Object)]
#[oai(rename = "CreatedKey")]
struct CreatedKeyObject {
    /// The key without its secrets.
    #[oai(flatten)]
    key: KeyObject,
    /// Value for the header `X-API-Key`: `fl_` and 64 hex digits.
    secret: String,
    /// Secret that signs webhook messages of jobs submitted with this key (Standard Webhooks).
    webhook_secret: String,
}

impl CreatedKeyObject {
    fn new(created: CreatedKey) -> Self {
        Self {
            secret: created.secret.reveal().to_owned(),
            webhook_secret: created.webhook_secret.reveal().to_owned(),
            key: KeyObject::new(created.key),
        }
    }
}

/// A page of keys.
#[derive(Debug, Object)]
struct KeyList {
    /// The keys, newest first.
    keys: Vec<KeyObject>,
    /// Value of `cursor` for the next page; null on the last page.
    next_cursor: Nullable<String>,
}

#[derive(ApiResponse)]
enum Created {
    /// The key has been created.
    #[oai(status = 201)]
    Key(Json<CreatedKeyObject>, #[oai(header = "Location")] String, #[oai(header = "Cache-Control")] String),
}

#[derive(ApiResponse)]
enum Revoked {
    /// The key has been revoked.
    #[oai(status = 204)]
    Revoked,
}

#[OpenApi]
impl Keys {
    /// Create an API key
    #[oai(path = "/v1/keys", method = "post", operation_id = "create_key")]
    async fn create(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        request: JsonBody<CreateKeyRequest>,
    ) -> Result<Created, ApiError> {
        let account = caller.0;
        let CreateKeyRequest { name, tier, expires_at } = request.0;
        let tier = tier.map_or(account.plan, Tier::from);
        let new = NewKey { name: name.0, tier, expires_at: expires_at.map(|time| time.0) };
        let created = service.store.create_key(account.id, new).await?;
        let location = format!("/v1/keys/{}", created.key.id);
        Ok(Created::Key(Json(CreatedKeyObject::new(created)), location, "no-store".to_owned()))
    }

    /// List the account's active API keys, newest first
    #[oai(path = "/v1/keys", method = "get", operation_id = "list_keys")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        /// Maximum number of keys on a page.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the previous page. It is valid for the same list only.
        cursor: Query<Option<String>>,
    ) -> Result<Json<KeyList>, ApiError> {
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.list_keys(caller.0.id, &request).await?.map(KeyObject::new);
        Ok(Json(KeyList { keys: listed.items, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Get an API key
    #[oai(path = "/v1/keys/:key_id", method = "get", operation_id = "get_key")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        key_id: Path<Uuid>,
    ) -> Result<Json<KeyObject>, ApiError> {
        Ok(Json(KeyObject::new(service.store.key(caller.0.id, key_id.0).await?)))
    }

    /// Revoke an API key permanently
    #[oai(path = "/v1/keys/:key_id", method = "delete", operation_id = "revoke_key")]
    async fn revoke(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        key_id: Path<Uuid>,
    ) -> Result<Revoked, ApiError> {
        service.store.revoke_key(caller.0.id, key_id.0).await?;
        Ok(Revoked::Revoked)
    }
}
