//! The OpenAPI document: poem-openapi's description of the operations, corrected for OpenAPI 3.0 and completed.
//!
//! | module | contents |
//! |---|---|
//! | [`errors`] | errors of each operation |
//! | [`headers`] | headers of each response |
//! | [`links`] | links from responses to the operations that accept their IDs |
//! | [`schemas`] | bounds of numbers, files in forms, an example of each object |
//! | [`models`] | schemas of the models and of a job's result |
//! | [`page`] | the document over HTTP, as JSON and as a page for people |

mod errors;
mod headers;
mod links;
mod models;
mod page;
mod schemas;

use poem_openapi::OpenApi;
use serde_json::{Map, Value, json};

pub(super) use models::add as add_models;
pub(super) use page::{DOCUMENT, PAGE, document_endpoint, page_endpoint, page_parts};

use crate::api::described_operations;
use crate::api::signed_in::{HTTPS_SESSION_COOKIE, SESSION_SCHEME};

/// The document's description.
const INTRODUCTION: &str = "Extracts structured data from architectural drawings and construction specifications. \
    Upload a PDF, submit a job for it, and poll the job until it is `complete` or `failed`.\n\nEvery response has the \
    header `X-Request-Id`. Every error is an `Error`, including 404 `NOT_FOUND` for an unknown path. HEAD is allowed \
    wherever GET is.";

/// Tags with their descriptions. The tag of an operation is the path segment after `/v1`.
const TAGS: [(&str, &str); 12] = [
    ("documents", "Uploaded PDFs"),
    ("drawings", "Jobs for drawings"),
    ("specs", "Jobs for specifications"),
    ("jobs", "Jobs and their results"),
    ("batches", "Many jobs in one request"),
    ("models", "Models, including those of third parties"),
    ("keys", "API keys of the account"),
    ("session", "Browser session"),
    ("usage", "Credits"),
    ("files", "Files behind signed links"),
    ("shared", "Jobs behind links for people without a key"),
    ("sign-in-options", "How people sign in to the console"),
];

/// Name of the security scheme of API keys.
const KEY_SCHEME: &str = "ApiKey";

/// How uploads are described. Some client generators support neither multipart forms nor PDFs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uploads {
    /// As a form or a PDF.
    Typed,
    /// As a body of arbitrary bytes.
    Octets,
}

/// Returns the OpenAPI document of a server that clients reach at `address`, with the service's own models.
pub(crate) fn document(address: &str, uploads: Uploads) -> Value {
    let mut document = described(&described_operations());
    document.insert("openapi".to_owned(), "3.0.3".into());
    document.insert(
        "info".to_owned(),
        json!({
            "title": "Fanlight",
            "description": INTRODUCTION,
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0" },
        }),
    );
    document.insert("servers".to_owned(), json!([{ "url": address }]));

    schemas::complete(&mut document);
    let mut tags = Vec::new();
    for_each_operation(&mut document, |facts, operation| {
        if !tags.contains(&facts.tag) {
            tags.push(facts.tag.clone());
        }
        operation.insert("tags".to_owned(), json!([facts.tag]));
        if uploads == Uploads::Octets {
            describe_as_octets(operation);
        }
        errors::describe(facts, operation);
        headers::describe(facts, operation);
        headers::add_idempotency_key(facts, operation);
    });
    if let Some(components) = document.get_mut("components") {
        components["headers"] = headers::components();
        if address.starts_with("https:") {
            components["securitySchemes"][SESSION_SCHEME]["name"] = HTTPS_SESSION_COOKIE.into();
        }
    }
    links::connect(&mut document);
    document.insert("tags".to_owned(), tags.iter().map(|tag| tag_object(tag)).collect());
    let mut document = Value::Object(document);
    models::add_own(&mut document);
    document
}

