//! What clients read of a result: the model's own object, presented, with the host's fields around it.

use std::fmt;

use fanlight_sandbox::{Failure, HOST_FIELDS, Model};
use fanlight_store::{Job, PresentedResult, StoreError};
use serde::Deserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use thiserror::Error;
use uuid::Uuid;

use crate::domain::service::Service;
use crate::runtime::guests::Guests;
use crate::runtime::models::{Installed, NotReady};

/// Why a result can't be shown.
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
    /// It is from before what clients read of it was stored, and its model is not installed.
    #[error("the model `{0}`, which alone can present its result, is not installed")]
    NotInstalled(String),
    /// Likewise, and its model is still being compiled.
    #[error("the model `{0}`, which alone can present its result, is still being compiled")]
    Compiling(String),
    /// The database failed, or the job is gone by now.
    #[error(transparent)]
    Store(#[from] StoreError),
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

/// What is stored of a result.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The model's own object.
    pub(crate) own: String,
    /// What clients read of it; none where they read the model's own object.
    pub(crate) presented: Option<String>,
}

impl Stored {
    /// Of the object that a model has just given. Its fields are looked through here, once, rather than at every read;
    /// what a model presents is made and checked here for the first time.
    pub(crate) async fn of(guests: &Guests, model: Model, own: String) -> Result<Self, PresentError> {
        if !model.description().presents {
            return Ok(Self { own: own_fields(&own)?, presented: None });
        }
        let presented = guests.present_first(model, own.clone()).await?;
        Ok(Self { own, presented: Some(own_fields(&presented)?) })
    }

    /// As clients read it: the text of a JSON object.
    pub(crate) fn surrounded(&self, around: Around<'_>) -> Result<String, PresentError> {
        surrounded(self.presented.as_ref().unwrap_or(&self.own), around)
    }
}

/// The stored result of a job as clients read it: the text of a JSON object.
///
/// The version of the model that made it presents it anew at each read. Where that version is not installed, is still
/// being compiled, or fails, clients read what it presented when the job ended.
pub(crate) async fn presented(service: &Service, job: &Job, stored: String) -> Result<String, PresentError> {
    let around = Around {
        document_id: job.document_id,
        model_version: &job.model_version,
        processing_time_ms: job.processing_time_ms.unwrap_or_default(),
    };
    let installed = service.models.get(&job.model);
    if let Some(model) = installed.filter(|model| model.description().model_version() == job.model_version) {
        if !model.description().presents {
            return surrounded(&stored, around);
        }
        match as_presented_by(service, &model, stored.clone()).await {
            Ok(text) => return surrounded(&text, around),
            Err(PresentError::Compiling(_)) => {}
            Err(error) => tracing::warn!(job = %job.id, reason = %error, "a result is shown as it was first presented"),
        }
    }
    match service.store.presented_result(job.account_id, job.id).await? {
        PresentedResult::AsStored => surrounded(&stored, around),
        PresentedResult::Text(text) => surrounded(&text, around),
        PresentedResult::Unknown => {
            // What a model hides when it presents a result must stay hidden, so nothing is shown without it.
            let installed = service.models.ready(&job.model).await.map_err(|error| match error {
                NotReady::NotInstalled => PresentError::NotInstalled(job.model.clone()),
                NotReady::Compiling => PresentError::Compiling(job.model.clone()),
            })?;
            surrounded(&as_presented_by(service, &installed, stored).await?, around)
        }
    }
}

/// A stored result as an installed model wants it read, without the fields that are the host's.
async fn as_presented_by(service: &Service, model: &Installed, stored: String) -> Result<String, PresentError> {
    if !model.description().presents {
        return Ok(stored);
    }
    let compiled = model.model().ok_or_else(|| PresentError::Compiling(model.description().name.clone()))?;
    let text = service.guests.present(compiled, stored).await?;
    Ok(own_fields(&text)?)
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

/// About as many bytes as the host's fields take.
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
