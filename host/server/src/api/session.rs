//! `/v1/session` and `/v1/sign-in`: how a person at a browser is told from others.

use std::sync::Arc;

use poem::http::header::{CACHE_CONTROL, HeaderName, HeaderValue, REFERRER_POLICY, SET_COOKIE};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::error::{ApiError, Code};
use crate::api::signed_in::{InSession, SESSION_COOKIE};
use crate::api::values::Time;
use crate::service::Service;
use crate::signing_in::SESSION;

/// What somebody sees who has signed in.
const PAGE: &str = include_str!("signed_in.html");

/// Operations on sessions.
pub(super) struct Sessions;

/// A session.
#[derive(Debug, Object)]
#[oai(rename = "Session")]
struct SessionObject {
    /// The account that it acts for.
    account: AccountObject,
    /// What goes into the header `X-CSRF-Token` of requests that change something.
    csrf_token: String,
    /// When it ends by itself.
    expires_at: Time,
}

/// An account.
#[derive(Debug, Object)]
#[oai(rename = "Account")]
struct AccountObject {
    /// The account's id.
    id: Uuid,
    /// What it is called.
    name: String,
    /// The highest tier that its keys may have.
    plan: String,
}

#[derive(ApiResponse)]
enum SignedOut {
    /// The session is ended.
    #[oai(status = 204)]
    Done(#[oai(header = "Set-Cookie")] String),
}

#[OpenApi]
impl Sessions {
    /// Sign in by a link that is good once
    ///
    /// For a browser: begins a session, which the cookie of the answer stands for. `fanlight serve` and
    /// `fanlight sign-in` print such links.
    #[oai(path = "/v1/sign-in/:token", method = "get", operation_id = "sign_in", hidden = true)]
    async fn sign_in(&self, service: Data<&Arc<Service>>, token: Path<String>) -> Result<Welcome, ApiError> {
        let begun = service.store.sign_in(&token.0, SESSION).await?;
        let cookie = cookie(&service, begun.token.reveal(), SESSION.as_secs());
        Ok(Welcome { cookie, docs: format!("{}/docs", service.base_url) })
    }

    /// Get the session that the request's cookie stands for
    #[oai(path = "/v1/session", method = "get", operation_id = "get_session")]
    #[expect(clippy::unused_async, reason = "operations are asynchronous")]
    async fn get(&self, caller: InSession) -> Json<SessionObject> {
        let session = caller.session;
        Json(SessionObject {
            account: AccountObject {
                id: session.account.id,
                name: session.account.name,
                plan: session.account.plan.to_string(),
            },
            csrf_token: session.csrf_token,
            expires_at: Time(session.expires_at),
        })
    }

    /// Sign out: end the session that the request's cookie stands for
    #[oai(path = "/v1/session", method = "delete", operation_id = "sign_out")]
    async fn sign_out(&self, service: Data<&Arc<Service>>, caller: InSession) -> Result<SignedOut, ApiError> {
        service.store.sign_out(&caller.token).await?;
        Ok(SignedOut::Done(cookie(&service, "", 0)))
    }
}

/// A cookie that scripts can't read and that other sites' pages don't send (RFC 6265bis).
fn cookie(service: &Service, token: &str, seconds: u64) -> String {
    let secure = if service.base_url.starts_with("https:") { "; Secure" } else { "" };
    format!("{SESSION_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

/// The page that a sign-in link leads to.
struct Welcome {
    cookie: String,
    docs: String,
}

impl IntoResponse for Welcome {
    fn into_response(self) -> Response {
        let Ok(cookie) = HeaderValue::from_str(&self.cookie) else {
            return ApiError::new(Code::InternalError, "the session's cookie is no header").response();
        };
        let mut response = Response::builder()
            .content_type("text/html; charset=utf-8")
            .body(PAGE.replace("{docs}", &html_escaped(&self.docs)));
        let headers = response.headers_mut();
        headers.insert(SET_COOKIE, cookie);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        let policy = HeaderName::from_static("content-security-policy");
        headers.insert(policy, HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"));
        response
    }
}

impl ApiResponse for Welcome {
    fn meta() -> MetaResponses {
        let page = MetaResponse {
            description: "Signed in",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: "text/html; charset=utf-8",
                schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
            }],
            headers: vec![],
        };
        MetaResponses { responses: vec![page] }
    }

    fn register(_registry: &mut Registry) {}
}

fn html_escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
