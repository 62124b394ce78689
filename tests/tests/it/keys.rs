//! `/v1/keys`: only callers whom a real identity provider vouches for create, list and revoke keys.

use fanlight_tests::identity_provider::{IdentityProvider, SigningKey};
use fanlight_tests::server::{Answer, Options, Server, answer};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use reqwest::header::{LOCATION, WWW_AUTHENTICATE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const AUDIENCE: &str = "urn:fanlight";

fn server(provider: &IdentityProvider, settings: &[(&'static str, &str)]) -> Server {
    let own = [("IDENTITY__ISSUER", provider.issuer()), ("IDENTITY__AUDIENCE", AUDIENCE)];
    let settings = own.iter().chain(settings).map(|(key, value)| (*key, (*value).to_owned())).collect();
    Server::start_with(Options { role: Some("api"), settings, ..Options::default() })
}

async fn keys(server: &Server, token: &str) -> Answer {
    answer(server.request(Method::GET, "/v1/keys").bearer_auth(token)).await
}

async fn create(server: &Server, token: &str, body: Value) -> Answer {
    answer(server.request(Method::POST, "/v1/keys").bearer_auth(token).json(&body)).await
}

/// Returns the ids in a list of keys.
fn ids(list: &Answer) -> Vec<&str> {
    assert_eq!(list.status, StatusCode::OK, "{}", list.body);
    list.body["keys"].as_array().unwrap().iter().map(|key| key["id"].as_str().unwrap()).collect()
}

/// Returns a token that is valid except for what `change` does to its header and claims.
fn signed(provider: &IdentityProvider, key: &SigningKey, change: impl FnOnce(&mut Header, &mut Value)) -> String {
    let now = get_current_timestamp();
    let mut claims = json!({ "iss": provider.issuer(), "aud": AUDIENCE, "sub": "ada", "iat": now, "exp": now + 600 });
    let mut header = Header { kid: Some(key.kid.clone()), ..Header::new(Algorithm::RS256) };
    change(&mut header, &mut claims);
    let signing = match header.alg {
        // Algorithm confusion: the published key is used as a shared secret.
        Algorithm::HS256 => EncodingKey::from_secret(key.public_pem.as_bytes()),
        _ => EncodingKey::from_rsa_pem(key.private_pem.as_bytes()).unwrap(),
    };
    encode(&header, &claims, &signing).unwrap()
}

/// Returns the token with another header, with or without its signature.
fn with_header(token: &str, header: &str, keep_signature: bool) -> String {
    let parts: Vec<&str> = token.split('.').collect();
    format!("{header}.{}.{}", parts[1], if keep_signature { parts[2] } else { "" })
}

#[tokio::test]
async fn a_key_is_created_listed_used_and_revoked() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let token = provider.token("ada", AUDIENCE).await;

    let created = create(&server, &token, json!({ "name": "site office" })).await;

    assert_eq!(created.status, StatusCode::CREATED, "{}", created.body);
    let key = &created.body;
    let id = key["id"].as_str().unwrap();
    let secret = key["secret"].as_str().unwrap();
    assert_eq!(created.headers[LOCATION], format!("/v1/keys/{id}"));
    assert_eq!(created.headers["cache-control"], "no-store");
    assert_eq!(
        (&key["name"], &key["tier"]),
        (&json!("site office"), &json!("free")),
        "the plan is free after the first sign-in"
    );
    assert_eq!((secret.len(), key["prefix"].as_str().unwrap()), (3 + 64, format!("{}…", &secret[..11]).as_str()));
    assert!(key["webhook_secret"].as_str().unwrap().starts_with("whsec_"));
    assert_eq!((&key["last_used_at"], &key["expires_at"]), (&Value::Null, &Value::Null));

    let with_key = |path: &str| server.request(Method::GET, path).header("X-API-Key", secret);
    assert_eq!(answer(with_key("/v1/jobs/00000000-0000-0000-0000-000000000000")).await.error(), (404, "JOB_NOT_FOUND"));
    let refused = answer(with_key("/v1/keys")).await;
    assert_eq!(refused.error(), (401, "UNAUTHORIZED"), "an API key cannot create keys");
    assert!(refused.headers[WWW_AUTHENTICATE].to_str().unwrap().starts_with("Bearer"));

    let list = keys(&server, &token).await;
    assert_eq!(ids(&list), [id]);
    assert!(list.body["keys"][0]["last_used_at"].is_string() && list.body["next_cursor"].is_null(), "{}", list.body);
    for shown_once in [&secret[11..], key["webhook_secret"].as_str().unwrap()] {
        assert!(!list.body.to_string().contains(shown_once), "{}", list.body);
    }
    let got = answer(server.request(Method::GET, &format!("/v1/keys/{id}")).bearer_auth(&token)).await;
    assert_eq!(got.body, list.body["keys"][0]);

    let revoke = || answer(server.request(Method::DELETE, &format!("/v1/keys/{id}")).bearer_auth(&token));
    assert_eq!(revoke().await.status, StatusCode::NO_CONTENT);
    assert_eq!(ids(&keys(&server, &token).await), Vec::<&str>::new());
    assert_eq!(revoke().await.error(), (404, "NOT_FOUND"));
    let refused = answer(with_key("/v1/jobs/00000000-0000-0000-0000-000000000000")).await;
    assert_eq!(refused.error(), (401, "UNAUTHORIZED"));
}

#[tokio::test]
async fn two_identities_do_not_see_each_others_keys() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let (ada, bob) = (provider.token("ada", AUDIENCE).await, provider.token("bob", AUDIENCE).await);
    let adas = create(&server, &ada, json!({ "name": "ada's" })).await.body;
    let bobs = create(&server, &bob, json!({ "name": "bob's" })).await.body;

    assert_eq!(ids(&keys(&server, &ada).await), [adas["id"].as_str().unwrap()]);
    assert_eq!(ids(&keys(&server, &bob).await), [bobs["id"].as_str().unwrap()]);
    let path = format!("/v1/keys/{}", adas["id"].as_str().unwrap());
    for method in [Method::GET, Method::DELETE] {
        let refused = answer(server.request(method.clone(), &path).bearer_auth(&bob)).await;
        assert_eq!(refused.error(), (404, "NOT_FOUND"), "{method}");
    }
    assert_eq!(ids(&keys(&server, &ada).await).len(), 1, "it is still there");
}

#[tokio::test]
async fn a_token_with_any_flaw_is_refused() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let (key, other) = (&provider.keys()[0], &provider.keys()[1]);
    let good = signed(&provider, key, |_, _| {});
    assert_eq!(keys(&server, &good).await.status, StatusCode::OK);
    let now = get_current_timestamp();
    let unsigned = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"; // {"alg":"none","typ":"JWT"}
    let claims = |change: fn(&mut Value, u64)| signed(&provider, key, |_, claims| change(claims, now));
    let head = |change: fn(&mut Header)| signed(&provider, key, |header, _| change(header));

    let cases = [
        ("another issuer", claims(|claims, _| claims["iss"] = json!("https://login.example.com"))),
        ("the issuer among others", claims(|claims, _| claims["iss"] = json!([claims["iss"], "https://two.example"]))),
        ("no issuer", claims(|claims, _| claims["iss"] = Value::Null)),
        ("another audience, from the provider itself", provider.token("ada", "urn:other").await),
        ("no audience", claims(|claims, _| claims["aud"] = Value::Null)),
        ("expired", claims(|claims, now| claims["exp"] = json!(now - 60))),
        ("no expiry", claims(|claims, _| claims["exp"] = Value::Null)),
        ("an expiry that is text", claims(|claims, now| claims["exp"] = json!((now + 600).to_string()))),
        ("not yet valid", claims(|claims, now| claims["nbf"] = json!(now + 120))),
        ("no subject", claims(|claims, _| claims["sub"] = Value::Null)),
        ("an empty subject", claims(|claims, _| claims["sub"] = json!(""))),
        ("a subject that is a number", claims(|claims, _| claims["sub"] = json!(1))),
        ("unsigned", with_header(&good, unsigned, false)),
        ("unsigned, with a signature", with_header(&good, unsigned, true)),
        ("HS256 with the public key as the secret", head(|header| header.alg = Algorithm::HS256)),
        ("another algorithm of the same key", head(|header| header.alg = Algorithm::PS256)),
        ("a type for something else", head(|header| header.typ = Some("logout+jwt".to_owned()))),
        ("an extension", head(|header| header.crit = Some(vec!["b64".to_owned()]))),
        ("a key that is not published", signed(&provider, other, |_, _| {})),
        ("another key under a published id", signed(&provider, other, |header, _| header.kid = Some(key.kid.clone()))),
        ("another key under no id", signed(&provider, other, |header, _| header.kid = None)),
        ("a signature cut short", good[..good.len() - 4].to_owned()),
        ("two parts", good.rsplit_once('.').unwrap().0.to_owned()),
        ("no token at all", "fl_0".to_owned()),
        ("a very long one", format!("{good}{}", "A".repeat(20_000))),
    ];
    for (what, token) in cases {
        assert_eq!(keys(&server, &token).await.error(), (401, "UNAUTHORIZED"), "{what}");
        let made = create(&server, &token, json!({ "name": "never" })).await;
        assert_eq!(made.error(), (401, "UNAUTHORIZED"), "{what}");
    }
    let no_header = answer(server.request(Method::GET, "/v1/keys")).await;
    assert_eq!(no_header.error(), (401, "UNAUTHORIZED"));
    let basic = answer(server.request(Method::GET, "/v1/keys").basic_auth("ada", Some(&good))).await;
    assert_eq!(basic.error(), (401, "UNAUTHORIZED"));
    assert_eq!(ids(&keys(&server, &good).await), Vec::<&str>::new());
}

