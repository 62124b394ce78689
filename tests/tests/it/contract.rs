//! The service specification, row by row. Each test is a table of it, named by its heading, and each check is a row.
//!
//! A row of a model that is not installed is checked as well: its endpoint validates, then answers that the model is
//! missing.

use chrono::{DateTime, TimeDelta, Utc};
use drafting::manual::{generate, styles};
use fanlight_tests::document;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

/// A field's name, and the check of its value.
type Field<'a> = (&'a str, fn(&Value) -> bool);

/// A table of the specification and its rows that do not hold. Dropping the value fails the test if there are any.
struct Table {
    heading: &'static str,
    broken: Vec<String>,
}

impl Table {
    fn new(heading: &'static str) -> Self {
        Self { heading, broken: Vec::new() }
    }

    /// Records a row. `seen` is shown if it does not hold.
    fn row(&mut self, name: &str, holds: bool, seen: &Value) {
        if !holds {
            self.broken.push(format!("{name}: {seen}"));
        }
    }

    /// Records a row for each field of an object.
    fn fields(&mut self, object: &Value, rows: &[Field]) {
        for (name, holds) in rows {
            let value = &object[*name];
            self.row(name, object.get(*name).is_some() && holds(value), value);
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.broken.is_empty(), "{}:\n{}", self.heading, self.broken.join("\n"));
        }
    }
}

fn is_uuid(value: &Value) -> bool {
    value.as_str().is_some_and(|text| Uuid::parse_str(text).is_ok_and(|id| id.hyphenated().to_string() == text))
}

fn is_time(value: &Value) -> bool {
    time(value).is_some()
}

fn is_link(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.starts_with("http://127.0.0.1:") && text.contains("/v1/files/"))
}

fn is_version(value: &Value) -> bool {
    let Some((name, version)) = value.as_str().and_then(|text| text.rsplit_once("-v")) else {
        return false;
    };
    let numbers: Vec<&str> = version.split('.').collect();
    !name.is_empty() && numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u32>().is_ok())
}

fn time(value: &Value) -> Option<DateTime<Utc>> {
    let text = value.as_str().filter(|text| text.ends_with('Z'))?;
    text.parse().ok()
}

/// Returns a synthetic manual with section pages.
fn manual() -> Vec<u8> {
    let (_, style) = styles().swap_remove(0);
    generate(&style, 1).pdf
}

async fn post(client: &Caller, path: &str, body: Value) -> Answer {
    answer(client.request(Method::POST, path).json(&body)).await
}

/// Starts a server that runs no jobs until [`worker_of`] starts a worker on its data.
fn without_worker() -> Server {
    Server::start_with(Options { role: Some("api"), ..Options::default() })
}

fn worker_of(server: &Server, plugins: Option<std::path::PathBuf>) -> Server {
    Server::start_with(Options { data: Some(server.data().to_owned()), plugins, ..Options::default() })
}

/// A submission of the specification.
struct Submission {
    model: &'static str,
    path: &'static str,
    body: Value,
}

/// Returns each submission of the specification, with a valid body.
fn submissions(document: &str, toc_job: &str) -> [Submission; 7] {
    let by_document = json!({ "document_id": document });
    [
        Submission { model: "door-detector", path: "/v1/drawings/detection/doors", body: by_document.clone() },
        Submission { model: "toilet-detector", path: "/v1/drawings/detection/toilets", body: by_document.clone() },
        Submission { model: "elevation-detector", path: "/v1/drawings/detection/elevation", body: by_document.clone() },
        Submission { model: "schedule-extractor", path: "/v1/drawings/schedules", body: by_document.clone() },
        Submission { model: "drawing-classifier", path: "/v1/drawings/classify", body: by_document.clone() },
        Submission { model: "toc-parser", path: "/v1/specs/parse/document", body: by_document },
        Submission {
            model: "content-extractor",
            path: "/v1/specs/content-extract",
            body: json!({ "job_id": toc_job, "division_codes": ["08"] }),
        },
    ]
}

/// The installed models.
const INSTALLED: [&str; 7] = [
    "toc-parser",
    "content-extractor",
    "drawing-classifier",
    "schedule-extractor",
    "door-detector",
    "elevation-detector",
    "toilet-detector",
];

