//! State that the envelope and the operation of one request share: the rate limit and the idempotency key.
//!
//! 1. The envelope attaches a [`RequestContext`] to each request.
//! 2. Authentication fills it: [`RequestContext::take_token`], [`RequestContext::begin`].
//! 3. The envelope finishes the response from it: [`RequestContext::finish`].
//!
//! Two kinds of operation use it themselves. Those that store their answer in the same transaction as their work call
//! [`RateLimitedCaller::held`], and those with a streamed body call [`RateLimitedCaller::begin_streamed`].

use std::fmt;
use std::io;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use fanlight_store::{Allowance, Caller, IdempotentRequest};
use futures_util::stream;
use poem::error::{ReadBodyError, ResponseError};
use poem::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use poem::{Body, IntoResponse, Request, Response};
use poem_openapi::ApiResponse;
use poem_openapi::registry::{MetaResponses, Registry};
use tokio::sync::{Mutex, OnceCell};
use uuid::Uuid;

use crate::api::body_budget::{BodyBudget, ReservedBytes, bytes_held};
use crate::api::error::{ApiError, Code};
use crate::domain::idempotency::{self, Answer, Begun, Held};
use crate::domain::service::Service;

/// The request header that marks a request to be carried out once.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The response header that marks the stored answer of an earlier request.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The response header with the number of requests per minute.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// The response header with the number of requests left.
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// The response header with the seconds until the token bucket is full again.
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// State of one request while it is handled.
#[derive(Debug)]
pub(crate) struct RequestContext {
    /// Memory budget for all request bodies.
    budget: BodyBudget,
    /// Maximum number of bytes of this request's body that are in memory at a time.
    body_bytes: u64,
    /// The reservation for the body, once the account is known.
    reserved: OnceLock<ReservedBytes>,
    /// The body of a request with an idempotency key. `None` for a streamed body.
    body: Option<HeldBody>,
    /// State of the key's token bucket after this request.
    allowance: OnceLock<Allowance>,
    /// The idempotent request of a streamed body, still without its fingerprint.
    streamed: OnceLock<IdempotentRequest>,
    /// The idempotency key that this request holds.
    held: OnceLock<Held>,
}

/// A body that is read once and can then be returned any number of times.
#[derive(Debug)]
struct HeldBody {
    unread: Mutex<Body>,
    bytes: OnceCell<Bytes>,
}

impl HeldBody {
    /// Returns all bytes of the body. The first call reads them from the connection.
    async fn bytes(&self) -> Result<Bytes, ReadBodyError> {
        self.bytes.get_or_try_init(|| self.read()).await.cloned()
    }

    async fn read(&self) -> Result<Bytes, ReadBodyError> {
        std::mem::take(&mut *self.unread.lock().await).into_bytes().await
    }
}

impl RequestContext {
    /// Creates the context of a request and attaches it to the request.
    ///
    /// A POST with an idempotency key has its whole body held in memory, unless the body is `streamed`: the fingerprint
    /// covers all of it. The body is read only after the client is authenticated.
    pub(super) fn attach(request: &mut Request, streamed: bool, budget: BodyBudget) -> Arc<Self> {
        let body_bytes = bytes_held(request, streamed);
        let holds = !streamed && request.method() == Method::POST && request.headers().contains_key(IDEMPOTENCY_KEY);
        let body = holds.then(|| HeldBody { unread: Mutex::new(request.take_body()), bytes: OnceCell::new() });
        let context = Arc::new(Self {
            budget,
            body_bytes,
            reserved: OnceLock::new(),
            body,
            allowance: OnceLock::new(),
            streamed: OnceLock::new(),
            held: OnceLock::new(),
        });
        if holds {
            let own = context.clone();
            request.set_body(Body::from_bytes_stream(stream::once(async move { own.bytes().await })));
        }
        request.set_data(context.clone());
        context
    }

