//! Questions to the sandboxed PDF engine that a client waits for: what an upload is, how a document's pages lie, what
//! a page looks like.
//!
//! Uploads and reads have permits of their own, so that neither waits for the other, and each kind is shared fairly by
//! account ([`FairSemaphore`]). The pictures in flight have permits too, from before a picture is drawn until its last
//! byte is sent, which bound the memory that pictures take.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use fanlight_sandbox::{
    AnnotateError, Annotation, Document as Opened, Inspection, OpenError, PageGeometry, Picture, PictureError,
};
use fanlight_store::{Document, PendingBlob, StoreError};
use thiserror::Error;
use tokio::time::Instant;
use uuid::Uuid;

use crate::domain::service::Service;
use crate::runtime::fair_semaphore::{NoPermit, Permit};

/// How long a question waits for its permits.
const PATIENCE: Duration = Duration::from_secs(20);
/// Inches in a metre.
const INCHES_PER_METRE: f32 = 1.0 / 0.0254;

/// Why a question has no answer.
#[derive(Debug, Error)]
pub(crate) enum InspectionError {
    /// The engine can't open the document.
    #[error("{0}")]
    Unreadable(OpenError),
    /// There is no such page.
    #[error("the document has no page {0}")]
    NoSuchPage(u32),
    /// No picture can be made of the page.
    #[error("{0}")]
    NoPicture(PictureError),
    /// The document can't be drawn into.
    #[error("{0}")]
    NotAnnotated(#[from] AnnotateError),
    /// Nothing here draws into documents.
    #[error("no annotator is installed")]
    NoAnnotator,
    /// Others' questions are being answered.
    #[error(transparent)]
    Overloaded(#[from] NoPermit),
    /// The service's own failure.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The service's own failure.
    #[error("the blob can't be opened: {0}")]
    Blob(#[from] io::Error),
    /// The service's own failure.
    #[error("the picture can't be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
}

impl From<OpenError> for InspectionError {
    fn from(error: OpenError) -> Self {
        Self::Unreadable(error)
    }
}

/// A PNG file on its way to a client. It counts among the pictures in flight until it is dropped.
struct Png {
    file: Vec<u8>,
    _permit: Permit,
}

impl AsRef<[u8]> for Png {
    fn as_ref(&self) -> &[u8] {
        &self.file
    }
}

/// Says what an upload of the account is.
pub(crate) async fn of_upload(
    service: &Service,
    account: Uuid,
    blob: &PendingBlob,
) -> Result<Inspection, InspectionError> {
    let _permit = service.permits.uploads.acquire(account, deadline()).await?;
    let opened = Opened::from_file(blob.open().await?, blob.sha256())?;
    Ok(service.guests.inspect(opened).await?)
}

/// How the pages from `first` (1-based) on lie, `count` of them or as many as there are.
pub(crate) async fn pages(
    service: &Service,
    document: &Document,
    first: u32,
    count: u32,
) -> Result<Vec<PageGeometry>, InspectionError> {
    let _permit = service.permits.reads.acquire(document.account_id, deadline()).await?;
    Ok(service.guests.pages(open(service, document).await?, first, count).await?)
}

/// A picture of a page (1-based) as a PNG file, at so many pixels an inch or at fewer where it would get too large. It
/// counts among the account's pictures until its bytes are dropped.
pub(crate) async fn picture(
    service: &Service,
    document: &Document,
    page: u32,
    dpi: f32,
) -> Result<Bytes, InspectionError> {
    if page == 0 || page > document.page_count {
        return Err(InspectionError::NoSuchPage(page));
    }
    let (account, deadline) = (document.account_id, deadline());
    let in_flight = service.permits.pictures.acquire(account, deadline).await?;
    let permit = service.permits.reads.acquire(account, deadline).await?;
    let drawn = service.guests.picture(open(service, document).await?, page, dpi).await;
    let picture = drawn.map_err(|error| match error {
        PictureError::Open(error) => InspectionError::Unreadable(error),
        PictureError::NoSuchPage => InspectionError::NoSuchPage(page),
        PictureError::Unusable(_) => InspectionError::NoPicture(error),
    })?;
    // Encoding goes on when the client has gone, so both permits are its own.
    let encoding = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        encode(&picture).map(|file| Png { file, _permit: in_flight })
    });
    Ok(Bytes::from_owner(encoding.await.map_err(io::Error::other)??))
}

/// The bytes that, appended to a document's own, draw marks into it. None without marks.
pub(crate) async fn annotation(
    service: &Service,
    document: &Document,
    marks: Vec<Annotation>,
) -> Result<Vec<u8>, InspectionError> {
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    let annotator = service.annotator().await.ok_or(InspectionError::NoAnnotator)?;
    let _permit = service.permits.reads.acquire(document.account_id, deadline()).await?;
    Ok(service.guests.annotate(annotator, open(service, document).await?, marks).await?)
}

/// When a question that is asked now has waited for too long.
fn deadline() -> Instant {
    Instant::now() + PATIENCE
}

async fn open(service: &Service, document: &Document) -> Result<Opened, InspectionError> {
    let file = service.blobs.open(&document.blob, document.size_bytes).await?;
    Ok(Opened::from_file(file, &document.sha256)?)
}

/// A PNG file of eight bits a sample, which says its resolution.
fn encode(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let per_metre = (picture.dpi * INCHES_PER_METRE).round() as u32;
    let resolution = png::PixelDimensions { xppu: per_metre, yppu: per_metre, unit: png::Unit::Meter };
    encoder.set_pixel_dims(Some(resolution));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()?;
    Ok(file)
}
