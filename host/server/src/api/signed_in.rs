//! Who manages keys: somebody with a token of the identity provider, or with a session of this server. A key does
//! not do, since whoever finds one must not be able to make more.

use fanlight_identity::VerifyError;
use fanlight_store::{Account, Identity};
use poem::http::{HeaderValue, Method, header};
use poem::web::headers::{Cookie, HeaderMapExt};
use poem::{Request, RequestBody};
use poem_openapi::registry::{MetaSecurityScheme, Registry};
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};

use crate::api::authentication::service;
use crate::api::error::{ApiError, Code};
use crate::api::exchange::Exchange;
use crate::service::Service;

/// The cookie of a session over http, which a server speaks to its own machine only. The prefix `__Host-` needs the
/// attribute `Secure`. Chromium takes such cookies from a loopback address over http too, not every browser does.
const SESSION_COOKIE: &str = "fanlight_session";
/// The cookie of a session over https. By the prefix a browser takes it from this very host over https only (RFC
/// 6265bis, section 4.1.3), so that nobody who speaks for a neighbouring name can set it.
pub(super) const HTTPS_SESSION_COOKIE: &str = "__Host-fanlight_session";
/// What requests that change something carry beside the cookie.
pub(super) const CSRF_HEADER: &str = "X-CSRF-Token";

/// The schemes' names in the API's description.
const BEARER_SCHEME: &str = "OpenIdConnect";
pub(super) const SESSION_SCHEME: &str = "Session";

/// Returns the name of a session's cookie.
pub(super) fn session_cookie(service: &Service) -> &'static str {
    if service.is_https() { HTTPS_SESSION_COOKIE } else { SESSION_COOKIE }
}

/// Somebody signed in, by either way.
pub(super) struct SignedIn(pub(super) Account);

/// The token of a session that was checked, with the CSRF token where the request changes something.
pub(super) struct InSession {
    /// Whose session it is, and until when.
    pub(super) session: fanlight_store::Session,
    /// Its token.
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
        // Whoever sends the header means it: a cookie beside it doesn't count.
        let account = match request.headers().get(header::AUTHORIZATION) {
            Some(authorization) => account_of(service, authorization).await?,
            None => in_session(service, request).await?.session.account,
        };
        Exchange::carried(request)?.begin(service, request, account.id).await?;
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
                    "The cookie of a session. Requests that change something also carry the header X-CSRF-Token, with \
                     the token that `GET /v1/session` gives",
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

/// The token in a header's value (RFC 6750, section 2.1); the scheme's case doesn't matter.
fn bearer_token(authorization: &str) -> Option<&str> {
    let (scheme, token) = authorization.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim_matches(' '))
}

/// The account that a token of the identity provider speaks for, made at its first sight.
async fn account_of(service: &Service, authorization: &HeaderValue) -> Result<Account, ApiError> {
    let token = authorization.to_str().ok().and_then(bearer_token);
    let token = token.ok_or_else(|| ApiError::new(Code::SignInRequired, "the header is no bearer token"))?;
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
    let label = identity.label.unwrap_or_else(|| identity.subject.clone());
    let identity = Identity { issuer: identity.issuer, subject: identity.subject };
    Ok(service.store.account_of(&identity, &label).await?)
}

async fn in_session(service: &Service, request: &Request) -> Result<InSession, ApiError> {
    let refused = |reason: &str| ApiError::new(Code::SignInRequired, reason);
    let cookies = request.headers().typed_get::<Cookie>();
    let token = cookies.as_ref().and_then(|cookies| cookies.get(session_cookie(service)));
    let token = token.ok_or_else(|| refused("there is neither a bearer token nor a session's cookie"))?;
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
    fn a_bearer_token_is_what_follows_the_scheme() {
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
