//! What poem-openapi leaves out of schemas: bounds of numbers, which objects take no other fields, and an example of
//! each object.

use serde_json::{Map, Value};

/// An example of each object, by the name of its schema.
const EXAMPLES: &str = include_str!("examples.json");

/// Ends the name of each body that clients send; each refuses fields that it doesn't have.
const BODY: &str = "Request";

/// Completes every schema of a document.
pub(super) fn complete(document: &mut Map<String, Value>) {
    for value in document.values_mut() {
        walk(value);
    }
    let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).unwrap_or_default();
    let schemas = document.get_mut("components").and_then(|components| components.get_mut("schemas")?.as_object_mut());
    for (name, schema) in schemas.into_iter().flatten() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        if name.ends_with(BODY) {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
        if let Some(example) = examples.get(name) {
            schema.insert("example".to_owned(), example.clone());
        }
    }
}

fn walk(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(walk),
        Value::Object(fields) => {
            fields.values_mut().for_each(walk);
            if fields.get("type").is_some_and(|kind| kind == "integer") {
                bound(fields);
            }
        }
        _ => {}
    }
}

/// Says that what is unsigned in Rust is, and writes whole bounds as such (`60`, not `60.0`).
fn bound(integer: &mut Map<String, Value>) {
    for bound in ["minimum", "maximum"] {
        if let Some(value) = integer.get(bound).and_then(Value::as_f64) {
            integer.insert(bound.to_owned(), (value as i64).into());
        }
    }
    let largest = match integer.get("format").and_then(Value::as_str) {
        Some("uint16") => Some(u64::from(u16::MAX)),
        Some("uint32") => Some(u64::from(u32::MAX)),
        Some("uint64") => None,
        _ => return,
    };
    integer.entry("minimum").or_insert_with(|| 0.into());
    if let Some(largest) = largest {
        integer.entry("maximum").or_insert_with(|| largest.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_unsigned_number_says_its_bounds() {
        let mut schema = json!({ "a": { "type": "integer", "format": "uint32", "maximum": 60.0 } });
        walk(&mut schema);
        assert_eq!(schema.to_string(), r#"{"a":{"type":"integer","format":"uint32","maximum":60,"minimum":0}}"#);
    }
}
