//! Detection of rooms through the whole service.

use drafting::plan::{RoomTruth, Style, generate, styles};
use fanlight_tests::boxes::{bbox, intersection_over_union};
use fanlight_tests::document;
use fanlight_tests::server::{Caller, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::plan_scan::straight_scan;

/// Minimum share of a synthetic plan's rooms that must be detected.
const BAR: f64 = 0.85;
/// Minimum share of the rooms of a scanned plan that must be detected, and of the detections that are rooms.
const SCANNED_BAR: f64 = 0.6;
/// Minimum share of the rooms detected on a scanned plan whose name must be read without a mistake: the scanner takes strokes
/// off small letters.
const READ_BAR: f64 = 0.25;
/// Resolution of the scan.
const DPI: f32 = 150.0;
/// Boxes with at least this intersection over union are the same room.
const SAME: f64 = 0.7;

/// Detects a document's rooms and returns the finished job.
async fn detected(client: &Caller, pdf: Vec<u8>) -> Value {
    let body = json!({ "document_id": client.document(pdf).await });
    let submitted = answer(client.request(Method::POST, "/v1/drawings/detection/rooms").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

/// Whether a room with this number and about this box was detected.
fn is_found(number: &str, truth: [f64; 4], rooms: &[Value]) -> bool {
    rooms.iter().any(|room| room["number"] == number && intersection_over_union(bbox(room), truth) >= SAME)
}

/// Returns the area of a polygon.
fn area(polygon: &Value) -> f64 {
    let corners: Vec<(f64, f64)> =
        polygon.as_array().unwrap().iter().map(|at| (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())).collect();
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_detected_in_every_rotation_of_the_sheet() {
    let server = Server::start();
    let client = server.client("plans", "enterprise");
    let (_, style) = styles().into_iter().find(|(name, _)| *name == "factory").unwrap();
    for rotate in [0, 90, 180, 270] {
        let sheet = generate(&Style { rotate, ..style.clone() }, 9);
        let job = detected(&client, sheet.pdf).await;
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!("room-detector"), &json!(2)), "{rotate}");
        let result = &job["result"];
        let rooms = result["rooms"].as_array().unwrap();
        assert_eq!((&result["rooms_found"], &result["pages_analyzed"]), (&json!(rooms.len()), &json!(1)), "{rotate}");

        let truth = &sheet.truth.rooms;
        let found = truth.iter().filter(|truth| is_found(&truth.number, truth.bbox.map(f64::from), rooms)).count();
        assert!(found as f64 >= BAR * truth.len() as f64, "{rotate}: {found} of {}", truth.len());

        // Metres of the building for each point of the page.
        let point = 0.0254 / f64::from(sheet.truth.views[0].points_per_inch);
        for room in rooms {
            let id = room["id"].as_str().unwrap();
            assert!(id.strip_prefix("room_").is_some_and(|digits| digits.len() == 12), "{id}");
            let (points, metres) = (room["area_pt2"].as_f64().unwrap(), room["area_m2"].as_f64().unwrap());
            assert!((area(&room["polygon"]) / points - 1.0).abs() < 0.01, "{rotate}: {room}");
            assert!((metres - points * point * point).abs() <= 0.01 * metres + 0.01, "{rotate}: {room}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_of_a_scanned_plan_are_detected_and_some_names_read() {
    let server = Server::start();
    let client = server.client("plans", "enterprise");
    let (_, school) = styles().swap_remove(0);
    let sheet = generate(&school, 1);
    let job = detected(&client, straight_scan(sheet.pdf, DPI)).await;
    let rooms = job["result"]["rooms"].as_array().unwrap();

    let truth = &sheet.truth.rooms;
    let overlaps =
        |room: &Value, bbox_of: [f32; 4]| intersection_over_union(bbox(room), bbox_of.map(f64::from)) >= SAME;
    let found = truth.iter().filter(|truth| rooms.iter().any(|room| overlaps(room, truth.bbox))).count();
    let is_read = |own: &RoomTruth| rooms.iter().any(|room| overlaps(room, own.bbox) && room["name"] == own.name);
    let read = truth.iter().filter(|truth| is_read(truth)).count();
    assert!(found as f64 >= SCANNED_BAR * truth.len() as f64, "{found} of {}", truth.len());
    assert!(found as f64 >= SCANNED_BAR * rooms.len() as f64, "{found} of {} detections", rooms.len());
    assert!(read as f64 >= READ_BAR * found as f64, "{read} names of {found} rooms");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_without_a_plan_has_no_rooms() {
    let server = Server::start();
    let client = server.client("plans", "enterprise");
    let result = detected(&client, document::titled("Sheet", 2)).await["result"].clone();
    assert_eq!((&result["rooms"], &result["rooms_found"]), (&json!([]), &json!(0)));
    assert_eq!(result["pages_analyzed"], 2);
}
