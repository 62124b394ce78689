//! Signed links: what they return, and that only the exact link returns it.

use fanlight_tests::document;
use fanlight_tests::server::{Options, Server, answer, plain_client};
use reqwest::header::{ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, ETAG, IF_RANGE, RANGE};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

/// Starts a server and returns it with a document's bytes and a link to them.
async fn linked() -> (Server, Vec<u8>, String) {
    let server = Server::start();
    let client = server.client("office", "developer");
    let pdf = document::titled("A manual", 3);
    let uploaded = client.upload(pdf.clone()).await;
    let link = uploaded.body["download_url"].as_str().unwrap().to_owned();
    (server, pdf, link)
}

async fn ask(link: &str, header: Option<(reqwest::header::HeaderName, &str)>) -> Response {
    let mut request = plain_client().get(link);
    if let Some((name, value)) = header {
        request = request.header(name, value);
    }
    request.send().await.unwrap()
}

#[tokio::test]
async fn other_spellings_of_a_link_are_refused() {
    let (_server, _pdf, link) = linked().await;
    let (start, token) = link.rsplit_once('/').unwrap();
    let first = token.as_bytes()[0];
    let last_but_padding = {
        // The last character has unused bits, which no signed token sets.
        let last = token.chars().next_back().unwrap();
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        let index = alphabet.find(last).unwrap();
        format!("{}{}", &token[..token.len() - 1], &alphabet[index + 1..index + 2])
    };
    let cases = [
        ("escaped", format!("%{first:02X}{}", &token[1..])),
        ("escaped in lower case", format!("%{first:02x}{}", &token[1..])),
        ("padded", format!("{token}=")),
        ("padded, escaped", format!("{token}%3D")),
        ("cut at its end", token[..token.len() - 1].to_owned()),
        ("cut at its start", token[1..].to_owned()),
        ("extended", format!("{token}A")),
        ("doubled", token.repeat(2)),
        ("with a space", format!("{token}%20")),
        ("with a line break", format!("{token}%0A")),
        ("with a NUL", format!("{token}%00")),
        ("with spare bits set", last_but_padding),
        ("of one character", "A".to_owned()),
    ];
    for (what, altered) in cases {
        let refused = answer(plain_client().get(format!("{start}/{altered}"))).await;
        assert_eq!(refused.error(), (403, "FORBIDDEN"), "{what}: {altered}");
    }
    assert_eq!(ask(&link, None).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn links_of_other_servers_are_refused() {
    let (_server, _pdf, link) = linked().await;
    let (other, _, _) = linked().await;
    let token = link.rsplit_once('/').unwrap().1;
    let refused = answer(other.request(Method::GET, &format!("/v1/files/{token}"))).await;
    assert_eq!(refused.error(), (403, "FORBIDDEN"));
}

#[tokio::test]
async fn valid_ranges_are_returned_and_invalid_ones_ignored() {
    let (_server, pdf, link) = linked().await;
    let size = pdf.len();
    let part = |start: usize, end: usize| (206, pdf[start..end].to_vec(), format!("bytes {start}-{}/{size}", end - 1));
    let whole = || (200, pdf.clone(), String::new());
    let cases = [
        ("bytes=0-0".to_owned(), part(0, 1)),
        ("bytes=0-99".to_owned(), part(0, 100)),
        (format!("bytes={}-", size - 1), part(size - 1, size)),
        ("bytes=10-".to_owned(), part(10, size)),
        ("bytes=-1".to_owned(), part(size - 1, size)),
        (format!("bytes=-{}", size + 1), part(0, size)),
        (format!("bytes=5-{}", size + 100), part(5, size)),
        ("bytes=0-0,5-9".to_owned(), whole()),
        ("bytes=9-5".to_owned(), whole()),
        ("bytes=a-b".to_owned(), whole()),
        ("bytes".to_owned(), whole()),
        ("pages=1-2".to_owned(), whole()),
    ];
    for (range, (status, bytes, content_range)) in cases {
        for method in [Method::GET, Method::HEAD] {
            let response = plain_client().request(method.clone(), &link).header(RANGE, &range).send().await.unwrap();
            let headers = response.headers().clone();
            assert_eq!(response.status().as_u16(), status, "{method} {range}");
            let range_header = headers.get(CONTENT_RANGE).map_or("", |value| value.to_str().unwrap());
            assert_eq!(range_header, content_range, "{method} {range}");
            assert_eq!(headers[CONTENT_LENGTH], bytes.len().to_string(), "{method} {range}");
            assert_eq!(
                (&headers[ACCEPT_RANGES], &headers[CACHE_CONTROL]),
                (&"bytes".parse().unwrap(), &"private, no-store".parse().unwrap())
            );
            let body = response.bytes().await.unwrap();
            assert_eq!(body, if method == Method::HEAD { Vec::new() } else { bytes.clone() }, "{method} {range}");
        }
    }
    for range in [format!("bytes={size}-"), format!("bytes={}-{}", size + 5, size + 9), "bytes=-0".to_owned()] {
        let response = ask(&link, Some((RANGE, &range))).await;
        assert_eq!(response.headers()[CONTENT_RANGE], format!("bytes */{size}"), "{range}");
        assert_eq!(response.status(), StatusCode::RANGE_NOT_SATISFIABLE, "{range}");
        let body: Value = response.json().await.unwrap();
        assert_eq!(body["error"]["code"], "RANGE_NOT_SATISFIABLE", "{range}");
    }
}

#[tokio::test]
async fn a_conditional_range_requires_the_same_file() {
    let (_server, pdf, link) = linked().await;
    let etag = ask(&link, None).await.headers()[ETAG].to_str().unwrap().to_owned();
    for (condition, status) in [(etag.as_str(), 206), ("\"another\"", 200), ("W/\"weak\"", 200)] {
        let request = plain_client().get(&link).header(RANGE, "bytes=0-0").header(IF_RANGE, condition);
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{condition}");
        assert_eq!(response.bytes().await.unwrap(), if status == 206 { &pdf[..1] } else { &pdf[..] });
    }
}

/// Returns headers and body of a response as text.
async fn text_of(response: Response) -> String {
    let headers = format!("{:?}", response.headers());
    let body = response.bytes().await.unwrap();
    format!("{headers}{}", String::from_utf8_lossy(&body))
}

#[tokio::test]
async fn answers_and_log_never_name_a_blob() {
    let server = Server::start_with(Options { keep_log: true, ..Options::default() });
    let client = server.client("office", "developer");
    let id = client.document(document::titled("A manual", 2)).await;
    let file = server.stored_files().pop().unwrap();
    let job = client.finished(&client.job(&id).await).await;
    let link = job["pdf_url"].as_str().unwrap();
    let path = link.strip_prefix(server.base_url()).unwrap();
    let sound = [
        "/v1/documents".to_owned(),
        format!("/v1/documents/{id}"),
        format!("/v1/documents/{id}/pages"),
        format!("/v1/documents/{id}/pages/1.png"),
        "/v1/jobs".to_owned(),
        format!("/v1/jobs/{}", job["id"].as_str().unwrap()),
        path.to_owned(),
    ];
    let mut answers = String::new();
    for path in &sound {
        let response = client.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        answers.push_str(&text_of(response).await);
    }
    // Errors reveal no more.
    std::fs::remove_file(&file).unwrap();
    for path in [&sound[2], &sound[3], &sound[6]] {
        let response = client.request(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR, "{path}");
        answers.push_str(&text_of(response).await);
    }
    let other = client.document(document::titled("Another manual", 1)).await;
    let other_file = server.stored_files().pop().unwrap();
    std::fs::remove_file(&other_file).unwrap();
    let failed = client.finished(&client.job(&other).await).await;
    assert_eq!(failed["error_code"], "INTERNAL_ERROR", "{failed}");
    answers.push_str(&failed.to_string());

    server.logged("ending=\"failed\"");
    let log = server.log().join("\n");
    assert!(log.contains("a request failed"), "{log}");
    for hidden in [&file, &other_file].map(|file| file.file_name().unwrap().to_str().unwrap()) {
        assert!(!answers.contains(hidden) && !log.contains(hidden), "{hidden} is revealed: {log}");
    }
    let token = path.rsplit_once('/').unwrap().1;
    assert!(!log.contains(token), "the log has a link: {log}");
}
