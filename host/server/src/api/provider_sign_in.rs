//! `/v1/provider-sign-in`: sign-in at a browser with the page of the identity provider.

use std::sync::Arc;

use fanlight_identity::PendingSignIn;
use poem::Request;
use poem::web::Data;
use poem::web::headers::{Cookie, HeaderMapExt};
use poem_openapi::param::Query;
use poem_openapi::payload::Json;
use poem_openapi::{ApiResponse, Object, OpenApi};

use crate::api::error::{ApiError, Code};
use crate::api::session;
use crate::api::signed_in::account_of;
use crate::domain::service::Service;
use crate::domain::signing_in::SESSION;
use crate::views::values::Nullable;

/// The path that begins a sign-in.
const BEGIN: &str = "/v1/provider-sign-in";
/// The path to which the provider sends the browser back.
const CALLBACK: &str = "/v1/provider-sign-in/callback";
/// The cookie with the sealed secrets of a sign-in that has begun. It comes back from the provider's site, so it is not
/// `SameSite=Strict`.
const PENDING_COOKIE: &str = "fanlight_sign_in";
/// Seconds that a person has to sign in at the provider.
const PENDING_SECONDS: u64 = 600;
/// The associated data of the seal.
const PENDING: &[u8] = b"pending sign-in";
/// The console, relative to the callback, since a proxy may put a prefix before all paths.
const CONSOLE: &str = "../../";
/// The console with the message that the sign-in failed, likewise.
const FAILED: &str = "../../#/sign-in-failed";

/// Operations on sign-ins with the provider.
pub(super) struct ProviderSignIns;

/// How people sign in to the console.
#[derive(Debug, Object)]
struct SignInOptions {
    /// Path that opens the identity provider's page; null if the owner of the server signs in by a link that it prints.
    provider_path: Nullable<String>,
}

#[derive(ApiResponse)]
enum Redirected {
    /// The browser goes on to another page.
    #[oai(status = 303)]
    To(
        #[oai(header = "Location")] String,
        #[oai(header = "Set-Cookie")] String,
        #[oai(header = "Cache-Control")] String,
    ),
}

impl Redirected {
    fn to(address: &str, cookie: String) -> Self {
        Self::To(address.to_owned(), cookie, "no-store".to_owned())
    }
}

#[OpenApi]
impl ProviderSignIns {
    /// Get how people sign in to the console
    ///
    /// Needs no key.
    #[oai(path = "/v1/sign-in-options", method = "get", operation_id = "get_sign_in_options")]
    #[expect(clippy::unused_async, reason = "operations are asynchronous")]
    async fn options(&self, service: Data<&Arc<Service>>) -> Json<SignInOptions> {
        let path = service.identity.as_ref().filter(|provider| provider.signs_in()).map(|_| BEGIN.to_owned());
        Json(SignInOptions { provider_path: Nullable(path) })
    }

    /// Open the page of the identity provider
    ///
    /// For browsers.
    #[oai(path = "/v1/provider-sign-in", method = "get", operation_id = "begin_provider_sign_in", hidden = true)]
    async fn begin(&self, service: Data<&Arc<Service>>) -> Result<Redirected, ApiError> {
        let Some(provider) = service.identity.as_ref().filter(|provider| provider.signs_in()) else {
            return Err(ApiError::new(Code::NotFound, "no identity provider signs people in"));
        };
        let begun = provider.begin_sign_in(&redirect(&service)).await;
        let (page, pending) = begun.map_err(|error| ApiError::new(Code::Overloaded, error))?;
        let text = serde_json::to_vec(&pending).map_err(|error| ApiError::new(Code::InternalError, error))?;
        let sealed = service.sign_ins.seal(PENDING, &text);
        let sealed = sealed.ok_or_else(|| ApiError::new(Code::InternalError, "can't seal a sign-in"))?;
        Ok(Redirected::to(page.as_str(), pending_cookie(&service, &sealed, PENDING_SECONDS)))
    }

    /// Sign in with the answer of the identity provider
    ///
    /// The provider sends the browser here. It starts a session and sets the session's cookie.
    #[oai(
        path = "/v1/provider-sign-in/callback",
        method = "get",
        operation_id = "complete_provider_sign_in",
        hidden = true
    )]
    async fn complete(
        &self,
        service: Data<&Arc<Service>>,
        request: &Request,
        code: Query<Option<String>>,
        state: Query<Option<String>>,
    ) -> Redirected {
        match signed_in(&service, request, code.0.as_deref(), state.0.as_deref()).await {
            Ok(cookie) => Redirected::to(CONSOLE, cookie),
            Err(error) => {
                tracing::warn!(%error, "a sign-in with the identity provider failed");
                Redirected::to(FAILED, pending_cookie(&service, "", 0))
            }
        }
    }
}

/// Completes a sign-in and begins a session. Returns the session's cookie.
async fn signed_in(
    service: &Service,
    request: &Request,
    code: Option<&str>,
    state: Option<&str>,
) -> Result<String, ApiError> {
    let refused = |detail| ApiError::new(Code::Forbidden, detail);
    let provider = service.identity.as_ref().ok_or_else(|| refused("no identity provider is configured"))?;
    let (Some(code), Some(state)) = (code, state) else {
        return Err(refused("the provider's answer has no code and state"));
    };
    let pending = pending(service, request).ok_or_else(|| refused("this browser has begun no sign-in"))?;
    let completed = provider.complete_sign_in(&pending, state, code, &redirect(service)).await;
    let identity = completed.map_err(|error| ApiError::new(Code::Forbidden, error))?;
    let account = account_of(service, identity).await?;
    let begun = service.store.begin_session(account.id, SESSION).await?;
    Ok(session::cookie(service, begun.token.reveal(), SESSION.as_secs()))
}

/// Returns the sign-in that the browser has begun.
fn pending(service: &Service, request: &Request) -> Option<PendingSignIn> {
    let cookies = request.headers().typed_get::<Cookie>()?;
    let text = service.sign_ins.open(PENDING, cookies.get(PENDING_COOKIE)?)?;
    serde_json::from_slice(&text).ok()
}

/// Returns the address to which the provider sends the browser back, as it is registered there.
fn redirect(service: &Service) -> String {
    format!("{}{CALLBACK}", service.base_url)
}

fn pending_cookie(service: &Service, sealed: &str, seconds: u64) -> String {
    let secure = if service.is_https() { "; Secure" } else { "" };
    format!("{PENDING_COOKIE}={sealed}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}")
}
