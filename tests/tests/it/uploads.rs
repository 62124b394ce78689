//! Refused uploads: each has its status and code, and leaves nothing behind.

use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, answer};
use reqwest::{Method, StatusCode};
use sqlx::Connection;

#[tokio::test]
async fn each_bad_file_is_refused_with_its_code() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let whole = document::titled("A manual", 50);
    let cases = [
        ("an empty file", Vec::new(), (415, "UNSUPPORTED_MEDIA_TYPE")),
        ("text", b"DIVISION 08 - OPENINGS".to_vec(), (415, "UNSUPPORTED_MEDIA_TYPE")),
        ("a picture", b"\x89PNG\r\n\x1a\n0000000000".to_vec(), (415, "UNSUPPORTED_MEDIA_TYPE")),
        ("a header alone", b"%PDF-1.7\n".to_vec(), (422, "PDF_CORRUPT")),
        ("a file cut off before its first page", whole[..20].to_vec(), (422, "PDF_CORRUPT")),
        ("a file cut off in its middle", whole[..whole.len() / 2].to_vec(), (422, "PDF_CORRUPT")),
        ("a file cut off before its end", whole[..whole.len() - 30].to_vec(), (422, "PDF_CORRUPT")),
        ("a file that takes a password", document::encrypted("secret"), (422, "PDF_ENCRYPTED")),
        ("a bomb", document::bomb(2), (422, "PDF_CORRUPT")),
    ];
    for (what, pdf, expected) in cases {
        let refused = client.upload(pdf).await;
        assert_eq!(refused.error(), expected, "{what}: {}", refused.body);
        assert_eq!(server.stored_files(), Vec::<std::path::PathBuf>::new(), "{what} left something behind");
    }
}

#[tokio::test]
async fn a_file_encrypted_without_a_user_password_is_accepted() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let uploaded = client.upload(document::encrypted("")).await;
    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    assert_eq!(uploaded.body["page_count"], 1);
}

#[tokio::test]
async fn a_tiers_size_cap_is_exact_to_the_byte() {
    let server = Server::start();
    for (tier, cap) in [("free", 50_000_000), ("enterprise", 200_000_000)] {
        let client = server.client(tier, tier);
        let at_the_cap = document::padded_to(cap);
        let over = document::padded_to(cap + 1);
        assert_eq!(client.upload(at_the_cap).await.status, StatusCode::CREATED, "{tier}");
        let kept = server.stored_files();
        let raw =
            client.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf").body(over.clone());
        assert_eq!(answer(raw).await.error(), (413, "FILE_TOO_LARGE"), "{tier}, raw");
        assert_eq!(client.upload(over).await.error(), (413, "FILE_TOO_LARGE"), "{tier}, multipart");
        assert_eq!(server.stored_files(), kept, "{tier}: something was left behind");
    }
}

#[tokio::test]
async fn a_body_that_is_not_an_upload_is_refused() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let post = || client.request(Method::POST, "/v1/documents");
    let json = answer(post().header("Content-Type", "application/json").body("{}")).await;
    assert_eq!(json.error(), (415, "UNSUPPORTED_MEDIA_TYPE"));
    let form = reqwest::multipart::Form::new().text("other", "no file here");
    assert_eq!(answer(post().multipart(form)).await.error(), (422, "VALIDATION_ERROR"));
    assert!(server.stored_files().is_empty());
}

/// Dates every unfinished upload of a killed server back.
pub(crate) async fn age_uploads(server: &Server) {
    let database = format!("sqlite://{}", server.data().join("fanlight.sqlite").display());
    let mut connection = sqlx::SqliteConnection::connect(&database).await.unwrap();
    sqlx::query("UPDATE uploads SET started_at = 0").execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

#[tokio::test]
async fn the_next_server_sweeps_a_killed_servers_upload() {
    let mut server = Server::start();
    let client = server.client("office", "developer");
    client.document(document::titled("A manual", 1)).await;
    let kept = server.stored_files();
    let upload = client.held_upload().await;
    server.kill();
    drop(upload);
    assert_eq!(server.stored_files().len(), 2);

    age_uploads(&server).await;
    let next =
        Server::start_with(Options { data: Some(server.data().to_owned()), keep_log: true, ..Options::default() });
    next.logged("removed abandoned uploads");
    assert_eq!(next.stored_files(), kept);
}
