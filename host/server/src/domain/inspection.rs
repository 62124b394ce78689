//! Calls to the sandboxed PDF engine that a client waits for: inspecting an upload, reading page geometry, rendering a
//! page and annotating a document. Each call needs permits ([`Permits`](crate::domain::permits::Permits)).

use std::io;
use std::time::Duration;

use bytes::Bytes;
use fanlight_sandbox::{
    AnnotateError, Document as Opened, Inspection, Mark, OpenError, PageGeometry, Picture, PictureError, PixelArea,
};
use fanlight_store::{Document, PendingBlob, StoreError};
use thiserror::Error;
use tokio::time::Instant;
use uuid::Uuid;

use crate::domain::service::Service;
use crate::runtime::fair_semaphore::{NoPermit, Permit};

/// How long a call waits for its permits.
const PERMIT_WAIT: Duration = Duration::from_secs(20);
/// Inches in a metre.
const INCHES_PER_METRE: f32 = 1.0 / 0.0254;

/// Why a call has no result.
#[derive(Debug, Error)]
pub(crate) enum InspectionError {
    /// The engine cannot open the document.
    #[error("{0}")]
    Unreadable(OpenError),
    /// The document has no such page.
    #[error("the document has no page {0}")]
    NoSuchPage(u32),
    /// The page cannot be rendered.
    #[error("{0}")]
    NoPicture(PictureError),
    /// The document cannot be annotated.
    #[error("{0}")]
    NotAnnotated(#[from] AnnotateError),
    /// No annotator is installed.
    #[error("no annotator is installed")]
    NoAnnotator,
    /// No permit became free in time.
    #[error(transparent)]
    Overloaded(#[from] NoPermit),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The uploaded file cannot be opened.
    #[error("the blob can't be opened: {0}")]
    Blob(#[from] io::Error),
    /// The picture cannot be encoded.
    #[error("the picture can't be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
}

impl From<OpenError> for InspectionError {
    fn from(error: OpenError) -> Self {
        Self::Unreadable(error)
    }
}

/// A PNG file that is being sent to a client. It holds its permit for pictures until it is dropped.
struct Png {
    file: Vec<u8>,
    _permit: Permit,
}

impl AsRef<[u8]> for Png {
    fn as_ref(&self) -> &[u8] {
        &self.file
    }
}

/// Inspects an upload of the account: its page count, and whether it is encrypted.
pub(crate) async fn inspect_upload(
    service: &Service,
    account: Uuid,
    blob: &PendingBlob,
) -> Result<Inspection, InspectionError> {
    let _permit = service.permits.uploads.acquire(account, deadline()).await?;
    let opened = Opened::from_file(blob.open().await?, blob.sha256())?;
    Ok(service.guests.inspect(opened).await?)
}

/// Returns the geometry of up to `count` pages from page `first`, which counts from 1.
pub(crate) async fn pages(
    service: &Service,
    document: &Document,
    first: u32,
    count: u32,
) -> Result<Vec<PageGeometry>, InspectionError> {
    let _permit = service.permits.reads.acquire(document.account_id, deadline()).await?;
    Ok(service.guests.pages(open(service, document).await?, first, count).await?)
}

/// Renders a page, counted from 1, as a PNG file. The resolution is `dpi`, or lower if the picture would be too large.
///
/// The picture counts among the account's pictures in flight until its bytes are dropped.
///
/// # Errors
///
/// [`InspectionError::NoSuchPage`] before anything is rendered; [`InspectionError::Overloaded`] without a permit in
/// time.
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
    let picture = drawn.map_err(|error| not_drawn(error, page))?;
    // Encoding continues after the client has disconnected, so it holds both permits itself.
    let encoding = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        encode(&picture).map(|file| Png { file, _permit: in_flight })
    });
    Ok(Bytes::from_owner(encoding.await.map_err(io::Error::other)??))
}

/// Returns the bytes that annotate a document when they are appended to it. There are none without marks.
pub(crate) async fn annotation(
    service: &Service,
    document: &Document,
    marks: Vec<Mark>,
) -> Result<Vec<u8>, InspectionError> {
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    let annotator = service.annotator().await.ok_or(InspectionError::NoAnnotator)?;
    let _permit = service.permits.reads.acquire(document.account_id, deadline()).await?;
    Ok(service.guests.annotate(annotator, open(service, document).await?, marks).await?)
}

/// Returns the time until which a call that starts now waits for permits.
fn deadline() -> Instant {
    Instant::now() + PERMIT_WAIT
}

/// Opens the file of a document for the sandbox.
async fn open(service: &Service, document: &Document) -> Result<Opened, InspectionError> {
    let file = service.blobs.open(&document.blob, document.size_bytes).await?;
    Ok(Opened::from_file(file, &document.sha256)?)
}

/// Renders a part of a page, counted from 1, at `dpi`. Returns it with the permit that it holds until it is encoded; none
/// if it lies beyond the page.
///
/// # Errors
///
/// As [`picture`].
pub(crate) async fn part(
    service: &Service,
    document: &Document,
    page: u32,
    dpi: f32,
    area: PixelArea,
) -> Result<Option<(Picture, Permit)>, InspectionError> {
    if page == 0 || page > document.page_count {
        return Err(InspectionError::NoSuchPage(page));
    }
    let permit = service.permits.reads.acquire(document.account_id, deadline()).await?;
    let drawn = service.guests.part(open(service, document).await?, page, dpi, area).await;
    let picture = drawn.map_err(|error| not_drawn(error, page))?;
    Ok(picture.map(|picture| (picture, permit)))
}

/// Returns why a page was not rendered.
fn not_drawn(error: PictureError, page: u32) -> InspectionError {
    match error {
        PictureError::Open(error) => InspectionError::Unreadable(error),
        PictureError::NoSuchPage => InspectionError::NoSuchPage(page),
        PictureError::Unusable(_) => InspectionError::NoPicture(error),
    }
}

/// Encodes a picture as PNG with eight bits a sample and its resolution.
pub(crate) fn encode(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
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
