//! Which errors each operation answers with. Most follow from what the operation takes; the rest stands in [`OWN`].

use serde_json::{Map, Value, json};

use crate::api::description::{Facts, Proof, responses};
use crate::api::error::Code;

/// Errors that follow from nothing but what the operation does.
const OWN: &[(&str, &[Code])] = &[
    ("upload_document", &[Code::PdfCorrupt, Code::PdfEncrypted]),
    (
        "submit_batch",
        &[
            Code::DocumentNotFound,
            Code::JobNotFound,
            Code::InvalidSection,
            Code::NoSectionsResolved,
            Code::JobNotComplete,
        ],
    ),
    (
        "extract_spec_content",
        &[Code::InvalidSection, Code::NoSectionsResolved, Code::JobNotComplete, Code::DocumentNotFound],
    ),
    ("get_file", &[Code::DocumentNotFound, Code::RangeNotSatisfiable]),
    ("list_pages", &[Code::PdfCorrupt, Code::PdfEncrypted, Code::Overloaded]),
    ("get_page_picture", &[Code::PdfCorrupt, Code::PdfEncrypted, Code::Overloaded]),
    ("get_job", &[Code::ModelUnavailable, Code::Overloaded]),
    (
        "get_annotated_pdf",
        &[
            Code::DocumentNotFound,
            Code::JobNotComplete,
            Code::PdfCorrupt,
            Code::PdfEncrypted,
            Code::ModelUnavailable,
            Code::Overloaded,
        ],
    ),
    ("cancel_job", &[Code::JobNotCancellable]),
    ("replay_delivery", &[Code::JobNotComplete, Code::NoWebhook]),
    ("list_keys", &[Code::Overloaded]),
    ("get_key", &[Code::Overloaded]),
    ("revoke_key", &[Code::Overloaded]),
];

/// Lists the errors of an operation, and no others.
pub(super) fn describe(facts: &Facts, operation: &mut Map<String, Value>) {
    let Some(responses) = responses(operation) else {
        return;
    };
    responses.retain(|status, _| !status.starts_with(['4', '5']));
    let codes = codes(facts);
    let mut statuses: Vec<u16> = codes.iter().map(|code| code.parts().0).collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let of_status: Vec<Code> = codes.iter().copied().filter(|code| code.parts().0 == status).collect();
        responses.insert(status.to_string(), response(&of_status));
    }
}

fn codes(facts: &Facts) -> Vec<Code> {
    // A client that is too slow, a peer that is no trusted proxy, another method on the same path, a failure.
    let mut codes = vec![Code::BadRequest, Code::Forbidden, Code::MethodNotAllowed, Code::InternalError];
    match facts.proof {
        Proof::None => {}
        Proof::Key => codes.push(Code::Unauthorized),
        Proof::SignIn => codes.push(Code::SignInRequired),
    }
    if facts.takes_body {
        codes.extend([Code::FileTooLarge, Code::UnsupportedMediaType]);
    }
    if facts.takes_body || facts.validated_parameters {
        codes.push(Code::ValidationError);
    }
    if facts.limited() {
        codes.push(Code::RateLimited);
    }
    if facts.once() {
        // Their bodies are read, and there may be no room for one.
        codes.extend([Code::ValidationError, Code::IdempotencyKeyReused, Code::IdempotencyKeyInUse, Code::Overloaded]);
    }
    if facts.charged() {
        codes.extend([Code::FreeTierLimitReached, Code::QuotaExceeded, Code::ModelUnavailable, Code::Overloaded]);
    }
    codes.extend(facts.path_parameters.iter().filter(|name| *name != "token").map(|name| not_found(name)));
    for property in ["document_id", "job_id"] {
        if facts.body_has(property) {
            codes.push(not_found(property));
        }
    }
    let own = OWN.iter().find(|(id, _)| *id == facts.id);
    codes.extend(own.into_iter().flat_map(|(_, codes)| codes.iter()));
    let mut once = Vec::new();
    for code in codes {
        if !once.contains(&code) {
            once.push(code);
        }
    }
    once
}

/// What a resource that isn't there, or is another's, is answered with.
fn not_found(id: &str) -> Code {
    match id {
        "document_id" => Code::DocumentNotFound,
        "job_id" => Code::JobNotFound,
        _ => Code::NotFound,
    }
}

fn response(codes: &[Code]) -> Value {
    let mut lines = Vec::new();
    let mut examples = Map::new();
    for code in codes {
        let (_, name, message) = code.parts();
        lines.push(format!("`{name}`: {message}"));
        let mut error = json!({ "error": { "code": name, "message": message } });
        if *code == Code::RateLimited {
            error["retry_after_seconds"] = 12.into();
        }
        examples.insert(name.to_owned(), json!({ "value": error }));
    }
    let schema = json!({ "$ref": "#/components/schemas/Error" });
    json!({
        "description": lines.join("\n\n"),
        "content": { "application/json": { "schema": schema, "examples": examples } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::paths;

    #[test]
    fn an_operation_with_errors_of_its_own_exists() {
        let operations = paths().into_iter().flat_map(|path| path.operations);
        let ids: Vec<&str> = operations.filter_map(|operation| operation.operation_id).collect();
        for (id, _) in OWN {
            assert!(ids.contains(id), "{id}");
        }
    }
}
