//! The schemas that a plugin declares, and the check of its results against them.

use fanlight_schema::{CheckError, Schema};
use serde_json::{Value, json};

use crate::guest::{Failure, reason};

/// The members of a result that the host sets. A plugin's values under these names are dropped, so its schema need
/// not mention them.
pub const HOST_FIELDS: [&str; 3] = ["document_id", "model_version", "processing_time_ms"];

/// A text that a plugin returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// The result of `analyze`.
    Partial,
    /// The result that clients read.
    Result,
    /// A stored result that `present` converts for clients: any object.
    Object,
}

impl Text {
    fn name(self) -> &'static str {
        match self {
            Self::Partial => "partial result",
            Self::Result | Self::Object => "result",
        }
    }
}

/// The compiled schemas of one model. `None` until the model has described itself.
#[derive(Debug, Default)]
pub(crate) struct Schemas(Option<Compiled>);

#[derive(Debug)]
struct Compiled {
    partial: Schema,
    result: Schema,
    object: Schema,
}

impl Schemas {
    /// Compiles both schemas.
    ///
    /// # Errors
    ///
    /// One sentence that names the schema and the unsupported part.
    pub(crate) fn compile(partial: &Value, result: &Value) -> Result<Self, String> {
        Ok(Self(Some(Compiled {
            partial: compile_schema("partial results", partial)?,
            result: compile_schema("the result", result)?,
            object: compile_schema("any object", &json!({ "type": "object" }))?,
        })))
    }

    /// Checks a text that the plugin returned.
    ///
    /// # Errors
    ///
    /// [`Failure::NotJson`], [`Failure::SchemaViolation`] or [`Failure::TooMuchToCheck`].
    pub(crate) fn check(&self, what: Text, text: &str) -> Result<(), Failure> {
        let Some(schemas) = &self.0 else {
            return Ok(());
        };
        let checked = match what {
            Text::Partial => schemas.partial.check(text),
            Text::Result => schemas.result.check_but_for(text, &HOST_FIELDS),
            Text::Object => schemas.object.check(text),
        };
        checked.map_err(|error| failure(what, error))?;
        let is_object = text.trim_ascii_start().starts_with('{');
        if what != Text::Partial && !is_object {
            return Err(Failure::NotJson { what: what.name(), detail: "it is no object".to_owned() });
        }
        Ok(())
    }
}

/// Compiles one schema. The error names it by `what` it describes.
fn compile_schema(what: &str, schema: &Value) -> Result<Schema, String> {
    Schema::compile(schema).map_err(|error| format!("its schema of {what} is not supported: {error}"))
}

/// Converts the checker's error to the failure of the task.
fn failure(what: Text, error: CheckError) -> Failure {
    let what = what.name();
    match error {
        CheckError::NotJson(detail) => Failure::NotJson { what, detail: reason(&detail) },
        CheckError::Violation(violation) => {
            Failure::SchemaViolation { what, path: reason(&violation.path), expected: reason(&violation.expected) }
        }
        CheckError::TooMuchWork => Failure::TooMuchToCheck { what },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schemas() -> Schemas {
        let result = json!({
            "type": "object",
            "properties": { "doors": { "type": "array", "items": { "type": "integer" } } },
            "required": ["doors", "document_id"],
            "additionalProperties": false,
        });
        Schemas::compile(&json!({ "type": "array" }), &result).unwrap()
    }

    #[test]
    fn each_text_is_checked_against_its_own_schema() {
        let violation = |what, path: &str, expected: &str| {
            Err(Failure::SchemaViolation { what, path: path.to_owned(), expected: expected.to_owned() })
        };
        let cases = [
            (Text::Partial, "[1]", Ok(())),
            (Text::Partial, "{}", violation("partial result", "", "array")),
            (Text::Result, r#"{"doors": [1]}"#, Ok(())),
            (Text::Result, r#"{"doors": [], "model_version": 7}"#, Ok(())),
            (Text::Result, r#"{"doors": ["secret"]}"#, violation("result", "/doors/0", "integer")),
            (Text::Object, r#"{"candidates": 1}"#, Ok(())),
            (Text::Object, "[]", violation("result", "", "object")),
        ];
        for (what, text, expected) in cases {
            assert_eq!(schemas().check(what, text), expected, "{what:?} {text}");
        }
        assert!(matches!(schemas().check(Text::Result, "{"), Err(Failure::NotJson { .. })));
    }

    #[test]
    fn a_result_must_be_an_object() {
        let schemas = Schemas::compile(&json!({}), &json!({})).unwrap();
        assert_eq!(schemas.check(Text::Result, " {}"), Ok(()));
        assert!(matches!(schemas.check(Text::Result, "7"), Err(Failure::NotJson { .. })));
    }

    #[test]
    fn an_unsupported_schema_is_refused_in_one_sentence() {
        let error = Schemas::compile(&json!({}), &json!({ "if": {} })).unwrap_err();
        assert_eq!(error, "its schema of the result is not supported: `if` at the top level is not supported");
    }
}
