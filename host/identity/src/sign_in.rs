//! Signing in at a browser: the authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636).
//!
//! The server keeps nothing between the two steps: the browser carries the sealed secrets of its own sign-in.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use url::Url;

use crate::keys::Addresses;
use crate::{Client, Identity, Provider, VerifyError, token};

/// What the provider is asked for: an ID token with a name for people.
const SCOPE: &str = "openid email profile";
/// Random bytes of each secret, 43 characters in base64url: the least that PKCE accepts (RFC 7636, section 4.1).
const SECRET_BYTES: usize = 32;

/// A sign-in that has begun. Only the browser that began it may have this.
#[derive(Clone, Serialize, Deserialize)]
pub struct PendingSignIn {
    /// Proves that the answer is for this browser.
    state: String,
    /// Proves that the ID token is for this sign-in.
    nonce: String,
    /// Proves to the provider that whoever redeems the code began the sign-in.
    verifier: String,
}

impl PendingSignIn {
    fn new() -> Self {
        Self { state: secret(), nonce: secret(), verifier: secret() }
    }

    /// Returns the provider's page with the request of this sign-in.
    fn address(&self, endpoint: &str, client: &Client, redirect: &str) -> Result<Url, VerifyError> {
        let unusable = |_| VerifyError::Unavailable(format!("the provider's address {endpoint:?} is not one"));
        let mut address = Url::parse(endpoint).map_err(unusable)?;
        let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(&self.verifier));
        address.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", &client.id),
            ("redirect_uri", redirect),
            ("scope", SCOPE),
            ("state", &self.state),
            ("nonce", &self.nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(address)
    }
}

/// Returns a random text that nobody can guess.
fn secret() -> String {
    BASE64_URL_SAFE_NO_PAD.encode(rand::random::<[u8; SECRET_BYTES]>())
}

/// The provider's answer to a code (OpenID Connect Core 1.0, section 3.1.3.3), as far as it is used.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

impl Provider {
    /// Begins a sign-in. Returns the provider's page that the browser opens, and what its answer is checked with.
    /// `redirect` is the address to which the provider sends the browser back.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Unavailable`] if there is no client in the settings, or the provider can't be asked.
    pub async fn begin_sign_in(&self, redirect: &str) -> Result<(Url, PendingSignIn), VerifyError> {
        let (client, addresses) = self.client_and_addresses().await?;
        let endpoint = addresses.authorization_endpoint.ok_or_else(|| missing("authorization_endpoint"))?;
        let pending = PendingSignIn::new();
        Ok((pending.address(&endpoint, client, redirect)?, pending))
    }

    /// Completes a sign-in with the state and the code that the browser brings back. Returns who has signed in.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Refused`] if the answer is for another sign-in or the provider's token is not valid, and
    /// [`VerifyError::Unavailable`] if the provider can't be asked or refuses the code.
    pub async fn complete_sign_in(
        &self,
        pending: &PendingSignIn,
        state: &str,
        code: &str,
        redirect: &str,
    ) -> Result<Identity, VerifyError> {
        if !bool::from(pending.state.as_bytes().ct_eq(state.as_bytes())) {
            return Err(VerifyError::Refused("the answer is for another sign-in".to_owned()));
        }
        let (client, addresses) = self.client_and_addresses().await?;
        let endpoint = addresses.token_endpoint.ok_or_else(|| missing("token_endpoint"))?;
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect),
            ("client_id", &client.id),
            ("code_verifier", &pending.verifier),
        ];
        let basic = client.secret.as_deref().map(|secret| (client.id.as_str(), secret));
        let tokens: Tokens = self.keys.submit(&endpoint, &form, basic).await.map_err(|error| {
            VerifyError::Unavailable(format!("the provider does not redeem the code: {}", error.error_chain()))
        })?;
        let header = token::header(&tokens.id_token)?;
        let candidates = self.keys.candidates(&header).await?;
        let Self { settings, .. } = self;
        token::verify_sign_in(&tokens.id_token, header.alg, &candidates, &settings.issuer, &client.id, &pending.nonce)
    }

    async fn client_and_addresses(&self) -> Result<(&Client, Addresses), VerifyError> {
        let client = self.settings.client.as_ref();
        let client = client.ok_or_else(|| VerifyError::Unavailable("this server is no client of it".to_owned()))?;
        Ok((client, self.keys.addresses().await?))
    }
}

fn missing(name: &str) -> VerifyError {
    VerifyError::Unavailable(format!("the provider's configuration has no {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_carries_a_challenge_and_not_the_verifier() {
        let pending = PendingSignIn { state: "s".to_owned(), nonce: "n".to_owned(), verifier: "v".repeat(43) };
        let client = Client { id: "console".to_owned(), secret: None };
        let address =
            pending.address("https://login.example.com/auth?tenant=1", &client, "https://f.example/cb").unwrap();
        let fields: std::collections::HashMap<_, _> = address.query_pairs().into_owned().collect();
        assert_eq!((&*fields["tenant"], &*fields["redirect_uri"]), ("1", "https://f.example/cb"));
        // The SHA-256 of 43 letters v, computed by Python's hashlib.
        assert_eq!(fields["code_challenge"], "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM");
        assert!(!address.as_str().contains("vvvv"));
    }

    #[test]
    fn secrets_are_long_and_never_the_same() {
        let (one, other) = (PendingSignIn::new(), PendingSignIn::new());
        assert_eq!(one.verifier.len(), 43);
        assert_ne!(one.state, other.state);
        assert_ne!(one.state, one.nonce);
    }
}
