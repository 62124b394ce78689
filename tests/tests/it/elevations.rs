//! Detection of interior elevations through the whole service.

use drafting::elevation::{ElevationTruth, Style, generate, styles};
use drafting::scan::{Scanner, scan_turned};
use fanlight_tests::boxes::{bbox, intersection_over_union};
use fanlight_tests::server::{Caller, Server, answer};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Boxes with at least this intersection over union are the same view, as the corpus counts.
const SAME: f64 = 0.5;

fn style(name: &str) -> Style {
    styles().into_iter().find(|(own, _)| *own == name).map(|(_, style)| style).unwrap()
}

/// Detects a document's elevations and returns the finished job.
async fn detected(client: &Caller, pdf: Vec<u8>, pages: Option<&[i64]>) -> Value {
    let mut body = json!({ "document_id": client.document(pdf).await });
    if let Some(pages) = pages {
        body["page_numbers"] = json!(pages);
    }
    let submitted = answer(client.request(Method::POST, "/v1/drawings/detection/elevation").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

fn is_found(truth: &ElevationTruth, found: &[Value]) -> bool {
    found.iter().any(|elevation| intersection_over_union(bbox(elevation), truth.bbox.map(f64::from)) >= SAME)
}

/// Asserts that at least three quarters of the views are detected, since lost text or fine lines may hide a few.
fn assert_most_are_found(result: &Value, truth: &[ElevationTruth], rotate: u16) {
    let found = result["elevations"].as_array().unwrap();
    let count = truth.iter().filter(|truth| is_found(truth, found)).count();
    assert!(4 * count >= 3 * truth.len(), "{rotate}: {count} of {}: {result}", truth.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn elevations_are_detected_in_every_rotation_of_the_sheet() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let style = style("circles");
    for rotate in [0, 90, 180, 270] {
        let sheet = generate(&Style { rotate, ..style.clone() }, 1);
        let job = detected(&client, sheet.pdf, None).await;
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!("elevation-detector"), &json!(2)), "{rotate}");
        let result = &job["result"];
        let found = result["elevations"].as_array().unwrap();
        assert_eq!(found.len(), sheet.truth.elevations.len(), "{rotate}: {result}");
        assert_eq!((&result["elevations_found"], &result["pages_analyzed"]), (&json!(found.len()), &json!(1)));
        for elevation in found {
            let mut fields: Vec<&String> = elevation.as_object().unwrap().keys().collect();
            fields.sort();
            assert_eq!(fields, ["bbox", "id", "page"], "{elevation}");
            let digits = elevation["id"].as_str().unwrap().strip_prefix("ele_").unwrap();
            assert!(digits.len() == 12 && digits.chars().all(|c| c.is_ascii_hexdigit()), "{elevation}");
            assert_eq!(elevation["page"], 1);
        }
        for truth in &sheet.truth.elevations {
            assert!(is_found(truth, found), "{rotate}: {truth:?} is not in {result}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sheets_without_words_or_elevations_return_empty_results() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    for rotate in [0, 90, 180, 270] {
        let outlined = generate(&Style { rotate, ..style("outlined") }, 2);
        let result = detected(&client, outlined.pdf, None).await["result"].clone();
        assert_most_are_found(&result, &outlined.truth.elevations, rotate);
    }
    for name in ["fronts", "sections", "plans", "plans-outlined"] {
        let result = detected(&client, generate(&style(name), 1).pdf, None).await["result"].clone();
        assert_eq!((&result["elevations"], &result["elevations_found"]), (&json!([]), &json!(0)), "{name}");
    }
}

/// Returns a scan of an upright sheet at `dpi`, made by a feeder with the sheet turned.
fn scanned(pdf: Vec<u8>, dpi: f32, rotate: u16) -> Vec<u8> {
    scan_turned(&prints(pdf, [1], dpi, Orientation::Displayed).unwrap(), &Scanner::ALL[1].1, 1, rotate)
}

#[tokio::test(flavor = "multi_thread")]
async fn only_scans_with_elevations_return_any() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let sheet = generate(&style("circles"), 1);
    let result = detected(&client, scanned(sheet.pdf, 150.0, 0), None).await["result"].clone();
    assert_most_are_found(&result, &sheet.truth.elevations, 0);

    let result =
        detected(&client, scanned(generate(&style("sections"), 1).pdf, 100.0, 0), None).await["result"].clone();
    assert_eq!(result["elevations"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scans_elevations_are_detected_in_every_rotation() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    for rotate in [90, 180, 270] {
        let sheet = generate(&style("half-size"), 1);
        let result = detected(&client, scanned(sheet.pdf, 150.0, rotate), None).await["result"].clone();
        // What a viewer shows upright is turned in user space.
        let truth = generate(&Style { rotate, ..style("half-size") }, 1).truth.elevations;
        assert_most_are_found(&result, &truth, rotate);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_pages_are_skipped_and_billed() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let job = detected(&client, generate(&style("sections"), 1).pdf, Some(&[1, 7])).await;
    assert_eq!(job["credits_charged"], 4);
    let result = &job["result"];
    assert_eq!((&result["elevations_found"], &result["pages_analyzed"]), (&json!(0), &json!(1)), "{result}");
}
