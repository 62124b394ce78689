//! Finished jobs are posted to the webhooks of their submissions, and nowhere else.

use std::path::Path;

use deadline::PATIENCE;
use fanlight_tests::document;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::Connection;
use standardwebhooks::Webhook;
use webhook_receiver::{Answer as Reply, Received, Receiver};

/// Returns options of a server that may post to the receiver, with these delays in seconds between attempts.
fn posting_to(receiver: &Receiver, retry_seconds: &str) -> Options {
    let settings = vec![
        ("WEBHOOKS__ALLOWED_HOSTS", format!("[{:?}]", receiver.host())),
        ("WEBHOOKS__CA_FILE", receiver.authority().display().to_string()),
        ("WEBHOOKS__RETRY_SECONDS", retry_seconds.to_owned()),
        ("WEBHOOKS__TIMEOUT_SECONDS", "1".to_owned()),
    ];
    Options { settings, ..Options::default() }
}

async fn submit(client: &Caller, document_id: &str, webhook_url: &str) -> Answer {
    let body = json!({ "document_id": document_id, "webhook_url": webhook_url });
    answer(client.request(Method::POST, "/v1/specs/parse/document").json(&body)).await
}

/// Submits a job, expects 202 and returns its id.
async fn job(client: &Caller, webhook_url: &str) -> String {
    let document = client.document(document::titled("A manual", 1)).await;
    let submitted = submit(client, &document, webhook_url).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    submitted.body["job_id"].as_str().unwrap().to_owned()
}

fn deliveries_of(job: &str) -> String {
    format!("/v1/jobs/{job}/deliveries")
}

/// Waits until the job's newest delivery has `attempts` attempts, and returns the delivery.
async fn logged(client: &Caller, job: &str, attempts: usize) -> Value {
    deadline::until(PATIENCE, &format!("{attempts} logged attempts at the webhook of job {job}"), async || {
        let list = client.get(&deliveries_of(job)).await;
        assert_eq!((list.status, &list.body["next_cursor"]), (StatusCode::OK, &Value::Null), "{}", list.body);
        let newest = list.body["deliveries"][0].clone();
        let ended = newest["attempts"].as_array().map_or(0, |made| {
            made.iter().filter(|attempt| !attempt["duration_ms"].is_null() || !attempt["error"].is_null()).count()
        });
        (ended >= attempts).then_some(newest)
    })
    .await
}

/// Returns status or error of each attempt.
fn endings(delivery: &Value) -> Vec<Value> {
    let attempts = delivery["attempts"].as_array().unwrap();
    attempts
        .iter()
        .map(|attempt| if attempt["error"].is_null() { &attempt["status_code"] } else { &attempt["error"] })
        .cloned()
        .collect()
}

fn verify(received: &Received, client: &Caller) {
    Webhook::new(client.webhook_secret()).unwrap().verify(&received.body, &received.headers).unwrap();
}

/// Returns a job without what differs at each read: the link, and the time of the delivery itself.
fn lasting(mut job: Value) -> Value {
    assert!(job["pdf_url"].as_str().unwrap().contains("/v1/files/"), "{job}");
    job["pdf_url"] = Value::Null;
    job["webhook_delivered_at"] = Value::Null;
    job
}

#[tokio::test]
async fn a_complete_job_is_posted_signed_as_get_returns_it() {
    let mut receiver = Receiver::start([]).await;
    let server = Server::start_with(posting_to(&receiver, "[]"));
    let client = server.client("office", "developer");

    let job = job(&client, &receiver.url("/hook?from=fanlight")).await;

    let received = receiver.next().await;
    assert_eq!((received.path.as_str(), received.header("content-type")), ("/hook?from=fanlight", "application/json"));
    verify(&received, &client);
    let delivery = logged(&client, &job, 1).await;
    assert_eq!((&delivery["status"], &delivery["next_attempt_at"]), (&json!("delivered"), &Value::Null));
    assert_eq!((&delivery["attempts"][0]["number"], endings(&delivery)), (&json!(1), vec![json!(204)]));
    let shown = client.finished(&job).await;
    assert!(shown["webhook_delivered_at"].is_string(), "{shown}");
    let posted: Value = serde_json::from_slice(&received.body).unwrap();
    assert_eq!((&posted["status"], &posted["webhook_delivered_at"]), (&json!("complete"), &Value::Null));
    assert_eq!(lasting(posted), lasting(shown));
}

#[tokio::test]
async fn a_failed_job_is_posted_too() {
    let mut receiver = Receiver::start([]).await;
    let server = Server::start_with(posting_to(&receiver, "[]"));
    let client = server.client("office", "developer");
    let document = client.document(document::bomb_in_a_page(3)).await;

    submit(&client, &document, &receiver.url("/hook")).await;

    let received = receiver.next().await;
    verify(&received, &client);
    let posted: Value = serde_json::from_slice(&received.body).unwrap();
    assert_eq!((&posted["status"], &posted["error_code"]), (&json!("failed"), &json!("INTERNAL_ERROR")));
}

