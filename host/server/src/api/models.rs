//! `/v1/models`

use std::sync::Arc;

use fanlight_inference::Processor;
use fanlight_sandbox::Granularity;
use poem::web::Data;
use poem_openapi::param::Path;
use poem_openapi::payload::Json;
use poem_openapi::{Enum, Object, OpenApi};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, RateLimited};
use crate::api::error::{ApiError, Code};
use crate::api::json::JsonBody;
use crate::api::submissions::{self, Accepted};
use crate::configuration::Unit;
use crate::domain::cards::ModelCards;
use crate::domain::catalog::{self, CONTENT_EXTRACTOR};
use crate::domain::service::Service;
use crate::domain::submission::{self, UncheckedSubmission};
use crate::runtime::models::{Installed, InstalledVersion, VersionState};
use crate::views::values::{JsonObject, Nullable, Text};

/// Operations on models.
pub(super) struct Models;

/// A model: one of the service's own, installed or not, or an installed one of a third party.
#[derive(Debug, Object)]
#[oai(rename = "Model")]
struct ModelObject {
    /// Name of the model.
    name: String,
    /// Whether the model accepts jobs.
    installed: bool,
    /// Whether the model is still being compiled. Its jobs are accepted and wait. Fields that the model itself provides
    /// are null until it has described itself.
    compiling: bool,
    /// Semantic version; null if the model is not installed.
    version: Nullable<String>,
    /// Description in one sentence; null if the model is not installed.
    description: Nullable<String>,
    /// How a job is divided to run in parallel; null if the model is not installed.
    granularity: Nullable<ShardUnit>,
    /// JSON Schema of `parameters` in a submission; null if the model is not installed.
    parameters: Nullable<JsonObject>,
    /// JSON Schema of a job's `result`, without the `document_id`, `model_version` and `processing_time_ms` that the
    /// service adds; null if the model is not installed.
    result: Nullable<JsonObject>,
    /// Credits charged per unit `credits_per`.
    credits: u32,
    /// Unit that credits are charged for.
    credits_per: CreditUnit,
    /// Path that jobs of the model are submitted to.
    submit_path: String,
    /// Installed versions, newest first. Jobs run on the newest one, unless they are submitted to
    /// `/v1/models/NAME@VERSION/jobs`.
    #[oai(default)]
    versions: Vec<ModelVersion>,
}

/// An installed version of a model.
#[derive(Debug, Object)]
struct ModelVersion {
    /// Semantic version.
    version: String,
    /// Publisher whose signature was checked, as the operator calls it; null if the package is not signed by one that
    /// the operator trusts.
    publisher: Nullable<String>,
    /// What it asks for and is granted beyond the document: `ocr`, `language`, `nn:NAME` for a network.
    permissions: Vec<String>,
    /// Whether it can be run.
    state: ModelState,
}

/// Whether a version can be run.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "ModelState", rename_all = "snake_case")]
enum ModelState {
    /// It is being compiled. Its jobs are accepted and wait.
    Compiling,
    /// It runs jobs.
    Ready,
    /// It cannot be used. The operator's log says why.
    Refused,
    /// It keeps failing. It is tried again after a pause. Until then its jobs wait, and new ones are refused.
    SetAside,
}

impl ModelVersion {
    /// Describes a version of the model of this name.
    fn new(name: &str, installed: InstalledVersion, service: &Service) -> Self {
        let known = service.models.get(&format!("{name}@{}", installed.version));
        let is_set_aside =
            known.is_some_and(|known| service.breakers.is_set_aside(&known.description().model_version()));
        Self {
            version: installed.version,
            publisher: Nullable(installed.publisher),
            permissions: installed.permissions,
            state: match installed.state {
                VersionState::Compiling => ModelState::Compiling,
                VersionState::Ready if is_set_aside => ModelState::SetAside,
                VersionState::Ready => ModelState::Ready,
                VersionState::Refused => ModelState::Refused,
            },
        }
    }
}

