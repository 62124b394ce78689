//! What clients read of a result: the model's own object, presented, with the host's fields around it.

use std::fmt;

use fanlight_sandbox::{Failure, Model};
use serde::Deserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;
use uuid::Uuid;

use crate::guests::Guests;

/// Why a stored result can't be shown.
#[derive(Debug, Error)]
pub(crate) enum PresentError {
    /// The plugin failed at presenting it.
    #[error("the model can't present its result: {0}")]
    Plugin(#[from] Failure),
    /// It isn't a JSON object.
    #[error("the presented result is not a JSON object: {0}")]
    NotAnObject(#[from] serde_json::Error),
    /// What is stored is not what is ever stored.
    #[error("the stored result is not a JSON object")]
    NotStoredSo,
}

/// What the host knows of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around<'a> {
    /// The document it is of.
    pub(crate) document_id: Uuid,
    /// `<name>-v<version>`.
    pub(crate) model_version: &'a str,
    /// How long it took.
    pub(crate) processing_time_ms: u64,
}

/// What is stored of a model's result. Where clients read it as it is stored, its fields are looked through here, once,
/// rather than at every read.
pub(crate) fn to_store(model: &Model, own: String) -> Result<String, PresentError> {
    if model.description().presents {
        return Ok(own);
    }
    Ok(own_fields(&own)?)
}

/// A stored result as clients read it: the text of a JSON object.
pub(crate) async fn presented(
    guests: &Guests,
    model: Model,
    stored: String,
    around: Around<'_>,
) -> Result<String, PresentError> {
    if !model.description().presents {
        return surrounded(&stored, around);
    }
    let text = guests.present(model, stored).await?;
    surrounded(&own_fields(&text)?, around)
}

/// An object without the fields that are the host's, which a model can't set itself.
///
/// The model's values go from text to text: a tree of them would take tens of times their bytes.
fn own_fields(text: &str) -> Result<String, serde_json::Error> {
    let mut own = String::with_capacity(text.len());
    own.push('{');
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.deserialize_map(ModelFields { text: &mut own })?;
    parser.end()?;
    own.push('}');
    Ok(own)
}

/// `document_id` stands first, the model's own fields follow, then how they came about.
fn surrounded(own: &str, around: Around<'_>) -> Result<String, PresentError> {
    let fields = own.strip_prefix('{').and_then(|own| own.strip_suffix('}')).ok_or(PresentError::NotStoredSo)?;
    let mut text = String::with_capacity(own.len() + ROOM_AROUND);
    text.extend(["{\"document_id\":\"", &around.document_id.to_string(), "\""]);
    if !fields.is_empty() {
        text.extend([",", fields]);
    }
    text.extend([",\"model_version\":", &serde_json::to_string(around.model_version)?]);
    text.extend([",\"processing_time_ms\":", &around.processing_time_ms.to_string(), "}"]);
    Ok(text)
}

/// The fields that are the host's.
const HOST_FIELDS: [&str; 3] = ["document_id", "model_version", "processing_time_ms"];
/// About as many bytes as those take.
const ROOM_AROUND: usize = 200;

/// Writes an object's fields, but for those that are the host's.
struct ModelFields<'a> {
    text: &'a mut String,
}

impl<'de> Visitor<'de> for ModelFields<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some((name, value)) = fields.next_entry::<String, &RawValue>()? {
            if HOST_FIELDS.contains(&name.as_str()) {
                continue;
            }
            let name = serde_json::to_string(&name).map_err(A::Error::custom)?;
            let separator = if self.text.len() > 1 { "," } else { "" };
            self.text.extend([separator, &name, ":", value.get()]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_fields_stand_around_the_models_and_are_its_own() {
        let around = Around { document_id: Uuid::nil(), model_version: "toc-parser-v1.0.0", processing_time_ms: 12 };
        let cases = [
            ("{}", ""),
            (" \n{ } ", ""),
            ("{\"divisions\":[ 1, 2.50],\"pages\":2}\n", ",\"divisions\":[ 1, 2.50],\"pages\":2"),
            ("{\"model_version\":\"forged\",\"a\":{\"document_id\":1}}", ",\"a\":{\"document_id\":1}"),
            ("{\"\\u0064ocument_id\":\"forged\",\"\\\"\":null}", ",\"\\\"\":null"),
        ];
        for (own, fields) in cases {
            let expected = format!(
                "{{\"document_id\":\"00000000-0000-0000-0000-000000000000\"{fields},\
                 \"model_version\":\"toc-parser-v1.0.0\",\"processing_time_ms\":12}}"
            );
            assert_eq!(surrounded(&own_fields(own).unwrap(), around).unwrap(), expected, "{own}");
        }
    }

    #[test]
    fn what_is_no_object_is_not_shown() {
        for own in ["", "[]", "{", "{} {}", "{\"a\":}"] {
            assert!(own_fields(own).is_err(), "{own}");
        }
    }
}
