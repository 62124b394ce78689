//! The rules that a token must meet.

use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::Deserialize;

use crate::{Identity, Settings, VerifyError};

/// Maximum size of a token in bytes. Real tokens have one or two thousand.
const MAX_BYTES: usize = 16 * 1024;

/// Maximum length of a subject in bytes (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT_BYTES: usize = 255;

/// Maximum length of a label in characters. A longer one is cut.
const MAX_LABEL_CHARS: usize = 100;

/// Seconds by which the provider's clock may differ from ours.
const LEEWAY: u64 = 30;

/// The accepted algorithms: signatures that only the provider can make. If algorithms with a shared secret (`HS256`) were
/// accepted too, anybody could sign with the provider's public key as the secret.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// The accepted values of `typ`: those of access tokens (RFC 9068) and ID tokens. The provider's other tokens, such as
/// logout tokens, have other types.
const TYPES: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// The claims that are read here, beside those that `jsonwebtoken` checks.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// Of an ID token: the value that the sign-in sent.
    #[serde(default, deserialize_with = "text_or_none")]
    nonce: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    email: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    preferred_username: Option<String>,
    #[serde(default, deserialize_with = "text_or_none")]
    name: Option<String>,
}

/// Reads a token's header, without checking its signature.
///
/// # Errors
///
/// [`VerifyError::Refused`] when the token is too long or malformed, or its header does not meet the rules.
pub(crate) fn header(token: &str) -> Result<Header, VerifyError> {
    if token.len() > MAX_BYTES {
        return Err(refused("it is too long"));
    }
    let header = decode_header(token).map_err(|error| refused(error.to_string()))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(refused("its algorithm is not an asymmetric one"));
    }
    if header.typ.as_ref().is_some_and(|typ| !TYPES.contains(&typ.to_ascii_lowercase().as_str())) {
        return Err(refused("it is not of a type for access"));
    }
    if header.crit.is_some() {
        return Err(refused("it asks for an extension that must be understood"));
    }
    Ok(header)
}

fn refused(reason: impl Into<String>) -> VerifyError {
    VerifyError::Refused(reason.into())
}

/// Returns the person that a token identifies, if one of the keys verifies it and it is for this audience and valid now.
///
/// # Errors
///
/// [`VerifyError::Refused`]
pub(crate) fn verify(
    token: &str,
    algorithm: Algorithm,
    candidates: &[DecodingKey],
    settings: &Settings,
) -> Result<Identity, VerifyError> {
    identity(claims(token, algorithm, candidates, &settings.issuer, &settings.audience)?)
}

/// Returns the person that an ID token identifies, if it answers the sign-in that sent this nonce from this client
/// (OpenID Connect Core 1.0, section 3.1.3.7).
///
/// # Errors
///
/// [`VerifyError::Refused`]
pub(crate) fn verify_sign_in(
    token: &str,
    algorithm: Algorithm,
    candidates: &[DecodingKey],
    issuer: &str,
    client: &str,
    nonce: &str,
) -> Result<Identity, VerifyError> {
    let claims = claims(token, algorithm, candidates, issuer, client)?;
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(refused("it answers another sign-in"));
    }
    identity(claims)
}

/// Returns the claims of a token that one of the keys verifies, for this audience and valid now.
fn claims(
    token: &str,
    algorithm: Algorithm,
    candidates: &[DecodingKey],
    issuer: &str,
    audience: &str,
) -> Result<Claims, VerifyError> {
    let mut validation = Validation::new(algorithm);
    validation.leeway = LEEWAY;
    validation.validate_nbf = true;
    validation.set_issuer(&[issuer]);
    validation.set_audience(&[audience]);
    validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);

    let mut last_error = refused("no key fits it");
    for key in candidates {
        match decode::<Claims>(token, key, &validation) {
            Ok(valid) => return Ok(valid.claims),
            Err(error) => last_error = refused(error.to_string()),
        }
    }
    Err(last_error)
}

/// Returns the person in the claims of a valid token. The label is the first claim for people that can be printed.
fn identity(claims: Claims) -> Result<Identity, VerifyError> {
    if !is_printable(&claims.sub) || claims.sub.len() > MAX_SUBJECT_BYTES {
        return Err(refused("its subject is empty, too long or unprintable"));
    }
    let labels = [claims.email, claims.preferred_username, claims.name];
    let label = labels.into_iter().flatten().find(|label| is_printable(label));
    let label = label.map(|label| label.chars().take(MAX_LABEL_CHARS).collect());
    Ok(Identity { issuer: claims.iss, subject: claims.sub, label })
}

/// Returns whether a text has something to show and no control characters.
fn is_printable(text: &str) -> bool {
    !text.trim().is_empty() && !text.contains(char::is_control)
}

/// Reads a text, and anything else as `None`: a claim that proves nothing must not make a token invalid.
fn text_or_none<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(value.as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn identified(claims: Value) -> Option<(String, Option<String>)> {
        let identity = identity(serde_json::from_value(claims).unwrap()).ok()?;
        Some((identity.subject, identity.label))
    }

    #[test]
    fn subject_is_short_printable_text() {
        let with_subject = |sub: &str| identified(json!({ "iss": "https://one.example", "sub": sub }));
        assert_eq!(with_subject("ada"), Some(("ada".to_owned(), None)));
        assert!(with_subject(&"a".repeat(MAX_SUBJECT_BYTES)).is_some());
        for bad in ["", " ", "a\0b", "a\nb", &"a".repeat(MAX_SUBJECT_BYTES + 1)] {
            assert_eq!(with_subject(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn label_is_the_first_printable_claim() {
        let cases = [
            (json!({ "email": "ada@example.com", "name": "Ada" }), Some("ada@example.com")),
            (json!({ "email": " ", "preferred_username": "ada", "name": "Ada" }), Some("ada")),
            (json!({ "email": 5, "preferred_username": null, "name": "Ada" }), Some("Ada")),
            (json!({}), None),
        ];
        for (mut claims, expected) in cases {
            claims["iss"] = json!("https://one.example");
            claims["sub"] = json!("1");
            let label = identified(claims.clone()).unwrap().1;
            assert_eq!(label.as_deref(), expected, "{claims}");
        }
    }
}