#[tokio::test]
async fn a_failed_delivery_is_retried_under_the_same_id() {
    let mut elsewhere = Receiver::start([]).await;
    let redirect = Reply::Header(302, "location", elsewhere.url("/stolen"));
    let mut receiver = Receiver::start([Reply::Status(500), redirect, Reply::Never, Reply::EndlessBody]).await;
    let server = Server::start_with(posting_to(&receiver, "[0, 0, 0, 0]"));
    let client = server.client("office", "developer");

    let job = job(&client, &receiver.url("/hook")).await;

    let first = receiver.next().await;
    verify(&first, &client);
    for _ in 0..3 {
        let again = receiver.next().await;
        verify(&again, &client);
        assert_eq!(again.header("webhook-id"), first.header("webhook-id"));
    }
    let delivery = logged(&client, &job, 4).await;
    assert_eq!(endings(&delivery), [json!(500), json!(302), json!("timed_out"), json!(200)]);
    assert_eq!(delivery["status"], "delivered");
    assert!(elsewhere.already_here().is_none(), "a redirect is not followed");
}

#[tokio::test]
async fn a_delivery_ends_after_the_last_attempt_or_410() {
    let receiver = Receiver::start([Reply::Status(500), Reply::Status(500), Reply::Status(410)]).await;
    let server = Server::start_with(posting_to(&receiver, "[0]"));
    let client = server.client("office", "developer");
    for expected in [vec![json!(500), json!(500)], vec![json!(410)]] {
        let job = job(&client, &receiver.url("/hook")).await;
        let delivery = logged(&client, &job, expected.len()).await;
        assert_eq!((&delivery["status"], &delivery["next_attempt_at"]), (&json!("failed"), &Value::Null));
        assert_eq!(endings(&delivery), expected);
        assert_eq!(client.finished(&job).await["webhook_delivered_at"], Value::Null);
    }
}

#[tokio::test]
async fn a_receiver_may_set_the_time_of_a_retry() {
    let receiver = Receiver::start([Reply::Header(429, "retry-after", "3600".to_owned())]).await;
    let server = Server::start_with(posting_to(&receiver, "[0]"));
    let client = server.client("office", "developer");

    let job = job(&client, &receiver.url("/hook")).await;

    let delivery = logged(&client, &job, 1).await;
    assert_eq!((&delivery["status"], endings(&delivery)), (&json!("pending"), vec![json!(429)]));
    let time = |value: &Value| value.as_str().unwrap().to_owned();
    let (made, next) = (time(&delivery["attempts"][0]["started_at"]), time(&delivery["next_attempt_at"]));
    // Times in one format compare as text.
    assert!(next > made && next[..13] != made[..13], "{made} and {next}");
}

#[tokio::test]
async fn the_next_server_continues_a_killed_servers_delivery() {
    let folder = tempfile::tempdir().unwrap();
    let mut receiver = Receiver::start([Reply::Header(503, "retry-after", "3".to_owned())]).await;
    let options = || Options { data: Some(folder.path().join("data")), ..posting_to(&receiver, "[0, 0]") };
    let mut server = Server::start_with(options());
    let client = server.client("office", "developer");
    let job = job(&client, &receiver.url("/hook")).await;
    logged(&client, &job, 1).await;
    server.kill();

    let server = Server::start_with(options());

    let first = receiver.next().await;
    let second = receiver.next().await;
    verify(&second, &client);
    assert_eq!(second.header("webhook-id"), first.header("webhook-id"));
    let delivery = logged(&server.client("office", "developer"), &job, 2).await;
    assert_eq!((&delivery["status"], endings(&delivery)), (&json!("delivered"), vec![json!(503), json!(204)]));
}

#[tokio::test]
async fn a_delivery_is_replayed_on_demand() {
    let mut receiver = Receiver::start([]).await;
    let server = Server::start_with(posting_to(&receiver, "[]"));
    let client = server.client("office", "developer");
    let job = job(&client, &receiver.url("/hook")).await;
    let first = receiver.next().await;
    logged(&client, &job, 1).await;
    let colleague = server.client("office", "developer");

    let replayed = answer(colleague.request(Method::POST, &deliveries_of(&job))).await;

    assert_eq!((replayed.status, &replayed.body["status"]), (StatusCode::ACCEPTED, &json!("pending")));
    assert_eq!(replayed.headers[LOCATION], deliveries_of(&job));
    let again = receiver.next().await;
    verify(&again, &colleague);
    assert_eq!(again.header("webhook-id"), first.header("webhook-id"));
    let newest = logged(&client, &job, 1).await;
    assert_eq!(newest["id"], replayed.body["id"]);
    let list = client.get(&deliveries_of(&job)).await.body;
    assert_eq!(list["deliveries"].as_array().unwrap().len(), 2);

    let stranger = server.client("another office", "developer");
    assert_eq!(answer(stranger.request(Method::POST, &deliveries_of(&job))).await.error(), (404, "JOB_NOT_FOUND"));
    assert_eq!(stranger.get(&deliveries_of(&job)).await.error(), (404, "JOB_NOT_FOUND"));
    let document = client.document(document::titled("A manual", 1)).await;
    let without = client.job(&document).await;
    client.finished(&without).await;
    assert_eq!(answer(client.request(Method::POST, &deliveries_of(&without))).await.error(), (422, "NO_WEBHOOK"));
}

