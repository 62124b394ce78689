//! OpenAPI links: an answer that names a document or a job leads to the operations that take one, and a page of a list
//! to the next one.

use serde_json::{Map, Value, json};

use crate::api::description::{Facts, for_each_operation, resolved, responses};

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
    for_each_operation(document, |facts, operation| {
        let takes_cursor = takes_cursor(operation);
        for (status, response) in responses(operation).into_iter().flatten() {
            let schema = resolved(&response["content"]["application/json"]["schema"], &schemas).unwrap_or_default();
            let gives = |property: &str| schema["properties"].get(property).is_some();
            let links: Map<String, Value> = match status.as_str() {
                "201" | "202" => {
                    let takers = takers.iter().filter(|taker| gives(taker.id));
                    takers.map(|taker| (taker.operation.clone(), taker.link())).collect()
                }
                "200" if takes_cursor => [("next_page".to_owned(), next_page(facts))].into_iter().collect(),
                _ => continue,
            };
            if !links.is_empty() {
                response["links"] = Value::Object(links);
            }
        }
    });
}

/// Whether an operation reads on in a list from a cursor.
fn takes_cursor(operation: &Map<String, Value>) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    parameters.is_some_and(|parameters| parameters.iter().any(|parameter| parameter["name"] == "cursor"))
}

/// The same list, after what this page holds.
fn next_page(facts: &Facts) -> Value {
    json!({
        "operationId": facts.id,
        "parameters": { "cursor": "$response.body#/next_cursor" },
        "description": "With the same filters; there is no next page where `next_cursor` is null",
    })
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
