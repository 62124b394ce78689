//! Every endpoint that takes submissions: what it queues, charges and refuses.

use fanlight_tests::document;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// An id without a document or a job.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// An endpoint that takes submissions.
struct Endpoint {
    path: &'static str,
    model: &'static str,
    credits: u64,
    /// Whether `credits` is the price of a page. Else it is the price of a job.
    by_page: bool,
}

/// The endpoints that take page numbers.
const ON_PAGES: [Endpoint; 6] = [
    Endpoint { path: "/v1/drawings/detection/doors", model: "door-detector", credits: 2, by_page: true },
    Endpoint { path: "/v1/drawings/detection/toilets", model: "toilet-detector", credits: 3, by_page: true },
    Endpoint { path: "/v1/drawings/detection/elevation", model: "elevation-detector", credits: 2, by_page: true },
    Endpoint { path: "/v1/drawings/detection/fixtures", model: "fixture-detector", credits: 3, by_page: true },
    Endpoint { path: "/v1/drawings/detection/rooms", model: "room-detector", credits: 2, by_page: true },
    Endpoint { path: "/v1/drawings/schedules", model: "schedule-extractor", credits: 1, by_page: false },
];

/// The endpoints that take a whole document.
const ON_DOCUMENTS: [Endpoint; 2] = [
    Endpoint { path: "/v1/drawings/classify", model: "drawing-classifier", credits: 1, by_page: false },
    Endpoint { path: "/v1/specs/parse/document", model: "toc-parser", credits: 1, by_page: false },
];

/// Starts a server with a stand-in for every model.
fn with_stand_ins() -> (Server, Plugins) {
    let mut plugins = Plugins::default().with("tally", &fanlight_tests::installed::guest("tally"));
    for model in ON_PAGES.iter().chain(&ON_DOCUMENTS).map(|endpoint| endpoint.model) {
        plugins = plugins.with_stand_in(model);
    }
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    (server, plugins)
}

/// Starts a server without models and without workers.
fn with_no_models() -> (Server, Plugins) {
    let plugins = Plugins::default();
    let options = Options { plugins: Some(plugins.folder()), role: Some("api"), ..Options::default() };
    (Server::start_with(options), plugins)
}

async fn submit(client: &Caller, path: &str, body: &Value) -> Answer {
    answer(client.request(Method::POST, path).json(body)).await
}

async fn submit_text(client: &Caller, path: &str, body: impl Into<reqwest::Body>) -> Answer {
    let request = client.request(Method::POST, path).header("Content-Type", "application/json");
    answer(request.body(body)).await
}

/// Submits a job, expects 202 and returns the job.
async fn job_of(client: &Caller, submitted: Answer) -> Value {
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job_id = submitted.body["job_id"].as_str().unwrap();
    assert_eq!(submitted.headers[LOCATION], format!("/v1/jobs/{job_id}"));
    assert_eq!(submitted.body["poll_url"], format!("/v1/jobs/{job_id}"));
    assert_eq!(submitted.body["status"], "queued");
    let finished = client.finished(job_id).await;
    assert_eq!(finished["status"], "complete", "{finished}");
    finished
}

#[tokio::test]
async fn each_endpoint_queues_its_model_at_its_price() {
    let (server, _plugins) = with_stand_ins();
    let client = server.client("office", "enterprise");
    let document = client.document(document::titled("Sheets", 3)).await;

    let some = [2, 2, 900, 0, -1];
    for Endpoint { path, model, credits, by_page } in ON_PAGES {
        let asked = [
            (json!({ "document_id": document }), 3, json!([1, 2, 3])),
            (json!({ "document_id": document, "page_numbers": some }), 5, json!([2])),
        ];
        for (body, billed, worked_on) in asked {
            let submitted = submit(&client, path, &body).await;
            assert_eq!(submitted.body.get("estimated_processing_seconds"), None, "{path}");
            let job = job_of(&client, submitted).await;
            assert_eq!(job["model"], model, "{path}");
            assert_eq!(job["credits_charged"], if by_page { credits * billed } else { credits }, "{path} of {body}");
            assert_eq!(job["result"]["pages"], worked_on, "{path} of {body}");
            assert_eq!(job["result"]["parameters"], json!({}));
        }
    }
    for Endpoint { path, model, credits, .. } in ON_DOCUMENTS {
        let submitted = submit(&client, path, &json!({ "document_id": document })).await;
        let estimated = submitted.body.get("estimated_processing_seconds").is_some();
        assert_eq!(estimated, model == "toc-parser", "{path}");
        let job = job_of(&client, submitted).await;
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!(model), &json!(credits)), "{path}");
    }
}

