//! The TLS certificate of the API.

use std::fs;

use anyhow::{Context, ensure};
use poem::listener::{RustlsCertificate, RustlsConfig};
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;

use crate::configuration::Tls;

/// Reads the certificate and its key.
///
/// # Errors
///
/// Fails if a file cannot be read or the key is not that of the certificate. Without this check, only handshakes would
/// fail later.
pub(crate) fn config(tls: &Tls) -> anyhow::Result<RustlsConfig> {
    let (certificate_file, key_file) = (tls.certificate.display(), tls.key.display());
    let certificate = fs::read(&tls.certificate).with_context(|| format!("can't read {certificate_file}"))?;
    let key = fs::read(&tls.key).with_context(|| format!("can't read {key_file}"))?;

    let chain: Vec<CertificateDer> = CertificateDer::pem_slice_iter(&certificate)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{certificate_file} is not a certificate in PEM"))?;
    ensure!(!chain.is_empty(), "{certificate_file} holds no certificate in PEM");
    let private =
        PrivateKeyDer::from_pem_slice(&key).with_context(|| format!("{key_file} is not a private key in PEM"))?;
    CertifiedKey::from_der(chain, private, &default_provider())
        .with_context(|| format!("{key_file} is not the key of {certificate_file}"))?;
    Ok(RustlsConfig::new().fallback(RustlsCertificate::new().cert(certificate).key(key)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Writes a self-signed certificate and its key.
    fn certificate(folder: &Path, name: &str) -> Tls {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let files = Tls { certificate: folder.join(format!("{name}.pem")), key: folder.join(format!("{name}.key")) };
        fs::write(&files.certificate, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        files
    }

    #[test]
    fn invalid_files_are_refused_at_start() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (certificate(folder.path(), "own"), certificate(folder.path(), "other"));
        assert!(config(&own).is_ok());
        let text = folder.path().join("text");
        fs::write(&text, "no PEM").unwrap();
        let cases = [
            (Tls { key: other.key, ..own.clone() }, "is not the key of"),
            (Tls { key: own.certificate.clone(), ..own.clone() }, "is not a private key in PEM"),
            (Tls { certificate: own.key.clone(), ..own.clone() }, "holds no certificate in PEM"),
            (Tls { certificate: text.clone(), ..own.clone() }, "holds no certificate in PEM"),
            (Tls { key: text, ..own.clone() }, "is not a private key in PEM"),
            (Tls { certificate: folder.path().join("missing"), ..own.clone() }, "can't read"),
        ];
        for (files, expected) in cases {
            let error = config(&files).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains(expected), "{expected}: {error:?}");
        }
    }
}
