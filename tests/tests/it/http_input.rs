//! Malformed HTTP that no client library sends. Each request is refused or read in the only valid way, and the server
//! answers the next one.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use fanlight_tests::document;
use fanlight_tests::server::{Caller, Options, Server, answer};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;

/// The limit for an answer or the end of a connection.
const PATIENCE: Duration = Duration::from_secs(30);
/// An id without a document.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";
/// The pause of a slow client between two bytes.
const DRIP: Duration = Duration::from_millis(100);

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.base_url().strip_prefix("http://").unwrap()).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends bytes and reads everything until the server closes the connection.
fn exchange(server: &Server, request: &[u8]) -> String {
    let mut stream = connect(server);
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(request);
    read_to_close(&mut stream)
}

fn read_to_close(stream: &mut TcpStream) -> String {
    let started = Instant::now();
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        assert!(started.elapsed() < PATIENCE, "the answer has no end, after {:?}", String::from_utf8_lossy(&read));
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => read.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the connection stays open: {error}, after {:?}", String::from_utf8_lossy(&read)),
        }
    }
    String::from_utf8_lossy(&read).into_owned()
}

/// Returns the status of each answer.
fn statuses(read: &str) -> Vec<u16> {
    read.split("HTTP/1.1 ").skip(1).map(|answer| answer[..3].parse().unwrap()).collect()
}

/// Returns a request with these header lines, and a second request smuggled behind it.
fn smuggling(lines: &str, body: &str) -> Vec<u8> {
    let smuggled = "GET /v1/smuggled HTTP/1.1\r\nHost: fanlight\r\nConnection: close\r\n\r\n";
    format!("POST /v1/specs/parse/document HTTP/1.1\r\nHost: fanlight\r\n{lines}\r\n\r\n{body}{smuggled}").into_bytes()
}

#[test]
fn an_ambiguous_request_length_closes_the_connection() {
    let server = Server::start();
    let cases = [
        ("two lengths", "Content-Length: 0\r\nContent-Length: 5", ""),
        ("two lengths in one line", "Content-Length: 0, 5", ""),
        ("a signed length", "Content-Length: +0", ""),
        ("a negative length", "Content-Length: -1", ""),
        ("a hexadecimal length", "Content-Length: 0x0", ""),
        ("a length beyond numbers", "Content-Length: 99999999999999999999999", ""),
        ("another encoding", "Transfer-Encoding: xchunked", ""),
        ("an encoding after chunked", "Transfer-Encoding: chunked, identity", "0\r\n\r\n"),
        ("a space before the colon", "Content-Length : 0", ""),
        ("a tab before the colon", "Transfer-Encoding\t: chunked", "0\r\n\r\n"),
        ("a folded line", "X-A: b\r\n Content-Length: 5", ""),
        ("a line break within a name", "X-A\rContent-Length: 5", ""),
        ("a NUL in a value", "X-A: b\0", ""),
        ("no name", ": b", ""),
        ("a line without a colon", "Content-Length", ""),
    ];
    for (what, lines, body) in cases {
        let read = exchange(&server, &smuggling(lines, body));
        assert_eq!(statuses(&read), [400], "{what}: {read}");
    }
    // With both headers, chunks count (RFC 9112, section 6.1), and nothing after them is read.
    for lines in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Transfer-Encoding: chunked\r\nContent-Length: 9999",
    ] {
        let read = exchange(&server, &smuggling(lines, "0\r\n\r\n"));
        assert_eq!(statuses(&read), [401], "{lines:?}: {read}");
    }
    assert_eq!(statuses(&exchange(&server, b"GET /v1/jobs HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")), [401]);
}

#[test]
fn malformed_chunks_close_the_connection() {
    let server = Server::start();
    let client = server.client("office", "developer");
    for chunks in
        ["5\nhello0\r\n\r\n", "g\r\nhello\r\n", "-1\r\n\r\n", "ffffffffffffffffff\r\n", "5\r\nhello!\r\n0\r\n\r\n"]
    {
        let head = format!(
            "POST /v1/specs/parse/document HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\nContent-Type: application/json\r\n\
             Transfer-Encoding: chunked\r\n\r\n",
            client.secret()
        );
        let read = exchange(&server, format!("{head}{chunks}").as_bytes());
        assert_eq!(statuses(&read), [400], "{chunks:?}: {read}");
    }
}

