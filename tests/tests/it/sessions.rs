//! Sign-in to a server without an identity provider: by a link that works once.

use deadline::PATIENCE;
use fanlight_tests::server::{Answer, Options, Server, answer};
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::json;

fn server(settings: &[(&'static str, &str)]) -> Server {
    let settings = settings.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
    Server::start_with(Options { role: Some("api"), settings, ..Options::default() })
}

/// Creates a client that does not follow redirects.
fn browser() -> Client {
    Client::builder().timeout(PATIENCE).redirect(Policy::none()).build().unwrap()
}

/// Submits the form of a link's page, and returns the cookie that the answer sets.
async fn sign_in(link: &str) -> String {
    let begun = answer(browser().post(link)).await;
    assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.body);
    begun.headers[SET_COOKIE].to_str().unwrap().to_owned()
}

/// Starts a request with a cookie as a browser sends it.
fn with_cookie(server: &Server, method: Method, path: &str, set_cookie: &str) -> RequestBuilder {
    server.request(method, path).header(COOKIE, set_cookie.split(';').next().unwrap())
}

async fn session(server: &Server, cookie: &str) -> Answer {
    answer(with_cookie(server, Method::GET, "/v1/session", cookie)).await
}

#[tokio::test]
async fn the_owner_signs_in_creates_a_key_and_signs_out() {
    let mut server = server(&[]);
    let link = server.announced();
    assert!(link.starts_with(&format!("{}/v1/sign-in/", server.base_url())), "{link}");

    let cookie = sign_in(&link).await;

    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let session = session(&server, &cookie).await;
    assert_eq!(session.status, StatusCode::OK, "{}", session.body);
    assert_eq!(session.body["account"]["plan"], "enterprise");
    let csrf = session.body["csrf_token"].as_str().unwrap();

    let post = || with_cookie(&server, Method::POST, "/v1/keys", &cookie).json(&json!({ "name": "mine" }));
    let made = answer(post().header("X-CSRF-Token", csrf)).await;
    assert_eq!((made.status, &made.body["tier"]), (StatusCode::CREATED, &json!("enterprise")), "{}", made.body);
    let path = format!("/v1/keys/{}", made.body["id"].as_str().unwrap());
    let delete = || with_cookie(&server, Method::DELETE, &path, &cookie);

    for (what, request) in [
        ("a key made without the token", post()),
        ("a key made with a wrong one", post().header("X-CSRF-Token", &csrf[1..])),
        ("a key revoked without it", delete()),
        ("signing out without it", with_cookie(&server, Method::DELETE, "/v1/session", &cookie)),
    ] {
        assert_eq!(answer(request).await.error(), (403, "FORBIDDEN"), "{what}");
    }
    let list = answer(with_cookie(&server, Method::GET, "/v1/keys", &cookie)).await;
    assert_eq!(list.body["keys"].as_array().unwrap().len(), 1, "reading needs no token");
    assert_eq!(answer(delete().header("X-CSRF-Token", csrf)).await.status, StatusCode::NO_CONTENT);

    let sign_out = with_cookie(&server, Method::DELETE, "/v1/session", &cookie).header("X-CSRF-Token", csrf);
    let signed_out = answer(sign_out).await;
    assert_eq!(signed_out.status, StatusCode::NO_CONTENT);
    assert!(signed_out.headers[SET_COOKIE].to_str().unwrap().contains("Max-Age=0"));
    for path in ["/v1/session", "/v1/keys"] {
        let refused = answer(with_cookie(&server, Method::GET, path, &cookie)).await;
        assert_eq!(refused.error(), (401, "UNAUTHORIZED"), "{path}");
    }
}

#[tokio::test]
async fn a_link_works_once() {
    let mut server = server(&[]);
    let link = server.announced();
    sign_in(&link).await;
    let mut altered = link.clone();
    altered.pop();
    for used in [link, altered, format!("{}/v1/sign-in/x", server.base_url())] {
        for request in [browser().get(&used), browser().post(&used)] {
            let refused = answer(request).await;
            assert_eq!(refused.error(), (403, "FORBIDDEN"), "{used}");
            assert!(!refused.headers.contains_key(SET_COOKIE));
        }
    }
    let printed = String::from_utf8(server.command(&["sign-in"]).stdout).unwrap();
    let token = printed.trim_end().rsplit_once('/').unwrap().1;
    sign_in(&format!("{}/v1/sign-in/{token}", server.base_url())).await;
}

#[tokio::test]
async fn an_invalid_session_is_refused() {
    let mut server = server(&[]);
    let token = server.announced().rsplit_once('/').unwrap().1.to_owned();
    for cookie in ["", "fanlight_session=", "fanlight_session=x", "other=1", &format!("fanlight_session={token}")] {
        assert_eq!(session(&server, cookie).await.error(), (401, "UNAUTHORIZED"), "{cookie}");
    }
    let bearer = answer(server.request(Method::GET, "/v1/keys").bearer_auth("a.b.c")).await;
    assert_eq!(bearer.error(), (401, "UNAUTHORIZED"), "no identity provider is configured");
}

#[tokio::test]
async fn opening_a_link_does_not_use_it_up() {
    let mut server = server(&[]);
    let link = server.announced();
    for request in [browser().get(&link), browser().head(&link), browser().get(&link)] {
        let page = request.send().await.unwrap();
        assert_eq!(page.status(), StatusCode::OK);
        assert!(!page.headers().contains_key(SET_COOKIE));
        assert_eq!(page.headers()["cache-control"], "no-store");
        assert_eq!(page.headers()["referrer-policy"], "no-referrer");
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    }
    let page = browser().get(&link).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("<form method=\"post\">") && !page.contains("<script"), "{page}");

    let begun = answer(browser().post(&link)).await;

    assert_eq!((begun.status, &begun.headers[LOCATION]), (StatusCode::SEE_OTHER, &"../sign-in".parse().unwrap()));
    let cookie = begun.headers[SET_COOKIE].to_str().unwrap();
    let welcome = with_cookie(&server, Method::GET, "/v1/sign-in", cookie).send().await.unwrap();
    assert_eq!(welcome.status(), StatusCode::OK);
    assert!(welcome.text().await.unwrap().contains("You are signed in"));
    let stranger = answer(server.request(Method::GET, "/v1/sign-in")).await;
    assert_eq!(stranger.error(), (401, "UNAUTHORIZED"));
}

#[tokio::test]
async fn another_site_cannot_sign_anyone_in() {
    let mut server = server(&[]);
    let link = server.announced();
    let refused = answer(browser().post(&link).header("Sec-Fetch-Site", "cross-site")).await;
    assert_eq!(refused.error(), (403, "FORBIDDEN"));
    assert!(!refused.headers.contains_key(SET_COOKIE));
    sign_in(&link).await;
}

#[tokio::test]
async fn behind_https_the_cookie_is_bound_to_the_host() {
    let mut server = server(&[("BASE_URL", "https://fanlight.example.com/")]);
    let link = server.announced();
    let path = link.strip_prefix("https://fanlight.example.com").unwrap();
    let cookie = sign_in(&format!("{}{path}", server.base_url())).await;
    assert!(cookie.starts_with("__Host-fanlight_session=") && cookie.contains("; Secure"), "{cookie}");
    assert!(cookie.contains("; Path=/;") && !cookie.contains("Domain"), "{cookie}");
    assert_eq!(session(&server, &cookie).await.status, StatusCode::OK);
    let tossed = cookie.replacen("__Host-", "", 1);
    assert_eq!(session(&server, &tossed).await.error(), (401, "UNAUTHORIZED"), "a forged cookie");
}