#[tokio::test]
async fn every_installed_model_takes_jobs_with_its_parameters() {
    let plugins =
        Plugins::default().with_stand_in("acme-beams").with("tally", &fanlight_tests::installed::guest("tally"));
    let settings = vec![("PRICES__ACME-BEAMS", "{ credits = 7, per = \"page\" }".to_owned())];
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), settings, ..Options::default() });
    let client = server.client("office", "enterprise");
    let document = client.document(document::titled("Sheets", 3)).await;

    let body = json!({ "document_id": document, "page_numbers": [3, 1], "parameters": { "grade": "S355" } });
    let job = job_of(&client, submit(&client, "/v1/models/acme-beams/jobs", &body).await).await;
    assert_eq!((&job["model"], &job["credits_charged"]), (&json!("acme-beams"), &json!(14)));
    assert_eq!(job["result"]["pages"], json!([1, 3]));
    assert_eq!(job["result"]["parameters"], json!({ "grade": "S355" }));

    let body = json!({ "document_id": document, "page_numbers": [1, 2], "parameters": null });
    let job = job_of(&client, submit(&client, "/v1/models/tally/jobs", &body).await).await;
    assert_eq!(
        (&job["model"], &job["credits_charged"]),
        (&json!("tally"), &json!(1)),
        "the default price is one credit a job"
    );

    let nobodys = submit(&client, "/v1/models/nobodys/jobs", &json!({ "document_id": document })).await;
    assert_eq!(nobodys.error(), (404, "NOT_FOUND"));
    for body in [
        json!({ "document_id": document, "parameters": [] }),
        json!({ "document_id": document, "parameters": "grade" }),
        json!({ "document_id": document, "page_numbers": [] }),
        json!({ "document_id": document, "model": "tally" }),
    ] {
        let refused = submit(&client, "/v1/models/acme-beams/jobs", &body).await;
        assert_eq!(refused.error(), (422, "VALIDATION_ERROR"), "{body}");
    }
}

#[tokio::test]
async fn an_equal_submission_reuses_the_result_by_default() {
    let (server, _plugins) = with_stand_ins();
    let client = server.client("office", "enterprise");
    let document = client.document(document::titled("Sheets", 3)).await;
    let body = |no_cache: bool| json!({ "document_id": document, "page_numbers": [1], "no_cache": no_cache });

    for (no_cache, cached) in [(false, false), (false, true), (true, false)] {
        let job = job_of(&client, submit(&client, "/v1/drawings/detection/rooms", &body(no_cache)).await).await;
        assert_eq!((&job["cached"], &job["credits_charged"]), (&json!(cached), &json!(2)), "no_cache: {no_cache}");
    }
}

#[tokio::test]
async fn submissions_are_validated_for_missing_models_too() {
    let (server, _plugins) = with_no_models();
    let (client, other) = (server.client("office", "free"), server.client("other", "free"));
    let document = client.document(document::titled("Sheets", 1)).await;

    let own_paths = ON_PAGES.iter().chain(&ON_DOCUMENTS).map(|endpoint| endpoint.path);
    for path in own_paths.chain(["/v1/models/door-detector/jobs"]) {
        let body = json!({ "document_id": document });
        assert_eq!(submit(&client, path, &body).await.error(), (503, "MODEL_UNAVAILABLE"), "{path}");
        assert_eq!(submit(&other, path, &body).await.error(), (404, "DOCUMENT_NOT_FOUND"), "{path}");
        let body = json!({ "document_id": NOBODY });
        assert_eq!(submit(&client, path, &body).await.error(), (404, "DOCUMENT_NOT_FOUND"), "{path}");
        let body = json!({ "document_id": "sheets" });
        assert_eq!(submit(&client, path, &body).await.error(), (422, "VALIDATION_ERROR"), "{path}");
        let without_key = answer(server.request(Method::POST, path).json(&json!({}))).await;
        assert_eq!(without_key.error(), (401, "UNAUTHORIZED"), "{path}");
    }
    assert_eq!(client.get("/v1/jobs").await.body["jobs"], json!([]), "nothing was queued");
}

