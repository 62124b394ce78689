//! The installed models' own schemas, as components `<model>.parameters` and `<model>.result`.
//!
//! A plugin writes JSON Schema of 2020, of which OpenAPI 3.0 knows a dialect: what has a counterpart there is rewritten,
//! what has none is left out, so that a component never refuses what the model's schema takes.

use fanlight_sandbox::Description;
use serde_json::{Map, Value, json};

/// Where the document names the models and their components.
const EXTENSION: &str = "x-fanlight-models";

/// Keywords that mean the same in both and hold no schema.
const SAME: [&str; 19] = [
    "title",
    "description",
    "format",
    "default",
    "enum",
    "multipleOf",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "readOnly",
    "writeOnly",
];

/// Adds the schemas of models to a document.
pub(in crate::api) fn add<'a>(document: &mut Value, models: impl Iterator<Item = &'a Description>) {
    let mut schemas = Map::new();
    let mut index = Map::new();
    for model in models {
        let parameters = format!("{}.parameters", model.name);
        let result = format!("{}.result", model.name);
        add_schema(&mut schemas, &parameters, &model.parameters);
        add_schema(&mut schemas, &result, &model.result);
        if let Some(result) = schemas.get_mut(&result) {
            add_host_fields(result);
        }
        let entry = json!({
            "version": model.version,
            "parameters": { "$ref": reference(&parameters) },
            "result": { "$ref": reference(&result) },
        });
        index.insert(model.name.clone(), entry);
    }
    document[EXTENSION] = Value::Object(index);
    if let Some(components) = document["components"]["schemas"].as_object_mut() {
        components.extend(schemas);
    }
}

/// Adds a schema under a name, and its definitions under names that start with it.
fn add_schema(schemas: &mut Map<String, Value>, name: &str, schema: &Value) {
    for (definition, content) in schema["$defs"].as_object().into_iter().flatten() {
        schemas.insert(component(name, definition), rewritten(content, name));
    }
    schemas.insert(name.to_owned(), rewritten(schema, name));
}

/// The component of a definition.
fn component(schema: &str, definition: &str) -> String {
    let allowed = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    format!("{schema}.{}", definition.chars().map(allowed).collect::<String>())
}

fn reference(component: &str) -> String {
    format!("#/components/schemas/{component}")
}

/// What the host puts around a result.
fn add_host_fields(result: &mut Value) {
    let host = [
        ("document_id", json!({ "type": "string", "format": "uuid" })),
        ("model_version", json!({ "type": "string" })),
        ("processing_time_ms", json!({ "type": "integer", "minimum": 0 })),
    ];
    let Some(properties) = result["properties"].as_object_mut() else {
        return;
    };
    for (name, schema) in &host {
        properties.insert((*name).to_owned(), schema.clone());
    }
    let own = result["required"].as_array().cloned().unwrap_or_default();
    let all = own.into_iter().filter(|name| !host.iter().any(|(field, _)| name == field));
    result["required"] = all.chain(host.iter().map(|(name, _)| (*name).into())).collect();
}

/// A schema in OpenAPI's dialect. `name` is the component that its definitions belong to.
fn rewritten(schema: &Value, name: &str) -> Value {
    let Some(schema) = schema.as_object() else {
        // `true` takes everything, `false` nothing.
        return if *schema == Value::Bool(false) { json!({ "not": {} }) } else { json!({}) };
    };
    let mut written = Map::new();
    for (keyword, value) in schema {
        match keyword.as_str() {
            same if SAME.contains(&same) => {
                written.insert(keyword.clone(), value.clone());
            }
            "const" => {
                written.insert("enum".to_owned(), json!([value]));
            }
            "exclusiveMinimum" | "exclusiveMaximum" => {
                written.insert(keyword.clone(), true.into());
                written.insert(keyword.replace("exclusiveM", "m"), value.clone());
            }
            "examples" => {
                written.extend(value.get(0).map(|example| ("example".to_owned(), example.clone())));
            }
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                let properties = properties.map(|(field, schema)| (field.clone(), rewritten(schema, name)));
                written.insert(keyword.clone(), Value::Object(properties.collect()));
            }
            "additionalProperties" | "not" => {
                let plain = value.is_boolean() && keyword == "additionalProperties";
                written.insert(keyword.clone(), if plain { value.clone() } else { rewritten(value, name) });
            }
            "items" if !schema.contains_key("prefixItems") => {
                written.insert(keyword.clone(), rewritten(value, name));
            }
            "allOf" | "anyOf" | "oneOf" => {
                let choices = value.as_array().into_iter().flatten();
                if keyword != "allOf" && choices.clone().any(is_null) {
                    written.insert("nullable".to_owned(), true.into());
                }
                let choices: Vec<Value> =
                    choices.filter(|choice| !is_null(choice)).map(|choice| rewritten(choice, name)).collect();
                written.insert(keyword.clone(), choices.into());
            }
            "type" => write_type(&mut written, value),
            _ => {}
        }
    }
    if written.get("type").is_some_and(|kind| kind == "array") && !written.contains_key("items") {
        written.insert("items".to_owned(), json!({}));
    }
    let definition = schema.get("$ref").and_then(Value::as_str);
    match definition.and_then(|definition| definition.strip_prefix("#/$defs/")) {
        // Beside a reference OpenAPI reads nothing.
        Some(definition) => {
            let reference = json!({ "$ref": reference(&component(name, definition)) });
            if written.is_empty() {
                return reference;
            }
            json!({ "allOf": [reference, written] })
        }
        None => Value::Object(written),
    }
}

