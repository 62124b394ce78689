//! From a table of contents to the content of its sections: how codes are written, and which jobs may be the source.

use drafting::manual::{Style, generate};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use fanlight_tests::{document, installed};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// An id without a job.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

async fn extract(client: &Caller, body: &Value) -> Answer {
    answer(client.request(Method::POST, "/v1/specs/content-extract").json(body)).await
}

/// Starts a server with toc-parser and a stand-in for content-extractor that returns its parameters.
fn with_extractor() -> (Server, Plugins) {
    let plugins =
        Plugins::default().with("toc-parser", &installed::plugin("toc-parser")).with_stand_in("content-extractor");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    (server, plugins)
}

fn listed(section: &Value, division: &Value) -> Value {
    json!({
        "section_code": section["section_code"],
        "section_title": section["section_title"],
        "division_code": division["division_code"],
    })
}

#[tokio::test]
async fn listed_sections_and_divisions_are_extracted() {
    let (server, _plugins) = with_extractor();
    let client = server.client("office", "developer");
    let document = client.document(generate(&Style::default(), 7).pdf).await;
    let source = client.job(&document).await;
    let contents = client.finished(&source).await["result"].clone();
    let divisions = contents["divisions"].as_array().unwrap();
    let division = divisions.iter().find(|division| division["sections"].as_array().unwrap().len() > 2).unwrap();
    let sections = division["sections"].as_array().unwrap();
    let code = sections[1]["section_code"].as_str().unwrap();
    let spaced = format!("{} {} {}.13", &code[..2], &code[2..4], &code[4..]);
    let number: u32 = division["division_code"].as_str().unwrap().parse().unwrap();
    let number = number.to_string();

    let mut whole: Vec<Value> = Vec::new();
    for section in sections.iter().map(|section| listed(section, division)) {
        if !whole.contains(&section) {
            whole.push(section);
        }
    }
    let (named, rest): (Vec<Value>, Vec<Value>) =
        whole.iter().cloned().partition(|section| section["section_code"] == code);
    let named_first: Vec<Value> = named.iter().chain(&rest).cloned().collect();
    let missing = json!({ "section_code": "990000", "section_title": "", "division_code": "99" });
    let cases = [
        (json!({ "section_codes": [spaced, code] }), named),
        (json!({ "division_codes": [number, format!("Division {number}")] }), whole),
        (json!({ "division_codes": [number, "98"], "section_codes": [spaced] }), named_first),
        (json!({ "section_codes": ["99 00 00"], "division_codes": null }), vec![missing]),
    ];
    for (codes, expected) in cases {
        let mut body = codes.clone();
        body["job_id"] = json!(source);
        let submitted = extract(&client, &body).await;
        assert_eq!(submitted.status, StatusCode::ACCEPTED, "{codes}: {}", submitted.body);
        assert_eq!(submitted.body.get("estimated_processing_seconds"), None);
        let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
        assert_eq!(job["model"], "content-extractor");
        assert_eq!((&job["document_id"], &job["credits_charged"]), (&json!(document), &json!(1)));
        let expected = json!({ "source_job_id": source, "sections": expected });
        assert_eq!(job["result"]["parameters"], expected, "{codes}");
    }
}

#[tokio::test]
async fn a_result_of_another_toc_parser_has_no_sections() {
    let plugins = Plugins::default().with_stand_in("toc-parser").with_stand_in("content-extractor");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;
    let source = client.job(&document).await;
    let job = client.finished(&source).await;
    assert_eq!(job["status"], "complete", "{job}");
    let used = client.get("/v1/usage").await.body["used"].clone();
    for codes in [json!({ "section_codes": ["08 11 13"] }), json!({ "division_codes": ["8"] })] {
        let mut body = codes;
        body["job_id"] = json!(source);
        let refused = extract(&client, &body).await;
        assert_eq!(refused.error(), (422, "VALIDATION_ERROR"), "{}", refused.body);
        let mut in_batch = body.clone();
        in_batch["model"] = json!("content-extractor");
        let batch = answer(client.request(Method::POST, "/v1/batches").json(&json!({ "requests": [in_batch] }))).await;
        assert_eq!(batch.error(), (422, "VALIDATION_ERROR"), "{}", batch.body);
    }
    assert_eq!(client.get("/v1/usage").await.body["used"], used, "nothing is charged");
}

#[tokio::test]
async fn a_batch_may_hold_extractions() {
    let (server, _plugins) = with_extractor();
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;
    let source = client.job(&document).await;
    client.finished(&source).await;

    let request = |code: &str| json!({ "model": "content-extractor", "job_id": source, "section_codes": [code] });
    let body = json!({ "requests": [request("08 11 13"), request("08110")] });
    let submitted = answer(client.request(Method::POST, "/v1/batches").json(&body)).await;

    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    for (acknowledgement, code) in submitted.body["jobs"].as_array().unwrap().iter().zip(["081113", "081100"]) {
        let job = client.finished(acknowledgement["job_id"].as_str().unwrap()).await;
        assert_eq!((&job["document_id"], &job["credits_charged"]), (&json!(document), &json!(1)));
        assert_eq!(job["result"]["parameters"]["sections"][0]["section_code"], code);
    }
}

