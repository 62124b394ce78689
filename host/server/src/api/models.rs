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

use crate::api::authentication::{Authenticated, Limited};
use crate::api::error::{ApiError, Code};
use crate::api::json::JsonBody;
use crate::api::submissions::{self, Accepted};
use crate::api::values::{JsonObject, Nullable, Text};
use crate::catalog::{self, CONTENT_EXTRACTOR};
use crate::models::Installed;
use crate::price::Unit;
use crate::service::Service;
use crate::submission::{self, Wanted};

/// Operations on models.
pub(super) struct Models;

/// A model: one of the service's own, installed or not, or a third party's that is installed.
#[derive(Debug, Object)]
#[oai(rename = "Model")]
struct ModelObject {
    /// Its name.
    name: String,
    /// Whether jobs can be submitted to it.
    installed: bool,
    /// Whether it is still being compiled: its jobs are taken, and wait. Until it has said what it is, the fields that
    /// it fills are null.
    compiling: bool,
    /// Semantic version; null where it is not installed.
    version: Nullable<String>,
    /// One sentence for people; null where it is not installed.
    description: Nullable<String>,
    /// How a job may be cut up to run in parallel; null where it is not installed.
    granularity: Nullable<Cut>,
    /// JSON Schema of `parameters` in a submission; null where it is not installed.
    parameters: Nullable<JsonObject>,
    /// JSON Schema of a job's `result`, which has `document_id`, `model_version` and `processing_time_ms` besides; null
    /// where it is not installed.
    result: Nullable<JsonObject>,
    /// What is charged in credits for each `credits_per`.
    credits: u32,
    /// What `credits` are charged for.
    credits_per: Charged,
    /// The path that its jobs are submitted through.
    submit_path: String,
}

/// How a job may be cut up.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "Granularity", rename_all = "lowercase")]
enum Cut {
    /// All pages in one piece.
    Document,
    /// Runs of pages.
    Page,
}

/// What credits are charged for.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "CreditUnit", rename_all = "lowercase")]
enum Charged {
    /// The job.
    Job,
    /// Each page billed.
    Page,
}

impl ModelObject {
    fn of(name: &str, service: &Service) -> Self {
        let known = service.models.get(name);
        let description = known.as_deref().map(Installed::description);
        let compiling = service.models.is_compiling(name);
        let price = service.prices.of(name);
        let object = |schema: &Value| JsonObject(schema.as_object().cloned().unwrap_or_default());
        Self {
            name: name.to_owned(),
            installed: description.is_some() || compiling,
            compiling,
            version: Nullable(description.map(|description| description.version.clone())),
            description: Nullable(description.map(|description| description.summary.clone())),
            granularity: Nullable(description.map(|description| match description.granularity {
                Granularity::Document => Cut::Document,
                Granularity::Page => Cut::Page,
            })),
            parameters: Nullable(description.map(|description| object(&description.parameters))),
            result: Nullable(description.map(|description| object(&description.result))),
            credits: price.credits,
            credits_per: match price.per {
                Unit::Job => Charged::Job,
                Unit::Page => Charged::Page,
            },
            submit_path: catalog::endpoint(name).map_or_else(|| format!("/v1/models/{name}/jobs"), str::to_owned),
        }
    }
}

/// What a server runs the networks of models on.
#[derive(Clone, Copy, Debug, Enum)]
#[oai(rename = "Processor", rename_all = "lowercase")]
enum Runs {
    /// The CPU.
    Cpu,
    /// A GPU.
    Gpu,
}

/// How the server that answers runs the networks of models.
#[derive(Debug, Object)]
struct Inference {
    /// What it runs them on, where that can.
    processor: Runs,
    /// The GPU's name; null where there is none.
    adapter: Nullable<String>,
}

impl From<&Processor> for Inference {
    fn from(processor: &Processor) -> Self {
        match processor {
            Processor::Cpu => Self { processor: Runs::Cpu, adapter: Nullable(None) },
            Processor::Gpu(adapter) => Self { processor: Runs::Gpu, adapter: Nullable(Some(adapter.clone())) },
        }
    }
}

/// All models.
#[derive(Debug, Object)]
struct ModelList {
    /// The models by name.
    models: Vec<ModelObject>,
    /// Always null: all of them are one page.
    next_cursor: Nullable<String>,
    /// How this server runs the networks of models.
    inference: Inference,
}

/// A submission to any model.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ModelJobRequest {
    /// An uploaded document.
    document_id: Uuid,
    /// Pages, 1-based; all, where absent. Those that the document doesn't have are skipped, and billed.
    #[oai(nullable, validator(min_items = 1, max_items = 10_000))]
    page_numbers: Option<Vec<i64>>,
    /// What the model's own schema has.
    #[oai(nullable)]
    parameters: Option<JsonObject>,
    /// Where to post the finished job; not on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run it even where the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl ModelJobRequest {
    fn wanted(self, model: String) -> Wanted {
        Wanted {
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
    /// List the models: the service's own, installed or not, and third parties' that are installed
    #[oai(path = "/v1/models", method = "get", operation_id = "list_models")]
    #[expect(clippy::unused_async, reason = "an operation is an async function")]
    async fn list(&self, service: Data<&Arc<Service>>, _caller: Authenticated) -> Json<ModelList> {
        let own = catalog::OWN.iter().map(|(name, _)| *name);
        let ready: Vec<Arc<Installed>> = service.models.iter().collect();
        let installed = ready.iter().map(|installed| installed.description().name.as_str());
        let mut names: Vec<&str> = own.chain(installed).chain(service.models.compiling()).collect();
        names.sort_unstable();
        names.dedup();
        let models = names.into_iter().map(|name| ModelObject::of(name, &service)).collect();
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
        Ok(Json(ModelObject::of(&name, &service)))
    }

    /// Submit a job to any installed model
    ///
    /// Those of content-extractor are submitted through `/v1/specs/content-extract` alone.
    #[oai(path = "/v1/models/:name/jobs", method = "post", operation_id = "submit_model_job")]
    async fn submit(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        name: Path<String>,
        request: JsonBody<ModelJobRequest>,
    ) -> Result<Accepted, ApiError> {
        if name.0 == CONTENT_EXTRACTOR {
            return Err(ApiError::new(Code::ValidationError, "its jobs are of a finished table of contents"));
        }
        submissions::accept(&service, &caller, request.0.wanted(name.0)).await
    }
}
