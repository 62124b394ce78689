//! The main flow over HTTP: upload a project manual, read its table of contents.

use drafting::manual::{Style, generate};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Options, Server, answer};
use fanlight_tests::{document, installed};
use hostile::Deed;
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use throwaway_postgres::Cluster;

/// Returns code and title of each section, in order.
fn sections(divisions: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    divisions
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|division| division["sections"].as_array().unwrap())
        .map(|section| (text(&section["section_code"]), text(&section["section_title"])))
        .collect()
}

async fn reads_a_manual_on(server: &Server) {
    let client = server.client("office", "developer");
    let manual = generate(&Style::default(), 7);
    let document = client.document(manual.pdf).await;

    let submitted = client.parse(&document).await;

    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let acknowledgement = &submitted.body;
    let job_id = acknowledgement["job_id"].as_str().unwrap();
    assert_eq!(acknowledgement["status"], "queued");
    assert_eq!(acknowledgement["poll_url"], format!("/v1/jobs/{job_id}"));
    assert!(acknowledgement["estimated_processing_seconds"].is_u64(), "{acknowledgement}");
    assert_eq!(submitted.headers[LOCATION], format!("/v1/jobs/{job_id}"));

    let job = client.finished(job_id).await;

    assert_eq!(job["status"], "complete", "{job}");
    let version = format!("toc-parser-v{}", installed::version("toc-parser"));
    assert_eq!((&job["model"], &job["model_version"]), (&json!("toc-parser"), &json!(version)));
    assert_eq!(job["progress"], "Complete");
    assert_eq!(job["credits_charged"], 1);
    assert!(job["processing_time_ms"].is_u64() && job["completed_at"].is_string(), "{job}");
    let result = &job["result"];
    assert_eq!(result["document_id"], document.as_str());
    assert_eq!(result["model_version"], version);
    assert_eq!(result["pages_analyzed"], 40);
    let truth = serde_json::to_value(&manual.truth).unwrap();
    assert_eq!(sections(&result["divisions"]), sections(&truth["divisions"]));
}

#[tokio::test]
async fn a_manuals_contents_are_returned_on_sqlite() {
    reads_a_manual_on(&Server::start()).await;
}

#[tokio::test]
async fn a_manuals_contents_are_returned_on_postgres() {
    let database = Cluster::shared().unwrap().create_database().unwrap();
    let server = Server::start_with(Options { database: Some(database), ..Options::default() });
    reads_a_manual_on(&server).await;
}

#[tokio::test]
async fn a_queued_job_survives_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let start = |role| Server::start_with(Options { data: Some(data.clone()), role, ..Options::default() });

    let mut without_worker = start(Some("api"));
    let client = without_worker.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;
    let (first, second) = (client.job(&document).await, client.job(&document).await);
    let queued = client.get(&format!("/v1/jobs/{second}")).await.body;
    assert_eq!((&queued["status"], &queued["result"]), (&json!("queued"), &Value::Null));
    assert_eq!(queued["progress"], "Queued, 1 job ahead");
    assert_eq!(queued["processing_started_at"], Value::Null);
    let cancelled = answer(client.request(Method::DELETE, &format!("/v1/jobs/{second}"))).await;
    assert_eq!((cancelled.status, &cancelled.body["status"]), (StatusCode::OK, &json!("cancelled")));
    without_worker.kill();

    let server = start(None);
    let client = server.client("office", "developer");
    assert_eq!(client.finished(&first).await["status"], "complete");
    assert_eq!(client.finished(&second).await["status"], "cancelled");
    for job in [first, second] {
        let refused = answer(client.request(Method::DELETE, &format!("/v1/jobs/{job}"))).await;
        assert_eq!(refused.error(), (409, "JOB_NOT_CANCELLABLE"));
    }
}

#[tokio::test]
async fn a_free_account_runs_out_of_credits() {
    let server = Server::start();
    let client = server.client("free", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    for _ in 0..100 {
        client.job(&document).await;
    }
    assert_eq!(client.parse(&document).await.error(), (402, "FREE_TIER_LIMIT_REACHED"));
}

#[tokio::test]
async fn a_hostile_plugin_fails_its_job_only() {
    let plugins = Plugins::default().with("toc-parser", &installed::guest("hostile"));
    // Each deed fails by itself, and the plugin stays in use.
    let settings = vec![("FAILURES__IN_A_ROW", "0".to_owned())];
    let options = Options { plugins: Some(plugins.folder()), settings, ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "developer");

    let deeds = [
        Deed::Loop,
        Deed::EatMemory,
        Deed::Panic,
        Deed::OverflowTheStack,
        Deed::FloodTheLog,
        Deed::Sleep,
        Deed::Bloat,
        Deed::GiveUp,
    ];
    for deed in deeds {
        let document = client.document(document::titled(deed.as_ref(), 1)).await;
        let job = client.finished(&client.job(&document).await).await;
        assert_eq!((&job["status"], &job["error_code"]), (&json!("failed"), &json!("INTERNAL_ERROR")), "{deed:?}");
        assert_eq!((&job["result"], &job["credits_charged"]), (&Value::Null, &json!(0)), "{deed:?} is refunded");
    }

    let document = client.document(document::titled("behave", 1)).await;
    let job = client.finished(&client.job(&document).await).await;
    assert_eq!((&job["status"], &job["result"]["deed"]), (&json!("complete"), &json!("behave")));
}

#[tokio::test]
async fn a_plugin_cannot_take_the_name_of_another() {
    let plugins = Plugins::default().with("zzz", &installed::guest("hostile"));
    let options = Options { plugins: Some(plugins.folder()), ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "developer");
    let document = client.document(document::titled("behave", 1)).await;
    assert_eq!(client.parse(&document).await.error(), (503, "MODEL_UNAVAILABLE"));
}

#[tokio::test]
async fn a_decompression_bomb_fails_its_job_only() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let document = client.document(document::bomb_in_a_page(3)).await;
    let job = client.finished(&client.job(&document).await).await;
    assert_eq!((&job["status"], &job["error_code"]), (&json!("failed"), &json!("INTERNAL_ERROR")), "{job}");
    assert_eq!(job["credits_charged"], 0);
    let document = client.document(document::titled("A manual", 1)).await;
    assert_eq!(client.finished(&client.job(&document).await).await["status"], "complete");
}

#[tokio::test]
async fn a_missing_model_is_unavailable_and_free() {
    let plugins = Plugins::default();
    let options = Options { plugins: Some(plugins.folder()), ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "free");
    let document = client.document(document::titled("A manual", 1)).await;
    for _ in 0..101 {
        assert_eq!(client.parse(&document).await.error(), (503, "MODEL_UNAVAILABLE"));
    }
}
