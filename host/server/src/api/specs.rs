//! `/v1/specs`

use std::sync::Arc;

use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde_json::json;
use uuid::Uuid;

use crate::api::authentication::RateLimited;
use crate::api::error::ApiError;
use crate::api::json::JsonBody;
use crate::api::submissions::{self, Accepted};
use crate::domain::catalog;
use crate::domain::extraction::SectionsRequest;
use crate::domain::service::Service;
use crate::domain::submission::UncheckedSubmission;
use crate::views::values::{Text, plain_strings};

/// Operations on specifications.
pub(super) struct Specs;

/// Submission of a specification to parse.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ParseSpecByDocumentRequest {
    /// Uploaded document.
    document_id: Uuid,
    /// Address to post the finished job to; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run the job even if the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl ParseSpecByDocumentRequest {
    fn unchecked(self) -> UncheckedSubmission {
        UncheckedSubmission {
            model: catalog::TOC_PARSER.to_owned(),
            document: self.document_id,
            pages: None,
            parameters: json!({}),
            webhook_url: self.webhook_url.map(|url| url.0),
            reuse: !self.no_cache,
        }
    }
}

/// Submission of sections to extract.
#[derive(Debug, Object)]
#[oai(deny_unknown_fields)]
struct ContentExtractRequest {
    /// Complete toc-parser job.
    job_id: Uuid,
    /// Section codes of six digits, grouped in any way (`08 11 13`).
    #[oai(nullable, validator(max_items = 1000))]
    section_codes: Option<Vec<Text>>,
    /// Division codes (`8`, `08`); each stands for all sections of the division.
    #[oai(nullable, validator(max_items = 100))]
    division_codes: Option<Vec<Text>>,
    /// Address to post the finished job to; ignored on the free tier.
    #[oai(nullable)]
    webhook_url: Option<Text>,
    /// Run the job even if the result of an equal submission is stored.
    #[oai(default)]
    no_cache: bool,
}

impl ContentExtractRequest {
    fn unchecked(self) -> SectionsRequest {
        SectionsRequest {
            source: self.job_id,
            section_codes: plain_strings(self.section_codes),
            division_codes: plain_strings(self.division_codes),
            webhook_url: self.webhook_url.map(|url| url.0),
            reuse: !self.no_cache,
        }
    }
}

#[OpenApi]
impl Specs {
    /// Extract the table of contents of a specification (1 credit)
    #[oai(path = "/v1/specs/parse/document", method = "post", operation_id = "parse_spec_document")]
    async fn parse_document(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<ParseSpecByDocumentRequest>,
    ) -> Result<Accepted, ApiError> {
        submissions::accept_with_estimate(&service, &caller, request.0.unchecked()).await
    }

    /// Extract sections of a parsed specification (1 credit)
    #[oai(path = "/v1/specs/content-extract", method = "post", operation_id = "extract_spec_content")]
    async fn extract_content(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        request: JsonBody<ContentExtractRequest>,
    ) -> Result<Accepted, ApiError> {
        let unchecked = request.0.unchecked().resolve(&service, &caller.0).await?;
        submissions::accept(&service, &caller, unchecked).await
    }
}
