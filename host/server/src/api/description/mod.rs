//! The OpenAPI document: what poem-openapi says of the operations, made right for OpenAPI 3.0 and completed.
//!
//! | module | holds |
//! |---|---|
//! | [`errors`] | which errors each operation answers with |
//! | [`headers`] | the headers of each response |
//! | [`links`] | which operations take what a response gives |
//! | [`schemas`] | bounds of numbers, what a file in a form is, and an example of each object |
//! | [`models`] | the schemas of models, and what a job's result may be |
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

/// What stands before the operations.
const INTRODUCTION: &str = "Structured data from architectural drawings and construction specifications. Upload a PDF, \
    submit a job on it, poll the job until it is `complete` or `failed`.\n\nEvery response carries `X-Request-Id`. \
    Every error, those of unknown paths (404 `NOT_FOUND`) among them, is an `Error`. HEAD works where GET does.";

/// The tag of each operation is the path's segment after `/v1`; what it stands for.
const TAGS: [(&str, &str); 10] = [
    ("documents", "Uploaded PDFs"),
    ("drawings", "Jobs on drawings"),
    ("specs", "Jobs on specifications"),
    ("jobs", "Jobs and their results"),
    ("batches", "Many jobs at once"),
    ("models", "Installed models, third parties' among them"),
    ("keys", "Keys of the account"),
    ("session", "Who is signed in at a browser"),
    ("usage", "Credits"),
    ("files", "What signed links lead to"),
];

/// The name of the scheme by which a key is presented.
const KEY_SCHEME: &str = "ApiKey";

/// How much of what an upload may be is described. Some client generators know neither multipart nor PDFs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Uploads {
    /// A form, or the PDF itself.
    Typed,
    /// A body of any bytes.
    Octets,
}

/// The document of a server that clients reach at `address`.
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
            take_octets(operation);
        }
        errors::describe(facts, operation);
        headers::describe(facts, operation);
        headers::take_idempotency_key(facts, operation);
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

/// What poem-openapi says. It is an object by construction.
fn described<T: OpenApi>(operations: &poem_openapi::OpenApiService<T, ()>) -> Map<String, Value> {
    // Its JSON media type has a parameter, which clients and checkers would compare as part of the type.
    let text = operations.spec().replace("application/json; charset=utf-8", "application/json");
    serde_json::from_str(&text).unwrap_or_default()
}

fn tag_object(name: &str) -> Value {
    let description = TAGS.iter().find(|(known, _)| *known == name).map(|(_, description)| *description);
    json!({ "name": name, "description": description.unwrap_or_default() })
}

/// Describes an upload, and nothing else, as a body of any bytes.
fn take_octets(operation: &mut Map<String, Value>) {
    let content = operation.get_mut("requestBody").and_then(|body| body.get_mut("content")?.as_object_mut());
    if let Some(content) = content
        && let Some(pdf) = content.remove("application/pdf")
    {
        content.clear();
        content.insert("application/octet-stream".to_owned(), pdf);
    }
}

/// What of an operation decides how it is described.
#[derive(Debug)]
struct Facts {
    id: String,
    method: String,
    /// The path's segment after `/v1`.
    tag: String,
    /// What it takes to prove who asks.
    proof: Proof,
    /// Names of its parameters in the path.
    path_parameters: Vec<String>,
    /// Whether it has parameters that can be invalid.
    validated_parameters: bool,
    /// The schema of its JSON body, with references resolved.
    body: Option<Value>,
    /// Whether it takes a body, of any type.
    takes_body: bool,
}

/// What proves who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proof {
    /// Anybody may.
    None,
    /// A key.
    Key,
    /// A token of the identity provider, or a session.
    SignIn,
}

impl Proof {
    /// By the schemes that an operation names.
    fn of(security: Option<&[Value]>) -> Self {
        match security {
            None => Self::None,
            Some(schemes) if schemes.iter().any(|scheme| scheme.get(KEY_SCHEME).is_some()) => Self::Key,
            Some(_) => Self::SignIn,
        }
    }
}

impl Facts {
    /// Whether the limit of requests a minute is for it: the specification's list of paths, what is drawn, and replays of
    /// webhooks.
    fn limited(&self) -> bool {
        self.submits() || matches!(self.id.as_str(), "get_page_picture" | "get_annotated_pdf" | "replay_delivery")
    }

    /// Whether it takes uploads or submissions.
    fn submits(&self) -> bool {
        self.method == "post" && matches!(self.tag.as_str(), "documents" | "specs" | "drawings" | "models" | "batches")
    }