#[tokio::test]
async fn invalid_and_unknown_codes_are_refused() {
    let (server, _plugins) = with_extractor();
    let client = server.client("office", "developer");
    let document = client.document(document::titled("No contents", 1)).await;
    let source = client.job(&document).await;
    client.finished(&source).await;

    let invalid = (422, "INVALID_SECTION_CODE");
    let nowhere = (422, "NO_SECTIONS_RESOLVED");
    let wrong = (422, "VALIDATION_ERROR");
    let many = |count: usize, code: &str| Value::from(vec![code; count]);
    let cases = [
        (json!({ "section_codes": ["doors"] }), invalid),
        (json!({ "section_codes": ["08 11"] }), invalid),
        (json!({ "section_codes": ["081113", ""] }), invalid),
        (json!({ "section_codes": [""], "division_codes": ["8"] }), invalid),
        (json!({}), nowhere),
        (json!({ "section_codes": [], "division_codes": [] }), nowhere),
        (json!({ "section_codes": null }), nowhere),
        (json!({ "division_codes": ["8", "openings"] }), nowhere),
        (json!({ "section_codes": "081113" }), wrong),
        (json!({ "section_codes": [81113] }), wrong),
        (json!({ "section_codes": [null] }), wrong),
        (json!({ "division_codes": [8] }), wrong),
        (json!({ "section_codes": many(1001, "081113") }), wrong),
        (json!({ "division_codes": many(101, "8") }), wrong),
        (json!({ "division_codes": many(100, "8") }), nowhere),
        (json!({ "document_id": document, "section_codes": ["081113"] }), wrong),
    ];
    for (codes, expected) in cases {
        let mut body = codes.clone();
        body["job_id"] = json!(source);
        assert_eq!(extract(&client, &body).await.error(), expected, "{codes}");
    }
    let most = json!({ "job_id": source, "section_codes": many(1000, "081113") });
    assert_eq!(extract(&client, &most).await.status, StatusCode::ACCEPTED);
    let through_models = json!({ "document_id": document, "parameters": { "source_job_id": source, "sections": [] } });
    let request = client.request(Method::POST, "/v1/models/content-extractor/jobs").json(&through_models);
    assert_eq!(answer(request).await.error(), wrong, "the rules cannot be bypassed");
}

#[tokio::test]
async fn the_source_must_be_the_callers_complete_toc_parser_job() {
    let (server, _plugins) = with_extractor();
    let (client, other) = (server.client("office", "developer"), server.client("other", "developer"));
    let document = client.document(document::titled("A manual", 1)).await;
    let source = client.job(&document).await;
    client.finished(&source).await;
    let body = |source: &str| json!({ "job_id": source, "section_codes": ["081113"] });

    for job_id in [source.as_str(), NOBODY] {
        assert_eq!(extract(&other, &body(job_id)).await.error(), (404, "JOB_NOT_FOUND"), "{job_id}");
    }
    assert_eq!(extract(&client, &body("7")).await.error(), (422, "VALIDATION_ERROR"));
    let without_key = answer(server.request(Method::POST, "/v1/specs/content-extract").json(&body(&source))).await;
    assert_eq!(without_key.error(), (401, "UNAUTHORIZED"));

    let extracted = extract(&client, &body(&source)).await;
    let another_models = extracted.body["job_id"].as_str().unwrap();
    client.finished(another_models).await;
    assert_eq!(extract(&client, &body(another_models)).await.error(), (422, "VALIDATION_ERROR"));
}

#[tokio::test]
async fn a_source_without_its_document_cannot_be_extracted() {
    let (server, _plugins) = with_extractor();
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;
    let source = client.job(&document).await;
    client.finished(&source).await;

    let deleted = answer(client.request(Method::DELETE, &format!("/v1/documents/{document}"))).await;

    assert_eq!(deleted.status, StatusCode::NO_CONTENT, "{}", deleted.body);
    let body = json!({ "job_id": source, "section_codes": ["081113"] });
    assert_eq!(extract(&client, &body).await.error(), (404, "DOCUMENT_NOT_FOUND"));
}

#[tokio::test]
async fn an_incomplete_or_failed_source_is_refused() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;
    let source = client.job(&document).await;
    let body = json!({ "job_id": source, "section_codes": ["081113"] });

    assert_eq!(extract(&client, &body).await.error(), (422, "JOB_NOT_COMPLETE"));
    client.cancel(&source).await;
    assert_eq!(extract(&client, &body).await.error(), (422, "JOB_NOT_COMPLETE"));
}

#[tokio::test]
async fn an_extraction_without_its_model_is_unavailable_and_free() {
    let plugins = Plugins::default().with("toc-parser", &installed::plugin("toc-parser"));
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    let source = client.job(&document).await;
    client.finished(&source).await;

    let body = json!({ "job_id": source, "section_codes": ["081113"] });
    assert_eq!(extract(&client, &body).await.error(), (503, "MODEL_UNAVAILABLE"));
    let jobs = client.get("/v1/jobs").await.body["jobs"].clone();
    assert_eq!(jobs.as_array().unwrap().len(), 1, "nothing was queued");
}