#[test]
fn request_heads_have_size_limits() {
    let server = Server::start();
    let cases = [
        ("98 headers more", get("/v1/jobs", &headers(98)), 401),
        ("99 headers more", get("/v1/jobs", &headers(99)), 431),
        ("a header of 100 kB", get("/v1/jobs", &long_header("X-A", 100_000)), 401),
        ("a header of 1 MB", get("/v1/jobs", &long_header("X-A", 1_000_000)), 431),
        ("a long key", get("/v1/jobs", &long_header("X-API-Key", 100_000)), 401),
        ("a path of 60 kB", get(&format!("/{}", "a".repeat(60_000)), ""), 404),
        ("a path of 70 kB", get(&format!("/{}", "a".repeat(70_000)), ""), 414),
    ];
    for (what, request, expected) in cases {
        assert_eq!(statuses(&exchange(&server, request.as_bytes())), [expected], "{what}");
    }
}

/// Returns a GET request with these header lines.
fn get(target: &str, lines: &str) -> String {
    format!("GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{lines}\r\n")
}

/// Returns a header line with a value of `length` bytes.
fn long_header(name: &str, length: usize) -> String {
    format!("{name}: {}\r\n", "a".repeat(length))
}

/// Returns `count` short header lines.
fn headers(count: usize) -> String {
    (0..count).map(|index| format!("X-{index}: a\r\n")).collect::<Vec<_>>().concat()
}

#[test]
fn every_form_of_target_is_read_as_its_path() {
    let server = Server::start();
    let cases = [
        ("GET http://other.example/v1/jobs HTTP/1.1", 401),
        ("GET /v1/jobs HTTP/1.0", 401),
        ("GET /v1/../v1/jobs HTTP/1.1", 404),
        ("GET /v1/%6aobs HTTP/1.1", 404),
        ("GET //v1/jobs HTTP/1.1", 404),
        ("GET * HTTP/1.1", 404),
        ("FOO /v1/jobs HTTP/1.1", 405),
        ("TRACE /v1/jobs HTTP/1.1", 405),
        ("get /v1/jobs HTTP/1.1", 405),
        ("GET /v1/jobs HTTP/9.9", 400),
        ("GET /v1/jobs", 400),
        ("GET  /v1/jobs HTTP/1.1", 400),
        ("\u{16}\u{3}\u{1}", 400),
    ];
    for (line, expected) in cases {
        let read = exchange(&server, format!("{line}\r\nHost: a\r\nConnection: close\r\n\r\n").as_bytes());
        let found: Vec<u16> = read.split("HTTP/1.").skip(1).map(|answer| answer[2..5].parse().unwrap()).collect();
        assert_eq!(found, [expected], "{line}: {read}");
    }
}

#[tokio::test]
async fn errors_of_the_framework_have_the_usual_form() {
    let server = Server::start();
    let client = server.client("office", "developer");
    let parse = "/v1/specs/parse/document";
    let cases = [
        (client.request(Method::GET, "/console"), (404, "NOT_FOUND")),
        (client.request(Method::POST, "/"), (405, "METHOD_NOT_ALLOWED")),
        (client.request(Method::GET, "/v2/jobs"), (404, "NOT_FOUND")),
        (client.request(Method::GET, "/v1/documents/"), (404, "NOT_FOUND")),
        (client.request(Method::PUT, "/v1/documents"), (405, "METHOD_NOT_ALLOWED")),
        (client.request(Method::PATCH, "/v1/jobs"), (405, "METHOD_NOT_ALLOWED")),
        (client.request(Method::OPTIONS, "/v1/jobs"), (405, "METHOD_NOT_ALLOWED")),
        (client.request(Method::DELETE, "/v1/documents"), (405, "METHOD_NOT_ALLOWED")),
        (post(&client, parse, "text/plain", "{}"), (415, "UNSUPPORTED_MEDIA_TYPE")),
        (post(&client, parse, "application/x-www-form-urlencoded", "document_id=7"), (415, "UNSUPPORTED_MEDIA_TYPE")),
        (post(&client, parse, "", "{}"), (415, "UNSUPPORTED_MEDIA_TYPE")),
        (client.request(Method::POST, parse).body("{}"), (415, "UNSUPPORTED_MEDIA_TYPE")),
        (post(&client, "/v1/documents", "multipart/form-data", "--b--"), (415, "UNSUPPORTED_MEDIA_TYPE")),
        (post(&client, "/v1/documents", "multipart/form-data; boundary=b", ""), (422, "VALIDATION_ERROR")),
    ];
    for (request, expected) in cases {
        let refused = answer(request.try_clone().unwrap()).await;
        assert_eq!(refused.error(), expected, "{request:?}");
        assert_eq!(refused.headers["x-request-id"].len(), 36);
        assert!(refused.headers[CONTENT_TYPE].to_str().unwrap().starts_with("application/json"));
        assert_eq!(refused.headers.contains_key("allow"), expected.0 == 405, "{request:?}");
    }
}