#[tokio::test]
async fn a_body_that_breaks_the_specification_is_invalid() {
    let (server, _plugins) = with_no_models();
    let client = server.client("office", "enterprise");
    let document = client.document(document::titled("Sheets", 1)).await;
    let with = |fields: &str| format!("{{\"document_id\":\"{document}\"{fields}}}");

    let deep = format!(",\"x\":{}{}", "[".repeat(200), "]".repeat(200));
    let bodies = [
        String::new(),
        "null".to_owned(),
        "[]".to_owned(),
        "{}".to_owned(),
        with(",\"document_id\":\"01890a5d-ac96-774b-bcce-b302099a8057\""),
        with(",\"no_cache\":true,\"no_cache\":true"),
        with(",\"no_cache\":\"yes\""),
        with(",\"webhook_url\":7"),
        with(",\"webhook_url\":\"http://example.com/\""),
        with(",\"page\":1"),
        with(&deep),
        with("") + "{}",
        "\u{feff}".to_owned() + &with(""),
    ];
    for path in ON_PAGES.iter().chain(&ON_DOCUMENTS).map(|endpoint| endpoint.path) {
        for body in &bodies {
            let refused = submit_text(&client, path, body.clone()).await;
            assert_eq!(refused.error(), (422, "VALIDATION_ERROR"), "{path}: {body}");
        }
        let utf_16: Vec<u8> = with("").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(submit_text(&client, path, utf_16).await.error(), (422, "VALIDATION_ERROR"), "{path}: UTF-16");
        let latin_1 = with(",\"webhook_url\":\"https://example.com/?\"").replace('?', "\u{0}");
        let latin_1: Vec<u8> = latin_1.bytes().map(|byte| if byte == 0 { 0xe9 } else { byte }).collect();
        assert_eq!(submit_text(&client, path, latin_1).await.error(), (422, "VALIDATION_ERROR"), "{path}: Latin-1");
    }
    for content_type in ["text/plain", "application/pdf"] {
        let request = client.request(Method::POST, ON_PAGES[0].path).header("Content-Type", content_type);
        let refused = answer(request.body(with(""))).await;
        assert_eq!(refused.error(), (415, "UNSUPPORTED_MEDIA_TYPE"), "{content_type}");
    }
}

#[tokio::test]
async fn page_numbers_are_1_to_10_000_whole_numbers() {
    let (server, _plugins) = with_no_models();
    let client = server.client("office", "enterprise");
    let document = client.document(document::titled("Sheets", 1)).await;

    let many = |count: usize| Value::from(vec![1; count]);
    let cases = [
        (Value::Null, 503),
        (json!([1]), 503),
        (json!([0, -1, 9_007_199_254_740_993_i64]), 503),
        (many(10_000), 503),
        (many(10_001), 422),
        (json!([]), 422),
        (json!([1.5]), 422),
        (json!(["1"]), 422),
        (json!([true]), 422),
        (json!([null]), 422),
        (json!([[1]]), 422),
        (json!(1), 422),
        (json!("1-3"), 422),
        (json!({}), 422),
    ];
    for Endpoint { path, .. } in ON_PAGES {
        for (pages, status) in &cases {
            let body = json!({ "document_id": document, "page_numbers": pages });
            let answered = submit(&client, path, &body).await;
            let shown = pages.to_string().chars().take(60).collect::<String>();
            assert_eq!(answered.status.as_u16(), *status, "{path}: {shown}");
        }
    }
    for Endpoint { path, .. } in ON_DOCUMENTS {
        let body = json!({ "document_id": document, "page_numbers": [1] });
        assert_eq!(submit(&client, path, &body).await.error(), (422, "VALIDATION_ERROR"), "{path}");
    }
}
