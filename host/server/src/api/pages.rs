//! `/v1/documents/{document_id}/pages`

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use fanlight_sandbox::PageGeometry;
use fanlight_store::Document;
use poem::http::header::{CACHE_CONTROL, HeaderValue};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, RateLimited};
use crate::api::error::{ApiError, Code};
use crate::domain::inspection;
use crate::domain::service::Service;
use crate::domain::tiles::{self, TilePlace};
use crate::views::page_box::{BoxObject, rounded};
use crate::views::values::plain_value;

/// Default number of pages in an answer.
const PAGES: u32 = 100;
/// Default resolution of a page image, in dots per inch.
const DPI: u32 = 100;

/// Operations on the pages of documents.
pub(super) struct Pages;

/// Pages of a document, in order.
#[derive(Debug, Object)]
#[oai(rename = "PageList")]
pub(super) struct PageList {
    /// Document ID.
    document_id: Uuid,
    /// Number of pages of the whole document.
    page_count: u32,
    /// Those of the requested pages that exist.
    pages: Vec<PageObject>,
}

/// Size and rotation of a page.
///
/// Coordinates, here and in every result, are in PDF user space of the unrotated page: points, origin bottom-left,
/// y upwards. A viewer shows the crop box, rotated clockwise by `rotation`.
#[derive(Debug, Object)]
#[oai(rename = "Page")]
struct PageObject {
    /// 1-based number of the page.
    page_number: u32,
    /// Width of the crop box in points, before rotation.
    width: f64,
    /// Height of the crop box in points, before rotation.
    height: f64,
    /// Clockwise rotation in a viewer, in degrees: 0, 90, 180 or 270.
    rotation: u32,
    /// Size of one unit of user space, in 1/72 inch; 1 for nearly all pages.
    user_unit: f64,
    /// The whole page. Its origin is not always 0,0.
    media_box: BoxObject,
    /// The part of the page that a viewer shows.
    crop_box: BoxObject,
}

impl PageObject {
    fn new(page_number: u32, geometry: PageGeometry) -> Self {
        let PageGeometry { media_box, crop_box, rotation, user_unit } = geometry;
        Self {
            page_number,
            width: rounded(f64::from(crop_box.x2) - f64::from(crop_box.x1)),
            height: rounded(f64::from(crop_box.y2) - f64::from(crop_box.y1)),
            rotation,
            user_unit: rounded(f64::from(user_unit)),
            media_box: media_box.into(),
            crop_box: crop_box.into(),
        }
    }
}

#[OpenApi]
impl Pages {
    /// Get the size and rotation of a document's pages
    #[oai(path = "/v1/documents/:document_id/pages", method = "get", operation_id = "list_pages")]
    async fn list(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        document_id: Path<Uuid>,
        /// Number of the first page to return; 1 if absent.
        #[oai(validator(minimum(value = "1")))]
        first: Query<Option<u32>>,
        /// Maximum number of pages to return; 100 if absent.
        #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
        limit: Query<Option<u32>>,
    ) -> Result<Json<PageList>, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        list(&service, &document, first.0, limit.0).await
    }

    /// Get an image of a page
    ///
    /// Shows the crop box, rotated as in a viewer. A page that would exceed 20 million pixels is rendered at a lower
    /// resolution, which the PNG states. Counts against the rate limit.
    #[oai(path = "/v1/documents/:document_id/pages/:page_file", method = "get", operation_id = "get_page_picture")]
    async fn picture(
        &self,
        service: Data<&Arc<Service>>,
        caller: RateLimited,
        document_id: Path<Uuid>,
        /// Page number and `.png`: `3.png` is the image of page 3.
        page_file: Path<PageFile>,
        /// Resolution in dots per inch; 100 if absent. An inch is 72 points.
        #[oai(validator(minimum(value = "72"), maximum(value = "200")))]
        dpi: Query<Option<u32>>,
    ) -> Result<Png, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        picture(&service, &document, page_file.0, dpi.0).await
    }

    /// Get a tile of a page
    ///
    /// A displayed page, that is its crop box rotated as in a viewer, is cut into tiles of 512 by 512 pixels. Those at the
    /// right and the bottom edge are smaller; beyond them there are none. Zoom level 0 has 25 pixels per inch, 1 has 50, 2
    /// has 100 and 3 has 200. Neighbouring tiles are drawn together and kept for a while, so that a viewer gets most of
    /// them at once.
    #[oai(
        path = "/v1/documents/:document_id/tiles/:page/:zoom/:column/:row_file",
        method = "get",
        operation_id = "get_page_tile"
    )]
    #[expect(clippy::too_many_arguments, reason = "each is a part of the path")]
    async fn tile(
        &self,
        service: Data<&Arc<Service>>,
        caller: Authenticated,
        document_id: Path<Uuid>,
        /// Number of the page.
        page: Path<u32>,
        /// Zoom level, 0 to 3.
        zoom: Path<u32>,
        /// Number of tiles to the left of it.
        column: Path<u32>,
        /// Number of tiles above it and `.png`: `0.png` is in the top row.
        row_file: Path<PageFile>,
    ) -> Result<Png, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        tile(&service, &document, tile_place(page.0, zoom.0, column.0, row_file.0)?).await
    }
}

