//! OpenAPI links: an answer that names a document or a job leads to the operations that take one.

use serde_json::{Map, Value, json};

use crate::api::description::{for_each_operation, resolved, responses};

/// What an answer may name, and what operations call it.
const IDS: [&str; 3] = ["document_id", "job_id", "batch_id"];

/// An operation that takes an id.
struct Taker {
    operation: String,
    id: &'static str,
    in_path: bool,
}

/// Links the answers that make something with the operations that take it.
pub(super) fn connect(document: &mut Map<String, Value>) {
    let takers = takers(document);
    let schemas = document.get("components").map(|components| components["schemas"].clone()).unwrap_or_default();
    for_each_operation(document, |_, operation| {
        for (status, response) in responses(operation).into_iter().flatten() {
            if !matches!(status.as_str(), "201" | "202") {
                continue;
            }
            let schema = resolved(&response["content"]["application/json"]["schema"], &schemas).unwrap_or_default();
            let given = |id: &str| schema["properties"].get(id).is_some();
            let links: Map<String, Value> = takers
                .iter()
                .filter(|taker| given(taker.id))
                .map(|taker| (taker.operation.clone(), taker.link()))
                .collect();
            if !links.is_empty() {
                response["links"] = Value::Object(links);
            }
        }
    });
}

fn takers(document: &mut Map<String, Value>) -> Vec<Taker> {
    let mut takers = Vec::new();
    for_each_operation(document, |facts, _| {
        for id in IDS {
            let in_path = facts.path_parameters.iter().any(|name| name == id);
            if in_path || facts.body_has(id) {
                takers.push(Taker { operation: facts.id.clone(), id, in_path });
            }
        }
    });
    takers
}

impl Taker {
    fn link(&self) -> Value {
        let id = format!("$response.body#/{}", self.id);
        if self.in_path {
            return json!({ "operationId": self.operation, "parameters": { self.id: id } });
        }
        json!({ "operationId": self.operation, "requestBody": { self.id: id } })
    }
}
