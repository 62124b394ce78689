//! The models as clients see them.

use std::fs;

use fanlight_tests::installed;
use fanlight_tests::plugins::Plugins;
use fanlight_tests::server::{Options, Server, answer};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

#[tokio::test]
async fn all_models_are_listed_with_schemas_and_prices() {
    let plugins = Plugins::default()
        .with("toc-parser", &installed::plugin("toc-parser"))
        .with("tally", &installed::guest("tally"));
    let settings = vec![("INFERENCE", "cpu".to_owned())];
    let options = Options { plugins: Some(plugins.folder()), role: Some("api"), settings, ..Options::default() };
    let server = Server::start_with(options);
    let client = server.client("office", "free");

    let listed = client.ready_models().await;
    assert_eq!((listed.status, &listed.body["next_cursor"]), (StatusCode::OK, &Value::Null));
    assert_eq!(listed.body["inference"], json!({ "processor": "cpu", "adapter": null }));
    let models = listed.body["models"].as_array().unwrap();
    let summary: Vec<String> = models
        .iter()
        .map(|model| {
            let word = |field: &str| model[field].as_str().unwrap().to_owned();
            let installed = if model["installed"] == true { "installed" } else { "not installed" };
            format!("{} {installed} {} a {}", word("name"), model["credits"], word("credits_per"))
        })
        .collect();
    assert_eq!(
        summary,
        [
            "content-extractor not installed 1 a job",
            "door-detector not installed 2 a page",
            "drawing-classifier not installed 1 a job",
            "elevation-detector not installed 2 a page",
            "fixture-detector not installed 3 a page",
            "page-text not installed 1 a job",
            "room-detector not installed 2 a page",
            "schedule-extractor not installed 1 a job",
            "similar-symbols not installed 1 a job",
            "tally installed 1 a job",
            "toc-parser installed 1 a job",
            "toilet-detector not installed 3 a page",
            "view-detector not installed 1 a job",
        ]
    );
    for model in models {
        let name = model["name"].as_str().unwrap();
        assert_eq!(client.get(&format!("/v1/models/{name}")).await.body, *model, "{name}");
    }

    let card = client.get("/v1/models/toc-parser/card").await;
    assert!(card.body["card"].as_str().unwrap().starts_with("# toc-parser"), "{}", card.body);
    assert_eq!(card.body["networks"], json!([]));
    for without in ["tally", "door-detector"] {
        let card = client.get(&format!("/v1/models/{without}/card")).await;
        assert_eq!(card.body, json!({ "card": null, "networks": [] }), "{without}");
    }
    assert_eq!(client.get("/v1/models/nobody/card").await.error(), (404, "NOT_FOUND"));

    let toc_parser = models.iter().find(|model| model["name"] == "toc-parser").unwrap();
    assert_eq!(toc_parser["version"], installed::version("toc-parser"));
    assert_eq!(toc_parser["granularity"], "document");
    assert_eq!(toc_parser["submit_path"], "/v1/specs/parse/document");
    assert!(toc_parser["description"].as_str().unwrap().ends_with('.'), "{toc_parser}");
    assert_eq!(toc_parser["parameters"]["additionalProperties"], false);
    assert!(toc_parser["result"]["properties"]["divisions"].is_object(), "{toc_parser}");
    let tally = models.iter().find(|model| model["name"] == "tally").unwrap();
    assert_eq!((&tally["granularity"], &tally["submit_path"]), (&json!("page"), &json!("/v1/models/tally/jobs")));
    let doors = models.iter().find(|model| model["name"] == "door-detector").unwrap();
    for field in ["version", "description", "granularity", "parameters", "result"] {
        assert_eq!(doors[field], Value::Null, "{field}");
    }

    for path in ["/v1/models/nobodys", "/v1/models/pdf-engine", "/v1/models/%00", "/v1/models/..%2Ftally"] {
        assert_eq!(client.get(path).await.error(), (404, "NOT_FOUND"), "{path}");
    }
    for path in ["/v1/models", "/v1/models/tally"] {
        assert_eq!(answer(server.request(Method::GET, path)).await.error(), (401, "UNAUTHORIZED"), "{path}");
    }
}

#[test]
fn plugins_ask_for_the_networks_that_are_installed_beside_them() {
    for package in installed::packages() {
        for wanted in package.models() {
            let network = fs::read(installed::network(wanted.name())).unwrap();
            let sha256 = hex::encode(Sha256::digest(network));
            assert_eq!(wanted.sha256(), sha256, "{} asks for another {}", package.name(), wanted.name());
        }
    }
}

#[tokio::test]
async fn the_openapi_document_has_the_installed_schemas() {
    let plugins = Plugins::default()
        .with("toc-parser", &installed::plugin("toc-parser"))
        .with("tally", &installed::guest("tally"));
    let options = Options { plugins: Some(plugins.folder()), role: Some("api"), ..Options::default() };
    let server = Server::start_with(options);

    server.client("office", "free").ready_models().await;
    let document = answer(server.request(Method::GET, "/openapi.json")).await.body;

    let models = document["x-fanlight-models"].as_object().unwrap();
    assert_eq!(models.keys().collect::<Vec<_>>(), ["tally", "toc-parser"]);
    assert_eq!(models["tally"]["version"], "1.0.0");
    let tallied = resolved(&document, &models["tally"]["result"]);
    for field in ["shards", "heights", "document_id", "model_version", "processing_time_ms"] {
        assert!(tallied["properties"][field].is_object(), "{field}");
    }
    let contents = resolved(&document, &models["toc-parser"]["result"]);
    let division = resolved(&document, &contents["properties"]["divisions"]["items"]);
    assert_eq!(division["properties"]["division_code"]["type"], "string");
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference} leads nowhere");
    }
}

fn collect_references(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, references)),
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| collect_references(field, references));
        }
        _ => {}
    }
}

/// Returns the schema that a reference in an OpenAPI document names.
fn resolved<'a>(document: &'a Value, reference: &Value) -> &'a Value {
    let name = reference["$ref"].as_str().unwrap().strip_prefix("#/components/schemas/").unwrap();
    &document["components"]["schemas"][name]
}