    /// Returns the context attached to a request.
    ///
    /// # Errors
    ///
    /// [`Code::InternalError`] if the request has none.
    pub(super) fn from_request(request: &Request) -> Result<Arc<Self>, ApiError> {
        let attached = request.data::<Arc<Self>>().cloned();
        attached.ok_or_else(|| ApiError::new(Code::InternalError, "the request has no context"))
    }

    /// Returns the bytes of a held body, and no bytes for any other.
    async fn bytes(&self) -> io::Result<Bytes> {
        let Some(body) = &self.body else {
            return Ok(Bytes::new());
        };
        body.bytes().await.map_err(|error| match error {
            ReadBodyError::Io(error) => error,
            other => io::Error::other(other),
        })
    }

    /// Takes one token from the caller's token bucket.
    ///
    /// # Errors
    ///
    /// [`Code::RateLimited`] if the bucket is empty.
    pub(super) async fn take_token(&self, service: &Service, caller: &Caller) -> Result<(), ApiError> {
        let allowance = service.store.take_token(caller).await?;
        let allowance = self.allowance.get_or_init(|| allowance);
        allowance.retry_after_seconds.map_or(Ok(()), |seconds| Err(ApiError::rate_limited(seconds)))
    }

    /// Reserves memory for the request's body, and the request's idempotency key if it has one.
    ///
    /// Authentication calls this as soon as it knows the account.
    ///
    /// # Errors
    ///
    /// [`Replay`] with the stored answer if the request repeats an earlier one, else an [`ApiError`].
    pub(super) async fn begin(&self, service: &Arc<Service>, request: &Request, account_id: Uuid) -> poem::Result<()> {
        // Only bodies of POST and PUT requests are read.
        if !matches!(*request.method(), Method::POST | Method::PUT) {
            return Ok(());
        }
        self.reserve_body(account_id)?;
        // A PUT can be repeated as it is.
        if request.method() == Method::PUT {
            return Ok(());
        }
        let Some(key) = idempotency_key(request.headers())? else {
            return Ok(());
        };
        let operation = format!("{} {}", request.method(), request.uri().path());
        let unread = IdempotentRequest { account_id, operation, key, fingerprint: String::new() };
        let Some(body) = &self.body else {
            self.streamed.get_or_init(|| unread);
            return Ok(());
        };
        let query = request.uri().query().unwrap_or_default();
        let fingerprint = idempotency::fingerprint(&[query.as_bytes(), &body.bytes().await?]);
        let before = self.reserve(service, IdempotentRequest { fingerprint, ..unread }).await?;
        before.map_or(Ok(()), |answer| Err(Replay(answer).into()))
    }

    /// Reserves memory for the request's body until the request ends.
    fn reserve_body(&self, account_id: Uuid) -> Result<(), ApiError> {
        let reserved = self.budget.reserve(account_id, self.body_bytes);
        let reserved = reserved.ok_or_else(|| ApiError::new(Code::Overloaded, "there is no room for the body"))?;
        self.reserved.get_or_init(|| reserved);
        Ok(())
    }

    /// Reserves an idempotency key, or returns the answer stored under it.
    async fn reserve(&self, service: &Arc<Service>, request: IdempotentRequest) -> Result<Option<Answer>, ApiError> {
        match idempotency::begin(service, &request).await? {
            Begun::Before(answer) => Ok(Some(answer)),
            Begun::New(held) => {
                self.held.get_or_init(|| held);
                Ok(None)
            }
        }
    }

    /// Stores a successful response under the request's idempotency key and adds the rate-limit headers.
    ///
    /// An operation that stored its answer itself has settled the key, so nothing is stored twice.
    pub(super) async fn finish(&self, mut response: Response) -> Response {
        if let Some(held) = self.held.get()
            && response.status().is_success()
            && !held.is_settled()
        {
            response = store_response(held, response).await;
        }
        if let Some(allowance) = self.allowance.get() {
            let headers = response.headers_mut();
            headers.insert(LIMIT, allowance.limit.into());
            headers.insert(REMAINING, allowance.remaining.into());
            headers.insert(RESET, allowance.full_in_seconds.into());
        }
        response
    }
}

