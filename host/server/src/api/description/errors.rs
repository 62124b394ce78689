//! The errors of each operation. Most follow from what the operation accepts; the others are listed in [`OWN`].

use serde_json::{Map, Value, json};

use crate::api::description::{Facts, Proof, responses};
use crate::api::error::Code;

/// Errors that follow only from what an operation does, by operation ID.
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
    ("get_page_tile", &[Code::PdfCorrupt, Code::PdfEncrypted, Code::Overloaded]),
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
    ("get_tables_csv", TABLES),
    ("get_tables_xlsx", TABLES),
    ("get_review", &[Code::JobNotComplete]),
    (
        "put_review",
        &[
            Code::DocumentNotFound,
            Code::JobNotComplete,
            Code::UnknownItem,
            Code::UnknownKind,
            Code::UnknownCell,
            Code::BoxOutsidePage,
            Code::ReviewChanged,
            Code::PdfCorrupt,
            Code::PdfEncrypted,
            Code::ModelUnavailable,
            Code::Overloaded,
        ],
    ),
    ("get_result", &[Code::JobNotComplete, Code::ModelUnavailable, Code::Overloaded]),
    ("create_share", &[Code::JobNotComplete]),
    ("get_shared_job", &[Code::DocumentNotFound]),
    ("get_shared_result", &[Code::DocumentNotFound, Code::ModelUnavailable, Code::Overloaded]),
    ("list_shared_pages", PICTURES),
    ("get_shared_page_picture", PICTURES),
    ("get_shared_page_tile", PICTURES),
    ("cancel_job", &[Code::JobNotCancellable]),
    ("replay_delivery", &[Code::JobNotComplete, Code::NoWebhook]),
    ("list_keys", &[Code::Overloaded]),
    ("get_key", &[Code::Overloaded]),
    ("revoke_key", &[Code::Overloaded]),
];

/// Errors of the pages that a link shows.
const PICTURES: &[Code] = &[Code::DocumentNotFound, Code::PdfCorrupt, Code::PdfEncrypted, Code::Overloaded];

/// Errors of the files for spreadsheet programs.
const TABLES: &[Code] = &[Code::JobNotComplete, Code::NoTables, Code::ModelUnavailable, Code::Overloaded];

/// Replaces the error responses of an operation by those that it has.
pub(super) fn describe(facts: &Facts, operation: &mut Map<String, Value>) {
    let Some(responses) = responses(operation) else {
        return;
    };
    responses.retain(|status, _| !status.starts_with(['4', '5']));
    let codes = codes(facts);
    let mut statuses: Vec<u16> = codes.iter().map(|code| code.status()).collect();
    statuses.sort_unstable();
    statuses.dedup();
    for status in statuses {
        let same_status: Vec<Code> = codes.iter().copied().filter(|code| code.status() == status).collect();
        responses.insert(status.to_string(), response(&same_status));
    }
}

/// Returns the codes of an operation, each once.
fn codes(facts: &Facts) -> Vec<Code> {
    // Any operation can meet a slow client, an untrusted peer, a wrong method on its path, or a failure.
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
    if facts.idempotent() {
        // The body is read, and the memory budget may have no room for it.
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
    let mut unique = Vec::new();
    for code in codes {
        if !unique.contains(&code) {
            unique.push(code);
        }
    }
    unique
}

/// Returns the code for an ID of a resource that does not exist or belongs to another account.
fn not_found(id: &str) -> Code {
    match id {
        "document_id" => Code::DocumentNotFound,
        "job_id" => Code::JobNotFound,
        _ => Code::NotFound,
    }
}

/// Describes the response of codes that share a status, with an example of each.
fn response(codes: &[Code]) -> Value {
    let mut lines = Vec::new();
    let mut examples = Map::new();
    for code in codes {
        let (name, message) = (code.name(), code.message());
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
    fn every_operation_with_own_errors_exists() {
        let operations = paths().into_iter().flat_map(|path| path.operations);
        let ids: Vec<&str> = operations.filter_map(|operation| operation.operation_id).collect();
        for (id, _) in OWN {
            assert!(ids.contains(id), "{id}");
        }
    }
}
