//! Authentication of the operations that manage keys: a token of the identity provider, or a session of this server.
//!
//! An API key is not accepted, so that a leaked key cannot create more keys.

use fanlight_identity::VerifyError;
use fanlight_store::{Account, Identity};
use poem::http::{HeaderValue, Method, header};
use poem::web::headers::{Cookie, HeaderMapExt};
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::authentication::service;
use crate::api::error::{ApiError, Code};
use crate::api::request_context::RequestContext;
use crate::domain::service::Service;

/// The session cookie over http, which a server speaks on loopback addresses only. It lacks the prefix `__Host-`, which
/// needs the attribute `Secure`: not every browser accepts secure cookies from a loopback address over http.
const SESSION_COOKIE: &str = "fanlight_session";
/// The session cookie over https. With the prefix `__Host-`, a browser accepts it from this exact host over https only
/// (RFC 6265bis, section 4.1.3), so that a server of a sibling domain cannot set it.
pub(super) const HTTPS_SESSION_COOKIE: &str = "__Host-fanlight_session";
/// The header with the CSRF token, required beside the cookie for requests that change something.
pub(super) const CSRF_HEADER: &str = "X-CSRF-Token";

/// Name of the bearer scheme in the OpenAPI document.
const BEARER_SCHEME: &str = "OpenIdConnect";
/// Name of the session scheme in the OpenAPI document.
pub(super) const SESSION_SCHEME: &str = "Session";

/// Returns the name of the session cookie.
pub(super) fn session_cookie(service: &Service) -> &'static str {
    if service.is_https() { HTTPS_SESSION_COOKIE } else { SESSION_COOKIE }
}

/// The account of a caller that is signed in by token or by session.
pub(super) struct SignedIn(pub(super) Account);

/// A valid session. Its CSRF token has been checked if the request changes something.
pub(super) struct InSession {
    /// The session with its account.
    pub(super) session: fanlight_store::Session,
    /// The session's token.
    pub(super) token: String,
}

impl<'a> ApiExtractor<'a> for SignedIn {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        registry.create_security_scheme(
            BEARER_SCHEME,
            MetaSecurityScheme {
                description: Some("A JSON Web Token of the configured OpenID Connect provider"),
                scheme: Some("bearer"),
                bearer_format: Some("JWT"),
                ..scheme("http")
            },
        );
        InSession::register(registry);
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![BEARER_SCHEME, SESSION_SCHEME]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let service = service(request)?;
        // An `Authorization` header is deliberate, while browsers add cookies by themselves: the header takes precedence.
        let account = match request.headers().get(header::AUTHORIZATION) {
            Some(authorization) => bearer_account(service, authorization).await?,
            None => in_session(service, request).await?.session.account,
        };
        RequestContext::from_request(request)?.begin(service, request, account.id).await?;
        Ok(Self(account))
    }
}

impl<'a> ApiExtractor<'a> for InSession {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::SecurityScheme];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        registry.create_security_scheme(
            SESSION_SCHEME,
            MetaSecurityScheme {
                description: Some(
                    "The cookie of a session. Requests that change something also need the header X-CSRF-Token with \
                     the token from `GET /v1/session`",
                ),
                name: Some(SESSION_COOKIE),
                key_in: Some("cookie"),
                ..scheme("apiKey")
            },
        );
    }

    fn security_schemes() -> Vec<&'static str> {
        vec![SESSION_SCHEME]
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(in_session(service(request)?, request).await?)
    }
}

/// Returns a security scheme of this type with all other fields empty.
fn scheme(ty: &'static str) -> MetaSecurityScheme {
    MetaSecurityScheme {
        ty,
        description: None,
        name: None,
        key_in: None,
        scheme: None,
        bearer_format: None,
        flows: None,
        openid_connect_url: None,
    }
}

/// Returns the token in the value of `Authorization` (RFC 6750, section 2.1). The scheme is case-insensitive.
fn bearer_token(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
}

/// Returns the account of the identity provider's token, and creates it on the first sign-in.
async fn bearer_account(service: &Service, authorization: &HeaderValue) -> Result<Account, ApiError> {
    let token = authorization.to_str().ok().and_then(bearer_token);
    let token = token.ok_or_else(|| ApiError::new(Code::SignInRequired, "the header is not a bearer token"))?;
    let Some(provider) = &service.identity else {
        return Err(ApiError::new(Code::SignInRequired, "no identity provider is configured"));
    };
    let identity = provider.verify(token).await.map_err(|error| {
        let code = match error {
            VerifyError::Refused(_) => Code::SignInRequired,
            VerifyError::Unavailable(_) => Code::Overloaded,
        };
        ApiError::new(code, error)
    })?;
    account_of(service, identity).await
}

/// Returns the account of a person whom the identity provider vouches for. The first time it is created.
pub(super) async fn account_of(service: &Service, identity: fanlight_identity::Identity) -> Result<Account, ApiError> {
    let label = identity.label.unwrap_or_else(|| identity.subject.clone());
    let identity = Identity { issuer: identity.issuer, subject: identity.subject };
    Ok(service.store.account_of(&identity, &label).await?)
}

/// Returns the session of the request's cookie and checks the CSRF token of a request that changes something.
async fn in_session(service: &Service, request: &Request) -> Result<InSession, ApiError> {
    let cookies = request.headers().typed_get::<Cookie>();
    let Some(token) = cookies.as_ref().and_then(|cookies| cookies.get(session_cookie(service))) else {
        let detail = "the request has neither a bearer token nor a session cookie";
        return Err(ApiError::new(Code::SignInRequired, detail));
    };
    let session = service.store.session(token).await?;
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let csrf_token = request.header(CSRF_HEADER).unwrap_or_default();
    if !only_reads && !session.has_csrf_token(csrf_token) {
        return Err(ApiError::new(Code::Forbidden, "the session's CSRF token is missing or wrong"));
    }
    Ok(InSession { session, token: token.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bearer_token_follows_the_scheme() {
        let cases = [
            ("Bearer a.b.c", Some("a.b.c")),
            ("bearer  a.b.c ", Some("a.b.c")),
            ("Basic a.b.c", None),
            ("Bearer", None),
            ("a.b.c", None),
            ("", None),
        ];
        for (value, expected) in cases {
            assert_eq!(bearer_token(value), expected, "{value:?}");
        }
    }
}
