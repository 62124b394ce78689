//! Results stay readable as long as their jobs are kept, whatever is installed.

use drafting::plan::{generate, styles};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server, answer};
use fanlight_tests::{document, installed};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use webhook_receiver::Receiver;

/// Maximum pages that toc-parser reads, by the specification.
const MOST_PAGES: u32 = 40;

async fn submitted(client: &Caller, path: &str, body: Value) -> String {
    let submitted = answer(client.request(Method::POST, path).json(&body)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    submitted.body["job_id"].as_str().unwrap().to_owned()
}

/// Returns a job without the links that differ at each read.
fn lasting(mut job: Value) -> Value {
    job["pdf_url"] = Value::Null;
    job["webhook_delivered_at"] = Value::Null;
    job
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_stays_readable_without_its_plugin() {
    let mut receiver = Receiver::start([]).await;
    let data = tempfile::tempdir().unwrap();
    let settings = [
        ("WEBHOOKS__ALLOWED_HOSTS", format!("[{:?}]", receiver.host())),
        ("WEBHOOKS__CA_FILE", receiver.authority().display().to_string()),
    ];
    let start = |plugins: &Plugins| {
        let (data, plugins) = (Some(data.path().join("data")), Some(plugins.folder()));
        Server::start_with(Options { data, plugins, settings: settings.to_vec(), ..Options::default() })
    };
    let without = Plugins::default().with("pdf-annotator", &installed::plugin("pdf-annotator"));
    let with = Plugins::default()
        .with("pdf-annotator", &installed::plugin("pdf-annotator"))
        .with("door-detector", &installed::plugin("door-detector"));
    let mut server = start(&with);
    let client = server.client("office", "developer");
    let sheet = generate(&styles().swap_remove(0).1, 8);
    let document = client.document(sheet.pdf).await;
    let body = json!({ "document_id": document, "webhook_url": receiver.url("/hook") });
    let job = submitted(&client, "/v1/drawings/detection/doors", body).await;
    let before = lasting(client.finished(&job).await);
    assert!(before["result"]["doors_found"].as_u64().unwrap() > 0, "{before}");
    assert_eq!(before["result"].get("candidates"), None);
    receiver.next().await;
    let annotated = format!("/v1/jobs/{job}/annotated.pdf");
    let drawn = client.request(Method::GET, &annotated).send().await.unwrap().bytes().await.unwrap();
    server.terminate();
    server.ended();

    let server = start(&without);
    let client = client.at(&server);
    assert_eq!(lasting(client.finished(&job).await), before);
    assert_eq!(client.get("/v1/jobs?model=door-detector").await.body["jobs"][0]["status"], "complete");
    let drawn_again = client.request(Method::GET, &annotated).send().await.unwrap();
    assert_eq!(drawn_again.status(), StatusCode::OK);
    assert_eq!(drawn_again.bytes().await.unwrap(), drawn);
    let replayed = answer(client.request(Method::POST, &format!("/v1/jobs/{job}/deliveries"))).await;
    assert_eq!(replayed.status, StatusCode::ACCEPTED, "{}", replayed.body);
    let posted: Value = serde_json::from_slice(&receiver.next().await.body).unwrap();
    assert_eq!(posted["result"], before["result"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_of_another_version_is_returned_as_stored() {
    let data = tempfile::tempdir().unwrap();
    let start = |package: std::path::PathBuf| {
        let plugins = Plugins::default().with("toc-parser", &package);
        let options =
            Options { data: Some(data.path().join("data")), plugins: Some(plugins.folder()), ..Options::default() };
        (Server::start_with(options), plugins)
    };
    let (mut server, _plugins) = start(installed::plugin("toc-parser"));
    let client = server.client("office", "developer");
    let job = client.job(&client.document(document::titled("behave", 1)).await).await;
    let before = lasting(client.finished(&job).await);
    server.terminate();
    server.ended();

    let (server, _plugins) = start(installed::guest("hostile"));
    let client = client.at(&server);
    assert_eq!(client.get("/v1/models/toc-parser").await.body["version"], "6.6.6");
    assert_eq!(lasting(client.finished(&job).await), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn named_pages_beyond_the_models_maximum_are_not_read() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 60)).await;
    for pages in [(1..=60).collect::<Vec<u32>>(), (11..=60).rev().collect()] {
        let body = json!({ "document_id": document, "page_numbers": pages });
        let job = client.finished(&submitted(&client, "/v1/models/toc-parser/jobs", body).await).await;
        assert_eq!(job["result"]["pages_analyzed"], MOST_PAGES, "{job}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unsupported_document_is_not_called_corrupt() {
    let plugins = Plugins::default().with("toc-parser", &installed::guest("hostile"));
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let client = server.client("office", "developer");
    let document = client.document(document::titled("write poetry", 1)).await;
    let job = client.finished(&client.job(&document).await).await;
    assert_eq!((&job["status"], &job["error_code"]), (&json!("failed"), &json!("UNSUPPORTED_DOCUMENT")));
    assert_eq!(job["error_message"], "The model can't work on this document.");
    assert_eq!(job["credits_charged"], 1, "it is not refunded");
}