fn is_null(schema: &Value) -> bool {
    schema["type"] == "null"
}

/// One type; or several, of which null is a property of the others.
fn write_type(written: &mut Map<String, Value>, kinds: &Value) {
    let kinds: Vec<&Value> = kinds.as_array().map_or_else(|| vec![kinds], |kinds| kinds.iter().collect());
    let others: Vec<&Value> = kinds.iter().copied().filter(|kind| *kind != "null").collect();
    if others.len() < kinds.len() {
        written.insert("nullable".to_owned(), true.into());
    }
    match others.as_slice() {
        [] => {
            written.insert("enum".to_owned(), json!([null]));
        }
        [kind] => {
            written.insert("type".to_owned(), (*kind).clone());
        }
        several => {
            let choices = several.iter().map(|kind| rewritten(&json!({ "type": kind }), ""));
            written.insert("anyOf".to_owned(), choices.collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_of_2020_becomes_one_of_openapi() {
        let cases = [
            (json!(true), json!({})),
            (json!(false), json!({ "not": {} })),
            (json!({ "type": ["string", "null"] }), json!({ "type": "string", "nullable": true })),
            (json!({ "type": "null" }), json!({ "nullable": true, "enum": [null] })),
            (
                json!({ "type": ["string", "integer"] }),
                json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
            ),
            (json!({ "const": "llm", "type": "string" }), json!({ "enum": ["llm"], "type": "string" })),
            (json!({ "exclusiveMinimum": 0 }), json!({ "exclusiveMinimum": true, "minimum": 0 })),
            (json!({ "exclusiveMaximum": 1 }), json!({ "exclusiveMaximum": true, "maximum": 1 })),
            (json!({ "type": "array" }), json!({ "type": "array", "items": {} })),
            (
                json!({ "type": "array", "prefixItems": [{ "type": "string" }], "items": false }),
                json!({ "type": "array", "items": {} }),
            ),
            (json!({ "$ref": "#/$defs/A b" }), json!({ "$ref": "#/components/schemas/m.A_b" })),
            (
                json!({ "$ref": "#/$defs/A", "description": "one" }),
                json!({ "allOf": [{ "$ref": "#/components/schemas/m.A" }, { "description": "one" }] }),
            ),
            (
                json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }] }),
                json!({ "nullable": true, "anyOf": [{ "$ref": "#/components/schemas/m.A" }] }),
            ),
            (
                json!({ "properties": { "a": { "type": ["null", "object"] } }, "additionalProperties": false }),
                json!({ "properties": { "a": { "type": "object", "nullable": true } }, "additionalProperties": false }),
            ),
            (json!({ "examples": [1, 2], "$schema": "x", "if": {}, "patternProperties": {} }), json!({ "example": 1 })),
        ];
        for (schema, expected) in cases {
            assert_eq!(rewritten(&schema, "m"), expected, "{schema}");
        }
    }

    #[test]
    fn definitions_are_components_and_results_have_the_hosts_fields() {
        let mut schemas = Map::new();
        let schema = json!({
            "type": "object",
            "properties": { "doors": { "type": "array", "items": { "$ref": "#/$defs/Door" } } },
            "required": ["doors", "document_id"],
            "$defs": { "Door": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Door" } } } },
        });
        add_schema(&mut schemas, "m.result", &schema);
        add_host_fields(&mut schemas["m.result"]);
        let door = json!({ "$ref": "#/components/schemas/m.result.Door" });
        assert_eq!(schemas["m.result.Door"], json!({ "type": "object", "properties": { "next": door } }));
        assert_eq!(schemas["m.result"]["properties"]["doors"], json!({ "type": "array", "items": door }));
        assert_eq!(
            schemas["m.result"]["required"],
            json!(["doors", "document_id", "model_version", "processing_time_ms"])
        );
        assert_eq!(schemas["m.result"]["properties"]["document_id"]["format"], "uuid");
    }
}
