//! The console at `/`: a page for people, its style and its script. Each is served as a file, so that the page's policy
//! allows nothing inline and nothing from elsewhere. `host/console` has the sources, and docs/console.md says how they are built.

use poem::endpoint::make_sync;
use poem::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH};
use poem::http::{HeaderValue, StatusCode};
use poem::{Endpoint, Request, Response, get};
use sha2::{Digest, Sha256};

/// Content security policy of the page. Pictures of pages are fetched with a key and shown as `blob:`.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The page.
pub(super) const PAGE: ConsoleFile = ConsoleFile {
    path: "/",
    content_type: "text/html; charset=utf-8",
    text: include_str!("../../../console/dist/index.html"),
};

/// The other files of the console.
pub(super) const PARTS: [ConsoleFile; 3] = [
    ConsoleFile {
        path: "/console/console.css",
        content_type: "text/css; charset=utf-8",
        text: include_str!("../../../console/dist/console.css"),
    },
    ConsoleFile {
        path: "/console/console.js",
        content_type: "text/javascript; charset=utf-8",
        text: include_str!("../../../console/dist/console.js"),
    },
    ConsoleFile {
        path: "/console/icon.svg",
        content_type: "image/svg+xml",
        text: include_str!("../../../console/dist/icon.svg"),
    },
];

/// A file of the console.
pub(super) struct ConsoleFile {
    /// Its path.
    pub(super) path: &'static str,
    content_type: &'static str,
    text: &'static str,
}

impl ConsoleFile {
    /// Returns the endpoint that serves the file. Browsers ask each time whether it has changed, as it may have with a
    /// new version of the server.
    pub(super) fn endpoint(&self) -> impl Endpoint<Output = Response> + use<> {
        let Self { content_type, text, .. } = *self;
        let tag = format!("\"{}\"", hex::encode(Sha256::digest(text)));
        get(make_sync(move |request: Request| {
            let known = request.headers().get(IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
            let (status, body) = if known { (StatusCode::NOT_MODIFIED, "") } else { (StatusCode::OK, text) };
            let mut response = Response::builder()
                .status(status)
                .content_type(content_type)
                .header(CACHE_CONTROL, "no-cache")
                .header(ETAG, tag.as_str())
                .body(body);
            if content_type.starts_with("text/html") {
                response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
            }
            response
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_nothing_inline_and_nothing_from_elsewhere() {
        let page = PAGE.text;
        assert!(!POLICY.contains("unsafe") && !page.contains("<style") && !page.contains("style="));
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("//"));
        for script in page.split("<script").skip(1) {
            let (attributes, content) = script.split_once('>').unwrap();
            assert!(attributes.contains("src=\"console/") && content.starts_with("</script>"), "{script}");
        }
    }

    #[test]
    fn the_page_refers_to_all_of_its_files() {
        for file in &PARTS {
            assert!(PAGE.text.contains(&format!("\"{}\"", &file.path[1..])), "{}", file.path);
        }
    }
}
