//! `/v1/documents`

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use fanlight_store::{Document, ListRequest};
use futures_util::{Stream, StreamExt};
use multer::{Constraints, Multipart, SizeLimit};
use poem::http::header;
use poem::web::Data;
use poem::{Body, Request, RequestBody};
use poem_openapi::error::ContentTypeError;
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaRequest, MetaSchema, MetaSchemaRef};
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, RateLimited};
use crate::api::body::BodyError;
use crate::api::error::ApiError;
use crate::api::request_context::Idempotent;
use crate::domain::links::DOCUMENT_LINK;
use crate::domain::service::Service;
use crate::domain::upload::{self, UploadError};
use crate::views::values::{Nullable, Time, default_limit};

/// Maximum bytes of a multipart body beyond its file: boundaries, headers and other parts.
const MULTIPART_OVERHEAD: u64 = 64 * 1024;

/// Operations on documents.
pub(super) struct Documents;

/// An uploaded document.
#[derive(Debug, Object)]
#[oai(rename = "Document")]
struct DocumentObject {
    /// Document ID, for use in later calls.
    document_id: Uuid,
    /// Name of the uploaded file.
    original_filename: String,
    /// Size of the file in bytes.
    file_size_bytes: u64,
    /// Number of pages.
    page_count: u32,
    /// Always `application/pdf`.
    mime_type: String,
    /// Tier of the key that uploaded the document.
    tier: String,
    /// Time of upload.
    uploaded_at: Time,
    /// Time at which the document is deleted.
    expires_at: Time,
    /// Signed link to the file. It needs no key.
    download_url: String,
    /// Seconds for which the link is valid.
    download_url_expires_in_seconds: u64,
}

impl DocumentObject {
    /// Describes a document, with a new signed link to its file.
    fn new(document: Document, service: &Service) -> Self {
        Self {
            document_id: document.id,
            original_filename: document.filename,
            file_size_bytes: document.size_bytes,
            page_count: document.page_count,
            mime_type: "application/pdf".to_owned(),
            tier: document.tier.to_string(),
            uploaded_at: Time(document.uploaded_at),
            expires_at: Time(document.expires_at),
            download_url: service.link_to_source(document.account_id, document.id, DOCUMENT_LINK),
            download_url_expires_in_seconds: DOCUMENT_LINK.as_secs(),
        }
    }
}

/// A page of documents.
#[derive(Debug, Object)]
struct DocumentList {
    /// The documents, newest first.
    documents: Vec<DocumentObject>,
    /// Value of `cursor` for the next page; null on the last page.
    next_cursor: Nullable<String>,
}

#[derive(ApiResponse)]
enum Deleted {
    /// The document has been deleted.
    #[oai(status = 204)]
    Deleted,
}

#[derive(ApiResponse)]
enum Uploaded {
    /// The document has been uploaded.
    #[oai(status = 201)]
    Created(Json<DocumentObject>, #[oai(header = "Location")] String),
}

#[OpenApi]
impl Documents {
    /// Upload a PDF
    ///
    /// Send the file as the part `file` of a multipart form, or as the whole body with the type `application/pdf` or
    /// `application/octet-stream`.
    #[oai(path = "/v1/documents", method = "post", operation_id = "upload_document")]
    async fn upload(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        /// Name of the file, if the body is the PDF itself.
        filename: Query<Option<String>>,
        upload: UploadBody,
    ) -> Result<Idempotent<Uploaded>, ApiError> {
        let limit = service.store.limits(caller.0.tier).upload_bytes();
        let (name, bytes) = upload.file(limit).await?;
        let received = upload::receive(&service, limit, name.or(filename.0).as_deref(), bytes).await?;
        if let Some(answer) = caller.0.begin_streamed(&service, received.fingerprint()).await? {
            return Ok(Idempotent::replayed(answer));
        }
        let document = upload::admit(&service, &caller.0, received).await?;
        let location = format!("/v1/documents/{}", document.id);
        Ok(Idempotent::New(Uploaded::Created(Json(DocumentObject::new(document, &service)), location)))
    }

