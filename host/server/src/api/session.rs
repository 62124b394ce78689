//! `/v1/session` and `/v1/sign-in`: sessions of people at a browser.

use std::sync::Arc;

use poem::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderValue};
use poem::web::Data;
use poem::{IntoResponse, Request, Response};
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::error::{ApiError, Code};
use crate::api::signed_in::{InSession, session_cookie};
use crate::domain::service::Service;
use crate::domain::signing_in::SESSION;
use crate::views::values::Time;

/// The page that a sign-in link opens. Its button signs in.
const SIGN_IN_PAGE: &str = include_str!("sign_in.html");
/// The page shown after signing in.
const SIGNED_IN_PAGE: &str = include_str!("signed_in.html");
/// Content security policy of both pages: they may send the form to this server. They have an inline style and no
/// script.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'";
/// Redirect target after signing in, away from the address with the token. It is relative to that address, since a proxy
/// may put a prefix before all paths.
const SIGNED_IN: &str = "../sign-in";
/// The header in which a browser names the relation of the requesting site (Fetch Metadata).
const FETCH_SITE: &str = "sec-fetch-site";

/// Operations on sessions.
pub(super) struct Sessions;

/// A browser session.
#[derive(Debug, Object)]
#[oai(rename = "Session")]
struct SessionObject {
    /// Account of the session.
    account: AccountObject,
    /// Value for the header `X-CSRF-Token` of requests that change something.
    csrf_token: String,
    /// Time at which the session ends.
    expires_at: Time,
}

/// An account.
#[derive(Debug, Object)]
#[oai(rename = "Account")]
struct AccountObject {
    /// Account ID.
    id: Uuid,
    /// Name of the account.
    name: String,
    /// Highest tier that the account's keys may have.
    plan: String,
}

#[derive(ApiResponse)]
enum SignedOut {
    /// The session has ended.
    #[oai(status = 204)]
    Done(#[oai(header = "Set-Cookie")] String),
}

#[derive(ApiResponse)]
enum SignedIn {
    /// The session has begun.
    #[oai(status = 303)]
    Begun(
        #[oai(header = "Set-Cookie")] String,
        #[oai(header = "Location")] String,
        #[oai(header = "Cache-Control")] String,
    ),
}

#[OpenApi]
impl Sessions {
    /// Show the page of a sign-in link
    ///
    /// For browsers. Opening the page does not use up the link, since message previews and prefetching browsers open it
    /// too. `fanlight serve` and `fanlight sign-in` print such links.
    #[oai(path = "/v1/sign-in/:token", method = "get", operation_id = "show_sign_in", hidden = true)]
    async fn show_sign_in(&self, service: Data<&Arc<Service>>, token: Path<String>) -> Result<Page, ApiError> {
        service.store.check_sign_in_link(&token.0).await?;
        Ok(Page(SIGN_IN_PAGE.to_owned()))
    }

    /// Sign in with a one-time link
    ///
    /// The button of the link's page sends this request. It starts a session and sets the session's cookie.
    #[oai(path = "/v1/sign-in/:token", method = "post", operation_id = "sign_in", hidden = true)]
    async fn sign_in(
        &self,
        service: Data<&Arc<Service>>,
        request: &Request,
        token: Path<String>,
    ) -> Result<SignedIn, ApiError> {
        refuse_other_sites(request)?;
        let begun = service.store.sign_in(&token.0, SESSION).await?;
        let cookie = cookie(&service, begun.token.reveal(), SESSION.as_secs());
        Ok(SignedIn::Begun(cookie, SIGNED_IN.to_owned(), "no-store".to_owned()))
    }

    /// Show the page for a browser that is signed in
    #[oai(path = "/v1/sign-in", method = "get", operation_id = "show_signed_in", hidden = true)]
    #[expect(clippy::unused_async, reason = "operations are asynchronous")]
    async fn show_signed_in(&self, service: Data<&Arc<Service>>, _caller: InSession) -> Page {
        let base = html_escaped(&service.base_url);
        Page(SIGNED_IN_PAGE.replace("{console}", &format!("{base}/")).replace("{docs}", &format!("{base}/docs")))
    }

    /// Get the session of the request's cookie
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

    /// Sign out: end the session of the request's cookie
    #[oai(path = "/v1/session", method = "delete", operation_id = "sign_out")]
    async fn sign_out(&self, service: Data<&Arc<Service>>, caller: InSession) -> Result<SignedOut, ApiError> {
        service.store.sign_out(&caller.token).await?;
        Ok(SignedOut::Done(cookie(&service, "", 0)))
    }
}

/// Refuses a request from a page of another site.
///
/// Such a page could sign the browser in to an account of its own choice (login CSRF). Browsers name the requesting site;
/// other clients send no header.
fn refuse_other_sites(request: &Request) -> Result<(), ApiError> {
    match request.header(FETCH_SITE) {
        None | Some("same-origin" | "none") => Ok(()),
        Some(site) => Err(ApiError::new(Code::Forbidden, format!("a {site:?} page tries to sign in"))),
    }
}

/// Returns the session cookie. Scripts cannot read it, and requests from other sites do not carry it (RFC 6265bis).
pub(super) fn cookie(service: &Service, token: &str, seconds: u64) -> String {
    let secure = if service.is_https() { "; Secure" } else { "" };
    let name = session_cookie(service);
    format!("{name}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
}

/// An HTML page.
struct Page(String);

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        let mut response = Response::builder().content_type("text/html; charset=utf-8").body(self.0);
        let headers = response.headers_mut();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
        response
    }
}

impl ApiResponse for Page {
    fn meta() -> MetaResponses {
        let page = MetaResponse {
            description: "The page",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_another_site_cannot_sign_a_browser_in() {
        assert!(refuse_other_sites(&Request::builder().finish()).is_ok());
        let cases = [("same-origin", true), ("none", true), ("cross-site", false), ("same-site", false), ("", false)];
        for (site, accepted) in cases {
            let request = Request::builder().header(FETCH_SITE, site).finish();
            assert_eq!(refuse_other_sites(&request).is_ok(), accepted, "{site:?}");
        }
    }
}
