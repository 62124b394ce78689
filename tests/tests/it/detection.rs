//! Floor plans through the whole service: doors, toilets and fixtures.

use drafting::plan::{FixtureKind, Style, Truth, generate, styles};
use fanlight_tests::boxes::{bbox, intersection_over_union};
use fanlight_tests::document;
use fanlight_tests::server::{Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::plan_scan::straight_scan;

/// Minimum recall and minimum precision on a plan.
const BAR: f64 = 0.8;
/// Minimum recall and minimum precision for the doors of a scanned plan.
const SCANNED_BAR: f64 = 0.6;
/// The resolution of scans in pixels an inch.
const DPI: f32 = 200.0;
/// Boxes with at least this intersection over union are the same symbol.
const SAME: f64 = 0.5;
/// The lowest confidence that the specification lists.
const LEAST_LISTED: f64 = 0.12;

fn style() -> Style {
    styles().into_iter().find(|(name, _)| *name == "renovation").map(|(_, style)| style).unwrap()
}

/// Detects symbols in a document and returns the finished job.
async fn detected(client: &Caller, what: &str, pdf: Vec<u8>, pages: Option<&[i64]>) -> Value {
    let mut body = json!({ "document_id": client.document(pdf).await });
    if let Some(pages) = pages {
        body["page_numbers"] = json!(pages);
    }
    let path = format!("/v1/drawings/detection/{what}");
    let submitted = answer(client.request(Method::POST, &path).json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

fn boxes(items: &Value) -> Vec<[f64; 4]> {
    items.as_array().unwrap().iter().map(bbox).collect()
}

/// Whether two boxes are the same symbol by their intersection over union.
fn is_same(a: [f64; 4], b: [f64; 4]) -> bool {
    intersection_over_union(a, b) >= SAME
}

/// Returns recall and precision.
fn shares(found: &[[f64; 4]], truth: &[[f64; 4]]) -> (f64, f64) {
    let recalled = truth.iter().filter(|own| found.iter().any(|one| is_same(*one, **own))).count();
    let right = found.iter().filter(|one| truth.iter().any(|own| is_same(**one, *own))).count();
    (recalled as f64 / truth.len().max(1) as f64, right as f64 / found.len().max(1) as f64)
}

/// Whether an item's confidence is above one half. Doors below are never listed.
fn is_sure(item: &Value) -> bool {
    item.get("confidence").and_then(Value::as_f64).is_none_or(|confidence| confidence > 0.5)
}

fn is_toilet(kind: FixtureKind) -> bool {
    matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal)
}

/// Returns the true symbols of a synthetic plan that an endpoint should detect.
fn truth_of(what: &str, truth: &Truth) -> Vec<[f64; 4]> {
    let boxes: Vec<[f32; 4]> = match what {
        "doors" => truth.doors.iter().map(|door| door.bbox).collect(),
        "toilets" => {
            truth.fixtures.iter().filter(|fixture| is_toilet(fixture.kind)).map(|fixture| fixture.bbox).collect()
        }
        _ => truth.fixtures.iter().map(|fixture| fixture.bbox).collect(),
    };
    boxes.into_iter().map(|bbox| bbox.map(f64::from)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn symbols_are_detected_in_every_rotation_of_the_sheet() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let models = [
        ("doors", "door-detector", "door_", 2, vec!["bbox", "id", "page"]),
        ("toilets", "toilet-detector", "tlt_", 3, vec!["bbox", "confidence", "id", "page"]),
        ("fixtures", "fixture-detector", "fix_", 3, vec!["bbox", "confidence", "id", "kind", "page"]),
    ];
    for rotate in [0, 90, 180, 270] {
        let sheet = generate(&Style { rotate, ..style() }, 8);
        for (what, model, prefix, credits, fields) in &models {
            let job = detected(&client, what, sheet.pdf.clone(), None).await;
            assert_eq!((&job["model"], &job["credits_charged"]), (&json!(model), &json!(credits)), "{rotate}");
            let result = &job["result"];
            let found = result[*what].as_array().unwrap();
            assert_eq!(result[format!("{what}_found")], found.len(), "{rotate}: {what}");
            assert_eq!(result["pages_analyzed"], 1, "{rotate}: {what}");
            assert_eq!(result.get("candidates"), None, "{what}");
            for item in found {
                let mut own: Vec<&str> = item.as_object().unwrap().keys().map(String::as_str).collect();
                own.sort_unstable();
                assert_eq!(&own, fields, "{item}");
                let digits = item["id"].as_str().unwrap().strip_prefix(prefix).unwrap();
                assert!(digits.len() == 12 && digits.chars().all(|c| c.is_ascii_hexdigit()), "{item}");
                assert_eq!(item["page"], 1);
                if let Some(confidence) = item.get("confidence") {
                    assert!((LEAST_LISTED..=1.0).contains(&confidence.as_f64().unwrap()), "{item}");
                }
            }
            let (sure, weak): (Vec<Value>, Vec<Value>) = found.iter().cloned().partition(is_sure);
            let (sure, weak) = (boxes(&sure.into()), boxes(&weak.into()));
            assert!(!weak.iter().any(|one| sure.iter().any(|sure| is_same(*one, *sure))), "{rotate}: {what} {result}");
            let (recall, precision) = shares(&sure, &truth_of(what, &sheet.truth));
            assert!(recall >= BAR && precision >= BAR, "{rotate}: {what} {recall:.3} {precision:.3} in {result}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_and_missing_pages_have_no_symbols_and_are_billed() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    for what in ["doors", "toilets", "fixtures"] {
        let job = detected(&client, what, document::titled("A sheet", 2), Some(&[1, 900])).await;
        let result = &job["result"];
        assert_eq!((&result[what], &result[format!("{what}_found")]), (&json!([]), &json!(0)), "{what}");
        assert_eq!(job["credits_charged"], if what == "doors" { 4 } else { 6 }, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_on_one_plan_return_the_same_doors() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let sheet = generate(&style(), 8);
    let first = detected(&client, "doors", sheet.pdf.clone(), None).await;
    let second = detected(&client, "doors", sheet.pdf, None).await;
    assert_eq!(first["result"]["doors"], second["result"]["doors"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn doors_of_a_scanned_plan_are_detected() {
    let server = Server::start();
    let client = server.client("scans", "enterprise");
    let (_, school) = styles().swap_remove(0);
    let sheet = generate(&school, 1);
    let job = detected(&client, "doors", straight_scan(sheet.pdf.clone(), DPI), None).await;
    let (recall, precision) = shares(&boxes(&job["result"]["doors"]), &truth_of("doors", &sheet.truth));
    assert!(recall >= SCANNED_BAR && precision >= SCANNED_BAR, "{recall:.3} {precision:.3} in {job}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_network_a_scan_has_no_doors_and_the_job_completes() {
    let settings = vec![("GRANTS__DOOR-DETECTOR", "[]".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("scans", "enterprise");
    let job = detected(&client, "doors", straight_scan(generate(&style(), 8).pdf, DPI), None).await;
    assert_eq!((&job["result"]["doors"], &job["result"]["doors_found"]), (&json!([]), &json!(0)));
}