/// What a model and its networks say of themselves, in Markdown.
#[derive(Debug, Object)]
struct ModelCard {
    /// The model's own card; null if its package has none.
    card: Nullable<String>,
    /// The networks that the model may run.
    networks: Vec<NetworkCard>,
}

/// What a network's makers say of it, in Markdown.
#[derive(Debug, Object)]
struct NetworkCard {
    /// Name of the network.
    name: String,
    /// Its card; null if there is none, as for a network that a package carries.
    card: Nullable<String>,
}

impl From<ModelCards> for ModelCard {
    fn from(cards: ModelCards) -> Self {
        let networks = cards.networks.into_iter().map(|(name, card)| NetworkCard { name, card: Nullable(card) });
        Self { card: Nullable(cards.own), networks: networks.collect() }
    }
}

/// How a job is divided to run in parallel.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "Granularity", rename_all = "lowercase")]
enum ShardUnit {
    /// All pages together.
    Document,
    /// Runs of consecutive pages.
    Page,
}

/// Unit that credits are charged for.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "CreditUnit", rename_all = "lowercase")]
enum CreditUnit {
    /// Each job.
    Job,
    /// Each billed page.
    Page,
}

impl From<Granularity> for ShardUnit {
    fn from(granularity: Granularity) -> Self {
        match granularity {
            Granularity::Document => Self::Document,
            Granularity::Page => Self::Page,
        }
    }
}

impl From<Unit> for CreditUnit {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Job => Self::Job,
            Unit::Page => Self::Page,
        }
    }
}

/// Returns the name in `NAME` or `NAME@VERSION`.
fn base_name(model: &str) -> &str {
    model.split_once('@').map_or(model, |(name, _)| name)
}

/// Returns a schema as an object.
fn schema_object(schema: &Value) -> JsonObject {
    JsonObject(schema.as_object().cloned().unwrap_or_default())
}

impl ModelObject {
    /// Describes the model of this name, which the service knows.
    fn new(name: &str, service: &Service) -> Self {
        let known = service.models.get(name);
        let description = known.as_deref().map(Installed::description);
        let compiling = service.models.is_compiling(name);
        let price = service.prices.price(base_name(name));
        let versions = service.models.versions_of(base_name(name)).into_iter();

        Self {
            name: base_name(name).to_owned(),
            installed: description.is_some() || compiling,
            compiling,
            version: Nullable(description.map(|description| description.version.clone())),
            description: Nullable(description.map(|description| description.summary.clone())),
            granularity: Nullable(description.map(|description| description.granularity.into())),
            parameters: Nullable(description.map(|description| schema_object(&description.parameters))),
            result: Nullable(description.map(|description| schema_object(&description.result))),
            credits: price.credits,
            credits_per: price.per.into(),
            submit_path: catalog::endpoint(name).map_or_else(|| format!("/v1/models/{name}/jobs"), str::to_owned),
            versions: versions.map(|installed| ModelVersion::new(base_name(name), installed, service)).collect(),
        }
    }
}

/// Hardware that a server runs neural networks on.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "Processor", rename_all = "lowercase")]
enum ProcessorName {
    /// The CPU.
    Cpu,
    /// A GPU.
    Gpu,
}

/// How the answering server runs the models' neural networks.
#[derive(Debug, Object)]
struct Inference {
    /// Preferred hardware. A network that it cannot run uses the CPU.
    processor: ProcessorName,
    /// Name of the GPU; null if none is used.
    adapter: Nullable<String>,
}

impl From<&Processor> for Inference {
    fn from(processor: &Processor) -> Self {
        match processor {
            Processor::Cpu => Self { processor: ProcessorName::Cpu, adapter: Nullable(None) },
            Processor::Gpu(adapter) => Self { processor: ProcessorName::Gpu, adapter: Nullable(Some(adapter.clone())) },
        }
    }
}

/// All models.
#[derive(Debug, Object)]
struct ModelList {
    /// Models, sorted by name.
    models: Vec<ModelObject>,
    /// Always null: the list has one page.
    next_cursor: Nullable<String>,
    /// How this server runs the models' neural networks.
    inference: Inference,
}