/// Returns a tile of a page.
pub(super) async fn tile(service: &Service, document: &Document, place: TilePlace) -> Result<Png, ApiError> {
    let found = tiles::tile(service, document, place).await?;
    found.map(Png).ok_or_else(|| ApiError::new(Code::NotFound, format!("the page has no tile at {place:?}")))
}

/// Returns where a tile is. None if its zoom level does not exist.
pub(super) fn tile_place(page: u32, zoom: u32, column: u32, row: PageFile) -> Result<TilePlace, ApiError> {
    let zoom = usize::try_from(zoom).ok().filter(|zoom| *zoom < tiles::RESOLUTIONS.len());
    let zoom = zoom.ok_or_else(|| ApiError::new(Code::NotFound, "there is no such zoom level"))?;
    Ok(TilePlace { page, zoom, column, row: row.page })
}

/// Returns size and rotation of a document's pages, from page `first` on, at most `limit`.
pub(super) async fn list(
    service: &Service,
    document: &Document,
    first: Option<u32>,
    limit: Option<u32>,
) -> Result<Json<PageList>, ApiError> {
    let first = first.unwrap_or(1);
    let pages = inspection::pages(service, document, first, limit.unwrap_or(PAGES)).await?;
    let pages = (first..).zip(pages).map(|(number, geometry)| PageObject::new(number, geometry)).collect();
    Ok(Json(PageList { document_id: document.id, page_count: document.page_count, pages }))
}

/// Returns the image of a page.
pub(super) async fn picture(
    service: &Service,
    document: &Document,
    file: PageFile,
    dpi: Option<u32>,
) -> Result<Png, ApiError> {
    Ok(Png(inspection::picture(service, document, file.page, dpi.unwrap_or(DPI) as f32).await?))
}

/// The file name of a page image, such as `3.png`. A path parameter is always a whole segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageFile {
    /// Number of the page. The document may not have it.
    page: u32,
}

impl PageFile {
    const PATTERN: &str = "^[0-9]{1,9}\\.png$";
}

impl Type for PageFile {
    plain_value!();

    fn name() -> Cow<'static, str> {
        "string_page_file".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let schema = MetaSchema { pattern: Some(Self::PATTERN.to_owned()), ..MetaSchema::new("string") };
        MetaSchemaRef::Inline(Box::new(schema))
    }
}

impl ParseFromParameter for PageFile {
    fn parse_from_parameter(value: &str) -> ParseResult<Self> {
        let digits = value.strip_suffix(".png").filter(|digits| !digits.is_empty() && digits.len() <= 9);
        let number = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        match number.and_then(|digits| digits.parse().ok()) {
            Some(page) => Ok(Self { page }),
            None => Err(ParseError::custom("it is not a page number and `.png`")),
        }
    }
}

/// A PNG file.
pub(super) struct Png(Bytes);

impl IntoResponse for Png {
    fn into_response(self) -> Response {
        let mut response = Response::builder().content_type("image/png").body(self.0);
        // A document never changes. Shared caches must not store the image, since they check neither key nor expiry.
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=900"));
        response
    }
}

impl ApiResponse for Png {
    fn meta() -> MetaResponses {
        let picture = MetaResponse {
            description: "The image",
            status: Some(200),
            status_range: None,
            content: vec![MetaMediaType {
                content_type: "image/png",
                schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "binary"))),
            }],
            headers: vec![],
        };
        MetaResponses { responses: vec![picture] }
    }

    fn register(_registry: &mut Registry) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_file_is_a_number_with_suffix() {
        for (name, expected) in [("1.png", Some(1)), ("007.png", Some(7)), ("0.png", Some(0))] {
            assert_eq!(PageFile::parse_from_parameter(name).ok().map(|file| file.page), expected, "{name}");
        }
        for name in ["", "1", ".png", "1.PNG", "1.png.png", "-1.png", "+1.png", "1.5.png", "1234567890.png", "٣.png"] {
            assert!(PageFile::parse_from_parameter(name).is_err(), "{name}");
        }
    }
}
