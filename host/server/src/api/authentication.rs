//! Authentication by API key.

use std::sync::Arc;

use fanlight_store::Caller;
use poem::Request;
use poem_openapi::SecurityScheme;
use poem_openapi::auth::ApiKey;

use crate::api::error::{ApiError, Code};
use crate::api::request_context::{RateLimitedCaller, RequestContext};
use crate::domain::service::Service;

/// An API key in the header `X-API-Key`.
#[derive(SecurityScheme)]
#[oai(ty = "api_key", key_name = "X-API-Key", key_in = "header", rename = "ApiKey", checker = "authenticate")]
pub(crate) struct Authenticated(pub(crate) Caller);

/// An API key in the header `X-API-Key`, on the operations with a rate limit: uploads, submissions, page images,
/// annotated PDFs and webhook replays.
#[derive(SecurityScheme)]
#[oai(
    ty = "api_key",
    key_name = "X-API-Key",
    key_in = "header",
    rename = "ApiKey",
    checker = "authenticate_within_limit"
)]
pub(crate) struct RateLimited(pub(crate) RateLimitedCaller);

/// Returns the caller that the key belongs to.
async fn authenticate(request: &Request, key: ApiKey) -> poem::Result<Caller> {
    let service = service(request)?;
    let caller = service.store.authenticate(&key.key).await.map_err(ApiError::from)?;
    RequestContext::from_request(request)?.begin(service, request, caller.account_id).await?;
    Ok(caller)
}

/// Returns the caller that the key belongs to and takes one token from its bucket.
async fn authenticate_within_limit(request: &Request, key: ApiKey) -> poem::Result<RateLimitedCaller> {
    let service = service(request)?;
    let caller = service.store.authenticate(&key.key).await.map_err(ApiError::from)?;
    let context = RequestContext::from_request(request)?;
    context.take_token(service, &caller).await?;
    context.begin(service, request, caller.account_id).await?;
    Ok(RateLimitedCaller::new(caller, context))
}

/// Returns the service attached to a request.
///
/// # Errors
///
/// [`Code::InternalError`] if the request has none.
pub(super) fn service(request: &Request) -> Result<&Arc<Service>, ApiError> {
    request.data::<Arc<Service>>().ok_or_else(|| ApiError::new(Code::InternalError, "the request has no service"))
}
