//! Who makes a request.

use std::sync::Arc;

use fanlight_store::Caller;
use poem::Request;
use poem_openapi::SecurityScheme;
use poem_openapi::auth::ApiKey;

use crate::api::error::{ApiError, Code};
use crate::api::exchange::{Admitted, Exchange};
use crate::service::Service;

/// The key of an account, in the header `X-API-Key`.
#[derive(SecurityScheme)]
#[oai(ty = "api_key", key_name = "X-API-Key", key_in = "header", rename = "ApiKey", checker = "authenticate")]
pub(crate) struct Authenticated(pub(crate) Caller);

/// As [`Authenticated`], on the operations that the limit of requests a minute is for: submissions, uploads,
/// and what is drawn for the client, which are pictures of pages and annotated PDFs.
#[derive(SecurityScheme)]
#[oai(ty = "api_key", key_name = "X-API-Key", key_in = "header", rename = "ApiKey", checker = "admit")]
pub(crate) struct Limited(pub(crate) Admitted);

async fn authenticate(request: &Request, key: ApiKey) -> poem::Result<Caller> {
    let service = service(request)?;
    let caller = service.store.authenticate(&key.key).await.map_err(ApiError::from)?;
    Exchange::carried(request)?.begin(service, request, caller.account_id).await?;
    Ok(caller)
}

async fn admit(request: &Request, key: ApiKey) -> poem::Result<Admitted> {
    let service = service(request)?;
    let caller = service.store.authenticate(&key.key).await.map_err(ApiError::from)?;
    let exchange = Exchange::carried(request)?;
    exchange.take_token(service, &caller).await?;
    exchange.begin(service, request, caller.account_id).await?;
    Ok(Admitted::new(caller, exchange))
}

/// The service that a request is for.
pub(super) fn service(request: &Request) -> Result<&Arc<Service>, ApiError> {
    request.data::<Arc<Service>>().ok_or_else(|| ApiError::new(Code::InternalError, "the request carries no service"))
}
