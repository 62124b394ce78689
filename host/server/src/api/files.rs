//! `/v1/files`: the targets of the signed links in documents and jobs.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use futures_util::StreamExt;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use poem::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderValue, IF_RANGE,
    RANGE,
};
use poem::http::{HeaderMap, HeaderName, StatusCode};
use poem::web::Data;
use poem::{Body, IntoResponse, Request, Response, ResponseBuilder};
use poem_openapi::param::Path;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::{ApiResponse, OpenApi};

use crate::api::error::{ApiError, Code};
use crate::api::range::RequestedRange;
use crate::domain::links::BadLink;
use crate::domain::service::Service;

/// Operations on files.
pub(super) struct Files;

#[OpenApi]
impl Files {
    /// Download a file through its signed link
    ///
    /// Needs no key. A `Range` header with one range of bytes is answered with 206 and that range; with several ranges,
    /// the whole file is returned.
    #[oai(path = "/v1/files/:token", method = "get", operation_id = "get_file")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        token: Path<String>,
        request: &Request,
    ) -> Result<File, ApiError> {
        // A token has one spelling. A percent-encoded one counts as altered, although it decodes to the same bytes.
        if !request.uri().path().ends_with(&format!("/{}", token.0)) {
            return Err(BadLink::Forged.into());
        }
        let grant = service.links.check(&token.0, service.store.now())?;
        let document = service.store.document(grant.account, grant.document).await?;
        let etag = format!("\"{}\"", document.sha256);
        let requested = requested_range(request.headers(), &etag, document.size_bytes);
        let range = match &requested {
            RequestedRange::Unsatisfiable => return Ok(File(unsatisfiable(document.size_bytes))),
            RequestedRange::Part(range) => range.clone(),
            RequestedRange::Whole => 0..document.size_bytes,
        };
        let bytes = service.blobs.read(&document.blob, range.clone()).await?;
        let bytes = bytes.map(|chunk| chunk.map_err(io::Error::other));
        let mut response = private_file("application/pdf", &document.filename)
            .header(CONTENT_LENGTH, range.end - range.start)
            .header(ACCEPT_RANGES, "bytes")
            .header(ETAG, etag)
            .body(Body::from_bytes_stream(bytes));
        if let RequestedRange::Part(range) = requested {
            response.set_status(StatusCode::PARTIAL_CONTENT);
            response.headers_mut().insert(CONTENT_RANGE, content_range(&range, document.size_bytes)?);
        }
        Ok(File(response))
    }
}

/// Returns the part of a file that a request asks for. An outdated `If-Range` asks for the whole file.
fn requested_range(headers: &HeaderMap, etag: &str, size: u64) -> RequestedRange {
    if headers.contains_key(IF_RANGE) && text(headers, &IF_RANGE) != Some(etag) {
        return RequestedRange::Whole;
    }
    RequestedRange::parse(text(headers, &RANGE), size)
}

/// Returns the text of a header, if it is there and is text.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn content_range(range: &Range<u64>, size: u64) -> Result<HeaderValue, ApiError> {
    let text = format!("bytes {}-{}/{size}", range.start, range.end - 1);
    HeaderValue::from_str(&text).map_err(|error| ApiError::new(Code::InternalError, error))
}

/// Returns the error for a range outside the file, with the file's size (RFC 9110, section 15.5.17).
fn unsatisfiable(size: u64) -> Response {
    let mut response = ApiError::new(Code::RangeNotSatisfiable, "the range lies outside the file").response();
    if let Ok(value) = HeaderValue::from_str(&format!("bytes */{size}")) {
        response.headers_mut().insert(CONTENT_RANGE, value);
    }
    response
}

/// Characters of a file name that need no percent-encoding in a header: a subset of `attr-char` (RFC 8187).
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Begins the answer with a file of an account, which no cache keeps.
pub(super) fn private_file(content_type: &str, filename: &str) -> ResponseBuilder {
    Response::builder()
        .content_type(content_type)
        .header(CONTENT_DISPOSITION, disposition(filename))
        .header(CACHE_CONTROL, "private, no-store")
        .header("X-Content-Type-Options", "nosniff")
}

/// Returns the value of `Content-Disposition` that lets a browser show a file under its name (RFC 6266, RFC 8187).
fn disposition(filename: &str) -> HeaderValue {
    let encoded = format!("inline; filename*=UTF-8''{}", utf8_percent_encode(filename, NAME));
    HeaderValue::from_str(&encoded).unwrap_or_else(|_| HeaderValue::from_static("inline"))
}

/// The response with a PDF, whole or in part.
pub(super) struct File(pub(super) Response);

impl IntoResponse for File {
    fn into_response(self) -> Response {
        self.0
    }
}

/// Describes a response with a file.
pub(super) fn file_response(status: u16, description: &'static str, content_type: &'static str) -> MetaResponse {
    MetaResponse {
        description,
        status: Some(status),
        status_range: None,
        content: vec![MetaMediaType {
            content_type,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary"))),
        }],
        headers: vec![],
    }
}

impl ApiResponse for File {
    fn meta() -> MetaResponses {
        let responses = [(200, "The file"), (206, "The requested range")];
        let responses = responses.map(|(status, description)| file_response(status, description, "application/pdf"));
        MetaResponses { responses: responses.into() }
    }

    fn register(_registry: &mut Registry) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_of_any_characters_fits_a_header() {
        assert_eq!(disposition("a b\"ü.pdf"), "inline; filename*=UTF-8''a%20b%22%C3%BC.pdf");
    }
}
