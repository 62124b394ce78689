//! The OpenAPI document over HTTP: as JSON for programs, and as Swagger UI for people. Neither needs a key, and the page
//! loads nothing: all of it is in the one answer.

use bytes::Bytes;
use poem::endpoint::make_sync;
use poem::http::header::CONTENT_SECURITY_POLICY;
use poem::{Endpoint, Response, get};
use poem_openapi::OpenApiService;
use serde_json::Value;

/// The path of the document.
pub(crate) const DOCUMENT: &str = "/openapi.json";
/// The path of the page.
pub(crate) const PAGE: &str = "/docs";

/// What the page may do: run what it holds, and ask this server alone.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
    font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Answers with the document.
pub(crate) fn document_endpoint(document: &Value) -> impl Endpoint + use<> {
    let text = Bytes::from(document.to_string());
    get(make_sync(move |_| Response::builder().content_type("application/json").body(text.clone())))
}

/// Answers with the page.
pub(crate) fn page_endpoint(document: &Value) -> impl Endpoint + use<> {
    let page = Bytes::from(page(document));
    get(make_sync(move |_| {
        Response::builder()
            .content_type("text/html; charset=utf-8")
            .header(CONTENT_SECURITY_POLICY, POLICY)
            .body(page.clone())
    }))
}

/// poem-openapi's page, which holds the document as it knows it, with ours in its place.
fn page(document: &Value) -> String {
    let nothing = OpenApiService::new((), "", "");
    // Within a script `<` could end it.
    let document = document.to_string().replace('<', "\\u003c");
    let page = nothing.swagger_ui_html().replacen(&nothing.spec(), &document, 1);
    format!("<!DOCTYPE html>{}", page.replacen("<title>Swagger UI</title>", "<title>Fanlight API</title>", 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_page_holds_the_document_and_nothing_in_it_ends_the_script() {
        let page = page(&json!({ "openapi": "3.0.3", "info": { "title": "</script>" } }));
        assert!(page.contains(r#"let spec = {"openapi":"3.0.3","info":{"title":"\u003c/script>"}};"#));
        assert!(page.contains("<title>Fanlight API</title>"));
    }
}
