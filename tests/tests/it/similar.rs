//! Places that are drawn like a given box, through the whole service.

use drafting::plan::{FixtureKind, Style, SyntheticSheet, generate, styles};
use fanlight_tests::boxes::{bbox, intersection_over_union};
use fanlight_tests::installed;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// The path that takes the jobs.
const PATH: &str = "/v1/models/similar-symbols/jobs";
/// Boxes with at least this intersection over union are the same symbol.
const SAME: f64 = 0.5;

fn sheet() -> SyntheticSheet {
    let style = styles().into_iter().find(|(name, _)| *name == "renovation").map(|(_, style)| style).unwrap();
    generate(&Style { rotate: 90, ..style }, 8)
}

fn server() -> Server {
    let plugins = Plugins::default().with("similar-symbols", &installed::plugin("similar-symbols"));
    Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() })
}

/// Searches a document for what is drawn in a box and returns the finished job.
async fn searched(client: &Caller, document: &str, page: u32, [x1, y1, x2, y2]: [f64; 4]) -> Value {
    let symbol = json!({ "page": page, "bbox": { "x1": x1, "y1": y1, "x2": x2, "y2": y2 } });
    let body = json!({ "document_id": document, "parameters": symbol });
    let submitted = answer(client.request(Method::POST, PATH).json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let job = client.finished(submitted.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    job
}

#[tokio::test(flavor = "multi_thread")]
async fn a_box_is_found_with_its_copies_and_counted_by_sheet() {
    let server = server();
    let client = server.client("office", "developer");
    let sheet = sheet();
    let document = client.document(sheet.pdf.clone()).await;
    let closets = sheet.truth.fixtures.iter().filter(|fixture| matches!(fixture.kind, FixtureKind::Wc));
    let symbol = closets.map(|fixture| fixture.bbox.map(f64::from)).next().unwrap();
    let job = searched(&client, &document, 1, symbol).await;
    assert_eq!((&job["model"], &job["credits_charged"]), (&json!("similar-symbols"), &json!(1)));
    let result = &job["result"];
    let found = result["symbols"].as_array().unwrap();
    assert_eq!((&result["symbols_found"], &result["pages_analyzed"]), (&json!(found.len()), &json!(1)));
    assert_eq!(result["sheets"], json!([{ "page": 1, "count": found.len() }]));
    assert_eq!(result.get("problem"), None, "{result}");
    let itself = found.iter().find(|own| intersection_over_union(bbox(own), symbol) >= SAME).unwrap();
    assert_eq!((&itself["turn"], &itself["mirrored"], &itself["score"]), (&json!(0.0), &json!(false), &json!(1.0)));
    for own in found {
        let mut fields: Vec<&str> = own.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["bbox", "id", "mirrored", "page", "score", "turn"], "{own}");
        let digits = own["id"].as_str().unwrap().strip_prefix("sym_").unwrap();
        assert!(digits.len() == 12 && digits.chars().all(|c| c.is_ascii_hexdigit()), "{own}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn boxes_that_hold_no_symbol_say_why() {
    let server = server();
    let client = server.client("office", "developer");
    let document = client.document(sheet().pdf).await;
    let cases = [
        (1, [-500.0, -500.0, -400.0, -400.0], "box_outside_page"),
        (1, [1.0, 1.0, 2.0, 2.0], "no_drawing"),
        (900, [100.0, 100.0, 200.0, 200.0], "page_missing"),
    ];
    for (page, area, problem) in cases {
        let result = searched(&client, &document, page, area).await["result"].take();
        assert_eq!((&result["problem"], &result["symbols"]), (&json!(problem), &json!([])), "{result}");
        assert_eq!((&result["symbols_found"], &result["sheets"]), (&json!(0), &json!([])), "{result}");
    }

    let without_box = json!({ "document_id": document, "parameters": { "page": 1 } });
    let refused = answer(client.request(Method::POST, PATH).json(&without_box)).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
}

/// Submits a search for what is drawn in a corner of a page.
async fn submitted(client: &Caller, document: &str, page: &Value) -> Answer {
    let symbol = json!({ "page": page, "bbox": { "x1": 1, "y1": 1, "x2": 2e1, "y2": 20 } });
    let body = json!({ "document_id": document, "parameters": symbol });
    answer(client.request(Method::POST, PATH).json(&body)).await
}

/// A job that is taken must not fail by its parameters, since the host would count that as a failure of the model.
#[tokio::test(flavor = "multi_thread")]
async fn numbers_are_read_or_refused_before_the_job_is_taken() {
    let server = server();
    let client = server.client("office", "developer");
    let document = client.document(sheet().pdf).await;
    let taken = submitted(&client, &document, &json!(1.0)).await;
    assert_eq!(taken.status, StatusCode::ACCEPTED, "{}", taken.body);
    let job = client.finished(taken.body["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    for page in [json!(1.5), json!(5_000_000_000_u64), json!(1e300), json!(0)] {
        let refused = submitted(&client, &document, &page).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{page}: {}", refused.body);
    }
}
