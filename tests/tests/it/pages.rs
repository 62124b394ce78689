//! The pages of a document: geometry and pictures.

use std::io::Cursor;

use fanlight_tests::document::{self, Sheet};
use fanlight_tests::server::{Caller, Server};
use png::Unit;
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// A page whose crop box, 300 x 200 points, does not start at the origin.
const CROPPED: Sheet = Sheet { media_box: [0, 0, 1000, 500], crop_box: [100, 150, 400, 350], rotate: 0 };
/// 48 x 36 inches.
const ARCH_E: Sheet = Sheet { media_box: [0, 0, 3456, 2592], crop_box: [0, 0, 3456, 2592], rotate: 0 };

const RED: [u8; 3] = [255, 0, 0];
const WHITE: [u8; 3] = [255; 3];

struct Decoded {
    width: u32,
    height: u32,
    dots_a_metre: u32,
    pixels: Vec<u8>,
}

impl Decoded {
    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let start = (y * self.width + x) as usize * 3;
        self.pixels[start..start + 3].try_into().unwrap()
    }
}

async fn picture(client: &Caller, path: &str) -> Decoded {
    let response = client.request(Method::GET, path).send().await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    assert_eq!(response.headers()[CONTENT_TYPE], "image/png");
    assert!(response.headers()[CACHE_CONTROL].to_str().unwrap().starts_with("private"));
    let mut reader = png::Decoder::new(Cursor::new(response.bytes().await.unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(frame.color_type, png::ColorType::Rgb);
    let resolution = reader.info().pixel_dims.unwrap();
    assert_eq!((resolution.unit, resolution.xppu), (Unit::Meter, resolution.yppu));
    Decoded { width: frame.width, height: frame.height, dots_a_metre: resolution.xppu, pixels }
}

/// Returns the numbers of the pages in an answer.
fn page_numbers(body: &Value) -> Vec<u64> {
    body["pages"].as_array().unwrap().iter().map(|page| page["page_number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn pages_are_described_in_points_before_rotation() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let id = client.document(document::sheets(&[CROPPED, Sheet { rotate: 270, ..CROPPED }, ARCH_E])).await;

    let page = |number: u32, rotation: u32| {
        json!({
            "page_number": number, "width": 300.0, "height": 200.0, "rotation": rotation, "user_unit": 1.0,
            "media_box": {"x1": 0.0, "y1": 0.0, "x2": 1000.0, "y2": 500.0},
            "crop_box": {"x1": 100.0, "y1": 150.0, "x2": 400.0, "y2": 350.0},
        })
    };
    let all = client.get(&format!("/v1/documents/{id}/pages")).await;
    assert_eq!(all.status, StatusCode::OK, "{}", all.body);
    assert_eq!((&all.body["document_id"], &all.body["page_count"]), (&json!(id), &json!(3)));
    assert_eq!(all.body["pages"].as_array().unwrap()[..2], [page(1, 0), page(2, 270)]);
    assert_eq!(all.body["pages"][2]["width"], 3456.0);

    for (query, expected) in [("first=2&limit=1", vec![2]), ("first=2", vec![2, 3]), ("first=4", vec![])] {
        let part = client.get(&format!("/v1/documents/{id}/pages?{query}")).await;
        assert_eq!(page_numbers(&part.body), expected, "{query}");
    }
    for query in ["first=0", "limit=0", "limit=1001", "first=-1", "limit=many"] {
        let refused = client.get(&format!("/v1/documents/{id}/pages?{query}")).await;
        assert_eq!(refused.error(), (422, "VALIDATION_ERROR"), "{query}");
    }
}

#[tokio::test]
async fn a_picture_shows_the_rotated_crop_box() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let rotations = [0, 90, 180, 270];
    let id = client.document(document::sheets(&rotations.map(|rotate| Sheet { rotate, ..CROPPED }))).await;

    // Where the square of the bottom-left corner is, in a picture with one pixel a point.
    let corners = [(0, 199), (0, 0), (299, 0), (199, 299)];
    for (index, (x, y)) in corners.into_iter().enumerate() {
        let drawn = picture(&client, &format!("/v1/documents/{id}/pages/{}.png?dpi=72", index + 1)).await;
        let turned = index % 2 == 1;
        assert_eq!((drawn.width, drawn.height), if turned { (200, 300) } else { (300, 200) });
        assert_eq!(drawn.at(x, y), RED, "page {}", index + 1);
        assert_eq!(drawn.at(drawn.width - 1 - x, drawn.height - 1 - y), WHITE, "page {}", index + 1);
    }
}

#[tokio::test]
async fn a_picture_has_the_requested_resolution_where_it_fits() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let id = client.document(document::sheets(&[CROPPED, ARCH_E])).await;
    let dots_a_metre = |dpi: f32| (dpi / 0.0254).round() as u32;

    for (query, dpi) in [("", 100.0), ("?dpi=72", 72.0), ("?dpi=200", 200.0)] {
        let drawn = picture(&client, &format!("/v1/documents/{id}/pages/1.png{query}")).await;
        let across = |points: f32| (points * dpi / 72.0).ceil() as u32;
        assert_eq!((drawn.width, drawn.height), (across(300.0), across(200.0)), "{query}");
        assert_eq!(drawn.dots_a_metre, dots_a_metre(dpi), "{query}");
    }

    let whole = picture(&client, &format!("/v1/documents/{id}/pages/2.png?dpi=100")).await;
    assert_eq!((whole.width, whole.height), (4800, 3600));
    let capped = picture(&client, &format!("/v1/documents/{id}/pages/2.png?dpi=200")).await;
    assert!((19_000_000..20_010_000).contains(&(capped.width * capped.height)), "{}x{}", capped.width, capped.height);
    assert!((dots_a_metre(100.0)..dots_a_metre(200.0)).contains(&capped.dots_a_metre), "{}", capped.dots_a_metre);
    assert_eq!(capped.at(5, capped.height - 6), RED);
}

#[tokio::test]
async fn missing_pages_and_invalid_resolutions_have_different_errors() {
    let server = Server::start();
    let (client, other) = (server.client("office", "developer"), server.client("other", "developer"));
    let id = client.document(document::sheets(&[CROPPED])).await;
    let cases = [
        ("0.png", (404, "NOT_FOUND")),
        ("2.png", (404, "NOT_FOUND")),
        ("999999999.png", (404, "NOT_FOUND")),
        ("99999999999999999999.png", (422, "VALIDATION_ERROR")),
        ("1", (422, "VALIDATION_ERROR")),
        ("1.jpg", (422, "VALIDATION_ERROR")),
        ("-1.png", (422, "VALIDATION_ERROR")),
        ("1.png?dpi=71", (422, "VALIDATION_ERROR")),
        ("1.png?dpi=201", (422, "VALIDATION_ERROR")),
        ("1.png?dpi=100.5", (422, "VALIDATION_ERROR")),
        ("1.png/more", (404, "NOT_FOUND")),
    ];
    for (file, expected) in cases {
        assert_eq!(client.get(&format!("/v1/documents/{id}/pages/{file}")).await.error(), expected, "{file}");
    }
    for path in [format!("/v1/documents/{id}/pages"), format!("/v1/documents/{id}/pages/1.png")] {
        assert_eq!(other.get(&path).await.error(), (404, "DOCUMENT_NOT_FOUND"), "{path}");
        assert_eq!(client.get(&path.replace(&id, "7")).await.error(), (422, "VALIDATION_ERROR"), "{path}");
    }
}

#[tokio::test]
async fn head_answers_as_get_does_without_the_body() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let id = client.document(document::sheets(&[CROPPED])).await;
    for path in [format!("/v1/documents/{id}/pages"), format!("/v1/documents/{id}/pages/1.png")] {
        let get = client.request(Method::GET, &path).send().await.unwrap();
        let head = client.request(Method::HEAD, &path).send().await.unwrap();
        assert_eq!(head.status(), StatusCode::OK, "{path}");
        assert_eq!(head.headers()[CONTENT_TYPE], get.headers()[CONTENT_TYPE], "{path}");
        assert!(head.bytes().await.unwrap().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn a_page_that_draws_endlessly_is_refused() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let bomb = client.document(document::bomb_in_a_page(2)).await;
    let sound = client.document(document::sheets(&[CROPPED])).await;

    let refused = client.get(&format!("/v1/documents/{bomb}/pages/1.png")).await;
    assert_eq!(refused.error(), (422, "PDF_CORRUPT"));
    picture(&client, &format!("/v1/documents/{sound}/pages/1.png")).await;
}

/// A page of two blocks of tiles at the highest zoom level, with its square where the first tile ends.
const LARGE: Sheet = Sheet { media_box: [0, 0, 1200, 400], crop_box: [160, 100, 1160, 300], rotate: 0 };

#[tokio::test]
async fn tiles_are_the_picture_in_pieces() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let rotations = [0, 90, 180, 270];
    let id = client.document(document::sheets(&rotations.map(|rotate| Sheet { rotate, ..LARGE }))).await;
    for (page, (zoom, dpi)) in (1..=4).flat_map(|page| [(page, (2, 100)), (page, (3, 200))]) {
        let whole = picture(&client, &format!("/v1/documents/{id}/pages/{page}.png?dpi={dpi}")).await;
        for (column, row) in (0..whole.height.div_ceil(512))
            .flat_map(|row| (0..whole.width.div_ceil(512)).map(move |column| (column, row)))
        {
            let path = format!("/v1/documents/{id}/tiles/{page}/{zoom}/{column}/{row}.png");
            let tile = picture(&client, &path).await;
            let (left, top) = (column * 512, row * 512);
            assert_eq!(
                (tile.width, tile.height),
                ((whole.width - left).min(512), (whole.height - top).min(512)),
                "{path}"
            );
            for (x, y) in (0..tile.height).flat_map(|y| (0..tile.width).map(move |x| (x, y))) {
                assert_eq!(tile.at(x, y), whole.at(left + x, top + y), "{path} at {x}, {y}");
            }
        }
    }
    for beyond in ["1/3/6/0.png", "1/3/0/2.png", "1/3/4000000000/0.png", "5/0/0/0.png", "0/0/0/0.png", "1/4/0/0.png"] {
        let refused = client.get(&format!("/v1/documents/{id}/tiles/{beyond}")).await;
        assert_eq!(refused.error(), (404, "NOT_FOUND"), "{beyond}");
    }
}
