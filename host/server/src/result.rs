//! What clients read of a result: the model's own object, presented, with the host's fields around it.

use fanlight_sandbox::{Failure, Model};
use serde_json::{Map, Value};
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

/// A stored result as clients read it.
pub(crate) async fn presented(
    guests: &Guests,
    model: Model,
    stored: String,
    around: Around<'_>,
) -> Result<Map<String, Value>, PresentError> {
    let text = guests.present(model, stored).await?;
    Ok(surrounded(serde_json::from_str(&text)?, around))
}

/// `document_id` stands first, the model's fields follow, then how they came about. A model can't set those itself.
fn surrounded(own: Map<String, Value>, around: Around<'_>) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("document_id".to_owned(), around.document_id.to_string().into());
    result.extend(own.into_iter().filter(|(name, _)| !HOST_FIELDS.contains(&name.as_str())));
    result.insert("model_version".to_owned(), around.model_version.into());
    result.insert("processing_time_ms".to_owned(), around.processing_time_ms.into());
    result
}

/// The fields that are the host's.
const HOST_FIELDS: [&str; 3] = ["document_id", "model_version", "processing_time_ms"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_fields_stand_around_the_models_and_are_its_own() {
        let own = "{\"divisions\":[],\"model_version\":\"forged-v9.9.9\",\"pages_analyzed\":2}";
        let own = serde_json::from_str(own).unwrap();
        let around = Around { document_id: Uuid::nil(), model_version: "toc-parser-v1.0.0", processing_time_ms: 12 };
        assert_eq!(
            Value::Object(surrounded(own, around)).to_string(),
            "{\"document_id\":\"00000000-0000-0000-0000-000000000000\",\"divisions\":[],\"pages_analyzed\":2,\
             \"model_version\":\"toc-parser-v1.0.0\",\"processing_time_ms\":12}"
        );
    }
}