/// Reads the header `Idempotency-Key`.
///
/// # Errors
///
/// [`Code::ValidationError`] if the header occurs twice or its value is not valid.
fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(value) = values.next() else {
        return Ok(None);
    };
    if values.next().is_some() {
        return Err(ApiError::new(Code::ValidationError, "the request has several idempotency keys"));
    }
    Ok(Some(idempotency::parse_key(value.as_bytes())?))
}

/// Stores a response under an idempotency key and returns an equal response, since reading the body consumes it.
async fn store_response(held: &Held, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let body = match body.into_string().await {
        Ok(body) => body,
        Err(error) => return ApiError::new(Code::InternalError, error).response(),
    };
    let location = parts.headers.get(header::LOCATION).and_then(|location| Some(location.to_str().ok()?.to_owned()));
    held.keep(&Answer { status: parts.status.as_u16(), location, body: body.clone() }).await;
    Response::from_parts(parts, Body::from_string(body))
}

/// A caller whose request is within the rate limit. It dereferences to its [`Caller`].
#[derive(Clone, Debug)]
pub(crate) struct RateLimitedCaller {
    caller: Caller,
    context: Arc<RequestContext>,
}

impl RateLimitedCaller {
    /// Creates the caller of a request whose token has been taken.
    pub(super) fn new(caller: Caller, context: Arc<RequestContext>) -> Self {
        Self { caller, context }
    }

    /// Returns the idempotency key that the request holds, if any. An operation passes it on to store its answer in the
    /// same transaction as its work.
    pub(crate) fn held(&self) -> Option<&Held> {
        self.context.held.get()
    }

    /// Reserves the idempotency key of a request with a streamed body, once the body's fingerprint is known.
    ///
    /// Returns the stored answer if the request repeats an earlier one, and `None` if it has no key or is new.
    pub(crate) async fn begin_streamed(
        &self,
        service: &Arc<Service>,
        fingerprint: String,
    ) -> Result<Option<Answer>, ApiError> {
        let Some(unread) = self.context.streamed.get() else {
            return Ok(None);
        };
        self.context.reserve(service, IdempotentRequest { fingerprint, ..unread.clone() }).await
    }
}

impl Deref for RateLimitedCaller {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// The stored answer to an earlier request with the same idempotency key.
#[derive(Clone, Debug)]
pub(crate) struct Replay(Answer);

impl IntoResponse for Replay {
    fn into_response(self) -> Response {
        self.as_response()
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the request was carried out before")
    }
}

impl std::error::Error for Replay {}

/// Not a failure: the framework's error path ends the request before its operation runs.
impl ResponseError for Replay {
    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::OK)
    }

    fn as_response(&self) -> Response {
        let mut response = Response::builder()
            .status(self.status())
            .content_type("application/json; charset=utf-8")
            .body(Body::from_string(self.0.body.clone()));
        let headers = response.headers_mut();
        headers.insert(REPLAYED, HeaderValue::from_static("true"));
        if let Some(location) = self.0.location.as_deref().and_then(|location| location.parse().ok()) {
            headers.insert(header::LOCATION, location);
        }
        response
    }
}

/// The answer of an idempotent operation.
#[derive(Debug)]
pub(crate) enum Idempotent<T> {
    /// The operation ran and this is its answer.
    New(T),
    /// The operation did not run; this is the answer to the earlier request.
    Replayed(Replay),
}

impl<T> Idempotent<T> {
    /// Wraps the stored answer to an earlier request.
    pub(super) fn replayed(answer: Answer) -> Self {
        Self::Replayed(Replay(answer))
    }
}

impl<T: IntoResponse> IntoResponse for Idempotent<T> {
    fn into_response(self) -> Response {
        match self {
            Self::New(answer) => answer.into_response(),
            Self::Replayed(replay) => replay.into_response(),
        }
    }
}

impl<T: ApiResponse> ApiResponse for Idempotent<T> {
    fn meta() -> MetaResponses {
        T::meta()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
