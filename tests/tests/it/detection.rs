//! Floor plans through the whole service: doors, toilets and fixtures.

use drafting::plan::{FixtureKind, Style, SyntheticSheet, Truth, generate, styles};
use drafting::scan::{Scanner, scan};
use fanlight_tests::document;
use fanlight_tests::server::{Caller, Options, Server, answer};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Of what a plan has, what must be found; and of what is found, what must be there.
const BAR: f64 = 0.8;
/// Of a scanned plan's doors, what must be found; and of what is found, what must be there.
const SCANNED_BAR: f64 = 0.6;
/// Pixels an inch that offices scan at.
const DPI: f32 = 200.0;
/// Boxes that have so much in common, over what either covers, are the same symbol.
const SAME: f64 = 0.5;
/// The least confidence that the specification has listed.
const LEAST_LISTED: f64 = 0.12;

fn style() -> Style {
    styles().into_iter().find(|(name, _)| *name == "renovation").map(|(_, style)| style).unwrap()
}

/// The finished job that looks for symbols in a document.
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
    let of_item = |item: &Value| ["x1", "y1", "x2", "y2"].map(|side| item["bbox"][side].as_f64().unwrap());
    items.as_array().unwrap().iter().map(of_item).collect()
}

/// Whether two boxes are about the same.
fn is_same(a: [f64; 4], b: [f64; 4]) -> bool {
    let area = |r: [f64; 4]| (r[2] - r[0]).max(0.0) * (r[3] - r[1]).max(0.0);
    let both = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    both >= SAME * (area(a) + area(b) - both)
}

/// How much of the truth is found, and how much of what is found is true.
fn shares(found: &[[f64; 4]], truth: &[[f64; 4]]) -> (f64, f64) {
    let recalled = truth.iter().filter(|own| found.iter().any(|one| is_same(*one, **own))).count();
    let right = found.iter().filter(|one| truth.iter().any(|own| is_same(**one, *own))).count();
    (recalled as f64 / truth.len().max(1) as f64, right as f64 / found.len().max(1) as f64)
}

/// Whether an item is rather there than not: doors that are not are never listed.
fn is_sure(item: &Value) -> bool {
    item.get("confidence").and_then(Value::as_f64).is_none_or(|confidence| confidence > 0.5)
}

/// The symbols of a drafted plan that an endpoint finds.
fn truth_of(what: &str, truth: &Truth) -> Vec<[f64; 4]> {
    let is_toilet = |kind: FixtureKind| matches!(kind, FixtureKind::Wc | FixtureKind::SquatWc | FixtureKind::Urinal);
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
async fn symbols_of_a_drafted_plan_are_found_whichever_way_the_sheet_lies() {
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
async fn pages_without_a_plan_and_beyond_the_end_have_none_and_are_billed() {
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
async fn the_same_plan_has_the_same_doors_twice() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let sheet = generate(&style(), 8);
    let first = detected(&client, "doors", sheet.pdf.clone(), None).await;
    let second = detected(&client, "doors", sheet.pdf, None).await;
    assert_eq!(first["result"]["doors"], second["result"]["doors"]);
}

/// A drafted plan as it comes out of a scanner that lays it straight.
fn scanned(sheet: &SyntheticSheet) -> Vec<u8> {
    let prints = prints(sheet.pdf.clone(), [1], DPI, Orientation::UserSpace).unwrap();
    scan(&prints, &Scanner { skew: 0.0, ..Scanner::ALL[1].1 }, 1)
}

#[tokio::test(flavor = "multi_thread")]
async fn doors_of_a_scanned_plan_are_found() {
    let server = Server::start();
    let client = server.client("scans", "enterprise");
    let (_, school) = styles().swap_remove(0);
    let sheet = generate(&school, 1);
    let job = detected(&client, "doors", scanned(&sheet), None).await;
    let (recall, precision) = shares(&boxes(&job["result"]["doors"]), &truth_of("doors", &sheet.truth));
    assert!(recall >= SCANNED_BAR && precision >= SCANNED_BAR, "{recall:.3} {precision:.3} in {job}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_its_network_nothing_is_found_on_a_scan_and_the_job_completes() {
    let settings = vec![("GRANTS__DOOR-DETECTOR", "[]".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("scans", "enterprise");
    let job = detected(&client, "doors", scanned(&generate(&style(), 8)), None).await;
    assert_eq!((&job["result"]["doors"], &job["result"]["doors_found"]), (&json!([]), &json!(0)));
}