fn post(client: &Caller, path: &str, content_type: &str, body: &'static str) -> RequestBuilder {
    client.request(Method::POST, path).header(CONTENT_TYPE, content_type.to_owned()).body(body)
}

/// Returns a submission's body of `length` bytes.
fn padded(length: usize) -> Vec<u8> {
    let mut body = br#"{"document_id":"01890a5d-ac96-774b-bcce-b302099a8057"}"#.to_vec();
    body.resize(length, b' ');
    body
}

/// Returns a submission's body with a value that is nested `depth` times.
fn nested(open: &str, close: &str, depth: usize) -> Vec<u8> {
    format!("{{\"document_id\":\"{NOBODY}\",\"x\":{}1{}}}", open.repeat(depth), close.repeat(depth)).into_bytes()
}

async fn submit(client: &Caller, body: Vec<u8>) -> (u16, String) {
    let request = client.request(Method::POST, "/v1/specs/parse/document").header(CONTENT_TYPE, "application/json");
    let answer = answer(request.body(body)).await;
    let (status, code) = answer.error();
    (status, code.to_owned())
}

#[tokio::test]
async fn a_json_body_has_at_most_a_million_bytes() {
    let server = Server::start();
    let client = server.client("office", "enterprise");
    let not_found = (404, "DOCUMENT_NOT_FOUND");
    let invalid = (422, "VALIDATION_ERROR");
    let id = NOBODY;
    let utf16: Vec<u8> = padded(60).iter().flat_map(|byte| [*byte, 0]).collect();
    let cases: Vec<(&str, Vec<u8>, (u16, &str))> = vec![
        ("of a million bytes", padded(1_000_000), not_found),
        ("of one more", padded(1_000_001), (413, "FILE_TOO_LARGE")),
        ("of ten million", padded(10_000_000), (413, "FILE_TOO_LARGE")),
        ("deep in lists", nested("[", "]", 100_000), invalid),
        ("deep in objects", nested("{\"a\":", "}", 100_000), invalid),
        ("with a field twice", format!("{{\"document_id\":\"{id}\",\"document_id\":\"{id}\"}}").into_bytes(), invalid),
        ("with an object for a text", br#"{"document_id":{"id":1}}"#.to_vec(), invalid),
        ("with a text for a list", format!("{{\"document_id\":\"{id}\",\"webhook_url\":[]}}").into_bytes(), invalid),
        ("cut off", padded(40), invalid),
        ("with something behind it", [padded(60), b"{}".to_vec()].concat(), invalid),
        (
            "a number beyond numbers",
            format!("{{\"document_id\":\"{id}\",\"page_numbers\":[1e999]}}").into_bytes(),
            invalid,
        ),
        ("in UTF-16", utf16, invalid),
        ("with a byte order mark", [b"\xef\xbb\xbf".to_vec(), padded(60)].concat(), invalid),
        ("not in UTF-8", b"{\"document_id\":\"\xff\xfe\"}".to_vec(), invalid),
        ("with half a surrogate", br#"{"document_id":"\ud800"}"#.to_vec(), invalid),
        ("compressed", vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0], invalid),
    ];
    for (what, body, expected) in cases {
        let (status, code) = submit(&client, body).await;
        assert_eq!((status, code.as_str()), expected, "a body {what}");
    }
}

#[tokio::test]
async fn file_names_are_cut_to_255_characters() {
    let server = Server::start();
    let client = server.client("office", "developer");
    for (length, kept) in [(255, 255), (256, 255), (5_000, 255)] {
        let path = format!("/v1/documents?filename={}", "n".repeat(length));
        let request = client.request(Method::POST, &path).header(CONTENT_TYPE, "application/pdf");
        let uploaded = answer(request.body(document::titled("A manual", 1))).await;
        assert_eq!(uploaded.status, StatusCode::CREATED, "{}", uploaded.body);
        assert_eq!(uploaded.body["original_filename"].as_str().unwrap().len(), kept, "{length}");
    }
}

/// Starts a server whose connection timeouts are one second.
fn with_short_timeouts() -> Server {
    let timeouts = ["HTTP__HEAD_SECONDS", "HTTP__PAUSE_SECONDS", "HTTP__BODY_SECONDS"];
    let settings = timeouts.map(|key| (key, "1".to_owned())).into();
    Server::start_with(Options { settings, ..Options::default() })
}

/// Sends bytes one at a time, repeatedly, until the server answers or closes the connection. Returns the answer.
fn drip(mut stream: TcpStream, byte: u8) -> String {
    let started = Instant::now();
    let mut buffer = [0; 1];
    loop {
        assert!(started.elapsed() < PATIENCE, "the server neither answers nor closes the connection");
        if stream.write_all(&[byte]).is_err() {
            return String::new();
        }
        stream.set_read_timeout(Some(DRIP)).unwrap();
        match stream.read(&mut buffer) {
            Ok(0) => return String::new(),
            Ok(_) => {
                stream.set_read_timeout(Some(PATIENCE)).unwrap();
                return format!("{}{}", char::from(buffer[0]), read_to_close(&mut stream));
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return String::new(),
        }
    }
}

#[test]
fn an_unfinished_head_times_out() {
    let server = with_short_timeouts();
    for start in ["G", "GET /v1/jobs HTTP/1.1\r\nHost: a\r\n", "GET /v1/jobs HTTP/1.1\r\nX-Long: "] {
        let mut silent = connect(&server);
        silent.write_all(start.as_bytes()).unwrap();
        assert_eq!(read_to_close(&mut silent), "", "silent after {start:?}");

        let mut dripping = connect(&server);
        dripping.write_all(start.as_bytes()).unwrap();
        assert_eq!(drip(dripping, b'a'), "", "dripping after {start:?}");
    }
}

#[test]
fn a_connections_second_request_times_out_too() {
    let server = with_short_timeouts();
    let mut stream = connect(&server);
    stream.write_all(b"GET /v1/jobs HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
    let mut first = [0; 4096];
    let count = stream.read(&mut first).unwrap();
    assert_eq!(statuses(&String::from_utf8_lossy(&first[..count])), [401]);
    stream.write_all(b"GET /v1").unwrap();
    assert_eq!(read_to_close(&mut stream), "");
}

/// Returns the head of a POST request with a body of 900 bytes.
fn post_head(client: &Caller, path: &str, content_type: &str) -> String {
    format!(
        "POST {path} HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\nContent-Type: {content_type}\r\nContent-Length: 900\r\n\r\n",
        client.secret()
    )
}

/// Returns the JSON body of an answer. Null if it has none.
fn json_body(answer: &str) -> Value {
    serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap_or_default()).unwrap_or_default()
}

#[test]
fn a_stalled_or_slow_body_is_refused() {
    let server = with_short_timeouts();
    let client = server.client("office", "developer");
    for (path, content_type, start) in [
        ("/v1/specs/parse/document", "application/json", "{"),
        ("/v1/documents", "application/pdf", "%PDF-1.7"),
        ("/v1/documents", "multipart/form-data; boundary=b", "--b\r\n"),
    ] {
        let mut silent = connect(&server);
        silent.write_all(format!("{}{start}", post_head(&client, path, content_type)).as_bytes()).unwrap();
        let read = read_to_close(&mut silent);
        assert_eq!(
            (statuses(&read), &json_body(&read)["error"]["code"]),
            (vec![400], &"BAD_REQUEST".into()),
            "{path}: {read}"
        );
    }
    let mut dripping = connect(&server);
    dripping.write_all(post_head(&client, "/v1/specs/parse/document", "application/json").as_bytes()).unwrap();
    let read = drip(dripping, b' ');
    assert_eq!((statuses(&read), &json_body(&read)["error"]["code"]), (vec![400], &"BAD_REQUEST".into()), "{read}");
}

#[test]
fn a_steady_body_may_take_longer_than_a_head() {
    let server =
        Server::start_with(Options { settings: vec![("HTTP__HEAD_SECONDS", "1".to_owned())], ..Options::default() });
    let client = server.client("office", "developer");
    let pdf = document::titled("A manual", 1);
    let mut stream = connect(&server);
    let head = format!(
        "POST /v1/documents HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\nContent-Type: application/pdf\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
        client.secret(),
        pdf.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut buffer = [0; 100];
    let count = stream.read(&mut buffer).unwrap();
    assert_eq!(statuses(&String::from_utf8_lossy(&buffer[..count])), [100]);
    // Twenty pieces at least a tenth of a second apart take longer than the one second for a head.
    stream.set_read_timeout(Some(DRIP)).unwrap();
    for piece in pdf.chunks(pdf.len().div_ceil(20)) {
        stream.write_all(piece).unwrap();
        let _ = stream.peek(&mut buffer);
    }
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    assert_eq!(statuses(&read_to_close(&mut stream)), [201]);
}
