//! `/v1/jobs/{job_id}/annotated.pdf`

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt, stream};
use poem::Body;
use poem::http::header::CONTENT_LENGTH;
use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use uuid::Uuid;

use crate::api::authentication::RateLimited;
use crate::api::error::{ApiError, Code};
use crate::api::files::{File, private_file};
use crate::api::jobs::complete_job;
use crate::domain::annotations;
use crate::domain::inspection;
use crate::domain::job;
use crate::domain::review;
use crate::domain::service::Service;

/// Operations that draw results into their documents.
pub(super) struct Annotated;

#[OpenApi]
impl Annotated {
    /// Get a complete job's document with its result drawn in as annotations
    ///
    /// Each item of the result with a page and a box becomes an annotation with a title, a text and the colour of its
    /// kind. The result is drawn as reviewed. Items with a confidence of 0.5 or less that nobody has reviewed are paler, and their title says that they may need review. The
    /// annotations are appended to the file, whose own bytes do not change. A result without boxes returns the file as
    /// uploaded. Counts against the rate limit.
    #[oai(path = "/v1/jobs/:job_id/annotated.pdf", method = "get", operation_id = "get_annotated_pdf")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        job_id: Path<Uuid>,
    ) -> Result<File, ApiError> {
        let mut job = complete_job(&service, caller.0.account_id, job_id.0).await?;
        let document = service.store.document(job.account_id, job.document_id).await?;
        let result = job::take_result(&service, &mut job).await?.unwrap_or_default();
        let result = review::reviewed(&service, &job, result).await?;
        let marks = annotations::from_result(&result).map_err(|error| ApiError::new(Code::InternalError, error))?;
        let drawn = inspection::annotation(&service, &document, marks).await?;

        let length = document.size_bytes + drawn.len() as u64;
        let source = service.blobs.read(&document.blob, 0..document.size_bytes).await?;
        let source = source.map(|chunk| chunk.map_err(io::Error::other));
        let bytes = source.chain(stream::iter([Ok(Bytes::from(drawn))]));
        let response = private_file("application/pdf", &format!("annotated {}", document.filename))
            .header(CONTENT_LENGTH, length)
            .body(Body::from_bytes_stream(bytes));
        Ok(File(response))
    }
}
