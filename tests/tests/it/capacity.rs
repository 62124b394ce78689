//! Caps on what the server handles at a time: connections, and bytes of request bodies in memory.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use fanlight_tests::document;
use fanlight_tests::server::{Answer, Caller, Options, Server, answer};
use reqwest::{Method, StatusCode};

use crate::transport::over_tls;

/// The limit of each wait.
const PATIENCE: Duration = Duration::from_mins(1);
/// An id that no document has.
const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

fn server(settings: &[(&'static str, &str)]) -> Server {
    let settings = settings.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    Server::start_with(Options { settings, ..Options::default() })
}

fn connect(server: &Server) -> TcpStream {
    let (_, address) = server.base_url().split_once("://").unwrap();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// Sends a request over an open connection and returns the status. None if the server closes the connection.
fn asked(stream: &mut TcpStream) -> Option<String> {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    // The server may have closed the connection already.
    let _ = stream.write_all(b"GET /v1/jobs HTTP/1.1\r\nHost: a\r\n\r\n");
    while !String::from_utf8_lossy(&read).contains("\"message\"") {
        match stream.read(&mut buffer) {
            Ok(0) => return None,
            Ok(count) => read.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
            Err(error) => panic!("no answer: {error}"),
        }
    }
    Some(String::from_utf8_lossy(&read)[9..12].to_owned())
}

/// Waits until a new connection is answered.
fn answered_again(server: &Server) {
    let started = Instant::now();
    while asked(&mut connect(server)).is_none() {
        assert!(started.elapsed() < PATIENCE, "the room is not released");
    }
}

#[test]
fn a_connection_above_the_cap_is_closed() {
    let server = server(&[("HTTP__CONNECTIONS", "2")]);
    let (mut first, mut second) = (connect(&server), connect(&server));
    assert_eq!((asked(&mut first).as_deref(), asked(&mut second).as_deref()), (Some("401"), Some("401")));

    assert_eq!(asked(&mut connect(&server)), None);

    assert_eq!((asked(&mut first).as_deref(), asked(&mut second).as_deref()), (Some("401"), Some("401")));
    drop(first);
    answered_again(&server);
}

#[tokio::test]
async fn a_tls_handshake_counts_as_a_connection() {
    let folder = tempfile::tempdir().unwrap();
    let (server, client) = over_tls(folder.path(), &[("HTTP__CONNECTIONS", "1")]);
    let jobs = format!("{}/v1/jobs", server.base_url());
    let handshaking = connect(&server);
    assert!(client.get(&jobs).send().await.is_err(), "the only connection is in use");

    drop(handshaking);

    let started = Instant::now();
    while client.get(&jobs).send().await.is_err() {
        assert!(started.elapsed() < PATIENCE, "the room is not released");
    }
}

/// Submits a job on a missing document. The body is read all the same.
async fn submit(client: &Caller) -> Answer {
    client.parse(NOBODY).await
}

/// Starts a submission whose body of a million bytes never arrives. Dropping the stream closes the connection.
fn slow_body(server: &Server, client: &Caller) -> TcpStream {
    let mut stream = connect(server);
    let head = format!(
        "POST /v1/specs/parse/document HTTP/1.1\r\nHost: a\r\nX-API-Key: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 1000000\r\n\r\n{{",
        client.secret()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

/// Returns the first `wanted` answers on any of these connections, at most one for each.
fn first_answers(streams: &[TcpStream], wanted: usize) -> Vec<String> {
    let (answers, coming) = mpsc::channel();
    for stream in streams {
        let (mut stream, answers) = (stream.try_clone().unwrap(), answers.clone());
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            let count = stream.read(&mut buffer).unwrap_or(0);
            // Later answers have no receiver.
            let _ = answers.send(String::from_utf8_lossy(&buffer[..count]).into_owned());
        });
    }
    (0..wanted).map(|_| coming.recv_timeout(PATIENCE).unwrap()).collect()
}

#[tokio::test]
async fn slow_bodies_of_one_account_leave_room_for_others() {
    let server = server(&[("HTTP__BODIES_MEGABYTES", "24")]);
    let (slow, other) = (server.client("slow", "developer"), server.client("other", "developer"));
    // One account may hold half of 24 megabytes, twelve of these bodies, so two of 14 are refused.
    let streams: Vec<TcpStream> = (0..14).map(|_| slow_body(&server, &slow)).collect();

    let refused = first_answers(&streams, 2);

    for text in refused {
        assert!(text.starts_with("HTTP/1.1 503") && text.contains("OVERLOADED"), "{text}");
        assert!(text.to_ascii_lowercase().contains("retry-after: 5"), "{text}");
    }
    assert_eq!(submit(&slow).await.error(), (503, "OVERLOADED"));
    assert_eq!(submit(&other).await.error(), (404, "DOCUMENT_NOT_FOUND"));
    assert_eq!(other.upload(document::titled("A manual", 1)).await.status, StatusCode::CREATED);
}

/// Sends an upload of unknown length, which counts as the largest that an upload may hold.
async fn unknown_length(client: &Caller) -> Answer {
    let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>(document::titled("A manual", 1))]);
    let request = client.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf");
    answer(request.body(reqwest::Body::wrap_stream(pieces))).await
}

#[tokio::test]
async fn a_client_that_disconnects_releases_its_uploads_room() {
    let server = server(&[("HTTP__BODIES_MEGABYTES", "24")]);
    let client = server.client("office", "developer");
    let held = client.held_upload().await;
    let refused = unknown_length(&client).await;
    assert_eq!(refused.error(), (503, "OVERLOADED"));
    assert_eq!(refused.headers["retry-after"], "5");

    drop(held);

    let started = Instant::now();
    while unknown_length(&client).await.status != StatusCode::CREATED {
        assert!(started.elapsed() < PATIENCE, "the room is not released");
    }
}

#[tokio::test]
async fn every_request_releases_its_room_at_its_end() {
    let server = server(&[("HTTP__BODIES_MEGABYTES", "24")]);
    let client = server.client("office", "developer");
    for _ in 0..2 {
        assert_eq!(unknown_length(&client).await.status, StatusCode::CREATED);
        let no_pdf = client.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf");
        let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>(vec![b' '; 5_000])]);
        let refused = answer(no_pdf.body(reqwest::Body::wrap_stream(pieces))).await;
        assert_eq!(refused.error(), (415, "UNSUPPORTED_MEDIA_TYPE"));
    }
}

#[tokio::test]
async fn requests_without_a_key_take_no_room() {
    let server = server(&[("HTTP__BODIES_MEGABYTES", "24")]);
    let client = server.client("office", "developer");
    let endless = || {
        let pending = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
        let request = server.request(Method::POST, "/v1/documents").header("Content-Type", "application/pdf");
        request.body(reqwest::Body::wrap_stream(pending))
    };
    for _ in 0..5 {
        assert_eq!(answer(endless()).await.error(), (401, "UNAUTHORIZED"));
    }
    assert_eq!(unknown_length(&client).await.status, StatusCode::CREATED);
}
