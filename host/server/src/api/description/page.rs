//! The OpenAPI document over HTTP: as JSON for programs and as Swagger UI for people. Neither needs a key. The page loads
//! all of its parts from this server and has no inline script.

use bytes::Bytes;
use poem::endpoint::make_sync;
use poem::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY};
use poem::{Endpoint, Response, get};
use poem_openapi::OpenApiService;
use serde_json::Value;

/// The path of the document.
pub(crate) const DOCUMENT: &str = "/openapi.json";
/// The path of the page.
pub(crate) const PAGE: &str = "/docs";

/// The page. Its links are relative, since a proxy may put a prefix before all paths.
const PAGE_TEXT: &str = include_str!("docs/page.html");
/// The script that starts Swagger UI.
const START: &str = include_str!("docs/start.js");

/// Content security policy of the page: scripts and requests of this server only. Swagger UI needs inline styles and
/// images.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Cache lifetime of the page's parts, which change only with the server's version.
const AN_HOUR: &str = "public, max-age=3600";

/// A file that the page is made of.
pub(crate) struct PagePart {
    /// Its path.
    pub(crate) path: &'static str,
    content_type: &'static str,
    text: Bytes,
}

impl PagePart {
    /// Returns the endpoint that serves the file.
    pub(crate) fn endpoint(&self) -> impl Endpoint + use<> {
        let (content_type, text) = (self.content_type, self.text.clone());
        get(make_sync(move |_| {
            Response::builder().content_type(content_type).header(CACHE_CONTROL, AN_HOUR).body(text.clone())
        }))
    }
}

/// Returns the endpoint that serves the document.
pub(crate) fn document_endpoint(document: &Value) -> impl Endpoint + use<> {
    let text = Bytes::from(document.to_string());
    get(make_sync(move |_| Response::builder().content_type("application/json").body(text.clone())))
}

/// Returns the endpoint that serves the page.
pub(crate) fn page_endpoint() -> impl Endpoint {
    get(make_sync(move |_| {
        Response::builder()
            .content_type("text/html; charset=utf-8")
            .header(CONTENT_SECURITY_POLICY, POLICY)
            .body(PAGE_TEXT)
    }))
}

/// Returns the files of the page. Swagger UI's are taken from poem-openapi's own page, which has them inline as one style
/// and one script, before the script that starts it.
pub(crate) fn page_parts() -> [PagePart; 3] {
    let page = Bytes::from(OpenApiService::new((), "", "").swagger_ui_html());
    let javascript = "text/javascript; charset=utf-8";
    let style = element(&page, "<style charset=\"UTF-8\">", "</style>");
    let script = element(&page, "<script charset=\"UTF-8\">", "</script>");
    [
        PagePart { path: "/docs/swagger-ui.css", content_type: "text/css; charset=utf-8", text: style },
        PagePart { path: "/docs/swagger-ui.js", content_type: javascript, text: script },
        PagePart { path: "/docs/start.js", content_type: javascript, text: Bytes::from_static(START.as_bytes()) },
    ]
}

/// Returns the text between the first `start` and the next `end`; empty if the page lacks one of them.
fn element(page: &Bytes, start: &str, end: &str) -> Bytes {
    let text = std::str::from_utf8(page).unwrap_or_default();
    let content = text.split_once(start).and_then(|(_, rest)| rest.split_once(end)).map(|(content, _)| content);
    content.map_or_else(Bytes::new, |content| page.slice_ref(content.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_no_inline_script_or_style() {
        for script in PAGE_TEXT.split("<script").skip(1) {
            let (attributes, content) = script.split_once('>').unwrap();
            assert!(attributes.contains("src=\"docs/") && content.starts_with("</script>"), "{script}");
        }
        assert!(!PAGE_TEXT.contains("<style") && !PAGE_TEXT.contains("javascript:"));
        assert!(!POLICY.contains("script-src 'self' 'unsafe-inline'") && POLICY.contains("script-src 'self';"));
    }

    #[test]
    fn the_page_refers_to_all_of_its_parts() {
        for part in page_parts() {
            assert!(PAGE_TEXT.contains(&format!("\"{}\"", &part.path[1..])), "{}", part.path);
        }
    }

    #[test]
    fn the_style_and_script_of_swagger_ui_are_complete() {
        let [style, script, _] = page_parts();
        assert!(style.text.starts_with(b".swagger-ui") && style.text.len() > 100_000, "{}", style.text.len());
        assert!(script.text.len() > 1_000_000, "{}", script.text.len());
        let script = String::from_utf8_lossy(&script.text);
        assert!(script.contains("SwaggerUIBundle") && !script.contains("<script charset"));
    }
}
