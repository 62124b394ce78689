//! Classification of drawing sheets through the whole service.

use drafting::elevation;
use drafting::scan::{Scanner, scan_turned};
use drafting::sheet::{Contents, SheetSet, Style, Truth, generate, styles};
use fanlight_tests::server::{Caller, Options, Server, answer};
use futures_util::future::join_all;
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

fn style(name: &str) -> Style {
    styles().into_iter().find(|(own, _)| *own == name).map(|(_, style)| style).unwrap()
}

/// Classifies a document and returns the finished job.
async fn classified(client: &Caller, pdf: Vec<u8>) -> Value {
    let document = client.document(pdf).await;
    let body = json!({ "document_id": document });
    let submitted = answer(client.request(Method::POST, "/v1/drawings/classify").json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

/// Returns what differs from the truth, one entry for each page.
fn differences(result: &Value, truth: &Truth) -> Vec<String> {
    let letters = |text: Option<&str>| text.map(|text| text.split_whitespace().collect::<String>());
    let pages = result["pages"].as_array().unwrap();
    assert_eq!(pages.len(), truth.pages.len());
    pages
        .iter()
        .zip(&truth.pages)
        .filter(|(page, truth)| {
            let number = page["drawing_number"].as_str() == truth.drawing_number.as_deref();
            let title = letters(page["title"].as_str()) == letters(truth.title.as_deref());
            let kind = page["drawing_type"].as_str().is_some_and(|kind| truth.drawing_types.iter().any(|t| t == kind));
            let document = page["document_type"] == json!(truth.document_type);
            !(number && title && kind && document && page["page_number"] == truth.page_number)
        })
        .map(|(page, truth)| format!("{page}\n  should be {truth:?}"))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_synthetic_set_is_classified_sheet_by_sheet_for_one_credit() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    // Upright and turned title blocks, each page rotation, letter pages between sheets, and a set in several shards.
    for name in ["strip", "turned-strip", "all-turned", "under", "papers", "german", "whole-set"] {
        let set = generate(&style(name), 1);
        let job = classified(&client, set.pdf).await;
        let result = &job["result"];
        let differences = differences(result, &set.truth);
        let allowed = set.truth.pages.len() / 20;
        assert!(differences.len() <= allowed, "{name}:\n{}", differences.join("\n"));
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!("drawing-classifier"), &json!(1)), "{name}");
        assert_eq!(result["page_count"], set.truth.pages.len(), "{name}");
        let counts = result["by_drawing_type"].as_object().unwrap().values().map(|count| count.as_u64().unwrap());
        assert_eq!(counts.sum::<u64>(), set.truth.pages.len() as u64, "{name}");
    }
}

/// Returns a scan of an upright set at `dpi`, made on a flatbed with the pages turned by `rotate` degrees.
fn scanned(pdf: Vec<u8>, dpi: f32, rotate: u16) -> Vec<u8> {
    let pages = pdf_engine::Document::open(pdf.clone()).unwrap().page_count();
    scan_turned(&prints(pdf, 1..=pages, dpi, Orientation::Displayed).unwrap(), &Scanner::ALL[0].1, 1, rotate)
}

#[tokio::test(flavor = "multi_thread")]
async fn turned_sheets_without_text_are_classified_by_ocr() {
    let server = Server::start();
    let client = server.client("sheets", "enterprise");
    let set = generate(&Style { sheets: 1, contents: Contents::Architecture, ..style("counted") }, 1);
    let (_, outlined) = elevation::styles().into_iter().find(|(name, _)| *name == "outlined").unwrap();
    join_all([0, 90, 180, 270].map(|rotate| classify_turned(&client, &set, &outlined, rotate))).await;
}

/// Checks a scan and a sheet whose text is drawn as lines, both turned by `rotate` degrees.
async fn classify_turned(client: &Caller, set: &SheetSet, outlined: &elevation::Style, rotate: u16) {
    let job = classified(client, scanned(set.pdf.clone(), 150.0, rotate)).await;
    let differences = differences(&job["result"], &set.truth);
    assert!(differences.is_empty(), "{rotate}:\n{}", differences.join("\n"));

    // The title block is the same on each of these sheets.
    let sheet = elevation::generate(&elevation::Style { rotate, ..outlined.clone() }, 1);
    let job = classified(client, sheet.pdf).await;
    let page = &job["result"]["pages"][0];
    let found = (&page["document_type"], &page["drawing_number"]);
    assert_eq!(found, (&json!("drawing"), &json!("A-501")), "{rotate}: {page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_ocr_scanned_sheets_are_pictures_and_the_job_completes() {
    let settings = vec![("OCR__ENGINE", "tesseract".to_owned()), ("OCR__PROGRAM", "no-such-program".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("sheets", "enterprise");
    let set = generate(&Style { sheets: 2, contents: Contents::Architecture, ..style("counted") }, 1);
    let job = classified(&client, scanned(set.pdf, 50.0, 0)).await;
    for page in job["result"]["pages"].as_array().unwrap() {
        assert_eq!((&page["document_type"], &page["drawing_number"]), (&json!("picture"), &Value::Null), "{page}");
    }
    assert_eq!(job["result"]["by_drawing_type"], json!({ "other": 2 }));
}