#[tokio::test(flavor = "multi_thread")]
async fn job_models() {
    let server = Server::start();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let toc_job = client.job(&document).await;
    client.finished(&toc_job).await;
    let mut table = Table::new("What the service does: model name, submitted through");
    let mut charged = client.get("/v1/usage").await.body["used"].clone();
    for Submission { model, path, body } in submissions(&document, &toc_job) {
        let submitted = post(&client, path, body).await;
        let used = client.get("/v1/usage").await.body["used"].clone();
        if INSTALLED.contains(&model) {
            let id = submitted.body["job_id"].as_str().unwrap_or_default();
            let job = client.get(&format!("/v1/jobs/{id}")).await;
            table.row(model, submitted.status == StatusCode::ACCEPTED && job.body["model"] == model, &submitted.body);
        } else {
            let waits = submitted.error() == (503, "MODEL_UNAVAILABLE") && used == charged;
            table.row(&format!("{model}, which is not installed"), waits, &submitted.body);
        }
        charged = used;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn document_response_of_upload() {
    let server = Server::start();
    let client = server.client("contract", "developer");
    let pdf = document::titled("plan", 3);
    let size = pdf.len();
    let uploaded = client.upload(pdf).await;
    let mut table = Table::new("Document (response of upload)");
    table.row("201", uploaded.status == StatusCode::CREATED, &json!(uploaded.status.as_u16()));
    table.fields(
        &uploaded.body,
        &[
            ("document_id", is_uuid),
            ("original_filename", |value| value == "manual.pdf"),
            ("page_count", |value| value == 3),
            ("mime_type", |value| value == "application/pdf"),
            ("tier", |value| value == "developer"),
            ("uploaded_at", is_time),
            ("expires_at", is_time),
            ("download_url", is_link),
            ("download_url_expires_in_seconds", |value| value == 900),
        ],
    );
    table.row("file_size_bytes", uploaded.body["file_size_bytes"] == size, &uploaded.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn job_response_of_get() {
    let server = without_worker();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let id = client.job(&document).await;
    let queued = client.get(&format!("/v1/jobs/{id}")).await.body;

    let mut table = Table::new("Job (response of GET /v1/jobs/{job_id}), while queued");
    table.fields(
        &queued,
        &[
            ("id", is_uuid),
            ("status", |value| value == "queued"),
            ("model", |value| value == "toc-parser"),
            ("model_version", is_version),
            ("progress", |value| value.as_str().is_some_and(|text| text.starts_with("Queued"))),
            ("result", Value::is_null),
            ("queued_at", is_time),
            ("processing_started_at", Value::is_null),
            ("completed_at", Value::is_null),
            ("processing_time_ms", Value::is_null),
            ("pdf_url", is_link),
        ],
    );
    table.row("error_code", queued.get("error_code").is_none(), &queued);
    drop(table);

    let worker = worker_of(&server, None);
    let done = client.finished(&id).await;
    let mut table = Table::new("Job (response of GET /v1/jobs/{job_id}), once complete");
    table.fields(
        &done,
        &[
            ("status", |value| value == "complete"),
            ("result", Value::is_object),
            ("processing_started_at", is_time),
            ("completed_at", is_time),
            ("processing_time_ms", Value::is_u64),
        ],
    );
    table.row("error_code", done.get("error_code").is_none(), &done);
    drop(worker);
}

#[tokio::test(flavor = "multi_thread")]
async fn submission_acknowledgement() {
    let server = without_worker();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let submitted = client.parse(&document).await;
    let mut table = Table::new("Submission acknowledgement (HTTP 202)");
    table.row("202", submitted.status == StatusCode::ACCEPTED, &json!(submitted.status.as_u16()));
    table.fields(
        &submitted.body,
        &[("job_id", is_uuid), ("status", |value| value == "queued"), ("estimated_processing_seconds", Value::is_u64)],
    );
    let id = submitted.body["job_id"].as_str().unwrap();
    table.row("poll_url", submitted.body["poll_url"] == format!("/v1/jobs/{id}"), &submitted.body);
    let polled = client.get(submitted.body["poll_url"].as_str().unwrap()).await;
    table.row("poll_url is polled", polled.status == StatusCode::OK, &polled.body);

    // Only a toc-parser submission returns an estimate.
    let other = post(&client, "/v1/models/toc-parser/jobs", json!({ "document_id": document })).await;
    let absent = other.status == StatusCode::ACCEPTED && other.body.get("estimated_processing_seconds").is_none();
    table.row("estimated_processing_seconds elsewhere", absent, &other.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn result_toc_parser_and_result_content_extractor() {
    let server = Server::start();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let toc_job = client.job(&document).await;
    let toc = client.finished(&toc_job).await;
    let mut table = Table::new("Result: toc-parser");
    let divisions = toc["result"]["divisions"].as_array().cloned().unwrap_or_default();
    table.row("divisions", !divisions.is_empty(), &toc["result"]);
    for division in &divisions {
        table.fields(
            division,
            &[
                ("division_code", |value| value.as_str().is_some_and(|code| code.len() == 2)),
                ("division_title", Value::is_string),
                ("sections", Value::is_array),
            ],
        );
        for section in division["sections"].as_array().into_iter().flatten() {
            table.fields(
                section,
                &[
                    ("section_code", |value| {
                        value.as_str().is_some_and(|code| code.len() == 6 && code.bytes().all(|b| b.is_ascii_digit()))
                    }),
                    ("section_title", Value::is_string),
                ],
            );
        }
    }
    drop(table);

    let first = divisions.iter().find(|division| division["sections"].as_array().is_some_and(|all| !all.is_empty()));
    let code = first.unwrap()["division_code"].clone();
    let submitted =
        post(&client, "/v1/specs/content-extract", json!({ "job_id": toc_job, "division_codes": [code] })).await;
    let id = submitted.body["job_id"].as_str().unwrap();
    let content = client.finished(id).await;
    let mut table = Table::new("Result: content-extractor");
    table.row("source_job_id", content["result"]["source_job_id"] == toc_job, &content);
    let sections = content["result"]["sections"].as_array().cloned().unwrap_or_default();
    table.row("sections", sections.len() == first.unwrap()["sections"].as_array().unwrap().len(), &content["result"]);
    for section in &sections {
        for array in ["submittals", "references", "manufacturers", "warranties"] {
            table.row(array, section[array].is_array(), section);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn states_and_transitions() {
    let server = without_worker();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let mut table = Table::new("States and transitions");

    let submitted = client.parse(&document).await;
    table.row("(none) to queued", submitted.status == StatusCode::ACCEPTED, &submitted.body);
    let used = client.get("/v1/usage").await.body["used"].clone();
    table.row("credits charged at submission", used == 1, &used);

    let cancelled = client.job(&document).await;
    let path = format!("/v1/jobs/{cancelled}");
    let stranger = server.client("stranger", "pro");
    let refused = answer(stranger.request(Method::DELETE, &path)).await;
    table.row("cancelled by its owner alone", refused.error() == (404, "JOB_NOT_FOUND"), &refused.body);
    let answered = answer(client.request(Method::DELETE, &path)).await;
    table.row("queued to cancelled", answered.body["status"] == "cancelled", &answered.body);

    let worker = worker_of(&server, None);
    let done = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    table.row("any non-final to complete", done["status"] == "complete" && done["result"].is_object(), &done);
    let still = client.get(&path).await.body;
    table.row("a cancelled job no longer runs", still["status"] == "cancelled" && still["result"].is_null(), &still);
    let late = answer(client.request(Method::DELETE, &format!("/v1/jobs/{}", done["id"].as_str().unwrap()))).await;
    table.row("only while its status is queued", late.error() == (409, "JOB_NOT_CANCELLABLE"), &late.body);
    drop(worker);
}

#[tokio::test(flavor = "multi_thread")]
async fn post_v1_documents() {
    let server = Server::start();
    let client = server.client("contract", "free");
    let mut table = Table::new("POST /v1/documents");
    let taken = client.upload(document::titled("plan", 1)).await;
    table.row("multipart with one part `file`", taken.status == StatusCode::CREATED, &taken.body);
    let form = reqwest::multipart::Form::new().text("note", "no file");
    let without = answer(client.request(Method::POST, "/v1/documents").multipart(form)).await;
    table.row("without the part", without.error() == (422, "VALIDATION_ERROR"), &without.body);
    let text = client.upload(b"not a PDF".to_vec()).await;
    table.row("PDF only", text.error() == (415, "UNSUPPORTED_MEDIA_TYPE"), &text.body);
    let json = post(&client, "/v1/documents", json!({ "file": "x" })).await;
    table.row("no JSON body", json.error() == (415, "UNSUPPORTED_MEDIA_TYPE"), &json.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn get_v1_documents_and_one_of_them() {
    let server = Server::start();
    let client = server.client("contract", "pro");
    let document = client.document(document::titled("plan", 1)).await;
    let mut table = Table::new("GET /v1/documents and GET /v1/documents/{id}");
    let listed = client.get("/v1/documents").await;
    table.row("a key-check call", listed.status == StatusCode::OK, &listed.body);
    let nobody = answer(server.request(Method::GET, "/v1/documents").header("X-API-Key", "fl_0")).await;
    table.row("a key-check call with a wrong key", nobody.error() == (401, "UNAUTHORIZED"), &nobody.body);
    let again = client.get(&format!("/v1/documents/{document}")).await;
    table.row("a new download URL", is_link(&again.body["download_url"]), &again.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn submission_bodies() {
    let server = without_worker();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let toc_job = client.job(&document).await;
    let nil = Uuid::nil();
    let mut table = Table::new("POST /v1/drawings/… and /v1/specs/…: fields");
    for Submission { model, path, body } in submissions(&document, &toc_job) {
        let by_document = body.get("document_id").is_some();
        let missing = if by_document {
            json!({ "document_id": nil })
        } else {
            json!({ "job_id": nil, "division_codes": ["08"] })
        };
        let key = if by_document { "document_id" } else { "job_id" };
        let not_found = if by_document { "DOCUMENT_NOT_FOUND" } else { "JOB_NOT_FOUND" };
        let invalid = [
            ("is required", json!({})),
            ("is a UUID", json!({ key: "7" })),
            ("is a string", json!({ key: 7 })),
            ("in an object", json!([])),
        ];
        for (what, body) in invalid {
            let refused = post(&client, path, body).await;
            table.row(&format!("{model}: {key} {what}"), refused.error() == (422, "VALIDATION_ERROR"), &refused.body);
        }
        let refused = post(&client, path, missing).await;
        table.row(&format!("{model}: {key} is the caller's"), refused.error() == (404, not_found), &refused.body);
        let text = answer(client.request(Method::POST, path).body("{}").header("Content-Type", "text/plain")).await;
        table.row(&format!("{model}: Content-Type"), text.error() == (415, "UNSUPPORTED_MEDIA_TYPE"), &text.body);
        let broken = client.request(Method::POST, path).body("{").header("Content-Type", "application/json");
        let broken = answer(broken).await;
        table.row(&format!("{model}: bad JSON"), broken.error() == (422, "VALIDATION_ERROR"), &broken.body);
    }
    for path in ["/v1/drawings/detection/doors", "/v1/drawings/schedules"] {
        for (pages, valid) in [(json!([1, 999]), true), (json!(["1"]), false), (json!(1), false), (json!([1.5]), false)]
        {
            let answered = post(&client, path, json!({ "document_id": document, "page_numbers": pages })).await;
            let as_expected = if valid {
                answered.status == StatusCode::ACCEPTED
            } else {
                answered.error() == (422, "VALIDATION_ERROR")
            };
            table.row(&format!("{path}: page_numbers {pages}"), as_expected, &answered.body);
        }
    }
    let absent = post(&client, "/v1/specs/parse", json!({ "document_id": document })).await;
    table.row("the path /v1/specs/parse does not exist", absent.error() == (404, "NOT_FOUND"), &absent.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn post_v1_specs_content_extract() {
    let server = Server::start();
    let client = server.client("contract", "pro");
    let document = client.document(manual()).await;
    let toc_job = client.job(&document).await;
    let toc = client.finished(&toc_job).await;
    let divisions = toc["result"]["divisions"].as_array().unwrap();
    let filled = |division: &&Value| division["division_code"] != "00" && division["sections"][0].is_object();
    let division = divisions.iter().find(filled).unwrap();
    let code = division["sections"][0]["section_code"].as_str().unwrap();
    let spaced = format!("{} {} {}", &code[..2], &code[2..4], &code[4..]);
    let division_code = division["division_code"].as_str().unwrap();
    let short = division_code.trim_start_matches('0');

    let mut table = Table::new("POST /v1/specs/content-extract");
    let cases = [
        ("section_codes", json!({ "section_codes": [code] }), Ok(())),
        ("section_codes: a spaced code", json!({ "section_codes": [spaced] }), Ok(())),
        ("division_codes", json!({ "division_codes": [division_code] }), Ok(())),
        ("division_codes: 1 is 01", json!({ "division_codes": [short] }), Ok(())),
        ("both", json!({ "section_codes": [code], "division_codes": [division_code] }), Ok(())),
        ("section_codes: invalid", json!({ "section_codes": ["8"] }), Err((422, "INVALID_SECTION_CODE"))),
        (
            "division_codes: not in the contents",
            json!({ "division_codes": ["77"] }),
            Err((422, "NO_SECTIONS_RESOLVED")),
        ),
        ("neither", json!({}), Err((422, "NO_SECTIONS_RESOLVED"))),
    ];
    for (row, mut body, expected) in cases {
        body["job_id"] = json!(toc_job);
        let submitted = post(&client, "/v1/specs/content-extract", body).await;
        let holds = match expected {
            Ok(()) => submitted.status == StatusCode::ACCEPTED && submitted.body["status"] == "queued",
            Err(error) => submitted.error() == error,
        };
        table.row(row, holds, &submitted.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn errors() {
    let settings = vec![
        ("TIERS__FREE__CREDITS", "1".to_owned()),
        ("TIERS__DEVELOPER__CREDITS", "1".to_owned()),
        ("TIERS__PRO__REQUESTS_PER_MINUTE", "2".to_owned()),
    ];
    let server = Server::start_with(Options { role: Some("api"), settings, ..Options::default() });
    let mut table = Table::new("Errors");
    let nobody = answer(server.request(Method::GET, "/v1/documents")).await;
    table.row("401 missing key", nobody.error() == (401, "UNAUTHORIZED"), &nobody.body);
    let wrong = answer(server.request(Method::GET, "/v1/documents").header("X-API-Key", "fl_wrong")).await;
    table.row("401 invalid key", wrong.error() == (401, "UNAUTHORIZED"), &wrong.body);

    for (tier, expected) in [("free", (402, "FREE_TIER_LIMIT_REACHED")), ("developer", (429, "QUOTA_EXCEEDED"))] {
        let client = server.client(tier, tier);
        let document = client.document(document::titled("plan", 1)).await;
        client.job(&document).await;
        let second = client.parse(&document).await;
        table.row(&format!("{} {}", expected.0, expected.1), second.error() == expected, &second.body);
        let told_apart = second.body.get("retry_after_seconds").is_none();
        table.row("a quota 429 is told from a rate-limit 429 by its body", told_apart, &second.body);
    }

    let client = server.client("pro", "pro");
    let forged = answer(server.request(Method::GET, "/v1/files/AAAA")).await;
    table.row("403 forbidden cases on some other routes", forged.error() == (403, "FORBIDDEN"), &forged.body);
    let document = client.get(&format!("/v1/documents/{}", Uuid::nil())).await;
    table.row("404 DOCUMENT_NOT_FOUND", document.error() == (404, "DOCUMENT_NOT_FOUND"), &document.body);
    let malformed = client.get("/v1/documents/7").await;
    table.row("422 malformed UUID", malformed.error() == (422, "VALIDATION_ERROR"), &malformed.body);
    table.row("422 message", malformed.body["error"]["message"] == "Invalid request", &malformed.body);

    let mut limited = client.upload(document::titled("plan", 1)).await;
    for _ in 0..2 {
        limited = client.upload(document::titled("plan", 1)).await;
    }
    table.row("429 requests-per-minute limit", limited.error() == (429, "RATE_LIMITED"), &limited.body);
    table.row("429 retry_after_seconds", limited.body["retry_after_seconds"].is_u64(), &limited.body);
    for header in ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] {
        table.row(header, limited.headers.contains_key(header), &json!(format!("{:?}", limited.headers)));
    }
}

/// Returns credits and unit of a model's price.
fn price(models: &Value, name: &str) -> Option<(u64, String)> {
    let model = models["models"].as_array()?.iter().find(|model| model["name"] == name)?;
    Some((model["credits"].as_u64()?, model["credits_per"].as_str()?.to_owned()))
}

#[tokio::test(flavor = "multi_thread")]
async fn credits() {
    let server = without_worker();
    let client = server.client("contract", "pro");
    let document = client.document(document::titled("plan", 3)).await;
    let models = client.get("/v1/models").await.body;
    let mut table = Table::new("Credits");
    let rows = [
        ("doors detection", "door-detector", 2, "page"),
        ("elevation detection", "elevation-detector", 2, "page"),
        ("toilets detection", "toilet-detector", 3, "page"),
        ("schedules", "schedule-extractor", 1, "job"),
        ("specs parse/document", "toc-parser", 1, "job"),
        ("specs content-extract", "content-extractor", 1, "job"),
        ("drawings classify", "drawing-classifier", 1, "job"),
    ];
    for (row, model, credits, unit) in rows {
        let found = price(&models, model);
        table.row(row, found == Some((credits, unit.to_owned())), &json!(format!("{found:?}")));
    }
    let job = client.job(&document).await;
    let used = client.get("/v1/usage").await.body["used"].clone();
    client.get(&format!("/v1/jobs/{job}")).await;
    let after = client.get("/v1/usage").await.body["used"].clone();
    table.row("GET job: none", used == after && used == 1, &after);
    answer(client.request(Method::DELETE, &format!("/v1/jobs/{job}"))).await;
    let refunded = client.get("/v1/usage").await.body["used"].clone();
    table.row("DELETE job: none, and the charge comes back", refunded == 0, &refunded);
}

#[tokio::test(flavor = "multi_thread")]
async fn upload_size_and_retention() {
    let server = Server::start();
    let mut table = Table::new("Upload size and retention");
    for (tier, megabytes, days) in
        [("free", 50, 30), ("developer", 100, 30), ("pro", 150, 90), ("enterprise", 200, 365)]
    {
        let client = server.client(tier, tier);
        let uploaded = client.upload(document::titled("plan", 1)).await.body;
        let kept = time(&uploaded["expires_at"]).unwrap() - time(&uploaded["uploaded_at"]).unwrap();
        table.row(&format!("{tier}: {days} days"), kept == TimeDelta::days(days), &uploaded);
        // A declared size above the cap is refused before a byte is read.
        let too_large = client.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf");
        let too_large = answer(too_large.body(vec![b' '; megabytes * 1_000_000 + 1])).await;
        table.row(&format!("{tier}: {megabytes} MB"), too_large.error() == (413, "FILE_TOO_LARGE"), &too_large.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_management_and_other_paths() {
    let server = Server::start();
    let client = server.client("contract", "pro");
    let mut table = Table::new("Key management and other paths");
    let key = format!("/v1/keys/{}", Uuid::nil());
    for (method, path) in [(Method::POST, "/v1/keys"), (Method::GET, "/v1/keys"), (Method::DELETE, &key)] {
        // An API key is not an identity.
        let refused = answer(client.request(method.clone(), path).json(&json!({ "name": "second" }))).await;
        table.row(&format!("{method} {path}"), refused.error() == (401, "UNAUTHORIZED"), &refused.body);
    }
    let empty = post(&client, "/v1/batches", json!({ "requests": [] })).await;
    table.row("/v1/batches", empty.error() == (422, "VALIDATION_ERROR"), &empty.body);
    table.row("/v1/batches is rate limited", empty.headers.contains_key("X-RateLimit-Limit"), &empty.body);
    for path in ["/v1/drawings/detection/fixtures", "/v1/drawings/detection/rooms"] {
        let refused = post(&client, path, json!({})).await;
        table.row(path, refused.error() == (422, "VALIDATION_ERROR"), &refused.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn other_constants_and_versioning() {
    let server = Server::start();
    let client = server.client("contract", "pro");
    let document = client.document(document::titled("long", 45)).await;
    let done = client.finished(&client.job(&document).await).await;
    let mut table = Table::new("Other constants; Versioning");
    table.row("toc-parser reads at most 40 pages", done["result"]["pages_analyzed"] == 40, &done["result"]);
    table.row("each result carries model_version", is_version(&done["result"]["model_version"]), &done["result"]);
    let description = answer(server.request(Method::GET, "/openapi.json")).await.body;
    let paths: Vec<&String> = description["paths"].as_object().unwrap().keys().collect();
    let all_versioned = paths.iter().all(|path| path.starts_with("/v1/"));
    table.row("every path starts with /v1", all_versioned && paths.len() >= 20, &json!(paths));
}
