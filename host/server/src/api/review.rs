//! `/v1/jobs/{job_id}/review` and `/v1/jobs/{job_id}/result`

use std::sync::Arc;

use fanlight_store::Review;
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Header, Path, Query};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, OpenApi};
use uuid::Uuid;

use crate::api::authentication::Authenticated;
use crate::api::error::{ApiError, Code};
use crate::api::jobs::complete_job;
use crate::api::json::JsonBody;
use crate::domain::service::Service;
use crate::domain::{job, review};
use crate::views::review::{Changes, ReviewObject};
use crate::views::values::ResultSchema;

/// Operations on what people say of a result.
pub(super) struct Reviews;

#[derive(ApiResponse)]
enum ReviewAnswer {
    /// The review.
    #[oai(status = 200)]
    Stored(Json<ReviewObject>, #[oai(header = "ETag")] String),
}

impl ReviewAnswer {
    fn new(review: ReviewObject) -> Self {
        let tag = format!("\"{}\"", review.version());
        Self::Stored(Json(review), tag)
    }

    fn stored(review: Review) -> Result<Self, ApiError> {
        let changes = serde_json::from_str(&review.changes);
        let changes: Changes = changes.map_err(|error| ApiError::new(Code::InternalError, error))?;
        Ok(Self::new(ReviewObject::new(review, changes)))
    }
}

#[OpenApi]
impl Reviews {
    /// Get the review of a complete job's result
    ///
    /// Version 0 without items means that nobody has reviewed it.
    #[oai(path = "/v1/jobs/:job_id/review", method = "get", operation_id = "get_review")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
    ) -> Result<ReviewAnswer, ApiError> {
        complete_job(&service, caller.0.account_id, job_id.0).await?;
        match service.store.review(caller.0.account_id, job_id.0).await? {
            Some(review) => ReviewAnswer::stored(review),
            None => Ok(ReviewAnswer::new(ReviewObject::none(job_id.0))),
        }
    }

    /// Replace the review of a complete job's result
    ///
    /// The result itself does not change. To replace a review that is there, name the version that you have read in
    /// `If-Match`; if somebody else has written it since, nothing is stored.
    #[oai(path = "/v1/jobs/:job_id/review", method = "put", operation_id = "put_review")]
    async fn put(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        /// `ETag` of the review that is replaced; absent or `"0"` for the first one.
        #[oai(name = "If-Match")]
        if_match: Header<Option<String>>,
        body: JsonBody<Changes>,
    ) -> Result<ReviewAnswer, ApiError> {
        let expected = expected_version(if_match.0.as_deref())?;
        let mut job = complete_job(&service, caller.0.account_id, job_id.0).await?;
        let result = job::take_result(&service, &mut job).await?.unwrap_or_default();
        review::check(&service, &job, &result, &body.0).await?;
        let changes = serde_json::to_string(&body.0).map_err(|error| ApiError::new(Code::InternalError, error))?;
        let written = service.store.put_review(&caller.0, job_id.0, expected, &changes).await?;
        ReviewAnswer::stored(written)
    }

    /// Get the result of a complete job, as the model gave it or as reviewed
    ///
    /// In the reviewed result, rejected items are left out, corrected ones are corrected, and each item that a person
    /// has looked at has a field `review`: `accepted`, `corrected` or `added`.
    #[oai(path = "/v1/jobs/:job_id/result", method = "get", operation_id = "get_result")]
    async fn result(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        job_id: Path<Uuid>,
        /// Whether the review is applied.
        #[oai(default)]
        reviewed: Query<bool>,
    ) -> Result<ResultText, ApiError> {
        let mut job = complete_job(&service, caller.0.account_id, job_id.0).await?;
        let result = job::take_result(&service, &mut job).await?.unwrap_or_default();
        let result = if reviewed.0 { review::reviewed(&service, &job, result).await? } else { result };
        Ok(ResultText(result))
    }
}

/// Reads the version in `If-Match`. `None` means that there must be no review yet.
fn expected_version(header: Option<&str>) -> Result<Option<u64>, ApiError> {
    let Some(header) = header else { return Ok(None) };
    let version = header.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).and_then(|v| v.parse().ok());
    match version {
        Some(0) => Ok(None),
        Some(version) => Ok(Some(version)),
        // A tag that no review has: what was read is not what is there.
        None => Err(ApiError::new(Code::ReviewChanged, "If-Match is not the ETag of a review")),
    }
}

/// A result's JSON text.
pub(super) struct ResultText(pub(super) String);

impl IntoResponse for ResultText {
    fn into_response(self) -> Response {
        Response::builder().content_type(Json::<ResultSchema>::CONTENT_TYPE).body(self.0)
    }
}

impl ApiResponse for ResultText {
    fn meta() -> MetaResponses {
        Json::<ResultSchema>::meta()
    }

    fn register(registry: &mut Registry) {
        <Json<ResultSchema> as ApiResponse>::register(registry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_version_is_a_quoted_number() {
        for (header, expected) in [(None, None), (Some("\"0\""), None), (Some("\"3\""), Some(3))] {
            assert_eq!(expected_version(header).unwrap(), expected, "{header:?}");
        }
        for header in ["3", "*", "W/\"3\"", "\"-1\"", "\"x\"", ""] {
            assert_eq!(expected_version(Some(header)).unwrap_err().code(), Code::ReviewChanged, "{header}");
        }
    }
}
