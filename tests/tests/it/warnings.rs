//! Warnings: a job whose model lacked something completes and says so. A job that lacked nothing has none.

use std::path::PathBuf;

use drafting::manual::{self, Style};
use drafting::plan::{self, styles};
use drafting::scan::{Scanner, scan};
use fanlight_tests::document;
use fanlight_tests::server::{Caller, Options, Server, answer};
use language_provider::{Provider, Reply};
use native::prints;
use pdf_engine::vocabulary::Orientation;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use webhook_receiver::Receiver;

use crate::plan_scan::straight_scan;

/// The resolution of scans in pixels an inch.
const DPI: f32 = 200.0;

/// Returns a manual, and a scan of one page of its contents.
fn manual_and_scan() -> (Vec<u8>, Vec<u8>) {
    let manual = manual::generate(&Style::default(), 3);
    let contents = manual.truth.toc_pages[0] as u32;
    let prints = prints(manual.pdf.clone(), [contents], DPI, Orientation::Displayed).unwrap();
    (manual.pdf, scan(&prints, &Scanner::ALL[0].1, 1))
}

/// Returns a floor plan as lines, and a scan of it.
fn plan_and_scan() -> (Vec<u8>, Vec<u8>) {
    let (_, style) = styles().swap_remove(0);
    let plan = plan::generate(&style, 1);
    let scanned = straight_scan(plan.pdf.clone(), DPI);
    (plan.pdf, scanned)
}

fn without_ocr() -> Vec<(&'static str, String)> {
    vec![("OCR__ENGINE", "tesseract".to_owned()), ("OCR__PROGRAM", "/nonexistent".to_owned())]
}

