//! Models' own schemas, as components `<model>.parameters` and `<model>.result`, and what a job's result may be: those
//! of the service's own models, and on a server those of all that it has installed.
//!
//! A plugin writes JSON Schema of 2020, of which OpenAPI 3.0 knows a dialect: what has a counterpart there is rewritten,
//! what has none is left out, so that a component never refuses what the model's schema takes.

use fanlight_sandbox::Description;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::catalog;

/// What the service's own models say of themselves, as `cargo xtask generate` writes it.
const OWN_MODELS: &str = include_str!("../../../../../docs/models.json");

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

/// The component of a job's result.
const JOB_RESULT: &str = "JobResult";
/// The name of the choice that there is no result yet.
const NO_RESULT: &str = "NoResult";
/// Where a job's schema has its result.
const RESULT_OF_JOB: &str = "/components/schemas/Job/properties/result";

/// A model as the document shows it.
#[derive(Debug, Deserialize)]
struct Described {
    name: String,
    version: String,
    parameters: Value,
    result: Value,
}

impl From<&Description> for Described {
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
    let own: Vec<Described> = serde_json::from_str(OWN_MODELS).unwrap_or_default();
    add_described(document, &own);
}

/// Adds the schemas of installed models to a document. Where one of the service's own is installed in another version,
/// that version's take the place of those that are there.
pub(in crate::api) fn add<'a>(document: &mut Value, models: impl Iterator<Item = &'a Description>) {
    let models: Vec<Described> = models.map(Described::from).collect();
    add_described(document, &models);
}

fn add_described(document: &mut Value, models: &[Described]) {
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
    if let Some(result) = document.pointer_mut(RESULT_OF_JOB) {
        *result = json!({ "$ref": reference(JOB_RESULT) });
    }
}

/// What a job's result may be. Of the service's own models exactly one fits, by the names of its fields; a third party's
/// may fit where another does.
fn job_result(models: &[Described]) -> Value {
    let own = catalog::OWN.iter().map(|(name, _)| *name);
    let mut names: Vec<&str> = own.chain(models.iter().map(|model| model.name.as_str())).collect();
    names.sort_unstable();
    names.dedup();
    let choice = |name: &&str| json!({ "$ref": reference(&format!("{name}.result")) });
    let mut choices: Vec<Value> = names.iter().map(choice).collect();
    let keyword = if names.len() == catalog::OWN.len() { "oneOf" } else { "anyOf" };
    let mut none = null();
    // Where one choice has no title, a generator in Rust numbers all of them.
    none["title"] = NO_RESULT.into();
    choices.push(none);
    json!({
        "description": "The result of the job's model, once it is complete; else null",
        (keyword): choices,
    })
}

/// Keywords of [`SAME`] that say nothing about what fits.
const ANNOTATIONS: [&str; 6] = ["title", "description", "default", "example", "readOnly", "writeOnly"];

/// Adds a schema under a name, and its definitions under names that start with it.
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

/// The name of a component's type in a client. Some generators name types by their titles, and plugins' titles repeat.
fn title(component: &str) -> String {
    let capitalized = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{}{rest}", first.to_uppercase())
    };
    component.split(|c: char| !c.is_ascii_alphanumeric()).map(capitalized).collect()
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
        // Beside a reference OpenAPI reads nothing.
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

/// Null, which is no type there: an object that may be null, and is nothing else.
fn null() -> Value {
    json!({ "type": "object", "nullable": true, "enum": [null] })
}

/// A choice of named words, each with its description, as one set of words.
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

/// One type; or several, of which null is a property of the others where it can be.
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
    fn a_schema_of_2020_becomes_one_of_openapi() {
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

    fn described(name: &str, schema: Value) -> Described {
        Described { name: name.to_owned(), version: "2.0.0".to_owned(), parameters: json!({}), result: schema }
    }

    #[test]
    fn a_jobs_result_is_that_of_one_of_the_services_own_models() {
        let document = document("http://127.0.0.1:8080", Uploads::Typed);
        assert_eq!(document.pointer(RESULT_OF_JOB), Some(&json!({ "$ref": "#/components/schemas/JobResult" })));
        let choices = document["components"]["schemas"][JOB_RESULT]["oneOf"].as_array().unwrap();
        let named: Vec<&str> =
            choices.iter().filter_map(|choice| choice["$ref"].as_str()?.rsplit('/').next()).collect();
        let mut own: Vec<String> = catalog::OWN.iter().map(|(name, _)| format!("{name}.result")).collect();
        own.sort_unstable();
        assert_eq!(named, own);
        assert_eq!(choices.last().unwrap()["enum"], json!([null]));
    }

    #[test]
    fn a_third_partys_model_is_one_choice_more_and_may_fit_beside_another() {
        let mut document = document("http://127.0.0.1:8080", Uploads::Typed);
        add_described(&mut document, &[described("acme-model", json!({ "type": "object", "properties": {} }))]);
        let result = &document["components"]["schemas"][JOB_RESULT];
        assert_eq!(result["anyOf"].as_array().unwrap().len(), catalog::OWN.len() + 2);
        assert_eq!(document[EXTENSION]["acme-model"]["version"], "2.0.0");
    }
}