    /// List the account's documents, newest first
    #[oai(path = "/v1/documents", method = "get", operation_id = "list_documents")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        /// Maximum number of documents on a page.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the previous page. It is valid for the same list only.
        cursor: Query<Option<String>>,
    ) -> Result<Json<DocumentList>, ApiError> {
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.documents(caller.0.account_id, &request).await?;
        let listed = listed.map(|document| DocumentObject::new(document, &service));
        Ok(Json(DocumentList { documents: listed.items, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Get a document with a new link to its file
    #[oai(path = "/v1/documents/:document_id", method = "get", operation_id = "get_document")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        document_id: Path<Uuid>,
    ) -> Result<Json<DocumentObject>, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        Ok(Json(DocumentObject::new(document, &service)))
    }

    /// Delete a document
    ///
    /// The document and all links to its file stop working at once. Its queued jobs are cancelled and refunded. A running
    /// job may still finish. Results are kept until their own `expires_at`.
    #[oai(path = "/v1/documents/:document_id", method = "delete", operation_id = "delete_document")]
    async fn delete(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        document_id: Path<Uuid>,
    ) -> Result<Deleted, ApiError> {
        service.store.delete_document(caller.0.account_id, document_id.0).await?;
        service.finished.notify_waiters();
        Ok(Deleted::Deleted)
    }
}

/// The body of an upload. It is streamed and never held whole in memory.
struct UploadBody {
    form: Form,
    declared_length: Option<u64>,
    body: Body,
}

/// How the body contains the file.
enum Form {
    /// The file is the part `file` of a multipart form.
    Multipart {
        /// The delimiter between the form's parts.
        boundary: String,
    },
    /// The file is the whole body.
    Raw,
}

/// The bytes of one file.
type FileBytes = std::pin::Pin<Box<dyn Stream<Item = Result<Bytes, UploadError>> + Send>>;

impl UploadBody {
    /// Returns the file's name, if the body has it, and the stream of its bytes.
    ///
    /// # Errors
    ///
    /// [`UploadError::TooLarge`] if the declared length exceeds `limit` bytes, before anything is read;
    /// [`UploadError::Form`] if the form is not valid or has no part `file`.
    async fn file(self, limit: u64) -> Result<(Option<String>, FileBytes), UploadError> {
        let body = self.body.into_bytes_stream();
        let most = match self.form {
            Form::Raw => limit,
            Form::Multipart { .. } => limit.saturating_add(MULTIPART_OVERHEAD),
        };
        if self.declared_length.is_some_and(|length| length > most) {
            return Err(UploadError::TooLarge { limit });
        }
        let Form::Multipart { boundary } = self.form else {
            return Ok((None, body.map(|chunk| chunk.map_err(|error| io_error(&error))).boxed()));
        };
        let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(most));
        let mut parts = Multipart::with_constraints(body, boundary, constraints);
        loop {
            let part = parts.next_field().await.map_err(|error| multipart_error(error, limit))?;
            let Some(part) = part else {
                return Err(UploadError::Form("it has no such part".to_owned()));
            };
            if part.name() == Some("file") {
                let name = part.file_name().map(str::to_owned);
                let bytes = part.map(move |chunk| chunk.map_err(|error| multipart_error(error, limit)));
                return Ok((name, bytes.boxed()));
            }
        }
    }
}

/// Translates an error from reading the body.
fn io_error(error: &io::Error) -> UploadError {
    match BodyError::from_io(error) {
        Some(BodyError::TooSlow) => UploadError::TooSlow,
        _ => UploadError::Body(error.to_string()),
    }
}

/// Translates an error from parsing the form. `limit` is the maximum size of the file in bytes.
fn multipart_error(error: multer::Error, limit: u64) -> UploadError {
    match error {
        multer::Error::StreamSizeExceeded { .. } | multer::Error::FieldSizeExceeded { .. } => {
            UploadError::TooLarge { limit }
        }
        multer::Error::StreamReadFailed(cause) => {
            let io = cause.downcast_ref::<io::Error>().map(io_error);
            io.unwrap_or_else(|| UploadError::Body(cause.to_string()))
        }
        other => UploadError::Form(other.to_string()),
    }
}

/// Returns the schema of a file.
fn file_schema() -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary")))
}

/// Returns how a body of this content type contains the file; `None` if uploads do not have the type.
fn form(content_type: &str) -> Option<Form> {
    let mime: mime::Mime = content_type.parse().ok()?;
    match mime.essence_str() {
        "application/pdf" | "application/octet-stream" => Some(Form::Raw),
        "multipart/form-data" => Some(Form::Multipart { boundary: multer::parse_boundary(content_type).ok()? }),
        _ => None,
    }
}

impl<'a> ApiExtractor<'a> for UploadBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        let properties = vec![("file", file_schema())];
        let form = MetaSchema { properties, required: vec!["file"], ..MetaSchema::new("object") };
        let content = vec![
            MetaMediaType { content_type: "multipart/form-data", schema: MetaSchemaRef::Inline(Box::new(form)) },
            MetaMediaType { content_type: "application/pdf", schema: file_schema() },
        ];
        Some(MetaRequest { description: Some("The PDF file"), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let content_type = request.content_type().ok_or(ContentTypeError::ExpectContentType)?;
        let Some(form) = form(content_type) else {
            return Err(ContentTypeError::NotSupported { content_type: content_type.to_owned() }.into());
        };
        let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Self { form, declared_length: length, body: body.take()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::TryStreamExt;

    fn multipart(parts: &str) -> UploadBody {
        let body = Body::from_string(parts.replace('\n', "\r\n"));
        UploadBody { form: Form::Multipart { boundary: "b".to_owned() }, declared_length: None, body }
    }

    async fn read(upload: UploadBody, limit: u64) -> Result<(Option<String>, Vec<u8>), UploadError> {
        let (name, bytes) = upload.file(limit).await?;
        let chunks: Vec<Bytes> = bytes.try_collect().await?;
        Ok((name, chunks.concat()))
    }

    #[tokio::test]
    async fn the_form_part_named_file_is_read() {
        let parts = "--b\nContent-Disposition: form-data; name=\"note\"\n\nhello\n\
                     --b\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\n\n%PDF\n--b--\n";
        let (name, bytes) = read(multipart(parts), 100).await.unwrap();
        assert_eq!((name.as_deref(), bytes.as_slice()), (Some("a.pdf"), b"%PDF".as_slice()));
    }

    #[tokio::test]
    async fn a_form_with_no_or_a_truncated_file_part_is_refused() {
        let without = "--b\nContent-Disposition: form-data; name=\"note\"\n\nhello\n--b--\n";
        let cut = "--b\nContent-Disposition: form-data; name=\"file\"\n\n%PDF-1.7 and";
        for parts in [without, cut, ""] {
            assert!(matches!(read(multipart(parts), 100).await, Err(UploadError::Form(_))), "{parts}");
        }
    }

    #[tokio::test]
    async fn a_declared_length_over_the_limit_is_refused_unread() {
        for (length, refused) in [(100, false), (101, true)] {
            let body = Body::from_string("%PDF".to_owned());
            let upload = UploadBody { form: Form::Raw, declared_length: Some(length), body };
            assert_eq!(matches!(read(upload, 100).await, Err(UploadError::TooLarge { .. })), refused, "{length}");
        }
    }
}
