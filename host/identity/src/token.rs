//! What a token must be.

use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::Deserialize;

use crate::{Identity, Settings, VerifyError};

/// The longest token; real ones have one or two thousand bytes.
const LONGEST: usize = 16 * 1024;

/// The longest subject (OpenID Connect Core 1.0, section 2).
const LONGEST_SUBJECT: usize = 255;

/// The longest label that is kept, in characters.
const LONGEST_LABEL: usize = 100;

/// Seconds by which the provider's clock may be off.
const LEEWAY: u64 = 30;

/// Signatures that only the provider can make. With a shared secret (`HS256`) its public key would do as the secret.
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

/// What `typ` says of access tokens (RFC 9068) and ID tokens. Others of the provider's, as logout tokens, are for
/// something else.
const TYPES: [&str; 3] = ["jwt", "at+jwt", "application/at+jwt"];

/// What is read of a token, beside what `jsonwebtoken` checks.
#[derive(Debug, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    #[serde(default, deserialize_with = "text_or_nothing")]
    email: Option<String>,
    #[serde(default, deserialize_with = "text_or_nothing")]
    preferred_username: Option<String>,
    #[serde(default, deserialize_with = "text_or_nothing")]
    name: Option<String>,
}

/// The header of a token that may turn out to be good.
pub(crate) fn header(token: &str) -> Result<Header, VerifyError> {
    let refused = |reason: &str| VerifyError::Refused(reason.to_owned());
    if token.len() > LONGEST {
        return Err(refused("it is too long"));
    }
    let header = decode_header(token).map_err(|error| VerifyError::Refused(error.to_string()))?;
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

/// Whom the token speaks for, if one of the keys verifies it and it is meant for us now.
pub(crate) fn verify(
    token: &str,
    algorithm: Algorithm,
    candidates: &[DecodingKey],
    settings: &Settings,
) -> Result<Identity, VerifyError> {
    let mut validation = Validation::new(algorithm);
    validation.leeway = LEEWAY;
    validation.validate_nbf = true;
    validation.set_issuer(&[&settings.issuer]);
    validation.set_audience(&[&settings.audience]);
    validation.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);

    let mut refused = VerifyError::Refused("no key fits it".to_owned());
    for key in candidates {
        match decode::<Claims>(token, key, &validation) {
            Ok(good) => return identity(good.claims),
            Err(error) => refused = VerifyError::Refused(error.to_string()),
        }
    }
    Err(refused)
}

fn identity(claims: Claims) -> Result<Identity, VerifyError> {
    let printable = |text: &str| !text.trim().is_empty() && !text.contains(char::is_control);
    if !printable(&claims.sub) || claims.sub.len() > LONGEST_SUBJECT {
        return Err(VerifyError::Refused("its subject is empty, too long or unprintable".to_owned()));
    }
    let labels = [claims.email, claims.preferred_username, claims.name];
    let label = labels.into_iter().flatten().find(|label| printable(label));
    let label = label.map(|label| label.chars().take(LONGEST_LABEL).collect());
    Ok(Identity { issuer: claims.iss, subject: claims.sub, label })
}

/// A claim that proves nothing must not stand in the way by being of another type.
fn text_or_nothing<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
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
    fn a_subject_is_text_that_can_be_kept() {
        let of = |sub: &str| identified(json!({ "iss": "https://one.example", "sub": sub }));
        assert_eq!(of("ada"), Some(("ada".to_owned(), None)));
        assert!(of(&"a".repeat(LONGEST_SUBJECT)).is_some());
        for bad in ["", " ", "a\0b", "a\nb", &"a".repeat(LONGEST_SUBJECT + 1)] {
            assert_eq!(of(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_label_is_the_first_that_says_something() {
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
