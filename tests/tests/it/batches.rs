//! Batches: many submissions in one request, all of them or none.

use fanlight_tests::document;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::header::LOCATION;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// An unused id.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

/// Starts a server with stand-ins for a few models. With the role `api` it runs no jobs.
fn with_stand_ins(role: Option<&'static str>) -> (Server, Plugins) {
    let plugins = Plugins::default()
        .with_stand_in("toc-parser")
        .with_stand_in("content-extractor")
        .with_stand_in("door-detector")
        .with_stand_in("acme-beams");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), role, ..Options::default() });
    (server, plugins)
}

async fn submit(client: &Caller, body: &Value) -> Answer {
    answer(client.request(Method::POST, "/v1/batches").json(body)).await
}

/// Submits a batch, expects 202 and returns its id.
async fn batch_of(client: &Caller, requests: Value) -> String {
    let submitted = submit(client, &json!({ "requests": requests })).await;
    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    submitted.body["batch_id"].as_str().unwrap().to_owned()
}

async fn cancel(client: &Caller, batch_id: &str) -> Answer {
    answer(client.request(Method::DELETE, &format!("/v1/batches/{batch_id}"))).await
}

async fn jobs_of(client: &Caller) -> usize {
    client.get("/v1/jobs").await.body["jobs"].as_array().unwrap().len()
}

#[tokio::test]
async fn a_batch_queues_all_jobs_at_their_usual_price() {
    let (server, _plugins) = with_stand_ins(None);
    let client = server.client("office", "developer");
    let document = client.document(document::titled("Sheets", 3)).await;
    let requests = json!([
        { "model": "door-detector", "document_id": document, "page_numbers": [1, 3] },
        { "model": "toc-parser", "document_id": document },
        { "model": "acme-beams", "document_id": document, "parameters": { "grade": "S355" }, "no_cache": true },
    ]);

    let submitted = submit(&client, &json!({ "requests": requests, "webhook_url": null })).await;

    assert_eq!(submitted.status, StatusCode::ACCEPTED, "{}", submitted.body);
    let batch_id = submitted.body["batch_id"].as_str().unwrap();
    let path = format!("/v1/batches/{batch_id}");
    assert_eq!(submitted.headers[LOCATION], path);
    assert_eq!(submitted.body["status"], "queued");
    let expected =
        [("door-detector", 4, json!([1, 3])), ("toc-parser", 1, json!([1, 2, 3])), ("acme-beams", 1, json!([1, 2, 3]))];
    let acknowledged = submitted.body["jobs"].as_array().unwrap();
    assert_eq!(acknowledged.len(), 3);
    for (acknowledgement, (model, credits, pages)) in acknowledged.iter().zip(expected) {
        let job_id = acknowledgement["job_id"].as_str().unwrap();
        let poll_url = format!("/v1/jobs/{job_id}");
        assert_eq!(*acknowledgement, json!({ "job_id": job_id, "status": "queued", "poll_url": poll_url }));
        let job = client.finished(job_id).await;
        assert_eq!((&job["model"], &job["credits_charged"]), (&json!(model), &json!(credits)));
        assert_eq!(job["result"]["pages"], pages, "{model}");
    }

    let batch = client.get(&path).await.body;
    assert_eq!((&batch["batch_id"], &batch["status"]), (&json!(batch_id), &json!("complete")));
    let counts = json!({ "queued": 0, "processing": 0, "complete": 3, "failed": 0, "cancelled": 0 });
    assert_eq!(batch["counts"], counts);
    let ids =
        |jobs: &Value, field: &str| jobs.as_array().unwrap().iter().map(|job| job[field].clone()).collect::<Vec<_>>();
    assert_eq!(ids(&batch["jobs"], "id"), ids(&submitted.body["jobs"], "job_id"), "in the order of the requests");
    assert!(batch["jobs"].as_array().unwrap().iter().all(|job| job.get("result").is_none()));
}

