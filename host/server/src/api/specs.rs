//! `/v1/specs`

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::payload::Json;
use poem_openapi::{Object, OpenApi};
use serde_json::json;
use uuid::Uuid;

use crate::api::authentication::Limited;
use crate::api::error::ApiError;
use crate::api::jobs::Accepted;
use crate::service::Service;
use crate::submission::{self, Wanted};

/// Operations on specifications.
pub(super) struct Specs;

/// What to parse.
#[derive(Debug, Object)]
struct ParseSpecByDocumentRequest {
    /// An uploaded document.
    document_id: Uuid,
    /// Where to post the finished job; not on the free tier.
    webhook_url: Option<String>,
    /// Run it even where the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

#[OpenApi]
impl Specs {
    /// Read the table of contents of a specification
    #[oai(path = "/v1/specs/parse/document", method = "post", operation_id = "parse_spec_document")]
    async fn parse_document(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        request: Json<ParseSpecByDocumentRequest>,
    ) -> Result<Accepted, ApiError> {
        let wanted = Wanted {
            model: "toc-parser",
            document: request.document_id,
            pages: None,
            parameters: json!({}),
            webhook_url: request.0.webhook_url,
            reuse: !request.0.no_cache,
        };
        let queued = submission::submit(&service, &caller.0, wanted).await?;
        Ok(Accepted::with_estimate(&queued))
    }
}
