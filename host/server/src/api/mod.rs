//! The REST API. Handlers translate between HTTP and the domain, whose rules are in other modules.

pub(crate) mod admin;
mod annotated;
mod authentication;
mod batches;
mod body;
mod body_budget;
mod console;
mod deliveries;
mod description;
mod documents;
mod drawings;
mod envelope;
mod error;
mod files;
mod jobs;
mod json;
mod keys;
mod models;
mod pages;
mod provider_sign_in;
mod range;
mod request_context;
mod review;
mod security_headers;
mod session;
mod shares;
mod signed_in;
mod specs;
mod submissions;
mod tables;
mod usage;

use std::sync::{Arc, Mutex, PoisonError};

use poem::endpoint::BoxEndpoint;
use poem::http::Method;
use poem::{Endpoint, EndpointExt, Request, Response, Route};
use poem_openapi::registry::MetaPath;
use poem_openapi::{OpenApi, OpenApiService};

pub(crate) use body_budget::BodyBudget;
pub(crate) use description::{Uploads, document};
pub(crate) use envelope::{Clients, Peers};

use crate::api::error::{ApiError, Code};
use crate::domain::service::Service;
use crate::runtime::models::Installed;

/// Paths and methods of operations for browsers. They are hidden from the OpenAPI document.
const FOR_BROWSERS: [(&str, Method); 5] = [
    ("/v1/sign-in/{token}", Method::GET),
    ("/v1/sign-in/{token}", Method::POST),
    ("/v1/sign-in", Method::GET),
    ("/v1/provider-sign-in", Method::GET),
    ("/v1/provider-sign-in/callback", Method::GET),
];

/// Returns all groups of operations.
fn operations() -> impl OpenApi {
    (
        annotated::Annotated,
        batches::Batches,
        deliveries::Deliveries,
        documents::Documents,
        drawings::Drawings,
        files::Files,
        jobs::Jobs,
        keys::Keys,
        models::Models,
        pages::Pages,
        review::Reviews,
        // A tuple has at most 16 groups.
        (session::Sessions, provider_sign_in::ProviderSignIns),
        shares::Shares,
        specs::Specs,
        tables::Tables,
        usage::UsageOperations,
    )
}

/// Returns the paths of all operations. A path that several groups share occurs once for each group.
fn paths() -> Vec<MetaPath> {
    declared_paths(&operations())
}

/// Returns the paths that a group of operations declares. The value only names the type, which cannot be written out.
fn declared_paths<T: OpenApi>(_: &T) -> Vec<MetaPath> {
    T::meta().into_iter().flat_map(|api| api.paths).collect()
}

/// Returns the operations with their OpenAPI description.
fn described_operations() -> OpenApiService<impl OpenApi, ()> {
    OpenApiService::new(operations(), "Fanlight", env!("CARGO_PKG_VERSION"))
}

/// What the envelope needs for every request.
struct EnvelopeContext {
    methods: Methods,
    clients: Clients,
    service: Arc<Service>,
}

/// Returns the whole API as one endpoint.
pub(crate) fn endpoint(service: Arc<Service>, clients: Clients) -> impl Endpoint {
    let mut methods = Methods::from_operations();
    let parts = description::page_parts();
    for path in [description::DOCUMENT, description::PAGE].into_iter().chain(parts.iter().map(|part| part.path)) {
        methods.add(path.to_owned(), vec![Method::GET]);
    }
    for file in console::PARTS.iter().chain([&console::PAGE]) {
        methods.add(file.path.to_owned(), vec![Method::GET]);
    }
    let context = Arc::new(EnvelopeContext { methods, clients, service: service.clone() });
    let document = DocumentEndpoint::new(service.clone());
    let mut routes =
        Route::new().at(description::DOCUMENT, document).at(description::PAGE, description::page_endpoint());
    for part in parts {
        routes = routes.at(part.path, part.endpoint());
    }
    for file in &console::PARTS {
        routes = routes.at(file.path, file.endpoint());
    }
    let page = Arc::new(console::PAGE.endpoint());
    // All operations are nested below `/`, so no route of its own would be found there.
    let operations = described_operations().around(move |operations, request: Request| {
        let page = page.clone();
        async move {
            if request.uri().path() == console::PAGE.path {
                return page.call(request).await;
            }
            operations.call(request).await
        }
    });
    let routes = routes.nest("/", operations);
    routes.data(service).around(move |routes, request| {
        let context = context.clone();
        async move {
            let EnvelopeContext { methods, clients, service } = &*context;
            Ok(envelope::answer(&routes, clients, methods, &service.metrics, request).await)
        }
    })
}

