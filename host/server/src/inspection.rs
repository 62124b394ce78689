//! Questions to the sandboxed PDF engine that a client waits for: what an upload is, how a document's pages lie, what
//! a page looks like.

use std::io;
use std::time::Duration;

use fanlight_sandbox::{
    AnnotateError, Document as Opened, Inspection, Mark, OpenError, PageGeometry, Picture, PictureError,
};
use fanlight_store::{Document, PendingBlob, StoreError};
use thiserror::Error;
use tokio::sync::SemaphorePermit;
use tokio::time::timeout;

use crate::service::Service;

/// How long a question waits for its turn at the PDF engine.
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
    #[error("the question waited too long for its turn")]
    Overloaded,
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

/// What an upload is.
pub(crate) async fn of_upload(service: &Service, blob: &PendingBlob) -> Result<Inspection, InspectionError> {
    let _turn = turn(service).await?;
    let opened = Opened::of(blob.open().await?, blob.sha256())?;
    Ok(service.guests.inspect(opened).await?)
}

/// How the pages from `first` (1-based) on lie, `count` of them or as many as there are.
pub(crate) async fn pages(
    service: &Service,
    document: &Document,
    first: u32,
    count: u32,
) -> Result<Vec<PageGeometry>, InspectionError> {
    let _turn = turn(service).await?;
    Ok(service.guests.pages(open(service, document).await?, first, count).await?)
}

/// A picture of a page (1-based) as a PNG file, at so many pixels an inch or at fewer where it would get too large.
pub(crate) async fn picture(
    service: &Service,
    document: &Document,
    page: u32,
    dpi: f32,
) -> Result<Vec<u8>, InspectionError> {
    if page == 0 || page > document.page_count {
        return Err(InspectionError::NoSuchPage(page));
    }
    let _turn = turn(service).await?;
    let drawn = service.guests.picture(open(service, document).await?, page, dpi).await;
    let picture = drawn.map_err(|error| match error {
        PictureError::Open(error) => InspectionError::Unreadable(error),
        PictureError::NoSuchPage => InspectionError::NoSuchPage(page),
        PictureError::Unusable(_) => InspectionError::NoPicture(error),
    })?;
    let encoding = tokio::task::spawn_blocking(move || encode(&picture));
    Ok(encoding.await.map_err(io::Error::other)??)
}

/// The bytes that, appended to a document's own, draw marks into it. None without marks.
pub(crate) async fn annotation(
    service: &Service,
    document: &Document,
    marks: Vec<Mark>,
) -> Result<Vec<u8>, InspectionError> {
    if marks.is_empty() {
        return Ok(Vec::new());
    }
    let annotator = service.annotator().await.ok_or(InspectionError::NoAnnotator)?;
    let _turn = turn(service).await?;
    Ok(service.guests.annotate(annotator, open(service, document).await?, marks).await?)
}

async fn turn(service: &Service) -> Result<SemaphorePermit<'_>, InspectionError> {
    match timeout(PATIENCE, service.inspections.acquire()).await {
        Ok(Ok(turn)) => Ok(turn),
        _ => Err(InspectionError::Overloaded),
    }
}

async fn open(service: &Service, document: &Document) -> Result<Opened, InspectionError> {
    let file = service.blobs.open(&document.blob, document.size_bytes).await?;
    Ok(Opened::of(file, &document.sha256)?)
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
