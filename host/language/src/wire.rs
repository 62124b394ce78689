//! Request and response bodies of the protocol.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::delimiting::Messages;
use crate::error::Error;
use crate::settings::Settings;

/// Returns the body of a request. The operator's additional fields never replace our own.
pub(crate) fn request(settings: &Settings, messages: &Messages, schema: &Value, max_tokens: u32) -> Value {
    let mut body = settings.request.clone();
    let ours = [
        ("model", json!(settings.model)),
        (
            "messages",
            json!([
                { "role": "system", "content": messages.system },
                { "role": "user", "content": messages.user },
            ]),
        ),
        (
            "response_format",
            json!({ "type": "json_schema", "json_schema": { "name": "answer", "strict": true, "schema": schema } }),
        ),
        (settings.answer_limit.field(), json!(max_tokens)),
    ];
    body.extend(Map::from_iter(ours.map(|(field, value)| (field.to_owned(), value))));
    Value::Object(body)
}

/// The body of a successful answer. Other fields are ignored.
#[derive(Debug, Deserialize)]
pub(crate) struct Completion {
    #[serde(default)]
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Message {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Usage {
    total_tokens: Option<u64>,
}

impl Completion {
    /// Parses a body.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(body).map_err(|_| Error::NotACompletion)
    }

    /// Returns the number of tokens that the provider reports as used.
    pub(crate) fn tokens(&self) -> Option<u64> {
        self.usage.as_ref().and_then(|usage| usage.total_tokens)
    }

    /// Returns the text that the model wrote.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], [`Error::CutOff`], or [`Error::NotACompletion`] without a text.
    pub(crate) fn into_text(self) -> Result<String, Error> {
        let choice = self.choices.into_iter().next().ok_or(Error::NotACompletion)?;
        let refused = choice.message.refusal.is_some_and(|refusal| !refusal.is_empty());
        match choice.finish_reason.as_deref() {
            Some("content_filter") => Err(Error::Refused),
            _ if refused => Err(Error::Refused),
            Some("length") => Err(Error::CutOff),
            _ => choice.message.content.ok_or(Error::NotACompletion),
        }
    }
}

/// Returns whether the body of a 429 answer reports an exhausted account, for which waiting does not help.
pub(crate) fn says_account_used_up(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Envelope {
        error: Detail,
    }
    #[derive(Deserialize)]
    struct Detail {
        code: Option<String>,
    }
    let envelope: Result<Envelope, _> = serde_json::from_slice(body);
    envelope.is_ok_and(|envelope| envelope.error.code.as_deref() == Some("insufficient_quota"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(choice: &Value) -> Result<String, Error> {
        Completion::read(&serde_json::to_vec(&json!({ "choices": [choice] })).unwrap())?.into_text()
    }

    #[test]
    fn an_incomplete_or_refused_completion_has_no_text() {
        let cases = [
            (json!({ "message": { "content": "{}" }, "finish_reason": "stop" }), Ok("{}".to_owned())),
            (json!({ "message": { "content": "{}", "refusal": null } }), Ok("{}".to_owned())),
            (
                json!({ "message": { "content": null, "refusal": "I can't" }, "finish_reason": "stop" }),
                Err(Error::Refused),
            ),
            (json!({ "message": { "content": "{" }, "finish_reason": "content_filter" }), Err(Error::Refused)),
            (json!({ "message": { "content": "{" }, "finish_reason": "length" }), Err(Error::CutOff)),
            (json!({ "message": { "content": null } }), Err(Error::NotACompletion)),
            (json!({}), Err(Error::NotACompletion)),
        ];
        for (choice, expected) in cases {
            assert_eq!(text(&choice), expected, "{choice}");
        }
        assert_eq!(Completion::read(b"{}").unwrap().into_text(), Err(Error::NotACompletion));
        assert!(Completion::read(b"<html>").is_err());
    }

    #[test]
    fn additional_request_fields_replace_nothing() {
        let added = json!({ "temperature": 0, "model": "another", "messages": [] });
        let Value::Object(added) = added else { unreachable!() };
        let settings = Settings { model: "small".to_owned(), request: added, ..Settings::default() };
        let messages = Messages { system: "s".to_owned(), user: "u".to_owned() };
        let body = request(&settings, &messages, &json!({}), 7);
        assert_eq!((&body["temperature"], &body["model"]), (&json!(0), &json!("small")));
        assert_eq!((&body["messages"][1]["content"], &body["max_completion_tokens"]), (&json!("u"), &json!(7)));
    }
}
