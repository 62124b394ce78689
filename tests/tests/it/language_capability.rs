//! The capability `language`: from a guest's call to the provider and back.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanlight_language::{Client, Settings};
use fanlight_sandbox::{Capability, Document, Failure, Grant, Grants, Model, Package, Progress, Task, Warning};
use fanlight_tests::{document, installed};
use language_provider::{Provider, Reply};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

fn client(provider: &Provider) -> Option<Arc<Client>> {
    let settings = Settings {
        base_url: Some(provider.base_url().parse().unwrap()),
        model: "small".to_owned(),
        backoff_milliseconds: 1,
        ..Settings::default()
    };
    Client::open(settings).unwrap()
}

/// Loads the guest that asks a model, on a host with or without a provider.
async fn consulting(grants: &[Grant], language: Option<Arc<Client>>) -> Model {
    let package = Package::read(&installed::guest("consulting")).unwrap();
    let sandbox = installed::sandbox_with(1, language);
    sandbox.load(&package, &Grants::new(grants.iter().cloned())).await.unwrap()
}

fn task_of(folder: &Path, materials: &[&str]) -> Task {
    let path = folder.join("any.pdf");
    std::fs::write(&path, document::titled("any", 1)).unwrap();
    Task {
        id: "consulting".to_owned(),
        document: Document::open(&path, "00").unwrap(),
        pages: vec![1],
        asked_for: None,
        parameters: json!({ "materials": materials }).to_string(),
        progress: watch::Sender::new(Progress::default()),
        cancelled: CancellationToken::new(),
    }
}

async fn answers(model: &Model, materials: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let result = model.run(task_of(folder.path(), materials)).await.unwrap();
    serde_json::from_str::<Value>(&result.json).unwrap()["answers"].take()
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_reach_the_provider_and_answers_return_in_order() {
    let provider = Provider::start(|asked| match asked.message("user").lines().nth(1).unwrap() {
        "refuse" => Reply::Refusal,
        "babble" => Reply::Text("doors, doors".to_owned(), 9),
        text => Reply::json(&json!({ "doors": [text] })),
    })
    .await;
    let model = consulting(&[Grant::Language], client(&provider)).await;
    let expected = [
        r#"{"doors":["D1"]}"#,
        "LanguageError::Refused",
        r#"LanguageError::InvalidAnswer("the answer is not JSON")"#,
        r#"{"doors":["D2"]}"#,
    ];
    assert_eq!(answers(&model, &["D1", "refuse", "babble", "D2"]).await, json!(expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_optional_provider_that_is_missing_is_reported() {
    let provider = Provider::replying([Reply::json(&json!({ "doors": [] }))]).await;
    let not_granted = consulting(&[], client(&provider)).await;
    let not_configured = consulting(&[Grant::Language], None).await;
    for model in [not_granted, not_configured] {
        assert!(!model.has(Capability::Language));
        assert_eq!(answers(&model, &["D1"]).await, json!(["LanguageError::Unavailable"]));
    }
    assert!(provider.asked().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn only_unanswered_prompts_are_a_warning() {
    let provider = Provider::start(|asked| match asked.message("user").lines().nth(1).unwrap() {
        "refuse" => Reply::Refusal,
        text => Reply::json(&json!({ "doors": [text] })),
    })
    .await;
    let asking = consulting(&[Grant::Language], client(&provider)).await;
    let refused = consulting(&[], client(&provider)).await;
    let long = "a".repeat(1024 * 1024 + 1);
    let cases: [(&Model, &[&str], &[Warning]); 5] = [
        (&asking, &["D1", "refuse", "D2"], &[Warning::LanguageModelFailed]),
        (&asking, &["D1"], &[]),
        (&asking, &[&long], &[]),
        (&refused, &["D1"], &[Warning::LanguageModelUnavailable]),
        (&refused, &[], &[]),
    ];
    for (model, materials, expected) in cases {
        let folder = tempfile::tempdir().unwrap();
        let result = model.run(task_of(folder.path(), materials)).await.unwrap();
        assert_eq!(result.warnings, expected, "{} prompts", materials.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_waiting_call_ends_when_its_task_is_cancelled() {
    let provider = Provider::replying([Reply::Stall]).await;
    let model = consulting(&[Grant::Language], client(&provider)).await;
    let folder = tempfile::tempdir().unwrap();
    let task = task_of(folder.path(), &["D1"]);
    let (cancelled, mut progress) = (task.cancelled.clone(), task.progress.subscribe());
    let running = tokio::spawn(async move { model.run(task).await });

    progress.wait_for(|step| step.message == "asking").await.unwrap();
    let cancelled_at = Instant::now();
    cancelled.cancel();

    assert_eq!(running.await.unwrap().unwrap_err(), Failure::Cancelled);
    assert!(cancelled_at.elapsed() < Duration::from_secs(3), "the provider would have had two minutes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_call_leaves_the_guest_time_to_finish() {
    let provider = Provider::replying([Reply::Stall]).await;
    let model = consulting(&[Grant::Language], client(&provider)).await;
    let failed = r#"LanguageError::Failed("the answer was not complete in time")"#;
    assert_eq!(answers(&model, &["D1", "D2"]).await, json!([failed, failed]));
}

#[tokio::test(flavor = "multi_thread")]
async fn prompts_and_schemas_have_size_limits() {
    let provider = Provider::replying([Reply::json(&json!({ "doors": [] }))]).await;
    let model = consulting(&[Grant::Language], client(&provider)).await;
    let long = "a".repeat(1024 * 1024 + 1);
    let refused = answers(&model, &[&long]).await;
    assert_eq!(refused, json!([r#"LanguageError::BadRequest("a prompt has more than 1048576 bytes")"#]));
    assert!(provider.asked().is_empty());
}
