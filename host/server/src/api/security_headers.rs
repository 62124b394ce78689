//! Response headers that restrict what browsers do with an answer.

use poem::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use poem::http::{HeaderMap, HeaderName, HeaderValue};

/// The header that keeps other sites' windows from reaching a page that they open.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
/// Makes browsers use https only, for a year after each answer. Subdomains are not included: they may not be ours.
const A_YEAR_OF_HTTPS: HeaderValue = HeaderValue::from_static("max-age=31536000");
/// Policy for data, which is not a page: it loads nothing and is shown in no frame.
const DATA_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Adds the headers to an answer. `over_https`: clients reach this server over https.
pub(super) fn add(headers: &mut HeaderMap, over_https: bool) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // Paths contain the tokens of signed links.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if over_https {
        headers.insert(STRICT_TRANSPORT_SECURITY, A_YEAR_OF_HTTPS);
    }
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if content_type.starts_with("text/html") {
        headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    } else if content_type.starts_with("application/json") || content_type.is_empty() {
        headers.insert(CONTENT_SECURITY_POLICY, DATA_POLICY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers_for(content_type: &'static str, over_https: bool) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if !content_type.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        }
        add(&mut headers, over_https);
        headers
    }

    #[test]
    fn every_answer_forbids_sniffing_and_referrers() {
        for content_type in ["application/json; charset=utf-8", "application/pdf", "image/png", "text/html", ""] {
            let headers = headers_for(content_type, false);
            assert_eq!(headers[X_CONTENT_TYPE_OPTIONS], "nosniff", "{content_type}");
            assert_eq!(headers[REFERRER_POLICY], "no-referrer", "{content_type}");
            assert!(!headers.contains_key(STRICT_TRANSPORT_SECURITY), "{content_type}");
        }
    }

    #[test]
    fn strict_transport_security_is_sent_over_https_only() {
        assert_eq!(headers_for("application/json", true)[STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    }

    #[test]
    fn files_may_be_shown_in_frames_and_data_may_not() {
        for content_type in ["application/pdf", "image/png"] {
            assert!(!headers_for(content_type, true).contains_key(CONTENT_SECURITY_POLICY), "{content_type}");
        }
        for content_type in ["application/json", ""] {
            assert_eq!(headers_for(content_type, true)[CONTENT_SECURITY_POLICY], DATA_POLICY, "{content_type}");
        }
    }

    #[test]
    fn a_page_keeps_its_policy_and_denies_framing() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("script-src 'self'"));
        add(&mut headers, false);
        assert_eq!(headers[CONTENT_SECURITY_POLICY], "script-src 'self'");
        assert_eq!(headers[X_FRAME_OPTIONS], "DENY");
        assert_eq!(headers[OPENER_POLICY], "same-origin");
    }
}
