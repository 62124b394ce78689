//! Strict reading of JSON bodies. A duplicate field is refused, since a proxy that checked the body may have read the
//! other one.

use std::fmt;

use poem::{Request, RequestBody};
use poem_openapi::error::{ContentTypeError, ParseRequestPayloadError};
use poem_openapi::payload::{Json, Payload};
use poem_openapi::registry::{MetaMediaType, MetaRequest, Registry};
use poem_openapi::types::ParseFromJSON;
use poem_openapi::{ApiExtractor, ApiExtractorType, ExtractParamOptions};
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A request body of type `application/json`.
#[derive(Debug)]
pub(super) struct JsonBody<T>(pub(super) T);

impl<'a, T: ParseFromJSON> ApiExtractor<'a> for JsonBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType { content_type: Json::<T>::CONTENT_TYPE, schema: T::schema_ref() }];
        Some(MetaRequest { description: None, content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        let content_type = request.content_type().ok_or(ContentTypeError::ExpectContentType)?;
        if !Json::<T>::check_content_type(content_type) {
            return Err(ContentTypeError::NotSupported { content_type: content_type.to_owned() }.into());
        }
        let bytes = body.take()?.into_vec().await?;
        let value = parse(&bytes).map_err(|error| ParseRequestPayloadError { reason: error.to_string() })?;
        let value = T::parse_from_json(Some(value))
            .map_err(|error| ParseRequestPayloadError { reason: error.into_message() })?;
        Ok(Self(value))
    }
}

/// Parses a JSON text in UTF-8 that holds exactly one value and no duplicate fields.
fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Strict.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Deserializes a value and refuses duplicate fields of objects.
#[derive(Clone, Copy)]
struct Strict;

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let value = fields.next_value_seed(self)?;
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!("the field {name:?} occurs twice")));
            }
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_parsed_as_serde_json_parses_it() {
        let text = r#" {"b":[1,-2,2.5,"é\n",null,true],"a":{"x":{}},"c":18446744073709551615} "#;
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn invalid_json_and_duplicate_fields_are_refused() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        let utf_16: Vec<u8> = "{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let cases: [&[u8]; 10] = [
            b"",
            b"{} {}",
            b"{",
            br#"{"a":1,"a":1}"#,
            br#"[{"b":{"a":1,"\u0061":2}}]"#,
            b"NaN",
            b"\"\xff\"",
            b"\xef\xbb\xbf{}",
            &utf_16,
            deep.as_bytes(),
        ];
        for text in cases {
            assert!(parse(text).is_err(), "{}", String::from_utf8_lossy(text));
        }
    }
}
