//! Schemas of models, as components `<model>.parameters` and `<model>.result`, and the schema of a job's result.
//!
//! The document describes the service's own models; on a server, also all installed models.
//!
//! Plugins write JSON Schema 2020-12, while OpenAPI 3.0 has a dialect of its own. Keywords with a counterpart there are
//! rewritten and all others are left out, so a component never refuses a value that the model's schema accepts.

use fanlight_sandbox::Description;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::domain::catalog;

/// Descriptions of the service's own models, as `cargo xtask generate` writes them.
const OWN_MODELS: &str = include_str!("../../../../../docs/models.json");

/// Extension of the document that lists the models and their components.
const EXTENSION: &str = "x-fanlight-models";

/// Keywords that mean the same in both dialects and hold no schema.
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

/// Name of the component of a job's result.
const JOB_RESULT: &str = "JobResult";
/// Title of the alternative without a result.
const NO_RESULT: &str = "NoResult";
/// JSON Pointer to the result in a job's schema.
const RESULT_POINTER: &str = "/components/schemas/Job/properties/result";

/// The part of a model's description that the document shows.
#[derive(Debug, Deserialize)]
struct DescribedModel {
    name: String,
    version: String,
    parameters: Value,
    result: Value,
}

impl From<&Description> for DescribedModel {
    fn from(model: &Description) -> Self {
        Self {
            name: model.name.clone(),
            version: model.version.clone(),
            parameters: model.parameters.clone(),
            result: model.result.clone(),
        }
    }
}

/// Adds the schemas of the service's own models to a document.
pub(super) fn add_own(document: &mut Value) {
    let own: Vec<DescribedModel> = serde_json::from_str(OWN_MODELS).unwrap_or_default();
    add_described(document, &own);
}

/// Adds the schemas of installed models to a document. If one of the service's own models is installed in another
/// version, that version's schemas replace those that are there.
pub(in crate::api) fn add<'a>(document: &mut Value, models: impl Iterator<Item = &'a Description>) {
    let models: Vec<DescribedModel> = models.map(DescribedModel::from).collect();
    add_described(document, &models);
}

fn add_described(document: &mut Value, models: &[DescribedModel]) {
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
    schemas.insert(JOB_RESULT.to_owned(), job_result(models));
    document[EXTENSION] = Value::Object(index);
    if let Some(components) = document["components"]["schemas"].as_object_mut() {
        components.extend(schemas);
    }
    if let Some(result) = document.pointer_mut(RESULT_POINTER) {
        *result = json!({ "$ref": reference(JOB_RESULT) });
    }
}