/// Returns poem-openapi's document, which is always a JSON object.
fn described<T: OpenApi>(operations: &poem_openapi::OpenApiService<T, ()>) -> Map<String, Value> {
    // poem-openapi adds a charset to the JSON media type, which clients and validators compare as part of the type.
    let text = operations.spec().replace("application/json; charset=utf-8", "application/json");
    serde_json::from_str(&text).unwrap_or_default()
}

fn tag_object(name: &str) -> Value {
    let description = TAGS.iter().find(|(known, _)| *known == name).map(|(_, description)| *description);
    json!({ "name": name, "description": description.unwrap_or_default() })
}

/// Describes the body of an upload as arbitrary bytes. Other operations stay as they are.
fn describe_as_octets(operation: &mut Map<String, Value>) {
    let content = operation.get_mut("requestBody").and_then(|body| body.get_mut("content")?.as_object_mut());
    if let Some(content) = content
        && let Some(pdf) = content.remove("application/pdf")
    {
        content.clear();
        content.insert("application/octet-stream".to_owned(), pdf);
    }
}

/// Properties of an operation that determine its errors, headers and links.
#[derive(Debug)]
struct Facts {
    id: String,
    method: String,
    /// The path segment after `/v1`.
    tag: String,
    /// Required authentication.
    proof: Proof,
    /// Names of its parameters in the path.
    path_parameters: Vec<String>,
    /// Whether it has parameters that can be invalid.
    validated_parameters: bool,
    /// The schema of its JSON body, with references resolved.
    body: Option<Value>,
    /// Whether it accepts a body of any type.
    takes_body: bool,
}

/// Authentication that an operation requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// None.
    None,
    /// An API key.
    Key,
    /// A token of the identity provider, or a session.
    SignIn,
}

impl Proof {
    /// Derives the authentication from the security schemes of an operation.
    fn from_schemes(security: Option<&[Value]>) -> Self {
        match security {
            None => Self::None,
            Some(schemes) if schemes.iter().any(|scheme| scheme.get(KEY_SCHEME).is_some()) => Self::Key,
            Some(_) => Self::SignIn,
        }
    }
}

impl Facts {
    /// Returns whether the rate limit applies: to the paths that the service specification lists, to rendered pages and
    /// annotated PDFs, and to webhook replays.
    fn limited(&self) -> bool {
        self.submits() || matches!(self.id.as_str(), "get_page_picture" | "get_annotated_pdf" | "replay_delivery")
    }

    /// Returns whether the operation accepts uploads or submissions.
    fn submits(&self) -> bool {
        self.method == "post" && matches!(self.tag.as_str(), "documents" | "specs" | "drawings" | "models" | "batches")
    }

    /// Returns whether the operation accepts an idempotency key.
    fn idempotent(&self) -> bool {
        self.method == "post" && self.proof != Proof::None
    }

    /// Returns whether the operation costs credits, as all that queue jobs do.
    fn charged(&self) -> bool {
        self.submits() && self.tag != "documents"
    }

    /// Collects the facts of an operation. `schemas` are the document's, for references in its body.
    fn new(path: &str, method: &str, operation: &Map<String, Value>, schemas: &Value) -> Self {
        let parameters = operation.get("parameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let plain_text = json!({ "type": "string" });
        let request_body = operation.get("requestBody");
        let security = operation.get("security").and_then(Value::as_array);
        Self {
            id: operation.get("operationId").and_then(Value::as_str).unwrap_or_default().to_owned(),
            method: method.to_owned(),
            tag: path.split('/').nth(2).unwrap_or_default().to_owned(),
            proof: Proof::from_schemes(security.map(Vec::as_slice)),
            path_parameters: in_path.filter_map(|parameter| Some(parameter["name"].as_str()?.to_owned())).collect(),
            validated_parameters: parameters.iter().any(|parameter| parameter["schema"] != plain_text),
            body: request_body.and_then(|body| resolved(&body["content"]["application/json"]["schema"], schemas)),
            takes_body: request_body.is_some(),
        }
    }

    /// Returns whether the JSON body has a property of this name.
    fn body_has(&self, property: &str) -> bool {
        self.body.as_ref().is_some_and(|body| body["properties"].get(property).is_some())
    }
}

/// Returns the schema that a reference names, or the schema itself if it is none.
fn resolved(schema: &Value, schemas: &Value) -> Option<Value> {
    match schema["$ref"].as_str() {
        Some(reference) => schemas.get(reference.rsplit('/').next()?).cloned(),
        None => (!schema.is_null()).then(|| schema.clone()),
    }
}

/// Calls `change` for each operation of a document.
fn for_each_operation(document: &mut Map<String, Value>, mut change: impl FnMut(&Facts, &mut Map<String, Value>)) {
    let schemas = document.get("components").map(|components| components["schemas"].clone()).unwrap_or_default();
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            if let Some(operation) = operation.as_object_mut() {
                change(&Facts::new(path, method, operation, &schemas), operation);
            }
        }
    }
}

