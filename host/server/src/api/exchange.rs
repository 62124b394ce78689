//! What the envelope and the operation of one request share: the limit of requests, and the idempotency key.
//!
//! The envelope makes an [`Exchange`] for each request, whoever authenticates the request fills it
//! ([`Exchange::take_token`], [`Exchange::begin`]), and the envelope finishes the response by it. So no operation has
//! to know of either, but for those that keep their answer in the transaction that does what they are asked for
//! ([`Admitted::held`]) and those whose body is streamed ([`Admitted::begin_streamed`]).

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
use crate::idempotency::{self, Answer, Begun, Held};
use crate::service::Service;

/// What a client marks a request with that is to be carried out once.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Marks the answer of a request that was carried out before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// Requests a minute.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests that are left.
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// Seconds until all of them are left again.
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// What is known of a request on its way.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// What bodies may take.
    budget: BodyBudget,
    /// Most bytes of the request's body that are held at a time.
    body_bytes: u64,
    /// The body's bytes, once the account is known.
    reserved: OnceLock<ReservedBytes>,
    /// The body of a request with an idempotency key. None where it is streamed.
    body: Option<HeldBody>,
    /// What was left of the key's requests.
    allowance: OnceLock<Allowance>,
    /// A request with an idempotency key whose body is streamed.
    streamed: OnceLock<IdempotentRequest>,
    /// The idempotency key that this request holds.
    held: OnceLock<Held>,
}

/// A body that is read once, and then there as often as need be.
#[derive(Debug)]
struct HeldBody {
    unread: Mutex<Body>,
    bytes: OnceCell<Bytes>,
}

impl HeldBody {
    async fn bytes(&self) -> Result<Bytes, ReadBodyError> {
        let read = async || std::mem::take(&mut *self.unread.lock().await).into_bytes().await;
        self.bytes.get_or_try_init(read).await.cloned()
    }
}

impl Exchange {
    /// Of a request, which carries it from now on. A body that isn't `streamed` is held where the request has an
    /// idempotency key, since all of it says whether it is a repetition. It is read once the client is known.
    pub(super) fn of(request: &mut Request, streamed: bool, budget: BodyBudget) -> Arc<Self> {
        let body_bytes = bytes_held(request, streamed);
        let holds = !streamed && request.method() == Method::POST && request.headers().contains_key(IDEMPOTENCY_KEY);
        let body = holds.then(|| HeldBody { unread: Mutex::new(request.take_body()), bytes: OnceCell::new() });
        let exchange = Arc::new(Self {
            budget,
            body_bytes,
            reserved: OnceLock::new(),
            body,
            allowance: OnceLock::new(),
            streamed: OnceLock::new(),
            held: OnceLock::new(),
        });
        if holds {
            let own = exchange.clone();
            request.set_body(Body::from_bytes_stream(stream::once(async move { own.bytes().await })));
        }
        request.set_data(exchange.clone());
        exchange
    }

    /// The one that the request carries.
    pub(super) fn carried(request: &Request) -> Result<Arc<Self>, ApiError> {
        let carried = request.data::<Arc<Self>>().cloned();
        carried.ok_or_else(|| ApiError::new(Code::InternalError, "the request carries no exchange"))
    }

    async fn bytes(&self) -> io::Result<Bytes> {
        let Some(body) = &self.body else {
            return Ok(Bytes::new());
        };
        body.bytes().await.map_err(|error| match error {
            ReadBodyError::Io(error) => error,
            other => io::Error::other(other),
        })
    }

    /// Takes one of the caller's requests of this minute.
    pub(super) async fn take_token(&self, service: &Service, caller: &Caller) -> Result<(), ApiError> {
        let allowance = service.store.take_token(caller).await?;
        let allowance = self.allowance.get_or_init(|| allowance);
        allowance.retry_after_seconds.map_or(Ok(()), |seconds| Err(ApiError::rate_limited(seconds)))
    }