    /// Whether it takes an idempotency key.
    fn once(&self) -> bool {
        self.method == "post" && self.proof != Proof::None
    }

    /// Whether it costs credits: everything that queues jobs.
    fn charged(&self) -> bool {
        self.submits() && self.tag != "documents"
    }

    fn of(path: &str, method: &str, operation: &Map<String, Value>, schemas: &Value) -> Self {
        let parameters = operation.get("parameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let in_path = parameters.iter().filter(|parameter| parameter["in"] == "path");
        let plain_text = json!({ "type": "string" });
        let request_body = operation.get("requestBody");
        let security = operation.get("security").and_then(Value::as_array);
        Self {
            id: operation.get("operationId").and_then(Value::as_str).unwrap_or_default().to_owned(),
            method: method.to_owned(),
            tag: path.split('/').nth(2).unwrap_or_default().to_owned(),
            proof: Proof::of(security.map(Vec::as_slice)),
            path_parameters: in_path.filter_map(|parameter| Some(parameter["name"].as_str()?.to_owned())).collect(),
            validated_parameters: parameters.iter().any(|parameter| parameter["schema"] != plain_text),
            body: request_body.and_then(|body| resolved(&body["content"]["application/json"]["schema"], schemas)),
            takes_body: request_body.is_some(),
        }
    }

    /// Whether the JSON body has such a property.
    fn body_has(&self, property: &str) -> bool {
        self.body.as_ref().is_some_and(|body| body["properties"].get(property).is_some())
    }
}

/// A schema itself, where a reference may stand for it.
fn resolved(schema: &Value, schemas: &Value) -> Option<Value> {
    match schema["$ref"].as_str() {
        Some(reference) => schemas.get(reference.rsplit('/').next()?).cloned(),
        None => (!schema.is_null()).then(|| schema.clone()),
    }
}

/// Changes each operation of a document.
fn for_each_operation(document: &mut Map<String, Value>, mut change: impl FnMut(&Facts, &mut Map<String, Value>)) {
    let schemas = document.get("components").map(|components| components["schemas"].clone()).unwrap_or_default();
    let paths = document.get_mut("paths").and_then(Value::as_object_mut);
    for (path, item) in paths.into_iter().flatten() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            if let Some(operation) = operation.as_object_mut() {
                change(&Facts::of(path, method, operation, &schemas), operation);
            }
        }
    }
}

/// The responses of an operation, by status.
fn responses(operation: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    operation.get_mut("responses")?.as_object_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::paths;

    fn operations_of(document: &Value) -> Vec<&Value> {
        let paths = document["paths"].as_object().unwrap();
        paths.values().flat_map(|path| path.as_object().unwrap().values()).collect()
    }

    #[test]
    fn every_operation_is_described_under_an_id_of_its_own() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        let described = operations_of(&document);
        let made = paths().iter().map(|path| path.operations.len()).sum::<usize>();
        assert_eq!(described.len(), made, "a path that is split over two groups of operations loses one of them");
        for operation in described {
            assert!(operation["operationId"].is_string(), "{operation}");
        }
    }

    #[test]
    fn every_error_has_the_one_schema_and_says_which_codes_it_may_have() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        for operation in operations_of(&document) {
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
    fn an_operation_lists_the_errors_that_it_answers_with_and_no_others() {
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
            let operation = operations_of(&document).into_iter().find(|operation| operation["operationId"] == id);
            let responses = operation.unwrap()["responses"].as_object().unwrap();
            let errors: Vec<&str> = responses.keys().map(String::as_str).filter(|status| *status >= "400").collect();
            assert_eq!(errors.join(" "), expected, "{id}");
        }
    }

    #[test]
    fn over_https_the_sessions_cookie_has_its_prefix() {
        let name =
            |address| document(address, Uploads::Typed)["components"]["securitySchemes"]["Session"]["name"].take();
        assert_eq!(name("http://127.0.0.1:8080"), "fanlight_session");
        assert_eq!(name("https://fanlight.example.com"), "__Host-fanlight_session");
    }

    #[test]
    fn for_generators_that_know_no_more_an_upload_is_bytes() {
        let document = document("http://127.0.0.1:8080", Uploads::Octets);
        let content = &document["paths"]["/v1/documents"]["post"]["requestBody"]["content"];
        assert_eq!(content.as_object().unwrap().keys().collect::<Vec<_>>(), ["application/octet-stream"]);
    }
}
