//! The headers of each response, under the names that people write.

use serde_json::{Map, Value, json};

use crate::api::description::{Facts, responses};
use crate::idempotency::KEY_PATTERN;

/// What the document's operations refer to: each header once.
pub(super) fn components() -> Value {
    let whole_number = json!({ "type": "integer", "minimum": 0 });
    let text = json!({ "type": "string" });
    let header = |description: &str, schema: &Value| json!({ "description": description, "schema": schema });
    json!({
        "X-Request-Id": {
            "description": "The request's id, under which the server's log has more",
            "required": true,
            "schema": { "type": "string", "format": "uuid" },
        },
        "X-RateLimit-Limit": header("Requests a minute that the key may make", &whole_number),
        "X-RateLimit-Remaining": header("Requests that are left now", &whole_number),
        "X-RateLimit-Reset": header("Seconds until all of them are left again", &whole_number),
        "Idempotency-Replayed": header("`true` where the request was carried out before: this is what it got then", &text),
        "Retry-After": header("Seconds after which to try again", &whole_number),
        "WWW-Authenticate": header("How to prove who asks", &text),
        "Allow": header("The methods that the path has", &text),
    })
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
            location["description"] = "Path of what was made".into();
        }
        for name in names(facts, status) {
            headers.insert((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }));
        }
        response["headers"] = Value::Object(headers);
    }
}

fn names(facts: &Facts, status: &str) -> Vec<&'static str> {
    let mut names = vec!["X-Request-Id"];
    match status {
        "401" => names.push("WWW-Authenticate"),
        "405" => names.push("Allow"),
        "429" | "503" => names.push("Retry-After"),
        _ => {}
    }
    if facts.once() && status.starts_with('2') {
        names.push("Idempotency-Replayed");
    }
    // Whoever has no key has no limit.
    if facts.limited() && !matches!(status, "401" | "405") {
        names.extend(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]);
    }
    names
}

/// The header of requests that are to be carried out once.
pub(super) fn take_idempotency_key(facts: &Facts, operation: &mut Map<String, Value>) {
    if !facts.once() {
        return;
    }
    let header = json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Marks a request that is to be carried out once: for 24 hours, another with the same key gets the \
            first one's answer. A string in quotes, or without blanks and bare.",
        "schema": { "type": "string", "pattern": KEY_PATTERN },
    });
    if let Some(parameters) = operation.entry("parameters").or_insert_with(|| json!([])).as_array_mut() {
        parameters.push(header);
    }
}

/// poem-openapi writes them in capitals.
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
    fn a_header_is_named_as_people_write_it() {
        assert_eq!(usual_case("LOCATION"), "Location");
        assert_eq!(usual_case("X-REQUEST-ID"), "X-Request-Id");
    }
}