/// Returns the schema of a job's result.
///
/// Results of the service's own models have distinct field names, so exactly one of their schemas fits (`oneOf`). The
/// schema of a third party's model may fit beside another (`anyOf`).
fn job_result(models: &[DescribedModel]) -> Value {
    let own = catalog::OWN.iter().map(|own| own.name);
    let mut names: Vec<&str> = own.chain(models.iter().map(|model| model.name.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    let mut choices: Vec<Value> =
        names.iter().map(|name| json!({ "$ref": reference(&format!("{name}.result")) })).collect();
    let keyword = if names.len() == catalog::OWN.len() { "oneOf" } else { "anyOf" };
    let mut none = null();
    // If one alternative has no title, the Rust client generator (progenitor) numbers all of them instead of naming them.
    none["title"] = NO_RESULT.into();
    choices.push(none);
    json!({
        "description": "Result of the job's model; null until the job is complete",
        (keyword): choices,
    })
}

/// Keywords that do not constrain a value.
const ANNOTATIONS: [&str; 6] = ["title", "description", "default", "example", "readOnly", "writeOnly"];

/// Adds a schema as a component, and its definitions as components whose names start with the schema's.
fn add_schema(schemas: &mut Map<String, Value>, name: &str, schema: &Value) {
    let definitions = schema["$defs"].as_object().into_iter().flatten();
    let definitions = definitions.map(|(definition, content)| (component(name, definition), content));
    for (component, content) in definitions.chain([(name.to_owned(), schema)]) {
        let mut written = rewritten(content, name);
        if let Some(written) = written.as_object_mut().filter(|written| !written.contains_key("$ref")) {
            written.insert("title".to_owned(), title(&component).into());
        }
        schemas.insert(component, written);
    }
}

/// Returns a unique title for a component: its name in `UpperCamelCase`. Some client generators name types by their
/// titles, and the titles of plugins repeat.
fn title(component: &str) -> String {
    component.split(|c: char| !c.is_ascii_alphanumeric()).map(capitalized).collect()
}

fn capitalized(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    format!("{}{rest}", first.to_uppercase())
}

/// Returns the component name of a schema's definition. OpenAPI allows ASCII letters, digits, `.`, `_` and `-` in it.
fn component(schema: &str, definition: &str) -> String {
    let name = definition.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' });
    format!("{schema}.{}", name.collect::<String>())
}

fn reference(component: &str) -> String {
    format!("#/components/schemas/{component}")
}

/// Adds the required fields that the host puts into every result.
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

/// Rewrites a schema in OpenAPI's dialect. `name` is the component that its definitions belong to.
fn rewritten(schema: &Value, name: &str) -> Value {
    let Some(schema) = schema.as_object() else {
        // The schema `true` accepts everything, `false` nothing.
        return if *schema == Value::Bool(false) { json!({ "not": {} }) } else { json!({}) };
    };
    let words = words(schema);
    let schema = words.as_ref().unwrap_or(schema);
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
                written.insert(keyword.clone(), choices.map(|choice| rewritten(choice, name)).collect());
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
        // OpenAPI ignores all keywords beside a reference.
        Some(definition) => {
            let reference = json!({ "$ref": reference(&component(name, definition)) });
            if written.is_empty() {
                return reference;
            }
            if written.keys().any(|keyword| !ANNOTATIONS.contains(&keyword.as_str())) {
                return json!({ "allOf": [reference, written] });
            }
            written.insert("allOf".to_owned(), json!([reference]));
            Value::Object(written)
        }
        None => Value::Object(written),
    }
}

/// Returns the schema of null, which OpenAPI 3.0 has no type for: a nullable object whose only value is null.
fn null() -> Value {
    json!({ "type": "object", "nullable": true, "enum": [null] })
}

/// Joins a `oneOf` of string constants into one enumeration, whose description lists the words with theirs. Returns `None`
/// for any other schema.
fn words(schema: &Map<String, Value>) -> Option<Map<String, Value>> {
    let choices = schema.get("oneOf")?.as_array()?;
    let mut described = String::new();
    let mut words = Vec::with_capacity(choices.len());
    for choice in choices {
        let word = choice["const"].as_str().filter(|_| choice["type"] == "string")?;
        let description = choice["description"].as_str().unwrap_or_default();
        described.extend(["\n- `", word, "`: ", &description.replace('\n', " ")]);
        words.push(word);
    }
    let mut joined = schema.clone();
    joined.remove("oneOf");
    let own = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    joined.insert("description".to_owned(), format!("{own}\n{described}").trim().into());
    joined.insert("type".to_owned(), "string".into());
    joined.insert("enum".to_owned(), json!(words));
    Some(joined)
}

/// Writes the keyword `type`, which may name several types in JSON Schema but only one in OpenAPI 3.0. Null beside one
/// type becomes `nullable`.
fn write_type(written: &mut Map<String, Value>, kinds: &Value) {
    let kinds: Vec<&Value> = kinds.as_array().map_or_else(|| vec![kinds], |kinds| kinds.iter().collect());
    let others: Vec<&Value> = kinds.iter().copied().filter(|kind| *kind != "null").collect();
    let nullable = others.len() < kinds.len();
    match others.as_slice() {
        [] => written.extend(null().as_object().cloned().unwrap_or_default()),
        [kind] => {
            written.insert("type".to_owned(), (*kind).clone());
            if nullable {
                written.insert("nullable".to_owned(), true.into());
            }
        }
        several => {
            let choices = several.iter().map(|kind| rewritten(&json!({ "type": kind }), ""));
            written.insert("anyOf".to_owned(), choices.chain(nullable.then(null)).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::description::{Uploads, document};

    #[test]
    fn json_schema_is_rewritten_in_the_dialect_of_openapi() {
        let cases = [
            (json!(true), json!({})),
            (json!(false), json!({ "not": {} })),
            (json!({ "type": ["string", "null"] }), json!({ "type": "string", "nullable": true })),
            (json!({ "type": "null" }), json!({ "type": "object", "nullable": true, "enum": [null] })),
            (
                json!({ "type": ["string", "integer", "null"] }),
                json!({ "anyOf": [
                    { "type": "string" },
                    { "type": "integer" },
                    { "type": "object", "nullable": true, "enum": [null] },
                ] }),
            ),
            (
                json!({ "description": "Who.", "oneOf": [
                    { "const": "llm", "type": "string", "description": "A model." },
                    { "const": "rules", "type": "string" },
                ] }),
                json!({ "description": "Who.\n\n- `llm`: A model.\n- `rules`:", "type": "string", "enum": ["llm", "rules"] }),
            ),
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
                json!({ "description": "one", "allOf": [{ "$ref": "#/components/schemas/m.A" }] }),
            ),
            (
                json!({ "$ref": "#/$defs/A", "minimum": 1 }),
                json!({ "allOf": [{ "$ref": "#/components/schemas/m.A" }, { "minimum": 1 }] }),
            ),
            (
                json!({ "anyOf": [{ "$ref": "#/$defs/A" }, { "type": "null" }] }),
                json!({ "anyOf": [
                    { "$ref": "#/components/schemas/m.A" },
                    { "type": "object", "nullable": true, "enum": [null] },
                ] }),
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
    fn definitions_become_components_and_results_get_host_fields() {
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
        let properties = json!({ "next": door });
        assert_eq!(
            schemas["m.result.Door"],
            json!({ "type": "object", "properties": properties, "title": "MResultDoor" })
        );
        assert_eq!(schemas["m.result"]["properties"]["doors"], json!({ "type": "array", "items": door }));
        assert_eq!(
            schemas["m.result"]["required"],
            json!(["doors", "document_id", "model_version", "processing_time_ms"])
        );
        assert_eq!(schemas["m.result"]["properties"]["document_id"]["format"], "uuid");
    }

    fn described(name: &str, schema: Value) -> DescribedModel {
        DescribedModel { name: name.to_owned(), version: "2.0.0".to_owned(), parameters: json!({}), result: schema }
    }

    #[test]
    fn a_job_result_is_of_exactly_one_own_model() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        assert_eq!(document.pointer(RESULT_POINTER), Some(&json!({ "$ref": "#/components/schemas/JobResult" })));
        let choices = document["components"]["schemas"][JOB_RESULT]["oneOf"].as_array().unwrap();
        let named: Vec<&str> =
            choices.iter().filter_map(|choice| choice["$ref"].as_str()?.rsplit('/').next()).collect();
        let mut own: Vec<String> = catalog::OWN.iter().map(|own| format!("{}.result", own.name)).collect();
        own.sort_unstable();
        assert_eq!(named, own);
        assert_eq!(choices.last().unwrap()["enum"], json!([null]));
    }

    #[test]
    fn a_third_party_model_makes_the_result_any_of() {
        let mut document = document("http://127.0.0.1:8080", Uploads::Typed);
        add_described(&mut document, &[described("acme-model", json!({ "type": "object", "properties": {} }))]);
        let result = &document["components"]["schemas"][JOB_RESULT];
        assert_eq!(result["anyOf"].as_array().unwrap().len(), catalog::OWN.len() + 2);
        assert_eq!(document[EXTENSION]["acme-model"]["version"], "2.0.0");
    }
}
