//! Schedules of drawing sheets through the whole service.

use std::collections::HashMap;

use drafting::scan::{Scanner, scan_turned};
use drafting::schedule::{Family, Lettering, Style, TableTruth, generate, styles};
use fanlight_tests::server::{Caller, Server, answer};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// Minimum share of correct cells on a synthetic sheet.
const BAR: f64 = 0.95;
/// Minimum share of correct cells on a sheet in a stroke font, and on a scan.
const STROKES_BAR: f64 = 0.7;
const SCANNED_BAR: f64 = 0.7;
/// The resolution of scans in pixels an inch.
const DPI: f32 = 200.0;

/// Extracts a document's schedules and returns the finished job.
async fn extracted(client: &Caller, pdf: Vec<u8>, pages: Option<&[u32]>) -> Value {
    let mut body = json!({ "document_id": client.document(pdf).await });
    if let Some(pages) = pages {
        body["page_numbers"] = json!(pages);
    }
    let submitted = answer(client.request(Method::POST, "/v1/drawings/schedules").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

/// Counts the occurrences of each text, ignoring spaces.
fn counted<'a>(texts: impl Iterator<Item = &'a str>) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for text in texts.map(|text| text.split_whitespace().collect::<String>()).filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    counts
}

/// Returns the share of a synthetic table's cells that a schedule contains.
fn share(schedule: &Value, table: &TableTruth) -> f64 {
    let rows = schedule["rows"].as_array().unwrap().iter().flat_map(|row| row.as_object().unwrap().values());
    let read = counted(rows.map(|cell| cell.as_str().unwrap()));
    let drafted = counted(table.rows.iter().flatten().map(String::as_str));
    let common: usize = drafted.iter().map(|(text, count)| *count.min(read.get(text).unwrap_or(&0))).sum();
    common as f64 / drafted.values().sum::<usize>().max(1) as f64
}

#[tokio::test(flavor = "multi_thread")]
async fn schedules_are_extracted_in_every_rotation_of_the_sheet() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let (_, style) = styles().swap_remove(0);
    for rotate in [0, 90, 180, 270] {
        let sheet = generate(&Style { rotate, ..style }, 1);
        let job = extracted(&client, sheet.pdf, None).await;
        let result = &job["result"];
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!("schedule-extractor"), &json!(1)));
        assert_eq!(result["schedules_found"], sheet.truth.tables.len(), "{rotate}: {result}");
        assert_eq!(result["pages_analyzed"], Value::Null);
        assert_eq!((&result["ocr_fallback_used"], &result["rasterized_pages"]), (&json!(false), &json!([])));

        for table in &sheet.truth.tables {
            let schedules = result["schedules"].as_array().unwrap();
            let schedule = schedules.iter().find(|schedule| schedule["title"] == table.title.as_str());
            let schedule = schedule.unwrap_or_else(|| panic!("{rotate}: no {:?} in {result}", table.title));
            assert_eq!(schedule["schedule_type"], table.schedule_type.as_str(), "{rotate}");
            assert_eq!(schedule["headers"].as_array().unwrap().len(), table.headers.len(), "{rotate}: {schedule}");
            assert_eq!(schedule["metadata"]["row_count"], table.rows.len(), "{rotate}: {schedule}");
            let share = share(schedule, table);
            assert!(share >= BAR, "{rotate}: {share:.3} of {:?} in {schedule}", table.title);
        }
    }
}

/// Returns a scan of a sheet that was put into the scanner sideways.
fn scanned(pdf: Vec<u8>, rotate: u16) -> Vec<u8> {
    scan_turned(&prints(pdf, [1], DPI, Orientation::Displayed).unwrap(), &Scanner::ALL[0].1, 1, rotate)
}

#[tokio::test(flavor = "multi_thread")]
async fn turned_schedules_without_text_are_read_by_ocr() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let style = Style { tables: 1, rows: 6, size: 10.0, family: Family::Libertinus, ..styles().swap_remove(0).1 };
    for rotate in [0, 90, 180, 270] {
        let strokes = generate(&Style { lettering: Lettering::Strokes, rotate, ..style }, 1);
        let printed = generate(&style, 1);
        let cases = [
            ("stroke font", strokes.pdf, strokes.truth, STROKES_BAR, "vector_rules_ocr"),
            ("scan", scanned(printed.pdf, rotate), printed.truth, SCANNED_BAR, "raster_rules_ocr"),
        ];
        for (what, pdf, truth, bar, method) in cases {
            let job = extracted(&client, pdf, None).await;
            let result = &job["result"];
            assert_eq!(result["schedules_found"], 1, "{what}, {rotate}: {result}");
            assert_eq!((&result["ocr_fallback_used"], &result["rasterized_pages"]), (&json!(true), &json!([1])));
            let schedule = &result["schedules"][0];
            assert_eq!(schedule["schedule_type"], truth.tables[0].schedule_type.as_str(), "{what}, {rotate}");
            assert_eq!(schedule["metadata"]["method"], method, "{what}, {rotate}: {schedule}");
            assert_eq!(schedule["metadata"]["ocr_fallback"], true, "{what}, {rotate}: {schedule}");
            let share = share(schedule, &truth.tables[0]);
            assert!(share >= bar, "{what}, {rotate}: {share:.3} of {schedule}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sheet_without_schedules_has_none() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let job = extracted(&client, fanlight_tests::document::titled("A sheet", 2), Some(&[1])).await;
    let result = &job["result"];
    assert_eq!((&result["schedules_found"], &result["schedules"]), (&json!(0), &json!([])));
    assert_eq!(result["pages_analyzed"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_analyzed_counts_named_pages_only() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let named: [(Option<&[u32]>, Value); 5] = [
        (None, Value::Null),
        (Some(&[1, 2]), json!(2)),
        (Some(&[2, 2, 1]), json!(3)),
        (Some(&[1, 9, 0]), json!(3)),
        (Some(&[9]), json!(1)),
    ];
    for (pages, expected) in named {
        let job = extracted(&client, fanlight_tests::document::titled("A sheet", 2), pages).await;
        assert_eq!(job["result"]["pages_analyzed"], expected, "{pages:?}");
    }
}
