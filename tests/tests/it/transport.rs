//! TLS as clients use it.

use std::fs;
use std::path::Path;

use deadline::PATIENCE;
use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, answer, plain_client};
use reqwest::header::SET_COOKIE;
use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, StatusCode};

/// Starts a server with a certificate of its own, and returns it with a client that trusts it.
pub(crate) fn over_tls(folder: &Path, settings: &[(&'static str, &str)]) -> (Server, Client) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    fs::write(&certificate, made.cert.pem()).unwrap();
    fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let mut settings: Vec<_> = settings.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    settings.push(("TLS__CERTIFICATE", certificate.to_string_lossy().into_owned()));
    settings.push(("TLS__KEY", key.to_string_lossy().into_owned()));
    let server = Server::start_with(Options { settings, ..Options::default() });
    let known = Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
    (server, Client::builder().timeout(PATIENCE).tls_certs_only([known]).redirect(Policy::none()).build().unwrap())
}

#[tokio::test]
async fn with_a_certificate_the_api_speaks_tls_only() {
    let folder = tempfile::tempdir().unwrap();
    let (mut server, client) = over_tls(folder.path(), &[]);
    let base_url = server.base_url().to_owned();
    assert!(base_url.starts_with("https://127.0.0.1:"), "{base_url}");

    let secret =
        String::from_utf8(server.command(&["keys", "create", "--account", "office", "--tier", "developer"]).stdout)
            .unwrap();
    let upload = client
        .post(format!("{base_url}/v1/documents"))
        .header("X-API-Key", secret.trim_end())
        .header("Content-Type", "application/pdf")
        .body(document::padded_to(3_000_000));
    let uploaded = answer(upload).await;
    assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
    let link = uploaded.body["download_url"].as_str().unwrap();
    assert!(link.starts_with(&base_url), "{link}");
    let read = client.get(link).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(read.len(), 3_000_000);

    let begun = answer(client.post(server.announced())).await;
    assert!(begun.headers[SET_COOKIE].to_str().unwrap().starts_with("__Host-fanlight_session="));
    assert_eq!(begun.headers["strict-transport-security"], "max-age=31536000");

    let plain = base_url.replace("https://", "http://");
    assert!(plain_client().get(&plain).send().await.is_err(), "plain HTTP is not answered");
    let stranger = Client::builder().timeout(PATIENCE).tls_certs_only([]).build().unwrap();
    assert!(stranger.get(&base_url).send().await.is_err(), "the certificate is the server's own");
}
