//! An account that floods the service delays others by about one turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use fanlight_tests::document::{self, Sheet};
use fanlight_tests::server::{Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::json;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// 48 x 36 inches. At 200 dpi it takes a few hundred milliseconds to draw.
const HEAVY: Sheet = Sheet { media_box: [0, 0, 3456, 2592], crop_box: [0, 0, 3456, 2592], rotate: 0 };
/// Pictures that the busy account requests at once: more than a server draws while another client waits.
const FLOOD: usize = 30;
/// Maximum pictures that are answered while another account's request waits. One is in progress, another's answer may be
/// in transit, and the cores are shared.
const MEANWHILE: usize = 4;
/// The limit of a whole flood.
const PATIENCE: Duration = Duration::from_mins(5);

/// Requests for pictures by one account, and a count of the answers.
struct Flood {
    requests: JoinSet<StatusCode>,
    answered: Arc<AtomicUsize>,
}

impl Flood {
    /// Starts a flood and waits for its first picture.
    async fn begin(client: &Caller, document: &str) -> Self {
        let (answered, first) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let mut requests = JoinSet::new();
        for _ in 0..FLOOD {
            let picture = client.request(Method::GET, &format!("/v1/documents/{document}/pages/1.png?dpi=200"));
            let (answered, first) = (answered.clone(), first.clone());
            requests.spawn(async move {
                let status = answer(picture).await.status;
                answered.fetch_add(1, Ordering::Relaxed);
                first.notify_one();
                status
            });
        }
        timeout(PATIENCE, first.notified()).await.unwrap();
        Self { requests, answered }
    }

    fn answered(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }

    /// Waits for the rest. Requests whose turn comes too late get an error.
    async fn end(self) {
        let statuses = timeout(PATIENCE, self.requests.join_all()).await.unwrap();
        for status in statuses {
            assert!(matches!(status, StatusCode::OK | StatusCode::SERVICE_UNAVAILABLE), "{status}");
        }
    }
}

fn server() -> Server {
    Server::start_with(Options { settings: vec![("WORKERS", "1".to_owned())], ..Options::default() })
}

#[tokio::test]
async fn a_flood_of_pictures_does_not_delay_the_upload_of_another() {
    let server = server();
    let (busy, other) = (server.client("busy", "free"), server.client("other", "free"));
    let heavy = busy.document(document::sheets(&[HEAVY])).await;
    let flood = Flood::begin(&busy, &heavy).await;
    let before = flood.answered();

    let uploaded = other.upload(document::titled("A manual", 1)).await;

    let meanwhile = flood.answered() - before;
    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    assert!(meanwhile <= MEANWHILE, "{meanwhile} pictures were answered first");
    flood.end().await;
}

#[tokio::test]
async fn a_flood_of_pictures_delays_the_read_of_another_by_one_turn() {
    let server = server();
    let (busy, other) = (server.client("busy", "free"), server.client("other", "free"));
    let heavy = busy.document(document::sheets(&[HEAVY])).await;
    let light = other.document(document::titled("A manual", 1)).await;
    let flood = Flood::begin(&busy, &heavy).await;
    for path in [format!("/v1/documents/{light}/pages"), format!("/v1/documents/{light}/pages/1.png")] {
        let before = flood.answered();

        let read = other.get(&path).await;

        let meanwhile = flood.answered() - before;
        assert_eq!(read.status, StatusCode::OK, "{path}: {}", read.body);
        assert!(meanwhile <= MEANWHILE, "{path}: {meanwhile} pictures were answered first");
    }
    flood.end().await;
}

#[tokio::test]
async fn a_batch_of_100_delays_the_job_of_another_by_one() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let (busy, other) = (server.client("busy", "enterprise"), server.client("other", "free"));
    let document = busy.document(document::titled("A manual", 1)).await;
    let request = json!({ "model": "toc-parser", "document_id": document });
    let batch = json!({ "requests": vec![request; 100] });
    let submitted = answer(busy.request(Method::POST, "/v1/batches").json(&batch)).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);

    let own = other.document(document::titled("Another manual", 1)).await;
    let job = other.job(&own).await;

    let job = other.get(&format!("/v1/jobs/{job}")).await.body;
    assert_eq!(job["progress"], "Queued, 1 job ahead");
    let newest = busy.get("/v1/jobs?limit=1").await.body;
    assert_eq!(newest["jobs"][0]["progress"], "Queued, 100 jobs ahead");
}