/// Serves the OpenAPI document once all installed models have described themselves, and anew when others are installed.
struct DocumentEndpoint {
    service: Arc<Service>,
    made: Mutex<Option<MadeDocument>>,
}

/// The document as it was made for these versions of models.
struct MadeDocument {
    model_versions: Vec<String>,
    endpoint: Arc<BoxEndpoint<'static>>,
}

impl DocumentEndpoint {
    fn new(service: Arc<Service>) -> Self {
        Self { service, made: Mutex::default() }
    }

    /// Returns the endpoint that serves the document of the models that are installed now.
    fn current(&self) -> Arc<BoxEndpoint<'static>> {
        let models: Vec<Arc<Installed>> = self.service.models.iter().collect();
        let model_versions = models.iter().map(|installed| installed.description().model_version()).collect();
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.as_ref().filter(|known| known.model_versions == model_versions) {
            return known.endpoint.clone();
        }
        let mut document = document(&self.service.base_url, Uploads::Typed);
        description::add_models(&mut document, models.iter().map(|installed| installed.description()));
        let endpoint = Arc::new(description::document_endpoint(&document).map_to_response().boxed());
        *made = Some(MadeDocument { model_versions, endpoint: endpoint.clone() });
        endpoint
    }
}

impl Endpoint for DocumentEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        if !self.service.models.all_described().await {
            return Err(ApiError::new(Code::Overloaded, "the models are still being compiled").into());
        }
        self.current().call(request).await
    }
}

/// The methods of each path, for the header `Allow` and for metrics by route.
#[derive(Debug, Default)]
struct Methods(Vec<PathMethods>);

/// The methods of one path.
#[derive(Debug)]
struct PathMethods {
    /// The path with its parameters in braces.
    pattern: String,
    /// The path's segments; `None` for a parameter.
    segments: Vec<Option<String>>,
    methods: Vec<Method>,
}

impl Methods {
    /// Collects the methods of all operations, hidden ones included.
    fn from_operations() -> Self {
        let mut methods = Self::default();
        for path in paths() {
            let own = path.operations.into_iter().map(|operation| operation.method).collect();
            methods.add(path.path, own);
        }
        for (path, method) in FOR_BROWSERS {
            methods.add(path.to_owned(), vec![method]);
        }
        methods
    }

    /// Adds methods to a path.
    fn add(&mut self, pattern: String, methods: Vec<Method>) {
        if let Some(known) = self.0.iter_mut().find(|known| known.pattern == pattern) {
            known.methods.extend(methods);
            return;
        }
        let segments = pattern.split('/').map(|part| (!part.starts_with('{')).then(|| part.to_owned())).collect();
        self.0.push(PathMethods { pattern, segments, methods });
    }

    fn find(&self, path: &str) -> Option<&PathMethods> {
        let segments: Vec<&str> = path.split('/').collect();
        self.0.iter().find(|known| known.matches(&segments))
    }

    /// Returns the pattern that a path matches.
    fn route(&self, path: &str) -> Option<&str> {
        self.find(path).map(|known| known.pattern.as_str())
    }

    /// Returns the value of the header `Allow` for a path. HEAD is allowed wherever GET is.
    fn allowed(&self, path: &str) -> String {
        let mut names: Vec<&str> = Vec::new();
        for method in self.find(path).map(|known| known.methods.as_slice()).unwrap_or_default() {
            names.push(method.as_str());
            if method == Method::GET {
                names.push("HEAD");
            }
        }
        names.join(", ")
    }
}

impl PathMethods {
    fn matches(&self, path: &[&str]) -> bool {
        let same_length = self.segments.len() == path.len();
        same_length && self.segments.iter().zip(path).all(|(own, other)| own.as_deref().is_none_or(|own| own == *other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_the_methods_of_its_operations() {
        let methods = Methods::from_operations();
        let cases = [
            ("/v1/documents", "POST, GET, HEAD"),
            ("/v1/documents/0", "GET, HEAD, DELETE"),
            ("/v1/jobs", "GET, HEAD"),
            ("/v1/documents/0/pages/1.png", "GET, HEAD"),
            ("/v1/jobs/0", "GET, HEAD, DELETE"),
            ("/v1/jobs/0/deliveries", "GET, HEAD, POST"),
            ("/v1/jobs/0/review", "GET, HEAD, PUT"),
            ("/v1/jobs/0/more", ""),
            ("/v1/keys", "POST, GET, HEAD"),
            ("/v1/sign-in/0", "GET, HEAD, POST"),
            ("/v1/sign-in", "GET, HEAD"),
            ("/v1", ""),
        ];
        for (path, expected) in cases {
            assert_eq!(methods.allowed(path), expected, "{path}");
        }
    }
}