#[tokio::test]
async fn clocks_may_differ_by_a_few_seconds() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let now = get_current_timestamp();
    let token = signed(&provider, &provider.keys()[0], |_, claims| {
        claims["exp"] = json!(now + 600);
        claims["nbf"] = json!(now + 10);
        claims["aud"] = json!(["urn:other", AUDIENCE]);
    });
    assert_eq!(keys(&server, &token).await.status, StatusCode::OK);
}

#[tokio::test]
async fn only_the_current_signing_key_is_accepted() {
    let mut provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let before = provider.token("ada", AUDIENCE).await;
    assert_eq!(keys(&server, &before).await.status, StatusCode::OK);

    provider.rotate();
    let after = provider.token("ada", AUDIENCE).await;

    assert_eq!(keys(&server, &after).await.status, StatusCode::OK);
    assert_eq!(keys(&server, &before).await.error(), (401, "UNAUTHORIZED"));
    assert_eq!(provider.fetches(), 3, "one fetch at first, one for the new key, one for the removed key");
}

#[tokio::test]
async fn unknown_key_ids_cause_few_requests_to_the_provider() {
    let mut provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let key = provider.keys()[0].clone();
    for number in 0..40 {
        let token = signed(&provider, &key, |header, _| header.kid = Some(format!("made up {number}")));
        assert_eq!(keys(&server, &token).await.error(), (401, "UNAUTHORIZED"));
    }
    assert!(provider.fetches() <= 6, "five, and one more if that took a minute: {}", provider.fetches());
    assert_eq!(keys(&server, &signed(&provider, &key, |_, _| {})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_unreachable_provider_is_not_the_tokens_fault() {
    let mut provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let token = provider.token("ada", AUDIENCE).await;
    provider.stop();

    let refused = keys(&server, &token).await;

    assert_eq!(refused.error(), (503, "OVERLOADED"));
    assert!(refused.headers.contains_key("retry-after"));
    let garbage = keys(&server, "a.b.c").await;
    assert_eq!(garbage.error(), (401, "UNAUTHORIZED"), "the provider is not needed to see this");
}

#[tokio::test]
async fn a_forbidden_key_is_not_created() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[("KEYS_PER_ACCOUNT", "2")]);
    let token = provider.token("ada", AUDIENCE).await;

    let cases = [
        json!({}),
        json!({ "name": "" }),
        json!({ "name": " " }),
        json!({ "name": "a\u{0}b" }),
        json!({ "name": "n".repeat(101) }),
        json!({ "name": 5 }),
        json!({ "name": "misspelt", "tiers": "free" }),
        json!({ "name": "above the plan", "tier": "developer" }),
        json!({ "name": "no tier", "tier": "golden" }),
        json!({ "name": "late", "expires_at": "2020-01-01T00:00:00Z" }),
        json!({ "name": "no time", "expires_at": "tomorrow" }),
    ];
    for body in cases {
        assert_eq!(create(&server, &token, body.clone()).await.error(), (422, "VALIDATION_ERROR"), "{body}");
    }
    let body = json!({ "name": "a year", "tier": "free", "expires_at": "2999-01-01T00:00:00Z" });
    let made = create(&server, &token, body).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    assert_eq!(made.body["expires_at"], "2999-01-01T00:00:00.000Z");
    assert_eq!(create(&server, &token, json!({ "name": "second" })).await.status, StatusCode::CREATED);
    assert_eq!(create(&server, &token, json!({ "name": "third" })).await.error(), (403, "FORBIDDEN"));
}

#[tokio::test]
async fn a_repeated_request_creates_one_key() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let token = provider.token("ada", AUDIENCE).await;
    let post = || {
        let request = server.request(Method::POST, "/v1/keys").bearer_auth(&token).header("Idempotency-Key", "once");
        answer(request.json(&json!({ "name": "once" })))
    };
    let (first, second) = (post().await, post().await);
    assert_eq!((first.status, &first.body), (second.status, &second.body));
    assert_eq!(ids(&keys(&server, &token).await), [first.body["id"].as_str().unwrap()]);
}

