//! Security headers: what answers forbid browsers to do.

use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, answer};
use reqwest::header::{CONTENT_SECURITY_POLICY, STRICT_TRANSPORT_SECURITY};
use reqwest::{Method, RequestBuilder};

/// Returns requests for every kind of answer: data, files, pictures, pages, their parts and errors.
async fn requests(server: &mut Server) -> Vec<RequestBuilder> {
    let client = server.client("office", "developer");
    let uploaded = client.upload(document::titled("A manual", 1)).await;
    let document = format!("/v1/documents/{}", uploaded.body["document_id"].as_str().unwrap());
    let link = uploaded.body["download_url"].as_str().unwrap();
    let file = &link[link.find("/v1/").unwrap()..];
    let link = server.announced();
    let sign_in = &link[link.find("/v1/").unwrap()..];
    vec![
        client.request(Method::GET, &document),
        client.request(Method::GET, &format!("{document}/pages/1.png")),
        client.request(Method::DELETE, "/v1/jobs/01890a5d-ac96-774b-bcce-b302099a8057"),
        client.request(Method::PUT, "/v1/jobs"),
        server.request(Method::GET, file),
        server.request(Method::GET, file).header("Range", "bytes=0-9"),
        server.request(Method::GET, file).header("Range", "bytes=9999999-"),
        server.request(Method::GET, "/v1/files/x"),
        server.request(Method::GET, "/openapi.json"),
        server.request(Method::GET, "/docs"),
        server.request(Method::GET, "/docs/start.js"),
        server.request(Method::GET, sign_in),
        server.request(Method::GET, "/"),
        server.request(Method::GET, "/v1/jobs"),
        client.request(Method::DELETE, &document),
    ]
}

#[tokio::test]
async fn every_answer_forbids_guessing_its_type() {
    let mut server = Server::start();
    for request in requests(&mut server).await {
        let answer = answer(request.try_clone().unwrap()).await;
        let header = |name: &str| answer.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"), "{request:?}");
        assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"), "{request:?}");
        assert_eq!(header("strict-transport-security"), None, "{request:?}");
        if !answer.body.is_null() {
            let policy = header("content-security-policy").unwrap();
            assert_eq!(policy, "default-src 'none'; frame-ancestors 'none'", "{request:?}");
        }
    }
}

#[tokio::test]
async fn behind_https_every_answer_requires_https() {
    let settings = vec![("BASE_URL", "https://fanlight.example.com".to_owned())];
    let mut server = Server::start_with(Options { settings, ..Options::default() });
    for request in requests(&mut server).await {
        let answer = answer(request.try_clone().unwrap()).await;
        assert_eq!(answer.headers[STRICT_TRANSPORT_SECURITY], "max-age=31536000", "{request:?}");
    }
}

#[tokio::test]
async fn pages_run_no_inline_script_and_load_in_no_frame() {
    let mut server = Server::start();
    let link = server.announced();
    for path in ["/docs", &link[link.find("/v1/").unwrap()..]] {
        let page = server.request(Method::GET, path).send().await.unwrap();
        assert_eq!(page.headers()["x-frame-options"], "DENY", "{path}");
        assert_eq!(page.headers()["cross-origin-opener-policy"], "same-origin", "{path}");
        let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        let scripts = policy.split(';').find(|rule| rule.trim().starts_with("script-src")).unwrap_or_default();
        assert!(policy.contains("default-src 'none'") && !scripts.contains("unsafe"), "{path}: {policy}");
        let text = page.text().await.unwrap();
        for script in text.split("<script").skip(1) {
            let (attributes, content) = script.split_once('>').unwrap();
            assert!(attributes.contains("src=\"") && content.trim_start().starts_with("</script>"), "{path}: {script}");
        }
    }
}
