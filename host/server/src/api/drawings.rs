//! `/v1/drawings`

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde_json::json;
use uuid::Uuid;

use crate::api::authentication::RateLimited;
use crate::api::error::ApiError;
use crate::api::json::JsonBody;
use crate::api::submissions::{self, Accepted, PagesRequest};
use crate::domain::catalog;
use crate::domain::service::Service;
use crate::domain::submission::UncheckedSubmission;
use crate::views::values::Text;

/// Operations on drawings.
pub(super) struct Drawings;

/// Submission of a document to classify.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ClassifyRequest {
    /// Uploaded document.
    document_id: Uuid,
    /// Address to post the finished job to; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run the job even if the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl ClassifyRequest {
    fn unchecked(self) -> UncheckedSubmission {
        UncheckedSubmission {
            model: catalog::DRAWING_CLASSIFIER.to_owned(),
            document: self.document_id,
            pages: None,
            parameters: json!({}),
            webhook_url: self.webhook_url.map(|url| url.0),
            reuse: !self.no_cache,
        }
    }
}

#[OpenApi]
impl Drawings {
    /// Detect doors (2 credits per page)
    #[oai(path = "/v1/drawings/detection/doors", method = "post", operation_id = "detect_doors")]
    async fn doors(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked(catalog::DOOR_DETECTOR)).await
    }

    /// Detect toilets and plumbing fixtures (3 credits per page)
    #[oai(path = "/v1/drawings/detection/toilets", method = "post", operation_id = "detect_toilets")]
    async fn toilets(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked(catalog::TOILET_DETECTOR)).await
    }

    /// Detect interior elevations (2 credits per page)
    #[oai(path = "/v1/drawings/detection/elevation", method = "post", operation_id = "detect_elevations")]
    async fn elevations(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked(catalog::ELEVATION_DETECTOR)).await
    }

    /// Detect plumbing fixtures by kind (3 credits per page)
    #[oai(path = "/v1/drawings/detection/fixtures", method = "post", operation_id = "detect_fixtures")]
    async fn fixtures(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked(catalog::FIXTURE_DETECTOR)).await
    }

    /// Detect rooms (2 credits per page)
    #[oai(path = "/v1/drawings/detection/rooms", method = "post", operation_id = "detect_rooms")]
    async fn rooms(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked(catalog::ROOM_DETECTOR)).await
    }

    /// Extract schedules as tables (1 credit)
    #[oai(path = "/v1/drawings/schedules", method = "post", operation_id = "extract_schedules")]
    async fn schedules(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked(catalog::SCHEDULE_EXTRACTOR)).await
    }

    /// Classify each sheet of a document (1 credit)
    #[oai(path = "/v1/drawings/classify", method = "post", operation_id = "classify_drawings")]
    async fn classify(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<ClassifyRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.unchecked()).await
    }
}
