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

use crate::api::authentication::{Authenticated, Limited};
use crate::api::body::BodyError;
use crate::api::error::ApiError;
use crate::api::exchange::Once;
use crate::api::values::{Nullable, Time, default_limit};
use crate::intake::{self, IntakeError};
use crate::links::DOCUMENT_LINK;
use crate::service::Service;

/// Bytes of a multipart body beyond its file: boundaries, headers, other parts.
const MULTIPART_OVERHEAD: u64 = 64 * 1024;

/// Operations on documents.
pub(super) struct Documents;

/// An uploaded document.
#[derive(Debug, Object)]
#[oai(rename = "Document")]
struct DocumentObject {
    /// The handle for later calls.
    document_id: Uuid,
    /// Name of the uploaded file.
    original_filename: String,
    /// Size of the file.
    file_size_bytes: u64,
    /// Number of pages.
    page_count: u32,
    /// Always `application/pdf`.
    mime_type: String,
    /// Tier of the key that uploaded it.
    tier: String,
    /// When it was uploaded.
    uploaded_at: Time,
    /// When it is deleted.
    expires_at: Time,
    /// A link to the file that needs no key and is good for a while.
    download_url: String,
    /// How long the link is good for.
    download_url_expires_in_seconds: u64,
}

impl DocumentObject {
    fn of(document: Document, service: &Service) -> Self {
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
    /// To be given as `cursor` for those that follow; null at the end.
    next_cursor: Nullable<String>,
}

#[derive(ApiResponse)]
enum Deleted {
    /// It is gone.
    #[oai(status = 204)]
    Deleted,
}

#[derive(ApiResponse)]
enum Uploaded {
    /// The document.
    #[oai(status = 201)]
    Created(Json<DocumentObject>, #[oai(header = "Location")] String),
}

#[OpenApi]
impl Documents {
    /// Upload a PDF
    ///
    /// As the part `file` of a form, or as the body itself, of type `application/pdf` or `application/octet-stream`.
    #[oai(path = "/v1/documents", method = "post", operation_id = "upload_document")]
    async fn upload(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        /// Name of the file, where the body is the PDF itself.
        filename: Query<Option<String>>,
        upload: UploadBody,
    ) -> Result<Once<Uploaded>, ApiError> {
        let limit = service.store.limits(caller.0.tier).upload_bytes();
        let (name, bytes) = upload.file(limit).await?;
        let received = intake::receive(&service, limit, name.or(filename.0).as_deref(), bytes).await?;
        if let Some(answer) = caller.0.begin_streamed(&service, received.fingerprint()).await? {
            return Ok(Once::before(answer));
        }
        let document = intake::admit(&service, &caller.0, received).await?;
        let location = format!("/v1/documents/{}", document.id);
        Ok(Once::Now(Uploaded::Created(Json(DocumentObject::of(document, &service)), location)))
    }

    /// List the account's documents
    #[oai(path = "/v1/documents", method = "get", operation_id = "list_documents")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        /// Most documents to give.
        #[oai(validator(minimum(value = "1"), maximum(value = "100")), default = "default_limit")]
        limit: Query<u32>,
        /// `next_cursor` of the page before, of the same list.
        cursor: Query<Option<String>>,
    ) -> Result<Json<DocumentList>, ApiError> {
        let request = ListRequest { limit: Some(limit.0), cursor: cursor.0 };
        let listed = service.store.documents(caller.0.account_id, &request).await?;
        let listed = listed.map(|document| DocumentObject::of(document, &service));
        Ok(Json(DocumentList { documents: listed.items, next_cursor: Nullable(listed.next_cursor) }))
    }

    /// Get a document, with a fresh link to its file
    #[oai(path = "/v1/documents/:document_id", method = "get", operation_id = "get_document")]
    async fn get(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        document_id: Path<Uuid>,
    ) -> Result<Json<DocumentObject>, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        Ok(Json(DocumentObject::of(document, &service)))
    }