/// Returns the responses of an operation by status.
fn responses(operation: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    operation.get_mut("responses")?.as_object_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::paths;

    fn described_operations(document: &Value) -> Vec<&Value> {
        let paths = document["paths"].as_object().unwrap();
        paths.values().flat_map(|path| path.as_object().unwrap().values()).collect()
    }

    #[test]
    fn every_operation_is_described_and_has_an_id() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        let described = described_operations(&document);
        let declared = paths().iter().map(|path| path.operations.len()).sum::<usize>();
        assert_eq!(described.len(), declared, "a path that is split over two groups of operations loses one of them");
        for operation in described {
            assert!(operation["operationId"].is_string(), "{operation}");
        }
    }

    #[test]
    fn every_error_has_the_error_schema_and_lists_its_codes() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        for operation in described_operations(&document) {
            for (status, response) in operation["responses"].as_object().unwrap() {
                if !status.starts_with(['4', '5']) {
                    continue;
                }
                let content = &response["content"]["application/json"];
                assert_eq!(content["schema"]["$ref"], "#/components/schemas/Error", "{status} of {operation}");
                assert_ne!(content["examples"].as_object().map_or(0, Map::len), 0, "{status} of {operation}");
            }
        }
    }

    #[test]
    fn an_operation_lists_exactly_its_own_errors() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        let cases = [
            ("get_document", "400 401 403 404 405 422 500"),
            ("get_file", "400 403 404 405 416 500"),
            ("create_key", "400 401 403 405 409 413 415 422 500 503"),
            ("replay_delivery", "400 401 403 404 405 409 422 429 500 503"),
            ("revoke_key", "400 401 403 404 405 422 500 503"),
            ("upload_document", "400 401 403 405 409 413 415 422 429 500 503"),
            ("parse_spec_document", "400 401 402 403 404 405 409 413 415 422 429 500 503"),
        ];
        for (id, expected) in cases {
            let operations = described_operations(&document);
            let operation = operations.into_iter().find(|operation| operation["operationId"] == id);
            let responses = operation.unwrap()["responses"].as_object().unwrap();
            let errors: Vec<&str> = responses.keys().map(String::as_str).filter(|status| *status >= "400").collect();
            assert_eq!(errors.join(" "), expected, "{id}");
        }
    }

    #[test]
    fn the_session_cookie_has_its_prefix_over_https() {
        let cases = [
            ("http://127.0.0.1:8080", "fanlight_session"),
            ("https://fanlight.example.com", "__Host-fanlight_session"),
        ];
        for (address, expected) in cases {
            let document = document(address, Uploads::Typed);
            assert_eq!(document["components"]["securitySchemes"]["Session"]["name"], expected);
        }
    }

    #[test]
    fn octet_uploads_are_described_as_bytes_only() {
        let document = document("http://127.0.0.1:8080", Uploads::Octets);
        let content = &document["paths"]["/v1/documents"]["post"]["requestBody"]["content"];
        assert_eq!(content.as_object().unwrap().keys().collect::<Vec<_>>(), ["application/octet-stream"]);
    }
}
