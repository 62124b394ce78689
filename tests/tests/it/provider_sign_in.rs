//! Sign-in at a browser with the page of a real identity provider.

use std::collections::BTreeMap;

use deadline::PATIENCE;
use fanlight_tests::identity_provider::IdentityProvider;
use fanlight_tests::server::{Answer, Options, Server, answer};
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, Url};
use serde_json::json;

/// The most pages on the way through a sign-in.
const MOST_REDIRECTS: usize = 12;

/// A browser that keeps cookies. As real ones do, it sends them to every port of a host.
struct Browser {
    client: Client,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    fn new() -> Self {
        let client = Client::builder().timeout(PATIENCE).redirect(Policy::none()).build().unwrap();
        Self { client, cookies: BTreeMap::new() }
    }

    /// Opens an address, and keeps the cookies of the answer.
    async fn open(&mut self, address: &Url) -> Answer {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let answer = answer(self.client.get(address.clone()).header(COOKIE, cookies.join("; "))).await;
        for cookie in answer.headers.get_all(SET_COOKIE) {
            let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        self.cookies.retain(|_, value| !value.is_empty());
        answer
    }

    /// Follows redirects from an address until one leads to an address that `is_wanted`, which is returned unopened.
    async fn follow(&mut self, from: &str, is_wanted: impl Fn(&Url) -> bool) -> Url {
        let mut address = Url::parse(from).unwrap();
        for _ in 0..MOST_REDIRECTS {
            let answer = self.open(&address).await;
            assert!(answer.status.is_redirection(), "{address}: {} {}", answer.status, answer.body);
            address = address.join(answer.headers[LOCATION].to_str().unwrap()).unwrap();
            if is_wanted(&address) {
                return address;
            }
        }
        panic!("too many redirects, the last to {address}")
    }
}

#[tokio::test]
async fn a_person_signs_in_with_the_provider() {
    let mut provider = IdentityProvider::start();
    let server = provider.console_server();
    let options = answer(server.request(reqwest::Method::GET, "/v1/sign-in-options")).await;
    assert_eq!(options.body, json!({ "provider_path": "/v1/provider-sign-in" }));

    let mut browser = Browser::new();
    let begin = format!("{}/v1/provider-sign-in", server.base_url());
    let console = Url::parse(&format!("{}/", server.base_url())).unwrap();
    browser.follow(&begin, |address| *address == console).await;

    let session = browser.open(&console.join("v1/session").unwrap()).await;
    assert_eq!((session.status, &session.body["account"]["name"]), (StatusCode::OK, &json!("ada")), "{}", session.body);
}

#[tokio::test]
async fn an_answer_for_another_browser_signs_nobody_in() {
    let mut provider = IdentityProvider::start();
    let server = provider.console_server();
    let begin = format!("{}/v1/provider-sign-in", server.base_url());
    let mut browser = Browser::new();
    let callback = browser.follow(&begin, |address| address.path().ends_with("/callback")).await;

    let mut stranger = Browser::new();
    let mut victim = Browser::new();
    victim.open(&Url::parse(&begin).unwrap()).await;
    let mut denied = callback.clone();
    denied.set_query(Some("error=access_denied"));
    for (other, address) in [(&mut stranger, &callback), (&mut victim, &callback), (&mut browser, &denied)] {
        let refused = other.open(address).await;
        let location = refused.headers[LOCATION].to_str().unwrap();
        assert_eq!((refused.status, location), (StatusCode::SEE_OTHER, "../../#/sign-in-failed"), "{address}");
        assert!(!other.cookies.contains_key("fanlight_session"), "{address}");
    }
}

#[tokio::test]
async fn a_server_that_is_no_client_has_no_such_page() {
    let server = Server::start_with(Options { role: Some("api"), ..Options::default() });
    let options = answer(server.request(reqwest::Method::GET, "/v1/sign-in-options")).await;
    assert_eq!(options.body, json!({ "provider_path": null }));
    let begun = answer(server.request(reqwest::Method::GET, "/v1/provider-sign-in")).await;
    assert_eq!(begun.error(), (404, "NOT_FOUND"));
}