#[tokio::test]
async fn only_the_operator_changes_a_plan() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let token = provider.token("ada", AUDIENCE).await;
    assert_eq!(keys(&server, &token).await.status, StatusCode::OK);
    let listed = String::from_utf8(server.command(&["accounts", "list"]).stdout).unwrap();
    let ada: Vec<&str> = listed.lines().find(|line| line.ends_with("\tada")).unwrap().split('\t').collect();
    assert_eq!((ada[2], ada[4]), ("free", provider.issuer()), "{listed}");

    let set_plan = |plan: &str| server.command(&["accounts", "set-plan", ada[0], plan]);
    assert!(set_plan("pro").status.success());
    let made = create(&server, &token, json!({ "name": "pro" })).await;
    assert_eq!(made.body["tier"], "pro", "a key has its account's plan by default");
    assert_eq!(create(&server, &token, json!({ "name": "lower", "tier": "free" })).await.body["tier"], "free");

    assert!(set_plan("developer").status.success());
    let refused = create(&server, &token, json!({ "name": "pro again", "tier": "pro" })).await;
    assert_eq!(refused.error(), (422, "VALIDATION_ERROR"));

    for (account, reason) in [("nobody", "accounts list"), ("00000000-0000-0000-0000-000000000000", "no such account")]
    {
        let refused = server.command(&["accounts", "set-plan", account, "pro"]);
        assert!(!refused.status.success());
        assert!(String::from_utf8(refused.stderr).unwrap().contains(reason), "{account}");
    }
}

#[tokio::test]
async fn the_list_continues_where_a_page_ended() {
    let provider = IdentityProvider::start();
    let server = server(&provider, &[]);
    let token = provider.token("ada", AUDIENCE).await;
    let mut made = Vec::new();
    for number in 0..3 {
        let created = create(&server, &token, json!({ "name": number.to_string() })).await;
        made.insert(0, created.body["id"].as_str().unwrap().to_owned());
    }

    let page = |query: String| {
        let request = server.request(Method::GET, &format!("/v1/keys?{query}")).bearer_auth(&token);
        async move { answer(request).await }
    };
    let first = page("limit=2".to_owned()).await;
    let cursor = first.body["next_cursor"].as_str().unwrap();
    let second = page(format!("limit=2&cursor={cursor}")).await;

    assert_eq!([ids(&first), ids(&second)].concat(), made);
    assert!(second.body["next_cursor"].is_null());
    for query in ["limit=0", "limit=101", "cursor=AAAA", "limit=two"] {
        assert_eq!(page(query.to_owned()).await.error(), (422, "VALIDATION_ERROR"), "{query}");
    }
}
