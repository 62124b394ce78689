//! The operator's own address: health and metrics.

use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, plain_client};
use reqwest::{Method, StatusCode};
use throwaway_postgres::Cluster;

/// Starts a server with an admin address, and returns both.
pub(crate) fn with_admin(options: Options) -> (Server, String) {
    let mut settings = options.settings;
    settings.push(("ADMIN", "127.0.0.1:0".to_owned()));
    let mut server = Server::start_with(Options { settings, ..options });
    let sign_in = server.announced();
    assert!(sign_in.contains("/v1/sign-in/"), "{sign_in}");
    let admin = server.announced();
    (server, admin)
}

/// Returns status and text of a GET request without a key.
pub(crate) async fn read(url: String) -> (StatusCode, String) {
    let response = plain_client().get(url).send().await.unwrap();
    (response.status(), response.text().await.unwrap())
}

#[tokio::test]
async fn metrics_show_activity_and_nothing_private() {
    let (server, admin) = with_admin(Options::default());
    assert_eq!(read(format!("{admin}/healthz")).await, (StatusCode::OK, "ok\n".to_owned()));
    assert_eq!(read(format!("{admin}/readyz")).await, (StatusCode::OK, "ready\n".to_owned()));

    let client = server.client("an office", "developer");
    let document = client.document(document::titled("A secret manual", 1)).await;
    let job = client.job(&document).await;
    client.finished(&job).await;
    client.get("/v1/documents/not-a-uuid").await;
    client.get("/made/up").await;

    let (status, text) = read(format!("{admin}/metrics")).await;
    assert_eq!(status, StatusCode::OK);
    for line in [
        r#"fanlight_requests_total{method="POST",route="/v1/documents",status="201"} 1"#,
        r#"fanlight_requests_total{method="POST",route="/v1/specs/parse/document",status="202"} 1"#,
        r#"fanlight_requests_total{method="GET",route="/v1/documents/{document_id}",status="422"} 1"#,
        r#"fanlight_requests_total{method="GET",route="none",status="404"} 1"#,
        r#"fanlight_jobs_total{ending="complete",model="toc-parser"} 1"#,
        r#"fanlight_open_jobs{status="queued"} 0"#,
        r#"fanlight_open_jobs{status="processing"} 0"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    for private in ["fl_", "manual", "office", document.as_str(), job.as_str(), "made/up"] {
        assert!(!text.contains(private), "{private} in {text}");
    }
}

#[tokio::test]
async fn the_api_address_does_not_serve_admin_pages() {
    let (server, admin) = with_admin(Options { role: Some("api"), ..Options::default() });
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answered = server.request(Method::GET, path).send().await.unwrap();
        assert_eq!(answered.status(), StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(read(format!("{admin}/v1/jobs")).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_server_without_its_database_is_alive_but_not_ready() {
    let cluster = Cluster::start().unwrap();
    let database = Some(cluster.create_database().unwrap());
    let (_server, admin) = with_admin(Options { database, role: Some("api"), ..Options::default() });
    assert_eq!(read(format!("{admin}/readyz")).await.0, StatusCode::OK);
    drop(cluster);
    let (status, reason) = read(format!("{admin}/readyz")).await;
    assert_eq!((status, reason.as_str()), (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n"));
    assert_eq!(read(format!("{admin}/healthz")).await.0, StatusCode::OK);
    assert_eq!(read(format!("{admin}/metrics")).await.0, StatusCode::OK, "metrics work without the database");
}

#[tokio::test]
async fn a_stopping_server_is_not_ready_while_requests_end() {
    let (mut server, admin) = with_admin(Options { keep_log: true, ..Options::default() });
    let upload = server.client("office", "developer").held_upload().await;
    assert_eq!(read(format!("{admin}/readyz")).await.0, StatusCode::OK);

    server.terminate();
    server.logged("stopping");

    let not_ready = (StatusCode::SERVICE_UNAVAILABLE, "stopping\n".to_owned());
    assert_eq!(read(format!("{admin}/readyz")).await, not_ready);
    assert_eq!(read(format!("{admin}/healthz")).await.0, StatusCode::OK);
    drop(upload);
    assert!(server.ended().success());
    assert!(server.stored_files().is_empty(), "the interrupted upload leaves nothing behind");
}
