//! Attempts at a real HTTPS receiver on this machine.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::Utc;
use fanlight_webhooks::{Failure, Message, Outcome, Sender, SenderOptions, SigningSecret};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use standardwebhooks::Webhook;
use tokio::net::TcpListener;
use url::Url;
use webhook_receiver::{Answer, Receiver};

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BODY: &str = r#"{"id":"1","status":"complete","result":{"title":"Öffnungen"}}"#;
/// A time limit that no attempt here reaches.
const LONG: Duration = Duration::from_mins(1);
/// A time limit for an attempt that must reach it.
const SHORT: Duration = Duration::from_millis(300);

fn options(allowed: &[&str], receiver: &Receiver) -> SenderOptions {
    SenderOptions {
        allowed_hosts: allowed.iter().map(|host| host.parse().unwrap()).collect(),
        authorities: Some(std::fs::read(receiver.authority()).unwrap()),
        time_limit: LONG,
    }
}

fn message(url: &str) -> Message {
    Message { url: Url::parse(url).unwrap(), id: "evt_1".to_owned(), time: Utc::now(), body: BODY.into() }
}

fn secret() -> SigningSecret {
    SECRET.parse().unwrap()
}

/// Makes one attempt at a receiver that is allowed.
async fn attempt_at(receiver: &Receiver, time_limit: Duration) -> Outcome {
    let options = SenderOptions { time_limit, ..options(&[&receiver.host()], receiver) };
    Sender::new(options).unwrap().attempt(message(&receiver.url("/hook")), &secret()).await
}

#[tokio::test]
async fn signature_of_a_delivered_message_verifies() {
    let mut receiver = Receiver::start([]).await;
    let sender = Sender::new(options(&["localhost"], &receiver)).unwrap();

    let outcome = sender.attempt(message(&receiver.url("/hook?job=1")), &secret()).await;

    assert_eq!(outcome, Outcome::Delivered { status: 204 });
    let received = receiver.next().await;
    assert_eq!(received.path, "/hook?job=1");
    assert_eq!(received.body, BODY);
    assert_eq!((received.header("content-type"), received.header("webhook-id")), ("application/json", "evt_1"));
    Webhook::new(SECRET).unwrap().verify(&received.body, &received.headers).unwrap();
    let another = Webhook::new("whsec_AAKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
    assert!(another.verify(&received.body, &received.headers).is_err());
    assert!(Webhook::new(SECRET).unwrap().verify(b"{}", &received.headers).is_err());
}

#[tokio::test]
async fn only_status_2xx_is_a_delivery() {
    let cases = [
        (200, Outcome::Delivered { status: 200 }),
        (202, Outcome::Delivered { status: 202 }),
        (304, Outcome::Answered { status: 304, retry_after: None }),
        (400, Outcome::Answered { status: 400, retry_after: None }),
        (410, Outcome::Gone),
        (500, Outcome::Answered { status: 500, retry_after: None }),
    ];
    let receiver = Receiver::start(cases.iter().map(|(status, _)| Answer::Status(*status))).await;
    for (status, expected) in cases {
        assert_eq!(attempt_at(&receiver, LONG).await, expected, "{status}");
    }
}

#[tokio::test]
async fn retry_after_is_read_from_the_answer() {
    let cases =
        [("120", Some(120)), ("999999", Some(86_400)), ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0)), ("later", None)];
    let answers = cases.map(|(header, _)| Answer::Header(503, "retry-after", header.to_owned()));
    let receiver = Receiver::start(answers).await;
    for (header, seconds) in cases {
        let expected = Outcome::Answered { status: 503, retry_after: seconds.map(Duration::from_secs) };
        assert_eq!(attempt_at(&receiver, LONG).await, expected, "{header}");
    }
}

#[tokio::test]
async fn redirect_is_not_followed() {
    for status in [301, 302, 303, 307, 308] {
        let mut target = Receiver::start([]).await;
        let redirect = Answer::Header(status, "location", target.url("/stolen"));
        let receiver = Receiver::start([redirect]).await;

        assert_eq!(attempt_at(&receiver, LONG).await, Outcome::Answered { status, retry_after: None });

        assert!(target.already_here().is_none(), "{status}");
    }
}

#[tokio::test]
async fn attempt_ends_at_its_time_limit() {
    let receiver = Receiver::start([Answer::Never]).await;
    assert_eq!(attempt_at(&receiver, SHORT).await, Outcome::Failed(Failure::TimedOut));
}

#[tokio::test]
async fn endless_body_does_not_delay_the_outcome() {
    let receiver = Receiver::start([Answer::EndlessBody]).await;
    assert_eq!(attempt_at(&receiver, LONG).await, Outcome::Delivered { status: 200 });
}