#[tokio::test]
async fn one_invalid_request_rejects_the_whole_batch() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let (client, other) = (server.client("office", "developer"), server.client("other", "developer"));
    let document = client.document(document::titled("Sheets", 1)).await;
    let others = other.document(document::titled("Sheets", 1)).await;
    let unfinished = client.job(&document).await;
    let others_job = other.job(&others).await;

    let wrong = (422, "VALIDATION_ERROR");
    let cases = [
        (json!({ "model": "toc-parser" }), wrong),
        (json!({ "model": "toc-parser", "document_id": "7" }), wrong),
        (json!({ "model": "toc-parser", "document_id": document, "section_codes": ["081113"] }), wrong),
        (json!({ "model": "toc-parser", "document_id": document, "job_id": unfinished }), wrong),
        (json!({ "model": "toc-parser", "document_id": document, "page_numbers": [] }), wrong),
        (json!({ "model": "toc-parser", "document_id": document, "page": 1 }), wrong),
        (json!({ "model": "toc-parser", "document_id": document, "webhook_url": "http://example.com" }), wrong),
        (json!({ "model": "nobodys", "document_id": document }), wrong),
        (json!({ "model": 7, "document_id": document }), wrong),
        (json!({ "document_id": document }), wrong),
        (json!({ "model": "content-extractor", "document_id": document }), wrong),
        (json!({ "model": "content-extractor", "section_codes": ["081113"] }), wrong),
        (json!({ "model": "content-extractor", "job_id": unfinished, "page_numbers": [1] }), wrong),
        (json!("toc-parser"), wrong),
        (
            json!({ "model": "content-extractor", "job_id": unfinished, "section_codes": ["x"] }),
            (422, "INVALID_SECTION_CODE"),
        ),
        (
            json!({ "model": "content-extractor", "job_id": unfinished, "section_codes": ["081113"] }),
            (422, "JOB_NOT_COMPLETE"),
        ),
        (
            json!({ "model": "content-extractor", "job_id": others_job, "section_codes": ["081113"] }),
            (404, "JOB_NOT_FOUND"),
        ),
        (json!({ "model": "toc-parser", "document_id": others }), (404, "DOCUMENT_NOT_FOUND")),
        (json!({ "model": "toc-parser", "document_id": NOBODY }), (404, "DOCUMENT_NOT_FOUND")),
        (json!({ "model": "room-detector", "document_id": document }), (503, "MODEL_UNAVAILABLE")),
    ];
    let good = json!({ "model": "toc-parser", "document_id": document });
    for (bad, expected) in cases {
        for requests in [json!([good, bad]), json!([bad, good])] {
            let refused = submit(&client, &json!({ "requests": requests })).await;
            assert_eq!(refused.error(), expected, "{bad}");
        }
    }
    for webhook_url in [json!(7), json!("http://example.com"), json!("")] {
        let body = json!({ "requests": [good], "webhook_url": webhook_url });
        assert_eq!(submit(&client, &body).await.error(), wrong, "{webhook_url}");
    }
    assert_eq!(jobs_of(&client).await, 1, "the repeated request returns the first batch");
}

#[tokio::test]
async fn a_batch_webhook_serves_requests_without_their_own() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let client = server.client("office", "developer");
    let document = client.document(document::titled("Sheets", 1)).await;
    let without = json!({ "model": "toc-parser", "document_id": document });
    let with_own = json!({ "model": "toc-parser", "document_id": document, "webhook_url": "https://example.com/own" });
    let batch = |request: &Value| json!({ "requests": [request], "webhook_url": "http://not-https.example.com/" });

    assert_eq!(submit(&client, &batch(&without)).await.error(), (422, "VALIDATION_ERROR"), "it is the job's");
    assert_eq!(submit(&client, &batch(&with_own)).await.status, StatusCode::ACCEPTED, "it is nobody's");
    let free = server.client("free", "free");
    let document = free.document(document::titled("Sheets", 1)).await;
    let ignored = batch(&json!({ "model": "toc-parser", "document_id": document }));
    assert_eq!(submit(&free, &ignored).await.status, StatusCode::ACCEPTED, "the free tier has no webhooks");
}

#[tokio::test]
async fn a_repeated_batch_gets_the_same_answer_and_one_charge() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let client = server.client("office", "free");
    let document = client.document(document::titled("Sheets", 1)).await;
    let body = json!({ "requests": vec![json!({ "model": "toc-parser", "document_id": document }); 60] });
    let repeated = || client.request(Method::POST, "/v1/batches").header("Idempotency-Key", "\"monday\"").json(&body);

    let first = answer(repeated()).await;
    let second = answer(repeated()).await;

    assert_eq!((first.status, second.status), (StatusCode::ACCEPTED, StatusCode::ACCEPTED));
    assert_eq!((&first.body, &first.headers[LOCATION]), (&second.body, &second.headers[LOCATION]));
    let listed = client.get("/v1/jobs?limit=100").await.body;
    assert_eq!(listed["jobs"].as_array().unwrap().len(), 60);
    assert_eq!(client.get("/v1/usage").await.body["used"], 60);
}

