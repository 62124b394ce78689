//! The schemas of answers: a subset of JSON Schema that is cheap to check.

use fanlight_schema::{CheckError, Schema as Compiled};
use serde_json::{Map, Value};

use crate::error::Error;

/// Maximum size of a schema in bytes.
pub(crate) const SCHEMA_BYTES: usize = 64 * 1024;

/// Keywords that are accepted with any value.
const PLAIN: [&str; 13] = [
    "$schema",
    "title",
    "description",
    "type",
    "required",
    "enum",
    "const",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// A schema that answers must be valid against.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) value: Value,
    compiled: Compiled,
}

impl Schema {
    /// Reads a schema.
    ///
    /// References and patterns are refused, since a plugin could use them to make checking a short answer expensive.
    /// Objects must be closed and require all of their properties, since providers enforce only such schemas.
    ///
    /// # Errors
    ///
    /// [`Error::BadRequest`] with the reason for the refusal.
    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        if text.len() > SCHEMA_BYTES {
            return Err(refused("it is too long"));
        }
        let value: Value = serde_json::from_str(text).map_err(|_| refused("it is not JSON"))?;
        let Value::Object(schema) = &value else {
            return Err(refused("it is not an object"));
        };
        check(schema)?;
        let compiled = Compiled::compile(&value).map_err(|_| refused("it is not a JSON Schema"))?;
        Ok(Self { value, compiled })
    }

    /// Checks that an answer is JSON and valid against the schema.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidJson`] or [`Error::SchemaViolation`].
    pub(crate) fn fits(&self, answer: &str) -> Result<(), Error> {
        self.compiled.check(answer).map_err(|error| match error {
            CheckError::NotJson(_) => Error::InvalidJson,
            // The place in the schema, which the plugin wrote. A place in the answer could reveal document text.
            CheckError::Violation(violation) => Error::SchemaViolation(violation.rule),
            CheckError::TooMuchWork => Error::SchemaViolation("/".to_owned()),
        })
    }
}

fn refused(why: &str) -> Error {
    Error::BadRequest(format!("the schema is not supported: {why}"))
}

/// Checks that a schema and its subschemas use supported keywords only.
fn check(schema: &Map<String, Value>) -> Result<(), Error> {
    for (keyword, value) in schema {
        match (keyword.as_str(), value) {
            (keyword, _) if PLAIN.contains(&keyword) => {}
            ("additionalProperties", Value::Bool(false)) => {}
            ("items", Value::Object(items)) => check(items)?,
            ("anyOf", Value::Array(choices)) => {
                for choice in choices {
                    check(choice.as_object().ok_or_else(|| refused("a choice is not an object"))?)?;
                }
            }
            ("properties", Value::Object(properties)) => {
                for property in properties.values() {
                    check(property.as_object().ok_or_else(|| refused("a property is not an object"))?)?;
                }
            }
            ("additionalProperties", _) => return Err(refused("an object is open")),
            (keyword, _) => {
                let quoted: String = keyword.escape_debug().take(40).collect();
                return Err(refused(&format!("it has the keyword `{quoted}`")));
            }
        }
    }
    check_object(schema)
}

/// Checks that an object is closed and requires all of its properties.
fn check_object(schema: &Map<String, Value>) -> Result<(), Error> {
    let is_object = schema.get("type").is_some_and(|kind| kind == "object") || schema.contains_key("properties");
    if !is_object {
        return Ok(());
    }
    if !schema.contains_key("additionalProperties") {
        return Err(refused("an object is open"));
    }
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    if properties.into_iter().flat_map(Map::keys).any(|name| !required.contains(&name.as_str())) {
        return Err(refused("an object does not require all of its properties"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn doors() -> Value {
        let doors = json!({ "type": "array", "items": { "type": "string" } });
        json!({ "type": "object", "properties": { "doors": doors }, "required": ["doors"], "additionalProperties": false })
    }

    #[test]
    fn an_expensive_or_open_schema_is_refused() {
        let cases = [
            (json!({ "$ref": "#" }), "it has the keyword `$ref`"),
            (json!({ "type": "array", "items": { "pattern": "(a*)*" } }), "it has the keyword `pattern`"),
            (json!({ "anyOf": [{ "allOf": [] }] }), "it has the keyword `allOf`"),
            (json!({ "anyOf": [true] }), "a choice is not an object"),
            (json!({ "type": "object" }), "an object is open"),
            (json!({ "type": "object", "additionalProperties": true }), "an object is open"),
            (
                json!({ "properties": { "a": { "type": "string" } }, "additionalProperties": false }),
                "an object does not require all of its properties",
            ),
            (json!({ "type": "nonsense" }), "it is not a JSON Schema"),
            (json!([]), "it is not an object"),
        ];
        for (schema, expected) in cases {
            let error = Schema::read(&schema.to_string()).unwrap_err().to_string();
            assert_eq!(error, format!("the schema is not supported: {expected}"));
        }
        assert!(Schema::read("{").is_err() && Schema::read(&format!("\"{}\"", "a".repeat(SCHEMA_BYTES))).is_err());
    }

    fn violation(rule: &str) -> Result<(), Error> {
        Err(Error::SchemaViolation(rule.to_owned()))
    }

    #[test]
    fn an_invalid_answer_is_reported_with_the_broken_rule() {
        let schema = Schema::read(&doors().to_string()).unwrap();
        let cases = [
            (r#"{"doors": ["D1"]}"#, Ok(())),
            (r#"{"doors": ["D1""#, Err(Error::InvalidJson)),
            ("Here are the doors: D1", Err(Error::InvalidJson)),
            (r#"{"doors": [1]}"#, violation("/properties/doors/items/type")),
            (r#"{"doors": [], "secret": "text"}"#, violation("/additionalProperties")),
            ("{}", violation("/required")),
        ];
        for (answer, expected) in cases {
            assert_eq!(schema.fits(answer), expected, "{answer}");
        }
    }
}