    /// Reserves room for the body of the account's request, and its idempotency key, if it has one: to be called as soon
    /// as the account is known. The answer that the request got before, if it is a repetition, is the error.
    pub(super) async fn begin(&self, service: &Arc<Service>, request: &Request, account_id: Uuid) -> poem::Result<()> {
        // Bodies of other requests are not read.
        if request.method() != Method::POST {
            return Ok(());
        }
        self.reserve_body(account_id)?;
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

    fn reserve_body(&self, account_id: Uuid) -> Result<(), ApiError> {
        let reserved = self.budget.reserve(account_id, self.body_bytes);
        let reserved = reserved.ok_or_else(|| ApiError::new(Code::Overloaded, "there is no room for the body"))?;
        self.reserved.get_or_init(|| reserved);
        Ok(())
    }

    async fn reserve(&self, service: &Arc<Service>, request: IdempotentRequest) -> Result<Option<Answer>, ApiError> {
        match idempotency::begin(service, &request).await? {
            Begun::Before(answer) => Ok(Some(answer)),
            Begun::New(held) => {
                self.held.get_or_init(|| held);
                Ok(None)
            }
        }
    }

    /// Keeps the response if it is to be kept, and says in its headers what is left of the limit.
    pub(super) async fn finish(&self, mut response: Response) -> Response {
        if let Some(held) = self.held.get()
            && response.status().is_success()
            && !held.is_settled()
        {
            response = keep(held, response).await;
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

async fn keep(held: &Held, response: Response) -> Response {
    let (parts, body) = response.into_parts();
    let body = match body.into_string().await {
        Ok(body) => body,
        Err(error) => return ApiError::new(Code::InternalError, error).response(),
    };
    let location = parts.headers.get(header::LOCATION).and_then(|location| Some(location.to_str().ok()?.to_owned()));
    held.keep(&Answer { status: parts.status.as_u16(), location, body: body.clone() }).await;
    Response::from_parts(parts, Body::from_string(body))
}

/// A caller whose request is within the limit. It is used as the [`Caller`] that it is.
#[derive(Clone, Debug)]
pub(crate) struct Admitted {
    caller: Caller,
    exchange: Arc<Exchange>,
}

impl Admitted {
    pub(super) fn new(caller: Caller, exchange: Arc<Exchange>) -> Self {
        Self { caller, exchange }
    }

    /// The idempotency key that the request holds, if it has one: for keeping the answer with what is done.
    pub(crate) fn held(&self) -> Option<&Held> {
        self.exchange.held.get()
    }

    /// Reserves the idempotency key, if there is one, once a streamed body is known; gives the answer that the request
    /// got before, if it is a repetition.
    pub(crate) async fn begin_streamed(
        &self,
        service: &Arc<Service>,
        fingerprint: String,
    ) -> Result<Option<Answer>, ApiError> {
        let Some(unread) = self.exchange.streamed.get() else {
            return Ok(None);
        };
        self.exchange.reserve(service, IdempotentRequest { fingerprint, ..unread.clone() }).await
    }
}

impl Deref for Admitted {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// The answer of a request that was carried out before.
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

/// It is no error, but what ends a request before its operation sees it.
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

/// An answer that an operation gives now, or gave to the same request before.
#[derive(Debug)]
pub(crate) enum Once<T> {
    /// Now.
    Now(T),
    /// Before.
    Before(Replay),
}

impl<T> Once<T> {
    pub(super) fn before(answer: Answer) -> Self {
        Self::Before(Replay(answer))
    }
}

impl<T: IntoResponse> IntoResponse for Once<T> {
    fn into_response(self) -> Response {
        match self {
            Self::Now(answer) => answer.into_response(),
            Self::Before(replay) => replay.into_response(),
        }
    }
}

impl<T: ApiResponse> ApiResponse for Once<T> {
    fn meta() -> MetaResponses {
        T::meta()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
