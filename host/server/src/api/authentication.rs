//! Who makes a request.

use std::sync::Arc;

use fanlight_store::Caller;
use poem::Request;
use poem_openapi::SecurityScheme;
use poem_openapi::auth::ApiKey;

use crate::api::error::{ApiError, Code};
use crate::service::Service;

/// The key of an account, in the header `X-API-Key`.
#[derive(SecurityScheme)]
#[oai(ty = "api_key", key_name = "X-API-Key", key_in = "header", rename = "ApiKey", checker = "authenticate")]
pub(crate) struct Authenticated(pub(crate) Caller);

/// As [`Authenticated`], on the operations that the limit of requests a minute is for: submissions and uploads.
#[derive(SecurityScheme)]
#[oai(ty = "api_key", key_name = "X-API-Key", key_in = "header", rename = "ApiKey", checker = "authenticate")]
pub(crate) struct Limited(pub(crate) Caller);

async fn authenticate(request: &Request, key: ApiKey) -> poem::Result<Caller> {
    let Some(service) = request.data::<Arc<Service>>() else {
        return Err(ApiError::new(Code::InternalError, "the request carries no service").into());
    };
    Ok(service.store.authenticate(&key.key).await.map_err(ApiError::from)?)
}
