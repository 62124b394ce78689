//! Plugins that keep failing: they are set aside, visibly, and tried again, and other models run on.

use deadline::PATIENCE;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Caller, Options, Server};
use fanlight_tests::{document, installed};
use reqwest::StatusCode;
use reqwest::header::RETRY_AFTER;
use serde_json::{Value, json};

/// Returns the state of the only installed version of a model.
async fn state(client: &Caller, model: &str) -> Value {
    client.get(&format!("/v1/models/{model}")).await.body["versions"][0]["state"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_keeps_failing_is_set_aside_and_tried_again() {
    let plugins = Plugins::default().with("toc-parser", &installed::guest("hostile")).with_stand_in("steady");
    let settings = vec![("FAILURES__IN_A_ROW", "2".to_owned()), ("FAILURES__PAUSE_SECONDS", "2".to_owned())];
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), settings, ..Options::default() });
    let client = server.client("office", "pro");
    let bad = client.document(document::titled("panic", 1)).await;
    let good = client.document(document::titled("behave", 1)).await;

    assert_eq!(client.ended("toc-parser", &bad).await["status"], "failed");
    assert_eq!(state(&client, "toc-parser").await, "ready", "one failure is none too many");
    assert_eq!(client.ended("toc-parser", &bad).await["error_code"], "INTERNAL_ERROR");
    assert_eq!(state(&client, "toc-parser").await, "set_aside");

    let refused = client.submit("toc-parser", &good).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (StatusCode::SERVICE_UNAVAILABLE, &json!("MODEL_UNAVAILABLE"))
    );
    let seconds = refused.headers[RETRY_AFTER].to_str().unwrap().parse::<u64>().unwrap();
    assert!((1..=2).contains(&seconds), "{seconds}");
    assert_eq!(client.ended("steady", &good).await["status"], "complete", "no other model is set aside");

    let tried = deadline::until(PATIENCE, "the model to be tried again", async || {
        let submitted = client.submit("toc-parser", &good).await;
        (submitted.status == StatusCode::ACCEPTED).then_some(submitted.body)
    });
    let job = client.finished(tried.await["job_id"].as_str().unwrap()).await;
    assert_eq!(job["status"], "complete", "{job}");
    assert_eq!(state(&client, "toc-parser").await, "ready");
}
