//! Uploaded files in an S3 bucket.

use std::process::{Command, Output};

use deadline::PATIENCE;
use fanlight_tests::server::{Caller, Options, Server, answer, plain_client};
use fanlight_tests::{document, installed};
use reqwest::header::{CONTENT_RANGE, RANGE};
use reqwest::{Method, Response, StatusCode};
use throwaway_postgres::Cluster;
use throwaway_s3::{Bucket, S3};

use crate::admin;
use crate::uploads::age_uploads;

/// The prefix of a test's objects.
const PREFIX: &str = "of-an-office";
/// The key that signs requests to the bucket.
const SECRET: &str = "hush-hush";
/// The secret that signs links on hosts that share a database.
const LINK_SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Returns a server's settings for a bucket.
fn settings(bucket: &Bucket) -> Vec<(&'static str, String)> {
    vec![
        ("S3__BUCKET", bucket.name.clone()),
        ("S3__PREFIX", PREFIX.to_owned()),
        ("S3__ENDPOINT", bucket.endpoint.clone()),
        ("S3__ALLOW_HTTP", "true".to_owned()),
        ("S3__ACCESS_KEY_ID", "an-office".to_owned()),
        ("S3__SECRET_ACCESS_KEY", SECRET.to_owned()),
    ]
}

/// Returns the keys of documents in a bucket, unfinished uploads included.
fn documents(bucket: &Bucket) -> Vec<String> {
    let keys = bucket.objects().into_iter().chain(bucket.unfinished());
    keys.filter(|key| *key != format!("{PREFIX}/fanlight")).collect()
}

/// Returns headers and body of a response as text.
async fn text_of(response: Response) -> String {
    let headers = format!("{:?}", response.headers());
    format!("{headers}{}", String::from_utf8_lossy(&response.bytes().await.unwrap()))
}

async fn get(client: &Caller, path: &str) -> Response {
    client.request(Method::GET, path).send().await.unwrap()
}

#[tokio::test]
async fn a_document_in_a_bucket_works_like_any_other() {
    let bucket = S3::shared().create_bucket();
    let retention = [("RETENTION__SWEEP_SECONDS", "1".to_owned()), ("RETENTION__GRACE_SECONDS", "0".to_owned())];
    let settings = settings(&bucket).into_iter().chain(retention).collect();
    let server = Server::start_with(Options { settings, keep_log: true, ..Options::default() });
    let client = server.client("office", "developer");
    // Uploaded in three parts.
    let pdf = document::padded_to(12_000_000);
    let uploaded = client.upload(pdf.clone()).await;
    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    let id = uploaded.body["document_id"].as_str().unwrap();
    let kept = documents(&bucket);
    assert!(kept.len() == 1 && kept[0].starts_with(&format!("{PREFIX}/")), "{kept:?}");

    let link = uploaded.body["download_url"].as_str().unwrap();
    let (start, end) = (5 * 1024 * 1024 - 1, 5 * 1024 * 1024 + 1);
    let range = format!("bytes={start}-{end}");
    let part = plain_client().get(link).header(RANGE, range).send().await.unwrap();
    assert_eq!(part.status(), StatusCode::PARTIAL_CONTENT);
    assert_eq!(part.headers()[CONTENT_RANGE], format!("bytes {start}-{end}/12000000"));
    assert_eq!(part.bytes().await.unwrap(), &pdf[start..=end]);
    assert!(plain_client().get(link).send().await.unwrap().bytes().await.unwrap() == pdf);

    let job = client.finished(&client.job(id).await).await;
    assert_eq!(job["status"], "complete", "{job}");
    let annotated = format!("/v1/jobs/{}/annotated.pdf", job["id"].as_str().unwrap());
    for path in [format!("/v1/documents/{id}/pages/1.png"), annotated] {
        assert_eq!(get(&client, &path).await.status(), StatusCode::OK, "{path}");
    }

    // Rejected files leave nothing behind: a file that is no PDF, a corrupt one, one that is too large.
    let refused = [
        (vec![b' '; 6_000_000], (415, "UNSUPPORTED_MEDIA_TYPE")),
        (pdf[..6_000_000].to_vec(), (422, "PDF_CORRUPT")),
        (document::padded_to(100_000_001), (413, "FILE_TOO_LARGE")),
    ];
    for (pdf, error) in refused {
        assert_eq!(client.upload(pdf).await.error(), error);
        assert_eq!(documents(&bucket), kept, "{error:?} left something behind");
    }

    let deleted = answer(client.request(Method::DELETE, &format!("/v1/documents/{id}"))).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    server.logged("swept documents=1");
    assert_eq!(documents(&bucket), Vec::<String>::new());
    assert!(server.stored_files().is_empty(), "no file is kept on this machine");
    assert_eq!(std::fs::read_dir(server.data().join("spool")).unwrap().count(), 0);
}

/// Returns the answers at these paths, which must be internal errors.
async fn errors_at(client: &Caller, paths: [&str; 2]) -> String {
    let mut answers = String::new();
    for path in paths {
        let response = get(client, path).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR, "{path}");
        answers.push_str(&text_of(response).await);
    }
    answers
}

