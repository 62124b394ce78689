//! Results as clients read them: the model's object, presented by the model, with the host's fields added.

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

/// Why a result cannot be presented.
#[derive(Debug, Error)]
pub(crate) enum PresentError {
    /// The plugin failed to present it.
    #[error("the model can't present its result: {0}")]
    Plugin(#[from] Failure),
    /// The presented result is not a JSON object.
    #[error("the presented result is not a JSON object: {0}")]
    NotAnObject(#[from] serde_json::Error),
    /// The stored result is not a JSON object, which no job ends with.
    #[error("the stored result is not a JSON object")]
    StoredNotAnObject,
    /// The result was stored by a version that did not store its presentation, and its model is not installed.
    #[error("the model `{0}`, which alone can present its result, is not installed")]
    NotInstalled(String),
    /// As [`Self::NotInstalled`], and its model is still being compiled.
    #[error("the model `{0}`, which alone can present its result, is still being compiled")]
    Compiling(String),
    /// The database failed, or the job has been deleted.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The fields that the host adds to a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostFields<'a> {
    /// The analyzed document.
    pub(crate) document_id: Uuid,
    /// The model's version, as `<name>-v<version>`.
    pub(crate) model_version: &'a str,
    /// Processing time in milliseconds.
    pub(crate) processing_time_ms: u64,
}

/// A result as it is stored.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The model's own object.
    pub(crate) own: String,
    /// The object that the model presents; none if clients read the model's own object.
    pub(crate) presented: Option<String>,
}

impl Stored {
    /// Prepares the object that a model has just returned for storage.
    ///
    /// Fields of the host are removed here, once, instead of at every read. If the model presents its results, it does
    /// so here for the first time, and the outcome is checked.
    ///
    /// # Errors
    ///
    /// [`PresentError::Plugin`] if the model fails; [`PresentError::NotAnObject`] if it returns anything but an object.
    pub(crate) async fn from_model(guests: &Guests, model: Model, own: String) -> Result<Self, PresentError> {
        if !model.description().presents {
            return Ok(Self { own: own_fields(&own)?, presented: None });
        }
        let presented = guests.present_first(model, own.clone()).await?;
        Ok(Self { own, presented: Some(own_fields(&presented)?) })
    }

    /// Returns the result as clients read it, the text of a JSON object.
    pub(crate) fn with_host_fields(&self, host_fields: HostFields<'_>) -> Result<String, PresentError> {
        with_host_fields(self.presented.as_ref().unwrap_or(&self.own), host_fields)
    }
}

/// Returns the stored result of a job as clients read it, the text of a JSON object.
///
/// The model version that made the result presents it at each read. If that version is not installed, is still being
/// compiled or fails, clients read what it presented when the job ended.
///
/// # Errors
///
/// [`PresentError`] if there is neither a presentation by the model nor a stored one.
pub(crate) async fn presented(service: &Service, job: &Job, stored: String) -> Result<String, PresentError> {
    let host_fields = HostFields {
        document_id: job.document_id,
        model_version: &job.model_version,
        processing_time_ms: job.processing_time_ms.unwrap_or_default(),
    };
    if let Some(model) = service.models.version(&job.model_version) {
        if !model.description().presents {
            return with_host_fields(&stored, host_fields);
        }
        match as_presented_by(service, &model, stored.clone()).await {
            Ok(text) => return with_host_fields(&text, host_fields),
            Err(PresentError::Compiling(_)) => {}
            Err(error) => {
                tracing::warn!(job = %job.id, reason = %error, "a result is returned as it was first presented");
            }
        }
    }
    match service.store.presented_result(job.account_id, job.id).await? {
        PresentedResult::AsStored => with_host_fields(&stored, host_fields),
        PresentedResult::Text(text) => with_host_fields(&text, host_fields),
        PresentedResult::Unknown => {
            // The model may hide parts of a result when it presents it, so nothing is returned without the model.
            let installed = service.models.ready(&job.model).await.map_err(|error| match error {
                NotReady::NotInstalled => PresentError::NotInstalled(job.model.clone()),
                NotReady::Compiling => PresentError::Compiling(job.model.clone()),
            })?;
            with_host_fields(&as_presented_by(service, &installed, stored).await?, host_fields)
        }
    }
}

/// Has an installed model present a stored result, and removes fields of the host from it.
async fn as_presented_by(service: &Service, model: &Installed, stored: String) -> Result<String, PresentError> {
    if !model.description().presents {
        return Ok(stored);
    }
    let compiled = model.model().ok_or_else(|| PresentError::Compiling(model.description().name.clone()))?;
    let text = service.guests.present(compiled, stored).await?;
    Ok(own_fields(&text)?)
}

/// Returns a JSON object without the fields of the host, which a model must not set.
///
/// The values are copied as text: a tree of them would take many times their bytes.
fn own_fields(text: &str) -> Result<String, serde_json::Error> {
    let mut own = String::with_capacity(text.len());
    own.push('{');
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.deserialize_map(ModelFields { text: &mut own })?;
    parser.end()?;
    own.push('}');
    Ok(own)
}

/// Adds the host's fields to an object: `document_id` before the model's fields, `model_version` and
/// `processing_time_ms` after them.
fn with_host_fields(own: &str, host_fields: HostFields<'_>) -> Result<String, PresentError> {
    let fields = own.strip_prefix('{').and_then(|own| own.strip_suffix('}')).ok_or(PresentError::StoredNotAnObject)?;
    let mut text = String::with_capacity(own.len() + HOST_FIELDS_SIZE);
    text.extend(["{\"document_id\":\"", &host_fields.document_id.to_string(), "\""]);
    if !fields.is_empty() {
        text.extend([",", fields]);
    }
    text.extend([",\"model_version\":", &serde_json::to_string(host_fields.model_version)?]);
    text.extend([",\"processing_time_ms\":", &host_fields.processing_time_ms.to_string(), "}"]);
    Ok(text)
}

/// Approximate size of the host's fields, in bytes.
const HOST_FIELDS_SIZE: usize = 200;

/// Writes the fields of an object, except those of the host.
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
    fn a_model_cannot_set_the_fields_of_the_host() {
        let host_fields =
            HostFields { document_id: Uuid::nil(), model_version: "toc-parser-v1.0.0", processing_time_ms: 12 };
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
            assert_eq!(with_host_fields(&own_fields(own).unwrap(), host_fields).unwrap(), expected, "{own}");
        }
    }

    #[test]
    fn anything_but_an_object_is_refused() {
        for own in ["", "[]", "{", "{} {}", "{\"a\":}"] {
            assert!(own_fields(own).is_err(), "{own}");
        }
    }
}
