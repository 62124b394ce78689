//! The headers of each response, in their usual spelling.

use serde_json::{Map, Value, json};

use crate::api::description::{Facts, responses};
use crate::domain::idempotency::KEY_PATTERN;

/// Returns the document's header components, to which all operations refer.
pub(super) fn components() -> Value {
    let whole_number = json!({ "type": "integer", "minimum": 0 });
    let text = json!({ "type": "string" });
    json!({
        "X-Request-Id": {
            "description": "Request ID; the server's log has details under it",
            "required": true,
            "schema": { "type": "string", "format": "uuid" },
        },
        "X-RateLimit-Limit": header("Requests per minute that the key may make", &whole_number),
        "X-RateLimit-Remaining": header("Requests left now", &whole_number),
        "X-RateLimit-Reset": header("Seconds until the full number of requests is left", &whole_number),
        "Idempotency-Replayed": header("`true` if this is the stored answer to an earlier request", &text),
        "Retry-After": header("Seconds after which to try again", &whole_number),
        "WWW-Authenticate": header("Accepted authentication scheme", &text),
        "Allow": header("Methods that the path has", &text),
    })
}

fn header(description: &str, schema: &Value) -> Value {
    json!({ "description": description, "schema": schema })
}

/// Describes the headers of every response of an operation.
pub(super) fn describe(facts: &Facts, operation: &mut Map<String, Value>) {
    for (status, response) in responses(operation).into_iter().flatten() {
        let declared = response.get_mut("headers").map(Value::take).unwrap_or_default();
        let mut headers = Map::new();
        for (name, header) in declared.as_object().into_iter().flatten() {
            headers.insert(usual_case(name), header.clone());
        }
        if let Some(location) = headers.get_mut("Location") {
            location["description"] = "Path of the new resource".into();
        }
        for name in names(facts, status) {
            headers.insert((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }));
        }
        response["headers"] = Value::Object(headers);
    }
}

/// Returns the names of the headers of an operation's response with this status.
fn names(facts: &Facts, status: &str) -> Vec<&'static str> {
    let mut names = vec!["X-Request-Id"];
    match status {
        "401" => names.push("WWW-Authenticate"),
        "405" => names.push("Allow"),
        "429" | "503" => names.push("Retry-After"),
        _ => {}
    }
    if facts.idempotent() && status.starts_with('2') {
        names.push("Idempotency-Replayed");
    }
    // The rate limit belongs to a key, so a request without one has no limit.
    if facts.limited() && !matches!(status, "401" | "405") {
        names.extend(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]);
    }
    names
}

/// Adds the parameter `Idempotency-Key` to an operation that accepts it.
pub(super) fn add_idempotency_key(facts: &Facts, operation: &mut Map<String, Value>) {
    if !facts.idempotent() {
        return;
    }
    let header = json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Marks a request to be carried out once. For 24 hours, a second request with the same key gets the \
            first one's answer. A quoted string, or a bare one without spaces.",
        "schema": { "type": "string", "pattern": KEY_PATTERN },
    });
    if let Some(parameters) = operation.entry("parameters").or_insert_with(|| json!([])).as_array_mut() {
        parameters.push(header);
    }
}

/// Returns a header name in its usual spelling. poem-openapi writes header names in capitals.
fn usual_case(name: &str) -> String {
    let parts = name.split('-').map(|part| {
        let (first, rest) = part.split_at(part.len().min(1));
        format!("{}{}", first.to_uppercase(), rest.to_lowercase())
    });
    parts.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_name_gets_its_usual_case() {
        assert_eq!(usual_case("LOCATION"), "Location");
        assert_eq!(usual_case("X-REQUEST-ID"), "X-Request-Id");
    }
}