#[tokio::test]
async fn answers_and_log_never_name_the_bucket_or_objects() {
    let s3 = S3::start();
    let bucket = s3.create_bucket();
    let server = Server::start_with(Options { settings: settings(&bucket), keep_log: true, ..Options::default() });
    let client = server.client("office", "developer");
    let uploaded = client.upload(document::titled("A manual", 1)).await;
    let id = uploaded.body["document_id"].as_str().unwrap();
    let link = uploaded.body["download_url"].as_str().unwrap().strip_prefix(server.base_url()).unwrap();
    let keys = documents(&bucket);
    let picture = format!("/v1/documents/{id}/pages/1.png");
    let mut answers = uploaded.body.to_string();
    for path in [format!("/v1/documents/{id}").as_str(), &picture, link] {
        let response = get(&client, path).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        answers.push_str(&text_of(response).await);
    }

    // Errors reveal no more: first the object is missing, then the bucket, then the server.
    let paths = [picture.as_str(), link];
    bucket.delete(&keys[0]);
    answers.push_str(&errors_at(&client, paths).await);
    bucket.delete(&format!("{PREFIX}/fanlight"));
    bucket.remove();
    answers.push_str(&errors_at(&client, paths).await);
    drop(s3);
    answers.push_str(&errors_at(&client, paths).await);
    let refused = client.upload(document::titled("A manual", 1)).await;
    assert_eq!(refused.error(), (500, "INTERNAL_ERROR"));
    answers.push_str(&refused.body.to_string());

    let log = server.log().join("\n");
    assert!(log.contains("a request failed") && log.contains("NoSuchBucket"), "{log}");
    let key = keys[0].rsplit_once('/').unwrap().1;
    for hidden in [bucket.name.as_str(), PREFIX, key, SECRET] {
        assert!(!answers.contains(hidden) && !log.contains(hidden), "{hidden} is revealed: {log}");
    }
}

#[tokio::test]
async fn servers_sharing_database_and_bucket_share_the_work() {
    let bucket = S3::shared().create_bucket();
    let database = Some(Cluster::shared().unwrap().create_database().unwrap());
    let mut settings = settings(&bucket);
    settings.push(("LINK_SECRET", LINK_SECRET.to_owned()));
    let start = |role| {
        Server::start_with(Options {
            database: database.clone(),
            settings: settings.clone(),
            role,
            ..Options::default()
        })
    };
    let (answering, working) = (start(Some("api")), start(None));
    let client = answering.client("office", "developer");
    let pdf = document::titled("A manual", 2);
    let id = client.document(pdf.clone()).await;

    let job = client.finished(&client.job(&id).await).await;
    assert_eq!(job["status"], "complete", "{job}");
    let elsewhere = client.at(&working);
    let found = elsewhere.get(&format!("/v1/documents/{id}")).await;
    let link = found.body["download_url"].as_str().unwrap();
    assert!(link.starts_with(working.base_url()), "{link}");
    assert_eq!(plain_client().get(link).send().await.unwrap().bytes().await.unwrap(), pdf);

    let deleted = answer(elsewhere.request(Method::DELETE, &format!("/v1/documents/{id}"))).await;
    assert_eq!(deleted.status, StatusCode::NO_CONTENT);
    assert_eq!(client.get(&format!("/v1/documents/{id}")).await.error(), (404, "DOCUMENT_NOT_FOUND"));
}

#[tokio::test]
async fn the_next_server_sweeps_a_killed_servers_bucket_leftovers() {
    let bucket = S3::shared().create_bucket();
    let mut server = Server::start_with(Options { settings: settings(&bucket), ..Options::default() });
    let client = server.client("office", "developer");
    client.document(document::titled("A manual", 1)).await;
    let kept = documents(&bucket);
    let upload = client.held_upload().await;
    server.kill();
    drop(upload);
    assert_eq!(bucket.unfinished().len(), 1);

    age_uploads(&server).await;
    let next = Server::start_with(Options {
        data: Some(server.data().to_owned()),
        settings: settings(&bucket),
        keep_log: true,
        ..Options::default()
    });
    next.logged("removed abandoned uploads");
    assert_eq!(documents(&bucket), kept);
}

/// Runs a server that fails to start with these settings, and returns its output.
fn refused(settings: &[(&'static str, String)]) -> Output {
    let data = tempfile::tempdir().unwrap();
    let mut command = Command::new(installed::fanlight());
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
    command.env("FANLIGHT_CACHE", installed::cache());
    for (key, value) in settings {
        command.env(format!("FANLIGHT_{key}"), value);
    }
    deadline::output(&mut command, PATIENCE)
}

#[test]
fn an_unusable_bucket_fails_the_start() {
    let bucket = S3::shared().create_bucket();
    let cases = [
        (Bucket { name: "nobodys-bucket".to_owned(), ..bucket.clone() }, "NoSuchBucket"),
        (Bucket { endpoint: "http://127.0.0.1:1".to_owned(), ..bucket }, "Connection refused"),
    ];
    for (bucket, reason) in cases {
        let output = refused(&settings(&bucket));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains("can't write to the bucket of `[s3]`"), "{said}");
        assert!(said.contains(reason) && !said.contains(&bucket.name) && !said.contains(SECRET), "{said}");
    }
}

#[tokio::test]
async fn a_server_without_its_bucket_is_alive_but_not_ready() {
    let s3 = S3::start();
    let bucket = s3.create_bucket();
    let options = Options { settings: settings(&bucket), role: Some("api"), ..Options::default() };
    let (_server, admin) = admin::with_admin(options);
    assert_eq!(admin::read(format!("{admin}/readyz")).await.0, StatusCode::OK);
    drop(s3);
    let (status, reason) = admin::read(format!("{admin}/readyz")).await;
    assert_eq!((status, reason.as_str()), (StatusCode::SERVICE_UNAVAILABLE, "the uploaded files can't be reached\n"));
    assert_eq!(admin::read(format!("{admin}/healthz")).await.0, StatusCode::OK);
}