#[tokio::test]
async fn every_form_of_a_loopback_address_is_refused() {
    let mut receiver = Receiver::start([]).await;
    let sender = Sender::new(options(&[], &receiver)).unwrap();
    let literal = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.1",
        "017700000001",
        "0177.0.0.1",
        "127.0.0.1.",
        "０x7f.1",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
    ];
    for host in literal {
        let message = message(&receiver.url_of(host, "/hook"));
        assert!(sender.refuses(&message.url), "{host}");
        assert_eq!(sender.attempt(message, &secret()).await, Outcome::Failed(Failure::AddressRefused), "{host}");
    }
    for name in ["localhost", "LOCALHOST"] {
        let message = message(&receiver.url_of(name, "/hook"));
        assert!(!sender.refuses(&message.url), "{name} is looked up at the attempt");
        assert_eq!(sender.attempt(message, &secret()).await, Outcome::Failed(Failure::AddressRefused), "{name}");
    }
    assert!(receiver.already_here().is_none());
}

#[tokio::test]
async fn host_is_allowed_by_name_and_port_only() {
    let receiver = Receiver::start([]).await;
    let sender = Sender::new(options(&[&receiver.host()], &receiver)).unwrap();
    let refused = Outcome::Failed(Failure::AddressRefused);
    let cases = [
        (receiver.url("/hook"), Outcome::Delivered { status: 204 }),
        (receiver.url_of("127.0.0.1", "/hook"), refused),
        ("https://localhost/hook".to_owned(), refused),
        (receiver.url("/hook").replace("https", "http"), refused),
    ];
    for (url, expected) in cases {
        assert_eq!(sender.attempt(message(&url), &secret()).await, expected, "{url}");
    }
}

#[tokio::test]
async fn allowed_host_needs_a_valid_certificate() {
    let receiver = Receiver::start([]).await;
    let stranger = Receiver::start([]).await;
    let url = receiver.url("/hook");
    for authorities in [None, Some(std::fs::read(stranger.authority()).unwrap())] {
        let options = SenderOptions { authorities, ..options(&["localhost"], &receiver) };
        let outcome = Sender::new(options).unwrap().attempt(message(&url), &secret()).await;
        assert_eq!(outcome, Outcome::Failed(Failure::Tls));
    }
}

#[tokio::test]
async fn failure_names_why_there_was_no_answer() {
    let receiver = Receiver::start([]).await;
    let sender = Sender::new(options(&["localhost", "no-such-host.invalid"], &receiver)).unwrap();

    // A port on which nobody listens any more.
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    // A port on which every connection is closed at once.
    let closing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = closing.local_addr().unwrap().port();
    tokio::spawn(async move { while closing.accept().await.is_ok() {} });

    let cases = [
        (format!("https://localhost:{closed}/"), Failure::NotConnected),
        (format!("https://localhost:{port}/"), Failure::Tls),
        ("https://no-such-host.invalid/".to_owned(), Failure::NameNotFound),
    ];
    for (url, expected) in cases {
        assert_eq!(sender.attempt(message(&url), &secret()).await, Outcome::Failed(expected), "{url}");
    }
}

/// A resolver that returns a loopback address, and counts its look-ups.
struct Counting(AtomicUsize);

impl Resolve for Counting {
    fn resolve(&self, _name: Name) -> Resolving {
        self.0.fetch_add(1, Ordering::SeqCst);
        let address: SocketAddr = ([127, 0, 0, 1], 0).into();
        Box::pin(async move { Ok(Box::new(std::iter::once(address)) as Addrs) })
    }
}

#[tokio::test]
async fn each_attempt_looks_its_name_up_exactly_once() {
    let mut receiver = Receiver::start([]).await;
    let asked = Arc::new(Counting(AtomicUsize::new(0)));
    let resolver: Arc<dyn Resolve> = asked.clone();
    let refused = Sender::with_resolver(options(&[], &receiver), &resolver).unwrap();
    for attempt in 1..=3 {
        let message = message(&receiver.url_of("hooks.example.com", "/hook"));
        assert_eq!(refused.attempt(message, &secret()).await, Outcome::Failed(Failure::AddressRefused));
        assert_eq!(asked.0.load(Ordering::SeqCst), attempt);
    }
    assert!(receiver.already_here().is_none());

    let asked = Arc::new(Counting(AtomicUsize::new(0)));
    let resolver: Arc<dyn Resolve> = asked.clone();
    let allowed = Sender::with_resolver(options(&["localhost"], &receiver), &resolver).unwrap();
    for attempt in 1..=3 {
        let outcome = allowed.attempt(message(&receiver.url("/hook")), &secret()).await;
        assert_eq!(outcome, Outcome::Delivered { status: 204 });
        assert_eq!(asked.0.load(Ordering::SeqCst), attempt, "no connection outlives its attempt");
    }
}

#[test]
fn authorities_that_are_not_pem_are_refused() {
    for pem in ["", "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        let options = SenderOptions { allowed_hosts: Vec::new(), authorities: Some(pem.into()), time_limit: LONG };
        assert!(Sender::new(options).is_err(), "{pem}");
    }
}