/// Submission to any model.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ModelJobRequest {
    /// Uploaded document.
    document_id: Uuid,
    /// 1-based page numbers; all pages if absent. Pages that the document does not have are skipped, but billed.
    #[oai(nullable, validator(min_items = 1, max_items = 10_000))]
    page_numbers: Option<Vec<i64>>,
    /// Parameters of the model, checked against the model's own schema.
    #[oai(nullable)]
    parameters: Option<JsonObject>,
    /// Address to post the finished job to; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run the job even if the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl ModelJobRequest {
    fn unchecked(self, model: String) -> UncheckedSubmission {
        UncheckedSubmission {
            model,
            document: self.document_id,
            pages: self.page_numbers.as_deref().map(submission::pages),
            parameters: Value::Object(self.parameters.map_or_else(Map::new, |parameters| parameters.0)),
            webhook_url: self.webhook_url.map(|url| url.0),
            reuse: !self.no_cache,
        }
    }
}

#[OpenApi]
impl Models {
    /// List the service's own models, installed or not, and the installed models of third parties
    #[oai(path = "/v1/models", method = "get", operation_id = "list_models")]
    #[expect(clippy::unused_async, reason = "an operation is an async function")]
    async fn list(&self, service: Data<&Arc<Service>>, _caller: Authenticated) -> Json<ModelList> {
        let own = catalog::OWN.iter().map(|own| own.name);
        let ready: Vec<Arc<Installed>> = service.models.iter().collect();
        let compiling = service.models.compiling();
        let installed = ready.iter().map(|installed| installed.description().name.as_str());
        let mut names: Vec<&str> = own.chain(installed).chain(compiling.iter().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        let models = names.into_iter().map(|name| ModelObject::new(name, &service)).collect();
        Json(ModelList { models, next_cursor: Nullable(None), inference: Inference::from(&service.processor) })
    }

    /// Get a model
    #[oai(path = "/v1/models/:name", method = "get", operation_id = "get_model")]
    #[expect(clippy::unused_async, reason = "an operation is an async function")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        _caller: Authenticated,
        name: Path<String>,
    ) -> Result<Json<ModelObject>, ApiError> {
        if catalog::endpoint(&name).is_none()
            && service.models.get(&name).is_none()
            && !service.models.is_compiling(&name)
        {
            return Err(ApiError::new(Code::NotFound, format!("there is no model {:?}", name.0)));
        }
        Ok(Json(ModelObject::new(&name, &service)))
    }

    /// Get what a model and its networks are made for, how well they do it, and what they miss
    #[oai(path = "/v1/models/:name/card", method = "get", operation_id = "get_model_card")]
    async fn card(
        &self,
        service: Data<&Arc<Service>>,
        _caller: Authenticated,
        name: Path<String>,
    ) -> Result<Json<ModelCard>, ApiError> {
        match service.models.version_of(&name) {
            Some(InstalledVersion { folder, permissions, .. }) => {
                let cards = service.cards.read(&folder, &permissions).await;
                let cards = cards.map_err(|error| ApiError::new(Code::InternalError, error))?;
                Ok(Json(cards.into()))
            }
            None if catalog::endpoint(&name).is_some() => Ok(Json(ModelCards::default().into())),
            None => Err(ApiError::new(Code::NotFound, format!("there is no model {:?}", name.0))),
        }
    }

    /// Submit a job to any installed model
    ///
    /// Jobs of content-extractor are submitted to `/v1/specs/content-extract` only.
    #[oai(path = "/v1/models/:name/jobs", method = "post", operation_id = "submit_model_job")]
    async fn submit(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        name: Path<String>,
        request: JsonBody<ModelJobRequest>,
    ) -> Result<Accepted, ApiError> {
        if base_name(&name) == CONTENT_EXTRACTOR {
            return Err(ApiError::new(Code::ValidationError, "content-extractor jobs need a complete toc-parser job"));
        }
        submissions::accept(&service, &caller, request.0.unchecked(name.0)).await
    }
}
