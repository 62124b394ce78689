//! `/v1/drawings`

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde_json::json;
use uuid::Uuid;

use crate::api::authentication::Limited;
use crate::api::error::ApiError;
use crate::api::json::JsonBody;
use crate::api::submissions::{self, Accepted, PagesRequest};
use crate::api::values::Text;
use crate::catalog;
use crate::service::Service;
use crate::submission::Wanted;

/// Operations on drawings.
pub(super) struct Drawings;

/// What to classify.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ClassifyRequest {
    /// An uploaded document.
    document_id: Uuid,
    /// Where to post the finished job; not on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run it even where the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl ClassifyRequest {
    fn wanted(self) -> Wanted {
        Wanted {
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
    /// Find doors: 2 credits a page
    #[oai(path = "/v1/drawings/detection/doors", method = "post", operation_id = "detect_doors")]
    async fn doors(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted(catalog::DOOR_DETECTOR)).await
    }

    /// Find toilets and plumbing fixtures: 3 credits a page
    #[oai(path = "/v1/drawings/detection/toilets", method = "post", operation_id = "detect_toilets")]
    async fn toilets(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted(catalog::TOILET_DETECTOR)).await
    }

    /// Find interior elevations: 2 credits a page
    #[oai(path = "/v1/drawings/detection/elevation", method = "post", operation_id = "detect_elevations")]
    async fn elevations(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted(catalog::ELEVATION_DETECTOR)).await
    }

    /// Find plumbing fixtures by kind: 3 credits a page
    #[oai(path = "/v1/drawings/detection/fixtures", method = "post", operation_id = "detect_fixtures")]
    async fn fixtures(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted(catalog::FIXTURE_DETECTOR)).await
    }

    /// Find rooms: 2 credits a page
    #[oai(path = "/v1/drawings/detection/rooms", method = "post", operation_id = "detect_rooms")]
    async fn rooms(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted(catalog::ROOM_DETECTOR)).await
    }

    /// Read schedules as tables: 1 credit
    #[oai(path = "/v1/drawings/schedules", method = "post", operation_id = "extract_schedules")]
    async fn schedules(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<PagesRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted(catalog::SCHEDULE_EXTRACTOR)).await
    }

    /// Tell what each sheet is: 1 credit
    #[oai(path = "/v1/drawings/classify", method = "post", operation_id = "classify_drawings")]
    async fn classify(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: JsonBody<ClassifyRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept(&service, &caller, request.0.wanted()).await
    }
}
