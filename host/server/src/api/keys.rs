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
use crate::api::values::{Nullable, Text, Time, default_limit};
use crate::service::Service;

/// Operations on keys.
pub(super) struct Keys;

/// A tier by its name.
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

/// What a new key is to be.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct CreateKeyRequest {
    /// What to call it: printable, and not only spaces.
    #[oai(validator(
        min_length = 1,
        max_length = 100,
        pattern = r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$"
    ))]
    name: Text,
    /// Its tier, at most the account's plan; the plan, where absent.
    #[oai(nullable)]
    tier: Option<TierName>,
    /// From when on it is refused; never, where absent.
    #[oai(nullable)]
    expires_at: Option<Time>,
}

/// A key, its secrets masked.
#[derive(Debug, Object)]
#[oai(rename = "Key")]
struct KeyObject {
    /// The key's id.
    id: Uuid,
    /// What its owner calls it.
    name: String,
    /// `fl_` and 8 digits of its secret.
    prefix: String,
    /// Its tier; it acts with the account's plan where that is lower.
    tier: String,
    /// When it was made.
    created_at: Time,
    /// When it was last used, to the minute.
    last_used_at: Nullable<Time>,
    /// From when on it is refused.
    expires_at: Nullable<Time>,
}

impl KeyObject {
    fn of(key: ApiKey) -> Self {
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

/// A key just made, with its secrets, which are never shown again.
#[derive(Debug, Object)]
#[oai(rename = "CreatedKey")]
struct CreatedKeyObject {
    /// The key.
    #[oai(flatten)]
    key: KeyObject,
    /// What goes into the header `X-API-Key`: `fl_` and 64 hex digits.
    secret: String,
    /// What its messages to webhooks are signed with, as Standard Webhooks has it.
    webhook_secret: String,
}

impl CreatedKeyObject {
    fn of(created: CreatedKey) -> Self {
        Self {
            secret: created.secret.reveal().to_owned(),
            webhook_secret: created.webhook_secret.reveal().to_owned(),
            key: KeyObject::of(created.key),
        }
    }
}

/// A page of keys.
#[derive(Debug, Object)]
struct KeyList {
    /// The keys, newest first.
    keys: Vec<KeyObject>,
    /// To be given as `cursor` for those that follow; null at the end.
    next_cursor: Nullable<String>,
}

#[derive(ApiResponse)]
enum Created {
    /// The key is made.
    #[oai(status = 201)]
    Key(Json<CreatedKeyObject>, #[oai(header = "Location")] String, #[oai(header = "Cache-Control")] String),
}

#[derive(ApiResponse)]
enum Revoked {
    /// The key is refused from now on.
    #[oai(status = 204)]
    Done,
}

#[OpenApi]
impl Keys {
    /// Make a key
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
        Ok(Created::Key(Json(CreatedKeyObject::of(created)), location, "no-store".to_owned()))
    }

    /// List the account's keys
    #[oai(path = "/v1/keys", method = "get", operation_id = "list_keys")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        /// Most keys to give.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the page before, of the same list.
        cursor: Query<Option<String>>,
    ) -> Result<Json<KeyList>, ApiError> {
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.list_keys(caller.0.id, &request).await?.map(KeyObject::of);
        Ok(Json(KeyList { keys: listed.items, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Get a key
    #[oai(path = "/v1/keys/:key_id", method = "get", operation_id = "get_key")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        key_id: Path<Uuid>,
    ) -> Result<Json<KeyObject>, ApiError> {
        Ok(Json(KeyObject::of(service.store.key(caller.0.id, key_id.0).await?)))
    }

    /// Revoke a key for good
    #[oai(path = "/v1/keys/:key_id", method = "delete", operation_id = "revoke_key")]
    async fn revoke(
        &self,
        service: Data<&Arc<Service>>,
        caller: SignedIn,
        key_id: Path<Uuid>,
    ) -> Result<Revoked, ApiError> {
        service.store.revoke_key(caller.0.id, key_id.0).await?;
        Ok(Revoked::Done)
    }
}