    /// Delete a document
    ///
    /// It is not found from now on, and links to its file are dead. Its queued jobs are cancelled and refunded; one
    /// that runs already may end. Results stay until they expire themselves.
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

/// A PDF on its way in, in either form. It is read as it comes, never whole.
struct UploadBody {
    form: Form,
    declared_length: Option<u64>,
    body: Body,
}

/// How the file lies in the body.
enum Form {
    /// As the part `file`.
    Multipart {
        /// What stands between the parts.
        boundary: String,
    },
    /// As the body itself.
    Raw,
}

/// The bytes of one file.
type FileBytes = std::pin::Pin<Box<dyn Stream<Item = Result<Bytes, IntakeError>> + Send>>;

impl UploadBody {
    /// The file's name, where the body tells it, and its bytes. Refuses at once what says that it is too large.
    async fn file(self, limit: u64) -> Result<(Option<String>, FileBytes), IntakeError> {
        let body = self.body.into_bytes_stream();
        let most = match self.form {
            Form::Raw => limit,
            Form::Multipart { .. } => limit.saturating_add(MULTIPART_OVERHEAD),
        };
        if self.declared_length.is_some_and(|length| length > most) {
            return Err(IntakeError::TooLarge { limit });
        }
        let Form::Multipart { boundary } = self.form else {
            return Ok((None, body.map(|chunk| chunk.map_err(|error| of_io(&error))).boxed()));
        };
        let constraints = Constraints::new().size_limit(SizeLimit::new().whole_stream(most));
        let mut parts = Multipart::with_constraints(body, boundary, constraints);
        loop {
            let part = parts.next_field().await.map_err(|error| of_multipart(error, limit))?;
            let Some(part) = part else {
                return Err(IntakeError::Form("it has no such part".to_owned()));
            };
            if part.name() == Some("file") {
                let name = part.file_name().map(str::to_owned);
                let bytes = part.map(move |chunk| chunk.map_err(|error| of_multipart(error, limit)));
                return Ok((name, bytes.boxed()));
            }
        }
    }
}

fn of_io(error: &io::Error) -> IntakeError {
    match BodyError::of(error) {
        Some(BodyError::TooSlow) => IntakeError::TooSlow,
        _ => IntakeError::Body(error.to_string()),
    }
}

fn of_multipart(error: multer::Error, limit: u64) -> IntakeError {
    match error {
        multer::Error::StreamSizeExceeded { .. } | multer::Error::FieldSizeExceeded { .. } => {
            IntakeError::TooLarge { limit }
        }
        multer::Error::StreamReadFailed(cause) => {
            let io = cause.downcast_ref::<io::Error>().map(of_io);
            io.unwrap_or_else(|| IntakeError::Body(cause.to_string()))
        }
        other => IntakeError::Form(other.to_string()),
    }
}

impl<'a> ApiExtractor<'a> for UploadBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        let file = || MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary")));
        let form =
            MetaSchema { properties: vec![("file", file())], required: vec!["file"], ..MetaSchema::new("object") };
        let content = vec![
            MetaMediaType { content_type: "multipart/form-data", schema: MetaSchemaRef::Inline(Box::new(form)) },
            MetaMediaType { content_type: "application/pdf", schema: file() },
        ];
        Some(MetaRequest { description: Some("The PDF"), content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let content_type = request.content_type().ok_or(ContentTypeError::ExpectContentType)?;
        let not_supported = || ContentTypeError::NotSupported { content_type: content_type.to_owned() };
        let mime: mime::Mime = content_type.parse().map_err(|_| not_supported())?;
        let form = match mime.essence_str() {
            "application/pdf" | "application/octet-stream" => Form::Raw,
            "multipart/form-data" => {
                Form::Multipart { boundary: multer::parse_boundary(content_type).map_err(|_| not_supported())? }
            }
            _ => return Err(not_supported().into()),
        };
        let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        Ok(Self { form, declared_length: length, body: body.take()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::TryStreamExt;

    fn form(parts: &str) -> UploadBody {
        let body = Body::from_string(parts.replace('\n', "\r\n"));
        UploadBody { form: Form::Multipart { boundary: "b".to_owned() }, declared_length: None, body }
    }

    async fn read(upload: UploadBody, limit: u64) -> Result<(Option<String>, Vec<u8>), IntakeError> {
        let (name, bytes) = upload.file(limit).await?;
        let chunks: Vec<Bytes> = bytes.try_collect().await?;
        Ok((name, chunks.concat()))
    }

    #[tokio::test]
    async fn the_part_named_file_is_the_file() {
        let parts = "--b\nContent-Disposition: form-data; name=\"note\"\n\nhello\n\
                     --b\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\n\n%PDF\n--b--\n";
        let (name, bytes) = read(form(parts), 100).await.unwrap();
        assert_eq!((name.as_deref(), bytes.as_slice()), (Some("a.pdf"), b"%PDF".as_slice()));
    }

    #[tokio::test]
    async fn a_form_without_the_part_or_cut_off_within_it_is_not_valid() {
        let without = "--b\nContent-Disposition: form-data; name=\"note\"\n\nhello\n--b--\n";
        let cut = "--b\nContent-Disposition: form-data; name=\"file\"\n\n%PDF-1.7 and";
        for parts in [without, cut, ""] {
            assert!(matches!(read(form(parts), 100).await, Err(IntakeError::Form(_))), "{parts}");
        }
    }

    #[tokio::test]
    async fn what_says_that_it_is_too_large_is_refused_unread() {
        for (length, refused) in [(100, false), (101, true)] {
            let body = Body::from_string("%PDF".to_owned());
            let upload = UploadBody { form: Form::Raw, declared_length: Some(length), body };
            assert_eq!(matches!(read(upload, 100).await, Err(IntakeError::TooLarge { .. })), refused, "{length}");
        }
    }
}
