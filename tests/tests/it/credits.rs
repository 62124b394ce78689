//! Credits over HTTP: charges, refusals, refunds and usage.

use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use throwaway_postgres::Cluster;

/// Returns options of a server that runs no jobs and gives free and developer keys credits for seven.
fn options(database: &str) -> Options {
    let settings = ["TIERS__FREE__CREDITS", "TIERS__DEVELOPER__CREDITS"].map(|key| (key, "7".to_owned()));
    Options { database: Some(database.to_owned()), role: Some("api"), settings: settings.into(), ..Options::default() }
}

async fn fifty_at_two_servers_make_seven_jobs(database: &str) {
    let (here, there) = (Server::start_with(options(database)), Server::start_with(options(database)));
    for (tier, refusal) in [("free", (402, "FREE_TIER_LIMIT_REACHED")), ("developer", (429, "QUOTA_EXCEEDED"))] {
        let client = here.client(tier, tier);
        let document = client.document(document::titled("A manual", 1)).await;
        let clients = [client.clone(), client.at(&there)];
        let submitting: Vec<_> = (0..50)
            .map(|index| {
                let (client, document) = (clients[index % 2].clone(), document.clone());
                tokio::spawn(async move { client.parse(&document).await })
            })
            .collect();
        let mut jobs = 0;
        for submitted in submitting {
            let submitted = submitted.await.unwrap();
            match submitted.status {
                StatusCode::ACCEPTED => jobs += 1,
                _ => assert_eq!(submitted.error(), refusal),
            }
        }
        assert_eq!(jobs, 7, "{tier}");
        let usage = client.get("/v1/usage").await.body;
        assert_eq!((&usage["used"], &usage["remaining"]), (&json!(7), &json!(0)), "{tier}");
        assert_eq!(usage["models"], json!([{ "model": "toc-parser", "jobs": 7, "charged": 7, "refunded": 0 }]));
    }
}

#[tokio::test]
async fn seven_credits_admit_seven_of_fifty_submissions_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    fifty_at_two_servers_make_seven_jobs(folder.path().join("shared.sqlite").to_str().unwrap()).await;
}

#[tokio::test]
async fn seven_credits_admit_seven_of_fifty_submissions_on_postgres() {
    fifty_at_two_servers_make_seven_jobs(&Cluster::shared().unwrap().create_database().unwrap()).await;
}

#[tokio::test]
async fn a_cancelled_job_is_refunded_once_in_the_tiers_usage() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let cases = [("free", json!(100)), ("developer", json!(2000)), ("pro", json!(10000)), ("enterprise", Value::Null)];
    for (tier, limit) in cases {
        let client = server.client(tier, tier);
        let document = client.document(document::titled("A manual", 1)).await;
        let cancelled = client.job(&document).await;
        client.job(&document).await;
        for status in [200, 409] {
            let request = client.request(Method::DELETE, &format!("/v1/jobs/{cancelled}"));
            assert_eq!(answer(request).await.status.as_u16(), status);
        }

        let usage = client.get("/v1/usage").await.body;

        assert_eq!((&usage["tier"], &usage["used"], &usage["limit"]), (&json!(tier), &json!(1), &limit));
        assert_eq!(usage["remaining"].as_u64(), limit.as_u64().map(|limit| limit - 1), "{usage}");
        assert_eq!(usage["models"], json!([{ "model": "toc-parser", "jobs": 2, "charged": 2, "refunded": 1 }]));
        let period = &usage["period"];
        if tier == "free" {
            assert_eq!(period["end"], Value::Null);
        } else {
            for end in ["start", "end"] {
                assert!(period[end].as_str().unwrap().ends_with("-01T00:00:00.000Z"), "{usage}");
            }
        }
    }
}
