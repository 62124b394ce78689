//! `/v1/files`: what the signed links in documents and jobs lead to.

use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use poem::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, HeaderName, HeaderValue};
use poem::web::{Data, StaticFileRequest};
use poem::{IntoResponse, Response};
use poem_openapi::param::Path;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiResponse, OpenApi};

use crate::api::error::{ApiError, Code};
use crate::service::Service;

/// Operations on files.
pub(super) struct Files;

#[OpenApi]
impl Files {
    /// Read a file by its signed link
    ///
    /// Needs no key. Takes `Range`.
    #[oai(path = "/v1/files/:token", method = "get", operation_id = "get_file")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        token: Path<String>,
        request: StaticFileRequest,
    ) -> Result<File, ApiError> {
        let grant = service.links.check(&token.0, service.store.now())?;
        let document = service.store.document(grant.account, grant.document).await?;
        let path = service.blobs.local_file(&document.blob)?;
        let file = request.create_response(path, false, false).map_err(|error| {
            let error = poem::Error::from(error);
            match ApiError::from_poem(&error).code() {
                Code::NotFound => ApiError::new(Code::InternalError, "the blob of a document is missing"),
                code => ApiError::new(code, error),
            }
        })?;
        let mut response = file.with_content_type("application/pdf").into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_DISPOSITION, disposition(&document.filename));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
        headers.insert(HeaderName::from_static("x-content-type-options"), HeaderValue::from_static("nosniff"));
        Ok(File(response))
    }
}

/// What a name in a header is written with (RFC 8187's `attr-char`, less a few).
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Shown by a browser under the file's own name (RFC 6266, RFC 8187).
fn disposition(filename: &str) -> HeaderValue {
    let encoded = format!("inline; filename*=UTF-8''{}", utf8_percent_encode(filename, NAME));
    HeaderValue::from_str(&encoded).unwrap_or_else(|_| HeaderValue::from_static("inline"))
}

/// A PDF, whole or in part.
struct File(Response);

impl IntoResponse for File {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for File {
    fn meta() -> MetaResponses {
        let response = |status, description| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: "application/pdf",
                schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary"))),
            }],
            headers: vec![],
        };
        MetaResponses { responses: vec![response(200, "The file"), response(206, "The range that was asked for")] }
    }

    fn register(_registry: &mut Registry) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_any_characters_is_one_header() {
        assert_eq!(disposition("a b\"ü.pdf"), "inline; filename*=UTF-8''a%20b%22%C3%BC.pdf");
    }
}
