//! `/v1/documents/{document_id}/pages`

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use fanlight_sandbox::{PageBox, PageGeometry};
use poem::http::header::{CACHE_CONTROL, HeaderValue};
use poem::web::Data;
use poem::{IntoResponse, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::payload::Json;
use poem_openapi::registry::{MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseError, ParseFromParameter, ParseResult, Type};
use poem_openapi::{ApiResponse, Object, OpenApi};
use uuid::Uuid;

use crate::api::authentication::{Authenticated, Limited};
use crate::api::error::ApiError;
use crate::api::values::plain_value;
use crate::inspection;
use crate::service::Service;

/// Pages of an answer, where the client doesn't say.
const PAGES: u32 = 100;
/// Resolution of a picture, where the client doesn't say.
const DPI: u32 = 100;
/// Thousandths of a point are kept: a PDF's own numbers rarely have more digits.
const PRECISION: f64 = 1000.0;

/// Operations on the pages of documents.
pub(super) struct Pages;

/// Pages of a document, in order.
#[derive(Debug, Object)]
#[oai(rename = "PageList")]
struct PageList {
    /// The document.
    document_id: Uuid,
    /// Number of pages of the whole document.
    page_count: u32,
    /// The pages that were asked for, as many of them as there are.
    pages: Vec<PageObject>,
}

/// How a page lies.
///
/// Coordinates, here and in every result, are PDF user space of the page as it lies unrotated in the file: points,
/// origin bottom-left, y up. A viewer shows the crop box, turned clockwise by `rotation`.
#[derive(Debug, Object)]
#[oai(rename = "Page")]
struct PageObject {
    /// 1-based.
    page_number: u32,
    /// Width of the crop box in points, before rotation.
    width: f64,
    /// Height of the crop box in points, before rotation.
    height: f64,
    /// Degrees clockwise by which a viewer turns the page: 0, 90, 180 or 270.
    rotation: u32,
    /// The size of one point in 1/72 in; 1 for nearly every page.
    user_unit: f64,
    /// The whole page. Its origin need not be 0,0.
    media_box: BoxObject,
    /// What a viewer shows of it.
    crop_box: BoxObject,
}

/// An axis-aligned box in PDF user space.
#[derive(Debug, Object)]
#[oai(rename = "Box")]
struct BoxObject {
    /// Left.
    x1: f64,
    /// Bottom.
    y1: f64,
    /// Right.
    x2: f64,
    /// Top.
    y2: f64,
}

impl PageObject {
    fn of(page_number: u32, geometry: PageGeometry) -> Self {
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

impl From<PageBox> for BoxObject {
    fn from(of_page: PageBox) -> Self {
        let PageBox { x1, y1, x2, y2 } = of_page;
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(|value| rounded(f64::from(value)));
        Self { x1, y1, x2, y2 }
    }
}

/// Without the digits that come of binary fractions.
fn rounded(value: f64) -> f64 {
    (value * PRECISION).round() / PRECISION
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
        /// Number of the first page to give; 1 if it isn't said.
        #[oai(validator(minimum(value = "1")))]
        first: Query<Option<u32>>,
        /// Most pages to give; 100 if it isn't said.
        #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
        limit: Query<Option<u32>>,
    ) -> Result<Json<PageList>, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        let first = first.0.unwrap_or(1);
        let pages = inspection::pages(&service, &document, first, limit.0.unwrap_or(PAGES)).await?;
        let pages = (first..).zip(pages).map(|(number, geometry)| PageObject::of(number, geometry)).collect();
        Ok(Json(PageList { document_id: document.id, page_count: document.page_count, pages }))
    }

    /// Get a picture of a page
    ///
    /// The crop box, turned as a viewer shows it. A sheet that would have more than 20 million pixels is drawn with
    /// fewer dots an inch than asked for; the PNG says how many. It counts against the limit of requests a minute.
    #[oai(path = "/v1/documents/:document_id/pages/:page_file", method = "get", operation_id = "get_page_picture")]
    async fn picture(
        &self,
        service: Data<&Arc<Service>>,
        caller: Limited,
        document_id: Path<Uuid>,
        /// The page's number and `.png`: `3.png` is the picture of page 3.
        page_file: Path<PageFile>,
        /// Dots an inch of 72 points; 100 if it isn't said.
        #[oai(validator(minimum(value = "72"), maximum(value = "200")))]
        dpi: Query<Option<u32>>,
    ) -> Result<Png, ApiError> {
        let document = service.store.document(caller.0.account_id, document_id.0).await?;
        let dpi = dpi.0.unwrap_or(DPI) as f32;
        Ok(Png(inspection::picture(&service, &document, page_file.0.page, dpi).await?))
    }
}

/// What the pictures of pages are called: `3.png`. A path's parameter is always a whole segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PageFile {
    /// Any number; whether there is such a page is the document's to say.
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
            None => Err(ParseError::custom("it is not a page's number and `.png`")),
        }
    }
}

/// A PNG file.
struct Png(Bytes);

impl IntoResponse for Png {
    fn into_response(self) -> Response {
        let mut response = Response::builder().content_type("image/png").body(self.0);
        // A document never changes; how long it is there, and for whom, is for the server alone to say.
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=900"));
        response
    }
}

impl ApiResponse for Png {
    fn meta() -> MetaResponses {
        let picture = MetaResponse {
            description: "The picture",
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
    fn a_page_file_is_a_number_and_its_suffix() {
        let page = |name: &str| PageFile::parse_from_parameter(name).ok().map(|file| file.page);
        for (name, expected) in [("1.png", Some(1)), ("007.png", Some(7)), ("0.png", Some(0))] {
            assert_eq!(page(name), expected, "{name}");
        }
        for name in ["", "1", ".png", "1.PNG", "1.png.png", "-1.png", "+1.png", "1.5.png", "1234567890.png", "٣.png"] {
            assert_eq!(page(name), None, "{name}");
        }
    }

    #[test]
    fn a_box_has_no_digits_that_the_file_has_not() {
        let of_file = PageBox { x1: 0.1, y1: -7.25, x2: 595.276, y2: 841.89 };
        let BoxObject { x1, y1, x2, y2 } = of_file.into();
        assert_eq!([x1, y1, x2, y2], [0.1, -7.25, 595.276, 841.89]);
    }
}