/// Starts a server on a data folder, with a link secret if one is given.
fn over(data: &Path, receiver: &Receiver, link_secret: Option<String>) -> Server {
    let mut options = Options { data: Some(data.to_owned()), ..posting_to(receiver, "[60]") };
    options.settings.extend(link_secret.map(|secret| ("LINK_SECRET", secret)));
    Server::start_with(options)
}

/// Returns the only key's webhook secret as stored in the database.
async fn stored_secret(data: &Path) -> String {
    let database = format!("sqlite://{}", data.join("fanlight.sqlite").display());
    let mut connection = sqlx::SqliteConnection::connect(&database).await.unwrap();
    sqlx::query_scalar("SELECT webhook_secret FROM api_keys").fetch_one(&mut connection).await.unwrap()
}

#[tokio::test]
async fn a_plain_secret_is_sealed_at_start_and_still_signs() {
    let mut receiver = Receiver::start([]).await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = over(&data, &receiver, None);
    let client = server.client("office", "developer");
    assert!(!stored_secret(&data).await.contains("whsec"), "the command seals the secret of a new key");
    server.kill();
    let database = format!("sqlite://{}", data.join("fanlight.sqlite").display());
    let mut connection = sqlx::SqliteConnection::connect(&database).await.unwrap();
    let in_clear = sqlx::query("UPDATE api_keys SET webhook_secret = $1").bind(client.webhook_secret());
    in_clear.execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();

    let server = over(&data, &receiver, None);

    assert!(!stored_secret(&data).await.contains("whsec"));
    let client = client.at(&server);
    job(&client, &receiver.url("/hook")).await;
    verify(&receiver.next().await, &client);
}

#[tokio::test]
async fn a_changed_link_secret_stops_deliveries() {
    let mut receiver = Receiver::start([]).await;
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = over(&data, &receiver, Some("01".repeat(32)));
    let client = server.client("office", "developer");
    server.kill();

    let server = over(&data, &receiver, Some("02".repeat(32)));

    let client = client.at(&server);
    let unsigned = job(&client, &receiver.url("/hook")).await;
    let delivery = logged(&client, &unsigned, 1).await;
    assert_eq!((&delivery["status"], endings(&delivery)), (&json!("pending"), vec![json!("secret_unreadable")]));
    assert!(receiver.already_here().is_none());
    let new = server.client("office", "developer");
    job(&new, &receiver.url("/hook")).await;
    verify(&receiver.next().await, &new);
}

#[tokio::test]
async fn on_the_free_tier_the_webhook_is_ignored() {
    let mut receiver = Receiver::start([]).await;
    let server = Server::start_with(posting_to(&receiver, "[]"));
    let free = server.client("free", "free");
    let document = free.document(document::titled("A manual", 1)).await;
    for url in [receiver.url("/hook"), "https://127.0.0.1/".to_owned(), "no address".to_owned()] {
        let submitted = submit(&free, &document, &url).await;
        assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
        let job = submitted.body["job_id"].as_str().unwrap();
        assert_eq!(free.finished(job).await["status"], "complete");
        assert_eq!(free.get(&deliveries_of(job)).await.body, json!({ "deliveries": [], "next_cursor": null }));
    }
    assert!(receiver.already_here().is_none());
}

#[tokio::test]
async fn private_addresses_are_refused() {
    let mut receiver = Receiver::start([]).await;
    let settings = vec![("WEBHOOKS__RETRY_SECONDS", "[]".to_owned())];
    let server = Server::start_with(Options { settings, ..Options::default() });
    let client = server.client("office", "developer");
    let document = client.document(document::titled("A manual", 1)).await;

    let hosts = ["127.0.0.1", "2130706433", "0177.0.0.1", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "169.254.169.254"];
    for host in hosts {
        let submitted = submit(&client, &document, &receiver.url_of(host, "/hook")).await;
        assert_eq!(submitted.error(), (422, "VALIDATION_ERROR"), "{host}");
    }

    // A name is resolved when a delivery connects.
    let job = job(&client, &receiver.url("/hook")).await;
    let delivery = logged(&client, &job, 1).await;
    assert_eq!((&delivery["status"], endings(&delivery)), (&json!("failed"), vec![json!("address_refused")]));
    assert!(receiver.already_here().is_none());
}
