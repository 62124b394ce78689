//! Types of values in the API's objects that poem-openapi does not have.

use std::borrow::Cow;

use chrono::{DateTime, SecondsFormat, Utc};
use fanlight_sandbox::Warning;
use fanlight_store::ListRequest;
use poem_openapi::registry::{MetaSchema, MetaSchemaRef, Registry};
use poem_openapi::types::{ParseError, ParseFromJSON, ParseResult, ToJSON, Type};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};

/// Returns the value of the parameter `limit` of a list if the client gives none.
pub(crate) fn default_limit() -> u32 {
    ListRequest::DEFAULT_LIMIT
}

/// A time, written as RFC 3339 in UTC with milliseconds and `Z`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) DateTime<Utc>);

impl Time {
    fn text(self) -> String {
        self.0.to_rfc3339_opts(SecondsFormat::Millis, true)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text())
    }
}

/// A required field that may be null. poem-openapi would make an `Option` neither required nor nullable.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Nullable<T>(pub(crate) Option<T>);

/// A JSON string. poem-openapi's `String` accepts numbers and booleans too.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Text(pub(crate) String);

/// Returns the strings of an optional list; none if it is absent.
pub(crate) fn plain_strings(list: Option<Vec<Text>>) -> Vec<String> {
    list.into_iter().flatten().map(|text| text.0).collect()
}

/// The code of a warning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct WarningCode(pub(crate) String);

/// A JSON object with any fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct JsonObject(pub(crate) Map<String, Value>);

/// The schema of a result, an object whose fields depend on the model. The type has no values: answers contain the object's text
/// unparsed, since a tree of it would take tens of times the text's bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResultSchema {}

/// The part of [`Type`] that is the same for all of these types.
macro_rules! plain_value {
    () => {
        const IS_REQUIRED: bool = true;
        type RawValueType = Self;
        type RawElementValueType = Self;

        fn as_raw_value(&self) -> Option<&Self::RawValueType> {
            Some(self)
        }

        fn raw_element_iter<'a>(&'a self) -> Box<dyn Iterator<Item = &'a Self::RawElementValueType> + 'a> {
            Box::new(self.as_raw_value().into_iter())
        }
    };
}
pub(crate) use plain_value;

/// Writes a type that wraps a `String` as a JSON string and reads it back.
macro_rules! text_as_json {
    ($wrapper:ident) => {
        impl ToJSON for $wrapper {
            fn to_json(&self) -> Option<Value> {
                Some(self.0.clone().into())
            }
        }

        impl ParseFromJSON for $wrapper {
            fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
                match value.unwrap_or_default() {
                    Value::String(text) => Ok(Self(text)),
                    other => Err(ParseError::expected_type(other)),
                }
            }
        }
    };
}

impl Type for Time {
    plain_value!();

    fn name() -> Cow<'static, str> {
        "string_date-time".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema::new_with_format("string", "date-time")))
    }
}

impl ToJSON for Time {
    fn to_json(&self) -> Option<Value> {
        Some(self.text().into())
    }
}

impl ParseFromJSON for Time {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value.unwrap_or_default() {
            Value::String(text) => Ok(Self(text.parse()?)),
            other => Err(ParseError::expected_type(other)),
        }
    }
}

impl<T: Type> Type for Nullable<T> {
    plain_value!();

    fn name() -> Cow<'static, str> {
        format!("nullable_{}", T::name()).into()
    }

    fn schema_ref() -> MetaSchemaRef {
        match T::schema_ref() {
            MetaSchemaRef::Inline(schema) => MetaSchemaRef::Inline(Box::new(MetaSchema { nullable: true, ..*schema })),
            reference @ MetaSchemaRef::Reference(_) => MetaSchemaRef::Inline(Box::new(MetaSchema {
                nullable: true,
                all_of: vec![reference],
                ..MetaSchema::ANY
            })),
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: ToJSON> ToJSON for Nullable<T> {
    fn to_json(&self) -> Option<Value> {
        Some(self.0.as_ref().and_then(ToJSON::to_json).unwrap_or(Value::Null))
    }
}

impl<T: ParseFromJSON> ParseFromJSON for Nullable<T> {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value.unwrap_or_default() {
            Value::Null => Ok(Self(None)),
            value => Ok(Self(Some(T::parse_from_json(Some(value)).map_err(ParseError::propagate)?))),
        }
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Type for Text {
    plain_value!();

    fn name() -> Cow<'static, str> {
        "string".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        String::schema_ref()
    }
}

text_as_json!(Text);

impl Type for WarningCode {
    plain_value!();

    fn name() -> Cow<'static, str> {
        "string_warning-code".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        let codes = Warning::CODES.map(Value::from).to_vec();
        MetaSchemaRef::Inline(Box::new(MetaSchema { enum_items: codes, ..MetaSchema::new("string") }))
    }
}

text_as_json!(WarningCode);

impl Type for JsonObject {
    plain_value!();

    fn name() -> Cow<'static, str> {
        "object".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema::new("object")))
    }
}

impl ToJSON for JsonObject {
    fn to_json(&self) -> Option<Value> {
        Some(Value::Object(self.0.clone()))
    }
}

impl ParseFromJSON for JsonObject {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        match value.unwrap_or_default() {
            Value::Object(object) => Ok(Self(object)),
            other => Err(ParseError::expected_type(other)),
        }
    }
}

impl Type for ResultSchema {
    plain_value!();

    fn name() -> Cow<'static, str> {
        "object".into()
    }

    fn schema_ref() -> MetaSchemaRef {
        MetaSchemaRef::Inline(Box::new(MetaSchema::new("object")))
    }
}

impl ToJSON for ResultSchema {
    fn to_json(&self) -> Option<Value> {
        match *self {}
    }
}

impl ParseFromJSON for ResultSchema {
    fn parse_from_json(value: Option<Value>) -> ParseResult<Self> {
        Err(ParseError::expected_type(value.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_ends_in_z_and_a_missing_value_is_null() {
        let time = Time(DateTime::from_timestamp_micros(1_795_264_836_123_456).unwrap());
        assert_eq!(Nullable(Some(time)).to_json(), Some("2026-11-21T12:40:36.123Z".into()));
        assert_eq!(Nullable::<Time>(None).to_json(), Some(Value::Null));
    }

    #[test]
    fn only_a_json_string_is_a_text() {
        assert_eq!(Text::parse_from_json(Some("7".into())).unwrap(), Text("7".to_owned()));
        for other in [7.into(), true.into(), Value::Null, serde_json::json!(["7"])] {
            assert!(Text::parse_from_json(Some(other.clone())).is_err(), "{other}");
        }
    }

    #[test]
    fn a_nullable_field_is_required_and_described_as_nullable() {
        const { assert!(Nullable::<Time>::IS_REQUIRED) };
        let schema = serde_json::to_value(Nullable::<Time>::schema_ref()).unwrap();
        assert_eq!(schema, serde_json::json!({"type": "string", "format": "date-time", "nullable": true}));
    }
}
