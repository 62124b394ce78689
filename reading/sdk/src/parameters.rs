//! Parameters of jobs: their schema, and how they are read. Whatever the schema accepts is read. Otherwise a client could make
//! jobs fail by the model's own fault, and a host sets aside a model that keeps failing.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

/// 2^64, the first number above all whole ones that are read.
const ABOVE_WHOLE_NUMBERS: f64 = 18_446_744_073_709_551_616.0;
/// -2^63, the lowest whole number that is read.
const LOWEST_WHOLE_NUMBER: f64 = -9_223_372_036_854_775_808.0;

/// Returns the JSON Schema of parameters. Integers have the bounds of their type, which schemars only names as a format.
pub fn schema<P: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with_transform(RecursiveTransform(add_bounds));
    settings.into_generator().into_root_schema_for::<P>().to_value()
}

/// Reads parameters from a JSON text.
///
/// # Errors
///
/// The text is not JSON, or does not fit the type.
pub fn read<P: DeserializeOwned>(json: &str) -> Result<P, serde_json::Error> {
    serde_json::from_value(with_whole_numbers(serde_json::from_str(json)?))
}

/// Adds `minimum` and `maximum` to the schema of an integer, unless it has its own.
fn add_bounds(schema: &mut Schema) {
    let Some((least, most)) = schema.get("format").and_then(Value::as_str).and_then(bounds) else { return };
    for (keyword, own, bound) in [("minimum", "exclusiveMinimum", least), ("maximum", "exclusiveMaximum", most)] {
        if schema.get(keyword).is_none() && schema.get(own).is_none() {
            schema.insert(keyword.to_owned(), bound.into());
        }
    }
}

/// Returns the bounds of the integers that schemars names by a format. Those of 64 bits have none, because a JSON number that
/// large is read by most programs with less precision. A size has 32 bits in WebAssembly.
fn bounds(format: &str) -> Option<(i64, i64)> {
    let of_bits = |bits: u32| (-(1_i64 << (bits - 1)), (1_i64 << (bits - 1)) - 1);
    let unsigned = |bits: u32| (0, (1_i64 << bits) - 1);
    Some(match format {
        "int8" => of_bits(8),
        "int16" => of_bits(16),
        "int32" | "int" => of_bits(32),
        "uint8" => unsigned(8),
        "uint16" => unsigned(16),
        "uint32" | "uint" => unsigned(32),
        _ => return None,
    })
}

/// Writes `1.0` and `1e3` as `1` and `1000`: to JSON Schema they are integers, to serde they are not.
fn with_whole_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(whole(&number).unwrap_or(number)),
        Value::Array(values) => values.into_iter().map(with_whole_numbers).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, with_whole_numbers(value))).collect(),
        other => other,
    }
}

/// Returns a number with a fraction of zero as an integer; `None` for one that is an integer already, has another fraction or
/// is too large.
fn whole(number: &Number) -> Option<Number> {
    let value = number.as_f64().filter(|value| number.is_f64() && value.fract() == 0.0)?;
    if (0.0..ABOVE_WHOLE_NUMBERS).contains(&value) {
        return Some((value as u64).into());
    }
    (LOWEST_WHOLE_NUMBER..0.0).contains(&value).then(|| (value as i64).into())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Parameters {
        #[schemars(range(min = 1))]
        page: u32,
        offset: Option<i8>,
        scale: f64,
        counts: Vec<u64>,
    }

    #[test]
    fn integers_have_the_bounds_of_their_type() {
        let schema = schema::<Parameters>();
        let property = |name: &str| &schema["properties"][name];
        assert_eq!(
            (&property("page")["minimum"], &property("page")["maximum"]),
            (&json!(1), &json!(4_294_967_295_u32))
        );
        assert_eq!((&property("offset")["minimum"], &property("offset")["maximum"]), (&json!(-128), &json!(127)));
        assert_eq!(property("scale").get("maximum"), None);
    }

    #[test]
    fn integers_may_be_written_with_a_fraction_of_zero() {
        let read = super::read::<Parameters>(r#"{"page":1.0,"offset":-1.2e1,"scale":2,"counts":[1e3,0.0]}"#).unwrap();
        assert_eq!(read, Parameters { page: 1, offset: Some(-12), scale: 2.0, counts: vec![1000, 0] });
        assert!(super::read::<Parameters>(r#"{"page":1.5,"scale":2,"counts":[]}"#).is_err());
        assert!(super::read::<Parameters>(r#"{"page":1,"scale":2,"counts":[1e300]}"#).is_err());
    }
}