fn server(settings: Vec<(&'static str, String)>) -> Server {
    Server::start_with(Options { settings, ..Options::default() })
}

async fn submitted(client: &Caller, path: &str, body: Value) -> Value {
    let submitted = answer(client.request(Method::POST, path).json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

async fn parsed(client: &Caller, document: &str) -> Value {
    submitted(client, "/v1/specs/parse/document", json!({ "document_id": document })).await
}

async fn doors(client: &Caller, pdf: Vec<u8>) -> Value {
    let document = client.document(pdf).await;
    submitted(client, "/v1/drawings/detection/doors", json!({ "document_id": document })).await
}

fn codes(job: &Value) -> Vec<&str> {
    let warnings = job["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["code"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_scan_is_warned_of_missing_ocr() {
    let server = server(without_ocr());
    let client = server.client("office", "enterprise");
    let (text, scanned) = manual_and_scan();

    let job = parsed(&client, &client.document(scanned).await).await;
    let warning = json!({
        "code": "OCR_UNAVAILABLE",
        "message": "Pictures of text were not read: OCR is not available.",
    });
    assert_eq!(job["warnings"], json!([warning]));
    let listed = client.get("/v1/jobs").await.body;
    assert_eq!(listed["jobs"][0]["warnings"], json!([warning]));

    let job = parsed(&client, &client.document(text).await).await;
    assert_eq!(job["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_with_warnings_is_kept_but_not_reused() {
    let folder = tempfile::tempdir().unwrap();
    let data: PathBuf = folder.path().join("data");
    let options = |settings| Options { data: Some(data.clone()), settings, ..Options::default() };
    let mut server = Server::start_with(options(without_ocr()));
    let client = server.client("office", "enterprise");
    let document = client.document(manual_and_scan().1).await;
    let first = parsed(&client, &document).await;
    server.kill();

    let server = Server::start_with(options(Vec::new()));
    let client = client.at(&server);
    let kept = client.finished(first["id"].as_str().unwrap()).await;
    assert_eq!(codes(&kept), ["OCR_UNAVAILABLE"]);
    let anew = parsed(&client, &document).await;
    assert_eq!((codes(&anew), &anew["cached"]), (vec![], &json!(false)));
    assert_ne!(anew["result"]["divisions"], json!([]), "OCR is there by now");
    let again = parsed(&client, &document).await;
    assert_eq!((codes(&again), &again["cached"]), (vec![], &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_network_is_a_warning_only_if_needed() {
    let only = |grant: &str| vec![("GRANTS__DOOR-DETECTOR", grant.to_owned())];
    let server = server(only("[ocr]"));
    let client = server.client("office", "enterprise");
    let (plan, scanned) = plan_and_scan();

    let on_lines = doors(&client, plan.clone()).await;
    let classifier = "The network `symbol-classifier` was not asked: it is not available.";
    assert_eq!(on_lines["warnings"], json!([{ "code": "NETWORK_UNAVAILABLE", "message": classifier }]));
    assert_ne!(on_lines["result"]["doors"], json!([]), "doors are detected from lines");
    let on_a_scan = doors(&client, scanned).await;
    let detector = "The network `symbol-detector` was not asked: it is not available.";
    assert_eq!(on_a_scan["warnings"], json!([{ "code": "NETWORK_UNAVAILABLE", "message": detector }]));
    let on_text = doors(&client, document::titled("Not a plan", 1)).await;
    assert_eq!(on_text["warnings"], json!([]));

    // Only scans need the network for scans.
    let server = self::server(only("[\"nn:symbol-classifier\"]"));
    let on_lines = doors(&server.client("office", "enterprise"), plan).await;
    assert_eq!(on_lines["warnings"], json!([]));
}

/// Extracts a section's requirements and returns the job.
async fn extracted(server: &Server) -> Value {
    let client = server.client("office", "developer");
    let manual = document::typed(&[
        &["TABLE OF CONTENTS", "DIVISION 08 - OPENINGS", "08 71 00 DOOR HARDWARE", "08 80 00 GLAZING"],
        &["SECTION 08 71 00", "DOOR HARDWARE", "PART 1 - GENERAL", "1.1 SUBMITTALS", "A. Product Data: For each lock."],
    ]);
    let contents = parsed(&client, &client.document(manual).await).await;
    let body = json!({ "job_id": contents["id"], "section_codes": ["087100"] });
    submitted(&client, "/v1/specs/content-extract", body).await
}

fn asking(provider: &Provider, tokens: &str) -> Vec<(&'static str, String)> {
    vec![
        ("GRANTS__CONTENT-EXTRACTOR", "[language]".to_owned()),
        ("LANGUAGE__BASE_URL", provider.base_url().to_owned()),
        ("LANGUAGE__MODEL", "small".to_owned()),
        ("LANGUAGE__RETRIES", "0".to_owned()),
        ("LANGUAGE__TOKENS_PER_JOB", tokens.to_owned()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unanswered_language_model_is_a_warning() {
    let failing = Provider::replying([Reply::Status(500, Value::Null, None)]).await;
    let cases = [
        (asking(&failing, "1000000"), "LANGUAGE_MODEL_FAILED"),
        (asking(&failing, "1"), "LANGUAGE_MODEL_BUDGET_EXHAUSTED"),
    ];
    for (settings, code) in cases {
        let job = extracted(&server(settings)).await;
        assert_eq!(codes(&job), [code], "{job}");
        assert_eq!(job["result"]["sections"][0]["normalization"], "none");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_by_rules_has_no_warning() {
    let job = extracted(&server(Vec::new())).await;
    assert_eq!(job["warnings"], json!([]));
    assert_eq!(job["result"]["sections"][0]["normalization"], "rules");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_message_has_the_warnings() {
    let mut receiver = Receiver::start([]).await;
    let mut settings = without_ocr();
    settings.extend([
        ("WEBHOOKS__ALLOWED_HOSTS", format!("[{:?}]", receiver.host())),
        ("WEBHOOKS__CA_FILE", receiver.authority().display().to_string()),
    ]);
    let server = server(settings);
    let client = server.client("office", "enterprise");
    let document = client.document(manual_and_scan().1).await;
    let body = json!({ "document_id": document, "webhook_url": receiver.url("/hook") });
    let job = submitted(&client, "/v1/specs/parse/document", body).await;

    let posted: Value = serde_json::from_slice(&receiver.next().await.body).unwrap();
    assert_eq!(codes(&posted), ["OCR_UNAVAILABLE"]);
    assert_eq!(posted["warnings"], job["warnings"]);
}
