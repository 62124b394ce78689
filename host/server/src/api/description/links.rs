//! OpenAPI links: from an answer with the ID of a resource to the operations that accept it, and from a page of a list to
//! the next page.

use serde_json::{Map, Value, json};

use crate::api::description::{Facts, for_each_operation, resolved, responses};

/// Names of IDs, in answers and in operations' parameters and bodies.
const IDS: [&str; 3] = ["document_id", "job_id", "batch_id"];

/// An operation that accepts an ID.
struct LinkTarget {
    operation: String,
    id: &'static str,
    in_path: bool,
}

/// Adds the links of all operations. Only answers that create a resource link to the operations on it.
pub(super) fn connect(document: &mut Map<String, Value>) {
    let targets = link_targets(document);
    let schemas = document.get("components").map(|components| components["schemas"].clone()).unwrap_or_default();
    for_each_operation(document, |facts, operation| {
        let takes_cursor = takes_cursor(operation);
        for (status, response) in responses(operation).into_iter().flatten() {
            let schema = resolved(&response["content"]["application/json"]["schema"], &schemas).unwrap_or_default();
            let links: Map<String, Value> = match status.as_str() {
                "201" | "202" => {
                    let matching = targets.iter().filter(|target| schema["properties"].get(target.id).is_some());
                    matching.map(|target| (target.operation.clone(), target.link())).collect()
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

/// Returns whether an operation reads a list from a cursor.
fn takes_cursor(operation: &Map<String, Value>) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    parameters.is_some_and(|parameters| parameters.iter().any(|parameter| parameter["name"] == "cursor"))
}

/// Returns the link to the next page of the same list.
fn next_page(facts: &Facts) -> Value {
    json!({
        "operationId": facts.id,
        "parameters": { "cursor": "$response.body#/next_cursor" },
        "description": "Next page, with the same filters. There is none if `next_cursor` is null",
    })
}

/// Returns the operations that accept an ID in the path or the body.
fn link_targets(document: &mut Map<String, Value>) -> Vec<LinkTarget> {
    let mut targets = Vec::new();
    for_each_operation(document, |facts, _| {
        for id in IDS {
            let in_path = facts.path_parameters.iter().any(|name| name == id);
            if in_path || facts.body_has(id) {
                targets.push(LinkTarget { operation: facts.id.clone(), id, in_path });
            }
        }
    });
    targets
}

impl LinkTarget {
    /// Returns the link from an answer that has the ID.
    fn link(&self) -> Value {
        let id = format!("$response.body#/{}", self.id);
        if self.in_path {
            return json!({ "operationId": self.operation, "parameters": { self.id: id } });
        }
        json!({ "operationId": self.operation, "requestBody": { self.id: id } })
    }
}