#[tokio::test]
async fn a_batch_beyond_the_credits_is_rejected_whole() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let client = server.client("office", "free");
    let document = client.document(document::titled("Sheets", 3)).await;
    let requests = |pages: usize| {
        let pages = vec![1; pages];
        json!([
            { "model": "toc-parser", "document_id": document },
            { "model": "door-detector", "document_id": document, "page_numbers": pages },
        ])
    };

    let refused = submit(&client, &json!({ "requests": requests(50) })).await;
    assert_eq!(refused.error(), (402, "FREE_TIER_LIMIT_REACHED"), "101 of 100 credits");
    assert_eq!(jobs_of(&client).await, 0);
    batch_of(&client, requests(49)).await;
    assert_eq!(jobs_of(&client).await, 2);
}

#[tokio::test]
async fn a_batch_has_1_to_100_requests() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let client = server.client("office", "enterprise");
    let document = client.document(document::titled("Sheets", 1)).await;
    let request = json!({ "model": "toc-parser", "document_id": document });

    for count in [0, 101] {
        let refused = submit(&client, &json!({ "requests": vec![request.clone(); count] })).await;
        assert_eq!(refused.error(), (422, "VALIDATION_ERROR"), "{count}");
    }
    for body in [json!({}), json!({ "requests": null }), json!({ "requests": request }), json!([request])] {
        assert_eq!(submit(&client, &body).await.error(), (422, "VALIDATION_ERROR"), "{body}");
    }
    let batch = batch_of(&client, json!(vec![request; 100])).await;
    let batch = client.get(&format!("/v1/batches/{batch}")).await.body;
    assert_eq!((&batch["status"], &batch["counts"]["queued"]), (&json!("queued"), &json!(100)));
    assert_eq!(batch["jobs"][99]["progress"], "Queued, 99 jobs ahead");
}

#[tokio::test]
async fn cancelling_a_batch_refunds_its_queued_jobs() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let client = server.client("office", "free");
    let document = client.document(document::titled("Sheets", 1)).await;
    let doors = json!({ "model": "door-detector", "document_id": document, "page_numbers": vec![1; 25] });

    for _ in 0..3 {
        let batch = batch_of(&client, json!([doors, doors])).await;
        let refused = submit(&client, &json!({ "requests": [doors] })).await;
        assert_eq!(refused.error(), (402, "FREE_TIER_LIMIT_REACHED"), "all 100 credits are in use");
        for _ in 0..2 {
            let cancelled = cancel(&client, &batch).await;
            assert_eq!((cancelled.status, &cancelled.body["status"]), (StatusCode::OK, &json!("cancelled")));
            assert_eq!(cancelled.body["counts"]["cancelled"], 2);
            assert_eq!(cancelled.body["jobs"][0]["credits_charged"], 0);
        }
    }
}

#[tokio::test]
async fn a_batch_is_visible_to_its_account_only() {
    let (server, _plugins) = with_stand_ins(Some("api"));
    let (owner, other) = (server.client("owner", "developer"), server.client("other", "developer"));
    let document = owner.document(document::titled("Sheets", 1)).await;
    let batch = batch_of(&owner, json!([{ "model": "toc-parser", "document_id": document }])).await;

    for id in [batch.as_str(), NOBODY] {
        assert_eq!(other.get(&format!("/v1/batches/{id}")).await.error(), (404, "NOT_FOUND"), "{id}");
        assert_eq!(cancel(&other, id).await.error(), (404, "NOT_FOUND"), "{id}");
    }
    assert_eq!(owner.get(&format!("/v1/batches/{batch}")).await.body["status"], "queued");
    assert_eq!(owner.get("/v1/batches/7").await.error(), (422, "VALIDATION_ERROR"));
    assert_eq!(cancel(&owner, "7").await.error(), (422, "VALIDATION_ERROR"));

    let path = format!("/v1/batches/{batch}");
    for (method, path) in [(Method::POST, "/v1/batches"), (Method::GET, &path), (Method::DELETE, &path)] {
        let refused = answer(server.request(method.clone(), path).json(&json!({}))).await;
        assert_eq!(refused.error(), (401, "UNAUTHORIZED"), "{method}");
    }
}
