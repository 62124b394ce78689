//! Links that show one job, read-only, to people without a key.

use fanlight_tests::document::{self, Sheet};
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::header::{CACHE_CONTROL, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const SHEET: Sheet = Sheet { media_box: [0, 0, 300, 200], crop_box: [0, 0, 300, 200], rotate: 90 };

/// Submits a job that finds two items, of which a review rejects one, and returns its id.
async fn reviewed_job(client: &Caller) -> String {
    let document = client.document(document::sheets(&[SHEET])).await;
    let item = |id: &str| json!({"id": id, "page": 1, "bbox": {"x1": 10, "y1": 20, "x2": 30, "y2": 60}});
    let job = client.stand_in_job(&document, json!({"doors": [item("d1"), item("d2")], "doors_found": 2})).await;
    assert_eq!(client.finished(&job).await["status"], "complete");
    let review = json!({"items": [{"id": "d1", "status": "rejected"}]});
    let request = client.request(Method::PUT, &format!("/v1/jobs/{job}/review")).json(&review);
    assert_eq!(answer(request).await.status, StatusCode::OK);
    job
}

async fn share(client: &Caller, job: &str, request: &Value) -> Answer {
    answer(client.request(Method::POST, &format!("/v1/jobs/{job}/shares")).json(request)).await
}

/// Reads what a link shows, as anybody who has it.
async fn shown(server: &Server, token: &str, path: &str) -> Answer {
    answer(server.request(Method::GET, &format!("/v1/shared/{token}{path}"))).await
}

#[tokio::test]
async fn a_link_shows_the_reviewed_job_until_it_is_revoked() {
    let plugins = Plugins::default().with_stand_in("acme-model");
    let options = Options { plugins: Some(plugins.folder()), keep_log: true, ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "pro");
    let job = reviewed_job(&client).await;

    let made = share(&client, &job, &json!({"days": 2})).await;
    assert_eq!((made.status, &made.headers[CACHE_CONTROL]), (StatusCode::CREATED, &"no-store".parse().unwrap()));
    let token = made.body["token"].as_str().unwrap();
    assert!(made.body["url"].as_str().unwrap().ends_with(&format!("/#/shared/{token}")), "{}", made.body);

    let about = shown(&server, token, "").await;
    assert_eq!(about.status, StatusCode::OK, "{}", about.body);
    assert_eq!((&about.body["job_id"], &about.body["model"]), (&json!(job), &json!("acme-model")));
    assert_eq!(about.body["expires_at"], made.body["expires_at"]);
    let result = shown(&server, token, "/result").await;
    let ids: Vec<&Value> = result.body["doors"].as_array().unwrap().iter().map(|door| &door["id"]).collect();
    assert_eq!(ids, ["d2"], "{}", result.body);
    let pages = shown(&server, token, "/pages").await;
    assert_eq!((&pages.body["page_count"], &pages.body["pages"][0]["rotation"]), (&json!(1), &json!(90)));
    let tile = server.request(Method::GET, &format!("/v1/shared/{token}/tiles/1/0/0/0.png")).send().await.unwrap();
    assert_eq!(tile.status(), StatusCode::OK);
    let picture = server.request(Method::GET, &format!("/v1/shared/{token}/pages/1.png")).send().await.unwrap();
    assert_eq!((picture.status(), &picture.headers()[CONTENT_TYPE]), (StatusCode::OK, &"image/png".parse().unwrap()));
    assert_eq!(shown(&server, token, "/pages/2.png").await.status, StatusCode::NOT_FOUND);

    let listed = client.get(&format!("/v1/jobs/{job}/shares")).await;
    assert_eq!(listed.body["shares"][0]["id"], made.body["id"]);
    assert!(listed.body["shares"][0].get("token").is_none(), "a token is shown once");
    let id = made.body["id"].as_str().unwrap();
    let revoke = format!("/v1/jobs/{job}/shares/{id}");
    assert_eq!(answer(client.request(Method::DELETE, &revoke)).await.status, StatusCode::NO_CONTENT);
    for path in ["", "/result", "/pages", "/pages/1.png"] {
        assert_eq!(shown(&server, token, path).await.error(), (403, "FORBIDDEN"), "{path}");
    }
    assert_eq!(answer(client.request(Method::DELETE, &revoke)).await.error(), (404, "NOT_FOUND"));
    assert!(server.log().iter().all(|line| !line.contains(token)), "a token is as good as a key, and is not logged");
}

#[tokio::test]
async fn only_the_owner_of_a_complete_job_shares_it() {
    let plugins = Plugins::default().with_stand_in("acme-model");
    let server = Server::start_with(Options { plugins: Some(plugins.folder()), ..Options::default() });
    let (client, other) = (server.client("office", "pro"), server.client("others", "pro"));
    let job = reviewed_job(&client).await;
    assert_eq!(share(&other, &job, &json!({})).await.error(), (404, "JOB_NOT_FOUND"));
    for days in [json!(0), json!(366), json!("7")] {
        assert_eq!(share(&client, &job, &json!({ "days": days })).await.error(), (422, "VALIDATION_ERROR"), "{days}");
    }
    for token in ["0", &"0".repeat(64), "..%2f"] {
        assert_eq!(shown(&server, token, "").await.error(), (403, "FORBIDDEN"), "{token}");
    }
}
