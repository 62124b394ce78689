//! Parts of schemas that poem-openapi leaves out: bounds of numbers, objects that accept no other fields, the type of a
//! file in a form, and an example of each object.

use serde_json::{Map, Value, json};

use crate::api::description::for_each_operation;

/// Examples of objects by the name of their schema.
const EXAMPLES: &str = include_str!("examples.json");

/// Suffix of the schema names of request bodies, which refuse unknown fields.
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
    let components = Components::of_document(document);
    for value in document.values_mut() {
        allow_null(value, &components);
    }
    let written = Value::Object(document.clone()).to_string();
    let mut schemas =
        document.get_mut("components").and_then(|components| components.get_mut("schemas")?.as_object_mut());
    if let Some(schemas) = &mut schemas {
        // A set of words that is written out wherever it is used needs no component.
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

/// Returns the example of a page of a list: one entry and the cursor of the next page.
fn page(schema: &Map<String, Value>, examples: &Map<String, Value>) -> Option<Value> {
    let properties = schema.get("properties")?.as_object()?;
    properties.get("next_cursor")?;
    let (name, items) = properties.iter().find(|(_, property)| property["type"] == "array")?;
    let entry = examples.get(items["items"]["$ref"].as_str()?.rsplit('/').next()?)?;
    Some(json!({ name: [entry], "next_cursor": "AQX3b0Sg1rUoAaH-TRt-fREYYFoc" }))
}

/// Completes the bounds of all integers in a value and removes parts of `allOf` that constrain nothing.
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

/// Components that a nullable reference is replaced by, by their references.
struct Components {
    /// The words of each enumeration.
    enums: Map<String, Value>,
    /// Each object whose fields refer to no other component.
    objects: Map<String, Value>,
}

impl Components {
    fn of_document(document: &Map<String, Value>) -> Self {
        let (mut enums, mut objects) = (Map::new(), Map::new());
        let schemas = document.get("components").and_then(|components| components.get("schemas")?.as_object());
        for (name, schema) in schemas.into_iter().flatten() {
            if let Some(words) = schema.get("enum") {
                enums.insert(reference(name), words.clone());
            } else if schema.get("properties").is_some() && !schema.to_string().contains("$ref") {
                objects.insert(reference(name), schema.clone());
            }
        }
        Self { enums, objects }
    }
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Writes out each nullable reference in place: an enumeration with null as one more word, an object as it is. In OpenAPI 3.0 a
/// reference beside `nullable` still means a component without null.
fn allow_null(value: &mut Value, components: &Components) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| allow_null(item, components)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| allow_null(field, components));
            if fields.get("nullable") != Some(&Value::Bool(true)) {
                return;
            }
            let Some([part]) = fields.get("allOf").and_then(Value::as_array).map(Vec::as_slice) else {
                return;
            };
            let Some(reference) = part["$ref"].as_str() else {
                return;
            };
            if let Some(object) = components.objects.get(reference).and_then(Value::as_object).cloned() {
                fields.remove("allOf");
                fields.extend(object.into_iter().filter(|(keyword, _)| keyword != "description"));
                return;
            }
            let Some(mut words) = components.enums.get(reference).and_then(Value::as_array).cloned() else {
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

/// Returns whether a part of `allOf` holds only annotations. poem-openapi repeats them beside `allOf`.
fn only_annotates(part: &Value) -> bool {
    part.as_object().is_some_and(|fields| fields.keys().all(|name| matches!(name.as_str(), "description" | "nullable")))
}

/// Adds the bounds of an integer that is unsigned in Rust, and writes bounds as integers (`60`, not `60.0`).
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

    /// Converts a schema of OpenAPI 3.0 to JSON Schema, which has no `nullable`.
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
    fn every_example_is_valid() {
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

    /// Collects the places of a document with a nullable schema, and those schemas.
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

    /// In OpenAPI 3.0.3 `nullable` widens only the `type` beside it, not a reference or an `enum` without null.
    #[test]
    fn a_nullable_schema_has_a_type_and_allows_null() {
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
    fn an_unsigned_integer_gets_its_bounds() {
        let mut schema = json!({ "a": { "type": "integer", "format": "uint32", "maximum": 60.0 } });
        walk(&mut schema);
        assert_eq!(schema.to_string(), r#"{"a":{"type":"integer","format":"uint32","maximum":60,"minimum":0}}"#);
    }
}
