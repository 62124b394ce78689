//! What poem-openapi leaves out of schemas: bounds of numbers, which objects take no other fields, what a file in a form
//! is, and an example of each object.

use serde_json::{Map, Value, json};

use crate::api::description::for_each_operation;

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
    for_each_operation(document, |_, operation| {
        let form = operation.get_mut("requestBody").and_then(|body| body.pointer_mut("/content/multipart~1form-data"));
        if let Some(form) = form {
            form["encoding"] = json!({ "file": { "contentType": "application/pdf" } });
        }
    });
    let enums = enums(document);
    for value in document.values_mut() {
        allow_null(value, &enums);
    }
    let written = Value::Object(document.clone()).to_string();
    let mut schemas =
        document.get_mut("components").and_then(|components| components.get_mut("schemas")?.as_object_mut());
    if let Some(schemas) = &mut schemas {
        // What stands written out everywhere needs no name.
        schemas.retain(|name, schema| {
            schema.get("enum").is_none() || written.contains(&format!("\"{}\"", reference(name)))
        });
    }
    for (name, schema) in schemas.into_iter().flatten() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        if name.ends_with(BODY) {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
        if let Some(example) = examples.get(name).cloned().or_else(|| page(schema, &examples)) {
            schema.insert("example".to_owned(), example);
        }
    }
}

/// The example of a page of a list: one entry, and the cursor of the next page.
fn page(schema: &Map<String, Value>, examples: &Map<String, Value>) -> Option<Value> {
    let properties = schema.get("properties")?.as_object()?;
    properties.get("next_cursor")?;
    let (name, items) = properties.iter().find(|(_, property)| property["type"] == "array")?;
    let entry = examples.get(items["items"]["$ref"].as_str()?.rsplit('/').next()?)?;
    Some(json!({ name: [entry], "next_cursor": "AQX3b0Sg1rUoAaH-TRt-fREYYFoc" }))
}

fn walk(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(walk),
        Value::Object(fields) => {
            fields.values_mut().for_each(walk);
            if fields.get("type").is_some_and(|kind| kind == "integer") {
                bound(fields);
            }
            if let Some(parts) = fields.get_mut("allOf").and_then(Value::as_array_mut) {
                parts.retain(|part| !only_annotates(part));
            }
        }
        _ => {}
    }
}

/// What each schema that is a closed set of words allows, by the reference to it.
fn enums(document: &Map<String, Value>) -> Map<String, Value> {
    let schemas = document.get("components").and_then(|components| components.get("schemas")?.as_object());
    let words = |(name, schema): (&String, &Value)| Some((reference(name), schema.get("enum")?.clone()));
    schemas.into_iter().flatten().filter_map(words).collect()
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Writes a closed set of words that may be null out where it stands: a reference beside `nullable` stays one to a set
/// that null is not in.
fn allow_null(value: &mut Value, enums: &Map<String, Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| allow_null(item, enums)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| allow_null(field, enums));
            if fields.get("nullable") != Some(&Value::Bool(true)) {
                return;
            }
            let Some([part]) = fields.get("allOf").and_then(Value::as_array).map(Vec::as_slice) else {
                return;
            };
            let words = part["$ref"].as_str().and_then(|reference| enums.get(reference)?.as_array());
            let Some(mut words) = words.cloned() else {
                return;
            };
            words.push(Value::Null);
            fields.remove("allOf");
            fields.insert("type".to_owned(), "string".into());
            fields.insert("enum".to_owned(), words.into());
        }
        _ => {}
    }
}

/// Annotations in a part of their own, which stand beside the parts too.
fn only_annotates(part: &Value) -> bool {
    part.as_object().is_some_and(|fields| fields.keys().all(|name| matches!(name.as_str(), "description" | "nullable")))
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
    use crate::api::description::{Uploads, document};

    /// A schema of OpenAPI 3.0 as one of JSON Schema, which knows no `nullable`.
    fn with_null(schema: &mut Value) {
        match schema {
            Value::Array(items) => items.iter_mut().for_each(with_null),
            Value::Object(fields) => {
                fields.values_mut().for_each(with_null);
                if fields.remove("nullable") == Some(Value::Bool(true)) {
                    let otherwise = Value::Object(std::mem::take(fields));
                    fields.insert("anyOf".to_owned(), json!([otherwise, { "type": "null" }]));
                }
            }
            _ => {}
        }
    }

    #[test]
    fn an_example_is_valid() {
        let mut document = document("http://127.0.0.1:8080", Uploads::Typed);
        with_null(&mut document);
        let components = &document["components"];
        let examples: Map<String, Value> = serde_json::from_str(EXAMPLES).unwrap();
        for (name, example) in examples {
            assert!(components["schemas"].get(&name).is_some(), "there is no {name}");
            let schema = json!({ "$ref": format!("#/components/schemas/{name}"), "components": components });
            let validator = jsonschema::validator_for(&schema).unwrap();
            let errors: Vec<String> = validator.iter_errors(&example).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}");
        }
    }

    /// Where in a document a schema says `nullable`, and that schema.
    fn nullable<'a>(value: &'a Value, path: &str, found: &mut Vec<(String, &'a Map<String, Value>)>) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| nullable(item, path, found)),
            Value::Object(fields) => {
                if fields.get("nullable") == Some(&Value::Bool(true)) {
                    found.push((path.to_owned(), fields));
                }
                fields.iter().for_each(|(name, field)| nullable(field, &format!("{path}/{name}"), found));
            }
            _ => {}
        }
    }

    /// In OpenAPI 3.0.3 `nullable` widens the `type` beside it alone: neither a reference nor an `enum` without null.
    #[test]
    fn what_may_be_null_has_a_type_and_no_words_without_null() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        let mut found = Vec::new();
        nullable(&document, "", &mut found);
        assert!(found.len() > 20, "{found:?}");
        let mut sets = 0;
        for (path, schema) in found {
            let combined = ["$ref", "allOf", "anyOf", "oneOf"].iter().any(|keyword| schema.contains_key(*keyword));
            assert!(schema.contains_key("type") && !combined, "{path}: {schema:?}");
            if let Some(words) = schema.get("enum").and_then(Value::as_array) {
                assert!(words.contains(&Value::Null), "{path}: {schema:?}");
                sets += 1;
            }
        }
        assert!(sets >= 2, "a key's tier and a model's granularity are such sets");
    }

    #[test]
    fn an_unsigned_number_says_its_bounds() {
        let mut schema = json!({ "a": { "type": "integer", "format": "uint32", "maximum": 60.0 } });
        walk(&mut schema);
        assert_eq!(schema.to_string(), r#"{"a":{"type":"integer","format":"uint32","maximum":60,"minimum":0}}"#);
    }
}
