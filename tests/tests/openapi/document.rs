//! The OpenAPI document in the repository is the one that the binary prints and serves, and has an example of each body.

use std::fs;
use std::process::Command;

use fanlight_tests::installed;
use fanlight_tests::server::{Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use test_programs::output;

use crate::repository;

fn checked_in() -> Value {
    serde_json::from_str(&fs::read_to_string(repository("openapi/openapi.json")).unwrap()).unwrap()
}

#[test]
fn the_checked_in_document_is_current() {
    let printed = output(Command::new(installed::fanlight()).arg("openapi"), "this build");
    let current: Value = serde_json::from_str(&printed).unwrap();
    assert!(current == checked_in(), "run `cargo xtask openapi`");
}

#[test]
fn every_json_body_has_an_example() {
    let document = checked_in();
    for operation in document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        let id = &operation["operationId"];
        let responses = operation["responses"].as_object().unwrap().values();
        for body in responses.chain(operation.get("requestBody")) {
            let Some(json) = body["content"].get("application/json") else { continue };
            // The result of any model: each model's own schema is a component.
            if (id == "get_result" || id == "get_shared_result") && json["schema"] == json!({ "type": "object" }) {
                continue;
            }
            let reference = json["schema"]["$ref"].as_str().unwrap_or_else(|| panic!("{id}: a body without a name"));
            let schema = document.pointer(reference.trim_start_matches('#')).unwrap();
            assert!(schema.get("example").is_some(), "{id}: {reference} has no example");
        }
    }
}

#[tokio::test]
async fn document_and_page_need_no_key_and_no_other_host() {
    let server = Server::start();
    let served = answer(server.request(Method::GET, "/openapi.json")).await;
    assert_eq!(served.status, StatusCode::OK);
    assert_eq!(served.body["servers"], json!([{ "url": server.base_url() }]));
    assert_eq!(served.body["paths"], checked_in()["paths"]);

    let page = server.request(Method::GET, "/docs").send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    for part in ["/docs/swagger-ui.css", "/docs/swagger-ui.js", "/docs/start.js"] {
        let part = server.request(Method::GET, part).send().await.unwrap();
        assert_eq!(part.status(), StatusCode::OK, "{}", part.url());
    }
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    let sources = policy.split(';').flat_map(|rule| rule.split_whitespace().skip(1));
    for source in sources {
        assert!(["'none'", "'self'", "'unsafe-inline'", "data:"].contains(&source), "{policy}");
    }
    let page = page.text().await.unwrap();
    for elsewhere in ["\"http", "\"//", "@import"] {
        assert!(!page.contains(elsewhere), "{elsewhere}");
    }
}
